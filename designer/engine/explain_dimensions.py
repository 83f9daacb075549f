"""How the communication of one parallel dimension in a training step was made, and its memory."""

from designer.engine.bottleneck import cable_name
from designer.engine.explain_terms import assumed, drawn, modelled
from designer.engine.memory import memory_of
from designer.engine.performance import Machines, Performance
from designer.engine.results import Explanation, Step, Term
from designer.engine.step import StepTime
from designer.engine.step_parts import Part, exchanges, hidden_share, reductions, sizes_of
from designer.messages import N_, _
from designer.units import format_bytes, format_number, format_percent, format_significant
from designer.units import format_time as seconds

NAMES = {
    "tp": N_("Tensor parallel"),
    "cp": N_("Context parallel"),
    "ep": N_("Expert parallel"),
    "pp": N_("Pipeline"),
    "dp": N_("Gradients, weights"),
    "edp": N_("Gradients of experts"),
}
_FORMULAS = {
    "tp": N_("M · L/PP · k · t(all-gather or reduce-scatter of A)"),
    "cp": N_("M · L/PP · k · t(all-gather of K and V)"),
    "ep": N_("M · L/PP · k · t(all-to-all of topk · tokens · h · 2 ÷ TP)"),
    "pp": N_("2 v M · t(A ÷ TP) · (1 − share hidden)"),
    "dp": N_("max(t ÷ layers, t − φ · w),  t = Σ k · t(weights or gradients of a layer)"),
    "edp": N_("max(t ÷ layers, t − φ · w),  t = Σ k · t(weights or gradients of a layer)"),
}
_WITHOUT_SP = {
    "tp": N_("M · L/PP · k · t(all-reduce of A)"),
    "ep": N_("M · L/PP · k · t(all-to-all of topk · tokens · h · 2)"),
    "pp": N_("2 v M · t(A) · (1 − share hidden)"),
}
_OPERATIONS = {
    "all_gather": N_("all-gathers of weights a step"),
    "reduce_scatter": N_("reduce-scatters of gradients a step"),
    "all_reduce": N_("all-reduces of gradients a step"),
}
_REPLICATED = ("dp", "edp")


def explain_part(machines: Machines, done: Performance, step: StepTime, part: Part) -> Explanation:
    """Return how long a dimension keeps the step waiting, and why."""
    sp = step.layout.workload.sp
    formula = _FORMULAS[part.name] if sp else _WITHOUT_SP.get(part.name, _FORMULAS[part.name])
    terms = _replicated(step, part) if part.name in _REPLICATED else _layered(step, part)
    return Explanation(
        f"step.parts.{part.name}.exposed_s",
        _("{name}: why {time}?").format(name=_(NAMES[part.name]), time=seconds(part.exposed_s)),
        _(formula),
        (*terms, *_group(step, part), *_bandwidth(machines, done, part)),
        _steps(step, part),
        bottleneck_ids=_slowest(machines, done, part)[0],
        bottleneck=_slowest(machines, done, part)[1],
    )


def _bandwidth(machines: Machines, done: Performance, part: Part) -> list[Term]:
    """Return the bandwidth that bounds one operation, and the parameter behind it."""
    group, inside = done.groups[part.name], machines.whole_inside
    terms = []
    if group.drained is not None:
        rate = 1 / group.seconds(done.wire.factors)
        text = _("bytes/s a rank sends over the drawn links, all groups at once")
        terms += [drawn("B_net", text, rate, "B/s"), assumed(machines.design, "nic_efficiency")]
    if group.local > 1 and inside.ring_key:
        terms += [
            drawn("", _("line rate inside a node, per GPU"), inside.line, "B/s"),
            assumed(machines.design, inside.ring_key),
        ]
    return terms


def _slowest(machines: Machines, done: Performance, part: Part) -> tuple[tuple[str, ...], str]:
    """Return (ids, name) of the cable that bounds a dimension; empty where none does."""
    drained = done.groups[part.name].drained
    bound = part.timing is None or part.timing.network_bound
    row = drained.cable(done.wire.factors) if drained is not None and bound else -1
    if row < 0:
        return (), ""
    network = machines.routed.network
    return (network.cable_ids[row],), cable_name(machines.design, machines.routed, row)


def _of_job(symbol: str, meaning: str, value: float, unit: str = "1") -> Term:
    return Term(symbol, meaning, value, unit, _("workload"))


def _layered(step: StepTime, part: Part) -> list[Term]:
    """Return the terms of what every layer, or every stage, repeats in every micro-batch."""
    w, m = step.layout.workload, step.layout.microbatches
    sizes = sizes_of(step.layout)
    activations = modelled("A", _("activations of a micro-batch"), sizes.activations, "B")
    terms = [_of_job("M", _("micro-batches of a replica"), float(m))]
    if part.name == "pp":
        terms += [_of_job("v", _("virtual stages"), float(w.virtual_stages)), activations]
    else:
        passes = part.calls / (sizes.layers * m)
        terms += [
            _of_job("L", _("layers"), float(w.layers)),
            _of_job("PP", _("pipeline stages"), float(w.pp)),
            modelled("k", _("operations a layer, forward and backward"), passes, "1"),
            activations,
        ]
    if part.name == "ep":
        terms.append(_of_job("topk", _("experts a token"), float(w.topk)))
    hidden = hidden_share(step.layout, part.name)
    terms.append(_of_job("", _("share that compute hides"), hidden, "%"))
    return terms


def _replicated(step: StepTime, part: Part) -> list[Term]:
    """Return the terms of what ranks with the same weights exchange."""
    w, sizes = step.layout.workload, sizes_of(step.layout)
    held = sizes.shared if part.name == "dp" else sizes.experts
    terms = [
        modelled("P", _("weights a GPU holds, billions"), held / 1e9, "1"),
        _of_job("", _("ZeRO stage"), float(w.zero)),
        _of_job("b_w", _("bytes of a weight as sent"), w.param_bytes, "B"),
        _of_job("b_g", _("bytes of a gradient as sent"), w.grad_bytes, "B"),
        *(
            modelled("k", _(_OPERATIONS[one.operation]), float(one.times), "1")
            for one in exchanges(step.layout, held)
        ),
        modelled("w", _("compute that can hide it"), part.window_s, "s"),
        _of_job("φ", _("share of that compute"), w.dp_overlap, "%"),
    ]
    if reductions(step.layout) > 1:
        terms.append(_of_job("M", _("micro-batches of a replica"), float(reductions(step.layout))))
    return terms


def _group(step: StepTime, part: Part) -> list[Term]:
    terms = [
        drawn("n", _("ranks of a group"), float(step.layout.size(part.name))),
        modelled("", _("sent by one GPU in a step"), part.bytes, "B"),
        modelled("", _("operations in a step"), part.calls, "1"),
        modelled("", _("size of one operation"), part.call_bytes, "B"),
    ]
    if part.timing is not None:
        terms += [
            modelled("", _("latency of one operation"), part.timing.latency_s, "s"),
            modelled("", _("data of one operation"), part.timing.data_s, "s"),
        ]
    return terms


def _steps(step: StepTime, part: Part) -> tuple[Step, ...]:
    steps = []
    if part.timing is not None:
        bound = _("bound by the network") if part.timing.network_bound else _("bound inside a node")
        text = f"{seconds(part.timing.latency_s)} + {seconds(part.timing.data_s)}"
        steps.append(Step(text, part.timing.time_s, "s", bound))
    steps.append(
        Step(
            _("{n} operations of {size}").format(
                n=format_number(part.calls, 0), size=format_bytes(part.call_bytes)
            ),
            part.time_s,
            "s",
            _("all of it, hidden or not"),
        )
    )
    w = step.layout.workload
    if part.name in _REPLICATED:
        steps.append(_behind(step, part, w.dp_overlap))
    elif part.exposed_s < part.time_s:
        hidden = 1 - part.exposed_s / part.time_s
        note = _("{share} hidden").format(share=format_percent(hidden, 0))
        steps.append(Step(seconds(part.time_s), part.exposed_s, "s", note))
    return tuple(steps)


def _behind(step: StepTime, part: Part, share: float) -> Step:
    """Return the line that takes off what compute hides; weights of experts share its window."""
    together = [step.parts[n] for n in _REPLICATED if n in step.parts]
    text = f"{seconds(sum(p.time_s for p in together))} − {format_significant(share)} × "
    note = _("at least the last bucket")
    if len(together) > 1:
        note = _("at least the last bucket; experts and all other weights share the window")
    return Step(text + seconds(part.window_s), part.exposed_s, "s", note)


def explain_memory(machines: Machines, step: StepTime) -> Explanation:
    """Return how the memory of a GPU was estimated."""
    w, found = step.layout.workload, memory_of(step.layout)
    sizes = sizes_of(step.layout)
    terms = (
        modelled("P", _("weights a GPU holds, billions"), sizes.weights / 1e9, "1"),
        _of_job("", _("ZeRO stage"), float(w.zero)),
        drawn("K", _("ranks with the same weights"), float(step.layout.size("dp"))),
        _of_job("b_o", _("bytes the optimizer keeps a weight"), w.optimizer_bytes, "B"),
        modelled("", _("activations of one layer and micro-batch"), found.layer, "B"),
        modelled("", _("layers × micro-batches kept at once"), found.in_flight, "1"),
        drawn("", _("memory of a GPU"), machines.gpu_memory, "B"),
    )
    rows = (
        (_("Weights"), found.weights),
        (_("Gradients"), found.gradients),
        (_("Optimizer"), found.optimizer),
        (_("Activations"), found.activations),
    )
    line = " + ".join(format_bytes(value) for _name, value in rows)
    note = _("with recomputation {bytes}").format(bytes=format_bytes(found.least))
    return Explanation(
        "step.memory.total_bytes",
        _("Why {bytes} of memory a GPU?").format(bytes=format_bytes(found.total)),
        _("weights + gradients + optimizer + activations of the first stage"),
        terms,
        (Step(line, found.total, "B", "" if w.recompute else note),),
        (_("activations: Korthikanti et al. 2022, arXiv 2205.05198; an estimate"),),
        rows,
    )


def explain_jitter(machines: Machines, step: StepTime) -> Explanation:
    """Return what stragglers add to the step."""
    before = step.time_s - step.jitter_s
    text = f"{format_significant(step.jitter)} × {seconds(before)}"
    return Explanation(
        "step.jitter_s",
        _("Why {time} for stragglers?").format(time=seconds(step.jitter_s)),
        _("ε · (compute + bubble + exposed communication)"),
        (assumed(machines.design, "jitter"), modelled("", _("step without it"), before, "s")),
        (Step(text, step.jitter_s, "s"),),
    )
