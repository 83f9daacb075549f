"""Bundles: all cables between the same two devices as one row of columns."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from designer.model.design import Design
from designer.scene import glyph_sizes as sizes

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Column = npt.NDArray[np.generic]

# Kinds of bundles.
NIC, TRUNK, NVLINK, OTHER = range(4)
# Server, NVSwitch, leaf, spine, core, host: who stands above whom in a bundle.
TIER = (1, 0, 3, 4, 5, 2)
_COLUMNS = ("a", "b", "count", "rail", "kind", "at_a", "span_a", "at_b", "span_b")


@dataclass(slots=True)
class Bundles:
    """Cables between the same two devices, as one row: the upper device first.

    Attributes:
        a, b: Device rows; a is the one nearer to the core (or placed higher).
        count: Links.
        rail: Rail when all links share one, else 0.
        kind: `NIC`, `TRUNK`, `NVLINK` or `OTHER`.
        at_a, at_b: Where it leaves the edge of each device, -0.5 (left) to 0.5 (right).
        span_a, span_b: How wide its ports are there, as a share of the edge.
        cables: Cable ids of each bundle.
    """

    a: Ints
    b: Ints
    count: Ints
    rail: Ints
    kind: Ints
    at_a: Floats
    span_a: Floats
    at_b: Floats
    span_b: Floats
    cables: list[tuple[str, ...]]

    def drop(self, rows: Iterable[int], where: dict[str, int]) -> None:
        """Take rows out; the last ones fill their places, and `where` follows (row by cable)."""
        last = len(self.cables)
        for row in sorted(rows, reverse=True):
            last -= 1
            for cable_id in self.cables[row]:
                where.pop(cable_id, None)
            if row != last:
                for column in self._columns():
                    column[row] = column[last]
                self.cables[row] = self.cables[last]
                where.update(dict.fromkeys(self.cables[row], row))
            self.cables.pop()
        self._set(*(column[:last] for column in self._columns()))

    def extend(self, more: "Bundles") -> None:
        """Append the rows of other bundles."""
        pairs = zip(self._columns(), more._columns(), strict=True)
        self._set(*(np.concatenate(pair) for pair in pairs))
        self.cables += more.cables

    def _columns(self) -> tuple[Column, ...]:
        return tuple(getattr(self, name) for name in _COLUMNS)

    def _set(self, *columns: Column) -> None:
        for name, column in zip(_COLUMNS, columns, strict=True):
            setattr(self, name, column)


@dataclass(slots=True)
class _Row:
    """One bundle while its cables are collected; `low` and `high` are NIC ports."""

    a: int
    b: int
    rail: int
    kind: int
    count: int = 0
    low: int = 10**9
    high: int = 0
    ports: int = 1
    cables: list[str] = field(default_factory=list)


def join(
    design: Design, index: Mapping[str, int], role: Ints, y: Floats, cable_ids: Iterable[str]
) -> Bundles:
    """Return the bundles of cables, in the order of their first ones.

    Args:
        design: The drawing.
        index: Device rows by id; cables of other devices are left out.
        role: By device row.
        y: By device row; of two devices of one tier the higher one comes first.
        cable_ids: The cables.
    """
    rows: dict[tuple[int, int], _Row] = {}
    rails = _Rails(design)
    for cable_id in cable_ids:
        cable = design.cables[cable_id]
        i, j = index.get(cable.a.device, -1), index.get(cable.b.device, -1)
        if i < 0 or j < 0:
            continue
        ri, rj = TIER[role[i]], TIER[role[j]]
        end_a, end_b = cable.a, cable.b
        if ri < rj or (ri == rj and y[i] > y[j]):
            i, j, end_a, end_b = j, i, end_b, end_a
        one = rails.of(end_b.device, end_b.first, end_b.count) if end_b.family == "nic" else 0
        row = rows.get((i, j))
        if row is None:
            kind = _kind(end_a.family, end_b.family, int(role[j]))
            row = rows[i, j] = _Row(i, j, one, kind)
            if kind == NIC:
                row.ports = rails.ports(end_b.device)
        row.count += cable.count
        row.rail = row.rail if row.rail == one else 0
        row.cables.append(cable_id)
        if row.kind == NIC:
            row.low = min(row.low, end_b.first)
            row.high = max(row.high, end_b.first + end_b.count - 1)
    return _columns_of(list(rows.values()))


def _columns_of(rows: list[_Row]) -> Bundles:
    def ints(name: str) -> Ints:
        return np.array([getattr(r, name) for r in rows], dtype=np.int32)

    zeros = [np.zeros(len(rows)) for _column in range(4)]
    cables = [tuple(r.cables) for r in rows]
    a, b, count, rail, kind = (ints(n) for n in ("a", "b", "count", "rail", "kind"))
    found = Bundles(a, b, count, rail, kind, zeros[0], zeros[1], zeros[2], zeros[3], cables)
    # cables leave a server where its NICs are; those of switches are put in order by `anchors`
    nic = [k for k, r in enumerate(rows) if r.kind == NIC]
    found.at_b[nic] = [((rows[k].low + rows[k].high) / 2 - 0.5) / rows[k].ports - 0.5 for k in nic]
    found.span_b[nic] = [(rows[k].high - rows[k].low + 1) / rows[k].ports for k in nic]
    return found


def _kind(one: str, two: str, role: int) -> int:
    if "nvlink" in (one, two):
        return NVLINK
    if two == "nic" and role in (sizes.SERVER, sizes.HOST):
        return NIC
    return TRUNK if one == two == "fabric" else OTHER


class _Rails:
    """Rails and number of NIC ports, remembered by server type."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._per_nic: dict[tuple[str, str], int] = {}
        self._ports: dict[tuple[str, str], int] = {}

    def of(self, device_id: str, first: int, count: int) -> int:
        """Return the rail of a port range, or 0 when it spans several."""
        device = self._design.devices[device_id]
        if device.role != "server":
            return 0
        key = (device.type, device.nics)
        per = self._per_nic.get(key)
        if per is None:
            per = self._per_nic[key] = self._design.ports_per_nic(device)
        one, two = (first - 1) // per + 1, (first + count - 2) // per + 1
        return one if one == two else 0

    def ports(self, device_id: str) -> int:
        """Return how many NIC ports a device has, 1 at least."""
        device = self._design.devices[device_id]
        key = (device.type, device.nics)
        if key not in self._ports:
            family = self._design.families(device).get("nic")
            self._ports[key] = max(1, family.count if family else 1)
        return self._ports[key]
