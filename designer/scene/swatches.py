"""Swatches at the left of rail lines: number and name of each rail."""

import numpy as np

from designer.messages import _
from designer.scene.colours import leaf_rail
from designer.scene.display_list import DisplayList, Rects, plate
from designer.scene.frame import Frame
from designer.scene.lanes import Lane
from designer.scene.text import text_width
from designer.scene.theme import rail_color, text_on
from designer.scene.view import DEVICE

SWATCH = 15.0


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
            or any(abs(lane.y - y) < SWATCH + 6 for y in used)
        ):
            continue
        x = max(10.0, min(lane.x0 - 104, frame.view.width))
        if lane.x0 < 60 or lane.x0 > frame.view.width:
            x = 10.0
        used.append(lane.y)
        color = rail_color(rail, frame.theme)
        bold = bool(frame.chosen[lane.leaf])
        name = _("Rail {n}").format(n=rail)
        if x + SWATCH + 60 > lane.x0:
            plate(out, x, lane.y + 4, SWATCH + 6 + text_width(name, 12, 600))
        out.add(Rects(np.array([[x, lane.y - SWATCH / 2, SWATCH, SWATCH]]), color, "", 0, 3))
        out.text(x + SWATCH / 2, lane.y + 4, str(rail), 10, 600, text_on(color), "middle")
        out.text(
            x + SWATCH + 6,
            lane.y + 4,
            name,
            12,
            600 if bold else 400,
            "text" if bold else "text2",
        )
