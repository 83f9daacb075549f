"""The pipeline's schedule, played out pass by pass, against the formula of the bubble."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.engine.pipeline import pipeline_schedule

SIZES = {"stages": st.integers(1, 8), "forward": st.floats(0.1, 3), "backward": st.floats(0.1, 6)}


@given(microbatches=st.integers(1, 24), **SIZES)
def test_one_forward_one_backward_takes_what_the_formula_says(
    stages, microbatches, forward, backward
):
    found = pipeline_schedule(stages, 1, microbatches, forward, backward)
    assert found is not None
    end = max(one[-1].stop for one in found)
    assert end == pytest.approx((microbatches + stages - 1) * (forward + backward))


@given(rounds=st.integers(1, 4), v=st.integers(1, 6), **SIZES)
def test_interleaving_divides_the_bubble(stages, rounds, v, forward, backward):
    m = rounds * stages
    found = pipeline_schedule(stages, v, m, forward, backward)
    assert found is not None
    end = max(one[-1].stop for one in found)
    bubble = (stages - 1) / v * (forward + backward)
    assert end == pytest.approx(m * (forward + backward) + bubble)


@given(microbatches=st.integers(1, 12), v=st.integers(1, 4), **SIZES)
def test_every_pass_once_after_its_input_and_one_at_a_time(
    stages, microbatches, v, forward, backward
):
    found = pipeline_schedule(stages, v, microbatches, forward, backward)
    if found is None:
        # rounds that are not whole need not close
        assert microbatches % stages
        return
    start = {
        (p.kind, p.microbatch, p.piece * stages + r): p for r, one in enumerate(found) for p in one
    }
    assert len(start) == 2 * microbatches * v * stages
    for one in found:
        for a, b in itertools.pairwise(one):
            assert b.start >= a.stop - 1e-9
    for (kind, m, place), p in start.items():
        if kind == "forward" and place:
            assert p.start >= start["forward", m, place - 1].stop - 1e-9
        if kind == "backward":
            assert p.start >= start["forward", m, place].stop - 1e-9
