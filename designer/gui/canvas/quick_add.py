"""Quick add: type a part's name on the canvas, Enter places it; `4 qm9700` places four."""

import re
from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from designer.catalog.catalog import Catalog
from designer.catalog.types import PartType
from designer.gui.canvas.card_style import Card
from designer.gui.render import canvas_font
from designer.messages import _

PLACEABLE = ("server", "nvswitch", "switch")
WIDTH, HEIGHT = 320, 292
MOST = 64
_COUNTED = re.compile(r"\s*(\d{1,3})\s*(?:[x×*]\s*|\s)(?=\S)", re.IGNORECASE)


def counted(query: str) -> tuple[int, str]:
    """Return how many are wanted, and of what: (4, "qm9700") of `4 qm9700` or `4x qm9700`."""
    found = _COUNTED.match(query)
    if found is None or int(found[1]) == 0:
        return 1, query
    return min(int(found[1]), MOST), query[found.end() :]


def matching(catalog: Catalog, query: str) -> list[PartType]:
    """Return the parts that can stand on a drawing and hold every word of `query`.

    Those whose slug or model begins with it come first.
    """
    wanted = query.strip().lower()
    found = [p for p in catalog.search(wanted) if p.kind in PLACEABLE]
    return sorted(
        found,
        key=lambda p: not (p.slug.startswith(wanted) or p.model.lower().startswith(wanted)),
    )


class QuickAdd(Card):
    """A field and the parts that match it.

    Signals:
        chosen: A part (its slug) was chosen, so many times.
    """

    chosen = Signal(str, int)

    def __init__(self, parent: QWidget, theme: str, catalog: Catalog) -> None:
        super().__init__(parent, theme, "accent")
        self._catalog = catalog
        self._count = 1
        self._canvas = parent
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(_("Search parts"))
        self.field.setAccessibleName(_("Search parts"))
        self.field.setFont(canvas_font(13, 400))
        self.list = QListWidget(self)
        self.list.setFont(canvas_font(12, 400))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.field.textChanged.connect(self._show)
        self.field.returnPressed.connect(self._choose)
        self.list.itemClicked.connect(lambda _item: self._choose())
        self.field.installEventFilter(self)
        self.resize(WIDTH, HEIGHT)
        self.hide()

    def open_at(self, x: int, y: int) -> None:
        """Show the card with its field at (x, y) of the parent, kept inside it."""
        parent = self._canvas
        self.move(
            max(4, min(x, parent.width() - WIDTH - 4)), max(4, min(y, parent.height() - HEIGHT - 4))
        )
        self.field.clear()
        self._show("")
        self.show()
        self.raise_()
        self.field.setFocus()

    def slugs(self) -> Iterable[str]:
        """Yield the slugs in the list, from the top."""
        for row in range(self.list.count()):
            yield self.list.item(row).data(Qt.ItemDataRole.UserRole)

    def _show(self, query: str) -> None:
        self.list.clear()
        self._count, wanted = counted(query)
        times = f"{self._count} × " if self._count > 1 else ""
        for part in matching(self._catalog, wanted):
            item = QListWidgetItem(f"{times}{part.shown_model}   {part.slug}")
            item.setToolTip(part.title)
            item.setData(Qt.ItemDataRole.UserRole, part.slug)
            self.list.addItem(item)
        if not self.list.count():
            item = QListWidgetItem(_("No part matches."))
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(item)
        else:
            self.list.setCurrentRow(0)

    def _choose(self) -> None:
        item = self.list.currentItem()
        slug = item.data(Qt.ItemDataRole.UserRole) if item is not None else None
        if slug:
            self.close_card()
            self.chosen.emit(str(slug), self._count)

    def close_card(self) -> None:
        """Hide the card and give the keyboard back to the canvas."""
        self.hide()
        self._canvas.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let arrows walk the list and Esc close the card while the field has the keyboard."""
        if watched is self.field and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()  # letters are typed here, not taken as shortcuts
                return True
            if event.type() == QEvent.Type.KeyPress:
                step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
                if step is not None:
                    row = self.list.currentRow() + step
                    self.list.setCurrentRow(max(0, min(row, self.list.count() - 1)))
                    return True
                if event.key() == Qt.Key.Key_Escape:
                    self.close_card()
                    return True
        if watched is self.field and event.type() == QEvent.Type.FocusOut:
            self.hide()
        return False
