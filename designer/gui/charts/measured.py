"""Measured bus bandwidth against the model before and after a fit, over message size."""

import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from designer.gui.charts.plot import bare_plot
from designer.gui.labels import label
from designer.gui.style import color
from designer.messages import _
from designer.units import format_binary_size, format_number

# Powers of two that are named on the axis of sizes.
_MARKS = (10, 20, 30, 40)


class MeasuredChart(QWidget):
    """Dots for what was measured, lines for the model: dashed before, solid after.

    Args:
        theme: `light` or `dark`.
    """

    def __init__(self, theme: str) -> None:
        super().__init__()
        self._theme = theme
        self.setMinimumHeight(190)
        self.setAccessibleName(_("Bus bandwidth over message size, measured and by the model"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self.title = label(_("GB/s bus bandwidth"), "secondary")
        column.addWidget(self.title)
        self._plot = bare_plot(theme, 38)
        column.addWidget(self._plot, 1)
        column.addWidget(self._legend())
        self._before = self._line(Qt.PenStyle.DashLine, "text2", 1.4)
        self._after = self._line(Qt.PenStyle.SolidLine, "accent", 1.8)
        self._dots = self._scatter()

    def points(self) -> int:
        """Return how many times are shown."""
        return len(self._dots.points())

    def _line(self, style: Qt.PenStyle, token: str, width: float) -> Any:
        import pyqtgraph as pg

        pen = pg.mkPen(color(token, self._theme), width=width, style=style)
        return self._plot.plot([], [], pen=pen, antialias=True)

    def _scatter(self) -> Any:
        import pyqtgraph as pg

        dots = pg.ScatterPlotItem(
            size=7,
            pen=pg.mkPen(color("surface", self._theme), width=1),
            brush=pg.mkBrush(color("loc3", self._theme)),
        )
        self._plot.addItem(dots)
        return dots

    def _legend(self) -> QLabel:
        """Return the key of the marks, in their colours."""
        marks = (
            ("●", "loc3", _("measured")),
            ("▬", "accent", _("model after")),
            ("╌", "text2", _("model before")),
        )
        parts = [
            f'<span style="color:{color(token, self._theme).name()}">{mark}</span> {text}'
            for mark, token, text in marks
        ]
        found = label("&nbsp;&nbsp;&nbsp;".join(parts), "secondary")
        found.setTextFormat(Qt.TextFormat.RichText)
        return found

    def set_points(
        self,
        sizes: Sequence[int],
        measured: Sequence[float],
        before: Sequence[float],
        after: Sequence[float],
    ) -> None:
        """Show bus bandwidths in bytes/s of each size; several of one size are several dots."""
        xs = [math.log2(size) for size in sizes]
        self._dots.setData(xs, [y / 1e9 for y in measured])
        order = sorted({x: k for k, x in enumerate(xs)}.items())
        for line, values in ((self._before, before), (self._after, after)):
            line.setData([x for x, _k in order], [values[k] / 1e9 for _x, k in order])
        if xs:
            self._ticks(xs, max([*measured, *before, *after]) / 1e9)

    def _ticks(self, xs: Sequence[float], top: float) -> None:
        first, last = min(xs), max(xs)
        sizes = [k for k in _MARKS if first <= k <= last] or [round(first), round(last)]
        bottom = [(float(k), format_binary_size(2**k)) for k in dict.fromkeys(sizes)]
        self._plot.getAxis("bottom").setTicks([bottom])
        unit = 10.0 ** math.floor(math.log10(top)) if top > 0 else 1.0
        step = next(s for s in (unit / 5, unit / 2, unit, unit * 2, unit * 5) if top / s <= 5)
        marks = [k * step for k in range(int(top / step + 0.5) + 1)]
        digits = max(0, -math.floor(math.log10(step)))
        self._plot.getAxis("left").setTicks([[(m, format_number(m, digits)) for m in marks]])
        # room for half a label and half a dot beyond the ends
        room = max(0.5, 0.03 * (last - first))
        self._plot.setXRange(first - room, last + room, padding=0)
        high = max(top, marks[-1])
        self._plot.setYRange(-0.05 * high, 1.07 * high, padding=0)
