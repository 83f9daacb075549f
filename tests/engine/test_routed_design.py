"""A routed network is kept while nothing it is made from changes, and only then."""

from dataclasses import replace

import pytest

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.options import Options
from designer.engine.routed_design import routed_design
from designer.messages import set_language
from designer.model.edits import Edit, Swap
from designer.model.records import AssumptionValue, Group, Info
from designer.topologies import generate
from designer.units import Range
from tests.engine.drawings import change, drop, fabric


def network_of(design, fail=()):
    return routed_design(design.snapshot(), fail).network


def plain(results):
    values = {k: v for k, v in results.values.items() if k != "timings_s"}
    return values, dict(results.utilization), dict(results.explanations)


def test_the_same_records_give_the_same_network_with_no_answers_of_others():
    design = fabric()
    one = routed_design(design.snapshot())
    one.known["a question", 1] = (object(), "an answer")
    two = routed_design(design.snapshot())
    assert two.network is one.network and two.total is one.total
    assert not two.known and two.lasting is one.lasting


@pytest.mark.parametrize(
    "edit",
    [
        lambda d: change(d, "cables", next(iter(d.cables)), length_m=7.0),
        lambda d: change(d, "devices", "v0.0", name="zz"),
        lambda d: drop(d, "cables", next(iter(d.cables))),
        lambda d: change(d, "types", "qm9700", model="Another"),
        lambda d: d.apply(Edit("group", (Swap("groups", "g", None, Group("g", "plane", "G")),))),
        lambda d: d.apply(Edit("info", (Swap("info", "info", None, Info(routing="shortest")),))),
    ],
)
def test_what_the_network_is_made_from_makes_another(edit):
    design = fabric()
    before = network_of(design)
    edit(design)
    assert network_of(design) is not before


def test_a_failure_is_another_network_and_is_not_kept():
    design = fabric()
    intact, cable = network_of(design), next(iter(design.cables))
    assert network_of(design, (cable,)).failed == {cable}
    assert network_of(design) is intact


def assumed(design):
    value = AssumptionValue(Range(0.5, 0.6, 0.7), "mine", "2026-01-01")
    design.apply(Edit("assume", (Swap("assumptions", "tree_share", None, value),)))


def worked(design):
    before = design.workload
    assert before is not None
    after = replace(before, tp=before.tp * 2, param_bytes=4.0)
    design.apply(Edit("job", (Swap("workloads", "workload", before, after),)))


@pytest.mark.parametrize(
    ("edit", "options"),
    [
        (assumed, Options()),
        (worked, Options()),
        (lambda d: None, Options(ranks=24, size_bytes=2**20)),
        (lambda d: None, Options(fabric="rocev2", routing="hashed", relay="on")),
        (lambda d: None, Options(routing="ecmp", collective="all_to_all", relay="off")),
    ],
)
def test_results_on_a_kept_network_are_those_of_a_fresh_one(edit, options):
    catalog = default_catalog()
    design = generate("leaf-spine", catalog, gpus=128)
    analyze(design, None, catalog)
    analyze(design, Options(fabric="rocev2"), catalog)
    edit(design)
    found = plain(analyze(design.snapshot(), options, catalog))
    design.derived.clear()
    assert found == plain(analyze(design, options, catalog))


def test_reasons_are_in_the_language_of_the_moment():
    design = generate("blank", default_catalog())
    english = analyze(design).reason("capacity.diameter_hops")
    set_language("pt_BR")
    try:
        assert analyze(design).reason("capacity.diameter_hops") not in ("", english)
    finally:
        set_language("en")
