"""The front of one device, port by port as the maker arranged them."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolTip, QWidget

from designer.catalog.types import PortFamily
from designer.gui.bridge import Document
from designer.gui.fonts import font
from designer.gui.panels.port_facts import PortFact, peer_text, state_text, tip_lines
from designer.gui.panels.port_map import FAMILIES, tone_of
from designer.gui.style import color
from designer.messages import _
from designer.model.faceplate import columns_of, rows_of, seat
from designer.model.ports import Port
from designer.scene.theme import heat_color, text_on
from designer.units import format_bits_per_s, format_number

_EDGE, _HEAD, _ROW_GAP, _GAP_EVERY, _GAP = 12.0, 18.0, 4.0, 8, 8.0
_LEAST, _MOST, _TALLEST, _NARROW = 9.0, 34.0, 28.0, 130.0


@dataclass(frozen=True, slots=True)
class Cell:
    """One port or lane on the front, where it is painted and hit."""

    fact: PortFact
    box: QRectF


class Faceplate(QWidget):
    """Ports of one device. Arrows walk them; the owner says what a click or Enter does.

    Signals:
        walked: Another port has the focus.
        clicked, opened: A `PortFact` was clicked or given Enter; double-clicked or Enter on a link.
        dragged: A free port's `PortFact` and the pointer on the screen, while a button is held.
        dropped: The same when it is let go.
        escaped: Esc was pressed.
    """

    walked = Signal()
    clicked = Signal(object)
    opened = Signal(object)
    dragged = Signal(object, QPoint)
    dropped = Signal(object, QPoint)
    escaped = Signal()

    def __init__(self, document: Document, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._theme = document, theme
        self.device = ""
        self.facts: list[PortFact] = []
        self.cells: list[Cell] = []
        self._titles: list[tuple[float, float, str]] = []
        self.focus = self.anchor = 0
        self.fits: frozenset[Port] | None = None
        self.source: Port | None = None
        self._pressed: tuple[int, QPoint] | None = None
        self._dragging = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    # --- what is shown ---

    def show_facts(self, device: str, facts: list[PortFact]) -> None:
        """Show the ports of a device; the focus stays on the port it was on."""
        here = self.fact.port if self.facts and device == self.device else None
        self.device, self.facts = device, facts
        places = {f.port: k for k, f in enumerate(facts)}
        self.focus = self.anchor = places.get(here, 0) if here is not None else 0
        name = self._document.design.devices[device].name
        self.setAccessibleName(_("Ports of {device}").format(device=name))
        self._describe()
        self._arrange()

    @property
    def fact(self) -> PortFact:
        """Return the port that has the focus."""
        return self.facts[self.focus]

    def chosen(self) -> list[PortFact]:
        """Return the ports from the anchor to the focus, of the family of the focus."""
        low, high = sorted((self.anchor, self.focus))
        family = self.fact.port.family
        return [f for f in self.facts[low : high + 1] if f.port.family == family]

    def show_cabling(self, source: Port | None, fits: frozenset[Port] | None) -> None:
        """Mark the port a cable starts at, and those it may end on; None for neither."""
        self.source, self.fits = source, fits
        self.update()

    def at(self, spot: QPointF) -> int:
        """Return the place of the port at a pixel, or -1."""
        for k, cell in enumerate(self.cells):
            if cell.box.adjusted(-1, -1, 1, 1).contains(spot):
                return k
        return -1

    def box_of(self, port: Port) -> QRectF:
        """Return where a port is painted."""
        return next(c.box for c in self.cells if c.fact.port == port)

    def sizeHint(self) -> QSize:
        """Return the height that all rows take."""
        return QSize(420, self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the ports in the new width."""
        self._arrange()

    def _arrange(self) -> None:
        self.cells, self._titles = [], []
        if not self.facts:
            return
        design = self._document.design
        x, y, low = _EDGE, 6.0, 6.0
        for name, family in design.families(design.devices[self.device]).items():
            own = [f for f in self.facts if f.port.family == name]
            wide = max(_NARROW, self._wanted(family))
            # a few ports stand beside the family before them where there is room
            if x > _EDGE and x + wide > self.width() - _EDGE:
                x, y = _EDGE, low
            low = max(low, self._family(name, family, own, x, y))
            x += wide + 2 * _GAP
        self.setFixedHeight(round(low + 6))
        self.update()

    def _wanted(self, family: PortFamily) -> float:
        columns = columns_of(family)
        room = self.width() - 2 * _EDGE
        return min(room, columns * _MOST + (columns - 1) // _GAP_EVERY * _GAP)

    def _family(
        self, name: str, family: PortFamily, own: list[PortFact], x: float, y: float
    ) -> float:
        """Place the ports of a family at (x, y); return where it ends below."""
        speed = format_bits_per_s(family.speeds[0]) if family.speeds else ""
        count = f"{format_number(family.count)} × {speed}"
        self._titles.append((x, y, f"{_(FAMILIES.get(name, name))} · {count}"))
        y += _HEAD
        columns, rows = max(1, columns_of(family)), rows_of(family)
        gaps = (columns - 1) // _GAP_EVERY
        room = self.width() - _EDGE - x - gaps * _GAP
        pitch = min(_MOST, max(_LEAST, room / columns))
        high = min(_TALLEST, max(16.0, pitch * 1.1))
        for fact in own:
            column, row = seat(family, fact.port.number)
            left = x + column * pitch + (column // _GAP_EVERY) * _GAP
            box = QRectF(left, y + row * (high + _ROW_GAP), pitch - 2, high)
            self.cells.append(Cell(fact, _lane_box(box, fact)))
        return y + rows * (high + _ROW_GAP) + 2

    def _describe(self) -> None:
        if self.facts:
            design = self._document.design
            words = [self.fact.name, peer_text(design, self.fact), state_text(self.fact)]
            self.setAccessibleDescription(", ".join(w for w in words if w))

    # --- painting ---

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the front."""
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color("bodyLine", theme), 1))
        painter.setBrush(color("body2", theme))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setFont(font(11))
        painter.setPen(color("text2", theme))
        for x, y, text in self._titles:
            painter.drawText(QPointF(x, y + 12), text)
        selected = self._document.selection.ids
        held = set(map(id, self.chosen())) if self.facts and self.anchor != self.focus else set()
        for cell in self.cells:
            self._paint(painter, cell, cell.fact.cable in selected, id(cell.fact) in held)
        if self.hasFocus() and self.cells:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(color("accent", theme), 2))
            painter.drawRoundedRect(self.cells[self.focus].box.adjusted(-2, -2, 2, 2), 4, 4)
        painter.end()

    def _paint(self, painter: QPainter, cell: Cell, selected: bool, held: bool) -> None:
        theme, fact, box = self._theme, cell.fact, cell.box
        fill, edge, ink = self._look(fact)
        dotted = Qt.PenStyle.DotLine if not fact.cable else Qt.PenStyle.SolidLine
        if not fact.cable or fact.failed:
            painter.setPen(QPen(edge, 1.2, dotted))
        else:
            painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)
        if fact.cable and not fact.failed:
            painter.setBrush(edge)
            painter.drawRect(QRectF(box.x() + 1, box.y() + 1, box.width() - 2, 3))
        text = "×" if fact.failed else "!" if fact.severity in ("error", "warning") else ""
        if not text and fact.lanes == 1 and box.width() >= 15:
            text = str(fact.port.number)
        if text and box.width() > 6:
            painter.setFont(font(10, 600 if text in "×!" else 400))
            painter.setPen(ink)
            painter.drawText(box.adjusted(0, 2, 0, 0), Qt.AlignmentFlag.AlignCenter, text)
        ring = self._ring(fact, selected or held)
        if ring is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(color("accent", theme), ring))
            painter.drawRoundedRect(box.adjusted(-1, -1, 1, 1), 3, 3)

    def _look(self, fact: PortFact) -> tuple[QColor, QColor, QColor]:
        """Return fill, edge (or the strip that tells the peer) and text colour of a port."""
        theme = self._theme
        if fact.failed:
            return color("errTint", theme), color("err", theme), color("err", theme)
        if not fact.cable:
            return color("surface", theme), color("border2", theme), color("text2", theme)
        design = self._document.design
        device, cable = design.devices[self.device], design.cables.get(fact.cable)
        tone = tone_of(design, device, cable, theme) if cable else color("text3", theme).name()
        fill = heat_color(fact.load, theme) if fact.load is not None else tone
        if fact.severity in ("error", "warning"):
            fill = color("warnFill", theme).name()
        return QColor(fill), QColor(tone), QColor(text_on(fill))

    def _ring(self, fact: PortFact, strong: bool) -> float | None:
        if fact.port == self.source or strong:
            return 2.4
        return 1.6 if self.fits is not None and fact.port in self.fits else None

    # --- mouse and keys ---

    def event(self, event: QEvent) -> bool:
        """Say what is in the port under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            k = self.at(QPointF(event.pos()))
            if k >= 0:
                document = self._document
                text = tip_lines(document.design, document.catalog, self.cells[k].fact)
                QToolTip.showText(event.globalPos(), text, self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def walk(self, k: int, *, extend: bool = False) -> None:
        """Put the focus on the port at a place; with `extend` the ports between are held too."""
        self.focus = max(0, min(len(self.facts) - 1, k))
        if not extend:
            self.anchor = self.focus
        self._describe()
        self.update()
        self.walked.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take a port; a drag from a free one draws a cable."""
        k = self.at(event.position())
        if k >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self._pressed = k, event.globalPosition().toPoint()
            self.walk(k, extend=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw a cable out of a free port."""
        if self._pressed is None:
            return
        k, start = self._pressed
        at = event.globalPosition().toPoint()
        far = (at - start).manhattanLength() >= QApplication.startDragDistance()
        if not self.facts[k].cable and (self._dragging or far):
            self._dragging = True
            self.dragged.emit(self.facts[k], at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose the port, or end the cable."""
        if self._pressed is None:
            return
        (k, _start), self._pressed = self._pressed, None
        if self._dragging:
            self._dragging = False
            self.dropped.emit(self.facts[k], event.globalPosition().toPoint())
        elif self.at(event.position()) == k and self.anchor == self.focus:
            self.clicked.emit(self.facts[k])

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Go to the peer."""
        k = self.at(event.position())
        if k >= 0:
            self.walk(k)
            self.opened.emit(self.facts[k])

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show which port has the focus."""
        super().focusInEvent(event)
        self.walked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk with the arrows, hold with Shift, jump or cable with Enter, select with Space."""
        key = Qt.Key(event.key())
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if not self.facts:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.walk(0 if key == Qt.Key.Key_Home else len(self.facts) - 1, extend=shift)
        elif key in _STEPS:
            self.walk(self._beside(*_STEPS[key]), extend=shift)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(self.fact)
        elif key == Qt.Key.Key_Space:
            self.clicked.emit(self.fact)
        elif key == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    def _beside(self, dx: int, dy: int) -> int:
        """Return the place of the nearest port in a direction, or where the focus is."""
        here = self.cells[self.focus].box.center()
        best, found = float("inf"), self.focus
        for k, (ahead, aside) in enumerate(self._offsets(here, dx, dy)):
            if ahead > 0.5 and ahead + 4 * aside < best:
                best, found = ahead + 4 * aside, k
        return found

    def _offsets(self, here: QPointF, dx: int, dy: int) -> Iterator[tuple[float, float]]:
        for cell in self.cells:
            by = cell.box.center() - here
            yield by.x() * dx + by.y() * dy, abs(by.x() * dy) + abs(by.y() * dx)


_STEPS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


def _lane_box(box: QRectF, fact: PortFact) -> QRectF:
    """Return the part of a port that one of its lanes takes: beside, then below one another."""
    if fact.lanes == 1:
        return box
    across = 2 if fact.lanes <= 4 else 4
    down = -(-fact.lanes // across)
    row, column = divmod(fact.port.lane - 1, across)
    w, h = box.width() / across, box.height() / down
    return QRectF(box.x() + column * w, box.y() + row * h, w - 1, h - 1)
