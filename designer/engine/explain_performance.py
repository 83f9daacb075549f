"""How the figures of speed were made, of the technology shown and of both side by side."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from designer.engine.capacity import Capacity
from designer.engine.comparison import Comparison
from designer.engine.explain_capacity import explain_capacity, explain_traffic
from designer.engine.explain_choice import explain_choices
from designer.engine.explain_collectives import explain_collectives
from designer.engine.explain_step import explain_step
from designer.engine.explain_terms import assumed, drawn, modelled
from designer.engine.fabrics import FabricName
from designer.engine.ledger import TECHNOLOGY
from designer.engine.performance import Machines, Performance
from designer.engine.results import Explanation, Section, Step
from designer.engine.usage import Usage
from designer.engine.verdict_text import FABRIC_TITLES
from designer.messages import _
from designer.units import Range, format_percent, format_time

# Keys of a technology that say the same as a key of the technology shown.
_SAME = {
    "step.time_s": "step_time_s",
    "step.gpu_idle_share": "gpu_idle_share",
    "step.network_idle_share": "network_idle_share",
    "collectives.all_reduce.time_s": "all_reduce_time_s",
}


def explain_performance(
    machines: Machines,
    speeds: Mapping[FabricName, Performance],
    main: FabricName,
    found: Capacity,
    usage: Usage,
) -> list[tuple[str, Section]]:
    """Return the explanations of everything but money, in sections; see `Explanations`.

    Args:
        machines: The drawing.
        speeds: Both technologies.
        main: The one the results speak of.
        found: Capacities.
        usage: Utilisation of the cables.
    """
    shown = speeds[main]
    fabrics: list[tuple[str, Section]] = [
        ("fabrics", partial(_of_fabric, machines, name, one)) for name, one in speeds.items()
    ]
    return [
        ("capacity", lambda: explain_capacity(machines, found)),
        ("traffic", lambda: explain_traffic(machines, shown, usage)),
        ("collectives", lambda: explain_collectives(machines, shown)),
        ("collectives", lambda: explain_choices(machines, shown)),
        ("step", lambda: explain_step(machines, shown)),
        *fabrics,
        ("fabrics", lambda: _relative(speeds)),
    ]


def _of_fabric(machines: Machines, name: FabricName, one: Performance) -> dict[str, Explanation]:
    every = explain_collectives(machines, one) | explain_step(machines, one)
    found = {}
    for key, short in _SAME.items():
        if key in every:
            made = every[key]
            dotted = f"fabrics.{name}.{short}"
            title = f"{_(FABRIC_TITLES[name])}. {made.title}"
            steps = made.steps
            if short == "network_idle_share" and one.idle is not None:
                steps = (*steps, _bounds(one.idle))
            found[dotted] = replace(made, key=dotted, title=title, steps=steps)
    return found


def _bounds(idle: Range) -> Step:
    low, high = format_percent(idle.low), format_percent(idle.high)
    note = _("{low} to {high} with what this technology alone depends on").format(
        low=low, high=high
    )
    return Step(_("bounds"), idle.typical, "%", note)


def _relative(speeds: Mapping[FabricName, Performance]) -> dict[str, Explanation]:
    one, two = speeds["infiniband"].step, speeds["rocev2"].step
    if one is None or two is None:
        return {}
    out = {}
    for name, step in (("infiniband", one), ("rocev2", two)):
        key = f"fabrics.{name}.relative_throughput"
        ratio = one.time_s / step.time_s
        terms = (
            modelled("T_ib", _("step on InfiniBand"), one.time_s, "s"),
            modelled("T", _("step here"), step.time_s, "s"),
        )
        text = f"{format_time(one.time_s)} ÷ {format_time(step.time_s)}"
        out[key] = Explanation(
            key,
            _("Why {share} of the throughput on InfiniBand?").format(share=format_percent(ratio)),
            "T_ib ÷ T",
            terms,
            (Step(text, ratio, "1"),),
        )
    return out


def explain_latency(
    machines: Machines, comparison: Comparison, hops: int | None
) -> dict[str, Explanation]:
    """Return how the latency of the longest path was made, by dotted key."""
    out = {}
    for result in (comparison.infiniband, comparison.rocev2):
        latency = result.latency_s
        if latency is None or hops is None:
            continue
        design, technology = machines.design, TECHNOLOGY[result.fabric]
        key = f"fabrics.{result.fabric}.latency_s"
        terms = (
            assumed(design, "nic_latency_s"),
            assumed(design, f"switch_latency_{technology}_s"),
            drawn("h", _("switches on the longest path"), float(hops)),
            assumed(design, "cable_latency_s_per_m"),
        )
        note = _("{low} to {high}; switches with a data sheet use their own latency").format(
            low=format_time(latency.low), high=format_time(latency.high)
        )
        out[key] = Explanation(
            key,
            _("{fabric}: why {time} over the longest path?").format(
                fabric=_(FABRIC_TITLES[result.fabric]), time=format_time(latency.typical)
            ),
            "2 α_nic + h α_sw + α_m · ℓ",
            terms,
            (Step("2 α_nic + h α_sw + α_m · ℓ", latency.typical, "s", note),),
        )
    return out
