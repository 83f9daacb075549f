"""The curve of a collective: bus bandwidth over message size, small, without toolbars."""

import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from designer.gui.charts.plot import bare_plot
from designer.gui.style import color
from designer.messages import _
from designer.units import format_binary_size, format_bytes_per_s, format_number


class BandwidthCurve(QWidget):
    """Bus bandwidth, one way, over message size on a logarithmic axis."""

    def __init__(self, theme: str) -> None:
        super().__init__()
        self._theme = theme
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._plot: Any = None
        self._curve: Any = None
        self._dot: Any = None
        self.has_points = False
        self.setMinimumHeight(70)
        self.setAccessibleName(_("Bus bandwidth over message size"))

    def set_curve(self, points: Sequence[dict[str, Any]], size_bytes: int | None) -> None:
        """Show points `{size_bytes, bus_bandwidth_bytes_per_s}`; `size_bytes` is marked."""
        self.has_points = bool(points)
        if self._plot is None:
            if not points:
                return
            self._build()
        xs = [math.log2(p["size_bytes"]) for p in points]
        ys = [p["bus_bandwidth_bytes_per_s"] / 1e9 for p in points]
        self._curve.setData(xs, ys)
        self._mark(points, size_bytes)
        self._ticks(xs, ys)

    def set_faint(self, faint: bool) -> None:
        """Show that the curve belongs to an older drawing."""
        if self._plot is not None:
            self._curve.setOpacity(0.6 if faint else 1.0)

    def _build(self) -> None:
        # imported with the first curve: the window is usable a third of a second sooner
        import pyqtgraph as pg

        plot = bare_plot(self._theme, 34)
        plot.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        plot.setMinimumSize(0, 0)
        pen = pg.mkPen(color("accent", self._theme), width=1.6)
        self._curve = plot.plot([], [], pen=pen, antialias=True)
        self._dot = pg.ScatterPlotItem(
            size=9, pen=pen, brush=pg.mkBrush(color("surface", self._theme))
        )
        plot.addItem(self._dot)
        self._column.addWidget(plot)
        self._plot = plot

    def _mark(self, points: Sequence[dict[str, Any]], size: int | None) -> None:
        here = next((p for p in points if p["size_bytes"] == size), None)
        if here is None:
            self._dot.setData([], [])
            return
        speed = here["bus_bandwidth_bytes_per_s"]
        self._dot.setData([math.log2(here["size_bytes"])], [speed / 1e9])
        self.setToolTip(
            _("{speed} bus bandwidth, one way, at {size}").format(
                speed=format_bytes_per_s(speed), size=format_binary_size(here["size_bytes"])
            )
        )

    def _ticks(self, xs: list[float], ys: list[float]) -> None:
        sizes = [k for k in (10, 20, 30, 34) if xs and xs[0] <= k <= xs[-1]]
        bottom = [(float(k), format_binary_size(2**k)) for k in sizes if k not in (34,)]
        self._plot.getAxis("bottom").setTicks([bottom])
        top = max(ys, default=1.0) or 1.0
        step = 10 ** math.floor(math.log10(top))
        step = next(s for s in (step / 5, step / 2, step, step * 2, step * 5) if top / s <= 3)
        marks = [k * step for k in range(int(top / step + 0.5) + 1)]
        self._plot.getAxis("left").setTicks([[(m, format_number(m)) for m in marks]])
        high = max(top, marks[-1])
        # room for half a label beyond the first and the last mark
        self._plot.setYRange(-0.06 * high, 1.07 * high, padding=0)
