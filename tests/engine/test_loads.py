import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.engine.compile import compile_network
from designer.engine.kernels import compiled
from designer.engine.loads import (
    RoutingChoice,
    drain_time,
    fabric_drain_time,
    link_loads,
    utilization,
)
from designer.engine.routing import route
from designer.engine.traffic import (
    Traffic,
    all_to_all,
    leaf_matrix,
    no_traffic,
    permutation,
    rail_rings,
    server_flows,
)
from designer.errors import CancelledError
from tests.engine import oracle
from tests.engine.builders import Builder, rail_fabric, random_fabric, server_type, three_tier


def dense(network, seed=0):
    leaves = len(network.leaves)
    matrix = np.random.default_rng(seed).random((leaves, leaves))
    none, zero = np.zeros(0, np.int32), np.zeros(len(network.nics.server))
    return Traffic(none, none, np.zeros(0), matrix, zero, zero)


ORACLES = {"shortest": oracle.shortest_loads, "updown": oracle.updown_loads}


@pytest.mark.parametrize("mode", ["shortest", "updown"])
@pytest.mark.parametrize("numba", ["0", "1"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_equal_split_a_hop_on_random_multigraphs(mode, numba, seed):
    """Every cable of every next hop carries the same, as the definition says, to 1e-12."""
    network = compile_network(random_fabric(seed).build())
    traffic = dense(network, seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAILSPINE_NUMBA", numba)
        found = link_loads(route(network, mode), traffic)
        full = link_loads(route(network, mode, reduce=False), traffic)
    matrix = leaf_matrix(traffic, len(network.leaves))
    wanted = oracle.as_bundles(network, ORACLES[mode](network, matrix))
    assert found.bundle == pytest.approx(wanted, rel=1e-12, abs=1e-12)
    assert full.bundle == pytest.approx(wanted, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("mode", ["shortest", "updown"])
def test_what_is_sent_arrives_and_every_switch_passes_on_what_it_gets(mode):
    network = compile_network(three_tier(4, 4, 2, 2, units_per_pod=2).build())
    traffic = dense(network, 3)
    loads = link_loads(route(network, mode), traffic)
    b, n = network.bundles, len(network.switches)
    out = np.bincount(b.src, loads.bundle, n)
    into = np.bincount(b.dst, loads.bundle, n)
    matrix = leaf_matrix(traffic, len(network.leaves))
    net = np.zeros(n)
    net[network.leaves] = matrix.sum(axis=1) - matrix.sum(axis=0)
    assert out - into == pytest.approx(net, abs=1e-9)
    assert out[network.leaves] == pytest.approx(matrix.sum(axis=1))
    assert loads.undelivered == 0


def test_the_quotient_gives_the_loads_of_the_whole_fabric():
    network = compile_network(three_tier(8, 8, 8, 4, units_per_pod=2).build())
    traffic = dense(network, 1)
    for mode in ("updown", "shortest"):
        small, full = route(network, mode), route(network, mode, reduce=False)
        assert small.quotient is not None
        one, two = link_loads(small, traffic), link_loads(full, traffic)
        assert one.method == "quotient"
        assert two.method == "sweep"
        assert one.bundle == pytest.approx(two.bundle, rel=1e-12)
        assert one.forward == pytest.approx(two.forward, rel=1e-12)
        assert one.backward == pytest.approx(two.backward, rel=1e-12)


def test_without_numba_nothing_changes(monkeypatch):
    network = compile_network(rail_fabric(2, 4, 2).build())
    traffic = dense(network)
    wanted = link_loads(route(network), traffic)
    monkeypatch.setitem(__import__("sys").modules, "numba", None)
    monkeypatch.setenv("RAILSPINE_NUMBA", "1")
    compiled.cache_clear()
    assert compiled("updown") is None
    assert link_loads(route(network), traffic).bundle == pytest.approx(wanted.bundle)
    compiled.cache_clear()


def test_cable_loads_follow_the_direction_of_the_record():
    b = rail_fabric(2, 1, 1, rails=1)
    b.build()
    network = compile_network(b.design)
    one, two = network.servers
    traffic = server_flows(network, np.array([one]), np.array([two]), 1e9)
    loads = link_loads(route(network), traffic)
    busy = {
        network.cable_ids[i]: (loads.forward[i], loads.backward[i])
        for i in np.flatnonzero(loads.forward + loads.backward)
    }
    ends = {b.design.cables[c].a.device: load for c, load in busy.items()}
    # uplinks are drawn leaf -> spine, NIC cables server -> leaf
    assert ends == {
        "su0-leaf0": (1e9, 0),
        "su1-leaf0": (0, 1e9),
        "su0-srv0": (1e9, 0),
        "su1-srv0": (0, 1e9),
    }
    drain = drain_time(network, loads)
    assert drain.seconds == pytest.approx(8e9 / 400e9)
    assert utilization(network, loads, drain.seconds).max() == pytest.approx(1.0)
    assert utilization(network, loads, 0.0).max() == 0


def test_mixed_speeds_share_equally_by_cable_but_drain_by_speed():
    b = rail_fabric(2, 1, 1, rails=1, uplinks=1)
    b.device("spine1", "spine", "half")
    b.cable("su0-leaf0", "spine1")
    b.cable("su1-leaf0", "spine1")
    network = compile_network(b.build())
    one, two = network.servers
    traffic = server_flows(network, np.array([one]), np.array([two]), 1e9)
    loads = link_loads(route(network), traffic)
    assert sorted(loads.bundle[loads.bundle > 0].tolist()) == [0.5e9] * 4
    assert fabric_drain_time(network, loads).bits_per_s == 200e9
    best = link_loads(route(network), traffic, RoutingChoice("adaptive"))
    assert fabric_drain_time(network, best).seconds == pytest.approx(8e9 / 600e9, rel=0.02)


def test_parts_that_are_not_joined_deliver_nothing():
    b = rail_fabric(2, 2, 0, rails=1)
    network = compile_network(b.build())
    traffic = rail_rings(network, 1e6)
    loads = link_loads(route(network), traffic)
    assert loads.undelivered == pytest.approx(2e6)
    assert loads.bundle.size == 0
    assert drain_time(network, link_loads(route(network), no_traffic(network))).cable == -1


def test_cancelling_raises():
    network = compile_network(rail_fabric(2, 4, 2).build())
    with pytest.raises(CancelledError):
        link_loads(route(network), dense(network), cancelled=lambda: True)
    with pytest.raises(CancelledError):
        route(network, cancelled=lambda: True)


def test_all_to_all_counts_every_pair_once():
    network = compile_network(rail_fabric(4, 4, 2, uplinks=2).build())
    for aligned in (True, False):
        t = all_to_all(network, 127.0, rail_aligned=aligned)
        assert t.matrix is not None
        # 128 GPUs, 8 a domain, 32 a unit: pairs in the domain, the unit, across
        assert t.nvlink == pytest.approx(128 * 7)
        assert t.unit == pytest.approx(128 * 24)
        assert t.cross == pytest.approx(128 * 96)
        assert t.matrix.sum() == pytest.approx(128 * 120)
        assert t.fabric == pytest.approx(128 * 120)
        assert t.unplaced == 0
    rails = [int(n[-1]) for n in (network.device_ids[network.switches[s]] for s in network.leaves)]
    same = np.equal.outer(rails, rails)
    aligned = all_to_all(network, 127.0).matrix
    mixed = all_to_all(network, 127.0, rail_aligned=False).matrix
    assert aligned[~same].sum() == 0
    # without a change of rail 7 of 8 bytes leave their rail
    assert mixed[~same].sum() / mixed.sum() == pytest.approx(7 / 8)


def test_a_ring_crosses_units_once_a_unit():
    network = compile_network(rail_fabric(4, 4, 2).build())
    t = rail_rings(network, 8.0)
    assert (t.unit, t.cross) == (12 * 8.0, 4 * 8.0)
    assert t.nic_send == pytest.approx(np.ones(128))
    assert t.nic_receive == pytest.approx(np.ones(128))
    twice = t.plus(t).scaled(0.5)
    assert twice.amount.sum() == pytest.approx(t.amount.sum())
    p = permutation(network, 8.0, seed=1)
    assert p.nic_send == pytest.approx(np.ones(128))
    assert p.nic_receive == pytest.approx(np.ones(128))


def test_flows_without_a_shared_rail_use_all_pairs_of_nics():
    b = rail_fabric(1, 0, 1, rails=2)
    b.device("one", "server")
    b.device("two", "server")
    b.device("dark", "server")
    b.nic("one", 1, "su0-leaf0")
    b.nic("two", 2, "su0-leaf1")
    network = compile_network(b.build())
    at = [network.device_index[n] for n in ("one", "two", "dark")]
    t = server_flows(network, np.array([at[0], at[0]]), np.array([at[1], at[2]]), 5.0)
    assert t.amount.tolist() == [5.0]
    assert t.unplaced == 5.0


def test_a_read_only_installation_compiles_without_a_cache(monkeypatch):
    import numba

    def refuse(cache, **_options):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return lambda loops: loops

    monkeypatch.setattr(numba, "njit", refuse)
    compiled.cache_clear()
    assert compiled("shortest") is not None
    compiled.cache_clear()


def test_two_swapped_cables_funnel_a_pod_through_one():
    """Model section 1: at 1,024 GPUs in three tiers the swap makes a hot spot of 13 times."""
    from dataclasses import replace

    from designer.model.edits import Edit, Swap

    b = three_tier(4, 32, 8, 8, single=True)
    design = b.build()
    one, two = (
        next(c for c in design.cables.values() if c.a.device == leaf)
        for leaf in ("su0-leaf0", "su1-leaf0")
    )
    even = compile_network(design)
    swaps = (
        Swap("cables", one.id, one, replace(one, b=two.b)),
        Swap("cables", two.id, two, replace(two, b=one.b)),
    )
    design.apply(Edit("swap", swaps))
    wrong = compile_network(design)

    def hot(network, mode):
        traffic = all_to_all(network, 1e9, rail_aligned=False)
        return fabric_drain_time(network, link_loads(route(network, mode), traffic)).seconds

    # a path down and up again through the wrong cable is as short as the right ones
    assert hot(wrong, "shortest") / hot(even, "shortest") == pytest.approx(13, abs=1)
    assert hot(even, "updown") < hot(wrong, "updown") < hot(wrong, "shortest")


def test_planes_never_mix():
    b = Builder()
    b.type(server_type(2, 2, "two"))
    for plane in ("A", "B"):
        b.unit(plane, "plane")
        b.device(f"spine{plane}", "spine", plane=f"g-{plane}")
        for k in range(2):
            b.device(f"leaf{k}{plane}", "leaf", plane=f"g-{plane}")
            b.cable(f"leaf{k}{plane}", f"spine{plane}", 4)
    for i in range(4):
        b.device(f"srv{i}", "server", "two", nics="dual")
        for port in range(1, 5):
            b.nic(f"srv{i}", port, f"leaf{i // 2}{'AB'[(port - 1) % 2]}")
    network = compile_network(b.build())
    for aligned in (True, False):
        traffic = all_to_all(network, 7e9, rail_aligned=aligned)
        loads = link_loads(route(network), traffic)
        assert loads.undelivered == 0
        assert traffic.matrix.sum() == pytest.approx(8 * 6e9)
        assert traffic.nic_send == pytest.approx(np.full(16, 3e9))
        # 4 of the 6 other GPUs outside the server are under the other leaf of each plane
        assert loads.bundle == pytest.approx(np.full(8, 4 * 4e9 / 2))


@pytest.mark.parametrize("seed", range(20))
def test_leaves_send_what_their_nics_send(seed):
    network = compile_network(random_fabric(seed, servers=7).build())
    traffic = all_to_all(network, 1e9, rail_aligned=False)
    leaves = len(network.leaves)
    sent = np.bincount(network.nics.leaf, traffic.nic_send, leaves)
    received = np.bincount(network.nics.leaf, traffic.nic_receive, leaves)
    assert traffic.matrix.sum(axis=1) == pytest.approx(sent)
    assert traffic.matrix.sum(axis=0) == pytest.approx(received)


def test_a_rack_of_trays_is_one_domain_for_all_to_all():
    b = Builder()
    spec = {"nvlink_bytes_per_s": 900e9, "nvlink_links": 18, "internal_nvswitch": False}
    b.type(server_type(4, 4, "tray", **spec))
    b.type(server_type(4, 4, "nvsw"))
    for rail in range(4):
        b.device(f"leaf{rail}", "leaf")
    for rack in range(3):
        b.device(f"nv{rack}", "nvswitch", "nvsw")
        for t in range(2):
            tray = b.device(f"tray{rack}-{t}", "server", "tray")
            b.cable(tray, f"nv{rack}", 72, fa="nvlink", fb="nvlink")
            for rail in range(4):
                b.nic(tray, rail + 1, f"leaf{rail}")
    network = compile_network(b.build())
    traffic = all_to_all(network, 23.0)
    assert traffic.nvlink == pytest.approx(24 * 7)
    assert traffic.fabric == pytest.approx(24 * 16)
    assert traffic.matrix == pytest.approx(np.eye(4) * 6 * 16)
    one, two = network.device_index["tray0-0"], network.device_index["tray0-1"]
    inside = server_flows(network, np.array([one]), np.array([two]), 8.0)
    assert (inside.nvlink, inside.fabric) == (8.0, 0.0)
