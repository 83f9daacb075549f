"""Small marks of the comparison: ranges, flips, legend, pairs of bars."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from designer.gui.dialogs.fabrics import FABRICS
from designer.gui.fonts import font
from designer.gui.labels import DASH
from designer.gui.style import color
from designer.messages import _
from designer.units import Range, format_range


class SpreadLine(QWidget):
    """A range with a mark, on a scale shared with its neighbours."""

    def __init__(self, theme: str, token: str, square: bool) -> None:
        super().__init__()
        self._theme, self._token, self._square = theme, token, square
        self._scale, self._spread = (0.0, 1.0), Range(0.0, 0.5, 1.0)
        self.setFixedHeight(16)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return a size that fits any range."""
        return QSize(160, 16)

    def show_spread(self, spread: Range, low: float, high: float) -> None:
        """Show a range on a scale from `low` to `high`."""
        self._spread, self._scale = spread, (low, high)
        self.setAccessibleName(format_range(spread))
        self.setToolTip(format_range(spread))
        self.update()

    def _x(self, value: float) -> float:
        low, high = self._scale
        return 6 + (self.width() - 12) * (value - low) / ((high - low) or 1.0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint range and mark."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tone = color(self._token, self._theme)
        left, right = self._x(self._spread.low), self._x(self._spread.high)
        painter.setOpacity(0.28)
        painter.setPen(QPen(tone, 0))
        painter.setBrush(tone)
        painter.drawRoundedRect(QRectF(left, 4, max(4.0, right - left), 8), 3, 3)
        painter.setOpacity(1.0)
        x = self._x(self._spread.typical)
        if self._square:
            painter.drawRect(QRectF(x - 4.5, 3.5, 9, 9))
        else:
            painter.drawEllipse(QPointF(x, 8), 5, 5)


class FlipLine(QWidget):
    """Where a value stands now, and where the verdict would turn."""

    def __init__(self, flip: dict[str, Any], theme: str) -> None:
        super().__init__()
        self._theme = theme
        now, there = float(flip["now"]), float(flip["value"])
        low, high = float(flip["low"]), float(flip["high"])
        first, last = min(low, now, there), max(high, now, there)
        width = (last - first) or 1.0
        self._now, self._there = (now - first) / width, (there - first) / width
        self.setFixedSize(120, 16)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the line, a dot at now, a square where it turns."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        room = self.width() - 12
        painter.setPen(QPen(color("border2", self._theme), 2))
        painter.drawLine(QPointF(6, 8), QPointF(6 + room, 8))
        for share, token, square in ((self._now, "text", False), (self._there, "accent", True)):
            tone = color(token, self._theme)
            painter.setPen(QPen(color("surface", self._theme), 1))
            painter.setBrush(tone)
            x = 6 + room * share
            if square:
                painter.drawRect(QRectF(x - 5, 3, 10, 10))
            else:
                painter.drawEllipse(QPointF(x, 8), 5.5, 5.5)


class LegendMark(QWidget):
    """A line with the mark of one technology, as in the charts."""

    def __init__(self, theme: str, token: str, square: bool) -> None:
        super().__init__()
        self._theme, self._token, self._square = theme, token, square
        self.setFixedSize(30, 16)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint line and mark; the line of squares is dashed."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tone = color(self._token, self._theme)
        style = Qt.PenStyle.DashLine if self._square else Qt.PenStyle.SolidLine
        painter.setPen(QPen(tone, 2, style))
        painter.drawLine(QPointF(1, 8), QPointF(29, 8))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tone)
        if self._square:
            painter.drawRect(QRectF(10.5, 3.5, 9, 9))
        else:
            painter.drawEllipse(QPointF(15, 8), 5, 5)


@dataclass(frozen=True, slots=True)
class BarPair:
    """One line of a bar chart: a value of each technology, None where unknown, and its range."""

    title: str
    values: tuple[float | None, float | None]
    ranges: tuple[Range | None, Range | None] = (None, None)


class PairBars(QWidget):
    """Horizontal bars, one of each technology a line, each with its value beside it."""

    def __init__(self, pairs: Sequence[BarPair], form: Callable[[float], str], theme: str) -> None:
        super().__init__()
        self._pairs, self._form, self._theme = tuple(pairs), form, theme
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(48 * max(1, len(self._pairs)))
        self.setAccessibleName(
            "; ".join(
                f"{p.title} {_(f[1])} {self._text(v)}"
                for p in self._pairs
                for f, v in zip(FABRICS, p.values, strict=True)
            )
        )

    def sizeHint(self) -> QSize:
        """Return a size that shows all lines."""
        return QSize(280, 56 * max(1, len(self._pairs)))

    def _text(self, value: float | None) -> str:
        return DASH if value is None else self._form(value)

    def _largest(self) -> float:
        values = [v for p in self._pairs for v in p.values if v]
        values += [r.high for p in self._pairs for r in p.ranges if r is not None]
        return max(values, default=1.0) or 1.0

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint titles, bars, whiskers and values."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        small = QFontMetrics(font(12))
        # The card's own title says what a single pair is.
        titles = [p.title for p in self._pairs] if len(self._pairs) > 1 else []
        left = max((small.horizontalAdvance(t) + 14 for t in titles), default=0)
        texts = [self._text(v) for p in self._pairs for v in p.values]
        bold = QFontMetrics(font(12, 600))
        right = max((bold.horizontalAdvance(t) for t in texts), default=0) + 12
        scale = max(20.0, self.width() - left - right) / self._largest()
        slot = min(72.0, self.height() / max(1, len(self._pairs)))
        for k, pair in enumerate(self._pairs):
            middle = slot * (k + 0.5)
            painter.setFont(font(12))
            painter.setPen(color("text", self._theme))
            box = QRectF(0, middle - 12, left, 24)
            if titles:
                painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, pair.title)
            high = min(18.0, slot / 2 - 4)
            for j in range(2):
                y = middle - high - 1 if j == 0 else middle + 1
                self._bar(painter, pair, j, QRectF(left, y, 0, high), scale)

    def _bar(self, painter: QPainter, pair: BarPair, j: int, place: QRectF, scale: float) -> None:
        value, spread = pair.values[j], pair.ranges[j]
        place.setWidth((value or 0.0) * scale)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color(FABRICS[j][2], self._theme))
        painter.drawRoundedRect(place, 2, 2)
        end = place.right()
        if spread is not None and spread.high > spread.low:
            end = self._whisker(painter, spread, place, scale)
        painter.setPen(color("text" if value is not None else "text2", self._theme))
        painter.setFont(font(12, 600))
        box = QRectF(end + 8, place.top() - 4, 300, place.height() + 8)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, self._text(value))

    def _whisker(self, painter: QPainter, spread: Range, place: QRectF, scale: float) -> float:
        low, high = place.left() + spread.low * scale, place.left() + spread.high * scale
        middle = place.center().y()
        painter.setPen(QPen(color("text", self._theme), 1.4))
        painter.drawLine(QPointF(low, middle), QPointF(high, middle))
        for x in (low, high):
            painter.drawLine(QPointF(x, middle - 4), QPointF(x, middle + 4))
        return max(high, place.right())
