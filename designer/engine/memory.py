"""Memory a GPU needs for a workload, estimated from its shape.

P and E are the weights a GPU holds (shared and of experts), K = CP DP ranks hold the same shared
weights and K / EP the same experts. ZeRO 1 splits the optimizer's state over them, 2 gradients as
well, 3 weights as well:

    weights      (P + E) b_w       gradients   (P + E) b_g       optimizer   (P + E) b_o

Activations that a layer keeps of one token of a micro-batch, 16 bits, without attention scores
(Korthikanti et al. 2022, arXiv 2205.05198, equations 2 to 4 and section 5, with the
feed-forward size f = ffn x max(topk, 1) in place of 4 h):

    TP alone     10 h + (8 h + 4 f) / TP
    TP and SP    (18 h + 4 f) / TP
    recomputed   2 h, with SP 2 h / TP

The first stage keeps the most: min(M, PP) micro-batches of its layers, with interleaving
1 + (PP-1) / (PP v) times that. One layer is kept whole while it is recomputed. Logits, buffers
of the libraries and fragmentation are not counted.
"""

from dataclasses import dataclass, replace

from designer.engine.check_rules import finding
from designer.engine.layout import Layout
from designer.engine.step_parts import sizes_of
from designer.messages import _
from designer.model.findings import Finding
from designer.model.workload import Workload
from designer.units import format_bytes

_INSIDE, _AROUND, _FEED_FORWARD, _INPUT = 8.0, 10.0, 4.0, 2.0


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes one GPU of the first stage keeps.

    Attributes:
        weights, gradients, optimizer: Of the model's state.
        activations: As the workload says, kept or recomputed.
        recomputed: What activations would be with recomputation.
        in_flight: Layers times micro-batches whose activations are kept at once.
        layer: Activations of one layer and micro-batch when kept whole.
    """

    weights: float
    gradients: float
    optimizer: float
    activations: float
    recomputed: float
    in_flight: float
    layer: float

    @property
    def state(self) -> float:
        """Return weights, gradients and optimizer together, bytes."""
        return self.weights + self.gradients + self.optimizer

    @property
    def total(self) -> float:
        """Return everything, bytes."""
        return self.state + self.activations

    @property
    def least(self) -> float:
        """Return everything with recomputation, bytes."""
        return self.state + self.recomputed

    def values(self, capacity: float | None) -> dict[str, float | None]:
        """Return the object `step.memory` of the results."""
        return {
            "weights_bytes": self.weights,
            "gradients_bytes": self.gradients,
            "optimizer_bytes": self.optimizer,
            "activations_bytes": self.activations,
            "total_bytes": self.total,
            "total_recomputed_bytes": self.least,
            "capacity_bytes": capacity,
        }


def memory_of(layout: Layout) -> Memory:
    """Return the estimated memory of one GPU of the first stage."""
    w = layout.workload
    kept = _activations(replace(layout, workload=replace(w, recompute=False)))
    again = _activations(replace(layout, workload=replace(w, recompute=True)))
    return Memory(
        _state(layout, w.param_bytes, 3),
        _state(layout, w.grad_bytes, 2),
        _state(layout, w.optimizer_bytes, 1),
        again if w.recompute else kept,
        again,
        in_flight(layout),
        layer_bytes(layout),
    )


def _state(layout: Layout, each: float, stage: int) -> float:
    """Return bytes of something kept for every weight, split from a ZeRO stage on."""
    sizes = sizes_of(layout)
    if layout.workload.zero < stage:
        return each * sizes.weights
    return each * (sizes.shared / layout.size("dp") + sizes.experts / layout.size("edp"))


def _activations(layout: Layout) -> float:
    if not layout.workload.recompute:
        return in_flight(layout) * layer_bytes(layout)
    return in_flight(layout) * _input_bytes(layout) + layer_bytes(layout)


def _input_bytes(layout: Layout) -> float:
    w = layout.workload
    return _INPUT * w.hidden * sizes_of(layout).tokens / (w.tp if w.sp else 1)


def layer_bytes(layout: Layout) -> float:
    """Return the activations of one layer and micro-batch on one GPU, bytes."""
    w = layout.workload
    inside = _INSIDE * w.hidden + _FEED_FORWARD * _feed_forward(w)
    around = _AROUND * w.hidden
    per_token = (inside + around) / w.tp if w.sp else inside / w.tp + around
    return per_token * sizes_of(layout).tokens


def _feed_forward(w: Workload) -> float:
    return float(w.ffn * max(w.topk, 1) if w.experts else w.ffn)


def in_flight(layout: Layout) -> float:
    """Return layers times micro-batches whose activations the first stage keeps at once."""
    w = layout.workload
    kept = w.layers / w.pp * min(layout.microbatches, w.pp)
    if w.pp > 1 and w.virtual_stages > 1:
        kept *= 1 + (w.pp - 1) / (w.pp * w.virtual_stages)
    return min(kept, w.layers / w.pp * layout.microbatches)


def memory_fault(layout: Layout, capacity: float | None) -> Finding | None:
    """Return the finding that a workload does not fit a GPU's memory; None where it does.

    Args:
        layout: The workload over the GPUs.
        capacity: Memory of a GPU, bytes; None when unknown, which finds nothing.
    """
    found = memory_of(layout)
    if capacity is None or found.total <= capacity:
        return None
    message = _(
        "The workload needs about {need} a GPU, which has {have}: weights {weights}, gradients "
        "{gradients}, optimizer {optimizer}, activations {activations}."
    ).format(
        need=format_bytes(found.total),
        have=format_bytes(capacity),
        weights=format_bytes(found.weights),
        gradients=format_bytes(found.gradients),
        optimizer=format_bytes(found.optimizer),
        activations=format_bytes(found.activations),
    )
    if found.least <= capacity:
        hint = _("With activations recomputed it needs about {need}.")
        return finding(
            "workload-recompute", (), message, hint.format(need=format_bytes(found.least))
        )
    return finding("workload-memory", (), message, _hint(layout, found, capacity))


def _hint(layout: Layout, found: Memory, capacity: float) -> str:
    """Return the first of the usual ways out that is enough, or that none alone is."""
    w = layout.workload
    lowest = replace(w, recompute=True)
    for stage in range(w.zero + 1, 4):
        need = memory_of(replace(layout, workload=replace(lowest, zero=stage))).total
        if need <= capacity:
            text = _("ZeRO stage {n} with activations recomputed needs about {need}.")
            return text.format(n=stage, need=format_bytes(need))
    text = _("Even ZeRO 3 with activations recomputed needs about {need}: raise TP or PP.")
    need = memory_of(replace(layout, workload=replace(lowest, zero=3))).total
    return text.format(need=format_bytes(need))
