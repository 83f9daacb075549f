"""A segmented control: a few choices side by side, one of them taken."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from designer.gui.icons import icon

HEIGHT = 28


class Segments(QFrame):
    """Buttons in a row; one is down.

    Signals:
        chosen: Name of the choice a person took.
    """

    chosen = Signal(str)

    def __init__(self, name: str, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("segments")
        self.setAccessibleName(name)
        self._theme = theme
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self.buttons: dict[str, QToolButton] = {}
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self.setFixedHeight(HEIGHT + 2)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._row.setSpacing(0)

    def add(self, key: str, text: str, picture: str = "", *, tip: str = "") -> QToolButton:
        """Add a choice and return its button."""
        button = QToolButton()
        button.setProperty("role", "rowStrong")
        button.setText(text)
        button.setCheckable(True)
        button.setFixedHeight(HEIGHT)
        button.setAccessibleName(text)
        if tip:
            button.setToolTip(tip)
        if picture:
            button.setIcon(icon(picture, "text2", self._theme, "accent"))
            button.setIconSize(QSize(16, 16))
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.clicked.connect(lambda: self.chosen.emit(key))
        self._group.addButton(button)
        self._row.addWidget(button)
        self.buttons[key] = button
        return button

    def choose(self, key: str) -> None:
        """Show a choice as taken, without telling anybody."""
        button = self.buttons.get(key)
        if button is not None:
            button.setChecked(True)

    def current(self) -> str:
        """Return the name of the choice that is taken."""
        return next((k for k, b in self.buttons.items() if b.isChecked()), "")
