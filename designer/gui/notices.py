"""Notices over the drawing: newest at the top, at most three, gone when solved or closed."""

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from designer.gui.dialogs.notice import Notice
from designer.services.notices import NoticeText

MARGIN = 12
MOST = 3
# A notice that only informs, or answers a gesture, goes by itself.
SHORT_MS = 7000


class NoticeStack(QWidget):
    """Floats at the top of the widget it belongs to.

    Signals:
        action: Name of the action of a button.
        clicked: Ids of the records a notice speaks of.
    """

    action = Signal(str)
    clicked = Signal(tuple)

    def __init__(self, theme: str, host: QWidget) -> None:
        super().__init__(host)
        self._theme, self._host = theme, host
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self.notices: list[Notice] = []
        host.installEventFilter(self)
        self.hide()

    def say(self, text: NoticeText) -> None:
        """Show a notice; one with the same key takes the place of the older one."""
        key = text.key or text.title
        self.close_key(key)
        notice = Notice(text, self._theme, self)
        notice.action.connect(self.action)
        notice.action.connect(lambda _name: self._remove(notice))
        notice.clicked.connect(self.clicked)
        notice.closed.connect(lambda _key: self._remove(notice))
        self.notices.insert(0, notice)
        self._column.insertWidget(0, notice)
        # a layout leaves out what is not shown yet
        notice.show()
        while len(self.notices) > MOST:
            self._remove(self.notices[-1])
        if text.passing or (text.kind in ("info", "ok") and not text.actions):
            QTimer.singleShot(SHORT_MS, notice, lambda: self._remove(notice))
        self._place()

    def close_key(self, key: str) -> None:
        """Take a notice away because what it says is no longer so."""
        for notice in [n for n in self.notices if key in (n.text.key, n.text.title)]:
            self._remove(notice)

    def close_refusals(self) -> None:
        """Take away what was refused: the drawing has moved on."""
        for notice in list(self.notices):
            if notice.text.kind == "error" and notice.text.key == notice.text.title:
                self._remove(notice)

    def _remove(self, notice: Notice) -> None:
        if notice in self.notices:
            self.notices.remove(notice)
            self._column.removeWidget(notice)
            notice.hide()
            notice.deleteLater()
            self._place()

    def _place(self) -> None:
        self.setVisible(bool(self.notices))
        width = max(120, min(760, self._host.width() - 2 * MARGIN))
        left = (self._host.width() - width) // 2
        self._column.invalidate()
        self.setGeometry(left, MARGIN, width, self._column.totalHeightForWidth(width))
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the host."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Follow the height of the notices, which is known once they have their fonts."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._place()
        return done
