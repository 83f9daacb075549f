"""Columns of the cable records: ends, speed of a link, kind of cable.

What a port can do depends on the class of its device (type, NICs, break-outs), its family and
its lanes; there are about ten such classes, so each pair is asked once and never a cable.
"""

from dataclasses import dataclass
from itertools import repeat

import numpy as np
import numpy.typing as npt

from designer.catalog.types import FAMILIES
from designer.engine.network import (
    NVLINK,
    OTHER,
    SERVER_LEAF,
    SWITCH_SWITCH,
    BoolArray,
    FloatArray,
    IntArray,
)
from designer.model.design import Design
from designer.model.ports import lanes_of, port_speeds
from designer.model.records import Cable, Device, PortRange

_FAMILY = {name: number for number, name in enumerate(FAMILIES)}
_NIC, _NVLINK, _FABRIC = _FAMILY["nic"], _FAMILY["nvlink"], _FAMILY["fabric"]
Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Ends:
    """One end of every cable record as columns; `kind` is a class of device, family and lanes."""

    device: IntArray
    family: IntArray
    first: IntArray
    lane: IntArray
    lanes: IntArray
    kind: Codes


def read_cables(
    design: Design, devices: list[Device], index: dict[str, int], cables: list[Cable]
) -> tuple[Ends, Ends, FloatArray, IntArray]:
    """Return both ends, the speed of one link, and the class (type, NICs, break-outs) by device."""
    seen: dict[tuple[object, ...], int] = {}
    classes = np.array(
        [seen.setdefault((d.type, d.nics, d.breakouts), len(seen)) for d in devices],
        dtype=np.int32,
    )
    a, b = (
        _end(devices, index, classes, side)
        for side in ([c.a for c in cables], [c.b for c in cables])
    )
    named = [c.type for c in cables]
    slugs = sorted(set(named))
    part = _look_up({slug: k for k, slug in enumerate(slugs)}, named).astype(np.int64)
    width = max(int(a.kind.max(initial=0)), int(b.kind.max(initial=0))) + 1
    codes, first, inverse = np.unique(
        (part * width + a.kind) * width + b.kind, return_index=True, return_inverse=True
    )
    rates = np.zeros(len(codes))
    for k, row in enumerate(first.tolist()):
        one = _speeds(design, devices, a, row)
        shared = one & _speeds(design, devices, b, row)
        made = design.types.get(slugs[part[row]])
        if made is not None and made.cable is not None:
            shared &= set(made.cable.speeds)
        rates[k] = max(shared, default=0.0)
    return a, b, rates[inverse], classes


def _end(
    devices: list[Device],
    index: dict[str, int],
    classes: IntArray,
    side: list[PortRange],
) -> Ends:
    device = _look_up(index, [e.device for e in side])
    family = _look_up(_FAMILY, [e.family for e in side])
    first = np.array([e.first for e in side], dtype=np.int32)
    lane = np.array([e.lane for e in side], dtype=np.int32)
    cls = np.where(device >= 0, classes[device], -1) if len(classes) else device
    lanes = _lanes(devices, cls, device, family, first, lane)
    # device class, family and lanes decide what a port can do; 0 stands for a missing device
    kind = ((cls.astype(np.int64) + 1) * 8 + family + 1) * 64 + np.minimum(lanes, 63)
    return Ends(device, family, first, lane, lanes, kind)


def _lanes(
    devices: list[Device],
    cls: IntArray,
    device: IntArray,
    family: IntArray,
    first: IntArray,
    lane: IntArray,
) -> IntArray:
    """Return into how many lanes the first port of each end is split; 1 for whole ports."""
    lanes = np.ones(len(cls), dtype=np.int32)
    split = np.flatnonzero((lane > 0) & (device >= 0))
    if len(split) == 0:
        return lanes
    codes = (cls[split].astype(np.int64) * 8 + family[split] + 1) * 2**31 + first[split]
    _codes, where, inverse = np.unique(codes, return_index=True, return_inverse=True)
    rows = split[where]
    found = [lanes_of(devices[device[r]], _family_name(family[r]), int(first[r])) for r in rows]
    lanes[split] = np.array(found, dtype=np.int32)[inverse]
    return lanes


def _family_name(number: int) -> str:
    return FAMILIES[number] if number >= 0 else ""


def _look_up(table: dict[str, int], keys: list[str]) -> IntArray:
    """Return the number of each key; -1 for unknown ones."""
    return np.fromiter(map(table.get, keys, repeat(-1)), np.int32, len(keys))


def _speeds(design: Design, devices: list[Device], end: Ends, row: int) -> set[float]:
    if end.device[row] < 0:
        return set()
    ports = design.families(devices[end.device[row]]).get(_family_name(end.family[row]))
    return set(port_speeds(ports, int(end.lanes[row]))) if ports is not None else set()


def kinds(a: Ends, b: Ends, switch_of: IntArray, serves: BoolArray) -> IntArray:
    """Return the kind of each cable record, by what its ends are (not by roles of switches)."""
    kind = np.full(len(a.device), OTHER, dtype=np.int32)
    if len(switch_of) == 0:
        return kind
    known = (a.device >= 0) & (b.device >= 0)
    nvlink = known & (a.family == _NVLINK) & (b.family == _NVLINK)
    is_switch = [(switch_of[e.device] >= 0) & (e.family == _FABRIC) for e in (a, b)]
    is_nic = [serves[e.device] & (e.family == _NIC) for e in (a, b)]
    kind[known & is_switch[0] & is_switch[1]] = SWITCH_SWITCH
    kind[known & ((is_switch[0] & is_nic[1]) | (is_nic[0] & is_switch[1]))] = SERVER_LEAF
    kind[nvlink] = NVLINK
    kind[known & (a.device == b.device)] = OTHER
    return kind
