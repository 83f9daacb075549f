"""Verbs that change what is drawn: pure functions from a design to an `Edit`.

Each checks everything first and raises a `DesignerError` with a hint before anything changes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from designer.catalog.types import PartType
from designer.errors import DesignerError, WiringError
from designer.messages import _, ngettext
from designer.model.design import Design
from designer.model.edits import Edit, Swap, merge
from designer.model.naming import fresh_id, name_for, name_is_free
from designer.model.ports import expand, port_users, range_name
from designer.model.records import (
    AssumptionValue,
    Cable,
    Device,
    Info,
    KeptRecord,
    Note,
    Placement,
    Role,
)
from designer.model.workload import Workload


def use_types(design: Design, parts: Iterable[PartType]) -> list[Swap]:
    """Return the swaps that put part types into the design, for those it does not hold yet."""
    unique = {p.slug: p for p in parts}
    return [
        Swap("types", slug, None, part) for slug, part in unique.items() if slug not in design.types
    ]


def default_role(part: PartType) -> Role:
    """Return the role a part gets when a person drops it on the drawing."""
    if part.kind == "server":
        return "server" if part.gpu is not None else "host"
    return "nvswitch" if part.kind == "nvswitch" else "leaf"


def place(
    design: Design,
    part: PartType,
    x: float,
    y: float,
    *,
    role: Role | None = None,
    name: str = "",
    nic: PartType | None = None,
    **membership: Any,
) -> Edit:
    """Put one device of type `part` on the drawing, centred at (x, y).

    `nic` is the type of the NIC the part is sold with (embedded beside it). `membership` sets
    `unit`, `pod`, `plane`, `rack` or `fabric`.

    Raises:
        DesignerError: The part is no device, or the name is taken.
    """
    if part.kind not in ("server", "nvswitch", "switch"):
        raise DesignerError(
            _("{part} cannot stand on the drawing by itself.").format(part=part.title),
            _("Place a server, switch or NVSwitch tray; NICs, cables and optics belong to them."),
        )
    chosen = role or default_role(part)
    if name and design.named(name) is not None:
        raise DesignerError(
            _("A device is already called “{name}”.").format(name=name), _("Choose another name.")
        )
    device_id = fresh_id(design, "devices", "d")
    device = Device(
        id=device_id,
        name=name or name_for(design, chosen),
        type=part.slug,
        role=chosen,
        **membership,
    )
    swaps = use_types(design, [part, *([nic] if nic else [])])
    swaps.append(Swap("devices", device_id, None, device))
    swaps.append(Swap("placements", device_id, None, Placement(x, y)))
    return Edit(_("Place {name}").format(name=device.name), tuple(swaps))


def move(design: Design, positions: Mapping[str, tuple[float, float]]) -> Edit:
    """Move devices and notes to new centres (x, y), by id; unknown ids are left out."""
    swaps = []
    for id_, (x, y) in positions.items():
        if id_ in design.devices:
            before = design.placements.get(id_)
            swaps.append(Swap("placements", id_, before, Placement(x, y)))
        elif id_ in design.notes:
            note = design.notes[id_]
            swaps.append(Swap("notes", id_, note, replace(note, x=x, y=y)))
    label = ngettext("Move {n} object", "Move {n} objects", len(swaps)).format(n=len(swaps))
    return Edit(label, tuple(s for s in swaps if s.before != s.after))


def remove(design: Design, ids: Iterable[str]) -> Edit:
    """Remove devices with their cables and placements, and cables, notes and groups, by id.

    Members of a removed group stay and leave the group; groups inside it move up to its parent.
    """
    chosen = dict.fromkeys(ids)
    devices = [i for i in chosen if i in design.devices]
    cables = dict.fromkeys(i for i in chosen if i in design.cables)
    for device_id in devices:
        cables.update(design.cables_of(device_id))
    swaps = [Swap("cables", i, design.cables[i], None) for i in cables]
    for i in devices:
        if i in design.placements:
            swaps.append(Swap("placements", i, design.placements[i], None))
        swaps.append(Swap("devices", i, design.devices[i], None))
    swaps += [Swap("notes", i, design.notes[i], None) for i in chosen if i in design.notes]
    swaps += _remove_groups(design, [i for i in chosen if i in design.groups], set(devices))
    count = len(devices) + sum(1 for i in chosen if i in design.cables or i in design.notes)
    label = ngettext("Delete {n} object", "Delete {n} objects", count).format(n=count)
    return Edit(label, tuple(swaps))


def _remove_groups(design: Design, group_ids: list[str], gone: set[str]) -> list[Swap]:
    swaps: list[Swap] = []
    leaving: dict[str, dict[str, str]] = {}
    for group_id in group_ids:
        group = design.groups[group_id]
        for device in design.members(group):
            if device.id not in gone:
                leaving.setdefault(device.id, {})[group.kind] = ""
        swaps.append(Swap("groups", group_id, group, None))
    removed = set(group_ids)
    for group in design.groups.values():
        if group.parent in removed and group.id not in removed:
            parent = group.parent
            while parent in removed:
                parent = design.groups[parent].parent
            swaps.append(Swap("groups", group.id, group, replace(group, parent=parent)))
    for device_id, changes in leaving.items():
        device = design.devices[device_id]
        swaps.append(Swap("devices", device_id, device, replace(device, **changes)))  # type: ignore[arg-type]
    return swaps


_RECORD_TABLES: dict[type, str] = {Device: "devices", Cable: "cables", Note: "notes"}


def set_field(design: Design, ids: Iterable[str], name: str, value: Any) -> Edit:
    """Set one field of devices, cables, groups or notes to the same value.

    Raises:
        DesignerError: A name is taken or empty, or a record has no such field.
    """
    swaps = []
    for id_ in ids:
        for table in ("devices", "cables", "groups", "notes"):
            record = design.table(table).get(id_)
            if record is None:
                continue
            if name in ("id", "a", "b") or name not in {f.name for f in fields(record)}:
                raise DesignerError(_("“{name}” cannot be edited here.").format(name=name))
            if table == "devices" and name == "name" and not name_is_free(design, record, value):
                raise DesignerError(
                    _("A device is already called “{name}”.").format(name=value)
                    if value.strip()
                    else _("A device needs a name."),
                    _("Choose another name."),
                    (id_,),
                )
            changed = replace(record, **{name: value})
            if changed != record:
                swaps.append(Swap(table, id_, record, changed))
    if name == "name" and sum(1 for s in swaps if s.table == "devices") > 1:
        raise DesignerError(_("Each device needs a name of its own."), _("Select one device."))
    label = ngettext("Change {field} of {n} object", "Change {field} of {n} objects", len(swaps))
    return Edit(label.format(field=_(name), n=len(swaps)), tuple(swaps))


def change_nics(design: Design, ids: Iterable[str], nic: PartType | None) -> Edit:
    """Put another NIC type into the slots of servers; None goes back to the one they came with.

    Raises:
        WiringError: A cable uses a port that the new NICs do not have.
    """
    swaps = use_types(design, [nic] if nic else [])
    slug = nic.slug if nic else ""
    for id_ in ids:
        device = design.devices[id_]
        part = design.type_of(device)
        changed = replace(device, nics=slug)
        card = nic.family("nic") if nic else (part.family("nic") if part else None)
        per_slot = card.count if card and nic else 1
        total = part.nic_slots * per_slot if nic and part else card.count if card else 0
        for port, users in port_users(design, device).items():
            if port.family == "nic" and port.number > total:
                raise WiringError(
                    _("{device}: NIC port {n} is cabled and the new NICs do not have it.").format(
                        device=device.name, n=port.number
                    ),
                    _("Remove the cable first."),
                    tuple(users),
                )
        if changed != device:
            swaps.append(Swap("devices", id_, device, changed))
    return Edit(_("Change NICs"), tuple(swaps))


def map_servers(
    design: Design,
    ids: Iterable[str],
    part: PartType,
    nic: PartType | None = None,
) -> Edit:
    """Make servers of imported hosts: each gets type `part`; their cables keep their ports.

    Raises:
        WiringError: A host uses more NIC ports than the type has.
    """
    family = part.family("nic")
    total = family.count if family else 0
    swaps = use_types(design, [part, *([nic] if nic else [])])
    for id_ in ids:
        device = design.devices[id_]
        used = [p.number for p in port_users(design, device) if p.family == "nic"]
        if used and max(used) > total:
            raise WiringError(
                _("{device} uses NIC port {n}; {part} has {total}.").format(
                    device=device.name, n=max(used), part=part.title, total=total
                ),
                _("Choose a server type with more NICs."),
                (id_,),
            )
        changed = replace(device, type=part.slug, role="server", nics="", breakouts=())
        if changed != device:
            swaps.append(Swap("devices", id_, device, changed))
    n = sum(1 for s in swaps if s.table == "devices")
    label = ngettext("Map {n} host to {part}", "Map {n} hosts to {part}", n)
    return Edit(label.format(n=n, part=part.shown_model), tuple(swaps))


def set_workload(design: Design, workload: Workload | None) -> Edit:
    """Choose the job that results speak of, or none."""
    before = design.workload
    if before == workload:
        return Edit(_("Choose workload"), ())
    label = _("Remove workload")
    if workload is not None:
        changes = _changed_fields(before, workload)
        name = _(workload.title) or workload.name
        label = _("Choose workload {name}").format(name=name)
        if len(changes) == 1:
            label = _("Workload: {change}").format(change=changes[0])
    return Edit(label, (Swap("workloads", "workload", before, workload),))


def _changed_fields(before: Workload | None, after: Workload) -> list[str]:
    """Return what differs between two states of one workload: `tp 8 → 4`."""
    if before is None or before.name != after.name:
        return []
    pairs = ((f.name, getattr(before, f.name), getattr(after, f.name)) for f in fields(Workload))
    return [f"{name} {old} → {new}" for name, old, new in pairs if old != new]


def set_assumption(design: Design, key: str, value: AssumptionValue | None) -> Edit:
    """Set one parameter of the model, or reset it to its default with None."""
    before = design.assumptions.get(key)
    if before == value:
        return Edit(_("Set {key}").format(key=key), ())
    label = _("Set {key}") if value else _("Reset {key}")
    return Edit(label.format(key=key), (Swap("assumptions", key, before, value),))


def set_info(design: Design, **changes: str) -> Edit:
    """Change the title block or preferences."""
    before = design.info.get("info")
    after = replace(before or Info(), **changes)
    swaps = () if before == after else (Swap("info", "info", before, after),)
    return Edit(_("Change title block"), swaps)


def add_note(design: Design, text: str, x: float, y: float) -> Edit:
    """Write a note on the drawing."""
    note = Note(fresh_id(design, "notes", "n"), text, x, y)
    return Edit(_("Add note"), (Swap("notes", note.id, None, note),))


def drop_kept(design: Design, ids: Iterable[str]) -> Edit:
    """Throw away damaged records of the file that were kept aside, on the user's word only."""
    swaps = [
        Swap("kept", i, design.kept[i], None)
        for i in ids
        if isinstance(design.kept.get(i), KeptRecord)
    ]
    return Edit(_("Discard damaged records"), tuple(swaps))


def describe_cable(design: Design, cable: Cable) -> str:
    """Return a cable in words: `leaf-5 P33–P40 – spine-1 P1–P8`."""
    parts = []
    for end in (cable.a, cable.b):
        device = design.devices.get(end.device)
        parts.append(
            f"{device.name} {range_name(design, device, end)}"
            if device
            else f"{end.device} {end.family} {end.first}"
        )
    return " – ".join(parts)


__all__ = [
    "add_note",
    "change_nics",
    "default_role",
    "describe_cable",
    "drop_kept",
    "expand",
    "map_servers",
    "merge",
    "move",
    "place",
    "remove",
    "set_assumption",
    "set_field",
    "set_info",
    "set_workload",
    "use_types",
]
