"""The open drawing: its design, file and listeners. The one place that applies edits."""

from collections.abc import Callable
from pathlib import Path

from designer.catalog.catalog import Catalog
from designer.formats import native
from designer.model.design import Design
from designer.model.edits import Edit

Listener = Callable[[Edit], None]


class Session:
    """A design being worked on.

    Attributes:
        design: The drawing; change it only through `apply`.
        catalog: Parts that can be placed.
        path: File it came from or was saved to; None when it has none yet.
    """

    def __init__(self, design: Design, catalog: Catalog, path: Path | None = None) -> None:
        self.design = design
        self.catalog = catalog
        self.path = path
        self._stamp = _stamp(path)
        self._listeners: list[Listener] = []

    @property
    def name(self) -> str:
        """Return the name shown for the drawing: of its file, or its title; may be empty."""
        if self.path is not None:
            return self.path.name.removesuffix(".json").removesuffix(".railspine")
        return self.design.title_block.title

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with each edit after it was applied; returns what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def apply(self, edit: Edit) -> None:
        """Apply an edit and tell the listeners; an empty edit does nothing.

        Raises:
            ConflictError: The edit does not fit; nothing was changed.
        """
        if not edit:
            return
        self.design.apply(edit)
        for listener in tuple(self._listeners):
            listener(edit)

    def save(self, path: Path | None = None) -> Path:
        """Write the drawing to `path`, or to the file it came from, and remember the file.

        Raises:
            FileError: It could not be written; the file on disk is as it was.
            ValueError: There is no file yet and no path was given.
        """
        target = path or self.path
        if target is None:
            raise ValueError("a new drawing needs a path")
        native.save(self.design, target)
        self.path = target
        self._stamp = _stamp(target)
        return target

    def changed_outside(self) -> bool:
        """Tell whether somebody else wrote the file since it was opened or saved here.

        A file that is gone has not changed: saving brings it back.
        """
        now = _stamp(self.path)
        return now is not None and now != self._stamp


def _stamp(path: Path | None) -> tuple[int, int, int] | None:
    """Return what tells one state of a file from the next; None where there is no file."""
    try:
        found = path.stat() if path is not None else None
    except (OSError, ValueError):
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino) if found is not None else None
