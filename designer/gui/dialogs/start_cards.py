"""Pieces of the start page: cards with a picture, rows of files."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from designer.gui.labels import label, mark
from designer.messages import _
from designer.units import format_moment

PICTURE_HEIGHT = 150
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


@dataclass(frozen=True, slots=True)
class RecentFile:
    """One row of the list of recent files.

    Attributes:
        path: The file.
        changed: When it was last written; None when it is missing.
        note: What is known without opening it, such as its title.
    """

    path: Path
    changed: datetime | None
    note: str = ""


class Choice(QFrame):
    """Something to take by click, Enter or Space.

    Signals:
        chosen: It was taken.
    """

    chosen = Signal()

    def __init__(self, name: str, description: str) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(name)
        self.setAccessibleDescription(description)
        self.words = f"{name} {description}".lower()

    def matches(self, words: list[str]) -> bool:
        """Tell whether all words of a search occur in it."""
        return all(w in self.words for w in words)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Take it when the left button is let go over it."""
        inside = self.rect().contains(event.position().toPoint())
        if inside and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take it by keyboard."""
        if event.key() in _ENTER:
            self.chosen.emit()
        else:
            super().keyPressEvent(event)


class Card(Choice):
    """A picture over a title, a sentence and two short facts."""

    def __init__(self, title: str, text: str, foot: tuple[str, str], picture: QWidget) -> None:
        super().__init__(title, f"{text} {' '.join(foot)}")
        self.setObjectName("card")
        self.setProperty("clickable", True)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(4)
        picture.setFixedHeight(PICTURE_HEIGHT)
        column.addWidget(picture)
        column.addSpacing(6)
        column.addWidget(label(title, "title", wrap=True))
        column.addWidget(label(text, "secondary", wrap=True))
        column.addStretch(1)
        row = QHBoxLayout()
        row.addWidget(label(foot[0], "rowStrong"))
        row.addStretch(1)
        row.addWidget(label(foot[1], "secondary"))
        column.addLayout(row)


class FileRow(Choice):
    """One file: its name, what it holds or where it is, and when it was written."""

    def __init__(self, name: str, note: str, folder: str, when: str, theme: str) -> None:
        super().__init__(name, f"{note} {folder}")
        self.setObjectName("fileRow")
        self.setFixedHeight(44)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 16, 0)
        row.setSpacing(12)
        row.addWidget(mark("file", "text2", theme, 18))
        row.addWidget(Elided(name, "title"), 4)
        row.addWidget(Elided(note, "row"), 3)
        row.addWidget(Elided(folder, "row"), 5)
        moment = label(when, "row")
        moment.setMinimumWidth(130)
        moment.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(moment)


class Elided(QLabel):
    """A label that gives up its middle rather than its neighbours' room."""

    def __init__(self, text: str, role: str) -> None:
        super().__init__()
        self.setProperty("role", role)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._text = text
        self.setToolTip(text)
        self.setText(text)

    def resizeEvent(self, event: object) -> None:
        """Cut the text to the new width."""
        self.setText(
            self.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideMiddle, self.width())
        )


def recent_row(recent: RecentFile, theme: str) -> FileRow:
    """Return the row of a recent file; one that is missing says so."""
    when = format_moment(recent.changed) if recent.changed else _("missing")
    row = FileRow(recent.path.name, recent.note, str(recent.path.parent), when, theme)
    row.setToolTip(str(recent.path))
    return row
