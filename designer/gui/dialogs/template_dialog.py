"""New from template: parameters, the real drawing and its price, before it is created."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from designer.catalog.catalog import Catalog
from designer.engine.analyze import analyze
from designer.engine.options import Options
from designer.engine.results import Results
from designer.errors import CancelledError, DesignerError
from designer.gui.dialogs.pictures import TemplatePicture
from designer.gui.dialogs.preview import DesignPreview
from designer.gui.dialogs.template_facts import FactRow, facts
from designer.messages import _
from designer.model.design import Design
from designer.services.create import new_design
from designer.topologies import TEMPLATES
from designer.topologies.parameters import Parameter
from designer.units import format_number, format_time


@dataclass(frozen=True, slots=True)
class Preview:
    """What the worker made of the parameters: a drawing with results, or what is wrong."""

    number: int
    design: Design | None
    results: Results | None
    seconds: float
    fault: DesignerError | None = None


class TemplateDialog(QDialog):
    """Chooses a template and its parameters; `design()` gives the drawing after Create.

    Signals:
        previewed: A preview was shown; for tests and screenshots.
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
        self._number = 0
        self._stop = threading.Event()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="railspine-template")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(180)
        self._timer.timeout.connect(self._start)
        self._made.connect(self._show)
        self.setWindowTitle(_("New from template"))
        self.resize(1360, 800)
        self._build()
        self.choose(template)

    # --- building ---

    def _build(self) -> None:
        outer = QVBoxLayout(self)
        head = QHBoxLayout()
        title = QLabel(_("New from template"))
        title.setProperty("role", "heading")
        head.addWidget(title)
        note = QLabel(
            _("Nothing is created until you press Create; the preview is the real drawing.")
        )
        note.setProperty("role", "secondary")
        note.setWordWrap(True)
        head.addWidget(note, 1)
        outer.addLayout(head)
        row = QHBoxLayout()
        row.addWidget(self._list())
        row.addWidget(self._parameters())
        row.addLayout(self._preview(), 1)
        outer.addLayout(row, 1)
        outer.addLayout(self._foot())

    def _list(self) -> QListWidget:
        self.templates = QListWidget()
        self.templates.setFixedWidth(216)
        self.templates.setAccessibleName(_("Templates"))
        self.templates.setSpacing(2)
        for template in TEMPLATES.values():
            item = QListWidgetItem()
            item.setData(Qt.ItemDataRole.UserRole, template.name)
            item.setToolTip(_(template.description))
            item.setSizeHint(QSize(190, 120))
            tile = QWidget()
            tile.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            column = QVBoxLayout(tile)
            column.setContentsMargins(6, 6, 6, 4)
            column.addWidget(TemplatePicture(template.name, self._theme), 1)
            name = QLabel(_(template.title))
            name.setProperty("role", "strong")
            column.addWidget(name)
            self.templates.addItem(item)
            self.templates.setItemWidget(item, tile)
        self.templates.currentItemChanged.connect(self._template_changed)
        return self.templates

    def _parameters(self) -> QScrollArea:
        self.form = QScrollArea()
        self.form.setWidgetResizable(True)
        self.form.setFixedWidth(344)
        self.form.setFrameShape(QFrame.Shape.NoFrame)
        return self.form

    def _preview(self) -> QVBoxLayout:
        column = QVBoxLayout()
        head = QHBoxLayout()
        title = QLabel(_("Preview"))
        title.setProperty("role", "section")
        self.timing = QLabel()
        self.timing.setProperty("role", "secondary")
        head.addWidget(title)
        head.addStretch(1)
        head.addWidget(self.timing)
        column.addLayout(head)
        self.picture = DesignPreview(self._theme)
        column.addWidget(self.picture, 1)
        self.facts = FactRow(self._theme)
        column.addWidget(self.facts)
        self.fault = QLabel()
        self.fault.setObjectName("faultCard")
        self.fault.setWordWrap(True)
        self.fault.hide()
        column.addWidget(self.fault)
        return column

    def _foot(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.estimate = QLabel()
        self.estimate.setWordWrap(True)
        row.addWidget(self.estimate, 1)
        cancel = QPushButton(_("Cancel"))
        cancel.clicked.connect(self.reject)
        self.create_button = QPushButton(_("Create"))
        self.create_button.setProperty("primary", True)
        self.create_button.setDefault(True)
        self.create_button.setEnabled(False)
        self.create_button.clicked.connect(self.accept)
        row.addWidget(cancel)
        row.addWidget(self.create_button)
        return row

    # --- parameters ---

    def choose(self, name: str) -> None:
        """Select a template by name."""
        for k in range(self.templates.count()):
            if self.templates.item(k).data(Qt.ItemDataRole.UserRole) == name:
                self.templates.setCurrentRow(k)

    def template(self) -> str:
        """Return the name of the chosen template."""
        return str(self.templates.currentItem().data(Qt.ItemDataRole.UserRole))

    def _template_changed(self) -> None:
        template = TEMPLATES[self.template()]
        page = QWidget()
        column = QVBoxLayout(page)
        column.setSpacing(4)
        title = QLabel(_(template.title))
        title.setProperty("role", "section")
        text = QLabel(_(template.description))
        text.setProperty("role", "secondary")
        text.setWordWrap(True)
        column.addWidget(title)
        column.addWidget(text)
        column.addSpacing(8)
        self.fields: dict[str, QWidget] = {}
        for parameter in template.parameters:
            label = QLabel(_(parameter.description))
            label.setWordWrap(True)
            field = self._field(parameter)
            field.setAccessibleName(_(parameter.description))
            label.setBuddy(field)
            column.addWidget(label)
            column.addWidget(field)
            column.addSpacing(6)
            self.fields[parameter.name] = field
        column.addStretch(1)
        self.form.setWidget(page)
        self._changed()

    def _field(self, parameter: Parameter) -> QWidget:
        if parameter.kind == "bool":
            box = QCheckBox(parameter.unit or parameter.name)
            box.setChecked(bool(parameter.default))
            box.toggled.connect(self._changed)
            return box
        if parameter.choices or parameter.kind == "part":
            combo = QComboBox()
            combo.setEditable(parameter.kind == "part")
            for choice in parameter.choices or self._slugs(parameter):
                combo.addItem(str(choice))
            combo.setCurrentText("" if parameter.default is None else str(parameter.default))
            combo.currentTextChanged.connect(self._changed)
            return combo
        line = QLineEdit("" if parameter.default is None else str(parameter.default))
        line.setPlaceholderText(parameter.unit)
        line.textChanged.connect(self._changed)
        return line

    def _slugs(self, parameter: Parameter) -> list[str]:
        kind: Any = "server" if parameter.name == "server" else "switch"
        return [p.slug for p in self._catalog.of_kind(kind)]

    def values(self) -> dict[str, Any]:
        """Return what was typed, by parameter; empty fields are left to their default."""
        found: dict[str, Any] = {}
        for name, field in self.fields.items():
            if isinstance(field, QCheckBox):
                found[name] = field.isChecked()
            else:
                text = (
                    field.currentText()
                    if isinstance(field, QComboBox)
                    else field.text()
                    if isinstance(field, QLineEdit)
                    else ""
                )
                if text.strip():
                    found[name] = text.strip()
        return found

    # --- preview ---

    def _changed(self) -> None:
        self.create_button.setEnabled(False)
        self.timing.setText(_("Computing"))
        self._stop.set()
        self._timer.start()

    def _start(self) -> None:
        self._number += 1
        self._stop = threading.Event()
        self._pool.submit(self._work, self._number, self.template(), self.values(), self._stop)

    def _work(self, number: int, name: str, values: dict[str, Any], stop: threading.Event) -> None:
        start = perf_counter()
        try:
            design = new_design(name, self._catalog, **values)
            results = analyze(
                design, Options(workload=design.workload), self._catalog, cancelled=stop.is_set
            )
            made = Preview(number, design, results, perf_counter() - start)
        except CancelledError:
            return
        except DesignerError as fault:
            made = Preview(number, None, None, perf_counter() - start, fault)
        except Exception as fault:
            made = Preview(
                number,
                None,
                None,
                0.0,
                DesignerError(_("This drawing cannot be made: {fault}").format(fault=fault)),
            )
        if not stop.is_set():
            self._made.emit(made)

    def _show(self, made: Preview) -> None:
        if made.number != self._number:
            return
        self._design = made.design
        self.fault.setVisible(made.fault is not None)
        if made.fault is not None:
            self.fault.setText(f"{made.fault.message}\n{made.fault.hint}".strip())
            self.timing.setText("")
            self.estimate.setText("")
        else:
            self.timing.setText(_("made in {time}").format(time=format_time(made.seconds)))
            self._show_results(made)
        self.picture.set_design(made.design)
        self.create_button.setEnabled(made.design is not None)
        self.previewed.emit()

    def _show_results(self, made: Preview) -> None:
        assert made.results is not None
        self.facts.set_facts(facts(made.results))
        gpus = made.results.get("counts.gpus") or 0
        self.create_button.setText(_("Create {n}-GPU drawing").format(n=format_number(gpus)))
        parts = []
        time = made.results.get("collectives.all_reduce.time_s")
        if time is not None:
            parts.append(_("All-reduce of 1 GiB about {time}").format(time=format_time(time)))
        step = made.results.get("step.time_s")
        if step is not None:
            parts.append(_("step {time}").format(time=format_time(step)))
        errors = [f for f in made.results.findings if f.severity == "error"]
        warnings = [f for f in made.results.findings if f.severity == "warning"]
        if errors or warnings:
            parts.append((errors or warnings)[0].message)
        self.estimate.setText(" · ".join(parts))

    def design(self) -> Design | None:
        """Return the drawing to create, or None when the parameters do not work."""
        return self._design

    def done(self, result: int) -> None:
        """Stop the worker and close."""
        self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing the window is Cancel."""
        self.reject()
        event.accept()
