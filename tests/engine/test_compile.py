import numpy as np
import pytest

from designer.engine.compile import compile_network
from designer.engine.network import NVLINK, OTHER, SERVER_LEAF, SWITCH_SWITCH
from designer.model.design import Design
from designer.model.edits import Edit, Swap
from designer.model.records import Cable, PortBreakout, PortRange
from tests.engine.builders import Builder, rail_fabric, random_fabric, server_type, three_tier


def device(network, name):
    return network.device_index[name]


def test_an_empty_design_compiles():
    network = compile_network(Design())
    assert network.total_gpus == 0
    assert len(network.switches) == len(network.leaves) == len(network.servers) == 0


def test_counts_tiers_and_rails_of_a_two_tier_fabric():
    network = compile_network(rail_fabric(4, 4, 2, uplinks=2).build())
    assert network.total_gpus == 128
    assert len(network.leaves) == 32
    assert sorted(network.rank.tolist()) == [1] * 32 + [2] * 2
    assert network.unit_names == ("su0", "su1", "su2", "su3")
    assert len(network.nics.server) == 128
    assert set(network.nics.rail.tolist()) == set(range(1, 9))
    assert network.bundles.count.tolist() == [2] * 128
    assert (network.bundles.capacity == 800e9).all()
    assert (network.bundles.reverse[network.bundles.reverse] == np.arange(128)).all()
    assert len(set(network.domain[network.servers].tolist())) == 16
    assert (network.nvlink_bytes_per_s[network.servers] == 450e9).all()


def test_trunks_and_single_cables_are_the_same_fabric():
    one = compile_network(rail_fabric(2, 2, 2, uplinks=3, trunk=True).build())
    two = compile_network(rail_fabric(2, 2, 2, uplinks=3, trunk=False).build())
    assert one.bundles.count.tolist() == two.bundles.count.tolist()
    assert one.bundles.capacity.tolist() == two.bundles.capacity.tolist()
    assert len(two.cable_ids) > len(one.cable_ids)


def test_three_tiers_by_distance_from_servers():
    network = compile_network(three_tier(4, 2, 2, 2, units_per_pod=2).build())
    roles = {"leaf": 1, "spine": 2, "core": 3}
    for index, name in enumerate(network.device_ids):
        if network.switch_of[index] >= 0:
            tier = next(t for r, t in roles.items() if r in name)
            assert network.rank[network.switch_of[index]] == tier


def test_hosts_on_a_spine_do_not_make_it_a_leaf():
    b = rail_fabric(2, 2, 2)
    host = b.device("login", "host")
    b.nic(host, 1, "spine0")
    network = compile_network(b.build())
    assert network.rank[network.switch_of[device(network, "spine0")]] == 2
    assert len(network.leaves) == 16
    assert network.cable_kind[-1] == OTHER


def test_a_stray_nic_on_a_spine_keeps_the_tier_but_carries_demand():
    b = rail_fabric(2, 4, 2)
    server = b.device("stray", "server")
    b.nic(server, 1, "spine0")
    network = compile_network(b.build())
    spine = network.switch_of[device(network, "spine0")]
    assert network.rank[spine] == 2
    assert network.leaf_of[spine] >= 0


def test_other_fabrics_do_not_count():
    b = rail_fabric(1, 2, 1)
    b.device("storage", "leaf", fabric="storage")
    b.cable("storage", "spine0")
    b.cable("su0-srv0", "storage", fa="nic", pa=1)
    network = compile_network(b.build())
    assert network.switch_of[device(network, "storage")] == -1
    assert network.cable_kind[-2:].tolist() == [OTHER, OTHER]


def test_missing_devices_unknown_types_and_unlike_speeds_carry_nothing():
    b = rail_fabric(1, 2, 1, rails=2)
    b.device("odd", "leaf", "no-such-type")
    b.cable("odd", "spine0", id_="unknown")
    b.device("slow", "leaf", "half")
    b.cable("slow", "spine0", id_="half")
    b.cable("slow", "su0-srv0", fb="mgmt", id_="none")
    b.swaps.append(
        Swap(
            "cables",
            "gone",
            None,
            Cable("gone", PortRange("nobody", "nic", 1), PortRange("spine0", "fabric", 60)),
        )
    )
    network = compile_network(b.build())
    speed = dict(zip(network.cable_ids, network.cable_speed.tolist(), strict=True))
    assert (speed["unknown"], speed["none"], speed["gone"]) == (0.0, 0.0, 0.0)
    assert speed["half"] == 200e9
    row = network.cable_ids.index("gone")
    assert network.cable_a[row] == -1
    assert network.bundles.cable_bundle[row] == -1


def test_lanes_of_broken_out_ports_set_speed_and_nic_port():
    b = Builder()
    b.device("leaf", "leaf", breakouts=(PortBreakout("fabric", 1, 2, 2),))
    b.device("srv", "server")
    cable = Cable("c", PortRange("srv", "nic", 3, 2), PortRange("leaf", "fabric", 1, 2, 1))
    b.swaps.append(Swap("cables", "c", None, cable))
    network = compile_network(b.build())
    assert network.cable_speed.tolist() == [200e9]
    assert network.nics.rail.tolist() == [3, 4]


def test_dual_port_nics_have_one_rail_and_two_planes():
    b = Builder()
    b.type(server_type(2, 2, "two"))
    for plane in ("A", "B"):
        b.unit(plane, "plane")
        b.device(f"leaf{plane}", "leaf", plane=f"g-{plane}")
    b.device("srv", "server", "two", nics="dual")
    for port, leaf in enumerate(("leafA", "leafB", "leafA", "leafB"), 1):
        b.nic("srv", port, leaf)
    network = compile_network(b.build())
    assert network.nics.rail.tolist() == [1, 1, 2, 2]
    assert network.nics.plane.tolist() == [0, 1, 0, 1]
    assert network.nics.speed.tolist() == [200e9] * 4


def test_units_follow_from_leaves_where_no_groups_exist():
    network = compile_network(rail_fabric(3, 2, 2, groups=False).build())
    unit = {n: int(network.unit[device(network, n)]) for n in network.device_ids}
    assert unit["su0-srv0"] == unit["su0-srv1"] != unit["su1-srv0"]
    assert unit["su2-leaf3"] == unit["su2-srv1"]
    assert unit["spine0"] == -1
    assert len(network.unit_names) == 3


def test_servers_are_in_rank_order():
    network = compile_network(rail_fabric(11, 2, 1, rails=1).build())
    names = [network.device_ids[i] for i in network.servers]
    assert names[:4] == ["su0-srv0", "su0-srv1", "su1-srv0", "su1-srv1"]
    assert names[-2:] == ["su10-srv0", "su10-srv1"]


def test_nvlink_domains_join_trays_and_count_cabled_links():
    b = Builder()
    tray = server_type(
        4, 4, "tray", nvlink_bytes_per_s=900e9, nvlink_links=18, internal_nvswitch=False
    )
    b.type(tray)
    b.type(server_type(8, 8, "nvsw"))
    for k in range(9):
        b.device(f"nv{k}", "nvswitch", "nvsw")
    for t in range(3):
        b.device(f"tray{t}", "server", "tray")
        for k in range(9):
            if (t, k) != (2, 0):
                b.cable(f"tray{t}", f"nv{k}", 8, fa="nvlink", fb="nvlink")
    b.device("alone", "server", "tray")
    network = compile_network(b.build())
    assert set(network.cable_kind.tolist()) == {NVLINK}
    rack = {int(network.domain[device(network, n)]) for n in ("tray0", "tray1", "tray2", "nv3")}
    assert len(rack) == 1
    assert network.domain_gpus[rack.pop()] == 12
    rate = network.nvlink_bytes_per_s
    assert rate[device(network, "tray0")] == 900e9
    assert rate[device(network, "tray2")] == pytest.approx(800e9)
    assert np.isnan(rate[device(network, "alone")])


def test_a_pcie_server_has_a_domain_without_nvlink():
    b = Builder()
    b.type(server_type(8, 8, "pcie", nvlink_bytes_per_s=None))
    b.device("srv", "server", "pcie")
    network = compile_network(b.build())
    assert network.domain[0] == 0
    assert network.domain_gpus.tolist() == [8]
    assert np.isnan(network.nvlink_bytes_per_s[0])


def test_unknown_gpus_are_minus_one_and_still_attach():
    b = Builder()
    b.type(server_type(None, 1, "hca"))
    b.device("leaf", "leaf")
    b.device("srv", "server", "hca")
    b.nic("srv", 1, "leaf")
    network = compile_network(b.build())
    assert network.gpus[device(network, "srv")] == -1
    assert network.total_gpus == 0
    assert len(network.nics.server) == 1


def test_failures_take_links_out_and_keep_tiers():
    b = rail_fabric(2, 2, 2)
    b.build()
    whole = compile_network(b.design)
    leaf_links = list(b.design.cables_of("su0-leaf0"))
    network = compile_network(b.design, frozenset({"su0-leaf0", "su1-srv0"}))
    assert network.rank.tolist() == whole.rank.tolist()
    assert device(network, "su1-srv0") not in network.servers
    assert len(network.leaves) == 15
    rows = [network.cable_ids.index(c) for c in leaf_links]
    assert (network.bundles.cable_bundle[rows] == -1).all()
    assert (network.cable_speed[rows] > 0).all()
    one = compile_network(b.design, frozenset({"c-none", leaf_links[0]}))
    assert len(one.bundles.src) == len(whole.bundles.src) - 2


@pytest.mark.parametrize("seed", range(30))
def test_bundles_hold_exactly_the_working_cables(seed):
    network = compile_network(random_fabric(seed).build())
    bundles = network.bundles
    used = bundles.cable_bundle >= 0
    working = (network.cable_kind == SWITCH_SWITCH) & (network.cable_speed > 0)
    assert (used == working).all()
    assert bundles.count.sum() == 2 * network.cable_count[used].sum()
    assert (bundles.count == bundles.count[bundles.reverse]).all()
    assert (bundles.src == bundles.dst[bundles.reverse]).all()
    assert (np.diff(bundles.start) == np.bincount(bundles.src, minlength=9)).all()
    attached = network.cable_kind == SERVER_LEAF
    assert len(network.nics.server) == network.cable_count[attached].sum()


def test_a_design_is_only_read():
    b = rail_fabric(1, 1, 1)
    design = b.build()
    before = design.snapshot()
    compile_network(design, frozenset({"spine0"}))
    assert design.devices == before.devices
    assert design.revision == before.revision
    assert isinstance(Edit("", ()), Edit)


def test_a_missing_or_misplaced_cable_makes_no_unit():
    b = rail_fabric(2, 4, 2, groups=False)
    b.build()
    nics = list(b.design.cables_of("su0-srv1"))
    whole = compile_network(b.design)
    failed = compile_network(b.design, frozenset(nics[:1]))
    assert failed.unit.tolist() == whole.unit.tolist()
    for changes in ({}, {"device": "su1-leaf0", "first": 40}):
        from dataclasses import replace

        cable = b.design.cables[nics[0]]
        after = replace(cable, b=replace(cable.b, **changes)) if changes else None
        edit = Edit("change", (Swap("cables", cable.id, cable, after),))
        b.design.apply(edit)
        network = compile_network(b.design)
        assert network.unit.tolist() == whole.unit.tolist()
        assert len(network.unit_names) == 2
        b.design.apply(edit.inverse())


def test_leaves_still_empty_are_leaves_and_spines_called_leaf_are_not():
    b = rail_fabric(2, 0, 2)
    network = compile_network(b.build())
    assert sorted(network.rank.tolist()) == [1] * 16 + [2] * 2
    b = rail_fabric(1, 2, 0)
    b.device("spine", "leaf")
    for r in range(8):
        b.cable(f"su0-leaf{r}", "spine")
    network = compile_network(b.build())
    assert network.rank[network.switch_of[network.device_index["spine"]]] == 2
