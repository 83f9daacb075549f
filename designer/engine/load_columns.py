"""What a phase puts on the links, as columns, and how a phase may spread."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from designer.engine.network import CompiledNetwork, FloatArray
from designer.engine.routing import Routed
from designer.engine.traffic import Traffic

Kind = Literal["ecmp", "hashed", "adaptive"]
Method = Literal["quotient", "sweep", "walk"]


@dataclass(frozen=True, slots=True)
class RoutingChoice:
    """How traffic spreads over paths of equal length.

    Attributes:
        kind: `ecmp`, `hashed` or `adaptive`.
        queue_pairs: Flows a connection is split into; hashed only.
        seeds: Hash functions tried; hashed only.
        rounds: Rounds of balancing; adaptive only.
    """

    kind: Kind = "ecmp"
    queue_pairs: int = 1
    seeds: int = 20
    rounds: int = 30


@dataclass(frozen=True, slots=True)
class Spread:
    """Distribution of a phase's time over hash functions, seconds; None where not hashed."""

    p50: float
    p95: float
    worst: float


@dataclass(frozen=True, slots=True)
class Loads:
    """What one phase puts on the links, in the unit of its traffic (bytes).

    Attributes:
        bundle: By row of `network.bundles`, all cables together.
        forward, backward: Busiest single link of each cable record, from end a to end b and back.
        nic_send, nic_receive: By row of `network.nics`.
        undelivered: Amount without a path.
        method: How it was found.
        spread: Times over hash functions; `forward` and the rest are those of the median one.
    """

    bundle: FloatArray
    forward: FloatArray
    backward: FloatArray
    nic_send: FloatArray
    nic_receive: FloatArray
    undelivered: float
    method: Method
    spread: Spread | None = None


def to_bundles(routed: Routed, edge: FloatArray, *, by_capacity: bool = False) -> FloatArray:
    """Return flows on the edges of the routed graph as flows on the bundles of switches."""
    small = routed.quotient
    if small is None:
        return edge
    full, cells = routed.graph, small.graph
    if by_capacity:
        return edge[small.edge] * full.capacity / cells.capacity[small.edge]
    return edge[small.edge] * full.count / cells.count[small.edge]


def nic_records(network: CompiledNetwork, traffic: Traffic) -> tuple[FloatArray, FloatArray]:
    """Return the busiest link of each server-leaf record both ways; 0 for other records."""
    nics = network.nics
    forward, backward = np.zeros(len(network.cable_a)), np.zeros(len(network.cable_a))
    from_a = network.cable_a[nics.cable] == nics.server
    np.maximum.at(forward, nics.cable, np.where(from_a, traffic.nic_send, traffic.nic_receive))
    np.maximum.at(backward, nics.cable, np.where(from_a, traffic.nic_receive, traffic.nic_send))
    return forward, backward


def undelivered(routed: Routed, traffic: Traffic) -> float:
    """Return the amount whose destination leaf cannot be reached from its source leaf."""
    lost = routed.hops == routed.far
    total = float(traffic.amount[lost[traffic.src, traffic.dst]].sum())
    return total if traffic.matrix is None else total + float(traffic.matrix[lost].sum())
