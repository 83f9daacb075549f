"""Charts of the comparison: total cost over the years, capital by part, step, idle money."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QSizePolicy

from designer.engine.results import Results
from designer.gui.dialogs.compare_marks import BarPair, PairBars
from designer.gui.dialogs.fabrics import CAPEX, FABRICS, spread_at
from designer.gui.fonts import font
from designer.gui.style import color
from designer.messages import _
from designer.units import Range, format_money, format_number, format_time

Money = npt.NDArray[np.float64]


class MoneyAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis whose ticks are money by locale."""

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Return tick texts."""
        return [format_money(v) for v in values]


def empty_plot(theme: str, years: int) -> pg.PlotWidget:
    """Return a plot of money over the years from purchase, without mouse zoom."""
    widget = pg.PlotWidget(axisItems={"left": MoneyAxis("left")}, background=None)
    widget.setMouseEnabled(x=False, y=False)
    widget.hideButtons()
    widget.setMenuEnabled(False)
    widget.setFrameShape(widget.Shape.NoFrame)
    widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    widget.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
    widget.setMinimumSize(220, 190)
    widget.setMaximumHeight(360)
    for side in ("left", "bottom"):
        axis = widget.getAxis(side)
        axis.setTextPen(color("text2", theme))
        axis.setPen(color("border", theme))
        axis.setStyle(tickFont=font(11), tickLength=0, maxTickLevel=0)
    widget.getAxis("left").setWidth(64)
    widget.showGrid(y=True, alpha=0.12)
    ticks = [(0, _("Buy"))]
    ticks += [(k, _("Year {n}").format(n=format_number(k))) for k in range(1, years + 1)]
    step = max(1, round(years / 4))
    widget.getAxis("bottom").setTicks([[t for t in ticks if t[0] % step == 0]])
    widget.getAxis("bottom").setStyle(hideOverlappingLabels=False)
    # Room for half of the last label.
    widget.setXRange(-0.15, years + 0.3, padding=0)
    return widget


def cost_over_years(results: Results, fabric: str, years: int) -> tuple[Money, Money, Money] | None:
    """Return low, typical and high total cost at the end of each year, from year 0, US dollars.

    GPU time lost to the network is part of it where a workload gives it. None when the capital
    cost or the yearly cost is unknown.
    """
    capex = spread_at(results, f"fabrics.{fabric}.capex_usd.total")
    opex = spread_at(results, f"fabrics.{fabric}.opex_usd_per_year.total")
    idle = spread_at(results, f"fabrics.{fabric}.idle_gpu_usd_per_year") or Range(0.0, 0.0, 0.0)
    if capex is None or opex is None:
        return None
    return (
        _over_years(capex.low, opex.low + idle.low, years),
        _over_years(capex.typical, opex.typical + idle.typical, years),
        _over_years(capex.high, opex.high + idle.high, years),
    )


def _over_years(start: float, yearly: float, years: int) -> Money:
    return np.asarray(start + yearly * np.arange(years + 1), dtype=np.float64)


def _band(widget: pg.PlotWidget, low: Money, high: Money, tone: QColor) -> None:
    x = np.arange(len(low))
    edges = [pg.PlotCurveItem(x, y, pen=None) for y in (low, high)]
    for edge in edges:
        widget.addItem(edge)
    faint = QColor(tone)
    faint.setAlpha(38)
    widget.addItem(pg.FillBetweenItem(*edges, brush=faint))


def tco_plot(results: Results, theme: str, years: int) -> pg.PlotWidget:
    """Return the total cost of each technology from purchase over the years, with its range."""
    widget = empty_plot(theme, years)
    x = np.arange(years + 1)
    for name, title, token, symbol in FABRICS:
        found = cost_over_years(results, name, years)
        if found is None:
            continue
        low, typical, high = found
        tone = color(token, theme)
        _band(widget, low, high, tone)
        style = Qt.PenStyle.SolidLine if symbol == "o" else Qt.PenStyle.DashLine
        widget.plot(
            x,
            typical,
            pen=pg.mkPen(tone, width=2, style=style),
            symbol=symbol,
            symbolSize=8,
            symbolBrush=tone,
            symbolPen=None,
            antialias=True,
            name=_(title),
        )
    return widget


def difference_plot(results: Results, theme: str, years: int) -> pg.PlotWidget:
    """Return the typical cost of RoCE minus that of InfiniBand over the years.

    The range at the end is that of the verdict, whose shared inputs move together; it is drawn
    at the last year only, for the years before are not computed.
    """
    widget = empty_plot(theme, years)
    found = [cost_over_years(results, f[0], years) for f in FABRICS]
    if found[0] is None or found[1] is None:
        return widget
    tone = color("text", theme)
    widget.addItem(pg.InfiniteLine(0, angle=0, pen=pg.mkPen(color("border2", theme), width=1)))
    gap = found[1][1] - found[0][1]
    widget.plot(
        np.arange(years + 1),
        gap,
        pen=pg.mkPen(tone, width=2),
        symbol="o",
        symbolSize=6,
        symbolBrush=tone,
        symbolPen=None,
        antialias=True,
    )
    _say_which_is_dearer(widget, gap, theme)
    return widget


def _say_which_is_dearer(widget: pg.PlotWidget, gap: Money, theme: str) -> None:
    reach = float(np.abs(gap).max()) or 1.0
    top, low = max(float(gap.max()), 0.35 * reach), min(float(gap.min()), -0.35 * reach)
    room = 0.18 * (top - low)
    widget.setYRange(low - room, top + room, padding=0)
    for y, text, anchor in (
        (top + room, _("RoCE costs more"), (0, 0)),
        (low - room, _("InfiniBand costs more"), (1, 1)),
    ):
        words = pg.TextItem(text, color=color("text2", theme), anchor=anchor)
        words.setFont(font(11))
        x = 0.0 if anchor[0] == 0 else len(gap) - 1 + 0.2
        words.setPos(x, y)
        widget.addItem(words)


def capex_bars(results: Results, theme: str) -> PairBars:
    """Return capital cost by part, typical values."""
    pairs = []
    for key, title in CAPEX:
        found = [spread_at(results, f"fabrics.{f[0]}.capex_usd.{key}") for f in FABRICS]
        if any(s is not None and s.typical for s in found):
            one, two = (s.typical if s is not None else None for s in found)
            pairs.append(BarPair(_(title), (one, two)))
    return PairBars(pairs, format_money, theme)


def step_bars(results: Results, theme: str) -> PairBars:
    """Return the step time of both technologies."""
    one, two = (_number(results.get(f"fabrics.{f[0]}.step_time_s")) for f in FABRICS)
    return PairBars([BarPair(_("Training step"), (one, two))], format_time, theme)


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None


def idle_bars(results: Results, theme: str) -> PairBars:
    """Return the yearly money of GPU time lost to the network, with its range."""
    found = [spread_at(results, f"fabrics.{f[0]}.idle_gpu_usd_per_year") for f in FABRICS]
    one, two = (s.typical if s is not None else None for s in found)
    pair = BarPair(_("GPU time lost to the network"), (one, two), (found[0], found[1]))
    return PairBars([pair], format_money, theme)
