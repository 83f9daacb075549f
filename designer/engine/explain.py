"""Explanations as text: formula, symbols with values and sources, arithmetic."""

from designer.engine.results import Explanation
from designer.messages import _
from designer.units import (
    format_bits_per_s,
    format_bytes,
    format_bytes_per_s,
    format_money,
    format_percent,
    format_power,
    format_significant,
    format_time,
)

_FORMS = {
    "s": format_time,
    "B/s": format_bytes_per_s,
    "bit/s": format_bits_per_s,
    "B": format_bytes,
    "W": format_power,
    "USD": format_money,
}


def format_quantity(value: float, unit: str) -> str:
    """Return a value with its unit, in the form people write it."""
    form = _FORMS.get(unit)
    if form is not None:
        return form(value)
    if unit == "%":
        return format_percent(value)
    return format_significant(value) if unit in ("", "1") else f"{format_significant(value)} {unit}"


def explanation_text(explanation: Explanation) -> str:
    """Return an explanation as plain text, for the command line and the clipboard."""
    lines = [explanation.title, "", f"  {explanation.formula}", ""]
    for term in explanation.terms:
        value = "—" if term.value is None else format_quantity(term.value, term.unit)
        lines.append(f"  {term.symbol}  {term.meaning}: {value}  [{term.source}]")
    if explanation.steps:
        lines += ["", _("Steps")]
        lines += [
            f"  {k}. {s.expression} = {format_quantity(s.value, s.unit)}  {s.note}".rstrip()
            for k, s in enumerate(explanation.steps, start=1)
        ]
    if explanation.bottleneck:
        lines += ["", _("Bottleneck: {what}").format(what=explanation.bottleneck)]
    if explanation.sources:
        lines += ["", _("Sources: {names}").format(names="; ".join(explanation.sources))]
    return "\n".join(lines)
