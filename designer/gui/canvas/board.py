"""The system clipboard: records travel as a native file, so pasting works between windows."""

from PySide6.QtGui import QGuiApplication

from designer.errors import DesignerError
from designer.formats import native
from designer.model.clipboard import Clipboard, copy
from designer.model.design import Design
from designer.model.edits import Edit, Swap


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
    """Put records on the system clipboard.

    As plain text, which Qt keeps in an object of its own: on platforms where the clipboard ends
    with the process, one made here would be let go of after Python is gone, and crash there.
    """
    QGuiApplication.clipboard().setText(to_text(board))


def take() -> Clipboard | None:
    """Return the records on the system clipboard, or None when it holds something else."""
    return from_text(QGuiApplication.clipboard().text())
