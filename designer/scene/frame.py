"""Screen geometry of one view: where each glyph is, what is visible, where bundles leave it."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from designer.scene import glyph_sizes as sizes
from designer.scene.anchors import anchored, points_down
from designer.scene.columns import Floats, Ints, SceneColumns
from designer.scene.view import DEVICE, PORT, SceneState, View, screen_heights

Bools = npt.NDArray[np.bool_]


@dataclass(slots=True)
class Frame:
    """Where glyphs are on the screen, and the state they are drawn in.

    Attributes:
        x, y, w, h: Centre and size of each device, pixels.
        seen: Devices that touch the view and are not faded.
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

    def kept_bundles(self, rows: Ints) -> Ints:
        """Return those of some bundle rows that a filter keeps."""
        kept = self.state.kept
        return rows if kept is None else rows[kept.bundles[rows]]

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
    if state.kept is not None:
        seen &= state.kept.devices
    level = view.level if state.level is None else state.level
    chosen = np.zeros(len(x), dtype=bool)
    bundle_chosen = np.zeros(len(columns.bundles.a), dtype=bool)
    for id_ in state.selection:
        row = columns.index.get(id_)
        if row is not None:
            chosen[row] = True
        elif id_ in columns.cable_bundle:
            bundle_chosen[columns.cable_bundle[id_]] = True
    if state.selection:
        bundle_chosen |= chosen[columns.bundles.a] | chosen[columns.bundles.b]
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


def ends(frame: Frame, rows: Ints) -> Floats:
    """Return where bundles start and end on the screen, n × 4 (x and y at a, x and y at b)."""
    b, width = anchored(frame.columns), usable(frame)
    a, c = b.a[rows], b.b[rows]
    sign = np.where(points_down(frame.columns, rows), 0.5, -0.5)
    out = np.empty((len(rows), 4))
    out[:, 0] = frame.x[a] + b.at_a[rows] * width[a]
    out[:, 1] = frame.y[a] + sign * frame.h[a]
    out[:, 2] = frame.x[c] + b.at_b[rows] * width[c]
    out[:, 3] = frame.y[c] - sign * frame.h[c]
    return out


def far_x(frame: Frame, rows: Ints) -> Floats:
    """Return where bundles end on the screen, x at b: the third column of `ends`."""
    b = anchored(frame.columns)
    c = b.b[rows]
    out: Floats = frame.x[c] + b.at_b[rows] * usable(frame)[c]
    return out


def usable(frame: Frame) -> Floats:
    """Return the width of each glyph that ports can use, pixels."""
    cached = frame.caches.get("usable")
    if isinstance(cached, np.ndarray):
        return cached
    columns, scale = frame.columns, frame.view.scale
    if frame.level >= PORT:
        pad = np.full(len(frame.w), 24.0 * scale)
    else:
        pad = np.where(columns.role == sizes.SPINE, 26.0, 14.0)
        pad *= 0.2 if frame.level < DEVICE else 1.0
    found: Floats = np.maximum(frame.w - pad, frame.w * 0.5)
    frame.caches["usable"] = found
    return found
