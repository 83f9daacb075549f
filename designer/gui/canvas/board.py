"""The system clipboard: records travel as a native file, so pasting works between windows."""

from typing import cast

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from designer.errors import DesignerError
from designer.formats import native
from designer.model.clipboard import Clipboard, copy
from designer.model.design import Design
from designer.model.edits import Edit, Swap

MIME = "application/x-railspine-design"


def to_text(board: Clipboard) -> str:
    """Return copied records as the text of a native file."""
    design = Design()
    swaps = [Swap("types", s, None, p) for s, p in board.types.items()]
    for table, records in (
        ("devices", board.devices),
        ("cables", board.cables),
        ("notes", board.notes),
    ):
        swaps += [Swap(table, r.id, None, r) for r in records]
    swaps += [Swap("placements", i, None, p) for i, p in board.placements.items()]
    design.apply(Edit("", tuple(swaps)))
    return native.dumps(design)


def from_text(text: str) -> Clipboard | None:
    """Return the records of a native file's text, or None when it is no such text."""
    if '"railspine"' not in text[:200]:
        return None
    try:
        design = native.loads(text)
    except DesignerError:
        return None
    found = copy(design, [*design.devices, *design.notes])
    return found if found else None


def put(board: Clipboard) -> None:
    """Put records on the system clipboard."""
    text = to_text(board)
    data = QMimeData()
    data.setData(MIME, text.encode("utf-8"))
    data.setText(text)
    QGuiApplication.clipboard().setMimeData(data)


def take() -> Clipboard | None:
    """Return the records on the system clipboard, or None when it holds something else."""
    # Qt's stubs leave out that an empty clipboard has no data at all on some systems.
    data: QMimeData | None = cast("QMimeData | None", QGuiApplication.clipboard().mimeData())
    if data is None:
        return None
    if data.hasFormat(MIME):
        return from_text(bytes(data.data(MIME).data()).decode("utf-8", "replace"))
    return from_text(data.text()) if data.hasText() else None
