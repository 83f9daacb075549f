"""Self-audit: a bill of materials against the records, and against what a formula would give."""

from dataclasses import dataclass

from designer.engine.bom_rows import Bom
from designer.messages import _
from designer.model.design import Design
from designer.model.records import ROLES


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One comparison: what was counted on the bill, and what it should be."""

    item: str
    counted: int
    expected: int

    @property
    def agrees(self) -> bool:
        """Tell whether the two are equal."""
        return self.counted == self.expected


def audit(design: Design, bom: Bom, formula: dict[str, int] | None = None) -> list[AuditRow]:
    """Compare a bill with the records it was counted from, and with a topology's formula.

    Args:
        design: The drawing.
        bom: Its bill of materials.
        formula: Expected counts by key: roles such as `leaf`, and kinds of link such as
            `leaf_spine`, as a generator states them.
    """
    rows = []
    for role in ROLES:
        drawn = sum(1 for d in design.devices.values() if d.role == role)
        billed = sum(r.count for r in bom.rows if r.role == role and r.kind != "nic")
        rows.append(AuditRow(role, billed, drawn))
    links = sum(c.count for c in design.cables.values())
    billed = sum(r.links for r in bom.select("cable"))
    rows.append(AuditRow(_("links"), billed, links))
    for key, expected in (formula or {}).items():
        rows.append(AuditRow(key, _counted(bom, key), expected))
    return rows


def _counted(bom: Bom, key: str) -> int:
    if key in ROLES:
        return sum(r.count for r in bom.rows if r.role == key and r.kind != "nic")
    return sum(r.links for r in bom.select("cable") if r.role == key)
