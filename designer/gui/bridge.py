"""The open drawing as the window sees it: edits with undo, selection, results as they come."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from designer.catalog.catalog import Catalog
from designer.engine.compile import ONE_LINK
from designer.engine.options import Options
from designer.engine.results import Results
from designer.errors import DesignerError
from designer.gui.faults import FaultRun
from designer.model.design import PICTURE_TABLES, Design
from designer.model.edits import Edit, merge
from designer.model.records import Info
from designer.services.runner import Request, Runner
from designer.services.session import Session

# Edits that follow one another faster than this are computed once.
DEBOUNCE_MS = 60
# All commands that may be joined have this id; they join only when they touch the same records.
_JOINABLE = 1


class Selection(QObject):
    """Ids that are selected; it belongs to the window, not to the design.

    Signals:
        changed: The ids are others than before.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ids: frozenset[str] = frozenset()

    @property
    def ids(self) -> frozenset[str]:
        """Return the selected ids."""
        return self._ids

    def set(self, ids: Iterable[str]) -> None:
        """Select these ids and nothing else."""
        wanted = frozenset(ids)
        if wanted != self._ids:
            self._ids = wanted
            self.changed.emit()

    def keep(self, design: Design) -> None:
        """Forget ids that are no longer in the drawing."""
        tables = (design.devices, design.cables, design.notes, design.groups)
        self.set(i for i in self._ids if any(i in t for t in tables))


class EditCommand(QUndoCommand):
    """One edit on the undo stack; it was applied before it was pushed."""

    def __init__(self, session: Session, edit: Edit, coalesce: bool) -> None:
        super().__init__(edit.label)
        self.edit = edit
        self._session, self._coalesce = session, coalesce
        self._applied = True

    def id(self) -> int:
        """Return the same number for commands that may be joined, -1 for the others."""
        return _JOINABLE if self._coalesce else -1

    def redo(self) -> None:
        """Apply the edit, except the first time, when it has been applied already."""
        if self._applied:
            self._applied = False
            return
        self._session.apply(self.edit)

    def undo(self) -> None:
        """Apply the inverse."""
        self._session.apply(self.edit.inverse())

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take in a later edit of the same records, so that both are undone as one."""
        if not isinstance(other, EditCommand) or _records(other.edit) != _records(self.edit):
            return False
        self.edit = merge(self.edit.label, (self.edit, other.edit))
        self.setObsolete(not self.edit)
        return True


def _records(edit: Edit) -> frozenset[tuple[str, str]]:
    return frozenset((s.table, s.id) for s in edit.swaps)


class Document(QObject):
    """The open drawing: read `design`, change it with `apply`, listen to the signals.

    Signals:
        edited: An `Edit` was applied, undone or redone.
        computing: How many edits the results are behind; 0 when they are up to date.
        results_changed: New `Results`.
        failed: A computation ended with this exception.
        failed_changed: Other parts are out for the results.
        renamed: The file or title changed.
    """

    edited = Signal(object)
    computing = Signal(int)
    results_changed = Signal(object)
    failed = Signal(object)
    renamed = Signal()
    failed_changed = Signal(object)
    _arrived = Signal(object, object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.undo = QUndoStack(self)
        self.selection = Selection(self)
        self.results: Results | None = None
        # What ended the newest computation, if it gave no results.
        self.fault: BaseException | None = None
        # The newest results in which nothing had failed, to say what a failure does.
        self.intact: Results | None = None
        self.options = Options()
        self.paused = False
        self.faults = FaultRun(self)
        # Questions put so far, how many of them the newest request and the results know of.
        self._wanted = self._asked = self._answered = 0
        self._arrived.connect(self._on_arrived)
        self._runner = Runner(self._arrived.emit)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(DEBOUNCE_MS)
        self._wait.timeout.connect(self._submit)
        self._stop_listening = session.subscribe(self._on_edit)

    # --- reading ---

    @property
    def design(self) -> Design:
        """Return the drawing."""
        return self.session.design

    @property
    def catalog(self) -> Catalog:
        """Return the parts that can be placed."""
        return self.session.catalog

    @property
    def path(self) -> Path | None:
        """Return the file of the drawing, or None."""
        return self.session.path

    @property
    def behind(self) -> int:
        """Return how many edits the results are behind."""
        return self._wanted - self._answered

    @property
    def current(self) -> bool:
        """Tell whether the results are those of the drawing as it is."""
        return self.results is not None and self.behind == 0 and self.fault is None

    @property
    def clean(self) -> bool:
        """Tell whether everything is saved."""
        return self.undo.isClean()

    # --- changing ---

    def apply(self, edit: Edit, *, coalesce: bool = False) -> None:
        """Apply an edit as one step of the undo history; an empty one does nothing.

        Args:
            edit: What changes.
            coalesce: Join it with the step before when that touched the same records and may be
                joined as well.

        Raises:
            ConflictError: The edit does not fit; nothing was changed.
        """
        if not edit:
            return
        self.session.apply(edit)
        self.undo.push(EditCommand(self.session, edit, coalesce))

    def save(self, path: Path | None = None) -> Path:
        """Write the file and mark the drawing as saved.

        Raises:
            FileError: It could not be written; the drawing stays as it is.
        """
        target = self.session.save(path)
        self.undo.setClean()
        self.renamed.emit()
        return target

    def set_options(self, **changes: object) -> None:
        """Ask other questions of the model, such as `collective` or `size_bytes`."""
        wanted = replace(self.options, **changes)  # type: ignore[arg-type]
        if wanted != self.options:
            self.options = wanted
            self.recompute()

    def set_failed(self, ids: Iterable[str]) -> None:
        """Take devices and cables out for the results; the drawing stays as it is."""
        fail = tuple(sorted(set(ids)))
        if fail != self.options.fail:
            self.set_options(fail=fail)
            self.failed_changed.emit(fail)

    def set_paused(self, paused: bool) -> None:
        """Stop computing after edits, or go on and catch up."""
        self.paused = paused
        if paused:
            self._wait.stop()
            self._runner.cancel()
        elif self.behind:
            self._submit()
        self.computing.emit(self.behind)

    def recompute(self) -> None:
        """Compute the drawing as it is, now."""
        self._wanted += 1
        self.computing.emit(self.behind)
        self._wait.stop()
        self._submit()

    def close(self) -> None:
        """End the worker; nothing is computed afterwards."""
        self._wait.stop()
        self._stop_listening()
        self._runner.shutdown()
        self.faults.close()

    def finish(self, timeout: float = 120.0) -> None:
        """Wait until the results are up to date, for pictures and scripts.

        Raises:
            TimeoutError: It took longer than `timeout` seconds.
        """
        if self._wait.isActive():
            self._wait.stop()
            self._submit()
        self._runner.wait(timeout)
        QCoreApplication.sendPostedEvents(self)

    # --- listening ---

    def _on_edit(self, edit: Edit) -> None:
        self.edited.emit(edit)
        self.selection.keep(self.design)
        known = self.design.devices.keys() | self.design.cables.keys() if self.options.fail else ()
        self.set_failed(i for i in self.options.fail if i.removesuffix(ONE_LINK) in known)
        if edit.tables() <= PICTURE_TABLES and not _reroutes(edit):
            return
        self._wanted += 1
        self.computing.emit(self.behind)
        if not self.paused:
            self._wait.start()

    def _submit(self) -> None:
        self._asked = self._wanted
        self._runner.submit(self.design, self.options, self.catalog)

    def _on_arrived(self, request: Request, outcome: Results | BaseException) -> None:
        if request.stop.is_set():
            return
        self._answered = self._asked
        self.fault = None if isinstance(outcome, Results) else outcome
        if isinstance(outcome, Results):
            self.results = outcome
            if not request.options.fail:
                self.intact = outcome
            self.results_changed.emit(outcome)
        else:
            self.failed.emit(outcome)
        self.computing.emit(self.behind)


def _reroutes(edit: Edit) -> bool:
    """Tell whether an edit of the title block changes how traffic is routed."""
    found = [s for s in edit.swaps if s.table == "info"]
    default = Info().routing
    return any(
        getattr(s.before, "routing", default) != getattr(s.after, "routing", default) for s in found
    )


def attempt(document: Document, build: Callable[[], Edit]) -> DesignerError | None:
    """Apply the edit that `build()` makes; return the refusal, or None when it was done."""
    try:
        document.apply(build())
    except DesignerError as fault:
        return fault
    return None
