"""The workload: a stock job or one's own, every field editable, with what follows from it."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from designer.engine.machines import gpu_memory_of
from designer.errors import DesignerError
from designer.formats.workload_file import save_workload
from designer.gui.bridge import Document, attempt
from designer.gui.labels import label, line, restyle
from designer.gui.panels import workload_hints
from designer.gui.panels.fields import ChoiceField, Field, NumberField, TextField
from designer.gui.panels.workload_facts import WorkloadFacts
from designer.gui.panels.workload_hints import Machine, domain_size
from designer.gui.panels.workload_rows import HintedForm
from designer.messages import N_, _
from designer.model.operations import set_workload
from designer.model.workload import Workload, load_workload, stock_workloads, with_field
from designer.units import format_number, format_significant

LAYOUT = (
    ("tp", N_("Tensor")),
    ("pp", N_("Pipeline")),
    ("cp", N_("Context")),
    ("ep", N_("Expert")),
    ("dp", N_("Data")),
)
STAGES = (
    ("virtual_stages", N_("Virtual stages")),
    ("end_layers", N_("Layer places at the ends")),
)
BATCH = (
    ("global_batch", N_("Global batch, sequences")),
    ("micro_batch", N_("Micro-batch, sequences")),
    ("sequence", N_("Sequence, tokens")),
)
MODEL = (
    ("layers", N_("Layers")),
    ("hidden", N_("Hidden size")),
    ("heads", N_("Heads")),
    ("kv_heads", N_("KV heads")),
    ("ffn", N_("Feed-forward size")),
    ("vocab", N_("Vocabulary")),
    ("experts", N_("Experts")),
    ("topk", N_("Experts a token")),
    ("parameters", N_("Parameters")),
    ("active_parameters", N_("Active parameters")),
    ("reference_gpus", N_("GPUs of the reference run")),
)
SHARES = (
    ("dp_overlap", N_("Gradients, share hidden")),
    ("pp_overlap", N_("Pipeline, share hidden")),
    ("tp_overlap", N_("Tensor, share hidden")),
    ("cp_overlap", N_("Context, share hidden")),
    ("ep_overlap", N_("Expert, share hidden")),
)
_ZERO = (
    (0, N_("0: nothing split")),
    (1, N_("1: optimizer")),
    (2, N_("2: + gradients")),
    (3, N_("3: + weights")),
)
_SP = ((True, N_("on")), (False, N_("off")))
_REGATHER = ((False, N_("kept")), (True, N_("gathered again")))
_REDUCE = ((False, N_("once a step")), (True, N_("each micro-batch")))
_ORDER = ((False, N_("TP, CP, PP, DP")), (True, N_("TP, CP, DP, PP")))
_RECOMPUTE = ((False, N_("kept")), (True, N_("recomputed")))
_BYTES = (
    (1.0, N_("FP8, 1 byte")),
    (2.0, N_("BF16, 2 bytes")),
    (4.0, N_("FP32, 4 bytes")),
)


class WorkloadPanel(QWidget):
    """The job that the results speak of.

    Signals:
        refused: The `DesignerError` of a value or file that was not taken.
        file_requested: `open` or `save`: a file dialog is wanted.
    """

    refused = Signal(object)
    file_requested = Signal(str)

    def __init__(self, document: Document, theme: str) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._document, self._theme = document, theme
        self._stock = stock_workloads()
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        body.setObjectName("panel")
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(16, 12, 16, 16)
        self._column.setSpacing(8)
        scroll.setWidget(body)
        outer.addWidget(scroll)
        self._head()
        self.body = QWidget()
        self._rows = QVBoxLayout(self.body)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(8)
        self._forms: list[HintedForm] = []
        self._sections()
        self._column.addWidget(self.body)
        self._column.addStretch(1)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self.refresh)
        document.edited.connect(self._refresh_soon)
        document.results_changed.connect(self._refresh_soon)
        self.refresh()

    def _refresh_soon(self, _change: object) -> None:
        self._later.start()

    def _head(self) -> None:
        self._column.addWidget(label(_("Model"), "rowStrong"))
        self.choice = ChoiceField()
        self.choice.setAccessibleName(_("Workload"))
        self.choice.committed.connect(self._choose)
        self._column.addWidget(self.choice)
        self.shape = label("", "small", wrap=True)
        self._column.addWidget(self.shape)
        row = QHBoxLayout()
        self.open_button = QPushButton(_("Open…"))
        self.open_button.clicked.connect(lambda: self.file_requested.emit("open"))
        self.save_button = QPushButton(_("Save as…"))
        self.save_button.clicked.connect(lambda: self.file_requested.emit("save"))
        self.reset_button = QPushButton(_("Reset to the library"))
        self.reset_button.setToolTip(_("Bring back the workload as it is in the library"))
        self.reset_button.clicked.connect(self._reset)
        row.addWidget(self.open_button)
        row.addWidget(self.save_button)
        row.addStretch(1)
        self._column.addLayout(row)
        self._column.addWidget(self.reset_button, 0, Qt.AlignmentFlag.AlignLeft)

    def _sections(self) -> None:
        self._gpus = self._section(_("Parallel layout"))
        form = self._form(beside=True)
        form.told_elsewhere = frozenset({"dp"})
        for name, title in LAYOUT:
            self._number(form, name, _(title), low=1, badge=name.upper())
        self.product = QFrame()
        self.product.setObjectName("hint")
        inner = QVBoxLayout(self.product)
        inner.setContentsMargins(10, 6, 10, 6)
        self.product_text = label("", "rowStrong", wrap=True)
        inner.addWidget(self.product_text)
        self._rows.addWidget(self.product)
        form = self._form()
        self._numbers(form, STAGES)
        self._choice(form, "pp_outer", _("Order of ranks"), _ORDER)
        self._choice(form, "sp", _("Sequence parallelism"), _SP)
        self._choice(form, "regather", _("Inputs, for backward"), _REGATHER)
        self._choice(form, "zero", _("ZeRO stage"), _ZERO)
        self._choice(form, "reduce_each", _("Gradients reduced"), _REDUCE)
        self._section(_("Batch and precision"))
        form = self._form()
        self._numbers(form, BATCH)
        self._choice(form, "param_bytes", _("Weights, as sent"), _BYTES)
        self._choice(form, "grad_bytes", _("Gradients, as sent"), _BYTES)
        self._section(_("What it comes to"))
        self.facts = WorkloadFacts(self._theme)
        self._rows.addWidget(self.facts)
        form = self._form()
        self._choice(form, "recompute", _("Activations"), _RECOMPUTE)
        self._numbers(form, (("optimizer_bytes", N_("Optimizer, bytes a weight")),), whole=False)
        self._section(_("Overlap with compute, 0 to 1"))
        self._numbers(self._form(), SHARES, whole=False)
        self._section(_("Shape of the model"))
        form = self._form()
        self._numbers(form, MODEL, whole=False)
        form.add("title", _("Title"), TextField(), lambda v: self._set("title", v))
        form.add("source", _("Source"), TextField(), lambda v: self._set("source", v))

    def _section(self, title: str) -> QLabel:
        """Add a hairline and a title; return the note at its right end."""
        note = label("", "small")
        row = QHBoxLayout()
        row.addWidget(label(title, "rowStrong"))
        row.addStretch(1)
        row.addWidget(note)
        self._rows.addSpacing(2)
        self._rows.addWidget(line())
        self._rows.addLayout(row)
        return note

    def _form(self, *, beside: bool = False) -> HintedForm:
        form = HintedForm(self._theme, beside=beside)
        form.refused.connect(self.refused)
        self._rows.addWidget(form)
        self._forms.append(form)
        return form

    def _numbers(
        self, form: HintedForm, rows: tuple[tuple[str, str], ...], *, whole: bool = True
    ) -> None:
        for name, title in rows:
            self._number(form, name, _(title), low=0, whole=whole)

    def _number(
        self,
        form: HintedForm,
        name: str,
        title: str,
        *,
        low: float,
        whole: bool = True,
        badge: str = "",
    ) -> None:
        follows = name == "dp"
        field = NumberField(whole=whole, empty=follows, low=0.0 if follows else low)
        form.add(name, title, field, partial(self._set, name), badge)

    def _choice(
        self, form: HintedForm, name: str, title: str, choices: tuple[tuple[Any, str], ...]
    ) -> None:
        found = [(value, _(text)) for value, text in choices]
        form.add(name, title, ChoiceField(found), lambda v: self._set(name, v))

    def field(self, name: str) -> Field:
        """Return the field of one value of the workload."""
        return next(f.fields[name] for f in self._forms if name in f.fields)

    # --- showing ---

    def refresh(self) -> None:
        """Show the workload of the drawing, and what follows from it."""
        workload = self._document.design.workload
        choices: list[tuple[object, str]] = [("", _("none"))]
        choices += [(w.name, _(w.title) or w.name) for w in self._stock.values()]
        if workload is not None and workload.name not in self._stock:
            choices.append((workload.name, _(workload.title) or workload.name))
        self.choice.set_choices(choices)
        self.choice.show_value(workload.name if workload is not None else "")
        self.body.setVisible(workload is not None)
        self.save_button.setEnabled(workload is not None)
        stock = self._stock.get(workload.name) if workload is not None else None
        changed = stock is not None and stock != workload
        self.reset_button.setVisible(changed)
        if workload is None:
            self.shape.setText(_("Choose a workload to see traffic and step time."))
            return
        self._show_shape(workload, changed=changed)
        machine = self._machine()
        for form in self._forms:
            for name, field in form.fields.items():
                field.show_value(getattr(workload, name))
        self._show_replicas(workload, machine)
        found = workload_hints.hints(workload, machine)
        for form in self._forms:
            form.show_hints(found)
        self.facts.show_workload(workload, machine)
        self._show_product(workload, machine)

    def _show_replicas(self, w: Workload, machine: Machine) -> None:
        """Show a data-parallel size that follows from the GPUs as such: pale, not typed."""
        if w.dp:
            return
        field = self.field("dp")
        assert isinstance(field, NumberField)
        field.show_value(None)
        found = workload_hints.replicas(w, machine.gpus)
        field.setPlaceholderText(format_number(found) if found is not None else _("auto"))
        field.setToolTip(_("Empty: what the GPUs of the drawing leave"))

    def _show_shape(self, w: Workload, *, changed: bool) -> None:
        bits = [
            _("{n} layers").format(n=format_number(w.layers)),
            _("hidden {n}").format(n=format_number(w.hidden)),
            _("{n} heads, {k} KV").format(n=format_number(w.heads), k=format_number(w.kv_heads)),
            _("{n} B parameters").format(n=format_significant(w.parameters / 1e9)),
        ]
        if changed:
            bits.append(_("changed from the library"))
        self.shape.setText(" · ".join(bits))

    def _show_product(self, workload: Workload, machine: Machine) -> None:
        gpus = machine.gpus
        note = _("{n} GPUs in the drawing").format(n=format_number(gpus)) if gpus else ""
        self._gpus.setText(note)
        line_ = workload_hints.product(workload, machine)
        self.product.setVisible(line_ is not None)
        if line_ is not None:
            self.product_text.setText(line_.text)
            restyle(self.product, severity=line_.kind)
            restyle(self.product_text, severity=line_.kind)

    def _machine(self) -> Machine:
        """Return what the drawing has, counted from its records: the engine may be behind."""
        design = self._document.design
        types: dict[str, tuple[int, int | None]] = {}
        for device in design.devices.values():
            if device.role == "server":
                n, each = types.get(device.type) or (0, design.gpus(device))
                types[device.type] = (n + 1, each)
        counts = {each for _n, each in types.values()}
        known = None not in counts
        gpus = sum(n * (each or 0) for n, each in types.values()) if known else None
        per_server = next(iter(counts)) if len(counts) == 1 else None
        memory = gpu_memory_of(design, types)
        return Machine(gpus, domain_size(self._document.results, per_server), memory)

    # --- changing ---

    def _choose(self, name: object) -> None:
        workload = self._stock.get(str(name))
        fault = attempt(self._document, lambda: set_workload(self._document.design, workload))
        if fault is not None:
            self.refused.emit(fault)

    def _reset(self) -> None:
        """Bring the stock workload of the same name back."""
        current = self._document.design.workload
        if current is not None:
            self._choose(current.name)

    def _set(self, name: str, value: Any) -> DesignerError | None:
        current = self._document.design.workload
        if current is None:
            return None
        kind = type(getattr(current, name))
        if name == "dp" and value is None:
            value = 0
        try:
            if kind is int and isinstance(value, float) and value == int(value):
                value = int(value)
            changed = with_field(current, name, value)
        except DesignerError as fault:
            return fault
        return attempt(self._document, lambda: set_workload(self._document.design, changed))

    def open_file(self, path: Path) -> None:
        """Read a workload file and use it."""
        try:
            workload = load_workload(path)
        except DesignerError as fault:
            self.refused.emit(fault)
            return
        if self._stock.get(workload.name) not in (None, workload):
            workload = replace(workload, name=f"{workload.name}-{path.stem}")
        self._document.apply(set_workload(self._document.design, workload))

    def save_file(self, path: Path) -> None:
        """Write the workload of the drawing to a file."""
        workload = self._document.design.workload
        if workload is None:
            return
        try:
            save_workload(workload, path)
        except DesignerError as fault:
            self.refused.emit(fault)
