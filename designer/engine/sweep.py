"""One pass over the next-hop graphs of all leaves: how a demand spreads over the edges.

For destination leaf d, node u holds x(u) = its own demand + inflow and splits it over its next
hops in proportion to a weight: the cables (ECMP: every cable of every next hop gets the same), or
that times a potential (see `adaptive`). The pass visits nodes so that inflow is complete:

    updown     layers ascending over upward edges; where dd(u) = du(u) the flow turns; then
               layers descending over downward edges
    shortest   distance descending, over all edges

Everything is vectorised over a block of destinations.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from designer.engine.columns import runs
from designer.engine.graph import Graph
from designer.engine.kernels import compiled, worth_compiling
from designer.engine.network import BoolArray, FloatArray
from designer.engine.recall import recall
from designer.engine.routing import Distances, Routed, check, never

Rows = npt.NDArray[np.int64]
# Elements of one temporary array, so that a block stays in the cache.
_BLOCK = 1 << 17
# Destinations of one block of the compiled loops.
_WIDTH = 64
# Balancing sweeps about this many times over one network.
_ROUNDS = 12


@dataclass(frozen=True, slots=True)
class Group:
    """Edges of one pass with what sums them by source and by target.

    Attributes:
        edges: Rows of the graph, sorted by source.
        src, dst: Their nodes.
        src_first, src_nodes: Where each source starts, and which it is.
        source: Position in `src_nodes` of each edge.
        by_dst, dst_first, dst_nodes: Order by target, starts and nodes.
    """

    edges: Rows
    src: Rows
    dst: Rows
    src_first: Rows
    src_nodes: Rows
    source: Rows
    by_dst: Rows
    dst_first: Rows
    dst_nodes: Rows

    @staticmethod
    def of(graph: Graph, edges: Rows) -> "Group":
        """Return the group of some edges of a graph."""
        src, dst = graph.src[edges].astype(np.int64), graph.dst[edges].astype(np.int64)
        src_first = runs(src)
        source = np.repeat(np.arange(len(src_first)), np.diff(src_first, append=len(src)))
        by_dst = np.argsort(dst, kind="stable")
        dst_first = runs(dst[by_dst])
        dst_nodes = dst[by_dst[dst_first]]
        nodes = src[src_first]
        return Group(edges, src, dst, src_first, nodes, source, by_dst, dst_first, dst_nodes)


@dataclass(frozen=True, slots=True)
class Passes:
    """Upward then downward groups of edges, or one group of all edges."""

    up: tuple[Group, ...]
    down: tuple[Group, ...]
    every: Group | None

    @staticmethod
    def of(routed: Routed) -> "Passes":
        """Return the groups of a routed network."""
        graph = routed.work
        if routed.down is None:
            every = Group.of(graph, np.arange(len(graph.src))) if len(graph.src) else None
            return Passes((), (), every)
        layer = graph.layer[graph.src]
        top = int(graph.layer.max(initial=0))
        up = [np.flatnonzero(graph.up & (layer == k)) for k in range(top)]
        down = [np.flatnonzero(~graph.up & (layer == k)) for k in range(top, 0, -1)]
        return Passes(
            tuple(Group.of(graph, e) for e in up if len(e)),
            tuple(Group.of(graph, e) for e in down if len(e)),
            None,
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """Passes over one routed network, found when they are first needed: compiled loops have none.

    Attributes:
        routed: The routed network, which keeps the passes.
    """

    routed: Routed

    @staticmethod
    def of(routed: Routed) -> "Plan":
        """Return the plan of a routed network."""
        return Plan(routed)

    @property
    def up(self) -> tuple[Group, ...]:
        """Return the groups of upward edges, lowest layer first."""
        return self._passes.up

    @property
    def down(self) -> tuple[Group, ...]:
        """Return the groups of downward edges, highest layer first."""
        return self._passes.down

    @property
    def every(self) -> Group | None:
        """Return the one group of all edges for shortest paths."""
        return self._passes.every

    @property
    def _passes(self) -> Passes:
        routed = self.routed
        return recall(routed, "passes", routed.graph, lambda: Passes.of(routed))


@dataclass(frozen=True, slots=True)
class _Pass:
    """One group with the edges that are next hops, by destination of the block.

    Attributes:
        hop: Mask (edges, block).
        weight: Weights (edges, block), zero where no next hop.
    """

    group: Group
    hop: BoolArray
    turns: bool = False


def sweep(
    plan: Plan,
    matrix: FloatArray,
    weight: FloatArray,
    *,
    balanced: bool = False,
    cancelled: Callable[[], bool] = never,
) -> FloatArray:
    """Return the flow on each edge of the routed graph.

    Args:
        plan: Passes of the routed network.
        matrix: Demand between leaves, shape (leaves, leaves).
        weight: Of each edge.
        balanced: True splits by weight times what lies behind the next hop (see `adaptive`);
            False by weight alone.
        cancelled: Asked once a block.

    Raises:
        CancelledError: `cancelled()` became true.
    """
    graph = plan.routed.work
    wanted = np.flatnonzero(matrix.any(axis=0))
    size = len(graph.src) * len(wanted)
    updown = plan.routed.down is not None
    if (updown or not balanced) and worth_compiling(size * (_ROUNDS if balanced else 1)):
        loops = compiled("updown" if updown else "shortest")
        if loops is not None:
            return _compiled_sweep(loops, plan.routed, matrix, weight, wanted, balanced, cancelled)
    flow = np.zeros(len(graph.src))
    groups = [*plan.up, *plan.down, *([plan.every] if plan.every is not None else [])]
    widest = max((len(g.edges) for g in groups), default=1)
    width = max(16, _BLOCK // widest)
    for begin in range(0, len(wanted), width):
        check(cancelled)
        leaves = wanted[begin : begin + width]
        held = np.zeros((graph.n, len(leaves)))
        held[graph.leaf] = matrix[:, leaves]
        _sweep_block(plan, leaves, held, weight, flow, balanced)
    return flow


def _sweep_block(
    plan: Plan, leaves: Rows, held: FloatArray, weight: FloatArray, flow: FloatArray, balanced: bool
) -> None:
    total = plan.routed.total[:, leaves]
    down = None if plan.routed.down is None else plan.routed.down[:, leaves]
    passes = list(_passes(plan, total, down))
    behind = _potentials(plan, passes, leaves, weight, total, down) if balanced else None
    for number, one in enumerate(passes):
        if one.turns and down is not None:
            held = np.where(total == down, held, 0.0)
        share = one.hop * weight[one.group.edges][:, None]
        if behind is not None:
            share *= behind[number]
        _push(one.group, share, held, flow)


def _passes(plan: Plan, total: Distances, down: Distances | None) -> list[_Pass]:
    far = plan.routed.far
    if down is None:
        if plan.every is None:
            return []
        g = plan.every
        here, there = total[g.src], total[g.dst]
        nearer = here - 1 == there
        longest = int(np.where(total == far, 0, total).max(initial=0))
        return [_Pass(g, nearer & (here == k)) for k in range(longest, 0, -1)]
    found = []
    turns = total == down
    for g in plan.up:
        here = total[g.src]
        hop = (here - 1 == total[g.dst]) & ~turns[g.src]
        found.append(_Pass(g, hop))
    for number, g in enumerate(plan.down):
        here = down[g.src]
        hop = (here - 1 == down[g.dst]) & (here > 0)
        found.append(_Pass(g, hop, turns=number == 0))
    return found


def _push(group: Group, share: FloatArray, held: FloatArray, flow: FloatArray) -> None:
    """Move what the sources of a group hold along its edges."""
    whole = np.add.reduceat(share, group.src_first, axis=0)
    part = held[group.src_nodes] / np.where(whole > 0, whole, 1.0)
    share *= part[group.source]
    flow[group.edges] += share.sum(axis=1)
    held[group.dst_nodes] += np.add.reduceat(share[group.by_dst], group.dst_first, axis=0)


def _potentials(
    plan: Plan,
    passes: list[_Pass],
    leaves: Rows,
    weight: FloatArray,
    total: Distances,
    down: Distances | None,
) -> list[FloatArray]:
    """Return, by pass, the potential C of each edge's target.

    C(leaf) = 1, C(u) = sum over next hops of weight x C(next), from the last pass to the first.
    """
    graph = plan.routed.work
    potential = np.zeros((graph.n, len(leaves)))
    potential[graph.leaf[leaves], np.arange(len(leaves))] = 1.0
    out: list[FloatArray] = []
    for one in reversed(passes):
        g = one.group
        ahead = potential[g.dst]
        out.append(ahead)
        gained = np.add.reduceat(one.hop * weight[g.edges][:, None] * ahead, g.src_first, axis=0)
        potential[g.src_nodes] += gained
        if one.turns and down is not None:
            potential = np.where(total == down, potential, 0.0)
    return out[::-1]


def _compiled_sweep(
    loops: Callable[..., None],
    routed: Routed,
    matrix: FloatArray,
    weight: FloatArray,
    wanted: Rows,
    balanced: bool,
    cancelled: Callable[[], bool],
) -> FloatArray:
    graph = routed.work
    flow = np.zeros(len(graph.src))
    order = np.argsort(graph.layer, kind="stable").astype(np.int32)
    for begin in range(0, len(wanted), _WIDTH):
        check(cancelled)
        chosen = wanted[begin : begin + _WIDTH]
        first, width = int(chosen[0]), len(chosen)
        # neighbours are copied as they lie, which is quicker than one by one
        near = chosen[-1] - first + 1 == width
        leaves = slice(first, first + width) if near else chosen
        held = np.zeros((graph.n, width))
        held[graph.leaf] = matrix[:, leaves]
        total = np.ascontiguousarray(routed.total[:, leaves])
        edges = (graph.start, graph.dst, weight)
        if routed.down is None:
            loops(*edges, held, total, routed.far, flow)
            continue
        down = np.ascontiguousarray(routed.down[:, leaves])
        ahead = np.zeros((2, graph.n, width) if balanced else (1, 1, 1))
        hops = (graph.up, order, total, down, routed.far, ahead)
        behind = compiled("potentials") if balanced else None
        if behind is not None:
            ahead[1, graph.leaf[leaves], np.arange(width)] = 1.0
            behind(*edges, *hops)
        loops(*edges, held, *hops, not balanced, flow)
    return flow
