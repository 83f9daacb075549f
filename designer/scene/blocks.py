"""Blocks of the cluster level: units of a pod, its spines and the cores, in runs of some width.

Which devices form a block follows from their pods, units and order; how many share one follows from
the room on the screen, so that a block can carry its number and its load.
"""

from dataclasses import dataclass, replace

import numpy as np

from designer.scene import glyph_sizes as sizes
from designer.scene.columns import Floats, Ints, SceneColumns
from designer.scene.frame import Bools, Frame

UNIT, SPINES, CORES = range(3)
# Least width of a block on the screen and its height, by kind.
LEAST = (34.0, 26.0, 112.0)
HEIGHT = (68.0, 22.0, 56.0)
_TIER = {
    sizes.SERVER: UNIT,
    sizes.NVSWITCH: UNIT,
    sizes.LEAF: UNIT,
    sizes.SPINE: SPINES,
    sizes.CORE: CORES,
}


@dataclass(frozen=True, slots=True)
class Blocks:
    """Blocks of one view.

    Attributes:
        of: Block by device row; -1 for devices in none (hosts).
        kind: `UNIT`, `SPINES` or `CORES`.
        box: Screen boxes, n × 4 (x, y, w, h).
        pod: Index of the pod, or -1.
        first, count: First and number of units (kind `UNIT`) or switches of the block, in its pod.
        down: 1 where servers lie below their spines, -1 above.
        pods: Names of the pods.
        pod_box: Screen boxes around pods, m × 4.
    """

    of: Ints
    kind: Ints
    box: Floats
    pod: Ints
    first: Ints
    count: Ints
    down: Ints
    pods: list[str]
    pod_box: Floats


def blocks(frame: Frame) -> Blocks:
    """Return the blocks of a view: worked out once a scale, then moved to its place."""
    known = frame.caches.get("blocks")
    if isinstance(known, Blocks):
        return known
    columns, view = frame.columns, frame.view
    cached = columns.caches.get("blocks")
    if isinstance(cached, tuple) and cached[0] == view.scale:
        at_origin: Blocks = cached[1]
    else:
        at_origin = _build(columns, view.scale)
        columns.caches["blocks"] = (view.scale, at_origin)
    shift = (view.x * view.scale, view.y * view.scale, 0.0, 0.0)
    moved = replace(at_origin, box=at_origin.box - shift, pod_box=at_origin.pod_box - shift)
    frame.caches["blocks"] = moved
    return moved


@dataclass(frozen=True, slots=True)
class _Row:
    """Devices that are cut into blocks from left to right; places in drawing units.

    Attributes:
        rows, rank: Devices, and the place of each in the order they are cut in, 0 to n - 1.
        n: Units, or switches.
        kind, pod, down: As in `Blocks`.
        x0, x1, top, low, middle: Extents of the devices, and their mean height.
    """

    rows: Ints
    rank: Ints
    n: int
    kind: int
    pod: int
    down: int
    x0: float
    x1: float
    top: float
    low: float
    middle: float


def _row(columns: SceneColumns, rows: Ints, rank: Ints, kind: int, pod: int, down: int) -> _Row:
    x, half, y = columns.x[rows], columns.w[rows] / 2, columns.y[rows]
    ends = float((x - half).min()), float((x + half).max())
    n = int(rank.max()) + 1
    heights = float(y.min()), float(y.max()), float(y.mean())
    return _Row(rows, rank, n, kind, pod, down, *ends, *heights)


def _rows_of(columns: SceneColumns) -> tuple[list[_Row], list[str]]:
    """Return what is cut into blocks, pod by pod, and the names of the pods; kept until an edit."""
    known = columns.caches.get("block_rows")
    if isinstance(known, tuple):
        return known
    tier = np.array([_TIER.get(int(r), -1) for r in range(len(sizes.SIZES))])[columns.role]
    names, code = np.unique(np.array(columns.pod, dtype=object).astype(str), return_inverse=True)
    pods: list[str] = []
    found: list[_Row] = []
    for k, name in enumerate(names):
        mine = code == k
        units, spines = mine & (tier == UNIT), mine & (tier == SPINES)
        pod, down = -1, 1
        if units.any():
            pod, down = len(pods), _down(columns, units, spines)
            pods.append(str(name))
            rows = np.flatnonzero(units).astype(np.int32)
            found.append(_row(columns, rows, _unit_rank(columns, rows), UNIT, pod, down))
        if spines.any():
            found.append(_switch_row(columns, spines, SPINES, pod, down))
    if (tier == CORES).any():
        found.append(_switch_row(columns, tier == CORES, CORES, -1, 1))
    columns.caches["block_rows"] = found, pods
    return found, pods


def _down(columns: SceneColumns, units: Bools, spines: Bools) -> int:
    y, role = columns.y, columns.role
    servers = units & (role == sizes.SERVER)
    leaves = units & (role == sizes.LEAF)
    upper = spines if spines.any() else leaves
    if not servers.any() or not upper.any():
        return 1
    return 1 if y[servers].mean() >= y[upper].mean() else -1


def _unit_rank(columns: SceneColumns, rows: Ints) -> Ints:
    """Return the place of each device's unit, from left to right."""
    unit = np.array(columns.unit, dtype=object)[rows].astype(str)
    names, code = np.unique(unit, return_inverse=True)
    middle = np.bincount(code, weights=columns.x[rows]) / np.bincount(code)
    rank = np.empty(len(names), dtype=np.int32)
    rank[np.argsort(middle, kind="stable")] = np.arange(len(names))
    return rank[code]


def _switch_row(columns: SceneColumns, mask: Bools, kind: int, pod: int, down: int) -> _Row:
    rows = np.flatnonzero(mask).astype(np.int32)
    rank = np.empty(len(rows), dtype=np.int32)
    rank[np.argsort(columns.x[rows], kind="stable")] = np.arange(len(rows))
    return _row(columns, rows, rank, kind, pod, down)


def _build(columns: SceneColumns, scale: float) -> Blocks:
    """Return the blocks at a scale, as if the drawing's origin were at the upper left corner."""
    found, pods = _rows_of(columns)
    of = np.full(len(columns.x), -1, dtype=np.int32)
    numbers: list[tuple[int, int, int, int, int]] = []
    boxes: list[tuple[float, float, float, float]] = []
    around: list[list[tuple[float, float, float, float]]] = [[] for _pod in pods]
    for row in found:
        parts = _parts(row, scale)
        of[row.rows] = len(boxes) + row.rank * parts // row.n
        cut = -(-np.arange(parts + 1) * row.n // parts)
        made = _boxes(row, parts, scale)
        for first, after in zip(cut[:-1].tolist(), cut[1:].tolist(), strict=True):
            numbers.append((row.kind, row.pod, first, after - first, row.down))
        boxes += made
        if row.pod >= 0:
            around[row.pod] += made
    kind, pod, first, count, down = np.array(numbers, dtype=np.int32).reshape(-1, 5).T
    pod_boxes = np.array([_around(b) for b in around], dtype=np.float64).reshape(-1, 4)
    box = np.array(boxes, dtype=np.float64).reshape(-1, 4)
    return Blocks(of, kind, box, pod, first, count, down, pods, _padded(pod_boxes))


def _parts(row: _Row, scale: float) -> int:
    return int(max(1, min(row.n, (row.x1 - row.x0) * scale // (LEAST[row.kind] + 6))))


def _boxes(row: _Row, parts: int, scale: float) -> list[tuple[float, float, float, float]]:
    """Return the boxes of the blocks of a row, each at least as wide as a block must be."""
    kind, share = row.kind, (row.x1 - row.x0) * scale / parts
    w = min(share - 6.0, 190.0 if kind == CORES else share - 6.0)
    w = max(w, min(LEAST[kind], share)) if kind != SPINES else min(w, 40.0)
    h = HEIGHT[kind]
    y = row.middle * scale - h / 2
    if kind == UNIT:
        # units grow away from their spines
        h = max(h, (row.low - row.top) * scale)
        y = row.top * scale if row.down > 0 else row.low * scale - h
    return [(row.x0 * scale + share * (k + 0.5) - w / 2, y, w, h) for k in range(parts)]


def _around(boxes: list[tuple[float, float, float, float]]) -> tuple[float, float, float, float]:
    x0, y0 = min(b[0] for b in boxes), min(b[1] for b in boxes)
    x1, y1 = max(b[0] + b[2] for b in boxes), max(b[1] + b[3] for b in boxes)
    return x0, y0, x1 - x0, y1 - y0


def _padded(boxes: Floats) -> Floats:
    """Return the boxes of pods with room around them, less where neighbours are near."""
    gap = np.inf
    for x, y, w, h in boxes.tolist():
        beside = (boxes[:, 1] < y + h) & (boxes[:, 1] + boxes[:, 3] > y) & (boxes[:, 0] >= x + w)
        gap = min(gap, float((boxes[beside, 0] - x - w).min(initial=np.inf)))
    pad = float(np.clip((gap - 4) / 2, 0.0, 8.0))
    return boxes + (-pad, -8.0, 2 * pad, 16.0)


@dataclass(frozen=True, slots=True)
class BlockLinks:
    """Cables between blocks: pairs, links, peak load (nan: unknown), bundles of each pair."""

    a: Ints
    b: Ints
    count: Ints
    load: Floats
    pair: Ints
    rows: Ints

    def bundles(self, k: int) -> Ints:
        """Return the bundle rows of pair `k`."""
        found: Ints = self.rows[self.pair == k]
        return found


def block_links(frame: Frame) -> BlockLinks:
    """Return the cables between different blocks, joined by pair; the load is the maximum."""
    known = frame.caches.get("block_links")
    if isinstance(known, BlockLinks):
        return known
    of = blocks(frame).of
    pairs = _pairs(frame.columns, of)
    load = np.full(len(pairs.a), -1.0)
    np.maximum.at(load, pairs.pair, np.nan_to_num(frame.load[pairs.rows], nan=-1.0))
    known = replace(pairs, load=np.where(load < 0, np.nan, load))
    frame.caches["block_links"] = known
    return known


def _pairs(columns: SceneColumns, of: Ints) -> BlockLinks:
    """Return the cables between blocks without their loads; kept while the blocks are the same."""
    cached = columns.caches.get("block_pairs")
    if isinstance(cached, tuple) and cached[0] is of:
        kept: BlockLinks = cached[1]
        return kept
    b = columns.bundles
    one, two = of[b.a], of[b.b]
    rows = np.flatnonzero((one >= 0) & (two >= 0) & (one != two)).astype(np.int32)
    n = int(of.max(initial=-1)) + 1
    key = one[rows].astype(np.int64) * n + two[rows]
    links = np.bincount(key, weights=b.count[rows], minlength=n * n)
    keys = np.flatnonzero(links)
    place = np.zeros(n * n, dtype=np.int32)
    place[keys] = np.arange(len(keys))
    found = BlockLinks(
        (keys // max(1, n)).astype(np.int32),
        (keys % max(1, n)).astype(np.int32),
        links[keys].astype(np.int32),
        np.full(len(keys), np.nan),
        place[key],
        rows,
    )
    columns.caches["block_pairs"] = of, found
    return found


def block_ends(found: Blocks, links: BlockLinks) -> Floats:
    """Return where trunks between blocks start and end, n × 4: at the edges that face."""
    a, b = found.box[links.a], found.box[links.b]
    sign = np.where(b[:, 1] >= a[:, 1], 0.5, -0.5)
    start = [a[:, 0] + a[:, 2] / 2, a[:, 1] + (0.5 + sign) * a[:, 3]]
    stop = [b[:, 0] + b[:, 2] / 2, b[:, 1] + (0.5 - sign) * b[:, 3]]
    return np.column_stack([*start, *stop])


def kept_blocks(frame: Frame) -> Bools:
    """Tell which blocks hold a device that a filter keeps."""
    found, kept = blocks(frame), frame.state.kept
    held = np.full(len(found.kind), kept is None)
    if kept is not None:
        of = found.of[kept.devices]
        held[of[of >= 0]] = True
    return held


def kept_pairs(frame: Frame) -> Bools:
    """Tell which pairs of blocks are joined by a cable that a filter keeps."""
    links, kept = block_links(frame), frame.state.kept
    held = np.full(len(links.a), kept is None)
    if kept is not None:
        held[links.pair[kept.bundles[links.rows]]] = True
    return held
