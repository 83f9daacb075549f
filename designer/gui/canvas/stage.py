"""When the frame of a canvas is painted: at once, coarse while it moves, in slices after a rest."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QTimer
from PySide6.QtGui import QPainter

from designer.gui.canvas.retained import RetainedFrame

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView

# Rest after the last motion before a large drawing is brought to full detail.
REST_MS = 120
# The first frame of a drawing with fewer bundles of cables is painted in full at once.
FEW = 2000


class Stage:
    """Keeps the retained frame of one canvas in step with its view, drawing and state.

    Attributes:
        retained: The frame.
        stale: True when the frame no longer shows the drawing as it is.
    """

    def __init__(self, canvas: "CanvasView") -> None:
        self._canvas = canvas
        self.retained = RetainedFrame()
        self.stale = True
        self._moving = False
        self._rest = QTimer(canvas)
        self._rest.setInterval(REST_MS)
        self._slices = QTimer(canvas)
        self._slices.setInterval(0)
        for clock, call in ((self._rest, self._rested), (self._slices, self._refine)):
            clock.setSingleShot(True)
            clock.timeout.connect(call)

    def moved(self) -> None:
        """Follow a view that changed in any way."""
        self.stale = True
        self._moving = not self.retained.cheap(self._canvas.view)
        if self._moving:
            self._slices.stop()
            self._rest.start()

    def edited(self, area: QRect | None) -> None:
        """Follow an edit that touched `area` of the screen; None means anything."""
        canvas = self._canvas
        cheap = self.retained.cheap(canvas.view)
        if cheap or area is None or self.retained.view != canvas.view:
            self.stale = True
            return
        self.retained.paint_region(canvas.columns, canvas.view, canvas.state, area)
        self._rest.start()

    def finish(self) -> None:
        """Bring the frame to full detail now."""
        self._begin()
        self.retained.finish()
        self._slices.stop()
        self.stale = False

    def paint(self, painter: QPainter) -> None:
        """Draw the frame, painted anew first where that is due."""
        canvas = self._canvas
        self.retained.resize(canvas.size(), canvas.devicePixelRatioF())
        if self.stale:
            self._paint_stale()
        self.stale = False
        self.retained.draw(painter)

    def _paint_stale(self) -> None:
        canvas, frame = self._canvas, self.retained
        first = frame.view is None and len(canvas.columns.bundles.a) < FEW
        if first or frame.cheap(canvas.view):
            frame.paint_whole(canvas.columns, canvas.view, canvas.state)
        elif self._moving or frame.view != canvas.view:
            frame.paint_whole(canvas.columns, canvas.view, replace(canvas.state, moving=True))
            self._rest.start()
        else:
            # in slices behind the old frame, so that the window stays awake
            self._begin()
            self._slices.start()

    def _begin(self) -> None:
        canvas = self._canvas
        self.retained.resize(canvas.size(), canvas.devicePixelRatioF())
        self.retained.begin_refining(canvas.columns, canvas.view, canvas.state)

    def _rested(self) -> None:
        self._moving = False
        if not self.retained.fine or self.retained.view != self._canvas.view:
            self._begin()
            self._slices.start()

    def _refine(self) -> None:
        if self.retained.refine():
            self._slices.start()
        else:
            self._canvas.update()
