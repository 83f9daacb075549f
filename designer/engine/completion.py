"""When flows of different sizes end that share links fairly: rates change as flows finish.

    repeat: r = max-min fair rates of the flows that are left;  Δt = min of (left ÷ r)
            left -= r Δt;  flows with nothing left end at t + Δt

Rates only change when a flow ends, so the steps in between are exact, not slices of time.
"""

from collections.abc import Callable

import numpy as np

from designer.engine.network import FloatArray
from designer.engine.rates import Rows, max_min_rates
from designer.engine.routing import check, never

# A flow ends with one that leaves it less than this share of its size: rounding, not time.
_ROUNDING = 1e-12


def completion_times(
    flow: Rows,
    link: Rows,
    capacity: FloatArray,
    size: FloatArray,
    weight: FloatArray | None = None,
    priority: FloatArray | None = None,
    cancelled: Callable[[], bool] = never,
) -> FloatArray:
    """Return when each flow ends if all begin at once, in seconds.

    Args:
        flow: Flow of each use of a link.
        link: Link of each use, row by row.
        capacity: By link, amount a second.
        size: By flow, in the same unit; 0 ends at once.
        weight: Fraction of the flow's rate on the link, by row; 1 when None.
        priority: Weight of each flow in the sharing; equal when None.
        cancelled: Asked once an event.

    Returns:
        By flow; inf where a link without capacity holds it up for ever. One without any link
        ends at once.

    Raises:
        CancelledError: `cancelled()` became true.
    """
    count = len(size)
    use = np.ones(len(flow)) if weight is None else np.asarray(weight, dtype=np.float64)
    left = np.asarray(size, dtype=np.float64).copy()
    ends = np.where(left > 0, np.inf, 0.0)
    active, now = left > 0, 0.0
    while active.any():
        check(cancelled)
        rows = np.flatnonzero(active[flow])
        rate = max_min_rates(
            flow[rows], link[rows], capacity, count, use[rows], cancelled, priority
        )
        moving = np.flatnonzero(active & (rate > 0))
        if len(moving) == 0:
            break
        need = left[moving] / rate[moving]
        step = float(need.min())
        now += step
        ended = moving[need <= step * (1 + _ROUNDING)]
        # an endless rate took no time
        moved = moving[np.isfinite(rate[moving])]
        left[moved] -= rate[moved] * step
        ended = np.union1d(ended, moved[left[moved] <= size[moved] * _ROUNDING])
        ends[ended] = now
        active[ended] = False
    return ends
