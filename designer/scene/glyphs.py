"""Glyphs of devices: cards, bars, hexagons and octagons, at every level of detail."""

import numpy as np

from designer.catalog.types import PartType
from designer.messages import _
from designer.scene import glyph_sizes as sizes
from designer.scene.columns import Floats, Ints
from designer.scene.display_list import DisplayList, Icons, Lines, Polygons, Rects
from designer.scene.frame import Frame
from designer.scene.switch_glyphs import ROLE_ICONS, draw_switch
from designer.scene.text import elide, text_width
from designer.scene.theme import token
from designer.scene.view import DEVICE, PORT, UNIT

_RAISED = 3


def boxes(frame: Frame, rows: Ints) -> Floats:
    """Return the screen boxes of devices, n × 4 (x, y, w, h)."""
    w, h = frame.w[rows], frame.h[rows]
    return np.column_stack([frame.x[rows] - w / 2, frame.y[rows] - h / 2, w, h])


def cut_corners(role: int, box: Floats, level: int = DEVICE) -> Floats:
    """Return the corners of hexagons (spine) and octagons (core), n × k × 2."""
    x, y, w, h = box.T
    if role == sizes.SPINE:
        d = np.minimum(9.0 if level < PORT else 22.0, w * 0.2)
        points = [
            (x, y + h / 2),
            (x + d, y),
            (x + w - d, y),
            (x + w, y + h / 2),
            (x + w - d, y + h),
            (x + d, y + h),
        ]
    else:
        d = np.minimum(10.0, np.minimum(w, h) * 0.28)
        points = [
            (x + d, y),
            (x + w - d, y),
            (x + w, y + d),
            (x + w, y + h - d),
            (x + w - d, y + h),
            (x + d, y + h),
            (x, y + h - d),
            (x, y + d),
        ]
    return np.stack([np.stack(p, axis=-1) for p in points], axis=1)


def draw_bodies(frame: Frame, out: DisplayList) -> None:
    """Draw the bodies of all visible devices, one batch a role."""
    columns = frame.columns
    for role in range(len(sizes.SIZES)):
        rows = np.flatnonzero(frame.seen & (columns.role == role)).astype(np.int32)
        if not len(rows):
            continue
        box = boxes(frame, rows)
        small = frame.level < DEVICE
        if role in (sizes.SPINE, sizes.CORE):
            line = (
                token(("spine", "core")[role - sizes.SPINE], frame.theme) if small else "bodyLine"
            )
            out.add(
                Polygons(cut_corners(role, box, frame.level), "body", line, 1.0 if small else 1.2)
            )
        elif role in (sizes.SERVER, sizes.HOST) and small:
            out.add(
                Rects(
                    box,
                    "gpu" if role == sizes.SERVER else "body2",
                    "gpuLine" if box[0, 2] > 4 else "",
                    1.0,
                    1 if box[0, 2] > 5 else 0,
                )
            )
        elif role == sizes.NVSWITCH:
            out.add(Rects(box, "nvsw", "nvswLine", 1.0, 2 if box[0, 2] > 8 else 0))
        else:
            line = "leaf" if small and role == sizes.LEAF else "bodyLine"
            out.add(Rects(box, "body", line, 1.2, 4 if box[0, 2] > 12 else 1))


def draw_insides(frame: Frame, out: DisplayList) -> None:
    """Draw what is inside the bodies: ports, GPUs, names, as far as there is room."""
    columns = frame.columns
    for row in np.flatnonzero(frame.seen):
        role = int(columns.role[row])
        if role in (sizes.SERVER, sizes.HOST):
            if frame.level >= PORT:
                _server_full(frame, out, int(row))
            elif frame.level == DEVICE:
                _server_small(frame, out, int(row))
        elif frame.level >= UNIT:
            draw_switch(frame, out, int(row))


def _part(frame: Frame, row: int) -> PartType | None:
    design = frame.columns.design
    device = design.devices.get(frame.columns.ids[row])
    return design.types.get(device.type) if device else None


# --- servers ---


def _server_small(frame: Frame, out: DisplayList, row: int) -> None:
    """Draw a server of 20 to 90 pixels: GPU cells, an NVSwitch line, its number."""
    x, y = float(frame.x[row] - frame.w[row] / 2), float(frame.y[row] - frame.h[row] / 2)
    w, h = float(frame.w[row]), float(frame.h[row])
    part = _part(frame, row)
    gpu = part.gpu if part else None
    gpus = gpu.count if gpu and gpu.count else 0
    if gpus and w >= 12:
        per = max(1, gpus // 2)
        cell = min(max(1.2, (w - 6) / per - 1.2), 14.0)
        left = x + (w - per * (cell + 1.2) + 1.2) / 2
        grid = np.array(
            [
                [
                    left + (k % per) * (cell + 1.2),
                    y + h * (0.16 if k < per else 0.42),
                    cell,
                    h * 0.17,
                ]
                for k in range(per * 2)
            ]
        )
        out.add(Rects(grid, "gpu"))
        if gpu and gpu.internal_nvswitch:
            out.add(
                Rects(np.array([[x + 3, y + h * 0.355, w - 6, max(1.5, h * 0.045)]]), "nvswLine")
            )
    name = frame.columns.names[row]
    short = name.rsplit("-", 1)[-1]
    for text in (name, short) if w > 64 else (short,):
        if text_width(text, 11, 600) <= w - 3:
            out.text(x + w / 2, y + h - max(4.0, h * 0.1), text, 11, 600, "text", "middle")
            return
    if text_width(short, 9, 600) <= w:
        out.text(x + w / 2, y + h - 4, short, 9, 600, "text", "middle")


def _server_full(frame: Frame, out: DisplayList, row: int) -> None:
    """Draw a server in full: NICs over their GPUs, NVSwitch, name, model, NICs in use."""
    s = frame.view.scale
    x, y = float(frame.x[row] - frame.w[row] / 2), float(frame.y[row] - frame.h[row] / 2)
    w, h = float(frame.w[row]), float(frame.h[row])
    design = frame.columns.design
    device = design.devices[frame.columns.ids[row]]
    part = design.types.get(device.type)
    gpu = part.gpu if part else None
    gpus = gpu.count if gpu and gpu.count else 0
    k = min(s, h / 236.0)
    if gpus:
        _gpu_rows(frame, out, row, gpus, k)
    if gpu and gpu.internal_nvswitch and gpu.nvlink_bytes_per_s:
        bar = (x + 12 * s, y + 106 * k, w - 24 * s, 26 * k)
        out.add(Rects(np.array([bar]), "nvsw", "nvswLine", 1.0, 3))
        from designer.units import format_bytes_per_s

        text = _("NVSwitch · {speed} per GPU, one way").format(
            speed=format_bytes_per_s(gpu.nvlink_bytes_per_s)
        )
        for one in (text, format_bytes_per_s(gpu.nvlink_bytes_per_s)):
            if text_width(one, 11, 600) < bar[2] - 6 and bar[3] > 14:
                out.text(x + w / 2, bar[1] + bar[3] / 2 + 4, one, 11, 600, "text", "middle")
                break
    base = y + (146 * k if gpus else 40 * k)
    if gpus:
        out.add(Lines(np.array([[x + 12 * s, base, x + w - 12 * s, base]]), "border", 1.0))
    _server_words(frame, out, row, base, part)


def _server_words(
    frame: Frame, out: DisplayList, row: int, base: float, part: PartType | None
) -> None:
    x, w = float(frame.x[row] - frame.w[row] / 2), float(frame.w[row])
    y1 = float(frame.y[row] + frame.h[row] / 2)
    role = int(frame.columns.role[row])
    name, room = frame.columns.names[row], w - 20
    icon = 28.0 if room > 150 and y1 - base > 70 else 18.0 if room > 90 else 0.0
    left = x + 12
    if icon:
        out.add(
            Icons(
                [
                    (
                        ROLE_ICONS[role],
                        left,
                        base + 10,
                        icon,
                        "server" if role == sizes.SERVER else "host",
                    )
                ]
            )
        )
    text_x = left + (icon + 8 if icon else 0)
    room = x + w - 8 - text_x
    size = 15.0 if text_width(name, 15, 600) <= room and y1 - base > 60 else 12.0
    out.text(text_x, base + 12 + size * 0.7, elide(name, room, size, 600), size, 600)
    if y1 - base > 48 and part is not None:
        model = (
            f"{part.gpu.count} × {part.gpu.model}"
            if part.gpu and part.gpu.count
            else part.shown_model
        )
        out.text(text_x, base + 14 + size * 0.7 + 16, elide(model, room, 12), 12, 400, "text2")
    if y1 - base > 78:
        used, total = nic_use(frame, row)
        right = _("{used}/{total} NICs").format(used=used, total=total)
        out.text(x + w - 12, y1 - 10, right, 12, 600, "text", "end")
        rack = frame.columns.rack[row]
        group = frame.columns.design.groups.get(rack)
        if group is not None:
            out.text(
                x + 12,
                y1 - 10,
                elide(group.name, w - 40 - text_width(right, 12, 600), 12),
                12,
                400,
                "text2",
            )


def nic_use(frame: Frame, row: int) -> tuple[int, int]:
    """Return NIC ports in use and in all."""
    design = frame.columns.design
    device = design.devices[frame.columns.ids[row]]
    family = design.families(device).get("nic")
    used = sum(
        design.cables[c].count
        for c in design.cables_of(device.id)
        if design.cables[c].end_at(device.id).family == "nic"
    )
    return used, family.count if family else 0


def _gpu_rows(frame: Frame, out: DisplayList, row: int, gpus: int, k: float) -> None:
    s = frame.view.scale
    x, y = float(frame.x[row] - frame.w[row] / 2), float(frame.y[row] - frame.h[row] / 2)
    w = float(frame.w[row])
    design = frame.columns.design
    device = design.devices[frame.columns.ids[row]]
    family = design.families(device).get("nic")
    ports = family.count if family else 0
    per = max(1, ports // max(1, (design.types[device.type].nic_slots or ports)))
    nics = ports // per if ports else 0
    pitch = w / (nics + 1 / 1.0) if nics else 0.0
    if nics:
        pitch = (w - 24 * s) / nics
        xs = [x + 12 * s + pitch * (n + 0.5) for n in range(nics)]
        size = min(19 * s, pitch * 0.85)
        out.add(Lines(np.array([[c, y + 8 * k, c, y + 54 * k] for c in xs]), "border2", 1.0))
        out.add(
            Rects(
                np.array([[c - size / 2, y + 18 * k, size, 20 * k] for c in xs]),
                "body2",
                "bodyLine",
                1.0,
                3,
            )
        )
        if size > 12:
            for n, c in enumerate(xs):
                out.text(c, y + 28 * k + 4, str(n + 1), 11, 400, "text", "middle")
    pitch = (w - 24 * s) / gpus
    size = min(20 * s, pitch * 0.85)
    xs = [x + 12 * s + pitch * (n + 0.5) for n in range(gpus)]
    gpu = design.types[device.type].gpu
    if gpu and gpu.internal_nvswitch:
        out.add(Lines(np.array([[c, y + 94 * k, c, y + 106 * k] for c in xs]), "nvswLine", 2.0))
    out.add(
        Rects(
            np.array([[c - size / 2, y + 54 * k, size, 40 * k] for c in xs]),
            "gpu",
            "gpuLine",
            1.0,
            3,
        )
    )
    if size > 12:
        for n, c in enumerate(xs):
            out.text(c, y + 74 * k + 4, str(n), 11, 400, "text", "middle")
