"""Single cables between switches, and which of them are next hops of each switch."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from designer.engine.columns import sum_by
from designer.engine.network import BoolArray, CompiledNetwork, FloatArray
from designer.engine.recall import recall
from designer.engine.routing import Distances, Routed

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Links:
    """Single cables, one row a cable and direction, in the order of the bundles.

    Attributes:
        first: First row of each bundle, length bundles + 1.
        record: Row of the cable record.
        ahead: True from end a to end b.
        speed: Bits/s.
    """

    first: Rows
    record: Rows
    ahead: BoolArray
    speed: FloatArray


def links_of(network: CompiledNetwork) -> Links:
    """Return the single cables between switches; both directions list them in the same order."""
    bundles = network.bundles
    rows = np.flatnonzero(bundles.cable_bundle >= 0)
    at = bundles.cable_bundle[rows]
    bundle = np.concatenate((at, bundles.reverse[at]))
    record = np.tile(rows, 2)
    ahead = np.arange(len(record)) < len(rows)
    order = np.lexsort((record, bundle))
    order = np.repeat(order, network.cable_count[record[order]])
    first = np.concatenate(([0], np.cumsum(bundles.count, dtype=np.int64)))
    return Links(first, record[order], ahead[order], network.cable_speed[record[order]])


@dataclass(frozen=True, slots=True)
class Hops:
    """Next hops of each (switch, destination, phase).

    Attributes:
        begin: First cable of each.
        width: Cables of each.
        link: Row of `Links` by cable.
        node: Switch at the other end by cable.
    """

    begin: Rows
    width: npt.NDArray[np.uint64]
    link: Rows
    node: Rows


def all_next_hops(routed: Routed, links: Links) -> Hops:
    """Return the next hops by phase (0 up, 1 down), destination and switch, in that order."""
    graph = routed.graph
    total, down = distances_by_leaf(routed)
    ways = [(total, graph.up), (down, ~graph.up)]
    if routed.down is None:
        ways = [(total, np.ones_like(graph.up))] * 2
    nearer = [(d[:, graph.dst] + 1 == d[:, graph.src]) & use for d, use in ways]
    good = np.flatnonzero(np.concatenate([n.ravel() for n in nearer]))
    edges = max(len(graph.src), 1)
    edge = good % edges
    which = good // edges * graph.n + graph.src[edge]
    return _hops(routed, links, edge, which, 2 * len(total) * graph.n)


def next_hops(
    routed: Routed,
    links: Links,
    codes: Rows,
    leaves: int,
    total: npt.NDArray[np.integer],
    down: npt.NDArray[np.integer],
    shortest: bool,
) -> Hops:
    """Return the next hops of some (switch, destination, phase).

    Args:
        routed: The routed network.
        links: Its single cables.
        codes: (switch x leaves + destination) x 2 + phase.
        leaves: How many there are.
        total: Hops of all paths by switch and leaf.
        down: Hops of downward paths likewise; `total` when `shortest`.
        shortest: True for shortest paths, False for up/down paths.
    """
    graph = routed.graph
    falling, pair = codes % 2 == 1, codes // 2
    node, to = pair // leaves, pair % leaves
    degree = (graph.start[node + 1] - graph.start[node]).astype(np.int64)
    which = np.repeat(np.arange(len(codes)), degree)
    begin = np.repeat(np.cumsum(degree) - degree - graph.start[node], degree)
    edge = np.arange(len(which)) - begin
    near, far = graph.dst[edge], to[which]
    here = np.where(falling, down[node, to], total[node, to]).astype(np.int64)[which]
    if shortest:
        good = total[near, far].astype(np.int64) + 1 == here
    else:
        fall = falling[which]
        there = np.where(fall, down[near, far], total[near, far]).astype(np.int64)
        good = (there + 1 == here) & (graph.up[edge] != fall)
    return _hops(routed, links, edge[good], which[good], len(codes))


def _hops(routed: Routed, links: Links, edge: Rows, which: Rows, size: int) -> Hops:
    """Return the cables of each next hop; `which` ascends."""
    graph = routed.graph
    count = graph.count[edge].astype(np.int64)
    width = sum_by(which, count, size).astype(np.int64)
    before = np.cumsum(count) - count
    link = np.repeat(links.first[edge] - before, count) + np.arange(int(count.sum()))
    other = np.repeat(graph.dst[edge].astype(np.int64), count)
    return Hops(np.cumsum(width) - width, width.astype(np.uint64), link, other)


def distances_by_leaf(routed: Routed) -> tuple[Distances, Distances]:
    """Return the hops of all paths and of downward paths, by leaf and switch."""
    graph, lower = routed.graph, routed.down
    total = recall(routed, "total by leaf", graph, lambda: _by_leaf(routed, routed.total))
    if lower is None:
        return total, total
    return total, recall(routed, "down by leaf", graph, lambda: _by_leaf(routed, lower))


def _by_leaf(routed: Routed, distances: Distances) -> Distances:
    """Return distances by leaf and switch, so that all switches around a path lie together."""
    # signed, so that differences are plain
    kind = np.int16 if distances.dtype == np.uint8 else np.int32
    return np.ascontiguousarray(routed.of_switches(distances).astype(kind).T)
