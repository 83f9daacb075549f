import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from designer.engine.rates import max_min_rates
from designer.errors import CancelledError

# Tight, so that what HiGHS finds is exact to rounding; the defaults would hide errors of 1e-6.
_TIGHT = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


def _solved(goal, rows, room, bounds):
    found = linprog(goal, A_ub=rows, b_ub=room, bounds=bounds, method="highs-ds", options=_TIGHT)
    assert found.status == 0, found.message
    return found


def by_programs(use: np.ndarray, capacity: np.ndarray) -> np.ndarray:
    """Max-min by linear programs: raise the least rate, fix the flows that cannot exceed it."""
    flows = use.shape[1]
    fixed: dict[int, float] = {}
    while len(fixed) < flows:
        free = [f for f in range(flows) if f not in fixed]
        room = capacity - sum(use[:, f] * rate for f, rate in fixed.items())
        held = use * np.isin(np.arange(flows), free)
        # variables: rates, and t, the least of the free rates
        unit = np.eye(flows + 1)
        above = [unit[-1] - unit[f] for f in free]
        wide = np.hstack((held, np.zeros((len(capacity), 1))))
        bounds = [(0, None) if f in free else (0, 0) for f in range(flows)] + [(0, None)]
        limit = np.concatenate((room, np.zeros(len(free))))
        t = _solved(-unit[-1], np.vstack((wide, above)), limit, bounds).x[-1]
        least = [(t * (1 - 1e-8), None) if f in free else (0, 0) for f in range(flows)]
        for f in free:
            most = -_solved(-np.eye(flows)[f], held, room, least).fun
            if most <= t * (1 + 1e-5):
                fixed[f] = t
    return np.array([fixed[f] for f in range(flows)])


@given(seed=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_equal_to_linear_programs_on_random_systems(seed):
    rng = np.random.default_rng(seed)
    flows, links = int(rng.integers(2, 9)), int(rng.integers(2, 7))
    use = (rng.random((links, flows)) < 0.5) * rng.choice([0.25, 0.5, 1.0], (links, flows))
    use[rng.integers(0, links, flows), np.arange(flows)] = 1.0
    capacity = rng.uniform(1, 10, links)
    link, flow = np.nonzero(use)
    found = max_min_rates(flow, link, capacity, flows, use[link, flow])
    assert found == pytest.approx(by_programs(use, capacity), rel=1e-9)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_every_flow_has_a_full_link_on_which_it_is_among_the_fastest(seed):
    """The bottleneck condition, which defines max-min fairness for single paths."""
    rng = np.random.default_rng(seed)
    flows, links = 40, 15
    flow = np.repeat(np.arange(flows), 3)
    link = np.concatenate([rng.choice(links, 3, replace=False) for _ in range(flows)])
    capacity = rng.uniform(1, 10, links)
    rate = max_min_rates(flow, link, capacity, flows)
    load = np.bincount(link, rate[flow], links)
    assert (load <= capacity * (1 + 1e-9)).all()
    fastest = np.zeros(links)
    np.maximum.at(fastest, link, rate[flow])
    full = load >= capacity * (1 - 1e-9)
    good = full[link] & (rate[flow] >= fastest[link] * (1 - 1e-9))
    assert (np.bincount(flow, good, flows) > 0).all()


def test_the_textbook_line_of_three_links():
    # one long flow over both links, one short flow on each: 1/2 each, and 3/2 on the wide link
    rate = max_min_rates(np.array([0, 0, 1, 2]), np.array([0, 1, 0, 1]), np.array([1.0, 2.0]), 3)
    assert rate.tolist() == [0.5, 0.5, 1.5]


def test_a_flow_without_links_is_not_limited_and_dead_links_give_nothing():
    rate = max_min_rates(np.array([1]), np.array([0]), np.array([0.0]), 2)
    assert rate.tolist() == [np.inf, 0.0]
    with pytest.raises(CancelledError):
        max_min_rates(np.array([0]), np.array([0]), np.array([1.0]), 1, cancelled=lambda: True)
