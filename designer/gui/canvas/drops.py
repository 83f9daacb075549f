"""Dropping parts of the palette, and files, on the canvas."""

from typing import TYPE_CHECKING

from PySide6.QtGui import QDragEnterEvent, QDropEvent

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


def enter(event: QDragEnterEvent) -> None:
    """Accept parts and files."""
    if part(event) or files(event):
        event.acceptProposedAction()


def drop(canvas: "CanvasView", event: QDropEvent) -> None:
    """Place the part where it was let go, or hand the files to the window."""
    slug, paths = part(event), files(event)
    if slug:
        at = event.position()
        canvas.verbs.place_part(slug, *canvas.view.to_drawing(at.x(), at.y()))
        canvas.setFocus()
    elif paths:
        canvas.files_dropped.emit(paths)
    else:
        return
    event.acceptProposedAction()
