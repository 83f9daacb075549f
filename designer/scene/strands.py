"""Single cables at port level: from the NIC to a track of its rail's lane, across, to the leaf.

Rail 1 runs nearest to the leaves. Cables of one lane have tracks of their own, ordered so that
those that go the same way do not cross.
"""

from dataclasses import dataclass

import numpy as np

from designer.model.ports import Port, expand
from designer.scene.anchors import points_down
from designer.scene.colours import bundle_colors
from designer.scene.columns import Floats, Ints
from designer.scene.display_list import Curves, DisplayList, Polylines
from designer.scene.frame import Frame, ends
from designer.scene.lanes import Lane, on_screen
from designer.scene.paths import ways
from designer.scene.places import port_places
from designer.scene.theme import blend, heat_color, rail_color, token
from designer.scene.view import PORT

# More single cables than this in a view are drawn as rail lines.
MOST = 700
# More trunks than this end at the edge of their glyphs.
MOST_FANS = 200
RADIUS = 8.0
FAN = 30.0


@dataclass(frozen=True, slots=True)
class Strand:
    """One cable on the screen.

    Attributes:
        cable: Its id.
        rail: Its rail, from 1.
        points: Corners, from the leaf's port to the server's, 4 × 2.
    """

    cable: str
    bundle: int
    rail: int
    points: Floats


class Ports:
    """Where ports are on the screen, by device row; worked out when first asked."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._rows: dict[int, dict[Port, tuple[float, float]]] = {}

    def of(self, row: int) -> dict[Port, tuple[float, float]]:
        """Return the places of the ports of a device."""
        if row not in self._rows:
            self._rows[row] = {p.port: (p.x, p.y) for p in port_places(self._frame, row)}
        return self._rows[row]


def find_strands(frame: Frame, lanes: list[Lane]) -> list[Strand] | None:
    """Return the single server cables of the view, or None when they are too many to draw."""
    count = frame.columns.bundles.count
    total = 0
    for lane in lanes:
        total += int(count[lane.rows].sum())
        if total > MOST:
            return None
    ports = Ports(frame)
    found: list[Strand] = []
    for group in _groups(frame, lanes):
        found += _routes(frame, group, ports)
    return found


def _groups(frame: Frame, lanes: list[Lane]) -> list[list[Lane]]:
    """Return lanes that share the room between their leaves and servers."""
    groups: dict[tuple[str, int, bool], list[Lane]] = {}
    for lane in lanes:
        leaf = lane.leaf
        below = lane.y > frame.y[leaf]
        key = (frame.columns.unit[leaf], round(frame.columns.y[leaf] / 40), bool(below))
        groups.setdefault(key, []).append(lane)
    return list(groups.values())


@dataclass(frozen=True, slots=True)
class _Link:
    cable: str
    bundle: int
    rail: int
    leaf: tuple[float, float]
    server: tuple[float, float]


def _links(frame: Frame, bundles: Ints, ports: Ports) -> list[_Link]:
    columns, b = frame.columns, frame.columns.bundles
    design = columns.design
    found = []
    for row in bundles.tolist():
        leaf_row, server_row = int(b.a[row]), int(b.b[row])
        leaf = design.devices[columns.ids[leaf_row]]
        server = design.devices[columns.ids[server_row]]
        for cable_id in b.cables[row]:
            cable = design.cables[cable_id]
            one, two = cable.end_at(leaf.id), cable.end_at(server.id)
            for p, q in zip(expand(leaf, one), expand(server, two), strict=False):
                at, to = ports.of(leaf_row).get(p), ports.of(server_row).get(q)
                if at is not None and to is not None:
                    rail = design.rail(server, q.number) if server.role == "server" else 0
                    found.append(_Link(cable_id, row, rail, at, to))
    return found


def _routes(frame: Frame, lanes: list[Lane], ports: Ports) -> list[Strand]:
    links = _links(frame, np.concatenate([lane.rows for lane in lanes]), ports)
    if not links:
        return []
    sign = 1.0 if links[0].server[1] > links[0].leaf[1] else -1.0
    start = max(sign * k.leaf[1] for k in links) + 16
    stop = min(sign * k.server[1] for k in links) - 16
    rails = sorted({k.rail for k in links})
    step = (stop - start) / len(rails)
    strands = []
    for place, rail in enumerate(rails):
        lane = sorted((k for k in links if k.rail == rail), key=_order)
        pitch = min(5.0, step * 0.8 / max(1, len(lane)))
        first = start + (place + 0.5) * step - pitch * (len(lane) - 1) / 2
        for k, link in enumerate(lane):
            y = sign * (first + k * pitch)
            points = np.array([link.leaf, (link.leaf[0], y), (link.server[0], y), link.server])
            strands.append(Strand(link.cable, link.bundle, rail, points))
    return strands


def loose_strands(frame: Frame, rows: Ints) -> list[Strand] | None:
    """Return the single cables of NIC bundles that belong to no rail line: curves, port to port.

    None where they are too many, or the level is not that of ports; then a bundle is one curve.
    """
    if frame.level < PORT:
        return None
    rows = rows[on_screen(frame, rows)]
    if int(frame.columns.bundles.count[rows].sum()) > MOST:
        return None
    found = []
    for link in _links(frame, rows, Ports(frame)):
        bend = (link.server[1] - link.leaf[1]) * 0.48
        (x0, y0), (x1, y1) = link.leaf, link.server
        points = np.array([[x0, y0], [x0, y0 + bend], [x1, y1 - bend], [x1, y1]])
        found.append(Strand(link.cable, link.bundle, link.rail, points))
    return found


def draw_loose_strands(frame: Frame, out: DisplayList, strands: list[Strand]) -> None:
    """Draw single cables as curves with a casing, those of the selection last."""
    canvas = token("canvas", frame.theme)
    active = bool(frame.bundle_chosen.any())
    picked = [s for s in strands if frame.bundle_chosen[s.bundle]]
    quiet = [s for s in strands if not frame.bundle_chosen[s.bundle]]
    for group, width, share in ((quiet, 1.9, frame.state.dim if active else 1.0), (picked, 2.6, 1)):
        if not group:
            continue
        out.add(Curves(np.array([s.points.ravel() for s in group]), canvas, width + 2.6))
        for color, lines in _coloured(frame, group).items():
            curves = np.array([points.ravel() for points in lines])
            out.add(Curves(curves, blend(color, canvas, share), width))


def _order(link: _Link) -> tuple[int, float]:
    """Order tracks from the leaf down: cables to the right by their end, then those to the left."""
    right = link.server[0] >= link.leaf[0]
    return (0, -link.leaf[0]) if right else (1, link.leaf[0])


def draw_strands(frame: Frame, out: DisplayList, strands: list[Strand]) -> None:
    """Draw single cables with a casing, outer lanes first, the selected ones last."""
    theme = frame.theme
    canvas = token("canvas", theme)
    active = bool(frame.bundle_chosen.any()) or bool(frame.state.selection)
    rest = frame.state.dim if active and frame.bundle_chosen.any() else 1.0
    picked: list[Strand] = []
    by_lane: dict[int, list[Strand]] = {}
    for strand in strands:
        own = strand.cable in frame.state.selection
        if own or frame.bundle_chosen[strand.bundle]:
            picked.append(strand)
        else:
            by_lane.setdefault(strand.rail, []).append(strand)
    for rail in sorted(by_lane, reverse=True):
        lane = by_lane[rail]
        out.add(Polylines([s.points for s in lane], canvas, 4.5, RADIUS))
        for color, lines in _coloured(frame, lane).items():
            out.add(Polylines(lines, blend(color, canvas, rest), 1.9, RADIUS))
    for color, lines in _coloured(frame, picked).items():
        out.add(Polylines(lines, canvas, 6.0, RADIUS))
        out.add(Polylines(lines, color, 2.6, RADIUS))


def _coloured(frame: Frame, strands: list[Strand]) -> dict[str, list[Floats]]:
    found: dict[str, list[Floats]] = {}
    for strand in strands:
        if frame.state.colour == "utilization":
            load = frame.state.utilization.get(strand.cable)
            color = token("text3", frame.theme) if load is None else heat_color(load, frame.theme)
        elif frame.state.colour == "kind":
            color = token("server", frame.theme)
        elif strand.rail:
            color = rail_color(strand.rail, frame.theme)
        else:
            color = token("text3", frame.theme)
        found.setdefault(color, []).append(strand.points)
    return found


def trunk_ports(
    frame: Frame, row: int, ports: Ports
) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Return where the links of a trunk leave both its devices (upper first), link by link."""
    columns, b = frame.columns, frame.columns.bundles
    design = columns.design
    sides: list[list[tuple[float, float]]] = [[], []]
    for side, device_row in enumerate((int(b.a[row]), int(b.b[row]))):
        device = design.devices[columns.ids[device_row]]
        places = ports.of(device_row)
        for cable_id in b.cables[row]:
            end = design.cables[cable_id].end_at(device.id)
            sides[side] += [places[p] for p in expand(device, end) if p in places]
    return sides[0], sides[1]


def trunk_ends(frame: Frame, rows: Ints) -> Floats:
    """Return where the bands of trunks begin and end, n × 4: a fan away from their ports."""
    e = ends(frame, rows)
    if frame.level < PORT or len(rows) > MOST_FANS:
        return e
    ports, falls = Ports(frame), points_down(frame.columns, rows)
    for k, row in enumerate(rows):
        for side, found in enumerate(trunk_ports(frame, int(row), ports)):
            if found:
                down = bool(falls[k]) == (side == 0)
                e[k, 2 * side] = np.mean([x for x, _y in found])
                e[k, 2 * side + 1] = found[0][1] + (FAN + 6 if down else -FAN - 6)
    return e


def draw_fan(points: list[tuple[float, float]], down: bool, color: str, out: DisplayList) -> None:
    """Draw the strands of a trunk from its ports to where its band begins."""
    at = np.array(points)
    way = FAN if down else -FAN
    middle, edge = float(at[:, 0].mean()), float(at[0, 1]) + (6 if down else -6)
    curves = np.array(
        [
            [x, edge, x, edge + way * 0.7, middle, edge + way * 0.3, middle, edge + way]
            for x, _y in points
        ]
    )
    out.add(Curves(curves, color, 1.6))


def strand_at(frame: Frame, lanes: list[Lane], x: float, y: float, slack: float) -> str:
    """Return the id of the single cable nearest to a pixel; empty when none is within `slack`."""
    best, found = slack, ""
    for strand in find_strands(frame, lanes) or ():
        p = strand.points
        low, high = np.minimum(p[:-1], p[1:]), np.maximum(p[:-1], p[1:])
        gap = np.maximum(0.0, np.maximum(low - (x, y), np.array([x, y]) - high))
        near = float(np.sqrt((gap**2).sum(axis=1)).min())
        if near < best:
            best, found = near, strand.cable
    return found


def draw_port_trunks(frame: Frame, out: DisplayList, rows: Ints, e: Floats) -> None:
    """Draw trunks at port level: strands from their ports into one band between ends `e`."""
    ports, colors = Ports(frame), bundle_colors(frame, rows)
    falls = points_down(frame.columns, rows)
    active = bool(frame.bundle_chosen.any())
    canvas, neutral = token("canvas", frame.theme), token("text3", frame.theme)
    for k in np.argsort(frame.bundle_chosen[rows], kind="stable"):
        row = int(rows[k])
        strong = bool(frame.bundle_chosen[row]) or not active
        color = token("spine", frame.theme) if colors[k] == neutral else colors[k]
        tone = color if strong else blend(color, canvas, frame.state.dim)
        for side, found in enumerate(trunk_ports(frame, row, ports)):
            if found:
                draw_fan(found, bool(falls[k]) == (side == 0), tone, out)
        count = max(1, int(frame.columns.bundles.count[row]))
        width = min(8.5, 2.4 + 1.2 * float(np.log2(count)))
        out.add(Curves(ways(frame, rows[k : k + 1], e[k : k + 1]), canvas, width + 4))
        out.add(Curves(ways(frame, rows[k : k + 1], e[k : k + 1]), tone, width))
