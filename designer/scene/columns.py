"""A drawing as numpy columns: where devices stand, which cables join which, in bundles.

Built once for a design and kept in step with its edits; everything that paints or hits reads these.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from designer.model.design import Design
from designer.model.edits import Edit
from designer.model.records import ROLES
from designer.scene import glyph_sizes as sizes

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

_ROLE = {role: k for k, role in enumerate(ROLES)}
# Edits that change more records than this rebuild the columns: cheaper than patching.
PATCH_LIMIT = 400


@dataclass(slots=True)
class Bundles:
    """Cables between the same two devices, as one row: the upper device first.

    Attributes:
        a, b: Device rows; a is the one nearer to the core (or placed higher).
        count: Links.
        rail: Rail when all links share one, else 0.
        cables: Cable ids of each bundle.
        slow: True when a cable record runs at no speed, or below what a sibling runs at.
    """

    a: Ints
    b: Ints
    count: Ints
    rail: Ints
    cables: list[tuple[str, ...]]
    kind: Ints


# Kinds of bundles.
NIC, TRUNK, NVLINK, OTHER = range(4)


@dataclass(slots=True)
class SceneColumns:
    """Columns of one design.

    Attributes:
        ids, index: Device ids by row and back.
        x, y: Centre in drawing units.
        w, h: Size at 100 %.
        role: Index into `ROLES`.
        names: Device names by row.
        unit, pod, rack: Group id by row, or empty.
        bundles: Cables, joined by device pair.
        start, member: CSR from a device to its bundle rows.
        cable_bundle: Bundle row by cable id.
        tiers: True when servers stand below their leaves, so that rail lines can be drawn.
    """

    design: Design
    ids: list[str]
    index: dict[str, int]
    x: Floats
    y: Floats
    w: Floats
    h: Floats
    role: Ints
    names: list[str]
    unit: list[str]
    pod: list[str]
    rack: list[str]
    bundles: Bundles
    start: Ints
    member: Ints
    cable_bundle: dict[str, int]
    notes: list[str] = field(default_factory=list)
    version: int = 0
    caches: dict[object, object] = field(default_factory=dict)

    @staticmethod
    def from_design(design: Design) -> "SceneColumns":
        """Build the columns of a design; devices without a place are left out."""
        ids = [i for i in design.devices if i in design.placements]
        index = {i: k for k, i in enumerate(ids)}
        devices = [design.devices[i] for i in ids]
        x = np.array([design.placements[i].x for i in ids], dtype=np.float64)
        y = np.array([design.placements[i].y for i in ids], dtype=np.float64)
        role = np.array([_ROLE[d.role] for d in devices], dtype=np.int32)
        w, h = _sizes(role, x, y)
        bundles, cable_bundle = _bundle(design, index, role, y)
        start, member = _csr(len(ids), bundles)
        return SceneColumns(
            design,
            ids,
            index,
            x,
            y,
            w,
            h,
            role,
            [d.name for d in devices],
            [d.unit for d in devices],
            [d.pod for d in devices],
            [d.rack for d in devices],
            bundles,
            start,
            member,
            cable_bundle,
            list(design.notes),
        )

    def update(self, edit: Edit) -> None:
        """Bring the columns in step with an edit that was applied to the design.

        Moves patch rows in place; anything else rebuilds.
        """
        self.caches.clear()
        self.version += 1
        swaps = edit.swaps
        moved = [s for s in swaps if s.table == "placements"]
        if len(moved) == len(swaps) <= PATCH_LIMIT and all(
            s.before is not None and s.after is not None and s.id in self.index for s in moved
        ):
            for swap in moved:
                row, place = self.index[swap.id], self.design.placements[swap.id]
                self.x[row], self.y[row] = place.x, place.y
            self._resize()
            return
        if edit.tables() <= {"assumptions", "workloads", "info", "variants", "kept"}:
            return
        fresh = SceneColumns.from_design(self.design)
        for name in self.__slots__:
            if name not in ("version", "caches"):
                setattr(self, name, getattr(fresh, name))

    def _resize(self) -> None:
        self.w, self.h = _sizes(self.role, self.x, self.y)

    def rows_of(self, row: int) -> Ints:
        """Return the bundle rows at a device."""
        return self.member[self.start[row] : self.start[row + 1]]

    def bounds(self, rows: Ints | None = None) -> tuple[float, float, float, float]:
        """Return the smallest box (x0, y0, x1, y1) around devices, all of them by default."""
        pick = slice(None) if rows is None else rows
        if len(self.x[pick]) == 0:
            return (-400.0, -250.0, 400.0, 250.0)
        x, y, w, h = self.x[pick], self.y[pick], self.w[pick] / 2, self.h[pick] / 2
        return (
            float((x - w).min()),
            float((y - h).min()),
            float((x + w).max()),
            float((y + h).max()),
        )


def _sizes(role: Ints, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    base = np.array([sizes.SIZES[k][:2] for k in range(len(ROLES))])
    w, h = base[role, 0].copy(), base[role, 1].copy()
    for wide in (sizes.LEAF, sizes.SPINE):
        rows = np.flatnonzero(role == wide)
        if len(rows) > 1:
            w[rows] = _share_width(x[rows], y[rows], base[wide, 0])
    return w, h


def _share_width(x: Floats, y: Floats, least: float) -> Floats:
    """Return the width of switches of one tier: their distance to the next one, less a gap."""
    order = np.lexsort((x, np.round(y / 40)))
    same_row = np.abs(np.diff(y[order])) < 20
    step = np.where(same_row, np.diff(x[order]), np.inf)
    near = np.minimum(np.append(step, np.inf), np.insert(step, 0, np.inf))
    out = np.empty(len(x))
    room = np.where(np.isfinite(near), near * 0.86, least)
    # a row of two or three far apart does not turn into bars across the drawing
    out[order] = np.clip(room, 120.0, least * 3.2)
    return np.where(out < least, np.minimum(out, least), out)


def _bundle(
    design: Design,
    index: dict[str, int],
    role: Ints,
    y: Floats,
) -> tuple[Bundles, dict[str, int]]:
    rows: dict[tuple[int, int], int] = {}
    a: list[int] = []
    b: list[int] = []
    count: list[int] = []
    rail: list[int] = []
    kind: list[int] = []
    cables: list[list[str]] = []
    where: dict[str, int] = {}
    tier = (1, 0, 3, 4, 5, 2)  # server, nvswitch, leaf, spine, core, host
    rails = _Rails(design)
    for cable_id, cable in design.cables.items():
        i, j = index.get(cable.a.device, -1), index.get(cable.b.device, -1)
        if i < 0 or j < 0:
            continue
        ri, rj = tier[role[i]], tier[role[j]]
        end_a, end_b = cable.a, cable.b
        if ri < rj or (ri == rj and y[i] > y[j]):
            i, j, end_a, end_b = j, i, end_b, end_a
        row = rows.get((i, j))
        one = rails.of(end_b.device, end_b.first, end_b.count) if end_b.family == "nic" else 0
        if row is None:
            row = rows[i, j] = len(a)
            a.append(i)
            b.append(j)
            count.append(cable.count)
            rail.append(one)
            kind.append(_kind(end_a.family, end_b.family, int(role[j])))
            cables.append([cable_id])
        else:
            count[row] += cable.count
            rail[row] = rail[row] if rail[row] == one else 0
            cables[row].append(cable_id)
        where[cable_id] = row
    columns = [np.array(v, dtype=np.int32) for v in (a, b, count, rail, kind)]
    found = Bundles(
        columns[0], columns[1], columns[2], columns[3], [tuple(c) for c in cables], columns[4]
    )
    return found, where


def _kind(one: str, two: str, role: int) -> int:
    if "nvlink" in (one, two):
        return NVLINK
    if two == "nic" and role in (sizes.SERVER, sizes.HOST):
        return NIC
    return TRUNK if one == two == "fabric" else OTHER


class _Rails:
    """Rails of NIC ports, with the ports of a NIC remembered by server type."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._per_nic: dict[tuple[str, str], int] = {}

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


def _csr(n: int, bundles: Bundles) -> tuple[Ints, Ints]:
    ends = np.concatenate([bundles.a, bundles.b])
    rows = np.tile(np.arange(len(bundles.a), dtype=np.int32), 2)
    order = np.argsort(ends, kind="stable")
    start = np.searchsorted(ends[order], np.arange(n + 1)).astype(np.int32)
    return start, rows[order]
