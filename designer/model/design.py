"""The design: tables of records, and the indexes that every part of the program asks."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from designer.catalog.types import PartType, PortFamily
from designer.errors import ConflictError
from designer.messages import _
from designer.model.edits import Edit, Swap
from designer.model.records import (
    AssumptionValue,
    Cable,
    Device,
    Group,
    Info,
    KeptRecord,
    Note,
    Placement,
    Variant,
)
from designer.model.workload import Workload

TABLES = (
    "info",
    "types",
    "groups",
    "devices",
    "cables",
    "placements",
    "notes",
    "workloads",
    "assumptions",
    "variants",
    "kept",
)
# Changing only these leaves the network, and so every result, as it is.
PICTURE_TABLES = frozenset({"placements", "notes", "kept", "variants", "info"})


class Design:
    """A drawing of a cluster. Read its tables freely; change it only with `apply`.

    Attributes:
        types: Part types in use, by slug, so that a file keeps its meaning.
        devices, cables, groups, notes, variants, kept: Records by id.
        placements: Centre of each device, by device id.
        workloads: At most one record, id `workload`: the job that results speak of.
        assumptions: Values that replace the model's defaults, by parameter key.
        info: One record, id `info`.
        revision: Counts applied edits.
        derived: What layers above worked out from records that never change, by their own key;
            shared with snapshots, so who uses it checks that the records are still the same.
    """

    def __init__(self) -> None:
        self.info: dict[str, Info] = {}
        self.types: dict[str, PartType] = {}
        self.groups: dict[str, Group] = {}
        self.devices: dict[str, Device] = {}
        self.cables: dict[str, Cable] = {}
        self.placements: dict[str, Placement] = {}
        self.notes: dict[str, Note] = {}
        self.workloads: dict[str, Workload] = {}
        self.assumptions: dict[str, AssumptionValue] = {}
        self.variants: dict[str, Variant] = {}
        self.kept: dict[str, KeptRecord] = {}
        self.revision = 0
        self.derived: dict[str, object] = {}
        self._cables_of: dict[str, dict[str, None]] | None = None
        self._names: dict[str, str] | None = None
        # The place of each record that ever was, by table.
        self._first: dict[str, dict[str, int]] = {}

    # --- reading ---

    def table(self, name: str) -> dict[str, Any]:
        """Return one table by name.

        Raises:
            ConflictError: There is no such table.
        """
        if name not in TABLES:
            raise ConflictError(_("A design has no table “{name}”.").format(name=name))
        found: dict[str, Any] = getattr(self, name)
        return found

    @property
    def title_block(self) -> Info:
        """Return the title block; empty when never set."""
        return self.info.get("info", Info())

    @property
    def workload(self) -> Workload | None:
        """Return the job that results speak of, or None."""
        return self.workloads.get("workload")

    def type_of(self, device: Device) -> PartType | None:
        """Return the part type of a device, or None when it is unknown."""
        return self.types.get(device.type)

    def families(self, device: Device) -> dict[str, PortFamily]:
        """Return the ports of a device by family, with its own NICs where it names some."""
        part = self.types.get(device.type)
        if part is None:
            return {}
        found = {f.family: f for f in part.ports}
        nic = self.types.get(device.nics) if device.nics else None
        card = nic.family("nic") if nic else None
        if card is not None:
            base = found.get("nic", card)
            found["nic"] = PortFamily(
                "nic",
                part.nic_slots * card.count,
                base.name,
                card.speeds,
                card.form_factor,
                card.ports_per_cage,
                card.breakouts,
            )
        return found

    def ports_per_nic(self, device: Device) -> int:
        """Return the ports of one NIC of a server; 1 when its type says nothing."""
        part = self.types.get(device.type)
        family = self.families(device).get("nic")
        if part is None or family is None or part.nic_slots == 0:
            return 1
        return max(1, family.count // part.nic_slots)

    def rail(self, device: Device, nic_port: int) -> int:
        """Return the rail (from 1) of NIC port `nic_port` (from 1) of a server."""
        return (nic_port - 1) // self.ports_per_nic(device) + 1

    def gpus(self, device: Device) -> int | None:
        """Return the GPUs of a device: 0 for what is no server, None when unknown."""
        if device.role != "server":
            return 0
        part = self.types.get(device.type)
        if part is None or part.gpu is None:
            return None
        return part.gpu.count

    def cables_of(self, device_id: str) -> dict[str, None]:
        """Return the ids of the cables at a device, in the order they were added."""
        if self._cables_of is None:
            index: dict[str, dict[str, None]] = {}
            for cable in self.cables.values():
                index.setdefault(cable.a.device, {})[cable.id] = None
                index.setdefault(cable.b.device, {})[cable.id] = None
            self._cables_of = index
        return self._cables_of.get(device_id, {})

    def named(self, name: str) -> Device | None:
        """Return the device called `name`, or None."""
        if self._names is None:
            self._names = {d.name: d.id for d in self.devices.values()}
        found = self._names.get(name)
        return self.devices.get(found) if found is not None else None

    def members(self, group: Group) -> Iterator[Device]:
        """Yield the devices of a group, by its kind's field."""
        for device in self.devices.values():
            if getattr(device, group.kind) == group.id:
                yield device

    # --- changing ---

    def apply(self, edit: Edit) -> None:
        """Apply an edit: all of it, or nothing.

        Raises:
            ConflictError: A record is not as the edit expects; nothing was changed.
        """
        for swap in edit.swaps:
            if self.table(swap.table).get(swap.id) != swap.before:
                raise ConflictError(
                    _("“{label}” no longer fits: {table} “{id}” has changed.").format(
                        label=edit.label, table=swap.table, id=swap.id
                    ),
                    _("Undo the later change first."),
                    (swap.id,),
                )
        for name in {s.table for s in edit.swaps if s.after is None}:
            self._remember(name)
        for swap in edit.swaps:
            table = getattr(self, swap.table)
            if swap.after is None:
                del table[swap.id]
            else:
                table[swap.id] = swap.after
            self._index(swap)
        self.revision += 1

    def _index(self, swap: Swap) -> None:
        if swap.table == "cables" and self._cables_of is not None:
            if isinstance(swap.before, Cable):
                for end in (swap.before.a, swap.before.b):
                    self._cables_of.get(end.device, {}).pop(swap.id, None)
            if isinstance(swap.after, Cable):
                for end in (swap.after.a, swap.after.b):
                    self._cables_of.setdefault(end.device, {})[swap.id] = None
        elif swap.table == "devices" and self._names is not None:
            if isinstance(swap.before, Device) and self._names.get(swap.before.name) == swap.id:
                del self._names[swap.before.name]
            if isinstance(swap.after, Device):
                self._names[swap.after.name] = swap.id

    def snapshot(self) -> "Design":
        """Return a copy that later edits of this design do not touch; records are shared.

        Its records stand in the order in which they first came: undo puts back at the end what
        it brings back, and what is computed must not differ for that.
        """
        copy = Design()
        for name in TABLES:
            setattr(copy, name, self._as_first_drawn(name))
        copy.revision = self.revision
        copy.derived = self.derived
        return copy

    def _as_first_drawn(self, name: str) -> dict[str, Any]:
        table: dict[str, Any] = getattr(self, name)
        order = self._remember(name)
        if list(order) == list(table):
            return dict(table)
        places = [order[i] for i in table]
        if all(one < two for one, two in pairwise(places)):
            return dict(table)
        return {i: table[i] for i in sorted(table, key=order.__getitem__)}

    def _remember(self, name: str) -> dict[str, int]:
        """Return the places of the records of a table, with those that came since."""
        order, table = self._first.setdefault(name, {}), getattr(self, name)
        if not order:
            order.update(zip(table, range(len(table)), strict=True))
        elif list(order) != list(table):
            for id_ in table:
                order.setdefault(id_, len(order))
        return order
