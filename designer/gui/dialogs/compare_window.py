"""InfiniBand or RoCE on the same drawing: verdict, reasons, what would flip it, table, charts."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from designer.engine.results import Results
from designer.gui.dialogs import compare_charts as charts
from designer.messages import N_, _
from designer.units import (
    Range,
    format_money,
    format_number,
    format_percent,
    format_power,
    format_range,
    format_significant,
    format_time,
)

CHOICES = {
    "infiniband": N_("InfiniBand, by {margin}"),
    "rocev2": N_("RoCE, by {margin}"),
    "too_close_to_call": N_("Too close to call"),
}


def _money(value: Any) -> str:
    spread = Range(value["low"], value["typical"], value["high"])
    return f"{format_money(spread.typical)}\n{format_range(spread)}"


# (section, [(label, key below the fabric, form, value for the difference)])
SECTIONS: tuple[tuple[str, tuple[tuple[str, str, Callable[[Any], str]], ...]], ...] = (
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
            *((title, f"capex_usd.{key}", _money) for key, title in charts.CAPEX),
            (N_("Total"), "capex_usd.total", _money),
        ),
    ),
    (
        N_("Every year"),
        (
            (N_("Power"), "opex_usd_per_year.power", _money),
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


def _typical(value: Any) -> float | None:
    return value.get("typical") if isinstance(value, dict) else value


class CompareWindow(QDialog):
    """The comparison, not modal; `set_results` refreshes it.

    Signals:
        assumptions_requested: Key of a parameter to edit, or empty.
        export_requested: The person wants the summary.
        ids_requested: Records to show.
    """

    assumptions_requested = Signal(str)
    export_requested = Signal()
    explain_requested = Signal(str)

    def __init__(
        self, results: Results | None, name: str, theme: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._name, self._theme = name, theme
        self.setWindowTitle(_("InfiniBand or RoCE on the same drawing"))
        self.resize(1320, 900)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        self.pane = QScrollArea()
        self.pane.setWidgetResizable(True)
        self.pane.setFrameShape(QFrame.Shape.NoFrame)
        outer.addWidget(self.pane, 1)
        outer.addLayout(self._foot())
        self.set_results(results)

    def _foot(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(20, 8, 20, 12)
        text = QLabel(_("Same drawing, same job. Only switches, NICs and optics change."))
        text.setProperty("role", "secondary")
        row.addWidget(text, 1)
        for label, slot in (
            (_("Change assumptions"), lambda: self.assumptions_requested.emit("")),
            (_("Export summary"), self.export_requested.emit),
            (_("Close"), self.close),
        ):
            button = QPushButton(label)
            button.clicked.connect(slot)
            row.addWidget(button)
        return row

    def set_results(self, results: Results | None) -> None:
        """Show new results, or say that there are none yet."""
        page = QWidget()
        page.setObjectName("comparePage")
        grid = QGridLayout(page)
        grid.setContentsMargins(20, 16, 20, 12)
        grid.setSpacing(14)
        if results is None:
            grid.addWidget(QLabel(_("Computing")), 0, 0)
        else:
            self._fill(grid, results)
        self.pane.setWidget(page)

    def _fill(self, grid: QGridLayout, results: Results) -> None:
        years = (
            round((results.get("assumptions.years.value") or {"typical": 4})["typical"])
            if isinstance(results.get("assumptions.years.value"), dict)
            else round(results.get("assumptions.years.value") or 4)
        )
        grid.addWidget(self._verdict(results, years), 0, 0, 1, 3)
        grid.addWidget(_card(_("Side by side"), "", self._table(results)), 1, 0, 2, 1)
        tco = QWidget()
        row = QHBoxLayout(tco)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(charts.tco_plot(results, self._theme, years), 3)
        row.addWidget(
            _titled(
                _("Difference, RoCE minus InfiniBand"),
                charts.difference_plot(results, self._theme, years),
            ),
            2,
        )
        grid.addWidget(_card(_("Total cost of ownership"), _("band: low to high"), tco), 1, 1, 1, 2)
        grid.addWidget(
            _card(_("Capital cost by part"), _("typical"), charts.capex_bars(results, self._theme)),
            2,
            1,
        )
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(_card(_("Training step"), "", charts.step_bars(results, self._theme)))
        column.addWidget(
            _card(_("Cost of idle GPUs"), _("typical"), charts.idle_bars(results, self._theme))
        )
        grid.addWidget(side, 2, 2)
        for k, stretch in enumerate((5, 4, 4)):
            grid.setColumnStretch(k, stretch)

    def _verdict(self, results: Results, years: int) -> QFrame:
        box = QFrame()
        box.setObjectName("card")
        row = QHBoxLayout(box)
        row.setSpacing(24)
        choice = results.get("verdict.choice")
        margin = _typical(results.get("verdict.margin_usd"))
        left = QVBoxLayout()
        left.addWidget(_label(_("Verdict over {n} years").format(n=format_number(years)), "strong"))
        head = (
            _(CHOICES[choice]).format(margin=format_money(margin or 0.0))
            if choice
            else _("No verdict")
        )
        left.addWidget(_label(head, "display"))
        note = self._verdict_note(results, choice)
        left.addWidget(_label(note, "secondary"))
        left.addStretch(1)
        row.addLayout(left, 3)
        why = QVBoxLayout()
        why.addWidget(_label(_("Why"), "strong"))
        for reason in results.get("verdict.reasons") or []:
            why.addWidget(_label(f"• {reason}", ""))
        why.addStretch(1)
        row.addLayout(why, 4)
        row.addLayout(self._flips(results), 4)
        return box

    def _verdict_note(self, results: Results, choice: str | None) -> str:
        if choice is None:
            return results.reason("verdict.choice")
        margin = results.get("verdict.margin_usd")
        if choice == "too_close_to_call" and isinstance(margin, dict):
            spread = Range(margin["low"], margin["typical"], margin["high"])
            return _("The range of the difference holds zero: {range}.").format(
                range=format_range(spread)
            )
        return _("The winner is the same over the whole range of prices and efficiencies.")

    def _flips(self, results: Results) -> QVBoxLayout:
        column = QVBoxLayout()
        column.addWidget(_label(_("What would flip it"), "strong"))
        shown = [f for f in results.get("verdict.flips") or [] if f.get("value") is not None][:4]
        for flip in shown:
            side = _("above") if flip["above"] else _("below")
            where = "" if flip["inside"] else " " + _("(outside its range)")
            text = _("{label} {side} {value} {unit}{where}, now {now}").format(
                label=flip["label"],
                side=side,
                value=format_significant(flip["value"]),
                unit=flip["unit"].replace("1", "") if flip["unit"] == "1" else flip["unit"],
                where=where,
                now=format_significant(flip["now"]),
            )
            column.addWidget(_label(f"• {text}", ""))
        if not shown:
            column.addWidget(_label(_("No single value within reach."), "secondary"))
        column.addStretch(1)
        return column

    def _table(self, results: Results) -> QTableWidget:
        rows: list[tuple[str, tuple[str, ...] | None, str]] = []
        for section, lines in SECTIONS:
            rows.append((_(section), None, ""))
            for label, key, form in lines:
                cells, values = [], []
                for name, *_rest in charts.FABRICS:
                    value = results.get(f"fabrics.{name}.{key}")
                    reason = results.reason(f"fabrics.{name}.{key}")
                    cells.append("—" if value is None else form(value))
                    values.append(_typical(value))
                    if value is None and reason:
                        cells[-1] = f"— {reason}"
                rows.append((_(label), (*cells, _difference(values)), key))
        table = QTableWidget(len(rows), 4)
        table.setHorizontalHeaderLabels(["", _("InfiniBand"), _("RoCE"), _("RoCE − InfiniBand")])
        table.verticalHeader().hide()
        table.setShowGrid(False)
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        table.setWordWrap(True)
        for r, (label, texts, key) in enumerate(rows):
            item = QTableWidgetItem(label)
            item.setData(Qt.ItemDataRole.UserRole, key)
            table.setItem(r, 0, item)
            if texts is None:
                table.setSpan(r, 0, 1, 4)
                font = item.font()
                font.setBold(True)
                item.setFont(font)
                continue
            for k, text in enumerate(texts, start=1):
                cell = QTableWidgetItem(text)
                cell.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                table.setItem(r, k, cell)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        table.resizeRowsToContents()
        table.cellDoubleClicked.connect(
            lambda r, c: (
                self.explain_requested.emit(
                    f"fabrics.{charts.FABRICS[max(0, min(1, c - 1))][0]}.{rows[r][2]}"
                )
                if rows[r][2]
                else None
            )
        )
        return table


def _difference(values: list[float | None]) -> str:
    one, two = values
    if one is None or two is None or not one:
        return ""
    share = two / one - 1
    return f"{'+' if share > 0 else ''}{format_percent(share)}"


def _label(text: str, role: str) -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    if role:
        label.setProperty("role", role)
    return label


def _titled(title: str, widget: QWidget) -> QWidget:
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(_label(title, "secondary"))
    column.addWidget(widget, 1)
    return box


def _card(title: str, note: str, widget: QWidget) -> QFrame:
    box = QFrame()
    box.setObjectName("card")
    column = QVBoxLayout(box)
    row = QHBoxLayout()
    row.addWidget(_label(title, "strong"))
    row.addStretch(1)
    row.addWidget(_label(note, "secondary"))
    column.addLayout(row)
    column.addWidget(widget, 1)
    return box
