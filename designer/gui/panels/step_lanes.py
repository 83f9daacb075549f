"""A training step as lanes over time: micro-batches of one stage, then what nothing hides."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from designer.engine.results import Results
from designer.gui.charts.timeline import Lane, Span
from designer.messages import N_, _, ngettext
from designer.units import format_number, format_time

DIMENSIONS = (
    ("tp", N_("Tensor parallel"), "loc2"),
    ("cp", N_("Context parallel"), "leaf"),
    ("ep", N_("Expert parallel"), "spine"),
    ("pp", N_("Pipeline"), "text3"),
    ("dp", N_("Gradients, weights"), "loc3"),
    ("edp", N_("Gradients of experts"), "core"),
)
_INNER = ("tp", "cp", "ep")
_OUTSIDE = ("pp", "dp", "edp")
# More micro-batches than this are drawn in groups: a bar needs some pixels.
MOST_SLOTS = 40
_FORWARD, _FORWARD_RECOMPUTED = 1 / 3, 1 / 4


@dataclass(frozen=True, slots=True)
class Slots:
    """The micro-batches of one stage, in groups that can be drawn.

    Attributes:
        count: Groups drawn.
        each: Micro-batches a group, the last one maybe fewer.
        forward: Forward share of the compute.
        seconds: Of one group, compute and what of communication it waits for.
    """

    count: int
    each: int
    forward: float
    seconds: float


def slots_of(step: dict[str, Any]) -> Slots:
    """Return how the micro-batches of a step are drawn."""
    layout = step["layout"]
    m = layout["microbatches"]
    each = -(-m // MOST_SLOTS)
    count = -(-m // each)
    inner = step["compute_s"] + sum(_exposed(step, name) for name in _INNER)
    forward = _FORWARD_RECOMPUTED if layout.get("recompute") else _FORWARD
    return Slots(count, each, forward, inner / count)


def caption(results: Results) -> str:
    """Return what the bars of `lanes` stand for."""
    step = results.get("step")
    slots, m = slots_of(step), step["layout"]["microbatches"]
    text = ngettext("{n} micro-batch", "{n} micro-batches", m).format(n=format_number(m))
    if slots.each > 1:
        text += ", " + _("{n} a bar").format(n=format_number(slots.each))
    told = _("Compute of one stage: pale forward, full backward; {batches}.").format(batches=text)
    return f"{told} {_hidden(results)}".rstrip()


def lanes(results: Results) -> list[Lane]:
    """Return the lanes of a step: micro-batches, then bubble, late communication, stragglers.

    Sums over a lane are those of the model; where in a micro-batch communication sits is a sketch.
    """
    step = results.get("step") or {}
    slots = slots_of(step)
    end = slots.seconds * slots.count
    bubble = step["bubble_s"]
    compute = list(_compute(step, slots))
    if bubble > 0:
        compute.append(
            Span(end, end + bubble, "idle", _("bubble {time}").format(time=format_time(bubble)))
        )
    note = "" if bubble > 0 else format_time(step["compute_s"])
    found = [Lane(_("Compute"), "loc1", tuple(compute), note)]
    at = end + bubble
    for key, title, token in DIMENSIONS:
        part = (step.get("parts") or {}).get(key)
        if not part:
            continue
        exposed = part["exposed_s"]
        if key in _INNER:
            spans = tuple(_inner(step, slots, key))
        else:
            spans = tuple(_late(part, at, slots if key == "pp" else None))
            at += exposed
        found.append(Lane(_(title), token, spans, _note(part)))
    if step["jitter_s"] > 0:
        span = Span(at, at + step["jitter_s"], "idle")
        found.append(Lane(_("Stragglers"), "text3", (span,), format_time(step["jitter_s"])))
    return found


def _exposed(step: dict[str, Any], name: str) -> float:
    part = (step.get("parts") or {}).get(name)
    return float(part["exposed_s"]) if part else 0.0


def _note(part: dict[str, float]) -> str:
    return _("{exposed} exposed").format(exposed=format_time(part["exposed_s"]))


def _hidden(results: Results) -> str:
    """Return what compute hides, by dimension; empty where it hides nothing."""
    parts = results.get("step.parts") or {}
    found = []
    for key, title, _token in DIMENSIONS:
        part = parts.get(key, {"time_s": 0.0, "exposed_s": 0.0})
        hidden = part["time_s"] - part["exposed_s"]
        if hidden > part["time_s"] * 1e-6:
            found.append(f"{_(title)} {format_time(hidden)}")
    return _("Hidden behind compute: {parts}.").format(parts=", ".join(found)) if found else ""


def _halves(step: dict[str, Any], slots: Slots) -> Iterator[tuple[float, float, float, str]]:
    """Yield (start, end of compute, end, kind) of every forward and backward pass drawn."""
    compute = step["compute_s"] / slots.count
    waits = slots.seconds - compute
    for k in range(slots.count):
        start = k * slots.seconds
        middle = start + compute * slots.forward + waits / 2
        yield start, start + compute * slots.forward, middle, "forward"
        stop = start + slots.seconds
        yield middle, stop - waits / 2, stop, "solid"


def _compute(step: dict[str, Any], slots: Slots) -> Iterator[Span]:
    for start, stop, _end, kind in _halves(step, slots):
        yield Span(start, stop, kind)


def _inner(step: dict[str, Any], slots: Slots, key: str) -> Iterator[Span]:
    """Yield what every pass waits for, behind its compute, and before that what is hidden."""
    part = step["parts"][key]
    before = sum(_exposed(step, name) for name in _INNER[: _INNER.index(key)])
    passes = 2 * slots.count
    exposed = part["exposed_s"] / passes
    hidden = (part["time_s"] - part["exposed_s"]) / passes
    for start, stop, _end, _kind in _halves(step, slots):
        at = stop + before / passes
        if hidden > 0:
            yield Span(max(start, stop - hidden), stop, "hidden")
        yield Span(at, at + exposed)


def _late(part: dict[str, float], at: float, slots: Slots | None) -> Iterator[Span]:
    """Yield what is hidden before `at`, or in every micro-batch, and what the step waits for."""
    hidden = part["time_s"] - part["exposed_s"]
    if hidden > 0 and slots is not None:
        each = min(hidden / slots.count, slots.seconds)
        for k in range(1, slots.count + 1):
            yield Span(k * slots.seconds - each, k * slots.seconds, "hidden")
    elif hidden > 0:
        yield Span(max(0.0, at - hidden), at, "hidden")
    yield Span(at, at + part["exposed_s"])
