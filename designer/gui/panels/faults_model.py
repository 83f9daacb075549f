"""Single faults as rows of a table."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from designer.engine.failure_parts import KINDS
from designer.engine.failures import Effect
from designer.gui.fonts import font
from designer.gui.icons import icon
from designer.gui.style import color
from designer.messages import N_, _
from designer.units import format_number, format_percent

Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
COLUMNS = (
    N_("What fails"),
    N_("Worst of its kind"),
    N_("Alike"),
    N_("GPUs lost"),
    N_("All-reduce time"),
    N_("All-to-all time"),
    N_("Step time"),
    N_("Bisection"),
)
_RATIOS = ("all_reduce", "all_to_all", "step", "bisection")
_FIRST_RATIO = 4
_ICONS = {
    "link": "cable",
    "nic": "nic",
    "server": "server",
    "switch": "spine",
    "rail": "layers",
    "rack": "rack",
}
# Changes below this share are none.
_SMALL = 5e-4


def change(ratio: float | None, stops: bool = False) -> str:
    """Return a ratio as a change, such as `+14.3 %`; a fault that ends the job says so."""
    if ratio is None:
        return _("job stops") if stops else "—"
    share = ratio - 1 if abs(ratio - 1) >= _SMALL else 0.0
    text = format_percent(share)
    return f"+{text}" if share > 0 else text


class FaultsModel(QAbstractTableModel):
    """Effects, the worst first; sorting by a column puts its worst first."""

    def __init__(self, theme: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: list[Effect] = []

    def show_effects(self, effects: Sequence[Effect]) -> None:
        """Show these effects in their order."""
        self.beginResetModel()
        self.rows = list(effects)
        self.endResetModel()

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        """Return the number of columns."""
        return len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the titles."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _(COLUMNS[section])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section >= 2 else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows."""
        effect, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(effect, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(effect, column)
        if role == Qt.ItemDataRole.DecorationRole and column == 0:
            return icon(_ICONS[effect.kind], "text2", self._theme)
        if role == Qt.ItemDataRole.FontRole:
            return font(12, 600 if column == 0 or self._bad(effect, column) else 400)
        if role == Qt.ItemDataRole.ForegroundRole:
            return color("err" if self._bad(effect, column) else "text", self._theme)
        if role == Qt.ItemDataRole.TextAlignmentRole and column >= 2:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.DescendingOrder) -> None:
        """Sort by a column; `DescendingOrder` puts the worst first."""
        self.layoutAboutToBeChanged.emit()
        self.rows.sort(
            key=lambda e: self._value(e, column), reverse=order == Qt.SortOrder.DescendingOrder
        )
        self.layoutChanged.emit()

    def _text(self, effect: Effect, column: int) -> str:
        if column >= _FIRST_RATIO:
            name = _RATIOS[column - _FIRST_RATIO]
            return change(effect.ratios[name], effect.lost_gpus > 0 and name != "bisection")
        texts = (
            _(KINDS[effect.kind]),
            effect.name,
            format_number(len(effect.keys)),
            format_number(effect.lost_gpus),
        )
        return texts[column]

    def _tip(self, effect: Effect, column: int) -> str:
        if column < _FIRST_RATIO:
            more = ", ".join(effect.keys[:12]) + (" …" if len(effect.keys) > 12 else "")
            return f"{effect.name}\n{more}"
        return effect.reasons.get(_RATIOS[column - _FIRST_RATIO], "")

    def _bad(self, effect: Effect, column: int) -> bool:
        if column == 3:
            return effect.lost_gpus > 0
        if column < _FIRST_RATIO:
            return False
        name = _RATIOS[column - _FIRST_RATIO]
        ratio = effect.ratios[name]
        return ratio is not None and (ratio < 0.9 if name == "bisection" else ratio > 1.1)

    def _value(self, effect: Effect, column: int) -> Any:
        if column >= _FIRST_RATIO:
            name = _RATIOS[column - _FIRST_RATIO]
            ratio = effect.ratios[name]
            worst = float("inf") if ratio is None else ratio
            return -worst if name == "bisection" and ratio is not None else worst
        values = (effect.kind, effect.name, len(effect.keys), effect.lost_gpus)
        return values[column]
