"""What is inside the glyphs of switches: rail strip, icon, name, ports in use, peak load."""

import numpy as np

from designer.catalog.types import PartType
from designer.messages import _
from designer.scene import glyph_sizes as sizes
from designer.scene.colours import leaf_rail
from designer.scene.display_list import DisplayList, Icons, Rects
from designer.scene.frame import Frame
from designer.scene.switch_names import inner, label, large
from designer.scene.text import text_width
from designer.scene.theme import rail_color
from designer.scene.view import PORT
from designer.units import format_percent

ROLE_ICONS = ("server", "nvswitch", "leaf", "spine", "core", "disk")


def draw_switch(frame: Frame, out: DisplayList, row: int) -> None:
    """Draw the strip, icon, name and second line of a switch, as far as they fit."""
    role = int(frame.columns.role[row])
    x, y = float(frame.x[row] - frame.w[row] / 2), float(frame.y[row] - frame.h[row] / 2)
    w, h = float(frame.w[row]), float(frame.h[row])
    if role == sizes.LEAF:
        _strip(frame, out, row, x, y, h)
    if h < 13:
        return
    left, right = inner(frame, row)
    full = frame.level >= PORT
    name = frame.columns.names[row]
    size = large(frame, row)
    icon = 28.0 if size > 12 else 16.0
    middle = y + h / 2
    if size > 12 or right - left > text_width(name, size, 600) + 60:
        color = ("server", "nvswitch", "leaf", "spine", "core", "host")[role]
        out.add(Icons([(ROLE_ICONS[role], left, middle - icon / 2, icon, color)]))
        left += icon + (12 if full else 6)
    room = right - left
    shown, size = label(frame, row, room)
    # boxes of ports reach into the glyph at port level
    two = h >= (38 if full else 32) and role != sizes.NVSWITCH
    roomy = full and h >= 56
    if role == sizes.NVSWITCH:
        if h >= 16:
            out.text(x + w / 2, middle + 4, shown, size, 600, "text", "middle")
        return
    line = second_line(frame, row, full, room) if two else ""
    first = middle + (4 if not line else -3 if roomy or not full else -4)
    out.text(left, first, shown, size, 600)
    if line:
        second = middle + (15 if roomy else 10 if full else 12)
        out.text(left, second, line, 11, 400, "text2")
    note = peak(frame, row)
    if note and room > text_width(shown, size, 600) + text_width(note, 12, 600) + 10:
        out.text(right, first, note, 12, 600, "text", "end")


def _strip(frame: Frame, out: DisplayList, row: int, x: float, y: float, h: float) -> None:
    if h < 8:
        return
    width = 6.0 if frame.w[row] > 40 else 3.0
    rails = [int(leaf_rail(frame)[row])]
    if not rails[0]:
        b = frame.columns.bundles
        mine = frame.columns.rows_of(row)
        design = frame.columns.design
        found: set[int] = set()
        for bundle in mine[:64]:
            if b.a[bundle] == row and b.kind[bundle] == 0:
                peer = design.devices[frame.columns.ids[b.b[bundle]]]
                for cable_id in b.cables[bundle]:
                    end = design.cables[cable_id].end_at(peer.id)
                    found |= {design.rail(peer, p) for p in range(end.first, end.first + end.count)}
        rails = sorted(found)
    if not rails or not rails[0]:
        return
    part = (h - 4) / len(rails)
    for k, rail in enumerate(rails):
        out.add(
            Rects(
                np.array([[x + 1.5, y + 2 + k * part, width, part]]), rail_color(rail, frame.theme)
            )
        )


def second_line(frame: Frame, row: int, full: bool, room: float) -> str:
    """Return the second line of a switch: model, rail, ports in use, what fits; never cut off."""
    design = frame.columns.design
    device = design.devices[frame.columns.ids[row]]
    part = design.types.get(device.type)
    rail = int(leaf_rail(frame)[row])
    words = []
    if full and part is not None:
        words.append(short_model(part))
    if rail:
        words.append(_("rail {n}").format(n=rail))
    if not rail or full:
        used, total = fabric_use(frame, row)
        words.append(_("{used}/{total} ports").format(used=used, total=total))
    tries = [" · ".join(words[k:]) for k in range(len(words))]
    if not rail or full:
        tries.append(f"{used}/{total}")
    return next((t for t in tries if text_width(t, 11) <= room), "")


def fabric_use(frame: Frame, row: int) -> tuple[int, int]:
    """Return fabric ports in use and in all; lanes of a split port count as ports."""
    design = frame.columns.design
    device = design.devices[frame.columns.ids[row]]
    family = design.families(device).get("fabric") or design.families(device).get("nvlink")
    if family is None:
        return 0, 0
    total = family.count + sum(
        b.count * (b.lanes - 1) for b in device.breakouts if b.family == family.family
    )
    used = sum(
        design.cables[c].count
        for c in design.cables_of(device.id)
        if design.cables[c].end_at(device.id).family == family.family
    )
    return used, total


def short_model(part: PartType) -> str:
    """Return a model without what stands in brackets behind it."""
    return part.shown_model.split(" (")[0]


def peak(frame: Frame, row: int) -> str:
    """Return the peak utilisation of a device's links, or an empty text."""
    loads = frame.load[frame.columns.rows_of(row)]
    loads = loads[~np.isnan(loads)]
    return format_percent(float(loads.max()), 0) if len(loads) else ""
