"""The front view of a device's ports, coloured by what they go to."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from designer.gui.fonts import font
from designer.gui.style import color
from designer.messages import N_, _
from designer.model.design import Design
from designer.model.faceplate import rows_of, seat
from designer.model.ports import Port, all_ports, expand, port_name
from designer.model.records import Cable, Device
from designer.scene.theme import rail_color

FAMILIES = {
    "fabric": N_("Fabric"),
    "nic": N_("NICs"),
    "nvlink": N_("NVLink"),
    "mgmt": N_("Management"),
}
# Front panels show groups of sixteen: eight columns of two ports.
GROUP = 16
MOST_ROWS = 4


@dataclass(frozen=True, slots=True)
class Place:
    """One port on the panel: where it is, what sits in it, and how it is painted."""

    port: Port
    box: QRectF
    cable: str
    tone: str
    faulty: bool
    text: str


@dataclass(frozen=True, slots=True)
class Band:
    """One line of groups with its heading."""

    heading: str
    top: float
    first: QRectF


class PortMap(QWidget):
    """Ports in their real order; arrows walk, a click or Enter selects what is in a port.

    Signals:
        cable_chosen: Id of the cable in the port.
        free_chosen: Name of a port without a cable.
    """

    cable_chosen = Signal(str)
    free_chosen = Signal(str)

    def __init__(self, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._design: Design | None = None
        self._device: Device | None = None
        self._marks: Mapping[str, str] = {}
        self._focus = 0
        self._chosen: frozenset[str] = frozenset()
        self.places: list[Place] = []
        self._headings: list[tuple[float, float, str]] = []
        self._height = 60
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Ports, front view"))

    # --- what is shown ---

    def show_device(
        self, design: Design, device: Device, marks: Mapping[str, str], chosen: frozenset[str]
    ) -> None:
        """Show the ports of a device; `marks` are severities by cable id."""
        self._design, self._device = design, device
        self._marks, self._chosen = marks, chosen
        self._arrange()

    def used(self) -> tuple[int, int]:
        """Return used and all ports."""
        return sum(1 for p in self.places if p.cable), len(self.places)

    def sizeHint(self) -> QSize:
        """Return the height that all rows take."""
        return QSize(280, self._height)

    def resizeEvent(self, event: QEvent) -> None:
        """Arrange the ports in the new width."""
        self._arrange()

    def _arrange(self) -> None:
        design, device = self._design, self._device
        self.places, self._headings = [], []
        if design is None or device is None:
            return
        cables = _cables_by_port(design, device)
        y = 8.0
        for family in design.families(device):
            ports = list(all_ports(design, device, family))
            if ports:
                y = self._family(design, device, family, ports, cables, y)
        self._height = round(y + 6)
        self.setFixedHeight(max(40, self._height))
        self._focus = min(self._focus, max(0, len(self.places) - 1))
        self.update()

    def _family(
        self,
        design: Design,
        device: Device,
        family: str,
        ports: list[Port],
        cables: Mapping[Port, Cable],
        y: float,
    ) -> float:
        room = max(120.0, self.width() - 20.0)
        columns = (len(ports) + 1) // 2
        # a panel of up to 36 columns is one line; larger ones are broken after 32 columns
        lines = 1 if columns <= 36 else -(-columns // 36)
        per_line = -(-columns // lines)
        gaps = max(0, (per_line - 1) // (GROUP // 2))
        pitch = min(14.0, (room - 4.0 * gaps) / max(1, per_line))
        w, h = max(2.5, pitch - 2.0), min(16.0, max(9.0, pitch * 1.7))
        many = len(design.families(device)) > 1
        self._headings.append((10.0, y, _(FAMILIES.get(family, family)) if many else ""))
        y += 13 if many else 0
        # with split ports the lanes take places of their own, one after another
        whole = design.families(device)[family] if not any(p.lane for p in ports) else None
        for k, port in enumerate(ports):
            column, row = divmod(k, 2)
            if whole and rows_of(whole) == 2:
                column, row = seat(whole, port.number)
            at_line, column = divmod(column, per_line)
            x = 10 + column * pitch + 4.0 * (column // (GROUP // 2))
            if row == 0 and column % (GROUP // 2) == 0:
                last = ports[min(len(ports), k + GROUP) - 1]
                span = f"{port.number}–{last.number}" if last != port else str(port.number)
                self._headings.append((x, y + at_line * (2 * h + 20), span))
            top = y + 14 + at_line * (2 * h + 20) + row * (h + 2)
            box = QRectF(x, top, w, h)
            self.places.append(self._place(design, device, port, box, cables.get(port)))
        return y + lines * (2 * h + 20)

    def _place(
        self, design: Design, device: Device, port: Port, box: QRectF, cable: Cable | None
    ) -> Place:
        name = port_name(design, device, port)
        if cable is None:
            return Place(port, box, "", "", False, _("{port}: free").format(port=name))
        tone = tone_of(design, device, cable, self._theme)
        end = cable.other_end(device.id)
        peer = design.devices.get(end.device)
        place = expand(device, cable.end_at(device.id)).index(port)
        other = (
            f"{peer.name} {port_name(design, peer, expand(peer, end)[place])}"
            if peer
            else end.device
        )
        faulty = self._marks.get(cable.id) in ("error", "warning")
        return Place(port, box, cable.id, tone, faulty, f"{name} → {other}")

    # --- painting ---

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the panel."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._theme
        painter.setPen(QPen(color("bodyLine", theme), 1))
        painter.setBrush(color("body2", theme))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setFont(font(10))
        painter.setPen(color("text2", theme))
        for x, y, text in self._headings:
            painter.drawText(QPointF(x, y + 10), text)
        for place in self.places:
            self._paint_port(painter, place)
        if self.hasFocus() and self.places:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(color("accent", theme), 2))
            painter.drawRoundedRect(self.places[self._focus].box.adjusted(-2, -2, 2, 2), 3, 3)

    def _paint_port(self, painter: QPainter, place: Place) -> None:
        theme = self._theme
        if not place.cable:
            pen = QPen(color("border2", theme), 1, Qt.PenStyle.DotLine)
            painter.setPen(pen)
            painter.setBrush(color("surface", theme))
            painter.drawRoundedRect(place.box.adjusted(0.5, 0.5, -0.5, -0.5), 1.5, 1.5)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color("warnFill", theme) if place.faulty else QColor(place.tone))
        painter.drawRoundedRect(place.box, 1.5, 1.5)
        if place.cable in self._chosen:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(color("accent", theme), 1.6))
            painter.drawRoundedRect(place.box.adjusted(-1, -1, 1, 1), 2, 2)
        if place.faulty and place.box.width() > 4:
            painter.setPen(QColor("#10151C"))
            painter.setFont(font(10, 600))
            painter.drawText(place.box, Qt.AlignmentFlag.AlignCenter, "!")

    # --- mouse and keys ---

    def _at(self, at: QPointF) -> int:
        for k, place in enumerate(self.places):
            if place.box.adjusted(-1, -1, 1, 1).contains(at):
                return k
        return -1

    def event(self, event: QEvent) -> bool:
        """Say what is in the port under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            k = self._at(QPointF(event.pos()))
            if k >= 0:
                QToolTip.showText(event.globalPos(), self.places[k].text, self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select what is in the port."""
        k = self._at(event.position())
        if k >= 0:
            self._focus = k
            self._choose()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk the ports with the arrows; Enter selects."""
        steps = {
            Qt.Key.Key_Left: -2,
            Qt.Key.Key_Right: 2,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
        }
        key = Qt.Key(event.key())
        if key in steps and self.places:
            self._focus = max(0, min(len(self.places) - 1, self._focus + steps[key]))
            self.setAccessibleDescription(self.places[self._focus].text)
            self.update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.places:
            self._choose()
        else:
            super().keyPressEvent(event)

    def _choose(self) -> None:
        place = self.places[self._focus]
        self.update()
        if place.cable:
            self.cable_chosen.emit(place.cable)
        else:
            self.free_chosen.emit(place.text)


def _cables_by_port(design: Design, device: Device) -> dict[Port, Cable]:
    found = {}
    for cable_id in design.cables_of(device.id):
        cable = design.cables[cable_id]
        for end in (cable.a, cable.b):
            if end.device == device.id:
                for port in expand(device, end):
                    found[port] = cable
    return found


def tone_of(design: Design, device: Device, cable: Cable, theme: str) -> str:
    """Return the colour of a used port: that of its rail, or of the role at the other end."""
    ends = (cable.a, cable.b)
    for end in ends:
        at = design.devices.get(end.device)
        if end.family == "nic" and at is not None:
            return rail_color(design.rail(at, end.first), theme)
    if any(e.family == "nvlink" for e in ends):
        return color("nvswLine", theme).name()
    peer = design.devices.get(cable.other_end(device.id).device)
    return color(peer.role if peer is not None else "text3", theme).name()
