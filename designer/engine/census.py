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
from designer.model.records import Device, PortRange

IntArray = npt.NDArray[np.int64]

SERVER_LEAF, LEAF_SPINE, SPINE_CORE = "server_leaf", "leaf_spine", "spine_core"
NVLINK, OTHER = "nvlink", "other"
# No device has more cages than this; keeps device and cage apart in one number.
CAGES = 2**20
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
        count_b: Ports at end b; differs from `count` only in a damaged record.
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
    count_b: IntArray


def take_census(design: Design) -> Census:
    """Count the devices and cables of a design by class, in one pass over its records."""
    number: dict[str, int] = {}
    counts: dict[DeviceClass, int] = {}
    # One more entry stands for a missing device: index -1.
    kinds: list[DeviceClass | None] = []
    racks: list[str] = []
    for index, device in enumerate(design.devices.values()):
        found = DeviceClass(device.type, device.nics, device.role, device.fabric)
        counts[found] = counts.get(found, 0) + 1
        number[device.id] = index
        kinds.append(found)
        racks.append(device.rack)
    return _with_cables(design, counts, number, [*kinds, None], [*racks, ""])


def _with_cables(
    design: Design,
    counts: dict[DeviceClass, int],
    number: dict[str, int],
    kinds: list[DeviceClass | None],
    racks: list[str],
) -> Census:
    # Small numbers in place of device classes keep the key of a cable quick to compare.
    short = {kind: k for k, kind in enumerate(dict.fromkeys(kinds))}
    sign = [short[kind] for kind in kinds]
    seen: dict[tuple[object, ...], int] = {}
    classes: list[LinkClass] = []
    splitters: list[dict[str, int]] = []
    rows: list[tuple[int, ...]] = []
    devices = design.devices
    for cable in design.cables.values():
        a, b = cable.a, cable.b
        i, j = number.get(a.device, -1), number.get(b.device, -1)
        key = (
            sign[i],
            a.family,
            _lanes(devices.get(a.device), a) if a.lane else 1,
            sign[j],
            b.family,
            _lanes(devices.get(b.device), b) if b.lane else 1,
            cable.type,
            cable.optic_a,
            cable.optic_b,
            cable.length_m,
            racks[i] != "" and racks[i] == racks[j],
        )
        cls = seen.get(key)
        if cls is None:
            cls = seen[key] = len(classes)
            one, two = EndClass(kinds[i], a.family, key[2]), EndClass(kinds[j], b.family, key[5])
            named = (cable.type, cable.optic_a, cable.optic_b)
            classes.append(LinkClass(one, two, *named, cable.length_m, key[10]))
            splitters.append({})
        if cable.assembly:
            splitters[cls][cable.assembly] = splitters[cls].get(cable.assembly, 0) + a.count
        rows.append((cls, a.count, i, j, a.first, b.first, a.lane, b.lane, b.count))
    table = np.array(rows, dtype=np.int64).reshape(-1, 9).T
    links = np.bincount(table[0], table[1], len(classes)).astype(int).tolist()
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
        table[8],
    )


def _lanes(device: Device | None, end: PortRange) -> int:
    return lanes_of(device, end.family, end.first) if end.lane and device is not None else 1


def cages_of(
    census: Census, end: int, chosen: IntArray, ports_per_cage: int
) -> tuple[IntArray, IntArray]:
    """Return codes of the cages that some cable ends sit in, and the row of each.

    Args:
        census: The counted design.
        end: 0 for ends a, 1 for ends b.
        chosen: Rows of cable records.
        ports_per_cage: Ports of one cage.

    Returns:
        Codes `device * CAGES + cage` (cages from 0), a trunk once per cage it touches, and the
        rows of the records they belong to.
    """
    first, count = census.port[end, chosen] - 1, census.count[chosen]
    lane, lanes = census.lane[end, chosen], _lanes_of_rows(census, end, chosen)
    # with lanes the links of a trunk fill the lanes of one port before the next port
    last = first + np.where(lane > 0, (np.maximum(lane, 1) - 1 + count - 1) // lanes, count - 1)
    low, high = first // ports_per_cage, last // ports_per_cage
    width = high - low + 1
    start = np.repeat(np.cumsum(width) - width, width)
    cage = np.repeat(low, width) + np.arange(int(width.sum())) - start
    return np.repeat(census.device[end, chosen], width) * CAGES + cage, np.repeat(chosen, width)


def distinct_cages(census: Census, end: int, chosen: IntArray, ports_per_cage: int) -> IntArray:
    """Return the codes of `cages_of`, each once: two ports of one cage give one code."""
    return np.unique(cages_of(census, end, chosen, ports_per_cage)[0])


def _lanes_of_rows(census: Census, end: int, chosen: IntArray) -> IntArray:
    by_class = np.array([c.end(end).lanes for c in census.classes] or [1], dtype=np.int64)
    return by_class[census.cls[chosen]]
