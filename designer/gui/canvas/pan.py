"""Pan: the drawing follows the hand."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from designer.gui.canvas.gesture import Gesture, Pointer

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView


class Pan(Gesture):
    """Moves the view with the pointer; Esc puts it back."""

    cursor = Qt.CursorShape.ClosedHandCursor

    def __init__(self, canvas: "CanvasView", at: Pointer) -> None:
        super().__init__(canvas)
        self._last = at
        self._before = canvas.view

    def move(self, at: Pointer) -> None:
        """Shift the drawing by what the pointer has moved."""
        dx, dy = round(at.x - self._last.x), round(at.y - self._last.y)
        if dx or dy:
            self.canvas.pan_by(dx, dy)
            self._last = Pointer(self._last.x + dx, self._last.y + dy)

    def release(self, at: Pointer) -> None:
        """Stay here."""
        self.done = True

    def cancel(self) -> None:
        """Go back to where the view was."""
        self.canvas.set_view(self._before)
        self.done = True
