"""Trunks: all cables between two devices as one curve, with a bracket at its ports."""

import numpy as np

from designer.model.ports import link_speed
from designer.scene.anchors import anchored, points_down
from designer.scene.colours import bundle_colors, by_color, faded
from designer.scene.columns import NIC, NVLINK, Floats, Ints
from designer.scene.display_list import Curves, DisplayList, Lines
from designer.scene.frame import Frame, ends, usable
from designer.scene.paths import ways
from designer.scene.theme import token
from designer.scene.view import DEVICE, PORT
from designer.units import format_bits_per_s, format_length, format_number, format_percent

HOT = 0.9
# Lines of a moving frame that start and end within this many pixels of one another are one.
CELL = 16.0


def trunk_rows(frame: Frame) -> Ints:
    """Return the rows of trunks that may touch the view."""
    b = frame.columns.bundles
    rows = np.flatnonzero(b.kind != NIC)
    a, c = b.a[rows], b.b[rows]
    x0, x1 = np.minimum(frame.x[a], frame.x[c]), np.maximum(frame.x[a], frame.x[c])
    y0, y1 = np.minimum(frame.y[a], frame.y[c]), np.maximum(frame.y[a], frame.y[c])
    v, pad = frame.view, 400.0
    on = (x1 > -pad) & (x0 < v.width + pad) & (y1 > -60) & (y0 < v.height + 60)
    return frame.kept_bundles(rows[on].astype(np.int32))


def draw_trunks(frame: Frame, out: DisplayList, rows: Ints) -> None:
    """Draw trunks: faint first, hot and selected last with a casing."""
    if not len(rows):
        return
    e = ends(frame, rows)
    active = bool(frame.bundle_chosen.any())
    chosen = frame.bundle_chosen[rows]
    hot = np.nan_to_num(frame.load[rows]) >= HOT
    many = len(rows) > 1500
    plain = 1.01 if many else 1.5 if len(rows) > 300 else 3.2 if frame.level >= DEVICE else 1.6
    strong = _widths(frame, rows)
    share = _strength(frame, len(rows), active)
    nvlink = frame.columns.bundles.kind[rows] == NVLINK
    rest = ~chosen & ~hot
    for group, width, level in ((rest & nvlink, 1.01, 0.30), (rest & ~nvlink, plain, share)):
        picked = np.flatnonzero(group)
        for color, at in by_color(frame, rows[picked]).items():
            tone = faded(frame, color, level)
            points, own = e[picked[at]], rows[picked[at]]
            if many and frame.state.moving:
                out.add(Lines(_thinned(points), tone, 1.01))
            else:
                out.add(Curves(ways(frame, own, points), tone, width))
    casing = token("canvas", frame.theme)
    loud = np.flatnonzero(chosen | hot)
    for k, color in zip(loud, bundle_colors(frame, rows[loud]), strict=True):
        points = ways(frame, rows[k : k + 1], e[k : k + 1])
        width = strong[k] if chosen[k] else max(plain, 3.6)
        out.add(Curves(points, casing, width + 4))
        out.add(Curves(points, color, width))
    if frame.level >= DEVICE and len(rows) <= 1500:
        _brackets(frame, out, rows, share)


def _thinned(e: Floats) -> Floats:
    """Return one line for all that start and end in the same cells of the screen."""
    cells = np.rint(e / CELL).astype(np.int64) + (1 << 15)
    key = ((cells[:, 0] << 16 | cells[:, 1]) << 16 | cells[:, 2]) << 16 | cells[:, 3]
    return e[np.unique(key, return_index=True)[1]]


def _strength(frame: Frame, n: int, active: bool) -> float:
    if active:
        return frame.state.dim
    if frame.state.colour == "utilization":
        return 1.0 if n < 400 else 0.8
    # thousands of lines cover the ground between them: the fainter, the more glyphs stand out
    return 0.62 if n <= 400 else 0.45 if n <= 1500 else 0.30 if n <= 6000 else 0.20


def _widths(frame: Frame, rows: Ints) -> Floats:
    count = frame.columns.bundles.count[rows]
    return np.minimum(8.5, 1.2 + 1.2 * np.log2(np.maximum(1, count)) + 1.2)


def _brackets(frame: Frame, out: DisplayList, rows: Ints, share: float) -> None:
    """Draw the bracket that spans a trunk's ports, 6 pixels off the edge (a fan at port level)."""
    b = anchored(frame.columns)
    e = ends(frame, rows)
    down = np.where(points_down(frame.columns, rows), 1.0, -1.0)
    off = 5.0
    for end, device, span, sign in (
        (0, b.a[rows], b.span_a[rows], down),
        (2, b.b[rows], b.span_b[rows], -down),
    ):
        half = np.maximum(1.5, span * usable(frame)[device] / 2 - 1.2)
        if frame.level >= PORT:
            continue
        x, y = e[:, end], e[:, end + 1] + sign * off
        lines = np.column_stack([x - half, y, x + half, y])
        for color, at in by_color(frame, rows).items():
            out.add(Lines(lines[at], faded(frame, color, max(share, 0.8)), 1.4))


def trunk_label(frame: Frame, row: int, full: bool) -> str:
    """Return what the label of a trunk says: `×16 · 6.4 Tb/s · 22 %`, or `×8`."""
    b, design = frame.columns.bundles, frame.columns.design
    parts = [f"×{format_number(int(b.count[row]))}"]
    wanted = frame.state.labels
    if wanted:
        return " · ".join(_chosen_parts(frame, row, wanted))
    if full:
        total = sum(
            (link_speed(design, design.cables[i]) or 0.0) * design.cables[i].count
            for i in b.cables[row]
            if i in design.cables
        )
        if total:
            parts.append(format_bits_per_s(total))
        if not np.isnan(frame.load[row]):
            parts.append(format_percent(float(frame.load[row]), 0))
    return " · ".join(parts)


def _chosen_parts(frame: Frame, row: int, wanted: frozenset[str]) -> list[str]:
    """Return what a person wants trunks to say: links, speed of one, longest known length."""
    b, design = frame.columns.bundles, frame.columns.design
    cables = [design.cables[i] for i in b.cables[row] if i in design.cables]
    found = [f"×{format_number(int(b.count[row]))}"] if "count" in wanted else []
    speeds = [s for s in {link_speed(design, c) for c in cables} if s]
    if "speed" in wanted and speeds:
        found.append(format_bits_per_s(min(speeds)))
    lengths = [c.length_m for c in cables if c.length_m is not None]
    if "length" in wanted and lengths:
        found.append(format_length(max(lengths)))
    return found or ["–"]
