"""Flows of a pattern on the edges of a routed graph, each found once."""

from collections.abc import Callable

from designer.engine.adaptive import balance
from designer.engine.network import FloatArray
from designer.engine.recall import recall
from designer.engine.routing import Routed, never
from designer.engine.sweep import Plan, sweep
from designer.engine.traffic import Traffic, leaf_matrix


def equal_flow(
    routed: Routed, traffic: Traffic, cancelled: Callable[[], bool] = never
) -> FloatArray:
    """Return the flows when every cable of every next hop gets the same share.

    Args:
        routed: The routed network.
        traffic: The pattern.
        cancelled: Asked now and then.

    Raises:
        CancelledError: `cancelled()` became true.
    """

    def make() -> FloatArray:
        matrix = leaf_matrix(traffic, len(routed.network.leaves))
        return sweep(Plan.of(routed), matrix, routed.work.count, cancelled=cancelled)

    return recall(routed, "equal", traffic, make)


def balanced_flow(
    routed: Routed,
    traffic: Traffic,
    equal: FloatArray,
    rounds: int,
    cancelled: Callable[[], bool] = never,
) -> FloatArray:
    """Return the flows of ideal adaptive routing.

    Args:
        routed: The routed network.
        traffic: The pattern.
        equal: Its `equal_flow`, which is the answer where it meets the bound.
        rounds: Most rounds of balancing.
        cancelled: Asked now and then.

    Raises:
        CancelledError: `cancelled()` became true.
    """

    def make() -> FloatArray:
        matrix = leaf_matrix(traffic, len(routed.network.leaves))
        return balance(Plan.of(routed), matrix, rounds, cancelled, equal).flow

    return recall(routed, f"balanced {rounds}", traffic, make)
