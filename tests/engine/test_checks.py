"""Each rule of the checks: a drawing that breaks it, and healthy drawings that break none."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.catalog.catalog import Catalog
from designer.catalog.load import default_catalog
from designer.engine.check_rules import MOST_PER_RULE, SEVERITY
from designer.engine.checks import check, rules_passed
from designer.engine.compile import compile_network
from designer.model.design import Design
from designer.model.edits import Edit, Swap
from designer.model.records import Cable, Device, KeptRecord, PortBreakout, PortRange
from designer.topologies import TEMPLATES, generate
from tests.engine.drawings import add, change, drop, fabric, records, superpod

CATALOG = default_catalog()


def run(design, catalog=CATALOG):
    return check(design, compile_network(design), catalog)


def of(design, rule, catalog=CATALOG):
    return [f for f in run(design, catalog) if f.rule == rule]


def cable(a, b, id_="x", **fields):
    return Cable(id_, PortRange(*a), PortRange(*b), **fields)


# --- one way to break each rule -----------------------------------------------------------------


def kept(d):
    add(d, "kept", KeptRecord("devices", "d-9", {"name": 3}, "name is no text.", 12))


def unknown_field(d):
    add(d, "kept", KeptRecord("devices", "d-9", {"hue": 3}, "hue is unknown.", 12, "fields"))


def unknown_type(d):
    change(d, "devices", "s0", type="mystery-64")


def duplicate(d):
    change(d, "devices", "s1", name="spine-1")


def unknown_gpus(d):
    part = d.types["dgx-h100"]
    change(d, "types", "dgx-h100", gpu=replace(part.gpu, count=None))


def unsourced(d):
    add(d, "types", CATALOG.get("ufm-appliance"))
    add(d, "devices", Device("u", "ufm", "ufm-appliance", "host"))


def unknown_speed(d):
    part = d.types["qm9700"]
    bare = tuple(replace(f, speeds=(), breakouts=()) for f in part.ports)
    change(d, "types", "qm9700", ports=bare)


def dangling(d):
    add(d, "cables", cable(("v0.0", "nic", 1), ("gone", "fabric", 1)))


def to_itself(d):
    add(d, "cables", cable(("s0", "fabric", 60), ("s0", "fabric", 61)))


def ends_differ(d):
    add(d, "cables", cable(("s0", "fabric", 60, 2), ("s1", "fabric", 60, 3)))


def port_missing(d):
    add(d, "cables", cable(("s0", "fabric", 65), ("s1", "fabric", 60)))


def port_taken(d):
    add(d, "cables", cable(("s0", "fabric", 1), ("s1", "fabric", 60)))


def no_speed(d):
    add(d, "types", CATALOG.get("sn4600c"))
    add(d, "types", CATALOG.get("sn2201"))
    add(d, "devices", Device("e1", "e1", "sn4600c", "leaf", fabric="inband"))
    add(d, "devices", Device("e2", "e2", "sn2201", "leaf", fabric="inband"))
    add(d, "cables", cable(("e1", "fabric", 1), ("e2", "mgmt", 1)))


def slower(d):
    add(d, "types", CATALOG.get("passive-copper-200g"))
    first = next(iter(d.cables))
    change(d, "cables", first, type="passive-copper-200g", length_m=2.0)


def technology(d):
    add(d, "types", CATALOG.get("sn5400"))
    add(d, "devices", Device("e", "eth-1", "sn5400", "spine"))
    add(d, "cables", cable(("l0.0", "fabric", 60), ("e", "fabric", 1)))


def form_factor(d):
    change(d, "cables", next(iter(d.cables)), optic_a="optic-400g-sr4-qsfpdd")


def medium(d):
    change(
        d,
        "cables",
        next(iter(d.cables)),
        optic_a="optic-800g-2xsr4",
        optic_b="optic-800g-2xdr4-100m",
    )


def mixed_cage(d):
    add(d, "cables", cable(("s0", "fabric", 61), ("s1", "fabric", 61), "x", length_m=2.0))
    add(d, "cables", cable(("s0", "fabric", 62), ("s1", "fabric", 62), "y", length_m=40.0))


def beyond(d):
    change(d, "cables", next(iter(d.cables)), type="passive-copper-400g", length_m=20.0)


def no_part(d):
    change(d, "cables", next(iter(d.cables)), length_m=5000.0)


def uncabled(d):
    drop(d, "cables", next(c for c in d.cables_of("v0.0")))


def isolated(d):
    add(d, "devices", Device("n", "leaf-99", "qm9700", "leaf"))


def unused(d):
    add(d, "devices", Device("n", "spine-9", "qm9700", "spine"))


def uneven(d):
    first = next(c.id for c in d.cables.values() if {c.a.device, c.b.device} == {"l0.4", "s1"})
    kept_ends = d.cables[first]
    change(d, "cables", first, a=replace(kept_ends.a, count=1), b=replace(kept_ends.b, count=1))


def oversubscribed(d):
    for c in [c for c in d.cables.values() if c.b.device.startswith("s")]:
        change(d, "cables", c.id, a=replace(c.a, count=1), b=replace(c.b, count=1))


def misaligned(d):
    ids = {c.a.first: c.id for c in d.cables.values() if c.a.device == "v0.2"}
    one, two = d.cables[ids[4]], d.cables[ids[5]]
    change(d, "cables", one.id, b=two.b)
    change(d, "cables", two.id, b=one.b)


def wrong_role(d):
    change(d, "devices", "s0", role="leaf")


def unreachable(d):
    records(
        d,
        [Device("far", "far-leaf", "qm9700", "leaf"), Device("w", "far-srv", "dgx-h100", "server")],
        [],
    )
    add(d, "cables", cable(("w", "nic", 1), ("far", "fabric", 1)))


BREAKERS = {
    "kept-record": kept,
    "unknown-field": unknown_field,
    "unknown-type": unknown_type,
    "duplicate-name": duplicate,
    "unknown-gpus": unknown_gpus,
    "unsourced-part": unsourced,
    "dangling-cable": dangling,
    "cable-to-itself": to_itself,
    "ends-differ": ends_differ,
    "port-missing": port_missing,
    "port-taken": port_taken,
    "no-shared-speed": no_speed,
    "unknown-speed": unknown_speed,
    "slower-than-port": slower,
    "technology-mismatch": technology,
    "form-factor-mismatch": form_factor,
    "medium-mismatch": medium,
    "mixed-cage": mixed_cage,
    "beyond-reach": beyond,
    "no-part-fits": no_part,
    "server-uncabled": uncabled,
    "isolated-device": isolated,
    "unused-spine": unused,
    "uneven-uplinks": uneven,
    "oversubscribed": oversubscribed,
    "rail-misaligned": misaligned,
    "role-mismatch": wrong_role,
    "unreachable-gpus": unreachable,
    "mixed-technology": technology,
}


def healthy():
    return fabric(4, 2)


def test_every_rule_has_a_case_and_a_severity():
    # the job is no part of the drawing: its rule is tested with the step
    assert set(BREAKERS) == set(SEVERITY) - {
        "workload-layout",
        "workload-memory",
        "workload-recompute",
    }
    # The one table: changing a severity is a decision, not an accident.
    assert {r for r, s in SEVERITY.items() if s == "error"} == {
        "kept-record",
        "unknown-type",
        "dangling-cable",
        "cable-to-itself",
        "ends-differ",
        "port-missing",
        "port-taken",
        "no-shared-speed",
        "technology-mismatch",
        "form-factor-mismatch",
        "medium-mismatch",
        "mixed-cage",
        "beyond-reach",
        "unreachable-gpus",
    }
    assert {r for r, s in SEVERITY.items() if s == "info"} == {
        "unknown-field",
        "unsourced-part",
        "oversubscribed",
        "workload-recompute",
    }


@pytest.mark.parametrize("rule", BREAKERS)
def test_rule_finds_its_fault(rule):
    design = healthy()
    BREAKERS[rule](design)
    found = of(design, rule)
    assert found, [f.rule for f in run(design)]
    for finding in found:
        assert finding.severity == SEVERITY[rule]
        assert finding.message
        assert finding.hint
        assert finding.ids
        assert "{" not in finding.message + finding.hint


@pytest.mark.parametrize("rule", BREAKERS)
def test_healthy_drawing_passes(rule):
    assert of(healthy(), rule) == []


def test_healthy_drawing_passes_all_rules():
    assert run(healthy()) == []
    assert rules_passed([]) == len(SEVERITY)
    assert rules_passed(run_broken(port_taken)) == len(SEVERITY) - 1


def run_broken(breaker):
    design = healthy()
    breaker(design)
    return run(design)


def test_superpod_has_notes_only():
    # UFM is recalled data; that is all there is to say about the published four-unit SuperPOD
    assert {f.rule for f in run(superpod())} == {"unsourced-part"}


def test_uneven_uplinks_say_what_where_effect_and_action():
    design = fabric(32, 4, 8)
    ids = [c.id for c in design.cables.values() if (c.a.device, c.b.device) == ("l0.4", "s2")]
    trunk = design.cables[ids[0]]
    change(design, "cables", ids[0], a=replace(trunk.a, count=6), b=replace(trunk.b, count=6))
    found = of(design, "uneven-uplinks")
    assert [f.message for f in found] == [
        "leaf-5 → spine-3: 6 of 8 cables. Rail 5: 32 down, 30 up (1.07 : 1)."
    ]
    assert found[0].hint == "Add 2 cables between them."
    assert set(found[0].ids) == {"l0.4", "s2", ids[0]}


def test_missing_trunk_is_told_once():
    design = fabric(4, 4, 2)
    gone = next(c.id for c in design.cables.values() if (c.a.device, c.b.device) == ("l0.0", "s3"))
    drop(design, "cables", gone)
    found = of(design, "uneven-uplinks")
    assert len(found) == 1
    assert found[0].message.startswith("leaf-1 is cabled to 3 switches above; its neighbours to 4.")


def test_port_taken_names_both_cables():
    design = healthy()
    port_taken(design)
    found = of(design, "port-taken")[0]
    assert found.message == (
        "spine-1 P1 takes two cables: from leaf-1 P33–P34 and from spine-2 P60."
    )
    assert "x" in found.ids


def test_trunks_overlap_at_one_port():
    design = healthy()
    add(design, "cables", cable(("s0", "fabric", 40, 4), ("s1", "fabric", 40, 4), "x"))
    add(design, "cables", cable(("s0", "fabric", 43, 3), ("s1", "fabric", 50, 3), "y"))
    found = of(design, "port-taken")
    assert len(found) == 1
    assert "P43" in found[0].message


def lanes():
    design = Design()
    split = (PortBreakout("fabric", 1, 2, 2),)
    devices = [
        Device("a", "a", "sn5600", "leaf", breakouts=split),
        Device("b", "b", "sn5600", "spine", breakouts=split),
    ]
    records(design, devices, [])
    return design


def test_lanes_of_a_split_port_take_one_cable_each():
    design = lanes()
    add(design, "cables", cable(("a", "fabric", 1, 4, 1), ("b", "fabric", 1, 4, 1)))
    assert not [f for f in run(design) if f.rule in ("port-taken", "port-missing")]
    add(design, "cables", cable(("a", "fabric", 2, 1, 2), ("b", "fabric", 3), "y"))
    found = of(design, "port-taken")
    assert len(found) == 1
    assert found[0].message.startswith("a swp2/2 takes two cables")


def test_whole_use_of_a_split_port_is_missing():
    design = lanes()
    add(design, "cables", cable(("a", "fabric", 1), ("b", "fabric", 3)))
    found = of(design, "port-missing")
    assert len(found) == 1
    assert "split into 2 lanes" in found[0].hint


def test_lane_of_a_whole_port_is_missing():
    design = lanes()
    add(design, "cables", cable(("a", "fabric", 3, 1, 1), ("b", "fabric", 3)))
    assert len(of(design, "port-missing")) == 1


@given(ports=st.lists(st.tuples(st.integers(-1, 70), st.integers(-1, 70)), max_size=12))
def test_ports_agree_with_counting_one_by_one(ports):
    design = Design()
    devices = [Device("a", "a", "qm9700", "leaf"), Device("b", "b", "qm9700", "spine")]
    pairs = [(PortRange("a", "fabric", p), PortRange("b", "fabric", q)) for p, q in ports]
    records(design, devices, pairs)
    findings = run(design)
    ends = [("a", p) for p, _q in ports] + [("b", q) for _p, q in ports]
    missing = sum(1 for _d, p in ends if not 1 <= p <= 64)
    taken = sum(1 for e in set(ends) if ends.count(e) > 1)
    assert sum(1 for f in findings if f.rule == "port-missing") == missing
    assert sum(1 for f in findings if f.rule == "port-taken") == taken


def test_rail_misalignment_names_both_leaves():
    design = healthy()
    misaligned(design)
    found = of(design, "rail-misaligned")
    assert [f.message for f in found] == [
        "srv-3 NIC 4 (rail 4) is on leaf-5, the leaf of rail 5: its traffic crosses the spines.",
        "srv-3 NIC 5 (rail 5) is on leaf-4, the leaf of rail 4: its traffic crosses the spines.",
    ]


def test_leaf_for_all_rails_is_not_misaligned():
    design = Design()
    devices = [Device("l", "l", "qm9700", "leaf"), Device("v", "v", "dgx-h100", "server")]
    records(
        design,
        devices,
        [(PortRange("v", "nic", n), PortRange("l", "fabric", n)) for n in range(1, 9)],
    )
    assert of(design, "rail-misaligned") == []


def test_rail_only_fabric_reaches_everyone_through_nvlink():
    assert of(fabric(4, 0), "unreachable-gpus") == []


def test_unreachable_gpus_are_counted():
    design = healthy()
    unreachable(design)
    message = of(design, "unreachable-gpus")[0].message
    assert message == "1 server (far-srv) cannot reach the others: 8 of 40 GPUs are cut off."


def test_a_fabric_of_unknown_speeds_is_neither_broken_nor_cut_off():
    design = healthy()
    unknown_speed(design)
    part = design.types["dgx-h100"]
    change(design, "types", "dgx-h100", gpu=replace(part.gpu, count=None))
    found = run(design)
    assert {f.rule for f in found if f.severity == "error"} == set()
    assert "unknown-speed" in {f.rule for f in found}


def test_servers_of_unknown_gpus_are_not_counted_as_none():
    design = healthy()
    unreachable(design)
    part = design.types["dgx-h100"]
    change(design, "types", "dgx-h100", gpu=replace(part.gpu, count=None))
    message = of(design, "unreachable-gpus")[0].message
    assert message == "1 server (far-srv) cannot reach the others."


def test_without_a_catalogue_missing_parts_are_not_told():
    assert of(healthy(), "no-part-fits", Catalog()) == []
    assert check(healthy(), compile_network(healthy())) == []


def test_many_faults_of_a_rule_are_told_in_one():
    design = healthy()
    for n in range(MOST_PER_RULE + 50):
        add(design, "cables", cable(("s0", "fabric", 70 + n), ("s1", "fabric", 60), f"x{n}"))
    found = of(design, "port-missing")
    assert len(found) == MOST_PER_RULE
    assert found[-1].message.startswith("51 more of this kind")
    assert len(found[-1].ids) == 52  # 51 cables and the spine


def test_servers_alike_are_told_together():
    design = Design()
    devices = [Device(f"v{n}", f"srv-{n + 1}", "dgx-h100", "server") for n in range(32)]
    records(design, devices, [])
    found = of(design, "server-uncabled")
    assert [f.message for f in found] == [
        "srv-1, srv-2, srv-3 and 29 more: 0 of 8 NIC ports are cabled at each."
    ]
    assert len(found[0].ids) == 32


def test_island_of_spines_carries_nothing():
    design = healthy()
    add(design, "devices", Device("x", "spine-8", "qm9700", "spine"))
    add(design, "devices", Device("y", "spine-9", "qm9700", "spine"))
    add(design, "cables", cable(("x", "fabric", 1), ("y", "fabric", 1)))
    assert of(design, "unused-spine")[0].ids == ("x", "y")


def test_empty_and_tiny_designs_do_not_fail():
    assert run(Design()) == []
    design = Design()
    records(design, [Device("v", "v", "dgx-h100", "server")], [])
    assert [f.rule for f in run(design)] == ["server-uncabled"]


def test_errors_come_first():
    design = healthy()
    for breaker in (unsourced, duplicate, port_taken):
        breaker(design)
    order = [f.severity for f in run(design)]
    assert order == sorted(order, key=["error", "warning", "info"].index)


@pytest.mark.parametrize("rule", BREAKERS)
def test_undoing_the_fault_silences_the_rule(rule):
    design = healthy()
    snapshot = design.snapshot()
    BREAKERS[rule](design)
    swaps = []
    for name in ("types", "devices", "cables", "kept"):
        before, after = snapshot.table(name), design.table(name)
        swaps += [
            Swap(name, key, after.get(key), before.get(key))
            for key in {**before, **after}
            if before.get(key) != after.get(key)
        ]
    design.apply(Edit("undo", tuple(swaps)))
    assert run(design) == []


@pytest.mark.parametrize("template", sorted(TEMPLATES))
def test_generated_drawings_have_no_error_and_no_warning(template):
    design = generate(template, CATALOG)
    assert not [f for f in run(design) if f.severity != "info"]
