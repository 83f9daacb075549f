"""The way of a cable between its two ends: curved, straight, or along the axes on its own track."""

import numpy as np

from designer.scene.columns import Floats, Ints, SceneColumns
from designer.scene.frame import Frame

# Tracks of square cables use this part of the height between the ends.
_FIRST, _LAST = 0.22, 0.78


def curve_points(e: Floats) -> Floats:
    """Return cubics with vertical tangents between ends (n × 4), controls at 48 % of the height."""
    dy = (e[:, 3] - e[:, 1]) * 0.48
    x0, y0, x1, y1 = e.T
    return np.column_stack([x0, y0, x0, y0 + dy, x1, y1 - dy, x1, y1])


def pieces(frame: Frame) -> int:
    """Return how many cubics the way of one cable takes."""
    return 3 if frame.state.shape == "orthogonal" else 1


def ways(frame: Frame, rows: Ints, e: Floats) -> Floats:
    """Return the ways of bundles between ends `e` (n × 4) as cubics, `pieces` for each in turn."""
    shape = frame.state.shape
    if shape == "curved":
        return curve_points(e)
    if shape == "straight":
        return _straight(e)
    x0, y0, x1, y1 = e.T
    y = y0 + (y1 - y0) * _tracks(frame.columns)[rows]
    legs = np.stack(
        [
            np.column_stack([x0, y0, x0, y]),
            np.column_stack([x0, y, x1, y]),
            np.column_stack([x1, y, x1, y1]),
        ],
        axis=1,
    )
    return _straight(legs.reshape(-1, 4))


def _straight(e: Floats) -> Floats:
    a, b = e[:, :2], e[:, 2:]
    return np.hstack([a, a + (b - a) / 3, a + (b - a) * 2 / 3, b])


def _tracks(columns: SceneColumns) -> Floats:
    """Return at which part of its height each bundle turns: cables of one device share a track."""
    cached = columns.caches.get("tracks")
    if isinstance(cached, np.ndarray):
        return cached
    b = columns.bundles
    order = np.lexsort((columns.x[b.b], np.round(columns.y[b.b] / 40)))
    rank = np.empty(len(order))
    rank[order] = np.arange(len(order))
    # the rank of the lower device within its row
    lower = np.full(len(columns.ids), np.inf)
    np.minimum.at(lower, b.b, rank)
    row = np.round(columns.y[b.b] / 40)
    found = np.full(len(order), 0.5)
    for y in np.unique(row):
        own = np.flatnonzero(row == y)
        values, place = np.unique(lower[b.b[own]], return_inverse=True)
        step = (_LAST - _FIRST) / max(1, len(values))
        found[own] = _FIRST + (place + 0.5) * step
    columns.caches["tracks"] = found
    return found


def way_middles(frame: Frame, rows: Ints, e: Floats, share: float) -> Floats:
    """Return the point at `share` of the way of each bundle, n × 2."""
    k = pieces(frame)
    p = ways(frame, rows, e).reshape(-1, k, 4, 2)[:, k // 2]
    t = share
    weights = np.array([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    found: Floats = np.einsum("k,nkd->nd", weights, p)
    return found
