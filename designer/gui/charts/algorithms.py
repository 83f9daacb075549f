"""A collective over message sizes: the algorithm in use, and thinner what the others would do."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from designer.gui.charts.plot import bare_plot
from designer.gui.labels import label
from designer.gui.style import color
from designer.messages import _
from designer.reports.curve_table import algorithm_name
from designer.units import format_binary_size, format_bytes_per_s, format_number, format_time

Measure = Literal["bandwidth", "time"]
# Colours and dashes together tell lines apart, also without colour vision.
_LOOKS: Mapping[str, tuple[str, Qt.PenStyle]] = {
    "ring": ("loc3", Qt.PenStyle.SolidLine),
    "tree": ("leaf", Qt.PenStyle.DashLine),
    "hierarchical": ("text2", Qt.PenStyle.DotLine),
    "nvls": ("spine", Qt.PenStyle.DashDotLine),
    "nvls_tree": ("spine", Qt.PenStyle.SolidLine),
    "collnet_direct": ("core", Qt.PenStyle.DashLine),
    "collnet_chain": ("core", Qt.PenStyle.DotLine),
    "pairwise": ("loc3", Qt.PenStyle.SolidLine),
    "direct": ("loc3", Qt.PenStyle.SolidLine),
}
_SAMPLES = {
    Qt.PenStyle.SolidLine: "──",
    Qt.PenStyle.DashLine: "╌╌",
    Qt.PenStyle.DotLine: "┈┈",
    Qt.PenStyle.DashDotLine: "─╌",
}
# Powers of two that are named on the axis of sizes, and powers of ten of seconds.
_SIZES = (3, 10, 20, 30)
_TIMES = (-6, -5, -4, -3, -2, -1, 0, 1)


class AlgorithmChart(QWidget):
    """Bus bandwidth or time over message size, a line an algorithm; a click takes a size.

    Args:
        theme: `light` or `dark`.

    Signals:
        size_chosen: The size under a click, bytes.
    """

    size_chosen = Signal(int)

    def __init__(self, theme: str) -> None:
        super().__init__()
        self._theme = theme
        self._measure: Measure = "bandwidth"
        self._points: Sequence[Mapping[str, Any]] = ()
        self._others: Mapping[str, Sequence[float | None]] = {}
        self._size = 0
        self._plot: Any = None
        self.lines: dict[str, Any] = {}
        self.setMinimumSize(220, 110)
        self.setAccessibleName(_("Collective over message sizes, by algorithm"))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self.title = label("", "secondary")
        self._column.addWidget(self.title)
        self.legend = QLabel()
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.legend.setProperty("role", "secondary")
        self.legend.setWordWrap(True)
        self._column.addWidget(self.legend)

    def set_measure(self, measure: Measure) -> None:
        """Show bus bandwidth, or time."""
        self._measure = measure
        self._draw()

    def set_curves(
        self,
        points: Sequence[Mapping[str, Any]],
        others: Mapping[str, Sequence[float | None]],
        size_bytes: int,
    ) -> None:
        """Show a curve of the results with those of all algorithms; empty ones clear the chart.

        Args:
            points: `collectives.<operation>.curve` of the results.
            others: `collectives.<operation>.curves`: seconds by algorithm, over the same sizes.
            size_bytes: The size that is asked for; it is marked.
        """
        self._points, self._others, self._size = points, others, size_bytes
        self._draw()

    def set_faint(self, faint: bool) -> None:
        """Show that the lines belong to an older drawing."""
        for line in self.lines.values():
            line.setOpacity(0.5 if faint else 1.0)

    def _draw(self) -> None:
        if self._plot is None:
            if not self._points:
                return
            self._build()
        self._plot.clear()
        self.lines = {}
        bandwidth = self._measure == "bandwidth"
        self.title.setText(_("GB/s bus bandwidth, one way") if bandwidth else _("time"))
        factors = [
            p["bus_bandwidth_bytes_per_s"] * p["time_s"] for p in self._points
        ]  # bytes that count for the bus
        every: list[float] = []
        for name, times in self._others.items():
            every += self._add(name, name, times, factors, 1.2)
        chosen = [p["time_s"] for p in self._points]
        every += self._add("", "", chosen, factors, 2.4)
        self._legend()
        if every:
            self._mark(factors)
            self._ticks(every)

    def _add(
        self,
        key: str,
        name: str,
        times: Sequence[float | None],
        factors: Sequence[float],
        width: float,
    ) -> list[float]:
        import pyqtgraph as pg

        xs, ys = [], []
        for point, time, factor in zip(self._points, times, factors, strict=True):
            if time:
                xs.append(math.log2(point["size_bytes"]))
                ys.append(self._value(time, factor))
        token, style = _LOOKS.get(name, ("accent", Qt.PenStyle.SolidLine))
        pen = pg.mkPen(color(token, self._theme), width=width, style=style)
        self.lines[key] = self._plot.plot(xs, ys, pen=pen, antialias=True)
        return ys

    def _value(self, time: float, factor: float) -> float:
        return factor / time / 1e9 if self._measure == "bandwidth" else math.log10(time)

    def _legend(self) -> None:
        """Name the lines, in their colours; the one in use comes first."""
        parts = (
            [(("accent", Qt.PenStyle.SolidLine), f"<b>{_('in use')}</b>")] if self._points else []
        )
        parts += [(_LOOKS[n], algorithm_name(n)) for n in self._others if n in _LOOKS]
        texts = [
            f'<span style="color:{color(token, self._theme).name()}">{_SAMPLES[style]}</span>'
            f"&nbsp;{text.replace(' ', '&nbsp;')}"
            for (token, style), text in parts
        ]
        self.legend.setText("&nbsp;&nbsp; ".join(texts))

    def _mark(self, factors: Sequence[float]) -> None:
        """Mark the size asked for, where it is one of the curve."""
        import pyqtgraph as pg

        for point, factor in zip(self._points, factors, strict=True):
            if point["size_bytes"] == self._size:
                at = (math.log2(self._size), self._value(point["time_s"], factor))
                tone = color("accent", self._theme)
                ground = pg.mkBrush(color("surface", self._theme))
                dot = pg.ScatterPlotItem([at[0]], [at[1]], size=10, brush=ground)
                dot.setPen(pg.mkPen(tone, width=2))
                self._plot.addItem(dot)
                self.lines["dot"] = dot

    def _ticks(self, ys: Sequence[float]) -> None:
        sizes = [p["size_bytes"] for p in self._points]
        first, last = math.log2(min(sizes)), math.log2(max(sizes))
        bottom = [(float(k), format_binary_size(2**k)) for k in _SIZES if first <= k <= last]
        self._plot.getAxis("bottom").setTicks([bottom])
        low, high = min(ys), max(ys)
        if self._measure == "time":
            marks = [(float(k), format_time(10.0**k)) for k in _TIMES if low - 1 <= k <= high + 1]
            low, high = low - 0.2, high + 0.2
        else:
            unit = 10.0 ** math.floor(math.log10(high)) if high > 0 else 1.0
            steps = (unit / 5, unit / 2, unit, unit * 2, unit * 5)
            step = next(s for s in steps if high / s <= 5)
            digits = max(0, -math.floor(math.log10(step)))
            whole = range(int(high / step + 0.5) + 1)
            marks = [(k * step, format_number(k * step, digits)) for k in whole]
            low, high = -0.04 * high, 1.06 * max(high, marks[-1][0])
        self._plot.getAxis("left").setTicks([marks])
        room = 0.03 * (last - first)
        self._plot.setXRange(first - room, last + room, padding=0)
        self._plot.setYRange(low, high, padding=0)

    def _build(self) -> None:
        plot = bare_plot(self._theme, 46)
        plot.scene().sigMouseMoved.connect(self._hover)
        plot.scene().sigMouseClicked.connect(self._click)
        self._column.insertWidget(1, plot, 1)
        self._plot = plot

    # --- mouse ---

    def nearest(self, at: QPointF) -> Mapping[str, Any] | None:
        """Return the point of the curve whose size is under a place of the plot's scene."""
        if self._plot is None or not self._points:
            return None
        x = self._plot.plotItem.vb.mapSceneToView(at).x()
        return min(self._points, key=lambda p: abs(math.log2(p["size_bytes"]) - x))

    def _hover(self, at: QPointF) -> None:
        point = self.nearest(at)
        self._plot.setToolTip("" if point is None else self.tip(point))

    def _click(self, event: Any) -> None:
        point = self.nearest(event.scenePos())
        if point is not None:
            self.size_chosen.emit(int(point["size_bytes"]))

    def tip(self, point: Mapping[str, Any]) -> str:
        """Return what is told of one size: each algorithm with its time, the one in use first."""
        k = self._points.index(point)
        lines = [
            _("{size}: {algorithm}, {time}, {speed} bus bandwidth").format(
                size=format_binary_size(point["size_bytes"]),
                algorithm=algorithm_name(point["algorithm"]),
                time=format_time(point["time_s"]),
                speed=format_bytes_per_s(point["bus_bandwidth_bytes_per_s"]),
            )
        ]
        others = [(t[k], n) for n, t in self._others.items() if n != point["algorithm"]]
        known = sorted((time, name) for time, name in others if time)
        lines += [f"{algorithm_name(name)}: {format_time(time)}" for time, name in known]
        return "\n".join(lines)
