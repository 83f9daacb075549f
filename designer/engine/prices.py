"""What one piece costs and draws: its own figure, or one scaled from the nearest part that has one.

A part without a price takes that of its equivalent in the other technology, port for port, times
or over the price ratio; else that of the nearest part of its kind by port speed. Every such
figure says where it comes from.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from designer.catalog.types import PartType
from designer.engine.media import COPPER
from designer.engine.stock import Stock
from designer.messages import _
from designer.units import Range, format_number, format_significant

UNDATED = "n/d"


@dataclass(frozen=True, slots=True)
class Basis:
    """How a unit price is made: `values[key]` x scale x ratio^power (x premium).

    Attributes:
        key: `price.<slug>`, or an assumption such as `link_usd_infiniband`.
        scale: Capacity of the part over that of the part the price belongs to.
        ratio: 1 to multiply by the InfiniBand price ratio, -1 to divide by it, 0 for neither.
        premium: True when the premium of a maker's own optics applies.
        note: Where the price comes from, for people.
        own: True when it is the part's own price.
    """

    key: str
    scale: float = 1.0
    ratio: int = 0
    premium: bool = False
    note: str = ""
    own: bool = False


def price_key(part: PartType) -> str:
    """Return the name under which a part's own price stands among the values of the model."""
    return f"price.{part.slug}"


def size(part: PartType) -> float:
    """Return what money and power are scaled by: ports times speed of one piece, bits/s."""
    if part.cable is not None:
        return part.cable.links * max(part.cable.speeds, default=0.0)
    family = part.family("nic" if part.kind == "nic" else "fabric")
    return family.count * max(family.speeds, default=0.0) if family is not None else 0.0


def _port_speed(part: PartType) -> float:
    family = part.family("nic" if part.kind == "nic" else "fabric")
    return max(family.speeds, default=0.0) if family is not None else size(part)


def _alike(part: PartType, other: PartType) -> bool:
    if other.kind != part.kind or other.slug == part.slug or not size(other):
        return False
    if part.cable is None or other.cable is None:
        return part.cable is other.cable
    return part.cable.medium == other.cable.medium


def _distance(part: PartType, other: PartType) -> tuple[float, float]:
    """Sort by port speed, then by size, as ratios: the nearest part needs the least scaling."""
    return (
        _steps(_port_speed(part), _port_speed(other)),
        _steps(size(part), size(other)),
    )


def _steps(one: float, two: float) -> float:
    return abs(math.log2(one / two)) if one > 0 and two > 0 else math.inf


def price_basis(stock: Stock, part: PartType, technology: str) -> Basis | None:
    """Return how the price of `part`, used in `technology`, is made; None without any basis.

    Args:
        stock: Parts with prices.
        part: A switch, NIC, cable or optic.
        technology: `infiniband` or `ethernet`: what the part is counted as, which may differ
            from what it is when the catalogue knows no equivalent.
    """
    if part.price is not None and part.technology in ("any", technology):
        note = _("{part}, {date}").format(part=part.title, date=_date(part))
        return Basis(price_key(part), note=note, own=True)
    other = part if part.price is not None else _reference(stock, part)
    if other is not None:
        return _scaled(part, other, technology)
    if part.cable is not None and part.cable.medium in COPPER and part.technology == "any":
        note = _("no price of {part} was found: assumed").format(part=part.title)
        return Basis("copper_link_usd", note=note)
    return None


def unit_price(basis: Basis, values: Mapping[str, Range]) -> Range:
    """Return the price of one piece, US dollars, without the premium of a maker's own optics."""
    price = values[basis.key] * basis.scale
    if basis.ratio > 0:
        return price * values["infiniband_price_ratio"]
    return price / values["infiniband_price_ratio"] if basis.ratio < 0 else price


def _reference(stock: Stock, part: PartType) -> PartType | None:
    """Return the part whose price stands in: an equivalent, or the nearest with a dated price."""
    twin = next((p for p in map(stock.get, part.equivalents) if p and p.price), None)
    if twin is not None and size(twin):
        return twin
    same = [p for p in stock.of_kind(part.kind) if p.price and _alike(part, p)]
    spoken = [
        p
        for p in same
        if "any" in (p.technology, part.technology) or p.technology == part.technology
    ]
    # a dated price of the other technology, over the ratio, beats an undated one of the same
    pools = (_dated(spoken), spoken, same) if part.cable else (_dated(spoken), _dated(same), same)
    pool = next((p for p in pools if p), [])
    return min(pool, key=lambda p: _distance(part, p), default=None)


def _dated(parts: list[PartType]) -> list[PartType]:
    return [p for p in parts if p.price is not None and p.price.date != UNDATED]


def _scaled(part: PartType, other: PartType, technology: str) -> Basis:
    """Return the price of `other` per port and speed, and the ratio between the technologies.

    The ratio is one of switch ports; NICs, transceivers and cables are the same in both.
    """
    ratio = 0
    if part.kind == "switch":
        ratio = {("ethernet", "infiniband"): 1, ("infiniband", "ethernet"): -1}.get(
            (other.technology, technology), 0
        )
    scale = size(part) / size(other)
    lacking = (
        _("no price of {part}")
        if part.technology in ("any", technology) or part.cable is not None
        else _("no equivalent of {part} in the catalogue")
    ).format(part=part.title)
    note = _("{lacking}: {other}, {date}, per port and speed ({scale} ×)").format(
        lacking=lacking, other=other.title, date=_date(other), scale=format_significant(scale)
    )
    if ratio:
        note = _("{note}, and the price ratio of a port").format(note=note)
    return Basis(price_key(other), scale, ratio, note=note)


def _date(part: PartType) -> str:
    if part.price is None or part.price.date == UNDATED:
        return _("undated")
    return part.price.date


def power_of(stock: Stock, part: PartType) -> tuple[Range | None, str]:
    """Return the power of one piece, watts: typical to maximum, and a remark when it is scaled."""
    known = part_power(part)
    if known is not None:
        return known, ""
    pool = [
        p
        for p in stock.of_kind(part.kind)
        if part_power(p) is not None
        and _alike(part, p)
        and ("any" in (p.technology, part.technology) or p.technology == part.technology)
    ]
    other = min(pool, key=lambda p: _distance(part, p), default=None)
    if other is None or not size(part):
        return None, _("the power of {part} is unknown").format(part=part.title)
    scale = size(part) / size(other)
    note = _("power of {part}: that of {other} times {scale}").format(
        part=part.title, other=other.title, scale=format_number(scale, 2)
    )
    base = part_power(other)
    return (base * scale if base is not None else None), note


def part_power(part: PartType) -> Range | None:
    """Return the power of one piece, watts: typical to maximum, as far as they are known."""
    known = [w for w in (part.power_typical_w, part.power_max_w) if w is not None]
    if not known:
        return None
    typical = part.power_typical_w if part.power_typical_w is not None else known[0]
    return Range(min(known), typical, max(known))
