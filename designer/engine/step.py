"""One training step on the drawing: compute, traffic of each dimension, overlap, bubble.

Per GPU, with A = micro s h 2 / CP bytes of activations, P weights a GPU holds, E of experts, M
micro-batches, κ = 4/3 with recomputation of activations, else 1:

    compute   per layer and micro-batch κ [6 (N/L) tokens + 6 s tokens h] / TP / (peak η)
    TP        per layer and micro-batch, with SP 8 all-gathers or reduce-scatters of A (2 more
              where inputs are gathered again), without SP 4 all-reduces; half as many more with
              recomputation
    CP        per layer and micro-batch 3 passes of keys and values of the whole sequence
    EP        per layer and micro-batch 4 all-to-alls (6) of topk tokens h 2 / TP, without SP
              not divided by TP
    PP        2 v M A / TP sent a step, without SP 2 v M A; a share of it hidden
    DP        P over CP DP ranks, E over CP DP / EP, by ZeRO stage; R is 1, or M where gradients
              are reduced after every micro-batch:
                0   R all-reduces of gradients
                1 2 R reduce-scatters of gradients, 1 all-gather of weights
                3   M reduce-scatters of gradients, 2 M all-gathers of weights

    T = [M (compute + TP + CP + EP) (1 + (PP-1)/(v M)) + PP exposed + DP exposed] (1 + jitter)

    DP exposed = max(t / buckets, t - φ window);  window: ZeRO-3 all compute, ZeRO-1 and -2 one
    micro-batch, DDP the backward pass of one micro-batch; of R micro-batches

An infinitely fast network leaves M compute (1 + bubble) (1 + jitter).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from designer.engine.dimensions import Group
from designer.engine.layout import Layout
from designer.engine.setting import Setting
from designer.engine.step_parts import FORWARD_SHARE, Part, parts_of, sizes_of
from designer.engine.wire import Factors

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
                "sp": w.sp,
                "zero": w.zero,
                "recompute": w.recompute,
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
    layer = flops * (1 + FORWARD_SHARE * w.recompute) / (peak * efficiency)
    compute = layout.microbatches * sizes.layers * layer
    here = {name: _grouped(setting, group, factors) for name, group in groups.items()}
    parts = parts_of(layout, here, groups, layer * sizes.layers)
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
