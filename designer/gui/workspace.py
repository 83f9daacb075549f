"""What is open: one drawing with its recovery copy, settings, catalogue; no widgets."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from designer.catalog.catalog import Catalog
from designer.errors import DesignerError
from designer.formats.importers import import_file
from designer.formats.importers.report import ImportResult
from designer.gui.autosave import Autosave
from designer.gui.background import Background
from designer.gui.bridge import Document
from designer.messages import _, ngettext
from designer.model.design import Design
from designer.scene.layout import arrange
from designer.services.create import is_native, open_file
from designer.services.notices import NoticeText, from_error
from designer.services.recovery import Recoverable, Recovery
from designer.services.session import Session
from designer.services.set_aside import set_aside, take_back
from designer.services.settings import Settings, save_settings
from designer.units import format_number


class Workspace(QObject):
    """Opens, holds and closes the drawing.

    Signals:
        document_changed: Another drawing is open, or none.
        noticed: A `NoticeText` to show.
        settings_changed: The settings are others.
        imported: The `ImportReport` of the drawing that was just imported.
    """

    document_changed = Signal()
    noticed = Signal(object)
    settings_changed = Signal()
    imported = Signal(object)

    def __init__(
        self,
        settings: Settings,
        catalog: Catalog,
        recovery: Recovery | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.settings, self.catalog = settings, catalog
        self.recovery = recovery or Recovery()
        self.document: Document | None = None
        self.autosave: Autosave | None = None
        self.background = Background(self)

    # --- opening ---

    def adopt(
        self, design: Design, path: Path | None = None, *, session: str = "", saved: bool = True
    ) -> Document:
        """Open a drawing in place of the one before.

        Args:
            design: The drawing.
            path: Its file.
            session: Id of the recovery copy it comes from.
            saved: False for a drawing that is in no file as it stands.
        """
        self.close_document()
        document = Document(Session(design, self.catalog, path), self)
        if not saved:
            document.undo.resetClean()
        self.document = document
        self.autosave = Autosave(document, self.recovery, session, self)
        self.autosave.failed.connect(self._on_autosave_failed)
        self.document_changed.emit()
        if set_aside(design):
            # the first results bring what the engine and the canvas keep with the drawing
            once = Qt.ConnectionType.SingleShotConnection
            document.results_changed.connect(self._on_first_results, once)
        return document

    def _on_first_results(self) -> None:
        if self.document is not None:
            set_aside(self.document.design)

    def open_path(self, path: Path) -> None:
        """Open or import a file, by what it holds; the window goes on meanwhile."""
        what = _("Opening {name}").format(name=path.name)
        self.background.run(what, lambda: self._read(path), self._on_read, self.refuse)

    def _read(self, path: Path) -> tuple[Path, Design, Any]:
        if is_native(path):
            return path, open_file(path), None
        made: ImportResult = import_file(path, self.catalog)
        made.design.apply(arrange(made.design))
        made.design.revision = 0
        return path, made.design, made.report

    def _on_read(self, read: tuple[Path, Design, Any]) -> None:
        path, design, report = read
        if report is None:
            self.adopt(design, path)
            self.remember(path)
            self._tell_kept(design)
        else:
            self.adopt(design, saved=False)
            self.imported.emit(report)

    def _tell_kept(self, design: Design) -> None:
        kept = [k for k in design.kept.values() if k.kind != "fields"]
        if not kept:
            return
        n = len(kept)
        title = ngettext(
            "{n} record could not be read and was kept aside",
            "{n} records could not be read and were kept aside",
            n,
        ).format(n=format_number(n))
        lines = [f"{k.table} / {k.id}  {k.reason}".strip() for k in kept[:2]]
        lines.append(_("Saving writes them back unchanged; the file has not been touched."))
        review = (("show_findings", _("Review")),)
        self.noticed.emit(NoticeText("warning", title, "\n".join(lines), (), review, "kept"))

    def open_recovered(self, found: Recoverable) -> None:
        """Open a recovery copy and go on under its session."""
        try:
            design = self.recovery.open(found.session)
        except DesignerError as fault:
            self.refuse(fault)
            return
        missing = [i for i in design.devices if i not in design.placements]
        if missing:
            design.apply(arrange(design, missing))
        self.adopt(design, found.path, session=found.session, saved=False)

    # --- saving and closing ---

    def save(self, path: Path | None = None) -> bool:
        """Write the file; on failure a notice says what is safe, and False is returned."""
        document = self.document
        assert document is not None
        try:
            target = document.save(path)
        except DesignerError as fault:
            actions = (("save_as", _("Save elsewhere")), ("save", _("Try again")))
            text = _("{hint} The drawing is safe here and in its recovery copy.")
            self.noticed.emit(
                NoticeText(
                    "error",
                    fault.message,
                    text.format(hint=fault.hint).strip(),
                    (),
                    actions,
                    "save",
                )
            )
            return False
        self.remember(target)
        return True

    def close_document(self, *, keep_copy: bool = False) -> None:
        """Close the drawing; `keep_copy` leaves its recovery copy for the next start."""
        document, autosave = self.document, self.autosave
        self.document = self.autosave = None
        if document is None or autosave is None:
            return
        take_back()
        autosave.close(keep=keep_copy)
        document.close()
        self.document_changed.emit()
        autosave.deleteLater()
        document.deleteLater()

    def close(self) -> None:
        """Close everything, for good."""
        self.close_document()
        self.background.close()
        self.recovery.close()

    # --- settings ---

    def set_settings(self, settings: Settings) -> None:
        """Use and store other settings; they hold even where they cannot be stored."""
        if settings == self.settings:
            return
        self.settings = settings
        try:
            save_settings(settings)
        except DesignerError as fault:
            self.refuse(fault)
        self.settings_changed.emit()

    def remember(self, path: Path) -> None:
        """Put the file of the drawing at the top of the recent ones."""
        design = self.document.design if self.document is not None else Design()
        gpus = [design.gpus(d) for d in design.devices.values()]
        known = None if None in gpus else sum(g or 0 for g in gpus)
        self.set_settings(self.settings.with_recent(path, known))

    # --- notices ---

    def refuse(self, fault: BaseException) -> None:
        """Tell the window what could not be done."""
        self.noticed.emit(from_error(fault))

    def attempt(self, call: Callable[[], object]) -> None:
        """Do something; an expected fault becomes a notice."""
        try:
            call()
        except DesignerError as fault:
            self.refuse(fault)

    def _on_autosave_failed(self, fault: DesignerError) -> None:
        self.noticed.emit(NoticeText("warning", fault.message, fault.hint, key="autosave"))
