"""Whether a workload can be laid out at all: what does not divide, and what would fit.

Every check names its numbers and the field of the workload it is about, so that the finding of
an analysis and the line beside the field in the editor say the same.

    TP      divides the heads and the feed-forward size; KV heads divide by it or into it
    PP v    divides the layers, with the places that embedding and output take at the ends
    CP      halves each GPU's part of the sequence: 2 CP divides it (causal attention stays even)
    SP      TP divides a GPU's part of the sequence
    EP      divides the experts, and DP
    batch   is DP times micro-batch times a whole number
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from designer.messages import _, ngettext
from designer.model.workload import Workload
from designer.units import format_number, format_significant

_SIZES = ("layers", "hidden", "heads", "kv_heads", "sequence", "micro_batch")
_PARALLEL = ("tp", "pp", "virtual_stages", "cp", "ep")
_SHARES = ("dp_overlap", "pp_overlap", "tp_overlap", "cp_overlap", "ep_overlap")
_MOST_ZERO = 3
_MOST_NAMED = 6
_MOST_TENSOR = 64


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why a workload does not fit itself or a number of GPUs, and what to do.

    Attributes:
        message: The numbers that do not go together.
        hint: What would fit.
        field: Field of the workload that it is about.
    """

    message: str
    hint: str
    field: str = ""


def shape_misfits(workload: Workload) -> tuple[Misfit, ...]:
    """Return what does not divide in a workload on any number of GPUs."""
    empty = tuple(_empty(workload))
    if empty:
        return empty
    checks: tuple[Callable[[Workload], Misfit | None], ...] = (
        _heads,
        _kv_heads,
        _feed_forward,
        _layers,
        _context,
        _sequence_parallel,
        _experts,
        _chosen_experts,
        _active,
        _stage,
    )
    found = [check(workload) for check in checks]
    return (*(m for m in found if m is not None), *_shares(workload))


def fits_tensor(w: Workload, tp: int) -> bool:
    """Tell whether the heads and the feed-forward size split by a tensor-parallel size."""
    return w.heads % tp == 0 and (w.ffn <= 1 or w.ffn % tp == 0) and _kv_fit(w, tp)


def fits_context(w: Workload, cp: int, tp: int) -> bool:
    """Tell whether the sequence splits by a context-parallel size, and that by the tensors'."""
    if cp > 1 and w.sequence % (2 * cp):
        return False
    return not w.sp or w.sequence // cp % tp == 0


def fits_pipeline(w: Workload, pp: int, virtual_stages: int) -> bool:
    """Tell whether the layers split by stages."""
    return pp == 1 or (w.layers + w.end_layers) % (pp * max(1, virtual_stages)) == 0


def _kv_fit(w: Workload, tp: int) -> bool:
    return w.kv_heads % tp == 0 or tp % w.kv_heads == 0


def divisors(number: int, most: int) -> list[int]:
    """Return the divisors of a number up to `most`, ascending."""
    return [d for d in range(1, min(number, most) + 1) if number % d == 0]


def choices(values: Iterable[int], near: int) -> str:
    """Return the values nearest to `near` as a text, ascending: `2, 4, 8`."""
    kept = sorted(sorted(values, key=lambda v: (abs(v - near), v))[:_MOST_NAMED])
    return ", ".join(format_number(v, 0) for v in kept)


def _n(value: float) -> str:
    return format_number(value, 0)


# --- checks ---


def _empty(w: Workload) -> Iterable[Misfit]:
    name = _(w.title) or w.name
    for field in (*_SIZES, *_PARALLEL):
        if getattr(w, field) < 1:
            yield Misfit(
                _("The workload “{name}” has a size of zero.").format(name=name),
                _("Every parallel size, the micro-batch and the layers are at least one."),
                field,
            )
    if w.parameters <= 0:
        yield Misfit(
            _("The workload “{name}” says no number of parameters.").format(name=name),
            _("Compute and gradients follow from it: 70.6e9 for a model of 70.6 billion."),
            "parameters",
        )
    for field in ("param_bytes", "grad_bytes"):
        if getattr(w, field) <= 0:
            yield Misfit(
                _("The workload “{name}” sends weights or gradients of no bytes.").format(
                    name=name
                ),
                _("BF16 takes 2 bytes, FP32 takes 4."),
                field,
            )


def _heads(w: Workload) -> Misfit | None:
    if w.heads % w.tp == 0:
        return None
    fits = [t for t in divisors(w.heads, _MOST_TENSOR) if fits_tensor(w, t)]
    return Misfit(
        _("TP {tp} does not divide {n} attention heads.").format(tp=w.tp, n=_n(w.heads)),
        _("TP of {choices} fits.").format(choices=choices(fits, w.tp)),
        "tp",
    )


def _kv_heads(w: Workload) -> Misfit | None:
    if w.heads % w.kv_heads:
        return Misfit(
            _("{n} attention heads do not share {k} KV heads evenly.").format(
                n=_n(w.heads), k=_n(w.kv_heads)
            ),
            _("KV heads of {choices} fit.").format(
                choices=choices(divisors(w.heads, w.heads), w.kv_heads)
            ),
            "kv_heads",
        )
    if _kv_fit(w, w.tp):
        return None
    fits = [t for t in divisors(w.heads, _MOST_TENSOR) if fits_tensor(w, t)]
    return Misfit(
        _("{k} KV heads neither divide by TP {tp} nor into it.").format(k=_n(w.kv_heads), tp=w.tp),
        _("TP of {choices} fits.").format(choices=choices(fits, w.tp)),
        "tp",
    )


def _feed_forward(w: Workload) -> Misfit | None:
    if w.ffn <= 1 or w.ffn % w.tp == 0:
        return None
    fits = [t for t in divisors(w.ffn, _MOST_TENSOR) if fits_tensor(w, t)]
    return Misfit(
        _("TP {tp} does not divide the feed-forward size of {n}.").format(tp=w.tp, n=_n(w.ffn)),
        _("TP of {choices} fits.").format(choices=choices(fits, w.tp)),
        "tp",
    )


def _layers(w: Workload) -> Misfit | None:
    if fits_pipeline(w, w.pp, w.virtual_stages):
        return None
    total, stages = w.layers + w.end_layers, w.pp * w.virtual_stages
    places = _n(w.layers)
    if w.end_layers:
        places = f"{_n(w.layers)} + {_n(w.end_layers)}"
    message = _(
        "{layers} layers do not divide by PP {pp} × {v} virtual stages = {stages}: {share} a stage."
    ).format(
        layers=places,
        pp=w.pp,
        v=w.virtual_stages,
        stages=stages,
        share=format_significant(total / stages, 4),
    )
    whole = total % w.pp == 0
    hints = []
    if whole:
        hints.append(
            _("virtual stages of {choices} fit").format(
                choices=choices(divisors(total // w.pp, total), w.virtual_stages)
            )
        )
    else:
        pipes = [p for p in divisors(total, total) if fits_pipeline(w, p, w.virtual_stages)]
        hints.append(_("PP of {choices} fits").format(choices=choices(pipes, w.pp)))
    missing = -w.layers % stages
    hints.append(
        ngettext(
            "or {n} place at the ends for embedding and output",
            "or {n} places at the ends for embedding and output",
            missing,
        ).format(n=missing)
        if missing
        else _("or no places at the ends")
    )
    return Misfit(message, ", ".join(hints) + ".", "virtual_stages" if whole else "pp")


def _context(w: Workload) -> Misfit | None:
    if w.cp == 1 or w.sequence % (2 * w.cp) == 0:
        return None
    fits = [c for c in divisors(w.sequence, _MOST_TENSOR) if c == 1 or w.sequence % (2 * c) == 0]
    return Misfit(
        _("A sequence of {s} tokens does not divide by 2 × CP {cp} = {n}.").format(
            s=_n(w.sequence), cp=w.cp, n=2 * w.cp
        ),
        _("CP of {choices} fits: each GPU takes two pieces of the sequence.").format(
            choices=choices(fits, w.cp)
        ),
        "cp",
    )


def _sequence_parallel(w: Workload) -> Misfit | None:
    part = w.sequence // w.cp
    if not w.sp or w.sequence % w.cp or part % w.tp == 0:
        return None
    step = w.cp * w.tp * (2 if w.cp > 1 and w.tp % 2 else 1)
    near = [n for n in (w.sequence // step * step, -(-w.sequence // step) * step) if n]
    return Misfit(
        _(
            "Sequence parallelism splits {s} tokens of a GPU by TP {tp}, which does not divide."
        ).format(s=_n(part), tp=w.tp),
        _("Sequences of {choices} tokens fit, or switch sequence parallelism off.").format(
            choices=choices(near, w.sequence)
        ),
        "sequence",
    )


def _experts(w: Workload) -> Misfit | None:
    if w.ep == 1 or (w.experts and w.experts % w.ep == 0):
        return None
    if not w.experts:
        return Misfit(
            _("EP {ep} needs experts, and the model is dense.").format(ep=w.ep),
            _("EP of 1 fits a dense model."),
            "ep",
        )
    return Misfit(
        _("EP {ep} does not divide {n} experts.").format(ep=w.ep, n=_n(w.experts)),
        _("EP of {choices} fits.").format(choices=choices(divisors(w.experts, w.experts), w.ep)),
        "ep",
    )


def _chosen_experts(w: Workload) -> Misfit | None:
    if not w.experts or 1 <= w.topk <= w.experts:
        return None
    return Misfit(
        _("A token uses {k} of {n} experts.").format(k=_n(w.topk), n=_n(w.experts)),
        _("From 1 to {n} experts a token fit.").format(n=_n(w.experts)),
        "topk",
    )


def _active(w: Workload) -> Misfit | None:
    if w.active_parameters <= w.parameters:
        return None
    return Misfit(
        _("A token uses {a} B parameters of a model that has {n} B.").format(
            a=format_number(w.active_parameters / 1e9), n=format_number(w.parameters / 1e9)
        ),
        _("Active parameters are at most all parameters."),
        "active_parameters",
    )


def _stage(w: Workload) -> Misfit | None:
    if w.zero <= _MOST_ZERO:
        return None
    return Misfit(
        _("There is no ZeRO stage {n}.").format(n=w.zero), _("Stages are 0, 1, 2 and 3."), "zero"
    )


def _shares(w: Workload) -> Iterable[Misfit]:
    for field in _SHARES:
        if getattr(w, field) > 1:
            yield Misfit(
                _("A share of {n} that compute hides is more than all.").format(
                    n=format_number(getattr(w, field))
                ),
                _("Shares go from 0 to 1."),
                field,
            )
