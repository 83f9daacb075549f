"""Traffic of each parallel dimension of a workload on the drawing, for one byte a rank.

Rings (TP, CP, DP, experts' DP): each rank sends 1 byte to the next of its group, the last to the
first.
Pipeline: 1 byte to the next stage and 1 byte back; with v virtual stages the last stage also
sends to the first, (v-1)/v of that. Experts: 1 byte in equal parts to all others of the group.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from designer.engine.layout import Layout
from designer.engine.network import FloatArray, IntArray
from designer.engine.pool import Pool, between_nodes
from designer.engine.routing import Routed, never
from designer.engine.traffic import Traffic
from designer.engine.wire import Drained, Factors, Wire, drain

DIMENSIONS = ("tp", "cp", "ep", "pp", "dp", "edp")
Axes = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Edges:
    """Flows between ranks: who, to whom, bytes."""

    source: IntArray
    target: IntArray
    amount: FloatArray


@dataclass(frozen=True, slots=True)
class Group:
    """The groups of one dimension; all of them work at once.

    Attributes:
        name: `tp`, `cp`, `ep`, `pp`, `dp` or `edp`.
        size: k, ranks of a group.
        nodes: Nodes that a group spans, at most.
        local: Ranks of a group in one node, at most.
        messages: Messages a rank sends off its node to all others of its group.
        traffic: For 1 byte a rank.
        drained: The same on the drawn links; None when nothing leaves a node.
    """

    name: str
    size: int
    nodes: int
    local: int
    messages: int
    traffic: Traffic
    drained: Drained | None = None

    def seconds(self, factors: Factors) -> float:
        """Return network seconds for each byte a rank sends."""
        return self.drained.seconds(factors) if self.drained is not None else 0.0

    def on(self, routed: Routed, wire: Wire, cancelled: Callable[[], bool] = never) -> "Group":
        """Return the same groups with their traffic on the drawn links, where any leaves a node.

        Raises:
            CancelledError: `cancelled()` became true.
        """
        if self.traffic.fabric + self.traffic.unplaced <= 0:
            return self
        return replace(self, drained=drain(routed, self.traffic, wire, cancelled))

    @property
    def hops(self) -> float:
        """Return switches traversed on average; 0 when nothing leaves a node."""
        return self.drained.hops if self.drained is not None else 0.0


def groups_of(layout: Layout, pool: Pool) -> dict[str, Group]:
    """Return the dimensions that have more than one rank, by name; not yet on links.

    Args:
        layout: The workload over the GPUs of the pool.
        pool: The ranks.
    """
    out: dict[str, Group] = {}
    for name in DIMENSIONS:
        if layout.size(name) > 1 and (name != "edp" or layout.workload.experts):
            out[name] = _group(layout, pool, name)
    return out


def _group(layout: Layout, pool: Pool, name: str) -> Group:
    axes, size = layout.axes(name), layout.size(name)
    edges = _edges(layout, name, axes)
    traffic = between_nodes(pool, edges.source, edges.target, edges.amount)
    nodes, local = _span(pool, axes)
    messages = nodes - 1 if local > 1 else size - local
    return Group(name, size, nodes, local, messages, traffic)


def _edges(layout: Layout, name: str, axes: Axes) -> Edges:
    if name == "pp":
        return line_edges(layout.gpus, axes, layout.workload.virtual_stages)
    if name == "ep":
        return all_edges(layout.gpus, axes)
    return ring_edges(layout.gpus, axes)


def _place(ranks: IntArray, axes: Axes) -> tuple[IntArray, IntArray]:
    """Return (place in its group, rank of the group's first member) of each rank."""
    place, first, times = np.zeros_like(ranks), ranks.copy(), 1
    for size, stride in axes:
        here = ranks // stride % size
        place += here * times
        first -= here * stride
        times *= size
    return place, first


def _next(ranks: IntArray, axes: Axes, step: int) -> IntArray:
    """Return the rank `step` further in each rank's own group, around its end."""
    place, moved = _place(ranks, axes)
    left = (place + step) % math.prod(size for size, _stride in axes)
    for size, stride in axes:
        moved += left % size * stride
        left //= size
    return moved.astype(np.int32)


def ring_edges(gpus: int, axes: Axes) -> Edges:
    """Return 1 byte from each rank to the next of its group."""
    ranks = np.arange(gpus, dtype=np.int32)
    return Edges(ranks, _next(ranks, axes, 1), np.ones(gpus))


def line_edges(gpus: int, axes: Axes, virtual_stages: int) -> Edges:
    """Return 1 byte to the next stage and 1 byte back; less around the end, see the module."""
    ranks = np.arange(gpus, dtype=np.int32)
    ahead = _next(ranks, axes, 1)
    size, stride = axes[0]
    wraps = ranks // stride % size == size - 1
    amount = np.where(wraps, (virtual_stages - 1) / virtual_stages, 1.0)
    keep = amount > 0
    ranks, ahead, amount = ranks[keep], ahead[keep], amount[keep]
    return Edges(np.concatenate((ranks, ahead)), np.concatenate((ahead, ranks)), np.tile(amount, 2))


def all_edges(gpus: int, axes: Axes) -> Edges:
    """Return 1 byte from each rank in equal parts to all others of its group."""
    ranks = np.arange(gpus, dtype=np.int32)
    size = math.prod(n for n, _stride in axes)
    targets = [_next(ranks, axes, step) for step in range(1, size)]
    return Edges(
        np.tile(ranks, size - 1),
        np.concatenate(targets),
        np.full(gpus * (size - 1), 1.0 / (size - 1)),
    )


def _span(pool: Pool, axes: Axes) -> tuple[int, int]:
    """Return (nodes a group spans, ranks of a group in one node), each at most."""
    group = _place(np.arange(pool.ranks, dtype=np.int32), axes)[1]
    code = group.astype(np.int64) * max(pool.nodes, 1) + pool.node
    codes, counts = np.unique(code, return_counts=True)
    spans = np.bincount(codes // max(pool.nodes, 1))
    return int(spans.max(initial=1)), int(counts.max(initial=1))
