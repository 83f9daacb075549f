"""What is drawn at a pixel: a port, device, note, trunk or rail line; and what a box encloses."""

from dataclasses import dataclass

import numpy as np

from designer.model.ports import Port
from designer.scene.blocks import block_ends, block_links, blocks, kept_blocks, kept_pairs
from designer.scene.columns import Floats, Ints
from designer.scene.frame import Frame, ends
from designer.scene.lanes import Lane, find_lanes
from designer.scene.notes import note_box
from designer.scene.paths import curve_points, pieces, ways
from designer.scene.places import PortPlace, port_places
from designer.scene.strands import find_strands, loose_strands, strand_at, trunk_ends
from designer.scene.trunks import trunk_rows
from designer.scene.view import CLUSTER, PORT

# How near the pointer must be, pixels.
NEAR_PORT, NEAR_CABLE = 8.0, 5.0
_STEPS = np.linspace(0.0, 1.0, 33)[:, None, None]


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing under a pixel.

    Attributes:
        kind: `port`, `device`, `block` (of the cluster level), `note` or `cable`.
        id: Device or note; the first cable of a trunk or rail line.
        port: The port, for kind `port`.
        cables: Cable ids: of the port, trunk or rail line.
        devices: Device ids of a block.
    """

    kind: str
    id: str
    port: Port | None = None
    cables: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()


LaneSet = tuple[list[Lane], Ints]


def hit(frame: Frame, x: float, y: float, lanes: LaneSet | None = None) -> Hit | None:
    """Return the topmost thing at a pixel, or None on empty canvas.

    `lanes` is what `find_lanes` says of the frame, for callers that ask of it more than once.
    """
    design = frame.columns.design
    for note in reversed(list(design.notes.values())):
        left, top, w, h = note_box(note, frame.view)
        if left <= x <= left + w and top <= y <= top + h:
            return Hit("note", note.id)
    if not len(frame.x):
        return None
    if frame.level == CLUSTER:
        return _block_at(frame, x, y)
    found = port_at(frame, x, y)
    if found is not None:
        row, place = found
        cables: tuple[str, ...] = (place.cable,) if place.cable else ()
        return Hit("port", frame.columns.ids[row], place.port, cables)
    at = device_at(frame, x, y)
    if at is not None:
        return Hit("device", frame.columns.ids[at])
    cables = cables_at(frame, x, y, lanes)
    return Hit("cable", cables[0], None, cables) if cables else None


def _block_at(frame: Frame, x: float, y: float) -> Hit | None:
    """Return the block or the trunk between blocks at a pixel."""
    found = blocks(frame)
    box = found.box
    held = (
        (box[:, 0] <= x)
        & (x <= box[:, 0] + box[:, 2])
        & (box[:, 1] <= y)
        & (y <= box[:, 1] + box[:, 3])
    )
    held &= kept_blocks(frame)
    at = np.flatnonzero(held)
    ids = frame.columns.ids
    if len(at):
        members = np.flatnonzero(found.of == at[-1])
        return Hit("block", ids[int(members[0])], None, (), tuple(ids[int(m)] for m in members))
    links = block_links(frame)
    if not len(links.a):
        return None
    curves = curve_points(block_ends(found, links))
    # a curve never leaves the box around its four points
    points, pixel = curves.reshape(-1, 4, 2), np.array([x, y])
    low, high = points.min(axis=1) - NEAR_CABLE, points.max(axis=1) + NEAR_CABLE
    near = np.flatnonzero(((low <= pixel) & (pixel <= high)).all(axis=1) & kept_pairs(frame))
    if not len(near):
        return None
    distance = _distances(curves[near], x, y)
    if distance.min() > NEAR_CABLE:
        return None
    k = int(near[np.argmin(distance)])
    b = frame.columns.bundles
    cables = tuple(c for row in links.bundles(k) for c in b.cables[int(row)])
    return Hit("cable", cables[0], None, cables)


def device_at(frame: Frame, x: float, y: float, slack: float = 1.0) -> int | None:
    """Return the row of the device whose box holds a pixel; the smallest of several."""
    inside = (np.abs(frame.x - x) <= frame.w / 2 + slack) & (
        np.abs(frame.y - y) <= frame.h / 2 + slack
    )
    if frame.state.kept is not None:
        inside &= frame.state.kept.devices
    rows = np.flatnonzero(inside)
    return int(rows[np.argmin(frame.w[rows] * frame.h[rows])]) if len(rows) else None


def port_at(frame: Frame, x: float, y: float) -> tuple[int, PortPlace] | None:
    """Return the row and the port under a pixel, where ports are drawn."""
    if frame.level < PORT:
        return None
    near = (np.abs(frame.x - x) <= frame.w / 2 + NEAR_PORT) & (
        np.abs(np.abs(frame.y - y) - frame.h / 2) <= NEAR_PORT
    )
    for row in np.flatnonzero(near):
        places = port_places(frame, int(row))
        if not places:
            continue
        place = min(places, key=lambda p: (p.x - x) ** 2 + (p.y - y) ** 2)
        if abs(place.x - x) <= NEAR_PORT and abs(place.y - y) <= NEAR_PORT:
            return int(row), place
    return None


def cables_at(frame: Frame, x: float, y: float, known: LaneSet | None = None) -> tuple[str, ...]:
    """Return the cables of the trunk or rail line nearest to a pixel; empty when none is near."""
    lanes, loose = known or find_lanes(frame)
    b = frame.columns.bundles
    best, found = NEAR_CABLE, -1
    curves = loose_strands(frame, loose)
    if curves is not None:
        loose = loose[:0]
        if curves:
            distance = _distances(np.array([s.points.ravel() for s in curves]), x, y)
            if distance.min() < best:
                return (curves[int(np.argmin(distance))].cable,)
    trunks = trunk_rows(frame)
    rows = np.concatenate([trunks, loose]).astype(np.int32)
    if len(rows):
        e = np.concatenate([trunk_ends(frame, trunks), ends(frame, loose)])
        # a curve never leaves the box around its ends
        near = (np.abs(e[:, 0] + e[:, 2] - 2 * x) <= np.abs(e[:, 0] - e[:, 2]) + 2 * NEAR_CABLE) & (
            np.abs(e[:, 1] + e[:, 3] - 2 * y) <= np.abs(e[:, 1] - e[:, 3]) + 2 * NEAR_CABLE
        )
        rows, e = rows[near], e[near]
    if len(rows):
        distance = _distances(ways(frame, rows, e), x, y)
        at = int(np.argmin(distance))
        k = at // pieces(frame)
        if distance[at] < best:
            best, found = float(distance[at]), int(rows[k])
    if frame.level >= PORT and find_strands(frame, lanes) is not None:
        single = strand_at(frame, lanes, x, y, NEAR_CABLE)
        if single and found < 0:
            return (single,)
        return b.cables[found] if found >= 0 else ()
    lane = _lane_at(frame, lanes, x, y)
    if lane and found < 0:
        return lane
    return b.cables[found] if found >= 0 else ()


def _distances(points: Floats, x: float, y: float) -> Floats:
    """Return the distance of a pixel to each curve (n × 8), along 32 straight pieces."""
    p = points.reshape(-1, 4, 2)
    t, u = _STEPS, 1 - _STEPS
    at = u**3 * p[:, 0] + 3 * u * u * t * p[:, 1] + 3 * u * t * t * p[:, 2] + t**3 * p[:, 3]
    step, here = at[1:] - at[:-1], np.array([x, y]) - at[:-1]
    length = np.maximum((step**2).sum(axis=2), 1e-9)
    along = np.clip((here * step).sum(axis=2) / length, 0, 1)[:, :, None]
    gap = here - along * step
    nearest: Floats = np.sqrt((gap**2).sum(axis=2)).min(axis=0)
    return nearest


def _lane_at(frame: Frame, lanes: list[Lane], x: float, y: float) -> tuple[str, ...]:
    """Return the cables of the drop at a pixel, else of the rail line or riser there."""
    b = frame.columns.bundles
    lanes = [la for la in lanes if la.x0 - NEAR_CABLE <= x <= la.x1 + NEAR_CABLE]
    for lane in lanes:
        e = ends(frame, lane.rows)
        low, high = np.minimum(lane.y, e[:, 3]), np.maximum(lane.y, e[:, 3])
        gap = np.where((y > low + NEAR_CABLE) & (y < high), np.abs(e[:, 2] - x), np.inf)
        k = int(np.argmin(gap))
        if gap[k] <= 3.0:
            return b.cables[int(lane.rows[k])]
    for lane in lanes:
        on_line = abs(lane.y - y) <= NEAR_CABLE and lane.x0 - 2 <= x <= lane.x1 + 2
        first, last = sorted((lane.y, float(frame.y[lane.leaf])))
        on_riser = abs(float(frame.x[lane.leaf]) - x) <= NEAR_CABLE and first <= y <= last
        if on_line or on_riser:
            return tuple(c for row in lane.rows for c in b.cables[int(row)])
    return ()


def inside(frame: Frame, x0: float, y0: float, x1: float, y1: float) -> list[str]:
    """Return the devices and notes whose middle lies in a screen box."""
    held = (frame.x >= x0) & (frame.x <= x1) & (frame.y >= y0) & (frame.y <= y1)
    if frame.state.kept is not None:
        held &= frame.state.kept.devices
    found = [frame.columns.ids[int(row)] for row in np.flatnonzero(held)]
    for note in frame.columns.design.notes.values():
        x, y = frame.view.to_screen(note.x, note.y)
        if x0 <= x <= x1 and y0 <= y <= y1:
            found.append(note.id)
    return found
