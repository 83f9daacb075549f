"""The palette: type, and go to a device, port or group, or run a command."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from designer.gui.icons import icon
from designer.gui.labels import label
from designer.gui.panels.outline_model import ICONS
from designer.messages import _
from designer.model.design import Design
from designer.model.find import Match, find, folded

WIDTH, HEIGHT = 560, 420
_PICTURES = {"group": "su", "port": "cable", "cable": "cable"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: what it says, and what choosing it does."""

    title: str
    detail: str
    picture: QIcon
    call: Callable[[], object]


class Palette(QFrame):
    """A field over the window and what matches it; Enter takes the first, arrows walk the list.

    Signals:
        picked: Ids to show on the drawing.
    """

    picked = Signal(object)

    def __init__(
        self,
        window: QWidget,
        design: Design | None,
        actions: Sequence[tuple[str, QAction]],
        theme: str,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._design, self._actions, self._theme = design, actions, theme
        self.setObjectName("popover")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 10)
        column.setSpacing(8)
        self.field = QLineEdit()
        self.field.setPlaceholderText(_("Go to a device, port or group, or run a command"))
        self.field.setAccessibleName(_("Go to, or run"))
        self.field.setClearButtonEnabled(True)
        self.list = QListWidget()
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setIconSize(QSize(16, 16))
        self.hint = label(_("↑↓ choose · Enter go · Esc close"), "secondary")
        for widget in (self.field, self.list, self.hint):
            column.addWidget(widget)
        self._entries: list[Entry] = []
        self.field.textChanged.connect(self._fill)
        self.field.returnPressed.connect(self._take)
        self.list.itemClicked.connect(lambda _item: self._take())
        self.field.installEventFilter(self)
        self._fill("")

    def open(self) -> None:
        """Show it at the top of the window, with the keyboard."""
        window = self._window
        width = min(WIDTH, window.width() - 40)
        self.setGeometry(
            (window.width() - width) // 2, 72, width, min(HEIGHT, window.height() - 96)
        )
        self.show()
        self.raise_()
        self.field.setFocus()

    def _fill(self, text: str) -> None:
        self._entries = [*self._found(text), *self._commands(text)]
        self.list.clear()
        for entry in self._entries:
            detail = f"   {entry.detail}" if entry.detail else ""
            item = QListWidgetItem(entry.picture, f"{entry.title}{detail}")
            item.setSizeHint(QSize(100, 28))
            self.list.addItem(item)
        if not self._entries:
            item = QListWidgetItem(_("Nothing matches."))
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(item)
        else:
            self.list.setCurrentRow(0)

    def _found(self, text: str) -> list[Entry]:
        if self._design is None:
            return []
        return [self._entry(match) for match in find(self._design, text)]

    def _entry(self, match: Match) -> Entry:
        design = self._design
        device = design.devices.get(match.ids[0]) if design is not None else None
        name = ICONS[device.role] if device is not None else _PICTURES[match.kind]
        picture = icon(name, "text2", self._theme)
        return Entry(match.title, match.detail, picture, lambda: self.picked.emit(match.ids))

    def _commands(self, text: str) -> list[Entry]:
        words = folded(text).split()
        found = []
        for menu, action in self._actions:
            title, _tab, key = action.text().partition("\t")
            title = title.replace("&", "").rstrip("…")
            keys = key or action.shortcut().toString(action.shortcut().SequenceFormat.NativeText)
            if action.isEnabled() and all(w in folded(f"{menu} {title}") for w in words):
                detail = f"{menu}  {keys}" if keys else menu
                found.append(Entry(title, detail, action.icon(), action.trigger))
        return found

    def _take(self) -> None:
        row = self.list.currentRow()
        if 0 <= row < len(self._entries):
            self.close()
            self._entries[row].call()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let arrows walk the list, and Esc or a click elsewhere close the palette."""
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8}
            step |= {Qt.Key.Key_PageUp: -8}
            key = Qt.Key(event.key())
            if event.type() == QEvent.Type.KeyPress and key in step:
                row = self.list.currentRow() + step[key]
                self.list.setCurrentRow(max(0, min(row, self.list.count() - 1)))
                return True
            if event.type() == QEvent.Type.KeyPress and key == Qt.Key.Key_Escape:
                self.close()
                return True
        if watched is self.field and event.type() == QEvent.Type.FocusOut and self.isVisible():
            self.close()
        return False
