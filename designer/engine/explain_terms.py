"""Terms of explanations: symbols with their value and where it comes from."""

from designer.engine.results import Term
from designer.messages import _
from designer.model.assumptions import assumption
from designer.model.design import Design


def assumed(design: Design, key: str, symbol: str = "", times: float = 1.0) -> Term:
    """Return a parameter of the model as a term, with its source and key.

    Args:
        design: The drawing, which may have its own value.
        key: Of the parameter.
        symbol: In the formula; that of the parameter when empty.
        times: What the shown value is multiplied by.
    """
    used = assumption(design, key)
    source = f"{_(used.source)}, {used.date}" if used.date else _(used.source)
    return Term(
        symbol or used.parameter.symbol or key,
        _(used.parameter.label),
        used.value.typical * times,
        used.parameter.unit,
        source,
        key,
    )


def drawn(
    symbol: str, meaning: str, value: float | None, unit: str = "1", ids: tuple[str, ...] = ()
) -> Term:
    """Return a term that is counted or computed from the drawing."""
    return Term(symbol, meaning, value, unit, _("drawing"), ids=ids)


def modelled(symbol: str, meaning: str, value: float | None, unit: str, source: str = "") -> Term:
    """Return a term that another figure of the results explains."""
    return Term(symbol, meaning, value, unit, source or _("model"))
