"""Axes of report charts: round ticks and the mapping of values to pixels."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values from `low` … `high` to pixels from `left` … `right`."""

    low: float
    high: float
    left: float
    right: float

    def at(self, value: float) -> float:
        """Return the pixel of a value; values outside stay outside."""
        span = self.high - self.low
        share = (value - self.low) / span if span > 0 else 0.5
        return self.left + share * (self.right - self.left)


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Return about `wanted` round values that cover `low` … `high`.

    Steps are 1, 2, 2.5 or 5 times a power of ten.
    """
    span = high - low
    if span <= 0 or not math.isfinite(span):
        return [low]
    raw = span / max(1, wanted - 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= raw * 0.999)
    first = math.floor(low / step + 1e-9)
    last = math.ceil(high / step - 1e-9)
    return [k * step for k in range(first, last + 1)]
