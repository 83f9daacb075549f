"""Explanations as text: formula, symbols with values and sources, arithmetic."""

from designer.engine.results import Explanation, Results
from designer.errors import ParameterError
from designer.messages import _
from designer.units import (
    format_bits_per_s,
    format_bytes,
    format_bytes_per_s,
    format_money,
    format_number,
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
_SCALED = {
    "FLOP/s": (1e12, "TFLOP/s"),
    "FLOP": (1e12, "TFLOP"),
    "s/m": (1e-9, "ns/m"),
}
_LARGEST_COUNT = 1e7


def format_quantity(value: float, unit: str) -> str:
    """Return a value with its unit, in the form people write it."""
    form = _FORMS.get(unit)
    if form is not None:
        return form(value)
    if unit == "%":
        return format_percent(value)
    if unit in _SCALED:
        size, name = _SCALED[unit]
        return f"{format_significant(value / size, 4)} {name}"
    # counts are written in full, measures with three figures
    whole = float(value).is_integer() and abs(value) < _LARGEST_COUNT
    text = format_number(value, 0) if whole else format_significant(value)
    return text if unit in ("", "1") else f"{text} {_(unit)}"


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


def explain(results: Results, key: str) -> Explanation:
    """Return how one number of the results was made.

    Raises:
        ParameterError: The key has no explanation; the reason why it is null is told.
    """
    found = results.explanations.get(key)
    if found is not None:
        return found
    reason = results.reason(key)
    message = _("“{key}” has no explanation.").format(key=key)
    near = ", ".join(
        k for k in sorted(results.explanations) if k.startswith(key.split(".", maxsplit=1)[0])
    )
    raise ParameterError(
        f"{message} {reason}".rstrip(), _("Keys near it: {keys}.").format(keys=near) if near else ""
    )
