"""Inner loops for numba, used where they save more than their compilation costs.

Each has a numpy twin (`sweep`, `ecmp`) with the same result; the program runs without numba. A
first compilation takes seconds and is kept on disk where that can be written, so small fabrics
never import numba.
"""

import os
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

# Edge-destination pairs above which compiled loops save more than importing numba costs. They
# are compiled once and kept on disk.
_LARGE = 1 << 20


def worth_compiling(size: int) -> bool:
    """Tell whether a sweep of `size` edge-destination pairs should use compiled loops.

    The environment variable `RAILSPINE_NUMBA` set to `0` or `1` decides instead.
    """
    forced = os.environ.get("RAILSPINE_NUMBA", "")
    return forced == "1" or (forced != "0" and size >= _LARGE)


@cache
def compiled(name: str) -> Callable[..., Any] | None:
    """Return a kernel compiled by numba, or None where numba cannot be imported."""
    try:
        import numba
    except ImportError:
        return None

    def jit(loops: Any, cache: bool) -> Any:
        # sums may change their order, so that they run over several destinations at once
        return numba.njit(cache=cache, nogil=True, fastmath={"reassoc"})(loops)

    loops: Any = {
        "distances": distance_loops,
        "updown": updown_loops,
        "shortest": shortest_loops,
        "potentials": updown_potentials,
        "hash": hash_loops,
    }[name]
    try:
        fast: Callable[..., Any] = jit(loops, cache=True)
    except RuntimeError:
        # no folder to keep compiled code in, as in a read-only installation
        fast = jit(loops, cache=False)
    return fast


def distance_loops(
    start: Any, dst: Any, up: Any, order: Any, far: int, total: Any, down: Any
) -> None:
    """Fill in the hops of downward and of up/down paths; see `routing.updown_distances`.

    Args:
        start: First edge by node.
        dst: Target by edge.
        up: True for edges that lead up.
        order: Nodes by layer, ascending.
        far: Distance that stands for unreachable.
        total: Result by node and leaf.
        down: Likewise by downward edges only; holds 0 at the leaves and `far` elsewhere.
    """
    nodes, leaves = down.shape
    near = np.empty_like(down[0])
    for phase in range(2):
        distance = down if phase == 0 else total
        for position in range(nodes):
            u = order[position] if phase == 0 else order[nodes - 1 - position]
            near[:] = far
            for e in range(start[u], start[u + 1]):
                if up[e] == (phase == 1):
                    v = dst[e]
                    for d in range(leaves):
                        near[d] = min(near[d], distance[v, d])
            for d in range(leaves):
                if near[d] != far and near[d] + 1 < down[u, d]:
                    distance[u, d] = near[d] + 1
                else:
                    distance[u, d] = down[u, d]


def updown_loops(
    start: Any,
    dst: Any,
    weight: Any,
    held: Any,
    up: Any,
    order: Any,
    total: Any,
    down: Any,
    far: int,
    ahead: Any,
    plain: bool,
    flow: Any,
) -> None:
    """Add to `flow` what up/down routing puts on each edge, for one block of destinations.

    Args:
        start: First edge by node.
        dst: Target by edge.
        weight: Of each edge.
        held: Demand by node and destination; overwritten.
        up: True for edges that lead up.
        order: Nodes by layer, ascending.
        total: Hops of up/down paths by node and destination.
        down: Hops of downward paths likewise.
        far: Distance that stands for unreachable; no path is as long as one less.
        ahead: Factor of the weight by phase (0 up, 1 down), target and destination.
        plain: True when all factors are 1; `ahead` is not read then.
        flow: Result by edge.
    """
    nodes, width = held.shape
    whole, part = np.empty(width), np.empty(width)
    near = np.empty_like(total[0])
    for phase in range(2):
        distance = total if phase == 0 else down
        for position in range(nodes):
            u = order[position] if phase == 0 else order[nodes - 1 - position]
            idle = True
            for d in range(width):
                if held[u, d] != 0.0:
                    idle = False
                    break
            # most nodes hold nothing of sparse traffic
            if idle:
                continue
            for d in range(width):
                here = distance[u, d]
                turns = phase == 0 and total[u, d] == down[u, d]
                stays = turns or here in (far, 0)
                # no node is at far - 1: nothing is a next hop then
                near[d] = far - 1 if stays else here - 1
                whole[d] = 0.0
            for e in range(start[u], start[u + 1]):
                if up[e] == (phase == 0):
                    v, w = dst[e], weight[e]
                    for d in range(width):
                        factor = w if plain else w * ahead[phase, v, d]
                        whole[d] += factor if distance[v, d] == near[d] else 0.0
            for d in range(width):
                part[d] = 0.0
                if whole[d] > 0.0:
                    part[d] = held[u, d] / whole[d]
                    held[u, d] = 0.0
            for e in range(start[u], start[u + 1]):
                if up[e] == (phase == 0):
                    v, w, moved = dst[e], weight[e], 0.0
                    for d in range(width):
                        factor = w if plain else w * ahead[phase, v, d]
                        x = part[d] * factor if distance[v, d] == near[d] else 0.0
                        held[v, d] += x
                        moved += x
                    flow[e] += moved


def updown_potentials(
    start: Any,
    dst: Any,
    weight: Any,
    up: Any,
    order: Any,
    total: Any,
    down: Any,
    far: int,
    ahead: Any,
) -> None:
    """Fill `ahead` with what lies behind each node, by phase, for one block of destinations.

    C(leaf) = 1, C(u) = sum over next hops of weight x C(next). Arguments are those of
    `updown_loops`; `ahead` holds 1 at the leaves in phase 1 (down) and 0 elsewhere.
    """
    nodes, width = total.shape
    near = np.empty_like(total[0])
    for phase in range(2):
        distance = down if phase == 0 else total
        for position in range(nodes):
            u = order[position] if phase == 0 else order[nodes - 1 - position]
            some = False
            for d in range(width):
                here = distance[u, d]
                turns = phase == 1 and here == down[u, d]
                if turns:
                    ahead[0, u, d] = ahead[1, u, d]
                stays = turns or here in (far, 0)
                some = some or not stays
                near[d] = far - 1 if stays else here - 1
            if not some:
                continue
            for e in range(start[u], start[u + 1]):
                if up[e] == (phase == 1):
                    v, w = dst[e], weight[e]
                    for d in range(width):
                        x = w * ahead[1 - phase, v, d] if distance[v, d] == near[d] else 0.0
                        ahead[1 - phase, u, d] += x


def shortest_loops(
    start: Any, dst: Any, weight: Any, held: Any, total: Any, far: int, flow: Any
) -> None:
    """Add to `flow` what shortest-path routing puts on each edge, for one block of destinations.

    Arguments are those of `updown_loops`.
    """
    nodes, width = held.shape
    for d in range(width):
        longest = 0
        for u in range(nodes):
            if total[u, d] != far and total[u, d] > longest:
                longest = total[u, d]
        fill = np.zeros(longest + 2, dtype=np.int64)
        for u in range(nodes):
            if total[u, d] != far:
                fill[longest - total[u, d] + 1] += 1
        for k in range(1, longest + 2):
            fill[k] += fill[k - 1]
        near = np.empty(fill[longest + 1], dtype=np.int64)
        for u in range(nodes):
            if total[u, d] != far:
                near[fill[longest - total[u, d]]] = u
                fill[longest - total[u, d]] += 1
        for u in near:
            if held[u, d] == 0.0 or total[u, d] == 0:
                continue
            whole = 0.0
            for e in range(start[u], start[u + 1]):
                if total[dst[e], d] + 1 == total[u, d]:
                    whole += weight[e]
            if whole <= 0.0:
                continue
            part = held[u, d] / whole
            for e in range(start[u], start[u + 1]):
                if total[dst[e], d] + 1 == total[u, d]:
                    held[dst[e], d] += part * weight[e]
                    flow[e] += part * weight[e]


def hash_loops(
    start: Any,
    dst: Any,
    count: Any,
    first: Any,
    up: Any,
    shortest: bool,
    total: Any,
    down: Any,
    source: Any,
    target: Any,
    amount: Any,
    spin: Any,
    salt: Any,
    load: Any,
    used: Any,
) -> int:
    """Add to `load` what each flow puts on the cables it is hashed to, under one seed.

    Args:
        start: First edge by node.
        dst: Target by edge.
        count: Cables by edge.
        first: First link by edge.
        up: True for edges that lead up.
        shortest: True for shortest paths, False for up/down paths.
        total: Hops by leaf and node (not node and leaf), signed.
        down: Hops of downward paths likewise; `total` when `shortest`.
        source: Node where each flow starts.
        target: Leaf where it ends.
        amount: Of each flow.
        spin: Number of each flow times phi, unsigned 64 bits.
        salt: Part of the hash by node, unsigned 64 bits.
        load: Result by link; 0 before.
        used: Result, the links that carry anything, in the order they are met.

    Returns:
        How many links carry anything.
    """
    widest = 0
    for u in range(len(start) - 1):
        widest = max(widest, start[u + 1] - start[u])
    hops = np.empty(widest, dtype=np.int64)
    busy = 0
    for flow in range(len(source)):
        u, d = source[flow], target[flow]
        falling = False
        while total[d, u] > 0 or (falling and down[d, u] > 0):
            falling = falling or total[d, u] == down[d, u]
            distance = down[d] if falling else total[d]
            here = distance[u] - 1
            cables = found = 0
            for e in range(start[u], start[u + 1]):
                if distance[dst[e]] == here and (shortest or up[e] != falling):
                    hops[found] = e
                    found += 1
                    cables += count[e]
            x = spin[flow] ^ salt[u]
            x = (x ^ (x >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
            x = (x ^ (x >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
            x = x ^ (x >> np.uint64(33))
            pick = np.int64(x % np.uint64(cables))
            for k in range(found):
                e = hops[k]
                if pick < count[e]:
                    link = first[e] + pick
                    if load[link] == 0.0 and amount[flow] > 0.0:
                        used[busy] = link
                        busy += 1
                    load[link] += amount[flow]
                    u = dst[e]
                    break
                pick -= count[e]
    return busy
