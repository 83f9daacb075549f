"""The bar above the drawing: tools, undo, view, colour, detail, verdict, technology, export."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from designer.engine.results import Results
from designer.gui.actions import Actions
from designer.gui.icons import icon
from designer.gui.labels import line
from designer.gui.segments import Segments
from designer.messages import N_, _
from designer.units import format_money, format_number

TOOLS = ("tool_select", "tool_pan", "tool_cable", "tool_note")
VIEWS = (
    ("topology", "topology", N_("Topology")),
    ("cables", "table", N_("Cables")),
    ("workload", "gauge", N_("Workload")),
)
COLOURS = (
    ("rail", N_("Colour: rail")),
    ("utilization", N_("Colour: utilisation")),
    ("kind", N_("Colour: kind of cable")),
)
DETAILS = (
    (None, N_("Detail: automatic")),
    (0, N_("Detail: cluster")),
    (1, N_("Detail: unit")),
    (2, N_("Detail: device")),
    (3, N_("Detail: port")),
    (4, N_("Detail: full")),
)
FABRICS = (
    ("infiniband", N_("InfiniBand")),
    ("rocev2", N_("RoCE")),
    ("compare", N_("Compare")),
)
HEIGHT = 48
# Narrower than this, the verdict and the level of detail are left to the menus.
WIDE = 1460
NAMES = {"infiniband": N_("InfiniBand"), "rocev2": N_("RoCE")}


class Toolbar(QFrame):
    """The bar of one drawing.

    Signals:
        view_chosen, colour_chosen, fabric_chosen: Name of what was chosen.
        detail_chosen: Level of detail, or None for automatic.
        verdict_clicked: The verdict was clicked.
    """

    view_chosen = Signal(str)
    colour_chosen = Signal(str)
    detail_chosen = Signal(object)
    fabric_chosen = Signal(str)
    verdict_clicked = Signal()

    def __init__(self, actions: Actions, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("toolbar")
        self.setFixedHeight(HEIGHT)
        self._theme = theme
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(8, 0, 8, 0)
        self._row.setSpacing(6)
        for name in TOOLS:
            self._row.addWidget(self._button(actions[name]))
        self._divide()
        for name in ("undo", "redo"):
            self._row.addWidget(self._button(actions[name]))
        self._divide()
        self._row.addWidget(self._views())
        self._row.addSpacing(8)
        self._row.addWidget(self._colours())
        self._row.addSpacing(4)
        self._row.addWidget(self._details())
        self._row.addStretch(1)
        self._row.addWidget(self._verdict())
        self._row.addSpacing(4)
        self._row.addWidget(self._fabrics())
        self._row.addSpacing(8)
        self._row.addWidget(self._export(actions["export"]))

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(action)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        button.setIconSize(QSize(20, 20))
        button.setAccessibleName(action.toolTip())
        button.setFixedSize(32, 32)
        return button

    def _divide(self) -> None:
        divider = line(vertical=True)
        divider.setFixedHeight(24)
        self._row.addSpacing(4)
        self._row.addWidget(divider)
        self._row.addSpacing(4)

    def _views(self) -> Segments:
        self.views = Segments(_("View"), self._theme)
        for key, picture, text in VIEWS:
            self.views.add(key, _(text), picture)
        self.views.choose("topology")
        self.views.chosen.connect(self.view_chosen)
        return self.views

    def _colours(self) -> QComboBox:
        self.colours = QComboBox()
        self.colours.setAccessibleName(_("Colour of cables"))
        for key, text in COLOURS:
            self.colours.addItem(_(text), key)
        self.colours.activated.connect(
            lambda: self.colour_chosen.emit(str(self.colours.currentData()))
        )
        return self.colours

    def _details(self) -> QComboBox:
        self.details = QComboBox()
        self.details.setAccessibleName(_("Level of detail"))
        for level, text in DETAILS:
            self.details.addItem(_(text), level)
        self.details.activated.connect(lambda: self.detail_chosen.emit(self.details.currentData()))
        return self.details

    def _verdict(self) -> QToolButton:
        self.verdict = QToolButton()
        self.verdict.setProperty("role", "row")
        self.verdict.setIcon(icon("compare", "text2", self._theme))
        self.verdict.setIconSize(QSize(16, 16))
        self.verdict.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.verdict.setAutoRaise(True)
        self.verdict.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.verdict.clicked.connect(self.verdict_clicked)
        self.verdict.hide()
        return self.verdict

    def _fabrics(self) -> Segments:
        self.fabrics = Segments(_("Technology"), self._theme)
        for key, text in FABRICS:
            self.fabrics.add(key, _(text))
        self.fabrics.chosen.connect(self.fabric_chosen)
        return self.fabrics

    def _export(self, action: QAction) -> QToolButton:
        button = QToolButton()
        button.setObjectName("exportButton")
        button.setProperty("role", "rowStrong")
        button.setText(_("Export"))
        button.setIcon(icon("export", "text", self._theme))
        button.setIconSize(QSize(16, 16))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setToolTip(action.toolTip())
        button.clicked.connect(action.trigger)
        action.enabledChanged.connect(button.setEnabled)
        return button

    # --- what it says ---

    def show_colour(self, mode: str) -> None:
        """Show which colours the canvas uses."""
        self.colours.setCurrentIndex(max(0, self.colours.findData(mode)))

    def show_results(self, results: Results) -> None:
        """Show the technology the results speak of, and the verdict."""
        self.fabrics.choose(str(results.get("fabric") or ""))
        text = verdict_text(results)
        self.verdict.setText(text)
        self.verdict.setToolTip(str(results.get("verdict.sentence") or ""))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what a narrow window has no room for."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        wide = self.width() >= WIDE
        self.verdict.setVisible(wide and bool(self.verdict.text()))
        self.details.setVisible(wide)


def verdict_text(results: Results) -> str:
    """Return the verdict in a few words, or an empty text when there is none."""
    choice = results.get("verdict.choice")
    if choice == "too_close_to_call":
        return _("Too close to call: ranges overlap")
    margin = results.get("verdict.margin_usd")
    if choice not in NAMES or not isinstance(margin, dict):
        return ""
    years = results.get("assumptions.years.value")
    return _("{fabric} ahead by {money} over {n} years").format(
        fabric=_(NAMES[choice]),
        money=format_money(abs(margin["typical"])),
        n=format_number(years["typical"] if isinstance(years, dict) else years or 4),
    )
