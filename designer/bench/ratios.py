"""Measures the engine against general tools on the same graph, in the same run.

Paths: routing and loads of all rings against `networkx.all_shortest_paths`, called once for each
ring edge. Rates: local bottlenecks against progressive filling, one linear program of HiGHS a
level; and their growth from 1,000 to 100,000 hashed flows against n log n.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from math import log
from typing import Any

import numpy as np

from designer.bench.fabrics import FABRICS, fabric
from designer.bench.rows import Row, against, by_turns, seconds
from designer.engine.compile import compile_network
from designer.engine.ecmp import crossing_flows, incidence
from designer.engine.loads import link_loads
from designer.engine.network import CompiledNetwork, FloatArray
from designer.engine.next_hops import links_of
from designer.engine.rates import max_min_rates
from designer.engine.routing import Routed, route
from designer.engine.traffic import permutation, rail_rings, server_flows

Rows = Any
_FEWEST_TIMES_PATHS, _FEWEST_TIMES_FILLING = 300.0, 50.0
_TURNS, _OURS_A_TURN = 9, 21
_FLOWS = (1_000, 10_000, 100_000)
_NUMBA = "RAILSPINE_NUMBA"


def rows() -> list[Row]:
    """Return all comparisons."""
    return [paths(), paths(loops=True), filling(), *growth()]


# --- paths ---


def paths(name: str = "fab1k", *, loops: bool = False) -> Row:
    """Return how many times quicker rings are routed and loaded than networkx lists their paths.

    With `loops` the compiled loops of large fabrics are used, which a fabric of this size does
    without: loading them takes longer than it saves.

    Both have their network ready, the columns of ours and the multigraph of networkx, and the ends
    of all ring edges; both are timed by turns, so that a busy machine is busy for both.
    """
    network = compile_network(fabric(name))
    graph, edges = multigraph(network), ring_edges(network)
    traffic = rail_rings(network, 1e9)

    def ours() -> None:
        link_loads(route(network), traffic)

    with _loops(loops):
        ours()
        value, baseline = by_turns(ours, lambda: count_paths(graph, edges), _TURNS, _OURS_A_TURN)
    title = "rings, networkx all_shortest_paths" + (", compiled" if loops else "")
    return against(title, name, FABRICS[name], value, baseline, _FEWEST_TIMES_PATHS)


@contextmanager
def _loops(forced: bool) -> Iterator[None]:
    """Use compiled loops whatever the size, or as the program does."""
    before = os.environ.get(_NUMBA)
    if forced:
        os.environ[_NUMBA] = "1"
    try:
        yield
    finally:
        if forced and before is None:
            del os.environ[_NUMBA]
        elif forced:
            os.environ[_NUMBA] = str(before)


def multigraph(network: CompiledNetwork) -> Any:
    """Return the switches and every single cable between them as a graph of networkx."""
    import networkx

    graph = networkx.MultiGraph()
    bundles = network.bundles
    for u, v, n in zip(bundles.src, bundles.dst, bundles.count, strict=True):
        if u < v:
            graph.add_edges_from([(int(u), int(v))] * int(n))
    return graph


def ring_edges(network: CompiledNetwork) -> list[tuple[int, int]]:
    """Return the switches at both ends of each edge of the rings."""
    traffic = rail_rings(network, 1.0)
    ends = network.leaves[traffic.src], network.leaves[traffic.dst]
    return list(zip(*(e.tolist() for e in ends), strict=True))


def count_paths(graph: Any, edges: list[tuple[int, int]]) -> int:
    """Return how many shortest paths networkx finds, asked once for each edge."""
    from networkx import all_shortest_paths

    return sum(sum(1 for _path in all_shortest_paths(graph, u, v)) for u, v in edges)


# --- max-min rates ---


def flows_of(routed: Routed, count: int) -> tuple[Rows, Rows, FloatArray]:
    """Return (flow, link) rows of hashed flows between random servers, and link capacities."""
    network = routed.network
    traffic = permutation(network, 1.0, 1)
    pairs = crossing_flows(routed, traffic)
    rng = np.random.default_rng(1)
    while len(pairs.src) < count:
        order = rng.permutation(network.servers)
        more = server_flows(network, order, np.roll(order, -1), 1.0)
        traffic = traffic.plus(more)
        pairs = crossing_flows(routed, traffic)
    links = links_of(network)
    flow, link = incidence(routed, links, pairs, 1)
    keep = flow < count
    return flow[keep], link[keep], links.speed


def filling(count: int = 1_000, name: str = "fab1k") -> Row:
    """Return how many times quicker max-min rates are than progressive filling by HiGHS.

    Raises:
        ArithmeticError: Both do not agree.
    """
    flow, link, capacity = flows_of(route(compile_network(fabric(name))), count)
    found = max_min_rates(flow, link, capacity, count)
    wanted = progressive_filling(flow, link, capacity, count)
    if not np.allclose(found, wanted, rtol=1e-6):
        raise ArithmeticError("max-min rates differ from progressive filling")
    value, baseline = by_turns(
        lambda: max_min_rates(flow, link, capacity, count),
        lambda: progressive_filling(flow, link, capacity, count),
        _TURNS,
        _OURS_A_TURN,
    )
    title = f"max-min of {count:,} flows, HiGHS"
    return against(title, name, FABRICS[name], value, baseline, _FEWEST_TIMES_FILLING)


def progressive_filling(flow: Rows, link: Rows, capacity: FloatArray, count: int) -> FloatArray:
    """Return max-min rates by linear programs: raise all that can still grow, fix what is full.

    Each level maximises the common rate t of the flows that are not fixed; the duals of full
    links say which flows cannot grow.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    used, at = np.unique(link, return_inverse=True)
    size = float(capacity.max())
    room = capacity[used] / size
    use = csr_array((np.ones(len(flow)), (at, flow)), shape=(len(used), count))
    rates, fixed = np.zeros(count), np.zeros(count, dtype=np.bool_)
    while not fixed.all():
        left = room - use @ np.where(fixed, rates, 0.0)
        growing = use @ (~fixed).astype(np.float64)
        busy = np.flatnonzero(growing > 0)
        column = csr_array(growing[busy][:, None])
        found = linprog([-1.0], A_ub=column, b_ub=left[busy], bounds=[(0, None)], method="highs")
        rates[~fixed] = found.x[0]
        full = np.zeros(len(used), dtype=np.bool_)
        full[busy] = np.abs(left[busy] - growing[busy] * found.x[0]) <= 1e-9
        fixed |= (use.T @ full.astype(np.float64)) > 0
    return rates * size


def growth(name: str = "fab24k") -> list[Row]:
    """Return the time of max-min rates by flows; `ratio` is n log n of the fewest over it."""
    routed = route(compile_network(fabric(name)))
    flow, link, capacity = flows_of(routed, _FLOWS[-1])
    found: list[Row] = []
    for count in _FLOWS:
        keep = flow < count
        rows_of, links = flow[keep], link[keep]
        value = seconds(lambda f=rows_of, at=links, n=count: max_min_rates(f, at, capacity, n), 3)  # type: ignore[misc]
        scale = count * log(count) / (_FLOWS[0] * log(_FLOWS[0]))
        allowed = found[0].value * scale if found else None
        ratio = allowed / value if allowed is not None else None
        title = f"max-min of {count:,} flows"
        found.append(Row(title, name, FABRICS[name], value, "s", allowed, allowed, ratio))
    return found
