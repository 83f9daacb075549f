"""What a file holds beyond what can be drawn: kept aside at opening, written back at saving.

Three kinds, see `KeptRecord`. Each goes back to its own place in the file. Where a record drawn
since has taken that place, it is written to the table `kept`, so that neither is lost.
"""

from typing import Any

from designer.formats.json_text import Document
from designer.formats.records_json import TO_JSON, RecordError
from designer.messages import _, ngettext
from designer.model.design import TABLES, Design
from designer.model.records import Cable, KeptRecord

_KINDS = ("record", "fields", "waiting")


def keep(design: Design, record: KeptRecord) -> None:
    """Put one record aside, under a key that no other one has."""
    key = f"{record.table}/{record.id}" + ("#fields" if record.kind == "fields" else "")
    number = 1
    while (chosen := key if number == 1 else f"{key}#{number}") in design.kept:
        number += 1
    design.kept[chosen] = record


# --- opening -------------------------------------------------------------------------------------


def set_aside(design: Design, document: Document) -> None:
    """Keep aside what cannot be drawn because something else is missing.

    Cables and placements of a device that could not be read wait for it: once it is mended in the
    file, all of it is back. A cable to a device that is not in the file at all is a fault of its
    own, and so are groups that stand inside one another in a ring.
    """
    damaged = {r.id for r in design.kept.values() if r.table == "devices" and r.kind == "record"}
    waiting = _cables(design, document, damaged)
    for id_ in [i for i in design.placements if i not in design.devices]:
        raw = TO_JSON["placements"](design.placements.pop(id_))
        reason = _("There is no device “{id}”.").format(id=id_)
        line = document.line("placements", id_)
        keep(design, KeptRecord("placements", id_, raw, reason, line, "waiting"))
    for key, record in list(design.kept.items()):
        n = waiting.get(record.id, 0) if record.table == "devices" else 0
        if n:
            tail = ngettext("{n} cable waits for it.", "{n} cables wait for it.", n).format(n=n)
            design.kept[key] = KeptRecord(
                record.table, record.id, record.raw, f"{record.reason} {tail}", record.line
            )
    _rings(design, document)


def _cables(design: Design, document: Document, damaged: set[str]) -> dict[str, int]:
    """Keep cables without one of their devices; returns how many wait for each damaged one."""
    devices, counts = design.devices, dict.fromkeys(damaged, 0)
    lost = [c for c in design.cables.values() if not {c.a.device, c.b.device} <= devices.keys()]
    for cable in lost:
        missing = [e.device for e in (cable.a, cable.b) if e.device not in devices]
        broken = [i for i in missing if i in damaged]
        for id_ in set(broken):
            counts[id_] += 1
        _keep_cable(design, document, cable, missing[0], waits=len(broken) == len(missing))
    return counts


def _keep_cable(
    design: Design, document: Document, cable: Cable, device: str, *, waits: bool
) -> None:
    reason = (
        _("It waits for device “{id}”, which could not be read.")
        if waits
        else _("Device “{id}” is not in the file.")
    )
    del design.cables[cable.id]
    keep(
        design,
        KeptRecord(
            "cables",
            cable.id,
            TO_JSON["cables"](cable),
            reason.format(id=device),
            document.line("cables", cable.id),
            "waiting" if waits else "record",
        ),
    )


def _rings(design: Design, document: Document) -> None:
    """Keep groups that are inside themselves: whoever walks up from them would never end."""
    for start in list(design.groups):
        path: dict[str, None] = {}
        at = start
        while at in design.groups and at not in path:
            path[at] = None
            at = design.groups[at].parent
        if at != start or at not in design.groups:
            continue
        for id_ in path:
            raw = TO_JSON["groups"](design.groups.pop(id_))
            reason = _("The group is inside itself.")
            keep(design, KeptRecord("groups", id_, raw, reason, document.line("groups", id_)))


def kept_from_json(data: Any, line: int | None) -> KeptRecord:
    """Return the record that `kept_to_json` wrote.

    Raises:
        RecordError: It is none.
    """
    if not isinstance(data, dict) or set(data) != {"table", "id", "raw", "reason", "kind"}:
        raise RecordError(_("Fields table, id, raw, reason and kind are expected."))
    texts = [data[k] for k in ("table", "id", "reason", "kind")]
    if not all(isinstance(t, str) for t in texts) or data["kind"] not in _KINDS:
        raise RecordError(_("Texts and a known kind are expected."))
    return KeptRecord(data["table"], data["id"], data["raw"], data["reason"], line, data["kind"])


# --- saving --------------------------------------------------------------------------------------


def kept_to_json(record: KeptRecord) -> dict[str, Any]:
    """Return a record for the table `kept`."""
    return {
        "table": record.table,
        "id": record.id,
        "raw": record.raw,
        "reason": record.reason,
        "kind": record.kind,
    }


class Returned:
    """Where kept records go in the file.

    Attributes:
        rows: Values by id, by table, for places that no drawn record holds; the empty table holds
            unknown parts of the file.
        fields: Unknown fields by id, by table, of records that are still drawn.
        parked: Values for the table `kept`.
    """

    def __init__(self, design: Design) -> None:
        self.rows: dict[str, dict[str, Any]] = {}
        self.fields: dict[str, dict[str, dict[str, Any]]] = {}
        self.parked: dict[str, Any] = {}
        for key, record in design.kept.items():
            if record.kind == "fields":
                if isinstance(record.raw, dict) and record.id in _live(design, record.table):
                    known = self.fields.setdefault(record.table, {}).setdefault(record.id, {})
                    known.update(record.raw)
            elif self._free(design, record):
                self.rows.setdefault(record.table, {})[record.id] = record.raw
            else:
                self.parked[key] = kept_to_json(record)
        self._park_covered(design)
        for key in self.rows.get("kept", {}).keys() & self.parked.keys():
            self.parked[f"{key}#parked"] = self.parked.pop(key)

    def _free(self, design: Design, record: KeptRecord) -> bool:
        if record.table and record.table not in TABLES:
            return False
        if record.id in self.rows.get(record.table, {}):
            return False
        if not record.table:
            return record.id not in ("", "format", "version", "kept")
        return record.table == "kept" or record.id not in _live(design, record.table)

    def _park_covered(self, design: Design) -> None:
        """Park unknown parts of the file whose name a table needs that has records now."""
        for name in list(self.rows.get("", {})):
            if name in TABLES and (_live(design, name) or self.rows.get(name)):
                raw = self.rows[""].pop(name)
                self.parked[f"/{name}"] = kept_to_json(KeptRecord("", name, raw))


def _live(design: Design, table: str) -> dict[str, Any]:
    return design.table(table) if table in TABLES and table != "kept" else {}
