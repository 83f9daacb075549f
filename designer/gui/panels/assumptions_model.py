"""The assumptions as rows: parameters of the model by group, then prices of parts."""

import datetime
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from designer.errors import DesignerError, ParameterError
from designer.gui.bridge import Document, attempt
from designer.gui.fonts import font
from designer.gui.icons import icon
from designer.gui.panels.assumption_values import PRICE, Value, values_of
from designer.gui.panels.quantities import shown_unit
from designer.gui.style import color
from designer.messages import N_, _, ngettext
from designer.model.edits import Edit, Swap
from designer.model.operations import set_assumption
from designer.model.part_prices import reset_price, set_price
from designer.model.records import AssumptionValue
from designer.units import Range, format_number, format_significant, parse_number

Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
GROUPS = (
    ("efficiency", N_("Efficiencies")),
    ("latency", N_("Latencies")),
    ("price", N_("Prices")),
    ("use", N_("Use")),
    ("people", N_("Team")),
    ("facility", N_("Facility")),
    ("roce", N_("RoCE")),
    ("part", N_("Prices of parts")),
)
NAME, VALUE, UNIT, LOW, TYPICAL, HIGH, SOURCE, DATE, RESET = range(9)
EDITABLE = (VALUE, LOW, HIGH, SOURCE, DATE)


@dataclass(slots=True, eq=False)
class _Row:
    value: Value | None
    title: str
    row: int
    parent: "_Row | None" = None
    children: list["_Row"] = field(default_factory=list)


class AssumptionsModel(QAbstractItemModel):
    """Rows by group; value, bounds, source and date are edited in place.

    Signals:
        refused: The `DesignerError` of a value that was not taken.
    """

    refused = Signal(object)

    def __init__(self, document: Document, theme: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._theme = document, theme
        self._words: list[str] = []
        self._changed_only = False
        self._groups: list[_Row] = []
        self.rebuild()

    # --- rows ---

    def rebuild(self) -> None:
        """Read all values anew."""
        self.beginResetModel()
        found = [v for v in values_of(self._document) if self._fits(v)]
        self._groups = []
        for key, title in GROUPS:
            inside = [v for v in found if v.group == key]
            if inside:
                head = _Row(None, _(title), len(self._groups))
                head.children = [_Row(v, v.label, k, head) for k, v in enumerate(inside)]
                self._groups.append(head)
        self.endResetModel()

    def reread(self) -> bool:
        """Show changed values in place; False when rows came or went."""
        fresh = {v.key: v for v in values_of(self._document) if self._fits(v)}
        rows = [r for g in self._groups for r in g.children]
        if [r.value.key for r in rows if r.value is not None] != _ordered(fresh):
            return False
        for row in rows:
            assert row.value is not None
            new = fresh[row.value.key]
            if new != row.value:
                row.value = new
                self.dataChanged.emit(self._index_of(row, 0), self._index_of(row, RESET))
        return True

    def _fits(self, value: Value) -> bool:
        if self._changed_only and not value.changed:
            return False
        text = f"{value.label} {value.key} {value.source} {value.unit}".lower()
        return all(w in text for w in self._words)

    def set_filter(self, text: str, changed_only: bool) -> None:
        """Leave only values that hold all words, or only changed ones."""
        self._words, self._changed_only = text.lower().split(), changed_only
        self.rebuild()

    def counts(self) -> tuple[int, int]:
        """Return how many values there are, and how many are changed."""
        found = list(values_of(self._document))
        return len(found), sum(1 for v in found if v.changed)

    def find(self, key: str) -> QModelIndex:
        """Return the cell of the value of a parameter; invalid when it is not shown."""
        for group in self._groups:
            for row in group.children:
                if row.value is not None and row.value.key == key:
                    return self._index_of(row, VALUE)
        return QModelIndex()

    def value_at(self, index: Index) -> Value | None:
        """Return the parameter of a row, or None for the head of a group."""
        return self._row(index).value if index.isValid() else None

    # --- changing ---

    def reset(self, key: str) -> None:
        """Bring a value back to its default."""
        design = self._document.design
        slug = key.removeprefix(PRICE)
        if key.startswith(PRICE):
            part = self._document.catalog.get(slug)
            fault = attempt(self._document, lambda: reset_price(design, part))
        else:
            fault = attempt(self._document, lambda: set_assumption(design, key, None))
        if fault is not None:
            self.refused.emit(fault)

    def reset_all(self) -> None:
        """Bring every changed value back to its default, as one step."""
        design = self._document.design
        swaps: list[Swap] = []
        for value in values_of(self._document):
            if value.changed and value.part is not None:
                part = self._document.catalog.get(value.part.slug)
                swaps += reset_price(design, part).swaps
            elif value.changed:
                swaps += set_assumption(design, value.key, None).swaps
        self._document.apply(Edit(_("Reset assumptions"), tuple(swaps)))

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Take an edited cell over; a value that does not fit is refused with its reason."""
        row = self.value_at(index)
        if row is None or role != Qt.ItemDataRole.EditRole:
            return False
        try:
            fault = self._take(row, index.column(), str(value).strip())
        except DesignerError as refusal:
            fault = refusal
        if fault is not None:
            self.refused.emit(fault)
        return fault is None

    def _take(self, row: Value, column: int, text: str) -> DesignerError | None:
        if text == self._edit_text(row, column):
            return None
        source, date = row.source, row.date
        spread = row.value or Range.exact(0.0)
        if column == SOURCE:
            source = text
        elif column == DATE:
            date = text
        else:
            scale, _unit = shown_unit(row.unit, row.value)
            spread = _moved(spread, column, parse_number(text) * scale)
            source = _("Entered by you") if column == VALUE else row.source
            date = datetime.datetime.now(datetime.UTC).date().isoformat()
        return self._apply(row, spread, source, date)

    def _apply(self, row: Value, spread: Range, source: str, date: str) -> DesignerError | None:
        design = self._document.design
        part = row.part
        if part is not None:
            return attempt(self._document, lambda: set_price(design, part, spread, source, date))
        value = AssumptionValue(spread, source, date)
        return attempt(self._document, lambda: set_assumption(design, row.key, value))

    # --- Qt ---

    def _row(self, index: Index) -> _Row:
        found: Any = index.internalPointer()
        assert isinstance(found, _Row)
        return found

    def _index_of(self, row: _Row, column: int) -> QModelIndex:
        return self.createIndex(row.row, column, row)

    def index(self, row: int, column: int, parent: Index = _NO_PARENT) -> QModelIndex:
        """Return the index of a cell."""
        rows = self._row(parent).children if parent.isValid() else self._groups
        return self.createIndex(row, column, rows[row]) if 0 <= row < len(rows) else QModelIndex()

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        """Return the head of the group of a row."""
        above = self._row(index).parent if index.isValid() else None
        return self._index_of(above, 0) if above is not None else QModelIndex()

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        """Return the number of rows below a row."""
        if not parent.isValid():
            return len(self._groups)
        return len(self._row(parent).children) if parent.column() == 0 else 0

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        """Return the number of columns."""
        return 9

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return what can be done with a cell."""
        found = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if self.value_at(index) is not None and index.column() in EDITABLE:
            found |= Qt.ItemFlag.ItemIsEditable
        return found

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the titles."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            titles = (_("Name"), _("Value"), _("Unit"), _("Low"), _("Typical"), _("High"))
            return (*titles, _("Source"), _("Date"), "")[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            right = section in (VALUE, LOW, TYPICAL, HIGH)
            side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows."""
        row, column = self._row(index), index.column()
        if row.value is None:
            return self._head_data(row, column, role)
        value = row.value
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(value, column)
        if role == Qt.ItemDataRole.EditRole:
            return self._edit_text(value, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return _tip(value, column)
        if role == Qt.ItemDataRole.DecorationRole:
            if column == RESET and value.changed:
                return icon("reset", "accent", self._theme)
            return None
        if role == Qt.ItemDataRole.FontRole:
            strong = column == VALUE or (column == NAME and value.changed)
            return font(12, 600 if strong else 400)
        if role == Qt.ItemDataRole.ForegroundRole:
            return color(_tone(value, column), self._theme)
        if role == Qt.ItemDataRole.TextAlignmentRole and column in (VALUE, LOW, TYPICAL, HIGH):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def _head_data(self, row: _Row, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and column == NAME:
            n = len(row.children)
            text = ngettext("{n} value", "{n} values", n).format(n=format_number(n))
            return f"{row.title}  ·  {text}"
        if role == Qt.ItemDataRole.FontRole:
            return font(12, 600)
        if role == Qt.ItemDataRole.BackgroundRole:
            return color("window", self._theme)
        return None

    def _text(self, value: Value, column: int) -> str:
        scale, unit = shown_unit(value.unit, value.value)
        if column in (VALUE, LOW, TYPICAL, HIGH):
            spread = value.value
            if spread is None:
                return "—"
            if column == TYPICAL and value.default is not None:
                spread = value.default
            number = {LOW: spread.low, HIGH: spread.high}.get(column, spread.typical)
            return format_significant(number / scale, 4)
        if column == SOURCE:
            return _("Assumed") if value.assumed and not value.source else _(value.source)
        return (value.label, "", unit, "", "", "", "", value.date, "")[column]

    def _edit_text(self, value: Value, column: int) -> str:
        return value.source if column == SOURCE else self._text(value, column)


def _ordered(fresh: dict[str, Value]) -> list[str]:
    order = {key: k for k, (key, _title) in enumerate(GROUPS)}
    return [v.key for v in sorted(fresh.values(), key=lambda v: order[v.group])]


def _moved(spread: Range, column: int, number: float) -> Range:
    """Return the range with one of its values changed; a value outside widens it.

    Raises:
        ParameterError: A bound would lie on the wrong side of the value, or below zero.
    """
    if number < 0:
        raise ParameterError(_("The value cannot be negative."), _("Enter zero or more."))
    if column == LOW:
        found = Range(number, spread.typical, spread.high)
    elif column == HIGH:
        found = Range(spread.low, spread.typical, number)
    else:
        found = Range(min(spread.low, number), number, max(spread.high, number))
    if not found.low <= found.typical <= found.high:
        raise ParameterError(
            _("Low, value and high must follow one another."),
            _("Change the value first, then its bounds."),
        )
    return found


def _tone(value: Value, column: int) -> str:
    if column == VALUE:
        return "accent" if value.changed else "text"
    if column == SOURCE and value.assumed:
        return "warn"
    return "text" if column == NAME else "text2"


def _tip(value: Value, column: int) -> str:
    if column == RESET:
        return _("Reset to the default") if value.changed else ""
    return f"{value.label}\n{_(value.source)}" if value.source else value.label
