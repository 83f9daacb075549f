"""Static hashing: each flow takes one cable at each switch, whatever else is on it.

    cable = hash64(flow * phi XOR hash64(seed * 1000003 + switch)) mod cables of all next hops

A connection of q queue pairs is q flows of equal size. The busiest cable tells how long a phase
takes; over several seeds of the hash this gives a distribution. Dense traffic (all-to-all) is so
many flows a cable that it is spread evenly instead.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from designer.engine.columns import DENSE, distinct, sum_by
from designer.engine.flows import equal_flow
from designer.engine.kernels import compiled, worth_compiling
from designer.engine.load_columns import (
    Loads,
    RoutingChoice,
    Spread,
    nic_records,
    to_bundles,
    undelivered,
)
from designer.engine.network import CompiledNetwork, FloatArray, IntArray
from designer.engine.next_hops import (
    Links,
    all_next_hops,
    distances_by_leaf,
    links_of,
    next_hops,
)
from designer.engine.recall import recall
from designer.engine.routing import Routed, check, never
from designer.engine.traffic import Traffic, dense_part

Rows = npt.NDArray[np.int64]
_PHI = np.uint64(0x9E3779B97F4A7C15)
# Flows times seeds that are walked at once.
_AT_ONCE = 1 << 17
# Edge-destination pairs up to which all next hops are worked out at once, for all patterns.
_SMALL = 1 << 16
# Cost of one flow under one seed, in the measure of `worth_compiling`.
_PER_ROW = 1 << 6


@dataclass(frozen=True, slots=True)
class Flows:
    """Flows that leave their leaf: leaves of both ends, amount, and a number for the hash."""

    src: IntArray
    dst: IntArray
    amount: FloatArray
    number: npt.NDArray[np.uint64]


def crossing_flows(routed: Routed, traffic: Traffic, queue_pairs: int = 1) -> Flows:
    """Return the flows of the sparse part of a pattern that need a switch beyond their leaf."""
    reach = routed.hops[traffic.src, traffic.dst]
    rows = np.flatnonzero((reach > 0) & (reach < routed.far))
    # numbered by where they go, not by the order in which servers were drawn: alike flows may swap
    order = np.lexsort((traffic.amount[rows], traffic.dst[rows], traffic.src[rows]))
    each = np.repeat(rows[order], queue_pairs)
    number = np.arange(len(each), dtype=np.uint64)
    return Flows(traffic.src[each], traffic.dst[each], traffic.amount[each] / queue_pairs, number)


def walk(
    routed: Routed,
    links: Links,
    flows: Flows,
    seeds: Rows,
    cancelled: Callable[[], bool] = never,
) -> Iterator[tuple[Rows, Rows]]:
    """Yield, hop by hop, (row, link): which link each row takes; rows that arrived drop out.

    Args:
        routed: The routed network.
        links: Its single cables.
        flows: What is sent.
        seeds: Seeds of the hash; row s * len(flows) + f is flow f under seed s.
        cancelled: Asked once a hop.
    """
    if len(flows.src) == 0:
        return
    graph = routed.graph
    total = routed.of_switches(routed.total)
    down = total if routed.down is None else routed.of_switches(routed.down)
    shortest = routed.down is None
    leaves = max(len(graph.leaf), 1)
    # the part of the hash that seed and switch decide, one row a seed
    node = np.arange(graph.n, dtype=np.uint64)
    salt = _hash64(np.add.outer(_salt(seeds), node).ravel())
    turn = np.repeat(np.arange(len(seeds)) * graph.n, len(flows.src))
    spin = np.tile(flows.number * _PHI, len(seeds))
    at = np.tile(graph.leaf[flows.src].astype(np.int64), len(seeds))
    to = np.tile(flows.dst.astype(np.int64), len(seeds))
    row = np.arange(len(at))
    falling = np.zeros(len(at), dtype=np.int64)
    turns = (total == down).ravel().astype(np.int64)
    ends = (total if shortest else down).ravel() == 0
    every = None
    if len(graph.src) * leaves <= _SMALL:
        every = recall(routed, "next hops", graph, partial(all_next_hops, routed, links))
    while len(row):
        check(cancelled)
        place = at * leaves + to
        falling |= turns[place]
        if every is None:
            codes, which = distinct(place * 2 + falling, graph.n * leaves * 2)
            hops = next_hops(routed, links, codes, leaves, total, down, shortest)
        else:
            hops, which = every, (falling * leaves + to) * graph.n + at
        pick = _hash64(spin ^ salt[turn + at])
        cable = hops.begin[which] + (pick % hops.width[which]).astype(np.int64)
        yield row, hops.link[cable]
        at = hops.node[cable]
        arrived = ends[at * leaves + to]
        if arrived.any():
            more = ~arrived
            at, to, row, falling = at[more], to[more], row[more], falling[more]
            turn, spin = turn[more], spin[more]


def _hash64(value: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return well spread 64-bit hashes (the finaliser of MurmurHash3)."""
    x = (value ^ (value >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    x = (x ^ (x >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return x ^ (x >> np.uint64(33))


def hashed_loads(
    routed: Routed,
    traffic: Traffic,
    choice: RoutingChoice,
    cancelled: Callable[[], bool] = never,
) -> Loads:
    """Return the loads of static hashing: those of the median seed, and times over all seeds.

    Args:
        routed: The routed network.
        traffic: The pattern; each sparse row is one connection.
        choice: Queue pairs and how many seeds.
        cancelled: Asked once a hop.

    Raises:
        CancelledError: `cancelled()` became true.
    """
    network = routed.network
    flows = crossing_flows(routed, traffic, choice.queue_pairs)
    links = recall(routed, "links", network, lambda: links_of(network))
    base = _even_loads(routed, traffic, links, cancelled)
    found = _seed_loads(routed, links, flows, choice.seeds, base, cancelled)
    least = _least_seconds(network, traffic, links, base)
    seconds = np.maximum([s[2] for s in found], least)
    median = int(np.argsort(seconds, kind="stable")[(len(seconds) - 1) // 2])
    load = base.copy()
    # every link is there once
    load[found[median][0]] += found[median][1]
    forward, backward = nic_records(network, traffic)
    np.maximum.at(forward, links.record[links.ahead], load[links.ahead])
    np.maximum.at(backward, links.record[~links.ahead], load[~links.ahead])
    bundle = np.repeat(np.arange(len(network.bundles.src)), network.bundles.count)
    spread = Spread(*(float(x) for x in (*np.percentile(seconds, [50, 95]), seconds.max())))
    return Loads(
        sum_by(bundle, load, len(network.bundles.src)),
        forward,
        backward,
        traffic.nic_send,
        traffic.nic_receive,
        undelivered(routed, traffic),
        "walk",
        spread,
    )


def _even_loads(
    routed: Routed, traffic: Traffic, links: Links, cancelled: Callable[[], bool]
) -> FloatArray:
    """Return the load of the dense part on each link, spread evenly."""
    if traffic.matrix is None:
        return np.zeros(len(links.record))
    flow = equal_flow(routed, dense_part(traffic), cancelled)
    count = routed.network.bundles.count
    return np.repeat(to_bundles(routed, flow) / np.maximum(count, 1), count)


def _seed_loads(
    routed: Routed,
    links: Links,
    flows: Flows,
    seeds: int,
    base: FloatArray,
    cancelled: Callable[[], bool],
) -> list[tuple[Rows, FloatArray, float]]:
    """Return (links, load on each, when the busiest of them has drained) by seed."""
    every = np.arange(max(seeds, 1))
    loops = compiled("hash") if worth_compiling(len(flows.src) * len(every) * _PER_ROW) else None
    if loops is not None:
        met = _compiled_loads(loops, routed, links, flows, every, cancelled)
        return [(link, load, _seconds(links, base, link, load)) for link, load in met]
    out: list[tuple[Rows, FloatArray, float]] = []
    count = len(flows.src)
    batch = max(1, _AT_ONCE // max(count, 1))
    for begin in range(0, len(every), batch):
        chosen = every[begin : begin + batch]
        steps = list(walk(routed, links, flows, chosen, cancelled))
        row = np.concatenate([s[0] for s in steps] or [np.zeros(0, np.int64)])
        link = np.concatenate([s[1] for s in steps] or [np.zeros(0, np.int64)])
        out += _by_seed(links, row // max(count, 1), link, flows.amount[row % max(count, 1)], base)
        out += [(link[:0], base[:0], 0.0)] * (begin + len(chosen) - len(out))
    return out


def _by_seed(
    links: Links, seed: Rows, link: Rows, amount: FloatArray, base: FloatArray
) -> Iterator[tuple[Rows, FloatArray, float]]:
    """Yield what `_seed_loads` returns, from the links that the flows of a batch took."""
    if len(link) == 0:
        return
    width, seeds = len(links.record), int(seed.max()) + 1
    size = seeds * width
    if size <= DENSE * len(link):
        table = sum_by(seed * width + link, amount, size).reshape(seeds, width)
        # a link that nothing is hashed to is never the busiest of all: see `_least_seconds`
        last = ((base + table) * 8 / links.speed).max(axis=1)
        every = np.arange(width)
        yield from ((every, load, float(s)) for load, s in zip(table, last, strict=True))
        return
    codes, inverse = distinct(seed * width + link, size)
    load = sum_by(inverse, amount, len(codes))
    stop = np.searchsorted(codes, np.arange(seeds + 1) * width)
    for k in range(seeds):
        part = slice(stop[k], stop[k + 1])
        met = codes[part] - k * width
        yield met, load[part], _seconds(links, base, met, load[part])


def _compiled_loads(
    loops: Callable[..., int],
    routed: Routed,
    links: Links,
    flows: Flows,
    seeds: Rows,
    cancelled: Callable[[], bool],
) -> Iterator[tuple[Rows, FloatArray]]:
    graph, shortest = routed.graph, routed.down is None
    total, down = distances_by_leaf(routed)
    paths = (graph.start, graph.dst, routed.network.bundles.count, links.first, graph.up)
    ends = (graph.leaf[flows.src], flows.dst, flows.amount, flows.number * _PHI)
    number = np.arange(graph.n, dtype=np.uint64)
    load, met = np.zeros(len(links.record)), np.empty(len(links.record), dtype=np.int64)
    for seed in seeds:
        check(cancelled)
        salt = _hash64(_salt(np.full(graph.n, seed)) + number)
        used = met[: loops(*paths, shortest, total, down, *ends, salt, load, met)].copy()
        yield used, load[used]
        load[used] = 0.0


def _salt(seeds: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    """Return the part of the hash that a seed decides."""
    salt: npt.NDArray[np.uint64] = seeds.astype(np.uint64) * np.uint64(1000003)
    return salt


def _least_seconds(
    network: CompiledNetwork, traffic: Traffic, links: Links, base: FloatArray
) -> float:
    """Return when the links have drained on which nothing is hashed, NIC links included."""
    nics = np.maximum(traffic.nic_send, traffic.nic_receive) * 8 / network.nics.speed
    even = base * 8 / links.speed
    return max(float(nics.max(initial=0.0)), float(even.max(initial=0.0)))


def _seconds(links: Links, base: FloatArray, link: Rows, load: FloatArray) -> float:
    """Return when the busiest of some links has drained."""
    hashed = (base[link] + load) * 8 / links.speed[link]
    return float(hashed.max(initial=0.0))


def incidence(
    routed: Routed, links: Links, flows: Flows, seed: int, cancelled: Callable[[], bool] = never
) -> tuple[Rows, Rows]:
    """Return (flow, link) rows of all flows under one seed, for `rates.max_min_rates`."""
    steps = list(walk(routed, links, flows, np.array([seed]), cancelled))
    if not steps:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    return np.concatenate([s[0] for s in steps]), np.concatenate([s[1] for s in steps])
