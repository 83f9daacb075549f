"""Counts the records of a design once, by class, so that every bill made from it is quick.

Devices of one class and cables of one class need the same parts; a fabric of 24,576 GPUs has
about ten classes. Ports stay as columns, because one optic may serve several ports of a cage.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from designer.engine.columns import classes, distinct, sum_by
from designer.engine.compile_columns import lane_counts
from designer.engine.record_columns import CableColumns, cable_columns
from designer.model.design import Design
from designer.model.records import Cable, Device

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
        cages: Answers of `distinct_cages`.
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
    cages: dict[tuple[int, int, int], IntArray] = field(
        default_factory=dict, repr=False, compare=False
    )


def take_census(design: Design) -> Census:
    """Count the devices and cables of a design by class, from the columns of its records."""
    devices = list(design.devices.values())
    keys = [(d.type, d.nics, d.role, d.fabric) for d in devices]
    made = {key: DeviceClass(*key) for key in dict.fromkeys(keys)}
    counts = {made[key]: n for key, n in Counter(keys).items()}
    # One more entry stands for a missing device: index -1.
    kinds: list[DeviceClass | None] = [made[key] for key in keys]
    columns = cable_columns(design)
    index = columns.indices(list(design.devices))[columns.device]
    lanes = np.stack([lane_counts(devices, columns, index, end) for end in (0, 1)])
    near = _same_rack(devices, index)
    cls, first = _classes(columns, index, lanes, [*kinds, None], near)
    rows = [
        _link_class(columns.cables[row], [kinds[i] if i >= 0 else None for i in ends], split, same)
        for row, ends, split, same in zip(
            first.tolist(),
            index[:, first].T.tolist(),
            lanes[:, first].T.tolist(),
            near[first].tolist(),
            strict=True,
        )
    ]
    count = columns.count.astype(np.int64)
    links = sum_by(cls, count[0], len(rows)).astype(np.int64)
    legs, assemblies = _splitters(columns, cls, count[0], len(rows))
    return Census(
        counts,
        tuple(rows),
        tuple(links.tolist()),
        tuple((links - legs).tolist()),
        tuple(assemblies.tolist()),
        cls,
        count[0],
        index.astype(np.int64),
        columns.first.astype(np.int64),
        columns.lane.astype(np.int64),
        count[1],
    )


def _classes(
    columns: CableColumns,
    index: npt.NDArray[np.int32],
    lanes: npt.NDArray[np.int32],
    kinds: list[DeviceClass | None],
    near: npt.NDArray[np.bool_],
) -> tuple[IntArray, IntArray]:
    """Return the class of each cable record and the first record of each."""
    short = {kind: k for k, kind in enumerate(dict.fromkeys(kinds))}
    sign = np.array([short[kind] for kind in kinds], dtype=np.int64)
    ends = [c[end] for end in (0, 1) for c in (sign[index], columns.family, lanes)]
    own = (columns.type, *columns.optic, columns.length, near.astype(np.int64))
    return classes([*ends, *own], len(columns.cables))


def _same_rack(devices: list[Device], index: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Tell by cable record whether both ends are in one rack."""
    number: dict[str, int] = {"": 0}
    racks = [number.setdefault(d.rack, len(number)) for d in devices]
    rack = np.array([*racks, 0], dtype=np.int64)[index]
    same: npt.NDArray[np.bool_] = (rack[0] == rack[1]) & (rack[0] > 0)
    return same


def _link_class(
    cable: Cable, ends: list[DeviceClass | None], lanes: list[int], same_rack: bool
) -> LinkClass:
    one = EndClass(ends[0], cable.a.family, lanes[0])
    two = EndClass(ends[1], cable.b.family, lanes[1])
    named = (cable.type, cable.optic_a, cable.optic_b)
    return LinkClass(one, two, *named, cable.length_m, same_rack)


def _splitters(
    columns: CableColumns, cls: IntArray, count: IntArray, size: int
) -> tuple[IntArray, IntArray]:
    """Return the links that are legs of splitters, and how many splitters, by class."""
    rows = np.flatnonzero(columns.assembly != columns.words.get("", -1))
    legs = sum_by(cls[rows], count[rows], size).astype(np.int64)
    words = len(columns.words)
    splitters = np.unique(cls[rows] * words + columns.assembly[rows])
    return legs, np.bincount(splitters // max(words, 1), minlength=size)


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


def distinct_cages(census: Census, end: int, cls: int, ports_per_cage: int) -> IntArray:
    """Return the codes of `cages_of` for a class of cables, each once, ascending.

    Args:
        census: The counted design, which keeps the answer for the bills of other technologies.
        end: 0 for ends a, 1 for ends b.
        cls: Class of the cables.
        ports_per_cage: Ports of one cage; two ports of one cage give one code.
    """
    key = (end, cls, ports_per_cage)
    if key not in census.cages:
        chosen = np.flatnonzero(census.cls == cls)
        code = cages_of(census, end, chosen, ports_per_cage)[0]
        device, cage = code // CAGES, code % CAGES
        # missing devices have number -1
        width = int(cage.max(initial=0)) + 1
        size = (int(device.max(initial=0)) + 2) * width
        found = distinct((device + 1) * width + cage, size)[0]
        census.cages[key] = (found // width - 1) * CAGES + found % width
    return census.cages[key]


def _lanes_of_rows(census: Census, end: int, chosen: IntArray) -> IntArray:
    by_class = np.array([c.end(end).lanes for c in census.classes] or [1], dtype=np.int64)
    return by_class[census.cls[chosen]]
