"""The ground of the canvas: its colour, and dots that stand still on the drawing."""

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from designer.gui.render import PointBuffer
from designer.scene.theme import token
from designer.scene.view import View

# Dots are this many drawing units apart at 100 %, and never closer on the screen.
STEP = 16.0


def ground(theme: str) -> QColor:
    """Return the colour behind a drawing."""
    return QColor(token("canvas", theme))


def grid_step(scale: float) -> float:
    """Return the distance of dots in drawing units: 16, or 16 doubled until it is 16 pixels."""
    return float(STEP * 2 ** max(0, math.ceil(-math.log2(scale))))


class GridPainter:
    """Paints colour and dots; keeps the buffer it hands to Qt."""

    def __init__(self) -> None:
        self._points = PointBuffer(QPointF, 2)

    def paint(self, painter: QPainter, view: View, theme: str) -> None:
        """Fill a view and put its dots."""
        painter.fillRect(QRectF(0, 0, view.width, view.height), ground(theme))
        step = grid_step(view.scale)
        x = np.arange(math.ceil(view.x / step), (view.x + view.width / view.scale) / step)
        y = np.arange(math.ceil(view.y / step), (view.y + view.height / view.scale) / step)
        if not len(x) or not len(y):
            return
        px = np.floor((x * step - view.x) * view.scale) + 0.5
        py = np.floor((y * step - view.y) * view.scale) + 0.5
        dots = np.stack(np.meshgrid(px, py), axis=-1).reshape(-1, 2)
        painter.setPen(QPen(QColor(token("grid", theme)), 1.6))
        painter.drawPoints(*self._points.fill(dots))  # type: ignore[call-overload]
