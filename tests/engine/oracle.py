"""Slow, plain answers to compare the engine with: networkx and the definitions, no arrays."""

from collections import defaultdict

import networkx as nx
import numpy as np

from designer.engine.network import CompiledNetwork


def multigraph(network: CompiledNetwork) -> nx.MultiGraph:
    """Switches as nodes, each single cable an edge."""
    g = nx.MultiGraph()
    g.add_nodes_from(range(len(network.switches)))
    for row, bundle in enumerate(network.bundles.cable_bundle):
        if bundle >= 0:
            u = int(network.switch_of[network.cable_a[row]])
            v = int(network.switch_of[network.cable_b[row]])
            for _ in range(int(network.cable_count[row])):
                g.add_edge(u, v, row=row, speed=float(network.cable_speed[row]))
    return g


def shortest_loads(network: CompiledNetwork, matrix: np.ndarray) -> dict[tuple[int, int], float]:
    """Flow by switch pair: each switch splits equally over all cables toward nearer switches."""
    g = multigraph(network)
    loads: dict[tuple[int, int], float] = defaultdict(float)
    for j, dest in enumerate(network.leaves.tolist()):
        near = nx.single_source_shortest_path_length(g, dest)
        held = defaultdict(float)
        for i, leaf in enumerate(network.leaves.tolist()):
            if i != j:
                held[leaf] += matrix[i, j]
        for u in sorted(near, key=lambda n: -near[n]):
            if u == dest or held[u] == 0:
                continue
            hops = {v: g.number_of_edges(u, v) for v in g[u] if near[v] == near[u] - 1}
            cables = sum(hops.values())
            for v, n in hops.items():
                loads[u, v] += held[u] * n / cables
                held[v] += held[u] * n / cables
    return loads


def updown_loads(network: CompiledNetwork, matrix: np.ndarray) -> dict[tuple[int, int], float]:
    """Flow by switch pair under up/down routing, by shortest paths in a graph of phases."""
    g = multigraph(network)
    order = {s: (int(network.rank[s]), s) for s in g}
    phases = nx.DiGraph()
    for u in g:
        phases.add_edge((u, "up"), (u, "down"), weight=0)
        for v in g[u]:
            phase = "up" if order[v] > order[u] else "down"
            phases.add_edge((u, phase), (v, phase), weight=1)
    back = phases.reverse()
    loads: dict[tuple[int, int], float] = defaultdict(float)
    for j, dest in enumerate(network.leaves.tolist()):
        near = nx.single_source_dijkstra_path_length(back, (dest, "down"))
        for i, leaf in enumerate(network.leaves.tolist()):
            if i != j and matrix[i, j] and (leaf, "up") in near:
                _descend(g, phases, near, (leaf, "up"), matrix[i, j], loads)
    return loads


def _descend(g, phases, near, state, amount, loads):
    u, phase = state
    if near[state] == 0:
        return
    if phase == "up" and near.get((u, "down")) == near[state]:
        _descend(g, phases, near, (u, "down"), amount, loads)
        return
    hops = {
        s: g.number_of_edges(u, s[0])
        for s in phases[state]
        if s[0] != u and near.get(s, 1e9) == near[state] - 1
    }
    cables = sum(hops.values())
    for s, n in hops.items():
        loads[u, s[0]] += amount * n / cables
        _descend(g, phases, near, s, amount * n / cables, loads)


def as_bundles(network: CompiledNetwork, loads: dict[tuple[int, int], float]) -> np.ndarray:
    pairs = zip(network.bundles.src.tolist(), network.bundles.dst.tolist(), strict=True)
    return np.array([loads.get(p, 0.0) for p in pairs])
