"""The switch graph that routing and sweeps work on: the whole fabric, or its exact quotient."""

from dataclasses import dataclass

import numpy as np

from designer.engine.network import BoolArray, CompiledNetwork, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Graph:
    """A directed multigraph of switches (or of cells of alike switches).

    Attributes:
        n: Nodes.
        size: Switches that each node stands for.
        src, dst: Nodes of each edge, sorted by (src, dst).
        count: Cables of each edge; of an edge between cells, those of all its members.
        capacity: Bits/s one way, summed likewise.
        start: First edge by node, length n + 1.
        leaf: Node of each leaf.
        up: True for edges that lead up in the order (tier, index) of up/down routing.
        layer: Longest chain of upward edges that ends at each node.
    """

    n: int
    size: FloatArray
    src: IntArray
    dst: IntArray
    count: FloatArray
    capacity: FloatArray
    start: IntArray
    leaf: IntArray
    up: BoolArray
    layer: IntArray


def switch_graph(network: CompiledNetwork) -> Graph:
    """Return the graph of all switches; edges are the directed bundles, row by row."""
    bundles, rank = network.bundles, network.rank
    src, dst = bundles.src, bundles.dst
    up = (rank[dst] > rank[src]) | ((rank[dst] == rank[src]) & (dst > src))
    return Graph(
        len(network.switches),
        np.ones(len(network.switches)),
        src,
        dst,
        bundles.count.astype(np.float64),
        bundles.capacity,
        bundles.start,
        network.leaves,
        up,
        layers(len(network.switches), src[up], dst[up]),
    )


def layers(n: int, low: IntArray, high: IntArray) -> IntArray:
    """Return the longest chain of edges low -> high that ends at each node (no cycles)."""
    layer = np.zeros(n, dtype=np.int32)
    while True:
        new = layer.copy()
        np.maximum.at(new, high, layer[low] + 1)
        if (new == layer).all():
            return layer
        layer = new
