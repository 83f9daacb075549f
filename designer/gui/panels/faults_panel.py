"""The table of single faults: run it, look at one, let it fail for the results."""

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QProgressBar,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from designer.engine.failures import Effect
from designer.gui.bridge import Document
from designer.gui.labels import label
from designer.gui.panels.faults_model import FIRST_RATIO, FaultsModel, LossDelegate
from designer.gui.panels.page_parts import prepare_table
from designer.messages import _, ngettext
from designer.units import format_number


class FaultsPanel(QWidget):
    """Every link, NIC, server, switch, rail and rack taken out by itself, the worst first.

    Signals:
        chosen: Ids of what a row would take out, to be shown on the drawing.
        failed: The exception that ended a run.
    """

    chosen = Signal(object)
    failed = Signal(object)

    def __init__(self, document: Document, theme: str) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._document = document
        self.run = document.faults
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(6)
        column.addLayout(self._bar())
        self.model = FaultsModel(theme, self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(_("Failures"))
        prepare_table(self.table)
        self.table.setSortingEnabled(False)
        for k in range(FIRST_RATIO, self.model.columnCount()):
            self.table.setItemDelegateForColumn(k, LossDelegate(theme, self.table))
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        for section, width in ((0, 110), (2, 80), (3, 90), (4, 150), (5, 150), (6, 130), (7, 130)):
            header.resizeSection(section, width)
        header.sectionClicked.connect(self.model.sort)
        header.setSectionsClickable(True)
        column.addWidget(self.table, 1)
        self.table.clicked.connect(self._on_row)
        self.table.activated.connect(self._on_activated)
        self.run.progress.connect(self._on_progress)
        self.run.finished.connect(self._on_finished)
        self.run.failed.connect(self._on_failed)
        document.edited.connect(self._on_edit)
        document.failed_changed.connect(self._show_state)
        self._on_finished()

    def _bar(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(14, 0, 14, 0)
        row.setSpacing(10)
        self.run_button = QPushButton(_("Run N-1"))
        self.run_button.setProperty("primary", True)
        self.run_button.clicked.connect(self._run_or_stop)
        self.bar = QProgressBar()
        self.bar.setMaximumWidth(200)
        self.bar.setTextVisible(False)
        self.summary = label("", "row")
        self.try_button = QPushButton(_("Try it"))
        self.try_button.setToolTip(_("Shows the results with it out; the drawing stays as it is."))
        self.try_button.clicked.connect(self._try)
        self.restore_button = QPushButton(_("Restore all"))
        self.restore_button.clicked.connect(lambda: self._document.set_failed(()))
        for widget in (self.run_button, self.bar):
            row.addWidget(widget)
        row.addWidget(self.summary, 1)
        row.addWidget(self.try_button)
        row.addWidget(self.restore_button)
        return row

    # --- running ---

    def _run_or_stop(self) -> None:
        if self.run.running:
            self.run.cancel()
        else:
            document = self._document
            self.bar.setRange(0, 0)
            self.run.start(document.design, document.options, document.catalog)
        self._show_state()

    def _on_progress(self, done: int, total: int) -> None:
        self.bar.setRange(0, total)
        self.bar.setValue(done)

    def _on_finished(self) -> None:
        self.model.show_effects(self.run.effects)
        if self.run.effects:
            self.table.selectRow(0)
        self._show_state()

    def _on_failed(self, fault: Exception) -> None:
        self._show_state()
        self.failed.emit(fault)

    def _on_edit(self, _edit: object) -> None:
        self._show_state()

    def _show_state(self) -> None:
        self.run_button.setText(_("Stop") if self.run.running else _("Run N-1"))
        self.bar.setVisible(self.run.running)
        self.try_button.setEnabled(bool(self.model.rows))
        self.restore_button.setEnabled(bool(self._document.options.fail))
        self.summary.setText(self._text())

    def _text(self) -> str:
        if self.run.running:
            return _("Taking out one part after the other…")
        if self.run.revision < 0:
            return _("Every link, NIC, server, switch, rail and rack, each by itself.")
        n = sum(len(e.keys) for e in self.model.rows)
        text = ngettext(
            "{n} single fault in {k} kinds that behave alike.",
            "{n} single faults in {k} kinds that behave alike.",
            n,
        ).format(n=format_number(n), k=format_number(len(self.model.rows)))
        if self.run.revision != self._document.design.revision:
            text += " " + _("The drawing has changed since.")
        return text

    # --- rows ---

    def _effect(self) -> Effect | None:
        row = self.table.currentIndex().row()
        return self.model.rows[row] if 0 <= row < len(self.model.rows) else None

    def _on_row(self, _index: QModelIndex) -> None:
        effect = self._effect()
        if effect is not None:
            self.chosen.emit(frozenset(effect.ids))

    def _on_activated(self, _index: QModelIndex) -> None:
        self._try()

    def _try(self) -> None:
        effect = self._effect()
        if effect is not None:
            self._document.set_failed(effect.ids)
            self.chosen.emit(frozenset(effect.ids))
