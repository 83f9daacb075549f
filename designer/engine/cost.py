"""Money of one fabric: to buy, to run, lost to waiting GPUs, and all together over the years.

    capex   = switches + NICs + optics + cables + licences + spares
    opex/yr = power_kW x 8760 x PUE x USD/kWh + staff + support x capex
    idle/yr = GPUs x USD/GPU-hour x 8760 x utilisation x network idle share
    TCO(n)  = capex + n (opex + idle)

The same formula runs on plain numbers and on ranges, whose bounds it carries.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from designer.engine.ledger import Ledger, idle_key, power_key
from designer.units import Range

N = TypeVar("N", float, Range)
HOURS_PER_YEAR = 8760.0
CAPEX_PARTS = ("switches", "nics", "optics", "cables", "licences", "spares")
OPEX_PARTS = ("power", "staff", "support")


@dataclass(frozen=True, slots=True)
class Money(Generic[N]):
    """Money of one fabric, US dollars; `idle` and `tco` are None without a network idle share.

    Attributes:
        capex: By class: `switches`, `nics`, `optics`, `cables`, `licences`, `spares`.
        capex_total: Their sum.
        opex: Per year: `power`, `staff`, `support`.
        opex_total: Their sum.
        idle: Per year: GPUs that wait for the network.
        tco: Capex and all years of opex and idle.
        running: Capex and all years of opex, without idle GPUs.
    """

    capex: dict[str, N]
    capex_total: N
    opex: dict[str, N]
    opex_total: N
    idle: N | None
    tco: N | None
    running: N


class Priced(NamedTuple):
    """One line of a ledger as it enters the sum: key of its price, pieces, what scales it."""

    cls: str
    key: str
    amount: float
    ratio: int
    premium: bool


def priced(ledger: Ledger) -> tuple[Priced, ...]:
    """Return the lines of a ledger in the form that `money` adds up."""
    return tuple(
        Priced(
            line.cls,
            line.basis.key,
            line.basis.scale * line.count,
            line.basis.ratio,
            bool(line.basis.premium),
        )
        for line in ledger.lines
    )


def money(
    ledger: Ledger, values: Mapping[str, N], lines: tuple[Priced, ...] | None = None
) -> Money[N]:
    """Return the money of a fabric at given values: all plain numbers, or all ranges.

    Args:
        ledger: What is bought.
        values: By key.
        lines: Result of `priced`, for who asks at many values.
    """
    # a value times nothing: the neutral element of either kind of number
    zero = values["years"] * 0.0
    capex = dict.fromkeys(CAPEX_PARTS, zero)
    for cls, key, amount, ratio, premium in priced(ledger) if lines is None else lines:
        unit = values[key] * amount
        if ratio > 0:
            unit = unit * values["infiniband_price_ratio"]
        elif ratio < 0:
            unit = unit / values["infiniband_price_ratio"]
        if premium:
            unit = unit * values["infiniband_optics_premium"]
        capex[cls] = capex[cls] + unit
    parts = capex["switches"] + capex["nics"] + capex["optics"] + capex["cables"]
    capex["licences"] = capex["switches"] * values[f"licence_share_{ledger.suffix}"]
    capex["spares"] = parts * values["spares_share"]
    total = parts + capex["licences"] + capex["spares"]
    opex = _opex(ledger, values, total)
    each_year = opex["power"] + opex["staff"] + opex["support"]
    idle = _idle(ledger, values)
    running = total + values["years"] * each_year
    tco = running + values["years"] * idle if idle is not None else None
    return Money(capex, total, opex, each_year, idle, tco, running)


def _opex(ledger: Ledger, values: Mapping[str, N], capex: N) -> dict[str, N]:
    suffix = ledger.suffix
    kilowatts = values[power_key(ledger.fabric)] * 0.001
    energy = kilowatts * HOURS_PER_YEAR * values["pue"]
    return {
        "power": energy * values["electricity_usd_per_kwh"],
        "staff": values[f"engineers_{suffix}"]
        * values["engineer_usd_per_year"]
        * values[f"specialist_premium_{suffix}"],
        "support": values["support_share"] * capex,
    }


def _idle(ledger: Ledger, values: Mapping[str, N]) -> N | None:
    share = values.get(idle_key(ledger.fabric))
    if share is None or ledger.gpus is None:
        return None
    hours = values[ledger.gpu_hour_key] * (HOURS_PER_YEAR * ledger.gpus)
    return hours * values["cluster_utilisation"] * share


def typical(values: Mapping[str, Range]) -> dict[str, float]:
    """Return the typical value of each range."""
    return {key: value.typical for key, value in values.items()}
