"""The inspector for groups, notes and the drawing itself."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from designer.errors import DesignerError
from designer.gui.bridge import Document, attempt
from designer.gui.labels import label, line
from designer.gui.panels.fields import ChoiceField, Form, LongField, NumberField, TextField
from designer.gui.panels.page_parts import KIND_NAMES, Head, peak_text
from designer.messages import N_, _, ngettext
from designer.model.groups import nest_group
from designer.model.operations import move, set_field, set_info
from designer.model.records import Group
from designer.units import format_number

_PICTURES = {"unit": "su", "pod": "pod", "plane": "layers", "rack": "rack"}


class GroupPage(QWidget):
    """Fields of one group.

    Signals:
        refused: The `DesignerError` of a value that was not taken.
    """

    refused = Signal(object)

    def __init__(self, document: Document, theme: str) -> None:
        super().__init__()
        self._document = document
        self._ids: tuple[str, ...] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 16)
        column.setSpacing(8)
        self.head = Head(theme)
        column.addWidget(self.head)
        self.facts = Form(120)
        for name, title in (
            ("devices", _("Devices")),
            ("gpus", _("GPUs")),
            ("peak", _("Peak utilisation, one way")),
        ):
            self.facts.add_value(name, title)
        column.addWidget(self.facts)
        column.addWidget(line())
        self.form = Form(84)
        self.form.refused.connect(self.refused)
        self.form.add("name", _("Name"), TextField(), lambda v: self._set("name", v))
        self.form.add("parent", _("Inside"), ChoiceField(), self._nest)
        column.addWidget(self.form)
        row = QHBoxLayout()
        button = QPushButton(_("Select members"))
        button.clicked.connect(self._select)
        row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(1)

    def show_ids(self, ids: Sequence[str]) -> None:
        """Show this group."""
        self._ids = tuple(ids)
        self.refresh()

    def _group(self) -> Group | None:
        return self._document.design.groups.get(self._ids[0]) if self._ids else None

    def refresh(self) -> None:
        """Show what the drawing says now."""
        group = self._group()
        if group is None:
            return
        design, results = self._document.design, self._document.results
        members = list(design.members(group))
        self.head.show_text(_PICTURES[group.kind], "text2", group.name, _(KIND_NAMES[group.kind]))
        self.facts.show_value("devices", format_number(len(members)))
        gpus = [design.gpus(d) for d in members]
        known = None if None in gpus else sum(g or 0 for g in gpus)
        self.facts.show_value("gpus", _("unknown") if known is None else format_number(known))
        cables = {c for d in members for c in design.cables_of(d.id)}
        loads = results.utilization if results is not None else {}
        self.facts.show_value("peak", peak_text(sorted(cables), loads))
        self.form.fields["name"].show_value(group.name)
        choices: list[tuple[object, str]] = [("", _("none"))]
        choices += [(g.id, g.name) for g in design.groups.values() if g.id != group.id]
        self.form.fields["parent"].set_choices(choices)  # type: ignore[union-attr]
        self.form.fields["parent"].show_value(group.parent)

    def _set(self, name: str, value: Any) -> DesignerError | None:
        return attempt(
            self._document, lambda: set_field(self._document.design, self._ids, name, value)
        )

    def _nest(self, parent: str) -> DesignerError | None:
        return attempt(
            self._document, lambda: nest_group(self._document.design, self._ids[0], parent)
        )

    def _select(self) -> None:
        group = self._group()
        if group is not None:
            self._document.selection.set(d.id for d in self._document.design.members(group))


class NotePage(QWidget):
    """Text and place of one note.

    Signals:
        refused: The `DesignerError` of a value that was not taken.
    """

    refused = Signal(object)

    def __init__(self, document: Document, theme: str) -> None:
        super().__init__()
        self._document = document
        self._ids: tuple[str, ...] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 16)
        self.head = Head(theme)
        column.addWidget(self.head)
        self.form = Form(84)
        self.form.refused.connect(self.refused)
        self.form.add("text", _("Text"), LongField(), self._write)
        for axis, title in (("x", _("Position, x")), ("y", _("Position, y"))):
            field = NumberField(empty=False, low=float("-inf"))
            self.form.add(axis, title, field, partial(self._move, axis))
        column.addWidget(self.form)
        column.addStretch(1)

    def show_ids(self, ids: Sequence[str]) -> None:
        """Show this note."""
        self._ids = tuple(ids)
        self.refresh()

    def refresh(self) -> None:
        """Show what the drawing says now."""
        note = self._document.design.notes.get(self._ids[0]) if self._ids else None
        if note is None:
            return
        self.head.show_text("text", "text2", _("Note"), note.text.split("\n")[0][:40])
        for name in ("text", "x", "y"):
            self.form.fields[name].show_value(getattr(note, name))

    def _write(self, text: str) -> DesignerError | None:
        return attempt(
            self._document, lambda: set_field(self._document.design, self._ids, "text", text)
        )

    def _move(self, axis: str, value: float) -> DesignerError | None:
        design, id_ = self._document.design, self._ids[0]
        note = design.notes[id_]
        goal = (value, note.y) if axis == "x" else (note.x, value)
        return attempt(self._document, lambda: move(design, {id_: goal}))


_INFO = (
    ("title", N_("Title")),
    ("project", N_("Project")),
    ("drawn_by", N_("Drawn by")),
    ("checked_by", N_("Checked by")),
    ("revision", N_("Revision")),
    ("date", N_("Date")),
)
_ROUTINGS = (
    ("updown", N_("Up, then down")),
    ("shortest", N_("Shortest paths")),
)


class DrawingPage(QWidget):
    """What is shown when nothing is selected: a hint, and the title block of the drawing.

    Signals:
        refused: The `DesignerError` of a value that was not taken.
    """

    refused = Signal(object)

    def __init__(self, document: Document, theme: str) -> None:
        super().__init__()
        self._document = document
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 16)
        column.setSpacing(8)
        column.addWidget(label(_("Select a device, cable or trunk."), "row", wrap=True))
        column.addSpacing(8)
        column.addWidget(label(_("Drawing"), "rowStrong"))
        self.form = Form(84)
        self.form.refused.connect(self.refused)
        for name, title in _INFO:
            self.form.add(name, _(title), TextField(), partial(self._set, name))
        choices = [(key, _(text)) for key, text in _ROUTINGS]
        self.form.add(
            "routing", _("Routing"), ChoiceField(choices), lambda v: self._set("routing", v)
        )
        column.addWidget(self.form)
        self.origin = label("", "small", wrap=True)
        column.addWidget(self.origin)
        self.kept = label("", "small", wrap=True)
        self.kept.setProperty("severity", "warning")
        column.addWidget(self.kept)
        column.addStretch(1)

    def show_ids(self, ids: Sequence[str]) -> None:
        """Show the drawing."""
        self.refresh()

    def refresh(self) -> None:
        """Show what the drawing says now."""
        design = self._document.design
        info = design.title_block
        for name, field in self.form.fields.items():
            field.show_value(getattr(info, name))
        made = _("Made by the template {command}").format(command=info.template)
        self.origin.setText(made if info.template else "")
        n = len(design.kept)
        text = ngettext(
            "{n} record of the file could not be read and is kept as it stood.",
            "{n} records of the file could not be read and are kept as they stood.",
            n,
        )
        self.kept.setText(text.format(n=format_number(n)) if n else "")

    def _set(self, name: str, value: str) -> DesignerError | None:
        return attempt(self._document, lambda: set_info(self._document.design, **{name: value}))
