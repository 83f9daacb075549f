"""What has failed for the results: dashed outlines and paths, an octagon, and the word."""

import numpy as np

from designer.messages import _
from designer.scene.columns import NIC, Floats, Ints
from designer.scene.display_list import Curves, DisplayList, Icons, Lines, Polygons, Rects
from designer.scene.frame import Frame, ends
from designer.scene.text import text_width
from designer.scene.theme import blend, token
from designer.scene.trunks import curve_points

# Failed devices drawn one by one; more are a rail or a rack, whose outlines say it.
MOST = 400
_OUTLINE, _PATH = (3.0, 2.0), (2.0, 3.0)


def draw_faults(frame: Frame, out: DisplayList) -> None:
    """Draw the devices and cables that have failed, over the drawing at the scale of frames."""
    columns = frame.columns
    devices = [columns.index[i] for i in frame.state.failed if i in columns.index]
    cables = [columns.cable_bundle[i] for i in frame.state.failed if i in columns.cable_bundle]
    if not devices and not cables:
        return
    _paths(frame, out, np.array(devices, dtype=np.int32), np.array(cables, dtype=np.int32))
    rows = [k for k in devices if frame.seen[k]][:MOST]
    if rows:
        _outlines(frame, out, np.array(rows, dtype=np.int32))


def _paths(frame: Frame, out: DisplayList, devices: Ints, cables: Ints) -> None:
    b = frame.columns.bundles
    dead = np.zeros(len(frame.columns.ids), dtype=bool)
    dead[devices] = True
    down = dead[b.a] | dead[b.b]
    down[cables] = True
    tone = blend(token("err", frame.theme), token("canvas", frame.theme), 0.55)
    trunks = np.flatnonzero(down & (b.kind != NIC)).astype(np.int32)
    if len(trunks):
        out.add(Curves(curve_points(ends(frame, trunks)), tone, 1.3, _PATH))
    nics = np.flatnonzero(down & (b.kind == NIC)).astype(np.int32)
    if len(nics):
        out.add(Lines(_stubs(frame, nics), token("err", frame.theme), 1.6, _PATH))


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
