"""One training step over time: compute, bubble, and communication that nothing hides."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from designer.gui.fonts import font
from designer.gui.style import color
from designer.messages import _
from designer.units import format_time

ROW, BAR, LEFT, RIGHT, AXIS = 28, 18, 160, 96, 22
# Opacity of a forward pass beside the backward pass in the same colour.
FORWARD = 0.62


@dataclass(frozen=True, slots=True)
class Span:
    """One stretch of time, seconds from the begin of the step.

    Attributes:
        kind: `solid`, `forward` (lighter), `hidden` (faint, dashed) or `idle` (hatched).
        label: Written into the stretch, or behind it where it is too short.
    """

    start: float
    stop: float
    kind: str = "solid"
    label: str = ""


@dataclass(frozen=True, slots=True)
class Lane:
    """One kind of work: its stretches and the token of its colour."""

    title: str
    token: str
    spans: tuple[Span, ...]
    note: str = ""


class Timeline(QWidget):
    """Lanes over a common axis of seconds; hidden time is faint and dashed, idle time hatched."""

    def __init__(self, theme: str) -> None:
        super().__init__()
        self._theme = theme
        self._lanes: tuple[Lane, ...] = ()
        self._total = 1.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Training step over time"))

    def set_lanes(self, lanes: Sequence[Lane], total_s: float) -> None:
        """Show lanes over an axis of `total_s` seconds."""
        self._lanes, self._total = tuple(lanes), max(total_s, 1e-12)
        self.setAccessibleDescription(
            ", ".join(f"{x.title} {x.note}" for x in self._lanes if x.note)
        )
        self.updateGeometry()
        self.setFixedHeight(len(self._lanes) * ROW + AXIS)
        self.update()

    def sizeHint(self) -> QSize:
        """Return the height of all lanes and the axis."""
        return QSize(480, len(self._lanes) * ROW + AXIS)

    def lanes(self) -> tuple[Lane, ...]:
        """Return the lanes that are shown."""
        return self._lanes

    def _x(self, seconds: float) -> float:
        return LEFT + (self.width() - LEFT - RIGHT) * seconds / self._total

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint axis and lanes."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_axis(painter)
        for k, lane in enumerate(self._lanes):
            self._paint_lane(painter, lane, k * ROW)

    def _paint_axis(self, painter: QPainter) -> None:
        bottom = len(self._lanes) * ROW
        painter.setFont(font(10))
        for k in range(6):
            at = self._x(self._total * k / 5)
            painter.setPen(QPen(color("border", self._theme), 1))
            painter.drawLine(QPointF(at, 0), QPointF(at, bottom))
            painter.setPen(color("text2", self._theme))
            painter.drawText(
                QRectF(at - 40, bottom + 4, 80, 16),
                Qt.AlignmentFlag.AlignCenter,
                format_time(self._total * k / 5),
            )

    def _paint_lane(self, painter: QPainter, lane: Lane, y: float) -> None:
        painter.setFont(font(12))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color(lane.token, self._theme))
        painter.drawRoundedRect(QRectF(0, y + ROW / 2 - 5, 10, 10), 2, 2)
        painter.setPen(color("text", self._theme))
        box = QRectF(18, y, LEFT - 24, ROW)
        text = painter.fontMetrics().elidedText(
            lane.title, Qt.TextElideMode.ElideRight, round(box.width())
        )
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
        end = LEFT
        for span in lane.spans:
            self._paint_span(painter, lane, span, y)
            end = max(end, round(self._x(span.stop)))
        painter.setFont(font(11, 600))
        for span in lane.spans:
            if span.label:
                end = max(end, self._paint_label(painter, span, y))
        painter.setPen(color("text", self._theme))
        wide = painter.fontMetrics().horizontalAdvance(lane.note) + 2
        first = min((self._x(s.start) for s in lane.spans), default=0.0)
        x = end + 6 if end + 6 + wide <= self.width() else first - wide - 6
        if x < LEFT + 6 and lane.note:
            # no room on either side: on a plate over the end of the lane
            x = float(self.width() - wide)
            painter.fillRect(
                QRectF(x - 4, y + 5, wide + 4, ROW - 10), color("surface", self._theme)
            )
        painter.drawText(QRectF(x, y, wide, ROW), Qt.AlignmentFlag.AlignVCenter, lane.note)

    def _paint_label(self, painter: QPainter, span: Span, y: float) -> int:
        """Write on a stretch where it is wide enough, else behind it; return the end."""
        wide = painter.fontMetrics().horizontalAdvance(span.label) + 8
        left, right = self._x(span.start), self._x(span.stop)
        x = (left + right - wide) / 2 if right - left >= wide + 4 else right + 2
        if x + wide > self.width():
            x = left - wide - 2
        box = QRectF(x, y + (ROW - BAR) / 2 + 1, wide, BAR - 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color("surface", self._theme))
        painter.drawRoundedRect(box, 3, 3)
        painter.setPen(color("text", self._theme))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, span.label)
        return round(x + wide)

    def _paint_span(self, painter: QPainter, lane: Lane, span: Span, y: float) -> None:
        left, right = self._x(span.start), self._x(span.stop)
        box = QRectF(left, y + (ROW - BAR) / 2, max(1.0, right - left), BAR)
        tone = color(lane.token, self._theme)
        painter.setPen(Qt.PenStyle.NoPen)
        if span.kind == "hidden":
            painter.setPen(QPen(tone, 1, Qt.PenStyle.DashLine))
            painter.setOpacity(0.35)
            painter.setBrush(tone)
        elif span.kind == "idle":
            painter.setPen(QPen(tone, 1))
            painter.setBrush(QBrush(tone, Qt.BrushStyle.BDiagPattern))
        else:
            painter.setOpacity(FORWARD if span.kind == "forward" else 1.0)
            painter.setBrush(tone)
        painter.drawRoundedRect(box, 2, 2)
        painter.setOpacity(1.0)
