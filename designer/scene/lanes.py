"""Rail lines: the server cables of one leaf as one line with a drop to each server and a riser.

Drawn where the servers of a leaf stand on one side of it; 32 cables of a rail become one line.
"""

from dataclasses import dataclass

import numpy as np

from designer.scene.colours import bundle_colors, faded, grouped, leaf_rail
from designer.scene.columns import NIC, Floats, Ints
from designer.scene.display_list import Circles, Curves, DisplayList, Lines, Polygons, Rects
from designer.scene.frame import Frame, ends
from designer.scene.theme import rail_color, text_on, token
from designer.scene.view import DEVICE

FAN = 24.0
SWATCH = 15.0


@dataclass(slots=True)
class Lane:
    """One rail line.

    Attributes:
        leaf: Row of the leaf.
        rows: Bundle rows.
        y: Screen row of the line.
        x0, x1: Its ends on the screen.
    """

    leaf: int
    rows: Ints
    y: float
    x0: float
    x1: float


def find_lanes(frame: Frame) -> tuple[list[Lane], Ints]:
    """Return the rail lines of the view and the NIC bundles that belong to none."""
    columns, b = frame.columns, frame.columns.bundles
    nic = np.flatnonzero(b.kind == NIC).astype(np.int32)
    if not len(nic):
        return [], nic
    by_leaf: dict[int, list[int]] = {}
    for row in nic:
        by_leaf.setdefault(int(b.a[row]), []).append(int(row))
    groups: dict[tuple[int, bool], list[int]] = {}
    loose: list[int] = []
    for leaf, rows in by_leaf.items():
        servers = b.b[rows]
        below = columns.y[servers] > columns.y[leaf]
        if len(rows) < 3 or below.any() != below.all() or not _room(frame, leaf, servers):
            loose += rows
            continue
        key = (round(columns.y[leaf] / 40), bool(below[0]))
        groups.setdefault(key, []).append(leaf)
    lanes = []
    for (_y, below_), leaves in groups.items():
        lanes += _lanes_of(frame, sorted(leaves, key=lambda k: columns.x[k]), by_leaf, below_)
    return lanes, np.array(loose, dtype=np.int32)


def _room(frame: Frame, leaf: int, servers: Ints) -> bool:
    """Tell whether lines fit between a leaf and its servers on the screen."""
    near = np.abs(frame.y[servers] - frame.y[leaf]).min()
    return bool(near - frame.h[leaf] / 2 - frame.h[servers].max() / 2 > 30)


def _lanes_of(
    frame: Frame,
    leaves: list[int],
    by_leaf: dict[int, list[int]],
    below: bool,
) -> list[Lane]:
    b = frame.columns.bundles
    sign = 1.0 if below else -1.0
    start = max(sign * (frame.y[k] + sign * frame.h[k] / 2) for k in leaves)
    every = np.concatenate([b.b[by_leaf[k]] for k in leaves])
    stop = float((sign * frame.y[every] - frame.h[every] / 2).min())
    room = stop - start
    fan = min(FAN + 16, room * 0.22)
    first, last = start + fan, stop - min(26.0, room * 0.16)
    lanes = []
    for leaf in leaves:
        rows = np.array(by_leaf[leaf], dtype=np.int32)
        xs = np.append(ends(frame, rows)[:, 2], frame.x[leaf])
        lanes.append(Lane(leaf, rows, 0.0, float(xs.min()), float(xs.max())))
    levels = _levels(lanes)
    step = (last - first) / max(1, max(levels) + 1)
    for lane, level in zip(lanes, levels, strict=True):
        lane.y = sign * (first + (level + 0.5) * step)
    return lanes


def _levels(lanes: list[Lane]) -> list[int]:
    """Return a level for each line, counted from its leaf: lines that overlap get different ones.

    Lines come from left to right; a line takes the first level that is free where it runs.
    """
    levels: list[int] = []
    reach: list[float] = []
    for lane in lanes:
        level = next((k for k, x1 in enumerate(reach) if lane.x0 > x1), len(reach))
        reach[level : level + 1] = [lane.x1]
        levels.append(level)
    return levels


def draw_lanes(frame: Frame, out: DisplayList, lanes: list[Lane]) -> None:
    """Draw rail lines with drops, taps, risers and fans, the selected ones last."""
    active = bool(frame.bundle_chosen.any())
    shown = [la for la in lanes if _visible(frame, la)]
    shown.sort(key=lambda la: bool(frame.bundle_chosen[la.rows].any()))
    drops(frame, out, shown, active)
    for lane in shown:
        _draw_lane(frame, out, lane, active)


def _visible(frame: Frame, lane: Lane) -> bool:
    v = frame.view
    low, high = sorted((lane.y, float(frame.y[lane.leaf])))
    servers = frame.columns.bundles.b[lane.rows]
    low, high = min(low, frame.y[servers].min()), max(high, frame.y[servers].max())
    return lane.x1 > -50 and lane.x0 < v.width + 50 and high > -50 and low < v.height + 50


def drops(frame: Frame, out: DisplayList, lanes: list[Lane], active: bool) -> None:
    """Draw the drops of all lanes in one batch a colour; those at rest are faint."""
    if not lanes:
        return
    rows = np.concatenate([la.rows for la in lanes])
    y = np.concatenate([np.full(len(la.rows), la.y) for la in lanes])
    e = ends(frame, rows)
    on = (e[:, 2] > -5) & (e[:, 2] < frame.view.width + 5)
    rows, y, e = rows[on], y[on], e[on]
    lines = np.column_stack([e[:, 2], y, e[:, 2], e[:, 3]])
    chosen = frame.bundle_chosen[rows]
    colors = bundle_colors(frame, rows)
    pitch = 240 * frame.view.scale
    rest = (0.62 if pitch > 24 else 0.42) if not active else 0.30
    for color, at in grouped(colors).items():
        quiet, loud = at[~chosen[at]], at[chosen[at]]
        out.add(Lines(lines[quiet], faded(frame, color, rest), 1.01))
        out.add(Lines(lines[loud], color, 1.8))
        if frame.level >= DEVICE:
            dots = np.column_stack(
                [lines[at][:, 0], lines[at][:, 1], np.where(chosen[at], 2.6, 1.5)]
            )
            out.add(Circles(dots, color))


def _draw_lane(frame: Frame, out: DisplayList, lane: Lane, active: bool) -> None:
    chosen = bool(frame.bundle_chosen[lane.rows].any())
    share = 1.0 if chosen or not active else max(0.3, frame.state.dim)
    loads = frame.load[lane.rows]
    color = (
        bundle_colors(frame, lane.rows[[int(np.nanargmax(loads))]])[0]
        if not np.isnan(loads).all()
        else bundle_colors(frame, lane.rows[:1])[0]
    )
    tone = faded(frame, color, share)
    x, edge = float(frame.x[lane.leaf]), _edge(frame, lane)
    links = int(frame.columns.bundles.count[lane.rows].sum())
    thick = min(7.2, 1.6 + 1.0 * np.sqrt(links)) if frame.level >= DEVICE else 1.6
    thin = max(1.3, thick * 0.45)
    casing = token("canvas", frame.theme)
    fan = (
        (edge + lane.y) / 2
        if abs(lane.y - edge) < 2 * FAN
        else edge + FAN * (1 if lane.y > edge else -1)
    )
    if frame.level >= DEVICE:
        out.add(Lines(np.array([[x, lane.y, x, fan]]), casing, thick + 3.5))
    _taper(out, lane, x, tone, thin, thick)
    out.add(Lines(np.array([[x, lane.y, x, fan]]), tone, thick))
    width = float(frame.w[lane.leaf]) * 0.42
    if frame.level >= DEVICE and width > 8:
        half = thick / 2
        mid = (edge + fan) / 2
        steps = np.array(
            [
                [
                    [x - width, edge],
                    [x + width, edge],
                    [x + width * 0.4, mid],
                    [x - width * 0.4, mid],
                ],
                [[x - width * 0.4, mid], [x + width * 0.4, mid], [x + half, fan], [x - half, fan]],
            ]
        )
        out.add(Polygons(steps[:1], faded(frame, tone, 0.34)))
        out.add(Polygons(steps[1:], faded(frame, tone, 0.66)))
    else:
        out.add(Lines(np.array([[x, fan, x, edge]]), tone, thick))


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


def draw_swatches(frame: Frame, out: DisplayList, lanes: list[Lane]) -> None:
    """Draw the number and name of each rail at the left of its line."""
    if not frame.state.chrome or frame.level < DEVICE:
        return
    rails = leaf_rail(frame)
    used: list[float] = []
    for lane in sorted(lanes, key=lambda la: la.x0):
        rail = int(rails[lane.leaf])
        if (
            not rail
            or not 0 < lane.y < frame.view.height
            or any(abs(lane.y - y) < SWATCH + 1 for y in used)
        ):
            continue
        x = max(10.0, min(lane.x0 - 104, frame.view.width))
        if lane.x0 < 60 or lane.x0 > frame.view.width:
            x = 10.0
        used.append(lane.y)
        color = rail_color(rail, frame.theme)
        out.add(Rects(np.array([[x, lane.y - SWATCH / 2, SWATCH, SWATCH]]), color, "", 0, 3))
        out.text(x + SWATCH / 2, lane.y + 4, str(rail), 10, 600, text_on(color), "middle")
        bold = bool(frame.chosen[lane.leaf])
        from designer.messages import _

        out.text(
            x + SWATCH + 6,
            lane.y + 4,
            _("Rail {n}").format(n=rail),
            12,
            600 if bold else 400,
            "text" if bold else "text2",
        )


def draw_loose(frame: Frame, out: DisplayList, rows: Ints) -> None:
    """Draw NIC bundles that belong to no rail line as curves of their own."""
    from designer.scene.trunks import curve_points

    if not len(rows):
        return
    e: Floats = ends(frame, rows)
    active = bool(frame.bundle_chosen.any())
    colors = bundle_colors(frame, rows)
    for color, at in grouped(colors).items():
        chosen = frame.bundle_chosen[rows[at]]
        out.add(
            Curves(
                curve_points(e[at][~chosen]),
                faded(frame, color, frame.state.dim if active else 0.85),
                1.6,
            )
        )
        out.add(Curves(curve_points(e[at][chosen]), color, 2.4))
