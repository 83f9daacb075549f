"""Cables drawn from the port panel: on the canvas, or to a port of the other front."""

from PySide6.QtCore import QObject, QPoint, QPointF

from designer.gui.canvas.cable_ends import end_place
from designer.gui.canvas.cabling import DrawCable, End
from designer.gui.canvas.gesture import Pointer
from designer.gui.canvas.tools import cable_from
from designer.gui.canvas.view import CanvasView
from designer.gui.panels.faceplate import Faceplate
from designer.gui.panels.port_facts import PortFact
from designer.gui.panels.port_panel import PortPanel


class PortCabling(QObject):
    """Joins the fronts of a port panel with the canvas: one cable at a time, drawn by both."""

    def __init__(self, panel: PortPanel, canvas: CanvasView) -> None:
        super().__init__(panel)
        self._panel, self._canvas = panel, canvas
        panel.cable_started.connect(self.start)
        panel.cable_aimed.connect(self._end_at)
        panel.cable_dropped_from.connect(self._drop)
        panel.cable_dragged_from.connect(self._drag)
        panel.cable_cancelled.connect(self.cancel)

    def _gesture(self) -> DrawCable | None:
        gesture = self._canvas.gesture
        return gesture if isinstance(gesture, DrawCable) and not gesture.done else None

    def _begin(self, source: End) -> DrawCable | None:
        canvas = self._canvas
        canvas.cancel()
        start = Pointer(canvas.width() / 2, canvas.height() / 2)
        if source.port is not None and source.device in canvas.columns.index:
            x, y, _up = end_place(canvas, source.device, source.port, start)
            start = Pointer(x, y)
        gesture = cable_from(canvas, start, source)
        if gesture is None:
            return None
        gesture.wait_for_click()
        canvas.set_gesture(gesture)
        self._panel.show_cabling(source.device, source.port)
        return gesture

    def start(self, fact: PortFact) -> None:
        """Begin a cable at a port; the other front takes the focus, else the canvas."""
        device = self._panel.device_of(fact)
        if self._begin(End(device, fact.port)) is None:
            return
        other = self._panel.other(device)
        fits = sorted(other.fits or ()) if other is not None else []
        if other is not None and fits:
            other.walk(next(k for k, f in enumerate(other.facts) if f.port == fits[0]))
            other.setFocus()
        else:
            self._canvas.setFocus()

    def _end_at(self, plate: Faceplate, fact: PortFact) -> None:
        gesture = self._gesture()
        if gesture is not None:
            gesture.aim_at(End(plate.device, fact.port))
            gesture.finish()
            self._canvas.settle()
        self._panel.show_cabling("", None)

    def _drag(self, fact: PortFact, at: QPoint) -> None:
        gesture = self._gesture()
        device = self._panel.device_of(fact)
        if gesture is None or gesture.source != End(device, fact.port):
            gesture = self._begin(End(device, fact.port))
        if gesture is None:
            return
        found = self._panel.port_at(at)
        if found is not None:
            plate, k = found
            plate.walk(k)
            gesture.aim_at(End(plate.device, plate.facts[k].port))
        elif self._over_canvas(at):
            gesture.move(self._pointer(at))

    def _drop(self, _fact: PortFact, at: QPoint) -> None:
        gesture = self._gesture()
        found = self._panel.port_at(at)
        if gesture is not None and found is not None:
            self._end_at(found[0], found[0].facts[found[1]])
            return
        if gesture is not None and self._over_canvas(at):
            gesture.press(self._pointer(at))
            self._canvas.settle()
        else:
            self._canvas.cancel()
        self._panel.show_cabling("", None)

    def cancel(self) -> None:
        """Let go of the cable."""
        self._canvas.cancel()
        self._panel.show_cabling("", None)

    def _over_canvas(self, at: QPoint) -> bool:
        canvas = self._canvas
        return canvas.isVisible() and canvas.rect().contains(canvas.mapFromGlobal(at))

    def _pointer(self, at: QPoint) -> Pointer:
        spot = QPointF(self._canvas.mapFromGlobal(at))
        return Pointer(spot.x(), spot.y())
