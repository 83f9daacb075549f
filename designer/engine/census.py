"""Counts the records of a design once, by class, so that every bill made from it is quick.

Devices of one class and cables of one class need the same parts; a fabric of 24,576 GPUs has
about ten classes. Ports stay as columns, because one optic may serve several ports of a cage.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from designer.model.design import Design
from designer.model.ports import lanes_of
from designer.model.records import Cable, Device, PortRange

IntArray = npt.NDArray[np.int64]

SERVER_LEAF, LEAF_SPINE, SPINE_CORE = "server_leaf", "leaf_spine", "spine_core"
NVLINK, OTHER = "nvlink", "other"
_KINDS = {
    frozenset(("server", "leaf")): SERVER_LEAF,
    frozenset(("leaf", "spine")): LEAF_SPINE,
    frozenset(("spine", "core")): SPINE_CORE,
}


class DeviceClass(NamedTuple):
    """Devices that need the same parts."""

    type: str
    nics: str
    role: str
    fabric: str


class EndClass(NamedTuple):
    """Cable ends that need the same optic: device class, port family, lanes of a split port."""

    device: DeviceClass | None
    family: str
    lanes: int


class LinkClass(NamedTuple):
    """Cables that need the same parts."""

    a: EndClass
    b: EndClass
    type: str
    optic_a: str
    optic_b: str
    length_m: float | None
    same_rack: bool

    def end(self, which: int) -> EndClass:
        """Return end a for 0, end b for 1."""
        return self.b if which else self.a

    @property
    def kind(self) -> str:
        """Return `server_leaf`, `leaf_spine`, `spine_core`, `nvlink` or `other`, by role."""
        if "nvlink" in (self.a.family, self.b.family):
            return NVLINK
        if self.a.device is None or self.b.device is None or self.fabric != "compute":
            return OTHER
        return _KINDS.get(frozenset((self.a.device.role, self.b.device.role)), OTHER)

    @property
    def fabric(self) -> str:
        """Return the fabric both ends are in; one that is not compute wins."""
        found = [e.device.fabric for e in (self.a, self.b) if e.device is not None]
        return next((f for f in found if f != "compute"), "compute")


@dataclass(frozen=True, slots=True)
class Census:
    """A design counted by class.

    Attributes:
        devices: Devices by class.
        classes: Classes of cables, in the order they were met.
        links: Links (trunks expanded) by class.
        loose: Links by class that belong to no splitter.
        assemblies: Splitters by class.
        cls, count: Class and links of each cable record.
        device: Device index at ends a and b, shape (2, records); -1 when missing.
        port: First port at ends a and b, shape (2, records).
        lane: First lane at ends a and b, 0 for whole ports, shape (2, records).
    """

    devices: dict[DeviceClass, int]
    classes: tuple[LinkClass, ...]
    links: tuple[int, ...]
    loose: tuple[int, ...]
    assemblies: tuple[int, ...]
    cls: IntArray
    count: IntArray
    device: IntArray
    port: IntArray
    lane: IntArray


def take_census(design: Design) -> Census:
    """Count the devices and cables of a design by class, in one pass over its records."""
    number: dict[str, int] = {}
    classes_of: dict[str, DeviceClass] = {}
    counts: dict[DeviceClass, int] = {}
    for index, device in enumerate(design.devices.values()):
        found = DeviceClass(device.type, device.nics, device.role, device.fabric)
        number[device.id] = index
        classes_of[device.id] = found
        counts[found] = counts.get(found, 0) + 1
    return _with_cables(design, counts, number, classes_of)


def _with_cables(
    design: Design,
    counts: dict[DeviceClass, int],
    number: dict[str, int],
    classes_of: dict[str, DeviceClass],
) -> Census:
    classes: dict[LinkClass, int] = {}
    links: list[int] = []
    splitters: list[dict[str, int]] = []
    rows: list[tuple[int, int, int, int, int, int, int, int]] = []
    devices = design.devices
    for cable in design.cables.values():
        a, b = cable.a, cable.b
        key = _link_class(cable, devices.get(a.device), devices.get(b.device), classes_of)
        cls = classes.get(key)
        if cls is None:
            cls = classes[key] = len(links)
            links.append(0)
            splitters.append({})
        links[cls] += a.count
        if cable.assembly:
            splitters[cls][cable.assembly] = splitters[cls].get(cable.assembly, 0) + a.count
        ends = (number.get(a.device, -1), number.get(b.device, -1))
        rows.append((cls, a.count, *ends, a.first, b.first, a.lane, b.lane))
    table = np.array(rows, dtype=np.int64).reshape(-1, 8).T
    return Census(
        counts,
        tuple(classes),
        tuple(links),
        tuple(n - sum(s.values()) for n, s in zip(links, splitters, strict=True)),
        tuple(len(s) for s in splitters),
        table[0],
        table[1],
        table[2:4],
        table[4:6],
        table[6:8],
    )


def _link_class(
    cable: Cable, one: Device | None, two: Device | None, classes_of: dict[str, DeviceClass]
) -> LinkClass:
    a, b = cable.a, cable.b
    same_rack = one is not None and two is not None and one.rack != "" and one.rack == two.rack
    return LinkClass(
        EndClass(classes_of.get(a.device), a.family, _lanes(one, a)),
        EndClass(classes_of.get(b.device), b.family, _lanes(two, b)),
        cable.type,
        cable.optic_a,
        cable.optic_b,
        cable.length_m,
        same_rack,
    )


def _lanes(device: Device | None, end: PortRange) -> int:
    return lanes_of(device, end.family, end.first) if end.lane and device is not None else 1


def distinct_cages(census: Census, end: int, chosen: IntArray, ports_per_cage: int) -> IntArray:
    """Return codes of the cages that some cable ends sit in, each code once per cage.

    Args:
        census: The counted design.
        end: 0 for ends a, 1 for ends b.
        chosen: Rows of cable records.
        ports_per_cage: Ports of one cage.

    Returns:
        Sorted codes `device * 2**20 + cage`; two ports of one cage give one code.
    """
    first, count = census.port[end, chosen] - 1, census.count[chosen]
    lane, lanes = census.lane[end, chosen], _lanes_of_rows(census, end, chosen)
    # with lanes the links of a trunk fill the lanes of one port before the next port
    last = first + np.where(lane > 0, (np.maximum(lane, 1) - 1 + count - 1) // lanes, count - 1)
    low, high = first // ports_per_cage, last // ports_per_cage
    width = high - low + 1
    start = np.repeat(np.cumsum(width) - width, width)
    cage = np.repeat(low, width) + np.arange(int(width.sum())) - start
    return np.unique(np.repeat(census.device[end, chosen], width) * 2**20 + cage)


def _lanes_of_rows(census: Census, end: int, chosen: IntArray) -> IntArray:
    by_class = np.array([c.end(end).lanes for c in census.classes] or [1], dtype=np.int64)
    return by_class[census.cls[chosen]]
