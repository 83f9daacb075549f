"""Checks of single values in a part record: each returns the typed value or raises.

A check gets the raw value and the place it stands at (file, part and field) and raises a
`CatalogError` that says what is expected there.
"""

import math
import re
from collections.abc import Callable
from typing import Any

from designer.errors import CatalogError
from designer.messages import _
from designer.units import Range

Check = Callable[[Any, str], Any]

_SLUG = re.compile(r"[a-z0-9][a-z0-9.+-]*")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
# No quantity of a part is near these; sums of many parts stay in 64 bits below them.
LARGEST = 1e18
FASTEST = 1e15
MOST = 10**9
_SHOWN = 60


def refuse(where: str, value: object, expected: str) -> CatalogError:
    """Return the error for a value that does not fit; `expected` is a translated sentence."""
    try:
        shown = repr(value)
    except ValueError:  # Python writes no number of more than 4,300 digits
        shown = "…"
    if len(shown) > _SHOWN:
        shown = shown[:_SHOWN] + "…"
    return CatalogError(_("{where} cannot be {value}.").format(where=where, value=shown), expected)


def text(value: Any, where: str) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise refuse(where, value, _("A text is expected."))
    return value


def flag(value: Any, where: str) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise refuse(where, value, _("true or false is expected."))
    return value


def number(value: Any, where: str) -> float:
    """Return a finite number from 0 to `LARGEST` as a float."""
    return _number(value, where, LARGEST)


def speed(value: Any, where: str) -> float:
    """Return a line rate from 0 to `FASTEST` bits/s as a float."""
    return _number(value, where, FASTEST)


def positive(value: Any, where: str) -> float:
    """Return a finite number above 0 as a float: none at all is told by leaving the key out."""
    if value == 0:
        raise refuse(where, value, _("A number above 0 is expected; leave the key out for none."))
    return _number(value, where, LARGEST)


def _number(value: Any, where: str, most: float) -> float:
    fits = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not fits or not value >= 0 or value == math.inf:
        raise refuse(where, value, _("A number of 0 or more is expected."))
    if value > most:
        raise refuse(where, value, _("A number of at most {most} is expected.").format(most=most))
    return float(value)


def whole(least: int) -> Check:
    """Return a check for whole numbers from `least` to `MOST`."""

    def check(value: Any, where: str) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise refuse(
                where, value, _("A whole number from {least} is expected.").format(least=least)
            )
        if value > MOST:
            expected = _("A number of at most {most} is expected.").format(most=f"{MOST:,}")
            raise refuse(where, value, expected)
        return value

    return check


def one_of(choices: tuple[str, ...]) -> Check:
    """Return a check for one of a few words."""

    def check(value: Any, where: str) -> str:
        if value not in choices:
            names = ", ".join(choices)
            raise refuse(where, value, _("One of {names} is expected.").format(names=names))
        return str(value)

    return check


def list_of(item: Check) -> Check:
    """Return a check for a list whose items pass `item`; it returns a tuple."""

    def check(value: Any, where: str) -> tuple[Any, ...]:
        if not isinstance(value, (list, tuple)):
            raise refuse(where, value, _("A list is expected."))
        return tuple(item(v, f"{where}[{k}]") for k, v in enumerate(value, 1))

    return check


def slug(value: Any, where: str) -> str:
    """Return the name of a part: small letters, digits, dots, plus and hyphens."""
    if not isinstance(value, str) or not _SLUG.fullmatch(value):
        raise refuse(where, value, _("Small letters, digits, “.”, “+” and “-” are expected."))
    return value


def day(value: Any, where: str) -> str:
    """Return a date written as 2026-09-30."""
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        raise refuse(where, value, _("A date such as “2026-09-30” is expected, in quotes."))
    return value


def span(value: Any, where: str) -> Range:
    """Return a range from `{low, typical, high}` in rising order, or from one number."""
    if not isinstance(value, dict):
        return Range.exact(number(value, where))
    if set(value) != {"low", "typical", "high"}:
        raise refuse(where, value, _("Keys low, typical and high are expected."))
    low, typical, high = (number(value[k], f"{where}.{k}") for k in ("low", "typical", "high"))
    return rising(low, typical, high, where)


def rising(low: float, typical: float, high: float, where: str) -> Range:
    """Return a range, refusing one whose bounds are out of order."""
    if not low <= typical <= high:
        raise refuse(where, [low, typical, high], _("low ≤ typical ≤ high is expected."))
    return Range(low, typical, high)


def scaled(check: Check, divisor: float, factor: float = 1.0) -> Check:
    """Return `check` for a value in another unit: its numbers times `factor` over `divisor`.

    Dividing by 1e9 instead of multiplying by 1e-9 keeps 130 ns the float 1.3e-07.
    """

    def convert(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(convert(v) for v in value)
        if isinstance(value, Range):
            return Range(convert(value.low), convert(value.typical), convert(value.high))
        return value * factor / divisor

    def bounded(value: Any, where: str) -> Any:
        made = convert(check(value, where))
        # what fits in the unit people write may be too much in the one the program counts in
        return check(made, where) if factor > divisor else made

    return bounded
