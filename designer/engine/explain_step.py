"""How the training step was made: compute, each dimension's traffic, bubble, idle shares."""

from collections.abc import Callable

from designer.engine.explain_dimensions import NAMES, explain_jitter, explain_memory, explain_part
from designer.engine.explain_terms import assumed, drawn, modelled
from designer.engine.performance import Machines, Performance
from designer.engine.results import Explanation, Step, Term
from designer.engine.step import StepTime
from designer.engine.step_parts import Part, sizes_of
from designer.messages import _
from designer.units import format_number, format_percent, format_significant
from designer.units import format_time as seconds

_FORMULA = "T = (M (c + t_TP + t_CP + t_EP) (1 + b) + e_PP + e_DP + e_EDP) (1 + ε)"
_OUTSIDE = ("pp", "dp", "edp")


def explain_step(machines: Machines, done: Performance) -> dict[str, Explanation]:
    """Return the explanations of the step, by dotted key; empty without one."""
    step = done.step
    if step is None:
        return {}
    makers: tuple[Callable[[Machines, Performance, StepTime], Explanation], ...] = (
        _time,
        _compute,
        _bubble,
        _exposed,
        _communication,
        _idle,
        _network_idle,
        _mfu,
    )
    made = [make(machines, done, step) for make in makers]
    made += [explain_part(machines, done, step, part) for part in step.parts.values()]
    made += [explain_memory(machines, step), explain_jitter(machines, step)]
    return {e.key: e for e in made}


def _parts(step: StepTime) -> tuple[tuple[str, float], ...]:
    rows = [(_("Compute"), step.compute_s)]
    rows += [(_(NAMES[name]), part.exposed_s) for name, part in step.parts.items()]
    return (*rows, (_("Pipeline bubble"), step.bubble_s), (_("Stragglers"), step.jitter_s))


def _time(machines: Machines, done: Performance, step: StepTime) -> Explanation:
    w = step.layout.workload
    terms = [
        _modelled("M c", _("compute of one GPU"), step.compute_s, "step.compute_s"),
        *(
            _modelled(
                f"{'e' if name in _OUTSIDE else 't'}_{name.upper()}",
                _("{name}, not hidden").format(name=_(NAMES[name])),
                part.exposed_s,
                f"step.parts.{name}.exposed_s",
            )
            for name, part in step.parts.items()
        ),
        drawn("b", _("bubble, share of the pipeline's time"), step.bubble),
        assumed(machines.design, "jitter"),
    ]
    inner = _("({compute} + {inner}) × (1 + {bubble})").format(
        compute=seconds(step.compute_s),
        inner=seconds(step.inner_s - step.compute_s),
        bubble=format_significant(step.bubble),
    )
    outside = sum(step.exposed(name) for name in _OUTSIDE)
    before = step.inner_s + step.bubble_s
    steps = (
        Step(inner, before, "s", _("all micro-batches through the pipeline")),
        Step(f"{seconds(before)} + {seconds(outside)}", before + outside, "s"),
        Step(f"× {format_significant(1 + step.jitter, 4)}", step.time_s, "s", _("stragglers")),
    )
    return Explanation(
        "step.time_s",
        _("{workload}: why {time} a step?").format(
            workload=_(w.title) or w.name, time=seconds(step.time_s)
        ),
        _FORMULA,
        tuple(terms),
        steps,
        (w.source,) if w.source else (),
        _parts(step),
    )


def _modelled(symbol: str, meaning: str, value: float, key: str) -> Term:
    return modelled(symbol, meaning, value, "s", _("see {key}").format(key=key))


def _compute(machines: Machines, done: Performance, step: StepTime) -> Explanation:
    w, sizes = step.layout.workload, sizes_of(step.layout)
    active = w.active_parameters or w.parameters
    source = _("workload")
    terms = (
        Term("N", _("weights used by a token, billions"), active / 1e9, "1", source),
        Term("L", _("layers"), float(w.layers), "1", source),
        Term("h", _("hidden size"), float(w.hidden), "1", source),
        Term("s", _("tokens of a sequence"), float(w.sequence), "1", source),
        Term("M", _("micro-batches"), float(step.layout.microbatches), "1", source),
        Term("", _("tokens of a micro-batch on one GPU"), sizes.tokens, "1", source),
        Term("peak", _("dense BF16 peak of a GPU"), step.peak, "FLOP/s", _("part type")),
        assumed(machines.design, _efficiency_key(machines, step)),
    )
    one = step.layer_s * step.peak * step.efficiency
    layer = _("one layer, one micro-batch: {flops} TFLOP").format(
        flops=format_significant(one / 1e12, 4)
    )
    total = f"{format_number(step.layout.microbatches, 0)} × {format_significant(sizes.layers)} ×"
    return Explanation(
        "step.compute_s",
        _("Why does a GPU compute for {time}?").format(time=seconds(step.compute_s)),
        _("M · L/PP · (8 N/L + 8 s h) tokens ÷ TP ÷ (peak · η), activations computed twice")
        if w.recompute
        else _("M · L/PP · (6 N/L + 6 s h) tokens ÷ TP ÷ (peak · η)"),
        terms,
        (
            Step(layer, step.layer_s, "s"),
            Step(f"{total} {seconds(step.layer_s)}", step.compute_s, "s"),
        ),
        (w.source,) if w.source else (),
    )


def _efficiency_key(machines: Machines, step: StepTime) -> str:
    keys = ("gpu_efficiency_ampere", "gpu_efficiency_hopper", "gpu_efficiency_blackwell")
    return next((k for k in keys if machines.values[k] == step.efficiency), keys[1])


def _bubble(machines: Machines, done: Performance, step: StepTime) -> Explanation:
    w, m = step.layout.workload, step.layout.microbatches
    source = _("workload")
    terms = (
        Term("PP", _("pipeline stages"), float(w.pp), "1", source),
        Term("v", _("virtual stages"), float(w.virtual_stages), "1", source),
        Term("M", _("micro-batches of a replica"), float(m), "1", source),
    )
    steps = (
        Step(f"({w.pp} − 1) ÷ ({w.virtual_stages} × {m})", step.bubble, "1"),
        Step(f"{format_significant(step.bubble)} × {seconds(step.inner_s)}", step.bubble_s, "s"),
    )
    return Explanation(
        "step.bubble_s",
        _("Why does the pipeline stand still for {time}?").format(time=seconds(step.bubble_s)),
        "b = (PP − 1) ÷ (v M)",
        terms,
        steps,
    )


def _sum(
    step: StepTime, key: str, title: str, of: Callable[[Part], float], note: str
) -> Explanation:
    parts = tuple((_(NAMES[name]), of(part)) for name, part in step.parts.items())
    terms = tuple(
        modelled(name.upper(), _(NAMES[name]), of(part), "s") for name, part in step.parts.items()
    )
    total = sum(value for _name, value in parts)
    line = " + ".join(seconds(value) for _name, value in parts) or "0"
    return Explanation(
        f"step.{key}",
        title.format(time=seconds(total)),
        "Σ t",
        terms,
        (Step(line, total, "s", note),),
        parts=parts,
    )


def _exposed(machines: Machines, done: Performance, step: StepTime) -> Explanation:
    title = _("Why does the step wait {time} for communication?")
    return _sum(step, "exposed_communication_s", title, lambda p: p.exposed_s, "")


def _communication(machines: Machines, done: Performance, step: StepTime) -> Explanation:
    title = _("Why does communication take {time}?")
    return _sum(step, "communication_s", title, lambda p: p.time_s, _("hidden parts included"))


def _idle(machines: Machines, done: Performance, step: StepTime) -> Explanation:
    text = f"1 − {seconds(step.compute_s)} ÷ {seconds(step.time_s)}"
    return Explanation(
        "step.gpu_idle_share",
        _("Why do GPUs idle {share} of the step?").format(
            share=format_percent(step.gpu_idle_share)
        ),
        _("1 − compute ÷ T"),
        (
            _modelled("", _("compute of one GPU"), step.compute_s, "step.compute_s"),
            _modelled("T", _("step"), step.time_s, "step.time_s"),
        ),
        (Step(text, step.gpu_idle_share, "%"),),
        parts=_parts(step),
    )


def _network_idle(machines: Machines, done: Performance, step: StepTime) -> Explanation:
    text = f"({seconds(step.time_s)} − {seconds(step.ideal_s)}) ÷ {seconds(step.time_s)}"
    ideal = modelled(
        "T_∞",
        _("step on an infinitely fast network: no communication takes time"),
        step.ideal_s,
        "s",
        "M c (1 + b) (1 + ε)",
    )
    return Explanation(
        "step.network_idle_share",
        _("Why is {share} of the step the network's?").format(
            share=format_percent(step.network_idle_share)
        ),
        "(T − T_∞) ÷ T",
        (_modelled("T", _("step"), step.time_s, "step.time_s"), ideal),
        (Step(text, step.network_idle_share, "%", _("NVLink inside the servers included")),),
        parts=tuple((_(NAMES[n]), p.exposed_s) for n, p in step.parts.items()),
    )


def _mfu(machines: Machines, done: Performance, step: StepTime) -> Explanation:
    rate = step.flops_per_gpu / step.time_s
    text = f"{format_significant(rate / 1e12, 4)} ÷ {format_significant(step.peak / 1e12, 4)}"
    return Explanation(
        "step.mfu",
        _("Why a model FLOP utilisation of {share}?").format(share=format_percent(step.mfu)),
        _("(6 N + 6 s h L) · tokens ÷ (T · GPUs · peak)"),
        (
            modelled("", _("FLOP of a step on one GPU"), step.flops_per_gpu, "FLOP"),
            _modelled("T", _("step"), step.time_s, "step.time_s"),
            Term("peak", _("dense BF16 peak of a GPU"), step.peak, "FLOP/s", _("part type")),
        ),
        (Step(f"{text} TFLOP/s", step.mfu, "%"),),
        (_("FLOP counts differ between sources: compare step times, not MFU"),),
    )
