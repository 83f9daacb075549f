"""What a cable about to be drawn would be: link speed, cable part, length and price."""

from dataclasses import dataclass

from designer.catalog.catalog import Catalog
from designer.engine.bom import bill_of_materials
from designer.engine.schedule import cable_schedule
from designer.errors import WiringError
from designer.messages import _
from designer.model.design import Design
from designer.model.edits import Edit, Swap
from designer.model.ports import Port, port_name
from designer.model.records import Cable
from designer.model.wiring import as_range, connect_devices
from designer.units import format_bits_per_s, format_length, format_range


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """Three texts for the card beside the target port."""

    source: str
    link: str
    cable: str


def link_facts(
    design: Design, catalog: Catalog, one: tuple[str, Port], two: tuple[str, Port]
) -> LinkFacts:
    """Return what joining two ports would make; both devices must be on the drawing."""
    trial = _pair(design, Cable("new", as_range(*one), as_range(*two)))
    row = cable_schedule(trial, catalog)[0]
    device = design.devices[one[0]]
    source = f"{device.name} {port_name(design, device, one[1])}"
    if row.rail is not None:
        source += " · " + _("rail {n}").format(n=row.rail)
    link = (
        _("{speed}, both ends").format(speed=format_bits_per_s(row.speed))
        if row.speed
        else _("no speed in common")
    )
    length = format_length(row.length_m)
    part = row.part and (design.types.get(row.part) or catalog.get(row.part))
    words = [
        part.shown_model if part else row.title,
        _("{length}, assumed").format(length=length) if row.assumed else length,
    ]
    bill = bill_of_materials(trial, catalog)
    prices = [r.total_usd for r in bill.rows if r.kind in ("cable", "optic")]
    known = [p for p in prices if p is not None]
    if known and len(known) == len(prices):
        total = known[0]
        for price in known[1:]:
            total = total + price
        words.append(format_range(total))
    return LinkFacts(source, link, " · ".join(w for w in words if w))


def _pair(design: Design, cable: Cable) -> Design:
    """Return a drawing of the two devices and the cable alone, with the same assumptions."""
    small = Design()
    swaps = [Swap("assumptions", k, None, v) for k, v in design.assumptions.items()]
    swaps += [Swap("types", k, None, v) for k, v in design.types.items()]
    for id_ in (cable.a.device, cable.b.device):
        swaps.append(Swap("devices", id_, None, design.devices[id_]))
    swaps.append(Swap("cables", cable.id, None, cable))
    small.apply(Edit("", tuple(swaps)))
    return small


def most_links(design: Design, one: str, two: str) -> int:
    """Return how many parallel links two devices can still get: all between the same families."""
    low, high = 0, 1
    while high <= 1024 and _alike(design, one, two, high):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _alike(design, one, two, middle) else (low, middle)
    return low


def _alike(design: Design, one: str, two: str, count: int) -> bool:
    """Tell whether `count` links fit, none of them on ports of another family than the first."""
    try:
        edit = connect_devices(design, one, two, count)
    except WiringError:
        return False
    cables = [s.after for s in edit.swaps if isinstance(s.after, Cable)]
    return len({(c.a.family, c.b.family) for c in cables}) == 1
