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
        return target
