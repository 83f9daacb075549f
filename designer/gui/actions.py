"""Every command of the window, once: its text, keys, icon, and where it stands in the menus."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from designer.gui.icons import icon
from designer.messages import N_, _
from designer.model.arrange_selection import ARRANGEMENTS


@dataclass(frozen=True, slots=True)
class Command:
    """One command.

    Attributes:
        keys: Shortcut of the whole window.
        canvas_keys: Shown in the menu; the canvas listens to them itself while it has the focus,
            so that a letter typed into a field stays a letter.
        anywhere: True when it works without a drawing.
    """

    name: str
    text: str
    keys: str = ""
    canvas_keys: str = ""
    picture: str = ""
    checkable: bool = False
    anywhere: bool = False


def _commands() -> Iterator[Command]:
    yield Command("new", N_("New from template…"), "Ctrl+N", anywhere=True)
    yield Command("new_blank", N_("New empty drawing"), "Ctrl+Shift+N", anywhere=True)
    yield Command("open", N_("Open…"), "Ctrl+O", picture="folder", anywhere=True)
    yield Command("save", N_("Save"), "Ctrl+S", picture="disk")
    yield Command("save_as", N_("Save as…"), "Ctrl+Shift+S")
    yield Command("import", N_("Import wiring…"), "Ctrl+I", picture="import", anywhere=True)
    yield Command("export", N_("Export…"), "Ctrl+E", picture="export")
    yield Command("start", N_("Start page"), anywhere=True)
    yield Command("close", N_("Close drawing"), "Ctrl+W")
    yield Command("settings", N_("Preferences…"), "Ctrl+,", anywhere=True)
    yield Command("quit", N_("Quit"), "Ctrl+Q", anywhere=True)
    yield Command("undo", N_("Undo"), "Ctrl+Z", picture="undo")
    yield Command("redo", N_("Redo"), "Ctrl+Shift+Z", picture="redo")
    yield Command("cut", N_("Cut"), canvas_keys="Ctrl+X")
    yield Command("copy", N_("Copy"), canvas_keys="Ctrl+C")
    yield Command("paste", N_("Paste"), canvas_keys="Ctrl+V", picture="paste")
    yield Command("duplicate", N_("Duplicate"), canvas_keys="Ctrl+D")
    yield Command("delete", N_("Delete"), canvas_keys="Del")
    yield Command("select_all", N_("Select all"), canvas_keys="Ctrl+A")
    yield Command("select_peers", N_("Select peers"))
    yield Command("tidy", N_("Tidy"), canvas_keys="Ctrl+L")
    yield Command("order_by_rail", N_("Order to cross fewer cables"))
    yield Command("find", N_("Find…"), "Ctrl+F", picture="search")
    yield Command("palette", N_("Run a command…"), "Ctrl+Shift+P", anywhere=True)
    for name, (title, _call) in ARRANGEMENTS.items():
        yield Command(name, title)
    yield Command("view_topology", N_("Topology"), "Alt+1", picture="topology", checkable=True)
    yield Command("view_cables", N_("Cables"), "Alt+2", picture="table", checkable=True)
    yield Command("view_workload", N_("Workload"), "Alt+3", picture="gauge", checkable=True)
    yield Command("colour_rail", N_("Colour by rail"), canvas_keys="R", checkable=True)
    yield Command(
        "colour_utilization", N_("Colour by utilisation"), canvas_keys="U", checkable=True
    )
    yield Command("colour_kind", N_("Colour by kind of cable"), canvas_keys="K", checkable=True)
    for shape, text in (
        ("curved", N_("Curved cables")),
        ("straight", N_("Straight cables")),
        ("orthogonal", N_("Square cables")),
    ):
        yield Command(f"shape_{shape}", text)
    for part, text in (
        ("count", N_("Label links of a trunk")),
        ("speed", N_("Label speeds")),
        ("length", N_("Label lengths")),
    ):
        yield Command(f"label_{part}", text)
    yield Command("filter", N_("Filter the drawing"), "Ctrl+Shift+L", picture="filter")
    yield Command("focus", N_("Focus on the selection"), "Ctrl+Shift+J", picture="crosshair")
    yield Command("zoom_fit", N_("Zoom to fit"), canvas_keys="F", picture="zoom-fit")
    yield Command("zoom_selection", N_("Zoom to selection"), canvas_keys="Shift+F")
    yield Command("zoom_in", N_("Zoom in"), canvas_keys="+")
    yield Command("zoom_out", N_("Zoom out"), canvas_keys="−")
    yield Command("light", N_("Light"), checkable=True, anywhere=True)
    yield Command("dark", N_("Dark"), checkable=True, anywhere=True)
    yield Command("add_part", N_("Add part…"), "Ctrl+K", canvas_keys="/", picture="plus")
    yield Command("add_note", N_("Note"), canvas_keys="N", picture="text")
    yield Command("group", N_("Group as scalable unit"), "Ctrl+G")
    yield Command("ungroup", N_("Leave scalable unit"), "Ctrl+Shift+G")
    yield Command("repeat", N_("Repeat unit…"), "Ctrl+Shift+D")
    yield Command("tool_select", N_("Select"), canvas_keys="V", picture="select", checkable=True)
    yield Command("tool_pan", N_("Pan"), canvas_keys="H", picture="pan", checkable=True)
    yield Command("tool_cable", N_("Draw cable"), canvas_keys="C", picture="cable", checkable=True)
    yield Command("tool_note", N_("Write note"), canvas_keys="N", picture="text", checkable=True)
    yield Command("connect", N_("Connect selected devices…"), "Ctrl+Shift+K")
    yield Command("disconnect", N_("Remove cables of the selection"))
    yield Command("map_servers", N_("Map hosts to a server type…"))
    yield Command("recompute", N_("Recompute"), "F5")
    yield Command("pause", N_("Pause computing"), "Shift+F5", checkable=True)
    yield Command("compare", N_("Compare InfiniBand and RoCE"), "Ctrl+Shift+C", picture="compare")
    yield Command("swap_type", N_("Change type…"))
    yield Command("fail", N_("Let the selection fail"), "Ctrl+Shift+F")
    yield Command("restore", N_("Restore all that failed"))
    yield Command("show_faults", N_("Failures (N-1)"))
    yield Command("show_collectives", N_("Collectives"))
    yield Command("show_jobs", N_("Jobs"))
    yield Command("next_finding", N_("Next finding"), "F8")
    yield Command("previous_finding", N_("Previous finding"), "Shift+F8")
    yield Command("choose_workload", N_("Choose workload"))
    yield Command("open_workload", N_("Open workload file…"))
    yield Command("save_workload", N_("Save workload as…"))
    yield Command("assumptions", N_("Assumptions and prices"))
    yield Command("calibrate", N_("Calibrate to an nccl-tests log…"))
    for name, text in (
        ("show_parts", N_("Parts")),
        ("show_outline", N_("Outline")),
        ("show_inspector", N_("Inspector")),
        ("show_results", N_("Results")),
        ("show_findings", N_("Findings")),
        ("show_history", N_("History")),
        ("show_schedule", N_("Cable schedule")),
        ("show_ports", N_("Ports")),
    ):
        yield Command(name, text)
    yield Command("hide_docks", N_("Hide docks"), "Ctrl+\\", checkable=True)
    yield Command("full_screen", N_("Full screen"), "F11", checkable=True, anywhere=True)
    yield Command("help", N_("How Railspine works"), "F1", picture="book", anywhere=True)
    yield Command("keys", N_("Keyboard"), anywhere=True)
    yield Command("about", N_("About Railspine"), anywhere=True)


COMMANDS: dict[str, Command] = {c.name: c for c in _commands()}
_THEME = (N_("Theme"), ("light", "dark"))
_SHAPES = (
    N_("Way of cables"),
    ("shape_curved", "shape_straight", "shape_orthogonal")
    + ("label_count", "label_speed", "label_length"),
)
_ARRANGE = (N_("Align and distribute"), tuple(ARRANGEMENTS))
RECENT, LANGUAGE = "recent", "language"
# A menu holds names of commands, None for a line, (title, names) for a menu inside, or the name
# of a menu that the window fills itself.
Entry = str | None | tuple[str, tuple[str, ...]]
MENUS: tuple[tuple[str, tuple[Entry, ...]], ...] = (
    (
        N_("File"),
        ("new", "new_blank", "open", RECENT, None, "save", "save_as", None, "import", "export")
        + (None, "start", "close", "settings", "quit"),
    ),
    (
        N_("Edit"),
        ("undo", "redo", None, "cut", "copy", "paste", "duplicate", "delete", None)
        + (
            "select_all",
            "select_peers",
            None,
            _ARRANGE,
            "tidy",
            "order_by_rail",
            None,
            "find",
            "palette",
        ),
    ),
    (
        N_("View"),
        ("view_topology", "view_cables", "view_workload", None, "colour_rail")
        + (
            "colour_utilization",
            "colour_kind",
            _SHAPES,
            None,
            "filter",
            "focus",
            None,
            "zoom_fit",
            "zoom_selection",
            "zoom_in",
        )
        + ("zoom_out", None, _THEME, LANGUAGE),
    ),
    (N_("Insert"), ("add_part", "add_note", None, "group", "ungroup", "repeat")),
    (
        N_("Cabling"),
        ("tool_select", "tool_pan", "tool_cable", "tool_note", None, "connect", "disconnect", None)
        + ("swap_type", "map_servers"),
    ),
    (
        N_("Analyse"),
        ("recompute", "pause", None, "compare", None, "fail", "restore", "show_faults", None)
        + ("show_collectives", "show_jobs", None)
        + ("next_finding", "previous_finding", None)
        + ("choose_workload", "open_workload", "save_workload", "assumptions", "calibrate"),
    ),
    (
        N_("Window"),
        ("show_parts", "show_outline", "show_inspector", "show_results", "show_findings")
        + ("show_history", "show_schedule", "show_ports", None, "hide_docks", "full_screen"),
    ),
    (N_("Help"), ("help", "keys", None, "about")),
)


class Actions(QObject):
    """The commands as Qt actions; the window binds each to what it does."""

    def __init__(self, theme: str, parent: QObject) -> None:
        super().__init__(parent)
        self._by_name: dict[str, QAction] = {}
        for command in COMMANDS.values():
            self._by_name[command.name] = self._action(command, theme)

    def _action(self, command: Command, theme: str) -> QAction:
        text = _(command.text)
        action = QAction(text, self)
        if command.canvas_keys:
            shown = QKeySequence(command.canvas_keys).toString(
                QKeySequence.SequenceFormat.NativeText
            )
            action.setText(f"{text}\t{shown or command.canvas_keys}")
        if command.keys:
            action.setShortcut(QKeySequence(command.keys))
        if command.picture:
            action.setIcon(icon(command.picture, "text", theme, "accent"))
        action.setCheckable(command.checkable)
        action.setToolTip(_tip(command))
        return action

    def __getitem__(self, name: str) -> QAction:
        return self._by_name[name]

    def bind(self, calls: Mapping[str, Callable[[], object]]) -> None:
        """Say what each command does; a checkable one is told nothing, it asks its action."""
        for name, call in calls.items():
            self._by_name[name].triggered.connect(lambda _checked=False, c=call: c())

    def listed(self) -> list[tuple[str, QAction]]:
        """Return every command of the menus with the title of its menu, in order."""
        found: list[tuple[str, QAction]] = []
        for title, entries in MENUS:
            for entry in entries:
                names = entry[1] if isinstance(entry, tuple) else (entry,)
                found += [(_(title), self._by_name[n]) for n in names if n in self._by_name]
        return found

    def set_drawing_open(self, is_open: bool) -> None:
        """Enable what needs a drawing, or disable it."""
        for command in COMMANDS.values():
            if not command.anywhere:
                self._by_name[command.name].setEnabled(is_open)

    def fill(self, bar: QMenuBar, menus: Mapping[str, QMenu]) -> None:
        """Build the menus of the window; `menus` are those it fills itself, by name."""
        for title, entries in MENUS:
            menu = bar.addMenu(_(title))
            menu.setToolTipsVisible(False)
            for entry in entries:
                self._add(menu, entry, menus)

    def _add(self, menu: QMenu, entry: Entry, menus: Mapping[str, QMenu]) -> None:
        if entry is None:
            menu.addSeparator()
        elif isinstance(entry, tuple):
            inner = menu.addMenu(_(entry[0]))
            for name in entry[1]:
                inner.addAction(self._by_name[name])
        elif entry in menus:
            menu.addMenu(menus[entry])
        else:
            menu.addAction(self._by_name[entry])


def _tip(command: Command) -> str:
    keys = command.keys or command.canvas_keys
    text = _(command.text).rstrip("…")
    return f"{text} ({keys})" if keys else text
