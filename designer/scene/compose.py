"""Composes the display list of a view: tiers, cables, glyphs, labels, marks, in painting order."""

from dataclasses import replace

import numpy as np

from designer.messages import N_, _
from designer.model.ports import expand
from designer.model.records import Device
from designer.scene import glyph_sizes as sizes
from designer.scene.cluster import draw_cluster
from designer.scene.columns import Floats, Ints, SceneColumns
from designer.scene.display_list import DisplayList, Icons, Lines, Rects
from designer.scene.faint import faint, faint_state
from designer.scene.faults import down_bundles, draw_faults, draw_paths
from designer.scene.frame import Frame, make_frame
from designer.scene.glyphs import draw_bodies, draw_insides
from designer.scene.jobs import draw_jobs
from designer.scene.lanes import draw_lanes, draw_loose, find_lanes
from designer.scene.marks import draw_marks
from designer.scene.notes import draw_notes
from designer.scene.paths import way_middles
from designer.scene.places import PortPlace, port_places
from designer.scene.strands import (
    MOST_FANS,
    draw_loose_strands,
    draw_port_trunks,
    draw_strands,
    find_strands,
    loose_strands,
    trunk_ends,
)
from designer.scene.swatches import draw_swatches
from designer.scene.switch_glyphs import ROLE_ICONS, short_model
from designer.scene.text import elide, text_width
from designer.scene.theme import rail_color, token
from designer.scene.trunks import (
    draw_trunks,
    trunk_label,
    trunk_rows,
)
from designer.scene.view import CLUSTER, DEVICE, GUTTER, PORT, SceneState, View
from designer.units import format_number

_TIERS = (
    (sizes.CORE, N_("Core")),
    (sizes.SPINE, N_("Spine")),
    (sizes.LEAF, N_("Leaf")),
    (sizes.SERVER, N_("Servers")),
    (sizes.NVSWITCH, N_("NVSwitch")),
)
_MOST_LABELS = 60


def compose(columns: SceneColumns, view: View, state: SceneState | None = None) -> DisplayList:
    """Return what a view of a drawing looks like."""
    state = state or SceneState()
    if state.kept is None or not len(columns.ids):
        return _compose(columns, view, state)
    out = DisplayList(view.width, view.height, state.theme)
    plain = faint_state(state)
    frame = make_frame(columns, view, plain)
    if state.chrome and frame.level != CLUSTER:
        _tier_bands(frame, out)
    for item in faint(_compose(columns, view, replace(plain, chrome=False)), state.theme):
        out.add(item)
    # the tier bands are there already, under what is faint
    for item in _compose(columns, view, state, bands=False).items:
        out.add(item)
    return out


def _compose(
    columns: SceneColumns, view: View, state: SceneState, *, bands: bool = True
) -> DisplayList:
    """Return all that a state keeps strong."""
    out = DisplayList(view.width, view.height, state.theme)
    frame = make_frame(columns, view, state)
    if not len(columns.ids):
        draw_notes(list(columns.design.notes.values()), view, out, state.selection)
        return out
    if frame.level == CLUSTER:
        draw_cluster(frame, out)
        draw_jobs(frame, out)
        draw_faults(frame, out)
        draw_notes(list(columns.design.notes.values()), view, out, state.selection)
        return out
    if state.chrome and bands:
        _tier_bands(frame, out)
    lanes, loose = find_lanes(frame)
    trunks = trunk_rows(frame)
    down = down_bundles(frame)
    draw_paths(frame, out, down)
    trunks = trunks[~down[trunks]]
    strands = find_strands(frame, lanes) if frame.level >= PORT else None
    e = trunk_ends(frame, trunks)
    if frame.level >= PORT and len(trunks) <= MOST_FANS:
        draw_port_trunks(frame, out, trunks, e)
    else:
        draw_trunks(frame, out, trunks)
    if strands is not None:
        draw_strands(frame, out, strands)
    else:
        draw_lanes(frame, out, lanes)
    single = loose_strands(frame, loose)
    if single is not None:
        draw_loose_strands(frame, out, single)
    else:
        draw_loose(frame, out, loose)
    draw_bodies(frame, out)
    _port_ticks(frame, out)
    if not state.moving:
        draw_insides(frame, out)
        draw_swatches(frame, out, lanes)
    draw_jobs(frame, out)
    draw_faults(frame, out)
    draw_marks(frame, out, trunks, e)
    if not state.moving:
        _trunk_labels(frame, out, trunks, e)
    _selection(frame, out)
    draw_notes(list(columns.design.notes.values()), view, out, state.selection)
    return out


def _tier_bands(frame: Frame, out: DisplayList) -> None:
    """Draw a band behind each tier, with its role, count and model in a gutter at the left."""
    columns = frame.columns
    width = frame.view.width
    bands: list[tuple[float, float, int, str, Ints]] = []
    for role, title in _TIERS:
        rows = np.flatnonzero(columns.role == role).astype(np.int32)
        if not len(rows) or np.ptp(columns.y[rows]) > 60:
            continue
        top, low = float(frame.top()[rows].min()) - 16, float(frame.bottom()[rows].max()) + 14
        if low < 0 or top > frame.view.height:
            continue
        out.add(Rects(np.array([[8.0, top, width - 16, low - top]]), "tier", "tierLine", 1.0, 8))
        if low - top >= 18:
            bands.append((top, low, role, _(title), rows))
    bands.sort(key=lambda band: band[0])
    used = -np.inf
    for k, (top, low, role, title, rows) in enumerate(bands):
        below = bands[k + 1][0] if k + 1 < len(bands) else np.inf
        # the next tier's title wants its place more than this one's count
        high = low - top >= 46 and below >= top + 46
        line = top if high else min((top + low) / 2, below - 4) - 16
        if line + 8 < used:
            continue
        used = line + (54 if high else 26)
        most = 0 if not high else 1 if below < top + 64 else 2
        _gutter(frame, out, role, title, rows, line, most)


def _gutter(
    frame: Frame,
    out: DisplayList,
    role: int,
    title: str,
    rows: Ints,
    top: float,
    most: int,
) -> None:
    """Write the role of a tier, and as many lines about it as its band has room for."""
    columns, design = frame.columns, frame.columns.design
    if _covered(frame, 14, top + 8, GUTTER, top + 24 + 18 * most):
        return
    out.add(Icons([(ROLE_ICONS[role], 16, top + 8, 16, ROLE_ICONS[role])]))
    out.text(37, top + 21, title, 12, 600)
    if not most:
        return
    models = {design.devices[columns.ids[r]].type for r in rows[:2000]}
    part = design.types.get(next(iter(models))) if len(models) == 1 else None
    count = format_number(len(rows))
    lines = [f"{count} × {short_model(part)}" if part else count]
    if role == sizes.SERVER:
        gpus = [design.gpus(design.devices[columns.ids[r]]) for r in rows]
        if all(g is not None for g in gpus):
            lines.append(_("{n} GPUs").format(n=format_number(sum(g or 0 for g in gpus))))
    for k, line in enumerate(lines[:most]):
        out.text(16, top + 38 + 15 * k, elide(line, 104, 11), 11, 400, "text2")


def _covered(frame: Frame, x0: float, y0: float, x1: float, y1: float) -> bool:
    """Tell whether a glyph stands on a box of the screen; a text below it would look cut off."""
    w, h = frame.w / 2, frame.h / 2
    over = (frame.x - w < x1) & (frame.x + w > x0) & (frame.y - h < y1) & (frame.y + h > y0)
    return bool(over.any())


def _port_ticks(frame: Frame, out: DisplayList) -> None:
    """Draw ports: ticks at the device level, boxes filled by use at the port level."""
    least = PORT if frame.state.moving else DEVICE
    if frame.level < least or int(frame.seen.sum()) > 400:
        return
    design = frame.columns.design
    boxes: dict[str, list[list[float]]] = {}
    free: list[list[float]] = []
    ticks: list[list[float]] = []
    for row in np.flatnonzero(frame.seen):
        device = design.devices[frame.columns.ids[row]]
        for place in port_places(frame, int(row)):
            if frame.level < PORT:
                y = place.y - 2.5
                ticks.append([place.x, y, place.x, y + 5])
                continue
            box = [place.x - 4, place.y - 5, 8.0, 10.0]
            if not place.cable:
                free.append(box)
                continue
            color = token("spine", frame.theme)
            rail = _rail_at(frame, device, place)
            if rail:
                color = rail_color(rail, frame.theme)
            elif place.port.family == "nvlink":
                color = token("nvswLine", frame.theme)
            boxes.setdefault(color, []).append(box)
    if ticks:
        out.add(Lines(np.array(ticks), "border2", 1.01))
    if free:
        out.add(Rects(np.array(free), "surface", "border2", 1.0, 2))
    for color, found in boxes.items():
        out.add(Rects(np.array(found), color, "", 0, 2))


def _rail_at(frame: Frame, device: Device, place: PortPlace) -> int:
    """Return the rail a port belongs to: its own on a server, its peer's on a leaf; 0 for none."""
    design = frame.columns.design
    if place.port.family == "nic":
        return design.rail(device, place.port.number) if device.role == "server" else 0
    cable = design.cables.get(place.cable)
    if cable is None:
        return 0
    here, there = cable.end_at(device.id), cable.other_end(device.id)
    peer = design.devices.get(there.device)
    if peer is None or peer.role != "server" or there.family != "nic":
        return 0
    ports = expand(device, here)
    at = ports.index(place.port) if place.port in ports else 0
    return design.rail(peer, expand(peer, there)[at].number)


def _trunk_labels(frame: Frame, out: DisplayList, trunks: Ints, e: Floats) -> None:
    """Label trunks of the selection, hot ones, and all of a small drawing; never over another."""
    if frame.level < DEVICE or not len(trunks):
        return
    chosen = frame.bundle_chosen[trunks]
    hot = np.nan_to_num(frame.load[trunks]) >= 0.9
    every = len(trunks) <= 12 or bool(frame.state.labels)
    wanted = np.arange(len(trunks)) if every else np.flatnonzero(chosen | hot)
    taken: list[tuple[float, float, float, float]] = []
    for k in wanted[:_MOST_LABELS]:
        row = int(trunks[k])
        full = len(wanted) <= 8
        text = trunk_label(frame, row, full)
        w = text_width(text, 11, 600) + 16
        for share in (0.5, 0.62, 0.38, 0.7, 0.3):
            x, y = way_middles(frame, trunks[k : k + 1], e[k : k + 1], share)[0]
            box = (x - w / 2, y - 10, x + w / 2, y + 10)
            if not any(
                box[0] < t[2] and box[2] > t[0] and box[1] < t[3] and box[3] > t[1] for t in taken
            ):
                taken.append(box)
                out.add(Rects(np.array([[box[0], box[1], w, 20.0]]), "surface", "border2", 1.0, 10))
                out.text(float(x), float(y) + 4, text, 11, 600, "text", "middle")
                break


def _selection(frame: Frame, out: DisplayList) -> None:
    rows = np.flatnonzero(frame.chosen & frame.seen)
    if not len(rows):
        return
    w, h = frame.w[rows] + 6, frame.h[rows] + 6
    box = np.column_stack([frame.x[rows] - w / 2, frame.y[rows] - h / 2, w, h])
    out.add(Rects(box, "", "accent", 2.0, 6))
    if len(rows) == 1:
        x, y, bw, bh = box[0]
        corners = [
            [x - 3, y - 3],
            [x + bw - 3, y - 3],
            [x - 3, y + bh - 3],
            [x + bw - 3, y + bh - 3],
        ]
        out.add(Rects(np.array([[*c, 6.0, 6.0] for c in corners]), "surface", "accent", 1.5, 1))
