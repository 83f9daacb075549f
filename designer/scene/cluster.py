"""The cluster level: pods with their units and planes, core planes, and the trunks between them."""

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from designer.messages import _, ngettext
from designer.scene import glyph_sizes as sizes
from designer.scene.blocks import (
    CORES,
    SPINES,
    UNIT,
    BlockLinks,
    Blocks,
    block_ends,
    block_links,
    blocks,
    kept_blocks,
    kept_pairs,
)
from designer.scene.colours import faded
from designer.scene.columns import Floats, Ints
from designer.scene.display_list import Curves, DisplayList, Icons, Lines, Polygons, Rects
from designer.scene.frame import Bools, Frame
from designer.scene.glyphs import cut_corners
from designer.scene.paths import curve_points
from designer.scene.text import elide, text_width
from designer.scene.theme import heat_color, token
from designer.scene.trunks import HOT
from designer.units import format_number, format_percent

Rows = npt.NDArray[np.integer]
_BARS = 8


def draw_cluster(frame: Frame, out: DisplayList) -> None:
    """Draw the blocks of a view and what joins them."""
    found, links = blocks(frame), block_links(frame)
    if frame.state.kept is None:
        _pods(frame, out, found)
    held = kept_blocks(frame)
    _trunks(frame, out, found, links)
    for kind in (UNIT, SPINES, CORES):
        at = np.flatnonzero((found.kind == kind) & held).astype(np.int32)
        at = at[_in_clip(frame, found.box[at])]
        if not len(at):
            continue
        if kind == UNIT:
            _units(frame, out, found, at, links)
        else:
            _switches(frame, out, found, at, kind)
    _chosen(frame, out, found)


def _in_clip(frame: Frame, box: Floats) -> Bools:
    x0, y0, x1, y1 = 0.0, 0.0, frame.view.width, frame.view.height
    inside: Bools = (
        (box[:, 0] < x1)
        & (box[:, 0] + box[:, 2] > x0)
        & (box[:, 1] < y1)
        & (box[:, 1] + box[:, 3] > y0)
    )
    return inside


def gpu_counts(frame: Frame) -> Floats:
    """Return the GPUs of each device; nan where a server's are unknown."""
    known = frame.columns.caches.get("gpus")
    if isinstance(known, np.ndarray):
        return known
    design = frame.columns.design
    values = [design.gpus(design.devices[i]) for i in frame.columns.ids]
    found = np.array([np.nan if v is None else v for v in values], dtype=np.float64)
    frame.columns.caches["gpus"] = found
    return found


def _gpu_text(total: float, *, unit: bool) -> str:
    if np.isnan(total):
        return ""
    number = format_number(int(total))
    return _("{n} GPUs").format(n=number) if unit else number


def _pods(frame: Frame, out: DisplayList, found: Blocks) -> None:
    """Draw a box around each pod, with its name and GPUs on the side away from the core."""
    gpus = gpu_counts(frame)
    for k, (x, y, w, h) in enumerate(found.pod_box.tolist()):
        mine = found.pod == k
        down = int(found.down[mine][0])
        head = 26.0
        box = np.array([[x, y if down > 0 else y - head, w, h + head]])
        out.add(Rects(box, "tier", "bodyLine", 1.0, 8))
        base = y + h + 10 if down > 0 else y - head + 18
        name = frame.columns.design.groups.get(found.pods[k])
        title = name.name if name else _("Units")
        total = float(gpus[np.isin(found.of, np.flatnonzero(mine))].sum())
        right = _gpu_text(total, unit=True)
        room = w - 44 - text_width(right, 11)
        if room >= min(text_width(title, 12, 600), 60.0):
            out.add(Icons([("pod", x + 10, base - 13, 16, "text2")]))
            out.text(x + 32, base, elide(title, room, 12, 600), 12, 600)
            out.text(x + w - 10, base, right, 11, 400, "text2", "end")
        else:
            out.text(x + w / 2, base, elide(title, w - 8, 12, 600), 12, 600, "text", "middle")


def _color(frame: Frame, load: float) -> str:
    if frame.state.colour == "utilization" and not np.isnan(load):
        return heat_color(load, frame.theme)
    return token("text3", frame.theme)


# Up to so many trunks between blocks: their width and how strong they are.
_CROWDS = ((200, 3.2, 1.0), (800, 1.8, 0.8), (np.inf, 1.1, 0.6))


def _trunks(frame: Frame, out: DisplayList, found: Blocks, links: BlockLinks) -> None:
    """Draw trunks between blocks: inside a pod straight to its bus, to the core as curves."""
    inner = (found.pod[links.a] == found.pod[links.b]) & (found.kind[links.b] == UNIT)
    inner &= found.kind[links.a] == SPINES
    kept = kept_pairs(frame)
    _buses(frame, out, found, links, inner & kept)
    outer = np.flatnonzero(~inner & kept)
    chosen = np.zeros(len(links.a), dtype=bool)
    chosen[links.pair[frame.bundle_chosen[links.rows]]] = True
    hot = np.nan_to_num(links.load) >= HOT
    rank = np.lexsort((np.nan_to_num(links.load[outer]), chosen[outer] | hot[outer]))
    e = block_ends(found, links)
    points, active = curve_points(e), bool(chosen.any())
    for run, color, width, strong in _styled(frame, links, chosen, hot, outer[rank], active):
        if strong:
            for k in run:
                out.add(Curves(points[k : k + 1], "canvas", 13.0))
                out.add(Curves(points[k : k + 1], color, width))
        else:
            out.add(Curves(points[run], color, width))
    _hot_labels(frame, out, e, links, hot & kept)


def _styled(
    frame: Frame, links: BlockLinks, chosen: Bools, hot: Bools, order: Rows, active: bool
) -> Iterator[tuple[Rows, str, float, bool]]:
    """Yield runs of trunks in painting order that look alike: which, colour, width, strong."""
    style: list[tuple[str, float, bool]] = []
    # hundreds of trunks as wide as a few would leave no ground to tell one from the next
    thin, faint = next((w, f) for n, w, f in _CROWDS if len(order) <= n)
    for k in order.tolist():
        load = float(links.load[k])
        strong = bool(chosen[k] or hot[k])
        share = 1.0 if strong else _share(frame, load, active) * faint
        color = _color(frame, load) if hot[k] or not chosen[k] else token("accent", frame.theme)
        width = 9.0 if hot[k] else 4.0 if strong else thin
        style.append((faded(frame, color, share), width, strong))
    begin = 0
    for end in range(1, len(style) + 1):
        if end == len(style) or style[end] != style[begin]:
            yield order[begin:end], *style[begin]
            begin = end


def _share(frame: Frame, load: float, active: bool) -> float:
    if active:
        return frame.state.dim
    if frame.state.colour != "utilization":
        return 0.45
    return 0.95 if load >= 0.6 else 0.62


def _hot_labels(
    frame: Frame,
    out: DisplayList,
    e: Floats,
    links: BlockLinks,
    hot: Bools,
) -> None:
    if frame.state.moving:
        return
    for k in np.flatnonzero(hot)[:12]:
        text = f"×{format_number(int(links.count[k]))} · {format_percent(float(links.load[k]), 0)}"
        w = text_width(text, 11, 600) + 16
        x, y = (e[k, 0] + e[k, 2]) / 2, (e[k, 1] + e[k, 3]) / 2
        out.add(Rects(np.array([[x - w / 2, y - 10, w, 20.0]]), "surface", "border2", 1.0, 10))
        out.text(float(x), float(y) + 4, text, 11, 600, "text", "middle")


def _buses(
    frame: Frame,
    out: DisplayList,
    found: Blocks,
    links: BlockLinks,
    inner: Bools,
) -> None:
    """Draw the line that a pod's spines share, and a stub from each unit to it."""
    peak = np.full(len(found.kind), -1.0)
    np.maximum.at(peak, links.b[inner], np.nan_to_num(links.load[inner], nan=-1.0))
    peak = np.where(peak < 0, np.nan, peak)
    on_bus = np.isin(np.arange(len(found.kind)), [links.a[inner], links.b[inner]])
    for pod in range(len(found.pods)):
        mine = (found.pod == pod) & (on_bus | (frame.state.kept is None))
        units = np.flatnonzero(mine & (found.kind == UNIT))
        spines = np.flatnonzero(mine & (found.kind == SPINES))
        if not len(units) or not len(spines):
            continue
        down = int(found.down[units[0]])
        near = found.box[spines[0]]
        y = near[1] + (near[3] + 8 if down > 0 else -8.0)
        row = found.box[units]
        x0 = min(row[:, 0].min(), found.box[spines, 0].min())
        x1 = max((row[:, 0] + row[:, 2]).max(), (found.box[spines, 0] + found.box[spines, 2]).max())
        width = min(9.0, float(row[0, 2]) * 0.35)
        edge = row[:, 1] if down > 0 else row[:, 1] + row[:, 3]
        middle = row[:, 0] + row[:, 2] / 2
        stubs = np.column_stack([middle, edge, middle, np.full(len(units), y)])
        colors = [_color(frame, load) for load in peak[units].tolist()]
        for color in dict.fromkeys(colors):
            same = np.array([c == color for c in colors])
            out.add(Lines(stubs[same], faded(frame, color, 0.62), width))
        out.add(Lines(np.array([[x0, y, x1, y]]), "bodyLine", 2.0))
        cells = found.box[spines]
        cx = cells[:, 0] + cells[:, 2] / 2
        ends = np.column_stack([cx, cells[:, 1] + cells[:, 3] / 2, cx, np.full(len(cx), y)])
        out.add(Lines(ends, "bodyLine", 1.2))


def _units(frame: Frame, out: DisplayList, found: Blocks, at: Ints, links: BlockLinks) -> None:
    out.add(Rects(found.box[at], "body", "bodyLine", 1.2, 4))
    if frame.state.moving:
        return
    gpus = gpu_counts(frame)
    leaf = frame.columns.role == sizes.LEAF
    load = _device_loads(frame)
    for k in at.tolist():
        x, y, w, h = found.box[k].tolist()
        members = np.flatnonzero(found.of == k).astype(np.int32)
        title = _unit_title(frame, found, k, members)
        if text_width(title, 12, 600) < w - 4:
            out.text(x + w / 2, y + 16, title, 12, 600, "text", "middle")
        total = _gpu_text(float(gpus[members].sum()), unit=w > 74)
        if text_width(total, 11) < w - 2:
            out.text(x + w / 2, y + h - 6, total, 11, 400, "text2", "middle")
        leaves = members[leaf[members]]
        leaves = leaves[np.argsort(frame.x[leaves], kind="stable")]
        _bars(frame, out, (x + 5, y + 22, w - 10, h - 40), load[leaves])


def _unit_title(frame: Frame, found: Blocks, k: int, members: Ints) -> str:
    if int(found.count[k]) > 1:
        count = int(found.count[k])
        return (
            ngettext("{n} unit", "{n} units", count).format(n=format_number(count))
            if found.box[k, 2] > 60
            else f"×{format_number(count)}"
        )
    group = frame.columns.design.groups.get(frame.columns.unit[int(members[0])])
    if group is None:
        return ""
    number = re.search(r"(\d+)$", group.name)
    wide = text_width(group.name, 12, 600) < found.box[k, 2] - 8
    return group.name if wide or number is None else number[1]


def _device_loads(frame: Frame) -> Floats:
    """Return the peak load of each device's bundles; nan where none is known."""
    known = frame.caches.get("device_loads")
    if isinstance(known, np.ndarray):
        return known
    b = frame.columns.bundles
    load = np.full(len(frame.x), -1.0)
    values = np.nan_to_num(frame.load, nan=-1.0)
    np.maximum.at(load, b.a, values)
    np.maximum.at(load, b.b, values)
    found = np.where(load < 0, np.nan, load)
    frame.caches["device_loads"] = found
    return found


def _bars(
    frame: Frame, out: DisplayList, area: tuple[float, float, float, float], load: Floats
) -> None:
    """Draw up to eight bars, one a leaf (or a run of leaves): length and colour are its load."""
    x, y, w, h = area
    if not len(load) or h < 12 or w < 8:
        return
    n = min(_BARS, len(load))
    runs = np.array_split(np.nan_to_num(load, nan=-1.0), n)
    pitch = h / n
    thick = max(1.5, pitch - 1.6)
    rows = np.array([[x, y + k * pitch, w, thick] for k in range(n)])
    out.add(Rects(rows, "hover"))
    for k, run in enumerate(runs):
        peak = float(run.max())
        if peak < 0:
            continue
        bar = np.array([[x, y + k * pitch, max(1.5, w * min(1.0, peak)), thick]])
        out.add(Rects(bar, heat_color(peak, frame.theme)))


def _switches(frame: Frame, out: DisplayList, found: Blocks, at: Ints, kind: int) -> None:
    """Draw runs of spines as hexagons and of cores as octagons, with their number or count."""
    role = sizes.SPINE if kind == SPINES else sizes.CORE
    line = "spine" if kind == SPINES else "bodyLine"
    out.add(Polygons(cut_corners(role, found.box[at]), "body", line, 1.2))
    if frame.state.moving:
        return
    load = _device_loads(frame)
    for k in at.tolist():
        x, y, w, h = found.box[k].tolist()
        members = np.flatnonzero(found.of == k).astype(np.int32)
        count = int(found.count[k])
        if kind == SPINES:
            text = str(int(found.first[k]) + 1) if count == 1 else f"×{count}"
            if text_width(text, 11) < w - 8:
                out.text(x + w / 2, y + h / 2 + 4, text, 11, 400, "text", "middle")
            continue
        names = [frame.columns.names[int(m)] for m in members]
        title = (
            names[0]
            if count == 1
            else ngettext("{n} core", "{n} cores", count).format(n=format_number(count))
        )
        out.text(x + w / 2, y + 22, elide(title, w - 12, 12, 600), 12, 600, "text", "middle")
        peak = load[members]
        bar = (x + 14, y + 34, w - 28, 7.0)
        out.add(Rects(np.array([bar]), "hover", "", 0, 3))
        if not np.isnan(peak).all():
            share = float(np.nanmax(peak))
            fill = np.array([[bar[0], bar[1], max(3.0, bar[2] * min(1.0, share)), bar[3]]])
            out.add(Rects(fill, heat_color(share, frame.theme), "", 0, 3))


def _chosen(frame: Frame, out: DisplayList, found: Blocks) -> None:
    """Draw the selection ring around blocks that hold a selected device."""
    held = np.unique(found.of[frame.chosen])
    held = held[held >= 0]
    if len(held):
        out.add(Rects(found.box[held] + (-3, -3, 6, 6), "", "accent", 2.0, 6))
