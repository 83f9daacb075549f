"""The bill of materials of a drawing, counted from its records and from nothing else."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from designer.catalog.catalog import Catalog
from designer.catalog.types import PartType, PortFamily, Technology
from designer.engine.bom_rows import KINDS, Bom, BomRow
from designer.engine.census import (
    NVLINK,
    Census,
    DeviceClass,
    EndClass,
    IntArray,
    LinkClass,
    distinct_cages,
    take_census,
)
from designer.engine.media import Cage, Media, cage_of, choose_media
from designer.engine.prices import Basis, part_power, price_basis, unit_price
from designer.engine.runs import assumed_lengths, run_length
from designer.engine.stock import Stock
from designer.messages import _
from designer.model.assumptions import assumption
from designer.model.design import Design
from designer.model.ports import port_speeds
from designer.units import Range


def bill_of_materials(
    design: Design,
    catalog: Catalog,
    technology: Technology | None = None,
    census: Census | None = None,
) -> Bom:
    """Count what a drawing is made of.

    Args:
        design: The drawing.
        catalog: Parts for cables, optics and equivalents; types inside the design come first.
        technology: Exchange switches, NICs and optics for those of this technology, as far as
            the catalogue knows an equivalent; None keeps what is drawn.
        census: Result of `take_census`, to save counting twice.

    Returns:
        The bill; its pieces equal the records of the drawing.
    """
    return Tally(design, catalog, technology, census or take_census(design)).bill()


class Tally:
    """Counts one drawing in one technology: exchanges parts, chooses media, writes the bill.

    Attributes:
        stock: Parts to choose from.
    """

    def __init__(
        self, design: Design, catalog: Catalog, technology: Technology | None, census: Census
    ) -> None:
        self._design = design
        self.stock = Stock(design, catalog)
        self._technology = technology
        self._census = census
        self._swapped: dict[str, str] = {}
        self._lengths = assumed_lengths(design)

    def bill(self) -> Bom:
        """Return the bill of materials."""
        media = tuple(self.media(link) for link in self._census.classes)
        rows = [*self._devices(), *self._nics(), *self._optics(media), *self._cables(media)]
        rows = [self._priced(row) for row in rows]
        rows.sort(key=lambda r: (KINDS.index(r.kind), r.fabric != "compute"))
        return Bom(tuple(rows), media, self._census, self._technology or "", self._swapped)

    # --- parts ---

    def _part(self, slug: str) -> PartType | None:
        """Return a drawn part, or the one that takes its place."""
        part = self.stock.get(slug)
        if part is None or self._technology is None or part.kind not in ("switch", "nic"):
            return part
        other = self.stock.equivalent(part, self._technology)
        if part.kind == "switch" or other is not part:
            self._swapped[slug] = other.slug if other is not None else ""
        return other or part

    def _family(self, end: EndClass) -> PortFamily | None:
        if end.device is None:
            return None
        part = self._part(end.device.type)
        family = part.family(end.family) if part is not None else None
        card = self._card(end.device)
        if end.family != "nic" or card is None or not end.device.nics:
            return family
        return card.family("nic") or family

    def _card(self, device: DeviceClass) -> PartType | None:
        """Return the NIC in the slots of a device."""
        part = self.stock.get(device.type)
        slug = device.nics or (part.nic if part is not None else "")
        return self._part(slug) if slug else None

    def cage(self, end: EndClass) -> Cage | None:
        """Return the cage that the ports of a cable end sit in; None when unknown."""
        family = self._family(end)
        part = self._part(end.device.type) if end.device is not None else None
        if family is None or part is None:
            return None
        technology = "ethernet" if end.family == "mgmt" else part.technology
        if part.technology == "any" and self._technology is not None:
            technology = self._technology
        return cage_of(family, end.lanes, port_speeds(family, end.lanes), technology)

    def media(self, link: LinkClass) -> Media:
        """Return what the cables of one class are made of."""
        a, b = self.cage(link.a), self.cage(link.b)
        length, assumed = run_length(self._lengths, link)
        named = (link.type, link.optic_a, link.optic_b)
        if self._swapped_ends(link):
            # transceivers that were named for the drawn cages may not fit the other ones
            named = (link.type, "", "")
        a, b = _agree(a, b)
        return choose_media(self.stock, a, b, length, assumed, named)

    def _swapped_ends(self, link: LinkClass) -> bool:
        ends = [e.device.type for e in (link.a, link.b) if e.device is not None]
        return any(self._swapped.get(slug, slug) not in ("", slug) for slug in ends)

    # --- rows ---

    def _devices(self) -> Iterable[BomRow]:
        counts: dict[tuple[str, str, str], int] = defaultdict(int)
        for device, n in self._census.devices.items():
            counts[device.type, device.role, device.fabric] += n
        for (slug, role, fabric), n in counts.items():
            part = self._part(slug)
            yield _row(part, _device_kind(part, role), role, fabric, n, slug)

    def _nics(self) -> Iterable[BomRow]:
        counts: dict[tuple[str, str, str], int] = defaultdict(int)
        for device, n in self._census.devices.items():
            part = self.stock.get(device.type)
            if part is not None and part.nic_slots:
                slug = device.nics or part.nic
                counts[slug, device.role, device.fabric] += n * part.nic_slots
        for (slug, role, fabric), n in counts.items():
            yield _row(self._part(slug), "nic", role, fabric, n, slug)

    def _cables(self, media: tuple[Media, ...]) -> Iterable[BomRow]:
        census = self._census
        groups: dict[tuple[str, str, str, str], list[tuple[Media, int, int]]] = defaultdict(list)
        for i, (link, made) in enumerate(zip(census.classes, media, strict=True)):
            per_piece = made.cable.cable.links if made.cable and made.cable.cable else 1
            pieces = -(-census.loose[i] // per_piece) + census.assemblies[i]
            slug = made.cable.slug if made.cable is not None else link.type
            groups[slug, link.kind, link.fabric, made.medium].append(
                (made, pieces, census.links[i])
            )
        for (slug, kind, fabric, _medium), found in groups.items():
            made = found[0][0]
            pieces, links = sum(f[1] for f in found), sum(f[2] for f in found)
            row = _row(made.cable, "cable", kind, fabric, pieces, slug, links)
            yield _with_reason(row, made, kind)

    def _optics(self, media: tuple[Media, ...]) -> Iterable[BomRow]:
        cages: dict[tuple[str, str, str, str], list[IntArray]] = defaultdict(list)
        links: dict[tuple[str, str, str, str], int] = defaultdict(int)
        parts: dict[str, tuple[PartType | None, str]] = {}
        for i, (link, made) in enumerate(zip(self._census.classes, media, strict=True)):
            if not made.optical:
                continue
            for end, optic in ((0, made.optic_a), (1, made.optic_b)):
                side = link.end(end)
                slug = optic.slug if optic is not None else ""
                role = side.device.role if side.device is not None else ""
                key = (slug, role, link.kind, link.fabric)
                parts.setdefault(slug, (optic, made.problem))
                cages[key].append(self._codes(i, end, side, optic))
                links[key] += self._census.links[i]
        for key, codes in _first_come(cages).items():
            slug, role, kind, fabric = key
            optic, problem = parts[slug]
            yield _row(optic, "optic", kind, fabric, codes, slug, links[key], problem, end=role)

    def _priced(self, row: BomRow) -> BomRow:
        """Give a row without a price of its own the one that stands in for it, labelled."""
        if row.type is None or row.role == NVLINK:
            return row
        technology = self._technology or row.type.technology
        basis = price_basis(self.stock, row.type, technology)
        if basis is None or basis.own:
            return row
        usd = unit_price(basis, self._values(basis))
        return replace(
            row, unit_usd=usd, price_date="", price_source=basis.note, reason="", estimated=True
        )

    def _values(self, basis: Basis) -> dict[str, Range]:
        keys = ("infiniband_price_ratio", "copper_link_usd")
        values = {key: assumption(self._design, key).value for key in keys}
        part = self.stock.get(basis.key.removeprefix("price."))
        if part is not None and part.price is not None:
            values[basis.key] = part.price.usd
        return values

    def _codes(self, i: int, end: int, side: EndClass, optic: PartType | None) -> IntArray:
        family = self._family(side)
        per_cage = family.ports_per_cage if family is not None else 1
        if optic is not None and optic.cable is not None and optic.cable.links == 1:
            per_cage = 1
        return distinct_cages(self._census, end, i, per_cage)


def _agree(a: Cage | None, b: Cage | None) -> tuple[Cage | None, Cage | None]:
    """Return both cages with the technology of the switch at one end: NICs speak either."""
    known = [c.technology for c in (a, b) if c is not None and c.technology != "any"]
    if not known:
        return a, b
    return tuple(  # type: ignore[return-value]
        Cage(c.form_factor, c.ports, c.lanes, c.port_speeds, c.speeds, known[0])
        if c is not None and c.technology == "any"
        else c
        for c in (a, b)
    )


def _first_come(
    cages: dict[tuple[str, str, str, str], list[IntArray]],
) -> dict[tuple[str, str, str, str], int]:
    """Count cages by key; a cage shared by two kinds of link counts for the first."""
    counts: dict[tuple[str, str, str, str], int] = {}
    seen: dict[str, IntArray] = {}
    for key, codes in cages.items():
        unique = np.unique(np.concatenate(codes)) if len(codes) > 1 else codes[0]
        before = seen.get(key[0])
        new = unique if before is None else np.setdiff1d(unique, before, assume_unique=True)
        seen[key[0]] = new if before is None else np.concatenate((before, new))
        counts[key] = len(new)
    return {key: n for key, n in counts.items() if n}


def _device_kind(part: PartType | None, role: str) -> str:
    if role in ("server", "nvswitch", "host"):
        return role
    return part.kind if part is not None and part.kind != "server" else "switch"


def _row(
    part: PartType | None,
    kind: str,
    role: str,
    fabric: str,
    count: int,
    slug: str,
    links: int = 0,
    problem: str = "",
    end: str = "",
) -> BomRow:
    if part is None:
        title = _("Unknown part “{slug}”").format(slug=slug) if slug else _missing(kind)
        reason = problem or _("The part is unknown.")
        return BomRow(
            slug, title, kind, role, fabric, count, links, reason=reason, sourced=False, end=end
        )
    price = part.price
    return BomRow(
        part.slug,
        part.title,
        kind,
        role,
        fabric,
        count,
        links,
        price.usd if price is not None else None,
        price.date if price is not None else "",
        price.source if price is not None else "",
        "" if price is not None else _("No dated price was found."),
        part_power(part),
        part.sourced,
        part,
        end,
    )


def _missing(kind: str) -> str:
    return {
        "nic": _("NIC of unknown type"),
        "optic": _("No fitting transceiver in the catalogue"),
        "cable": _("No fitting cable in the catalogue"),
    }.get(kind, _("Unknown part"))


def _with_reason(row: BomRow, made: Media, kind: str) -> BomRow:
    reason = row.reason
    if made.cable is None and made.problem:
        reason = made.problem
    elif kind == NVLINK:
        reason = _("Part of the rack, not bought singly.")
    return replace(row, reason=reason)
