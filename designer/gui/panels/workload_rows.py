"""Rows of the workload form: a field, what follows from it beside it, and a fault below it."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from designer.errors import DesignerError
from designer.gui.icons import pixmap
from designer.gui.labels import Elided, label, pill, restyle
from designer.gui.panels.fields import Field
from designer.gui.panels.workload_hints import Hint

_ICONS = {
    "ok": ("ok", "ok"),
    "info": ("info", "text3"),
    "warning": ("warning", "warn"),
    "error": ("error", "err"),
}
_FIELD_WIDTH = 58
Commit = Callable[[Any], DesignerError | None]


class HintLine(QWidget):
    """An icon and a short text in its colour."""

    def __init__(self, theme: str, *, middle: bool = False) -> None:
        super().__init__()
        self._theme = theme
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(5)
        self.picture = QLabel()
        self.picture.setFixedWidth(14)
        self.text = label("", "small", wrap=True)
        side = Qt.AlignmentFlag.AlignVCenter if middle else Qt.AlignmentFlag.AlignTop
        grid.addWidget(self.picture, 0, 0, side)
        grid.addWidget(self.text, 0, 1)
        grid.setColumnStretch(1, 1)

    def show_hint(self, hint: Hint | None) -> None:
        """Show a hint, or nothing."""
        self.setVisible(hint is not None)
        if hint is None:
            self.text.setText("")
            return
        name, tone = _ICONS[hint.kind]
        self.picture.setPixmap(pixmap(name, tone, self._theme, 14, self.devicePixelRatioF()))
        self.text.setText(hint.text)
        restyle(self.text, severity="" if hint.kind == "info" else hint.kind)


class HintedForm(QWidget):
    """Rows of a name, a field and a hint; a fault takes a line of its own below the field.

    With `beside` the hint stands to the right of a narrow field, otherwise below a wide one.

    Signals:
        refused: The `DesignerError` that the drawing answered a value with.
    """

    refused = Signal(object)

    def __init__(self, theme: str, *, beside: bool = False) -> None:
        super().__init__()
        self._theme, self._beside = theme, beside
        # fields whose faults another widget tells in words
        self.told_elsewhere: frozenset[str] = frozenset()
        self.fields: dict[str, Field] = {}
        self.hints: dict[str, HintLine] = {}
        self.faults: dict[str, HintLine] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(6 if beside else 8)
        self._grid.setVerticalSpacing(4)
        if beside:
            self._grid.setColumnStretch(1, 2)
            self._grid.setColumnStretch(3, 3)
        else:
            self._grid.setColumnMinimumWidth(1, 100)
            self._grid.setColumnStretch(1, 1)
            self._grid.setColumnStretch(2, 1)

    def add(self, name: str, title: str, field: Field, commit: Commit, badge: str = "") -> Field:
        """Add a row; `commit` puts the value into the drawing and returns its refusal."""
        row = self._grid.rowCount()
        text = Elided(title, "row", 40) if self._beside else label(title, "row", wrap=True)
        text.setBuddy(field)
        field.setAccessibleName(f"{title}, {badge}" if badge else title)
        field.setObjectName(f"field-{name}")
        hint, fault = HintLine(self._theme, middle=self._beside), HintLine(self._theme)
        if badge:
            self._grid.addWidget(pill(badge), row, 0)
        self._grid.addWidget(text, row, 1)
        self._grid.addWidget(field, row, 2)
        if self._beside:
            field.setFixedWidth(_FIELD_WIDTH)
            self._grid.addWidget(hint, row, 3)
            self._grid.addWidget(fault, row + 1, 0, 1, 4)
        else:
            self._grid.addWidget(hint, row + 1, 1, 1, 2)
            self._grid.addWidget(fault, row + 2, 1, 1, 2)
        hint.hide()
        fault.hide()
        field.committed.connect(lambda value: self._commit(field, commit, value))
        self.fields[name], self.hints[name], self.faults[name] = field, hint, fault
        return field

    def show_hints(self, found: dict[str, Hint]) -> None:
        """Show the hints of all fields; those without one show nothing."""
        for name, field in self.fields.items():
            hint = found.get(name)
            wrong = hint is not None and hint.kind == "error"
            self.hints[name].show_hint(None if wrong else hint)
            self.faults[name].show_hint(hint if wrong and name not in self.told_elsewhere else None)
            restyle(field, wrong=wrong)
            field.setAccessibleDescription(hint.text if hint is not None else "")

    def _commit(self, field: Field, commit: Commit, value: object) -> None:
        fault = commit(value)
        if fault is not None:
            field.refuse(fault)
            self.refused.emit(fault)
