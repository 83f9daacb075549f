"""Charts of the comparison: total cost over the years, capital by part, step, idle money."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from designer.engine.results import Results
from designer.gui.style import color
from designer.messages import N_, _
from designer.units import format_money, format_time

FABRICS: tuple[tuple[str, str, str, str], ...] = (
    ("infiniband", N_("InfiniBand"), "ib", "o"),
    ("rocev2", N_("RoCE"), "roce", "s"),
)
CAPEX = (
    ("switches", N_("Switches")),
    ("nics", N_("NICs")),
    ("optics", N_("Optics")),
    ("cables", N_("Cables")),
    ("licences", N_("Licences")),
    ("spares", N_("Spares")),
)


class MoneyAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis whose ticks are money by locale."""

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Return tick texts."""
        return [format_money(v) for v in values]


class TimeAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis whose ticks are durations."""

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Return tick texts."""
        return [format_time(v) for v in values]


def plot(theme: str, **axes: pg.AxisItem) -> pg.PlotWidget:
    """Return an empty plot in the colours of the window, without mouse zoom."""
    widget = pg.PlotWidget(axisItems=axes, background=color("surface", theme))
    widget.setMouseEnabled(x=False, y=False)
    widget.hideButtons()
    widget.setMenuEnabled(False)
    for side in ("left", "bottom"):
        axis = widget.getAxis(side)
        axis.setTextPen(color("text2", theme))
        axis.setPen(color("border2", theme))
    widget.showGrid(y=True, alpha=0.15)
    return widget


def _spread(value: Any) -> tuple[float, float, float] | None:
    return (value["low"], value["typical"], value["high"]) if isinstance(value, dict) else None


def tco_plot(results: Results, theme: str, years: int) -> pg.PlotWidget:
    """Return the total cost of each technology from purchase over the years, with its range.

    Money of idle GPUs is part of it where a workload gives it.
    """
    widget = plot(theme, left=MoneyAxis("left"))
    widget.addLegend(offset=(10, 10), labelTextColor=color("text", theme))
    x = np.arange(years + 1)
    for name, title, token, symbol in FABRICS:
        capex = _spread(results.get(f"fabrics.{name}.capex_usd.total"))
        opex = _spread(results.get(f"fabrics.{name}.opex_usd_per_year.total"))
        idle = _spread(results.get(f"fabrics.{name}.idle_gpu_usd_per_year")) or (0.0, 0.0, 0.0)
        if capex is None or opex is None:
            continue
        low, typical, high = (capex[k] + x * (opex[k] + idle[k]) for k in range(3))
        tone = color(token, theme)
        faint = QColor(tone)
        faint.setAlpha(40)
        edges = [pg.PlotCurveItem(x, y, pen=None) for y in (low, high)]
        for edge in edges:
            widget.addItem(edge)
        widget.addItem(pg.FillBetweenItem(*edges, brush=faint))
        style = Qt.PenStyle.SolidLine if name == "infiniband" else Qt.PenStyle.DashLine
        widget.plot(
            x,
            typical,
            pen=pg.mkPen(tone, width=2, style=style),
            symbol=symbol,
            symbolSize=8,
            symbolBrush=tone,
            symbolPen=None,
            name=_(title),
        )
    ticks = [(0, _("Buy"))] + [(k, _("Year {n}").format(n=k)) for k in range(1, years + 1)]
    widget.getAxis("bottom").setTicks([ticks])
    return widget


def difference_plot(results: Results, theme: str, years: int) -> pg.PlotWidget:
    """Return the cost of RoCE minus that of InfiniBand over the years, typical values."""
    widget = plot(theme, left=MoneyAxis("left"))
    x = np.arange(years + 1)
    totals = []
    for name, _title, _token, _symbol in FABRICS:
        capex = _spread(results.get(f"fabrics.{name}.capex_usd.total"))
        opex = _spread(results.get(f"fabrics.{name}.opex_usd_per_year.total"))
        idle = _spread(results.get(f"fabrics.{name}.idle_gpu_usd_per_year")) or (0.0, 0.0, 0.0)
        if capex is None or opex is None:
            return widget
        totals.append(capex[1] + x * (opex[1] + idle[1]))
    widget.addItem(pg.InfiniteLine(0, angle=0, pen=pg.mkPen(color("border2", theme))))
    widget.plot(
        x,
        totals[1] - totals[0],
        pen=pg.mkPen(color("text", theme), width=2),
        symbol="o",
        symbolSize=6,
        symbolBrush=color("text", theme),
        symbolPen=None,
    )
    ticks = [(0, _("Buy"))] + [(k, _("Year {n}").format(n=k)) for k in range(1, years + 1)]
    widget.getAxis("bottom").setTicks([ticks])
    return widget


def bars(
    rows: list[tuple[str, list[float | None]]],
    theme: str,
    form: Any,
    axis: type[pg.AxisItem],
) -> pg.PlotWidget:
    """Return horizontal bars: one pair (InfiniBand, RoCE) a row, each with its value beside it."""
    widget = plot(theme, bottom=axis("bottom"))
    widget.showGrid(x=False, y=False)
    widget.hideAxis("bottom")
    largest = max((v for _label, pair in rows for v in pair if v), default=1.0)
    for k, (_label, pair) in enumerate(rows):
        for j, value in enumerate(pair):
            y = -k + (0.19 if j == 0 else -0.19)
            tone = color(FABRICS[j][2], theme)
            if value is not None:
                widget.addItem(
                    pg.BarGraphItem(x0=0, y=y, height=0.34, width=value, brush=tone, pen=None)
                )
            text = pg.TextItem(
                form(value) if value is not None else "—",
                color=color("text", theme),
                anchor=(0, 0.5),
            )
            text.setPos((value or 0.0) + largest * 0.015, y)
            widget.addItem(text)
    widget.getAxis("left").setTicks([[(-k, label) for k, (label, _p) in enumerate(rows)]])
    widget.setXRange(0, largest * 1.3, padding=0)
    widget.setYRange(-len(rows) + 0.4, 0.6, padding=0)
    return widget


def capex_bars(results: Results, theme: str) -> pg.PlotWidget:
    """Return capital cost by part, typical values."""
    rows = []
    for key, title in CAPEX:
        pair = [_spread(results.get(f"fabrics.{f[0]}.capex_usd.{key}")) for f in FABRICS]
        if any(p and p[1] for p in pair):
            rows.append((_(title), [p[1] if p else None for p in pair]))
    return bars(rows, theme, format_money, MoneyAxis)


def step_bars(results: Results, theme: str) -> pg.PlotWidget:
    """Return step and all-reduce time of both technologies."""
    rows = [
        (_(title), [results.get(f"fabrics.{f[0]}.{key}") for f in FABRICS])
        for key, title in (("step_time_s", N_("Training step")),)
    ]
    return bars(rows, theme, format_time, TimeAxis)


def idle_bars(results: Results, theme: str) -> pg.PlotWidget:
    """Return the yearly money of GPU time lost to the network, typical values."""
    pair = [_spread(results.get(f"fabrics.{f[0]}.idle_gpu_usd_per_year")) for f in FABRICS]
    return bars(
        [(_("A year"), [p[1] if p else None for p in pair])], theme, format_money, MoneyAxis
    )
