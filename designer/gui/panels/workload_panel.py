"""The workload: a stock job or one's own, every field editable, with what follows from it."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from designer.errors import DesignerError
from designer.formats.workload_file import save_workload
from designer.gui.bridge import Document, attempt
from designer.gui.labels import label, line, restyle
from designer.gui.panels import workload_hints
from designer.gui.panels.fields import ChoiceField, Field, Form, NumberField, TextField
from designer.messages import N_, _
from designer.model.operations import set_workload
from designer.model.workload import Workload, load_workload, stock_workloads, with_field
from designer.units import format_number, format_significant

LAYOUT = (
    ("tp", N_("Tensor, TP")),
    ("pp", N_("Pipeline, PP")),
    ("cp", N_("Context, CP")),
    ("ep", N_("Expert, EP")),
    ("dp", N_("Data, DP")),
)
BATCH = (
    ("global_batch", N_("Global batch, sequences")),
    ("micro_batch", N_("Micro-batch, sequences")),
    ("sequence", N_("Sequence, tokens")),
    ("virtual_stages", N_("Virtual stages")),
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
    ("tp_overlap", N_("Tensor parallel, share hidden")),
)
_ZERO = (
    (0, N_("0: plain data parallel")),
    (1, N_("1: optimizer states split")),
    (2, N_("2: and gradients")),
    (3, N_("3: and weights, FSDP")),
)
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
        self._document = document
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
        self._forms: list[Form] = []
        self.hints: dict[str, Any] = {}
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
        row.addWidget(self.open_button)
        row.addWidget(self.save_button)
        row.addStretch(1)
        self._column.addLayout(row)

    def _sections(self) -> None:
        self._section(_("Parallel layout"))
        self.layout_form = self._numbers(LAYOUT, low=1)
        self.product = QFrame()
        self.product.setObjectName("hint")
        inner = QVBoxLayout(self.product)
        inner.setContentsMargins(10, 6, 10, 6)
        self.product_text = label("", "rowStrong", wrap=True)
        inner.addWidget(self.product_text)
        self._rows.addWidget(self.product)
        self._section(_("Batch and precision"))
        form = self._numbers(BATCH, low=0)
        self._choice(form, "param_bytes", _("Weights, as sent"), _BYTES)
        self._choice(form, "grad_bytes", _("Gradients, as sent"), _BYTES)
        self._choice(form, "zero", _("ZeRO stage"), _ZERO)
        self._choice(form, "sp", _("Sequence parallelism"), ((True, N_("on")), (False, N_("off"))))
        self._section(_("Overlap with compute, 0 to 1"))
        self._numbers(SHARES, low=0, whole=False)
        self._section(_("Shape of the model"))
        self._numbers(MODEL, low=0, whole=False)
        form = self._form()
        form.add("title", _("Title"), TextField(), lambda v: self._set("title", v))
        form.add("source", _("Source"), TextField(), lambda v: self._set("source", v))

    def _section(self, title: str) -> None:
        self._rows.addSpacing(2)
        self._rows.addWidget(line())
        self._rows.addWidget(label(title, "rowStrong"))

    def _form(self) -> Form:
        form = Form(132)
        form.refused.connect(self.refused)
        self._rows.addWidget(form)
        self._forms.append(form)
        return form

    def _numbers(
        self, rows: tuple[tuple[str, str], ...], *, low: float, whole: bool = True
    ) -> Form:
        form = self._form()
        for name, title in rows:
            lowest = 0.0 if name == "dp" else low
            field = NumberField(whole=whole, empty=False, low=lowest)
            form.add(name, _(title), field, partial(self._set, name))
            self.hints[name] = self._hint(form)
        return form

    def _hint(self, form: Form) -> Any:
        hint = label("", "small", wrap=True)
        grid = form.layout()
        assert isinstance(grid, QGridLayout)
        grid.addWidget(hint, grid.rowCount(), 1)
        hint.hide()
        return hint

    def _choice(
        self, form: Form, name: str, title: str, choices: tuple[tuple[Any, str], ...]
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
        if workload is None:
            self.shape.setText(_("Choose a workload to see traffic and step time."))
            return
        self._show_shape(workload)
        for form in self._forms:
            for name, field in form.fields.items():
                field.show_value(getattr(workload, name))
        self._show_hints(workload)

    def _show_shape(self, w: Workload) -> None:
        stock = self._stock.get(w.name)
        changed = stock is not None and stock != w
        bits = [
            _("{n} layers").format(n=format_number(w.layers)),
            _("hidden {n}").format(n=format_number(w.hidden)),
            _("{n} heads, {k} KV").format(n=format_number(w.heads), k=format_number(w.kv_heads)),
            _("{n} B parameters").format(n=format_significant(w.parameters / 1e9)),
        ]
        if changed:
            bits.append(_("changed from the library"))
        self.shape.setText(" · ".join(bits))

    def _show_hints(self, workload: Workload) -> None:
        results = self._document.results
        gpus = results.get("counts.gpus") if results is not None else None
        found = workload_hints.hints(workload, gpus, self._domain())
        for name, text in self.hints.items():
            hint = found.get(name)
            text.setVisible(hint is not None)
            if hint is not None:
                text.setText(hint.text)
                restyle(text, severity={"ok": "ok", "error": "error"}.get(hint.kind, ""))
        line_ = workload_hints.product(workload, gpus)
        self.product.setVisible(line_ is not None)
        if line_ is not None:
            self.product_text.setText(line_.text)
            restyle(self.product, severity="error" if line_.kind == "error" else "ok")
            restyle(self.product_text, severity="error" if line_.kind == "error" else "ok")

    def _domain(self) -> int | None:
        design = self._document.design
        counts = {design.gpus(d) for d in design.devices.values() if d.role == "server"}
        per_server = counts.pop() if len(counts) == 1 else None
        return workload_hints.domain_size(self._document.results, per_server)

    # --- changing ---

    def _choose(self, name: object) -> None:
        workload = self._stock.get(str(name))
        fault = attempt(self._document, lambda: set_workload(self._document.design, workload))
        if fault is not None:
            self.refused.emit(fault)

    def _set(self, name: str, value: Any) -> DesignerError | None:
        current = self._document.design.workload
        if current is None:
            return None
        kind = type(getattr(current, name))
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
