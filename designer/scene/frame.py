"""Screen geometry of one view: where each glyph is, what is visible, where bundles leave it."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from designer.scene import glyph_sizes as sizes
from designer.scene.columns import NIC, Floats, Ints, SceneColumns
from designer.scene.view import DEVICE, PORT, SceneState, View, screen_heights

Bools = npt.NDArray[np.bool_]


@dataclass(slots=True)
class Frame:
    """Where glyphs are on the screen, and the state they are drawn in.

    Attributes:
        x, y, w, h: Centre and size of each device, pixels.
        seen: Devices that touch the view.
        level: Level of detail of this frame.
        strength: 1 for bundles drawn at full strength, `dim` for those outside the selection.
        load: Peak utilisation by bundle; nan where unknown.
    """

    columns: SceneColumns
    view: View
    state: SceneState
    x: Floats
    y: Floats
    w: Floats
    h: Floats
    seen: Bools
    level: int
    chosen: Bools
    bundle_chosen: Bools
    load: Floats
    caches: dict[str, object] = field(default_factory=dict)

    @property
    def theme(self) -> str:
        """Return the theme of the state."""
        return self.state.theme

    def top(self) -> Floats:
        """Return the upper edge of each device."""
        return self.y - self.h / 2

    def bottom(self) -> Floats:
        """Return the lower edge of each device."""
        return self.y + self.h / 2


def make_frame(columns: SceneColumns, view: View, state: SceneState) -> Frame:
    """Work out the geometry of a view."""
    x, y = view.px(columns.x), view.py(columns.y)
    w = columns.w * view.scale
    h = screen_heights(columns, view.scale)
    pad = 40.0
    seen = (
        (x + w / 2 > -pad)
        & (x - w / 2 < view.width + pad)
        & (y + h / 2 > -pad)
        & (y - h / 2 < view.height + pad)
    )
    level = view.level if state.level is None else state.level
    chosen = np.zeros(len(x), dtype=bool)
    bundle_chosen = np.zeros(len(columns.bundles.a), dtype=bool)
    for id_ in state.selection:
        row = columns.index.get(id_)
        if row is not None:
            chosen[row] = True
            bundle_chosen[columns.rows_of(row)] = True
        elif id_ in columns.cable_bundle:
            bundle_chosen[columns.cable_bundle[id_]] = True
    return Frame(
        columns, view, state, x, y, w, h, seen, level, chosen, bundle_chosen, _loads(columns, state)
    )


def _loads(columns: SceneColumns, state: SceneState) -> Floats:
    """Return the peak utilisation of each bundle: the maximum of its cables, never the mean."""
    load = np.full(len(columns.bundles.a), np.nan)
    if not state.utilization:
        return load
    key = ("load", id(state.utilization))
    cached = columns.caches.get(key)
    if isinstance(cached, np.ndarray):
        return cached
    for cable_id, value in state.utilization.items():
        row = columns.cable_bundle.get(cable_id)
        if row is not None and not value <= load[row]:
            load[row] = value
    columns.caches[key] = load
    return load


@dataclass(frozen=True, slots=True)
class Anchors:
    """Where bundles meet the edges of glyphs.

    Attributes:
        at_a, at_b: Place along the edge, −0.5 (left) to 0.5 (right) of the usable width.
        span_a, span_b: Width of the bundle's ports as a share of the usable width.
        down: True where b is below a on the drawing.
    """

    at_a: Floats
    at_b: Floats
    span_a: Floats
    span_b: Floats
    down: Bools


def anchors(columns: SceneColumns) -> Anchors:
    """Return the anchors of all bundles; at a switch they follow the order of their peers."""
    cached = columns.caches.get("anchors")
    if isinstance(cached, Anchors):
        return cached
    b = columns.bundles
    down = columns.y[b.b] >= columns.y[b.a]
    at_a, span_a = _along(columns, b.a, b.b, np.where(down, 1, 0))
    at_b, span_b = _along(columns, b.b, b.a, np.where(down, 0, 1))
    nic = np.flatnonzero(b.kind == NIC).astype(np.int32)
    if len(nic):
        at_b[nic], span_b[nic] = _nic_places(columns, nic)
    found = Anchors(at_a, at_b, span_a, span_b, down)
    columns.caches["anchors"] = found
    return found


def _along(columns: SceneColumns, device: Ints, peer: Ints, side: Ints) -> tuple[Floats, Floats]:
    """Spread the bundles of each (device, side) over its edge by the x of their peers."""
    n = len(device)
    if n == 0:
        return np.zeros(0), np.zeros(0)
    count = columns.bundles.count.astype(np.float64)
    order = np.lexsort((columns.x[peer], side, device))
    key = device[order].astype(np.int64) * 2 + side[order]
    first = np.concatenate([[True], key[1:] != key[:-1]])
    group = np.cumsum(first) - 1
    total = np.bincount(group, weights=count[order])
    upto = np.cumsum(count[order])
    begin = (upto - count[order])[first]
    place = (upto - count[order] / 2 - begin[group]) / total[group] - 0.5
    at, span = np.empty(n), np.empty(n)
    at[order] = place
    span[order] = count[order] / total[group]
    return at, span


def _nic_places(columns: SceneColumns, rows: Ints) -> tuple[Floats, Floats]:
    """Return where NIC bundles leave a server: at the middle of their ports."""
    at, span = np.empty(len(rows)), np.empty(len(rows))
    design, b = columns.design, columns.bundles
    total: dict[tuple[str, str], int] = {}
    for k, row in enumerate(rows):
        device = design.devices[columns.ids[b.b[row]]]
        key = (device.type, device.nics)
        if key not in total:
            family = design.families(device).get("nic")
            total[key] = family.count if family else 1
        low, high = 10**9, 0
        for cable_id in b.cables[row]:
            end = design.cables[cable_id].end_at(device.id)
            low, high = min(low, end.first), max(high, end.first + end.count - 1)
        ports = max(1, total[key])
        at[k] = ((low + high) / 2 - 0.5) / ports - 0.5
        span[k] = (high - low + 1) / ports
    return at, span


def ends(frame: Frame, rows: Ints) -> Floats:
    """Return where bundles start and end on the screen, n × 4 (x and y at a, x and y at b)."""
    b, places = frame.columns.bundles, anchors(frame.columns)
    a, c = b.a[rows], b.b[rows]
    down = places.down[rows]
    sign = np.where(down, 0.5, -0.5)
    out = np.empty((len(rows), 4))
    out[:, 0] = frame.x[a] + places.at_a[rows] * usable(frame, a)
    out[:, 1] = frame.y[a] + sign * frame.h[a]
    out[:, 2] = frame.x[c] + places.at_b[rows] * usable(frame, c)
    out[:, 3] = frame.y[c] - sign * frame.h[c]
    return out


def usable(frame: Frame, rows: Ints) -> Floats:
    """Return the width of glyphs that ports can use, pixels."""
    pad = np.where(frame.columns.role[rows] == sizes.SPINE, 26.0, 14.0)
    if frame.level >= PORT:
        pad = np.full(len(rows), 24.0 * frame.view.scale)
    elif frame.level < DEVICE:
        pad = pad * 0.2
    return np.maximum(frame.w[rows] - pad, frame.w[rows] * 0.5)
