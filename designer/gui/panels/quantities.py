"""Units in which values of parameters are shown and typed; inside they are SI."""

from designer.messages import N_, _
from designer.units import Range

_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_SPEEDS = ((1e12, "TB/s"), (1e9, "GB/s"), (1e6, "MB/s"))
_WORDS = {
    "1": "",
    "people": N_("people"),
    "years": N_("years"),
    "USD/year": N_("USD/year"),
    "1/year": N_("1/year"),
    "USD/h": N_("USD/h"),
}


def shown_unit(unit: str, value: Range | None) -> tuple[float, str]:
    """Return how many SI units one shown unit is, and its name.

    Times and rates take the unit that fits the typical value.
    """
    size = abs(value.typical or value.high) if value is not None else 0.0
    if unit == "s":
        return _step(_TIMES, size)
    if unit == "B/s":
        return _step(_SPEEDS, size)
    return 1.0, _(_WORDS[unit]) if unit in _WORDS else unit


def _step(steps: tuple[tuple[float, str], ...], size: float) -> tuple[float, str]:
    return next((s for s in steps if size >= s[0] * 0.9995), steps[-1])
