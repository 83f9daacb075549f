"""Adaptive routing as its ideal: traffic engineering over minimal paths, by multiplicative weights.

    w_e = cap_e; repeat: C_d(d) = 1, C_d(u) = sum of w_e C_d(v) over next hops v;
                         split at u in proportion to w_e C_d(v);  util_e = load_e / cap_e;
                         log w_e -= eta / sqrt(1 + k) (util_e / max)^4;  keep the best

Real adaptive routing stays below it; the share it reaches is an assumption of the model and not
part of this.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from designer.engine.columns import sum_by
from designer.engine.network import FloatArray
from designer.engine.routing import never
from designer.engine.sweep import Plan, sweep

_ETA = 1.5
# Near enough to the bound, and rounds without a gain after which it stops.
_CLOSE, _PATIENCE = 1e-3, 8
# Edge-destination pairs of all rounds together: a few seconds on one core.
_MOST_WORK = 1 << 30


@dataclass(frozen=True, slots=True)
class Balance:
    """The best split found.

    Attributes:
        flow: By edge of the routed graph.
        worst: Its largest flow over capacity.
        bound: No split can be below this: the busiest leaf over its cables.
        rounds: Rounds it took.
    """

    flow: FloatArray
    worst: float
    bound: float
    rounds: int


def balance(
    plan: Plan,
    matrix: FloatArray,
    rounds: int = 30,
    cancelled: Callable[[], bool] = never,
    equal: FloatArray | None = None,
) -> Balance:
    """Return the flows that keep the busiest edge as idle as minimal paths allow.

    Args:
        plan: Passes of the routed network.
        matrix: Demand between leaves.
        rounds: Most rounds; it stops near the bound, when rounds bring nothing, or, on a very
            large irregular fabric, after a few seconds' work.
        cancelled: Asked once a round.
        equal: Flows of the equal split, when they are known.

    Raises:
        CancelledError: `cancelled()` became true.
    """
    graph = plan.routed.work
    capacity = np.maximum(graph.capacity, 1e-300)
    bound = leaf_bound(plan, matrix)
    best = equal if equal is not None else sweep(plan, matrix, graph.count, cancelled=cancelled)
    worst = float((best / capacity).max(initial=0.0))
    # what lies behind one switch: a cell must not count for more because it has more members
    log = np.log(capacity / graph.size[graph.src])
    done = gained = 0
    size = max(len(graph.src) * len(graph.leaf), 1)
    for k in range(min(rounds, max(2, _MOST_WORK // size))):
        if worst <= bound * (1 + _CLOSE) or worst == 0 or k - gained > _PATIENCE:
            break
        done += 1
        weight = np.exp(log - log.max())
        flow = sweep(plan, matrix, weight, balanced=True, cancelled=cancelled)
        used = flow / capacity
        most = float(used.max())
        if most < worst * (1 - _CLOSE):
            gained = k
        if most < worst:
            best, worst = flow, most
        log -= _ETA / np.sqrt(1 + k) * (used / most) ** 4
    return Balance(best, worst, bound, done)


def leaf_bound(plan: Plan, matrix: FloatArray) -> float:
    """Return the largest of what leaves, or enters, a leaf over the capacity of its cables."""
    graph = plan.routed.work
    delivered = np.where(plan.routed.hops == plan.routed.far, 0.0, matrix)
    out = sum_by(graph.src, graph.capacity, graph.n)[graph.leaf]
    into = sum_by(graph.dst, graph.capacity, graph.n)[graph.leaf]
    sent = delivered.sum(axis=1) / np.maximum(out, 1e-300)
    received = delivered.sum(axis=0) / np.maximum(into, 1e-300)
    return float(max(sent.max(initial=0.0), received.max(initial=0.0)))
