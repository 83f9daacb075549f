"""What NCCL's published rule takes; its crossovers hold within a factor of 2 in size."""

import pytest

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.nccl_rule import nccl_choice, nccl_timing
from designer.engine.options import Options
from designer.topologies import generate
from tests.engine.settings import GIB, machine, without_nvls

MIB = 2**20
CATALOG = default_catalog()


def taken(setting, size, operation="all_reduce"):
    return nccl_choice(setting, operation, size).text


# A port of src/graph/tuning.cc (June 2026) picks, on one server of 8 H100: ring/LL to 1 MiB, NVLS
# from about 16 MiB.
@pytest.mark.parametrize("size", [8, 1024, 64 * 1024, MIB])
def test_one_server_small(size):
    assert taken(machine(8, 1), size) == "ring/ll"


@pytest.mark.parametrize("size", [16 * MIB, 64 * MIB, GIB, 16 * GIB])
def test_one_server_large(size):
    assert taken(machine(8, 1), size) == "nvls/simple"


# On two servers and more: tree/LL, tree/LL128 to about 16 MiB, NVLSTree above.
@pytest.mark.parametrize("nodes", [2, 4])
def test_several_servers(nodes):
    setting = machine(8 * nodes, nodes)
    assert taken(setting, 8) == taken(setting, 64 * 1024) == "tree/ll"
    assert taken(setting, MIB) == taken(setting, 4 * MIB) == "tree/ll128"
    assert taken(setting, 32 * MIB) == taken(setting, GIB) == "nvls_tree/simple"


@pytest.mark.parametrize("nodes", [32, 256])
def test_more_servers_move_the_crossover_up_and_keep_the_order(nodes):
    setting = machine(8 * nodes, nodes)
    found = list(dict.fromkeys(taken(setting, 2**k) for k in range(3, 35)))
    assert found == ["tree/ll", "tree/ll128", "nvls_tree/simple"]


def test_without_nvls_large_messages_take_the_ring():
    assert taken(without_nvls(machine(8, 1)), GIB).startswith("ring/")
    assert taken(without_nvls(machine(32, 4)), 16 * GIB).startswith("ring/")


def test_gathers_take_rings_and_all_to_all_has_no_choice():
    setting = machine(32, 4)
    assert taken(setting, 1024, "all_gather") == "ring/ll"
    assert taken(setting, GIB, "reduce_scatter") == "ring/simple"
    assert nccl_choice(setting, "all_to_all", GIB) is None
    assert nccl_choice(machine(1, 1), "all_reduce", GIB) is None


def test_its_time_is_that_of_the_model_for_what_it_takes():
    setting = machine(8, 1)
    made = nccl_timing(setting, "all_reduce", MIB)
    assert (made.algorithm, made.protocol) == ("ring", "ll")
    # the rule itself claims 590 GB/s of bus bandwidth for 8 H100: it chooses, it does not predict
    large = nccl_timing(setting, "all_reduce", 16 * GIB)
    assert 2 * 7 / 8 * 16 * GIB / large.time_s < 490e9


def test_results_say_who_chose():
    design = generate("rail-optimized", CATALOG, gpus=256)
    auto, rule, forced = (
        analyze(design, Options(algorithm=a), CATALOG) for a in ("auto", "nccl", "ring")
    )
    key = "collectives.all_reduce"
    assert [r.get(key)["chosen_by"] for r in (auto, rule, forced)] == ["time", "nccl", "request"]
    chosen = rule.get(key)
    assert chosen["nccl_choice"] == f"{chosen['algorithm']}/{chosen['protocol']}"
    assert auto.get(f"{key}.time_s") <= chosen["time_s"]
    assert rule.get("collectives.all_gather")["chosen_by"] == "nccl"
    for p, q in zip(auto.get(key)["curve"], chosen["curve"], strict=True):
        assert p["time_s"] <= q["time_s"] * (1 + 1e-12)
