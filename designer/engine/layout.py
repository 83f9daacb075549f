"""How a workload is laid out over GPUs: tensor < context < pipeline < data parallel in rank order.

Rank r has tensor index r mod TP, then context, pipeline and data index, so that what talks most
sits closest. Expert-parallel groups are neighbours of the data dimension.

On another number of GPUs than the source's, TP, CP, PP and EP stay, data parallelism takes what is
left, and each replica keeps its number of sequences: the global batch grows with the replicas.
"""

import math
from dataclasses import dataclass

from designer.messages import _
from designer.model.workload import Workload
from designer.units import format_number

_TP_WEIGHT = 2.0


@dataclass(frozen=True, slots=True)
class Layout:
    """A workload over a number of GPUs.

    Attributes:
        workload: The job.
        gpus: TP x CP x PP x DP.
        dp: Replicas.
        sequences: Sequences of one step on one replica.
        microbatches: M, of one step on one replica.
    """

    workload: Workload
    gpus: int
    dp: int
    sequences: int
    microbatches: int

    @property
    def global_batch(self) -> int:
        """Return the sequences of one step."""
        return self.dp * self.sequences

    def dimension(self, name: str) -> tuple[int, int]:
        """Return (size, stride in ranks) of `tp`, `cp`, `pp`, `dp` or `ep`."""
        w = self.workload
        strides = {"tp": 1, "cp": w.tp, "pp": w.tp * w.cp, "dp": w.tp * w.cp * w.pp}
        if name == "ep":
            return w.ep, strides["dp"]
        size = {"tp": w.tp, "cp": w.cp, "pp": w.pp, "dp": self.dp}[name]
        return size, strides[name]


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why a workload does not fit a number of GPUs, and what to do."""

    message: str
    hint: str


def lay_out(workload: Workload, gpus: int) -> Layout | Misfit:
    """Return the layout of a workload on `gpus` GPUs, or why there is none."""
    w = workload
    replica = w.tp * w.cp * w.pp
    if min(w.tp, w.cp, w.pp, w.ep, w.virtual_stages, w.micro_batch, w.layers) < 1:
        return Misfit(
            _("The workload “{name}” has a size of zero.").format(name=_(w.title) or w.name),
            _("Every parallel size, the micro-batch and the layers are at least one."),
        )
    if w.dp and w.dp * replica != gpus:
        return _unfit(
            w,
            gpus,
            _("{sizes} = {need} GPUs, the drawing has {have}.").format(
                sizes=f"TP {w.tp} × CP {w.cp} × PP {w.pp} × DP {w.dp}",
                need=format_number(w.dp * replica, 0),
                have=format_number(gpus, 0),
            ),
        )
    if gpus % replica or gpus < replica:
        return _unfit(
            w,
            gpus,
            _("{have} GPUs are no multiple of {sizes} = {need}.").format(
                have=format_number(gpus, 0),
                sizes=f"TP {w.tp} × CP {w.cp} × PP {w.pp}",
                need=format_number(replica, 0),
            ),
        )
    dp = gpus // replica
    if dp % w.ep:
        return _unfit(
            w,
            gpus,
            _("Data parallelism of {dp} is no multiple of EP {ep}.").format(dp=dp, ep=w.ep),
        )
    return _with_batch(w, gpus, dp, replica)


def _with_batch(w: Workload, gpus: int, dp: int, replica: int) -> Layout | Misfit:
    then = w.reference_gpus // replica if w.reference_gpus else dp
    sequences = w.global_batch / then if then and w.global_batch else float(w.micro_batch)
    batches = sequences / w.micro_batch
    if batches < 1 or batches != int(batches):
        return Misfit(
            _(
                "A batch of {batch} over {dp} replicas gives {n} sequences a replica, which are no "
                "whole micro-batches of {micro}."
            ).format(batch=w.global_batch, dp=then, n=round(sequences, 3), micro=w.micro_batch),
            _("Choose a global batch that is a multiple of {n}.").format(n=then * w.micro_batch),
        )
    return Layout(w, gpus, dp, int(sequences), int(batches))


def _unfit(workload: Workload, gpus: int, message: str) -> Misfit:
    found = nearest(workload, gpus)
    texts = [f"TP {tp} × CP {cp} × PP {pp} × DP {gpus // (tp * cp * pp)}" for tp, cp, pp in found]
    step = workload.tp * workload.cp * workload.pp * workload.ep
    counts = sorted({max(step, gpus // step * step), -(-gpus // step) * step})
    hint = _("Use {counts} GPUs").format(counts=" / ".join(format_number(c, 0) for c in counts))
    if texts:
        hint = _("{hint}, or one of {layouts}.").format(hint=hint, layouts="; ".join(texts))
    else:
        hint += "."
    return Misfit(message, hint)


def nearest(workload: Workload, gpus: int, most: int = 3) -> list[tuple[int, int, int]]:
    """Return (TP, CP, PP) that fit `gpus`, nearest to the workload's own first.

    Nearness is the sum of the logarithms of the ratios, tensor parallelism counting twice: it
    belongs inside a server. It divides the heads.
    """
    found = []
    for tp in _divisors(gpus, 64):
        if workload.heads % tp:
            continue
        for cp in _divisors(gpus // tp, 64):
            for pp in _divisors(gpus // tp // cp, max(workload.layers, 1)):
                if (gpus // (tp * cp * pp)) % workload.ep:
                    continue
                far = sum(
                    weight * abs(math.log2(new / old))
                    for weight, new, old in (
                        (_TP_WEIGHT, tp, workload.tp),
                        (1.0, cp, workload.cp),
                        (1.0, pp, workload.pp),
                    )
                )
                found.append((far, (tp, cp, pp)))
    return [sizes for _far, sizes in sorted(found)[:most]]


def _divisors(number: int, most: int) -> list[int]:
    return [d for d in range(1, min(number, most) + 1) if number % d == 0]
