"""Where the ends of cables are on the screen."""

from typing import TYPE_CHECKING

from designer.gui.canvas.gesture import Pointer
from designer.model.ports import Port

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView


def end_place(
    canvas: "CanvasView", device: str, port: Port | None, toward: Pointer
) -> tuple[float, float, bool]:
    """Return where a cable end is: its port, or the edge of its device that faces `toward`."""
    frame = canvas.frame()
    row = canvas.columns.index[device]
    if port is not None:
        for place in canvas.ports_of(row):
            if place.port == port:
                return place.x, place.y, place.up
    up = toward.y < float(frame.y[row])
    half = float(frame.h[row]) / 2
    return float(frame.x[row]), float(frame.y[row]) + (-half if up else half), up
