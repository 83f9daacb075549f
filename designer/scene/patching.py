"""Patches the columns of a drawing after a small edit, instead of reading all its records again."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from designer.model.edits import Edit
from designer.model.records import ROLES, Cable
from designer.scene.bundles import TIER, join

if TYPE_CHECKING:
    from designer.scene.columns import SceneColumns

_ROLE = {role: k for k, role in enumerate(ROLES)}
# Device records that differ in one of these have other cables, or other places of them.
_WIRED = ("role", "type", "nics")


def patch(columns: "SceneColumns", edit: Edit) -> bool:
    """Bring columns in step with an applied edit; False where they have to be built anew.

    Rows that go are filled by the last ones, so that the order of rows is not that of the records.
    """
    design = columns.design
    if any(s.before is not None for s in edit.swaps if s.table == "types"):
        return False
    changed = dict.fromkeys((*edit.ids("devices"), *edit.ids("placements")))
    here = {i for i in changed if i in design.devices and i in design.placements}
    gone = [i for i in changed if i in columns.index and i not in here]
    new = [i for i in changed if i in here and i not in columns.index]
    if set(new) - set(edit.ids("devices")):
        # a device that had no place before: its cables are not in the edit
        return False
    moved = [i for i in edit.ids("placements") if i in here and i in columns.index]
    near = _ends(columns, edit) | _peers(columns, [columns.index[i] for i in (*gone, *moved)])
    loose = sorted({*_loosened(columns, edit, gone), *_level(columns, moved)})
    ends = (columns.bundles.a[loose], columns.bundles.b[loose])
    near |= {columns.ids[k] for k in np.concatenate(ends).tolist()}
    again = [c for row in loose for c in columns.bundles.cables[row]]
    columns.bundles.drop(loose, columns.cable_bundle)
    for id_ in gone:
        _drop_device(columns, id_)
    _add_devices(columns, new)
    for id_ in here:
        _write(columns, id_)
    wanted = dict.fromkeys((*again, *edit.ids("cables")))
    _join(columns, [c for c in wanted if c in design.cables])
    near |= _ends(columns, edit) | {*new, *moved}
    if columns.dirty is not None:
        columns.dirty |= {columns.index[i] for i in near if i in columns.index}
    return True


def _ends(columns: "SceneColumns", edit: Edit) -> set[str]:
    """Return the devices at the ends of the cables of an edit, before and after it."""
    cables = [c for s in edit.swaps for c in (s.before, s.after) if isinstance(c, Cable)]
    return {end.device for cable in cables for end in (cable.a, cable.b)}


def _peers(columns: "SceneColumns", rows: list[int]) -> set[str]:
    """Return the devices that are cabled to any of the rows."""
    if not rows:
        return set()
    b, mine = columns.bundles, np.zeros(len(columns.ids), dtype=bool)
    mine[rows] = True
    found = np.unique(np.concatenate([b.b[mine[b.a]], b.a[mine[b.b]]]))
    return {columns.ids[k] for k in found.tolist()}


def _loosened(columns: "SceneColumns", edit: Edit, gone: list[str]) -> list[int]:
    """Return the bundles that have to be joined anew: those of changed cables and devices."""
    design, b, index = columns.design, columns.bundles, columns.index
    rows = {columns.cable_bundle[c] for c in edit.ids("cables") if c in columns.cable_bundle}
    rewired = np.zeros(len(columns.ids), dtype=bool)
    rewired[[index[i] for i in gone]] = True
    for swap in edit.swaps:
        if swap.table == "devices" and swap.id in index and swap.before and swap.after:
            rewired[index[swap.id]] |= any(
                getattr(swap.before, n) != getattr(swap.after, n) for n in _WIRED
            )
    rows.update(np.flatnonzero(rewired[b.a] | rewired[b.b]).tolist())
    for id_ in edit.ids("cables"):
        cable = design.cables.get(id_)
        ends = [index.get(e.device) for e in (cable.a, cable.b)] if cable is not None else []
        if len(ends) == 2 and None not in ends:
            one, two = ends
            same = ((b.a == one) & (b.b == two)) | ((b.a == two) & (b.b == one))
            rows.update(np.flatnonzero(same).tolist())
    return sorted(rows)


def _level(columns: "SceneColumns", moved: list[str]) -> list[int]:
    """Return the bundles of moved devices to others of their tier: which end is above decides."""
    b, mine = columns.bundles, np.zeros(len(columns.ids), dtype=bool)
    mine[[columns.index[i] for i in moved]] = True
    tier = np.array(TIER)[columns.role]
    found: list[int] = np.flatnonzero((mine[b.a] | mine[b.b]) & (tier[b.a] == tier[b.b])).tolist()
    return found


def _drop_device(columns: "SceneColumns", id_: str) -> None:
    """Take a device without bundles out; the last row fills its place."""
    row, last = columns.index.pop(id_), len(columns.ids) - 1
    lists = (columns.ids, columns.names, columns.unit, columns.pod, columns.rack)
    for values in lists:
        values[row] = values[last]
        values.pop()
    for name in ("x", "y", "role"):
        column = getattr(columns, name)
        column[row] = column[last]
        setattr(columns, name, column[:last])
    if columns.dirty is not None:
        columns.dirty = frozenset(row if k == last else k for k in columns.dirty if k != row)
    if row != last:
        columns.index[columns.ids[row]] = row
        b = columns.bundles
        b.a[b.a == last] = row
        b.b[b.b == last] = row


def _add_devices(columns: "SceneColumns", ids: list[str]) -> None:
    """Append rows; `_write` fills them."""
    for id_ in ids:
        columns.index[id_] = len(columns.ids)
        columns.ids.append(id_)
        for values in (columns.names, columns.unit, columns.pod, columns.rack):
            values.append("")
    more = np.zeros(len(ids))
    columns.x, columns.y = np.append(columns.x, more), np.append(columns.y, more)
    columns.role = np.append(columns.role, more.astype(np.int32))


def _write(columns: "SceneColumns", id_: str) -> None:
    row, device = columns.index[id_], columns.design.devices[id_]
    place = columns.design.placements[id_]
    columns.x[row], columns.y[row] = place.x, place.y
    columns.role[row] = _ROLE[device.role]
    columns.names[row], columns.unit[row] = device.name, device.unit
    columns.pod[row], columns.rack[row] = device.pod, device.rack


def _join(columns: "SceneColumns", cables: Iterable[str]) -> None:
    first = len(columns.bundles.cables)
    more = join(columns.design, columns.index, columns.role, columns.y, cables)
    columns.bundles.extend(more)
    for k, ids in enumerate(more.cables):
        columns.cable_bundle.update(dict.fromkeys(ids, first + k))
