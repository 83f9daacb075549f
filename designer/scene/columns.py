"""A drawing as numpy columns: where devices stand, which cables join which, in bundles.

Built once for a design and kept in step with its edits; everything that paints or hits reads these.
"""

from dataclasses import dataclass, field

import numpy as np

from designer.model.design import Design
from designer.model.edits import Edit
from designer.model.records import ROLES
from designer.scene import glyph_sizes as sizes
from designer.scene.bundles import NIC, NVLINK, OTHER, TRUNK, Bundles, Floats, Ints, join
from designer.scene.patching import patch

__all__ = [
    "NIC",
    "NVLINK",
    "OTHER",
    "TRUNK",
    "Bundles",
    "Floats",
    "Ints",
    "SceneColumns",
    "extents",
]

_ROLE = {role: k for k, role in enumerate(ROLES)}
# Edits that change more records than this rebuild the columns: cheaper than patching.
PATCH_LIMIT = 400


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
        cable_bundle: Bundle row by cable id.
        dirty: Device rows whose bundles have to be spread along their edges anew; None for all.
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
    cable_bundle: dict[str, int]
    dirty: frozenset[int] | None = None
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
        w, h = extents(role, x, y)
        bundles = join(design, index, role, y, design.cables)
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
            {c: row for row, cables in enumerate(bundles.cables) for c in cables},
            notes=list(design.notes),
        )

    def update(self, edit: Edit) -> None:
        """Bring the columns in step with an edit that was applied to the design.

        Few changes patch rows in place; many rebuild.
        """
        self.version += 1
        tables = edit.tables()
        if tables <= {"assumptions", "workloads", "info", "variants", "kept"}:
            return
        self.caches.clear()
        if len(edit.swaps) > PATCH_LIMIT or not patch(self, edit):
            fresh = SceneColumns.from_design(self.design)
            for name in self.__slots__:
                if name not in ("version", "caches"):
                    setattr(self, name, getattr(fresh, name))
            return
        self.notes = list(self.design.notes)
        self._resize()

    def _resize(self) -> None:
        self.w, self.h = extents(self.role, self.x, self.y)

    def rows_of(self, row: int) -> Ints:
        """Return the bundle rows at a device."""
        cached = self.caches.get("by_device")
        if not isinstance(cached, tuple):
            cached = self.caches["by_device"] = _by_device(len(self.ids), self.bundles)
        start, member = cached
        found: Ints = member[start[row] : start[row + 1]]
        return found

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


def extents(role: Ints, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return width and height at 100 % of devices; switches share the room of their row."""
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


def _by_device(n: int, bundles: Bundles) -> tuple[Ints, Ints]:
    """Return bundle rows by device: where those of each begin, and the rows."""
    ends = np.concatenate([bundles.a, bundles.b])
    rows = np.tile(np.arange(len(bundles.a), dtype=np.int32), 2)
    # numpy sorts short integers by their digits, several times faster
    keys = ends.astype(np.int16) if n < 2**15 else ends
    order = np.argsort(keys, kind="stable")
    start = np.searchsorted(ends[order], np.arange(n + 1)).astype(np.int32)
    return start, rows[order]
