"""Pages that stand in place of the drawing: the start page, and recovered work."""

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from designer.gui.dialogs.start_cards import RecentFile
from designer.gui.dialogs.start_page import StartPage
from designer.gui.dialogs.template_pictures import draw, sample
from designer.gui.recovery_page import RecoveryPage
from designer.messages import _
from designer.scene.svg import svg
from designer.services.create import examples, open_file
from designer.services.recovery import Recoverable
from designer.units import format_number

if TYPE_CHECKING:
    from designer.gui.main_window import MainWindow

RECENT_SHOWN = 8


class FrontPages:
    """Shows them; a drawing that is open stays open behind them, and Esc goes back to it."""

    def __init__(self, window: "MainWindow") -> None:
        self._window, self._workspace = window, window.workspace

    def show_start(self) -> None:
        """Show templates, examples and recent files."""
        window = self._window
        page = StartPage(window.theme, self._recent(), examples(), window.catalog_text())
        page.template_chosen.connect(window.new_from_template)
        page.file_chosen.connect(lambda name: window.files.open_path(Path(name)))
        page.example_chosen.connect(self._open_example)
        page.open_requested.connect(window.files.open)
        page.import_requested.connect(window.files.import_wiring)
        page.learn_requested.connect(lambda: window.show_help("method"))
        page.left.connect(window.show_drawing)
        self._show(page)

    def offer_recovered(self) -> None:
        """Show what an earlier run left, if it left anything."""
        found = self._workspace.recovery.list()
        if not found:
            return
        page = RecoveryPage(found, self._window.theme)
        page.opened.connect(self._workspace.open_recovered)
        page.later.connect(self._window.show_start)
        page.discarded.connect(self._discard)
        self._show(page)
        for one in found:
            self._draw(page, one)

    def _draw(self, page: RecoveryPage, one: Recoverable) -> None:
        """Put the picture of a copy on its card once it has been read, if it can be."""
        recovery, theme = self._workspace.recovery, self._window.theme

        def work() -> str:
            return svg(draw(sample(recovery.peek(one.session)), theme))

        def show(picture: str) -> None:
            # the page may be gone by now
            if isValid(page):
                page.show_picture(one, picture)

        self._workspace.background.run("", work, show, lambda _fault: None)

    def _show(self, page: QWidget) -> None:
        stack = self._window.stack
        for k in reversed(range(stack.count())):
            old = stack.widget(k)
            if old is not None and old is not self._window.editor:
                stack.removeWidget(old)
                old.deleteLater()
        stack.addWidget(page)
        stack.setCurrentWidget(page)

    def _open_example(self, name: str) -> None:
        if self._window.files.may_close():
            self._workspace.attempt(lambda: self._workspace.adopt(open_file(Path(name))))

    def _discard(self, copies: list[Recoverable]) -> None:
        for one in copies:
            self._workspace.attempt(partial(self._workspace.recovery.discard, one.session))
        self._window.show_start()

    def _recent(self) -> list[RecentFile]:
        found = []
        for name in self._workspace.settings.recent[:RECENT_SHOWN]:
            path = Path(name)
            changed = datetime.fromtimestamp(path.stat().st_mtime) if path.exists() else None
            gpus = self._workspace.settings.gpus_of(path)
            note = "" if gpus is None else _("{n} GPUs").format(n=format_number(gpus))
            found.append(RecentFile(path, changed, note))
        return found
