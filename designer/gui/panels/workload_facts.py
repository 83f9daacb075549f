"""What a workload comes to on the GPUs of the drawing: replicas, batches, weights, memory."""

from typing import Literal

from PySide6.QtWidgets import QVBoxLayout, QWidget

from designer.engine.layout import Layout
from designer.engine.memory import Memory, memory_fault, memory_of
from designer.engine.step_parts import sizes_of
from designer.gui.charts.bars import Part, StackedBar
from designer.gui.labels import label
from designer.gui.panels.fields import Form
from designer.gui.panels.workload_hints import Hint, Machine, laid_out
from designer.gui.panels.workload_rows import HintLine
from designer.messages import N_, _
from designer.model.workload import Workload
from designer.units import format_bytes, format_number, format_significant

_MEMORY = (
    ("weights", N_("Weights"), "loc1"),
    ("gradients", N_("Gradients"), "loc2"),
    ("optimizer", N_("Optimizer"), "text3"),
    ("activations", N_("Activations"), "loc3"),
)


class WorkloadFacts(QWidget):
    """Figures that follow from the form, at once and without the engine's answer."""

    def __init__(self, theme: str) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self.rows = Form(124)
        for name, title in (
            ("dp", _("Replicas, DP")),
            ("microbatches", _("Micro-batches a replica")),
            ("batch", _("Sequences a step")),
            ("weights", _("Weights a GPU")),
            ("memory", _("Memory a GPU, estimated")),
        ):
            self.rows.add_value(name, title)
        column.addWidget(self.rows)
        self.bar = StackedBar(theme, 12)
        column.addWidget(self.bar)
        self.legend = label("", "small", wrap=True)
        column.addWidget(self.legend)
        self.fault = HintLine(theme)
        column.addWidget(self.fault)

    def show_workload(self, workload: Workload, machine: Machine) -> None:
        """Show what follows from a workload, or that it does not fit."""
        layout = laid_out(workload, machine)
        self.setVisible(layout is not None)
        if layout is None:
            return
        held = sizes_of(layout).weights
        self.rows.show_value("dp", format_number(layout.dp))
        self.rows.show_value("microbatches", format_number(layout.microbatches))
        self.rows.show_value("batch", format_number(layout.global_batch))
        self.rows.show_value("weights", _("{n} B").format(n=format_significant(held / 1e9)))
        memory = memory_of(layout)
        hint = _memory_hint(layout, memory, machine)
        self._show_memory(memory, machine, hint.kind if hint is not None else "")
        self.fault.show_hint(hint)

    def _show_memory(self, memory: Memory, machine: Machine, severity: str) -> None:
        total = format_bytes(memory.total)
        if machine.memory is not None:
            total = _("{need} of {have}").format(need=total, have=format_bytes(machine.memory))
        self.rows.show_value("memory", total, "" if severity == "info" else severity)
        values = [(_(title), float(getattr(memory, key)), token) for key, title, token in _MEMORY]
        parts = [Part(title, value, token) for title, value, token in values]
        free = (machine.memory or 0.0) - memory.total
        if free > 0:
            parts.append(Part(_("free"), free, "hover"))
        self.bar.set_parts(parts)
        self.legend.setText(
            " · ".join(f"{title} {format_bytes(value)}" for title, value, _token in values)
        )


def _memory_hint(layout: Layout, memory: Memory, machine: Machine) -> Hint | None:
    """Return that it does not fit and what would help; None where it fits."""
    if machine.memory is None:
        return Hint("info", _("The memory of the GPUs is unknown."))
    over = memory_fault(layout, machine.memory)
    if over is None:
        return None
    text = _("{n} too much for the GPU.").format(n=format_bytes(memory.total - machine.memory))
    kind: Literal["warning", "error"] = "warning" if over.severity == "info" else "error"
    return Hint(kind, f"{text} {over.hint}")
