"""The cable schedule: one row a link or a trunk, with both ends as a technician finds them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from designer.catalog.catalog import Catalog
from designer.engine.bom import Tally
from designer.engine.census import Census, take_census
from designer.engine.media import Media
from designer.model.design import Design
from designer.model.naming import natural
from designer.model.ports import expand, port_name, range_name
from designer.model.records import Cable, PortRange


@dataclass(frozen=True, slots=True)
class ScheduleEnd:
    """One end: names of device, port and rack, lowest rack unit (None when not mounted)."""

    device: str
    port: str
    rack: str
    rack_unit: int | None
    role: str
    optic: str

    @property
    def label(self) -> str:
        """Return what stands on the label of the other end: `leaf-5 P18`."""
        return f"{self.device} {self.port}"


@dataclass(frozen=True, slots=True)
class ScheduleRow:
    """One link, or one trunk of `count` links.

    Attributes:
        cable: Id of the record.
        link: Which link of the record it is, from 1; 0 when the row is the whole trunk.
        kind: `server_leaf`, `leaf_spine`, `spine_core`, `nvlink` or `other`.
        rail: Rail from 1; None for links without a NIC.
        speed: Bits/s of one link, one way; None when the ends share none.
        part, title: Slug and name of the cable; empty when none fits.
        length_m: Metres of one link; `assumed` tells that no record says so.
    """

    cable: str
    link: int
    a: ScheduleEnd
    b: ScheduleEnd
    kind: str
    fabric: str
    rail: int | None
    speed: float | None
    medium: str
    part: str
    title: str
    length_m: float
    assumed: bool
    count: int
    assembly: str


def cable_schedule(
    design: Design,
    catalog: Catalog,
    *,
    trunks: bool = False,
    census: Census | None = None,
) -> list[ScheduleRow]:
    """Return the cables of a drawing, sorted by the names and ports of their first ends.

    Args:
        design: The drawing.
        catalog: Parts to choose cables and optics from.
        trunks: One row a record instead of one row a link.
        census: Result of `take_census`, to save counting twice.
    """
    counted = census or take_census(design)
    tally = Tally(design, catalog, None, counted)
    media = [tally.media(link) for link in counted.classes]
    rows: list[ScheduleRow] = []
    for number, cable in enumerate(design.cables.values()):
        cls = int(counted.cls[number])
        link = counted.classes[cls]
        rows += _rows(design, cable, media[cls], link.kind, link.fabric, trunks)
    return sorted(rows, key=_order)


@dataclass(frozen=True, slots=True)
class ScheduleTotal:
    """All links of one class: what they are made of and how many there are.

    Attributes:
        kind, medium, part, length_m, assumed: As in `ScheduleRow`.
        count: Links.
    """

    kind: str
    medium: str
    part: str
    length_m: float
    assumed: bool
    count: int


def schedule_totals(
    design: Design, catalog: Catalog, *, census: Census | None = None
) -> list[ScheduleTotal]:
    """Return the links by class, in the order in which the schedule first names each class.

    Args:
        design: The drawing.
        catalog: Parts to choose cables and optics from.
        census: Result of `take_census`, to save counting twice.
    """
    counted = census or take_census(design)
    tally = Tally(design, catalog, None, counted)
    cables = list(design.cables.values())
    rank = _ranks(design, cables)
    found = []
    for cls, link in enumerate(counted.classes):
        made = tally.media(link)
        members = np.flatnonzero(counted.cls == cls)
        # of all its rows only those can come first whose device does
        ahead = members[rank[members] == rank[members].min()].tolist()
        rows = [_rows(design, cables[k], made, link.kind, link.fabric, True)[0] for k in ahead]
        first = min(rows, key=_order)
        links = counted.links[cls]
        total = ScheduleTotal(
            first.kind, first.medium, first.part, first.length_m, first.assumed, links
        )
        found.append((_order(first), total))
    return [total for _first, total in sorted(found, key=lambda x: x[0])]


def _ranks(design: Design, cables: list[Cable]) -> npt.NDArray[np.int64]:
    """Return the place of each cable's first device in the natural order of names."""
    names = {
        i: design.devices[i].name if i in design.devices else i
        for i in dict.fromkeys(c.a.device for c in cables)
    }
    keys = {i: natural(name) for i, name in names.items()}
    place = {key: k for k, key in enumerate(sorted(set(keys.values())))}
    return np.fromiter((place[keys[c.a.device]] for c in cables), np.int64, len(cables))


def _rows(
    design: Design, cable: Cable, made: Media, kind: str, fabric: str, trunks: bool
) -> list[ScheduleRow]:
    part = made.cable
    optics = tuple(o.slug if o is not None else "" for o in (made.optic_a, made.optic_b))
    count = cable.a.count
    parts = [0] if trunks or count == 1 else list(range(1, count + 1))
    return [
        ScheduleRow(
            cable.id,
            n,
            _end(design, cable.a, n, optics[0]),
            _end(design, cable.b, n, optics[1]),
            kind,
            fabric,
            _rail(design, cable, n),
            made.speed,
            made.medium,
            part.slug if part is not None else "",
            part.title if part is not None else made.problem,
            made.length_m,
            made.assumed_length,
            count if n == 0 else 1,
            cable.assembly,
        )
        for n in parts
    ]


def _end(design: Design, end: PortRange, n: int, optic: str) -> ScheduleEnd:
    device = design.devices.get(end.device)
    if device is None:
        return ScheduleEnd(end.device, "", "", None, "", optic)
    ports = expand(device, end)
    whole = n == 0 or n > len(ports)
    name = range_name(design, device, end) if whole else port_name(design, device, ports[n - 1])
    rack = design.groups.get(device.rack)
    return ScheduleEnd(
        device.name,
        name,
        rack.name if rack is not None else device.rack,
        device.rack_unit,
        device.role,
        optic,
    )


def _rail(design: Design, cable: Cable, n: int) -> int | None:
    for end in (cable.a, cable.b):
        device = design.devices.get(end.device)
        if end.family == "nic" and device is not None and device.role == "server":
            return design.rail(device, end.first + max(0, n - 1))
    return None


def _order(row: ScheduleRow) -> tuple[object, ...]:
    return (
        natural(row.a.device),
        natural(row.a.port),
        natural(row.b.device),
        natural(row.b.port),
        row.cable,
    )
