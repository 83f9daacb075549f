"""Placing, moving, removing, retyping: what a person does, undone without a trace."""

import pytest

from designer.errors import ConflictError, DesignerError, WiringError
from designer.model import clipboard, groups, operations, wiring
from designer.model.design import PICTURE_TABLES, TABLES, Design
from designer.model.edits import Edit, Swap
from designer.model.records import AssumptionValue, PortRange
from designer.units import Range
from tests.model.parts import DUAL, ETHERNET, NIC, SERVER, SLOW, SWITCH


def tables(design):
    return {name: dict(design.table(name)) for name in TABLES}


def small():
    design = Design()
    design.apply(operations.place(design, SWITCH, 0, 0, name="leaf-1"))
    design.apply(operations.place(design, SWITCH, 0, -200, role="spine", name="spine-1"))
    design.apply(operations.place(design, SERVER, 0, 200, nic=NIC, name="srv-1"))
    design.apply(wiring.connect_devices(design, named(design, "srv-1"), named(design, "leaf-1"), 8))
    design.apply(
        wiring.connect_devices(design, named(design, "leaf-1"), named(design, "spine-1"), 4)
    )
    return design


def named(design, name):
    return design.named(name).id


def test_place_embeds_the_type_and_its_nic_and_names_the_device():
    design = Design()
    edit = operations.place(design, SERVER, 10, 20, nic=NIC)
    design.apply(edit)
    device = next(iter(design.devices.values()))
    assert device.name == "srv-1"
    assert set(design.types) == {"srv-8", "nic-400"}
    assert design.placements[device.id].x == 10
    design.apply(edit.inverse())
    assert tables(design) == tables(Design())


def test_a_nic_cannot_stand_by_itself():
    with pytest.raises(DesignerError, match="by itself"):
        operations.place(Design(), NIC, 0, 0)


def test_names_stay_unique():
    design = small()
    with pytest.raises(DesignerError, match="already called"):
        operations.place(design, SWITCH, 0, 0, name="leaf-1")
    with pytest.raises(DesignerError, match="already called"):
        operations.set_field(design, [named(design, "spine-1")], "name", "leaf-1")
    with pytest.raises(DesignerError, match="needs a name"):
        operations.set_field(design, [named(design, "spine-1")], "name", " ")
    with pytest.raises(DesignerError, match="of its own"):
        operations.set_field(design, list(design.devices), "name", "x")


def test_parallel_links_are_one_trunk_with_a_count():
    design = small()
    trunk = [c for c in design.cables.values() if c.count == 4]
    assert len(trunk) == 1
    assert trunk[0].a.first == 9  # after the eight server ports
    assert sum(c.count for c in design.cables.values()) == 12


def test_remove_takes_the_cables_along_and_undo_brings_them_back():
    design = small()
    before = tables(design)
    edit = operations.remove(design, [named(design, "leaf-1")])
    design.apply(edit)
    assert not design.cables
    assert design.named("leaf-1") is None
    design.apply(edit.inverse())
    assert tables(design) == before
    assert design.named("leaf-1") is not None
    assert len(design.cables_of(named(design, "leaf-1"))) == 2


def test_removing_a_group_keeps_its_members_and_lifts_inner_groups():
    design = small()
    ids = [named(design, "leaf-1"), named(design, "srv-1")]
    design.apply(groups.create_group(design, "pod", "Pod 1", ids))
    pod = next(iter(design.groups))
    design.apply(groups.create_group(design, "unit", "Unit 1", ids, parent=pod))
    before = tables(design)
    edit = operations.remove(design, [pod])
    design.apply(edit)
    assert design.devices[ids[0]].pod == ""
    assert design.devices[ids[0]].unit
    assert next(iter(design.groups.values())).parent == ""
    design.apply(edit.inverse())
    assert tables(design) == before


def test_a_group_cannot_hold_itself():
    design = small()
    design.apply(groups.create_group(design, "pod", "Pod 1", []))
    pod = next(iter(design.groups))
    design.apply(groups.create_group(design, "unit", "Unit 1", [], parent=pod))
    unit = next(i for i in design.groups if i != pod)
    with pytest.raises(DesignerError, match="inside itself"):
        groups.nest_group(design, pod, unit)


def test_dual_port_nics_double_the_ports_and_keep_the_rail():
    design = Design()
    design.apply(operations.place(design, SERVER, 0, 0, nic=NIC))
    device = next(iter(design.devices.values()))
    design.apply(operations.change_nics(design, [device.id], DUAL))
    device = design.devices[device.id]
    assert design.families(device)["nic"].count == 16
    assert [design.rail(device, p) for p in (1, 2, 3, 16)] == [1, 1, 2, 8]
    design.apply(wiring.connect_devices(design, device.id, add_switch(design), 16))
    with pytest.raises(WiringError, match="the new NICs do not have it"):
        operations.change_nics(design, [device.id], None)


def add_switch(design):
    edit = operations.place(design, SWITCH, 0, 0)
    design.apply(edit)
    return edit.ids("devices")[0]


def test_an_edit_that_no_longer_fits_changes_nothing():
    design = small()
    leaf = named(design, "leaf-1")
    stale = operations.set_field(design, [leaf], "notes", "old")
    design.apply(operations.set_field(design, [leaf], "notes", "new"))
    before = tables(design)
    with pytest.raises(ConflictError):
        design.apply(stale)
    assert tables(design) == before


def test_then_coalesces_a_drag():
    design = small()
    leaf = named(design, "leaf-1")
    first = operations.move(design, {leaf: (5, 5)})
    design.apply(first)
    second = operations.move(design, {leaf: (9, 9)})
    design.apply(second)
    joined = first.then(second)
    assert len(joined.swaps) == 1
    design.apply(joined.inverse())
    assert design.placements[leaf].x == 0
    assert joined.tables() <= PICTURE_TABLES


def test_moving_nowhere_is_no_edit():
    design = small()
    assert not operations.move(design, {named(design, "leaf-1"): (0, 0)})


def test_duplicate_keeps_inner_cables_under_fresh_ids_and_names():
    design = small()
    before = set(design.cables) | set(design.devices)
    edit, new = clipboard.duplicate(design, list(design.devices), 40, 40)
    design.apply(edit)
    assert len(new) == 3
    assert not set(new) & before
    assert len(design.cables) == 4
    assert len({d.name for d in design.devices.values()}) == 6
    for cable_id in edit.ids("cables"):
        cable = design.cables[cable_id]
        assert {cable.a.device, cable.b.device} <= set(new)


def test_copying_one_end_leaves_the_cable_behind():
    design = small()
    board = clipboard.copy(design, [named(design, "leaf-1")])
    assert len(board.devices) == 1
    assert not board.cables


def test_assumptions_are_set_and_reset():
    design = small()
    value = AssumptionValue(Range(0.9, 0.91, 0.92), "measured")
    design.apply(operations.set_assumption(design, "nic_efficiency", value))
    assert design.assumptions["nic_efficiency"].source == "measured"
    design.apply(operations.set_assumption(design, "nic_efficiency", None))
    assert not design.assumptions
    assert not operations.set_assumption(design, "nic_efficiency", None)


def test_mapping_hosts_refuses_a_type_with_too_few_nics():
    design = small()
    with pytest.raises(WiringError, match="uses NIC port 8"):
        operations.map_servers(design, [named(design, "srv-1")], SLOW)


def test_ethernet_and_infiniband_do_not_link():
    design = small()
    design.apply(operations.place(design, ETHERNET, 0, 0, name="eth"))
    reason = wiring.refusal(
        design,
        PortRange(named(design, "eth"), "fabric", 1),
        PortRange(named(design, "leaf-1"), "fabric", 40),
    )
    assert "do not link" in reason


def test_unknown_tables_are_refused():
    with pytest.raises(ConflictError, match="no table"):
        Design().apply(Edit("x", (Swap("wires", "1", None, 1),)))


def test_a_snapshot_does_not_tell_an_undone_deletion_from_none():
    design = small()
    before = design.snapshot()
    gone = operations.remove(design, sorted(design.devices))
    design.apply(gone)
    design.apply(gone.inverse())
    after = design.snapshot()
    for name in TABLES:
        assert list(before.table(name)) == list(after.table(name))
