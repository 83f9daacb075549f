"""The undo history: every step, the present one marked; a click goes there."""

from PySide6.QtWidgets import QUndoView, QVBoxLayout, QWidget

from designer.gui.bridge import Document
from designer.gui.icons import icon
from designer.messages import _


class History(QWidget):
    """Lists the steps of the undo stack."""

    def __init__(self, document: Document, theme: str) -> None:
        super().__init__()
        self.setObjectName("panel")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self.view = QUndoView(document.undo)
        self.view.setEmptyLabel(_("As it was opened"))
        self.view.setCleanIcon(icon("disk", "text2", theme))
        self.view.setAccessibleName(_("History"))
        self.view.setUniformItemSizes(True)
        column.addWidget(self.view)
