"""What must hold whatever is drawn: conservation, names and order, scaling, failures."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.compile import compile_network
from designer.engine.loads import RoutingChoice, drain_time, fabric_drain_time, link_loads
from designer.engine.options import OPERATIONS, Options
from designer.engine.routing import route
from designer.engine.traffic import all_to_all, leaf_matrix, permutation
from designer.model.design import Design
from designer.model.records import Info
from designer.topologies import generate
from tests.engine.builders import rail_fabric, random_fabric, three_tier

CATALOG = default_catalog()
KINDS = ("ecmp", "hashed", "adaptive")


def through(network, routed, traffic, loads):
    """Return what each switch gets and passes on, NICs included; only what is delivered."""
    n = len(network.switches)
    got = np.bincount(network.bundles.dst, loads.bundle, n).astype(float)
    gave = np.bincount(network.bundles.src, loads.bundle, n).astype(float)
    matrix = leaf_matrix(traffic, len(network.leaves))
    matrix = np.where(routed.hops == routed.far, 0.0, matrix)
    got[network.leaves] += matrix.sum(axis=1)
    gave[network.leaves] += matrix.sum(axis=0)
    return got, gave


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mode", ["shortest", "updown"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_every_switch_passes_on_what_it_gets(kind, mode, seed):
    network = compile_network(random_fabric(seed).build())
    routed = route(network, mode)
    for traffic in (all_to_all(network, 1e9), permutation(network, 1e9, seed)):
        loads = link_loads(routed, traffic, RoutingChoice(kind, seeds=3))
        got, gave = through(network, routed, traffic, loads)
        assert got == pytest.approx(gave, rel=1e-9, abs=1e-3)


@pytest.mark.parametrize("kind", ["ecmp", "adaptive"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_loads_add_up(kind, seed):
    """Bytes times links travelled equal the sum of all loads, when nothing is lost."""
    network = compile_network(random_fabric(seed).build())
    routed = route(network)
    traffic = all_to_all(network, 1e9)
    loads = link_loads(routed, traffic, RoutingChoice(kind))
    near = routed.hops != routed.far
    matrix = leaf_matrix(traffic, len(network.leaves))
    travelled = float((matrix * routed.hops)[near].sum())
    assert float(loads.bundle.sum()) == pytest.approx(travelled, rel=1e-9, abs=1e-3)
    lost = float(matrix[~near].sum())
    assert loads.undelivered == pytest.approx(lost, rel=1e-9, abs=1e-3)


def shuffled(design, seed, rename=False):
    """Return the same drawing with its records in another order, and under other ids and names.

    Servers keep their order and names, because ranks follow them.
    """
    rng = random.Random(seed)
    out = Design()
    names = {
        d.id: f"x{k}-{rng.random()}" if rename and d.role != "server" else d.id
        for k, d in enumerate(design.devices.values())
    }
    devices = list(design.devices.values())
    rng.shuffle(devices)
    for device in devices:
        name = names[device.id] if names[device.id] != device.id else device.name
        out.devices[names[device.id]] = replace(device, id=names[device.id], name=name)
    cables = list(design.cables.values())
    rng.shuffle(cables)
    for k, cable in enumerate(cables):
        id_ = f"c{k}" if rename else cable.id
        a, b = (replace(e, device=names[e.device]) for e in (cable.a, cable.b))
        out.cables[id_] = replace(cable, id=id_, a=a, b=b)
    for table in ("info", "types", "groups", "workloads", "assumptions"):
        setattr(out, table, dict(getattr(design, table)))
    return out


def numbers(values, path=""):
    """Yield (dotted key, number) of results; texts, ids and times of the clock are left out."""
    if isinstance(values, dict):
        for key, value in values.items():
            if key not in ("timings_s", "findings", "reasons", "id", "a", "b", "assumptions"):
                yield from numbers(value, f"{path}.{key}")
    elif isinstance(values, list):
        for k, value in enumerate(values):
            yield from numbers(value, f"{path}.{k}")
    elif isinstance(values, int | float) and not isinstance(values, bool):
        yield path, float(values)


def unchanged(design, seeds):
    # hashing depends on who is who, as in life; the rest must not
    options = Options(fabric="infiniband", routing="ecmp")
    before = analyze(design, options, CATALOG)
    for seed in seeds:
        for rename in (False, True):
            after = analyze(shuffled(design, seed, rename), options, CATALOG)
            for key in ("counts", "capacity", "collectives", "step", "traffic"):
                same_part(before, after, key)


@pytest.mark.parametrize(
    "build",
    [
        lambda: rail_fabric(3, 4, 2, uplinks=2),
        lambda: rail_fabric(3, 4, 2, groups=False),
        lambda: three_tier(4, 2, 2, 2, units_per_pod=2),
    ],
)
def test_names_and_order_of_records_change_nothing(build):
    unchanged(build().build(), range(3))


@pytest.mark.parametrize("seed", range(12))
def test_names_and_order_change_nothing_on_irregular_graphs(seed):
    # up/down routing ranks switches of one tier by their number, so here paths are the shortest
    design = random_fabric(seed).build()
    design.info["info"] = Info(routing="shortest")
    unchanged(design, [seed])


def same_part(one, two, key):
    a, b = dict(numbers(one.values[key])), dict(numbers(two.values[key]))
    assert a.keys() == b.keys()
    for path, value in a.items():
        assert b[path] == pytest.approx(value, rel=1e-9, abs=1e-12), (key, path)


def faster(design, factor):
    """Return a drawing whose ports all run at `factor` times their speeds."""
    out = design.snapshot()
    out.types = {
        slug: replace(
            part,
            ports=tuple(
                replace(
                    p,
                    speeds=tuple(s * factor for s in p.speeds),
                    breakouts=tuple(replace(x, speed=x.speed * factor) for x in p.breakouts),
                )
                for p in part.ports
            ),
        )
        for slug, part in design.types.items()
    }
    out.derived = {}
    return out


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None, derandomize=True)
def test_doubling_every_rate_halves_what_links_take(kind, seed):
    design = random_fabric(seed).build()
    found = []
    for one in (design, faster(design, 2)):
        network = compile_network(one)
        routed = route(network)
        choice = RoutingChoice(kind, seeds=3)
        seconds = []
        for traffic in (all_to_all(network, 1e9), permutation(network, 1e9, seed)):
            loads = link_loads(routed, traffic, choice)
            seconds += [drain_time(network, loads).seconds]
            seconds += [fabric_drain_time(network, loads).seconds]
        found.append(np.array(seconds))
    assert found[1] * 2 == pytest.approx(found[0], rel=1e-9)


def test_doubling_every_rate_halves_bandwidth_terms_of_collectives():
    """At sizes where latency is nothing, a network-bound collective takes half the time."""
    design = generate("rail-optimized", CATALOG, gpus=256, tiers="2")
    options = Options(fabric="infiniband", size_bytes=2**44)
    before = analyze(design, options, CATALOG)
    after = analyze(faster(design, 2), options, CATALOG)
    for name in ("all_to_all", "send_recv"):
        one, two = (r.get(f"collectives.{name}.time_s") for r in (before, after))
        assert one == pytest.approx(2 * two, rel=1e-3), name
    for name in OPERATIONS:
        one, two = (r.get(f"collectives.{name}.time_s") for r in (before, after))
        assert two <= one * (1 + 1e-12), name


@pytest.mark.parametrize("seed", range(8))
def test_a_failure_never_speeds_anything_up_under_adaptive_routing(seed):
    design = three_tier(4, 2, 2, 2, units_per_pod=2).build()
    rng = random.Random(seed)
    switches = {d.id for d in design.devices.values() if d.role in ("leaf", "spine", "core")}
    fabric = [
        c.id for c in design.cables.values() if c.a.device in switches and c.b.device in switches
    ]
    fail: list[str] = []
    network = compile_network(design)
    last = seconds_of(network, route(network))
    for cable in rng.sample(fabric, 4):
        fail.append(cable)
        network = compile_network(design, fail)
        now = seconds_of(network, route(network))
        # balancing stops within a few thousandths of the best
        assert now >= last * (1 - 5e-3)
        last = max(now, last)


def seconds_of(network, routed):
    loads = link_loads(routed, all_to_all(network, 1e9), RoutingChoice("adaptive", rounds=200))
    if loads.undelivered > 0:
        return np.inf
    return fabric_drain_time(network, loads).seconds


@pytest.mark.parametrize("routing", ["hashed", "adaptive", "ecmp"])
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_records_changes_nothing_however_switches_spread(routing, seed):
    """A file is sorted by id: what was computed before it was saved holds after."""
    design = three_tier(4, 4, 2, 2, units_per_pod=2).build()
    options = Options(fabric="rocev2", routing=routing)
    before = analyze(design, options, CATALOG)
    after = analyze(shuffled(design, seed), options, CATALOG)
    for key in ("capacity", "collectives", "step", "traffic"):
        same_part(before, after, key)
