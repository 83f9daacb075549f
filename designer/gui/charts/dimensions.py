"""Bytes of a step by parallel dimension, split by how far they go."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from designer.gui.fonts import font
from designer.gui.style import color
from designer.messages import N_, _
from designer.units import format_bytes, format_percent

ROW, BAR, LEFT, RIGHT, LEGEND = 28, 18, 150, 250, 24
TIERS = (
    ("nvlink", N_("inside NVLink domains"), "loc1"),
    ("scalable_unit", N_("inside scalable units"), "loc2"),
    ("cross_unit", N_("between units"), "loc3"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One dimension: bytes of a step by tier, over all GPUs, and its share of all bytes."""

    title: str
    bytes: Mapping[str, float]
    share: float


class DimensionBars(QWidget):
    """A bar a dimension, as long as its bytes, in the colours of locality."""

    def __init__(self, theme: str) -> None:
        super().__init__()
        self._theme = theme
        self._rows: tuple[Row, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Bytes of a step by dimension and locality"))

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show these dimensions."""
        self._rows = tuple(rows)
        self.setAccessibleDescription(", ".join(f"{r.title} {self._text(r)}" for r in self._rows))
        self.setFixedHeight(len(self._rows) * ROW + LEGEND)
        self.update()

    def rows(self) -> tuple[Row, ...]:
        """Return the dimensions that are shown."""
        return self._rows

    def sizeHint(self) -> QSize:
        """Return the height of all rows and the legend."""
        return QSize(480, len(self._rows) * ROW + LEGEND)

    def _text(self, row: Row) -> str:
        total = sum(row.bytes.values())
        text = f"{format_bytes(total)}, {format_percent(row.share)}"
        away = total - row.bytes.get("nvlink", 0.0)
        if total and away:
            text += ", " + _("{share} over the network").format(share=format_percent(away / total))
        return text

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint rows and legend."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        most = max((sum(r.bytes.values()) for r in self._rows), default=0.0) or 1.0
        scale = max(40.0, self.width() - LEFT - RIGHT) / most
        for k, row in enumerate(self._rows):
            self._paint_row(painter, row, k * ROW, scale)
        self._paint_legend(painter, len(self._rows) * ROW)

    def _paint_row(self, painter: QPainter, row: Row, y: float, scale: float) -> None:
        painter.setFont(font(12))
        painter.setPen(color("text", self._theme))
        title = painter.fontMetrics().elidedText(row.title, Qt.TextElideMode.ElideRight, LEFT - 12)
        painter.drawText(QRectF(0, y, LEFT - 8, ROW), Qt.AlignmentFlag.AlignVCenter, title)
        x = float(LEFT)
        painter.setPen(Qt.PenStyle.NoPen)
        for key, _title, token in TIERS:
            value = row.bytes.get(key, 0.0)
            if value <= 0:
                continue
            wide = max(1.5, value * scale)
            painter.setBrush(color(token, self._theme))
            painter.drawRoundedRect(QRectF(x, y + (ROW - BAR) / 2, wide, BAR), 2, 2)
            x += wide + 1
        painter.setFont(font(11, 600))
        painter.setPen(color("text", self._theme))
        box = QRectF(x + 6, y, max(0.0, self.width() - x - 6), ROW)
        text = painter.fontMetrics().elidedText(
            self._text(row), Qt.TextElideMode.ElideRight, round(box.width())
        )
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_legend(self, painter: QPainter, y: float) -> None:
        painter.setFont(font(11))
        x = float(LEFT)
        for _key, title, token in TIERS:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color(token, self._theme))
            painter.drawRoundedRect(QRectF(x, y + 9, 10, 10), 2, 2)
            painter.setPen(color("text2", self._theme))
            text = _(title)
            wide = painter.fontMetrics().horizontalAdvance(text)
            painter.drawText(
                QRectF(x + 15, y + 4, wide + 4, 20), Qt.AlignmentFlag.AlignVCenter, text
            )
            x += 15 + wide + 20
