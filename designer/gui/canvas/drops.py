"""Dropping parts of the palette, and files, on the canvas."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView

PART_MIME = "application/x-railspine-part"


def part(event: QDropEvent) -> str:
    """Return the slug of the part being dragged, or an empty text."""
    data = event.mimeData()
    if not data.hasFormat(PART_MIME):
        return ""
    return bytes(data.data(PART_MIME).data()).decode("utf-8", "replace")


def files(event: QDropEvent) -> list[str]:
    """Return the paths of local files being dragged."""
    data = event.mimeData()
    return [u.toLocalFile() for u in data.urls() if u.isLocalFile()] if data.hasUrls() else []


class Drops(QObject):
    """Takes what is dragged over one canvas.

    Attributes:
        at: Where a part of the palette hovers, pixels; None when none does.
    """

    def __init__(self, canvas: "CanvasView") -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.at: QPoint | None = None
        canvas.setAcceptDrops(True)
        canvas.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the drag and drop events of the canvas."""
        if event.type() == QEvent.Type.DragLeave:
            self._hover(None)
            return True
        # a move is an enter event's base class, a drop that of both: the narrowest first
        if isinstance(event, QDragEnterEvent | QDragMoveEvent):
            if part(event) or files(event):
                event.acceptProposedAction()
                self._hover(event.position().toPoint() if part(event) else None)
            return True
        if isinstance(event, QDropEvent):
            self._drop(event)
            return True
        return False

    def _hover(self, at: QPoint | None) -> None:
        self.at = at
        self._canvas.update()

    def _drop(self, event: QDropEvent) -> None:
        """Place the part where it was let go, or hand the files to the window."""
        self._hover(None)
        slug, paths = part(event), files(event)
        if slug:
            at = event.position()
            self._canvas.verbs.place_part(slug, *self._canvas.view.to_drawing(at.x(), at.y()))
            self._canvas.setFocus()
        elif paths:
            self._canvas.files_dropped.emit(paths)
        else:
            return
        event.acceptProposedAction()
