"""The cable schedule as rows: made from the records when they are looked at."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from designer.gui.fonts import font
from designer.gui.style import color
from designer.messages import _
from designer.model.design import Design
from designer.model.naming import natural
from designer.model.ports import link_speed, range_name
from designer.model.records import Cable
from designer.units import format_bits_per_s, format_number, format_percent

Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_QUERY = re.compile(r"^(rail|type|role|speed|id):(.+)$", re.IGNORECASE)
COLUMNS = 9
PEAK = 8


@dataclass(frozen=True, slots=True)
class Row:
    """What one cable record says, ready to be shown, searched and sorted."""

    id: str
    a: str
    port_a: str
    b: str
    port_b: str
    links: int
    speed: float | None
    part: str
    length: float | None
    rail: int
    roles: tuple[str, str]

    @property
    def words(self) -> str:
        """Return the text that a search looks into."""
        return f"{self.id} {self.a} {self.port_a} {self.b} {self.port_b} {self.part}".lower()


def row_of(design: Design, cable: Cable) -> Row:
    """Return the row of a cable."""
    names, ports, roles, rail = [], [], [], 0
    for end in (cable.a, cable.b):
        device = design.devices.get(end.device)
        names.append(device.name if device else end.device)
        ports.append(range_name(design, device, end) if device else f"{end.family} {end.first}")
        roles.append(device.role if device else "")
        if device is not None and end.family == "nic":
            rail = design.rail(device, end.first)
    part = design.types.get(cable.type)
    return Row(
        cable.id,
        names[0],
        ports[0],
        names[1],
        ports[1],
        cable.count,
        link_speed(design, cable),
        part.shown_model if part is not None else cable.type,
        cable.length_m,
        rail,
        (roles[0], roles[1]),
    )


def _holds(word: str, row: Row) -> bool:
    return word in row.words


def matcher(text: str) -> Callable[[Row], bool]:
    """Return what tells whether a row fits a query such as `leaf-5 rail:3`."""
    tests: list[Callable[[Row], bool]] = []
    for word in text.lower().split():
        match = _QUERY.match(word)
        if match is None:
            tests.append(partial(_holds, word))
        else:
            tests.append(_special(match[1], match[2]))
    return lambda row: all(test(row) for test in tests)


def _special(key: str, value: str) -> Callable[[Row], bool]:
    if key == "rail":
        return lambda r: str(r.rail) == value
    if key == "role":
        return lambda r: value in r.roles
    if key == "speed":
        return lambda r: r.speed is not None and value == f"{r.speed / 1e9:g}"
    if key == "id":
        return lambda r: r.id == value
    return lambda r: value in r.part.lower()


class ScheduleModel(QAbstractTableModel):
    """Cables as rows, filtered and sorted here: a proxy would ask Python for every cell."""

    def __init__(self, design: Design, theme: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._design, self._theme = design, theme
        self._loads: Mapping[str, float] = {}
        self._text = ""
        self._order: tuple[int, bool] = (1, False)
        self._cache: dict[str, tuple[Cable, Row]] = {}
        self.rows: list[Row] = []

    def forget(self) -> None:
        """Forget what was read, after devices or types changed."""
        self._cache.clear()

    def refresh(self) -> None:
        """Read the records anew, filter and sort."""
        self.beginResetModel()
        rows = []
        for id_, cable in self._design.cables.items():
            known = self._cache.get(id_)
            if known is None or known[0] is not cable:
                known = self._cache[id_] = (cable, row_of(self._design, cable))
            rows.append(known[1])
        fits = matcher(self._text)
        self.rows = [r for r in rows if fits(r)] if self._text.strip() else rows
        self._sort()
        self.endResetModel()

    def set_filter(self, text: str) -> None:
        """Leave only rows that fit a query."""
        self._text = text
        self.refresh()

    def set_loads(self, loads: Mapping[str, float]) -> None:
        """Take the utilisation of the newest results."""
        self._loads = loads
        if self.rows:
            top, bottom = self.index(0, PEAK), self.index(len(self.rows) - 1, PEAK)
            self.dataChanged.emit(top, bottom)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column."""
        self._order = (column, order == Qt.SortOrder.DescendingOrder)
        self.layoutAboutToBeChanged.emit()
        self._sort()
        self.layoutChanged.emit()

    def _sort(self) -> None:
        column, down = self._order
        self.rows.sort(key=lambda r: self._key(r, column), reverse=down)

    def _key(self, row: Row, column: int) -> tuple[Any, ...]:
        if column == PEAK:
            return (self._loads.get(row.id, -1.0),)
        values: tuple[Any, ...] = (
            row.id,
            natural(row.a),
            natural(row.port_a),
            natural(row.b),
            natural(row.port_b),
            row.links,
            row.speed or 0.0,
            row.part,
        )
        return (values[column], natural(row.a), natural(row.port_a))

    # --- Qt ---

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        """Return the number of columns."""
        return COLUMNS

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the titles."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (
                _("Cable"),
                _("From"),
                _("Port"),
                _("To"),
                _("Port"),
                _("Links"),
                _("Speed, one way"),
                _("Part"),
                _("Peak"),
            )[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows."""
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text_of(row, column)
        if role == Qt.ItemDataRole.UserRole:
            return self._loads.get(row.id)
        if role == Qt.ItemDataRole.FontRole:
            return font(12, 600 if column in (1, 3) else 400)
        if role == Qt.ItemDataRole.ForegroundRole:
            if column == 6 and row.speed is None:
                return color("err", self._theme)
            return color("text" if column in (1, 3, 6, PEAK) else "text2", self._theme)
        if role == Qt.ItemDataRole.TextAlignmentRole and column in (5, 6, PEAK):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def _text_of(self, row: Row, column: int) -> str:
        if column == PEAK:
            share = self._loads.get(row.id)
            return "" if share is None else format_percent(share, 0)
        if column == 6:
            return format_bits_per_s(row.speed) if row.speed else _("no link")
        length = f"{format_number(row.length)} m" if row.length is not None else ""
        part = ", ".join(x for x in (row.part, length) if x)
        links = format_number(row.links)
        return (row.id, row.a, row.port_a, row.b, row.port_b, links, "", part)[column]
