"""The cable schedule: every cable with both ends, filtered by a query."""

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from designer.gui.bridge import Document
from designer.gui.icons import icon
from designer.gui.labels import label
from designer.gui.panels.page_parts import PeakDelegate, prepare_table
from designer.gui.panels.schedule_model import PEAK, ScheduleModel
from designer.messages import _, ngettext
from designer.model.edits import Edit
from designer.units import format_number

# More rows than this are not marked one by one when the selection changes.
MOST_MARKED = 300


class CableSchedule(QWidget):
    """The table with its filter; what is hidden does not work.

    Signals:
        zoom_requested: Ids to bring into view.
    """

    zoom_requested = Signal(frozenset)

    def __init__(self, document: Document, theme: str) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._document = document
        self._stale = True
        self._quiet = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(6)
        row = QHBoxLayout()
        row.setContentsMargins(14, 0, 14, 0)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(_("Filter: leaf-5 rail:3 speed:400"))
        self.filter.setAccessibleName(_("Filter cables"))
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(360)
        self.filter.addAction(
            QAction(icon("filter", "text3", theme), "", self.filter),
            QLineEdit.ActionPosition.LeadingPosition,
        )
        self.count = label("", "row")
        row.addWidget(self.filter, 1)
        row.addWidget(self.count)
        row.addStretch(1)
        column.addLayout(row)
        self.model = ScheduleModel(document.design, theme, self)
        self.table = QTableView()
        self._prepare_table(theme)
        column.addWidget(self.table, 1)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._refresh)
        self.filter.textChanged.connect(self._on_filter)
        document.edited.connect(self._on_edit)
        document.results_changed.connect(self._on_results)
        document.selection.changed.connect(self._show_selection)

    def _prepare_table(self, theme: str) -> None:
        table = self.table
        table.setModel(self.model)
        table.setAccessibleName(_("Cable schedule"))
        prepare_table(table)
        table.setItemDelegateForColumn(PEAK, PeakDelegate(theme, table, 40))
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        header = table.horizontalHeader()
        for section, width in enumerate((110, 150, 110, 150, 110, 60, 120, 200, 110)):
            header.resizeSection(section, width)
        header.setSectionResizeMode(7, QHeaderView.ResizeMode.Stretch)
        header.setSortIndicator(1, Qt.SortOrder.AscendingOrder)
        table.setSortingEnabled(True)
        table.selectionModel().selectionChanged.connect(self._on_table)
        table.doubleClicked.connect(self._on_double)

    def show_filter(self, text: str) -> None:
        """Filter by a query and show what it leaves."""
        self.filter.setText(text)
        self.filter.setFocus()

    # --- from the drawing ---

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while nobody looked."""
        super().showEvent(event)
        if self._stale:
            self._refresh()

    def _on_edit(self, edit: Edit) -> None:
        tables = edit.tables()
        if tables & {"devices", "types"}:
            self.model.forget()
        if tables & {"devices", "types", "cables"}:
            self._stale = True
            if self.isVisible():
                self._later.start()

    def _on_results(self, results: object) -> None:
        if self.isVisible():
            self.model.set_loads(getattr(results, "utilization", {}))
        else:
            self._stale = True

    def _on_filter(self, text: str) -> None:
        self._quiet = True
        self.model.set_filter(text)
        self._quiet = False
        self._say_count()

    def _refresh(self) -> None:
        self._stale = False
        results = self._document.results
        self._quiet = True
        self.model.set_loads(results.utilization if results is not None else {})
        self.model.refresh()
        self._quiet = False
        self._say_count()
        self._show_selection()

    def _say_count(self) -> None:
        rows = self.model.rows
        links = sum(r.links for r in rows)
        text = ngettext("{n} cable in {rows} rows", "{n} cables in {rows} rows", links)
        self.count.setText(text.format(n=format_number(links), rows=format_number(len(rows))))

    def _show_selection(self) -> None:
        if self._quiet or not self.isVisible():
            return
        wanted = self._document.selection.ids
        chosen, first = QItemSelection(), None
        for k, row in enumerate(self.model.rows):
            if row.id in wanted and chosen.count() < MOST_MARKED:
                first = k if first is None else first
                chosen.select(self.model.index(k, 0), self.model.index(k, PEAK))
        self._quiet = True
        self.table.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if first is not None:
            self.table.scrollTo(self.model.index(first, 0))
        self._quiet = False

    # --- from the table ---

    def _on_table(self, chosen: QItemSelection, gone: QItemSelection) -> None:
        if self._quiet:
            return
        rows = self.table.selectionModel().selectedRows()
        self._quiet = True
        self._document.selection.set(self.model.rows[i.row()].id for i in rows)
        self._quiet = False

    def _on_double(self, index: QModelIndex) -> None:
        self.zoom_requested.emit(frozenset({self.model.rows[index.row()].id}))
