"""One training step on the drawing: compute, traffic of each dimension, overlap, bubble.

Per GPU, with A = micro s h 2 / CP bytes of activations, P weights a GPU holds, M micro-batches:

    compute   per layer and micro-batch [6 (N/L) tokens + 6 s tokens h] / TP / (peak η)
    TP        per layer and micro-batch 8 all-gathers or reduce-scatters of A
    CP        per layer and micro-batch 3 passes of keys and values of the whole sequence
    EP        per layer and micro-batch 4 all-to-alls of topk tokens h 2 / TP
    PP        2 v M A / TP sent a step; a share of it hidden
    DP        gradients and weights by ZeRO stage; hidden behind a window of compute

    T = [M (compute + TP + CP + EP) (1 + (PP-1)/(v M)) + PP exposed + DP exposed] (1 + jitter)

    DP exposed = max(t / buckets, t - φ window);  window: ZeRO-3 all compute, ZeRO-1 and -2 one
    micro-batch, DDP the backward pass of one micro-batch

An infinitely fast network leaves M compute (1 + bubble) (1 + jitter).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from designer.engine.algorithms import Timing, pairwise_all_to_all, ring_all_reduce, ring_pass
from designer.engine.dimensions import DIMENSIONS, Group
from designer.engine.layout import Layout
from designer.engine.setting import Setting
from designer.engine.wire import Factors

# Forward and backward of a layer gather and scatter its input twice each (sequence parallelism).
_TP_PASSES = 8
# Gather forward, gather again and scatter backward.
_CP_PASSES = 3
# There and back, forward and backward.
_EP_PASSES = 4
_ACTIVATION_BYTES = 2.0
STEP_KEYS = (
    "time_s",
    "compute_s",
    "communication_s",
    "exposed_communication_s",
    "bubble_s",
    "gpu_idle_share",
    "network_idle_share",
    "mfu",
)
# Of the FLOPs of a layer, the backward pass has two thirds.
_BACKWARD = 2 / 3


@dataclass(frozen=True, slots=True)
class Part:
    """Communication of one dimension in one step, per GPU.

    Attributes:
        name: `tp`, `cp`, `ep`, `pp` or `dp`.
        bytes: Sent by one GPU.
        time_s: All of it, hidden or not.
        exposed_s: What the step waits for, before bubble and jitter.
        calls: Operations in a step.
        call_bytes: Size of one operation, as its formula takes it.
        timing: One operation; None for point-to-point.
        window_s: Compute that can hide it; 0 where none can.
    """

    name: str
    bytes: float
    time_s: float
    exposed_s: float
    calls: float
    call_bytes: float
    timing: Timing | None
    window_s: float = 0.0


@dataclass(frozen=True, slots=True)
class StepTime:
    """A training step.

    Attributes:
        layout: What was laid out.
        layer_s: Compute of one layer and micro-batch.
        flops_per_gpu: FLOPs of a step on one GPU, as MFU counts them.
        peak: Dense BF16 FLOP/s of a GPU.
        efficiency: Share of peak while computing.
        compute_s: All compute of one GPU.
        parts: By dimension; those of one rank are absent.
        bubble: (PP-1)/(v M).
        jitter: Share added.
    """

    layout: Layout
    layer_s: float
    flops_per_gpu: float
    peak: float
    efficiency: float
    compute_s: float
    parts: Mapping[str, Part]
    bubble: float
    jitter: float

    def exposed(self, name: str) -> float:
        """Return what the step waits for one dimension, seconds; 0 when it has one rank."""
        part = self.parts.get(name)
        return part.exposed_s if part is not None else 0.0

    @property
    def inner_s(self) -> float:
        """Return compute and communication of all micro-batches, without bubble, seconds."""
        return self.compute_s + self.exposed("tp") + self.exposed("cp") + self.exposed("ep")

    @property
    def bubble_s(self) -> float:
        """Return how long a stage waits for the pipeline to fill and drain, seconds."""
        return self.inner_s * self.bubble

    @property
    def exposed_s(self) -> float:
        """Return communication that nothing hides, seconds."""
        return sum(part.exposed_s for part in self.parts.values())

    @property
    def jitter_s(self) -> float:
        """Return what stragglers add, seconds."""
        return (self.compute_s + self.bubble_s + self.exposed_s) * self.jitter

    @property
    def time_s(self) -> float:
        """Return the whole step, seconds."""
        return self.compute_s + self.bubble_s + self.exposed_s + self.jitter_s

    @property
    def ideal_s(self) -> float:
        """Return the step on an infinitely fast network, seconds."""
        return self.compute_s * (1 + self.bubble) * (1 + self.jitter)

    @property
    def gpu_idle_share(self) -> float:
        """Return the share of the step in which a GPU does not compute."""
        return 1 - self.compute_s / self.time_s

    @property
    def network_idle_share(self) -> float:
        """Return the share of the step that an infinitely fast network would save."""
        return (self.time_s - self.ideal_s) / self.time_s

    @property
    def mfu(self) -> float:
        """Return FLOPs of the model over dense BF16 peak."""
        return self.flops_per_gpu / self.time_s / self.peak

    def values(self) -> dict[str, Any]:
        """Return the object `step` of the results."""
        w = self.layout.workload
        tokens = self.layout.global_batch * w.sequence
        return {
            "time_s": self.time_s,
            "compute_s": self.compute_s,
            "communication_s": sum(p.time_s for p in self.parts.values()),
            "exposed_communication_s": self.exposed_s,
            "bubble_s": self.bubble_s,
            "jitter_s": self.jitter_s,
            "gpu_idle_share": self.gpu_idle_share,
            "network_idle_share": self.network_idle_share,
            "mfu": self.mfu,
            "tokens_per_s": tokens / self.time_s,
            "flops_per_s_per_gpu": self.flops_per_gpu / self.time_s,
            "workload": w.name,
            "layout": {
                "tp": w.tp,
                "cp": w.cp,
                "pp": w.pp,
                "ep": w.ep,
                "dp": self.layout.dp,
                "virtual_stages": w.virtual_stages,
                "microbatches": self.layout.microbatches,
                "global_batch": self.layout.global_batch,
            },
            "parts": {
                name: {
                    "bytes_per_gpu": part.bytes,
                    "time_s": part.time_s,
                    "exposed_s": part.exposed_s,
                }
                for name, part in self.parts.items()
            },
        }


@dataclass(frozen=True, slots=True)
class Sizes:
    """Amounts of a workload that several parts need.

    Attributes:
        layers: Layers of a stage.
        tokens: Of one micro-batch on one GPU (its part of the sequence).
        activations: A, bytes.
        weights: P, weights a GPU holds.
    """

    layers: float
    tokens: float
    activations: float
    weights: float


def sizes_of(layout: Layout) -> Sizes:
    """Return the amounts of a laid out workload."""
    w = layout.workload
    tokens = w.micro_batch * w.sequence / w.cp
    shard = w.tp * w.pp
    experts = expert_weights(layout)
    weights = (w.parameters - experts) / shard + experts / (shard * w.ep)
    return Sizes(w.layers / w.pp, tokens, tokens * w.hidden * _ACTIVATION_BYTES, weights)


def expert_weights(layout: Layout) -> float:
    """Return the weights in experts, from all weights and those a token uses.

    dense + E = N and dense + E topk / experts = N active.
    """
    w = layout.workload
    if w.experts <= w.topk or w.experts == 0:
        return 0.0
    return max(0.0, (w.parameters - w.active_parameters) / (1 - w.topk / w.experts))


def training_step(
    layout: Layout,
    setting: Setting,
    groups: Mapping[str, Group],
    factors: Factors,
    peak: float,
    efficiency: float,
) -> StepTime:
    """Return the step of a laid out workload.

    Args:
        layout: The workload over the GPUs.
        setting: The machine, for bandwidths inside a node and latencies.
        groups: Its dimensions on the drawn links.
        factors: What links reach of their line rate.
        peak: Dense BF16 FLOP/s of the slowest GPU.
        efficiency: Share of it reached while computing.
    """
    w, sizes = layout.workload, sizes_of(layout)
    active = w.active_parameters or w.parameters
    flops = (6 * active / w.layers + 6 * w.sequence * w.hidden) * sizes.tokens / w.tp
    layer = flops / (peak * efficiency)
    compute = layout.microbatches * sizes.layers * layer
    makers = {"tp": _tensor, "cp": _context, "ep": _expert, "pp": _pipeline}
    parts = {
        name: makers[name](layout, sizes, _grouped(setting, groups[name], factors), groups[name])
        for name in DIMENSIONS
        if name in groups and name in makers
    }
    if "dp" in groups:
        here = _grouped(setting, groups["dp"], factors)
        parts["dp"] = _data(layout, sizes, here, layer)
    return StepTime(
        layout,
        layer,
        flops * sizes.layers * layout.microbatches,
        peak,
        efficiency,
        compute,
        parts,
        (w.pp - 1) / (w.virtual_stages * layout.microbatches),
        setting.values["jitter"],
    )


def _grouped(setting: Setting, group: Group, factors: Factors) -> Setting:
    """Return the machine as one group of a dimension sees it."""
    inside = setting.inside
    if group.local < 2:
        inside = replace(inside, kind="none", ring=float("inf"), nvls=None)
    seconds = group.seconds(factors)
    return replace(
        setting,
        ranks=group.size,
        nodes=group.nodes,
        per_node=group.local,
        inside=inside,
        ring_s=seconds,
        spread_s=seconds,
        messages=group.messages,
    )


def _inner(
    name: str, layout: Layout, sizes: Sizes, passes: int, size: float, timing: Timing, hidden: float
) -> Part:
    """Return communication that every layer of every micro-batch repeats."""
    calls = passes * sizes.layers * layout.microbatches
    time = calls * timing.time_s
    k = {"tp": layout.workload.tp, "cp": layout.workload.cp, "ep": layout.workload.ep}[name]
    moved = calls * size * (k - 1) / k
    return Part(name, moved, time, time * (1 - hidden), calls, size, timing)


def _tensor(layout: Layout, sizes: Sizes, here: Setting, group: Group) -> Part:
    w = layout.workload
    timing = ring_pass(here, sizes.activations)
    return _inner(
        "tp", layout, sizes, _TP_PASSES, sizes.activations, timing, min(w.tp_overlap, 1.0)
    )


def _context(layout: Layout, sizes: Sizes, here: Setting, group: Group) -> Part:
    w = layout.workload
    width = w.hidden * w.kv_heads / w.heads
    size = 2 * w.micro_batch * w.sequence * width * _ACTIVATION_BYTES / w.tp
    return _inner("cp", layout, sizes, _CP_PASSES, size, ring_pass(here, size), 0.0)


def _expert(layout: Layout, sizes: Sizes, here: Setting, group: Group) -> Part:
    w = layout.workload
    size = max(w.topk, 1) * sizes.tokens * w.hidden * _ACTIVATION_BYTES / w.tp
    timing = pairwise_all_to_all(here, size)
    return _inner("ep", layout, sizes, _EP_PASSES, size, timing, 0.0)


def _pipeline(layout: Layout, sizes: Sizes, here: Setting, group: Group) -> Part:
    w = layout.workload
    size = sizes.activations / w.tp
    calls = 2.0 * w.virtual_stages * layout.microbatches
    # the pattern sends 1 byte forward and 1 back, each half of the calls
    network = calls / 2 * size * here.ring_s
    local = calls * size / here.inside.ring if group.local > 1 else 0.0
    away = group.nodes > 1
    step = here.network_step("ring_simple") if away else here.local_step("ring", "simple")
    time = calls * (here.base("ring", "simple") + step) + max(network, local)
    exposed = time * (1 - min(w.pp_overlap, 1.0))
    return Part("pp", calls * size, time, exposed, calls, size, None)


def _data(layout: Layout, sizes: Sizes, here: Setting, layer: float) -> Part:
    """Return gradients and weights between replicas, one call a layer and pass."""
    w, m = layout.workload, layout.microbatches
    gathers, scatters = {0: (0, 0), 3: (2 * m, m)}.get(w.zero, (1, 1))
    weight, gradient = sizes.weights * w.param_bytes, sizes.weights * w.grad_bytes
    buckets = max(1.0, sizes.layers)
    time = moved = calls = 0.0
    slowest: tuple[float, Timing] | None = None
    jobs = [(gathers, weight, ring_pass, 1), (scatters, gradient, ring_pass, 1)]
    if w.zero == 0:
        jobs = [(1, gradient, ring_all_reduce, 2)]
    for times, size, formula, rounds in jobs:
        timing = formula(here, size / buckets)
        time += times * buckets * timing.time_s
        moved += times * rounds * size * (here.ranks - 1) / here.ranks
        calls += times * buckets
        if slowest is None or size >= slowest[0]:
            slowest = (size, timing)
    compute = layer * sizes.layers
    window = {0: _BACKWARD * compute, 3: m * compute}.get(w.zero, compute)
    exposed = max(time / buckets, time - min(w.dp_overlap, 1.0) * window)
    call = slowest[0] / buckets if slowest is not None else 0.0
    return Part(
        "dp", moved, time, exposed, calls, call, slowest[1] if slowest is not None else None, window
    )
