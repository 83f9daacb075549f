"""The workload as a view of its own: the step over time, and all assumptions in full."""

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from designer.engine.results import Results
from designer.gui.bridge import Document
from designer.gui.charts.timeline import Lane, Span, Timeline
from designer.gui.labels import Figure, label
from designer.gui.panels.assumptions_panel import AssumptionsPanel
from designer.gui.panels.card import why
from designer.messages import N_, _
from designer.units import format_percent, format_time

DIMENSIONS = (
    ("tp", N_("Tensor parallel"), "loc2"),
    ("cp", N_("Context parallel"), "leaf"),
    ("ep", N_("Expert parallel"), "spine"),
    ("pp", N_("Pipeline"), "text3"),
    ("dp", N_("Gradients and weights"), "loc3"),
)


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
        self._show(document.results)

    def _on_computing(self, behind: int) -> None:
        self.time.set_stale(bool(behind))

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
        self.timeline = Timeline(theme)
        column.addWidget(self.timeline)
        return box

    def _show(self, results: Results | None) -> None:
        time = results.get("step.time_s") if results is not None else None
        self.timeline.setVisible(time is not None)
        if results is None or time is None:
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
        self.timeline.set_lanes(lanes(results), time)


def lanes(results: Results) -> list[Lane]:
    """Return the lanes of a step: compute first, then each dimension, bubble and stragglers.

    Durations are those of the model; within the step they are drawn one after another, exposed
    communication behind compute, the hidden part before it.
    """
    step = results.get("step") or {}
    compute, bubble = step.get("compute_s") or 0.0, step.get("bubble_s") or 0.0
    jitter = step.get("jitter_s") or 0.0
    found = [Lane(_("Compute"), "loc1", (Span(0.0, compute),), format_time(compute))]
    at = compute
    for key, title, token in DIMENSIONS:
        part = (step.get("parts") or {}).get(key)
        if not part:
            continue
        exposed = part.get("exposed_s") or 0.0
        hidden = max(0.0, (part.get("time_s") or 0.0) - exposed)
        spans = [Span(at, at + exposed)]
        if hidden > 0:
            spans.insert(0, Span(max(0.0, at - hidden), at, "hidden"))
        text = _("{exposed} exposed").format(exposed=format_time(exposed))
        found.append(Lane(_(title), token, tuple(spans), text))
        at += exposed
    if bubble > 0:
        span = Span(at, at + bubble, "idle")
        found.append(Lane(_("Pipeline bubble"), "loc1", (span,), format_time(bubble)))
        at += bubble
    if jitter > 0:
        span = Span(at, at + jitter, "idle")
        found.append(Lane(_("Stragglers"), "text3", (span,), format_time(jitter)))
    return found
