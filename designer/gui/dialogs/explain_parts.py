"""Pieces of an explanation: its formula, the bar of its parts, its symbols and its steps."""

import math
import re
from html import escape

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from designer.engine.explain import format_quantity
from designer.engine.results import Explanation, Term
from designer.gui.labels import DASH, label, line
from designer.gui.style import color
from designer.messages import _

_PART_TOKENS = ("loc1", "loc2", "loc3", "nvswLine", "text3", "spine")
_SUBSCRIPT = re.compile(r"(?<=\w)_(\w+)")
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop


def with_subscripts(text: str) -> str:
    """Return a formula as rich text: what follows an underscore is set lower."""
    return _SUBSCRIPT.sub(r"<sub>\1</sub>", escape(text, quote=False))


def formula_label(text: str, role: str) -> QLabel:
    """Return a formula or symbol as a label with subscripts; it can be copied."""
    found = label("", role, wrap=True)
    found.setTextFormat(Qt.TextFormat.RichText)
    found.setText(with_subscripts(text))
    found.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return found


def part_unit(explanation: Explanation) -> str:
    """Return the unit of an explanation's parts: that of a term or step of the same value."""
    known = [(t.value, t.unit) for t in explanation.terms if t.value is not None]
    known += [(s.value, s.unit) for s in explanation.steps]
    wanted = [v for _name, v in explanation.parts if v > 0]
    wanted.append(sum(wanted))
    for value, unit in known:
        if unit != "%" and any(math.isclose(value, w, rel_tol=1e-6) for w in wanted):
            return unit
    return explanation.steps[-1].unit if explanation.steps else ""


class TermBar(QWidget):
    """The parts of a number side by side, each as long as its share."""

    def __init__(self, parts: list[tuple[str, float]], theme: str) -> None:
        super().__init__()
        self._values = [value for _name, value in parts]
        self._theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return a size that fits any bar."""
        return QSize(300, 16)

    def token(self, index: int) -> str:
        """Return the colour token of part `index`."""
        return _PART_TOKENS[index % len(_PART_TOKENS)]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the parts, a hairline between them."""
        painter = QPainter(self)
        total = sum(self._values) or 1.0
        x = 0.0
        for k, value in enumerate(self._values):
            width = self.width() * value / total
            tone = color(self.token(k), self._theme)
            painter.fillRect(QRectF(x, 0, max(1.0, width - 1), self.height()), tone)
            x += width


class PartsView(QWidget):
    """The bar with its legend."""

    def __init__(self, explanation: Explanation, theme: str) -> None:
        super().__init__()
        parts = [(name, value) for name, value in explanation.parts if value > 0]
        unit = part_unit(explanation)
        texts = [f"{name} {format_quantity(value, unit)}" for name, value in parts]
        self.setAccessibleName(", ".join(texts))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        bar = TermBar(parts, theme)
        column.addWidget(bar)
        legend = QHBoxLayout()
        legend.setSpacing(6)
        for k, text in enumerate(texts):
            swatch = QFrame()
            swatch.setFixedSize(10, 10)
            tone = color(bar.token(k), theme).name()
            swatch.setStyleSheet(f"background: {tone}; border-radius: 2px;")
            legend.addWidget(swatch)
            legend.addWidget(label(text, "row"))
            legend.addSpacing(8)
        legend.addStretch(1)
        column.addLayout(legend)


class TermsTable(QWidget):
    """Symbols with meaning, value and source; a source that can be followed is a button.

    Signals:
        followed: The `Term` whose source was clicked.
    """

    followed = Signal(object)

    def __init__(self, terms: tuple[Term, ...]) -> None:
        super().__init__()
        self.links: list[QPushButton] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(14)
        self._grid.setVerticalSpacing(5)
        self._grid.setColumnMinimumWidth(0, 56)
        self._grid.setColumnStretch(1, 4)
        self._grid.setColumnStretch(3, 5)
        heads = (_("Symbol"), _("Meaning"), _("Value"), _("Where it comes from"))
        for k, text in enumerate(heads):
            head = label(text, "smallStrong")
            self._grid.addWidget(head, 0, k, Qt.AlignmentFlag.AlignRight if k == 2 else _left())
        for k, term in enumerate(terms):
            self._grid.addWidget(line(), 2 * k + 1, 0, 1, 5)
            self._add(term, 2 * k + 2)

    def _add(self, term: Term, row: int) -> None:
        value = DASH if term.value is None else format_quantity(term.value, term.unit)
        top = Qt.AlignmentFlag.AlignTop
        self._grid.addWidget(formula_label(term.symbol, "rowStrong"), row, 0, top)
        self._grid.addWidget(label(term.meaning, "row", wrap=True), row, 1, top)
        self._grid.addWidget(label(value, "rowStrong"), row, 2, _RIGHT)
        linked = bool(term.key or term.ids)
        source = label(term.source, "row", wrap=True)
        self._grid.addWidget(source, row, 3, 1, 1 if linked else 2, top)
        if not linked:
            return
        link = QPushButton(_("Change") if term.key else _("Show"))
        link.setProperty("role", "link")
        link.setCursor(Qt.CursorShape.PointingHandCursor)
        link.setAccessibleName(f"{link.text()}: {term.meaning}")
        link.clicked.connect(lambda: self.followed.emit(term))
        self._grid.addWidget(link, row, 4, _RIGHT)
        self.links.append(link)


def _left() -> Qt.AlignmentFlag:
    return Qt.AlignmentFlag.AlignLeft


class StepsView(QWidget):
    """The arithmetic, numbered."""

    def __init__(self, explanation: Explanation) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(4)
        grid.addWidget(label(_("Steps"), "rowStrong"), 0, 0, 1, 4)
        top = Qt.AlignmentFlag.AlignTop
        for k, step in enumerate(explanation.steps, start=1):
            grid.addWidget(label(str(k), "row"), k, 0, top)
            grid.addWidget(label(step.expression, "rowText", wrap=True), k, 1, top)
            grid.addWidget(label(format_quantity(step.value, step.unit), "rowStrong"), k, 2, _RIGHT)
            grid.addWidget(label(step.note, "row", wrap=True), k, 3, top)
        grid.setColumnStretch(1, 4)
        grid.setColumnStretch(3, 5)
