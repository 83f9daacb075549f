"""Keeps a recovery copy of the open drawing while it has changes that are in no file."""

import logging
from concurrent.futures import ThreadPoolExecutor

from PySide6.QtCore import QObject, QTimer, Signal

from designer.errors import DesignerError
from designer.gui.bridge import Document
from designer.services.recovery import Recovery, new_session

_log = logging.getLogger(__name__)
# A copy is at most so much older than the drawing.
AFTER_MS = 3000


class Autosave(QObject):
    """Writes copies of one drawing, in a thread of its own.

    Signals:
        failed: The `DesignerError` of a copy that could not be written.
    """

    failed = Signal(object)

    def __init__(
        self,
        document: Document,
        recovery: Recovery,
        session: str = "",
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document, self._recovery = document, recovery
        self.session = session or new_session()
        self._written = bool(session)
        self._told = False
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="railspine-recovery")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(AFTER_MS)
        self._timer.timeout.connect(self._submit)
        document.edited.connect(self._on_edit)
        document.undo.cleanChanged.connect(self._on_clean)

    def _on_edit(self, _edit: object) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _on_clean(self, clean: bool) -> None:
        if clean:
            self._timer.stop()
            self._pool.submit(self._recovery.discard, self.session)
            self._written = False

    def edits(self) -> int:
        """Return how many steps lie between the drawing and its file."""
        undo = self._document.undo
        return abs(undo.index() - max(0, undo.cleanIndex())) or 1

    def _submit(self) -> None:
        if self._document.clean and not self._written:
            return
        snapshot = self._document.design.snapshot()
        self._written = True
        self._pool.submit(self._write, snapshot, self._document.path, self.edits())

    def _write(self, snapshot: object, path: object, edits: int) -> None:
        try:
            self._recovery.write(snapshot, self.session, path, edits)  # type: ignore[arg-type]
            self._told = False
        except DesignerError as fault:
            _log.info("no recovery copy: %s", fault)
            if not self._told:
                self._told = True
                self.failed.emit(fault)

    def write_now(self) -> None:
        """Write a copy before going on, when something unexpected happened.

        Raises:
            FileError: The folder cannot be written.
        """
        document = self._document
        self._written = True
        self._recovery.write(document.design.snapshot(), self.session, document.path, self.edits())

    def close(self, *, keep: bool) -> None:
        """End the thread; `keep` leaves the copy for the next start, else it is removed."""
        self._timer.stop()
        self._pool.shutdown(wait=True, cancel_futures=True)
        if keep:
            self._recovery.release(self.session)
        else:
            self._recovery.discard(self.session)
