"""What the canvas needs from the open drawing; the window's `Document` has it."""

from collections.abc import Iterable
from typing import Any, Protocol

from designer.catalog.catalog import Catalog
from designer.engine.options import Options
from designer.model.design import Design
from designer.model.edits import Edit


class CanvasSelection(Protocol):
    """Ids that are selected in the window; every view shows the same."""

    @property
    def changed(self) -> Any:
        """Return the signal that the ids are others than before."""

    @property
    def ids(self) -> frozenset[str]:
        """Return the selected ids."""

    def set(self, ids: frozenset[str]) -> None:
        """Select these ids and nothing else."""


class CanvasDocument(Protocol):
    """The open drawing: it is read here and changed only through `apply`."""

    @property
    def edited(self) -> Any:
        """Return the signal that gives each edit after it was applied."""

    @property
    def selection(self) -> CanvasSelection:
        """Return what is selected."""

    @property
    def design(self) -> Design:
        """Return the drawing."""

    @property
    def catalog(self) -> Catalog:
        """Return the parts that can be placed."""

    def set_failed(self, ids: Iterable[str]) -> None:
        """Take devices and cables out for the results; the drawing stays as it is."""

    @property
    def options(self) -> Options:
        """Return what is asked of the model."""

    def set_options(self, **changes: object) -> None:
        """Ask other questions of the model, such as `placing` or `others`."""

    def apply(self, edit: Edit, *, coalesce: bool = False) -> None:
        """Apply an edit as one step of the undo history.

        Args:
            edit: What changes.
            coalesce: Join it with the step before when that was a coalescing move as well.
        """
