"""Jobs on part of the GPUs, and two jobs at the same time."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.failures import single_faults
from designer.engine.options import Job, Options
from designer.engine.placing import Placing
from designer.model.workload import stock_workloads
from designer.topologies import generate
from tests.engine.builders import Builder, rail_fabric, server_type
from tests.engine.test_analyze import gpu

CATALOG = default_catalog()
SPREAD, PACKED = Placing("spread"), Placing("packed")


def run(design, **options):
    return analyze(design, Options(**options), CATALOG)


@pytest.fixture(scope="module")
def two_to_one():
    """4 units of 4 servers, each leaf with 2 uplinks for 4 NICs."""
    return rail_fabric(4, 4).build()


def test_results_say_which_servers(two_to_one):
    job = run(two_to_one, placing=SPREAD, ranks=48).get("job")
    assert job["ranks"] == 48
    assert job["servers"][:3] == ["su0-srv0", "su1-srv0", "su2-srv0"]
    assert job["servers_by_unit"] == {"su0": 2, "su1": 2, "su2": 1, "su3": 1}
    assert job["placement"]["manner"] == "spread"


def test_all_gpus_are_no_job_and_say_so(two_to_one):
    results = run(two_to_one)
    assert results.get("job") is None
    assert results.get("interference") is None
    assert results.reason("job")
    assert results.reason("interference")


def test_packed_stays_in_its_unit_and_spread_pays_for_the_uplinks(two_to_one):
    asked = {"ranks": 32, "algorithm": "ring", "collective": "all_reduce"}
    packed, spread = (run(two_to_one, placing=p, **asked) for p in (PACKED, SPREAD))
    a2a = "collectives.all_to_all.time_s"
    assert spread.get(a2a) > packed.get(a2a) * 0.999
    # half of the ring's hops of a shuffle leave the unit, all of those of a spread job do
    assert packed.get("job")["servers_by_unit"] == {"su0": 4}


def test_the_first_ranks_and_packed_are_the_same(two_to_one):
    one, two = run(two_to_one, ranks=40), run(two_to_one, ranks=40, placing=PACKED)
    assert one.get("collectives") == two.get("collectives")


def test_the_step_runs_on_the_placed_job_only():
    design = generate("rail-optimized", CATALOG, gpus=256)
    work = stock_workloads()["llama3-70b-tp8"]
    whole = run(design, workload=work)
    first = run(design, workload=work, ranks=64)
    placed = run(design, workload=work, ranks=64, placing=SPREAD)
    assert first.get("step") == whole.get("step")
    assert placed.get("step.layout.dp") * 4 == whole.get("step.layout.dp")


def test_more_than_there_is_has_a_reason(two_to_one):
    results = run(two_to_one, placing=Placing("picked", devices=("su0-srv0",)), ranks=16)
    assert results.get("collectives.all_reduce.time_s") is None
    assert "16" in results.reason("collectives.all_reduce.time_s")
    assert results.get("job")["servers"] == []
    gone = run(two_to_one, placing=Placing("picked", devices=("gone",)))
    assert gone.reason("collectives.all_reduce.time_s")
    assert gone.reason("step.time_s")


# --- two jobs ---


def dumbbell(uplinks=1, servers=4):
    """Two leaves joined by a spine, servers of one GPU and one NIC on each."""
    b = Builder()
    b.type(server_type(1, 1, "one", **gpu()))
    b.device("spine", "spine")
    for k in range(2):
        b.cable(b.device(f"leaf{k}", "leaf"), "spine", uplinks)
        for i in range(servers):
            b.nic(b.device(f"s{k}{i}", "server", "one"), 1, f"leaf{k}")
    return b.build()


def picked(*names):
    return Placing("picked", devices=names)


def beside(design, first, *others, **options):
    asked = {"algorithm": "ring", "size_bytes": 2**33} | options
    return run(design, placing=first, others=others, **asked).get("interference")


BIG = 2**33


def test_two_equal_jobs_halve_the_link_they_share():
    found = beside(dumbbell(), picked("s00", "s10"), Job(picked("s01", "s11"), size_bytes=BIG))
    assert found["slow_down"] == pytest.approx(2.0, rel=1e-3)
    assert [j["slow_down"] for j in found["jobs"]] == pytest.approx([2.0, 2.0], rel=1e-3)
    assert found["shared_links"] == 2
    assert "spine" in found["jobs"][0]["bottleneck"]


def test_jobs_that_share_nothing_do_not_meet():
    found = beside(dumbbell(), picked("s00", "s01"), Job(picked("s10", "s11"), size_bytes=BIG))
    assert [j["slow_down"] for j in found["jobs"]] == [1.0, 1.0]
    assert found["shared_links"] == 0
    assert found["jobs"][0]["bottleneck"] == ""


def test_enough_uplinks_leave_both_alone():
    found = beside(dumbbell(2), picked("s00", "s10"), Job(picked("s01", "s11"), size_bytes=BIG))
    assert [j["slow_down"] for j in found["jobs"]] == pytest.approx([1.0, 1.0], rel=1e-6)
    assert found["shared_links"] == 4


def test_a_short_job_ends_and_leaves_the_link_to_the_long_one():
    """By hand: both at half rate until the short one ends, then the long one alone."""
    short = Job(picked("s01", "s11"), size_bytes=BIG // 4)
    found = beside(dumbbell(), picked("s00", "s10"), short)
    long, brief = found["jobs"]
    assert brief["ends_s"] == pytest.approx(2 * brief["alone_s"], rel=1e-3)
    assert long["ends_s"] == pytest.approx(long["alone_s"] + brief["alone_s"], rel=1e-3)
    assert long["together_s"] == pytest.approx(2 * long["alone_s"], rel=1e-3)


def test_three_jobs_share_by_thirds():
    others = [Job(picked(f"s0{k}", f"s1{k}"), size_bytes=BIG) for k in (1, 2)]
    found = beside(dumbbell(), picked("s00", "s10"), *others)
    assert [j["slow_down"] for j in found["jobs"]] == pytest.approx([3.0] * 3, rel=1e-3)


def test_a_job_that_crosses_with_half_its_bytes_takes_half_as_much():
    """8 GPUs: 4 of 7 parts of an all-to-all cross, with 4 NICs a side, over one cable.

    w of the ring is 1, that of the all-to-all 4 · 4/7; both NIC rates are equal on the full cable.
    """
    found = beside(
        dumbbell(1, 5),
        picked("s04", "s14"),
        Job(Placing("packed"), operation="all_to_all", size_bytes=BIG),
    )
    ring, spread = found["jobs"]
    w = 4 * 4 / 7
    assert spread["ranks"] == 8
    assert ring["slow_down"] == pytest.approx(1 + w, rel=2e-3)
    assert spread["slow_down"] == pytest.approx((1 + w) / w, rel=2e-3)


def test_a_second_job_without_servers_says_so(two_to_one):
    found = run(two_to_one, others=(Job(),)).get("interference")
    assert found["jobs"][1]["reason"]
    assert found["jobs"][1]["alone_s"] is None
    assert found["slow_down"] == 1.0


def test_a_first_job_that_cannot_run_has_a_reason(two_to_one):
    results = run(two_to_one, ranks=10**6, others=(Job(),))
    assert results.get("interference.slow_down") is None
    assert results.reason("interference.slow_down")
    assert results.get("interference")["jobs"][1]["alone_s"] > 0


@given(seed=st.integers(0, 10**6))
@settings(max_examples=15, deadline=None, derandomize=True)
def test_nobody_gains_and_full_links_are_not_overdrawn(seed):
    rng = np.random.default_rng(seed)
    design = rail_fabric(3, 4, rails=2).build()
    routing = str(rng.choice(["ecmp", "hashed", "adaptive"]))
    operations = rng.choice(["all_reduce", "all_to_all", "all_gather"], 2)
    found = run(
        design,
        placing=Placing("random", seed),
        ranks=int(rng.integers(2, 13)),
        collective=str(operations[0]),
        routing=routing,
        others=(Job(SPREAD, 8, str(operations[1])),),
    ).get("interference")
    for one in found["jobs"]:
        assert one["slow_down"] >= 1
        assert one["alone_s"] * (1 - 1e-9) <= one["ends_s"] <= one["together_s"] * (1 + 1e-9)
        assert bool(one["bottleneck"]) == (one["slow_down"] > 1)


def test_single_faults_of_a_placed_job_keep_its_servers():
    design = rail_fabric(2, 2, rails=2).build()
    asked = Options(placing=Placing("random", 3), ranks=4, others=(Job(),))
    effects = single_faults(design, asked, CATALOG)
    assert effects
    assert {e.kind for e in effects} >= {"link", "server"}


def test_options_are_equal_when_they_ask_the_same():
    one = Options(placing=Placing("random", 1), others=(Job(SPREAD),))
    assert one == replace(one, others=(Job(Placing("spread")),))
