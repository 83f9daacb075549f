"""What follows from the fields of a workload: the arithmetic beside each, and what does not fit."""

from dataclasses import dataclass
from typing import Literal

from designer.engine.layout import Layout, lay_out, misfits
from designer.engine.results import Results
from designer.messages import N_, _, ngettext
from designer.model.workload import Workload
from designer.units import format_number, format_percent, format_significant

# Fields without a badge, as the line below the layout names them.
_NAMES = {
    "virtual_stages": N_("virtual stages"),
    "global_batch": N_("global batch"),
    "micro_batch": N_("micro-batch"),
    "sequence": N_("sequence"),
    "kv_heads": N_("KV heads"),
    "topk": N_("experts a token"),
    "zero": N_("ZeRO stage"),
    "active_parameters": N_("active parameters"),
    "parameters": N_("parameters"),
}


@dataclass(frozen=True, slots=True)
class Hint:
    """A line beside a field: fine, for information, slow, or a fault with what would fit."""

    kind: Literal["ok", "info", "warning", "error"]
    text: str


@dataclass(frozen=True, slots=True)
class Machine:
    """What the drawing has; None where it is unknown.

    Attributes:
        gpus: All of them.
        domain: GPUs of one NVLink domain.
        memory: Bytes of one GPU.
    """

    gpus: int | None = None
    domain: int | None = None
    memory: float | None = None


def hints(workload: Workload, machine: Machine) -> dict[str, Hint]:
    """Return hints by field of the workload; a fault takes the place of what is fine."""
    w = workload
    layout = laid_out(w, machine)
    found = {
        "tp": _tensor(w, machine.domain),
        "pp": _pipeline(w),
        "cp": _context(w),
        "ep": _experts(w),
        "dp": _data(w, machine.gpus),
        "virtual_stages": _bubble(w, layout),
        "global_batch": _batch(w, layout),
        "micro_batch": _micro(layout),
        "sequence": _sequence(w, layout),
        "sp": _sequence_parallel(w),
        "zero": _zero(w),
        "pp_outer": _order(w),
        "recompute": _recompute(w),
        "active_parameters": _active(w),
    }
    fine = {k: h for k, h in found.items() if h is not None}
    return fine | faults(w, machine.gpus)


def faults(workload: Workload, gpus: int | None) -> dict[str, Hint]:
    """Return what does not fit, by field: its numbers and what would."""
    return {
        m.field: Hint("error", f"{m.message} {m.hint}".strip()) for m in misfits(workload, gpus)
    }


def laid_out(workload: Workload, machine: Machine) -> Layout | None:
    """Return the workload over the GPUs of the drawing; None where it does not fit."""
    found = lay_out(workload, machine.gpus) if machine.gpus else None
    return found if isinstance(found, Layout) else None


def replicas(w: Workload, gpus: int | None) -> int | None:
    """Return the data-parallel size that the GPUs leave; None where it is no whole number."""
    size = max(1, w.tp * w.pp * w.cp)
    return gpus // size if gpus and gpus % size == 0 else None


def _tensor(w: Workload, domain: int | None) -> Hint | None:
    if w.tp == 1:
        return Hint("info", _("off"))
    if domain is None:
        return None
    if w.tp <= domain:
        return Hint("ok", _("inside an NVLink domain"))
    text = _("leaves the NVLink domain of {n}: slower")
    return Hint("warning", text.format(n=format_number(domain)))


def _pipeline(w: Workload) -> Hint:
    if w.pp == 1:
        return Hint("info", _("off"))
    total = w.layers + w.end_layers
    text = _("{layers} layers ÷ {k} = {n} a stage")
    share = format_significant(total / w.pp)
    return Hint("ok", text.format(layers=total, k=w.pp, n=share))


def _context(w: Workload) -> Hint:
    if w.cp == 1:
        return Hint("info", _("off"))
    text = _("{n} tokens a GPU")
    return Hint("ok", text.format(n=format_number(w.sequence / w.cp, 0)))


def _experts(w: Workload) -> Hint:
    if not w.experts:
        return Hint("info", _("dense model, no experts"))
    each = w.experts // max(1, w.ep)
    return Hint("ok", ngettext("{n} expert a GPU", "{n} experts a GPU", each).format(n=each))


def _data(w: Workload, gpus: int | None) -> Hint | None:
    found = replicas(w, gpus)
    if found is None or not gpus:
        return None
    sum_ = f"{format_number(gpus)} ÷ ({w.tp} × {w.pp} × {w.cp})"
    return Hint("ok", f"{sum_} = {format_number(found)}")


def _bubble(w: Workload, layout: Layout | None) -> Hint | None:
    if w.pp == 1:
        return Hint("info", _("without pipeline, no effect")) if w.virtual_stages > 1 else None
    if layout is None:
        return None
    m, v = layout.microbatches, w.virtual_stages
    text = _("bubble ({p} − 1) ÷ ({v} × {n}) = {share}")
    share = format_percent((w.pp - 1) / (v * m))
    return Hint("info", text.format(p=w.pp, v=v, n=format_number(m), share=share))


def _batch(w: Workload, layout: Layout | None) -> Hint | None:
    if layout is None:
        return None
    if layout.global_batch != w.global_batch:
        text = _("{n} here: {each} a replica, as with {gpus} GPUs")
        return Hint(
            "info",
            text.format(
                n=format_number(layout.global_batch),
                each=format_number(layout.sequences),
                gpus=format_number(w.reference_gpus),
            ),
        )
    text = ngettext("{n} sequence a replica", "{n} sequences a replica", layout.sequences)
    return Hint("info", text.format(n=format_number(layout.sequences)))


def _micro(layout: Layout | None) -> Hint | None:
    if layout is None:
        return None
    n = layout.microbatches
    text = ngettext("{n} micro-batch a replica", "{n} micro-batches a replica", n)
    return Hint("info", text.format(n=format_number(n)))


def _sequence(w: Workload, layout: Layout | None) -> Hint | None:
    if layout is None:
        return None
    text = _("{n} M tokens a step")
    return Hint("info", text.format(n=format_significant(w.sequence * layout.global_batch / 1e6)))


def _sequence_parallel(w: Workload) -> Hint | None:
    if w.tp == 1:
        return Hint("info", _("without tensor parallelism, no effect"))
    if w.sp:
        return Hint("info", _("all-gathers and reduce-scatters; activations split by TP"))
    return Hint("info", _("all-reduces; activations whole on every GPU"))


def _zero(w: Workload) -> Hint | None:
    if w.zero == 0:
        return Hint("info", _("gradients all-reduced"))
    if w.zero < 3:
        return Hint("info", _("gradients scattered, weights gathered once a step"))
    return Hint("info", _("weights gathered twice a micro-batch, gradients scattered in each"))


def _order(w: Workload) -> Hint | None:
    if w.pp == 1:
        return None
    if w.pp_outer:
        return Hint("info", _("replicas and experts close, stages far apart"))
    return Hint("info", _("stages close, replicas and experts far apart"))


def _recompute(w: Workload) -> Hint | None:
    return Hint("info", _("a third more compute, less memory")) if w.recompute else None


def _active(w: Workload) -> Hint | None:
    if w.experts and w.active_parameters == w.parameters:
        return Hint("warning", _("all parameters active: no weights count as experts"))
    return None


def product(w: Workload, machine: Machine) -> Hint | None:
    """Return the line that says whether the layout uses every GPU once."""
    gpus = machine.gpus
    if not gpus:
        return None
    wrong = faults(w, gpus)
    if "dp" in wrong:
        return wrong["dp"]
    if wrong:
        names = ", ".join(dict.fromkeys(_(_NAMES[f]) if f in _NAMES else f.upper() for f in wrong))
        return Hint("error", _("Does not fit yet: {fields}").format(fields=names))
    dp = replicas(w, gpus) or 0
    text_ = _("{parts} = {n} GPUs, all used once")
    parts = f"{w.tp} × {w.pp} × {w.cp} × {format_number(dp)}"
    return Hint("ok", text_.format(parts=parts, n=format_number(gpus)))


def domain_size(results: Results | None, gpus_per_server: int | None) -> int | None:
    """Return the GPUs of one NVLink domain as far as it is known from the drawing."""
    if results is None or results.get("capacity.nvlink_bytes_per_s_per_gpu") is None:
        return None
    trays = results.get("counts.nvswitch_trays") or 0
    return None if trays else gpus_per_server
