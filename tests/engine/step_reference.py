"""A slow second way to a training step: every group listed, every message of every round counted.

Written from the formulas of the help page alone; it shares no code with the engine but the
records `Workload` and the table of assumptions.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product

from designer.model.workload import Workload
from tests.engine.settings import VALUES

Messages = dict[tuple[int, int], float]
PROTOCOLS = ("simple", "ll128", "ll")


@dataclass
class Grid:
    """A workload on `gpus` ranks, each with its coordinates (tensor, context, stage, replica)."""

    w: Workload
    gpus: int
    microbatches: int

    def __post_init__(self):
        w = self.w
        self.dp = self.gpus // (w.tp * w.cp * w.pp)
        self.at = {}
        outer = (range(w.pp), range(self.dp)) if w.pp_outer else (range(self.dp), range(w.pp))
        for one, two, c, t in product(*outer, range(w.cp), range(w.tp)):
            p, d = (one, two) if w.pp_outer else (two, one)
            self.at[t, c, p, d] = len(self.at)
        assert len(self.at) == self.gpus

    def groups(self, name: str) -> list[list[int]]:
        """Return the ranks of every group of a dimension, in ring order."""
        key: dict[str, Callable[[int, int, int, int], tuple]] = {
            "tp": lambda t, c, p, d: (c, p, d),
            "cp": lambda t, c, p, d: (t, p, d),
            "pp": lambda t, c, p, d: (t, c, d),
            "ep": lambda t, c, p, d: (t, c, p, d // self.w.ep),
            "dp": lambda t, c, p, d: (t, p),
            "edp": lambda t, c, p, d: (t, p, d % self.w.ep),
        }
        found = defaultdict(list)
        for (t, c, p, d), rank in self.at.items():
            found[key[name](t, c, p, d)].append(rank)
        return [sorted(g) for g in found.values()]

    # --- what is held and sent ---

    def experts(self) -> float:
        w = self.w
        if not w.experts or w.topk >= w.experts:
            return 0.0
        # N = dense + E and active = dense + E topk / experts
        return (w.parameters - w.active_parameters) * w.experts / (w.experts - w.topk)

    def held(self, name: str) -> float:
        """Return the weights of one GPU that `dp` or `edp` ranks share."""
        w = self.w
        if name == "edp":
            return self.experts() / (w.tp * w.pp * w.ep)
        return (w.parameters - self.experts()) / (w.tp * w.pp)

    def activations(self) -> float:
        return self.w.micro_batch * self.w.sequence / self.w.cp * self.w.hidden * 2

    def collectives(self) -> Iterable[tuple[str, str, float, float]]:
        """Yield (dimension, operation, how often a GPU takes part in a step, bytes)."""
        w, m, a = self.w, self.microbatches, self.activations()
        layers = m * w.layers // w.pp
        split = w.tp if w.sp else 1
        if w.sp:
            yield "tp", "pass", layers * (8 + 4 * w.recompute + 2 * w.regather), a
        else:
            yield "tp", "all_reduce", layers * (4 + 2 * w.recompute), a
        heads = max(w.kv_heads / w.tp, 1)
        keys = 2 * w.micro_batch * w.sequence * (w.hidden / w.heads) * heads * 2
        yield "cp", "pass", layers * 3, keys
        yield "ep", "all_to_all", layers * (4 + 2 * w.recompute), max(w.topk, 1) * a / split
        for name in ("dp", "edp"):
            held = self.held(name)
            reduces = m if w.zero == 3 or w.reduce_each else 1
            if w.zero == 0:
                yield name, "all_reduce", reduces, held * w.grad_bytes
            else:
                yield name, "pass", 2 * m if w.zero == 3 else 1, held * w.param_bytes
                yield name, "pass", reduces, held * w.grad_bytes

    def messages(self) -> dict[str, Messages]:
        """Return the bytes from rank to rank in a whole step, by dimension."""
        out: dict[str, Messages] = {
            n: defaultdict(float) for n in ("tp", "cp", "ep", "pp", "dp", "edp")
        }
        for name, operation, times, size in self.collectives():
            for group in self.groups(name):
                for a, b, share in rounds(operation, group):
                    out[name][a, b] += times * size * share
        for group in self.groups("pp"):
            for a, b, share in self.pipeline(group):
                out["pp"][a, b] += share
        return out

    def pipeline(self, group: list[int]) -> Iterable[tuple[int, int, float]]:
        """Yield every boundary between two pieces of the model, crossed forward and backward."""
        w, size = self.w, self.activations() / (self.w.tp if self.w.sp else 1)
        for piece in range(w.pp * w.virtual_stages - 1):
            a, b = group[piece % w.pp], group[(piece + 1) % w.pp]
            if a != b:
                yield a, b, self.microbatches * size
                yield b, a, self.microbatches * size


def rounds(operation: str, group: list[int]) -> Iterable[tuple[int, int, float]]:
    """Yield (from, to, share of the size) of every message of one collective."""
    k = len(group)
    if operation == "all_to_all":
        for a, b in product(group, group):
            if a != b:
                yield a, b, 1 / k
        return
    for _ in range((k - 1) * (2 if operation == "all_reduce" else 1)):
        for i in range(k):
            yield group[i], group[(i + 1) % k], 1 / k


# --- seconds ---


@dataclass
class Place:
    """Nodes of `per_node` GPUs; every node has that many NICs on a network that never blocks."""

    per_node: int
    nic: float
    ring: float
    nvls: float

    def seconds(self, unit: Messages) -> float:
        """Return the time of messages between nodes: the node that sends or gets most decides."""
        sent, got = defaultdict(float), defaultdict(float)
        for (a, b), size in unit.items():
            one, two = a // self.per_node, b // self.per_node
            if one != two:
                sent[one] += size
                got[two] += size
        most = max([*sent.values(), *got.values()], default=0.0)
        return most / (self.nic * self.per_node)


def unit_messages(grid: Grid, name: str) -> Messages:
    """Return one byte a rank in the pattern of a dimension."""
    out: Messages = defaultdict(float)
    for group in grid.groups(name):
        k = len(group)
        if name == "pp":
            for i in range(k):
                v = grid.w.virtual_stages
                size = 1.0 if i < k - 1 else (v - 1) / v
                if size:
                    out[group[i], group[(i + 1) % k]] += size
                    out[group[(i + 1) % k], group[i]] += size
        elif name == "ep":
            for a, b in product(group, group):
                if a != b:
                    out[a, b] += 1 / (k - 1)
        else:
            for i in range(k):
                out[group[i], group[(i + 1) % k]] += 1.0
    return out


def span(grid: Grid, name: str, per_node: int) -> tuple[int, int]:
    """Return (nodes of a group, its ranks in one node), each at most."""
    nodes, local = 1, 1
    for group in grid.groups(name):
        where = [r // per_node for r in group]
        nodes = max(nodes, len(set(where)))
        local = max(local, *(where.count(n) for n in where))
    return nodes, local


def ring_time(grid: Grid, name: str, place: Place, size: float, times_around: int) -> float:
    """Return one ring pass, or two of an all-reduce, in the fastest protocol."""
    n = len(grid.groups(name)[0])
    m, local = span(grid, name, place.per_node)
    moved = times_around * (n - 1) / n * size
    away = place.seconds(unit_messages(grid, name))
    ring = place.ring if local > 1 else math.inf
    found = []
    for protocol in PROTOCOLS:
        width = 1.0 if protocol == "simple" else VALUES[f"{protocol}_share"]
        latency = VALUES[f"base_ring_{protocol}_s"]
        latency += times_around * (n - m) * VALUES[f"nvlink_ring_{protocol}_s"]
        if m > 1:
            latency += times_around * (m - 1) * VALUES[f"network_ring_{protocol}_s"]
        found.append(latency + max(moved / (ring * width), moved * away / width))
    return min(found)


def exchange_time(grid: Grid, place: Place, size: float) -> float:
    """Return one all-to-all between experts."""
    n = len(grid.groups("ep")[0])
    m, local = span(grid, "ep", place.per_node)
    latency = VALUES["base_ring_simple_s"]
    outside = size * (n - local) / n if m > 1 else 0.0
    inside = size * (min(local, n) - 1) / n + outside * (local - 1) / local
    if m > 1:
        peers = m - 1 if local > 1 else n - local
        latency += VALUES["network_ring_simple_s"] + peers * VALUES["message_overhead_s"]
    else:
        latency += VALUES["nvlink_ring_simple_s"]
    ring = place.ring if local > 1 else math.inf
    away = size * (n - 1) / n * place.seconds(unit_messages(grid, "ep")) if m > 1 else 0.0
    return latency + max(inside / ring, away)


def pipeline_time(grid: Grid, place: Place) -> float:
    w = grid.w
    m, local = span(grid, "pp", place.per_node)
    size = grid.activations() / (w.tp if w.sp else 1)
    sends = 2 * w.virtual_stages * grid.microbatches
    step = VALUES["network_ring_simple_s" if m > 1 else "nvlink_ring_simple_s"]
    away = sends / 2 * size * place.seconds(unit_messages(grid, "pp"))
    near = sends * size / place.ring if local > 1 else 0.0
    return sends * (VALUES["base_ring_simple_s"] + step) + max(away, near)


def step_seconds(grid: Grid, place: Place, peak: float, efficiency: float) -> dict[str, float]:
    """Return the pieces of the step and its whole, seconds."""
    w, m = grid.w, grid.microbatches
    tokens = w.micro_batch * w.sequence / w.cp
    flops = (6 * w.active_parameters / w.layers + 6 * w.sequence * w.hidden) * tokens / w.tp
    layer = flops / (peak * efficiency) * (4 / 3 if w.recompute else 1)
    stage = layer * w.layers / w.pp
    times = dict.fromkeys(("tp", "cp", "ep", "dp", "edp"), 0.0)
    buckets = w.layers / w.pp
    for name, operation, often, size in grid.collectives():
        if len(grid.groups(name)[0]) == 1:
            continue
        if name in ("dp", "edp"):
            turns = 2 if operation == "all_reduce" else 1
            times[name] += (
                often * buckets * ring_time(grid, name, place, size / buckets, turns) if size else 0
            )
        elif operation == "all_to_all":
            times[name] += often * exchange_time(grid, place, size)
        elif operation == "all_reduce":
            one = ring_time(grid, name, place, size, 2)
            nodes, k = span(grid, name, place.per_node)
            if nodes == 1:
                inside = VALUES["nvls_start_s"] + size * (1 + 1 / k) / place.nvls
                one = min(one, inside)
            times[name] += often * one
        else:
            times[name] += often * ring_time(grid, name, place, size, 1)
    times["pp"] = pipeline_time(grid, place) if w.pp > 1 else 0.0
    often = m if w.zero == 3 or w.reduce_each else 1
    backward = stage * ((2 / 3) if not w.recompute else 3 / 4)
    window = often * (backward if w.zero == 0 else stage)
    weights = times["dp"] + times["edp"]
    late = max(weights / buckets, weights - w.dp_overlap * window) if weights else 0.0
    tensor = times["tp"] * (1 - w.tp_overlap)
    context = times["cp"] * (1 - w.cp_overlap)
    experts = times["ep"] * (1 - w.ep_overlap)
    inner = m * stage + tensor + context + experts
    bubble = (w.pp - 1) / (w.virtual_stages * m)
    whole = inner * (1 + bubble) + times["pp"] * (1 - w.pp_overlap) + late
    return {
        **{f"{name}_s": value for name, value in times.items()},
        "compute_s": m * stage,
        "bubble_s": inner * bubble,
        "exposed_communication_s": tensor
        + context
        + experts
        + times["pp"] * (1 - w.pp_overlap)
        + late,
        "time_s": whole * (1 + VALUES["jitter"]),
        "ideal_s": m * stage * (1 + bubble) * (1 + VALUES["jitter"]),
        "flops": m * flops * w.layers / w.pp,
    }
