"""Findings: a few as cards in the results, all of them in a table."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from designer.engine.check_rules import SEVERITY
from designer.engine.results import Results
from designer.gui.fonts import font
from designer.gui.icons import icon
from designer.gui.labels import clear, label, mark, pill, restyle
from designer.gui.panels.card import Card
from designer.gui.panels.page_parts import prepare_table
from designer.gui.style import color
from designer.messages import N_, _, ngettext
from designer.model.findings import SEVERITIES, Finding
from designer.units import format_number

Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
# As many as the card shows; the table has them all.
MOST_CARDS = 6
TOKENS = {"error": "err", "warning": "warn", "info": "text2"}
NAMES = {"error": N_("Error"), "warning": N_("Warning"), "info": N_("Note")}


def ranked(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings with the worst first."""
    return sorted(findings, key=lambda f: SEVERITIES.index(f.severity))


def passed(findings: Sequence[Finding]) -> int:
    """Return how many rules found nothing."""
    return len(set(SEVERITY) - {f.rule for f in findings})


class FindingCard(QFrame):
    """One finding: a click selects what it is about.

    Signals:
        chosen: The finding.
    """

    chosen = Signal(object)

    def __init__(self, finding: Finding, theme: str) -> None:
        super().__init__()
        self.finding = finding
        self.setObjectName("finding")
        self.setProperty("severity", finding.severity)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(f"{_(NAMES[finding.severity])}: {finding.message}")
        self.setToolTip(finding.hint)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 6, 8, 6)
        row.setSpacing(8)
        picture = mark(finding.severity, TOKENS[finding.severity], theme, 16)
        row.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(1)
        message = label(finding.message, "rowStrong", wrap=True)
        restyle(message, severity=finding.severity)
        words.addWidget(message)
        if finding.hint:
            words.addWidget(label(finding.hint, "small", wrap=True))
        row.addLayout(words, 1)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select what it is about."""
        self.chosen.emit(self.finding)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select what it is about by keyboard."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(self.finding)
        else:
            super().keyPressEvent(event)


class FindingsCard(Card):
    """The worst findings, and how many rules found nothing.

    Signals:
        chosen: A `Finding` that was clicked.
        all_requested: The whole table is wanted.
    """

    chosen = Signal(object)
    all_requested = Signal()

    def __init__(self, theme: str) -> None:
        super().__init__(_("Findings"))
        self._theme = theme
        self.setMinimumWidth(216)
        self._shown: tuple[Finding, ...] | None = None
        self.count = pill("0")
        self.head.insertWidget(1, self.count)
        self.note.hide()
        self.head.addStretch(1)
        self.all_button = QPushButton(_("Show all"))
        self.all_button.setProperty("role", "link")
        self.all_button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.all_button.clicked.connect(self.all_requested)
        self.head.addWidget(self.all_button)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        body.setObjectName("panel")
        self._list = QVBoxLayout(body)
        self._list.setContentsMargins(0, 0, 4, 0)
        self._list.setSpacing(6)
        scroll.setWidget(body)
        self.column.addWidget(scroll, 1)

    def show_results(self, results: Results | None) -> None:
        """Show the findings of the results."""
        found = tuple(ranked(results.findings)) if results is not None else ()
        if results is not None and found == self._shown:
            return
        self._shown = found if results is not None else None
        clear(self._list)
        serious = [f for f in found if f.severity != "info"]
        self.count.setText(format_number(len(serious) or len(found)))
        worst = found[0].severity if found else "ok"
        restyle(self.count, pill=worst)
        self.count.setVisible(bool(found))
        self.all_button.setVisible(bool(found))
        for finding in found[:MOST_CARDS]:
            card = FindingCard(finding, self._theme)
            card.chosen.connect(self.chosen)
            self._list.addWidget(card)
        if results is not None:
            self._list.addWidget(self._passed(found))
        self._list.addStretch(1)

    def _passed(self, found: Sequence[Finding]) -> QFrame:
        n = passed(found)
        text = ngettext("{n} check passed", "{n} checks passed", n).format(n=format_number(n))
        if not found:
            text = _("No findings. {passed}.").format(passed=text)
        box = QFrame()
        box.setObjectName("finding")
        row = QHBoxLayout(box)
        row.setContentsMargins(8, 6, 8, 6)
        row.addWidget(mark("ok", "ok", self._theme, 16))
        row.addWidget(label(text, "rowStrong", wrap=True), 1)
        return box


class FindingsModel(QAbstractTableModel):
    """All findings as rows: severity, rule, message, what to do."""

    def __init__(self, theme: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._all: list[Finding] = []
        self._words: list[str] = []
        self.rows: list[Finding] = []

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """Show these findings."""
        self._all = ranked(findings)
        self._filter()

    def set_filter(self, text: str) -> None:
        """Leave only findings that hold all words."""
        self._words = text.lower().split()
        self._filter()

    def _filter(self) -> None:
        self.beginResetModel()
        self.rows = [
            f
            for f in self._all
            if all(w in f"{f.rule} {f.message} {f.hint} {f.severity}".lower() for w in self._words)
        ]
        self.endResetModel()

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        """Return the number of columns."""
        return 4

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the titles."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (_("Kind"), _("Finding"), _("What to do"), _("Rule"))[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows."""
        finding, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            kind = _(NAMES[finding.severity])
            return (kind, finding.message, finding.hint, finding.rule)[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{finding.message}\n{finding.hint}".strip()
        if role == Qt.ItemDataRole.DecorationRole and column == 0:
            return icon(finding.severity, TOKENS[finding.severity], self._theme)
        if role == Qt.ItemDataRole.FontRole:
            return font(12, 600 if column == 1 else 400)
        if role == Qt.ItemDataRole.ForegroundRole:
            tokens = (TOKENS[finding.severity], "text", "text2", "text3")
            return color(tokens[column], self._theme)
        return None


class FindingsPanel(QWidget):
    """The table of all findings with a filter.

    Signals:
        chosen: A `Finding` that was clicked.
    """

    chosen = Signal(object)

    def __init__(self, theme: str) -> None:
        super().__init__()
        self.setObjectName("panel")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(6)
        row = QHBoxLayout()
        row.setContentsMargins(14, 0, 14, 0)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(_("Filter findings"))
        self.filter.setAccessibleName(_("Filter findings"))
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(320)
        self.summary = label("", "row")
        row.addWidget(self.filter, 1)
        row.addWidget(self.summary)
        row.addStretch(1)
        column.addLayout(row)
        self.model = FindingsModel(theme, self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(_("Findings"))
        prepare_table(self.table)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(0, 110)
        header.resizeSection(3, 150)
        column.addWidget(self.table, 1)
        self.filter.textChanged.connect(self.model.set_filter)
        self.table.clicked.connect(self._on_row)
        self.table.activated.connect(self._on_row)
        self._at = -1

    def show_results(self, results: Results) -> None:
        """Show the findings of the results."""
        self.model.show_findings(results.findings)
        self._at = -1
        n = passed(results.findings)
        text = ngettext("{n} check passed", "{n} checks passed", n)
        self.summary.setText(text.format(n=format_number(n)))

    def step(self, way: int) -> Finding | None:
        """Go to the next (1) or previous (-1) finding and return it."""
        if not self.model.rows:
            return None
        start = self._at if self._at >= 0 else (-1 if way > 0 else 0)
        self._at = (start + way) % len(self.model.rows)
        self.table.selectRow(self._at)
        return self.model.rows[self._at]

    def _on_row(self, index: QModelIndex) -> None:
        self._at = index.row()
        self.chosen.emit(self.model.rows[index.row()])
