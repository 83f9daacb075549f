"""Single faults: classes of like parts against taking out every part by itself."""

from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.compile import compile_network
from designer.engine.failure_parts import alike, failed_ids
from designer.engine.failures import _trial, single_faults
from designer.engine.options import Options
from designer.engine.routing import route
from designer.engine.symmetry import symmetry, working_gpus
from designer.errors import CancelledError, ParameterError
from designer.model.edits import Edit, Swap
from designer.model.operations import remove
from designer.services.create import new_design

CATALOG = default_catalog()


def _small(**changes):
    parameters = {"gpus": 128, "servers_per_unit": 4, **changes}
    return new_design("rail-optimized", CATALOG, **parameters)


def _routed(design):
    return route(compile_network(design))


def _classes(design):
    routed = _routed(design)
    return alike(design, routed, symmetry(design, routed))


def _by_kind(effects):
    found = {}
    for effect in effects:
        found.setdefault(effect.kind, []).append(effect)
    return found


def test_a_regular_fabric_has_few_classes():
    found = _by_kind(single_faults(_small(), None, CATALOG))
    assert {kind: len(effects) for kind, effects in found.items()} == {
        "link": 3,  # the first and last rank carry less of a tree
        "server": 2,
        "switch": 2,
        "rail": 1,
        "rack": 1,
    }
    nic = next(e for e in found["link"] if len(e.keys) > 100)
    assert nic.lost_gpus == 0
    # seven NICs do the work of eight
    assert nic.ratios["all_to_all"] == pytest.approx(8 / 7, rel=0.01)
    assert nic.ratios["all_reduce"] == pytest.approx(8 / 7, rel=0.02)
    assert found["server"][0].lost_gpus == 8
    assert found["rail"][0].ratios["bisection"] == pytest.approx(7 / 8)


def _holds_for_all(design):
    """Every member of a class does to the drawing what the class is said to do.

    What depends on the order of the ranks is said of the worst member.
    """
    options = Options()
    before = analyze(design, options, CATALOG)
    whole = working_gpus(compile_network(design))[0]
    said = {key: e for e in single_faults(design, options, CATALOG) for key in e.keys}
    for one in _classes(design):
        for part in one.parts:
            trial = _trial(design, options, CATALOG, part, before, whole, lambda: False)
            effect = said[part.key]
            assert trial.lost == effect.lost_gpus, part
            for name in ("all_reduce", "all_to_all", "step", "bisection"):
                told, own = effect.ratios[name], trial.ratios[name]
                assert (told is None) == (own is None), part
                if own is None:
                    continue
                assert own <= told * 1.002, (part, name)
                if name in ("all_to_all", "bisection"):
                    assert own == pytest.approx(told, rel=2e-3), (part, name)


@settings(max_examples=4)
@given(st.lists(st.integers(0, 10**6), max_size=3), st.booleans())
def test_classes_hold_on_irregular_drawings(picks, swapped):
    design = new_design("rail-optimized", CATALOG, gpus=48, servers_per_unit=3)
    for pick in picks:
        cables = list(design.cables)
        design.apply(remove(design, [cables[pick % len(cables)]]))
    if swapped:
        cables = list(design.cables)
        design.apply(remove(design, [cables[0], cables[-1]]))
    _holds_for_all(design)


@pytest.mark.parametrize("template", ["four-servers", "rail-only"])
def test_classes_hold_on_templates(template):
    parameters = {"rail-only": {"gpus": 64}}.get(template, {})
    _holds_for_all(new_design(template, CATALOG, **parameters))


def test_a_nic_of_two_ports_fails_as_one():
    design = new_design("dual-plane", CATALOG)
    kinds = [one.kind for one in _classes(design)]
    assert kinds.count("nic") == 1
    server = next(d for d in design.devices.values() if d.role == "server")
    assert len(failed_ids(design, f"{server.name}:nic3", lambda: None)) == 2


def test_cables_swapped_between_rails_are_set_apart():
    plain = _small(gpus=64)
    swapped = _small(gpus=64)
    server = next(d for d in swapped.devices.values() if d.role == "server")
    one, two = (swapped.cables[c] for c in list(swapped.cables_of(server.id))[:2])
    # NIC 1 goes where NIC 2 went, and the other way round
    swaps = (
        Swap("cables", one.id, one, replace(one, a=two.a)),
        Swap("cables", two.id, two, replace(two, a=one.a)),
    )
    swapped.apply(Edit("swap", swaps))
    assert len(_classes(swapped)) > len(_classes(plain))


def test_names_that_fail_takes():
    design = _small()
    network = compile_network(design)

    def asked(text):
        return failed_ids(design, text, lambda: network)

    leaves = {d.id for d in design.devices.values() if d.name.endswith("leaf-3")}
    assert set(asked("rail:3")) == leaves
    assert len(asked("rack:A01")) >= 1
    cable = next(iter(design.cables))
    assert asked(cable) == (cable,)
    server = next(d for d in design.devices.values() if d.role == "server")
    nic = asked(f"{server.name}:nic2")
    assert len(nic) == 1
    end = design.cables[nic[0]].end_at(server.id)
    assert end.first == 2
    for text in ("rail:99", "rack:none", "x:nic1", f"{server.name}:nic99", "nothing"):
        with pytest.raises(ParameterError, match="called"):
            asked(text)


def test_progress_is_told_and_it_can_be_stopped():
    told = []
    single_faults(_small(), None, CATALOG, progress=lambda done, n: told.append((done, n)))
    assert told[-1][0] == told[-1][1] == len(told)
    with pytest.raises(CancelledError):
        single_faults(_small(), None, CATALOG, cancelled=lambda: len(told) > 0)


@pytest.mark.parametrize("template", ["blank", "nvl72"])
def test_odd_drawings(template):
    parameters = {"nvl72": {"racks": 1}}.get(template, {})
    effects = single_faults(new_design(template, CATALOG, **parameters), None, CATALOG)
    assert (template == "blank") == (effects == [])


def test_a_failure_never_speeds_all_to_all_up_under_adaptive_routing():
    design = _small()
    for effect in single_faults(design, Options(routing="adaptive"), CATALOG):
        if effect.kind in ("link", "switch", "rail"):
            assert effect.ratios["all_to_all"] is None or effect.ratios["all_to_all"] >= 1 - 1e-6
            assert effect.ratios["bisection"] is None or effect.ratios["bisection"] <= 1 + 1e-9


def test_analyze_fills_the_key_when_asked():
    design = _small(gpus=64)
    plain = analyze(design, None, CATALOG)
    assert plain.get("failures") is None
    assert plain.reason("failures")
    asked = analyze(design, Options(failures=True), CATALOG)
    rows = asked.get("failures")
    assert rows[0]["lost_gpus"] >= rows[-1]["lost_gpus"]
    assert not asked.reason("failures")
    assert {"kind", "key", "ids", "members", "all_reduce_ratio"} <= set(rows[0])


def test_explanations_say_before_and_after():
    results = analyze(_small(gpus=64), Options(failures=True), CATALOG)
    assert "failures" in results.explanations
    rows = results.get("failures")
    for k, row in enumerate(rows, start=1):
        one = results.explanations[f"failures.{k}"]
        assert row["name"] in one.title
        assert [s.value for s in one.steps] == [
            row[f"{n}_ratio"]
            for n in ("all_reduce", "all_to_all", "step", "bisection")
            if row[f"{n}_ratio"] is not None
        ]
    plain = analyze(_small(gpus=64), None, CATALOG)
    assert "failures" not in plain.explanations


def test_one_link_of_a_trunk_is_the_trunk_with_one_link_less():
    design = _small(gpus=64)
    trunk = next(c for c in design.cables.values() if c.count > 2)
    a, b = (replace(end, count=end.count - 1) for end in (trunk.a, trunk.b))
    less = design.snapshot()
    less.apply(Edit("", (Swap("cables", trunk.id, trunk, replace(trunk, a=a, b=b)),)))
    failed = analyze(design, Options(fail=(f"{trunk.id}:link",)), CATALOG)
    drawn = analyze(less, None, CATALOG)
    for key in ("collectives", "capacity", "step", "traffic"):
        assert failed.values[key] == drawn.values[key], key


def test_a_summary_has_them_when_they_were_computed():
    from designer.reports.summary import summary_html, summary_markdown

    design = _small(gpus=64)
    title = "What happens when one part fails"
    for made in (partial(summary_html, diagram_svg=None), summary_markdown):
        assert title in made(design, analyze(design, Options(failures=True), CATALOG), CATALOG)
        assert title not in made(design, analyze(design, None, CATALOG), CATALOG)


@settings(max_examples=4)
@given(st.lists(st.integers(0, 10**6), max_size=4), st.sampled_from([2, 4]))
def test_no_single_fault_speeds_anything_up_under_adaptive_routing(picks, per_unit):
    design = new_design("rail-optimized", CATALOG, gpus=64, servers_per_unit=per_unit)
    for pick in picks:
        cables = list(design.cables)
        design.apply(remove(design, [cables[pick % len(cables)]]))
    for effect in single_faults(design, Options(routing="adaptive"), CATALOG):
        assert (effect.ratios["bisection"] or 0.0) <= 1 + 1e-9, effect.name
        for name in ("all_reduce", "all_to_all", "step"):
            ratio = effect.ratios[name]
            # fewer GPUs exchange less
            assert effect.lost_gpus or ratio is None or ratio >= 1 - 1e-6, (effect.name, name)
