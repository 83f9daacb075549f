"""Repeating a unit: the copies are wired as the original, on ports of their own."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.catalog.load import default_catalog
from designer.errors import DesignerError, WiringError
from designer.model.operations import remove
from designer.model.ports import expand
from designer.model.repeat import MOST, most_repeats, repeat_group
from designer.services.create import new_design

CATALOG = default_catalog()


def _unit(gpus=64, spare=True):
    """One unit of a two-unit fabric, so that its spines have ports for more."""
    design = new_design("rail-optimized", CATALOG, gpus=2 * gpus, servers_per_unit=gpus // 8)
    units = [g for g in design.groups.values() if g.kind == "unit"]
    if spare:
        design.apply(remove(design, [d.id for d in design.members(units[1])] + [units[1].id]))
    return design, units[0]


def _shape(design, group):
    """The wiring of a group, whatever its devices are called: by role, ports and peer."""
    found = Counter()
    rows = {d.id: d for d in design.members(group)}
    for device in rows.values():
        for cable_id in design.cables_of(device.id):
            cable = design.cables[cable_id]
            mine, other = cable.end_at(device.id), cable.other_end(device.id)
            peer = design.devices[other.device]
            place = (other.family, other.first) if peer.id in rows else (peer.name, 0)
            for k, port in enumerate(expand(device, mine)):
                at = place if peer.id not in rows else (place[0], other.first + k)
                found[device.role, device.type, port, peer.role, at] += 1
    return found


def _no_port_twice(design):
    used = Counter(
        (end.device, port)
        for cable in design.cables.values()
        for end in (cable.a, cable.b)
        for port in expand(design.devices[end.device], end)
    )
    assert max(used.values()) == 1


def test_a_copy_is_wired_as_the_original():
    design, unit = _unit()
    before = len(design.devices)
    design.apply(repeat_group(design, unit.id, 1))
    copy = next(g for g in design.groups.values() if g.kind == "unit" and g.id != unit.id)
    assert copy.name == "su02"
    assert len(design.devices) == before + sum(1 for _ in design.members(unit))
    assert _shape(design, copy) == _shape(design, unit)
    assert {d.name for d in design.members(copy)} >= {"su02-leaf-1"}
    _no_port_twice(design)


@given(st.integers(1, 6))
def test_copies_stand_apart_and_are_one_step(times):
    design = new_design("rail-optimized", CATALOG, gpus=7 * 64, servers_per_unit=8)
    units = [g for g in design.groups.values() if g.kind == "unit"]
    gone = [d.id for g in units[1:] for d in design.members(g)] + [g.id for g in units[1:]]
    design.apply(remove(design, gone))
    devices, cables = dict(design.devices), dict(design.cables)
    edit = repeat_group(design, units[0].id, times)
    design.apply(edit)
    shapes = [_shape(design, g) for g in design.groups.values() if g.kind == "unit"]
    assert len(shapes) == times + 1
    assert all(shape == shapes[0] for shape in shapes)
    _no_port_twice(design)
    assert len({(p.x, p.y) for p in design.placements.values()}) == len(design.placements)
    assert len({d.name for d in design.devices.values()}) == len(design.devices)
    design.apply(edit.inverse())
    assert (design.devices, design.cables) == (devices, cables)


def test_too_many_copies_are_refused_with_how_many_fit():
    design, unit = _unit()
    room = most_repeats(design, unit.id)
    assert room >= 1
    with pytest.raises(WiringError, match=f"for {room} more"):
        repeat_group(design, unit.id, room + 1)
    design.apply(repeat_group(design, unit.id, room))
    assert most_repeats(design, unit.id) == 0


@pytest.mark.parametrize("times", [0, -1, MOST + 1])
def test_numbers_that_cannot_be_are_refused(times):
    design, unit = _unit()
    with pytest.raises(DesignerError, match="1 to"):
        repeat_group(design, unit.id, times)


def test_a_group_without_cables_outside_can_be_repeated_a_thousand_times():
    design = new_design("four-servers", CATALOG)
    server = next(d for d in design.devices.values() if d.role == "server")
    design.apply(remove(design, [d for d in design.devices if d != server.id]))
    unit = next(iter(design.groups.values()), None)
    if unit is None or not list(design.members(unit)):
        from designer.model.groups import create_group

        design.apply(create_group(design, "unit", "block", [server.id]))
        unit = next(g for g in design.groups.values() if g.name == "block")
    design.apply(repeat_group(design, unit.id, MOST))
    assert len(design.devices) == MOST + 1


def test_racks_inside_a_unit_are_copied_and_pods_around_it_kept():
    design = new_design("nvl72", CATALOG)
    unit = next(g for g in design.groups.values() if g.kind == "unit")
    racks = {d.rack for d in design.members(unit)} - {""}
    if most_repeats(design, unit.id) == 0:
        rack = design.groups[sorted(racks)[0]]
        design.apply(remove(design, [d.id for d in design.devices.values() if d.role != "server"]))
        edit = repeat_group(design, rack.id, 1)
    else:
        edit = repeat_group(design, unit.id, 1)
    design.apply(edit)
    _no_port_twice(design) if design.cables else None
    for device in design.devices.values():
        assert not device.rack or device.rack in design.groups
