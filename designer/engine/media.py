"""Chooses cable and transceivers of a link by speed, reach, length and cage.

Passive copper where it reaches, then active copper, multimode, single mode, and last a cable with
its optics moulded on. A twin-port cage holds one transceiver for its two ports; copper takes none.
"""

from dataclasses import dataclass

from designer.catalog.types import PartType, PortFamily
from designer.engine.stock import Stock
from designer.messages import _
from designer.units import format_bits_per_s, format_length

COPPER = ("passive_copper", "active_copper")
FIBRE = ("multimode", "single_mode")
# An empty form factor of a cable stands for the pluggable cages, not for these.
_NOT_PLUGGABLE = ("rj45", "nvlink-backplane")


@dataclass(frozen=True, slots=True)
class Cage:
    """One end of a link as a transceiver sees it.

    Attributes:
        form_factor: Such as `osfp`; empty when unknown.
        ports: Ports of one cage.
        lanes: Sub-ports of one port, 1 when it is whole.
        port_speeds: Line rates of a whole port, bits/s.
        speeds: Line rates of the port or lane in use, bits/s.
        technology: Of the device around it.
    """

    form_factor: str
    ports: int
    lanes: int
    port_speeds: tuple[float, ...]
    speeds: tuple[float, ...]
    technology: str


@dataclass(frozen=True, slots=True)
class Media:
    """What one link is made of; a part is None where it needs none or none fits.

    Attributes:
        medium: As in `CableSpec.medium`; empty when nothing fits.
        speed: Bits/s of one link, one way; None when the ends share none.
        length_m: Length it was chosen for, and whether that is an assumption.
        problem: Why a needed part is missing; empty when all are there.
    """

    cable: PartType | None
    optic_a: PartType | None
    optic_b: PartType | None
    medium: str
    speed: float | None
    length_m: float
    assumed_length: bool
    problem: str = ""

    @property
    def optical(self) -> bool:
        """Tell whether both ends need a transceiver."""
        return self.medium in FIBRE


def cage_of(family: PortFamily, lanes: int, speeds: tuple[float, ...], technology: str) -> Cage:
    """Return the cage that ports of `family`, split into `lanes`, sit in."""
    return Cage(family.form_factor, family.ports_per_cage, lanes, family.speeds, speeds, technology)


def shared_speed(a: Cage | None, b: Cage | None, cable: PartType | None) -> float | None:
    """Return the fastest rate both ends (and a cable, if named) list, bits/s, or None."""
    if a is None or b is None:
        return None
    shared = set(a.speeds) & set(b.speeds)
    if cable is not None and cable.cable is not None:
        shared &= set(cable.cable.speeds)
    return max(shared, default=None)


def choose_media(
    stock: Stock,
    a: Cage | None,
    b: Cage | None,
    length_m: float,
    assumed_length: bool,
    named: tuple[str, str, str] = ("", "", ""),
) -> Media:
    """Return what a link between two cages is made of.

    Args:
        stock: Parts to choose from.
        a: Cage of end a; None when the device or its port is unknown.
        b: Cage of end b.
        length_m: Length of the run, metres.
        assumed_length: True when the length is an assumption.
        named: Slugs of cable and transceivers that the record names; empty where it leaves
            the choice to the program.
    """
    cable = stock.get(named[0])
    optics = (stock.get(named[1]), stock.get(named[2]))
    speed = shared_speed(a, b, cable)

    def media(
        cable: PartType | None,
        one: PartType | None,
        two: PartType | None,
        medium: str,
        problem: str = "",
    ) -> Media:
        return Media(cable, one, two, medium, speed, length_m, assumed_length, problem)

    if named[0] and (cable is None or cable.cable is None):
        return media(None, *optics, "", _("No cable is called “{slug}”.").format(slug=named[0]))
    if a is None or b is None or speed is None:
        medium = cable.cable.medium if cable is not None and cable.cable is not None else ""
        why = _("The ends share no speed.") if a and b else _("An end of the link is unknown.")
        return media(cable, *optics, medium, why)
    if cable is not None and cable.cable is not None:
        medium = cable.cable.medium
        if medium not in FIBRE:
            return media(cable, None, None, medium)
        return _fibre(stock, (a, b), speed, length_m, assumed_length, (cable, *optics), (medium,))
    return _automatic(stock, (a, b), speed, length_m, assumed_length, optics)


def _automatic(
    stock: Stock,
    ends: tuple[Cage, Cage],
    speed: float,
    length_m: float,
    assumed_length: bool,
    optics: tuple[PartType | None, PartType | None],
) -> Media:
    if optics == (None, None):
        for medium in COPPER:
            copper = _cable(stock, ends, speed, length_m, medium)
            if copper is not None:
                return Media(copper, None, None, medium, speed, length_m, assumed_length)
    media = tuple(o.cable.medium for o in optics if o is not None and o.cable is not None)
    lit = _fibre(stock, ends, speed, length_m, assumed_length, (None, *optics), media[:1] or FIBRE)
    if not lit.problem or media:
        return lit
    moulded = _cable(stock, ends, speed, length_m, "aoc")
    if moulded is not None:
        return Media(moulded, None, None, "aoc", speed, length_m, assumed_length)
    return lit


def _fibre(
    stock: Stock,
    ends: tuple[Cage, Cage],
    speed: float,
    length_m: float,
    assumed_length: bool,
    named: tuple[PartType | None, PartType | None, PartType | None],
    media: tuple[str, ...],
) -> Media:
    """Return the first medium for which both cages have a transceiver, or the nearest miss."""
    best: Media | None = None
    for medium in media:
        one = named[1] or _optic(stock, ends[0], speed, length_m, medium)
        two = named[2] or _optic(stock, ends[1], speed, length_m, medium)
        run = named[0] or _cable(stock, ends, speed, length_m, medium)
        found = Media(run, one, two, medium, speed, length_m, assumed_length)
        if run is not None and one is not None and two is not None:
            return found
        if best is None:
            best = found
    assert best is not None
    problem = _("No transceiver of {form} carries {speed} over {length}.").format(
        form=ends[0 if best.optic_a is None else 1].form_factor or _("an unknown cage"),
        speed=format_bits_per_s(speed),
        length=format_length(length_m),
    )
    return Media(
        best.cable,
        best.optic_a,
        best.optic_b,
        best.medium,
        speed,
        length_m,
        assumed_length,
        problem,
    )


def _cable(
    stock: Stock, ends: tuple[Cage, Cage], speed: float, length_m: float, medium: str
) -> PartType | None:
    """Return the cable made for the slowest top speed that still carries the link."""
    found = [p for p in stock.cables if _cable_fits(p, ends, speed, length_m, medium)]
    return min(found, key=lambda p: (max(_spec_speeds(p)), not p.sourced), default=None)


def _cable_fits(
    part: PartType, ends: tuple[Cage, Cage], speed: float, length_m: float, medium: str
) -> bool:
    spec = part.cable
    if spec is None or spec.medium != medium or spec.links != 1:
        return False
    if speed not in spec.speeds or length_m > spec.reach_m:
        return False
    forms = {e.form_factor for e in ends}
    if spec.form_factor:
        return forms == {spec.form_factor}
    # a cable of no particular form exists with the ends of any pluggable cage
    return not forms & set(_NOT_PLUGGABLE)


def _optic(stock: Stock, cage: Cage, speed: float, length_m: float, medium: str) -> PartType | None:
    """Return the transceiver of the shortest reach that fits; one a cage."""
    wanted = (cage.ports * cage.lanes, cage.ports)
    for links, speeds in zip(wanted, ((speed,), (speed, max(cage.port_speeds))), strict=True):
        found = [p for p in stock.optics if _optic_fits(p, cage, links, speeds, length_m, medium)]
        if found:
            return min(found, key=_reach_then_source)
    return None


def _reach_then_source(part: PartType) -> tuple[float, bool, bool]:
    reach = part.cable.reach_m if part.cable is not None else 0.0
    return (reach, not part.sourced, part.price is None)


def _optic_fits(
    part: PartType,
    cage: Cage,
    links: int,
    speeds: tuple[float, ...],
    length_m: float,
    medium: str,
) -> bool:
    spec = part.cable
    if spec is None or spec.medium != medium or spec.form_factor != cage.form_factor:
        return False
    technology = part.technology in ("any", cage.technology) or cage.technology == "any"
    return (
        technology
        and spec.links == links
        and length_m <= spec.reach_m
        and any(s in spec.speeds for s in speeds)
    )


def _spec_speeds(part: PartType) -> tuple[float, ...]:
    return part.cable.speeds if part.cable is not None else ()
