"""Starts the window: settings, language, theme, catalogue, recovery."""

import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from designer.catalog.load import load_catalog
from designer.errors import CannotRunHereError, DesignerError
from designer.gui.main_window import MainWindow
from designer.gui.style import apply_style, theme_in_use
from designer.gui.workspace import Workspace
from designer.messages import _, language, set_language
from designer.services.notices import NoticeText, from_error
from designer.services.settings import load_settings

_log = logging.getLogger(__name__)


class Program:
    """One run of the window; it outlives the window when language or theme change."""

    def __init__(self, application: QApplication, language_code: str | None = None) -> None:
        self.application = application
        settings, warning = load_settings()
        self._asked_language = language_code
        set_language(language_code or settings.language_in_use)
        notices = [NoticeText("warning", warning, key="settings")] if warning else []
        try:
            name = settings.catalog_file
            catalog = load_catalog(Path(name) if name else None)
        except DesignerError as fault:
            notices.append(from_error(fault))
            catalog = load_catalog(None)
        self.workspace = Workspace(settings, catalog)
        self._translator = QTranslator()
        self.window = self._make()
        for notice in notices:
            self.workspace.noticed.emit(notice)

    def _make(self) -> MainWindow:
        """Return a window in the language and theme of the settings."""
        QLocale.setDefault(QLocale(language()))
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        self.application.removeTranslator(self._translator)
        if self._translator.load(f"qtbase_{language()}", folder):
            self.application.installTranslator(self._translator)
        apply_style(self.application, theme_in_use(self.workspace.settings.theme))
        window = MainWindow(self.workspace)
        window.rebuild.connect(self._rebuild)
        return window

    def _rebuild(self) -> None:
        set_language(self.workspace.settings.language_in_use)
        old = self.window
        self.workspace.document_changed.disconnect(old._on_document)
        self.workspace.noticed.disconnect(old.say)
        self.workspace.imported.disconnect(old.drawing.tell_imported)
        self.window = self._make()
        self.window.take_place_of(old)
        old.hide()
        old.deleteLater()

    def warm_up(self) -> None:
        """Load beside the window what the first drawing needs; a fault shows with that drawing."""
        catalog = self.workspace.catalog

        def work() -> None:
            from designer.services.warm_up import warm_up

            warm_up(catalog)

        self.workspace.background.run("", work, _nothing, _nothing)

    def start(self, files: Sequence[Path]) -> None:
        """Show the window, offer what an earlier run left, and open files."""
        self.window.show()
        if files:
            self.workspace.open_path(files[0])
        else:
            self.window.offer_recovered()

    def on_exception(
        self, kind: type[BaseException], fault: BaseException, trace: TracebackType | None
    ) -> None:
        """Log what nobody expected, write a recovery copy, say so once, and go on."""
        if issubclass(kind, KeyboardInterrupt):
            self.application.quit()
            return
        _log.error("unexpected", exc_info=(kind, fault, trace))
        try:
            if self.workspace.autosave is not None:
                self.workspace.autosave.write_now()
        except DesignerError as failed:
            _log.error("no recovery copy: %s", failed)
        self.workspace.noticed.emit(from_error(fault))


def _nothing(_outcome: object) -> None:
    """Take what nobody waits for."""


def make_application() -> QApplication:
    """Return the Qt application.

    Raises:
        CannotRunHereError: There is no display to show a window on.
    """
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    shown = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not shown and not os.environ.get("QT_QPA_PLATFORM"):
        raise CannotRunHereError(
            _("There is no display to show the window on."),
            _("Set DISPLAY, or use the command line: “railspine --help”."),
        )
    application = QApplication(["railspine"])
    application.setApplicationName("Railspine")
    application.setDesktopFileName("railspine")
    return application


def run(files: Sequence[Path], language_code: str | None = None) -> int:
    """Open the window on files and return the exit code when it closes.

    Raises:
        CannotRunHereError: There is no display.
    """
    application = make_application()
    program = Program(application, language_code)
    before = sys.excepthook
    sys.excepthook = program.on_exception
    try:
        program.start(files)
        program.warm_up()
        return application.exec()
    finally:
        sys.excepthook = before
        program.workspace.close()
