"""Why this number: formula, symbols with their sources, arithmetic, and where the bottleneck is."""

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from designer.engine.explain import explanation_text, format_quantity
from designer.engine.results import Explanation
from designer.gui.icons import icon
from designer.gui.style import color
from designer.messages import _

_PART_TOKENS = ("loc1", "loc2", "loc3", "nvswLine", "text3", "spine")


class TermBar(QWidget):
    """The parts of a number as one bar, each as long as its share, with a legend below."""

    def __init__(self, parts: tuple[tuple[str, float], ...], unit: str, theme: str) -> None:
        super().__init__()
        self._parts = [(label, value) for label, value in parts if value > 0]
        self._unit, self._theme = unit, theme
        self.setFixedHeight(16)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(
            ", ".join(f"{label} {format_quantity(value, unit)}" for label, value in self._parts)
        )

    def sizeHint(self) -> QSize:
        """Return a size that fits any bar."""
        return QSize(300, 16)

    def token(self, index: int) -> str:
        """Return the colour token of part `index`."""
        return _PART_TOKENS[index % len(_PART_TOKENS)]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the parts side by side."""
        painter = QPainter(self)
        total = sum(v for _label, v in self._parts) or 1.0
        x = 0.0
        for k, (_label, value) in enumerate(self._parts):
            width = self.width() * value / total
            painter.fillRect(
                QRectF(x, 0, max(1.0, width - 1), self.height()), color(self.token(k), self._theme)
            )
            x += width


class ExplainPopover(QFrame):
    """A panel over the window that explains one number; Esc closes it.

    Signals:
        closed: It was closed.
        show_ids: Records to select and bring into view.
        edit_assumption: Key of a parameter the person wants to change.
    """

    closed = Signal()
    show_ids = Signal(tuple)
    edit_assumption = Signal(str)

    def __init__(self, parent: QWidget, explanation: Explanation, value: str, theme: str) -> None:
        super().__init__(parent)
        self.explanation = explanation
        self._theme = theme
        self.setObjectName("popover")
        self.setAccessibleName(explanation.title)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(10)
        column.addLayout(self._head(value))
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(self._body())
        column.addWidget(scroll, 1)
        column.addLayout(self._links())

    def _head(self, value: str) -> QHBoxLayout:
        row = QHBoxLayout()
        mark = QLabel()
        mark.setPixmap(icon("function", "accent", self._theme).pixmap(20, 20))
        title = QLabel(_("Why {value}?").format(value=value))
        title.setProperty("role", "heading")
        text = QLabel(self.explanation.title)
        text.setProperty("role", "secondary")
        text.setWordWrap(True)
        close = QToolButton()
        close.setIcon(icon("close", "text2", self._theme))
        close.setAutoRaise(True)
        close.setAccessibleName(_("Close"))
        close.clicked.connect(self.dismiss)
        row.addWidget(mark)
        row.addWidget(title)
        row.addWidget(text, 1)
        row.addWidget(close)
        return row

    def _body(self) -> QWidget:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(10)
        formula = QLabel(self.explanation.formula)
        formula.setObjectName("formula")
        formula.setWordWrap(True)
        formula.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column.addWidget(formula)
        if len(self.explanation.parts) > 1:
            column.addLayout(self._parts())
        column.addWidget(self._terms())
        if self.explanation.steps:
            column.addLayout(self._steps())
        if self.explanation.bottleneck:
            column.addWidget(self._bottleneck())
        if self.explanation.sources:
            sources = QLabel(
                _("Sources: {names}").format(names="; ".join(self.explanation.sources))
            )
            sources.setProperty("role", "secondary")
            sources.setWordWrap(True)
            column.addWidget(sources)
        column.addStretch(1)
        return body

    def _parts(self) -> QVBoxLayout:
        unit = self.explanation.steps[-1].unit if self.explanation.steps else "s"
        bar = TermBar(self.explanation.parts, unit, self._theme)
        column = QVBoxLayout()
        column.addWidget(bar)
        legend = QHBoxLayout()
        shown = [(label, value) for label, value in self.explanation.parts if value > 0]
        for k, (label, value) in enumerate(shown):
            swatch = QFrame()
            swatch.setFixedSize(10, 10)
            tone = color(bar.token(k), self._theme).name()
            swatch.setStyleSheet(f"background: {tone}; border-radius: 2px;")
            text = QLabel(f"{label} {format_quantity(value, unit)}")
            text.setProperty("role", "secondary")
            legend.addWidget(swatch)
            legend.addWidget(text)
            legend.addSpacing(8)
        legend.addStretch(1)
        column.addLayout(legend)
        return column

    def _terms(self) -> QTableWidget:
        terms = self.explanation.terms
        table = QTableWidget(len(terms), 4)
        self.terms = table
        table.setHorizontalHeaderLabels(
            [_("Symbol"), _("Meaning"), _("Value"), _("Where it comes from")]
        )
        table.verticalHeader().hide()
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.setWordWrap(True)
        for row, term in enumerate(terms):
            value = "—" if term.value is None else format_quantity(term.value, term.unit)
            for k, text in enumerate((term.symbol, term.meaning, value, term.source)):
                item = QTableWidgetItem(text)
                if k == 2:
                    item.setTextAlignment(
                        Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                    )
                if k == 3 and (term.key or term.ids):
                    item.setForeground(color("accent", self._theme))
                    item.setToolTip(
                        _("Double click to change it") if term.key else _("Double click to show it")
                    )
                table.setItem(row, k, item)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(3, QHeaderView.ResizeMode.Stretch)
        table.resizeRowsToContents()
        height = (
            table.horizontalHeader().sizeHint().height()
            + 4
            + sum(table.rowHeight(r) for r in range(len(terms)))
        )
        table.setFixedHeight(min(320, height + 24))
        table.cellDoubleClicked.connect(self._follow)
        return table

    def _follow(self, row: int, _column: int) -> None:
        term = self.explanation.terms[row]
        if term.key:
            self.edit_assumption.emit(term.key)
        elif term.ids:
            self.show_ids.emit(term.ids)

    def _steps(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        title = QLabel(_("Steps"))
        title.setProperty("role", "strong")
        grid.addWidget(title, 0, 0, 1, 4)
        for k, step in enumerate(self.explanation.steps, start=1):
            cells = (str(k), step.expression, format_quantity(step.value, step.unit), step.note)
            for column, text in enumerate(cells):
                label = QLabel(text)
                label.setWordWrap(column in (1, 3))
                label.setProperty("role", ("secondary", "", "strong", "secondary")[column])
                grid.addWidget(label, k, column, Qt.AlignmentFlag.AlignTop)
        grid.setColumnStretch(1, 3)
        grid.setColumnStretch(3, 3)
        return grid

    def _bottleneck(self) -> QFrame:
        box = QFrame()
        box.setObjectName("bottleneck")
        row = QHBoxLayout(box)
        mark = QLabel()
        mark.setPixmap(icon("crosshair", "warn", self._theme).pixmap(20, 20))
        row.addWidget(mark)
        text = QLabel(_("Bottleneck: {what}").format(what=self.explanation.bottleneck))
        text.setWordWrap(True)
        row.addWidget(text, 1)
        if self.explanation.bottleneck_ids:
            button = QPushButton(_("Show on canvas"))
            button.setProperty("primary", True)
            button.clicked.connect(lambda: self.show_ids.emit(self.explanation.bottleneck_ids))
            row.addWidget(button)
        return box

    def _links(self) -> QHBoxLayout:
        row = QHBoxLayout()
        copy = QPushButton(_("Copy as text"))
        copy.setProperty("role", "link")
        copy.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(explanation_text(self.explanation))
        )
        row.addWidget(copy)
        key = next((t.key for t in self.explanation.terms if t.key), "")
        if key:
            change = QPushButton(_("Change assumptions"))
            change.setProperty("role", "link")
            change.clicked.connect(lambda: self.edit_assumption.emit(key))
            row.addWidget(change)
        row.addStretch(1)
        return row

    def popup(self, anchor: QPoint) -> None:
        """Show above or below `anchor` (in the parent's coordinates), inside the parent."""
        parent = self.parentWidget()
        assert parent is not None  # it is made with one
        width, height = min(720, parent.width() - 24), min(620, parent.height() - 24)
        self.resize(width, height)
        x = max(12, min(anchor.x() - width // 3, parent.width() - width - 12))
        above = anchor.y() - height - 12
        y = above if above >= 12 else max(12, min(anchor.y() + 12, parent.height() - height - 12))
        self.move(x, y)
        self.show()
        self.raise_()
        self.setFocus()

    def dismiss(self) -> None:
        """Close and tell."""
        self.hide()
        self.closed.emit()
        self.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)
