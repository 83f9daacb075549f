"""Parameters of the model: every number it uses, with unit, range, source and date."""

from dataclasses import dataclass
from functools import cache

from designer.model.assumption_list import PARAMETERS
from designer.model.design import Design
from designer.model.parameter import Parameter
from designer.units import Range


@dataclass(frozen=True, slots=True)
class Assumption:
    """A parameter as a design uses it: its own value or the default, and where that comes from."""

    parameter: Parameter
    value: Range
    source: str
    date: str
    changed: bool


@cache
def parameters() -> dict[str, Parameter]:
    """Return all parameters by key, in the order of the list."""
    return {p.key: p for p in PARAMETERS}


def assumption(design: Design, key: str) -> Assumption:
    """Return one parameter as the design uses it.

    Raises:
        KeyError: No parameter has that key (a programming fault).
    """
    parameter = parameters()[key]
    own = design.assumptions.get(key)
    if own is None:
        return Assumption(parameter, parameter.value, parameter.source, parameter.date, False)
    return Assumption(parameter, own.value, own.source, own.date, True)


def assumptions(design: Design) -> dict[str, Assumption]:
    """Return every parameter as the design uses it, by key."""
    own = {key: assumption(design, key) for key in design.assumptions if key in parameters()}
    return {**_defaults(), **own}


@cache
def _defaults() -> dict[str, Assumption]:
    """Return every parameter at its default, by key."""
    return {key: assumption(Design(), key) for key in parameters()}
