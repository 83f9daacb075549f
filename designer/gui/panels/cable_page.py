"""The inspector for cables: one cable or trunk, or several between the same or many devices."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from designer.catalog.types import Kind
from designer.errors import DesignerError
from designer.gui.bridge import Document, attempt
from designer.gui.labels import line
from designer.gui.panels.fields import MIXED, ChoiceField, Form, NumberField, TextField
from designer.gui.panels.page_parts import Head, peak_text
from designer.messages import N_, _, ngettext
from designer.model.operations import set_field, use_types
from designer.model.ports import end_speeds, link_speed, range_name
from designer.model.records import Cable
from designer.model.rewire import resize, rewire
from designer.units import format_bits_per_s, format_length, format_number

MEDIA = {
    "passive_copper": N_("Passive copper"),
    "active_copper": N_("Active copper"),
    "aoc": N_("Active optical cable"),
    "multimode": N_("Multimode fibre"),
    "single_mode": N_("Single-mode fibre"),
}
_ICONS = {
    "passive_copper": "cable-dac",
    "active_copper": "cable-dac",
    "aoc": "cable-aoc",
    "multimode": "cable-fibre",
    "single_mode": "cable-fibre",
}


class CablePage(QWidget):
    """Fields of the selected cables.

    Signals:
        refused: The `DesignerError` of a value that was not taken.
        ports_requested: What the cable schedule is to be filtered by.
    """

    refused = Signal(object)
    ports_requested = Signal(str)

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
            ("speed", _("Runs at, one way")),
            ("list_a", _("Ports list")),
            ("capacity", _("Capacity, one way")),
            ("peak", _("Peak utilisation, one way")),
            ("reach", _("Reach of its type")),
        ):
            self.facts.add_value(name, title)
        column.addWidget(self.facts)
        column.addWidget(line())
        self.form = self._form()
        column.addWidget(self.form)
        row = QHBoxLayout()
        self.ends_button = QPushButton(_("Select both ends"))
        self.ends_button.clicked.connect(self._select_ends)
        self.list_button = QPushButton(_("List cables"))
        self.list_button.clicked.connect(self._list)
        row.addWidget(self.ends_button)
        row.addWidget(self.list_button)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(1)

    def _form(self) -> Form:
        form = Form(96)
        form.refused.connect(self.refused)
        for end, title in (("a", _("First port, A")), ("b", _("First port, B"))):
            number = NumberField(whole=True, empty=False, low=1)
            form.add(f"first_{end}", title, number, partial(self._move, end))
        links = NumberField(whole=True, empty=False, low=1)
        form.add("count", _("Parallel links"), links, self._resize)
        form.add("type", _("Cable"), ChoiceField(), lambda v: self._set("type", v))
        form.add("optic_a", _("Optic at A"), ChoiceField(), lambda v: self._set("optic_a", v))
        form.add("optic_b", _("Optic at B"), ChoiceField(), lambda v: self._set("optic_b", v))
        length = NumberField(unit=_("metres"))
        form.add("length_m", _("Length, m"), length, lambda v: self._set("length_m", v))
        form.add(
            "assembly", _("Splitter"), TextField(_("none")), lambda v: self._set("assembly", v)
        )
        return form

    # --- showing ---

    def show_ids(self, ids: Sequence[str]) -> None:
        """Show these cables."""
        self._ids = tuple(ids)
        self.refresh()

    def _cables(self) -> list[Cable]:
        design = self._document.design
        return [design.cables[i] for i in self._ids if i in design.cables]

    def refresh(self) -> None:
        """Show what the drawing and its results say now."""
        cables = self._cables()
        if not cables:
            return
        self._show_head(cables)
        self._show_facts(cables)
        form = self.form
        form.fields["type"].set_choices(self._parts("cable"))  # type: ignore[union-attr]
        for name in ("optic_a", "optic_b"):
            form.fields[name].set_choices(self._parts("optic"))  # type: ignore[union-attr]
        single = len(cables) == 1
        for name in ("first_a", "first_b", "count"):
            form.set_row_visible(name, single)
        if single:
            form.fields["first_a"].show_value(cables[0].a.first)
            form.fields["first_b"].show_value(cables[0].b.first)
            form.fields["count"].show_value(cables[0].count)
        for name in ("type", "optic_a", "optic_b", "length_m", "assembly"):
            values = [getattr(c, name) for c in cables]
            same = all(v == values[0] for v in values)
            form.fields[name].show_value(values[0] if same else MIXED)

    def _show_head(self, cables: list[Cable]) -> None:
        design = self._document.design
        links = sum(c.count for c in cables)
        pairs = {frozenset((c.a.device, c.b.device)) for c in cables}
        medium = self._medium(cables)
        picture = _ICONS.get(medium, "cable")
        if len(pairs) > 1:
            text = ngettext("{n} cable", "{n} cables", links).format(n=format_number(links))
            note = ngettext("between {n} pair", "between {n} pairs", len(pairs))
            self.head.show_text(picture, "text2", text, note.format(n=format_number(len(pairs))))
            return
        names = []
        for end in (cables[0].a, cables[0].b):
            device = design.devices.get(end.device)
            ports = f" {range_name(design, device, end)}" if device and len(cables) == 1 else ""
            names.append(f"{device.name if device else end.device}{ports}")
        kind = _("Cable")
        if links > 1:
            kind = ngettext("Trunk · {n} link", "Trunk · {n} links", links)
            kind = kind.format(n=format_number(links))
        bits = [kind]
        if medium in MEDIA:
            bits.append(_(MEDIA[medium]))
        self.head.show_text(picture, "text2", " → ".join(names), " · ".join(bits))

    def _medium(self, cables: list[Cable]) -> str:
        part = self._document.design.types.get(cables[0].type)
        return part.cable.medium if part is not None and part.cable is not None else ""

    def _show_facts(self, cables: list[Cable]) -> None:
        design, results = self._document.design, self._document.results
        speeds = [link_speed(design, c) for c in cables]
        same = all(s == speeds[0] for s in speeds)
        if not same:
            text: str = _("several speeds")
        elif speeds[0] is None:
            text = _("no link: the ends share no speed")
        else:
            text = format_bits_per_s(speeds[0])
        wrong = any(s is None for s in speeds)
        self.facts.show_value("speed", text, "error" if wrong else "")
        listed = {_listed(end_speeds(design, e)) for e in (cables[0].a, cables[0].b)}
        self.facts.show_value("list_a", " · ".join(sorted(listed)) if len(cables) == 1 else None)
        total = sum((s or 0.0) * c.count for s, c in zip(speeds, cables, strict=True))
        self.facts.show_value("capacity", format_bits_per_s(total) if total else None)
        loads = results.utilization if results is not None else {}
        self.facts.show_value("peak", peak_text([c.id for c in cables], loads))
        part = design.types.get(cables[0].type)
        reach = part.cable.reach_m if part is not None and part.cable is not None else None
        self.facts.show_value("reach", format_length(reach) if reach else None)

    def _parts(self, kind: Kind) -> list[tuple[object, str]]:
        own: list[tuple[object, str]] = [("", _("automatic"))]
        parts = {p.slug: p for p in self._document.catalog.of_kind(kind)}
        for slug, part in self._document.design.types.items():
            if part.kind == kind:
                parts.setdefault(slug, part)
        return own + [(slug, part.title) for slug, part in parts.items()]

    # --- changing ---

    def _set(self, name: str, value: Any) -> DesignerError | None:
        design, catalog = self._document.design, self._document.catalog

        def build() -> Any:
            edit = set_field(design, self._ids, name, value)
            if name != "length_m" and value and value in catalog:
                swaps = use_types(design, [catalog.get(value)])
                edit = replace(edit, swaps=(*swaps, *edit.swaps))
            return edit

        return attempt(self._document, build)

    def _move(self, end: str, first: int) -> DesignerError | None:
        cable = self._cables()[0]
        a = replace(cable.a, first=first) if end == "a" else cable.a
        b = replace(cable.b, first=first) if end == "b" else cable.b
        return attempt(self._document, lambda: rewire(self._document.design, cable.id, a, b))

    def _resize(self, count: int) -> DesignerError | None:
        cable = self._cables()[0]
        a, b = resize(cable, count)
        return attempt(self._document, lambda: rewire(self._document.design, cable.id, a, b))

    def _select_ends(self) -> None:
        ends = {e.device for c in self._cables() for e in (c.a, c.b)}
        self._document.selection.set(i for i in ends if i in self._document.design.devices)

    def _list(self) -> None:
        design = self._document.design
        cables = self._cables()
        pairs = {frozenset((c.a.device, c.b.device)) for c in cables}
        names = [design.devices[i].name for i in min(pairs, key=sorted) if i in design.devices]
        self.ports_requested.emit(" ".join(sorted(names)) if len(pairs) == 1 else "")


def _listed(speeds: tuple[float, ...]) -> str:
    return ", ".join(format_bits_per_s(s) for s in speeds) or _("no speed")
