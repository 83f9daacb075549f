"""The cable schedule: one row a link, both ends as a technician finds them."""

from designer.catalog.load import default_catalog
from designer.engine.schedule import cable_schedule, natural, schedule_totals
from designer.model.design import Design
from designer.model.records import Cable, Device, Group, PortRange
from tests.engine.drawings import add, change, drop, fabric, records, superpod

CATALOG = default_catalog()


def test_rows_equal_links_and_trunks_equal_records():
    design = superpod()
    links = sum(c.count for c in design.cables.values())
    assert len(cable_schedule(design, CATALOG)) == links == 2044
    rows = cable_schedule(design, CATALOG, trunks=True)
    assert len(rows) == len(design.cables)
    assert sum(r.count for r in rows) == links


def test_totals_are_those_of_the_rows_in_their_order():
    design = superpod()
    change(design, "cables", next(iter(design.cables)), length_m=3.0)
    drop(design, "devices", "s3")
    found = {}
    for row in cable_schedule(design, CATALOG, trunks=True):
        key = (row.kind, row.medium, row.part, row.length_m, row.assumed)
        found[key] = found.get(key, 0) + row.count
    totals = {}
    for t in schedule_totals(design, CATALOG):
        key = (t.kind, t.medium, t.part, t.length_m, t.assumed)
        totals[key] = totals.get(key, 0) + t.count
    assert list(totals.items()) == list(found.items())


def test_each_port_of_each_device_stands_once():
    rows = cable_schedule(fabric(4, 2, 3), CATALOG)
    ends = [(e.device, e.port) for r in rows for e in (r.a, r.b)]
    assert len(ends) == len(set(ends))
    assert ("leaf-1", "P35") in ends


def test_rack_unit_rail_part_and_length():
    design = fabric(1, 1)
    add(design, "groups", Group("g1", "rack", "A01"))
    change(design, "devices", "v0.0", rack="g1", rack_unit=18)
    row = next(r for r in cable_schedule(design, CATALOG) if r.a.port == "NIC 5")
    assert (row.a.device, row.a.rack, row.a.rack_unit) == ("srv-1", "A01", 18)
    assert (row.b.label, row.rail, row.speed, row.kind) == ("leaf-5 P1", 5, 400e9, "server_leaf")
    assert (row.part, row.medium, row.length_m, row.assumed) == (
        "fibre-multimode",
        "multimode",
        15,
        True,
    )
    assert row.a.optic == row.b.optic == "optic-800g-2xsr4"


def test_given_length_is_not_assumed():
    rows = cable_schedule(fabric(1, 0, length_m=2.5), CATALOG)
    assert {(r.part, r.length_m, r.assumed) for r in rows} == {("passive-copper-400g", 2.5, False)}


def test_missing_device_shows_its_id():
    design = fabric(1, 1)
    drop(design, "devices", "v0.0")
    rows = [r for r in cable_schedule(design, CATALOG) if r.a.device == "v0.0"]
    assert len(rows) == 8
    assert rows[0].a.port == ""
    assert rows[0].part == ""
    assert rows[0].title


def test_natural_order():
    names = ["leaf-10", "leaf-9", "su02-leaf1", "su01-leaf11", "su01-leaf2"]
    assert sorted(names, key=natural) == [
        "leaf-9",
        "leaf-10",
        "su01-leaf2",
        "su01-leaf11",
        "su02-leaf1",
    ]


def test_rail_of_a_dual_port_nic_in_a_trunk():
    design = Design()
    devices = [
        Device("v", "v", "hgx-h100", "server", nics="connectx-7-2x200"),
        Device("l", "l", "hpn-tor-51t", "leaf"),
    ]
    records(design, devices, [])
    add(design, "cables", Cable("k", PortRange("v", "nic", 3, 4), PortRange("l", "fabric", 1, 4)))
    assert [r.rail for r in cable_schedule(design, CATALOG)] == [2, 2, 3, 3]
