"""The place where one drawing is worked on: toolbar, canvas, docks."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QByteArray, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from designer.engine.results import Results
from designer.errors import DesignerError
from designer.gui.actions import Actions
from designer.gui.bridge import Document
from designer.gui.canvas.view import CanvasView
from designer.gui.docks import Dock
from designer.gui.fault_bar import FaultBar
from designer.gui.filter_bar import FilterBar
from designer.gui.job_bar import JobBar
from designer.gui.notices import NoticeStack
from designer.gui.panels.assumptions_panel import AssumptionsPanel
from designer.gui.panels.collectives_panel import CollectivesPanel
from designer.gui.panels.faults_panel import FaultsPanel
from designer.gui.panels.findings import FindingsPanel
from designer.gui.panels.history import History
from designer.gui.panels.inspector import Inspector
from designer.gui.panels.jobs_panel import JobsPanel
from designer.gui.panels.outline import Outline
from designer.gui.panels.parts_palette import PartsPalette
from designer.gui.panels.port_panel import PortPanel
from designer.gui.panels.results_panel import ResultsPanel
from designer.gui.panels.schedule import CableSchedule
from designer.gui.panels.workload_page import WorkloadPage
from designer.gui.panels.workload_panel import WorkloadPanel
from designer.gui.port_cabling import PortCabling
from designer.gui.toolbar import Toolbar
from designer.messages import _
from designer.model.findings import Finding
from designer.scene.view import CableShape, View
from designer.services.notices import NoticeText, from_error

VIEWS = ("topology", "cables", "workload")
# Device types of a drawing of units get room at 1,280 pixels as well.
LEFT, RIGHT, BOTTOM = 272, 336, 248
SMALL = 1500


@dataclass(frozen=True, slots=True)
class Memory:
    """What an editor shows: part of the drawing, colours, level of detail, page, docks."""

    view: View
    colour: str
    level: int | None
    page: str
    pages: tuple[str, ...]
    docks: QByteArray
    shape: CableShape = "curved"
    labels: frozenset[str] = frozenset()


class Editor(QMainWindow):
    """Toolbar, canvas and docks of one drawing; it lives inside the window.

    Signals:
        explain: Dotted key of a figure, and where it stands on the screen.
        workload_file: `open` or `save`: a file dialog for a workload is wanted.
        notice_action: Name of the action of a notice's button.
        colour_changed: How cables are coloured now.
    """

    explain = Signal(str, QPoint)
    workload_file = Signal(str)
    notice_action = Signal(str)
    colour_changed = Signal(str)

    def __init__(
        self, document: Document, actions: Actions, theme: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Widget)
        self.setObjectName("editor")
        self.document, self.theme = document, theme
        self.setDockNestingEnabled(True)
        self.toolbar = Toolbar(actions, theme)
        self.setMenuWidget(self.toolbar)
        self.canvas = CanvasView(document, theme)
        self.canvas.setMinimumSize(360, 240)
        self.cables_view = CableSchedule(document, theme)
        self.workload_view = WorkloadPage(document, theme)
        self._views = QStackedWidget()
        for page in (self.canvas, self.cables_view, self.workload_view):
            self._views.addWidget(page)
        self.fault_bar, self.job_bar = FaultBar(document, theme), JobBar(document, theme)
        self.filter_bar = FilterBar(document, self.canvas, theme)
        bars = (self.fault_bar, self.job_bar, self.filter_bar)
        self.setCentralWidget(_below(bars, self._views))
        self.notices = NoticeStack(theme, self._views)
        self._build_docks()
        self._connect()
        document.recompute()

    # --- docks ---

    def _build_docks(self) -> None:
        self.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
        document, theme = self.document, self.theme
        self.parts = PartsPalette(document.catalog, theme)
        self.outline = Outline(document, theme)
        self.inspector = Inspector(document, theme)
        self.workload = WorkloadPanel(document, theme)
        self.assumptions = AssumptionsPanel(document, theme, narrow=True)
        self.results = ResultsPanel(document, theme)
        self.collectives = CollectivesPanel(document, theme)
        self.jobs = JobsPanel(document, theme)
        self.history = History(document, theme)
        self.schedule = CableSchedule(document, theme)
        self.findings = FindingsPanel(theme)
        self.faults = FaultsPanel(document, theme)
        self.ports = PortPanel(document, theme)
        PortCabling(self.ports, self.canvas)
        left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
        self.parts_dock = self._dock("parts", QSize(200, 120), left)
        self.parts_dock.add_page("parts", _("Parts"), self.parts)
        self.outline_dock = self._dock("outline", QSize(200, 100), left)
        self.outline_dock.add_page("outline", _("Outline"), self.outline)
        self.side_dock = self._dock("side", QSize(290, 160), right)
        self.side_dock.add_page("inspector", _("Inspector"), self.inspector)
        self.side_dock.add_page("workload", _("Workload"), self.workload)
        self.side_dock.add_page("assumptions", _("Prices"), self.assumptions)
        bottom = Qt.DockWidgetArea.BottomDockWidgetArea
        self.bottom_dock = self._dock("bottom", QSize(400, 150), bottom)
        self.bottom_dock.add_page("results", _("Results"), self.results)
        self.bottom_dock.add_page("collectives", _("Collectives"), self.collectives)
        self.bottom_dock.add_page("jobs", _("Jobs"), self.jobs)
        self.bottom_dock.add_page("history", _("History"), self.history)
        self.bottom_dock.add_page("schedule", _("Cable schedule"), self.schedule)
        self.bottom_dock.add_page("findings", _("Findings"), self.findings)
        self.bottom_dock.add_page("faults", _("Failures"), self.faults)
        self.bottom_dock.add_page("ports", _("Ports"), self.ports)
        self.docks = (self.parts_dock, self.outline_dock, self.side_dock, self.bottom_dock)
        self.bottom_dock.collapsed.connect(self._show_summary)
        self.reset_layout()

    def _dock(self, name: str, minimum: QSize, area: Qt.DockWidgetArea) -> Dock:
        dock = Dock(name, self.theme, self, minimum=minimum)
        self.addDockWidget(area, dock)
        return dock

    def reset_layout(self) -> None:
        """Give the docks their first sizes, smaller in a small window."""
        small = 0 < self.width() < SMALL
        left, right, bottom = (232, 304, 216) if small else (LEFT, RIGHT, BOTTOM)
        horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self.resizeDocks([self.parts_dock, self.side_dock], [left, right], horizontal)
        self.resizeDocks([self.parts_dock, self.outline_dock], [360, 220], vertical)
        self.resizeDocks([self.bottom_dock], [bottom + 32], vertical)

    def layout_text(self) -> str:
        """Return where the docks are, as text for the settings."""
        return bytes(self.saveState().toBase64().data()).decode("ascii")

    def use_layout(self, text: str) -> None:
        """Put the docks where they were; an empty or unknown text gives their first places."""
        state = QByteArray.fromBase64(text.encode("ascii", "ignore"))
        if state.isEmpty() or not self.restoreState(state):
            self.reset_layout()

    def set_docks_visible(self, visible: bool) -> None:
        """Show or hide all docks."""
        for dock in self.docks:
            dock.setVisible(visible)

    def show_page(self, dock: Dock, page: str) -> None:
        """Bring a page of a dock to the front."""
        dock.show_page(page)
        dock.raise_()

    def memory(self) -> Memory:
        """Return what is in view, for an editor that takes the place of this one."""
        state = self.canvas.state
        pages = tuple(dock.page() for dock in self.docks)
        return Memory(
            self.canvas.view,
            state.colour,
            state.level,
            self.view_name(),
            pages,
            self.saveState(),
            state.shape,
            state.labels,
        )

    def recall(self, memory: Memory) -> None:
        """Show what another editor had in view."""
        self.restoreState(memory.docks)
        for dock, page in zip(self.docks, memory.pages, strict=True):
            if dock.isVisible():
                dock.show_page(page)
        self.set_colour(memory.colour)
        self.canvas.restate(replace(self.canvas.state, shape=memory.shape, labels=memory.labels))
        self.toolbar.details.setCurrentIndex(self.toolbar.details.findData(memory.level))
        self.canvas.set_detail(memory.level)
        self.show_view(memory.page)
        self.canvas.set_view(
            replace(memory.view, width=self.canvas.width(), height=self.canvas.height())
        )

    # --- wiring ---

    def _connect(self) -> None:
        canvas, document = self.canvas, self.document
        canvas.noticed.connect(self.say)
        canvas.filtering.changed.connect(
            lambda: self.outline.show_kept(canvas.filtering.kept_ids())
        )
        canvas.colour_changed.connect(self.toolbar.show_colour)
        canvas.colour_changed.connect(self.colour_changed)
        self.parts.added.connect(self._add_part)
        self.outline.zoom_requested.connect(self.show_ids)
        self.outline.delete_requested.connect(canvas.verbs.delete)
        for panel in (
            self.inspector,
            self.workload,
            self.assumptions,
            self.workload_view,
            self.ports,
        ):
            panel.refused.connect(self.refuse)
        self.inspector.ports_requested.connect(self.list_cables)
        self.workload.file_requested.connect(self.workload_file)
        self.results.explain.connect(self.explain)
        self.workload_view.explain.connect(self.explain)
        self.collectives.explain.connect(self.explain)
        self.jobs.explain.connect(self.explain)
        self.jobs.shown.connect(self.show_ids)
        self.results.cable_chosen.connect(lambda id_: self.show_ids(frozenset({id_})))
        self.results.finding_chosen.connect(self.show_finding)
        self.findings.chosen.connect(self.show_finding)
        self.ports.peer_wanted.connect(lambda id_: self.show_ids(frozenset({id_})))
        self.faults.chosen.connect(lambda ids: self.show_ids(frozenset(ids)))
        self.faults.failed.connect(lambda fault: self.notices.say(from_error(fault)))
        document.failed_changed.connect(canvas.set_failed)
        self.results.findings_requested.connect(
            lambda: self.show_page(self.bottom_dock, "findings")
        )
        self.results.workload_requested.connect(self._choose_workload)
        for table in (self.schedule, self.cables_view):
            table.zoom_requested.connect(self.show_ids)
        self.toolbar.view_chosen.connect(self.show_view)
        self.toolbar.colour_chosen.connect(self.set_colour)
        self.toolbar.detail_chosen.connect(canvas.set_detail)
        self.notices.clicked.connect(lambda ids: self.show_ids(frozenset(ids)))
        self.notices.action.connect(self.notice_action)
        document.results_changed.connect(self._on_results)
        document.edited.connect(self._on_edit)
        if document.results is not None:
            self._on_results(document.results)
        canvas.set_failed(document.options.fail)

    def _on_edit(self, _edit: object) -> None:
        self.notices.close_refusals()

    def _on_results(self, results: Results) -> None:
        self.canvas.set_results(results)
        self.toolbar.show_results(results)
        self.findings.show_results(results)
        self._show_summary()

    def _show_summary(self, *_args: object) -> None:
        folded = self.bottom_dock.folded
        self.bottom_dock.summary.setText(self.results.summary() if folded else "")

    def _add_part(self, slug: str) -> None:
        canvas = self.canvas
        self.show_view("topology")
        x, y = canvas.view.to_drawing(canvas.width() / 2, canvas.height() / 2)
        canvas.verbs.add_parts(slug, x, y, in_tier=True)

    def _choose_workload(self, how: str) -> None:
        if how == "file":
            self.workload_file.emit("open")
        else:
            self.show_page(self.side_dock, "workload")
            self.workload.choice.setFocus()
            self.workload.choice.showPopup()

    # --- what the window asks for ---

    def say(self, notice: NoticeText) -> None:
        """Show a notice over the drawing."""
        self.notices.say(notice)

    def refuse(self, fault: DesignerError) -> None:
        """Show why something was not done."""
        self.notices.say(from_error(fault))

    def attempt(self, call: Callable[[], object]) -> None:
        """Do something; a refusal becomes a notice."""
        try:
            call()
        except DesignerError as fault:
            self.refuse(fault)

    def show_view(self, name: str) -> None:
        """Show the drawing, all its cables, or its workload."""
        self.toolbar.views.choose(name)
        self._views.setCurrentIndex(VIEWS.index(name))
        if name == "topology":
            self.canvas.setFocus()
        elif name == "workload" and self.side_dock.isVisible():
            self.show_page(self.side_dock, "workload")

    def view_name(self) -> str:
        """Return which view is shown."""
        return VIEWS[self._views.currentIndex()]

    def set_colour(self, mode: str) -> None:
        """Colour cables by rail, utilisation or kind."""
        self.canvas.set_colour_mode(mode)

    def show_ids(self, ids: frozenset[str]) -> None:
        """Select records and bring them into view."""
        known = self.document.design
        here = frozenset(
            i for i in ids if i in known.devices or i in known.cables or i in known.notes
        ) or frozenset(i for i in ids if i in known.groups)
        if not here:
            return
        self.show_view("topology")
        self.document.selection.set(here)
        self.canvas.zoom_to(here)

    def show_finding(self, finding: Finding) -> None:
        """Select what a finding is about and bring it into view."""
        self.show_ids(frozenset(finding.ids))

    def step_finding(self, way: int) -> None:
        """Go to the next or previous finding."""
        finding = self.findings.step(way)
        if finding is not None:
            self.show_page(self.bottom_dock, "findings")
            self.show_finding(finding)

    def list_cables(self, query: str) -> None:
        """Show the cable schedule, filtered."""
        self.show_page(self.bottom_dock, "schedule")
        self.schedule.show_filter(query)

    def edit_assumption(self, key: str) -> None:
        """Show a parameter and begin to edit it; an empty key shows all."""
        self.show_page(self.side_dock, "assumptions")
        if key:
            self.assumptions.show_key(key)


def _below(bars: tuple[QWidget, ...], views: QWidget) -> QWidget:
    """Return bars with the views under them."""
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for bar in bars:
        column.addWidget(bar)
    column.addWidget(views, 1)
    return box
