"""Blocks of the cluster level: units of a pod, its spines and the cores, in runs of some width.

Which devices form a block follows from their pods, units and order; how many share one follows from
the room on the screen, so that a block can carry its number and its load.
"""

from dataclasses import dataclass

import numpy as np

from designer.scene import glyph_sizes as sizes
from designer.scene.columns import Floats, Ints
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
    """Return the blocks of a view; worked out once a frame."""
    known = frame.caches.get("blocks")
    if not isinstance(known, Blocks):
        known = frame.caches["blocks"] = _Builder(frame).build()
    return known


class _Builder:
    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._of = np.full(len(frame.x), -1, dtype=np.int32)
        self._rows: list[tuple[int, tuple[float, float, float, float], int, int, int, int]] = []

    def build(self) -> Blocks:
        columns = self._frame.columns
        tier = np.array([_TIER.get(int(r), -1) for r in range(len(sizes.SIZES))])[columns.role]
        names, code = np.unique(
            np.array(columns.pod, dtype=object).astype(str), return_inverse=True
        )
        pods: list[str] = []
        boxes: list[tuple[float, float, float, float]] = []
        for k, name in enumerate(names):
            mine = code == k
            units, spines = mine & (tier == UNIT), mine & (tier == SPINES)
            if not units.any():
                if spines.any():
                    self._runs(np.flatnonzero(spines).astype(np.int32), SPINES, -1, 1)
                continue
            down = self._down(units, spines)
            pod = len(pods)
            pods.append(str(name))
            low = len(self._rows)
            self._units(np.flatnonzero(units).astype(np.int32), pod, down)
            if spines.any():
                self._runs(np.flatnonzero(spines).astype(np.int32), SPINES, pod, down)
            boxes.append(_around([r[1] for r in self._rows[low:]]))
        cores = np.flatnonzero(tier == CORES)
        if len(cores):
            self._runs(cores.astype(np.int32), CORES, -1, 1)
        kind, box, pod_of, first, count, side = (
            zip(*self._rows, strict=True) if self._rows else ((), (), (), (), (), ())
        )
        return Blocks(
            self._of,
            np.array(kind, dtype=np.int32),
            np.array(box, dtype=np.float64).reshape(-1, 4),
            np.array(pod_of, dtype=np.int32),
            np.array(first, dtype=np.int32),
            np.array(count, dtype=np.int32),
            np.array(side, dtype=np.int32),
            pods,
            _padded(np.array(boxes, dtype=np.float64).reshape(-1, 4)),
        )

    def _down(self, units: Bools, spines: Bools) -> int:
        y, role = self._frame.y, self._frame.columns.role
        servers = units & (role == sizes.SERVER)
        leaves = units & (role == sizes.LEAF)
        upper = spines if spines.any() else leaves
        if not servers.any() or not upper.any():
            return 1
        return 1 if y[servers].mean() >= y[upper].mean() else -1

    def _units(self, rows: Ints, pod: int, down: int) -> None:
        """Split the units of a pod into runs, each at least as wide as a block must be."""
        frame = self._frame
        unit = np.array(frame.columns.unit, dtype=object)[rows].astype(str)
        names, code = np.unique(unit, return_inverse=True)
        middle = np.bincount(code, weights=frame.x[rows]) / np.bincount(code)
        rank = np.empty(len(names), dtype=np.int32)
        rank[np.argsort(middle, kind="stable")] = np.arange(len(names))
        self._split(rows, rank[code], len(names), UNIT, pod, down)

    def _runs(self, rows: Ints, kind: int, pod: int, down: int) -> None:
        order = np.argsort(self._frame.x[rows], kind="stable")
        rank = np.empty(len(rows), dtype=np.int32)
        rank[order] = np.arange(len(rows))
        self._split(rows, rank, len(rows), kind, pod, down)

    def _split(
        self,
        rows: Ints,
        rank: Ints,
        n: int,
        kind: int,
        pod: int,
        down: int,
    ) -> None:
        frame = self._frame
        x0 = float((frame.x - frame.w / 2)[rows].min())
        width = float((frame.x + frame.w / 2)[rows].max()) - x0
        parts = int(max(1, min(n, width // (LEAST[kind] + 6))))
        part = rank * parts // n
        share = width / parts
        w = min(share - 6.0, 190.0 if kind == CORES else share - 6.0)
        w = max(w, min(LEAST[kind], share)) if kind != SPINES else min(w, 40.0)
        y, h = self._rows_of_screen(rows, kind, down)
        for k in range(parts):
            mine = rows[part == k]
            self._of[mine] = len(self._rows)
            first = int(rank[part == k].min())
            count = len(np.unique(rank[part == k]))
            at = x0 + share * (k + 0.5) - w / 2
            self._rows.append((kind, (at, y, w, h), pod, first, count, down))

    def _rows_of_screen(self, rows: Ints, kind: int, down: int) -> tuple[float, float]:
        """Return top and height of a row of blocks; units grow away from their spines."""
        frame, h = self._frame, HEIGHT[kind]
        if kind != UNIT:
            return float(frame.y[rows].mean()) - h / 2, h
        top, low = float(frame.y[rows].min()), float(frame.y[rows].max())
        h = max(h, low - top)
        return (top, h) if down > 0 else (low - h, h)


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
    of, b = blocks(frame).of, frame.columns.bundles
    one, two = of[b.a], of[b.b]
    rows = np.flatnonzero((one >= 0) & (two >= 0) & (one != two)).astype(np.int32)
    n = int(of.max()) + 1 if len(of) else 0
    key = one[rows].astype(np.int64) * n + two[rows]
    keys, pair = np.unique(key, return_inverse=True)
    load = np.full(len(keys), -1.0)
    np.maximum.at(load, pair, np.nan_to_num(frame.load[rows], nan=-1.0))
    known = BlockLinks(
        (keys // max(1, n)).astype(np.int32),
        (keys % max(1, n)).astype(np.int32),
        np.bincount(pair, weights=b.count[rows], minlength=len(keys)).astype(np.int32),
        np.where(load < 0, np.nan, load),
        pair.astype(np.int32),
        rows,
    )
    frame.caches["block_links"] = known
    return known


def block_ends(found: Blocks, links: BlockLinks) -> Floats:
    """Return where trunks between blocks start and end, n × 4: at the edges that face."""
    a, b = found.box[links.a], found.box[links.b]
    sign = np.where(b[:, 1] >= a[:, 1], 0.5, -0.5)
    start = [a[:, 0] + a[:, 2] / 2, a[:, 1] + (0.5 + sign) * a[:, 3]]
    stop = [b[:, 0] + b[:, 2] / 2, b[:, 1] + (0.5 - sign) * b[:, 3]]
    return np.column_stack([*start, *stop])
