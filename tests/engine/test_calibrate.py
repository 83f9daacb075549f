"""Fits to measured times: what was put in comes out again; published sweeps come nearer."""

import random
from dataclasses import replace

import pytest

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.calibrate import calibrate
from designer.engine.options import Options
from designer.engine.samples import Sample, check_ratio
from designer.errors import ParameterError
from designer.model.assumptions import parameters
from designer.model.operations import set_assumption
from designer.model.records import AssumptionValue
from designer.topologies import generate
from designer.units import Range

CATALOG = default_catalog()


def cluster(gpus=64, **more):
    return generate("rail-optimized", CATALOG, gpus=gpus, **more)


def measured_on(design, operation, ranks, algorithm="auto"):
    """Return what nccl-tests would print if the model were the machine."""
    options = Options(collective=operation, ranks=ranks, algorithm=algorithm)
    curve = analyze(design, options, CATALOG).get(f"collectives.{operation}.curve")
    return [
        Sample(
            p["size_bytes"],
            p["time_s"],
            p["size_bytes"] / p["time_s"],
            p["bus_bandwidth_bytes_per_s"],
        )
        for p in curve
    ]


def with_values(design, values):
    for key, value in values.items():
        known = AssumptionValue(Range(value, value, value), "test")
        design.apply(set_assumption(design, key, known))
    return design


@pytest.mark.parametrize(
    ("operation", "ranks", "share", "value", "scale"),
    [
        ("all_reduce", 8, "nvls_share_hopper", 0.61, 2.0),
        ("all_gather", 8, "nvlink_share_hopper", 0.7, 1.5),
        ("all_to_all", 64, "nic_efficiency", 0.8, 0.5),
        ("send_recv", 16, "nic_efficiency", 0.85, 3.0),
    ],
)
def test_what_was_put_in_comes_out(operation, ranks, share, value, scale):
    slow = {
        p.key: p.value.typical * scale
        for p in parameters().values()
        if p.key.startswith(("base_", "nvlink_ring", "nvlink_tree", "network_", "nvls_start"))
    }
    truth = with_values(cluster(), {**slow, share: value})
    found = calibrate(cluster(), CATALOG, operation, ranks, measured_on(truth, operation, ranks))
    fitted = {f.key: f.after for f in found.fitted}
    assert fitted[share].typical == pytest.approx(value, rel=0.01)
    if len({f.after.typical / f.before.typical for f in found.fitted}) == 3 and ranks == 8:
        # one node: nothing but these two latencies; in others only their sum shows
        assert fitted["base_ring_ll_s"].typical == pytest.approx(slow["base_ring_ll_s"], rel=0.05)
    assert found.error_after < 0.02 < found.error_before


def test_what_only_some_of_the_values_give():
    truth = with_values(
        cluster(), {"nic_efficiency": 0.7, "network_tree_ll_s": 30e-6, "network_ring_ll_s": 30e-6}
    )
    found = calibrate(cluster(), CATALOG, "all_reduce", 64, measured_on(truth, "all_reduce", 64))
    keys = [f.key for f in found.fitted]
    assert found.with_only(()).after_s == found.before_s
    assert found.with_only(keys).after_s == found.after_s
    some = found.with_only(keys[:1])
    assert some.error_before == found.error_before
    assert found.error_after < some.error_after < found.error_before


def test_times_of_the_model_itself_change_nothing():
    design = cluster()
    before = design.snapshot()
    samples = measured_on(design, "all_reduce", 64)
    found = calibrate(design, CATALOG, "all_reduce", 64, samples)
    assert found.before_s == pytest.approx([s.time_s for s in samples])
    assert found.error_before < 1e-9
    for f in found.fitted:
        assert f.after.typical == pytest.approx(f.before.typical, rel=0.01), f.key
    assert design.assumptions == before.assumptions


def test_one_wild_time_does_not_bend_the_fit():
    truth = with_values(cluster(), {"nic_efficiency": 0.8})
    samples = measured_on(truth, "all_to_all", 64)
    wild = [replace(s, time_s=s.time_s * 9) if k == 4 else s for k, s in enumerate(samples)]
    found = calibrate(cluster(), CATALOG, "all_to_all", 64, wild)
    fitted = {f.key: f.after for f in found.fitted}
    assert fitted["nic_efficiency"].typical == pytest.approx(0.8, rel=0.02)
    assert fitted["nic_efficiency"].low <= 0.8 <= fitted["nic_efficiency"].high * 1.02


def test_a_share_ends_at_the_line_rate_and_says_so():
    samples = [replace(s, time_s=s.time_s / 3) for s in measured_on(cluster(), "all_to_all", 64)]
    found = calibrate(cluster(), CATALOG, "all_to_all", 64, samples)
    fitted = {f.key: f.after for f in found.fitted}
    assert fitted["nic_efficiency"].typical <= 1.0 and fitted["nic_efficiency"].high <= 1.0
    assert any("nic_efficiency" in note for note in found.notes)


# Facts: 2 (n-1) / n for all-reduce, (n-1) / n for gathers, 1 for broadcast (nccl-tests).
@pytest.mark.parametrize(
    ("operation", "ranks", "ratio", "fits"),
    [
        ("all_reduce", 8, 1.75, True),
        ("all_reduce", 6, 1.75, False),
        ("all_gather", 8, 0.875, True),
        ("all_gather", 8, 1.75, False),
        ("broadcast", 8, 1.0, True),
        ("all_reduce", 144, 2 * 127 / 128, True),
    ],
)
def test_bandwidths_have_to_fit_the_ranks(operation, ranks, ratio, fits):
    samples = [Sample(2**30, 0.01, 1e11, ratio * 1e11)]
    if fits:
        check_ratio(operation, ranks, samples)
        return
    with pytest.raises(ParameterError) as caught:
        check_ratio(operation, ranks, samples)
    if operation == "all_reduce":
        assert "8 ranks" in caught.value.hint


@pytest.mark.parametrize(
    ("ranks", "count", "word"),
    [(0, 5, "ranks"), (1, 5, "ranks"), (8, 1, "two sizes"), (999, 5, "drawing")],
)
def test_what_cannot_be_fitted_is_refused(ranks, count, word):
    samples = [Sample(2**k, 1e-5 * 2**k) for k in range(10, 10 + count)]
    with pytest.raises(ParameterError) as caught:
        calibrate(cluster(), CATALOG, "all_reduce", ranks, samples)
    assert word in str(caught.value)


def test_a_stopped_fit_ends():
    from designer.errors import CancelledError

    samples = measured_on(cluster(), "all_reduce", 64)
    with pytest.raises(CancelledError):
        calibrate(cluster(), CATALOG, "all_reduce", 64, samples, cancelled=lambda: True)


def test_ranges_hold_the_truth_under_noise_and_the_share_is_not_pulled_up():
    truth = with_values(cluster(), {"nvlink_share_hopper": 0.7})
    times = measured_on(truth, "all_gather", 8)[8:]
    held, shares = 0, []
    for seed in range(10):
        noise = random.Random(seed)
        samples = []
        for s in times:
            # in and out of place share the noise of their size
            late = replace(s, time_s=s.time_s * noise.gauss(1, 0.03))
            samples += [late, late]
        fitted = {
            f.key: f.after for f in calibrate(cluster(), CATALOG, "all_gather", 8, samples).fitted
        }
        share = fitted["nvlink_share_hopper"]
        held += share.low <= 0.7 <= share.high
        shares.append(share.typical)
    assert held >= 9
    assert sum(shares) / len(shares) == pytest.approx(0.7, rel=0.01)
