"""The window: menus, start page or editor, status bar; every command meets what it does here."""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QByteArray, QPoint, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QActionGroup,
    QCloseEvent,
    QDesktopServices,
    QDragEnterEvent,
    QDropEvent,
)
from PySide6.QtWidgets import QDialog, QInputDialog, QMainWindow, QMenu, QStackedWidget, QWidget

from designer import __version__
from designer.engine.results import Results
from designer.gui.actions import LANGUAGE, RECENT, Actions
from designer.gui.bridge import Document
from designer.gui.dialogs.compare_window import CompareWindow
from designer.gui.dialogs.explain_popover import ExplainPopover
from designer.gui.dialogs.map_servers_dialog import MapServersDialog, unmapped_hosts
from designer.gui.dialogs.settings_dialog import SettingsDialog
from designer.gui.dialogs.start_page import RecentFile, StartPage
from designer.gui.dialogs.template_dialog import TemplateDialog
from designer.gui.editor import Editor
from designer.gui.files import Files
from designer.gui.notices import NoticeStack
from designer.gui.recovery_page import RecoveryPage
from designer.gui.status import Status
from designer.gui.style import theme_in_use
from designer.gui.workspace import Workspace
from designer.messages import LANGUAGES, _, language
from designer.model import groups, operations, wiring
from designer.model.design import Design
from designer.services.create import examples, new_design
from designer.services.notices import NoticeText


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
        self.compare: CompareWindow | None = None
        self.setObjectName("mainWindow")
        self.setMinimumSize(960, 620)
        self.resize(1600, 1000)
        self.setAcceptDrops(True)
        self.actions_ = Actions(self.theme, self)
        self.stack = QStackedWidget()
        self.setCentralWidget(self.stack)
        self.status = Status(self.theme, self._catalog_text(), self)
        self.setStatusBar(self.status)
        self.status.findings_clicked.connect(lambda: self._show_page("findings"))
        self.notices = NoticeStack(self.theme, self.stack)
        self._build_menus()
        self._bind()
        workspace.document_changed.connect(self._on_document)
        workspace.noticed.connect(self._say)
        workspace.imported.connect(self._on_imported)
        self._restore()
        self._on_document()

    def _catalog_text(self) -> str:
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
        self.actions_.fill(self.menuBar(), {RECENT: self.recent_menu, LANGUAGE: self.language_menu})
        for names in (
            ("light", "dark"),
            ("colour_rail", "colour_utilization", "colour_kind"),
            ("tool_select", "tool_pan", "tool_cable", "tool_note"),
            ("view_topology", "view_cables", "view_workload"),
        ):
            exclusive = QActionGroup(self)
            for name in names:
                exclusive.addAction(self.actions_[name])
        self.actions_[self.theme].setChecked(True)
        self.actions_["tool_select"].setChecked(True)
        self.actions_["colour_rail"].setChecked(True)
        self.actions_["view_topology"].setChecked(True)

    def _bind(self) -> None:
        self.actions_.bind(
            {
                **self._file_calls(),
                **self._edit_calls(),
                **self._view_calls(),
                **self._model_calls(),
            }
        )

    def _file_calls(self) -> Mapping[str, Callable[[], object]]:
        return {
            "new": self.new_from_template,
            "new_blank": self.new_blank,
            "open": self.files.open,
            "save": self.files.save,
            "save_as": self.files.save_as,
            "import": self.files.import_wiring,
            "export": lambda: self.editor and self.files.export(self.editor),
            "start": self.show_start,
            "close": self.close_drawing,
            "settings": self.edit_settings,
            "quit": self.close,
            "help": lambda: self._help("method"),
            "keys": lambda: self._help("keyboard"),
            "about": self._about,
        }

    def _edit_calls(self) -> Mapping[str, Callable[[], object]]:
        from designer.model.arrange_selection import ARRANGEMENTS

        calls: dict[str, Callable[[], object]] = {
            "undo": lambda: self._document().undo.undo(),
            "redo": lambda: self._document().undo.redo(),
            "add_part": lambda: self._canvas(lambda c: c.quick_add()),
            "add_note": lambda: self._canvas(lambda c: c.set_tool("note")),
            "group": self._group,
            "ungroup": self._ungroup,
            "connect": self._connect_two,
            "disconnect": self._disconnect,
            "map_servers": self.map_servers,
        }
        for name in (
            "cut",
            "copy",
            "paste",
            "duplicate",
            "delete",
            "select_all",
            "select_peers",
            "tidy",
        ):
            calls[name] = lambda n=name: self._canvas(  # type: ignore[misc]
                lambda c: getattr(c.verbs, n)()
            )
        for name in ARRANGEMENTS:
            calls[name] = lambda n=name: self._canvas(  # type: ignore[misc]
                lambda c: c.verbs.arrange(n)
            )
        return calls

    def _view_calls(self) -> Mapping[str, Callable[[], object]]:
        calls: dict[str, Callable[[], object]] = {
            "zoom_fit": lambda: self._canvas(lambda c: c.zoom_to_fit()),
            "zoom_selection": lambda: self._canvas(lambda c: c.zoom_to(c.selection)),
            "zoom_in": lambda: self._canvas(lambda c: c.zoom_by(1.25)),
            "zoom_out": lambda: self._canvas(lambda c: c.zoom_by(0.8)),
            "light": lambda: self._set_theme("light"),
            "dark": lambda: self._set_theme("dark"),
            "hide_docks": lambda: (
                self.editor
                and self.editor.set_docks_visible(not self.actions_["hide_docks"].isChecked())
            ),
            "full_screen": lambda: (
                self.showFullScreen()
                if self.actions_["full_screen"].isChecked()
                else self.showNormal()
            ),
        }
        for name in ("topology", "cables", "workload"):
            calls[f"view_{name}"] = lambda n=name: (  # type: ignore[misc]
                self.editor and self.editor.show_view(n)
            )
        for name in ("rail", "utilization", "kind"):
            calls[f"colour_{name}"] = lambda n=name: (  # type: ignore[misc]
                self.editor and self.editor.set_colour(n)
            )
        for name in ("select", "pan", "cable", "note"):
            calls[f"tool_{name}"] = lambda n=name: self._canvas(  # type: ignore[misc]
                lambda c: c.set_tool(n)
            )
        for name in ("parts", "outline", "inspector", "results", "findings", "history", "schedule"):
            calls[f"show_{name}"] = lambda n=name: self._show_page(n)  # type: ignore[misc]
        return calls

    def _model_calls(self) -> Mapping[str, Callable[[], object]]:
        return {
            "recompute": lambda: self._document().recompute(),
            "pause": lambda: self._document().set_paused(self.actions_["pause"].isChecked()),
            "compare": self.show_compare,
            "next_finding": lambda: self.editor and self.editor.step_finding(1),
            "previous_finding": lambda: self.editor and self.editor.step_finding(-1),
            "choose_workload": lambda: self._show_page("workload"),
            "open_workload": lambda: self.editor and self.files.workload(self.editor, "open"),
            "save_workload": lambda: self.editor and self.files.workload(self.editor, "save"),
            "assumptions": lambda: self._show_page("assumptions"),
        }

    def _document(self) -> Document:
        assert self.workspace.document is not None
        return self.workspace.document

    def _canvas(self, call: Callable[..., object]) -> None:
        if self.editor is not None:
            editor = self.editor
            editor.attempt(lambda: call(editor.canvas))

    def _show_page(self, name: str) -> None:
        if self.editor is None:
            return
        for dock in self.editor.docks:
            if name in dock.pages:
                self.editor.show_page(dock, name)

    # --- what is shown ---

    def _on_document(self) -> None:
        document = self.workspace.document
        if self.editor is not None:
            old, self.editor = self.editor, None
            self.stack.removeWidget(old)
            old.hide()
            old.deleteLater()
        if self.compare is not None:
            self.compare.close()
            self.compare = None
        self.actions_.set_drawing_open(document is not None)
        if document is None:
            self.show_start()
            return
        self._show_editor(document)

    def _show_editor(self, document: Document) -> None:
        editor = Editor(document, self.actions_, self.theme, self)
        self.editor = editor
        self.stack.addWidget(editor)
        self.stack.setCurrentWidget(editor)
        editor.explain.connect(self._explain)
        editor.workload_file.connect(lambda what: self.files.workload(editor, what))
        editor.notice_action.connect(self._notice_action)
        editor.colour_changed.connect(lambda mode: self.actions_[f"colour_{mode}"].setChecked(True))
        editor.canvas.tool_changed.connect(
            lambda name: self.actions_[f"tool_{name}"].setChecked(True)
        )
        editor.canvas.files_dropped.connect(self._dropped)
        editor.canvas.template_wanted.connect(self.new_from_template)
        editor.canvas.wiring_wanted.connect(self.files.import_wiring)
        editor.canvas.tour_wanted.connect(lambda: self._help("keyboard"))
        editor.toolbar.fabric_chosen.connect(self._fabric)
        editor.toolbar.verdict_clicked.connect(self.show_compare)
        document.undo.canUndoChanged.connect(self.actions_["undo"].setEnabled)
        document.undo.canRedoChanged.connect(self.actions_["redo"].setEnabled)
        document.undo.cleanChanged.connect(lambda _clean: self._retitle())
        document.renamed.connect(self._retitle)
        document.computing.connect(lambda _n: self._show_state())
        document.results_changed.connect(self._on_results)
        document.failed.connect(self._on_failed)
        document.edited.connect(
            lambda _edit: self.status.show_drawing(document.design, document.results)
        )
        self.actions_["undo"].setEnabled(document.undo.canUndo())
        self.actions_["redo"].setEnabled(document.undo.canRedo())
        editor.canvas.set_title(document.session.name)
        editor.reset_layout()
        QTimer.singleShot(0, editor, editor.canvas.zoom_to_fit)
        self._retitle()
        self._show_state()

    def show_start(self) -> None:
        """Show the start page; a drawing that is open stays open behind it."""
        page = StartPage(self.theme, self._recent_files(), examples(), self._catalog_text())
        page.template_chosen.connect(self.new_from_template)
        page.file_chosen.connect(lambda name: self.files.open_path(Path(name)))
        page.open_requested.connect(self.files.open)
        page.import_requested.connect(self.files.import_wiring)
        page.learn_requested.connect(lambda: self._help("method"))
        self._show_page_widget(page)
        self._retitle()
        self._show_state()

    def _show_page_widget(self, page: QWidget) -> None:
        for k in reversed(range(self.stack.count())):
            old = self.stack.widget(k)
            if old is not None and old is not self.editor:
                self.stack.removeWidget(old)
                old.deleteLater()
        self.stack.addWidget(page)
        self.stack.setCurrentWidget(page)

    def offer_recovered(self) -> None:
        """Show the recovery page when an earlier run left copies."""
        found = self.workspace.recovery.list()
        if not found:
            return
        page = RecoveryPage(found, self.theme)
        page.opened.connect(self.workspace.open_recovered)
        page.later.connect(self.show_start)
        page.discarded.connect(self._discard_copies)
        self._show_page_widget(page)

    def _discard_copies(self, copies: list) -> None:  # type: ignore[type-arg]
        for one in copies:
            self.workspace.attempt(lambda s=one.session: self.workspace.recovery.discard(s))
        self.show_start()

    def _recent_files(self) -> list[RecentFile]:
        found = []
        for name in self.workspace.settings.recent[:8]:
            path = Path(name)
            changed = datetime.fromtimestamp(path.stat().st_mtime) if path.exists() else None
            found.append(RecentFile(path, changed))
        return found

    def _fill_recent(self) -> None:
        self.recent_menu.clear()
        for name in self.workspace.settings.recent:
            path = Path(name)
            self.recent_menu.addAction(
                path.name, lambda p=path: self.files.open_path(p)
            ).setToolTip(name)

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
            self.status.show_drawing(Design(), None)
            return
        self.status.show_state(document.results, document.behind, document.paused)
        self.status.show_drawing(document.design, document.results)

    def _on_results(self, results: Results) -> None:
        self._show_state()
        kinds = [f.severity for f in results.findings]
        self.status.show_findings(kinds.count("error"), kinds.count("warning"))
        if self.compare is not None and self.compare.isVisible():
            self.compare.set_results(results)

    def _on_failed(self, fault: BaseException) -> None:
        self.workspace.refuse(fault)
        self.status.show_trouble(_("The last computation failed"))

    def _say(self, notice: NoticeText) -> None:
        shown = self.editor is not None and self.stack.currentWidget() is self.editor
        if shown and self.editor is not None:
            self.editor.say(notice)
        else:
            self.notices.say(notice)

    def _notice_action(self, name: str) -> None:
        if name == "map_servers":
            self.map_servers()
        elif name.startswith("show_"):
            self._show_page(name.removeprefix("show_"))
        elif name in ("save", "save_as"):
            self.actions_[name].trigger()

    # --- drawings ---

    def new_from_template(self, template: str = "rail-optimized") -> None:
        """Ask for a template and its parameters, and open the drawing."""
        if template == "blank":
            self.new_blank()
            return
        dialog = TemplateDialog(
            self.workspace.catalog, self.theme, template or "rail-optimized", self
        )
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

    def _on_imported(self, report: object) -> None:
        document = self.workspace.document
        if document is None:
            return
        hosts = unmapped_hosts(document.design)
        lines = [*getattr(report, "read", ())[:1], *getattr(report, "warnings", ())[:1]]
        actions = (("map_servers", _("Map hosts to a server type")),) if hosts else ()
        kind = "warning" if getattr(report, "warnings", ()) else "info"
        self._say(
            NoticeText(
                kind,
                _("Imported"),
                "\n".join(lines),  # type: ignore[arg-type]
                (),
                actions,
                "imported",
            )
        )

    def map_servers(self) -> None:
        """Map hosts with unknown GPUs to a server type, in one step."""
        document = self._document()
        ids = unmapped_hosts(document.design)
        if not ids:
            self._say(NoticeText("info", _("All servers have a known number of GPUs.")))
            return
        dialog = MapServersDialog(document.design, document.catalog, ids, self)
        edit = dialog.edit() if dialog.exec() == QDialog.DialogCode.Accepted else None
        if edit is not None:
            self.workspace.attempt(lambda: document.apply(edit))

    def _group(self) -> None:
        document = self._document()
        ids = [i for i in document.selection.ids if i in document.design.devices]
        name, sure = QInputDialog.getText(self, _("Group as scalable unit"), _("Name"))
        if sure and ids:
            self.workspace.attempt(
                lambda: document.apply(groups.create_group(document.design, "unit", name, ids))
            )

    def _ungroup(self) -> None:
        document = self._document()
        self.workspace.attempt(
            lambda: document.apply(
                groups.leave_group(document.design, "unit", document.selection.ids)
            )
        )

    def _connect_two(self) -> None:
        document = self._document()
        ids = [i for i in document.selection.ids if i in document.design.devices]
        if len(ids) != 2:
            self._say(NoticeText("info", _("Select two devices to connect.")))
            return
        count, sure = QInputDialog.getInt(self, _("Connect"), _("Links"), 1, 1, 512)
        if sure:
            self.workspace.attempt(
                lambda: document.apply(
                    wiring.connect_devices(document.design, ids[0], ids[1], count)
                )
            )

    def _disconnect(self) -> None:
        document = self._document()
        design, ids = document.design, document.selection.ids
        cables = {c for i in ids if i in design.devices for c in design.cables_of(i)}
        cables |= {i for i in ids if i in design.cables}
        self.workspace.attempt(lambda: document.apply(operations.remove(design, cables)))

    # --- results ---

    def _fabric(self, name: str) -> None:
        if name == "compare":
            self.show_compare()
            results = self._document().results
            if self.editor is not None and results is not None:
                self.editor.toolbar.show_results(results)
        else:
            self._document().set_options(fabric=name)

    def show_compare(self) -> None:
        """Show InfiniBand against RoCE in a window of its own."""
        document = self._document()
        window = CompareWindow(document.results, document.session.name, self.theme, self)
        window.assumptions_requested.connect(self._edit_assumption)
        window.export_requested.connect(
            lambda: self.editor and self.files.export(self.editor, "html")
        )
        window.explain_requested.connect(lambda key: self._explain(key, QPoint()))
        self.compare = window
        window.show()

    def _edit_assumption(self, key: str) -> None:
        if self.editor is not None:
            self.raise_()
            self.editor.edit_assumption(key)

    def _explain(self, key: str, at: QPoint) -> None:
        results = self._document().results
        explanation = results.explanations.get(key) if results is not None else None
        if explanation is None:
            return
        host: QWidget = self
        if self.compare is not None and self.compare.isActiveWindow():
            host = self.compare
        value = self._value_text(results, key) if results is not None else ""
        popover = ExplainPopover(host, explanation, value, self.theme)
        popover.show_ids.connect(lambda ids: self.editor and self.editor.show_ids(frozenset(ids)))
        popover.edit_assumption.connect(self._edit_assumption)
        popover.popup(host.mapFromGlobal(at) if not at.isNull() else host.rect().center())

    def _value_text(self, results: Results, key: str) -> str:
        from designer.engine.explain import format_quantity

        value = results.get(key)
        if isinstance(value, dict):
            value = value.get("typical")
        explanation = results.explanations[key]
        unit = explanation.steps[-1].unit if explanation.steps else ""
        return format_quantity(value, unit) if isinstance(value, (int, float)) else str(value)

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

    def _set_theme(self, theme: str) -> None:
        from dataclasses import replace

        if theme != self.theme:
            self.workspace.set_settings(replace(self.workspace.settings, theme=theme))
            self.rebuild.emit()

    def _set_language(self, code: str) -> None:
        from dataclasses import replace

        if code != language():
            self.workspace.set_settings(replace(self.workspace.settings, language=code))
            self.rebuild.emit()

    def _help(self, page: str) -> None:
        from designer.gui.dialogs.help_dialog import HelpDialog

        HelpDialog(page, self).show()

    def _about(self) -> None:
        self._say(
            NoticeText(
                "info",
                f"Railspine {__version__}",
                _("Apache-2.0. It works without a network connection."),
                key="about",
            )
        )

    def open_folder(self, path: Path) -> None:
        """Show a folder in the file manager."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    # --- window events ---

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open or import the first file that was dropped."""
        self._dropped([Path(u.toLocalFile()) for u in event.mimeData().urls() if u.isLocalFile()])

    def _dropped(self, paths: list) -> None:  # type: ignore[type-arg]
        if paths:
            QTimer.singleShot(0, self, lambda: self.files.open_path(Path(str(paths[0]))))

    def _restore(self) -> None:
        if self.workspace.settings.geometry:
            self.restoreGeometry(
                QByteArray.fromBase64(self.workspace.settings.geometry.encode("ascii"))
            )

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask to save, remember the window's place, end the threads."""
        from dataclasses import replace

        if not self.files.may_close():
            event.ignore()
            return
        geometry = bytes(self.saveGeometry().toBase64().data()).decode("ascii")
        self.workspace.set_settings(replace(self.workspace.settings, geometry=geometry))
        self.workspace.close()
        event.accept()
