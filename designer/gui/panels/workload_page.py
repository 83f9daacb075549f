"""The workload as a view of its own: the step over time, and all assumptions in full."""

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from designer.engine.pipeline import Pass, pipeline_schedule
from designer.engine.results import Results
from designer.gui.bridge import Document
from designer.gui.charts.dimensions import DimensionBars, Row
from designer.gui.charts.stages import Stages
from designer.gui.charts.timeline import Timeline
from designer.gui.labels import Figure, label
from designer.gui.panels.assumptions_panel import AssumptionsPanel
from designer.gui.panels.card import why
from designer.gui.panels.step_lanes import DIMENSIONS, caption, lanes, slots_of
from designer.gui.segments import Segments
from designer.messages import N_, _
from designer.units import format_number, format_percent, format_time

VIEWS = (
    ("stage", N_("1 stage")),
    ("stages", N_("Stages")),
    ("network", N_("Network")),
)
# More passes than this are no picture any more, and slow to paint.
MOST_PASSES = 8_000


class WorkloadPage(QWidget):
    """A card with the step, above the table of assumptions.

    Signals:
        refused: The `DesignerError` of a value that was not taken.
        explain: Dotted key of a figure, and where it stands on the screen.
    """

    refused = Signal(object)
    explain = Signal(str, QPoint)

    def __init__(self, document: Document, theme: str) -> None:
        super().__init__()
        self._document = document
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(16)
        column.addWidget(self._step_card(theme))
        box = QFrame()
        box.setObjectName("card")
        inner = QVBoxLayout(box)
        inner.setContentsMargins(1, 1, 1, 1)
        self.assumptions = AssumptionsPanel(document, theme, narrow=False)
        self.assumptions.refused.connect(self.refused)
        inner.addWidget(self.assumptions)
        column.addWidget(box, 1)
        document.results_changed.connect(self._show)
        document.computing.connect(self._on_computing)

    def _on_computing(self, _behind: int) -> None:
        self.time.set_stale(not self._document.current)

    def _step_card(self, theme: str) -> QFrame:
        box = QFrame()
        box.setObjectName("card")
        column = QVBoxLayout(box)
        column.setContentsMargins(16, 10, 16, 8)
        row = QHBoxLayout()
        row.setSpacing(12)
        self.time = Figure("figure", _("Training step, time"))
        self.time.explain.connect(self.explain)
        self.note = label("", "row", wrap=True)
        row.addWidget(label(_("Training step"), "title"))
        row.addWidget(self.time)
        row.addWidget(self.note, 1)
        column.addLayout(row)
        self.views = Segments(_("View of the step"), theme)
        for key, title in VIEWS:
            self.views.add(key, _(title))
        self.views.choose("stage")
        self.views.chosen.connect(lambda _key: self._show(self._document.results))
        row.addWidget(self.views)
        self.timeline, self.stages = Timeline(theme), Stages(theme)
        self.bars = DimensionBars(theme)
        for chart in (self.timeline, self.stages, self.bars):
            column.addWidget(chart)
        self.caption = label("", "small", wrap=True)
        column.addWidget(self.caption)
        return box

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with the results that came while the view was hidden."""
        super().showEvent(event)
        self._show(self._document.results)

    def _show(self, results: Results | None) -> None:
        """Show a step; a hidden view waits, for it must not slow the drawing down."""
        if not self.isVisible():
            return
        time = results.get("step.time_s") if results is not None else None
        self.views.setVisible(time is not None)
        if results is None or time is None:
            for chart in (self.timeline, self.stages, self.bars, self.caption):
                chart.hide()
            self.time.show_value(None, reason=why(results, "step.time_s"))
            self.note.setText(why(results, "step.time_s"))
            return
        self.time.show_value(format_time(time), "step.time_s")
        idle, net = results.get("step.gpu_idle_share"), results.get("step.network_idle_share")
        self.note.setText(
            _("Compute {share}, idle {idle}, of that lost to the network {net}").format(
                share=format_percent(1 - (idle or 0.0)),
                idle=format_percent(idle or 0.0),
                net=format_percent(net or 0.0),
            )
        )
        self._offer_stages(results)
        self._show_chart(results, time)

    def _offer_stages(self, results: Results) -> None:
        """Offer the view of all stages where there are several that can be drawn."""
        layout = results.get("step.layout")
        button = self.views.buttons["stages"]
        passes = 2 * layout["pp"] * layout["virtual_stages"] * layout["microbatches"]
        button.setEnabled(layout["pp"] > 1 and passes <= MOST_PASSES)
        tip = ""
        if layout["pp"] == 1:
            tip = _("The job has one stage.")
        elif passes > MOST_PASSES:
            tip = _("{n} passes are too many to draw.").format(n=format_number(passes))
        button.setToolTip(tip)
        if not button.isEnabled() and self.views.current() == "stages":
            self.views.choose("stage")

    def _show_chart(self, results: Results, time: float) -> None:
        view = self.views.current()
        self.timeline.setVisible(view == "stage")
        self.stages.setVisible(view == "stages")
        self.bars.setVisible(view == "network")
        self.caption.show()
        if view == "stage":
            self.timeline.set_lanes(lanes(results), time)
            self.caption.setText(caption(results))
        elif view == "stages":
            self._show_stages(results)
        else:
            self.bars.set_rows(rows_of(results))
            self.caption.setText(_("Sent in one step by all GPUs together, one way."))

    def _show_stages(self, results: Results) -> None:
        found = stages_of(results)
        self.stages.setVisible(found is not None)
        if found is None:
            self.caption.setText(
                _("Micro-batches are no multiple of the stages: the schedule does not close.")
            )
            return
        self.stages.set_stages(found)
        self.caption.setText(
            _(
                "Pale forward, full backward, with the number of the micro-batch; hatched: "
                "waiting. Times include tensor, context and expert traffic."
            )
        )


def stages_of(results: Results) -> list[list[Pass]] | None:
    """Return the schedule of the pipeline, with communication of every layer in its passes."""
    step = results.get("step")
    layout, slots = step["layout"], slots_of(step)
    m = layout["microbatches"]
    whole = slots.seconds * slots.count / m
    compute = step["compute_s"] / m
    forward = compute * slots.forward + (whole - compute) / 2
    return pipeline_schedule(layout["pp"], layout["virtual_stages"], m, forward, whole - forward)


def rows_of(results: Results) -> list[Row]:
    """Return the bytes of every dimension that sends any."""
    table = results.get("traffic.by_dimension") or {}
    shares = results.get("traffic.dimension_share") or {}
    return [
        Row(_(title), table[key], shares.get(key, 0.0))
        for key, title, _token in DIMENSIONS
        if sum(table.get(key, {}).values()) > 0
    ]
