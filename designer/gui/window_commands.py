"""Binds every command of the menus to what does it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from designer.gui.canvas.view import CanvasView
from designer.gui.dialogs.palette import Palette
from designer.gui.drawing_commands import DrawingCommands
from designer.gui.editor import Editor
from designer.model.arrange_selection import ARRANGEMENTS
from designer.scene.view import CABLE_SHAPES, CableShape

if TYPE_CHECKING:
    from designer.gui.main_window import MainWindow

Call = Callable[[], object]
_CLIPBOARD = ("cut", "copy", "paste", "duplicate", "delete")
_VERBS = (*_CLIPBOARD, "select_all", "select_peers", "tidy", "order_by_rail")
_PAGES = ("parts", "outline", "inspector", "results", "findings", "history", "schedule", "ports")


class WindowCommands:
    """Calls of the window by name of their command."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window

    def calls(self) -> dict[str, Call]:
        """Return what each command does."""
        return {**self._file(), **self._edit(), **self._view(), **self._model()}

    def _editor(self, call: Callable[[Editor], object]) -> None:
        if self._window.editor is not None:
            self._window.show_drawing()
            call(self._window.editor)

    def _canvas(self, call: Callable[[CanvasView], object]) -> None:
        self._editor(lambda editor: editor.attempt(lambda: call(editor.canvas)))

    def _on_editor(self, call: Callable[[Editor], object]) -> Call:
        return partial(self._editor, call)

    def _on_canvas(self, call: Callable[[CanvasView], object]) -> Call:
        return partial(self._canvas, call)

    def _file(self) -> dict[str, Call]:
        window, files = self._window, self._window.files
        return {
            "new": window.new_from_template,
            "new_blank": window.new_blank,
            "open": files.open,
            "save": files.save,
            "save_as": files.save_as,
            "import": files.import_wiring,
            "export": self._on_editor(files.export),
            "start": window.show_start,
            "close": window.close_drawing,
            "settings": window.edit_settings,
            "quit": window.close,
            "help": partial(window.show_help, "method"),
            "keys": partial(window.show_help, "keyboard"),
            "about": window.show_about,
        }

    def _edit(self) -> dict[str, Call]:
        drawing = self._window.drawing
        calls: dict[str, Call] = {
            "undo": partial(_undo, drawing),
            "redo": partial(_redo, drawing),
            "find": self._palette,
            "palette": self._palette,
            "add_part": self._on_canvas(lambda c: c.quick_add()),
            "add_note": self._on_canvas(lambda c: c.set_tool("note")),
            "group": drawing.group,
            "ungroup": drawing.ungroup,
            "connect": drawing.connect,
            "repeat": drawing.repeat,
            "disconnect": drawing.disconnect,
            "map_servers": drawing.map_servers,
            "swap_type": drawing.swap_type,
            "calibrate": drawing.calibrate,
        }
        for name in _VERBS:
            calls[name] = self._on_canvas(partial(_verb, name))
        for name in ARRANGEMENTS:
            calls[name] = self._on_canvas(partial(_arrange, name))
        return calls

    def _palette(self) -> None:
        """Open the field that finds devices and commands."""
        window, document = self._window, self._window.workspace.document
        design = document.design if document is not None else None
        palette = Palette(window, design, window.commands.listed(), window.theme)
        if window.editor is not None:
            editor = window.editor
            palette.picked.connect(lambda ids: editor.show_ids(frozenset(ids)))
            palette.destroyed.connect(editor.canvas.setFocus)
        palette.open()

    def _view(self) -> dict[str, Call]:
        window, actions = self._window, self._window.commands
        calls: dict[str, Call] = {
            "filter": self._on_editor(lambda e: e.filter_bar.open()),
            "focus": self._on_canvas(lambda c: c.filtering.focus_on_selection()),
            "zoom_fit": self._on_canvas(lambda c: c.zoom_to_fit()),
            "zoom_selection": self._on_canvas(lambda c: c.zoom_to(c.selection)),
            "zoom_in": self._on_canvas(lambda c: c.zoom_by(1.25)),
            "zoom_out": self._on_canvas(lambda c: c.zoom_by(0.8)),
            "light": partial(window.set_theme, "light"),
            "dark": partial(window.set_theme, "dark"),
            "hide_docks": self._on_editor(
                lambda e: e.set_docks_visible(not actions["hide_docks"].isChecked())
            ),
            "full_screen": window.toggle_full_screen,
        }
        for name in ("topology", "cables", "workload"):
            calls[f"view_{name}"] = self._on_editor(partial(_show_view, name))
        for part in ("count", "speed", "length"):
            calls[f"label_{part}"] = self._on_canvas(partial(_label, part))
        for shape in CABLE_SHAPES:
            calls[f"shape_{shape}"] = self._on_canvas(partial(_shape, shape))
        for name in ("rail", "utilization", "kind"):
            calls[f"colour_{name}"] = self._on_editor(partial(_colour, name))
        for name in ("select", "pan", "cable", "note"):
            calls[f"tool_{name}"] = self._on_canvas(partial(_tool, name))
        for name in _PAGES:
            calls[f"show_{name}"] = partial(window.show_page, name)
        return calls

    def _model(self) -> dict[str, Call]:
        window, drawing = self._window, self._window.drawing
        return {
            "recompute": lambda: drawing.document().recompute(),
            "pause": lambda: drawing.document().set_paused(window.commands["pause"].isChecked()),
            "compare": drawing.show_compare,
            "fail": drawing.fail,
            "restore": lambda: drawing.document().set_failed(()),
            "show_faults": partial(window.show_page, "faults"),
            "show_collectives": partial(window.show_page, "collectives"),
            "show_jobs": partial(window.show_page, "jobs"),
            "next_finding": self._on_editor(lambda e: e.step_finding(1)),
            "previous_finding": self._on_editor(lambda e: e.step_finding(-1)),
            "choose_workload": partial(window.show_page, "workload"),
            "open_workload": self._on_editor(lambda e: window.files.workload(e, "open")),
            "save_workload": self._on_editor(lambda e: window.files.workload(e, "save")),
            "assumptions": partial(window.show_page, "assumptions"),
        }


def _undo(drawing: DrawingCommands) -> None:
    drawing.document().undo.undo()


def _redo(drawing: DrawingCommands) -> None:
    drawing.document().undo.redo()


def _verb(name: str, canvas: CanvasView) -> None:
    getattr(canvas.verbs, name)()


def _arrange(name: str, canvas: CanvasView) -> None:
    canvas.verbs.arrange(name)


def _tool(name: str, canvas: CanvasView) -> None:
    canvas.set_tool(name)


def _show_view(name: str, editor: Editor) -> None:
    editor.show_view(name)


def _colour(name: str, editor: Editor) -> None:
    editor.set_colour(name)


def _shape(shape: CableShape, canvas: CanvasView) -> None:
    canvas.restate(replace(canvas.state, shape=shape))


def _label(part: str, canvas: CanvasView) -> None:
    canvas.restate(replace(canvas.state, labels=canvas.state.labels ^ {part}))
