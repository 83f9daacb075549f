"""Bars painted in the colours of the window: shares of a whole, and one share on a track."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from designer.gui.fonts import font
from designer.gui.style import color
from designer.scene.theme import heat_color, text_on, token
from designer.units import format_percent


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a stacked bar; `hatched` parts are drawn lighter."""

    label: str
    value: float
    token: str


class StackedBar(QWidget):
    """Parts of a whole side by side; the first one carries its share when there is room."""

    def __init__(self, theme: str, height: int = 20, *, labelled: bool = False) -> None:
        super().__init__()
        self._theme, self._labelled = theme, labelled
        self._parts: tuple[Part, ...] = ()
        self._faint = False
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return a size that fits a card."""
        return QSize(160, self.height())

    def set_parts(self, parts: Sequence[Part]) -> None:
        """Show these parts; none leaves the empty track."""
        self._parts = tuple(p for p in parts if p.value > 0)
        total = sum(p.value for p in self._parts) or 1.0
        self.setAccessibleName(
            ", ".join(f"{p.label} {format_percent(p.value / total)}" for p in self._parts)
        )
        self.update()

    def set_faint(self, faint: bool) -> None:
        """Show that the parts belong to an older drawing."""
        self._faint = faint
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the parts, each as long as its share, with a gap of two pixels."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        width, height = float(self.width()), float(self.height())
        if not self._parts:
            painter.setBrush(color("hover", self._theme))
            painter.drawRoundedRect(QRectF(0, 0, width, height), 3, 3)
            return
        painter.setOpacity(0.6 if self._faint else 1.0)
        total = sum(p.value for p in self._parts)
        room = width - 2.0 * (len(self._parts) - 1)
        x = 0.0
        for k, part in enumerate(self._parts):
            w = max(2.0, room * part.value / total)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color(part.token, self._theme))
            painter.drawRoundedRect(QRectF(x, 0, w, height), 3, 3)
            if k == 0 and self._labelled and w > 60:
                painter.setFont(font(12, 600))
                painter.setPen(color(text_on(token(part.token, self._theme)), self._theme))
                painter.drawText(
                    QRectF(x + 10, 0, w - 10, height),
                    Qt.AlignmentFlag.AlignVCenter,
                    format_percent(part.value / total),
                )
            x += w + 2.0


class ShareBar(QWidget):
    """One share of one on a track; in the colours of utilisation, or in one token."""

    def __init__(self, theme: str, fill: str = "", height: int = 8, width: int = 0) -> None:
        super().__init__()
        self._theme, self._fill, self._share = theme, fill, 0.0
        self.setFixedHeight(height)
        if width:
            self.setFixedWidth(width)

    def set_share(self, share: float | None) -> None:
        """Show a share; None leaves the track empty."""
        self._share = max(0.0, min(1.0, share or 0.0))
        self.setAccessibleName(format_percent(share) if share is not None else "")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint track and share."""
        painter = QPainter(self)
        paint_share(painter, QRectF(self.rect()), self._share, self._theme, self._fill)


def paint_share(painter: QPainter, box: QRectF, share: float, theme: str, fill: str = "") -> None:
    """Paint a share of one into a box, also for delegates of tables."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color("hover", theme))
    painter.drawRoundedRect(box, 2, 2)
    if share > 0:
        painter.setBrush(color(fill or heat_color(share, theme), theme))
        part = QRectF(box.x(), box.y(), max(2.0, box.width() * min(1.0, share)), box.height())
        painter.drawRoundedRect(part, 2, 2)
    painter.restore()
