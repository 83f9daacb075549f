"""Why this number: formula, symbols with their sources, arithmetic, and where the bottleneck is."""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from designer.engine.explain import explanation_text
from designer.engine.results import Explanation, Term
from designer.gui.dialogs.explain_parts import PartsView, StepsView, TermsTable, formula_label
from designer.gui.icons import icon
from designer.gui.labels import label, mark
from designer.messages import _

_WIDTH, _HEIGHT, _GAP = 704, 640, 12


class ExplainPopover(QFrame):
    """A panel over the window that explains one number; Esc or a click beside it closes it.

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
        column.setContentsMargins(20, 14, 12, 12)
        column.setSpacing(10)
        column.addLayout(self._head(value))
        self.pane = QScrollArea()
        self.pane.setWidgetResizable(True)
        self.pane.setFrameShape(QFrame.Shape.NoFrame)
        self.pane.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._body = self._make_body()
        self.pane.setWidget(self._body)
        column.addWidget(self.pane, 1)
        column.addLayout(self._links())

    # --- building ---

    def _head(self, value: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(mark("function", "accent", self._theme, 20))
        row.addWidget(label(self.explanation.title, "section", wrap=True), 1)
        if value not in self.explanation.title:
            row.addWidget(label(value, "section"))
        self.close_button = QToolButton()
        self.close_button.setIcon(icon("close", "text2", self._theme))
        self.close_button.setAccessibleName(_("Close"))
        self.close_button.clicked.connect(self.dismiss)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _make_body(self) -> QWidget:
        explanation = self.explanation
        body = QWidget()
        body.setObjectName("popoverBody")
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(12)
        formula = formula_label(explanation.formula, "formula")
        formula.setObjectName("formula")
        column.addWidget(formula)
        if sum(value > 0 for _name, value in explanation.parts) > 1:
            column.addWidget(PartsView(explanation, self._theme))
        if explanation.bottleneck:
            column.addWidget(self._bottleneck())
        if explanation.terms:
            self.terms = TermsTable(explanation.terms)
            self.terms.followed.connect(self._follow)
            column.addWidget(self.terms)
        if explanation.steps:
            column.addWidget(StepsView(explanation))
        if explanation.sources:
            text = _("Sources: {names}").format(names="; ".join(explanation.sources))
            column.addWidget(label(text, "row", wrap=True))
        column.addStretch(1)
        return body

    def _bottleneck(self) -> QFrame:
        box = QFrame()
        box.setObjectName("bottleneck")
        row = QHBoxLayout(box)
        row.setContentsMargins(12, 8, 12, 8)
        row.setSpacing(12)
        row.addWidget(mark("crosshair", "warn", self._theme, 20))
        text = _("Bottleneck: {what}").format(what=self.explanation.bottleneck)
        row.addWidget(label(text, "rowStrong", wrap=True), 1)
        if self.explanation.bottleneck_ids:
            self.show_button = QPushButton(_("Show on canvas"))
            self.show_button.setProperty("primary", True)
            self.show_button.clicked.connect(self._show_bottleneck)
            row.addWidget(self.show_button)
        return box

    def _links(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(20)
        self.copy_button = self._link(_("Copy as text"))
        self.copy_button.clicked.connect(self._copy)
        row.addWidget(self.copy_button)
        key = next((t.key for t in self.explanation.terms if t.key), "")
        self.change_button = self._link(_("Change assumptions"))
        self.change_button.clicked.connect(lambda: self._edit(key))
        row.addWidget(self.change_button)
        row.addStretch(1)
        return row

    def _link(self, text: str) -> QPushButton:
        found = QPushButton(text)
        found.setProperty("role", "link")
        found.setCursor(Qt.CursorShape.PointingHandCursor)
        return found

    # --- what a person does ---

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(explanation_text(self.explanation))
        self.copy_button.setText(_("Copied"))

    def _follow(self, term: Term) -> None:
        if term.key:
            self._edit(term.key)
        else:
            self._show(term.ids)

    def _edit(self, key: str) -> None:
        self.edit_assumption.emit(key)
        self.dismiss()

    def _show_bottleneck(self) -> None:
        self._show(self.explanation.bottleneck_ids)

    def _show(self, ids: tuple[str, ...]) -> None:
        self.show_ids.emit(ids)
        self.dismiss()

    def popup(self, anchor: QPoint) -> None:
        """Show above or below `anchor` (in the parent's coordinates), inside the parent."""
        parent = self.parentWidget()
        assert parent is not None  # it is made with one
        width = min(_WIDTH, parent.width() - 2 * _GAP)
        layout = self.layout()
        assert layout is not None  # it is made with one
        self.resize(width, 200)
        layout.activate()
        frame = layout.minimumSize().height() - self.pane.minimumSizeHint().height()
        inner = self._body.layout()
        assert inner is not None  # it is made with one
        room = width - 20 - 12 - 2
        full = frame + max(inner.totalHeightForWidth(room), 40) + 8
        height = min(full, _HEIGHT, parent.height() - 2 * _GAP)
        self.resize(width, height)
        self.move(self._place(anchor, parent))
        self.show()
        self.raise_()
        self.setFocus()
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]

    def _place(self, anchor: QPoint, parent: QWidget) -> QPoint:
        x = max(_GAP, min(anchor.x() - self.width() // 3, parent.width() - self.width() - _GAP))
        above = anchor.y() - self.height() - _GAP
        below = min(anchor.y() + _GAP, parent.height() - self.height() - _GAP)
        return QPoint(x, above if above >= _GAP else max(_GAP, below))

    def dismiss(self) -> None:
        """Close and tell."""
        if self.isHidden():
            return
        QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
        self.hide()
        self.closed.emit()
        self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close when the person clicks elsewhere; the click does what it does."""
        if event.type() == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            at = self.mapFromGlobal(event.globalPosition().toPoint())
            if not self.rect().contains(at):
                self.dismiss()
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Keep a press from what lies below."""
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)
