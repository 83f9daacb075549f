"""Cabling: from port to port by dragging or by two clicks, or from device to device."""

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from designer.errors import DesignerError, WiringError
from designer.gui.canvas.cabling_picture import draw_cabling
from designer.gui.canvas.gesture import Gesture, Pointer
from designer.gui.canvas.link_facts import link_facts
from designer.messages import _
from designer.model.edits import Edit
from designer.model.ports import Port, free_ports, port_name, port_users
from designer.model.wiring import (
    as_range,
    compatible_free_ports,
    connect,
    connect_devices,
    refusal,
)
from designer.scene.display_list import DisplayList

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView


class End(NamedTuple):
    """One end of the cable being drawn; without a port it is the device as a whole."""

    device: str
    port: Port | None


def busy_reason(canvas: "CanvasView", end: End) -> str:
    """Return by whom the port of an end is taken, or an empty text when it is free."""
    device = canvas.design.devices[end.device]
    users = port_users(canvas.design, device).get(end.port) if end.port else None
    if not users or end.port is None:
        return ""
    peer = canvas.design.cables[users[0]].other_end(device.id)
    other = canvas.design.devices.get(peer.device)
    return _("{device} {port} is taken by {peer}.").format(
        device=device.name,
        port=port_name(canvas.design, device, end.port),
        peer=f"{other.name} {port_name(canvas.design, other, Port(peer.family, peer.first))}"
        if other
        else peer.device,
    )


class DrawCable(Gesture):
    """Draws one cable from a port (or a device) to where the pointer is let go or clicks next.

    Attributes:
        source: Where the cable begins.
        target: What the pointer is on: a port, a device, or None.
        reason: Why the target cannot take the cable; empty when it can.
    """

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, canvas: "CanvasView", at: Pointer, source: End) -> None:
        super().__init__(canvas)
        self.source = source
        self.target: End | None = None
        self.reason = ""
        self.at = at
        self._start = at
        self._by_clicks = False
        self._fits: dict[str, list[Port]] = {}
        self.hints = [
            (_("Click"), _("connect")),
            ("Shift", _("keep drawing")),
            ("Tab", _("next free port")),
            ("Esc", _("cancel")),
        ]

    # --- what fits ---

    def fits(self, device_id: str) -> list[Port]:
        """Return the free ports of a device that the cable may end on."""
        if device_id not in self._fits:
            design = self.canvas.design
            source, target = design.devices[self.source.device], design.devices[device_id]
            port = self.source.port
            self._fits[device_id] = (
                compatible_free_ports(design, source, port, target) if port else []
            )
        return self._fits[device_id]

    def _judge(self, target: End | None) -> str:
        """Return why the cable cannot end on `target`."""
        if target is None:
            return ""
        if target.port is None or self.source.port is None:
            return self._judge_devices(target)
        return refusal(self.canvas.design, as_range(*_sure(self.source)), as_range(*_sure(target)))

    def _judge_devices(self, target: End) -> str:
        try:
            connect_devices(self.canvas.design, self.source.device, target.device, 1)
        except WiringError as fault:
            return fault.message
        return ""

    def _resolve(self, found: End | None) -> End | None:
        """Turn a device under the pointer into its next free port that fits, where ports show."""
        if found is None or found.device == self.source.device:
            return None
        if found.port is None and self.source.port is not None:
            ports = self.fits(found.device)
            return End(found.device, ports[0]) if ports else found
        return found

    # --- following the hand ---

    def move(self, at: Pointer) -> None:
        """Follow the pointer and look at what is under it."""
        self.at = at
        self._aim(self._resolve(_under(self.canvas, at)))

    def _aim(self, target: End | None) -> None:
        changed = target != self.target
        self.target = target
        if changed:
            self.reason = self._why_not(target)
        self._show_card()
        self.canvas.update()

    def _why_not(self, target: End | None) -> str:
        if target is None:
            return ""
        if target.port is None and self.source.port is not None:
            return self._no_port(target)
        return self._judge(target)

    def _no_port(self, target: End) -> str:
        return self._judge_devices(target) or _("{device} has no free port that fits.").format(
            device=self.canvas.design.devices[target.device].name
        )

    def _show_card(self) -> None:
        canvas, target = self.canvas, self.target
        if target is None:
            canvas.hide_cards()
        elif self.reason:
            canvas.hide_cards()
            canvas.bubble.say(self.reason, self.at.x, self.at.y, stay=True)
        elif target.port is not None and self.source.port is not None:
            device = canvas.design.devices[target.device]
            title = _("Connect to {device} {port}").format(
                device=device.name, port=port_name(canvas.design, device, target.port)
            )
            facts = link_facts(canvas.design, canvas.catalog, _sure(self.source), _sure(target))
            canvas.bubble.hide()
            canvas.target_card.show_facts(title, facts, self.at.x, self.at.y)

    def release(self, at: Pointer) -> None:
        """After a drag connect; after a click wait for the second one."""
        if not self._by_clicks and not at.far_from(self._start):
            self._by_clicks = True
            return
        if not self._by_clicks:
            self.move(at)
            self._finish(at.shift)

    def press(self, at: Pointer) -> None:
        """Connect with the second click; on empty canvas let go."""
        self.move(at)
        self._finish(at.shift)

    def key(self, event: QKeyEvent) -> bool:
        """Walk free ports with Tab, connect with Enter."""
        if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self.next_port(-1 if event.key() == Qt.Key.Key_Backtab else 1)
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.target is not None:
            self._finish(bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
            return True
        return False

    def wait_for_click(self) -> None:
        """Go on without a held button: the next press or Enter connects."""
        self._by_clicks = True

    def next_port(self, step: int) -> None:
        """Go to the next free port that fits: of the target, or of the source without one."""
        if self.source.port is None:
            return
        if self.target is not None:
            ports = self.fits(self.target.device)
            if ports:
                place = ports.index(self.target.port) if self.target.port in ports else -step
                self._aim(End(self.target.device, ports[(place + step) % len(ports)]))
            return
        device = self.canvas.design.devices[self.source.device]
        ports = free_ports(self.canvas.design, device, self.source.port.family)
        if ports:
            place = ports.index(self.source.port) if self.source.port in ports else -step
            self.source = End(device.id, ports[(place + step) % len(ports)])
            self._fits.clear()
            self.canvas.update()

    def aim_at(self, target: End) -> None:
        """Aim at an end chosen by keyboard."""
        self._aim(self._resolve(target))

    # --- ending ---

    def finish(self) -> None:
        """Connect what is aimed at, or say why not."""
        self._finish(False)

    def _finish(self, again: bool) -> None:
        target, canvas = self.target, self.canvas
        if target is None:
            self.cancel()
            return
        if self.reason:
            ids = (self.source.device, target.device)
            reason, at = self.reason, self.at
            self.cancel()
            canvas.fault(WiringError(reason, _("Choose a free, compatible port."), ids))
            canvas.bubble.say(reason, at.x, at.y)
            return
        canvas.hide_cards()
        if target.port is None or self.source.port is None:
            self.done = True
            canvas.question.ask(self.source.device, target.device, self.at.x, self.at.y)
            return
        try:
            edit: Edit = connect(
                canvas.design, as_range(*_sure(self.source)), as_range(*_sure(target))
            )
        except DesignerError as fault:
            self.cancel()
            canvas.fault(fault)
            return
        if not canvas.apply(edit) or not again or not self._restart():
            self.done = True

    def _restart(self) -> bool:
        """Go on from the next free port of the same device; False when it has none left."""
        port = self.source.port
        device = self.canvas.design.devices[self.source.device]
        ports = free_ports(self.canvas.design, device, port.family) if port else []
        if not ports or port is None:
            return False
        after = [p for p in ports if p > port]
        self.source = End(device.id, (after or ports)[0])
        self.target, self.reason = None, ""
        self._by_clicks = True
        self._fits.clear()
        self.canvas.update()
        return True

    def cancel(self) -> None:
        """Let go without a cable."""
        self.done = True
        self.canvas.hide_cards()
        self.canvas.bubble.hide()

    def overlay(self, picture: DisplayList) -> None:
        """Show the ghost line, the ports that fit, and the discs at both ends."""
        draw_cabling(self.canvas, self, picture)


def _under(canvas: "CanvasView", at: Pointer) -> End | None:
    """Return the port or device under the pointer."""
    found = canvas.hit_at(at.x, at.y)
    if found is None or found.kind not in ("port", "device"):
        return None
    return End(found.id, found.port)


def _sure(end: End) -> tuple[str, Port]:
    """Return an end known to have a port as what `as_range` takes."""
    assert end.port is not None
    return end.device, end.port
