"""Both technologies line by line; a click on a figure explains it."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from designer.engine.results import Results
from designer.gui.dialogs.fabrics import CAPEX, FABRICS, as_range, typical
from designer.gui.labels import DASH, Figure, label, line
from designer.messages import N_, _
from designer.units import format_money, format_percent, format_power, format_range, format_time

Form = Callable[[Any], str]
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def _money(value: Any) -> str:
    return format_money(typical(value) or 0.0)


# (section, ((label, key below the fabric, form), …))
SECTIONS: tuple[tuple[str, tuple[tuple[str, str, Form], ...]], ...] = (
    (
        N_("Performance"),
        (
            (N_("All-reduce, time"), "all_reduce_time_s", format_time),
            (N_("Training step"), "step_time_s", format_time),
            (N_("GPU idle share"), "gpu_idle_share", format_percent),
            (N_("Idle caused by the network"), "network_idle_share", format_percent),
            (N_("Latency, longest path"), "latency_s", format_time),
            (N_("Throughput against InfiniBand"), "relative_throughput", format_percent),
        ),
    ),
    (
        N_("Capital cost"),
        (
            *((title, f"capex_usd.{key}", _money) for key, title in CAPEX),
            (N_("Total to buy"), "capex_usd.total", _money),
        ),
    ),
    (
        N_("Every year"),
        (
            (N_("Power and cooling"), "opex_usd_per_year.power", _money),
            (N_("Staff"), "opex_usd_per_year.staff", _money),
            (N_("Support"), "opex_usd_per_year.support", _money),
            (N_("GPU time lost to the network"), "idle_gpu_usd_per_year", _money),
            (N_("Network power, typical"), "power_w", format_power),
        ),
    ),
    (
        N_("In all"),
        (
            (N_("Total cost of ownership"), "tco_usd", _money),
            (N_("For each GPU"), "usd_per_gpu", _money),
        ),
    ),
)
_STRONG = ("capex_usd.total", "tco_usd")


class CompareTable(QWidget):
    """Typical values side by side, ranges below them, the difference at the right.

    Signals:
        explain: Dotted key of a figure, and where it stands on the screen.
    """

    explain = Signal(str, QPoint)

    def __init__(self, results: Results) -> None:
        super().__init__()
        self._results = results
        self.figures: dict[str, Figure] = {}
        self._row = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        self._add_head()
        for title, lines in SECTIONS:
            shown = [one for one in lines if self._has_something(one[1])]
            if shown:
                self._add_section(_(title))
            for name, key, form in shown:
                self._add_line(_(name), key, form)
        self._grid.setRowStretch(self._row, 1)

    def _values(self, key: str) -> list[Any]:
        return [self._results.get(f"fabrics.{f[0]}.{key}") for f in FABRICS]

    def _has_something(self, key: str) -> bool:
        # A row of zeros, such as NVSwitch trays where there are none, tells nothing.
        values = self._values(key)
        money = [as_range(v) for v in values]
        return not key.startswith("capex_usd.") or any(m is None or m.high for m in money)

    def _add_head(self) -> None:
        heads = [_(f[1]) for f in FABRICS] + [_("RoCE − IB")]
        for k, text in enumerate(heads, start=1):
            head = label(text, "rowStrong")
            if k <= len(FABRICS):
                head.setProperty("fabric", FABRICS[k - 1][0])
            self._grid.addWidget(head, self._row, k, _RIGHT)
        self._row += 1

    def _add_section(self, title: str) -> None:
        band = QFrame()
        band.setObjectName("tableBand")
        row = QHBoxLayout(band)
        row.setContentsMargins(8, 4, 8, 4)
        row.addWidget(label(title, "rowStrong"))
        self._grid.addWidget(band, self._row, 0, 1, 4)
        self._row += 1

    def _add_line(self, name: str, key: str, form: Form) -> None:
        strong = key in _STRONG
        title = label(name, "rowStrong" if strong else "rowText", wrap=True)
        title.setContentsMargins(8, 0, 0, 0)
        self._grid.addWidget(title, self._row, 0)
        values = self._values(key)
        for k, (fabric, value) in enumerate(zip(FABRICS, values, strict=True), start=1):
            full = f"fabrics.{fabric[0]}.{key}"
            self._grid.addWidget(self._cell(full, value, form, strong), self._row, k, _RIGHT)
        self._grid.addWidget(label(difference(values), "row"), self._row, 3, _RIGHT)
        self._grid.addWidget(line(), self._row + 1, 0, 1, 4)
        self._row += 2

    def _cell(self, key: str, value: Any, form: Form, strong: bool) -> QWidget:
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        role = "rowStrong" if strong else "rowText"
        column.addWidget(self._number(key, value, form, role), 0, _RIGHT)
        spread = as_range(value)
        if spread is not None and spread.low != spread.high:
            column.addWidget(label(format_range(spread), "tiny"), 0, _RIGHT)
        return box

    def _number(self, key: str, value: Any, form: Form, role: str) -> QWidget:
        if value is not None and key in self._results.explanations:
            figure = Figure(role, key)
            figure.show_value(form(value), key)
            figure.explain.connect(self.explain)
            self.figures[key] = figure
            return figure
        found: QLabel = label(DASH if value is None else form(value), role)
        if value is None:
            found.setToolTip(self._results.reason(key))
        return found


def difference(values: list[Any]) -> str:
    """Return how much more the second is than the first, as a signed percentage."""
    one, two = (typical(v) for v in values)
    if one is None or two is None or not one:
        return ""
    share = two / one - 1
    if abs(share) < 0.0005:
        return _("equal")
    return f"{'+' if share > 0 else ''}{format_percent(share)}"
