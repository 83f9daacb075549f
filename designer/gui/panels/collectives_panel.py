"""The page of collectives: which one, how large, by which algorithm; its curve and its table."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QHeaderView,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from designer.engine.options import CHOICES, OPERATIONS, RELAYS, ROUTINGS, message_size
from designer.engine.results import Results
from designer.gui.bridge import Document
from designer.gui.charts.algorithms import AlgorithmChart
from designer.gui.labels import Figure, label
from designer.gui.panels.card import why
from designer.gui.panels.fields import ChoiceField, Form, TextField
from designer.gui.panels.page_parts import prepare_table
from designer.gui.segments import Segments
from designer.messages import N_, _
from designer.reports.cells import csv_text
from designer.reports.curve_table import PROTOCOLS, algorithm_name, curve_rows, curve_sheet
from designer.units import format_binary_size, format_bytes_per_s, format_time

OPERATION_NAMES = {
    "all_reduce": "all-reduce",
    "all_gather": "all-gather",
    "reduce_scatter": "reduce-scatter",
    "all_to_all": "all-to-all",
    "broadcast": "broadcast",
    "send_recv": "send/recv",
}
WAYS = {"auto": N_("the fastest"), "nccl": N_("NCCL's published rule")}
_RELAY_NAMES = {
    "auto": N_("where there is NVLink"),
    "on": N_("on, both computed"),
    "off": N_("off, both computed"),
}
_ROUTING_NAMES = {
    "auto": N_("by the technology"),
    "ecmp": N_("equal split (ECMP)"),
    "hashed": N_("hashed flows"),
    "adaptive": N_("adaptive"),
}
_CHOSEN_BY = {
    "time": N_("the shortest time"),
    "nccl": N_("NCCL's published rule"),
    "request": N_("your request"),
}


class SizeField(TextField):
    """A message size such as `1GiB`."""

    def as_text(self, value: object) -> str:
        """Return the size in binary units."""
        return format_binary_size(value) if isinstance(value, int) else ""

    def as_value(self, text: str) -> object:
        """Return the size that was typed, bytes."""
        return message_size(text)


class CollectivesPanel(QWidget):
    """Asks for a collective and shows it; the drawing is not changed by what is asked.

    Signals:
        explain: Dotted key of a figure, and where it stands on the screen.
    """

    explain = Signal(str, QPoint)

    def __init__(self, document: Document, theme: str) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._document = document
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 8, 10, 6)
        row.setSpacing(16)
        row.addWidget(self._asking())
        row.addLayout(self._answers(), 2)
        self.chart = AlgorithmChart(theme)
        self.chart.size_chosen.connect(lambda size: document.set_options(size_bytes=size))
        self.measure = Segments(_("What the chart shows"), theme)
        self.measure.add("bandwidth", _("Bus bandwidth"))
        self.measure.add("time", _("Time"))
        self.measure.choose("bandwidth")
        self.measure.chosen.connect(self.chart.set_measure)
        middle = QVBoxLayout()
        middle.setSpacing(2)
        middle.addWidget(self.measure, 0, Qt.AlignmentFlag.AlignLeft)
        middle.addWidget(self.chart, 1)
        row.addLayout(middle, 4)
        self.table = CurveTable()
        row.addWidget(self.table, 5)
        document.results_changed.connect(self._show)
        document.computing.connect(self._on_computing)
        self._show()

    def _asking(self) -> QWidget:
        """Return the form of what is asked; it scrolls where the dock is low."""
        self.form = Form(84)
        names = tuple((n, OPERATION_NAMES[n]) for n in OPERATIONS)
        ways = tuple((n, _(WAYS[n]) if n in WAYS else algorithm_name(n)) for n in CHOICES)
        fields = (
            ("collective", _("Collective"), ChoiceField(names)),
            ("size_bytes", _("Message size"), SizeField()),
            ("algorithm", _("Algorithm"), ChoiceField(ways)),
            ("relay", _("Relay (PXN)"), ChoiceField([(n, _(_RELAY_NAMES[n])) for n in RELAYS])),
            ("routing", _("Routing"), ChoiceField([(n, _(_ROUTING_NAMES[n])) for n in ROUTINGS])),
        )
        for key, title, field in fields:
            self.form.add(key, title, field, self._asks(key))
        self.form.fields["relay"].setToolTip(
            _("Whether data of an all-to-all changes rails over NVLink before it is sent.")
        )
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(self.form)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFixedWidth(292)
        self.form.setObjectName("panel")
        return scroll

    def _asks(self, key: str) -> Any:
        def commit(value: object) -> None:
            self._document.set_options(**{key: value})

        return commit

    def _answers(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(2)
        self.time, self.speed = Figure("figure", _("time")), Figure("rowStrong", "")
        self.words = label("", "small", wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for figure in (self.time, self.speed):
            figure.explain.connect(self.explain)
            column.addWidget(figure)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(self.words)
        self.words.setObjectName("panel")
        scroll.setMinimumWidth(170)
        column.addWidget(scroll, 1)
        return column

    def _show(self, _any: object = None) -> None:
        results, options = self._document.results, self._document.options
        for key, field in self.form.fields.items():
            field.show_value(getattr(options, key))
        key = f"collectives.{options.collective}"
        found: Mapping[str, Any] = (results.get(key) if results is not None else None) or {}
        time, speed = found.get("time_s"), found.get("bus_bandwidth_bytes_per_s")
        reason = why(results, f"{key}.time_s")
        self.time.show_value(None if time is None else format_time(time), f"{key}.time_s", reason)
        self.speed.show_value(
            None
            if speed is None
            else _("{speed} bus bandwidth").format(speed=format_bytes_per_s(speed)),
            f"{key}.bus_bandwidth_bytes_per_s",
            why(results, f"{key}.bus_bandwidth_bytes_per_s"),
        )
        self.words.setText("\n".join(self._lines(found) if time is not None else [reason]))
        self.chart.set_curves(
            found.get("curve") or (), found.get("curves") or {}, options.size_bytes
        )
        self.table.show_curve(results, options.collective)
        self._on_computing()

    def _lines(self, found: Mapping[str, Any]) -> list[str]:
        """Return what else there is to say of the operation at its size."""
        algorithm = algorithm_name(found["algorithm"])
        by = _(_CHOSEN_BY[found["chosen_by"]])
        lines = [_("{algorithm}, chosen by {what}").format(algorithm=algorithm, what=by)]
        rule = found.get("nccl_choice")
        if rule and found["chosen_by"] != "nccl":
            name, _slash, protocol = rule.partition("/")
            text = _("NCCL's published rule takes {algorithm}, {protocol}.")
            lines.append(
                text.format(
                    algorithm=algorithm_name(name), protocol=PROTOCOLS.get(protocol, protocol)
                )
            )
        if found.get("bottleneck"):
            lines.append(_("Slowest: {link}").format(link=found["bottleneck"]))
        both = found.get("relay")
        if both:
            text = _("Relay over NVLink: {a} with, {b} without")
            a, b = format_time(both["with_s"]), format_time(both["without_s"])
            lines.append(text.format(a=a, b=b))
        spread = found.get("hashing")
        if spread:
            text = _("Over hash seeds: {p50} median, {p95} 95th percentile, {worst} worst")
            times = {k: format_time(spread[f"{k}_s"]) for k in ("p50", "p95", "worst")}
            lines.append(text.format(**times))
        return lines

    def _on_computing(self, _behind: int = 0) -> None:
        stale = not self._document.current
        self.chart.set_faint(stale)
        for figure in (self.time, self.speed):
            figure.set_stale(stale)


class CurveTable(QTableWidget):
    """A row a message size; Ctrl+C copies all of it as CSV."""

    def __init__(self) -> None:
        super().__init__(0, 7)
        titles = (
            _("Size"),
            _("Algorithm"),
            _("Protocol"),
            _("Time"),
            _("algbw"),
            _("busbw"),
            _("Limited by"),
        )
        self.setHorizontalHeaderLabels(titles)
        self.setAccessibleName(_("Collective over message sizes"))
        prepare_table(self)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(6, QHeaderView.ResizeMode.Stretch)
        self.copy_action = self.addAction(
            _("Copy as CSV"), QKeySequence.StandardKey.Copy, self.copy
        )
        self.copy_action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._curve: tuple[Results, str] | None = None

    def show_curve(self, results: Results | None, operation: str) -> None:
        """Show the curve of an operation, or nothing before the first results."""
        self._curve = (results, operation) if results is not None else None
        rows = curve_rows(results, operation) if results is not None else []
        self.setRowCount(len(rows))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for k, row in enumerate(rows):
            for column, text in enumerate(row):
                item = QTableWidgetItem(text)
                if column in (0, 3, 4, 5):
                    item.setTextAlignment(right)
                self.setItem(k, column, item)

    def copy(self) -> None:
        """Put the numbers on the clipboard."""
        if self._curve is not None:
            QApplication.clipboard().setText(csv_text(curve_sheet(*self._curve)))
