"""The stages of a pipeline over time: which micro-batch each works on, and when it waits."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from designer.engine.pipeline import Pass
from designer.gui.charts.timeline import AXIS, FORWARD
from designer.gui.fonts import font
from designer.gui.style import color
from designer.messages import _, ngettext
from designer.units import format_number, format_time

LEFT, MOST_ROWS, HEIGHT = 72, 16, 168
# Room a number of a micro-batch needs, pixels.
_NUMBER = 16


class Stages(QWidget):
    """One row a stage; forward passes light, backward dark, waiting hatched."""

    def __init__(self, theme: str) -> None:
        super().__init__()
        self._theme = theme
        self._rows: list[tuple[int, Sequence[Pass]]] = []
        self._total = 1.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Stages of the pipeline over time"))

    def set_stages(self, stages: Sequence[Sequence[Pass]]) -> None:
        """Show the schedule of all stages, or of evenly chosen ones where there are too many."""
        step = -(-len(stages) // MOST_ROWS)
        self._rows = [(n, row) for n, row in enumerate(stages) if n % step == 0]
        self._total = max((row[-1].stop for row in stages if row), default=1.0)
        self.setAccessibleDescription(
            ngettext("{n} stage", "{n} stages", len(stages)).format(n=format_number(len(stages)))
        )
        self.setFixedHeight(self._row_height() * len(self._rows) + AXIS)
        self.update()

    def rows(self) -> list[int]:
        """Return the numbers of the stages that are shown, from 0."""
        return [n for n, _row in self._rows]

    def _row_height(self) -> int:
        return max(10, min(26, HEIGHT // max(1, len(self._rows))))

    def sizeHint(self) -> QSize:
        """Return the height of all rows and the axis."""
        return QSize(480, self._row_height() * len(self._rows) + AXIS)

    def _x(self, seconds: float) -> float:
        return LEFT + (self.width() - LEFT - 40) * seconds / self._total

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint every stage, then the axis."""
        painter = QPainter(self)
        height = self._row_height()
        for k, (number, row) in enumerate(self._rows):
            self._paint_row(painter, number, row, k * height, height)
        bottom = len(self._rows) * height
        painter.setFont(font(10))
        for k in range(6):
            at = self._x(self._total * k / 5)
            painter.setPen(QPen(color("border", self._theme), 1))
            painter.drawLine(QPointF(at, bottom), QPointF(at, bottom + 3))
            painter.setPen(color("text2", self._theme))
            box = QRectF(at - 40, bottom + 4, 80, 16)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, format_time(self._total * k / 5))

    def _paint_row(
        self, painter: QPainter, number: int, row: Sequence[Pass], y: float, height: int
    ) -> None:
        painter.setFont(font(11 if height > 13 else 9))
        painter.setPen(color("text", self._theme))
        text = _("Stage {n}").format(n=number + 1)
        painter.drawText(QRectF(0, y, LEFT - 8, height), Qt.AlignmentFlag.AlignVCenter, text)
        tone = color("loc1", self._theme)
        whole = QRectF(LEFT, y + 1, self._x(self._total) - LEFT, height - 2)
        faint = color("border2", self._theme)
        painter.fillRect(whole, QBrush(faint, Qt.BrushStyle.BDiagPattern))
        painter.setFont(font(9))
        surface = color("surface", self._theme)
        for one in row:
            left, right = self._x(one.start), self._x(one.stop)
            box = QRectF(
                left,
                y + 1,
                max(0.75, right - left - (0.75 if right - left > 4 else 0.0)),
                height - 2,
            )
            painter.fillRect(box, surface)
            painter.setOpacity(FORWARD if one.kind == "forward" else 1.0)
            painter.fillRect(box, tone)
            painter.setOpacity(1.0)
            if box.width() >= _NUMBER and height >= 12:
                painter.setPen(surface)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(one.microbatch + 1))
