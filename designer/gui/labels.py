"""Building blocks of panels: labels by role, figures that explain themselves, lines, pills."""

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QLayout, QSizePolicy, QToolButton, QWidget

from designer.gui.icons import pixmap
from designer.messages import _

DASH = "—"


def label(text: str = "", role: str = "", *, wrap: bool = False) -> QLabel:
    """Return a label in the font and colour of a role."""
    found = QLabel(text)
    if role:
        found.setProperty("role", role)
    found.setWordWrap(wrap)
    found.setTextFormat(Qt.TextFormat.PlainText)
    return found


class Elided(QLabel):
    """A line of text that ends in an ellipsis where it has no room; a tip holds the whole."""

    def __init__(self, text: str = "", role: str = "", least: int = 24) -> None:
        super().__init__()
        self._least, self._tip = least, ""
        if role:
            self.setProperty("role", role)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setToolTip(self, text: str) -> None:
        """Show a tip of one's own in place of the whole text."""
        self._tip = text
        super().setToolTip(text)

    def minimumSizeHint(self) -> QSize:
        """Return a size for a few letters."""
        return QSize(self._least, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as much of the text as there is room for."""
        room = self.contentsRect()
        shown = QFontMetrics(self.font()).elidedText(
            self.text(), Qt.TextElideMode.ElideRight, room.width()
        )
        whole = "" if shown == self.text() else self.text()
        if not self._tip and super().toolTip() != whole:
            super().setToolTip(whole)
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(room, int(self.alignment()), shown)


def pill(text: str, kind: str = "info") -> QLabel:
    """Return a short text on a tint: `info`, `ok`, `warning` or `error`."""
    found = label(text, "pill")
    found.setProperty("pill", kind)
    found.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
    return found


def mark(name: str, token: str, theme: str, size: int = 16) -> QLabel:
    """Return an icon as a label."""
    found = QLabel()
    found.setPixmap(pixmap(name, token, theme, size, found.devicePixelRatioF()))
    found.setFixedSize(QSize(size, size))
    return found


def line(vertical: bool = False) -> QFrame:
    """Return a hairline."""
    found = QFrame()
    found.setObjectName("line")
    if vertical:
        found.setFixedWidth(1)
    else:
        found.setFixedHeight(1)
    return found


def restyle(widget: QWidget, **properties: object) -> None:
    """Set properties that the style sheet asks for, and apply them."""
    changed = False
    for name, value in properties.items():
        if widget.property(name) != value:
            widget.setProperty(name, value)
            changed = True
    if changed:
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def clear(layout: QLayout) -> None:
    """Take everything out of a layout and delete it."""
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif inner is not None:
            clear(inner)
            inner.deleteLater()


def widgets_in(layout: QLayout) -> Iterator[QWidget]:
    """Yield the widgets that stand directly in a layout."""
    for k in range(layout.count()):
        item = layout.itemAt(k)
        widget = item.widget() if item is not None else None
        if widget is not None:
            yield widget


class Figure(QToolButton):
    """A number that tells how it was made when clicked; an em dash with its reason when null.

    Signals:
        explain: Dotted key of the number, and the point of the screen it stands at.
    """

    explain = Signal(str, QPoint)

    def __init__(self, role: str = "figure", name: str = "") -> None:
        super().__init__()
        self._key, self._name = "", name
        self.setProperty("role", role)
        self.setProperty("figure", True)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.clicked.connect(self._explain)
        self.show_value(None)

    @property
    def key(self) -> str:
        """Return the dotted key of what is shown."""
        return self._key

    def show_value(self, text: str | None, key: str = "", reason: str = "") -> None:
        """Show a formatted number, or a dash with the reason why there is none."""
        self._key = key if text is not None else ""
        self.setText(text if text is not None else DASH)
        self.setEnabled(bool(self._key))
        hint = _("Show how this number was made") if self._key else reason
        self.setToolTip(hint)
        self.setCursor(
            Qt.CursorShape.PointingHandCursor if self._key else Qt.CursorShape.ArrowCursor
        )
        self.setAccessibleName(f"{self._name} {self.text()}".strip())
        self.setAccessibleDescription(hint)

    def sizeHint(self) -> QSize:
        """Return the size of the text: Qt adds room for an icon that is not there."""
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self.text()) + 1, metrics.height() + 2)

    def minimumSizeHint(self) -> QSize:
        """Return the same: a number is never cut."""
        return self.sizeHint()

    def set_stale(self, stale: bool) -> None:
        """Show that the number belongs to an older drawing."""
        restyle(self, stale=stale)

    def _explain(self) -> None:
        if self._key:
            self.explain.emit(self._key, self.mapToGlobal(self.rect().center()))
