"""Cards beside the pointer: the target of a cable, a refusal, how many links."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QSpinBox, QWidget

from designer.gui.canvas.card_style import Card
from designer.gui.canvas.link_facts import LinkFacts
from designer.gui.render import canvas_font, icon_pixmap
from designer.messages import _
from designer.scene.theme import token

BUBBLE_MS = 5000


def keep_inside(card: QWidget, x: float, y: float) -> None:
    """Move a card's corner to (x, y) of its parent, or to the other side of the point."""
    card.adjustSize()
    parent = card.parentWidget()
    if parent is None:
        return
    left = x + 24 if x + 24 + card.width() < parent.width() else x - 24 - card.width()
    top = y + 24 if y + 24 + card.height() < parent.height() else y - 24 - card.height()
    card.move(round(max(4, left)), round(max(4, top)))


class TargetCard(Card):
    """What a click would connect: from, link, cable."""

    def __init__(self, parent: QWidget, theme: str) -> None:
        super().__init__(parent, theme, "accent")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        grid = QGridLayout(self)
        grid.setContentsMargins(14, 10, 14, 12)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        self._icon = QLabel(self)
        self.title = QLabel(self)
        self.title.setFont(canvas_font(13, 600))
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._icon)
        head.addWidget(self.title, 1)
        grid.addLayout(head, 0, 0, 1, 2)
        self._values: list[QLabel] = []
        for row, name in enumerate((_("From"), _("Link"), _("Cable")), start=1):
            label = QLabel(name, self)
            label.setFont(canvas_font(12, 400))
            label.setProperty("dim", True)
            value = QLabel(self)
            value.setFont(canvas_font(12, 400))
            grid.addWidget(label, row, 0)
            grid.addWidget(value, row, 1)
            self._values.append(value)
        self.hide()

    def show_facts(self, title: str, facts: LinkFacts, x: float, y: float) -> None:
        """Show the card beside (x, y)."""
        self._icon.setPixmap(
            icon_pixmap("ok", token("ok", self.theme), 18, self.devicePixelRatioF())
        )
        self.title.setText(title)
        for label, text in zip(self._values, (facts.source, facts.link, facts.cable), strict=True):
            label.setText(text)
        keep_inside(self, x, y)
        self.show()


class Bubble(Card):
    """Why something was refused, beside the pointer, for some seconds."""

    def __init__(self, parent: QWidget, theme: str) -> None:
        super().__init__(parent, theme, "err")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 14, 8)
        row.setSpacing(8)
        self._icon = QLabel(self)
        self.text = QLabel(self)
        self.text.setFont(canvas_font(12, 500))
        row.addWidget(self._icon)
        row.addWidget(self.text)
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
        self._clock.setInterval(BUBBLE_MS)
        self._clock.timeout.connect(self.hide)
        self.hide()

    def say(self, text: str, x: float, y: float, *, stay: bool = False) -> None:
        """Show a reason beside (x, y); `stay` keeps it until it is hidden."""
        self._icon.setPixmap(
            icon_pixmap("error", token("err", self.theme), 18, self.devicePixelRatioF())
        )
        self.text.setText(text)
        keep_inside(self, x, y)
        self.show()
        self.raise_()
        if stay:
            self._clock.stop()
        else:
            self._clock.start()


class LinkCount(Card):
    """Asks how many parallel links to draw between two devices.

    Signals:
        chosen: The number was confirmed.
        closed: The card went away without an answer.
    """

    chosen = Signal(int)
    closed = Signal()

    def __init__(self, parent: QWidget, theme: str, title: str, most: int) -> None:
        super().__init__(parent, theme, "accent")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 12, 8)
        row.setSpacing(8)
        label = QLabel(title, self)
        label.setFont(canvas_font(12, 500))
        self.number = QSpinBox(self)
        self.number.setRange(1, most)
        self.number.setAccessibleName(_("Number of links"))
        self.number.setSuffix(" " + _("of {n}").format(n=most))
        self.button = QPushButton(_("Connect"), self)
        self.button.setProperty("primary", True)
        self.button.clicked.connect(self._confirm)
        for widget in (label, self.number, self.button):
            row.addWidget(widget)

    def _confirm(self) -> None:
        self.chosen.emit(self.number.value())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Confirm with Enter, go away with Esc."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._confirm()
        elif event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
