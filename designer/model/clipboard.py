"""Copy, paste and duplicate: devices with the cables between them, under fresh ids and names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from designer.catalog.types import PartType
from designer.messages import _, ngettext
from designer.model.design import Design
from designer.model.edits import Edit, Swap
from designer.model.naming import fresh_id, fresh_name
from designer.model.records import Cable, Device, Note, Placement


@dataclass(frozen=True, slots=True)
class Clipboard:
    """Records taken from a design, self-contained."""

    types: Mapping[str, PartType]
    devices: tuple[Device, ...]
    cables: tuple[Cable, ...]
    placements: Mapping[str, Placement]
    notes: tuple[Note, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.devices or self.notes)


def copy(design: Design, ids: Iterable[str]) -> Clipboard:
    """Take devices, the cables with both ends among them, and notes."""
    chosen = set(ids)
    devices = tuple(design.devices[i] for i in design.devices if i in chosen)
    inside: dict[str, Cable] = {}
    for device in devices:
        for cable_id in design.cables_of(device.id):
            cable = design.cables[cable_id]
            if cable.a.device in chosen and cable.b.device in chosen:
                inside[cable_id] = cable
    slugs = {s for d in devices for s in (d.type, d.nics) if s}
    slugs |= {s for c in inside.values() for s in (c.type, c.optic_a, c.optic_b) if s}
    return Clipboard(
        {s: design.types[s] for s in slugs if s in design.types},
        devices,
        tuple(inside.values()),
        {d.id: design.placements[d.id] for d in devices if d.id in design.placements},
        tuple(design.notes[i] for i in design.notes if i in chosen),
    )


def paste(design: Design, board: Clipboard, dx: float, dy: float) -> tuple[Edit, list[str]]:
    """Add the copied records, shifted by (dx, dy), with fresh ids and names.

    Group membership is kept where the group still exists. Returns the edit and the new ids of
    devices and notes.
    """
    swaps = [Swap("types", s, None, p) for s, p in board.types.items() if s not in design.types]
    taken: set[str] = set()
    new_ids: dict[str, str] = {}
    for device in board.devices:
        id_ = fresh_id(design, "devices", "d")
        new_ids[device.id] = id_
        groups: dict[str, Any] = {
            k: getattr(device, k) if getattr(device, k) in design.groups else ""
            for k in ("unit", "pod", "plane", "rack")
        }
        copied = replace(
            device, id=id_, name=fresh_name(design, device.name, taken), rack_unit=None, **groups
        )
        swaps.append(Swap("devices", id_, None, copied))
        at = board.placements.get(device.id)
        if at is not None:
            swaps.append(Swap("placements", id_, None, Placement(at.x + dx, at.y + dy)))
    assemblies: dict[str, str] = {}
    for cable in board.cables:
        cable_id = fresh_id(design, "cables", "c")
        assembly = cable.assembly and assemblies.setdefault(cable.assembly, cable_id)
        swaps.append(
            Swap(
                "cables",
                cable_id,
                None,
                replace(
                    cable,
                    id=cable_id,
                    assembly=assembly,
                    a=replace(cable.a, device=new_ids[cable.a.device]),
                    b=replace(cable.b, device=new_ids[cable.b.device]),
                ),
            )
        )
    notes = [
        replace(n, id=fresh_id(design, "notes", "n"), x=n.x + dx, y=n.y + dy) for n in board.notes
    ]
    swaps += [Swap("notes", n.id, None, n) for n in notes]
    count = len(board.devices) + len(notes)
    label = ngettext("Paste {n} object", "Paste {n} objects", count).format(n=count)
    return Edit(label, tuple(swaps)), [*new_ids.values(), *(n.id for n in notes)]


def duplicate(
    design: Design,
    ids: Iterable[str],
    dx: float,
    dy: float,
) -> tuple[Edit, list[str]]:
    """Copy and paste in one step."""
    edit, new = paste(design, copy(design, ids), dx, dy)
    return replace(edit, label=_("Duplicate")), new
