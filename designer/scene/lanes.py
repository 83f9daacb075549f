"""Rail lines: the server cables of one leaf as one line with a drop to each server and a riser.

Drawn where the servers of a leaf stand on one side of it; 32 cables of a rail become one line.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from designer.scene.colours import bundle_colors, by_color, faded
from designer.scene.columns import NIC, Floats, Ints, SceneColumns
from designer.scene.display_list import Circles, Curves, DisplayList, Lines, Polygons
from designer.scene.frame import Bools, Frame, ends, far_x
from designer.scene.paths import ways
from designer.scene.theme import token
from designer.scene.view import DEVICE, PORT

Rows = npt.NDArray[np.integer]
FAN = 24.0
# Width of the lines of small glyphs.
_THIN = 1.6
# A moving frame with more server cables than this draws those of a leaf as one band.
MOST_DROPS = 1500


@dataclass(slots=True)
class Lane:
    """One rail line.

    Attributes:
        leaf: Row of the leaf.
        rows: Bundle rows.
        y: Screen row of the line.
        x0, x1: Its ends on the screen.
        seen: Whether it touches the view; close up all lines are found, as cables share their room.
    """

    leaf: int
    rows: Ints
    y: float
    x0: float
    x1: float
    seen: bool = True


@dataclass(frozen=True, slots=True)
class _Plan:
    """What does not depend on the view: NIC bundles by leaf, in the order of their first cable.

    Attributes:
        rows, first: Bundles, and where those of each leaf begin (length leaves + 1).
        leaf: Row of each leaf.
        near: Distance to its nearest server, drawing units; nan where no line can be drawn.
        group: Leaves of one row with their servers on one side share the room for lines.
        below: True where the servers stand below.
    """

    rows: Ints
    first: Ints
    leaf: Ints
    near: Floats
    group: Ints
    below: Bools


def _plan(columns: SceneColumns) -> _Plan:
    cached = columns.caches.get("lane_plan")
    if isinstance(cached, _Plan):
        return cached
    b = columns.bundles
    nic = np.flatnonzero(b.kind == NIC).astype(np.int32)
    leaves, begin, which = np.unique(b.a[nic], return_index=True, return_inverse=True)
    place = np.empty(len(leaves), dtype=np.int64)
    place[np.argsort(begin)] = np.arange(len(leaves))
    rows = nic[np.argsort(place[which], kind="stable")]
    leaf = leaves[np.argsort(begin)].astype(np.int32)
    count = np.bincount(place[which], minlength=len(leaves))
    first = np.concatenate(([0], np.cumsum(count))).astype(np.int32)
    apart = columns.y[b.b[rows]] - columns.y[b.a[rows]]
    below = np.logical_or.reduceat(apart > 0, first[:-1]) if len(leaf) else np.zeros(0, bool)
    one_side = below == (np.logical_and.reduceat(apart > 0, first[:-1]) if len(leaf) else below)
    near = np.minimum.reduceat(np.abs(apart), first[:-1]) if len(leaf) else np.zeros(0)
    near = np.where(one_side & (count >= 3), near, np.nan)
    group = np.rint(columns.y[leaf] / 40).astype(np.int32) * 2 + below
    found = _Plan(rows, first, leaf, near, group, below)
    columns.caches["lane_plan"] = found
    return found


def find_lanes(frame: Frame) -> tuple[list[Lane], Ints]:
    """Return the rail lines of the view and the NIC bundles that belong to none."""
    plan, b = _plan(frame.columns), frame.columns.bundles
    if not len(plan.rows):
        return [], plan.rows
    start, servers = plan.first[:-1], b.b[plan.rows]
    tall = np.maximum.reduceat(frame.h[servers], start)
    room = plan.near * frame.view.scale - frame.h[plan.leaf] / 2 - tall / 2
    fits = np.nan_to_num(room, nan=-1.0) > 30
    reach = _Reach.of(frame, plan, servers)
    lanes: list[Lane] = []
    chosen = np.flatnonzero(fits)
    groups, begin = np.unique(plan.group[chosen], return_index=True)
    for k in np.argsort(begin):
        members = chosen[plan.group[chosen] == groups[k]]
        order = np.argsort(frame.columns.x[plan.leaf[members]], kind="stable")
        lanes += _lanes_of(frame, plan, reach, members[order])
    loose = plan.rows[~np.repeat(fits, np.diff(plan.first))]
    return _kept(frame, lanes), frame.kept_bundles(loose)


def _kept(frame: Frame, lanes: list[Lane]) -> list[Lane]:
    """Return the lines as far as a filter keeps their cables; each stays on its level."""
    kept = frame.state.kept
    if kept is None or not lanes:
        return lanes
    rows = np.concatenate([lane.rows for lane in lanes])
    stop = np.cumsum([len(lane.rows) for lane in lanes])
    start = stop - [len(lane.rows) for lane in lanes]
    held = kept.bundles[rows]
    x, leaf = ends(frame, rows)[:, 2], frame.x[[lane.leaf for lane in lanes]]
    low = np.minimum(np.minimum.reduceat(np.where(held, x, np.inf), start), leaf)
    high = np.maximum(np.maximum.reduceat(np.where(held, x, -np.inf), start), leaf)
    return [
        replace(lanes[k], rows=own[held[start[k] : stop[k]]], x0=float(low[k]), x1=float(high[k]))
        for k in np.flatnonzero(np.add.reduceat(held.astype(int), start)).tolist()
        if len(own := lanes[k].rows)
    ]


@dataclass(frozen=True, slots=True)
class _Reach:
    """Screen extents by leaf: of its servers' ports, and of its servers and itself."""

    x0: Floats
    x1: Floats
    top: Floats
    bottom: Floats
    low: Floats
    high: Floats

    @staticmethod
    def of(frame: Frame, plan: _Plan, servers: Ints) -> "_Reach":
        start, leaf = plan.first[:-1], plan.leaf
        x = far_x(frame, plan.rows)
        y, half = frame.y[servers], frame.h[servers] / 2
        return _Reach(
            np.minimum(np.minimum.reduceat(x, start), frame.x[leaf]),
            np.maximum(np.maximum.reduceat(x, start), frame.x[leaf]),
            np.minimum.reduceat(y - half, start),
            np.maximum.reduceat(y + half, start),
            np.minimum(np.minimum.reduceat(y, start), frame.y[leaf]),
            np.maximum(np.maximum.reduceat(y, start), frame.y[leaf]),
        )


def _lanes_of(frame: Frame, plan: _Plan, reach: _Reach, members: Rows) -> list[Lane]:
    """Return the lines of leaves, from left to right, that share the room to their servers."""
    below = bool(plan.below[members[0]])
    sign, leaf = (1.0 if below else -1.0), plan.leaf[members]
    start = float((sign * (frame.y[leaf] + sign * frame.h[leaf] / 2)).max())
    stop = float((reach.top[members] if below else -reach.bottom[members]).min())
    room = stop - start
    fan = min(FAN + 16, room * 0.22)
    first, last = start + fan, stop - min(26.0, room * 0.16)
    x0, x1 = reach.x0[members], reach.x1[members]
    level = _levels(x0.tolist(), x1.tolist())
    y = sign * (first + (level + 0.5) * (last - first) / max(1, int(level.max()) + 1))
    low, high = np.minimum(y, reach.low[members]), np.maximum(y, reach.high[members])
    v = frame.view
    seen = (x1 > -50) & (x0 < v.width + 50) & (high > -50) & (low < v.height + 50)
    return [
        Lane(
            int(leaf[k]),
            plan.rows[plan.first[members[k]] : plan.first[members[k] + 1]],
            float(y[k]),
            float(x0[k]),
            float(x1[k]),
            bool(seen[k]),
        )
        for k in np.flatnonzero(seen | (frame.level >= PORT)).tolist()
    ]


def _levels(starts: list[float], stops: list[float]) -> Ints:
    """Return a level for each line, counted from its leaf: lines that overlap get different ones.

    Lines come from left to right; a line takes the first level that is free where it runs.
    """
    levels: list[int] = []
    reach: list[float] = []
    for start, stop in zip(starts, stops, strict=True):
        for level, end in enumerate(reach):
            if start > end:
                reach[level] = stop
                break
        else:
            level = len(reach)
            reach.append(stop)
        levels.append(level)
    return np.array(levels, dtype=np.int32)


def draw_lanes(frame: Frame, out: DisplayList, lanes: list[Lane]) -> None:
    """Draw rail lines with drops, taps, risers and fans, the selected ones last."""
    active = bool(frame.bundle_chosen.any())
    shown = sorted(
        (la for la in lanes if la.seen),
        key=lambda la: active and bool(frame.bundle_chosen[la.rows].any()),
    )
    drops(frame, out, shown, active)
    if frame.level < DEVICE:
        _draw_thin(frame, out, shown, active)
        return
    for lane in shown:
        _draw_lane(frame, out, lane, active)


def _draw_thin(frame: Frame, out: DisplayList, lanes: list[Lane], active: bool) -> None:
    """Draw lines and risers of small glyphs, all of one colour and strength at once."""
    if not lanes:
        return
    count = np.array([len(la.rows) for la in lanes])
    start, rows = np.cumsum(count) - count, np.concatenate([la.rows for la in lanes])
    # the colour is that of the fullest cable, or of the first one
    load = np.nan_to_num(frame.load[rows], nan=-1.0)
    full = load == np.repeat(np.maximum.reduceat(load, start), count)
    first = np.minimum.reduceat(np.where(full, np.arange(len(rows)), len(rows)), start)
    chosen = np.logical_or.reduceat(frame.bundle_chosen[rows], start)
    leaf = np.array([la.leaf for la in lanes])
    x, y = frame.x[leaf], np.array([la.y for la in lanes])
    edge = frame.y[leaf] + np.where(y > frame.y[leaf], 0.5, -0.5) * frame.h[leaf]
    risers = np.column_stack([x, y, x, edge])
    bounds = (np.array([la.x0 for la in lanes]), np.array([la.x1 for la in lanes]))
    halves = [(end, _tapers(end, x, y)) for end in bounds]
    quiet = max(0.3, frame.state.dim) if active else 1.0
    for picked, share in ((~chosen, quiet), (chosen, 1.0)):
        at = np.flatnonzero(picked)
        for color, members in by_color(frame, rows[first[at]]).items():
            own, tone = at[members], faded(frame, color, share)
            corners = [half[own[np.abs(end[own] - x[own]) >= 1]] for end, half in halves]
            out.add(Polygons(np.concatenate(corners), tone))
            out.add(Lines(risers[own], tone, _THIN))


def _tapers(end: Floats, x: Floats, y: Floats) -> Floats:
    """Return the four corners of each line from its end to its riser, n × 4 × 2."""
    a, b = max(1.3, _THIN * 0.45) / 2, _THIN / 2
    return np.stack([end, y - a, x, y - b, x, y + b, end, y + a], axis=1).reshape(-1, 4, 2)


def drops(frame: Frame, out: DisplayList, lanes: list[Lane], active: bool) -> None:
    """Draw the drops of all lanes in one batch a colour; those at rest are faint."""
    if not lanes:
        return
    rows = np.concatenate([la.rows for la in lanes])
    if frame.state.moving and len(rows) > MOST_DROPS:
        _bands(frame, out, rows, np.repeat([la.y for la in lanes], [len(la.rows) for la in lanes]))
        return
    y = np.concatenate([np.full(len(la.rows), la.y) for la in lanes])
    e = ends(frame, rows)
    on = (e[:, 2] > -5) & (e[:, 2] < frame.view.width + 5)
    rows, y, e = rows[on], y[on], e[on]
    lines = np.column_stack([e[:, 2], y, e[:, 2], e[:, 3]])
    chosen = frame.bundle_chosen[rows]
    pitch = 240 * frame.view.scale
    rest = (0.62 if pitch > 24 else 0.42) if not active else 0.30
    for color, at in by_color(frame, rows).items():
        quiet, loud = at[~chosen[at]], at[chosen[at]]
        out.add(Lines(lines[quiet], faded(frame, color, rest), 1.01))
        out.add(Lines(lines[loud], color, 1.8))
        if frame.level >= DEVICE:
            dots = np.column_stack(
                [lines[at][:, 0], lines[at][:, 1], np.where(chosen[at], 2.6, 1.5)]
            )
            out.add(Circles(dots, color))


def _bands(frame: Frame, out: DisplayList, rows: Ints, y: Floats | None = None) -> None:
    """Draw the cables of each leaf as one band, for moving frames: its width is their servers'.

    From `y`, or from the leaf's edge, to the edge of the servers.
    """
    b = frame.columns.bundles
    order = np.argsort(b.a[rows], kind="stable")
    rows = rows[order]
    leaf, start = np.unique(b.a[rows], return_index=True)
    e = ends(frame, rows)
    x0, x1 = np.minimum.reduceat(e[:, 2], start), np.maximum.reduceat(e[:, 2], start)
    foot = np.maximum.reduceat(e[:, 3], start)
    if y is None:
        head, a0, a1 = e[start, 1], frame.x[leaf], frame.x[leaf]
    else:
        head, a0, a1 = y[order][start], x0, x1
    corners = np.stack([a0, head, a1, head, x1, foot, x0, foot], axis=1).reshape(-1, 4, 2)
    for color, at in by_color(frame, rows[start]).items():
        out.add(Polygons(corners[at], faded(frame, color, 0.22)))


def _draw_lane(frame: Frame, out: DisplayList, lane: Lane, active: bool) -> None:
    chosen = bool(frame.bundle_chosen[lane.rows].any())
    share = 1.0 if chosen or not active else max(0.3, frame.state.dim)
    loads = frame.load[lane.rows]
    fullest = 0 if np.isnan(loads).all() else int(np.nanargmax(loads))
    tone = faded(frame, bundle_colors(frame, lane.rows[fullest : fullest + 1])[0], share)
    x, edge = float(frame.x[lane.leaf]), _edge(frame, lane)
    links = int(frame.columns.bundles.count[lane.rows].sum())
    thick = min(7.2, 1.6 + 1.0 * np.sqrt(links))
    thin = max(1.3, thick * 0.45)
    near = abs(lane.y - edge) < 2 * FAN
    fan = (edge + lane.y) / 2 if near else edge + FAN * (1 if lane.y > edge else -1)
    riser = np.array([[x, lane.y, x, fan]])
    out.add(Lines(riser, token("canvas", frame.theme), thick + 3.5))
    _taper(out, lane, x, tone, thin, thick)
    out.add(Lines(riser, tone, thick))
    width = float(frame.w[lane.leaf]) * 0.42
    if width <= 8:
        out.add(Lines(np.array([[x, fan, x, edge]]), tone, thick))
        return
    half, mid = thick / 2, (edge + fan) / 2
    wide, narrow = [[x - width, edge], [x + width, edge]], [[x + half, fan], [x - half, fan]]
    waist = [[x + width * 0.4, mid], [x - width * 0.4, mid]]
    out.add(Polygons(np.array([[*wide, *waist]]), faded(frame, tone, 0.34)))
    out.add(Polygons(np.array([[*reversed(waist), *narrow]]), faded(frame, tone, 0.66)))


def _taper(out: DisplayList, lane: Lane, x: float, tone: str, thin: float, thick: float) -> None:
    """Draw the line, thickening towards the riser as more cables join it."""
    y, a, b = lane.y, thin / 2, thick / 2
    corners = [
        [[end, y - a], [x, y - b], [x, y + b], [end, y + a]]
        for end in (lane.x0, lane.x1)
        if abs(end - x) >= 1
    ]
    out.add(Polygons(np.array(corners).reshape(-1, 4, 2), tone))


def _edge(frame: Frame, lane: Lane) -> float:
    half = float(frame.h[lane.leaf]) / 2
    y = float(frame.y[lane.leaf])
    return y + half if lane.y > y else y - half


def on_screen(frame: Frame, rows: Ints) -> Bools:
    """Tell which bundles may touch the view."""
    b, v = frame.columns.bundles, frame.view
    a, c = b.a[rows], b.b[rows]
    half = np.maximum(frame.w[a], frame.w[c]) / 2
    x0, x1 = np.minimum(frame.x[a], frame.x[c]) - half, np.maximum(frame.x[a], frame.x[c]) + half
    y0, y1 = np.minimum(frame.y[a], frame.y[c]), np.maximum(frame.y[a], frame.y[c])
    found: Bools = (x1 > 0) & (x0 < v.width) & (y1 > 0) & (y0 < v.height)
    return found


def draw_loose(frame: Frame, out: DisplayList, rows: Ints) -> None:
    """Draw NIC bundles that belong to no rail line as curves of their own."""
    rows = rows[on_screen(frame, rows)]
    if not len(rows):
        return
    if frame.state.moving and len(rows) > MOST_DROPS:
        _bands(frame, out, rows)
        return
    e: Floats = ends(frame, rows)
    active = bool(frame.bundle_chosen.any())
    for color, at in by_color(frame, rows).items():
        chosen = frame.bundle_chosen[rows[at]]
        out.add(
            Curves(
                ways(frame, rows[at][~chosen], e[at][~chosen]),
                faded(frame, color, frame.state.dim if active else 0.85),
                1.6,
            )
        )
        out.add(Curves(ways(frame, rows[at][chosen], e[at][chosen]), color, 2.4))
