"""Rows of a form whose values are edited in place: text, choice, number, long text."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QWidget,
)

from designer.errors import DesignerError, ParameterError
from designer.gui.labels import label, restyle
from designer.messages import _
from designer.units import format_number, parse_number

# Stands for “the selected records differ in this field”.
MIXED = object()


class TextField(QLineEdit):
    """One line of text, taken over with Enter or when the field is left.

    Signals:
        committed: The new text.
    """

    committed = Signal(object)

    def __init__(self, placeholder: str = "") -> None:
        super().__init__()
        self._shown: object = ""
        self._hint = placeholder
        self.setPlaceholderText(placeholder)
        self.editingFinished.connect(self._finish)

    def show_value(self, value: object) -> None:
        """Show a value, or that there are several."""
        self._shown = value
        restyle(self, wrong=False)
        self.setPlaceholderText(_("several values") if value is MIXED else self._hint)
        text = "" if value is MIXED else self.as_text(value)
        if text != self.text():
            self.setText(text)
            self.setCursorPosition(0)

    def as_text(self, value: object) -> str:
        """Return the text of a value."""
        return str(value or "")

    def as_value(self, text: str) -> object:
        """Return the value of a text.

        Raises:
            DesignerError: The text does not fit.
        """
        return text.strip()

    def refuse(self, fault: DesignerError) -> None:
        """Show that the drawing did not take the value."""
        restyle(self, wrong=True)
        self.setToolTip(str(fault))

    def _finish(self) -> None:
        old = "" if self._shown is MIXED else self.as_text(self._shown)
        if self.text() == old:
            return
        try:
            value = self.as_value(self.text())
        except DesignerError as fault:
            self.refuse(fault)
            return
        self.setToolTip("")
        self._shown = value
        self.committed.emit(value)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc brings the value back that was there."""
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self.show_value(self._shown)
        else:
            super().keyPressEvent(event)


class NumberField(TextField):
    """A number, or nothing where that is allowed.

    Args:
        whole: True for whole numbers.
        empty: True when no number is a value as well (None).
        low: Smallest value.
    """

    def __init__(
        self, *, whole: bool = False, empty: bool = True, low: float = 0.0, unit: str = ""
    ) -> None:
        super().__init__(unit)
        self._whole, self._empty, self._low = whole, empty, low
        self.setAlignment(Qt.AlignmentFlag.AlignRight)

    def as_text(self, value: object) -> str:
        """Return the number by locale."""
        return format_number(float(value)) if isinstance(value, (int, float)) else ""

    def as_value(self, text: str) -> object:
        """Return the number that was typed, or None for an empty field."""
        if not text.strip():
            if self._empty:
                return None
            raise ParameterError(_("A number is needed here."))
        value = parse_number(text)
        if value < self._low or (self._whole and value != int(value)):
            raise ParameterError(
                _("{text} does not fit here.").format(text=text),
                _("Smallest value: {low}").format(low=format_number(self._low)),
            )
        return int(value) if self._whole else value


class ChoiceField(QComboBox):
    """A choice of a list; the wheel scrolls the panel, not the choice.

    Signals:
        committed: The value that was chosen.
    """

    committed = Signal(object)

    def __init__(self, choices: Sequence[tuple[object, str]] = ()) -> None:
        super().__init__()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._values: list[object] = []
        self._shown: object = None
        self.set_choices(choices)
        self.activated.connect(self._finish)

    def set_choices(self, choices: Sequence[tuple[object, str]]) -> None:
        """Offer these (value, text) pairs."""
        values = [v for v, _text in choices]
        texts = [t for _value, t in choices]
        if values == self._values and texts == [self.itemText(k) for k in range(self.count())]:
            return
        self.blockSignals(True)
        self.clear()
        self._values = values
        self.addItems(texts)
        self.blockSignals(False)
        self.show_value(self._shown)

    def show_value(self, value: object) -> None:
        """Show a value, or that there are several."""
        self._shown = value
        self.setPlaceholderText(_("several values") if value is MIXED else "")
        self.setCurrentIndex(self._values.index(value) if value in self._values else -1)

    def refuse(self, fault: DesignerError) -> None:
        """Show what the drawing holds after it did not take the choice."""
        self.setToolTip(str(fault))
        self.show_value(self._shown)

    def _finish(self, row: int) -> None:
        value = self._values[row]
        if value != self._shown or self._shown is MIXED:
            self.committed.emit(value)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the panel scroll."""
        event.ignore()


class LongField(QPlainTextEdit):
    """Several lines of text, taken over when the field is left.

    Signals:
        committed: The new text.
    """

    committed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._shown: object = ""
        self.setTabChangesFocus(True)
        self.setFixedHeight(58)

    def show_value(self, value: object) -> None:
        """Show a value, or that there are several."""
        self._shown = value
        self.setPlaceholderText(_("several values") if value is MIXED else "")
        text = "" if value is MIXED else str(value or "")
        if text != self.toPlainText():
            self.setPlainText(text)

    def refuse(self, fault: DesignerError) -> None:
        """Show what the drawing holds."""
        self.setToolTip(str(fault))
        self.show_value(self._shown)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the text over."""
        super().focusOutEvent(event)
        old = "" if self._shown is MIXED else str(self._shown or "")
        if self.toPlainText() != old:
            self._shown = self.toPlainText()
            self.committed.emit(self.toPlainText())


Field = TextField | NumberField | ChoiceField | LongField
Commit = Callable[[Any], DesignerError | None]


class Form(QWidget):
    """Rows of a label and a field, or a label and a figure that is only read.

    Signals:
        refused: The `DesignerError` that the drawing answered a value with.
    """

    refused = Signal(object)

    def __init__(self, label_width: int = 108) -> None:
        super().__init__()
        self.fields: dict[str, Field] = {}
        self.values: dict[str, QLabel] = {}
        self._labels: dict[str, QLabel] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnMinimumWidth(0, label_width)
        self._grid.setColumnStretch(1, 1)

    def add(self, name: str, title: str, field: Field, commit: Commit) -> Field:
        """Add a row; `commit` puts the value into the drawing and returns its refusal."""
        text = label(title, "row", wrap=True)
        text.setBuddy(field)
        field.setAccessibleName(title)
        field.setObjectName(f"field-{name}")
        row = self._grid.rowCount()
        self._grid.addWidget(text, row, 0)
        self._grid.addWidget(field, row, 1)
        field.committed.connect(lambda value: self._commit(field, commit, value))
        self.fields[name], self._labels[name] = field, text
        return field

    def add_value(self, name: str, title: str) -> QLabel:
        """Add a row that is only read, and return the label of its value."""
        text, value = label(title, "row", wrap=True), label("", "rowStrong", wrap=True)
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        value.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = self._grid.rowCount()
        self._grid.addWidget(text, row, 0)
        self._grid.addWidget(value, row, 1)
        self.values[name], self._labels[name] = value, text
        return value

    def show_value(self, name: str, text: str | None, severity: str = "") -> None:
        """Fill a row that is only read; None hides it."""
        value = self.values[name]
        value.setText(text or "")
        restyle(value, severity=severity)
        value.setVisible(text is not None)
        self._labels[name].setVisible(text is not None)

    def set_row_visible(self, name: str, visible: bool) -> None:
        """Show or hide the row of a field."""
        self.fields[name].setVisible(visible)
        self._labels[name].setVisible(visible)

    def _commit(self, field: Field, commit: Commit, value: object) -> None:
        fault = commit(value)
        if fault is not None:
            field.refuse(fault)
            self.refused.emit(fault)
