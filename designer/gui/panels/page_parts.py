"""What the pages of the inspector share: heads, peers table, looks at results."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from designer.gui.charts.bars import paint_share
from designer.gui.fonts import font
from designer.gui.icons import icon, pixmap
from designer.gui.labels import label, pill
from designer.gui.panels.outline_model import ICONS
from designer.gui.panels.peers import Peer
from designer.gui.style import color
from designer.messages import N_, _
from designer.units import format_percent

Index = QModelIndex | QPersistentModelIndex
ROLE_NAMES = {
    "server": N_("Server"),
    "nvswitch": N_("NVSwitch tray"),
    "leaf": N_("Leaf switch"),
    "spine": N_("Spine switch"),
    "core": N_("Core switch"),
    "host": N_("Host without GPUs"),
}
FABRIC_NAMES = {
    "compute": N_("Compute"),
    "storage": N_("Storage"),
    "inband": N_("In-band management"),
    "oob": N_("Out-of-band management"),
}
KIND_NAMES = {
    "unit": N_("Scalable unit"),
    "pod": N_("Pod"),
    "plane": N_("Plane"),
    "rack": N_("Rack"),
}
_NO_PARENT = QModelIndex()
ROW = 24


class Head(QWidget):
    """The top of a page: icon, name, second line, and a pill at the right."""

    def __init__(self, theme: str) -> None:
        super().__init__()
        self._theme = theme
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 4)
        row.setSpacing(10)
        self._icon = label()
        self._icon.setFixedWidth(28)
        self.name = label("", "name", wrap=True)
        self.note = label("", "row", wrap=True)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(self.name)
        words.addWidget(self.note)
        self.tag = pill("")
        self.tag.hide()
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        row.addWidget(self.tag, 0, Qt.AlignmentFlag.AlignTop)

    def show_text(self, picture: str, token: str, name: str, note: str, tag: str = "") -> None:
        """Say what the page is about."""
        self._icon.setPixmap(pixmap(picture, token, self._theme, 28, self.devicePixelRatioF()))
        self.name.setText(name)
        self.note.setText(note)
        self.tag.setText(tag)
        self.tag.setVisible(bool(tag))


class PeerModel(QAbstractTableModel):
    """Rows of peers: name, ports, links and rate, peak utilisation."""

    def __init__(self, theme: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.peers: Sequence[Peer] = ()

    def show_peers(self, peers: Sequence[Peer]) -> None:
        """Show these rows."""
        self.beginResetModel()
        self.peers = peers
        self.endResetModel()

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self.peers)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        """Return the number of columns."""
        return 4

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the titles."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return (_("Peers"), _("Ports"), _("Gb/s"), _("Peak"))[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if section < 2 else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows."""
        peer, column = self.peers[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            peak = "" if peer.peak is None else format_percent(peer.peak, 0)
            return (peer.name, peer.ports, peer.short_rate, peak)[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return _("{peer}: {ports}, {rate} one way").format(
                peer=peer.name, ports=peer.ports, rate=peer.rate
            )
        if role == Qt.ItemDataRole.DecorationRole and column == 0 and peer.role:
            return icon(ICONS[peer.role], peer.role, self._theme)
        if role == Qt.ItemDataRole.UserRole:
            return peer.peak
        if role == Qt.ItemDataRole.FontRole:
            return font(12, 400 if column == 1 else 600)
        if role == Qt.ItemDataRole.ForegroundRole:
            if column == 2 and peer.speed is None:
                return color("err", self._theme)
            return color("text2" if column == 1 else "text", self._theme)
        if role == Qt.ItemDataRole.TextAlignmentRole and column >= 2:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None


class PeakDelegate(QStyledItemDelegate):
    """Paints a share as a small bar with its percentage at the right."""

    def __init__(self, theme: str, parent: QObject | None = None, bar: int = 18) -> None:
        super().__init__(parent)
        self._theme, self._bar = theme, bar

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the cell, then the bar."""
        super().paint(painter, option, index)
        share = index.data(Qt.ItemDataRole.UserRole)
        if share is not None:
            rect = option.rect
            box = QRectF(rect.x() + 6, rect.center().y() - 4, self._bar, 9)
            paint_share(painter, box, float(share), self._theme)


# A range of ports such as `P33–40` stands whole in so many pixels.
LEAST_PORTS = 62


class PeerTable(QTableView):
    """Peers of a device; a click selects them.

    Signals:
        chosen: The `Peer` that was clicked.
    """

    chosen = Signal(object)

    def __init__(self, theme: str, most_rows: int = 12) -> None:
        super().__init__()
        self._most = most_rows
        self.setObjectName("peers")
        self.rows = PeerModel(theme, self)
        self.setModel(self.rows)
        self.setItemDelegateForColumn(3, PeakDelegate(theme, self))
        prepare_table(self)
        self.setAccessibleName(_("Peers"))
        header = self.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(3, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(3, 64)
        self.clicked.connect(self._on_row)
        self.activated.connect(self._on_row)

    def show_peers(self, peers: Sequence[Peer]) -> None:
        """Show these peers, as high as they need up to a limit."""
        self.rows.show_peers(peers)
        shown = min(len(peers), self._most)
        head = self.horizontalHeader().sizeHint().height()
        self.setFixedHeight(head + shown * ROW + 4)
        self._share_width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new width."""
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        """Leave names whole where that is possible; a list of ports is cut first."""
        header = self.horizontalHeader()
        room = self.viewport().width() - header.sectionSize(2) - header.sectionSize(3)
        wanted = max(self.sizeHintForColumn(1), header.sectionSizeHint(1))
        least = min(wanted, LEAST_PORTS)
        header.resizeSection(1, max(least, min(wanted, room - self.sizeHintForColumn(0))))

    def _on_row(self, index: QModelIndex) -> None:
        self.chosen.emit(self.rows.peers[index.row()])


def prepare_table(table: QTableView) -> None:
    """Give a table the look of the window."""
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(ROW)
    table.verticalHeader().setMinimumSectionSize(ROW)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setFont(font(12))
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setTabKeyNavigation(False)
    table.horizontalHeader().setHighlightSections(False)


def peak_text(ids: Sequence[str], utilization: Mapping[str, float]) -> str | None:
    """Return the highest utilisation of some cables, or None when nothing is known."""
    shares = [utilization[i] for i in ids if i in utilization]
    return format_percent(max(shares), 0) if shares else None
