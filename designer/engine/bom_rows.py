"""Lines of a bill of materials, and the bill: pieces, prices with their source, power."""

from dataclasses import dataclass, field
from typing import Any

from designer.catalog.types import PartType
from designer.engine.census import Census
from designer.engine.media import Media
from designer.messages import N_
from designer.units import Range

KIND_NAMES = {
    "server": N_("Servers"),
    "host": N_("Hosts"),
    "nvswitch": N_("NVSwitch trays"),
    "switch": N_("Switches"),
    "nic": N_("NICs"),
    "cable": N_("Cables"),
    "optic": N_("Transceivers"),
}
KINDS = tuple(KIND_NAMES)


@dataclass(frozen=True, slots=True)
class BomRow:
    """One line of the bill.

    Attributes:
        part: Slug; empty when no part is known or fits.
        title: Vendor and model, or what is missing.
        kind: `server`, `host`, `nvswitch`, `switch`, `nic`, `cable` or `optic`.
        role: Role of the device; kind of link for cables and optics (`server_leaf` …).
        fabric: `compute`, `storage`, `inband` or `oob`.
        count: Pieces.
        links: Links that a row of cables or optics serves; 0 for devices.
        unit_usd: Price of one piece; None with `reason`.
        price_date, price_source: Where the price comes from.
        estimated: True when the price is not the part's own, but made from that of another part.
        reason: Why there is no price, or a remark on the part.
        unit_power_w: Power of one piece: typical to maximum; None when unknown.
        sourced: False when the part's data is recalled or estimated.
        type: Part type for the cost model; None when unknown.
        end: Role of the device a transceiver sits in; empty for other rows.
    """

    part: str
    title: str
    kind: str
    role: str
    fabric: str
    count: int
    links: int = 0
    unit_usd: Range | None = None
    price_date: str = ""
    price_source: str = ""
    reason: str = ""
    unit_power_w: Range | None = None
    sourced: bool = True
    type: PartType | None = None
    end: str = ""
    estimated: bool = False

    @property
    def total_usd(self) -> Range | None:
        """Return the price of all pieces, or None."""
        return self.unit_usd * float(self.count) if self.unit_usd is not None else None

    @property
    def total_power_w(self) -> Range | None:
        """Return the power of all pieces, or None."""
        return self.unit_power_w * float(self.count) if self.unit_power_w is not None else None

    def as_dict(self) -> dict[str, Any]:
        """Return the form written as JSON."""
        total, unit, power = self.total_usd, self.unit_usd, self.total_power_w
        return {
            "part": self.part,
            "title": self.title,
            "kind": self.kind,
            "role": self.role,
            "fabric": self.fabric,
            "end": self.end,
            "count": self.count,
            "unit_usd": unit.as_dict() if unit else None,
            "total_usd": total.as_dict() if total else None,
            "power_w": power.as_dict() if power else None,
            "price_date": self.price_date,
            "price_source": self.price_source,
            "estimated": self.estimated,
            "reason": self.reason,
            "sourced": self.sourced,
        }


@dataclass(frozen=True, slots=True)
class Bom:
    """A bill of materials.

    Attributes:
        rows: Lines in the order servers, switches, NICs, transceivers, cables.
        media: What each class of cable is made of, in the order of `census.classes`.
        census: The records it was counted from.
        technology: Technology the parts were exchanged for; empty for the drawing as it is.
        substitutions: Slug of a drawn part and of the part in its place (empty: none exists).
    """

    rows: tuple[BomRow, ...]
    media: tuple[Media, ...]
    census: Census
    technology: str = ""
    substitutions: dict[str, str] = field(default_factory=dict)

    def select(self, *kinds: str, fabric: str = "") -> list[BomRow]:
        """Return the rows of some kinds, of one fabric if given."""
        return [r for r in self.rows if r.kind in kinds and (not fabric or r.fabric == fabric)]

    def count(self, *kinds: str, fabric: str = "") -> int:
        """Return how many pieces of some kinds there are."""
        return sum(r.count for r in self.select(*kinds, fabric=fabric))

    def usd(self, *kinds: str) -> Range:
        """Return the money of the rows that have a price."""
        total = Range.exact(0.0)
        for row in self.select(*kinds):
            total = total + (row.total_usd or 0.0)
        return total

    @property
    def unpriced(self) -> list[BomRow]:
        """Return the rows without a price."""
        return [r for r in self.rows if r.unit_usd is None]
