"""What follows from the fields of a workload: the arithmetic beside each of them."""

from dataclasses import dataclass
from typing import Literal

from designer.engine.results import Results
from designer.messages import _, ngettext
from designer.model.workload import Workload
from designer.units import format_bytes, format_number, format_significant


@dataclass(frozen=True, slots=True)
class Hint:
    """A line beside a field: fine, for information, or a fault."""

    kind: Literal["ok", "info", "error"]
    text: str


def hints(workload: Workload, gpus: int | None, domain: int | None) -> dict[str, Hint]:
    """Return hints by field; `gpus` are those of the drawing, `domain` those of one NVLink domain.

    Both are None when they are unknown.
    """
    w = workload
    found = {
        "tp": _tensor(w, domain),
        "pp": _pipeline(w),
        "cp": _plain(w.cp, _("off")),
        "ep": _experts(w),
        "dp": _data(w, gpus),
        "virtual_stages": _bubble(w, gpus),
        "micro_batch": _micro(w, gpus),
        "sequence": _sequence(w, gpus),
    }
    return {k: h for k, h in found.items() if h is not None}


def model_size(w: Workload) -> int:
    """Return the GPUs of one replica: TP × PP × CP."""
    return max(1, w.tp * w.pp * w.cp)


def replicas(w: Workload, gpus: int | None) -> float | None:
    """Return the data-parallel size that the GPUs leave; no whole number where it does not fit."""
    return gpus / model_size(w) if gpus else None


def _plain(value: int, off: str) -> Hint | None:
    return Hint("info", off) if value == 1 else None


def _tensor(w: Workload, domain: int | None) -> Hint | None:
    if w.heads % max(1, w.tp):
        return Hint("error", _("{n} heads do not split by {k}").format(n=w.heads, k=w.tp))
    if w.tp == 1:
        return Hint("info", _("off"))
    if domain is None:
        return None
    if w.tp <= domain:
        return Hint("ok", _("stays inside the NVLink domain"))
    text = _("leaves the NVLink domain of {n}: slower")
    return Hint("error", text.format(n=format_number(domain)))


def _pipeline(w: Workload) -> Hint | None:
    if w.pp == 1:
        return Hint("info", _("off"))
    stages = w.pp * max(1, w.virtual_stages)
    if w.layers % stages:
        share = _("{layers} layers in {k} stages: uneven")
        return Hint("info", share.format(layers=w.layers, k=stages))
    text = _("{layers} layers ÷ {k} = {n} a stage")
    return Hint("ok", text.format(layers=w.layers, k=stages, n=w.layers // stages))


def _experts(w: Workload) -> Hint | None:
    if not w.experts:
        return Hint("info", _("dense model, no experts"))
    if w.experts % max(1, w.ep):
        return Hint("error", _("{n} experts do not split by {k}").format(n=w.experts, k=w.ep))
    return Hint("ok", _("{n} experts each").format(n=w.experts // max(1, w.ep)))


def _data(w: Workload, gpus: int | None) -> Hint | None:
    found = replicas(w, gpus)
    if found is None:
        return None
    sum_ = f"{format_number(gpus or 0)} ÷ ({w.tp} × {w.pp} × {w.cp})"
    if found != int(found) or found < 1:
        return Hint("error", _("{sum} is no whole number").format(sum=sum_))
    if w.dp and w.dp != found:
        text = _("{n} would fit; 0 takes what fits")
        return Hint("error", text.format(n=format_number(int(found))))
    return Hint("ok", f"{sum_} = {format_number(int(found))}")


def _batches(w: Workload, gpus: int | None) -> float | None:
    found = w.dp or replicas(w, gpus)
    if not found or not w.global_batch:
        return None
    return w.global_batch / found / max(1, w.micro_batch)


def _micro(w: Workload, gpus: int | None) -> Hint | None:
    n = _batches(w, gpus)
    if n is None:
        return None
    if n != int(n) or n < 1:
        return Hint("info", _("batch a GPU is kept from the reference run"))
    text = ngettext("{n} micro-batch", "{n} micro-batches", int(n))
    return Hint("info", text.format(n=format_number(int(n))))


def _bubble(w: Workload, gpus: int | None) -> Hint | None:
    n = _batches(w, gpus)
    if w.pp == 1 or not n or n < 1:
        return None
    share = (w.pp - 1) / (max(1, w.virtual_stages) * n)
    text = _("bubble ({p} − 1) ÷ ({v} × {n}) = {share} %")
    return Hint(
        "info",
        text.format(
            p=w.pp,
            v=max(1, w.virtual_stages),
            n=format_significant(n),
            share=format_significant(share * 100),
        ),
    )


def _sequence(w: Workload, gpus: int | None) -> Hint | None:
    if not w.global_batch:
        return None
    text = _("{n} M tokens a step at its own batch")
    return Hint("info", text.format(n=format_significant(w.sequence * w.global_batch / 1e6)))


def product(w: Workload, gpus: int | None) -> Hint | None:
    """Return the line that says whether the layout uses every GPU once."""
    found = replicas(w, gpus)
    if found is None or not gpus:
        return None
    parts = f"{w.tp} × {w.pp} × {w.cp}"
    if w.dp and w.dp * model_size(w) != gpus:
        text = _("{parts} × {dp} = {n} GPUs, but {all} are drawn.")
        return Hint(
            "error",
            text.format(
                parts=parts,
                dp=format_number(w.dp),
                n=format_number(w.dp * model_size(w)),
                all=format_number(gpus),
            ),
        )
    if found == int(found) and found >= 1:
        text = _("{parts} × {dp} = {n} GPUs, all used once")
        return Hint(
            "ok", text.format(parts=parts, dp=format_number(int(found)), n=format_number(gpus))
        )
    size = model_size(w)
    below, above = gpus // size * size, -(-gpus // size) * size
    text = _("A replica takes {size} GPUs; {n} is no multiple. Nearest: {below} or {above}.")
    return Hint(
        "error",
        text.format(
            size=format_number(size),
            n=format_number(gpus),
            below=format_number(below),
            above=format_number(above),
        ),
    )


def memory(w: Workload) -> str:
    """Return the size of the weights as sent, for the line below the model."""
    return format_bytes(w.parameters * w.param_bytes)


def domain_size(results: Results | None, gpus_per_server: int | None) -> int | None:
    """Return the GPUs of one NVLink domain as far as it is known from the drawing."""
    if results is None or results.get("capacity.nvlink_bytes_per_s_per_gpu") is None:
        return None
    trays = results.get("counts.nvswitch_trays") or 0
    return None if trays else gpus_per_server
