"""How a workload is laid out over GPUs: tensor < context < pipeline < data parallel in rank order.

Rank r has tensor index r mod TP, then context, pipeline and data index, so that what talks most
sits closest; with `pp_outer` the data index comes before that of the pipeline. Expert-parallel
groups are neighbours of the data dimension. Weights are the same on all ranks that differ only in
context and data index: these CP DP ranks share gradients (`dp`); weights of experts are the same
on every EP-th of them (`edp`).

On another number of GPUs than the source's, TP, CP, PP and EP stay, data parallelism takes what is
left, and each replica keeps its number of sequences: the global batch grows with the replicas.
"""

import math
from dataclasses import dataclass

from designer.engine.fit import (
    Misfit,
    choices,
    divisors,
    fits_context,
    fits_pipeline,
    fits_tensor,
    shape_misfits,
)
from designer.messages import _
from designer.model.workload import Workload
from designer.units import format_number

_TP_WEIGHT = 2.0
_MOST_TENSOR = 64


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

    def axes(self, name: str) -> tuple[tuple[int, int], ...]:
        """Return (size, stride in ranks) of what a group of a dimension runs over, inner first.

        Args:
            name: `tp`, `cp`, `ep`, `pp`, `dp` (ranks with the same weights) or `edp` (ranks with
                the same experts).
        """
        w = self.workload
        inner = w.tp * w.cp
        # what comes last in rank order is farthest apart
        stages, replicas = (inner * self.dp, inner) if w.pp_outer else (inner, inner * w.pp)
        context = (w.cp, w.tp)
        return {
            "tp": ((w.tp, 1),),
            "cp": (context,),
            "pp": ((w.pp, stages),),
            "ep": ((w.ep, replicas),),
            "dp": (context, (self.dp, replicas)),
            "edp": (context, (self.dp // w.ep, replicas * w.ep)),
        }[name]

    def size(self, name: str) -> int:
        """Return the ranks of one group of a dimension; see `axes`."""
        return math.prod(size for size, _stride in self.axes(name))


def lay_out(workload: Workload, gpus: int) -> Layout | Misfit:
    """Return the layout of a workload on `gpus` GPUs, or the first reason why there is none."""
    found = misfits(workload, gpus)
    if found:
        return found[0]
    w = workload
    dp = gpus // (w.tp * w.cp * w.pp)
    sequences = _sequences(w, dp)
    return Layout(w, gpus, dp, int(sequences), int(sequences / w.micro_batch))


def misfits(workload: Workload, gpus: int | None) -> tuple[Misfit, ...]:
    """Return what keeps a workload from `gpus` GPUs, one reason a field; None: its shape alone."""
    w = workload
    found = list(shape_misfits(w))
    if gpus is not None and all(
        getattr(w, name) for name in ("tp", "cp", "pp", "ep", "micro_batch")
    ):
        # the number of GPUs is told first: without it nothing else can be made good
        found = [*_over_gpus(w, gpus), *found]
    by_field: dict[str, Misfit] = {}
    for misfit in found:
        by_field.setdefault(misfit.field, misfit)
    return tuple(by_field.values())


def _over_gpus(w: Workload, gpus: int) -> tuple[Misfit, ...]:
    replica = w.tp * w.cp * w.pp
    if w.dp and w.dp * replica != gpus:
        message = _("{sizes} = {need} GPUs, the drawing has {have}.").format(
            sizes=f"TP {w.tp} × CP {w.cp} × PP {w.pp} × DP {w.dp}",
            need=format_number(w.dp * replica, 0),
            have=format_number(gpus, 0),
        )
        if gpus % replica:
            return (_unfit(w, gpus, message, "dp"),)
        hint = _("Use {need} GPUs, or DP {dp}; DP 0 takes what the GPUs leave.").format(
            need=format_number(w.dp * replica, 0), dp=format_number(gpus // replica, 0)
        )
        return (Misfit(message, hint, "dp"),)
    if gpus % replica or gpus < replica:
        message = _("{have} GPUs are no multiple of {sizes} = {need}.").format(
            have=format_number(gpus, 0),
            sizes=f"TP {w.tp} × CP {w.cp} × PP {w.pp}",
            need=format_number(replica, 0),
        )
        return (_unfit(w, gpus, message, "dp"),)
    dp = gpus // replica
    found = [_expert_groups(w, gpus, dp), _batch(w, dp, replica)]
    return tuple(m for m in found if m is not None)


def _expert_groups(w: Workload, gpus: int, dp: int) -> Misfit | None:
    if dp % w.ep == 0 or not w.experts:
        return None
    message = _("Data parallelism of {dp} is no multiple of EP {ep}.").format(dp=dp, ep=w.ep)
    found = _unfit(w, gpus, message, "ep")
    sizes = [e for e in divisors(dp, w.experts) if w.experts % e == 0]
    fits = _("EP of {choices} fits.").format(choices=choices(sizes, w.ep))
    return Misfit(message, f"{fits} {found.hint}", "ep")


def _sequences(w: Workload, dp: int) -> float:
    """Return the sequences of one replica: those of the run it was taken from."""
    then = _replicas_then(w, dp)
    return w.global_batch / then if then and w.global_batch else float(w.micro_batch)


def _replicas_then(w: Workload, dp: int) -> int:
    return w.reference_gpus // (w.tp * w.cp * w.pp) if w.reference_gpus else dp


def _batch(w: Workload, dp: int, replica: int) -> Misfit | None:
    then, sequences = _replicas_then(w, dp), _sequences(w, dp)
    batches = sequences / w.micro_batch
    if batches >= 1 and batches == int(batches):
        return None
    step = then * w.micro_batch
    near = sorted({max(step, w.global_batch // step * step), -(-w.global_batch // step) * step})
    text = _("A global batch of {choices} fits: a multiple of DP {dp} × micro-batch {micro} = {n}.")
    hint = text.format(
        choices=" / ".join(format_number(n, 0) for n in near),
        dp=format_number(then, 0),
        micro=w.micro_batch,
        n=format_number(step, 0),
    )
    if then != dp:
        hint += " " + _("DP is that of the source's {n} GPUs.").format(
            n=format_number(w.reference_gpus, 0)
        )
    return Misfit(
        _(
            "A batch of {batch} over {dp} replicas gives {n} sequences a replica, which are no "
            "whole micro-batches of {micro}."
        ).format(
            batch=format_number(w.global_batch, 0),
            dp=format_number(then, 0),
            n=format_number(sequences),
            micro=w.micro_batch,
        ),
        hint,
        "global_batch",
    )


def _unfit(workload: Workload, gpus: int, message: str, field: str) -> Misfit:
    found = nearest(workload, gpus)
    texts = [f"TP {tp} × CP {cp} × PP {pp} × DP {gpus // (tp * cp * pp)}" for tp, cp, pp in found]
    step = workload.tp * workload.cp * workload.pp * workload.ep
    counts = sorted({max(step, gpus // step * step), -(-gpus // step) * step})
    hint = _("Use {counts} GPUs").format(counts=" / ".join(format_number(c, 0) for c in counts))
    if texts:
        hint = _("{hint}, or one of {layouts}.").format(hint=hint, layouts="; ".join(texts))
    else:
        hint += "."
    return Misfit(message, hint, field)


def nearest(workload: Workload, gpus: int, most: int = 3) -> list[tuple[int, int, int]]:
    """Return (TP, CP, PP) that fit `gpus`, nearest to the workload's own first.

    Nearness is the sum of the logarithms of the ratios, tensor parallelism counting twice: it
    belongs inside a server. It divides the heads, the others their part of the model.
    """
    w = workload
    found = []
    for tp in divisors(gpus, _MOST_TENSOR):
        if not fits_tensor(w, tp):
            continue
        for cp in divisors(gpus // tp, _MOST_TENSOR):
            if not fits_context(w, cp, tp):
                continue
            for pp in divisors(gpus // tp // cp, max(w.layers, 1)):
                if not fits_pipeline(w, pp, w.virtual_stages) or gpus // (tp * cp * pp) % w.ep:
                    continue
                ratios = ((_TP_WEIGHT, tp, w.tp), (1.0, cp, w.cp), (1.0, pp, w.pp))
                far = sum(weight * abs(math.log2(new / old)) for weight, new, old in ratios)
                found.append((far, (tp, cp, pp)))
    return [sizes for _far, sizes in sorted(found)[:most]]
