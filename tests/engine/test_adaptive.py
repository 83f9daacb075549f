import numpy as np
import pytest
from scipy.optimize import linprog

from designer.engine.adaptive import balance
from designer.engine.compile import compile_network
from designer.engine.loads import RoutingChoice, fabric_drain_time, link_loads
from designer.engine.routing import route
from designer.engine.sweep import Plan, sweep
from designer.engine.traffic import all_to_all, leaf_matrix
from tests.engine.builders import rail_fabric, random_fabric, three_tier


def fab1k():
    """1,024 GPUs, two tiers, 32 leaves and 16 spines, bundles of two cables."""
    b = rail_fabric(4, 32, 16, uplinks=2, trunk=False)
    b.build()
    return b.design


def through(design, kind, failed=()):
    """All-to-all over all NICs as a share of NIC rate, as model section 1g counts it."""
    network = compile_network(design, frozenset(failed))
    routed = route(network)
    h = np.bincount(network.nics.leaf, minlength=len(network.leaves)).astype(float)
    traffic = all_to_all(network, 50e9, rail_aligned=False)
    matrix = np.outer(h, h) * 50e9 / (h.sum() - 1)
    np.fill_diagonal(matrix, 0)
    from dataclasses import replace

    loads = link_loads(routed, replace(traffic, matrix=matrix), RoutingChoice(kind))
    return 1 / fabric_drain_time(network, loads).seconds


def test_one_dead_cable_halves_ecmp_and_costs_adaptive_three_per_cent():
    """Model section 1g: ECMP 1.031 -> .516, adaptive 1.031 -> .999 (LP optimum .999)."""
    design = fab1k()
    dead = [c.id for c in design.cables.values() if c.a.device == "su0-leaf0"][:1]
    assert through(design, "ecmp") == pytest.approx(1.031, abs=0.001)
    assert through(design, "adaptive") == pytest.approx(1.031, abs=0.001)
    assert through(design, "ecmp", dead) == pytest.approx(0.516, abs=0.001)
    assert through(design, "adaptive", dead) == pytest.approx(0.999, abs=0.002)


def test_one_dead_cable_in_three_tiers():
    """Model section 1g, 1,024 GPUs in three tiers: ECMP .773, adaptive .999 (LP optimum .999)."""
    b = three_tier(4, 32, 8, 8, single=True)
    design = b.build()
    dead = [c.id for c in design.cables.values() if c.a.device == "su0-leaf0"][:1]
    assert through(design, "ecmp") == pytest.approx(1.031, abs=0.001)
    assert through(design, "ecmp", dead) == pytest.approx(0.773, abs=0.001)
    assert through(design, "adaptive", dead) == pytest.approx(0.999, abs=0.003)


def test_ten_dead_cables():
    """Model section 1g: adaptive .967 with ten links down; which ten makes a little difference."""
    design = fab1k()
    inner = [c.id for c in design.cables.values() if c.b.device.startswith("spine")]
    dead = np.random.default_rng(1).choice(inner, 10, replace=False).tolist()
    assert through(design, "ecmp", dead) < 0.55
    assert through(design, "adaptive", dead) > 0.93


def test_near_the_optimum_of_a_linear_program():
    b = rail_fabric(3, 4, 3, rails=2, uplinks=2, trunk=False)
    b.build()
    dead = list(b.design.cables_of("su0-leaf0"))[:3]
    network = compile_network(b.design, frozenset(dead))
    routed = route(network, reduce=False)
    matrix = leaf_matrix(all_to_all(network, 1e9, rail_aligned=False), len(network.leaves))
    found = balance(Plan.of(routed), matrix, 60)
    assert found.worst >= found.bound * (1 - 1e-12)
    assert found.worst == pytest.approx(optimum(routed, matrix), rel=0.01)
    again = found.flow / routed.graph.capacity
    assert again.max() == pytest.approx(found.worst)


def optimum(routed, matrix):
    """Least possible worst utilisation over minimal paths of two hops, by HiGHS."""
    graph = routed.graph
    edge = {(u, v): e for e, (u, v) in enumerate(zip(graph.src, graph.dst, strict=True))}
    paths, pair = [], []
    leaves = graph.leaf.tolist()
    for i, u in enumerate(leaves):
        for j, v in enumerate(leaves):
            if matrix[i, j]:
                for s in range(graph.n):
                    if (u, s) in edge and (s, v) in edge:
                        paths.append((edge[u, s], edge[s, v]))
                        pair.append((i, j))
    pairs = sorted(set(pair))
    scale = matrix.max()
    use = np.zeros((len(graph.src), len(paths) + 1))
    same = np.zeros((len(pairs), len(paths) + 1))
    for k, (a, b) in enumerate(paths):
        use[[a, b], k] = 1
        same[pairs.index(pair[k]), k] = 1
    use[:, -1] = -graph.capacity / 400e9
    goal = np.zeros(len(paths) + 1)
    goal[-1] = 1
    demand = [matrix[p] / scale for p in pairs]
    best = linprog(goal, A_ub=use, b_ub=np.zeros(len(use)), A_eq=same, b_eq=demand)
    return best.fun * scale / 400e9


@pytest.mark.parametrize("seed", range(6))
def test_compiled_loops_balance_alike(seed, monkeypatch):
    network = compile_network(random_fabric(seed).build())
    routed = route(network)
    leaves = len(network.leaves)
    matrix = np.random.default_rng(seed).random((leaves, leaves)) * 1e9
    np.fill_diagonal(matrix, 0)
    found = []
    for numba in ("0", "1"):
        monkeypatch.setenv("RAILSPINE_NUMBA", numba)
        weight = np.linspace(0.2, 1.0, len(routed.work.src))
        found.append(sweep(Plan.of(routed), matrix, weight, balanced=True))
    assert found[0] == pytest.approx(found[1], rel=1e-9)


def test_nothing_to_balance():
    network = compile_network(rail_fabric(1, 2, 0, rails=1).build())
    found = balance(Plan.of(route(network)), np.zeros((1, 1)))
    assert found.worst == found.bound == 0
