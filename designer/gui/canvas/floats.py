"""What floats above the lower edge of the canvas: legend, zoom control, scale note, key hints."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from designer.gui.canvas.card_style import Card, icon_button, paint_icon
from designer.gui.render import canvas_font
from designer.messages import _
from designer.scene.theme import HEAT, RAILS, text_on, token
from designer.units import format_significant

HEIGHT = 32
# The legend marks these shares of capacity.
MARKS = (0, 50, 70, 90, 100)


class _Swatches(QWidget):
    """The rails in their colours, with their numbers."""

    def __init__(self, parent: QWidget, theme: str) -> None:
        super().__init__(parent)
        self.theme = theme
        self.rails = 8

    def set_rails(self, rails: int) -> None:
        """Show so many rails."""
        if rails != self.rails:
            self.rails = rails
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        """Return room for one swatch a rail."""
        return QSize(self.rails * 21 - 5, 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the swatches."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(canvas_font(10, 600))
        for rail in range(self.rails):
            fill = RAILS[self.theme][rail % 8]
            box = QRectF(rail * 21, (self.height() - 16) / 2, 16, 16)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(fill))
            painter.drawRoundedRect(box, 3, 3)
            painter.setPen(QColor(text_on(fill)))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(rail + 1))


class _HeatBar(QWidget):
    """The fixed scale of link utilisation, 0 to 100 %, with a mark at the hottest link."""

    def __init__(self, parent: QWidget, theme: str) -> None:
        super().__init__(parent)
        self.theme = theme
        self.peak: float | None = None

    def sizeHint(self) -> QSize:
        """Return the size of the bar with its marks below."""
        return QSize(190, 26)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint bar, marks and the peak."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(0, (self.height() - 26) / 2)
        left, width = 8.0, self.width() - 30.0
        scale = QLinearGradient(QPointF(left, 0), QPointF(left + width, 0))
        for k, stop in enumerate(HEAT[self.theme]):
            scale.setColorAt(k / 10, QColor(stop))
        painter.fillRect(QRectF(left, 2, width, 8), scale)
        painter.setFont(canvas_font(10, 400))
        painter.setPen(QColor(token("text2", self.theme)))
        for mark in MARKS:
            if mark == 90:  # its figure would touch the last one; the tick stands alone
                x = left + width * 0.9
                painter.drawLine(QPointF(x, 2), QPointF(x, 13))
                continue
            text = f"{mark} %" if mark == 100 else str(mark)
            box = QRectF(left + width * mark / 100 - 20, 11, 40, 14)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        if self.peak is not None:
            x = left + width * min(1.0, self.peak)
            painter.setPen(QPen(QColor(token("text", self.theme)), 2))
            painter.drawLine(QPointF(x, 0), QPointF(x, 12))


class _Kinds(QWidget):
    """Line styles of the cable kinds."""

    def __init__(self, parent: QWidget, theme: str) -> None:
        super().__init__(parent)
        self.theme = theme

    def _rows(self) -> tuple[tuple[str, list[float], float], ...]:
        return (
            (_("copper"), [], 3.0),
            (_("AOC"), [], 1.4),
            (_("multimode"), [2.5, 2.0], 2.0),
            (_("single mode"), [5.0, 2.0], 2.0),
        )

    def sizeHint(self) -> QSize:
        """Return room for one sample a kind."""
        return QSize(len(self._rows()) * 96, 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a sample and a name of each kind."""
        painter = QPainter(self)
        painter.translate(0, (self.height() - 18) / 2)
        painter.setFont(canvas_font(11, 400))
        for k, (name, dash, width) in enumerate(self._rows()):
            pen = QPen(QColor(token("text2", self.theme)), width)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            if dash:
                pen.setDashPattern(dash)
            painter.setPen(pen)
            painter.drawLine(QPointF(k * 96, 9), QPointF(k * 96 + 24, 9))
            painter.setPen(QColor(token("text2", self.theme)))
            painter.drawText(QPointF(k * 96 + 30, 13), name)


class Legend(Card):
    """Says what the colours of the cables mean, in the colour mode at hand."""

    def __init__(self, parent: QWidget, theme: str) -> None:
        self._bodies: dict[str, tuple[str, QWidget]] = {}
        super().__init__(parent, theme)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 2, 10, 2)
        row.setSpacing(10)
        self._title = QLabel(self)
        self._title.setFont(canvas_font(11, 600))
        row.addWidget(self._title)
        self.swatches = _Swatches(self, theme)
        self.heat = _HeatBar(self, theme)
        self._bodies = {
            "rail": (_("Cables by rail"), self.swatches),
            "utilization": (_("Peak link utilisation"), self.heat),
            "kind": (_("Cables by kind"), _Kinds(self, theme)),
        }
        for _title, body in self._bodies.values():
            row.addWidget(body)
        self.set_mode("rail")

    def set_mode(self, mode: str) -> None:
        """Show the legend of a colour mode: `rail`, `utilization` or `kind`."""
        for name, (title, body) in self._bodies.items():
            body.setVisible(name == mode)
            if name == mode:
                self._title.setText(title)
        self.adjustSize()

    def set_theme(self, theme: str) -> None:
        """Use the colours of `theme` from now on."""
        super().set_theme(theme)
        for _title, body in self._bodies.values():
            body.theme = theme  # type: ignore[attr-defined]
            body.update()


class ZoomControl(Card):
    """Minus, the scale in per cent, plus, and fit."""

    def __init__(
        self, parent: QWidget, theme: str, zoom: Callable[[float], None], fit: Callable[[], None]
    ) -> None:
        self._buttons: dict[str, object] = {}
        super().__init__(parent, theme)
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 2, 6, 2)
        row.setSpacing(4)
        less = icon_button(self, "minus", _("Zoom out"), theme)
        more = icon_button(self, "plus", _("Zoom in"), theme)
        whole = icon_button(self, "zoom-fit", _("Zoom to fit"), theme)
        self.text = QLabel(self)
        self.text.setFont(canvas_font(12, 400))
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text.setMinimumWidth(52)
        less.clicked.connect(lambda: zoom(1 / 1.25))
        more.clicked.connect(lambda: zoom(1.25))
        whole.clicked.connect(lambda _on=False: fit())
        for widget in (less, self.text, more, whole):
            row.addWidget(widget)
        self._buttons = {"minus": less, "plus": more, "zoom-fit": whole}
        self.set_scale(1.0)

    def set_scale(self, scale: float) -> None:
        """Show a scale, 1 being 100 %."""
        self.text.setText(f"{format_significant(scale * 100, 2 if scale < 1 else 3)} %")

    def set_theme(self, theme: str) -> None:
        """Use the colours of `theme` from now on."""
        super().set_theme(theme)
        for name, button in self._buttons.items():
            paint_icon(button, name, theme)  # type: ignore[arg-type]


class ScaleNote(Card):
    """One line that says what a stroke stands for at this level of detail."""

    def __init__(self, parent: QWidget, theme: str) -> None:
        super().__init__(parent, theme)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 2, 12, 2)
        self.text = QLabel(self)
        self.text.setFont(canvas_font(11, 400))
        row.addWidget(self.text)

    def set_text(self, text: str) -> None:
        """Show a note; an empty one hides the card."""
        self.text.setText(text)
        self.setVisible(bool(text))
        self.adjustSize()


class KeyHints(Card):
    """The keys that a gesture listens to, along the lower edge."""

    def __init__(self, parent: QWidget, theme: str) -> None:
        super().__init__(parent, theme)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, 2, 12, 2)
        self._row.setSpacing(6)
        self.hide()

    def show_hints(self, hints: list[tuple[str, str]]) -> None:
        """Show pairs of a key and what it does; none hides the card."""
        while self._row.count():
            item = self._row.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()
        for key, meaning in hints:
            cap = QLabel(key, self)
            cap.setFont(canvas_font(11, 600))
            cap.setStyleSheet(
                f"background: {token('body2', self.theme)}; padding: 1px 6px; border-radius: 4px;"
                f"border: 1px solid {token('border2', self.theme)}; color: "
                f"{token('text', self.theme)};"
            )
            text = QLabel(meaning, self)
            text.setFont(canvas_font(11, 400))
            self._row.addWidget(cap)
            self._row.addWidget(text)
            self._row.addSpacing(8)
        self.setVisible(bool(hints))
        self.adjustSize()
