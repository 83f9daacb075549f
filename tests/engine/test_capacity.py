import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.load import default_catalog
from designer.engine.capacity import all_to_all_saturation, capacity, oversubscription, split_flow
from designer.engine.compile import compile_network
from designer.engine.routing import route
from designer.topologies import generate
from tests.engine import oracle
from tests.engine.builders import Builder, rail_fabric, random_fabric, server_type, three_tier


def found(b, fail=frozenset()):
    design = b.build() if b.swaps else b.design
    return capacity(design, route(compile_network(design, fail)))


def test_fab1k():
    """Model section 1g: bisection 204.8 Tb/s, all 512 NICs of one half at 400G."""
    c = found(rail_fabric(4, 32, 16, uplinks=2))
    assert c.values() == {
        "tiers": 2,
        "oversubscription": {"leaf": 1.0, "spine": None},
        "bisection_bits_per_s": 204.8e12,
        "nvlink_bytes_per_s_per_gpu": 450e9,
        "nic_bits_per_s_per_gpu": 400e9,
        "diameter_hops": 3,
    }
    assert set(c.reasons) == {"oversubscription.spine"}
    assert c.cuts == {(0, 1): 409.6e12, (1, 2): 409.6e12}
    assert {b.name for b in c.bisections} == {"units", "units-alternating"}


def test_three_to_one():
    c = found(rail_fabric(4, 6, 2))
    assert c.oversubscription[1].worst == pytest.approx(3.0)
    # 16 leaves of a half with 2 uplinks each
    assert c.bisection.bits_per_s == pytest.approx(16 * 2 * 400e9)
    assert c.bisection.nic_bits_per_s == pytest.approx(12 * 8 * 400e9)


def test_three_tiers_and_pods():
    c = found(three_tier(8, 4, 4, 4, units_per_pod=2))
    assert c.tiers == 3
    assert c.oversubscription[1].worst == c.oversubscription[2].worst == 1.0
    assert {b.name for b in c.bisections} == {"pods", "pods-alternating"}
    assert c.bisection.bits_per_s == pytest.approx(16 * 8 * 400e9)
    assert c.values()["oversubscription"] == {"leaf": 1.0, "spine": 1.0}


def test_the_worst_switch_is_named():
    b = rail_fabric(2, 4, 4)
    b.build()
    dead = list(b.design.cables_of("su1-leaf3"))[:2]
    network = compile_network(b.design, frozenset(dead))
    worst = oversubscription(network)[1]
    assert network.device_ids[worst.switch] == "su1-leaf3"
    assert worst.worst == pytest.approx(2.0)
    assert worst.mean < 1.1


@pytest.mark.parametrize("units", [1, 2, 3, 5])
def test_halves_are_even_also_with_odd_units(units):
    c = found(rail_fabric(units, 4, 4, rails=2))
    for split in c.bisections:
        assert split.first == split.second == units * 2
        assert split.bits_per_s == pytest.approx(units * 2 * 2 * 400e9)


def test_one_leaf_joins_all_servers():
    c = found(rail_fabric(1, 4, 0, rails=1))
    assert c.bisection.name == "servers"
    assert c.bisection.bits_per_s == pytest.approx(2 * 400e9)
    assert c.values()["oversubscription"] == {"leaf": None, "spine": None}
    assert all_to_all_saturation(route(compile_network(rail_fabric(1, 4, 0).build()))) is None


@pytest.mark.parametrize("build", [Builder, lambda: rail_fabric(1, 1, 1, rails=1)])
def test_unknowns_are_null_with_a_reason(build):
    c = found(build())
    for key, value in c.values().items():
        if value is None:
            assert c.reasons[key]
    for key, value in c.values()["oversubscription"].items():
        if value is None:
            assert c.reasons[f"oversubscription.{key}"]


def test_servers_without_nvlink_or_gpus():
    b = Builder()
    b.type(server_type(None, 1, "hca", nvlink_bytes_per_s=None))
    b.device("leaf", "leaf")
    for i in range(2):
        b.device(f"s{i}", "server", "hca")
        b.nic(f"s{i}", 1, "leaf")
    c = found(b)
    assert c.nic_bits_per_s_per_gpu is None
    assert c.nvlink_bytes_per_s_per_gpu is None
    assert c.bisection.bits_per_s == 400e9


@given(seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_any_split_equals_the_maximum_flow_of_networkx(seed):
    network = compile_network(random_fabric(seed, servers=6).build())
    cabled = np.isin(network.servers, network.nics.server)
    servers = network.servers[cabled]
    second = np.random.default_rng(seed).random(len(servers)) < 0.5
    g = nx.DiGraph()
    g.add_nodes_from(("s", "t"))
    for u, v, data in oracle.multigraph(network).edges(data=True):
        for a, b in ((u, v), (v, u)):
            before = g.get_edge_data(a, b, {"capacity": 0.0})["capacity"]
            g.add_edge(a, b, capacity=before + data["speed"])
    side = dict(zip(servers.tolist(), second.tolist(), strict=True))
    for server, switch, speed in zip(
        network.nics.server, network.nics.switch, network.nics.speed, strict=True
    ):
        a, b = (("t",) if side[server] else ("s",))[0], int(switch)
        one, two = (b, "t") if a == "t" else ("s", b)
        before = g.get_edge_data(one, two, {"capacity": 0.0})["capacity"]
        g.add_edge(one, two, capacity=before + float(speed))
    wanted = nx.maximum_flow_value(g, "s", "t")
    assert split_flow(route(network), "any", servers, second).bits_per_s == pytest.approx(wanted)


def test_the_quotient_keeps_the_flow_also_with_failures():
    b = three_tier(8, 8, 8, 4, units_per_pod=2)
    b.build()
    dead = np.random.default_rng(3).choice(list(b.design.cables), 5, replace=False)
    network = compile_network(b.design, frozenset(dead.tolist()))
    small, full = route(network), route(network, reduce=False)
    pair = [capacity(b.design, r).bisections for r in (small, full)]
    for one, two in zip(*pair, strict=True):
        assert one.bits_per_s == pytest.approx(two.bits_per_s)


def test_all_to_all_saturation():
    b = rail_fabric(4, 32, 16, uplinks=2)
    free = all_to_all_saturation(route(compile_network(b.build())))
    assert free is not None
    assert free.share > 1
    tight = all_to_all_saturation(route(compile_network(rail_fabric(4, 6, 2).build())))
    assert tight is not None
    assert tight.share < 0.36
    aligned = all_to_all_saturation(
        route(compile_network(rail_fabric(4, 6, 2).build())), rail_aligned=True
    )
    assert aligned is not None
    assert aligned.share > tight.share


@pytest.mark.parametrize("gpus", [296, 520, 1000])
def test_units_of_unequal_size_are_cut_in_the_middle_of_the_servers(gpus):
    # 37 servers in units of 32 and 5: a split by units would call 16 Tb/s the bisection
    design = generate("rail-optimized", default_catalog(), gpus=gpus)
    least = capacity(design, route(compile_network(design))).bisection
    assert abs(least.first - least.second) <= 1
    assert least.bits_per_s == gpus // 8 // 2 * 8 * 400e9
