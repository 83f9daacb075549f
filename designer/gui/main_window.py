"""The window: menus, start page or editor, status bar."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, QSize, QTimer, Signal
from PySide6.QtGui import QActionGroup, QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QDialog, QMainWindow, QMenu, QStackedWidget

from designer import __version__
from designer.engine.results import Results
from designer.gui.actions import LANGUAGE, RECENT, Actions
from designer.gui.bridge import Document
from designer.gui.dialogs.help_dialog import HelpDialog
from designer.gui.dialogs.settings_dialog import SettingsDialog
from designer.gui.drawing_commands import DrawingCommands
from designer.gui.editor import Editor
from designer.gui.files import Files
from designer.gui.front_pages import FrontPages
from designer.gui.notices import NoticeStack
from designer.gui.status import Status
from designer.gui.style import theme_in_use
from designer.gui.window_commands import WindowCommands
from designer.gui.workspace import Workspace
from designer.messages import LANGUAGES, _, language
from designer.services.create import new_design
from designer.services.notices import NoticeText

# The size of the first window, the smallest one, and what window managers draw around it.
WANTED, LEAST, FRAME = QSize(1600, 1000), QSize(960, 620), QSize(4, 32)


class MainWindow(QMainWindow):
    """The one window.

    Signals:
        rebuild: Language or theme changed; the window must be made anew.
    """

    rebuild = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace
        self.theme = theme_in_use(workspace.settings.theme)
        self.files = Files(workspace, self)
        self.editor: Editor | None = None
        self.drawing = DrawingCommands(self)
        self.front = FrontPages(self)
        self.setObjectName("mainWindow")
        self._fit_screen()
        self.setAcceptDrops(True)
        self.commands = Actions(self.theme, self)
        self.stack = QStackedWidget()
        self.setCentralWidget(self.stack)
        self.status = Status(self.theme, self.catalog_text(), self)
        self.setStatusBar(self.status)
        self.status.findings_clicked.connect(lambda: self.show_page("findings"))
        self.notices = NoticeStack(self.theme, self.stack)
        self._build_menus()
        self.commands.bind(WindowCommands(self).calls())
        workspace.document_changed.connect(self._on_document)
        workspace.noticed.connect(self.say)
        workspace.imported.connect(self.drawing.tell_imported)
        workspace.background.busy.connect(self._on_busy)
        self._restore()
        self._on_document()

    def catalog_text(self) -> str:
        """Return how recent the catalogue is."""
        dates = [p.checked for p in self.workspace.catalog if p.checked]
        return _("Catalogue {date}").format(date=max(dates, default="—")[:7])

    # --- menus and commands ---

    def _build_menus(self) -> None:
        self.recent_menu = QMenu(_("Open recent"), self)
        self.recent_menu.aboutToShow.connect(self._fill_recent)
        self.language_menu = QMenu(_("Language"), self)
        group = QActionGroup(self)
        for code, name in LANGUAGES.items():
            action = self.language_menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(code == language())
            action.triggered.connect(lambda _on=False, c=code: self._set_language(c))
            group.addAction(action)
        self.commands.fill(self.menuBar(), {RECENT: self.recent_menu, LANGUAGE: self.language_menu})
        for names in (
            ("light", "dark"),
            ("colour_rail", "colour_utilization", "colour_kind"),
            ("tool_select", "tool_pan", "tool_cable", "tool_note"),
            ("view_topology", "view_cables", "view_workload"),
        ):
            exclusive = QActionGroup(self)
            for name in names:
                exclusive.addAction(self.commands[name])
        self.commands[self.theme].setChecked(True)
        self.commands["tool_select"].setChecked(True)
        self.commands["colour_rail"].setChecked(True)
        self.commands["view_topology"].setChecked(True)

    # --- what is shown ---

    def _on_document(self) -> None:
        document = self.workspace.document
        if self.editor is not None:
            old, self.editor = self.editor, None
            self.stack.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.drawing.close_compare()
        self.commands.set_drawing_open(document is not None)
        if document is None:
            self.show_start()
            return
        self._show_editor(document)

    def _show_editor(self, document: Document) -> None:
        editor = Editor(document, self.commands, self.theme, self)
        self.editor = editor
        self.stack.addWidget(editor)
        self.stack.setCurrentWidget(editor)
        editor.explain.connect(self.drawing.explain)
        editor.workload_file.connect(lambda what: self.files.workload(editor, what))
        editor.notice_action.connect(self._notice_action)
        editor.colour_changed.connect(lambda mode: self.commands[f"colour_{mode}"].setChecked(True))
        editor.canvas.tool_changed.connect(
            lambda name: self.commands[f"tool_{name}"].setChecked(True)
        )
        editor.canvas.files_dropped.connect(self._dropped)
        editor.canvas.template_wanted.connect(self.new_from_template)
        editor.canvas.wiring_wanted.connect(self.files.import_wiring)
        editor.canvas.tour_wanted.connect(lambda: self.show_help("keyboard"))
        editor.toolbar.fabric_chosen.connect(self.drawing.choose_fabric)
        editor.toolbar.verdict_clicked.connect(self.drawing.show_compare)
        document.undo.canUndoChanged.connect(self.commands["undo"].setEnabled)
        document.undo.canRedoChanged.connect(self.commands["redo"].setEnabled)
        # bound methods, which Qt lets go of with the window; a document outlives windows
        document.undo.cleanChanged.connect(self._on_clean)
        document.renamed.connect(self._retitle)
        document.computing.connect(self._on_computing)
        document.results_changed.connect(self._on_results)
        document.failed.connect(self._on_failed)
        document.edited.connect(self._on_edit)
        self.commands["undo"].setEnabled(document.undo.canUndo())
        self.commands["redo"].setEnabled(document.undo.canRedo())
        editor.canvas.set_title(document.session.name)
        editor.use_layout(self.workspace.settings.layout)
        editor.canvas.setFocus()
        QTimer.singleShot(0, editor, editor.canvas.zoom_to_fit)
        self._retitle()
        self._show_state()

    def show_start(self) -> None:
        """Show the start page; a drawing that is open stays open behind it."""
        self.front.show_start()
        self._retitle()
        self._show_state()

    def show_drawing(self) -> None:
        """Go back to the drawing that is open, if one is."""
        if self.editor is not None:
            self.stack.setCurrentWidget(self.editor)

    def offer_recovered(self) -> None:
        """Show the recovery page when an earlier run left copies."""
        self.front.offer_recovered()

    def _fill_recent(self) -> None:
        self.recent_menu.clear()
        for name in self.workspace.settings.recent:
            action = self.recent_menu.addAction(Path(name).name)
            action.setToolTip(name)
            action.triggered.connect(partial(self._open_recent, Path(name)))

    def _open_recent(self, path: Path, _checked: bool = False) -> None:
        self.files.open_path(path)

    def _retitle(self) -> None:
        document = self.workspace.document
        if document is None:
            self.setWindowTitle("Railspine")
            self.setWindowModified(False)
            return
        name = document.session.name or _("Untitled")
        self.setWindowTitle(f"{name}[*] – Railspine")
        self.setWindowModified(not document.clean)

    def _show_state(self) -> None:
        document = self.workspace.document
        if document is None:
            self.status.show_state(None, 0, False)
            self.status.show_none()
            return
        if document.fault is not None and not document.behind:
            self.status.show_trouble(_("The last computation failed"))
        else:
            self.status.show_state(document.results, document.behind, document.paused)
        self.status.show_drawing(document.design, document.results)

    def _on_busy(self, what: str) -> None:
        if what:
            self.status.show_busy(what)
        else:
            self._show_state()

    def _on_clean(self, clean: bool) -> None:
        self._retitle()
        if clean and self.editor is not None:
            self.editor.notices.close_key("save")

    def _on_computing(self, _behind: int) -> None:
        self._show_state()

    def _on_edit(self, _edit: object) -> None:
        document = self.workspace.document
        if document is not None:
            self.status.show_drawing(document.design, document.results)

    def _on_results(self, results: Results) -> None:
        self._show_state()
        kinds = [f.severity for f in results.findings]
        self.status.show_findings(kinds.count("error"), kinds.count("warning"), kinds.count("info"))
        self.drawing.show_results(results)

    def _on_failed(self, fault: BaseException) -> None:
        self.workspace.refuse(fault)

    def say(self, notice: NoticeText) -> None:
        """Show a notice, over the drawing where one is shown."""
        if notice.key == "save":
            self.status.show_trouble(_("Not saved"))
        shown = self.editor is not None and self.stack.currentWidget() is self.editor
        if shown and self.editor is not None:
            self.editor.say(notice)
        else:
            self.notices.say(notice)

    def _notice_action(self, name: str) -> None:
        if name == "map_servers":
            self.drawing.map_servers()
        elif name.startswith("show_"):
            self.show_page(name.removeprefix("show_"))
        elif name in ("save", "save_as"):
            self.commands[name].trigger()

    # --- drawings ---

    def new_from_template(self, template: str = "rail-optimized") -> None:
        """Ask for a template and its parameters, and open the drawing."""
        if template == "blank":
            self.new_blank()
            return
        from designer.gui.dialogs.template_dialog import TemplateDialog

        dialog = TemplateDialog(self.workspace.catalog, self.theme, template, self)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            design = dialog.design()
            if design is not None and self.files.may_close():
                self.workspace.adopt(design, saved=False)

    def new_blank(self) -> None:
        """Open an empty drawing."""
        if self.files.may_close():
            self.workspace.adopt(new_design("blank", self.workspace.catalog))

    def close_drawing(self) -> None:
        """Close the drawing and show the start page."""
        if self.files.may_close():
            self.workspace.close_document()

    def show_page(self, name: str) -> None:
        """Bring a page of a dock to the front."""
        if self.editor is not None:
            for dock in self.editor.docks:
                if name in dock.pages:
                    self.editor.show_page(dock, name)

    def toggle_full_screen(self) -> None:
        """Fill the screen, or go back."""
        if self.commands["full_screen"].isChecked():
            self.showFullScreen()
        else:
            self.showNormal()

    # --- preferences, help ---

    def edit_settings(self) -> None:
        """Edit the preferences."""
        dialog = SettingsDialog(self.workspace.settings, self)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            before = self.workspace.settings
            self.workspace.set_settings(dialog.settings())
            after = self.workspace.settings
            if (before.language, before.theme) != (after.language, after.theme):
                self.rebuild.emit()

    def set_theme(self, theme: str) -> None:
        """Use the `light` or `dark` theme from now on."""
        if theme != self.theme:
            self.workspace.set_settings(replace(self.workspace.settings, theme=theme))
            self.rebuild.emit()

    def _set_language(self, code: str) -> None:
        if code != language():
            self.workspace.set_settings(replace(self.workspace.settings, language=code))
            self.rebuild.emit()

    def show_help(self, page: str) -> None:
        """Show a page of the help."""
        HelpDialog(page, self).show()

    def show_about(self) -> None:
        """Say which version this is."""
        self.say(
            NoticeText(
                "info",
                f"Railspine {__version__}",
                _("Apache-2.0. It works without a network connection."),
                key="about",
            )
        )

    # --- window events ---

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open or import the first file that was dropped."""
        self._dropped([Path(u.toLocalFile()) for u in event.mimeData().urls() if u.isLocalFile()])

    def _dropped(self, paths: list[Path]) -> None:
        if paths:
            QTimer.singleShot(0, self, lambda: self.files.open_path(Path(paths[0])))

    def take_place_of(self, old: "MainWindow") -> None:
        """Show this window where another one is, with the same part of the drawing in view."""
        self.resize(old.size())
        self.move(old.pos())
        self.setWindowState(old.windowState())
        self.show()
        if self.editor is not None and old.editor is not None:
            memory = old.editor.memory()
            if old.stack.currentWidget() is not old.editor:
                self.show_start()
            # after the first layout, which fits the drawing into the window
            QTimer.singleShot(0, self.editor, partial(self.editor.recall, memory))

    def _fit_screen(self) -> None:
        """Take the wanted size, or what the screen has room for."""
        free = self.screen().availableSize() - FRAME
        self.setMinimumSize(LEAST.boundedTo(free))
        self.resize(WANTED.boundedTo(free))

    def _restore(self) -> None:
        if self.workspace.settings.geometry:
            self.restoreGeometry(
                QByteArray.fromBase64(self.workspace.settings.geometry.encode("ascii"))
            )

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask to save, remember the window's place, end the threads."""
        if not self.files.may_close():
            event.ignore()
            return
        geometry = bytes(self.saveGeometry().toBase64().data()).decode("ascii")
        layout = self.editor.layout_text() if self.editor else self.workspace.settings.layout
        settings = replace(self.workspace.settings, geometry=geometry, layout=layout)
        self.workspace.set_settings(settings)
        self.workspace.close()
        event.accept()
