"""What a hand does, as objects: a gesture starts with a press and ends, or is cancelled, whole."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent

from designer.scene.display_list import DisplayList

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView

# A press that moves no farther than this is a click.
SLACK = 4.0


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where the pointer is, in pixels of the canvas, and the keys held with it."""

    x: float
    y: float
    shift: bool = False
    control: bool = False

    @staticmethod
    def of(event: QMouseEvent) -> "Pointer":
        """Return the pointer of a mouse event."""
        at, keys = event.position(), event.modifiers()
        return Pointer(
            at.x(),
            at.y(),
            bool(keys & Qt.KeyboardModifier.ShiftModifier),
            bool(keys & Qt.KeyboardModifier.ControlModifier),
        )

    def far_from(self, other: "Pointer") -> bool:
        """Tell whether the pointer has left the slack around `other`."""
        return abs(self.x - other.x) > SLACK or abs(self.y - other.y) > SLACK


class Gesture:
    """One gesture. It changes nothing until it ends; `cancel` leaves everything as it was.

    Attributes:
        canvas: The canvas it works on.
        cursor: Shape of the pointer while it lasts.
        done: True when it has ended; the canvas then lets go of it.
        hints: Pairs of a key and what it does, shown along the lower edge.
    """

    cursor = Qt.CursorShape.ArrowCursor

    def __init__(self, canvas: "CanvasView") -> None:
        self.canvas = canvas
        self.done = False
        self.hints: list[tuple[str, str]] = []

    def press(self, at: Pointer) -> None:
        """Take a further press, for gestures made of several clicks."""

    def move(self, at: Pointer) -> None:
        """Follow the pointer."""

    def release(self, at: Pointer) -> None:
        """Take the release of the button."""

    def key(self, event: QKeyEvent) -> bool:
        """Take a key; returns False when it means nothing to the gesture."""
        return False

    def cancel(self) -> None:
        """End without a change."""
        self.done = True

    def overlay(self, picture: DisplayList) -> None:
        """Add what is shown above the drawing while the gesture lasts."""
