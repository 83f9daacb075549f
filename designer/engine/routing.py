"""Distances between switches and leaves, which are all that routing needs.

Two rules, kept with the design (`Info.routing`). `shortest`: a next hop toward a leaf is any
neighbour one hop nearer. `updown`: a path first climbs, then descends, in the order (tier,
number) of switches, and is the shortest of those; what InfiniBand's up/down engine and BGP with
one ASN a tier do. On fat trees both agree.

    dd(v) = 0 at the leaf, else min over lower neighbours w of dd(w) + 1      (only down)
    du(v) = min(dd(v), min over upper neighbours w of du(w) + 1)              (up, then down)

The next hops follow from the distances, so no path is ever stored.

    routed = route(network)                 # once a network; give it to every call of `loads`
    routed.hops[i, j]                       # cables between leaf i and leaf j, FAR if none
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from designer.engine.columns import runs
from designer.engine.compile_groups import components
from designer.engine.graph import Graph, switch_graph
from designer.engine.kernels import compiled, worth_compiling
from designer.engine.network import CompiledNetwork, IntArray
from designer.engine.quotient import Quotient, quotient
from designer.errors import CancelledError
from designer.messages import _

Mode = Literal["updown", "shortest"]
Distances = npt.NDArray[Any]
Answers = dict[tuple[str, int], tuple[object, object]]
# Bytes of one temporary array of the up/down recurrence.
_BLOCK_BYTES = 1 << 25


def never() -> bool:
    """Return False: the default of `cancelled`."""
    return False


def check(cancelled: Callable[[], bool]) -> None:
    """Raise when the caller no longer wants the answer.

    Raises:
        CancelledError: `cancelled()` is true.
    """
    if cancelled():
        raise CancelledError(_("The computation was stopped."))


@dataclass(frozen=True, slots=True)
class Routed:
    """A network with its distances, ready for any number of traffic patterns.

    Attributes:
        network: The network.
        mode: `updown` or `shortest`.
        graph: The graph of all switches.
        quotient: Its exact quotient; None where that is not much smaller.
        total: Hops from each node of `work` to each leaf, shape (nodes, leaves); `far` if none.
        down: Likewise by downward edges only; None for `shortest`.
        known: Answers about patterns of one analysis; see `recall`.
        lasting: Answers about the network itself and about patterns that all analyses share.
        shared: Ids of those patterns, and of the network and its graph.
    """

    network: CompiledNetwork
    mode: Mode
    graph: Graph
    quotient: Quotient | None
    total: Distances
    down: Distances | None
    known: Answers = field(default_factory=dict, repr=False, compare=False)
    lasting: Answers = field(default_factory=dict, repr=False, compare=False)
    shared: set[int] = field(default_factory=set, repr=False, compare=False)

    @property
    def work(self) -> Graph:
        """Return the graph that solvers sweep: the quotient where there is one."""
        return self.quotient.graph if self.quotient is not None else self.graph

    @property
    def far(self) -> int:
        """Return the distance that stands for unreachable."""
        return int(np.iinfo(self.total.dtype).max)

    @property
    def hops(self) -> Distances:
        """Return the hops between leaves, shape (leaves, leaves); `far` where unreachable."""
        return self.total[self.work.leaf]

    def of_switches(self, distances: Distances) -> Distances:
        """Return `total` or `down` by switch instead of by node of `work`."""
        return distances if self.quotient is None else distances[self.quotient.cell]


def route(
    network: CompiledNetwork,
    mode: Mode = "updown",
    *,
    reduce: bool = True,
    cancelled: Callable[[], bool] = never,
) -> Routed:
    """Find the distances of all switches to all leaves.

    Args:
        network: The compiled network.
        mode: Routing rule; anything but `shortest` counts as `updown`.
        reduce: False works on the full graph even where a quotient exists (for tests).
        cancelled: Asked now and then.

    Raises:
        CancelledError: `cancelled()` became true.
    """
    graph = switch_graph(network)
    small = quotient(network, graph) if reduce else None
    check(cancelled)
    work = small.graph if small is not None else graph
    if mode == "shortest":
        return Routed(network, "shortest", graph, small, bfs_distances(work, cancelled), None)
    total, down = updown_distances(work, cancelled)
    return Routed(network, "updown", graph, small, total, down)


def bfs_distances(graph: Graph, cancelled: Callable[[], bool] = never) -> Distances:
    """Return shortest hops from each node to each leaf, 64 leaves a machine word."""
    leaves = len(graph.leaf)
    seen = np.zeros((graph.n, -(-leaves // 64) * 8), dtype=np.uint8)
    column = np.arange(leaves)
    seen[graph.leaf, column // 8] = 1 << (column % 8)
    distance = np.full((graph.n, leaves), 255, dtype=np.uint8)
    distance[graph.leaf, column] = 0
    words = seen.view(np.uint64)
    frontier, hops = words.copy(), 0
    has = np.flatnonzero(np.diff(graph.start))
    while len(has):
        check(cancelled)
        hops += 1
        reached = np.zeros_like(words)
        reached[has] = np.bitwise_or.reduceat(frontier[graph.dst], graph.start[has])
        reached &= ~words
        if not reached.any():
            break
        words |= reached
        if hops == 255:
            far = distance == 255
            distance = distance.astype(np.uint16)
            distance[far] = 65535
        bits = np.unpackbits(reached.view(np.uint8), axis=1, count=leaves, bitorder="little")
        distance[bits.view(np.bool_)] = hops
        frontier = reached
    return distance


def updown_distances(
    graph: Graph, cancelled: Callable[[], bool] = never
) -> tuple[Distances, Distances]:
    """Return the hops of up/down paths and of downward paths, each (nodes, leaves)."""
    top = int(graph.layer.max(initial=0))
    kind = np.uint8 if 2 * top < 254 else np.uint16
    leaves = len(graph.leaf)
    down = np.full((graph.n, leaves), np.iinfo(kind).max, dtype=kind)
    down[graph.leaf, np.arange(leaves)] = 0
    loops = compiled("distances") if worth_compiling(len(graph.src) * leaves) else None
    if loops is not None:
        total = np.empty_like(down)
        order = np.argsort(graph.layer, kind="stable").astype(np.int32)
        loops(graph.start, graph.dst, graph.up, order, np.iinfo(kind).max, total, down)
        return total, down
    layer = graph.layer[graph.src]
    for level in range(1, top + 1):
        check(cancelled)
        _relax(graph, np.flatnonzero(~graph.up & (layer == level)), down)
    total = down.copy()
    for level in range(top - 1, -1, -1):
        check(cancelled)
        _relax(graph, np.flatnonzero(graph.up & (layer == level)), total)
    return total, down


def _relax(graph: Graph, edges: npt.NDArray[np.int64], distance: Distances) -> None:
    """Lower the distance of each edge's source to one more than that of its target."""
    if len(edges) == 0:
        return
    far = np.iinfo(distance.dtype).max
    # edges are sorted by source
    first = runs(graph.src[edges])
    nodes = graph.src[edges[first]]
    target = graph.dst[edges]
    width = max(64, _BLOCK_BYTES // (len(edges) * distance.itemsize))
    for begin in range(0, distance.shape[1], width):
        part = distance[:, begin : begin + width]
        near = np.minimum.reduceat(part[target], first, axis=0)
        near += near < far
        part[nodes] = np.minimum(part[nodes], near)


@dataclass(frozen=True, slots=True)
class Reach:
    """How far servers are from one another.

    Attributes:
        diameter_hops: Switches that the longest path between two leaves traverses; None without
            leaves.
        mean_hops: Mean over pairs of different leaves that reach one another, weighted by their
            NIC links; None when there is no such pair.
        unreachable_pairs: Ordered pairs of leaves without a path (by design in a rail-only
            fabric, where NVLink joins the rails).
        farthest: Leaf indices of a longest path.
        islands: Island of each server of `network.servers`: servers that can talk over the
            fabric, leaves of one server being joined; -1 without a NIC link.
    """

    diameter_hops: int | None
    mean_hops: float | None
    unreachable_pairs: int
    farthest: tuple[int, int] | None
    islands: IntArray


def reach(routed: Routed) -> Reach:
    """Return hop counts and islands of a routed network."""
    network, hops = routed.network, routed.hops
    leaves = len(network.leaves)
    if leaves == 0:
        return Reach(None, None, 0, None, islands(network))
    near = hops < routed.far
    known = np.where(near, hops, 0)
    at = int(known.argmax())
    weight = np.bincount(network.nics.leaf, minlength=leaves).astype(np.float64)
    # sums, not products of matrices: those start threads, which wait on a busy machine
    pairs = np.where(near, weight, 0.0)
    np.fill_diagonal(pairs, 0.0)
    total = float((pairs.sum(axis=1) * weight).sum())
    pairs *= known
    mean = float((pairs.sum(axis=1) * weight).sum()) / total + 1 if total else None
    return Reach(
        int(known.max()) + 1,
        mean,
        int(near.size - near.sum()),
        (at // leaves, at % leaves),
        islands(network),
    )


def islands(network: CompiledNetwork) -> IntArray:
    """Return which servers are joined by the fabric, by position in `network.servers`."""
    count, switches = len(network.device_ids), network.switches
    bundles, nics = network.bundles, network.nics
    u = np.concatenate((switches[bundles.src], nics.server))
    v = np.concatenate((switches[bundles.dst], switches[nics.switch]))
    part = components(count, u, v)
    part[np.bincount(nics.server, minlength=count) == 0] = -1
    return part[network.servers]
