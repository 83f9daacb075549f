"""Tools: what a press begins while one of them is in hand."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from designer.errors import WiringError
from designer.gui.canvas.cabling import DrawCable, End, busy_reason
from designer.gui.canvas.gesture import Gesture, Pointer
from designer.gui.canvas.move import MoveSelection
from designer.gui.canvas.pan import Pan
from designer.gui.canvas.select import RubberBand
from designer.messages import N_, _
from designer.model.ports import free_ports
from designer.scene.hits import Hit
from designer.scene.view import PORT

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView

Start = Callable[["CanvasView", Pointer, Hit | None], Gesture | None]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: its name in menus, its key, the pointer's shape, what a press begins."""

    title: str
    key: str
    cursor: Qt.CursorShape
    start: Start


class PortPress(Gesture):
    """A press on a port with the select tool: a drag draws a cable, a click selects."""

    def __init__(self, canvas: "CanvasView", at: Pointer, hit: Hit) -> None:
        super().__init__(canvas)
        self._start, self._hit = at, hit

    def move(self, at: Pointer) -> None:
        """Become a cable once the pointer leaves the port."""
        if at.far_from(self._start):
            self.done = True
            gesture = cable_from(self.canvas, self._start, End(self._hit.id, self._hit.port))
            self.canvas.set_gesture(gesture)
            if gesture is not None:
                gesture.move(at)

    def release(self, at: Pointer) -> None:
        """Select the cable of the port, or its device when it is free."""
        self.done = True
        ids = frozenset(self._hit.cables or (self._hit.id,))
        chosen = self.canvas.selection
        self.canvas.select(chosen ^ ids if at.shift or at.control else ids)


def cable_from(canvas: "CanvasView", at: Pointer, source: End) -> DrawCable | None:
    """Begin a cable, or refuse with the reason when the port is taken."""
    reason = busy_reason(canvas, source)
    if reason:
        canvas.bubble.say(reason, at.x, at.y)
        canvas.fault(
            WiringError(reason, _("Remove that cable, or choose a free port."), (source.device,))
        )
        return None
    canvas.bubble.hide()
    return DrawCable(canvas, at, source)


def _start_select(canvas: "CanvasView", at: Pointer, hit: Hit | None) -> Gesture | None:
    if hit is None:
        return RubberBand(canvas, at)
    if hit.kind == "port":
        return PortPress(canvas, at, hit)
    more = at.shift or at.control
    if hit.kind == "block":
        return _start_block(canvas, at, hit, more)
    if hit.kind == "cable":
        ids = frozenset(hit.cables)
        kept = canvas.selection
        canvas.select((kept - ids if ids <= kept else kept | ids) if more else ids)
        return None
    toggle = ""
    if hit.id in canvas.selection:
        toggle = hit.id if more else ""
    else:
        canvas.select(canvas.selection | {hit.id} if more else frozenset({hit.id}))
    return MoveSelection(canvas, at, hit.id, toggle)


def _start_block(canvas: "CanvasView", at: Pointer, hit: Hit, more: bool) -> Gesture | None:
    """Select all devices of a block; moving it takes a closer look."""
    ids, kept = frozenset(hit.devices), canvas.selection
    canvas.select((kept - ids if ids <= kept else kept | ids) if more else ids)
    return None


def _start_cable(canvas: "CanvasView", at: Pointer, hit: Hit | None) -> Gesture | None:
    if hit is not None and hit.kind == "port":
        return cable_from(canvas, at, End(hit.id, hit.port))
    if hit is not None and hit.kind == "device":
        return _cable_from_device(canvas, at, hit.id)
    return RubberBand(canvas, at) if hit is None else None


def _cable_from_device(canvas: "CanvasView", at: Pointer, id_: str) -> Gesture | None:
    if canvas.frame().level < PORT:
        return DrawCable(canvas, at, End(id_, None))
    device = canvas.design.devices[id_]
    for family in ("nic", "fabric", "nvlink", "mgmt"):
        ports = free_ports(canvas.design, device, family)
        if ports:
            return DrawCable(canvas, at, End(id_, ports[0]))
    reason = _("{device} has no free port.").format(device=device.name)
    canvas.bubble.say(reason, at.x, at.y)
    canvas.fault(WiringError(reason, _("Remove a cable first."), (id_,)))
    return None


def _start_note(canvas: "CanvasView", at: Pointer, hit: Hit | None) -> Gesture | None:
    x, y = canvas.view.to_drawing(at.x, at.y)
    canvas.edit_note(hit.id if hit is not None and hit.kind == "note" else "", x, y)
    return None


def _start_pan(canvas: "CanvasView", at: Pointer, hit: Hit | None) -> Gesture | None:
    return Pan(canvas, at)


TOOLS: dict[str, Tool] = {
    "select": Tool(N_("Select"), "V", Qt.CursorShape.ArrowCursor, _start_select),
    "pan": Tool(N_("Pan"), "H", Qt.CursorShape.OpenHandCursor, _start_pan),
    "cable": Tool(N_("Cable"), "C", Qt.CursorShape.CrossCursor, _start_cable),
    "note": Tool(N_("Note"), "N", Qt.CursorShape.IBeamCursor, _start_note),
}
