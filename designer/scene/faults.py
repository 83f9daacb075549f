"""What has failed for the results: dashed outlines and paths, an octagon, and the word."""

import numpy as np

from designer.messages import _, ngettext
from designer.scene.columns import NIC, Floats, Ints
from designer.scene.display_list import (
    Circles,
    Curves,
    DisplayList,
    Icons,
    Lines,
    Polygons,
    Rects,
)
from designer.scene.frame import Bools, Frame, ends
from designer.scene.paths import ways
from designer.scene.text import text_width
from designer.scene.theme import blend, token
from designer.scene.view import CLUSTER
from designer.units import format_number

# Failed devices drawn one by one; more are a rail or a rack, whose outlines say it.
MOST = 400
_OUTLINE, _PATH = (3.0, 2.0), (2.0, 3.0)


def down_bundles(frame: Frame) -> Bools:
    """Return which bundles carry nothing: all their cables, or a device at an end, have failed."""
    b, columns, failed = frame.columns.bundles, frame.columns, frame.state.failed
    down = np.zeros(len(b.a), dtype=bool)
    if not failed:
        return down
    dead = np.zeros(len(columns.ids), dtype=bool)
    dead[[columns.index[i] for i in failed if i in columns.index]] = True
    cut = np.array([columns.cable_bundle[i] for i in failed if i in columns.cable_bundle], int)
    down = dead[b.a] | dead[b.b]
    if len(cut):
        touched, gone = np.unique(cut, return_counts=True)
        held = np.fromiter(columns.cable_bundle.values(), int, len(columns.cable_bundle))
        down[touched[gone >= np.bincount(held, minlength=len(b.a))[touched]]] = True
    if frame.state.kept is not None:
        down &= frame.state.kept.bundles
    return down


def draw_paths(frame: Frame, out: DisplayList, down: Bools) -> None:
    """Draw trunks that carry nothing, under everything else, and say how many they are."""
    b = frame.columns.bundles
    trunks = np.flatnonzero(down & (b.kind != NIC)).astype(np.int32)
    if len(trunks):
        tone = blend(token("err", frame.theme), token("canvas", frame.theme), 0.55)
        out.add(Curves(ways(frame, trunks, ends(frame, trunks)), tone, 1.3, _PATH))


def draw_faults(frame: Frame, out: DisplayList) -> None:
    """Draw the devices and cables that have failed, over the drawing."""
    columns, failed = frame.columns, frame.state.failed
    if not failed:
        return
    if frame.level == CLUSTER:
        _spots(frame, out)
        return
    down = down_bundles(frame)
    _pill(frame, out, down)
    nics = np.flatnonzero(down & (columns.bundles.kind == NIC)).astype(np.int32)
    if len(nics):
        stubs = _stubs(frame, nics)
        out.add(Lines(stubs, "canvas", 4.0))
        out.add(Lines(stubs, "err", 1.6, _PATH))
    _partly(frame, out, down)
    rows = [r for i in failed if (r := columns.index.get(i)) is not None and frame.seen[r]][:MOST]
    if rows:
        _outlines(frame, out, np.array(rows, dtype=np.int32))


def _partly(frame: Frame, out: DisplayList, down: Bools) -> None:
    """Draw trunks that have lost some of their cables: dashed over their colour."""
    of = frame.columns.cable_bundle
    hurt = {of[c] for i in frame.state.failed if (c := i.removesuffix(":link")) in of}
    rows = np.array(sorted(r for r in hurt if not down[r]), dtype=np.int32)
    rows = frame.kept_bundles(rows[frame.columns.bundles.kind[rows] != NIC])
    if len(rows):
        out.add(Curves(ways(frame, rows, ends(frame, rows)), "err", 1.6, _PATH))


def _pill(frame: Frame, out: DisplayList, down: Bools) -> None:
    """Say once how many trunks and cables carry nothing, in the middle of those in view."""
    b = frame.columns.bundles
    rows = np.flatnonzero(down & (b.kind != NIC)).astype(np.int32)
    if not len(rows):
        return
    e = ends(frame, rows)
    x, y = (e[:, 0] + e[:, 2]) / 2, (e[:, 1] + e[:, 3]) / 2
    seen = (x > 0) & (x < frame.view.width) & (y > 0) & (y < frame.view.height)
    if not seen.any():
        return
    n, cables = len(rows), int(b.count[rows].sum())
    text = _("{trunks}, {cables}").format(
        trunks=ngettext("{n} trunk down", "{n} trunks down", n).format(n=format_number(n)),
        cables=ngettext("{n} cable", "{n} cables", cables).format(n=format_number(cables)),
    )
    width = text_width(text, 11, 600) + 34
    left, top = float(x[seen].mean()) - width / 2, float(y[seen].mean()) - 11
    out.add(Rects(np.array([[left, top, width, 22.0]]), "errTint", "err", 1.0, 11))
    out.add(Icons([("error", left + 8, top + 4, 14, "err")]))
    out.text(left + 26, top + 15, text, 11, 600, "err")


def _spots(frame: Frame, out: DisplayList) -> None:
    """Mark failed devices among blocks, where they would stand."""
    index = frame.columns.index
    rows = [r for i in frame.state.failed if (r := index.get(i)) is not None and frame.seen[r]]
    at = np.unique(np.column_stack([frame.x[rows], frame.y[rows]]).round(-1), axis=0)[:MOST]
    if len(at):
        out.add(Circles(np.column_stack([at, np.full(len(at), 9.0)]), "surface", "err", 1.0))
        out.add(Icons([("error", x - 6, y - 6, 12, "err") for x, y in at.tolist()]))


def _stubs(frame: Frame, rows: Ints) -> Floats:
    """Return the last pixels of server cables at their NICs, where their drops begin."""
    e = ends(frame, rows)
    b = frame.columns.bundles
    away = np.where(e[:, 3] < frame.y[b.b[rows]], -22.0, 22.0)
    return np.column_stack([e[:, 2], e[:, 3], e[:, 2], e[:, 3] + away])


def _outlines(frame: Frame, out: DisplayList, rows: Ints) -> None:
    x, y = frame.x[rows] - frame.w[rows] / 2, frame.y[rows] - frame.h[rows] / 2
    boxes = np.column_stack([x, y, frame.w[rows], frame.h[rows]])
    tint = blend(token("errTint", frame.theme), token("canvas", frame.theme), 0.6)
    corners = np.stack(
        [
            boxes[:, :2],
            boxes[:, :2] + boxes[:, 2:] * (1, 0),
            boxes[:, :2] + boxes[:, 2:],
            boxes[:, :2] + boxes[:, 2:] * (0, 1),
        ],
        axis=1,
    )
    out.add(Polygons(corners, tint))
    out.add(Rects(boxes, "", "err", 1.6, 4, _OUTLINE))
    word = _("failed")
    for row, (left, top, w, h) in zip(rows.tolist(), boxes.tolist(), strict=True):
        name = frame.columns.names[row]
        if w < 34 or h < 18:
            continue
        out.add(Icons([("error", left + 8, top + h / 2 - 8, 16, "err")]))
        if w > 36 + max(text_width(name, 12, 600), text_width(word, 11)) and h >= 30:
            out.text(left + 30, top + h / 2 - 3, name, 12, 600, "err")
            out.text(left + 30, top + h / 2 + 12, word, 11, 400, "err")
