"""File commands of the window: open, save, import, export, workload files."""

from pathlib import Path

from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox, QWidget

from designer.gui.dialogs.export_dialog import ExportDialog
from designer.gui.editor import Editor
from designer.gui.faults import with_failures
from designer.gui.picture_files import write_pdf, write_png
from designer.gui.workspace import Workspace
from designer.messages import _
from designer.scene.display_list import DisplayList
from designer.services import export as exports
from designer.services.notices import NoticeText

ENDING = ".railspine.json"


class Files:
    """Asks for paths and hands them to the workspace."""

    def __init__(self, workspace: Workspace, window: QWidget) -> None:
        self._workspace, self._window = workspace, window

    def _folder(self) -> str:
        document = self._workspace.document
        if document is not None and document.path is not None:
            return str(document.path.parent)
        recent = self._workspace.settings.recent
        return str(Path(recent[0]).parent) if recent else ""

    def open(self) -> None:
        """Ask for a drawing and open it."""
        name, _kind = QFileDialog.getOpenFileName(
            self._window,
            _("Open"),
            self._folder(),
            _("Drawings (*.railspine.json *.json *.railspine.json~);;All files (*)"),
        )
        if name:
            self.open_path(Path(name))

    def import_wiring(self) -> None:
        """Ask for a foreign file and import it."""
        name, _kind = QFileDialog.getOpenFileName(
            self._window, _("Import"), self._folder(), _("All files (*)")
        )
        if name:
            self.open_path(Path(name))

    def open_path(self, path: Path) -> None:
        """Open or import a file, unless the person wants to keep the drawing that is open."""
        if self.may_close():
            self._workspace.open_path(path)

    def save(self) -> bool:
        """Save to the file of the drawing, or ask for one."""
        document = self._workspace.document
        if document is None:
            return False
        if document.path is None:
            return self.save_as()
        if document.session.changed_outside():
            return self._save_over(document.path)
        return self._workspace.save()

    def _save_over(self, path: Path) -> bool:
        """Ask what becomes of a file that another program, or another window, has written."""
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setText(
            _("“{name}” was changed on disk since it was opened here.").format(name=path.name)
        )
        box.setInformativeText(
            _("Replacing it keeps the changed file beside it as “{name}~”.").format(name=path.name)
        )
        replace = box.addButton(_("Replace"), QMessageBox.ButtonRole.DestructiveRole)
        elsewhere = box.addButton(_("Save elsewhere"), QMessageBox.ButtonRole.AcceptRole)
        cancel = box.addButton(_("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(elsewhere)
        box.setEscapeButton(cancel)
        box.exec()
        if box.clickedButton() is replace:
            return self._workspace.save()
        return self.save_as() if box.clickedButton() is elsewhere else False

    def save_as(self) -> bool:
        """Ask for a file and save to it."""
        document = self._workspace.document
        if document is None:
            return False
        stem = document.session.name or _("Untitled")
        start = str(Path(self._folder()) / f"{stem}{ENDING}")
        name, _kind = QFileDialog.getSaveFileName(
            self._window, _("Save as"), start, _("Drawings (*.railspine.json)")
        )
        if not name:
            return False
        path = Path(name)
        if not path.name.endswith(".json"):
            path = path.with_name(path.name + ENDING)
        return self._workspace.save(path)

    def may_close(self) -> bool:
        """Ask whether to save what is in no file; False keeps the drawing open."""
        document = self._workspace.document
        if document is None or document.clean or not document.design.devices:
            return True
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setText(
            _("Save the changes to “{name}”?").format(name=document.session.name or _("Untitled"))
        )
        box.setInformativeText(_("Changes that are not saved are lost."))
        save = box.addButton(_("Save"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(_("Do not save"), QMessageBox.ButtonRole.DestructiveRole)
        cancel = box.addButton(_("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(save)
        box.setEscapeButton(cancel)
        box.exec()
        if box.clickedButton() is save:
            return self.save()
        return box.clickedButton() is not cancel

    def export(self, editor: Editor, form: str = "svg") -> None:
        """Ask what to write and where, and write it."""
        document = editor.document
        dialog = ExportDialog(bool(document.selection.ids), form, self._window)
        if dialog.exec() != QDialog.DialogCode.Accepted:
            return
        choice = dialog.choice()
        stem = document.session.name or _("Untitled")
        start = str(Path(self._folder()) / f"{stem}{choice.ending}")
        name, _kind = QFileDialog.getSaveFileName(self._window, _("Export"), start)
        if not name:
            return
        path = Path(name)
        if not path.suffix:
            path = path.with_name(path.name + choice.ending)
        only = tuple(sorted(document.selection.ids)) if choice.selection_only else ()
        look = exports.Look(choice.dark, editor.canvas.state.colour, only, choice.page)
        # what is out for the results on the screen is not out of the drawing that is handed on
        shown = document.current and not document.options.fail
        results = document.results if shown else None
        results = with_failures(results, document.faults, document.design.revision)
        file = document.path.name if document.path else ""
        job = exports.Job(document.design.snapshot(), document.catalog, look, results, file)

        def png(picture: DisplayList, target: Path, _paper: tuple[float, float]) -> None:
            write_png(picture, target, scale=choice.scale)

        def pdf(picture: DisplayList, target: Path, paper: tuple[float, float]) -> None:
            write_pdf(picture, target, page_mm=paper, title=job.design.title_block.title)

        form = {"bom": "csv"}.get(choice.form, choice.form)
        self._workspace.background.run(
            _("Writing {name}").format(name=path.name),
            lambda: exports.write(job, path, form, {"png": png, "pdf": pdf}),
            lambda _nothing: self._say_written(path),
            self._workspace.refuse,
        )

    def _say_written(self, path: Path) -> None:
        self._workspace.noticed.emit(
            NoticeText("ok", _("Wrote {path}").format(path=path), key="exported")
        )

    def workload(self, editor: Editor, what: str) -> None:
        """Open or save a workload file."""
        kinds = _("Workloads (*.toml)")
        if what == "open":
            name, _kind = QFileDialog.getOpenFileName(
                self._window, _("Open workload file"), self._folder(), kinds
            )
            if name:
                editor.attempt(lambda: editor.workload.open_file(Path(name)))
            return
        name, _kind = QFileDialog.getSaveFileName(
            self._window, _("Save workload as"), self._folder(), kinds
        )
        if name:
            path = Path(name if name.endswith(".toml") else f"{name}.toml")
            editor.attempt(lambda: editor.workload.save_file(path))
