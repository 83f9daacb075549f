"""Columns of the cable records: ends, speed of a link, kind of cable.

What a port can do depends on the class of its device (type, NICs, break-outs), its family and
its lanes; there are about ten such classes, so each pair is asked once and never a cable.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from designer.catalog.types import FAMILIES
from designer.engine.columns import classes
from designer.engine.network import (
    NVLINK,
    OTHER,
    SERVER_LEAF,
    SWITCH_SWITCH,
    BoolArray,
    FloatArray,
    IntArray,
)
from designer.engine.record_columns import CableColumns
from designer.model.design import Design
from designer.model.ports import lanes_of, port_speeds
from designer.model.records import Device

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
    design: Design, devices: list[Device], columns: CableColumns
) -> tuple[Ends, Ends, FloatArray, IntArray]:
    """Return both ends, the speed of one link, and the class (type, NICs, break-outs) by device."""
    seen: dict[tuple[object, ...], int] = {}
    cls = np.array(
        [seen.setdefault((d.type, d.nics, d.breakouts), len(seen)) for d in devices],
        dtype=np.int32,
    )
    index = columns.indices(list(design.devices))[columns.device]
    family = columns.indices(list(FAMILIES))[columns.family]
    ends = [
        _end(columns, index, family[end], lane_counts(devices, columns, index, end), cls, end)
        for end in (0, 1)
    ]
    a, b = ends
    label, first = classes([columns.type, a.kind, b.kind], len(columns.cables))
    rates = np.zeros(len(first))
    for k, row in enumerate(first.tolist()):
        one = _speeds(design, devices, a, row)
        shared = one & _speeds(design, devices, b, row)
        made = design.types.get(columns.cables[row].type)
        if made is not None and made.cable is not None:
            shared &= set(made.cable.speeds)
        rates[k] = max(shared, default=0.0)
    return a, b, rates[label], cls


def _end(
    columns: CableColumns,
    index: IntArray,
    family: IntArray,
    lanes: IntArray,
    cls: IntArray,
    end: int,
) -> Ends:
    device = index[end]
    # the last entry is met by index -1, a missing device
    group = np.append(cls, -1)[device].astype(np.int64)
    # device class, family and lanes decide what a port can do; 0 stands for a missing device
    kind = ((group + 1) * 8 + family + 1) * 64 + np.minimum(lanes, 63)
    return Ends(device, family, columns.first[end], columns.lane[end], lanes, kind)


def lane_counts(
    devices: list[Device], columns: CableColumns, index: IntArray, end: int
) -> IntArray:
    """Return into how many lanes the first port of each cable end is split; 1 for whole ports.

    Args:
        devices: In the order of the design.
        columns: Its cable records.
        index: Positions of the devices at both ends, shape (2, records).
        end: 0 for ends a, 1 for ends b.
    """
    lanes = np.ones(index.shape[1], dtype=np.int32)
    split = np.flatnonzero((columns.lane[end] > 0) & (index[end] >= 0))
    if len(split) == 0:
        return lanes
    given: dict[object, int] = {}
    cut = np.array([given.setdefault(d.breakouts, len(given)) for d in devices], dtype=np.int64)
    where = (cut[index[end, split]], columns.family[end, split], columns.first[end, split])
    label, first = classes(list(where), len(split))
    rows = split[first].tolist()
    sides = [columns.cables[r].b if end else columns.cables[r].a for r in rows]
    found = [
        lanes_of(devices[index[end, r]], side.family, side.first)
        for r, side in zip(rows, sides, strict=True)
    ]
    lanes[split] = np.array(found, dtype=np.int32)[label]
    return lanes


def _family_name(number: int) -> str:
    return FAMILIES[number] if number >= 0 else ""


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
