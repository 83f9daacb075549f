import networkx as nx
import numpy as np
import pytest

from designer.engine.compile import compile_network
from designer.engine.routing import islands, reach, route
from tests.engine import oracle
from tests.engine.builders import Builder, rail_fabric, random_fabric, three_tier


@pytest.mark.parametrize("seed", range(40))
def test_shortest_distances_equal_networkx(seed):
    network = compile_network(random_fabric(seed, 12, 14).build())
    routed = route(network, "shortest")
    distance = routed.of_switches(routed.total)
    g = oracle.multigraph(network)
    for i, leaf in enumerate(network.leaves.tolist()):
        near = nx.single_source_shortest_path_length(g, leaf)
        wanted = [near.get(s, routed.far) for s in range(len(network.switches))]
        assert distance[:, i].tolist() == wanted


def test_both_rules_agree_on_fat_trees_also_with_failures():
    b = three_tier(6, 4, 4, 2, units_per_pod=2)
    b.build()
    cables = [c for c in b.design.cables if not c.startswith("x")]
    rng = np.random.default_rng(5)
    for broken in (0, 3, 20):
        chosen = frozenset(rng.choice(cables, broken, replace=False).tolist())
        network = compile_network(b.design, chosen)
        one, two = route(network, "updown"), route(network, "shortest")
        assert (one.hops.astype(int) >= two.hops.astype(int)).all()
        if broken == 0:
            assert one.hops.tolist() == two.hops.tolist()


@pytest.mark.parametrize(
    ("build", "hops"),
    [
        (lambda: rail_fabric(1, 4, 2), 3),
        (lambda: rail_fabric(1, 4, 0, rails=1), 1),
        (lambda: three_tier(4, 2, 2, 2, units_per_pod=2), 5),
    ],
)
def test_diameter_is_the_switches_of_the_longest_path(build, hops):
    found = reach(route(compile_network(build().build())))
    assert found.diameter_hops == hops
    assert found.unreachable_pairs == 0
    assert set(found.islands.tolist()) == {0}


def test_a_rail_only_fabric_is_one_island_although_rails_never_meet():
    network = compile_network(rail_fabric(1, 4, 0).build())
    found = reach(route(network))
    assert found.unreachable_pairs == 56
    assert found.diameter_hops == 1
    assert found.mean_hops is None
    assert len(set(found.islands.tolist())) == 1


def test_servers_that_nothing_joins_are_islands():
    b = rail_fabric(2, 2, 0, rails=1)
    b.device("dark", "server")
    network = compile_network(b.build())
    found = islands(network)
    assert found[-1] == -1
    assert len(set(found[:4].tolist())) == 2


def test_nothing_to_route():
    network = compile_network(Builder().build())
    for mode in ("updown", "shortest"):
        found = reach(route(network, mode))
        assert found.diameter_hops is None
        assert found.farthest is None


def test_long_chains_need_more_than_eight_bits():
    b = Builder()
    for i in range(300):
        b.device(f"s{i}", "leaf")
        if i:
            b.cable(f"s{i - 1}", f"s{i}")
    for name, leaf in (("one", "s0"), ("two", "s299")):
        b.device(name, "server")
        b.nic(name, 1, leaf)
    network = compile_network(b.build())
    assert reach(route(network, "shortest")).diameter_hops == 300
    assert route(network, "updown").hops.shape == (2, 2)
