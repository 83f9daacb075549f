"""The editor of assumptions: every number of the model, its source, and the way back."""

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from designer.gui.bridge import Document
from designer.gui.icons import icon
from designer.gui.labels import Elided, label
from designer.gui.panels.assumptions_model import (
    DATE,
    HIGH,
    LOW,
    NAME,
    RESET,
    SOURCE,
    TYPICAL,
    UNIT,
    VALUE,
    AssumptionsModel,
)
from designer.messages import _, ngettext
from designer.units import format_number

_WIDTHS = {VALUE: 84, UNIT: 70, LOW: 70, TYPICAL: 70, HIGH: 70, DATE: 92, RESET: 34}


class _Table(QTreeView):
    """The table; Enter edits the value of a row."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Edit with Enter."""
        editing = self.state() == QAbstractItemView.State.EditingState
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not editing:
            index = self.currentIndex()
            self.edit(index.siblingAtColumn(VALUE))
        else:
            super().keyPressEvent(event)


class AssumptionsPanel(QWidget):
    """The table of all assumptions; `narrow` leaves out what a dock has no room for.

    Signals:
        refused: The `DesignerError` of a value that was not taken.
    """

    refused = Signal(object)

    def __init__(self, document: Document, theme: str, *, narrow: bool) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._document, self._narrow = document, narrow
        self._closed: set[str] = set()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 10, 0, 0)
        column.setSpacing(8)
        column.addLayout(self._head(theme))
        self.model = AssumptionsModel(document, theme, self)
        self.model.refused.connect(self.refused)
        self.table = _Table()
        self._prepare_table()
        column.addWidget(self.table, 1)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._refresh)
        document.edited.connect(self._refresh_soon)
        document.results_changed.connect(self._refresh_soon)
        self._say_counts()

    def _refresh_soon(self, _change: object) -> None:
        self._later.start()

    def _head(self, theme: str) -> QVBoxLayout:
        self.search = QLineEdit()
        self.search.setPlaceholderText(_("Search assumptions"))
        self.search.setAccessibleName(_("Search assumptions"))
        self.search.setClearButtonEnabled(True)
        self.search.addAction(
            QAction(icon("search", "text3", theme), "", self.search),
            QLineEdit.ActionPosition.LeadingPosition,
        )
        self.search.textChanged.connect(self._filter)
        self.changed_only = QPushButton(_("Changed"))
        self.changed_only.setCheckable(True)
        self.changed_only.setToolTip(_("Show only changed values"))
        self.changed_only.toggled.connect(lambda _on: self._filter())
        self.reset_button = QPushButton(_("Reset changed"))
        self.reset_button.clicked.connect(self._reset_all)
        self.counts = Elided("", "row")
        first, second = QHBoxLayout(), QHBoxLayout()
        for row in (first, second):
            row.setContentsMargins(14, 0, 14, 0)
        column = QVBoxLayout()
        column.setSpacing(6)
        first.addWidget(label(_("Assumptions"), "rowStrong"))
        first.addWidget(self.counts, 1)
        place = second if self._narrow else first
        place.addWidget(self.search, 1)
        place.addWidget(self.changed_only)
        (first if self._narrow else place).addWidget(self.reset_button)
        column.addLayout(first)
        column.addLayout(second)
        return column

    def _prepare_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        table.setAccessibleName(_("Assumptions"))
        table.setRootIsDecorated(False)
        table.setIndentation(0)
        table.setUniformRowHeights(True)
        table.setAllColumnsShowFocus(True)
        table.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.SelectedClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = table.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(30)
        for section, width in _WIDTHS.items():
            header.setSectionResizeMode(section, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(section, width)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(SOURCE, QHeaderView.ResizeMode.Stretch)
        if self._narrow:
            for section in (LOW, TYPICAL, HIGH, SOURCE, DATE):
                table.setColumnHidden(section, True)
            header.resizeSection(UNIT, 62)
            header.resizeSection(VALUE, 70)
        table.clicked.connect(self._on_click)
        self._open_groups()

    def _open_groups(self) -> None:
        self.table.expandAll()
        for row in range(self.model.rowCount()):
            self.table.setFirstColumnSpanned(row, QModelIndex(), True)

    def show_key(self, key: str) -> None:
        """Bring a parameter into view and begin to edit it."""
        self.changed_only.setChecked(False)
        self.search.clear()
        index = self.model.find(key)
        if index.isValid():
            self.table.setCurrentIndex(index)
            self.table.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
            self.table.setFocus()
            self.table.edit(index)

    # --- keeping up ---

    def _filter(self) -> None:
        self.model.set_filter(self.search.text(), self.changed_only.isChecked())
        self._open_groups()

    def _refresh(self) -> None:
        if not self.model.reread():
            self.model.rebuild()
            self._open_groups()
        self._say_counts()

    def _say_counts(self) -> None:
        total, changed = self.model.counts()
        text = ngettext("{n} value, {k} changed", "{n} values, {k} changed", total)
        self.counts.setText(text.format(n=format_number(total), k=format_number(changed)))
        self.reset_button.setEnabled(bool(changed))

    def _on_click(self, index: QModelIndex) -> None:
        value = self.model.value_at(index)
        if value is not None and index.column() == RESET and value.changed:
            self.model.reset(value.key)

    def _reset_all(self) -> None:
        self.model.reset_all()
