"""Completion times of flows of mixed sizes, against a simulation in other words and against LPs."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.engine.completion import completion_times
from designer.engine.rates import max_min_rates
from designer.errors import CancelledError
from tests.engine.test_rates import by_programs


def filling(use, capacity, active, priority):
    """Progressive filling in exact fractions: raise all rates together, stop at full links."""
    rate = {f: Fraction(0) for f in active}
    free = set(active)
    while free:
        room = []
        for row, limit in zip(use, capacity, strict=True):
            slope = sum(row[f] * priority[f] for f in free)
            if slope > 0:
                spent = sum(row[f] * rate[f] for f in active)
                room.append(((limit - spent) / slope, [f for f in free if row[f] > 0]))
        step = min(r for r, _flows in room)
        for f in free:
            rate[f] += step * priority[f]
        free -= {f for r, flows in room if r == step for f in flows}
    return rate


def simulate(use, capacity, size, priority):
    """One event after another, each with rates filled from zero."""
    left = {f: s for f, s in enumerate(size) if s > 0}
    ends, now = {f: Fraction(0) for f, s in enumerate(size) if s == 0}, Fraction(0)
    while left:
        rate = filling(use, capacity, list(left), priority)
        step = min(left[f] / rate[f] for f in left)
        now += step
        left = {f: s - rate[f] * step for f, s in left.items()}
        for f in [f for f, s in left.items() if s == 0]:
            ends[f] = now
            del left[f]
    return [float(ends[f]) for f in range(len(size))]


def system(seed, flows, links):
    rng = np.random.default_rng(seed)
    use = rng.choice([0, 0, 1, 2, 4], (links, flows))
    use[rng.integers(0, links, flows), np.arange(flows)] = 4
    capacity = rng.integers(1, 12, links)
    size, priority = rng.integers(0, 20, flows), rng.choice([1, 1, 2, 5], flows)
    return use, capacity, size, priority


@given(seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_equal_to_a_simulation_in_fractions(seed):
    rng = np.random.default_rng(seed)
    use, capacity, size, priority = system(seed, int(rng.integers(1, 9)), int(rng.integers(1, 6)))
    exact = simulate(
        [[Fraction(int(u), 4) for u in row] for row in use],
        [Fraction(int(c)) for c in capacity],
        [Fraction(int(s)) for s in size],
        [Fraction(int(p)) for p in priority],
    )
    link, flow = np.nonzero(use)
    found = completion_times(
        flow, link, capacity.astype(float), size.astype(float), use[link, flow] / 4, priority * 1.0
    )
    assert found == pytest.approx(exact, rel=1e-9)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_weighted_rates_equal_linear_programs(seed):
    """A flow of priority p gets p times what one of its p equal parts gets."""
    use, capacity, _size, priority = system(seed, 5, 4)
    link, flow = np.nonzero(use)
    found = max_min_rates(
        flow, link, capacity * 1.0, 5, use[link, flow] / 4, priority=priority * 1.0
    )
    parts = by_programs(use / 4 * priority, capacity * 1.0)
    assert found / priority == pytest.approx(parts, rel=1e-9)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_weighted_rates_of_larger_systems_equal_filling_in_fractions(seed):
    """Floats are taken as the fractions they are, so nothing but the code under test rounds."""
    rng = np.random.default_rng(seed)
    flows, links = int(rng.integers(5, 25)), int(rng.integers(3, 12))
    use = rng.random((links, flows)) * (rng.random((links, flows)) < 0.3)
    use[rng.integers(0, links, flows), np.arange(flows)] = 1.0
    capacity, priority = rng.uniform(1, 1e3, links), rng.uniform(0.1, 10, flows)
    exact = filling(
        [[Fraction(float(u)) for u in row] for row in use],
        [Fraction(float(c)) for c in capacity],
        list(range(flows)),
        [Fraction(float(p)) for p in priority],
    )
    link, flow = np.nonzero(use)
    found = max_min_rates(flow, link, capacity, flows, use[link, flow], priority=priority)
    assert found == pytest.approx([float(exact[f]) for f in range(flows)], rel=1e-9)


def test_two_flows_share_then_one_has_the_link_alone():
    ends = completion_times(
        np.array([0, 1]), np.array([0, 0]), np.array([10.0]), np.array([10.0, 30.0])
    )
    assert ends == pytest.approx([2.0, 4.0])


def test_flows_that_nothing_carries_never_end_and_those_without_links_end_at_once():
    ends = completion_times(
        np.array([0, 1]), np.array([0, 1]), np.array([0.0, 1.0]), np.array([1.0, 2.0, 5.0])
    )
    assert ends.tolist() == [np.inf, 2.0, 0.0]


def test_cancelling_raises():
    one = np.array([0])
    with pytest.raises(CancelledError):
        completion_times(one, one, np.ones(1), np.ones(1), cancelled=lambda: True)
