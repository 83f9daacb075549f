"""Single faults as rows of a table."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    Qt,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from designer.engine.failure_parts import KINDS
from designer.engine.failures import Effect
from designer.gui.faults import SMALL, change
from designer.gui.fonts import font
from designer.gui.icons import icon
from designer.gui.style import color
from designer.messages import N_, _
from designer.units import format_number

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
FIRST_RATIO = 4
# Room for the figure behind its bar.
_FIGURE = 72
_ICONS = {
    "link": "cable",
    "nic": "nic",
    "server": "server",
    "switch": "spine",
    "rail": "layers",
    "rack": "rack",
}


class LossDelegate(QStyledItemDelegate):
    """Paints how bad a figure is as a bar left of it, the worst of its column the longest."""

    def __init__(self, theme: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the cell, then the bar."""
        super().paint(painter, option, index)
        share = index.data(Qt.ItemDataRole.UserRole)
        if share:
            rect = option.rect
            width = (rect.width() - _FIGURE) * float(share)
            bar = QRectF(rect.x() + 8, rect.center().y() - 5, max(1.0, width), 11)
            painter.fillRect(bar, color("loc2", self._theme))


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
        if role == Qt.ItemDataRole.UserRole:
            return self._share(effect, column)
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
        if column >= FIRST_RATIO:
            name = _RATIOS[column - FIRST_RATIO]
            if effect.lost_gpus > 0 and name != "bisection":
                return _("job stops")
            return change(effect.ratios[name])
        texts = (
            _(KINDS[effect.kind]),
            effect.name,
            format_number(len(effect.keys)),
            format_number(effect.lost_gpus),
        )
        return texts[column]

    def _tip(self, effect: Effect, column: int) -> str:
        if column < FIRST_RATIO:
            more = ", ".join(effect.keys[:12]) + (" …" if len(effect.keys) > 12 else "")
            return f"{effect.name}\n{more}"
        name = _RATIOS[column - FIRST_RATIO]
        if effect.ratios[name] is None:
            return effect.reasons.get(name, "")
        if effect.lost_gpus > 0:
            text = _("Begun again without them: {change}")
            return text.format(change=change(effect.ratios[name]))
        return ""

    def _share(self, effect: Effect, column: int) -> float | None:
        """Return how bad a figure is beside the worst of its column, 0 to 1; None without one."""
        if column < FIRST_RATIO:
            return None
        name = _RATIOS[column - FIRST_RATIO]
        if effect.lost_gpus > 0 and name != "bisection":
            return None
        loss = [abs(r - 1) for e in self.rows if (r := e.ratios[name]) is not None]
        ratio, most = effect.ratios[name], max(loss, default=0.0)
        return abs(ratio - 1) / most if ratio is not None and most >= SMALL else None

    def _bad(self, effect: Effect, column: int) -> bool:
        if column == 3:
            return effect.lost_gpus > 0
        if column < FIRST_RATIO:
            return False
        name = _RATIOS[column - FIRST_RATIO]
        ratio = effect.ratios[name]
        if effect.lost_gpus > 0 and name != "bisection":
            return True
        return ratio is not None and (ratio < 0.9 if name == "bisection" else ratio > 1.1)

    def _value(self, effect: Effect, column: int) -> Any:
        if column >= FIRST_RATIO:
            name = _RATIOS[column - FIRST_RATIO]
            ratio = effect.ratios[name]
            worst = float("inf") if ratio is None else ratio
            return -worst if name == "bisection" and ratio is not None else worst
        values = (effect.kind, effect.name, len(effect.keys), effect.lost_gpus)
        return values[column]
