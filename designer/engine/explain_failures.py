"""How the effects of single faults were found."""

from collections.abc import Sequence

from designer.engine.explain_terms import drawn, modelled
from designer.engine.failure_parts import KINDS
from designer.engine.failures import Effect
from designer.engine.results import Explanation, Step, Term
from designer.messages import N_, _
from designer.units import format_number, format_significant

_NAMES = {
    "all_reduce": (N_("all-reduce time"), "s"),
    "all_to_all": (N_("all-to-all time"), "s"),
    "step": (N_("step time"), "s"),
    "bisection": (N_("bisection"), "bit/s"),
}


def explain_failures(effects: Sequence[Effect]) -> dict[str, Explanation]:
    """Return the explanations of the ranking, `failures`, and of its entries, `failures.1` …."""
    found = {"failures": _ranking(effects)}
    for place, effect in enumerate(effects, start=1):
        one = _entry(place, effect)
        found[one.key] = one
    return found


def _ranking(effects: Sequence[Effect]) -> Explanation:
    faults = sum(len(e.keys) for e in effects)
    return Explanation(
        "failures",
        _("Why this order?"),
        _("GPUs lost, then the largest slowdown, then the bisection that is left"),
        (
            drawn("", _("single faults"), float(faults)),
            drawn("", _("classes of faults that are alike"), float(len(effects))),
        ),
        tuple(Step(f"{_(KINDS[e.kind])}: {e.name}", e.slowdown, "1", _lost(e)) for e in effects),
    )


def _lost(effect: Effect) -> str:
    if not effect.lost_gpus:
        return ""
    return _("without {n} GPUs").format(n=format_number(effect.lost_gpus))


def _entry(place: int, effect: Effect) -> Explanation:
    terms: list[Term] = [
        drawn("", _("parts that fail alike"), float(len(effect.keys)), ids=_whole(effect.ids)),
        drawn("", _("GPUs that the others no longer reach"), float(effect.lost_gpus)),
    ]
    steps: list[Step] = []
    for name, (title, unit) in _NAMES.items():
        old, ratio = effect.before[name], effect.ratios[name]
        terms.append(modelled("", _("{figure} before").format(figure=_(title)), old, unit))
        if old is None or ratio is None:
            continue
        terms.append(modelled("", _("{figure} after").format(figure=_(title)), old * ratio, unit))
        text = f"{format_significant(old * ratio, 4)} ÷ {format_significant(old, 4)}"
        steps.append(Step(text, ratio, "1", _(title)))
    return Explanation(
        f"failures.{place}",
        _("What if {name} fails?").format(name=effect.name),
        _("after ÷ before; the drawing is computed again with the part taken out"),
        tuple(terms),
        tuple(steps),
        bottleneck_ids=_whole(effect.ids),
        bottleneck=effect.bottleneck,
    )


def _whole(ids: tuple[str, ...]) -> tuple[str, ...]:
    """Return ids of records, also where one link of a trunk is meant."""
    return tuple(i.partition(":")[0] for i in ids)
