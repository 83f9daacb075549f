"""Traffic of each parallel dimension of a workload on the drawing, for one byte a rank.

Rings (TP, CP, DP): each rank sends 1 byte to the next of its group, the last to the first.
Pipeline: 1 byte to the next stage and 1 byte back; with v virtual stages the last stage also
sends to the first, (v-1)/v of that. Experts: 1 byte in equal parts to all others of the group.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from designer.engine.layout import Layout
from designer.engine.network import FloatArray, IntArray
from designer.engine.pool import Pool, between_nodes
from designer.engine.routing import Routed, never
from designer.engine.traffic import Traffic
from designer.engine.wire import Drained, Factors, Wire, drain

DIMENSIONS = ("tp", "cp", "ep", "pp", "dp")


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
        name: `tp`, `cp`, `ep`, `pp` or `dp`.
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
        size, stride = layout.dimension(name)
        if size > 1:
            out[name] = _group(layout, pool, name, size, stride)
    return out


def _group(layout: Layout, pool: Pool, name: str, size: int, stride: int) -> Group:
    edges = _edges(layout, name, size, stride)
    traffic = between_nodes(pool, edges.source, edges.target, edges.amount)
    nodes, local = _span(pool, size, stride)
    return Group(
        name,
        size,
        nodes,
        local,
        nodes - 1 if local > 1 else size - local,
        traffic,
    )


def _edges(layout: Layout, name: str, size: int, stride: int) -> Edges:
    if name == "pp":
        return line_edges(layout.gpus, size, stride, layout.workload.virtual_stages)
    if name == "ep":
        return all_edges(layout.gpus, size, stride)
    return ring_edges(layout.gpus, size, stride)


def _next(ranks: IntArray, size: int, stride: int, step: int) -> IntArray:
    """Return the rank `step` further in each rank's own group."""
    place = ranks // stride % size
    moved: IntArray = (ranks + ((place + step) % size - place) * stride).astype(np.int32)
    return moved


def ring_edges(gpus: int, size: int, stride: int) -> Edges:
    """Return 1 byte from each rank to the next of its group."""
    ranks = np.arange(gpus, dtype=np.int32)
    return Edges(ranks, _next(ranks, size, stride, 1), np.ones(gpus))


def line_edges(gpus: int, size: int, stride: int, virtual_stages: int) -> Edges:
    """Return 1 byte to the next stage and 1 byte back; less around the end, see the module."""
    ranks = np.arange(gpus, dtype=np.int32)
    ahead = _next(ranks, size, stride, 1)
    wraps = ranks // stride % size == size - 1
    amount = np.where(wraps, (virtual_stages - 1) / virtual_stages, 1.0)
    keep = amount > 0
    ranks, ahead, amount = ranks[keep], ahead[keep], amount[keep]
    return Edges(np.concatenate((ranks, ahead)), np.concatenate((ahead, ranks)), np.tile(amount, 2))


def all_edges(gpus: int, size: int, stride: int) -> Edges:
    """Return 1 byte from each rank in equal parts to all others of its group."""
    ranks = np.arange(gpus, dtype=np.int32)
    targets = [_next(ranks, size, stride, step) for step in range(1, size)]
    return Edges(
        np.tile(ranks, size - 1),
        np.concatenate(targets),
        np.full(gpus * (size - 1), 1.0 / (size - 1)),
    )


def _span(pool: Pool, size: int, stride: int) -> tuple[int, int]:
    """Return (nodes a group spans, ranks of a group in one node), each at most."""
    ranks = np.arange(pool.ranks)
    group = ranks // (stride * size) * stride + ranks % stride
    code = group.astype(np.int64) * max(pool.nodes, 1) + pool.node
    codes, counts = np.unique(code, return_counts=True)
    spans = np.bincount(codes // max(pool.nodes, 1))
    return int(spans.max(initial=1)), int(counts.max(initial=1))
