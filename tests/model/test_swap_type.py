"""Swapping the type of cabled devices: no link is lost without a word."""

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from designer.catalog.types import Breakout, PartType, PortFamily
from designer.model import operations, wiring
from designer.model.design import TABLES, Design
from designer.model.ports import all_ports, expand, link_speed, port_users
from designer.model.records import PortRange
from designer.model.swap_type import swap_type
from tests.model.parts import ETHERNET, NIC, SERVER, SLOW, SWITCH


def _switch(slug, count, speeds, breakouts=(), technology="infiniband", form="osfp"):
    family = PortFamily("fabric", count, "P{n}", speeds, form, 1, breakouts)
    return PartType(slug, "switch", "Test", slug, technology, ports=(family,))


WIDE = _switch("wide-32", 32, (800e9,), (Breakout(2, 400e9), Breakout(4, 200e9)))
MIXED = _switch("mixed-40", 40, (800e9, 400e9, 200e9), (Breakout(2, 400e9),))
SMALL = _switch("small-16", 16, (400e9, 200e9))
OLDER = _switch("older-64", 64, (200e9,), form="qsfp56")
BIG = _switch("big-128", 128, (400e9,))
TYPES = (SWITCH, WIDE, MIXED, SMALL, OLDER, BIG, SLOW, ETHERNET)


def _named(design, name):
    return design.named(name).id


def _full():
    """Return a leaf with all 64 ports cabled: 32 to servers, four trunks of 8 to spines."""
    design = Design()
    design.apply(operations.place(design, SWITCH, 0, 0, name="leaf"))
    for k in range(4):
        design.apply(operations.place(design, SERVER, 0, 0, nic=NIC, name=f"srv-{k}"))
        ids = _named(design, f"srv-{k}"), _named(design, "leaf")
        for nic in range(8):
            a = PortRange(ids[0], "nic", nic + 1)
            b = PortRange(ids[1], "fabric", 8 * k + nic + 1)
            design.apply(wiring.connect(design, a, b))
    for k in range(4):
        design.apply(operations.place(design, SWITCH, 0, 0, role="spine", name=f"spine-{k}"))
        a = PortRange(_named(design, "leaf"), "fabric", 33 + 8 * k, 8)
        b = PortRange(_named(design, f"spine-{k}"), "fabric", 1, 8)
        design.apply(wiring.connect(design, a, b))
    return design


def _check(design, ids, part, nic=None):
    """Apply a swap and hold it against what it promised; return the plan."""
    before = {t: dict(design.table(t)) for t in TABLES}
    sound = {i for i, c in design.cables.items() if link_speed(design, c)}
    at = {c for i in ids for c in design.cables_of(i)}
    plan = swap_type(design, ids, part, nic)
    design.apply(plan.edit)
    listed = {f.cable: f for f in plan.fittings}
    for id_, old in before["cables"].items():
        new = design.cables.get(id_)
        if new == old and id_ not in listed:
            continue
        fit = listed[id_]
        assert (new is None) == (fit.fate == "dropped")
        left = new.count if new is not None else 0
        assert left == old.count - fit.lost and fit.links == old.count
        assert fit.reason or not fit.lost
        if new is None:
            continue
        assert new.a.count == new.b.count
        if fit.fate in ("kept", "moved"):
            assert id_ not in sound or fit.after >= fit.before
        if fit.fate == "kept":
            assert new == old
        if id_ in sound and id_ in at:
            assert link_speed(design, new), (fit, new)
    _sound_ports(design)
    inverse = plan.edit.inverse()
    design.apply(inverse)
    assert {t: dict(design.table(t)) for t in TABLES} == before
    design.apply(plan.edit)
    return plan


def _sound_ports(design):
    for device in design.devices.values():
        real = {p for f in design.families(device) for p in all_ports(design, device, f)}
        for port, users in port_users(design, device).items():
            assert port in real and len(users) == 1, (device.name, port, users)


def test_a_wider_type_keeps_every_cable_on_its_port():
    design = _full()
    plan = _check(design, [_named(design, "leaf")], BIG)
    assert not plan.worse and {f.fate for f in plan.fittings} == {"kept"}
    assert len(plan.fittings) == 36


def test_ports_of_twice_the_speed_take_two_cables_each_on_split_ports():
    design = _full()
    leaf = _named(design, "leaf")
    plan = _check(design, [leaf], WIDE)
    assert plan.lost == 0 and not plan.worse
    assert len(port_users(design, design.devices[leaf])) == 64
    assert {b.lanes for b in design.devices[leaf].breakouts} == {2}


def test_split_ports_go_back_to_whole_ones():
    design = _full()
    leaf = _named(design, "leaf")
    design.apply(swap_type(design, [leaf], WIDE).edit)
    plan = _check(design, [leaf], BIG)
    assert plan.lost == 0 and not design.devices[leaf].breakouts


def test_what_has_no_port_is_listed_and_only_that():
    design = _full()
    plan = _check(design, [_named(design, "leaf")], SMALL)
    assert plan.lost == 64 - 16
    assert sum(f.lost for f in plan.worse) == 48


def test_a_slower_type_slows_and_says_so():
    design = _full()
    plan = _check(design, [_named(design, "leaf")], OLDER)
    assert plan.lost == 0
    assert {(f.fate, f.before, f.after) for f in plan.fittings} == {("slowed", 400e9, 200e9)}


def test_another_technology_drops_the_cables_but_not_when_both_ends_change():
    design = _full()
    plan = _check(design, [_named(design, "leaf")], ETHERNET)
    # servers speak both, the InfiniBand spines do not
    assert plan.lost == 32 and all("infiniband" in f.reason for f in plan.worse)
    design = _full()
    both = [d.id for d in design.devices.values() if d.role in ("leaf", "spine")]
    plan = _check(design, both, ETHERNET)
    assert plan.lost == 0 and not plan.worse


def test_nics_keep_their_rail():
    design = _full()
    four = replace(
        SERVER, slug="srv-4", ports=(PortFamily("nic", 4, "NIC {n}", (400e9,)),), nic_slots=4
    )
    plan = _check(design, [_named(design, "srv-1")], four, NIC)
    assert [f.fate for f in plan.fittings] == ["kept"] * 4 + ["dropped"] * 4


def test_named_cable_parts_that_no_longer_fit_are_chosen_anew_and_listed():
    design = _full()
    leaf = _named(design, "leaf")
    id_ = next(iter(design.cables_of(leaf)))
    design.apply(operations.set_field(design, [id_], "optic_a", "some-osfp"))
    plan = _check(design, [leaf], _switch("qsfp-64", 64, (400e9,), form="qsfp112"))
    assert [(f.cable, f.fate) for f in plan.worse] == [(id_, "reparted")]
    assert design.cables[id_].optic_a == ""


def test_the_same_type_changes_nothing():
    design = _full()
    assert not swap_type(design, [_named(design, "leaf")], SWITCH).edit


@st.composite
def _wired(draw):
    design = Design()
    design.apply(operations.place(design, draw(st.sampled_from(TYPES)), 0, 0, name="sw-0"))
    for k in range(1, draw(st.integers(2, 4))):
        part = draw(st.sampled_from(TYPES))
        design.apply(operations.place(design, part, 0, 0, name=f"sw-{k}"))
    names = list(design.devices)
    for id_ in names:
        family = design.families(design.devices[id_])["fabric"]
        if family.breakouts and draw(st.booleans()):
            lanes = draw(st.sampled_from([b.lanes for b in family.breakouts]))
            count = draw(st.integers(1, 6))
            design.apply(wiring.break_out(design, id_, "fabric", 3, count, lanes))
    for _n in range(draw(st.integers(0, 12))):
        a, b = (_end(draw, design, names) for _side in "ab")
        count = min(a[1], b[1])
        one, two = replace(a[0], count=count), replace(b[0], count=count)
        if not wiring.refusal(design, one, two):
            design.apply(wiring.connect(design, one, two))
    return design


def _end(draw, design, names):
    id_ = draw(st.sampled_from(names))
    ports = list(all_ports(design, design.devices[id_], "fabric"))
    port = ports[draw(st.integers(0, len(ports) - 1))]
    return PortRange(id_, "fabric", port.number, 1, port.lane), draw(st.integers(1, 10))


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(_wired(), st.data())
def test_no_link_is_lost_without_a_word(design, data):
    for id_, cable in design.cables.items():
        assert expand(design.devices[cable.a.device], cable.a), id_
    ids = data.draw(st.lists(st.sampled_from(list(design.devices)), min_size=1, unique=True))
    _check(design, ids, data.draw(st.sampled_from(TYPES)))
