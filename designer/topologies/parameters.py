"""What a template asks for: typed, checked parameters with units and defaults."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from designer.errors import ParameterError
from designer.messages import _
from designer.units import format_number, parse_number

RATIO = ": 1"
Kind = Literal["int", "float", "bool", "part", "text"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a template.

    Attributes:
        name: As typed after `--set`.
        default: None means derived from the others.
        choices: Allowed values; empty allows all.
    """

    name: str
    kind: Kind
    default: Any
    description: str
    unit: str = ""
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[Any, ...] = ()

    def read(self, value: Any) -> Any:
        """Return a typed or given value as this parameter's kind.

        Raises:
            ParameterError: It does not fit; names the parameter and what does.
        """
        if value is None or (isinstance(value, str) and not value.strip()):
            return self.default
        found = self._converted(value)
        if self.choices and found not in self.choices:
            raise ParameterError(
                _("{name} cannot be {value}.").format(name=self.name, value=value),
                _("Choose one of {names}.").format(names=", ".join(map(str, self.choices))),
            )
        if isinstance(found, (int, float)) and not isinstance(found, bool):
            self._check_bounds(found)
        return found

    def _converted(self, value: Any) -> Any:
        if self.kind == "bool":
            return self._bool(value)
        if self.kind in ("part", "text"):
            return str(value).strip()
        try:
            number = self._number(value) if isinstance(value, str) else float(value)
        except (TypeError, ValueError, OverflowError, ParameterError) as fault:
            raise self._unfit(value) from fault
        if self.kind == "int":
            if number != int(number):
                raise self._unfit(value)
            return int(number)
        return number

    def _number(self, text: str) -> float:
        """Return a typed number; a ratio may be written as it is shown, `3 : 1`."""
        over, mark, under = text.partition(":")
        if not mark or self.unit != RATIO:
            return parse_number(text)
        divisor = parse_number(under)
        if divisor <= 0:
            raise self._unfit(text)
        return parse_number(over) / divisor

    def _bool(self, value: Any) -> bool:
        if isinstance(value, bool):
            return value
        text = str(value).strip().lower()
        if text in ("true", "yes", "on", "1", "sim"):
            return True
        if text in ("false", "no", "off", "0", "não"):
            return False
        raise self._unfit(value)

    def _unfit(self, value: Any) -> ParameterError:
        kinds = {"int": _("A whole number"), "float": _("A number"), "bool": _("Yes or no")}
        return ParameterError(
            _("{name} cannot be “{value}”.").format(name=self.name, value=value),
            _("{what} is expected.").format(what=kinds.get(self.kind, _("A text"))),
        )

    def _check_bounds(self, value: float) -> None:
        low, high = self.minimum, self.maximum
        if (low is not None and value < low) or (high is not None and value > high):
            bounds = (
                _("from {low}").format(low=format_number(low or 0))
                if high is None
                else _("from {low} to {high}").format(
                    low=format_number(low or 0), high=format_number(high)
                )
            )
            raise ParameterError(
                _("{name} cannot be {value}.").format(name=self.name, value=format_number(value)),
                _("Allowed are values {bounds}.").format(bounds=bounds),
            )


def read_all(declared: tuple[Parameter, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return every parameter with its given value or default.

    Raises:
        ParameterError: An unknown parameter, or a value that does not fit.
    """
    known = {p.name: p for p in declared}
    for name in given:
        if name not in known:
            raise ParameterError(
                _("This template has no parameter “{name}”.").format(name=name),
                _("It takes {names}.").format(names=", ".join(known))
                if known
                else _("It takes none."),
            )
    return {name: p.read(given.get(name)) for name, p in known.items()}
