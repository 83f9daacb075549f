"""A notice over the canvas: what happened, what is safe, what to do. Not modal."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from designer.gui.icons import icon
from designer.gui.labels import label, mark
from designer.messages import _
from designer.services.notices import NoticeText

_ICONS = {"error": "error", "warning": "warning", "info": "info", "ok": "ok"}
_TOKENS = {"error": "err", "warning": "warn", "info": "accent", "ok": "ok"}


class Notice(QFrame):
    """One notice with its buttons.

    Signals:
        action: Name of the button's action.
        clicked: Ids of the records it speaks of.
        closed: The person closed it.
    """

    action = Signal(str)
    clicked = Signal(tuple)
    closed = Signal(str)

    def __init__(self, text: NoticeText, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = text
        self.setObjectName("notice")
        self.setProperty("severity", text.kind)
        self.setAccessibleName(text.title)
        self.setAccessibleDescription(text.text)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 12, 8, 12)
        row.setSpacing(12)
        picture = mark(_ICONS[text.kind], _TOKENS[text.kind], theme, 20)
        more = text.text or text.actions
        place = Qt.AlignmentFlag.AlignTop if more else Qt.AlignmentFlag.AlignVCenter
        row.addWidget(picture, 0, place)
        row.addLayout(self._words(), 1)
        self.close_button = QToolButton()
        self.close_button.setIcon(icon("close", "text2", theme))
        self.close_button.setAccessibleName(_("Close notice"))
        self.close_button.clicked.connect(self._close)
        row.addWidget(self.close_button, 0, place)
        if text.ids:
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def _words(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(4)
        self.buttons: dict[str, QPushButton] = {}
        title = label(self.text.title, "title", wrap=True)
        title.setProperty("severity", self.text.kind)
        column.addWidget(title)
        if self.text.text:
            column.addWidget(label(self.text.text, "rowText", wrap=True))
        if self.text.actions:
            buttons = QHBoxLayout()
            buttons.setSpacing(8)
            for k, (name, words) in enumerate(self.text.actions):
                button = QPushButton(words)
                button.setProperty("primary", k == 0)
                button.clicked.connect(lambda _checked=False, n=name: self.action.emit(n))
                buttons.addWidget(button)
                self.buttons[name] = button
            buttons.addStretch(1)
            column.addSpacing(4)
            column.addLayout(buttons)
        return column

    def _close(self) -> None:
        self.closed.emit(self.text.key)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select what the notice speaks of."""
        if self.text.ids and self.rect().contains(event.position().toPoint()):
            self.clicked.emit(self.text.ids)
