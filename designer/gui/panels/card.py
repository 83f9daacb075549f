"""A card of the results: title, note at the right, content; figures that explain themselves."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from designer.engine.results import Results
from designer.gui.labels import Elided, Figure
from designer.messages import _


class Card(QWidget):
    """The frame of one card.

    Signals:
        explain: Dotted key of a figure that was clicked, and where it stands on the screen.
    """

    explain = Signal(str, QPoint)

    def __init__(self, title: str, width: int = 0) -> None:
        super().__init__()
        self.setAccessibleName(title)
        if width:
            self.setMinimumWidth(width - 80)
            self.setMaximumWidth(width)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(14, 8, 14, 6)
        self.column.setSpacing(5)
        head = QHBoxLayout()
        head.setSpacing(6)
        self.title = Elided(title, "rowStrong", 60)
        self.note = Elided("", "small")
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self.title)
        head.addWidget(self.note, 1)
        self.head = head
        self.column.addLayout(head)
        self._figures: list[Figure] = []

    def figure(self, name: str, role: str = "figure") -> Figure:
        """Return a new figure of this card."""
        found = Figure(role, name)
        found.explain.connect(self.explain)
        self._figures.append(found)
        return found

    def set_stale(self, stale: bool) -> None:
        """Show that the figures belong to an older drawing."""
        for figure in self._figures:
            figure.set_stale(stale)


def why(results: Results | None, key: str) -> str:
    """Return why a key has no value, in a few words; “Computing” before the first results."""
    if results is None:
        return _("Computing")
    return results.reason(key) or _("not computed")


def stack(*widgets: QWidget, spacing: int = 0) -> QVBoxLayout:
    """Return widgets one below the other."""
    column = QVBoxLayout()
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(spacing)
    for widget in widgets:
        column.addWidget(widget)
    return column
