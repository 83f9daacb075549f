"""Max-min fair rates: what competing flows get when every one takes all it can.

A flow f uses the fraction w of its rate on link l (1 when it takes one path). Repeat:

    share_l = residual_l / sum of w over active flows;  f_min = min of share over its links
    l_min = min of f_min over its flows;  links with share_l <= l_min are bottlenecks:
    their flows are fixed at their f_min, and what they use is taken off

A link whose share is the smallest among all links its flows touch cannot lose a flow to an
earlier bottleneck, as shares only grow; so all such local bottlenecks are fixed in one round.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from designer.engine.columns import sum_by
from designer.engine.network import FloatArray
from designer.engine.routing import check, never

Rows = npt.NDArray[np.integer]


def max_min_rates(
    flow: Rows,
    link: Rows,
    capacity: FloatArray,
    flows: int,
    weight: FloatArray | None = None,
    cancelled: Callable[[], bool] = never,
    priority: FloatArray | None = None,
) -> FloatArray:
    """Return the max-min fair rate of each flow, in the unit of the capacities.

    Args:
        flow: Flow of each use.
        link: Link of each use, row by row.
        capacity: By link.
        flows: How many flows; one without any link gets infinity.
        weight: Fraction of the flow's rate on the link, by row; 1 when None.
        cancelled: Asked once a round.
        priority: By flow, above 0: on a link that is full, flows get rates in this proportion
            (weighted fairness); all equal when None.

    Raises:
        CancelledError: `cancelled()` became true.
    """
    use = np.ones(len(flow)) if weight is None else weight
    if priority is not None:
        # in units of its priority every flow is like any other
        use = use * priority[flow]
    keep = use > 0
    flow, link, use = flow[keep], link[keep], use[keep]
    rates = np.full(flows, np.inf)
    residual = capacity.astype(np.float64)
    while len(flow):
        check(cancelled)
        total = sum_by(link, use, len(residual))
        share = np.maximum(residual, 0.0) / np.where(total > 0, total, 1.0)
        least = np.full(flows, np.inf)
        np.minimum.at(least, flow, share[link])
        lowest = np.full(len(residual), np.inf)
        np.minimum.at(lowest, link, least[flow])
        # rounding must not keep a link from being its own bottleneck
        tight = share <= lowest * (1 + 1e-12)
        fixed = np.zeros(flows, dtype=np.bool_)
        fixed[flow[np.flatnonzero(tight[link])]] = True
        rates[fixed] = least[fixed]
        done = fixed[flow]
        # rows by number: masks that look random cost ten times as much
        gone, left = np.flatnonzero(done), np.flatnonzero(~done)
        taken = use[gone] * rates[flow[gone]]
        residual -= sum_by(link[gone], taken, len(residual))
        flow, link, use = flow[left], link[left], use[left]
    return rates if priority is None else rates * priority
