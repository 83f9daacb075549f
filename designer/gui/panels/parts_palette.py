"""The palette: parts of the catalogue to drag onto the drawing, with a search."""

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QMimeData, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QDrag, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from designer.catalog.catalog import Catalog
from designer.catalog.types import PartType
from designer.gui.canvas.drops import PART_MIME
from designer.gui.icons import icon, pixmap
from designer.gui.labels import Elided, clear, label, mark, widgets_in
from designer.messages import N_, _, ngettext
from designer.units import format_bits_per_s, format_number

SECTIONS: tuple[tuple[str, str], ...] = (
    ("server", N_("GPU servers")),
    ("infiniband", N_("InfiniBand switches")),
    ("ethernet", N_("Ethernet switches")),
    ("nvswitch", N_("NVLink switches")),
)
COLUMNS = 2
# Narrower than this, the tiles stand in one column.
NARROW = 250

_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


def section_of(part: PartType) -> str:
    """Return the section a part stands in, or an empty text when it cannot be placed."""
    if part.kind in ("server", "nvswitch"):
        return part.kind
    return part.technology if part.kind == "switch" else ""


def ports_text(part: PartType) -> str:
    """Return the ports of a part in a few words: `8 GPU, 8 NIC`, `64 × 400 Gb/s`."""
    if part.kind == "server":
        gpus = part.gpu.count if part.gpu and part.gpu.count else 0
        nics = part.nic_slots
        if not gpus:
            return ngettext("{n} NIC", "{n} NICs", nics).format(n=format_number(nics))
        return _("{gpus} GPU, {nics} NIC").format(
            gpus=format_number(gpus), nics=format_number(nics)
        )
    family = part.family("nvlink" if part.kind == "nvswitch" else "fabric")
    if family is None or not family.speeds:
        return part.technology
    speed = format_bits_per_s(max(family.speeds))
    return f"{format_number(family.count)} × {speed}"


def icon_of(part: PartType) -> tuple[str, str]:
    """Return icon and colour token of a part."""
    if part.kind == "server":
        return "server", "server"
    return ("nvswitch", "nvswitch") if part.kind == "nvswitch" else ("leaf", "leaf")


class Tile(QFrame):
    """One part: dragged onto the drawing, or added by double click or Enter.

    Signals:
        added: Slug of the part.
        walked: An arrow key: how many tiles to the right and down the focus is to go.
    """

    added = Signal(str)
    walked = Signal(int, int)

    def __init__(self, part: PartType, theme: str) -> None:
        super().__init__()
        self.part = part
        self._theme = theme
        self._press: QPoint | None = None
        self.setObjectName("tile")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setAccessibleName(part.title)
        self.setAccessibleDescription(ports_text(part))
        self.setToolTip(self._tip())
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 5, 3, 5)
        row.setSpacing(5)
        name, token = icon_of(part)
        row.addWidget(mark(name, token, theme, 16), 0, Qt.AlignmentFlag.AlignVCenter)
        words = QVBoxLayout()
        words.setSpacing(0)
        for text, role in ((short_name(part), "smallStrong"), (ports_text(part), "small")):
            words.addWidget(Elided(text, role))
        row.addLayout(words, 1)

    def _tip(self) -> str:
        lines = [self.part.title, ports_text(self.part)]
        if not self.part.sourced:
            lines.append(_("No source for this data"))
        elif self.part.source:
            lines.append(_("Source: {source}").format(source=self.part.source))
        lines.append(_("Drag onto the drawing, or double click"))
        return "\n".join(lines)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Note where a drag may begin."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._press = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Begin the drag after a few pixels."""
        if self._press is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        way = event.position().toPoint() - self._press
        if way.manhattanLength() >= QApplication.startDragDistance():
            self._press = None
            self.drag().exec(Qt.DropAction.CopyAction)

    def drag(self) -> QDrag:
        """Return the drag that carries this part."""
        data = QMimeData()
        data.setData(PART_MIME, self.part.slug.encode())
        data.setText(self.part.title)
        drag = QDrag(self)
        drag.setMimeData(data)
        name, token = icon_of(self.part)
        drag.setPixmap(pixmap(name, token, self._theme, 28, self.devicePixelRatioF()))
        drag.setHotSpot(QPoint(14, 14))
        return drag

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Add the part in the middle of the view."""
        self._press = None
        self.added.emit(self.part.slug)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Add the part by keyboard."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.added.emit(self.part.slug)
        elif event.key() in _ARROWS:
            self.walked.emit(*_ARROWS[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


def short_name(part: PartType) -> str:
    """Return the model without what stands in brackets or on the line below."""
    return _(part.model.removesuffix(" 8-GPU server")).split(" (")[0]


class PartsPalette(QWidget):
    """The list of tiles below a search field.

    Signals:
        added: Slug of a part to put in the middle of the view.
    """

    added = Signal(str)

    def __init__(self, catalog: Catalog, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._catalog, self._theme = catalog, theme
        self.tiles: list[Tile] = []
        self._grids: list[QGridLayout] = []
        self._columns = COLUMNS
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 0, 0)
        column.setSpacing(8)
        self.search = QLineEdit()
        self.search.setPlaceholderText(_("Search parts"))
        self.search.setAccessibleName(_("Search parts"))
        self.search.setClearButtonEnabled(True)
        self.search.addAction(
            QAction(icon("search", "text3", theme), "", self.search),
            QLineEdit.ActionPosition.LeadingPosition,
        )
        self.search.textChanged.connect(self._fill)
        self.search.returnPressed.connect(self._add_first)
        field = QHBoxLayout()
        field.setContentsMargins(0, 0, 12, 0)
        field.addWidget(self.search)
        column.addLayout(field)
        self._scroll = scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = QWidget()
        body.setObjectName("panel")
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(0, 0, 12, 12)
        self._column.setSpacing(6)
        scroll.setWidget(body)
        column.addWidget(scroll, 1)
        self._fill("")

    def _found(self, text: str) -> Iterable[PartType]:
        return self._catalog.search(text) if text.strip() else self._catalog

    def _fill(self, text: str) -> None:
        clear(self._column)
        self.tiles, self._grids = [], []
        found = [p for p in self._found(text) if section_of(p)]
        for key, title in SECTIONS:
            parts = [p for p in found if section_of(p) == key]
            if parts:
                self._column.addWidget(label(_(title), "rowStrong"))
                self._column.addLayout(self._grid(parts))
                self._column.addSpacing(6)
        if not found:
            self._column.addWidget(
                label(_("No part matches “{text}”.").format(text=text), "row", wrap=True)
            )
        self._column.addStretch(1)
        if self.tiles:
            self.tiles[0].setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def _walk(self, tile: Tile, right: int, down: int) -> None:
        """Move the focus among the tiles; only one of them stands in the way of Tab."""
        goal = self.tiles.index(tile) + right + down * self._columns
        if 0 <= goal < len(self.tiles):
            tile.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            self.tiles[goal].setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.tiles[goal].setFocus(Qt.FocusReason.TabFocusReason)
            self._scroll.ensureWidgetVisible(self.tiles[goal])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the tiles into as many columns as there is room for."""
        super().resizeEvent(event)
        columns = 1 if self.width() < NARROW else COLUMNS
        if columns != self._columns:
            self._columns = columns
            for grid in self._grids:
                self._place(grid)

    def _grid(self, parts: list[PartType]) -> QGridLayout:
        grid = QGridLayout()
        grid.setSpacing(6)
        for part in parts:
            tile = Tile(part, self._theme)
            tile.added.connect(self.added)
            tile.walked.connect(partial(self._walk, tile))
            self.tiles.append(tile)
            grid.addWidget(tile)
        self._grids.append(grid)
        self._place(grid)
        return grid

    def _place(self, grid: QGridLayout) -> None:
        """Put the tiles of a section into the columns there are."""
        for k, tile in enumerate(list(widgets_in(grid))):
            grid.addWidget(tile, k // self._columns, k % self._columns)
        for k in range(COLUMNS):
            grid.setColumnStretch(k, int(k < self._columns))
            grid.setColumnMinimumWidth(k, 90 if k < self._columns else 0)

    def _add_first(self) -> None:
        if self.tiles and self.search.text().strip():
            self.added.emit(self.tiles[0].part.slug)
