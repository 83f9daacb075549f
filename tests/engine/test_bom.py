"""The bill of materials: equal to the records, to published counts, and with the right optics."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.catalog.catalog import Catalog
from designer.catalog.load import default_catalog
from designer.engine.audit import audit
from designer.engine.bom import bill_of_materials
from designer.engine.census import take_census
from designer.engine.media import Cage, choose_media
from designer.engine.stock import Stock
from designer.model.design import Design
from designer.model.records import Cable, Device, PortBreakout, PortRange
from designer.topologies import TEMPLATES, generate
from tests.engine.drawings import add, change, drop, fabric, records, superpod

CATALOG = default_catalog()


def pieces(bom, kind, role="", end=""):
    return sum(
        r.count
        for r in bom.rows
        if r.kind == kind and (not role or r.role == role) and (not end or r.end == end)
    )


def test_superpod_matches_the_published_bill():
    # NVIDIA DGX SuperPOD RA-11333-001 V11, Tables 7 and 8: 127 servers, 32 + 16 switches, 2,040
    # NDR cables (1,016 + 1,024), 1,536 switch and 508 server twin-port transceivers, 4 for UFM.
    bom = bill_of_materials(superpod(), CATALOG)
    assert pieces(bom, "server") == 127
    assert pieces(bom, "switch") == 48
    assert pieces(bom, "cable", "server_leaf") == 1016
    assert pieces(bom, "cable", "leaf_spine") == 1024
    assert pieces(bom, "cable", "server_leaf") + pieces(bom, "cable", "leaf_spine") == 2040
    switch_side = [r for r in bom.rows if r.kind == "optic" and r.end in ("leaf", "spine")]
    assert sum(r.count for r in switch_side) == 1536
    assert {r.part for r in switch_side} == {"optic-800g-2xsr4"}
    assert pieces(bom, "optic", end="server") == 508
    assert pieces(bom, "optic", end="host") == 4
    assert pieces(bom, "nic", "server") == 1016


def reference_counts():
    path = Path(__file__).parents[2] / "../shared/reference/superpod_h100_bom.csv"
    if not path.exists():
        pytest.skip("the reference tables are not beside the repository")
    with path.open(encoding="utf-8") as file:
        return {row["item"]: int(row["count"]) for row in csv.DictReader(file)}


def test_generated_superpod_matches_the_reference_table():
    wanted = reference_counts()
    bom = bill_of_materials(generate("superpod-h100", CATALOG, scalable_units=4), CATALOG)
    optics = bom.select("optic")
    assert pieces(bom, "server") == wanted["DGX H100 nodes"]
    assert pieces(bom, "switch") == wanted["QM9700 compute fabric switches"]
    assert (
        pieces(bom, "cable", "server_leaf") + pieces(bom, "cable", "leaf_spine")
        == wanted["NDR 400G fibre cables, compute"]
    )
    assert (
        sum(r.count for r in optics if r.end in ("leaf", "spine"))
        == wanted["Switch OSFP twin-port transceivers, compute"]
    )
    assert pieces(bom, "optic", end="server") == wanted["DGX OSFP twin-port transceivers, compute"]
    assert pieces(bom, "optic", end="host") == wanted["UFM transceivers"]


@pytest.mark.parametrize("template", sorted(TEMPLATES))
def test_bill_of_every_template_equals_its_records(template):
    design = generate(template, CATALOG)
    for technology in (None, "infiniband", "ethernet"):
        assert all(r.agrees for r in audit(design, bill_of_materials(design, CATALOG, technology)))


def test_audit_compares_with_records_and_formula():
    design = superpod()
    bom = bill_of_materials(design, CATALOG)
    rows = audit(design, bom, {"leaf": 32, "spine": 16, "leaf_spine": 1024, "server_leaf": 1016})
    assert all(r.agrees for r in rows)
    assert not audit(design, bom, {"leaf": 31})[-1].agrees


@given(
    servers=st.integers(0, 6),
    spines=st.integers(0, 3),
    trunk=st.integers(1, 4),
    units=st.integers(0, 2),
)
def test_bill_equals_records(servers, spines, trunk, units):
    design = fabric(servers, spines, trunk, units=units)
    bom = bill_of_materials(design, CATALOG)
    assert all(r.agrees for r in audit(design, bom))
    assert sum(r.links for r in bom.select("cable")) == sum(c.count for c in design.cables.values())


@given(ports=st.lists(st.integers(1, 64), min_size=1, max_size=30, unique=True))
def test_one_transceiver_serves_the_two_ports_of_a_cage(ports):
    design = Design()
    devices = [Device("a", "a", "qm9700", "leaf"), Device("b", "b", "qm9700", "spine")]
    pairs = [(PortRange("a", "fabric", p), PortRange("b", "fabric", p)) for p in ports]
    records(design, devices, pairs)
    cages = len({(p - 1) // 2 for p in ports})
    bom = bill_of_materials(design, CATALOG)
    assert pieces(bom, "optic", end="leaf") == cages
    assert pieces(bom, "optic", end="spine") == cages
    assert pieces(bom, "cable") == len(ports)


def test_trunk_counts_as_its_links_and_shares_cages_with_single_cables():
    design = Design()
    devices = [Device("a", "a", "qm9700", "leaf"), Device("b", "b", "qm9700", "spine")]
    pairs = [
        (PortRange("a", "fabric", 2, 4), PortRange("b", "fabric", 1, 4)),
        (PortRange("a", "fabric", 1), PortRange("b", "fabric", 7)),
    ]
    records(design, devices, pairs)
    bom = bill_of_materials(design, CATALOG)
    # ports 1 to 5 of a sit in cages 1 to 3; ports 1 to 4 and 7 of b in cages 1, 2 and 4
    assert pieces(bom, "optic", end="leaf") == 3
    assert pieces(bom, "optic", end="spine") == 3
    assert pieces(bom, "cable") == 5


@pytest.mark.parametrize(
    ("length", "part", "optics"),
    [
        (2, "passive-copper-400g", 0),
        (5, "active-copper-400g", 0),
        (30, "fibre-multimode", 2),
        (50, "fibre-multimode", 2),
        (51, "fibre-single-mode", 2),
        (2000, "fibre-single-mode", 2),
    ],
)
def test_medium_follows_length(length, part, optics):
    # docs.nvidia.com: passive copper to 3 m, active to 5 m, multimode to 50 m at 400G
    design = Design()
    devices = [Device("a", "a", "qm9700", "leaf"), Device("b", "b", "qm9700", "spine")]
    pairs = [(PortRange("a", "fabric", 1), PortRange("b", "fabric", 1))]
    records(design, devices, pairs, length_m=float(length))
    bom = bill_of_materials(design, CATALOG)
    assert [r.part for r in bom.select("cable")] == [part]
    assert pieces(bom, "optic") == optics


def test_nothing_reaches_further_than_the_longest_transceiver():
    design = Design()
    devices = [Device("a", "a", "qm9700", "leaf"), Device("b", "b", "qm9700", "spine")]
    records(
        design,
        devices,
        [(PortRange("a", "fabric", 1), PortRange("b", "fabric", 1))],
        length_m=2500.0,
    )
    rows = bill_of_materials(design, CATALOG).rows
    cable = next(r for r in rows if r.kind == "cable")
    assert cable.count == 1
    assert cable.part == ""
    assert "2,500 m" in cable.reason


def test_same_rack_takes_copper():
    design = fabric(1, 0)
    for id_ in list(design.devices):
        change(design, "devices", id_, rack="g-1")
    bom = bill_of_materials(design, CATALOG)
    assert {r.part for r in bom.select("cable")} == {"passive-copper-400g"}
    assert pieces(bom, "optic") == 0


def test_broken_out_port_takes_one_transceiver_for_its_lanes():
    design = Design()
    split = (PortBreakout("fabric", 1, 4, 2),)
    devices = [
        Device("a", "a", "sn5600", "leaf", breakouts=split),
        Device("b", "b", "sn5600", "spine", breakouts=split),
    ]
    pairs = [(PortRange("a", "fabric", 1, 4, 1), PortRange("b", "fabric", 2, 4, 1))]
    records(design, devices, pairs)
    bom = bill_of_materials(design, CATALOG)
    optics = bom.select("optic")
    assert {r.part for r in optics} == {"optic-800g-2xsr4"}
    assert pieces(bom, "optic") == 4  # two ports at each end, two links in each
    assert pieces(bom, "cable") == 4


def test_xdr_takes_single_mode_with_different_transceivers_at_its_ends():
    design = Design()
    devices = [Device("v", "v", "dgx-b300", "server"), Device("l", "l", "q3400-ra", "leaf")]
    pairs = [(PortRange("v", "nic", n), PortRange("l", "fabric", n)) for n in range(1, 9)]
    records(design, devices, pairs)
    bom = bill_of_materials(design, CATALOG)
    found = {r.end: (r.part, r.count) for r in bom.select("optic")}
    assert found["server"] == ("optic-800g-dr4", 8)
    assert found["leaf"] == ("optic-1600g-2xdr4", 4)


def test_splitter_legs_are_one_piece():
    design = Design()
    devices = [Device("l", "l", "qm9700", "leaf"), Device("v", "v", "hgx-h100", "server")]
    records(design, devices, [])
    for n in (1, 2):
        add(
            design,
            "cables",
            Cable(
                f"k{n}",
                PortRange("l", "fabric", n),
                PortRange("v", "nic", n),
                type="passive-copper-2x400g",
                assembly="y1",
            ),
        )
    bom = bill_of_materials(design, CATALOG)
    row = bom.select("cable")[0]
    assert (row.count, row.links) == (1, 2)


def test_nvlink_backplane_is_counted_but_not_bought():
    design = Design()
    devices = [
        Device("t", "t", "gb200-compute-tray", "server"),
        Device("n", "n", "nvl72-nvswitch-tray", "nvswitch"),
    ]
    pairs = [(PortRange("t", "nvlink", 1, 8), PortRange("n", "nvlink", 1, 8))]
    records(design, devices, pairs)
    row = bill_of_materials(design, CATALOG).select("cable")[0]
    assert (row.part, row.count, row.role, row.unit_usd) == ("nvlink-backplane", 8, "nvlink", None)
    assert "rack" in row.reason


def test_other_technology_exchanges_switches_and_their_optics():
    bom = bill_of_materials(fabric(), CATALOG, "ethernet")
    assert bom.substitutions["qm9700"] == "sn5400"
    assert {r.part for r in bom.select("switch")} == {"sn5400"}
    # QSFP-DD cages hold one port: each link end its own transceiver
    leaf_down = [r for r in bom.select("optic") if r.role == "server_leaf" and r.end == "leaf"]
    assert [(r.part, r.count) for r in leaf_down] == [("optic-400g-sr4-qsfpdd", 32)]
    assert bom.count("cable") == bill_of_materials(fabric(), CATALOG).count("cable")


def test_part_without_an_equivalent_stays():
    bom = bill_of_materials(fabric(switch="qm8700", server="dgx-a100"), CATALOG, "ethernet")
    assert {r.part for r in bom.select("switch")} == {"qm8700"}
    assert bom.substitutions["qm8700"] == ""


def test_unknown_types_and_dangling_cables_are_counted():
    design = fabric(1, 1)
    change(design, "devices", "s0", type="no-such-switch")
    drop(design, "devices", "v0.0")
    bom = bill_of_materials(design, CATALOG)
    unknown = next(r for r in bom.rows if r.part == "no-such-switch")
    assert unknown.count == 1
    assert unknown.unit_usd is None
    assert sum(r.links for r in bom.select("cable")) == sum(c.count for c in design.cables.values())
    assert all(r.agrees for r in audit(design, bom))


def test_embedded_type_hides_the_catalogue():
    design = fabric(1, 1)
    part = design.types["qm9700"]
    assert part.price is not None
    change(design, "types", "qm9700", price=None)
    row = bill_of_materials(design, CATALOG).select("switch")[0]
    assert row.estimated
    assert "no price of NVIDIA QM9700" in row.price_source


def test_row_without_a_price_shows_what_stands_in_for_it():
    # model.md 6: no dated price, so the ratio of a port: 36,000 / 2 typical
    row = bill_of_materials(fabric(switch="sn5400", server="hgx-h100"), CATALOG).select("switch")[0]
    assert row.unit_usd is not None
    assert (row.unit_usd.typical, row.estimated, row.price_date) == (18_000, True, "")
    assert "ratio" in row.price_source
    server = bill_of_materials(fabric(), CATALOG).select("server")[0]
    assert server.unit_usd is None
    assert server.reason


def test_empty_design_has_an_empty_bill():
    bom = bill_of_materials(Design(), CATALOG)
    assert bom.rows == ()
    assert bom.usd("switch").typical == 0


def test_own_nics_replace_the_standard_ones():
    design = fabric(1, 0)
    add(design, "types", CATALOG.get("connectx-7-2x200"))
    change(design, "devices", "v0.0", nics="connectx-7-2x200")
    nics = bill_of_materials(design, CATALOG).select("nic")
    assert [(r.part, r.count) for r in nics] == [("connectx-7-2x200", 8)]


def test_named_transceivers_are_kept():
    design = Design()
    devices = [Device("a", "a", "qm9700", "leaf"), Device("b", "b", "qm9700", "spine")]
    records(
        design,
        devices,
        [(PortRange("a", "fabric", 1), PortRange("b", "fabric", 1))],
        optic_a="optic-800g-2xdr4-500m",
        optic_b="optic-800g-2xdr4-500m",
    )
    bom = bill_of_materials(design, CATALOG)
    assert {r.part for r in bom.select("optic")} == {"optic-800g-2xdr4-500m"}
    assert {r.part for r in bom.select("cable")} == {"fibre-single-mode"}


def test_without_parts_a_link_has_a_problem():
    cage = Cage("osfp", 2, 1, (400e9,), (400e9,), "infiniband")
    made = choose_media(Stock(Design(), Catalog()), cage, cage, 10, True)
    assert made.problem
    assert made.cable is None


def test_census_counts_links_of_trunks():
    census = take_census(fabric(2, 2, 3))
    assert sum(census.links) == 2 * 8 + 8 * 2 * 3
