"""SI inside, human units at the edge: reading and writing quantities by locale.

Everywhere else in the program speeds are bits or bytes per second and one way, times are seconds,
sizes are bytes, power is watts, money is a `Range` of US dollars. 1 GB is 1e9 bytes, 1 GiB 2**30.
"""

import datetime
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from babel.dates import format_date as _babel_date
from babel.dates import format_datetime as _babel_datetime
from babel.numbers import format_decimal, get_decimal_symbol, get_group_symbol

from designer.errors import ParameterError
from designer.messages import _, language


@dataclass(frozen=True, slots=True)
class Range:
    """Low, typical and high of one quantity; arithmetic carries the bounds (interval arithmetic).

    Only for quantities that are not negative, except as the result of a subtraction.
    """

    low: float
    typical: float
    high: float

    @staticmethod
    def exact(value: float) -> "Range":
        """Return a range without width."""
        return Range(value, value, value)

    def __add__(self, other: "Range | float") -> "Range":
        o = _range(other)
        return Range(self.low + o.low, self.typical + o.typical, self.high + o.high)

    __radd__ = __add__

    def __sub__(self, other: "Range | float") -> "Range":
        o = _range(other)
        return Range(self.low - o.high, self.typical - o.typical, self.high - o.low)

    def __mul__(self, other: "Range | float") -> "Range":
        o = _range(other)
        corners = [a * b for a in (self.low, self.high) for b in (o.low, o.high)]
        return Range(min(corners), self.typical * o.typical, max(corners))

    __rmul__ = __mul__

    def __truediv__(self, other: "Range | float") -> "Range":
        o = _range(other)
        if o.low <= 0 <= o.high:
            raise ZeroDivisionError("range includes zero")
        return self * Range(1 / o.high, 1 / o.typical, 1 / o.low)

    def overlaps(self, other: "Range") -> bool:
        """Tell whether the two ranges share any value."""
        return self.low <= other.high and other.low <= self.high

    def as_dict(self) -> dict[str, float]:
        """Return the form written to results: `{low, typical, high}`."""
        return {"low": self.low, "typical": self.typical, "high": self.high}


def _range(value: "Range | float") -> Range:
    return value if isinstance(value, Range) else Range.exact(value)


# --- reading -------------------------------------------------------------------------------------

_SIZE = re.compile(r"^\s*([0-9][0-9.,_]*(?:[eE][+-]?[0-9]+)?)\s*([kKMGTP]?)(i?)([bB]?)\s*$")
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}


def parse_size(text: str) -> int:
    """Return bytes for `16GiB`, `1 GB`, `512MiB`, `8B` or a plain number.

    Raises:
        ParameterError: The text is not a size.
    """
    match = _SIZE.match(text)
    if match is None:
        raise _no_size(text)
    number, prefix, binary, _unit = match.groups()
    base = 1024 if binary else 1000
    power: int = _POWERS[prefix.upper()]
    value = _typed(number.replace("_", ""))
    if value is None:
        raise _no_size(text)
    return round(value * float(base**power))


def _no_size(text: str) -> ParameterError:
    return ParameterError(
        _("“{text}” is not a size.").format(text=text),
        _("Write a number with a unit, such as 16GiB (binary) or 1GB (decimal)."),
    )


def parse_number(text: str) -> float:
    """Return the number a person typed in the language in use; a plain Python number always works.

    Raises:
        ParameterError: The text is not a finite number.
    """
    value = _typed(text.strip().replace(" ", "").replace("\u00a0", "").replace("−", "-"))
    if value is not None:
        return value
    raise ParameterError(
        _("“{text}” is not a number.").format(text=text),
        _("Write it like {example}.").format(example=format_number(1234.5)),
    )


def _typed(plain: str) -> float | None:
    """Return a typed number that is finite and ends; marks between digits only every three."""
    group, decimal = get_group_symbol(language()), get_decimal_symbol(language())
    head, mark, tail = plain.partition(decimal)
    first, *others = head.split(group)
    grouped = not others or (first.lstrip("+-").isdigit() and len(first.lstrip("+-")) <= 3)
    candidates = [plain]
    if grouped and all(len(o) == 3 and o.isdigit() for o in others):
        candidates.insert(0, first + "".join(others) + ("." if mark else "") + tail)
    for candidate in candidates:
        try:
            value = float(candidate)
        except ValueError:
            continue
        if math.isfinite(value):
            return value
    return None


# --- writing -------------------------------------------------------------------------------------

_BYTE_RATES = (
    (1e15, "PB/s"),
    (1e12, "TB/s"),
    (1e9, "GB/s"),
    (1e6, "MB/s"),
    (1e3, "kB/s"),
    (1.0, "B/s"),
)
_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


# From here on a number is written with its power of ten: nobody counts thirty digits.
_EXPONENT_FROM = 1e21


def format_number(value: float, digits: int | None = None) -> str:
    """Return a number by locale; `digits` after the decimal mark, or up to three when None."""
    if abs(value) >= _EXPONENT_FROM and math.isfinite(value):
        return _powers(value)
    pattern = "#,##0.###" if digits is None else "#,##0" + ("." + "0" * digits if digits else "")
    return _decimal(value, pattern)


def _powers(value: float, figures: int = 3) -> str:
    mantissa, power = f"{value:.{figures - 1}e}".split("e")
    return f"{format_number(float(mantissa))}e{int(power)}"


def format_significant(value: float, figures: int = 3) -> str:
    """Return a number with `figures` significant figures; with an exponent only from 1e21 on."""
    if value == 0 or not math.isfinite(value):
        return format_number(0 if value == 0 else value, 0)
    if abs(value) >= _EXPONENT_FROM:
        return _powers(value, figures)
    digits = max(0, figures - 1 - math.floor(math.log10(abs(value))))
    rounded = round(value, figures - 1 - math.floor(math.log10(abs(value))))
    pattern = "#,##0" + ("." + "#" * digits if digits else "")
    return _decimal(rounded, pattern)


def _decimal(value: float, pattern: str) -> str:
    # 0.0 and -0.0 are one key and two texts
    return (_written if value else _written.__wrapped__)(value, pattern, language())


@lru_cache(maxsize=4096, typed=True)
def _written(value: float, pattern: str, locale: str) -> str:
    """Return a number by locale; results say the same numbers again after every edit."""
    return format_decimal(value, format=pattern, locale=locale).replace("-", "−")


def _scaled(value: float, steps: tuple[tuple[float, str], ...]) -> str:
    for size, unit in steps:
        # 0.9995 keeps 999.7 from being written as 1,000 of the smaller unit
        if abs(value) >= size * 0.9995:
            return f"{format_significant(value / size)} {unit}"
    size, unit = steps[-1]
    return f"{format_significant(value / size)} {unit}"


def format_time(seconds: float) -> str:
    """Return a duration such as `5.81 ms`."""
    if seconds == 0:
        return f"{format_number(0, 0)} s"
    if abs(seconds) >= 172_800:
        return _("{n} days").format(n=format_significant(seconds / 86_400))
    return _scaled(seconds, _TIMES)


def format_bits_per_s(value: float) -> str:
    """Return a line rate such as `400 Gb/s`; above 1,000 Gb/s in Tb/s."""
    return _scaled(value, ((1e15, "Pb/s"), (1e12, "Tb/s"), (1e9, "Gb/s"), (1e6, "Mb/s")))


def format_bytes_per_s(value: float) -> str:
    """Return a throughput such as `368 GB/s`, decimal."""
    return _scaled(value, _BYTE_RATES)


def format_bytes(value: float) -> str:
    """Return a size such as `1.07 GB`, decimal."""
    return _scaled(
        value, ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B"))
    )


def format_binary_size(value: int) -> str:
    """Return a message size in binary units where it is a whole number of them: `1 GiB`."""
    for power, unit in ((40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")):
        if value >= 1 << power and value % (1 << power) == 0:
            return f"{format_number(value >> power, 0)} {unit}"
    return format_bytes(value)


def format_power(watts: float) -> str:
    """Return a power such as `10.2 kW`."""
    return _scaled(watts, ((1e6, "MW"), (1e3, "kW"), (1.0, "W")))


def format_length(metres: float) -> str:
    """Return a cable length such as `2.5 m`."""
    return f"{format_number(metres)} m"


def format_percent(share: float, digits: int = 1) -> str:
    """Return a share of one as a percentage: 0.149 is `14.9 %`."""
    return f"{format_number(share * 100, digits)} %"


def format_ratio(value: float) -> str:
    """Return an oversubscription such as `1.07 : 1`."""
    return f"{format_number(value, 2)} : 1"


_MONEY: dict[str, tuple[str, tuple[tuple[float, str], ...]]] = {
    "en": ("$", ((1e9, " B"), (1e6, " M"), (1e3, " k"))),
    "pt_BR": ("US$ ", ((1e9, " bi"), (1e6, " mi"), (1e3, " mil"))),
}


def format_money(usd: float) -> str:
    """Return US dollars, shortened: `$1.04 M`, in Portuguese `US$ 1,04 mi`."""
    sign = "−" if usd < 0 else ""
    prefix, steps = _MONEY[language()]
    amount = abs(usd)
    for size, suffix in steps:
        # three significant figures, so 9,999 stays exact money
        if amount >= size * 0.9995 and amount >= 10_000 * 0.9995:
            return f"{sign}{prefix}{format_significant(amount / size)}{suffix}"
    return f"{sign}{prefix}{format_number(amount, 0 if amount >= 100 else 2)}"


def format_money_exact(usd: float) -> str:
    """Return US dollars to the dollar, for tables: `$36,000`."""
    sign, prefix = ("−" if usd < 0 else ""), _MONEY[language()][0]
    return f"{sign}{prefix}{format_number(abs(usd), 0)}"


def format_range(value: Range, one: Callable[[float], str] = format_money) -> str:
    """Return a range as `low – high` in the form `one` gives; one text when it has no width."""
    low, high = one(value.low), one(value.high)
    return low if low == high else f"{low} – {high}"


def format_day(value: datetime.date) -> str:
    """Return a `datetime.date` by locale: `May 20, 2026`, `20/05/2026`."""
    # English dates in figures are read in two ways
    form = "medium" if language() == "en" else "short"
    return str(_babel_date(value, format=form, locale=language()))


def format_moment(value: datetime.datetime) -> str:
    """Return a `datetime.datetime` by locale, to the minute."""
    return str(_babel_datetime(value, format="short", locale=language()))
