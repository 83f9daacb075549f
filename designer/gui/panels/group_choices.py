"""Choices of groups for the fields of the inspector, and the edit that makes a new one."""

from collections.abc import Sequence

from designer.model.design import Design
from designer.model.edits import Edit
from designer.model.groups import create_group, join_group, leave_group
from designer.model.records import Group, GroupKind

NONE = ""


def groups_of(design: Design, kind: GroupKind) -> list[Group]:
    """Return the groups of one kind by name."""
    found = [g for g in design.groups.values() if g.kind == kind]
    return sorted(found, key=lambda g: g.name)


def membership(design: Design, kind: GroupKind, ids: Sequence[str], name: str) -> Edit:
    """Put devices into the group called `name`, made when it does not exist; empty leaves.

    Raises:
        DesignerError: The name cannot name a group.
    """
    wanted = name.strip()
    if not wanted:
        return leave_group(design, kind, ids)
    here = next((g for g in groups_of(design, kind) if g.name == wanted), None)
    if here is not None:
        return join_group(design, here.id, ids)
    return create_group(design, kind, wanted, ids)
