"""Groups: scalable units, pods, racks and planes; made, filled, nested and named by edits."""

from collections.abc import Iterable
from dataclasses import replace

from designer.errors import DesignerError
from designer.messages import _
from designer.model.design import Design
from designer.model.edits import Edit, Swap
from designer.model.naming import fresh_id
from designer.model.records import Group, GroupKind


def create_group(
    design: Design,
    kind: GroupKind,
    name: str,
    ids: Iterable[str],
    parent: str = "",
) -> Edit:
    """Make a group of devices; they leave the group of the same kind they were in.

    Raises:
        DesignerError: The name is empty or used by a group of the same kind.
    """
    if not name.strip() or any(g.name == name and g.kind == kind for g in design.groups.values()):
        raise DesignerError(
            _("“{name}” is empty or already names a group.").format(name=name),
            _("Choose another name."),
        )
    group = Group(fresh_id(design, "groups", "g"), kind, name, parent)
    swaps = [Swap("groups", group.id, None, group)]
    swaps += _joining(design, kind, group.id, ids)
    return Edit(_("Group as {name}").format(name=name), tuple(swaps))


def join_group(design: Design, group_id: str, ids: Iterable[str]) -> Edit:
    """Put devices into a group; they leave the group of the same kind they were in."""
    group = design.groups[group_id]
    return Edit(
        _("Add to {name}").format(name=group.name),
        tuple(_joining(design, group.kind, group_id, ids)),
    )


def leave_group(design: Design, kind: GroupKind, ids: Iterable[str]) -> Edit:
    """Take devices out of their group of one kind."""
    return Edit(_("Leave group"), tuple(_joining(design, kind, "", ids)))


def _joining(design: Design, kind: GroupKind, group_id: str, ids: Iterable[str]) -> list[Swap]:
    swaps = []
    for id_ in ids:
        device = design.devices.get(id_)
        if device is not None and getattr(device, kind) != group_id:
            changed = replace(device, **{kind: group_id})  # type: ignore[arg-type]
            swaps.append(Swap("devices", id_, device, changed))
    return swaps


def nest_group(design: Design, group_id: str, parent: str) -> Edit:
    """Put a group inside another one, or at the top with an empty `parent`.

    Raises:
        DesignerError: The group would end up inside itself.
    """
    above = parent
    while above:
        if above == group_id:
            raise DesignerError(_("A group cannot be inside itself."), "", (group_id,))
        outer = design.groups.get(above)
        above = outer.parent if outer else ""
    group = design.groups[group_id]
    changed = replace(group, parent=parent)
    swaps = (Swap("groups", group_id, group, changed),) if changed != group else ()
    return Edit(_("Nest {name}").format(name=group.name), swaps)
