import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from designer.engine.rates import max_min_rates
from designer.errors import CancelledError

# HiGHS accepts 1e-7 by default, which is more than what is asserted here
TOLERANCES = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


def by_programs(use: np.ndarray, capacity: np.ndarray) -> np.ndarray:
    """Max-min by linear programs: raise the least rate, fix the flows that cannot exceed it."""
    flows = use.shape[1]
    fixed: dict[int, float] = {}
    while len(fixed) < flows:
        free = [f for f in range(flows) if f not in fixed]
        # variables: rates, and t, the least of the free rates
        a = np.hstack((use, np.zeros((len(capacity), 1))))
        rows = [np.eye(flows + 1)[-1] - np.eye(flows + 1)[f] for f in free]
        bounds = [(fixed.get(f, 0), fixed.get(f)) for f in range(flows)] + [(0, None)]
        best = linprog(
            -np.eye(flows + 1)[-1],
            A_ub=np.vstack((a, rows)),
            b_ub=np.concatenate((capacity, np.zeros(len(free)))),
            bounds=bounds,
            method="highs",
            options=TOLERANCES,
        )
        t = best.x[-1]
        for f in free:
            bounds_f = [(fixed.get(g, t * (1 - 1e-9)), fixed.get(g)) for g in range(flows)]
            most = linprog(
                -np.eye(flows)[f],
                A_ub=use,
                b_ub=capacity,
                bounds=bounds_f,
                method="highs",
                options=TOLERANCES,
            )
            if -most.fun <= t * (1 + 1e-6):
                fixed[f] = t
    return np.array([fixed[f] for f in range(flows)])


@given(seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None, derandomize=True)
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
