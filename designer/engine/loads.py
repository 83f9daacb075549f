"""Loads of one phase on every link, and how long the phase takes: what most callers need.

    routed = route(network, mode)                          # once a network
    traffic = rail_rings(network, bytes_per_server)        # once a phase
    loads = link_loads(routed, traffic, RoutingChoice("ecmp"))
    drain = drain_time(network, loads)                     # drain.seconds, drain.cable, …
    share = utilization(network, loads, duration_s)        # by cable record, 0 … 1 and above

Three ways to spread traffic over equal paths:

    ecmp      every cable of every next hop gets the same share, hop by hop (ideal hashing of many
              flows; packet spraying without regard to load)
    hashed    each connection is a few flows, each hashed to one cable at each switch (RoCE)
    adaptive  minimal-path traffic engineering, the ideal that adaptive routing tends to

A phase ends when its busiest link has drained: for flows of equal size that is exactly the time
of the slowest flow under max-min fairness, because the busiest link is the first bottleneck.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from designer.engine.ecmp import hashed_loads
from designer.engine.flows import balanced_flow, equal_flow
from designer.engine.load_columns import (
    Kind,
    Loads,
    Method,
    RoutingChoice,
    Spread,
    nic_records,
    to_bundles,
    undelivered,
)
from designer.engine.network import SERVER_LEAF, CompiledNetwork, FloatArray
from designer.engine.recall import recall
from designer.engine.routing import Routed, never
from designer.engine.traffic import Traffic

__all__ = [
    "Drain",
    "Kind",
    "Loads",
    "Method",
    "RoutingChoice",
    "Spread",
    "drain_time",
    "fabric_drain_time",
    "link_loads",
    "phase_time",
    "utilization",
]


@dataclass(frozen=True, slots=True)
class Drain:
    """When the busiest link of a phase has drained.

    Attributes:
        seconds: Amount in bits over the line rate; 0 without traffic.
        cable: Row of the cable record; -1 without traffic.
        forward: True when the busy direction is from end a to end b.
        amount: On that link, bytes.
        bits_per_s: Of that link.
    """

    seconds: float
    cable: int
    forward: bool
    amount: float
    bits_per_s: float


def link_loads(
    routed: Routed,
    traffic: Traffic,
    choice: RoutingChoice | None = None,
    *,
    cancelled: Callable[[], bool] = never,
) -> Loads:
    """Return what a traffic pattern puts on every link.

    Args:
        routed: The routed network; see `routing.route`.
        traffic: Amounts of one phase.
        choice: How it spreads; ECMP when None.
        cancelled: Asked now and then.

    Raises:
        CancelledError: `cancelled()` became true.
    """
    choice = choice or RoutingChoice()
    if choice.kind == "hashed":
        work = partial(hashed_loads, routed, traffic, choice, cancelled)
        return recall(routed, f"hashed {choice}", traffic, work)
    equal = equal_flow(routed, traffic, cancelled)
    if choice.kind == "adaptive":
        edge = balanced_flow(routed, traffic, equal, choice.rounds, cancelled)
        bundle = to_bundles(routed, edge, by_capacity=True)
        per_rate = bundle / np.maximum(routed.graph.capacity, 1e-300)
        return loads_of(routed, traffic, bundle, per_rate, by_capacity=True)
    bundle = to_bundles(routed, equal)
    return loads_of(routed, traffic, bundle, bundle / np.maximum(routed.graph.count, 1))


def loads_of(
    routed: Routed,
    traffic: Traffic,
    bundle: FloatArray,
    unit: FloatArray,
    *,
    by_capacity: bool = False,
) -> Loads:
    """Return loads by cable record from loads by bundle.

    Args:
        routed: The routed network.
        traffic: The pattern, for its NIC links.
        bundle: Flow by bundle.
        unit: Flow by bundle of one cable, or of one bit/s when `by_capacity`.
        by_capacity: True when cables of one bundle share by speed, False when equally.
    """
    network = routed.network
    rows = np.flatnonzero(network.bundles.cable_bundle >= 0)
    at = network.bundles.cable_bundle[rows]
    factor = network.cable_speed[rows] if by_capacity else 1.0
    forward, backward = nic_records(network, traffic)
    forward[rows] = unit[at] * factor
    backward[rows] = unit[network.bundles.reverse[at]] * factor
    return Loads(
        bundle,
        forward,
        backward,
        traffic.nic_send,
        traffic.nic_receive,
        undelivered(routed, traffic),
        "quotient" if routed.quotient is not None else "sweep",
    )


def phase_time(
    routed: Routed,
    traffic: Traffic,
    choice: RoutingChoice | None = None,
    *,
    cancelled: Callable[[], bool] = never,
) -> Drain:
    """Return how long a phase takes at line rate, and the link that decides it.

    Arguments and errors are those of `link_loads`; with hashing it is the median seed.
    """
    return drain_time(routed.network, link_loads(routed, traffic, choice, cancelled=cancelled))


def drain_time(network: CompiledNetwork, loads: Loads) -> Drain:
    """Return when the busiest link, NIC links included, has drained at line rate."""
    usable = network.cable_speed > 0
    rate = np.where(usable, network.cable_speed, 1.0)
    times = np.maximum(loads.forward, loads.backward) * usable * 8.0 / rate
    if len(times) == 0 or float(times.max()) <= 0:
        return Drain(0.0, -1, True, 0.0, 0.0)
    row = int(times.argmax())
    ahead = bool(loads.forward[row] >= loads.backward[row])
    amount = float(loads.forward[row] if ahead else loads.backward[row])
    return Drain(float(times[row]), row, ahead, amount, float(network.cable_speed[row]))


def fabric_drain_time(network: CompiledNetwork, loads: Loads) -> Drain:
    """Return when the busiest link between switches has drained; NIC links do not count."""
    inner = network.cable_kind != SERVER_LEAF
    only = replace(loads, forward=loads.forward * inner, backward=loads.backward * inner)
    return drain_time(network, only)


def utilization(network: CompiledNetwork, loads: Loads, duration_s: float) -> FloatArray:
    """Return the share of line rate that each cable record's busiest link needs, both ways.

    Args:
        network: The network.
        loads: Bytes of the phase.
        duration_s: How long the phase takes; 0 gives zeros.

    Returns:
        By cable record; above 1 where the phase is too short for what is sent.
    """
    usable = (network.cable_speed > 0) & (duration_s > 0)
    most = np.maximum(loads.forward, loads.backward) * 8.0
    whole = np.where(usable, network.cable_speed * max(duration_s, 1e-300), 1.0)
    share: FloatArray = np.where(usable, most / whole, 0.0)
    return share
