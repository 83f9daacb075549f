"""Alike switches as one: an exact, much smaller graph for regular fabrics.

Colour refinement: the first colour of a switch is its tier, and its own number when it carries
servers or has a cable to its own tier. Each round mixes in the colours of its neighbours with
count and capacity of the cables toward them, until the number of colours stays. Then every member
of a cell has the same cables toward every other cell (checked with integers, so that a collision
of hashes cannot pass). As leaves are cells of their own, distances are constant on a cell, and for
any leaf-to-leaf demand so is the flow; the load of a bundle is that of its pair of cells times
its share of the cables. Maximum flows keep their value too.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from designer.engine.columns import distinct, first_rows, sum_by
from designer.engine.graph import Graph, layers
from designer.engine.network import CompiledNetwork, IntArray

_MOST_CELLS, _MOST_EDGES = 0.6, 0.25
# Edges of a graph that is quicker checked than refined.
_FEW_EDGES = 1 << 13
Hashes = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Quotient:
    """The smaller graph and the way back.

    Attributes:
        graph: Graph of cells; counts and capacities are those of all members.
        cell: Cell of each switch.
        edge: Edge of `graph` that each bundle is part of.
    """

    graph: Graph
    cell: IntArray
    edge: IntArray


def quotient(network: CompiledNetwork, graph: Graph) -> Quotient | None:
    """Return the exact quotient of a switch graph; None when it is not much smaller.

    Args:
        network: The network, for tiers and leaves.
        graph: Its `switch_graph`.
    """
    if len(graph.src) == 0:
        return None
    # leaves stay single: what can shrink is the rest
    most = len(graph.leaf) + _MOST_CELLS * (graph.n - len(graph.leaf))
    colour = _first_colours(network, graph)
    cells = int(colour.max()) + 1
    # two tiers are alike by their tiers alone, most often
    proven = len(graph.src) <= _FEW_EDGES and cells <= most and equitable(graph, colour, cells)
    if not proven:
        colour, cells = _refine(graph, colour, most)
    if cells > most:
        return None
    code = colour[graph.src].astype(np.int64) * cells + colour[graph.dst]
    codes, edge = distinct(code, cells * cells)
    if len(codes) > _MOST_EDGES * len(code):
        return None
    if not (proven or equitable(graph, colour, cells)):
        return None
    src, dst = codes // cells, codes % cells
    up = np.zeros(len(codes), dtype=np.bool_)
    up[edge] = graph.up
    small = Graph(
        cells,
        np.bincount(colour, minlength=cells).astype(np.float64),
        src.astype(np.int32),
        dst.astype(np.int32),
        sum_by(edge, graph.count, len(codes)),
        sum_by(edge, graph.capacity, len(codes)),
        np.searchsorted(src, np.arange(cells + 1)).astype(np.int32),
        colour[graph.leaf],
        up,
        layers(cells, src[up].astype(np.int32), dst[up].astype(np.int32)),
    )
    return Quotient(small, colour, edge.astype(np.int32))


def _first_colours(network: CompiledNetwork, graph: Graph) -> IntArray:
    colour = network.rank.astype(np.int64) - network.rank.max(initial=0) - 1
    rank = network.rank
    # the up/down order of switches in one tier goes by their number, so they are not alike
    lateral = graph.src[rank[graph.src] == rank[graph.dst]]
    for alone in (lateral, graph.leaf):
        colour[alone] = alone
    return np.unique(colour, return_inverse=True)[1].astype(np.int32)


def _refine(graph: Graph, colour: IntArray, most: float) -> tuple[IntArray, int]:
    """Return the stable colouring and its number of colours; stops early above `most`."""
    cables = _mix(graph.count.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    cables ^= _mix(graph.capacity.astype(np.uint64))
    cells = int(colour.max(initial=-1)) + 1
    while True:
        met = _mix(_mix(colour[graph.dst].astype(np.uint64)) ^ cables)
        total = np.concatenate((np.zeros(1, np.uint64), np.cumsum(met, dtype=np.uint64)))
        around = total[graph.start[1:]] - total[graph.start[:-1]]
        key = _mix(around ^ _mix(~colour.astype(np.uint64)))
        codes, new = np.unique(key, return_inverse=True)
        if len(codes) == cells or len(codes) > most:
            return (colour, cells) if len(codes) == cells else (new.astype(np.int32), len(codes))
        colour, cells = new.astype(np.int32), len(codes)


def _mix(value: Hashes) -> Hashes:
    """Return well spread 64-bit hashes (the finaliser of splitmix64)."""
    x = value + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def equitable(graph: Graph, colour: IntArray, cells: int) -> bool:
    """Tell whether all members of a cell have the same cables toward every cell, in integers."""
    code = graph.src.astype(np.int64) * cells + colour[graph.dst]
    codes, inverse = distinct(code, graph.n * cells)
    count = sum_by(inverse, graph.count, len(codes)).astype(np.int64)
    capacity = sum_by(inverse, graph.capacity, len(codes)).astype(np.int64)
    pair = colour[codes // cells].astype(np.int64) * cells + codes % cells
    pairs, where = distinct(pair, cells * cells)
    first, members = first_rows(where, len(pairs)), np.bincount(where, minlength=len(pairs))
    size = np.bincount(colour, minlength=cells)
    return bool(
        np.array_equal(members, size[pairs // cells])
        and np.array_equal(count, count[first][where])
        and np.array_equal(capacity, capacity[first][where])
    )
