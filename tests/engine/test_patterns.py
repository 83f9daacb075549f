"""Ranks on the drawing, and who sends to whom."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.engine.dimensions import all_edges, line_edges, ring_edges
from designer.engine.patterns import chain, ring, sends, spread, tree, tree_edges
from designer.engine.pool import between_nodes, pool_of
from designer.errors import ParameterError
from tests.engine.builders import Builder, rail_fabric, server_type


def racks(count=2, trays=3, gpus=4):
    """Return racks of trays joined by NVSwitch trays, each tray with a NIC a GPU on one leaf."""
    b = Builder()
    gpu = {"nvlink_bytes_per_s": 900e9, "nvlink_links": 18, "architecture": "blackwell"}
    b.type(server_type(gpus, gpus, "tray", **gpu))
    b.type(server_type(8, 8, "nvsw"))
    b.device("leaf", "leaf")
    for r in range(count):
        b.device(f"nvs{r}", "nvswitch", "nvsw")
        for t in range(trays):
            b.device(f"r{r}t{t}", "server", "tray")
            b.cable(f"r{r}t{t}", f"nvs{r}", 72, fa="nvlink", fb="nvlink")
            for k in range(gpus):
                b.nic(f"r{r}t{t}", k + 1, "leaf")
    return b


def test_ranks_follow_servers_and_nodes_are_nvlink_domains():
    pool = pool_of(rail_fabric(2, 2).network())
    assert (pool.ranks, pool.nodes) == (32, 4)
    assert pool.size.tolist() == [8, 8, 8, 8]
    assert pool.node.tolist() == [i // 8 for i in range(32)]
    assert not pool.uncabled.any()


def test_first_ranks_fill_servers_in_order():
    pool = pool_of(rail_fabric(2, 2).network(), 12)
    assert pool.size.tolist() == [8, 4]
    assert int(pool.network.gpus[pool.network.servers].sum()) == 12


@pytest.mark.parametrize("ranks", [0, -1, 33])
def test_more_ranks_than_gpus_are_refused(ranks):
    with pytest.raises(ParameterError):
        pool_of(rail_fabric(2, 2).network(), ranks)


@given(nodes=st.integers(2, 300))
def test_both_trees_span_all_nodes_and_nobody_is_inside_both(nodes):
    low, high = tree_edges(nodes)
    half = len(low) // 2
    assert half == nodes - 1
    inner = []
    for part in (slice(0, half), slice(half, None)):
        up = dict(zip(low[part].tolist(), high[part].tolist(), strict=True))
        assert len(up) == nodes - 1
        depths = []
        for node in range(nodes):
            at, depth = node, 0
            while at in up:
                at, depth = up[at], depth + 1
            depths.append(depth)
        assert max(depths) <= np.log2(nodes) + 2
        roots = set(range(nodes)) - set(up)
        inner.append(set(high[part].tolist()) - roots)
    assert not inner[0] & inner[1]


@pytest.mark.parametrize(("nodes", "c"), [(2, 1.0), (3, 1.5), (4, 2.0), (32, 2.0), (33, 2.0)])
def test_busiest_node_of_the_double_tree_sends_c_times_the_data(nodes, c):
    low, high = tree_edges(nodes)
    assert sends(low, high, nodes).max() == pytest.approx(c)


def test_ring_loads_each_nic_equally():
    pool = pool_of(rail_fabric(2, 2).network())
    traffic = ring(pool)
    assert traffic.nic_send == pytest.approx(np.full(32, 1 / 8))
    assert traffic.nvlink == 0
    assert (traffic.unit, traffic.cross) == (2, 2)
    assert chain(pool).fabric == pytest.approx(3)


def test_racks_are_nodes_and_use_the_nics_of_all_their_trays():
    pool = pool_of(racks().network())
    assert pool.nodes == 2
    assert pool.size.tolist() == [12, 12]
    assert ring(pool).nic_send == pytest.approx(np.full(24, 1 / 12))
    assert tree(pool).nic_send == pytest.approx(np.full(24, 1 / 12))


def test_racks_of_different_size_lose_nothing():
    b = racks(1, 3)
    b.device("alone", "server", "tray")
    b.device("nvs9", "nvswitch", "nvsw")
    b.cable("alone", "nvs9", 72, fa="nvlink", fb="nvlink")
    for k in range(4):
        b.nic("alone", k + 1, "leaf")
    traffic = ring(pool_of(b.network()))
    assert traffic.fabric == pytest.approx(2)
    assert traffic.unplaced == 0


def test_a_node_without_nics_is_told():
    b = rail_fabric(1, 2)
    b.device("lost", "server")
    pool = pool_of(b.network())
    assert pool.uncabled.tolist() == [False, False, True]
    assert ring(pool).unplaced == pytest.approx(2)


@given(groups=st.integers(1, 4), size=st.integers(2, 6), stride=st.integers(1, 5))
def test_rings_of_all_groups_visit_every_rank_once(groups, size, stride):
    gpus = groups * size * stride
    edges = ring_edges(gpus, ((size, stride),))
    assert sorted(edges.target.tolist()) == list(range(gpus))
    span = size * stride
    assert (edges.source // span == edges.target // span).all()
    assert (edges.source % stride == edges.target % stride).all()
    pairs = all_edges(gpus, ((size, stride),))
    assert len(set(zip(pairs.source.tolist(), pairs.target.tolist(), strict=True))) == gpus * (
        size - 1
    )
    assert pairs.amount.sum() == pytest.approx(gpus)


def test_pipeline_sends_both_ways_and_wraps_only_when_interleaved():
    plain = line_edges(8, ((4, 2),), 1)
    assert plain.amount.sum() == 2 * 6
    wrapped = line_edges(8, ((4, 2),), 4)
    assert wrapped.amount.sum() == pytest.approx(2 * (6 + 2 * 3 / 4))


def test_flows_inside_a_node_stay_off_the_fabric():
    pool = pool_of(rail_fabric(2, 2).network())
    edges = ring_edges(32, ((8, 1),))
    traffic = between_nodes(pool, edges.source, edges.target, edges.amount)
    assert traffic.nvlink == 32
    assert traffic.fabric == 0
    whole = ring_edges(32, ((32, 1),))
    crossing = between_nodes(pool, whole.source, whole.target, whole.amount)
    assert crossing.nvlink == 28
    assert crossing.fabric == pytest.approx(4)


def test_spread_sends_one_byte_a_gpu():
    pool = pool_of(rail_fabric(2, 2).network())
    traffic = spread(pool, rail_aligned=True)
    assert traffic.nvlink + traffic.unit + traffic.cross == pytest.approx(32)
    assert traffic.fabric == pytest.approx(32 * 24 / 31)
