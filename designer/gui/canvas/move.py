"""Moving devices and notes: a ghost follows the pointer, one edit is made on release."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt

from designer.gui.canvas.cabling_picture import clear
from designer.gui.canvas.gesture import Gesture, Pointer
from designer.messages import _
from designer.model.arrange_selection import positions
from designer.model.operations import move
from designer.scene.display_list import Array, DisplayList, Lines, Rects
from designer.scene.frame import ends
from designer.scene.text import text_width
from designer.scene.theme import blend, token

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView

# The ghost shows at most so many outlines and cables; beyond it only the box around them all.
MOST_OUTLINES, MOST_CABLES = 400, 600


class MoveSelection(Gesture):
    """Drags the selection; the grid holds the device that was grasped."""

    cursor = Qt.CursorShape.SizeAllCursor

    def __init__(self, canvas: "CanvasView", at: Pointer, grasped: str, toggle: str = "") -> None:
        super().__init__(canvas)
        self._start = at
        self._toggle = toggle
        self._moved = False
        self._shift = (0.0, 0.0)
        self._from = positions(canvas.design, canvas.selection)
        self._anchor = self._from.get(grasped, (0.0, 0.0))
        self._only = grasped
        self.hints = [("Ctrl", _("off the grid")), ("Esc", _("put back"))]

    def move(self, at: Pointer) -> None:
        """Let the ghost follow."""
        if not self._moved and not at.far_from(self._start):
            return
        self._moved = True
        self._shift = self._to(at)
        self.canvas.update()

    def _to(self, at: Pointer) -> tuple[float, float]:
        scale = self.canvas.view.scale
        x = self._anchor[0] + (at.x - self._start.x) / scale
        y = self._anchor[1] + (at.y - self._start.y) / scale
        if not at.control:
            x, y = self.canvas.snap(x, y)
        return x - self._anchor[0], y - self._anchor[1]

    def release(self, at: Pointer) -> None:
        """Make the move, or, after a mere click, select what was clicked alone."""
        self.done = True
        if not self._moved and not at.far_from(self._start):
            if self._toggle:
                self.canvas.select(self.canvas.selection - {self._toggle})
            elif not at.shift and not at.control:
                self.canvas.select(frozenset({self._only}))
            return
        dx, dy = self._to(at)
        moved = {i: (x + dx, y + dy) for i, (x, y) in self._from.items()}
        self.canvas.apply(move(self.canvas.design, moved))

    def overlay(self, picture: DisplayList) -> None:
        """Show outlines where the devices will stand, with their cables."""
        if not self._moved:
            return
        canvas, theme = self.canvas, picture.theme
        dx, dy = (s * canvas.view.scale for s in self._shift)
        boxes = canvas.boxes(self._from)
        if not len(boxes):
            return
        boxes = boxes + (dx, dy, 0, 0)
        accent, ground = token("accent", theme), token("canvas", theme)
        if len(boxes) <= MOST_OUTLINES:
            cables = self._cables(dx, dy)
            picture.add(Lines(cables, blend(accent, ground, 0.55), 1.2, (4.0, 3.0)))
            picture.add(Rects(boxes, clear("accent", theme, 0.14), accent, 1.5, 4))
            names = [canvas.design.devices[i].name for i in self._from if i in canvas.columns.index]
            for name, (x, y, w, h) in zip(names, boxes.tolist(), strict=True):
                if text_width(name, 12, 600) < w:
                    picture.text(x + w / 2, y + h / 2 + 4, name, 12, 600, "accent", "middle")
        low, high = boxes[:, :2].min(axis=0), (boxes[:, :2] + boxes[:, 2:]).max(axis=0)
        if len(boxes) > 1:
            frame = np.array([[*(low - 6), *(high - low + 12)]])
            picture.add(Rects(frame, "", accent, 1.2, 4, (4.0, 3.0)))

    def _cables(self, dx: float, dy: float) -> Array:
        """Return the cables of what moves, n × 4, with the moving ends shifted."""
        frame, columns = self.canvas.frame(), self.canvas.columns
        moving = [columns.index[i] for i in self._from if i in columns.index]
        found = [columns.rows_of(row) for row in moving]
        rows = np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=np.int32)
        if not len(rows) or len(rows) > MOST_CABLES:
            return np.zeros((0, 4))
        lines = ends(frame, rows)
        for column, side in ((0, columns.bundles.a), (2, columns.bundles.b)):
            moves = np.isin(side[rows], moving)
            lines[moves, column] += dx
            lines[moves, column + 1] += dy
        return lines
