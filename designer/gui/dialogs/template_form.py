"""The parameters of a template as fields, with their units and what an empty field means."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from designer.catalog.catalog import Catalog
from designer.catalog.types import PartType
from designer.gui.labels import label, restyle
from designer.gui.segments import Segments
from designer.messages import N_, _
from designer.topologies import Template
from designer.topologies.parameters import Parameter
from designer.units import format_bits_per_s, format_number

_CHOICES = {"auto": N_("Automatic")}


class TemplateForm(QWidget):
    """Fields for the parameters of one template.

    Signals:
        changed: A value is another than before.
    """

    changed = Signal()

    def __init__(self, template: Template, catalog: Catalog, theme: str) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._template, self._catalog, self._theme = template, catalog, theme
        self.fields: dict[str, QWidget] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 20, 16)
        column.setSpacing(6)
        column.addWidget(label(_(template.title), "section", wrap=True))
        column.addWidget(label(_(template.description), "secondary", wrap=True))
        column.addSpacing(8)
        for parameter in template.parameters:
            self._add(parameter, column)
        if not template.parameters:
            column.addWidget(label(_("This template has no parameters."), "row", wrap=True))
        column.addStretch(1)

    def _add(self, parameter: Parameter, column: QVBoxLayout) -> None:
        # "Spine switch; empty: as the leaf" is a name and what an empty field means.
        name, _sep, rest = _(parameter.description).partition("; ")
        empty = rest.rpartition(": ")[2]
        field = self._field(parameter, name, empty)
        field.setAccessibleName(name)
        self.fields[parameter.name] = field
        if not isinstance(field, QCheckBox):
            row = QHBoxLayout()
            title = label(name, "rowStrong", wrap=True)
            title.setBuddy(field)
            row.addWidget(title, 1)
            note = _(parameter.unit) if parameter.kind in ("int", "float") else ""
            row.addWidget(label(note if note != name else "", "small"))
            column.addLayout(row)
        column.addWidget(field)
        if isinstance(field, QCheckBox) and field.text() != name:
            column.addWidget(label(name, "small", wrap=True))
        column.addSpacing(8)

    def _field(self, parameter: Parameter, name: str, empty: str) -> QWidget:
        if parameter.kind == "bool":
            return self._box(parameter, name)
        if parameter.kind == "part":
            return self._parts(parameter, empty)
        if parameter.choices:
            return self._segments(parameter, name)
        line = QLineEdit("" if parameter.default is None else _text(parameter.default))
        line.setPlaceholderText(empty)
        line.textChanged.connect(self.changed)
        return line

    def _box(self, parameter: Parameter, name: str) -> QCheckBox:
        box = QCheckBox(parameter.unit or name)
        box.setToolTip(_(parameter.description))
        if parameter.default is None:
            # Undecided until a person decides: the template knows what is usual.
            box.setTristate(True)
            box.setCheckState(box.checkState().PartiallyChecked)
            box.clicked.connect(lambda: box.setTristate(False))
        else:
            box.setChecked(bool(parameter.default))
        box.checkStateChanged.connect(self.changed)
        return box

    def _parts(self, parameter: Parameter, empty: str) -> QComboBox:
        combo = QComboBox()
        combo.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        if parameter.default is None:
            combo.addItem(empty[:1].upper() + empty[1:] if empty else "—", "")
        for part in self._fitting(parameter):
            combo.addItem(part_text(part), part.slug)
        combo.setCurrentIndex(max(0, combo.findData(parameter.default or "")))
        combo.currentIndexChanged.connect(self.changed)
        return combo

    def _fitting(self, parameter: Parameter) -> list[PartType]:
        if parameter.name == "server":
            return [p for p in self._catalog.of_kind("server") if p.gpu is not None]
        found = self._catalog.of_kind("switch")
        return [p for p in found if p.family("fabric") is not None]

    def _segments(self, parameter: Parameter, name: str) -> Segments:
        segments = Segments(name, self._theme)
        for choice in parameter.choices:
            text = str(choice)
            segments.add(text, _(_CHOICES[text]) if text in _CHOICES else text)
        segments.choose(str(parameter.default))
        segments.chosen.connect(lambda _key: self.changed.emit())
        return segments

    def values(self) -> dict[str, Any]:
        """Return what was chosen and typed; empty and undecided fields are left out."""
        found = {name: _value(field) for name, field in self.fields.items()}
        return {name: value for name, value in found.items() if value not in ("", None)}

    def mark_wrong(self, names: set[str]) -> None:
        """Show which fields hold a value that does not work."""
        for name, field in self.fields.items():
            restyle(field, wrong=name in names)


def part_text(part: PartType) -> str:
    """Return a part's model, without what stands in brackets, and its largest ports."""
    model = part.model.partition(" (")[0]
    ports = part.family("nic" if part.kind == "server" else "fabric")
    if ports is None:
        return model
    speed = format_bits_per_s(max(ports.speeds))
    return f"{model} · {format_number(ports.count)} × {speed}"


def _text(value: float) -> str:
    return format_number(value) if isinstance(value, int) else f"{value:g}"


def _value(field: QWidget) -> Any:
    if isinstance(field, QCheckBox):
        return None if field.isTristate() else field.isChecked()
    if isinstance(field, QComboBox):
        return field.currentData()
    if isinstance(field, Segments):
        return field.current()
    return field.text().strip() if isinstance(field, QLineEdit) else ""
