"""The export page: frame with zones, drawing, legend, devices, cables and title block.

Light theme, no grid, no selection. The page is laid out at 1,600 × 1,131 units, the proportions of
the A series in landscape; other sizes are fitted into their sheet.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from designer.messages import _
from designer.model.ports import expand
from designer.scene.columns import NIC, SceneColumns
from designer.scene.compose import compose
from designer.scene.display_list import DisplayList, Icons, Lines, Rects
from designer.scene.strands import MOST
from designer.scene.text import elide, text_width
from designer.scene.theme import rail_color, text_on
from designer.scene.view import SceneState
from designer.scene.whole import placed, whole

WIDTH, HEIGHT = 1600.0, 1131.0
LEFT, TOP, RIGHT, BOTTOM = 32.0, 32.0, 1568.0, 1099.0
FOOT = 868.0
COLUMNS = (32.0, 312.0, 744.0, 1196.0, 1568.0)
# Paper sizes in millimetres, landscape.
PAPERS: dict[str, tuple[float, float]] = {
    "A4": (297.0, 210.0),
    "A3": (420.0, 297.0),
    "A2": (594.0, 420.0),
    "A1": (841.0, 594.0),
    "A0": (1189.0, 841.0),
    "letter": (279.4, 215.9),
    "tabloid": (431.8, 279.4),
}


@dataclass(frozen=True, slots=True)
class PageContent:
    """What stands on the page beside the drawing; texts are ready to print.

    Attributes:
        devices: (role, model, count, power) a row; the last one is the total.
        cables: (from – to, kind, length, count) a row; the last one is the total.
        block: Fields of the title block: title, drawn_by, checked_by, date, project, revision,
            sheet, size, checks, file, program.
    """

    title: str
    subtitle: str
    devices: Sequence[tuple[str, str, str, str]]
    cables: Sequence[tuple[str, str, str, str]]
    block: dict[str, str]


def page(columns: SceneColumns, content: PageContent, state: SceneState) -> DisplayList:
    """Return the page of a drawing."""
    out = DisplayList(WIDTH, HEIGHT, "light", "surface")
    state = replace(state, theme="light", selection=frozenset(), hover="")
    _drawing(columns, state, out)
    _frame(out)
    out.text(56, 70, elide(content.title, 1400, 22, 600), 22, 600)
    out.text(56, 93, elide(content.subtitle, 1400, 12), 12, 400, "text2")
    _legend(columns, out)
    _table(
        out,
        COLUMNS[1],
        COLUMNS[2],
        _("Devices"),
        content.devices,
        (_("Role"), _("Model"), _("Count"), _("Power")),
    )
    _table(
        out,
        COLUMNS[2],
        COLUMNS[3],
        _("Cables"),
        content.cables,
        (_("From – to"), _("Kind"), _("Length"), _("Count")),
    )
    _title_block(out, content)
    return out


def _drawing(columns: SceneColumns, state: SceneState, out: DisplayList) -> None:
    """Draw the devices and cables in the middle of their area."""
    x, y, w, h = 44.0, 104.0, 1512.0, FOOT - 116.0
    view = whole(columns, w, h, state, margin=8.0)
    k = min(w / view.width, h / view.height)
    dx, dy = x + (w - view.width * k) / 2, y + (h - view.height * k) / 2
    out.items += [placed(item, dx, dy, k) for item in compose(columns, view, state).items]


def _frame(out: DisplayList) -> None:
    """Draw the border and the zones: numbers along the long sides, letters along the short ones."""
    out.add(Rects(np.array([[LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP]]), "", "text", 1.6))
    out.add(Lines(np.array([[LEFT, FOOT, RIGHT, FOOT]]), "text", 1.2))
    wide, high = (RIGHT - LEFT) / 8, (BOTTOM - TOP) / 5
    for k in range(8):
        for y in (TOP - 9, BOTTOM + 19):
            out.text(LEFT + wide * (k + 0.5), y, str(k + 1), 10, 400, "text2", "middle")
    for k, letter in enumerate("ABCDE"):
        for x in (LEFT - 14, RIGHT + 14):
            out.text(x, TOP + high * (k + 0.5), letter, 10, 400, "text2", "middle")
    ticks = [
        [LEFT + wide * k, y, LEFT + wide * k, y + d]
        for k in range(1, 8)
        for y, d in ((TOP, -8), (BOTTOM, 8))
    ]
    ticks += [
        [x, TOP + high * k, x + d, TOP + high * k]
        for k in range(1, 5)
        for x, d in ((LEFT, -8), (RIGHT, 8))
    ]
    out.add(Lines(np.array(ticks, dtype=float), "text2", 1.0))
    out.add(Lines(np.array([[x, FOOT, x, BOTTOM] for x in COLUMNS[1:4]]), "text", 1.2))


def _rails(columns: SceneColumns) -> list[int]:
    """Return the rails that are drawn: of bundles, and of single cables of those that span some."""
    b, design = columns.bundles, columns.design
    nic = b.kind == NIC
    rails = {int(r) for r in np.unique(b.rail[nic]) if r}
    mixed = np.flatnonzero(nic & (b.rail == 0))
    if int(b.count[mixed].sum()) > MOST:
        return sorted(rails)
    for row in mixed.tolist():
        server = design.devices[columns.ids[int(b.b[row])]]
        if server.role == "server":
            ends = (design.cables[c].end_at(server.id) for c in b.cables[row])
            rails |= {design.rail(server, p.number) for e in ends for p in expand(server, e)}
    return sorted(rails)


def _legend(columns: SceneColumns, out: DisplayList) -> None:
    x, y = COLUMNS[0] + 24, FOOT + 30
    out.text(x, y, _("Legend"), 13, 600)
    rails = _rails(columns)[:8]
    for k, rail in enumerate(rails):
        cx, cy = x + (k % 2) * 112, y + 22 + (k // 2) * 24
        color = rail_color(rail, "light")
        out.add(Lines(np.array([[cx, cy, cx + 30, cy]]), color, 4.0))
        out.add(Rects(np.array([[cx + 36, cy - 8, 16, 16]]), color, "", 0, 3))
        out.text(cx + 44, cy + 4, str(rail), 10, 600, text_on(color), "middle")
        out.text(cx + 58, cy + 4, _("Rail {n}").format(n=rail), 11)
    y += 30 + (len(rails) + 1) // 2 * 24
    named = (
        (0, _("Server")),
        (1, _("NVSwitch tray")),
        (2, _("Leaf")),
        (3, _("Spine")),
        (4, _("Core")),
        (5, _("Host")),
    )
    icons = ("server", "nvswitch", "leaf", "spine", "core", "disk")
    tokens = ("server", "nvswitch", "leaf", "spine", "core", "host")
    shown = [r for r in named if (columns.role == r[0]).any()]
    for k, (role, text) in enumerate(shown):
        cx, cy = x + (k % 3) * 84, y + (k // 3) * 24
        out.add(Icons([(icons[role], cx, cy - 12, 16, tokens[role])]))
        out.text(cx + 20, cy + 1, elide(text, 62, 11), 11)


def _table(
    out: DisplayList,
    x0: float,
    x1: float,
    title: str,
    rows: Sequence[tuple[str, str, str, str]],
    heads: tuple[str, ...],
) -> None:
    x, y, width = x0 + 24, FOOT + 30, x1 - x0 - 40
    out.text(x, y, title, 13, 600)
    y += 26
    shown = [*rows[:6], *rows[-1:]] if len(rows) > 7 else list(rows)
    wide = [max(text_width(row[k], 11, 600) for row in [heads, *shown]) for k in (2, 3)]
    second, third = x + width * 0.26, x + width - wide[1] - 16
    places = (x, second, third, x + width)
    room = (second - x - 8, third - wide[0] - 12 - second, wide[0], wide[1])
    for k, head in enumerate(heads):
        out.text(places[k], y, head, 10, 600, "text2", "end" if k > 1 else "start")
    for n, row in enumerate(shown):
        out.add(Lines(np.array([[x, y + 8, x + width, y + 8]]), "border", 1.0))
        y += 24
        bold = 600 if n == len(shown) - 1 and len(shown) > 1 else 400
        for k, cell in enumerate(row):
            text = elide(cell, room[k] + 1, 11, bold)
            out.text(places[k], y, text, 11, bold, "text", "end" if k > 1 else "start")
    if len(rows) > 7:
        out.text(
            x,
            y + 20,
            _("{n} more rows are in the bill of materials.").format(n=len(rows) - 7),
            10,
            400,
            "text2",
        )


def _title_block(out: DisplayList, content: PageContent) -> None:
    x0, x1, b = COLUMNS[3], COLUMNS[4], content.block
    half, third = (x0 + x1) / 2, (x1 - x0) / 3
    y = (FOOT, FOOT + 56, FOOT + 104, FOOT + 152, BOTTOM)
    out.add(Lines(np.array([[x0, v, x1, v] for v in y[1:4]]), "text", 1.2))
    out.add(
        Lines(
            np.array(
                [
                    [half, y[1], half, y[3]],
                    [x0 + third, y[3], x0 + third, y[4]],
                    [x0 + 2 * third, y[3], x0 + 2 * third, y[4]],
                ]
            ),
            "text",
            1.2,
        )
    )
    fields = (
        (x0, y[0], _("Title"), b.get("title", ""), 17.0, x1 - x0),
        (x0, y[1], _("Drawn by"), b.get("drawn_by", ""), 12.0, half - x0),
        (half, y[1], _("Checked by"), b.get("checked_by", ""), 12.0, half - x0),
        (x0, y[2], _("Date"), b.get("date", ""), 12.0, half - x0),
        (half, y[2], _("Project"), b.get("project", ""), 12.0, half - x0),
        (x0, y[3], _("Revision"), b.get("revision", ""), 17.0, third),
        (x0 + third, y[3], _("Sheet"), b.get("sheet", ""), 14.0, third),
        (x0 + 2 * third, y[3], _("Size, scale"), b.get("size", ""), 14.0, third),
    )
    for x, top, name, value, size, room in fields:
        out.text(x + 10, top + 16, name, 9, 400, "text2")
        out.text(x + 10, top + 38, elide(value or "—", room - 20, size, 500), size, 500)
    foot = BOTTOM - 10
    for k, key in enumerate(("checks", "file", "program")):
        out.text(x0 + third * k + 10, foot, elide(b.get(key, ""), third - 16, 9), 9, 400, "text2")
