"""Marks of findings on the drawing: a triangle for a warning, an octagon for an error.

Colour never stands alone: each severity has its icon, and a marked cable is dashed.
"""

import numpy as np

from designer.scene.columns import NIC, Floats, Ints
from designer.scene.display_list import Circles, Curves, DisplayList, Icons, Lines
from designer.scene.frame import Frame, ends
from designer.scene.paths import pieces, ways
from designer.scene.view import UNIT

SIZE, SMALL = 15.0, 9.0
# A glyph narrower than this, pixels, has a small mark: a large one would cover its neighbours.
NARROW = 44.0
# More marks than this in a view say nothing; the list of findings says it better.
MOST = 80
# x, y, severity, size
Spot = tuple[float, float, str, float]
_STYLE = {"error": ("error", "err", (2.4, 1.3)), "warning": ("warning", "warn", (2.0, 1.2))}


def draw_marks(frame: Frame, out: DisplayList, trunks: Ints, e: Floats) -> None:
    """Draw the marks of devices and cables in view; `e` holds the ends of `trunks`."""
    marks = frame.state.marks
    if not marks or frame.level < UNIT:
        return
    spots: list[Spot] = []
    where = {int(row): k for k, row in enumerate(trunks)}
    for id_, severity in marks.items():
        if severity not in _STYLE or len(spots) >= MOST:
            continue
        row = frame.columns.index.get(id_)
        if row is not None:
            if frame.seen[row]:
                size = SMALL if frame.w[row] < NARROW else SIZE
                x = float(frame.x[row] + frame.w[row] / 2 - min(5.0, frame.w[row] / 4))
                y = float(frame.y[row] - frame.h[row] / 2) + (3 if size == SIZE else 0)
                spots.append((x, y, severity, size))
            continue
        bundle = frame.columns.cable_bundle.get(id_)
        kept = frame.state.kept
        if bundle is not None and (kept is None or kept.bundles[bundle]):
            spot = _cable(frame, out, bundle, severity, where, e)
            if spot is not None:
                spots.append((*spot, severity, SIZE))
    _draw_spots(out, spots)


def _cable(
    frame: Frame, out: DisplayList, bundle: int, severity: str, where: dict[int, int], e: Floats
) -> tuple[float, float] | None:
    """Draw a marked cable dashed; return where its icon goes, None when it is out of view."""
    _icon, token, dash = _STYLE[severity]
    if frame.columns.bundles.kind[bundle] == NIC:
        x, y = ends(frame, np.array([bundle]))[0, 2:]
        if not (0 <= x <= frame.view.width and 0 <= y <= frame.view.height):
            return None
        up = -1.0 if y < frame.y[frame.columns.bundles.b[bundle]] else 1.0
        out.add(Lines(np.array([[x, y, x, y + up * 26]]), token, 2.2, dash))
        return float(x), float(y + up * 14)
    k = where.get(bundle)
    if k is None:
        return None
    points = ways(frame, np.array([bundle], dtype=np.int32), e[k : k + 1])
    out.add(Curves(points, "canvas", 5.0))
    out.add(Curves(points, token, 3.0, dash))
    p = points.reshape(-1, 4, 2)[pieces(frame) // 2]
    # a fifth of the way: the middle is where selected cables have their labels
    spot = 0.512 * p[0] + 0.384 * p[1] + 0.096 * p[2] + 0.008 * p[3]
    return float(spot[0]), float(spot[1])


def _draw_spots(out: DisplayList, spots: list[Spot]) -> None:
    taken: list[tuple[float, float]] = []
    for x, y, severity, size in sorted(spots, key=lambda s: s[2] != "error"):
        apart = size + 5
        if any(abs(x - a) < apart and abs(y - b) < apart for a, b in taken):
            continue
        taken.append((x, y))
        name, token, _dash = _STYLE[severity]
        out.add(Circles(np.array([[x, y, size / 2 + 2]]), "surface", token, 1.0))
        out.add(Icons([(name, x - size / 2 + 1.5, y - size / 2 + 1.5, size - 3, token)]))
