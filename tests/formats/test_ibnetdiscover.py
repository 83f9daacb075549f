"""Real fabrics: every trait of the format that was seen in the wild, on files of our own."""

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.options import Options
from designer.errors import CancelledError, ImportRefusedError
from designer.formats import native
from designer.formats.importers.ibnetdiscover import read
from designer.model import operations
from designer.model.ports import expand, link_speed, port_users
from tests.formats.drawings import same
from tests.formats.ib_writer import FabricText, clos

REAL = Path(__file__).parents[2].parent / "shared" / "files"


def imported(fabric, **fields):
    return read(str(fabric), default_catalog(), **fields)


def links(design):
    return sum(c.count for c in design.cables.values())


def roles(design):
    return Counter(d.role for d in design.devices.values())


def speeds(design):
    return Counter(
        {
            s: sum(c.count for c in design.cables.values() if link_speed(design, c) == s)
            for s in {link_speed(design, c) for c in design.cables.values()}
        }
    )


def healthy(design):
    """Hold what every import promises: ports used once and there, names unique, all saved."""
    used = set()
    for cable in design.cables.values():
        for end in (cable.a, cable.b):
            device = design.devices[end.device]
            for port in expand(device, end):
                assert (device.id, port) not in used
                used.add((device.id, port))
                assert port.number <= design.families(device)[end.family].count
    names = [d.name for d in design.devices.values()]
    assert len(names) == len(set(names))
    assert all(n.strip() for n in names)
    assert set(design.types) >= {d.type for d in design.devices.values()}
    assert not design.placements
    again = native.loads(native.dumps(design))
    assert not again.kept
    assert same(again, design)
    return design


# --- the real files ------------------------------------------------------------------------------


def expected():
    table = REAL / "EXPECTED_ib.tsv"
    if not table.exists():
        return []
    head, *rows = table.read_text(encoding="utf-8").splitlines()
    return [dict(zip(head.split("\t"), r.split("\t"), strict=True)) for r in rows]


@pytest.mark.skipif(not expected(), reason="the real files are not beside the repository")
@pytest.mark.parametrize("row", expected(), ids=lambda r: r["file"])
def test_real_file_opens_with_its_counts(row):
    result = read(REAL / "ibnetdiscover" / row["file"], default_catalog())
    design, counts = healthy(result.design), result.report.counts
    switches = [d for d in design.devices.values() if d.role in ("leaf", "spine", "core")]
    assert counts["switches"] == len(switches) == int(row["switches"])
    assert counts["hcas"] == int(row["hca"])
    assert counts["sharp"] == int(row["sharp"])
    assert counts["cables"] == links(design) == int(row["cables_no_sharp"])
    level = {d.id: d.role for d in switches}
    beside = sum(
        c.count
        for c in design.cables.values()
        if level.get(c.a.device) == level.get(c.b.device, "none")
    )
    assert beside == int(row["same_tier_links"])
    nics = sum(c.count for c in design.cables.values() for e in (c.a, c.b) if e.family == "nic")
    assert nics <= int(row["hca"]) * 2


@pytest.mark.skipif(not expected(), reason="the real files are not beside the repository")
def test_tiers_of_the_real_fabrics():
    folder = REAL / "ibnetdiscover"
    gb200 = read(folder / "topograph_gb200_example.out", default_catalog()).design
    assert (roles(gb200)["leaf"], roles(gb200)["spine"], roles(gb200)["core"]) == (31, 9, 0)
    assert set(speeds(gb200)) == {400e9}
    assert {d.type for d in gb200.devices.values() if d.role == "leaf"} == {"qm9700"}
    selene = read(folder / "selene_storage.txt", default_catalog()).design
    assert (roles(selene)["leaf"], roles(selene)["spine"], roles(selene)["core"]) == (64, 64, 32)
    assert speeds(selene) == {200e9: 2966, 100e9: 320}


# --- fabrics of our own --------------------------------------------------------------------------


def test_two_tiers():
    fabric = clos(leaves=4, spines=2, hosts=8)
    result = imported(fabric)
    design = healthy(result.design)
    assert roles(design) == {"leaf": 4, "spine": 2, "server": 8}
    assert links(design) == fabric.links() == 32 + 16
    assert speeds(design) == {400e9: 48}
    assert {d.type for d in design.devices.values() if d.role != "server"} == {"qm9700"}
    assert design.named("p0leaf1").notes.startswith("MF0;p0leaf1:MQM9700/U1\nGUID 0x0c42a1030000")
    assert result.report.warnings == ()
    assert result.report.read[0] == "6 switches, 32 adapters (HCAs), 48 cables."
    assert design.title_block.date == "2027-02-23"


def test_ports_are_numbered_as_the_file_does_and_neighbours_are_trunks():
    fabric = clos(leaves=1, spines=1, hosts=2)
    design = imported(fabric).design
    trunk = next(c for c in design.cables.values() if design.devices[c.b.device].role == "spine")
    assert (trunk.count, trunk.a.first, trunk.b.first) == (2, 3, 1)
    server = next(c for c in design.cables.values() if c.a.family == "nic")
    assert design.devices[server.a.device].role == "server"
    assert server.b.family == "fabric"


def test_crossed_parallel_links_stay_apart():
    fabric = FabricText()
    a, b = fabric.switch("a"), fabric.switch("b")
    fabric.cable(a, 1, b, 2)
    fabric.cable(a, 2, b, 1)
    fabric.join(fabric.hca("n1 mlx5_0"), a)
    design = healthy(imported(fabric).design)
    between = [c for c in design.cables.values() if c.a.family == "fabric"]
    assert sorted((c.a.first, c.b.first) for c in between) == [(1, 2), (2, 1)]


def test_ids_are_the_same_at_every_import():
    text = str(clos())
    one, two = (read(text, default_catalog()).design for _ in range(2))
    assert native.dumps(one) == native.dumps(two)
    assert all(re.match(r"[SH]-[0-9a-f]{16}$", i) for i in one.devices)


# --- tiers ---------------------------------------------------------------------------------------


def test_management_hosts_on_cores_make_no_leaves_of_them():
    fabric = clos(pods=2, leaves=4, spines=4, cores=4, hosts=8)
    cores = [b for b in fabric.boxes if "core" in b.text]
    for k, core in enumerate(cores[:2]):
        fabric.join(fabric.hca(f"ufm{k + 1} mlx5_0"), core)
    design = healthy(imported(fabric).design)
    assert roles(design) == {"leaf": 8, "spine": 8, "core": 4, "server": 16, "host": 2}


def test_management_hosts_on_every_core():
    fabric = clos(pods=2, leaves=4, spines=2, cores=2, hosts=8)
    for core in [b for b in fabric.boxes if "core" in b.text]:
        fabric.join(fabric.hca(f"{core.text[4:9]}-slurm mlx5_0"), core)
    assert roles(imported(fabric).design)["core"] == 2


def test_management_switch_on_the_cores_pulls_nothing_down():
    fabric = clos(pods=2, leaves=4, spines=4, cores=4, hosts=8)
    gate = fabric.switch("mgmt-sw")
    for core in [b for b in fabric.boxes if "core" in b.text]:
        fabric.join(gate, core)
    fabric.join(fabric.hca("login-1 mlx5_0"), gate)
    fabric.join(fabric.hca("slurm-1 mlx5_0"), gate)
    design = imported(fabric).design
    assert roles(design) == {"leaf": 9, "spine": 8, "core": 4, "server": 16, "host": 2}
    assert design.named("mgmt-sw").role == "leaf"


def test_host_on_a_spine_makes_no_leaf_of_it():
    fabric = clos(leaves=4, spines=2, hosts=8)
    fabric.join(fabric.hca("ufm1 mlx5_0"), next(b for b in fabric.boxes if "spine1" in b.text))
    assert roles(imported(fabric).design)["spine"] == 2


def test_leaf_with_few_hosts_and_leaf_without_any_are_leaves():
    fabric = clos(pods=2, leaves=4, spines=4, cores=4, hosts=24)
    spines = [b for b in fabric.boxes if "p0spine" in b.text]
    for name, hosts in (("p0few", 2), ("p0none", 0)):
        leaf = fabric.switch(name)
        for spine in spines:
            fabric.join(leaf, spine, 2)
        for h in range(hosts):
            fabric.join(fabric.hca(f"{name}{h} mlx5_0"), leaf)
    design = imported(fabric).design
    assert design.named("p0few").role == design.named("p0none").role == "leaf"
    assert roles(design)["core"] == 4


def test_one_pod_with_cores_keeps_its_cores():
    design = imported(clos(pods=1, leaves=4, spines=4, cores=4, hosts=8)).design
    assert roles(design) == {"leaf": 4, "spine": 4, "core": 4, "server": 8}


def test_switches_without_any_host_are_a_fabric_too():
    fabric = FabricText()
    a, b = fabric.switch("a"), fabric.switch("b")
    fabric.join(a, b, 3)
    design = healthy(imported(fabric).design)
    assert links(design) == 3


# --- hosts ---------------------------------------------------------------------------------------


def test_adapters_of_one_system_image_are_one_server():
    fabric = FabricText()
    leaf = fabric.switch("leaf")
    for _ in range(4):
        fabric.join(fabric.hca("MT4129 ConnectX7   Mellanox Technologies", system=0xABC), leaf)
    fabric.join(fabric.hca("MT4129 ConnectX7   Mellanox Technologies"), leaf)
    fabric.join(fabric.hca("localhost mlx5_0"), leaf)
    fabric.join(fabric.hca("localhost mlx5_1"), leaf)
    design = healthy(imported(fabric).design)
    assert sorted(design.families(d)["nic"].count for d in servers(design)) == [1, 1, 1, 4]
    assert all(design.gpus(d) is None for d in servers(design))


def servers(design):
    return [d for d in design.devices.values() if d.role == "server"]


def test_adapters_of_one_host_name_are_one_server_in_the_order_of_their_labels():
    fabric = FabricText()
    leaf = fabric.switch("leaf")
    for label in ("mlx5_10", "mlx5_2", "mlx5_0", "mlx5_9"):
        fabric.join(fabric.hca(f"n01 {label}"), leaf)
    design = healthy(imported(fabric).design)
    (server,) = servers(design)
    assert server.name == "n01"
    assert [x.split(",")[0] for x in server.notes.splitlines()[:4]] == [
        "NIC 1: mlx5_0",
        "NIC 2: mlx5_2",
        "NIC 3: mlx5_9",
        "NIC 4: mlx5_10",
    ]
    ports = {c.a.first: c.b.first for c in design.cables.values()}
    assert ports == {1: 3, 2: 2, 3: 4, 4: 1}


def test_missing_adapter_leaves_its_slot_free():
    fabric = FabricText()
    leaf = fabric.switch("leaf")
    for host in range(4):
        for k in range(4):
            if (host, k) != (3, 2):
                fabric.join(fabric.hca(f"n{host} HCA-{k + 1}"), leaf)
    design = healthy(imported(fabric).design)
    server = design.named("n3")
    assert sorted(p.number for p in port_users(design, server)) == [1, 2, 4]
    assert len({d.type for d in servers(design)}) == 1


def test_two_machines_of_one_name_stay_apart():
    fabric = FabricText()
    leaf = fabric.switch("leaf")
    for _ in range(2):
        fabric.join(fabric.hca("n01 mlx5_0"), leaf)
    result = imported(fabric)
    design = healthy(result.design)
    assert len(servers(design)) == 2
    assert all(re.fullmatch(r"n01-[0-9a-f]{6}", d.name) for d in servers(design))
    assert "“n01”" in result.report.warnings[0]


def test_hosts_become_servers_in_one_step():
    design = imported(clos(leaves=8, spines=2, hosts=4)).design
    part = default_catalog().get("dgx-h100")
    ids = [d.id for d in servers(design)]
    design.apply(operations.map_servers(design, ids, part, default_catalog().get(part.nic)))
    assert sum(design.gpus(d) for d in servers(design)) == 32
    assert {link_speed(design, c) for c in design.cables.values()} == {400e9}


def test_dual_port_adapters_have_two_ports_a_slot():
    fabric = FabricText()
    a, b = fabric.switch("a"), fabric.switch("b")
    for host in range(2):
        card = fabric.hca(f"n{host} mlx5_0", ports=2)
        fabric.join(card, a)
        fabric.join(card, b)
    design = healthy(imported(fabric).design)
    part = design.type_of(servers(design)[0])
    assert (part.nic_slots, part.family("nic").count) == (1, 2)


def test_known_cards_are_named_and_unknown_ones_are_not():
    fabric = FabricText()
    leaf = fabric.switch("leaf")
    fabric.join(fabric.hca("n1 mlx5_0", device_id=0x1021), leaf)
    fabric.join(fabric.hca("n2 mlx5_0", device_id=0x9999), leaf)
    design = imported(fabric).design
    assert design.type_of(design.named("n1")).nic == "connectx-7"
    assert "connectx-7" in design.types
    assert design.type_of(design.named("n2")).nic == ""


def test_routers_and_unknown_nodes_are_hosts_without_gpus():
    text = str(clos(leaves=1, spines=0, hosts=1)).replace("Ca\t", "Rt\t").replace('"H-', '"R-')
    design = healthy(read(text, default_catalog()).design)
    assert roles(design) == {"leaf": 1, "host": 1}


# --- types and rates -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "ports", "device_id", "rate", "slug"),
    [
        ("MQM9700", 65, 0xD2F2, "4xNDR", "qm9700"),
        ("MQM9701", 64, 0xD2F2, "4xNDR", "qm9700"),
        ("MQM9790", 65, 0xD2F2, "4xNDR", "qm9790"),
        ("MQM8700", 41, 0xD2F0, "4xHDR", "qm8700"),
        ("MQM8700", 40, 0xD2F0, "4xEDR", "qm8700"),
        ("Renamed", 65, 0xD2F2, "4xNDR", "qm9700"),
        ("MQM9700", 33, 0xD2F2, "4xNDR", "imported-mqm9700"),  # too few ports: not that part
        ("MQM8700", 41, 0xD2F0, "4xNDR", "imported-mqm8700"),  # faster than that part can
        ("SB7800", 37, 0xCB20, "4xEDR", "imported-sb7800"),
    ],
)
def test_switch_types(model, ports, device_id, rate, slug):
    fabric = FabricText()
    a, b = (fabric.switch(n, model, ports, device_id) for n in "ab")
    fabric.join(a, b, 2, rate)
    fabric.join(fabric.hca("n1 mlx5_0"), a, rate=rate)
    design = healthy(imported(fabric).design)
    part = design.type_of(design.named("a"))
    assert part.slug == slug
    assert part.imported == slug.startswith("imported")
    assert part.family("fabric").count == ports - ports % 2
    lanes = {"4xNDR": 400e9, "4xHDR": 200e9, "4xEDR": 100e9}
    assert set(speeds(design)) == {lanes[rate]}


def test_slower_rates_of_old_machines_make_a_variant_that_lists_them():
    fabric = FabricText()
    new, old = (
        fabric.switch("new", "MQM8700", 41, 0xD2F0),
        fabric.switch("old", "SX6036", 36, 0xC738),
    )
    fabric.join(new, old, rate="4xFDR")
    fabric.join(fabric.hca("n1 mlx5_0"), new, rate="4xHDR")
    fabric.join(fabric.hca("n2 mlx5_0"), old, rate="4xFDR")
    design = healthy(imported(fabric).design)
    part = design.type_of(design.named("new"))
    assert (part.slug, part.family("fabric").speeds) == ("imported-qm8700", (200e9, 100e9, 56e9))
    assert part.equivalents == default_catalog().get("qm8700").equivalents
    assert speeds(design) == {200e9: 1, 56e9: 2}


def test_link_below_what_both_ends_do_is_held_at_its_rate_and_told():
    fabric = clos(leaves=2, spines=1, hosts=4)
    leaf = next(b for b in fabric.boxes if "leaf1" in b.text)
    spine = next(b for b in fabric.boxes if "spine1" in b.text)
    fabric.join(leaf, spine, rate="1xNDR")
    result = imported(fabric)
    design = healthy(result.design)
    assert speeds(design)[100e9] == 1
    (text,) = result.report.warnings
    assert re.match(r"line \d+: “p0leaf1” – “p0spine1” runs at 1xNDR, 100 Gb/s", text)
    assert str(fabric).splitlines()[int(text.split()[1][:-1]) - 1].endswith("1xNDR")


def test_ends_that_differ_in_rate_take_the_lower_one():
    text = str(clos(leaves=1, spines=0, hosts=1))
    lines = text.splitlines()
    last = max(i for i, x in enumerate(lines) if x.endswith("4xNDR"))
    lines[last] = lines[last].replace("4xNDR", "4xHDR")
    result = read("\n".join(lines), default_catalog())
    assert set(speeds(result.design)) == {200e9}
    assert f"line {last + 1}" in result.report.warnings[0]


def test_unknown_rates_stay_unknown():
    text = str(clos(leaves=1, spines=0, hosts=1)).replace("4xNDR", "??x???")
    result = read(text, default_catalog())
    design = healthy(result.design)
    assert set(speeds(design)) == {None}
    assert "states no rate" in result.report.warnings[0]


def test_split_ports_become_lanes():
    fabric = FabricText()
    leaf = fabric.switch("leaf", "MQM8700", 81, 0xD2F0)
    spine = fabric.switch("spine", "MQM8700", 41, 0xD2F0)
    for port in (1, 2, 3):
        fabric.cable(fabric.hca(f"n{port} mlx5_0", device_id=0x101B), 1, leaf, port, "2xHDR")
    fabric.cable(leaf, 79, spine, 1, "4xHDR")
    design = healthy(imported(fabric).design)
    box = design.named("leaf")
    assert box.type == "qm8700"
    assert [(b.first, b.count, b.lanes) for b in box.breakouts] == [(1, 2, 2)]
    ends = sorted((c.b.first, c.b.lane) for c in design.cables.values() if c.b.device == box.id)
    assert ends == [(1, 1), (1, 2), (2, 1)]
    up = next(c for c in design.cables.values() if c.a.device == box.id)
    assert (up.a.first, up.a.lane) == (40, 0)
    assert speeds(design) == {100e9: 3, 200e9: 1}


def test_half_width_links_on_whole_ports_are_slow_links():
    fabric = FabricText()
    leaf = fabric.switch("leaf", "MQM8700", 41, 0xD2F0)
    fabric.join(fabric.hca("n1 mlx5_0"), leaf, rate="2xHDR")
    fabric.join(fabric.hca("n2 mlx5_0"), leaf, rate="4xHDR")
    design = healthy(imported(fabric).design)
    assert design.named("leaf").type == "qm8700"
    assert design.named("leaf").breakouts == ()
    assert speeds(design) == {100e9: 1, 200e9: 1}


def test_numbering_that_contradicts_itself_is_taken_as_it_stands():
    fabric = FabricText()
    leaf = fabric.switch("leaf", "MQM8700", 80, 0xD2F0)
    fabric.cable(fabric.hca("n1 mlx5_0"), 1, leaf, 2, "4xHDR")
    design = healthy(imported(fabric).design)
    assert design.type_of(design.named("leaf")).family("fabric").count == 80


def test_planes_of_a_q3400_are_one_switch_and_one_cable():
    fabric = FabricText()
    leaf = [fabric.switch("leaf", f"Q3400_RA/U{k}", 144, 0xD2F4) for k in (1, 2, 3, 4)]
    spine = [fabric.switch("spine", f"Q3400_RA/U{k}", 144, 0xD2F4) for k in (1, 2, 3, 4)]
    card = fabric.hca("n1 mlx5_0", ports=4, device_id=0x1023)
    for k in range(4):
        fabric.cable(leaf[k], 1, card, k + 1, "1xXDR")
        for port in (73, 74):
            fabric.cable(leaf[k], port, spine[k], port - 72, "1xXDR")
    for k in range(3):
        fabric.cable(leaf[k], 80, spine[k], 80, "1xXDR")
    result = imported(fabric)
    design = healthy(result.design)
    assert roles(design) == {"leaf": 1, "spine": 1, "server": 1}
    part = design.type_of(design.named("leaf"))
    assert (part.slug, part.family("fabric").count) == ("imported-q3400-ra", 144)
    assert part.price == default_catalog().get("q3400-ra").price
    assert links(design) == 4
    assert speeds(design) == {800e9: 3, 600e9: 1}
    assert any("runs 3 of 4 planes" in w for w in result.report.warnings)


def test_planes_of_an_adapter_are_one_adapter():
    fabric = FabricText()
    leaf = [fabric.switch("leaf", f"Q3400_RA/U{k}", 144, 0xD2F4) for k in (1, 2, 3, 4)]
    for host in (1, 2):
        for k in range(4):
            card = fabric.hca("MT4131 ConnectX8   Mellanox Technologies", system=host)
            fabric.cable(leaf[k], host, card, 1, "1xXDR")
    design = healthy(imported(fabric).design)
    assert links(design) == 2
    assert [design.families(d)["nic"].count for d in servers(design)] == [1, 1]


def test_chips_of_a_director_keep_names_of_their_own():
    fabric = FabricText()
    line = fabric.switch("ib-dir", "MCS8500/L16/U2", 41, 0xD2F0)
    spine = fabric.switch("ib-dir", "MCS8500/S01/U1", 41, 0xD2F0)
    fabric.join(line, spine, 2, "4xHDR")
    fabric.join(fabric.hca("n1 mlx5_0"), line, rate="4xHDR")
    design = healthy(imported(fabric).design)
    assert design.named("ib-dir/L16/U2").role == "leaf"
    assert design.named("ib-dir/S01/U1").role == "spine"


# --- the format ----------------------------------------------------------------------------------


def test_sharp_engines_are_neither_adapters_nor_cables():
    fabric = clos(leaves=2, spines=1, hosts=4)
    for box in [b for b in fabric.boxes if b.switch]:
        fabric.cable(
            box, 65, fabric.hca("Mellanox Technologies Aggregation Node", device_id=0xCF09), 1
        )
    result = imported(fabric)
    assert links(healthy(result.design)) == fabric.links() - 3
    assert result.report.counts == {
        "sharp": 3,
        "switches": 3,
        "hcas": 8,
        "hosts": 4,
        "cables": 12,
        "lines": len(str(fabric).splitlines()),
    }
    assert result.design.type_of(result.design.named("p0leaf1")).slug == "qm9700"
    assert "SHARP" in result.report.ignored[0]


def test_sharp_engine_without_a_block_is_known_by_the_comment():
    fabric = clos(leaves=1, spines=0, hosts=2)
    fabric.cable(fabric.boxes[0], 65, fabric.hca("Mellanox Technologies Aggregation Node"), 1)
    text = str(fabric)
    cut = text[: text.rindex("vendid")]
    result = read(cut, default_catalog())
    assert result.report.counts["sharp"] == 1
    assert result.report.warnings == ()


def test_log_of_a_terminal_without_tabs():
    text = str(clos(leaves=2, spines=2, hosts=4))
    log = "=~=~=~=~ PuTTY log 2027.02.23 ~=~=~=~=\n" + text.replace("\t", "") + "admin@ufm > "
    one, two = read(text, default_catalog()), read(log, default_catalog())
    assert native.dumps(one.design) == native.dumps(two.design)
    assert "2 lines" in two.report.ignored[-1]
    assert "1, " in two.report.ignored[-1]


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace("\n", "\r\n"),
        lambda t: t.replace("\t", "    "),
        lambda t: t.replace("\t\t#", " #"),
        lambda t: t.replace("\n\n", "\n \n"),
        lambda t: t.replace("lid 7", "lid 65535").replace("lid 3", "lid 0"),
        lambda t: t.replace("4xNDR", "4xNDR s=1 w=2 v=3"),
        lambda t: t.replace("]\t", "][ext 12]\t").replace("] \t", "] [ext 3]\t"),
        lambda t: "ibwarn: [8] query_smp.c:195 timed out\n" + t,
        lambda t: t.replace("vendid", "\nChassis 1 (guid 0x1)\n\nvendid", 1),
        lambda t: (
            t.replace("# Initiated", "# Max of 3 hops discovered\n# Initiated")
            + "\nNon-Chassis Nodes\n"
        ),
        lambda t: t.rstrip("\n"),
    ],
)
def test_traits_that_change_nothing(change):
    text = str(clos(leaves=2, spines=2, hosts=4))
    assert native.dumps(read(change(text), default_catalog()).design) == native.dumps(
        read(text, default_catalog()).design
    )


def test_message_glued_to_a_head_is_cut_off():
    text = str(clos(leaves=2, spines=1, hosts=2))
    glued = text.replace("Switch\t65", "src/query_smp.c:195; timed outSwitch\t65", 1)
    assert links(read(glued, default_catalog()).design) == links(
        read(text, default_catalog()).design
    )


def test_missing_system_image_and_short_blocks():
    text = re.sub(r"(sysimgguid|devid|vendid)=.*\n", "", str(clos(leaves=2, spines=1, hosts=2)))
    design = healthy(read(text, default_catalog()).design)
    assert len(servers(design)) == 2


def test_guids_are_compared_as_numbers():
    text = str(clos(leaves=1, spines=0, hosts=1)).replace('"S-0c42', '"S-c42')
    assert links(read(text, default_catalog()).design) == 1


def test_island_and_lone_adapter():
    fabric = clos(leaves=1, spines=0, hosts=2)
    fabric.hca("lonely HCA-1")
    result = imported(fabric)
    assert len(servers(healthy(result.design))) == 3
    assert "2 parts that no cable joins." in result.report.read


def test_loop_on_one_switch_is_kept_as_it_is():
    fabric = FabricText()
    a = fabric.switch("a")
    fabric.cable(a, 1, a, 2)
    fabric.join(fabric.hca("n1 mlx5_0"), a)
    design = imported(fabric).design
    assert links(design) == 2
    assert any(c.a.device == c.b.device for c in design.cables.values())


# --- faults --------------------------------------------------------------------------------------


def warned(text):
    result = read(text, default_catalog())
    healthy(result.design)
    return result.report.warnings


def test_faults_name_their_line_and_leave_the_rest():
    lines = str(clos(leaves=2, spines=2, hosts=4)).splitlines()
    ports = [i for i, x in enumerate(lines) if x.startswith("[")]
    lines[ports[0]] = "[1] nonsense"
    lines[ports[3]] = "[x]"
    lines[ports[5]] = lines[ports[4]]
    result = read("\n".join(lines), default_catalog())
    healthy(result.design)
    told = [int(w.split()[1][:-1]) - 1 for w in result.report.warnings]
    assert told == [ports[0], ports[3], ports[5]]
    assert links(result.design) == 16  # their other ends still tell of them


def test_head_that_cannot_be_read_takes_its_ports_with_it():
    lines = str(clos(leaves=2, spines=1, hosts=2)).splitlines()
    head = next(i for i, x in enumerate(lines) if x.startswith("Switch"))
    lines[head] = "Switch\t65 S-0c42"
    warnings = warned("\n".join(lines))
    assert warnings[0].startswith(f"line {head + 1}: The head of a block cannot be read")
    assert sum("outside of any block" in w for w in warnings) == 4


def test_file_that_is_cut_off_says_so():
    text = str(clos(leaves=2, spines=2, hosts=4))
    cut = text[: text.index("Ca\t")]
    result = read(cut, default_catalog())
    assert "may be cut off" in result.report.warnings[0]
    assert links(healthy(result.design)) == 16
    assert len(servers(result.design)) == 4


def test_ends_that_contradict_each_other():
    fabric = clos(leaves=1, spines=0, hosts=3)
    _leaf, *cards = fabric.boxes
    text = str(fabric)
    # The leaf says that port 1 goes to the second card as well. The first card knows better.
    wrong = text.replace(f'[1]\t"{cards[0].id}"', f'[1]\t"{cards[1].id}"')
    result = read(wrong, default_catalog())
    design = healthy(result.design)
    assert links(design) == 3
    assert len(result.report.warnings) == 2
    assert all(w.startswith("line ") for w in result.report.warnings)


def test_one_sided_file_is_read():
    text = str(clos(leaves=2, spines=1, hosts=4))
    hosts_only_named = re.sub(r"(?m)^(Ca\t.*\n)(\[.*\n)+", r"\1", text)
    result = read(hosts_only_named, default_catalog())
    assert links(healthy(result.design)) == 12
    assert result.report.warnings == ()
    assert any("one of their ends only" in x for x in result.report.inferred)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('[0]\t"H-0c42a10300000020"[1]\t# "x" lid 1 4xNDR', "Port 0"),
        ('[99999]\t"H-0c42a10300000020"[1]\t# "x" lid 1 4xNDR', "so many ports"),
        ('[64]\t"S-0c42a10300000010"[64]\t# "x" lid 1 4xNDR', "cabled to itself"),
        ('[66]\t"S-0c42a10300000010"[64]\t# "x" lid 1 4xNDR', "its head says 65"),
        ('[60]\t"H-0c42a10300000030"[7]\t# "x" lid 1 4xNDR', "has no port 7"),
        ('[5]\t""[1]', "cannot be read"),
    ],
)
def test_odd_port_lines(line, words):
    text = str(clos(leaves=1, spines=0, hosts=2))
    head, tail = text.split("enhanced port 0 lid 7 lmc 0\n", 1)
    warnings = warned(f"{head}enhanced port 0 lid 7 lmc 0\n{line}\n{tail}")
    assert any(words in w for w in warnings), warnings


def test_block_that_stands_twice_is_joined():
    text = str(clos(leaves=1, spines=0, hosts=2))
    result = read(text + "\n" + text, default_catalog())
    assert links(healthy(result.design)) == 2
    assert any("has a block already" in w for w in result.report.warnings)


def test_many_faults_are_counted_not_listed():
    text = str(clos(leaves=1, spines=0, hosts=2)) + "\n" + "[1] x\n" * 1000
    warnings = read(text, default_catalog()).report.warnings
    assert len(warnings) == 201
    assert warnings[-1] == "800 more warnings."


def test_nothing_to_read_is_refused():
    for text in ("", "hello\n", "vendid=0x1\n"):
        with pytest.raises(ImportRefusedError) as caught:
            read(text, default_catalog())
        assert caught.value.hint


def test_import_can_be_cancelled():
    with pytest.raises(CancelledError):
        read(
            str(clos(pods=4, leaves=16, spines=8, hosts=32)),
            default_catalog(),
            cancelled=lambda: True,
        )


# --- the ibsim dialect ---------------------------------------------------------------------------

IBSIM = """
# Net configuration
Switch\t8 "core one"
[1]\t"Hca1"[1]
[2]\t"Hca2"  w=4 s=7
[3]\t"Switch2"[3]\tw=12

Switch 8 "Switch2"
[4]\t"Hca3"[2]

Hca\t2 "Hca1"

Hca  2 "Hca2" # "node-two HCA-1"
Ca 2 "Hca3"
"""


def test_ibsim_dialect():
    result = read(IBSIM, default_catalog())
    design = healthy(result.design)
    assert result.report.counts["switches"] == 2
    assert links(design) == 4
    assert {d.name for d in design.devices.values()} == {
        "core one",
        "Switch2",
        "Hca1",
        "node-two",
        "Hca3",
    }
    assert len({d.type for d in design.devices.values() if d.role == "leaf"}) == 1
    assert set(speeds(design)) == {None}


# --- anything ------------------------------------------------------------------------------------


@st.composite
def fabrics(draw):
    fabric = FabricText()
    rates = st.sampled_from(("4xNDR", "4xHDR", "2xNDR", "1xEDR"))
    names = st.text("abMF0;:/U1 -_", min_size=1, max_size=12)
    switches = [
        fabric.switch(draw(names), ports=draw(st.sampled_from((65, 64, 129, 9))))
        for _ in range(draw(st.integers(1, 5)))
    ]
    cards = [
        fabric.hca(draw(names), draw(st.integers(1, 2)), system=draw(st.integers(1, 4)))
        for _ in range(draw(st.integers(0, 6)))
    ]
    boxes = [*switches, *cards]
    for _ in range(draw(st.integers(0, 20))):
        a, b = draw(st.sampled_from(boxes)), draw(st.sampled_from(boxes))
        p, q = (draw(st.integers(1, x.ports)) for x in (a, b))
        if p not in a.ends and q not in b.ends and (a, p) != (b, q):
            fabric.cable(a, p, b, q, draw(rates))
    return fabric


@given(fabrics())
def test_any_fabric_comes_in_whole(fabric):
    result = imported(fabric)
    assert links(healthy(result.design)) == fabric.links()
    assert result.report.counts["hcas"] == sum(1 for b in fabric.boxes if not b.switch)


@given(st.data())
@settings(max_examples=150)
def test_any_damage_is_told_or_harmless(data):
    text = str(clos(leaves=2, spines=1, hosts=2))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        end = data.draw(st.integers(at, min(len(text), at + 60)))
        patch = data.draw(st.text('[]()"#SHwitchCa-0123x\n\t ', max_size=10))
        text = text[:at] + patch + text[end:]
    try:
        healthy(read(text, default_catalog()).design)
    except ImportRefusedError:
        return


@pytest.mark.parametrize(
    "line",
    [
        " " * 60_000,
        "[1]" + " " * 60_000 + "x",
        'Switch 8 "S-1"' + " " * 60_000 + '"',
        "Ca " * 20_000,
        '[1] "S-1"[1]' + " [ext" * 10_000,
        "#" * 60_000,
        "Switch " + "9" * 60_000,
        "(" * 60_000,
    ],
)
def test_hostile_lines_take_no_time(line):
    text = str(clos(leaves=1, spines=0, hosts=1))
    read(f"{text}\n{line}\n", default_catalog())


def test_hosts_of_one_unnamed_adapter_are_not_told_to_be_on_the_wrong_rail():
    fabric = clos(leaves=4, spines=2, hosts=8)
    for leaf in [b for b in fabric.boxes if "leaf" in b.text]:
        fabric.join(fabric.hca("MT4129 ConnectX7   Mellanox Technologies"), leaf)
    design = imported(fabric).design
    rules = {f.rule for f in analyze(design, Options(), default_catalog()).findings}
    assert "rail-misaligned" not in rules
    assert "role-mismatch" not in rules
    assert "unknown-gpus" in rules
