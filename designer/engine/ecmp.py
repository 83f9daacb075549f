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

from designer.engine.columns import distinct, sum_by
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
from designer.engine.network import BoolArray, CompiledNetwork, FloatArray, IntArray
from designer.engine.recall import recall
from designer.engine.routing import Distances, Routed, check, never
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
    each = np.repeat(rows, queue_pairs)
    pair = np.tile(np.arange(queue_pairs, dtype=np.uint64), len(rows))
    number: npt.NDArray[np.uint64] = each.astype(np.uint64) * np.uint64(queue_pairs) + pair
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
        codes = np.arange(graph.n * leaves * 2)
        made = partial(_next_hops, routed, links, codes, leaves, total, down, shortest)
        every = recall(routed, "next hops", graph, made)
    while len(row):
        check(cancelled)
        place = at * leaves + to
        falling |= turns[place]
        which = place * 2 + falling
        if every is None:
            codes, which = distinct(which, graph.n * leaves * 2)
            hops = _next_hops(routed, links, codes, leaves, total, down, shortest)
        else:
            hops = every
        pick = _hash64(spin ^ salt[turn + at])
        cable = hops.begin[which] + (pick % hops.width[which]).astype(np.int64)
        yield row, hops.link[cable]
        at = hops.node[cable]
        arrived = ends[at * leaves + to]
        if arrived.any():
            more = ~arrived
            at, to, row, falling = at[more], to[more], row[more], falling[more]
            turn, spin = turn[more], spin[more]


@dataclass(frozen=True, slots=True)
class _Hops:
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


def _next_hops(
    routed: Routed,
    links: Links,
    codes: Rows,
    leaves: int,
    total: npt.NDArray[np.integer],
    down: npt.NDArray[np.integer],
    shortest: bool,
) -> _Hops:
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
    edge, which = edge[good], which[good]
    count = graph.count[edge].astype(np.int64)
    width = sum_by(which, count, len(codes)).astype(np.int64)
    before = np.cumsum(count) - count
    link = np.repeat(links.first[edge] - before, count) + np.arange(int(count.sum()))
    other = np.repeat(graph.dst[edge].astype(np.int64), count)
    return _Hops(np.cumsum(width) - width, width.astype(np.uint64), link, other)


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
    found = _seed_loads(routed, links, flows, choice.seeds, cancelled)
    least = _least_seconds(network, traffic, links, base)
    seconds = np.array([_seconds(links, base, s, least) for s in found])
    median = int(np.argsort(seconds, kind="stable")[(len(seconds) - 1) // 2])
    load = base.copy()
    np.add.at(load, found[median][0], found[median][1])
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
    routed: Routed, links: Links, flows: Flows, seeds: int, cancelled: Callable[[], bool]
) -> list[tuple[Rows, FloatArray]]:
    """Return (links, load on each) by seed."""
    every = np.arange(max(seeds, 1))
    loops = compiled("hash") if worth_compiling(len(flows.src) * len(every) * _PER_ROW) else None
    if loops is not None:
        return list(_compiled_loads(loops, routed, links, flows, every, cancelled))
    out: list[tuple[Rows, FloatArray]] = []
    count, width = len(flows.src), max(len(links.record), 1)
    batch = max(1, _AT_ONCE // max(count, 1))
    for begin in range(0, len(every), batch):
        chosen = every[begin : begin + batch]
        steps = list(walk(routed, links, flows, chosen, cancelled))
        row = np.concatenate([s[0] for s in steps] or [np.zeros(0, np.int64)])
        link = np.concatenate([s[1] for s in steps] or [np.zeros(0, np.int64)])
        codes, inverse = distinct(row // max(count, 1) * width + link, len(chosen) * width)
        load = sum_by(inverse, flows.amount[row % max(count, 1)], len(codes))
        stop = np.searchsorted(codes, (np.arange(len(chosen) + 1)) * width)
        for k in range(len(chosen)):
            part = slice(stop[k], stop[k + 1])
            out.append((codes[part] - k * width, load[part]))
    return out


def _compiled_loads(
    loops: Callable[..., int],
    routed: Routed,
    links: Links,
    flows: Flows,
    seeds: Rows,
    cancelled: Callable[[], bool],
) -> Iterator[tuple[Rows, FloatArray]]:
    graph, shortest = routed.graph, routed.down is None
    total = recall(routed, "total by leaf", graph, lambda: _by_leaf(routed, routed.total))
    down = total
    if routed.down is not None:
        lower = routed.down
        down = recall(routed, "down by leaf", graph, lambda: _by_leaf(routed, lower))
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


def _by_leaf(routed: Routed, distances: Distances) -> Distances:
    """Return distances by leaf and switch, so that all switches around a path lie together."""
    # signed, so that differences are plain
    kind = np.int16 if distances.dtype == np.uint8 else np.int32
    return np.ascontiguousarray(routed.of_switches(distances).astype(kind).T)


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


def _seconds(links: Links, base: FloatArray, found: tuple[Rows, FloatArray], least: float) -> float:
    """Return when the busiest link has drained, which is not before `least`."""
    link, load = found
    hashed = (base[link] + load) * 8 / links.speed[link]
    return max(float(hashed.max(initial=0.0)), least)


def incidence(
    routed: Routed, links: Links, flows: Flows, seed: int, cancelled: Callable[[], bool] = never
) -> tuple[Rows, Rows]:
    """Return (flow, link) rows of all flows under one seed, for `rates.max_min_rates`."""
    steps = list(walk(routed, links, flows, np.array([seed]), cancelled))
    if not steps:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    return np.concatenate([s[0] for s in steps]), np.concatenate([s[1] for s in steps])
