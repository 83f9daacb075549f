"""How long a pattern of traffic takes on the drawn links, by technology and routing.

    t = max(NIC bytes / (η_nic τ speed), switch-link bytes / (η_nic τ η_ar speed))

The busiest link decides, of the NIC links and of the links between switches; η_ar is the share of
the ideal balance that adaptive routing reaches (1 for hashing, whose collisions are computed), τ
what is left after pauses and congestion control (1 on InfiniBand). Everything is proportional to
the bytes, so a pattern is evaluated once, for one byte.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from designer.engine.columns import sum_by
from designer.engine.fabrics import FabricName
from designer.engine.load_columns import Loads, RoutingChoice
from designer.engine.loads import Drain, drain_time, fabric_drain_time, link_loads
from designer.engine.network import SERVER_LEAF, SWITCH_SWITCH, BoolArray, CompiledNetwork
from designer.engine.recall import recall
from designer.engine.routing import Routed, never
from designer.engine.traffic import Traffic

# Flows times seeds of one hashed pattern: more flows need fewer seeds for the same median.
_HASHED_ROWS = 24_000
_MOST_SEEDS = 20
# Edge-destination pairs that rounds of balancing may sweep: a fraction of a second.
_BALANCED_PAIRS = 1 << 23


@dataclass(frozen=True, slots=True)
class Factors:
    """What links reach of their line rate: `nic` of every link, `fabric` between switches."""

    nic: float
    fabric: float


@dataclass(frozen=True, slots=True)
class Wire:
    """One technology on the drawing.

    Attributes:
        fabric: `infiniband` or `rocev2`.
        choice: How traffic spreads over equal paths.
        factors: At typical values.
        best, worst: With what differs between technologies at the ends of its range.
        latency_s: Path latency by switches traversed (1, 3, 5 …), typical, seconds.
        tuning: `untuned`, `tuned` or `expert`; empty for InfiniBand.
        why: What decided the routing, for people.
    """

    fabric: FabricName
    choice: RoutingChoice
    factors: Factors
    best: Factors
    worst: Factors
    latency_s: Callable[[float], float]
    tuning: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Drained:
    """What a pattern of unit size takes at line rate.

    Attributes:
        nic_s, fabric_s: Busiest NIC link, busiest link between switches; seconds.
        nic_cable, fabric_cable: Rows of those cable records; -1 without traffic there.
        hops: Switches traversed, mean over the bytes that enter the fabric; 0 without any.
        lost: Share of the fabric's bytes that have no way.
        loads: On every link.
        traffic: The pattern.
    """

    nic_s: float
    fabric_s: float
    nic_cable: int
    fabric_cable: int
    hops: float
    lost: float
    loads: Loads
    traffic: Traffic

    def seconds(self, factors: Factors) -> float:
        """Return the time of the pattern with links at a share of their line rate."""
        return max(self.nic_s / factors.nic, self.fabric_s / factors.fabric)

    def cable(self, factors: Factors) -> int:
        """Return the row of the cable record that decides; -1 without traffic."""
        if self.fabric_s / factors.fabric > self.nic_s / factors.nic:
            return self.fabric_cable
        return self.nic_cable


def drain(
    routed: Routed, traffic: Traffic, wire: Wire, cancelled: Callable[[], bool] = never
) -> Drained:
    """Return what a pattern takes on the drawn links.

    Args:
        routed: The routed network.
        traffic: A pattern of unit size.
        wire: Technology and routing.
        cancelled: Asked now and then.

    Raises:
        CancelledError: `cancelled()` became true.
    """
    network = routed.network
    loads = link_loads(routed, traffic, _fitted(wire.choice, routed, traffic), cancelled=cancelled)
    outer = drain_time(network, _only(loads, network.cable_kind == SERVER_LEAF))
    nic = _weakest(network, outer, loads)
    inner = fabric_drain_time(network, _only(loads, network.cable_kind == SWITCH_SWITCH))
    entering = traffic.fabric + traffic.unplaced
    lost = (loads.undelivered + traffic.unplaced) / entering if entering > 0 else 0.0
    return Drained(
        nic.seconds,
        inner.seconds,
        nic.cable,
        inner.cable,
        recall(routed, "hops", traffic, lambda: mean_hops(routed, traffic)),
        lost,
        loads,
        traffic,
    )


def _weakest(network: CompiledNetwork, found: Drain, loads: Loads) -> Drain:
    """Return the same time, at the server with the fewest NICs where several are as busy.

    What a server with few NICs sends also fills those of its neighbours.
    """
    if found.cable < 0:
        return found
    speed = np.maximum(network.cable_speed, 1.0)
    times = np.maximum(loads.forward, loads.backward) * 8 / speed
    nics = network.nics
    busy = times[nics.cable] >= found.seconds * (1 - 1e-9)
    total = sum_by(nics.server, nics.speed, len(network.device_ids))
    rows = np.flatnonzero(busy)
    at = rows[int(total[nics.server[rows]].argmin())]
    return replace(found, cable=int(nics.cable[at]))


def _only(loads: Loads, rows: BoolArray) -> Loads:
    return Loads(
        loads.bundle,
        loads.forward * rows,
        loads.backward * rows,
        loads.nic_send,
        loads.nic_receive,
        loads.undelivered,
        loads.method,
        loads.spread,
    )


def _fitted(choice: RoutingChoice, routed: Routed, traffic: Traffic) -> RoutingChoice:
    """Return the choice with as many seeds, or rounds, as the size of the fabric allows."""
    if choice.kind == "adaptive":
        pairs = max(1, len(routed.work.src) * len(routed.work.leaf))
        rounds = min(choice.rounds, max(2, _BALANCED_PAIRS // pairs))
        return replace(choice, rounds=rounds)
    if choice.kind == "ecmp":
        return choice
    rows = max(1, int((traffic.src != traffic.dst).sum()) * choice.queue_pairs)
    return replace(choice, seeds=min(_MOST_SEEDS, max(1, _HASHED_ROWS // rows)))


def mean_hops(routed: Routed, traffic: Traffic) -> float:
    """Return the switches that a byte of the fabric traverses on average; 0 without any."""
    hops, far = routed.hops, routed.far
    if not len(hops):
        return 0.0
    rows = hops[traffic.src, traffic.dst]
    near = rows < far
    total = float(traffic.amount[near].sum())
    weighted = float((traffic.amount[near] * (rows[near].astype(np.float64) + 1)).sum())
    if traffic.matrix is not None:
        reached = hops < far
        total += float(traffic.matrix[reached].sum())
        weighted += float((traffic.matrix * (hops.astype(np.float64) + 1))[reached].sum())
    return weighted / total if total > 0 else 0.0
