"""Who sends to whom in a collective, as traffic over the drawn fabric for one byte.

    ring      each node sends 1 byte to the next one, the last to the first
    chain     the same without the last
    send      as the ring, but each node sends for as many GPUs as it has
    tree      double binary tree: each half of the data goes up and down one tree; 1 byte a node
    spread    each GPU sends 1 byte in all, in equal parts to all other GPUs

The trees are those NCCL builds: node r hangs below the node reached by clearing its lowest bit
and setting the next one; the second tree is the mirror of the first (even number of nodes) or the
first shifted by one (odd), so that no node is inside both.
"""

import numpy as np

from designer.engine.columns import sum_by
from designer.engine.network import FloatArray, IntArray
from designer.engine.pool import Pool, node_flows
from designer.engine.traffic import Traffic, all_to_all, no_traffic


def ring(pool: Pool) -> Traffic:
    """Return 1 byte from each node to the next, around."""
    if pool.nodes < 2:
        return no_traffic(pool.network)
    nodes = np.arange(pool.nodes, dtype=np.int32)
    return node_flows(pool, nodes, np.roll(nodes, -1), np.ones(pool.nodes))


def send(pool: Pool) -> Traffic:
    """Return what each node sends when its GPUs send to the next: 1 byte from the smallest."""
    if pool.nodes < 2:
        return no_traffic(pool.network)
    nodes = np.arange(pool.nodes, dtype=np.int32)
    return node_flows(pool, nodes, np.roll(nodes, -1), pool.size / pool.size.min())


def chain(pool: Pool) -> Traffic:
    """Return 1 byte from each node to the next, the last one sending nothing."""
    if pool.nodes < 2:
        return no_traffic(pool.network)
    nodes = np.arange(pool.nodes, dtype=np.int32)
    return node_flows(pool, nodes[:-1], nodes[1:], np.ones(pool.nodes - 1))


def tree(pool: Pool) -> Traffic:
    """Return an all-reduce of 1 byte over the double binary tree of the nodes."""
    if pool.nodes < 2:
        return no_traffic(pool.network)
    low, high = tree_edges(pool.nodes)
    half = np.full(2 * len(low), 0.5)
    return node_flows(pool, np.concatenate((low, high)), np.concatenate((high, low)), half)


def spread(pool: Pool, *, rail_aligned: bool) -> Traffic:
    """Return 1 byte from each GPU, in equal parts to all others."""
    return all_to_all(pool.network, 1.0, rail_aligned=rail_aligned)


def tree_edges(nodes: int) -> tuple[IntArray, IntArray]:
    """Return (child, parent) rows of both trees over `nodes` nodes."""
    place = np.arange(1, nodes)
    bit = place & -place
    parent = (place ^ bit) | (bit << 1)
    parent = np.where(parent < nodes, parent, place ^ bit)
    if nodes % 2 == 0:
        other = nodes - 1 - place, nodes - 1 - parent
    else:
        other = (place + 1) % nodes, (parent + 1) % nodes
    low = np.concatenate((place, other[0])).astype(np.int32)
    high = np.concatenate((parent, other[1])).astype(np.int32)
    return low, high


def sends(low: IntArray, high: IntArray, nodes: int) -> FloatArray:
    """Return what each node sends in an all-reduce of 1 byte over tree edges."""
    return sum_by(np.concatenate((low, high)), np.full(2 * len(low), 0.5), nodes)
