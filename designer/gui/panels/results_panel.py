"""The results of the model, side by side, for the drawing as it is."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from designer.gui.bridge import Document
from designer.gui.labels import label, line
from designer.gui.panels.findings import FindingsCard
from designer.gui.panels.hottest_card import HottestCard
from designer.gui.panels.result_cards import (
    AllReduceCard,
    IdleCard,
    StepCard,
    TrafficCard,
)
from designer.messages import _
from designer.units import format_money, format_percent, format_time

# Narrower than this, the curve of the all-reduce is left out and cards come closer.
WIDE = 1500


class ResultsPanel(QWidget):
    """Cards of traffic, all-reduce, step, idle GPUs, hottest links and findings.

    Signals:
        explain: Dotted key of a figure, and where it stands on the screen.
        cable_chosen: Id of a cable record.
        finding_chosen: A `Finding`.
        findings_requested: The whole table of findings is wanted.
        workload_requested: `stock` or `file`: the person wants to choose a workload.
    """

    explain = Signal(str, QPoint)
    cable_chosen = Signal(str)
    finding_chosen = Signal(object)
    findings_requested = Signal()
    workload_requested = Signal(str)

    def __init__(self, document: Document, theme: str) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._document = document
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = QWidget()
        body.setObjectName("panel")
        scroll.setWidget(body)
        outer.addWidget(scroll)
        self._row = QHBoxLayout(body)
        self._row.setContentsMargins(2, 0, 2, 0)
        self._row.setSpacing(0)
        self.empty = self._empty()
        self.no_workload = self._no_workload()
        self.traffic, self.all_reduce = TrafficCard(theme), AllReduceCard(theme)
        self.step, self.idle = StepCard(theme), IdleCard(theme)
        self.hottest, self.findings = HottestCard(theme), FindingsCard(theme)
        self.cards = (self.traffic, self.all_reduce, self.step, self.idle, self.hottest)
        self._rules: list[QWidget] = []
        self._row.addWidget(self.empty, 1)
        for card in (self.no_workload, *self.cards):
            self._row.addWidget(card, 3)
            rule = line(vertical=True)
            self._rules.append(rule)
            self._row.addWidget(rule)
        self._row.addWidget(self.findings, 4)
        for card in self.cards:
            card.explain.connect(self.explain)
        self.hottest.chosen.connect(self.cable_chosen)
        self.findings.chosen.connect(self.finding_chosen)
        self.findings.all_requested.connect(self.findings_requested)
        document.results_changed.connect(self._on_results)
        document.computing.connect(self._on_computing)
        document.edited.connect(self._on_edit)
        self.refresh()

    def _empty(self) -> QWidget:
        box = QWidget()
        column = QVBoxLayout(box)
        column.addWidget(
            label(_("Nothing to compute: place 2 devices and a cable."), "row"),
            0,
            Qt.AlignmentFlag.AlignCenter,
        )
        return box

    def _no_workload(self) -> QWidget:
        box = QWidget()
        box.setMaximumWidth(380)
        column = QVBoxLayout(box)
        column.setContentsMargins(14, 10, 14, 8)
        column.setSpacing(8)
        column.addWidget(
            label(_("Choose a workload to see traffic and step time."), "title", wrap=True)
        )
        column.addWidget(
            label(_("All-reduce needs none: it is computed over all GPUs."), "row", wrap=True)
        )
        choose = QPushButton(_("Choose from the library"))
        choose.setProperty("primary", True)
        choose.clicked.connect(lambda: self.workload_requested.emit("stock"))
        file = QPushButton(_("Open a workload file"))
        file.clicked.connect(lambda: self.workload_requested.emit("file"))
        column.addWidget(choose, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(file, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        return box

    # --- showing ---

    def _on_results(self, _results: object) -> None:
        self.refresh()

    def _on_edit(self, _edit: object) -> None:
        self._show_cards()

    def refresh(self) -> None:
        """Show the newest results."""
        results, design = self._document.results, self._document.design
        self.traffic.show_results(results)
        self.all_reduce.show_results(results)
        self.step.show_results(results, design.workload)
        self.idle.show_results(results)
        self.hottest.show_results(results, design)
        self.findings.show_results(results)
        self._show_cards()

    def _show_cards(self) -> None:
        design = self._document.design
        drawn = bool(design.devices)
        job = design.workload is not None
        self.empty.setVisible(not drawn)
        self.no_workload.setVisible(drawn and not job)
        self.findings.setVisible(drawn)
        for card in self.cards:
            card.setVisible(drawn and (job or card is not self.traffic))
        shown: tuple[QWidget, ...] = (self.no_workload, *self.cards)
        for rule, widget in zip(self._rules, shown, strict=True):
            rule.setVisible(not widget.isHidden())

    def _on_computing(self, _behind: int) -> None:
        for card in self.cards:
            card.set_stale(not self._document.current)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the curve out of a narrow window."""
        super().resizeEvent(event)
        self.all_reduce.set_compact(self.width() < WIDE or self.height() < 190)

    def summary(self) -> str:
        """Return the four headline numbers in one line, for the folded dock."""
        results = self._document.results
        if results is None:
            return ""
        bits = []
        for key, title, form in (
            ("collectives.all_reduce.time_s", _("All-reduce"), format_time),
            ("step.time_s", _("Training step"), format_time),
            ("step.network_idle_share", _("Idle, network share"), format_percent),
        ):
            value = results.get(key)
            bits.append(f"{title} {'—' if value is None else form(value)}")
        money = results.get(f"fabrics.{results.get('fabric')}.idle_gpu_usd_per_year")
        text = format_money(money["typical"]) if isinstance(money, dict) else "—"
        bits.append(_("{money} a year").format(money=text))
        return "   ·   ".join(bits)
