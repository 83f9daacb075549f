"""Placement, jobs at the same time, NCCL's rule and relays on drawings nobody would sell.

Irregular graphs, lateral links, rings of switches, several components, servers that differ, PCIe,
racks, failed links, one GPU and none: what must hold for all of them.
"""

import json
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.compile import compile_network
from designer.engine.loads import RoutingChoice, link_loads
from designer.engine.options import OPERATIONS, Job, Options
from designer.engine.patterns import ring, spread, tree
from designer.engine.placing import Placing, placed_servers
from designer.engine.pool import pool_of
from designer.engine.routing import route
from designer.model.records import Info
from tests.engine.builders import Builder, rail_fabric, random_fabric, server_type
from tests.engine.test_analyze import gpu, star
from tests.engine.test_invariants import faster, numbers, shuffled, through
from tests.engine.test_patterns import racks

CATALOG = default_catalog()
PCIE = {"nvlink_bytes_per_s": None, "pcie_bytes_per_s": 64e9, "internal_nvswitch": False}
MANNERS = st.sampled_from([Placing(), Placing("spread"), Placing("random", 5)])


def ring_of_switches(switches=5, lateral=False):
    """Switches in a ring, each with two servers; `lateral` adds a chord of two cables."""
    b = Builder()
    names = [b.device(f"leaf{k}", "leaf") for k in range(switches)]
    for k in range(switches):
        b.cable(names[k], names[(k + 1) % switches])
        for i in range(2):
            server = b.device(f"s{k}{i}", "server")
            for port in range(1, 3 + k % 2):
                b.nic(server, port, names[k])
    if lateral:
        b.cable(names[0], names[2], 2)
    return b


def lateral():
    """Two tiers whose leaves are joined in pairs as well."""
    b = rail_fabric(2, 3, rails=4)
    for r in range(4):
        b.cable(f"su0-leaf{r}", f"su1-leaf{r}")
    return b


def components():
    """Two fabrics that no cable joins."""
    b = Builder()
    b.type(server_type(2, 2, "two", **gpu()))
    for k in range(2):
        spine = b.device(f"spine{k}", "spine")
        for n in range(2):
            leaf = b.device(f"leaf{k}{n}", "leaf")
            b.cable(leaf, spine)
            for i in range(2):
                server = b.device(f"s{k}{n}{i}", "server", "two")
                for port in (1, 2):
                    b.nic(server, port, leaf)
    return b


DRAWINGS = {
    "irregular 1": lambda: random_fabric(1),
    "irregular 7": lambda: random_fabric(7),
    "irregular 23": lambda: random_fabric(23),
    "ring": ring_of_switches,
    "ring with a chord": lambda: ring_of_switches(6, lateral=True),
    "lateral": lateral,
    "components": components,
    "mixed": lambda: star((8, 8), (4, 2), (2, 4), (8, 1), (1, 1), (3, 2)),
    "pcie": lambda: star((4, 4), (2, 1), (4, 2), (1, 1), **gpu(**PCIE)),
    "racks": lambda: racks(3, 2),
    "one GPU": lambda: star((1, 1)),
    "no GPU": Builder,
}
SEVERAL = [n for n in DRAWINGS if n not in ("one GPU", "no GPU", "components")]


def built(name):
    design = DRAWINGS[name]().build()
    # up/down routing ranks switches of one tier by their number
    design.info["info"] = Info(routing="shortest")
    return design


def run(design, **options):
    return analyze(
        design, Options(**{"fabric": "infiniband", "routing": "ecmp"} | options), CATALOG
    )


def others(seed=0):
    return (Job(Placing("random", seed), 2, "all_to_all"), Job(Placing(), None, "all_gather"))


def nulls(value, key=""):
    if isinstance(value, dict):
        return [k for n, v in value.items() for k in nulls(v, f"{key}.{n}".strip("."))]
    return [key] if value is None else []


@pytest.mark.parametrize("name", DRAWINGS)
@pytest.mark.parametrize("routing", ["ecmp", "hashed", "adaptive"])
def test_all_questions_have_an_answer_or_a_reason(name, routing):
    for algorithm, relay in (("auto", "on"), ("nccl", "off"), ("hierarchical", "auto")):
        asked = {"algorithm": algorithm, "relay": relay, "ranks": 2, "placing": Placing("spread")}
        results = run(built(name), **asked, routing=routing, others=others())
        json.dumps(results.values, allow_nan=False)
        assert [k for k in nulls(results.values) if not results.reason(k)] == []
        for one in results.values["interference"]["jobs"]:
            assert (one["slow_down"] is None) == bool(one["reason"])
            if one["alone_s"]:
                assert one["slow_down"] >= 1
                assert one["alone_s"] * (1 - 1e-9) <= one["ends_s"]
                assert one["ends_s"] <= one["together_s"] * (1 + 1e-9)
        assert len(list(results.explanations)) > 0


@pytest.mark.parametrize("name", DRAWINGS)
@given(placing=MANNERS, seed=st.integers(0, 100))
@settings(max_examples=4, deadline=None, derandomize=True)
def test_names_and_order_of_records_change_nothing(name, placing, seed):
    design = built(name)
    asked = {"placing": placing, "ranks": 3, "relay": "on", "others": others(seed)}
    before = run(design, **asked)
    after = run(shuffled(design, seed, rename=True), **asked)
    for key in ("collectives", "job", "interference"):
        one, two = (dict(numbers(r.values[key])) for r in (before, after))
        assert one.keys() == two.keys()
        assert two == {k: pytest.approx(v, rel=1e-9, abs=1e-12) for k, v in one.items()}


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_job_on_all_servers_is_no_placement(name):
    design = built(name)
    whole, placed = run(design), run(design, placing=Placing())
    for key in ("collectives", "step", "traffic"):
        assert whole.values[key] == placed.values[key]


@pytest.mark.parametrize("name", SEVERAL)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=4, deadline=None, derandomize=True)
def test_a_failed_link_never_speeds_a_job_up_under_adaptive_routing(name, seed):
    design = built(name)
    rng = random.Random(seed)
    servers = {d.id for d in design.devices.values() if d.role == "server"}
    links = [c for c in design.cables.values() if not {c.a.device, c.b.device} & servers]
    gone = rng.choice(links).id if links else ""
    asked = {"routing": "adaptive", "placing": Placing("random", seed), "size_bytes": 2**34}
    # where a short cut fails, traffic that it drew to itself may find more room on longer ways
    if not links or hops_of(design) != hops_of(design, gone):
        return
    before, after = run(design, **asked), run(design, **asked, fail=(gone,))
    assert before.values["job"]["servers"] == after.values["job"]["servers"]
    for operation in OPERATIONS:
        one, two = (r.get(f"collectives.{operation}.time_s") for r in (before, after))
        if one is not None and two is not None:
            # balancing stops within a few thousandths of the best
            assert two >= one * (1 - 5e-3), operation


def hops_of(design, *fail):
    network = compile_network(design, frozenset(fail))
    return network.nics.leaf.tolist(), route(network, "shortest").hops.tolist()


@pytest.mark.parametrize("name", ["ring", "ring with a chord", "irregular 7", "lateral"])
@given(placing=MANNERS)
@settings(max_examples=3, deadline=None, derandomize=True)
def test_doubling_every_rate_halves_what_the_network_takes(name, placing):
    design = built(name)
    asked = {"placing": placing, "size_bytes": 2**46, "others": others()}
    one, two = run(design, **asked), run(faster(design, 2), **asked)
    for operation in OPERATIONS:
        times = [r.get(f"collectives.{operation}.time_s") for r in (one, two)]
        if None not in times:
            assert times[0] / 2 * (1 - 1e-3) <= times[1] <= times[0] * (1 + 1e-12)
    slow = one.get("collectives.send_recv.time_s")
    if slow is not None:
        assert two.get("collectives.send_recv.time_s") == pytest.approx(slow / 2, rel=1e-3)


def test_jobs_in_components_that_no_cable_joins_do_not_meet():
    names = [tuple(f"s{k}{n}{i}" for n in range(2) for i in range(2)) for k in range(2)]
    results = run(
        built("components"),
        placing=Placing("picked", devices=names[0]),
        others=(Job(Placing("picked", devices=names[1]), operation="all_to_all"),),
    )
    found = results.get("interference")
    assert found["shared_links"] == 0
    assert [one["slow_down"] for one in found["jobs"]] == [1.0, 1.0]
    # and one job over both cannot run
    assert "cannot reach" in run(built("components")).reason("collectives.all_reduce.time_s")


@pytest.mark.parametrize("name", SEVERAL)
@pytest.mark.parametrize("kind", ["ecmp", "hashed", "adaptive"])
@given(placing=MANNERS, ranks=st.integers(2, 9))
@settings(max_examples=4, deadline=None, derandomize=True)
def test_every_switch_passes_on_what_the_job_sends(name, kind, placing, ranks):
    network = compile_network(built(name))
    gpus = int(np.maximum(network.gpus[network.servers], 0).sum())
    pool = pool_of(network, min(ranks, gpus), placed_servers(network, placing))
    if pool.nodes < 2 or pool.uncabled.any():
        return
    routed = route(network, "shortest")
    for traffic in (
        ring(pool),
        tree(pool),
        spread(pool, rail_aligned=False),
        spread(pool, rail_aligned=True),
    ):
        loads = link_loads(routed, traffic, RoutingChoice(kind, seeds=3))
        got, gave = through(network, routed, traffic, loads)
        assert got == pytest.approx(gave, rel=1e-9, abs=1e-12)
