"""A notice over the canvas: what happened, what is safe, what to do. Not modal."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from designer.gui.icons import icon
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
        mark = QLabel()
        mark.setPixmap(icon(_ICONS[text.kind], _TOKENS[text.kind], theme).pixmap(20, 20))
        row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(self._words(), 1)
        close = QToolButton()
        close.setIcon(icon("close", "text2", theme))
        close.setAutoRaise(True)
        close.setAccessibleName(_("Close notice"))
        close.clicked.connect(self._close)
        row.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        if text.ids:
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def _words(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(4)
        title = QLabel(self.text.title)
        title.setObjectName("noticeTitle")
        title.setProperty("severity", self.text.kind)
        title.setWordWrap(True)
        column.addWidget(title)
        if self.text.text:
            body = QLabel(self.text.text)
            body.setWordWrap(True)
            column.addWidget(body)
        if self.text.actions:
            buttons = QHBoxLayout()
            for k, (name, label) in enumerate(self.text.actions):
                button = QPushButton(label)
                button.setProperty("primary", k == 0)
                button.clicked.connect(lambda _checked=False, n=name: self.action.emit(n))
                buttons.addWidget(button)
            buttons.addStretch(1)
            column.addSpacing(4)
            column.addLayout(buttons)
        return column

    def _close(self) -> None:
        self.closed.emit(self.text.key)

    def mouseReleaseEvent(self, event) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
        """Select what the notice speaks of."""
        super().mouseReleaseEvent(event)
        if self.text.ids:
            self.clicked.emit(self.text.ids)
