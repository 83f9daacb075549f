"""What small dialogs have in common: a heading, margins, Cancel and one primary button."""

from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout

from designer.gui.labels import label
from designer.messages import _


def framed(dialog: QDialog, title: str, text: str = "") -> QVBoxLayout:
    """Give a dialog its title, heading and a sentence; return the column to fill."""
    dialog.setWindowTitle(title)
    column = QVBoxLayout(dialog)
    column.setContentsMargins(24, 20, 24, 16)
    column.setSpacing(12)
    column.addWidget(label(title, "heading", wrap=True))
    if text:
        column.addWidget(label(text, "secondary", wrap=True))
    return column


def answer_row(dialog: QDialog, text: str, column: QVBoxLayout) -> QPushButton:
    """Add Cancel and a primary button that says what it does; return the primary one."""
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addStretch(1)
    cancel = QPushButton(_("Cancel"))
    cancel.setAutoDefault(False)
    cancel.clicked.connect(dialog.reject)
    primary = QPushButton(text)
    primary.setProperty("primary", True)
    primary.setDefault(True)
    primary.clicked.connect(dialog.accept)
    row.addWidget(cancel)
    row.addWidget(primary)
    column.addLayout(row)
    return primary
