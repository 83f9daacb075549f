"""Names, colours and cost parts of the two technologies, for charts and tables."""

from typing import Any

from designer.engine.results import Results
from designer.messages import N_
from designer.units import Range

# (key in the results, title, colour token, symbol of its line)
FABRICS: tuple[tuple[str, str, str, str], ...] = (
    ("infiniband", N_("InfiniBand"), "ib", "o"),
    ("rocev2", N_("RoCE"), "roce", "s"),
)
CAPEX = (
    ("switches", N_("Switches")),
    ("nics", N_("NICs")),
    ("optics", N_("Optics")),
    ("cables", N_("Cables")),
    ("nvswitch_trays", N_("NVSwitch trays")),
    ("licences", N_("Licences")),
    ("spares", N_("Spares")),
)


def spread_at(results: Results, key: str) -> Range | None:
    """Return the range at a dotted key, US dollars; None where it is null."""
    return as_range(results.get(key))


def as_range(value: Any) -> Range | None:
    """Return a value of the results as a range; None for anything else."""
    if not isinstance(value, dict):
        return None
    return Range(value["low"], value["typical"], value["high"])


def typical(value: Any) -> float | None:
    """Return a number, or the typical value of a range."""
    return value.get("typical") if isinstance(value, dict) else value
