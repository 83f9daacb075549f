"""Explanations: each headline key has one, its arithmetic gives the value, it reads as text."""

import pytest

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.explain import explain, explanation_text, format_quantity
from designer.engine.options import OPERATIONS, Options
from designer.errors import ParameterError
from designer.model.assumptions import parameters
from designer.model.workload import stock_workloads
from designer.topologies import generate

CATALOG = default_catalog()
HEADLINES = (
    *(f"collectives.{name}.time_s" for name in OPERATIONS),
    *(f"collectives.{name}.bus_bandwidth_bytes_per_s" for name in OPERATIONS),
    "step.time_s",
    "step.compute_s",
    "step.communication_s",
    "step.exposed_communication_s",
    "step.bubble_s",
    "step.gpu_idle_share",
    "step.network_idle_share",
    "step.mfu",
    "step.parts.tp.exposed_s",
    "step.parts.dp.exposed_s",
    "step.parts.pp.exposed_s",
    "traffic.share.nvlink",
    "traffic.share.scalable_unit",
    "traffic.share.cross_unit",
    "traffic.utilization.max",
    "capacity.oversubscription.leaf",
    "capacity.bisection_bits_per_s",
    "capacity.nic_bits_per_s_per_gpu",
    "capacity.nvlink_bytes_per_s_per_gpu",
    "capacity.diameter_hops",
    *(
        f"fabrics.{fabric}.{key}"
        for fabric in ("infiniband", "rocev2")
        for key in (
            "latency_s",
            "all_reduce_time_s",
            "step_time_s",
            "gpu_idle_share",
            "network_idle_share",
            "relative_throughput",
            "idle_gpu_usd_per_year",
            "capex_usd.total",
            "tco_usd",
        )
    ),
    "verdict.margin_usd",
)


@pytest.fixture(scope="module")
def results():
    design = generate("rail-optimized", CATALOG, gpus=256)
    return analyze(design, Options(workload=stock_workloads()["llama3-405b"]), CATALOG)


@pytest.mark.parametrize("key", HEADLINES)
def test_headline_is_explained(results, key):
    made = explain(results, key)
    assert made.key == key
    assert made.title
    assert made.formula
    assert made.terms
    for term in made.terms:
        assert term.source, term
        assert not term.key or term.key in parameters() or "." in term.key
    text = explanation_text(made)
    assert made.formula in text
    assert "None" not in text


@pytest.mark.parametrize("key", HEADLINES)
def test_last_step_of_the_arithmetic_is_the_value(results, key):
    value = results.get(key)
    if isinstance(value, dict):
        value = value["typical"]
    steps = explain(results, key).steps
    assert steps, key
    # the verdict's margin counts in favour of the winner, its arithmetic is RoCE minus InfiniBand
    assert abs(steps[-1].value) == pytest.approx(abs(value), rel=1e-6)


def test_term_bar_of_the_step_fills_it(results):
    made = explain(results, "step.time_s")
    assert sum(value for _name, value in made.parts) == pytest.approx(results.get("step.time_s"))


def test_term_bar_of_a_collective_fills_it(results):
    for name in OPERATIONS:
        made = explain(results, f"collectives.{name}.time_s")
        total = sum(value for _n, value in made.parts)
        assert total == pytest.approx(results.get(f"collectives.{name}.time_s"))


def test_bottleneck_points_at_a_cable_of_the_drawing(results):
    made = explain(results, "collectives.all_reduce.time_s")
    assert made.bottleneck_ids
    assert made.bottleneck_ids[0] in results.utilization
    assert "Bottleneck" in explanation_text(made)


@pytest.mark.parametrize(
    "algorithm", ["ring", "tree", "hierarchical", "nvls_tree", "collnet_direct", "collnet_chain"]
)
def test_every_algorithm_is_explained(algorithm):
    design = generate("rail-optimized", CATALOG, gpus=256)
    found = analyze(design, Options(algorithm=algorithm), CATALOG)
    made = explain(found, "collectives.all_reduce.time_s")
    assert made.steps[-1].value == pytest.approx(found.get("collectives.all_reduce.time_s"))
    keys = {term.key for term in made.terms if term.key}
    assert keys
    assert keys <= set(parameters())


def test_money_is_explained_too(results):
    assert "usd" in "".join(k for k in results.explanations if k.startswith("fabrics"))


def test_a_null_has_no_explanation_but_its_reason():
    found = analyze(generate("blank", CATALOG), None, CATALOG)
    with pytest.raises(ParameterError, match="no GPUs"):
        explain(found, "step.time_s")
    with pytest.raises(ParameterError):
        explain(found, "no.such.key")


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (8192.0, "1", "8,192"),
        (0.0117, "1", "0.0117"),
        (989e12, "FLOP/s", "989 TFLOP/s"),
        (5e-9, "s/m", "5 ns/m"),
        (0.133, "%", "13.3 %"),
        (47.5e9, "B/s", "47.5 GB/s"),
        (3.0, "switches", "3 switches"),
    ],
)
def test_quantities_read_as_people_write_them(value, unit, text):
    assert format_quantity(value, unit) == text
