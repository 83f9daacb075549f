"""Jobs, the rule of NCCL and relays on drawings nobody would build: always a fair answer."""

import random
from dataclasses import replace

import numpy as np
import pytest

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.options import OPERATIONS, Job, Options
from designer.engine.placing import Placing
from designer.model.records import Info
from tests.engine.builders import random_fabric, server_type
from tests.engine.test_invariants import faster, numbers, shuffled
from tests.engine.test_network_fuzz import wild

CATALOG = default_catalog()
MANNERS = ("packed", "spread", "random")


def _asked(seed, servers):
    rng = random.Random(seed)
    picked = Placing("picked", devices=tuple(rng.sample(servers, min(2, len(servers)))))
    placings = [*(Placing(m, seed) for m in MANNERS), picked]  # type: ignore[arg-type]
    return Options(
        placing=rng.choice([None, *placings]),
        ranks=rng.choice([None, 1, 2, 5, 9, 10**6]),
        collective=rng.choice(OPERATIONS),
        size_bytes=rng.choice([1, 4096, 2**30]),
        algorithm=rng.choice(["auto", "nccl", "ring"]),
        relay=rng.choice(["auto", "on", "off"]),
        routing=rng.choice(["auto", "ecmp", "hashed", "adaptive"]),
        others=tuple(
            Job(rng.choice(placings), rng.choice([None, 2, 8]), rng.choice(OPERATIONS))
            for _ in range(rng.randrange(3))
        ),
    )


def _is_fair(results):
    """Every job has times that fit one another, or a reason; nulls of the whole have one too."""
    beside = results.get("interference")
    if beside is None:
        assert results.reason("interference")
        return
    for one in beside["jobs"]:
        if one["alone_s"] is None:
            assert one["reason"]
            continue
        assert not one["reason"]
        assert one["slow_down"] is None or one["slow_down"] >= 1
        assert one["together_s"] >= one["alone_s"] * (1 - 1e-9)
        assert one["alone_s"] * (1 - 1e-9) <= one["ends_s"] <= one["together_s"] * (1 + 1e-9)
    servers = [i for one in beside["jobs"] for i in one["servers"]]
    assert len(servers) == len(set(servers)), "a server runs one job"


@pytest.mark.parametrize("seed", range(40))
def test_any_drawing_has_an_answer_for_any_jobs(seed):
    design = wild(seed).build()
    servers = [d.id for d in design.devices.values() if d.role == "server"]
    results = analyze(design, _asked(seed, servers), CATALOG)
    assert all(np.isfinite(v) for _path, v in numbers(results.values["collectives"]))
    _is_fair(results)
    for name in OPERATIONS:
        found = results.get(f"collectives.{name}")
        assert found["time_s"] is not None or results.reason(f"collectives.{name}.time_s")


def test_cables_without_any_device_have_an_answer():
    design = wild(31).build()
    assert design.cables and not design.devices
    results = analyze(design, Options(failures=True), CATALOG)
    assert results.get("counts.gpus") == 0
    assert {f.rule for f in results.findings} >= {"dangling-cable"}


@pytest.mark.parametrize("seed", range(16))
def test_irregular_graphs_with_failed_cables_are_fair(seed):
    builder = random_fabric(seed, servers=8)
    design = builder.build()
    servers = [d.id for d in design.devices.values() if d.role == "server"]
    fail = tuple(random.Random(seed).sample(list(design.cables), 3))
    _is_fair(analyze(design, replace(_asked(seed, servers), fail=fail), CATALOG))


@pytest.mark.parametrize("seed", range(8))
def test_a_job_on_all_servers_is_no_placement(seed):
    design = random_fabric(seed, servers=6).build()
    alone = Options(fabric="infiniband", routing="ecmp")
    servers = [d.id for d in design.devices.values() if d.role == "server"]
    before = analyze(design, alone, CATALOG)
    after = analyze(design, replace(alone, placing=Placing("packed")), CATALOG)
    for key in ("collectives", "step"):
        one, two = dict(numbers(before.values[key])), dict(numbers(after.values[key]))
        assert one.keys() == two.keys()
        for path, value in one.items():
            assert two[path] == pytest.approx(value, rel=1e-12), path
    picked = Placing("picked", devices=tuple(servers))
    whole = analyze(design, replace(alone, placing=picked), CATALOG).get("job.ranks")
    assert whole == before.get("collectives.all_reduce.ranks")


@pytest.mark.parametrize("seed", range(8))
def test_names_and_order_change_nothing_for_jobs(seed):
    design = random_fabric(seed, servers=6).build()
    design.info["info"] = Info(routing="shortest")
    asked = Options(
        placing=Placing("packed"),
        ranks=16,
        collective="all_to_all",
        fabric="infiniband",
        routing="ecmp",
        others=(Job(Placing("packed"), 16, "all_reduce"),),
    )
    one = analyze(design, asked, CATALOG).get("interference")
    two = analyze(shuffled(design, seed, rename=True), asked, CATALOG).get("interference")
    for a, b in zip(one["jobs"], two["jobs"], strict=True):
        assert a["servers"] == b["servers"]
        for key in ("alone_s", "together_s", "ends_s"):
            if a[key] is None:
                assert b[key] is None
                continue
            assert b[key] == pytest.approx(a[key], rel=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_doubling_every_rate_halves_what_jobs_cost_one_another(seed):
    design = random_fabric(seed, servers=6).build()
    asked = Options(
        placing=Placing("packed"),
        ranks=16,
        collective="all_to_all",
        size_bytes=2**44,
        fabric="infiniband",
        routing="ecmp",
        others=(Job(Placing("packed"), 16, "all_to_all", 2**44),),
    )
    one = analyze(design, asked, CATALOG).get("interference")
    two = analyze(faster(design, 2), asked, CATALOG).get("interference")
    for a, b in zip(one["jobs"], two["jobs"], strict=True):
        if a["alone_s"] is None:
            assert b["alone_s"] is None
            continue
        # relays take NVLink, which does not get faster: at least as much as half
        assert a["together_s"] / 2 * (1 - 1e-6) <= b["together_s"] <= a["together_s"] * (1 + 1e-9)


def test_servers_without_nvlink_and_with_few_nics_have_jobs():
    builder = random_fabric(3, servers=6)
    builder.type(server_type(4, 2, "srv", nvlink_bytes_per_s=None))
    builder.swaps = [s for s in builder.swaps if s.id != "srv" or s.after.nic_slots == 2]
    design = builder.build()
    asked = Options(placing=Placing("spread"), ranks=8, others=(Job(Placing("spread"), 8),))
    results = analyze(design, asked, CATALOG)
    _is_fair(results)
    assert results.get("collectives.all_to_all.relay") is None
