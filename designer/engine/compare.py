"""The same drawing as InfiniBand and as RoCE: parts, money and latency of each.

Nothing is redrawn. Each switch, NIC and optic gives way to its equivalent of the other technology;
where none is known, the money comes from the price ratio of a port and is labelled so.
"""

from dataclasses import dataclass
from typing import Any

from designer.catalog.catalog import Catalog
from designer.engine.bom import bill_of_materials
from designer.engine.bom_rows import Bom
from designer.engine.census import Census
from designer.engine.cost import CAPEX_PARTS, OPEX_PARTS, Money, money
from designer.engine.fabrics import FabricName, FabricPerformance, Substitution
from designer.engine.latency import path_latency
from designer.engine.ledger import TECHNOLOGY, Ledger, keep_ledger, power_key
from designer.engine.stock import Stock
from designer.messages import _
from designer.model.design import Design
from designer.units import Range


@dataclass(frozen=True, slots=True)
class FabricResult:
    """What one technology costs and delivers on the drawing.

    Attributes:
        fabric: `infiniband` or `rocev2`.
        performance: What the performance model found.
        latency_s: One message over the longest drawn path; None when the path is unknown.
        bom: The bill of materials with its own parts.
        ledger: What the money is made from.
        money: To buy, to run, and lost to waiting GPUs.
        substitutions: Parts exchanged.
        reasons: Why a value is None, by dotted key below the fabric.
    """

    fabric: FabricName
    performance: FabricPerformance
    latency_s: Range | None
    bom: Bom
    ledger: Ledger
    money: Money[Range]
    substitutions: tuple[Substitution, ...]
    reasons: dict[str, str]

    @property
    def power_w(self) -> Range:
        """Return the power of switches, NICs and transceivers, watts."""
        return self.ledger.values[power_key(self.fabric)]

    def as_dict(self) -> dict[str, Any]:
        """Return the object `fabrics.<name>` of the results."""
        p, m = self.performance, self.money
        gpus = self.ledger.gpus
        share = p.network_idle_share
        return {
            "latency_s": self.latency_s.typical if self.latency_s else None,
            "all_reduce_time_s": p.all_reduce_time_s,
            "step_time_s": p.step_time_s,
            "gpu_idle_share": p.gpu_idle_share,
            "network_idle_share": share.typical if share else None,
            "relative_throughput": p.relative_throughput,
            "tuning": p.tuning,
            "capex_usd": {
                **{k: m.capex[k].as_dict() for k in CAPEX_PARTS[:4]},
                "nvswitch_trays": None if self.ledger.nvswitch_trays else _ZERO.as_dict(),
                **{k: m.capex[k].as_dict() for k in CAPEX_PARTS[4:]},
                "total": m.capex_total.as_dict(),
            },
            "power_w": self.power_w.typical,
            "opex_usd_per_year": {
                **{k: m.opex[k].as_dict() for k in OPEX_PARTS},
                "total": m.opex_total.as_dict(),
            },
            "idle_gpu_usd_per_year": m.idle.as_dict() if m.idle else None,
            "tco_usd": m.tco.as_dict() if m.tco else None,
            "usd_per_gpu": (m.tco * (1 / gpus)).as_dict() if m.tco and gpus else None,
            "parts": [{"old": s.old, "new": s.new, "note": s.note} for s in self.substitutions],
            "notes": list(self.ledger.notes),
            "unpriced": list(self.ledger.missing),
        }


_ZERO = Range.exact(0.0)


def evaluate_fabric(
    design: Design,
    catalog: Catalog,
    fabric: FabricName,
    performance: FabricPerformance,
    census: Census | None = None,
    bom: Bom | None = None,
) -> FabricResult:
    """Evaluate a drawing as one technology.

    Args:
        design: The drawing; its own technology does not matter.
        catalog: Parts, equivalents and prices.
        fabric: `infiniband` or `rocev2`.
        performance: What the performance model found for that technology.
        census: Result of `take_census`, to count the records once for both.
        bom: The bill in that technology, when it has been made before.
    """
    bom = bom or bill_of_materials(design, catalog, TECHNOLOGY[fabric], census)
    stock = Stock(design, catalog)
    ledger = keep_ledger(design, stock, bom, fabric, performance.network_idle_share)
    hops = performance.hops
    latency = path_latency(design, bom, fabric, hops) if hops is not None else None
    result = money(ledger, ledger.values)
    return FabricResult(
        fabric,
        performance,
        latency,
        bom,
        ledger,
        result,
        _substitutions(stock, bom),
        _reasons(performance, ledger, result, latency),
    )


def _substitutions(stock: Stock, bom: Bom) -> tuple[Substitution, ...]:
    found = []
    for old, new in bom.substitutions.items():
        if old == new:
            continue
        part = stock.get(new)
        note = (
            _("same ports and speed")
            if part is not None
            else _("no equivalent in the catalogue; money by the price ratio of a port")
        )
        found.append(Substitution(old, new, note))
    return tuple(found)


def _reasons(
    performance: FabricPerformance,
    ledger: Ledger,
    result: Money[Range],
    latency: Range | None,
) -> dict[str, str]:
    reasons = dict(performance.reasons)
    if ledger.nvswitch_trays:
        reasons["capex_usd.nvswitch_trays"] = _(
            "NVSwitch trays are sold as part of a rack; they are the same in both technologies "
            "and not in the total."
        )
    if latency is None:
        reasons.setdefault("latency_s", _("No two servers are connected by the drawing."))
    if result.idle is None:
        why = (
            _("The GPUs of a server are unknown.")
            if ledger.gpus is None
            else reasons.get("network_idle_share", _("No workload: idle time is unknown."))
        )
        for key in ("idle_gpu_usd_per_year", "tco_usd", "usd_per_gpu"):
            reasons.setdefault(key, why)
    elif not ledger.gpus:
        reasons.setdefault("usd_per_gpu", _("The drawing has no GPUs."))
    return reasons
