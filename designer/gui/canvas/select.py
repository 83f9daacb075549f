"""Selecting: a click takes what is under it, a drag over empty canvas takes what it encloses."""

from typing import TYPE_CHECKING

import numpy as np

from designer.gui.canvas.gesture import Gesture, Pointer
from designer.messages import _
from designer.scene.display_list import DisplayList, Rects
from designer.scene.theme import blend, token

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView


class RubberBand(Gesture):
    """Selects the devices and notes whose middle lies in the rectangle being drawn.

    Shift adds to the selection; a plain click on empty canvas clears it.
    """

    def __init__(self, canvas: "CanvasView", at: Pointer) -> None:
        super().__init__(canvas)
        self._start = self._now = at
        self._moved = False
        self.hints = [("Shift", _("add")), ("Esc", _("cancel"))]

    def move(self, at: Pointer) -> None:
        """Stretch the rectangle."""
        self._moved = self._moved or at.far_from(self._start)
        self._now = at
        self.canvas.update()

    def release(self, at: Pointer) -> None:
        """Select what the rectangle holds."""
        self.done = True
        keep = self.canvas.selection if at.shift or at.control else frozenset()
        if not self._moved and not at.far_from(self._start):
            self.canvas.select(keep)
            return
        self._now = at
        x0, x1 = sorted((self._start.x, at.x))
        y0, y1 = sorted((self._start.y, at.y))
        self.canvas.select(keep | self.canvas.inside(x0, y0, x1, y1))

    def overlay(self, picture: DisplayList) -> None:
        """Show the rectangle."""
        if not self._moved:
            return
        x0, x1 = sorted((self._start.x, self._now.x))
        y0, y1 = sorted((self._start.y, self._now.y))
        box = np.array([[x0, y0, x1 - x0, y1 - y0]]) + (0.5, 0.5, 0, 0)
        theme = picture.theme
        edge = blend(token("accent", theme), token("canvas", theme), 0.85)
        picture.add(Rects(box, "", edge, 1.2, 2, (4.0, 3.0)))
