"""InfiniBand or RoCE on the same drawing: verdict, table and charts in a window of its own."""

from typing import Any

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from designer.engine.results import Results
from designer.gui.dialogs.compare_marks import LegendMark
from designer.gui.dialogs.compare_table import CompareTable
from designer.gui.dialogs.compare_verdict import VerdictCard
from designer.gui.dialogs.fabrics import FABRICS, typical
from designer.gui.labels import Elided, label, line, mark
from designer.messages import _, ngettext
from designer.units import format_number


class CompareWindow(QDialog):
    """The comparison, not modal; `set_results` refreshes it.

    Signals:
        assumptions_requested: Key of a parameter to edit, or empty.
        export_requested: The person wants the summary.
        explain_requested: Dotted key of a figure, and where it stands on the screen.
    """

    assumptions_requested = Signal(str)
    export_requested = Signal()
    explain_requested = Signal(str, QPoint)

    def __init__(
        self, results: Results | None, name: str, theme: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._name, self._theme = name, theme
        self.setWindowTitle(_("InfiniBand or RoCE on the same drawing"))
        room = parent.window().size() if parent is not None else QSize(1600, 1000)
        self.resize(min(1500, room.width() - 40), min(960, room.height() - 20))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._head())
        outer.addWidget(line())
        self.pane = QScrollArea()
        self.pane.setWidgetResizable(True)
        self.pane.setFrameShape(QFrame.Shape.NoFrame)
        outer.addWidget(self.pane, 1)
        outer.addWidget(line())
        outer.addWidget(self._foot())
        self.set_results(results)

    def _head(self) -> QWidget:
        head = QWidget()
        head.setObjectName("panel")
        row = QHBoxLayout(head)
        row.setContentsMargins(24, 12, 24, 12)
        row.setSpacing(12)
        row.addWidget(mark("compare", "text", self._theme, 20))
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(label(_("InfiniBand or RoCE on the same drawing"), "heading"))
        self.subtitle = Elided("", "secondary")
        words.addWidget(self.subtitle)
        row.addLayout(words, 1)
        for _key, title, token, symbol in FABRICS:
            row.addWidget(LegendMark(self._theme, token, symbol == "s"))
            row.addWidget(label(_(title), "rowStrong"))
        return head

    def _foot(self) -> QWidget:
        foot = QWidget()
        foot.setObjectName("panel")
        row = QHBoxLayout(foot)
        row.setContentsMargins(24, 10, 24, 10)
        row.setSpacing(8)
        text = _("Same drawing, same job. Only switches, NICs and optics change.")
        row.addWidget(Elided(text, "secondary"), 1)
        self.buttons: dict[str, QPushButton] = {}
        for key, text, slot in (
            ("assumptions", _("Change assumptions"), self._ask_assumptions),
            ("export", _("Export summary"), self.export_requested.emit),
            ("close", _("Close"), self.close),
        ):
            button = QPushButton(text)
            button.setAutoDefault(False)
            button.clicked.connect(slot)
            row.addWidget(button)
            self.buttons[key] = button
        return foot

    def _ask_assumptions(self) -> None:
        self.assumptions_requested.emit("")

    def set_results(self, results: Results | None) -> None:
        """Show new results, or say that there are none yet; what was in view stays in view."""
        at = self.pane.verticalScrollBar().value()
        page = QWidget()
        page.setObjectName("comparePage")
        grid = QGridLayout(page)
        grid.setContentsMargins(24, 16, 24, 16)
        grid.setSpacing(14)
        self.subtitle.setText(_subtitle(self._name, results))
        if results is None:
            waiting = label(_("Computing"), "section")
            grid.addWidget(waiting, 0, 0, Qt.AlignmentFlag.AlignCenter)
        else:
            self._fill(grid, results)
        self.pane.setWidget(page)
        self.pane.verticalScrollBar().setValue(at)

    def _fill(self, grid: QGridLayout, results: Results) -> None:
        # Imported with the first comparison: the window is usable a third of a second sooner.
        from designer.gui.dialogs import compare_charts as charts

        years = _years(results)
        grid.addWidget(VerdictCard(results, self._theme, years), 0, 0, 1, 2)
        self.table = CompareTable(results)
        self.table.explain.connect(self.explain_requested)
        note = _("typical, low to high below")
        grid.addWidget(_card(_("Side by side"), note, self.table), 1, 0)
        side = QGridLayout()
        side.setSpacing(14)
        note = _("bands: low to high")
        total = charts.tco_plot(results, self._theme, years)
        gap = charts.difference_plot(results, self._theme, years)
        box = _beside(
            _titled(_("Total, with GPU time lost to the network"), total),
            _titled(_("Difference, RoCE minus InfiniBand"), gap),
        )
        side.addWidget(_card(_("Total cost of ownership"), note, box), 0, 0, 1, 2)
        capex = charts.capex_bars(results, self._theme)
        side.addWidget(_card(_("Capital cost by part"), _("typical"), capex), 1, 0, 2, 1)
        step = charts.step_bars(results, self._theme)
        job = str(results.get("step.workload") or "")
        side.addWidget(_card(_("Training step"), job, step), 1, 1)
        idle = charts.idle_bars(results, self._theme)
        side.addWidget(_card(_("GPU time lost to the network"), _("a year"), idle), 2, 1)
        side.addWidget(_card(_("Stand-ins and unknowns"), "", _notes(results)), 3, 0, 1, 2)
        side.setRowStretch(0, 3)
        side.setRowStretch(1, 2)
        side.setRowStretch(2, 2)
        side.setRowStretch(3, 1)
        grid.setRowStretch(1, 1)
        grid.addLayout(side, 1, 1)
        grid.setColumnMinimumWidth(0, 480)
        grid.setColumnStretch(1, 1)


def _years(results: Results) -> int:
    return max(1, round(typical(results.get("assumptions.years.value")) or 4))


def _subtitle(name: str, results: Results | None) -> str:
    parts: list[str] = [name]
    gpus: Any = results.get("counts.gpus") if results is not None else None
    if results is not None and gpus:
        parts.append(ngettext("{n} GPU", "{n} GPUs", gpus).format(n=format_number(gpus)))
        tiers = ("leaf", "spine", "core")
        switches = sum(results.get(f"counts.{tier}") or 0 for tier in tiers)
        text = ngettext("{n} switch", "{n} switches", switches)
        parts.append(text.format(n=format_number(switches)))
        years = _years(results)
        parts.append(ngettext("{n} year", "{n} years", years).format(n=format_number(years)))
    return " · ".join(filter(None, parts))


def _beside(*widgets: QWidget) -> QWidget:
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(16)
    for widget in widgets:
        row.addWidget(widget, 1)
    return box


def _notes(results: Results) -> QWidget:
    """Return what stands in for unknown prices and figures, by technology."""
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(4)
    for key, title, _token, _symbol in FABRICS:
        lines = list(results.get(f"fabrics.{key}.notes") or [])
        missing = results.get(f"fabrics.{key}.unpriced") or []
        if missing:
            lines.append(_("no price: {parts}").format(parts=", ".join(map(str, missing))))
        for text in dict.fromkeys(lines):
            column.addWidget(label(f"{_(title)}: {text}", "row", wrap=True))
    if not column.count():
        column.addWidget(label(_("Every price and figure has a source of its own."), "row"))
    column.addStretch(1)
    return box


def _titled(title: str, widget: QWidget) -> QWidget:
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(4)
    column.addWidget(label(title, "row"))
    column.addWidget(widget, 1)
    return box


def _card(title: str, note: str, widget: QWidget) -> QFrame:
    box = QFrame()
    box.setObjectName("card")
    column = QVBoxLayout(box)
    column.setContentsMargins(16, 12, 16, 12)
    column.setSpacing(8)
    row = QHBoxLayout()
    row.addWidget(label(title, "title"))
    row.addStretch(1)
    row.addWidget(label(note, "small"))
    column.addLayout(row)
    column.addWidget(widget, 1)
    return box
