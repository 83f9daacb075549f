"""Communication of each parallel dimension in a training step; formulas in `engine.step`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from designer.engine.algorithms import (
    Timing,
    nvls_all_reduce,
    pairwise_all_to_all,
    ring_all_reduce,
    ring_pass,
)
from designer.engine.dimensions import DIMENSIONS, Group
from designer.engine.layout import Layout
from designer.engine.setting import Setting

# Forward and backward each enter and leave the split part of attention and of the feed-forward net.
_TP_PASSES, _TP_REDUCES = 8, 4
_REGATHERS = 2
# Gather forward, gather again and scatter backward.
_CP_PASSES = 3
# There and back, forward and backward.
_EP_PASSES = 4
_ACTIVATION_BYTES = 2.0
# The backward pass has twice the FLOPs of the forward pass; recomputation repeats the latter.
FORWARD_SHARE = 1 / 3


@dataclass(frozen=True, slots=True)
class Part:
    """Communication of one dimension in one step, per GPU.

    Attributes:
        name: `tp`, `cp`, `ep`, `pp`, `dp` or `edp`.
        bytes: Sent by one GPU; for the pipeline by one in its middle.
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
class Sizes:
    """Amounts of a workload that several parts need.

    Attributes:
        layers: Layers of a stage.
        tokens: Of one micro-batch on one GPU (its part of the sequence).
        activations: A, bytes.
        shared: P, weights a GPU holds that every replica has.
        experts: E, weights of experts a GPU holds.
    """

    layers: float
    tokens: float
    activations: float
    shared: float
    experts: float

    @property
    def weights(self) -> float:
        """Return all weights a GPU holds."""
        return self.shared + self.experts


def sizes_of(layout: Layout) -> Sizes:
    """Return the amounts of a laid out workload."""
    w = layout.workload
    tokens = w.micro_batch * w.sequence / w.cp
    shard = w.tp * w.pp
    experts = expert_weights(layout)
    activations = tokens * w.hidden * _ACTIVATION_BYTES
    shared = (w.parameters - experts) / shard
    return Sizes(w.layers / w.pp, tokens, activations, shared, experts / (shard * w.ep))


def expert_weights(layout: Layout) -> float:
    """Return the weights in experts, from all weights and those a token uses.

    dense + E = N and dense + E topk / experts = N active.
    """
    w = layout.workload
    if w.experts <= w.topk or w.experts == 0:
        return 0.0
    return max(0.0, (w.parameters - w.active_parameters) / (1 - w.topk / w.experts))


def parts_of(
    layout: Layout, here: Mapping[str, Setting], groups: Mapping[str, Group], compute: float
) -> dict[str, Part]:
    """Return the communication of every dimension that has more than one rank, by name.

    Args:
        layout: The workload over the GPUs.
        here: The machine as one group of each dimension sees it.
        groups: The dimensions on the drawn links.
        compute: Of one micro-batch on one stage, seconds.
    """
    sizes = sizes_of(layout)
    makers = {"tp": _tensor, "cp": _context, "ep": _expert, "pp": _pipeline}
    parts = {
        name: makers[name](layout, sizes, here[name], groups[name])
        for name in DIMENSIONS
        if name in groups and name in makers
    }
    weights = {"dp": sizes.shared, "edp": sizes.experts}
    replicated = [
        _data(name, layout, sizes, here[name], held)
        for name, held in weights.items()
        if name in groups and held > 0
    ]
    return parts | _hidden(layout, replicated, compute, max(1.0, sizes.layers))


def _again(layout: Layout, passes: int) -> int:
    """Return passes of forward and backward, with another forward where that is recomputed."""
    return passes + passes // 2 if layout.workload.recompute else passes


def _inner(
    name: str, layout: Layout, sizes: Sizes, passes: int, size: float, timing: Timing, moved: float
) -> Part:
    """Return communication that every layer of every micro-batch repeats."""
    calls = passes * sizes.layers * layout.microbatches
    time = calls * timing.time_s
    hidden = min(hidden_share(layout, name), 1.0)
    return Part(name, calls * moved, time, time * (1 - hidden), calls, size, timing)


def hidden_share(layout: Layout, name: str) -> float:
    """Return the share of the traffic of `tp`, `cp`, `ep` or `pp` that compute hides."""
    w = layout.workload
    shares = {"tp": w.tp_overlap, "cp": w.cp_overlap, "ep": w.ep_overlap, "pp": w.pp_overlap}
    return shares[name]


def _tensor(layout: Layout, sizes: Sizes, here: Setting, group: Group) -> Part:
    w, size = layout.workload, sizes.activations
    moved = (w.tp - 1) / w.tp * size
    if w.sp:
        passes = _again(layout, _TP_PASSES) + (_REGATHERS if w.regather else 0)
        return _inner("tp", layout, sizes, passes, size, ring_pass(here, size), moved)
    passes = _again(layout, _TP_REDUCES)
    return _inner("tp", layout, sizes, passes, size, _all_reduce(here, size), 2 * moved)


def _all_reduce(here: Setting, size: float) -> Timing:
    """Return the faster of the ring and, inside one node, the reduction in the NVSwitch."""
    found = (ring_all_reduce(here, size), nvls_all_reduce(here, size))
    return min((t for t in found if t is not None), key=lambda t: t.time_s)


def _context(layout: Layout, sizes: Sizes, here: Setting, group: Group) -> Part:
    w = layout.workload
    # where TP is larger than the KV heads, each of them is kept on several ranks
    width = w.hidden / w.heads * max(w.kv_heads / w.tp, 1.0)
    size = 2 * w.micro_batch * w.sequence * width * _ACTIVATION_BYTES
    moved = (w.cp - 1) / w.cp * size
    # recomputation needs the second gather, and the backward pass uses what it brought
    return _inner("cp", layout, sizes, _CP_PASSES, size, ring_pass(here, size), moved)


def _expert(layout: Layout, sizes: Sizes, here: Setting, group: Group) -> Part:
    w = layout.workload
    size = max(w.topk, 1) * sizes.activations / _split(layout)
    timing = pairwise_all_to_all(here, size)
    moved = (w.ep - 1) / w.ep * size
    return _inner("ep", layout, sizes, _again(layout, _EP_PASSES), size, timing, moved)


def _split(layout: Layout) -> int:
    """Return over how many ranks of TP activations between layers are split: all with SP."""
    return layout.workload.tp if layout.workload.sp else 1


def _pipeline(layout: Layout, sizes: Sizes, here: Setting, group: Group) -> Part:
    w = layout.workload
    size = sizes.activations / _split(layout)
    calls = 2.0 * w.virtual_stages * layout.microbatches
    # the pattern sends 1 byte forward and 1 back, each half of the calls
    network = calls / 2 * size * here.ring_s
    local = calls * size / here.inside.ring if group.local > 1 else 0.0
    away = group.nodes > 1
    step = here.network_step("ring_simple") if away else here.local_step("ring", "simple")
    time = calls * (here.base("ring", "simple") + step) + max(network, local)
    exposed = time * (1 - min(hidden_share(layout, "pp"), 1.0))
    return Part("pp", calls * size, time, exposed, calls, size, None)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One kind of collective that ranks with the same weights make in a step.

    Attributes:
        operation: `all_gather`, `reduce_scatter` or `all_reduce`.
        times: How often in a step.
        bytes: Of all weights or gradients a GPU holds.
    """

    operation: str
    times: int
    bytes: float

    @property
    def rounds(self) -> int:
        """Return how often the bytes go around the ring."""
        return 2 if self.operation == "all_reduce" else 1


def exchanges(layout: Layout, weights: float) -> tuple[Exchange, ...]:
    """Return what the ZeRO stage exchanges in a step for `weights` weights a GPU holds."""
    w, m = layout.workload, layout.microbatches
    weight, gradient = weights * w.param_bytes, weights * w.grad_bytes
    reduces = reductions(layout)
    if w.zero == 0:
        return (Exchange("all_reduce", reduces, gradient),)
    gathers = 2 * m if w.zero == 3 else 1
    return (
        Exchange("all_gather", gathers, weight),
        Exchange("reduce_scatter", reduces, gradient),
    )


def reductions(layout: Layout) -> int:
    """Return how often gradients are reduced in a step: once, or after every micro-batch."""
    w = layout.workload
    return layout.microbatches if w.reduce_each or w.zero == 3 else 1


def _data(name: str, layout: Layout, sizes: Sizes, here: Setting, weights: float) -> Part:
    """Return gradients and weights between replicas, one call a layer and pass, nothing hidden."""
    buckets = max(1.0, sizes.layers)
    time = moved = calls = 0.0
    slowest: tuple[float, Timing] | None = None
    for one in exchanges(layout, weights):
        formula = ring_all_reduce if one.operation == "all_reduce" else ring_pass
        timing = formula(here, one.bytes / buckets)
        time += one.times * buckets * timing.time_s
        moved += one.times * one.rounds * one.bytes * (here.ranks - 1) / here.ranks
        calls += one.times * buckets
        if slowest is None or one.bytes >= slowest[0]:
            slowest = (one.bytes, timing)
    call = slowest[0] / buckets if slowest is not None else 0.0
    return Part(name, moved, time, time, calls, call, slowest[1] if slowest is not None else None)


def _hidden(layout: Layout, parts: list[Part], compute: float, buckets: float) -> dict[str, Part]:
    """Return the exchanges of weights with what compute hides; they share one window.

    Args:
        layout: The workload over the GPUs.
        parts: Nothing of them hidden yet.
        compute: Of one micro-batch on one stage, seconds.
        buckets: Calls that one pass over the layers makes; the last one hides behind nothing.
    """
    time = sum(part.time_s for part in parts)
    if time <= 0:
        return {part.name: part for part in parts}
    w = layout.workload
    backward = compute * (1 - FORWARD_SHARE / (1 + FORWARD_SHARE * w.recompute))
    window = {0: backward}.get(w.zero, compute) * reductions(layout)
    exposed = max(time / buckets, time - min(w.dp_overlap, 1.0) * window)
    return {p.name: replace(p, exposed_s=exposed * p.time_s / time, window_s=window) for p in parts}
