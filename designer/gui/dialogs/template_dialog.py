"""New from template: parameters, the real drawing and its price, before it is created."""

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from designer.catalog.catalog import Catalog
from designer.engine.results import Results
from designer.errors import DesignerError
from designer.gui.dialogs.fabrics import FABRICS
from designer.gui.dialogs.pictures import TemplatePicture
from designer.gui.dialogs.preview import DesignPreview
from designer.gui.dialogs.template_facts import BeforeCard, FactRow, PriceCard, facts
from designer.gui.dialogs.template_form import TemplateForm
from designer.gui.dialogs.template_work import Preview, PreviewMaker
from designer.gui.labels import Elided, label, line
from designer.messages import _
from designer.model.design import Design
from designer.topologies import TEMPLATES
from designer.units import format_number, format_percent, format_time

# Keys that follow one another faster than this make one preview.
_WAIT_MS = 180
_LIST_WIDTH, _TILE_WIDTH, _FORM_WIDTH = 212, 186, 348


class TemplateDialog(QDialog):
    """Chooses a template and its parameters; `design()` gives the drawing after Create.

    Signals:
        previewed: A preview is complete, with its figures or the reason why there is none.
    """

    previewed = Signal()
    _made = Signal(object)

    def __init__(
        self,
        catalog: Catalog,
        theme: str,
        template: str = "rail-optimized",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._catalog, self._theme = catalog, theme
        self._design: Design | None = None
        self._maker = PreviewMaker(catalog, self._made.emit)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_WAIT_MS)
        self._wait.timeout.connect(self._start)
        self._made.connect(self._show)
        self.setObjectName("templateDialog")
        self.setWindowTitle(_("New from template"))
        self._build()
        self._fit(parent)
        self.choose(template)

    def _fit(self, parent: QWidget | None) -> None:
        room = parent.window().size() if parent is not None else QSize(1600, 1000)
        self.resize(min(1430, room.width() - 60), min(830, room.height() - 60))

    # --- building ---

    def _build(self) -> None:
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addLayout(self._head())
        outer.addWidget(line())
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self._list())
        row.addWidget(line(vertical=True))
        row.addWidget(self._parameters())
        row.addWidget(line(vertical=True))
        row.addLayout(self._preview(), 1)
        outer.addLayout(row, 1)
        outer.addWidget(line())
        outer.addLayout(self._foot())

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(24, 14, 24, 14)
        head.setSpacing(14)
        head.addWidget(label(_("New from template"), "heading"))
        text = _("Nothing is created until you press Create; the preview is the real drawing.")
        head.addWidget(Elided(text, "secondary"), 1)
        return head

    def _list(self) -> QListWidget:
        self.templates = QListWidget()
        self.templates.setObjectName("templateList")
        self.templates.setFixedWidth(_LIST_WIDTH)
        self.templates.setAccessibleName(_("Templates"))
        self.templates.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.templates.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.templates.verticalScrollBar().setSingleStep(30)
        for template in TEMPLATES.values():
            item = QListWidgetItem()
            item.setData(Qt.ItemDataRole.UserRole, template.name)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, _(template.title))
            item.setToolTip(_(template.description))
            item.setSizeHint(QSize(_TILE_WIDTH, 124))
            self.templates.addItem(item)
            self.templates.setItemWidget(item, self._tile(template.name))
        self.templates.currentItemChanged.connect(self._template_changed)
        return self.templates

    def _tile(self, name: str) -> QWidget:
        tile = QWidget()
        tile.setMaximumWidth(_TILE_WIDTH)
        tile.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column = QVBoxLayout(tile)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(1)
        column.addWidget(TemplatePicture(name, self._theme), 1)
        column.addSpacing(4)
        column.addWidget(label(_(TEMPLATES[name].title), "rowStrong"))
        size, technology = _(TEMPLATES[name].size), _(TEMPLATES[name].technology_title)
        column.addWidget(label(", ".join(filter(None, (size, technology))), "small"))
        return tile

    def _parameters(self) -> QScrollArea:
        self.pane = QScrollArea()
        self.pane.setWidgetResizable(True)
        self.pane.setFixedWidth(_FORM_WIDTH)
        self.pane.setFrameShape(QFrame.Shape.NoFrame)
        self.pane.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        return self.pane

    def _preview(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setContentsMargins(20, 14, 20, 14)
        column.setSpacing(8)
        head = QHBoxLayout()
        self.timing = label("", "small")
        head.addWidget(label(_("Preview"), "section"))
        head.addStretch(1)
        head.addWidget(self.timing)
        column.addLayout(head)
        self.picture = DesignPreview(self._theme)
        column.addWidget(self.picture, 1)
        self.fault = label("", "", wrap=True)
        self.fault.setObjectName("faultCard")
        self.fault.hide()
        column.addWidget(self.fault)
        self.facts = FactRow(self._theme)
        column.addWidget(self.facts)
        cards = QHBoxLayout()
        cards.setSpacing(14)
        self.price, self.before = PriceCard(self._theme), BeforeCard(self._theme)
        cards.addWidget(self.price, 1)
        cards.addWidget(self.before, 1)
        column.addLayout(cards)
        return column

    def _foot(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(24, 12, 24, 12)
        row.setSpacing(8)
        self.estimate = Elided("", "rowStrong")
        row.addWidget(self.estimate, 1)
        cancel = QPushButton(_("Cancel"))
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.create_button = QPushButton(_("Create"))
        self.create_button.setProperty("primary", True)
        self.create_button.setDefault(True)
        self.create_button.clicked.connect(self.accept)
        row.addWidget(cancel)
        row.addWidget(self.create_button)
        return row

    # --- choosing ---

    def choose(self, name: str) -> None:
        """Select a template by name."""
        for k in range(self.templates.count()):
            item = self.templates.item(k)
            if item.data(Qt.ItemDataRole.UserRole) == name:
                self.templates.setCurrentItem(item)
                self.templates.scrollToItem(item)

    def template(self) -> str:
        """Return the name of the chosen template."""
        return str(self.templates.currentItem().data(Qt.ItemDataRole.UserRole))

    @property
    def fields(self) -> dict[str, QWidget]:
        """Return the fields of the chosen template by parameter."""
        return self.form.fields

    def _template_changed(self) -> None:
        self.form = TemplateForm(TEMPLATES[self.template()], self._catalog, self._theme)
        self.form.changed.connect(self._changed)
        self.pane.setWidget(self.form)
        self._changed()

    # --- preview ---

    def _changed(self) -> None:
        self._design = None
        self.create_button.setEnabled(False)
        self.timing.setText(_("Computing"))
        self._maker.cancel()
        self._wait.start()

    def _start(self) -> None:
        self._maker.submit(self.template(), self.form.values())

    def _show(self, made: Preview) -> None:
        if made.number != self._maker.newest:
            return
        self._design = made.design
        self.create_button.setEnabled(made.design is not None)
        self._show_fault(made.fault)
        if made.results is None:
            self.picture.set_columns(made.columns)
        if made.design is not None:
            self._show_drawing(made)
        if made.results is not None or made.fault is not None:
            self.previewed.emit()

    def _show_fault(self, fault: DesignerError | None) -> None:
        self.fault.setVisible(fault is not None)
        for widget in (self.facts, self.price, self.before):
            widget.setVisible(fault is None)
        self.form.mark_wrong(_named(fault, set(self.fields)) if fault is not None else set())
        if fault is not None:
            self.fault.setText(f"{fault.message}\n{fault.hint}".strip())
            self.timing.setText("")
            self.estimate.setText("")
            self.create_button.setText(_("Create"))

    def _show_drawing(self, made: Preview) -> None:
        assert made.design is not None  # the caller asked
        technology = _technology(made.results, self.template())
        gpus = sum(made.design.gpus(d) or 0 for d in made.design.devices.values())
        text = _("Create {n}-GPU drawing") if gpus else _("Create drawing")
        self.create_button.setText(text.format(n=format_number(gpus)))
        if made.results is None:
            self.timing.setText(_("drawn in {time}").format(time=format_time(made.seconds)))
        else:
            self.facts.set_facts(facts(made.results, technology))
            self.estimate.setText(_estimate(made.results))
        self.price.show_results(made.results, technology)
        self.before.show_results(made.results)

    def design(self) -> Design | None:
        """Return the drawing to create, or None when the parameters do not work."""
        return self._design

    def showEvent(self, event: QShowEvent) -> None:
        """Bring the chosen template into view, now that the list has its size."""
        super().showEvent(event)
        self.templates.scrollToItem(self.templates.currentItem())

    # --- closing ---

    def accept(self) -> None:
        """Close when there is a drawing."""
        if self._design is not None:
            super().accept()

    def done(self, result: int) -> None:
        """Stop the worker and close."""
        self._wait.stop()
        self._maker.shutdown()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing the window is Cancel."""
        self.reject()
        event.accept()


def _named(fault: DesignerError, names: set[str]) -> set[str]:
    return {n for n in names if fault.message.startswith(f"{n} ")}


def _technology(results: Results | None, template: str) -> str:
    drawn = results.get("fabric") if results is not None else None
    if drawn in {f[0] for f in FABRICS}:
        return str(drawn)
    return "rocev2" if TEMPLATES[template].technology == "ethernet" else "infiniband"


def _estimate(results: Results) -> str:
    parts = []
    time = results.get("collectives.all_reduce.time_s")
    if time is not None:
        parts.append(_("All-reduce of 1 GiB about {time}").format(time=format_time(time)))
    step = results.get("step.time_s")
    if step is not None:
        parts.append(_("step {time}").format(time=format_time(step)))
    idle = results.get("step.network_idle_share")
    if idle is not None:
        parts.append(_("idle, network share {share}").format(share=format_percent(idle)))
    return " · ".join(parts)
