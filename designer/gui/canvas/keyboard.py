"""The canvas without a mouse: keys for commands, Tab and arrows to walk devices and ports."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from designer.gui.canvas.cable_ends import end_place
from designer.gui.canvas.cabling import DrawCable, End
from designer.gui.canvas.gesture import Pointer
from designer.gui.canvas.tools import TOOLS, cable_from
from designer.model.ports import port_name

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView

_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class Keyboard:
    """Keys of one canvas.

    Attributes:
        focus: Device, and port, that the keyboard is on; None while the mouse leads.
        space: True while Space is held: the left button pans.
    """

    def __init__(self, canvas: "CanvasView") -> None:
        self._canvas = canvas
        self.focus: End | None = None
        self.space = False
        ctrl, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
        none = Qt.KeyboardModifier.NoModifier
        verbs = canvas.verbs
        self._commands: dict[tuple[int, Qt.KeyboardModifier], Callable[[], object]] = {
            (Qt.Key.Key_Delete, none): verbs.delete,
            (Qt.Key.Key_Backspace, none): verbs.delete,
            (Qt.Key.Key_A, ctrl): verbs.select_all,
            (Qt.Key.Key_C, ctrl): verbs.copy,
            (Qt.Key.Key_X, ctrl): verbs.cut,
            (Qt.Key.Key_V, ctrl): verbs.paste,
            (Qt.Key.Key_D, ctrl): verbs.duplicate,
            (Qt.Key.Key_L, ctrl): verbs.tidy,
            (Qt.Key.Key_F, none): canvas.zoom_to_fit,
            (Qt.Key.Key_F, shift): lambda: canvas.zoom_to(canvas.selection),
            (Qt.Key.Key_R, none): lambda: canvas.set_colour_mode("rail"),
            (Qt.Key.Key_U, none): lambda: canvas.set_colour_mode("utilization"),
            (Qt.Key.Key_K, none): lambda: canvas.set_colour_mode("kind"),
        }
        self._signs: dict[str, Callable[[], object]] = {
            "+": lambda: canvas.zoom_by(1.25),
            "=": lambda: canvas.zoom_by(1.25),
            "-": lambda: canvas.zoom_by(1 / 1.25),
            "−": lambda: canvas.zoom_by(1 / 1.25),
            "/": canvas.quick_add,
        }
        for name, tool in TOOLS.items():
            self._commands[ord(tool.key), none] = self._taker(name)

    def _taker(self, name: str) -> Callable[[], object]:
        return lambda: self._canvas.set_tool(name)

    def press(self, event: QKeyEvent) -> bool:
        """Take a key; returns False when it means nothing here."""
        canvas, key = self._canvas, event.key()
        if key == Qt.Key.Key_Escape:
            return self._escape()
        if canvas.gesture is not None:
            used = canvas.gesture.key(event)
            canvas.settle()
            return used or self._cabling_key(key)
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.focus is not None:
            self._enter()
            return True
        if key == Qt.Key.Key_Space:
            self.space = True
            canvas.setCursor(Qt.CursorShape.OpenHandCursor)
            return True
        if Qt.Key(key) in _ARROWS:
            return self._arrow(event)
        return self._command(event)

    def _command(self, event: QKeyEvent) -> bool:
        keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        call = self._commands.get((event.key(), keys))
        if call is None and not keys & Qt.KeyboardModifier.ControlModifier:
            call = self._signs.get(event.text())
        if call is None:
            return False
        call()
        return True

    def release(self, event: QKeyEvent) -> None:
        """Put the hand away when Space is let go."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.space = False
            if self._canvas.gesture is None:
                self._canvas.setCursor(TOOLS[self._canvas.tool].cursor)

    def forget(self) -> None:
        """Let the mouse lead again."""
        if self.focus is not None:
            self.focus = None
            self._canvas.update()

    def _escape(self) -> bool:
        canvas = self._canvas
        canvas.bubble.hide()
        if canvas.cancel():
            return True
        if self.focus is not None and self.focus.port is not None:
            self._go(End(self.focus.device, None))
        elif self.focus is not None:
            self.forget()
        elif canvas.tool != "select":
            canvas.set_tool("select")
        elif canvas.filtering.clear():
            return True
        elif canvas.selection:
            canvas.select(frozenset())
        else:
            return False
        return True

    # --- walking ---

    def _order(self) -> list[str]:
        """Return device ids as one reads them: from the top, then from the left."""
        columns = self._canvas.columns
        kept = self._canvas.state.kept
        found = range(len(columns.ids)) if kept is None else kept.devices.nonzero()[0].tolist()
        rows = sorted(found, key=lambda k: (columns.y[k], columns.x[k]))
        return [columns.ids[k] for k in rows]

    def tab(self, step: int) -> bool:
        """Go to the next device, or the next free port of a cable; False past the last device."""
        gesture = self._canvas.gesture
        if isinstance(gesture, DrawCable):
            gesture.next_port(step)
            return True
        if not self._canvas.hasFocus():
            return False
        order = self._order()
        here = self.focus.device if self.focus is not None else None
        place = order.index(here) + step if here in order else 0 if step > 0 else len(order) - 1
        if not 0 <= place < len(order):
            self.forget()
            return False
        self._go(End(order[place], None))
        return True

    def _go(self, focus: End) -> None:
        self.focus = focus
        canvas = self._canvas
        box = canvas.boxes([focus.device])[0]
        if not (box[0] >= 0 and box[0] + box[2] <= canvas.width()) or not (
            box[1] >= 0 and box[1] + box[3] <= canvas.height()
        ):
            dx = round(canvas.width() / 2 - box[0] - box[2] / 2)
            dy = round(canvas.height() / 2 - box[1] - box[3] / 2)
            canvas.pan_by(dx, dy)
        canvas.setAccessibleDescription(self._spoken(focus))
        canvas.update()

    def _spoken(self, focus: End) -> str:
        """Return what a screen reader says of the focused device or port."""
        design = self._canvas.design
        device = design.devices[focus.device]
        if focus.port is None:
            return device.name
        return f"{device.name} {port_name(design, device, focus.port)}"

    def _arrow(self, event: QKeyEvent) -> bool:
        dx, dy = _ARROWS[Qt.Key(event.key())]
        focus = self.focus
        if focus is not None and focus.device not in self._canvas.selection:
            self._walk_ports(focus, dx or dy)
            return True
        if not self._canvas.selection:
            return False
        large = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._canvas.verbs.nudge(dx, dy, large)
        return True

    def _walk_ports(self, focus: End, step: int) -> None:
        row = self._canvas.columns.index[focus.device]
        ports = [p.port for p in self._canvas.ports_of(row)]
        if ports:
            place = ports.index(focus.port) + step if focus.port in ports else 0
            self._go(End(focus.device, ports[place % len(ports)]))

    def _enter(self) -> None:
        """Select the focused device, or begin a cable at the focused port."""
        canvas, focus = self._canvas, self.focus
        assert focus is not None
        if focus.port is None:
            if focus.device in canvas.selection:
                canvas.device_opened.emit(focus.device)
            canvas.select(frozenset({focus.device}))
            return
        x, y, _up = end_place(canvas, focus.device, focus.port, Pointer(0, 0))
        gesture = cable_from(canvas, Pointer(x, y), focus)
        if gesture is not None:
            gesture.wait_for_click()
            canvas.set_gesture(gesture)

    def _cabling_key(self, key: int) -> bool:
        """Walk the devices that a cable may end on with the arrows."""
        gesture = self._canvas.gesture
        arrow = _ARROWS.get(Qt.Key(key))
        if not isinstance(gesture, DrawCable) or arrow is None:
            return False
        order = [i for i in self._order() if i != gesture.source.device and gesture.fits(i)]
        if order:
            here = gesture.target.device if gesture.target else None
            step = arrow[0] or arrow[1]
            place = order.index(here) + step if here in order else 0
            gesture.aim_at(End(order[place % len(order)], None))
        return True
