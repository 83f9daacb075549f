"""Where bundles leave the edges of devices: in the order of their peers, without crossing."""

import numpy as np
import numpy.typing as npt

from designer.scene.columns import NIC, Bundles, Floats, Ints, SceneColumns

Bools = npt.NDArray[np.bool_]


def points_down(columns: SceneColumns, rows: Ints) -> Bools:
    """Tell of bundles whether their second device is below the first one on the drawing."""
    b = columns.bundles
    below: Bools = columns.y[b.b[rows]] >= columns.y[b.a[rows]]
    return below


def anchored(columns: SceneColumns) -> Bundles:
    """Return the bundles with their places along the edges brought up to date."""
    b, dirty = columns.bundles, columns.dirty
    if dirty is not None and not dirty:
        return b
    mask = np.full(len(columns.ids), dirty is None)
    if dirty is not None:
        mask[list(dirty)] = True
    upper = np.flatnonzero(mask[b.a]).astype(np.int32)
    side = points_down(columns, upper)
    b.at_a[upper], b.span_a[upper] = _along(columns, b.a[upper], b.b[upper], side, b.count[upper])
    # NICs have places of their own already; beside others of their device they only take room
    free = b.kind != NIC
    mixed = np.zeros(len(mask), dtype=bool)
    mixed[b.b[free]] = True
    lower = np.flatnonzero((mask & mixed)[b.b]).astype(np.int32)
    side = ~points_down(columns, lower)
    at, span = _along(columns, b.b[lower], b.a[lower], side, b.count[lower])
    put = free[lower]
    b.at_b[lower[put]], b.span_b[lower[put]] = at[put], span[put]
    columns.dirty = frozenset()
    return b


def _along(
    columns: SceneColumns, device: Ints, peer: Ints, side: Bools, links: Ints
) -> tuple[Floats, Floats]:
    """Spread bundles over the edge of each (device, side) by the x of their peers."""
    n = len(device)
    if n == 0:
        return np.zeros(0), np.zeros(0)
    count = links.astype(np.float64)
    order = np.lexsort((columns.x[peer], side, device))
    key = device[order].astype(np.int64) * 2 + side[order]
    first = np.concatenate([[True], key[1:] != key[:-1]])
    group = np.cumsum(first) - 1
    total = np.bincount(group, weights=count[order])
    upto = np.cumsum(count[order])
    begin = (upto - count[order])[first]
    place = (upto - count[order] / 2 - begin[group]) / total[group] - 0.5
    at, span = np.empty(n), np.empty(n)
    at[order] = place
    span[order] = count[order] / total[group]
    return at, span
