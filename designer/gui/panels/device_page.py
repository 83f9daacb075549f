"""The inspector for devices: one with its ports and peers, or several with shared fields."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from designer.catalog.types import PartType
from designer.errors import DesignerError
from designer.gui.bridge import Document, attempt
from designer.gui.dialogs.swap_type_dialog import SwapTypeDialog, plan_swap
from designer.gui.labels import label, line
from designer.gui.panels.fields import MIXED, ChoiceField, Form, LongField, NumberField, TextField
from designer.gui.panels.group_choices import membership
from designer.gui.panels.outline_model import ICONS
from designer.gui.panels.page_parts import (
    FABRIC_NAMES,
    KIND_NAMES,
    ROLE_NAMES,
    Head,
    PeerTable,
    peak_text,
)
from designer.gui.panels.peers import Peer, peers_of, split_ends
from designer.gui.panels.port_map import PortMap
from designer.gui.panels.split_ports import SplitPorts
from designer.messages import _, ngettext
from designer.model.design import Design
from designer.model.operations import change_nics, move, set_field
from designer.model.ports import port_users
from designer.model.records import GROUP_KINDS, Device
from designer.units import format_number, format_power, format_ratio

_PLAIN = ("name", "role", "fabric", "rack_unit", "notes")


class DevicePage(QWidget):
    """Fields of the selected devices.

    Signals:
        refused: The `DesignerError` of a value that was not taken.
        ports_requested: Name of a device whose cables are to be listed.
    """

    refused = Signal(object)
    ports_requested = Signal(str)

    def __init__(self, document: Document, theme: str) -> None:
        super().__init__()
        self._document, self._theme = document, theme
        self._ids: tuple[str, ...] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 16)
        column.setSpacing(8)
        self.head = Head(theme)
        column.addWidget(self.head)
        self.facts = Form(120)
        for name, title in (
            ("ports", _("Ports used")),
            ("oversubscription", _("Oversubscription")),
            ("peak", _("Peak utilisation, one way")),
            ("power", _("Power")),
        ):
            self.facts.add_value(name, title)
        column.addWidget(self.facts)
        column.addWidget(line())
        column.addLayout(self._ports())
        self._edit_rule = line()
        column.addWidget(self._edit_rule)
        self.form = self._form()
        column.addWidget(self.form)
        column.addStretch(1)

    def _ports(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(6)
        head = QHBoxLayout()
        self.ports_title = label(_("Ports, front view"), "rowStrong")
        self.ports_count = label("", "row")
        head.addWidget(self.ports_title)
        head.addStretch(1)
        head.addWidget(self.ports_count)
        column.addLayout(head)
        self.port_map = PortMap(self._theme)
        self.port_map.cable_chosen.connect(self._select_peer)
        column.addWidget(self.port_map)
        self.split = SplitPorts(self._document)
        self.split.refused.connect(self.refused)
        column.addWidget(self.split)
        self.peers = PeerTable(self._theme)
        self.peers.chosen.connect(self._on_peer)
        column.addWidget(self.peers)
        buttons = QHBoxLayout()
        self.list_button = QPushButton(_("Open port table"))
        self.list_button.clicked.connect(self._list_ports)
        buttons.addWidget(self.list_button)
        buttons.addStretch(1)
        column.addLayout(buttons)
        return column

    def _form(self) -> Form:
        form = Form(84)
        form.refused.connect(self.refused)
        form.add("name", _("Name"), TextField(), lambda v: self._set("name", v))
        form.add("type", _("Model"), ChoiceField(), self._retype)
        roles = [(role, _(name)) for role, name in ROLE_NAMES.items()]
        form.add("role", _("Role"), ChoiceField(roles), lambda v: self._set("role", v))
        form.add("nics", _("NICs"), ChoiceField(), self._set_nics)
        for kind in GROUP_KINDS:
            field = TextField(_("none"))
            form.add(kind, _(KIND_NAMES[kind]), field, partial(self._join, kind))
        number = NumberField(whole=True, low=1)
        form.add("rack_unit", _("Rack unit"), number, lambda v: self._set("rack_unit", v))
        fabrics = [(key, _(name)) for key, name in FABRIC_NAMES.items()]
        form.add("fabric", _("Network"), ChoiceField(fabrics), lambda v: self._set("fabric", v))
        for axis, title in (("x", _("Position, x")), ("y", _("Position, y"))):
            place = NumberField(empty=False, low=float("-inf"))
            form.add(axis, title, place, partial(self._move, axis))
        form.add("notes", _("Notes"), LongField(), lambda v: self._set("notes", v))
        return form

    # --- showing ---

    def show_ids(self, ids: Sequence[str]) -> None:
        """Show these devices."""
        self._ids = tuple(ids)
        self.refresh()

    def refresh(self) -> None:
        """Show what the drawing and its results say now."""
        design = self._document.design
        devices = [design.devices[i] for i in self._ids if i in design.devices]
        if not devices:
            return
        one = devices[0] if len(devices) == 1 else None
        self._show_head(devices)
        for widget in (
            self.port_map,
            self.peers,
            self.ports_title,
            self.ports_count,
            self.list_button,
        ):
            widget.setVisible(one is not None)
        self.split.setVisible(False)
        if one is not None:
            self._show_ports(one)
        self._show_facts(devices)
        self._show_form(devices)

    def _show_head(self, devices: list[Device]) -> None:
        design, first = self._document.design, devices[0]
        part = design.type_of(first)
        if len(devices) == 1:
            bits = [_(ROLE_NAMES[first.role])]
            bits += [design.groups[g].name for g in _groups(first) if g in design.groups]
            if first.rack_unit:
                bits.append(f"U{first.rack_unit}")
            tag = ""
            if part is not None and not part.sourced:
                tag = _("imported") if part.imported else _("no source")
            self.head.show_text(ICONS[first.role], first.role, first.name, " · ".join(bits), tag)
            return
        roles = {d.role for d in devices}
        role = first.role if len(roles) == 1 else ""
        text = ngettext("{n} device", "{n} devices", len(devices))
        kinds = ", ".join(_(ROLE_NAMES[r]) for r in ROLE_NAMES if r in roles)
        self.head.show_text(
            ICONS[role] if role else "layers",
            role or "text2",
            text.format(n=format_number(len(devices))),
            kinds,
        )

    def _show_ports(self, device: Device) -> None:
        results = self._document.results
        marks: dict[Any, Any] = {}
        for finding in results.findings if results is not None else ():
            for id_ in finding.ids:
                marks.setdefault(id_, finding.severity)
        chosen = self._document.selection.ids
        self.port_map.show_device(self._document.design, device, marks, chosen)
        used, total = self.port_map.used()
        self.ports_count.setText(
            _("{used} of {total}").format(used=format_number(used), total=format_number(total))
        )
        self.peers.show_peers(peers_of(self._document.design, device, self._loads()))
        self.split.show_device(device)

    def _loads(self) -> Any:
        results = self._document.results
        return results.utilization if results is not None else {}

    def _show_facts(self, devices: list[Device]) -> None:
        design = self._document.design
        cables = [c for d in devices for c in design.cables_of(d.id)]
        self.facts.show_value("peak", peak_text(cables, self._loads()))
        watts = [_power(design, d) for d in devices]
        known = [w for w in watts if w is not None]
        power = _("{power} typical").format(power=format_power(sum(known))) if known else None
        self.facts.show_value("power", power)
        device = devices[0]
        if len(devices) > 1 or device.role not in ("leaf", "spine", "core"):
            used = sum(len(port_users(design, d)) for d in devices)
            self.facts.show_value("ports", format_number(used))
            self.facts.show_value("oversubscription", None)
            return
        down, up = split_ends(design, device)
        self.facts.show_value(
            "ports",
            _("{down} down · {up} up").format(down=format_number(down), up=format_number(up)),
        )
        ratio = down / up if up else 0.0
        uneven = up > 0 and ratio > 1.0005
        self.facts.show_value(
            "oversubscription",
            _("{ratio} by links").format(ratio=format_ratio(ratio)) if up else None,
            "warning" if uneven else "",
        )

    def _show_form(self, devices: list[Device]) -> None:
        design, form = self._document.design, self.form
        form.fields["type"].set_choices(self._types(devices))  # type: ignore[union-attr]
        form.fields["nics"].set_choices(self._nics())  # type: ignore[union-attr]
        form.set_row_visible("name", len(devices) == 1)
        form.set_row_visible("nics", all(d.role in ("server", "host") for d in devices))
        for name in (*_PLAIN, "type", "nics"):
            form.fields[name].show_value(_shared([getattr(d, name) for d in devices]))
        for kind in GROUP_KINDS:
            names = [_group_name(design, getattr(d, kind)) for d in devices]
            form.fields[kind].show_value(_shared(names))
        spots = [design.placements.get(d.id) for d in devices]
        for axis in ("x", "y"):
            form.fields[axis].show_value(_shared([getattr(p, axis, None) for p in spots]))

    def _types(self, devices: list[Device]) -> list[tuple[object, str]]:
        design = self._document.design
        kinds = {p.kind for p in (design.type_of(d) for d in devices) if p is not None}
        kind = kinds.pop() if len(kinds) == 1 else None
        parts = {p.slug: p for p in self._document.catalog if p.kind == kind}
        for device in devices:
            part = design.type_of(device)
            parts[device.type] = (
                part if part is not None else PartType(device.type, "switch", "", device.type)
            )
        return [(slug, part.title) for slug, part in parts.items()]

    def _nics(self) -> list[tuple[object, str]]:
        own: list[tuple[object, str]] = [("", _("as sold"))]
        return own + [(p.slug, p.title) for p in self._document.catalog.of_kind("nic")]

    # --- changing ---

    def _set(self, name: str, value: Any) -> DesignerError | None:
        return attempt(
            self._document, lambda: set_field(self._document.design, self._ids, name, value)
        )

    def _retype(self, slug: str) -> DesignerError | None:
        catalog, design = self._document.catalog, self._document.design
        plan = plan_swap(design, catalog, self._ids, slug)
        if plan.worse:
            # what is lost or slowed is read and agreed to first
            dialog = SwapTypeDialog(design, catalog, self._ids, self.window(), slug)
            if dialog.exec() != QDialog.DialogCode.Accepted or dialog.plan is None:
                self.refresh()
                return None
            plan = dialog.plan
        return attempt(self._document, lambda: plan.edit)

    def _set_nics(self, slug: str) -> DesignerError | None:
        nic = self._document.catalog.get(slug) if slug else None
        return attempt(self._document, lambda: change_nics(self._document.design, self._ids, nic))

    def _join(self, kind: Any, name: str) -> DesignerError | None:
        return attempt(
            self._document, lambda: membership(self._document.design, kind, self._ids, name)
        )

    def _move(self, axis: str, value: float) -> DesignerError | None:
        design = self._document.design
        goals = {}
        for id_ in self._ids:
            place = design.placements.get(id_)
            if place is not None:
                goals[id_] = (value, place.y) if axis == "x" else (place.x, value)
        return attempt(self._document, lambda: move(design, goals))

    # --- selecting ---

    def _select_peer(self, cable_id: str) -> None:
        cable = self._document.design.cables.get(cable_id)
        if cable is not None and len(self._ids) == 1:
            self._document.selection.set({cable.other_end(self._ids[0]).device})

    def _on_peer(self, peer: Peer) -> None:
        self._document.selection.set(i for i in peer.ids if i in self._document.design.devices)

    def _list_ports(self) -> None:
        self.ports_requested.emit(self._document.design.devices[self._ids[0]].name)


def _groups(device: Device) -> tuple[str, ...]:
    return device.unit, device.pod, device.plane, device.rack


def _group_name(design: Design, id_: str) -> str:
    group = design.groups.get(id_)
    return group.name if group is not None else id_


def _shared(values: Sequence[Any]) -> Any:
    return values[0] if all(v == values[0] for v in values) else MIXED


def _power(design: Design, device: Device) -> float | None:
    part = design.type_of(device)
    if part is None:
        return None
    return part.power_typical_w if part.power_typical_w is not None else part.power_max_w
