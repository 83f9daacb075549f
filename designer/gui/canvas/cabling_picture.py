"""What is shown while a cable is drawn: ghost line, discs, ports that fit and ports that do not."""

from typing import TYPE_CHECKING

import numpy as np

from designer.gui.canvas.cable_ends import end_place
from designer.scene.display_list import Circles, DisplayList, Polylines, Rects
from designer.scene.places import PortPlace
from designer.scene.theme import token
from designer.scene.view import PORT

if TYPE_CHECKING:
    from designer.gui.canvas.cabling import DrawCable
    from designer.gui.canvas.view import CanvasView

SOURCE_R, TARGET_R = 13.0, 15.0
# Devices whose ports are lit; more are never on the screen at the level that shows ports.
MOST_DEVICES = 60


def clear(name: str, theme: str, share: float) -> str:
    """Return a token's colour with an opacity, for overlays only: `#AARRGGBB`."""
    return f"#{round(share * 255):02X}{token(name, theme)[1:]}"


def draw_cabling(canvas: "CanvasView", gesture: "DrawCable", picture: DisplayList) -> None:
    """Add the overlay of a cable being drawn."""
    theme = picture.theme
    if canvas.frame().level >= PORT and gesture.source.port is not None:
        _ports(canvas, gesture, picture)
    start = end_place(canvas, gesture.source.device, gesture.source.port, gesture.at)
    target = gesture.target
    end = end_place(canvas, target.device, target.port, gesture.at) if target else None
    stop = end or (gesture.at.x, gesture.at.y, False)
    tone = "err" if gesture.reason else "accent"
    path = route(start, stop, free=end is None)
    picture.add(Polylines([path], clear(tone, theme, 0.2), 9.0, 8.0))
    picture.add(Polylines([path], token(tone, theme), 2.4, 8.0, (7.2, 4.8)))
    disc = np.array([[start[0], start[1], SOURCE_R]])
    picture.add(Circles(disc, clear("accent", theme, 0.22)))
    picture.add(Rects(np.array([[start[0] - 4, start[1] - 5, 8.0, 10.0]]), "accent", "", 0, 2))
    if end is not None:
        disc = np.array([[end[0], end[1], TARGET_R]])
        picture.add(Circles(disc, clear(tone, theme, 0.22), token(tone, theme), 1.4))
        picture.add(Rects(np.array([[end[0] - 4, end[1] - 5, 8.0, 10.0]]), tone, "", 0, 2))


def route(
    start: tuple[float, float, bool], stop: tuple[float, float, bool], *, free: bool
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return the ghost's corners (k × 2): square out of the port, across, square into the other.

    Both points are (x, y, up); `up` tells that the port sits on an upper edge. With `free` the
    line ends at the pointer and comes in from the source's side.
    """
    (x0, y0, up0), (x1, y1, up1) = start, stop
    out = -14.0 if up0 else 14.0
    if free:
        up1 = not up0
    into = -14.0 if up1 else 14.0
    a, b = y0 + out, y1 + into
    opposite = up0 != up1
    facing = opposite and ((b - a) * out >= 0)
    if facing:
        middle = a + (b - a) * 0.55
        return np.array([[x0, y0], [x0, middle], [x1, middle], [x1, y1]])
    if opposite:
        # the ports look away from one another: round the outside
        side = (x0 + x1) / 2
        return np.array([[x0, y0], [x0, a], [side, a], [side, b], [x1, b], [x1, y1]])
    beyond = min(a, b) if up0 else max(a, b)
    return np.array([[x0, y0], [x0, beyond], [x1, beyond], [x1, y1]])


def _ports(canvas: "CanvasView", gesture: "DrawCable", picture: DisplayList) -> None:
    theme = picture.theme
    lit: list[PortPlace] = []
    dim: list[PortPlace] = []
    frame = canvas.frame()
    for row in np.flatnonzero(frame.seen)[:MOST_DEVICES]:
        id_ = frame.columns.ids[row]
        fits = set(gesture.fits(id_)) if id_ != gesture.source.device else set()
        for place in canvas.ports_of(int(row)):
            if place.port in fits:
                lit.append(place)
            elif (id_, place.port) != (gesture.source.device, gesture.source.port):
                dim.append(place)
    if dim:
        boxes = np.array([[p.x - 5, p.y - 6, 10.0, 12.0] for p in dim])
        picture.add(Rects(boxes, clear("canvas", theme, 0.6)))
    if lit:
        glow = np.array([[p.x - 7, p.y - 8, 14.0, 16.0] for p in lit])
        picture.add(Rects(glow, clear("accent", theme, 0.25), "", 0, 4))
        boxes = np.array([[p.x - 4, p.y - 5, 8.0, 10.0] for p in lit])
        picture.add(Rects(boxes, "surface", "accent", 2.0, 2))
