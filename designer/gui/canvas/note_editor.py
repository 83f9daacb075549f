"""The small editor of a note, in place on the drawing."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from designer.gui.canvas.card_style import Card
from designer.gui.render import canvas_font
from designer.messages import _


class _Text(QPlainTextEdit):
    """A text field that ends with Ctrl+Enter, Esc, or when the keyboard goes elsewhere."""

    ended = Signal(bool)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keep the text with Ctrl+Enter, drop it with Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.ended.emit(False)
        elif (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self.ended.emit(True)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Keep the text when the keyboard goes elsewhere."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.ended.emit(True)


class NoteEditor(Card):
    """Edits one note.

    Signals:
        written: Id (empty for a new note), text, and x and y of the drawing.
    """

    written = Signal(str, str, float, float)

    def __init__(self, parent: QWidget, theme: str) -> None:
        super().__init__(parent, theme, "accent")
        self._canvas = parent
        self._for: tuple[str, float, float] | None = None
        self.text = _Text(self)
        self.text.setFont(canvas_font(12, 400))
        self.text.setPlaceholderText(_("Write a note. Ctrl+Enter keeps it, Esc drops it."))
        self.text.setAccessibleName(_("Note"))
        self.text.setTabChangesFocus(True)
        self.text.ended.connect(self._end)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 6)
        column.addWidget(self.text)
        self.resize(260, 92)
        self.hide()

    def open_for(self, id_: str, text: str, x: float, y: float, at: tuple[int, int]) -> None:
        """Show the editor at a pixel, for a note at (x, y) of the drawing."""
        self._for = (id_, x, y)
        self.text.setPlainText(text)
        self.text.selectAll()
        self.move(*at)
        self.show()
        self.raise_()
        self.text.setFocus()

    def _end(self, keep: bool) -> None:
        target, self._for = self._for, None
        if target is None:
            return
        text = self.text.toPlainText()
        self.hide()
        self._canvas.setFocus()
        if keep:
            self.written.emit(target[0], text, target[1], target[2])
