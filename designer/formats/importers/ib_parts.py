"""Part types of an imported fabric: from the catalogue where that is certain, made where it is not.

A made type holds what the file shows: how many ports, and the rates that links were found at.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from designer.catalog.catalog import Catalog
from designer.catalog.types import CableSpec, GpuSpec, PartType, PortFamily
from designer.messages import _
from designer.units import format_bits_per_s

# PCI device ids of switch chips and adapters (pci-ids, vendor 15b3) whose parts the catalogue has.
_CHIPS = {0xD2F0: "qm8700", 0xD2F2: "qm9700", 0xD2F4: "q3400-ra"}
_CARDS = {0x101B: "connectx-6", 0x1021: "connectx-7", 0x1023: "connectx-8", 0xA2DC: "bluefield-3"}
# Beginnings of model names; managed and unmanaged boxes differ in price, not in ports.
_MODELS = (
    ("mqm870", "qm8700"),
    ("mqm879", "qm8700"),
    ("mqm970", "qm9700"),
    ("mqm979", "qm9790"),
    ("q3400", "q3400-ra"),
)
_SOURCE = "wiring file"


@dataclass(slots=True)
class Seen:
    """What the file shows of the switches of one model.

    Attributes:
        model: Name as written, such as `MQM9701`.
        ports: Ports without the internal one.
        rates: Rates of links on whole ports, bits/s.
        split: Rates of links that use two lanes of four.
        paired: False when a whole-port link stands where a second half would be.
    """

    model: str
    ports: int
    device_id: int | None
    rates: set[float] = field(default_factory=set)
    split: set[float] = field(default_factory=set)
    paired: bool = True


@dataclass(frozen=True, slots=True)
class SwitchPart:
    """The type of a switch; `halves` when its ports are numbered lane by lane, two a port."""

    part: PartType
    halves: bool


class Parts:
    """Makes part types and hands out one for the same need."""

    def __init__(self, catalog: Catalog) -> None:
        self.types: dict[str, PartType] = {}
        self._catalog = catalog
        self._made: dict[object, PartType] = {}

    def switch(self, seen: Seen) -> SwitchPart:
        """Return the type of a switch."""
        slug = _known_slug(seen)
        if slug and slug in self._catalog:
            found = self._from_catalog(self._catalog.get(slug), seen)
            if found is not None:
                return found
        return SwitchPart(self._own_switch(seen), halves=False)

    def _from_catalog(self, part: PartType, seen: Seen) -> SwitchPart | None:
        ports = part.family("fabric")
        if ports is None or not seen.rates | seen.split:
            return None
        halves = seen.ports == 2 * ports.count
        lanes = {b.speed for b in ports.breakouts if b.lanes == 2}
        if halves and not (seen.paired and seen.split <= lanes):
            return None
        if not halves and seen.ports != ports.count:
            return None
        whole = seen.rates if halves else seen.rates | seen.split
        extra = {s for s in whole if s not in ports.speeds}
        if any(s > max(ports.speeds) for s in extra):
            return None
        return SwitchPart(self._with_speeds(part, ports, extra), halves)

    def _with_speeds(self, part: PartType, ports: PortFamily, extra: set[float]) -> PartType:
        """Return the part, or a variant that also runs at slower rates that were found."""
        if not extra:
            return self._use(part)
        speeds = tuple(sorted({*ports.speeds, *extra}, reverse=True))
        families = tuple(replace(f, speeds=speeds) if f is ports else f for f in part.ports)
        rates = ", ".join(format_bits_per_s(s) for s in sorted(extra, reverse=True))
        return self._make(
            (part.slug, speeds),
            f"imported-{part.slug}",
            lambda slug: replace(
                part,
                slug=slug,
                ports=families,
                imported=True,
                aliases=(),
                notes=_("Also runs at {rates}, as found in the wiring file.").format(rates=rates),
            ),
        )

    def _own_switch(self, seen: Seen) -> PartType:
        speeds = _falling(seen.rates | seen.split)
        model = seen.model or _("InfiniBand switch")
        family = PortFamily("fabric", max(1, seen.ports), "P{n}", speeds)
        return self._make(
            ("switch", model, seen.ports, speeds),
            f"imported-{_slug(seen.model) or 'switch'}",
            lambda slug: PartType(
                slug,
                "switch",
                "",
                model,
                "infiniband",
                ports=(family,),
                source=_SOURCE,
                confidence="found",
                unsourced=("rack_units",),
                imported=True,
            ),
        )

    def host(
        self, slots: int, ports: int, rates: Iterable[float], device_ids: set[int | None]
    ) -> PartType:
        """Return the type of a host whose GPUs are unknown."""
        speeds = _falling(rates)
        card = self._card(device_ids, ports)
        top = format_bits_per_s(speeds[0]) if speeds else _("unknown rate")
        form = card.family("nic") if card is not None else None
        family = PortFamily(
            "nic", slots * ports, "NIC {n}", speeds, form.form_factor if form else ""
        )
        label = f"{slots * ports}x{round(speeds[0] / 1e9)}g" if speeds else f"{slots * ports}"
        return self._make(
            ("host", slots, ports, speeds, card.slug if card else ""),
            f"imported-host-{label}",
            lambda slug: PartType(
                slug,
                "server",
                "",
                _("Host with {n} × {rate}").format(n=slots * ports, rate=top),
                "infiniband",
                ports=(family,),
                gpu=GpuSpec(None),
                nic=card.slug if card else "",
                nic_slots=slots,
                source=_SOURCE,
                confidence="found",
                unsourced=("rack_units",),
                notes=_("Its GPUs are not in the wiring file: map it to a server type."),
                imported=True,
            ),
        )

    def _card(self, device_ids: set[int | None], ports: int) -> PartType | None:
        """Return the NIC of the catalogue, when all adapters of a host are of that one kind."""
        slugs = {_CARDS.get(i or 0, "") for i in device_ids}
        slug = slugs.pop() if len(slugs) == 1 else ""
        if not slug or slug not in self._catalog:
            return None
        card = self._catalog.get(slug)
        family = card.family("nic")
        return self._use(card) if family is not None and family.count == ports else None

    def slow_link(self, speed: float) -> PartType:
        """Return a cable that holds a link at the rate it was found at, below what its ports do."""
        rate = format_bits_per_s(speed)
        return self._make(
            ("cable", speed),
            f"imported-link-{round(speed / 1e9)}g",
            lambda slug: PartType(
                slug,
                "cable",
                "",
                _("Link found at {rate}").format(rate=rate),
                "infiniband",
                rack_units=0,
                cable=CableSpec("aoc", (speed,), 10_000.0),
                source=_SOURCE,
                confidence="found",
                unsourced=("rack_units", "cable.medium", "cable.reach_m"),
                notes=_("Stands for the rate; what the cable is made of is unknown."),
                imported=True,
            ),
        )

    def _use(self, part: PartType) -> PartType:
        return self.types.setdefault(part.slug, part)

    def _make(self, need: object, slug: str, make: Callable[[str], PartType]) -> PartType:
        if need not in self._made:
            number, chosen = 1, slug
            while chosen in self.types or chosen in self._catalog:
                number += 1
                chosen = f"{slug}-{number}"
            self._made[need] = self._use(make(chosen))
        return self._made[need]


def _known_slug(seen: Seen) -> str:
    name = _slug(seen.model)
    return next((slug for start, slug in _MODELS if name.startswith(start)), "") or (
        _CHIPS.get(seen.device_id or 0, "")
    )


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9.+]+", "-", text.lower()).strip("-.+")[:40].strip("-.+")


def _falling(rates: Iterable[float]) -> tuple[float, ...]:
    return tuple(sorted(set(rates), reverse=True))
