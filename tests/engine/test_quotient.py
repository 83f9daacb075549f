import numpy as np
import pytest

from designer.engine.compile import compile_network
from designer.engine.graph import layers, switch_graph
from designer.engine.quotient import equitable, quotient
from tests.engine.builders import Builder, rail_fabric, random_fabric, three_tier


def test_regular_fabrics_shrink_to_leaves_and_a_few_cells():
    network = compile_network(three_tier(8, 8, 8, 4, units_per_pod=2).build())
    graph = switch_graph(network)
    small = quotient(network, graph)
    assert small is not None
    # 64 leaves, the spines of a pod alike, all cores alike
    assert small.graph.n == 64 + 4 + 1
    assert small.graph.count.sum() == graph.count.sum()
    assert small.graph.capacity.sum() == graph.capacity.sum()
    assert equitable(graph, small.cell, small.graph.n)


def test_one_slower_cable_splits_cells():
    b = three_tier(8, 8, 8, 4, units_per_pod=2)
    b.build()
    network = compile_network(b.design)
    whole = quotient(network, switch_graph(network))
    cut = compile_network(b.design, frozenset({next(iter(b.design.cables_of("core0-0")))}))
    hurt = quotient(cut, switch_graph(cut))
    assert whole is not None
    assert hurt is not None
    assert hurt.graph.n > whole.graph.n


def test_a_wrong_colouring_is_found_out():
    network = compile_network(rail_fabric(2, 2, 2).build())
    graph = switch_graph(network)
    assert not equitable(graph, np.zeros(graph.n, dtype=np.int32), 1)
    assert equitable(graph, np.arange(graph.n, dtype=np.int32), graph.n)


def test_two_rings_of_three_and_one_of_six_are_told_apart():
    """Colour refinement without single leaves cannot; see model section 1."""
    for rings in ([(0, 1, 2), (3, 4, 5)], [(0, 1, 2, 3, 4, 5)]):
        b = Builder()
        for i in range(6):
            b.device(f"s{i}", "leaf")
            b.device(f"srv{i}", "server")
            b.nic(f"srv{i}", 1, f"s{i}")
        for ring in rings:
            for u, v in zip(ring, ring[1:] + ring[:1], strict=True):
                b.cable(f"s{u}", f"s{v}")
        network = compile_network(b.build())
        assert quotient(network, switch_graph(network)) is None


@pytest.mark.parametrize("seed", range(40))
def test_any_quotient_is_equitable(seed):
    network = compile_network(random_fabric(seed, 14, 20, 2).build())
    graph = switch_graph(network)
    small = quotient(network, graph)
    if small is not None:
        assert equitable(graph, small.cell, small.graph.n)


def test_layers_are_longest_chains():
    low, high = np.array([0, 1, 0, 3]), np.array([1, 2, 2, 4])
    assert layers(5, low, high).tolist() == [0, 1, 2, 0, 1]


def test_an_empty_graph_has_no_quotient():
    network = compile_network(Builder().build())
    assert quotient(network, switch_graph(network)) is None
