"""Which devices and cables stay strong: by tier, rail, group, fabric, load, faults; or near some.

A filter fades, it hides nothing: what it leaves out stays in its place, but cannot be hit.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from designer.model.ports import free_ports
from designer.model.records import GROUP_KINDS, ROLES
from designer.scene.columns import NIC, Floats, Ints, SceneColumns

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Filter:
    """What a person wants to see; each field left empty asks for nothing.

    Attributes:
        roles: Tiers, as roles of devices.
        rails: Rails from 1, of server cables and of the trunks of their leaves.
        groups: Ids of units, pods, racks or planes.
        fabrics: Networks the devices belong to.
        load: Least peak utilisation of a cable, 0 to 1.
        failed: Only what is out for the results.
        unused: Only devices with free ports.
        around: Ids of devices, cables and groups in focus.
        hops: How many cables away from those.
    """

    roles: frozenset[str] = frozenset()
    rails: frozenset[int] = frozenset()
    groups: frozenset[str] = frozenset()
    fabrics: frozenset[str] = frozenset()
    load: float | None = None
    failed: bool = False
    unused: bool = False
    around: frozenset[str] = frozenset()
    hops: int = 1

    def __bool__(self) -> bool:
        return self != Filter(hops=self.hops)


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """Masks over the device rows and bundle rows of the columns they were made of."""

    devices: Bools
    bundles: Bools


def keep(
    columns: SceneColumns,
    chosen: Filter,
    loads: Mapping[str, float],
    failed: Collection[str] = (),
) -> Kept | None:
    """Return what a filter keeps, or None when it asks for nothing.

    Conditions on devices keep the cables between those; conditions on cables keep their ends.
    """
    if not chosen:
        return None
    b = columns.bundles
    devices = _devices(columns, chosen)
    bundles: Bools = devices[b.a] & devices[b.b]
    if chosen.around:
        near, ways = _near(columns, chosen)
        devices, bundles = devices & near, bundles & ways
    by_cable = _cables(columns, chosen, loads)
    if by_cable is not None:
        bundles = bundles & by_cable
        devices = devices & _ends(columns, bundles)
    if chosen.failed:
        dead, cut = _failed(columns, failed)
        bundles = bundles & (cut | dead[b.a] | dead[b.b])
        devices = devices & (dead | _ends(columns, bundles))
    return Kept(devices, bundles)


def _ends(columns: SceneColumns, bundles: Bools) -> Bools:
    b = columns.bundles
    found = np.zeros(len(columns.ids), dtype=bool)
    found[b.a[bundles]] = True
    found[b.b[bundles]] = True
    return found


def _devices(columns: SceneColumns, chosen: Filter) -> Bools:
    design = columns.design
    devices = [design.devices[i] for i in columns.ids]
    found = np.ones(len(devices), dtype=bool)
    if chosen.roles:
        found &= np.isin(columns.role, [ROLES.index(r) for r in ROLES if r in chosen.roles])
    if chosen.groups:
        held = [any(getattr(d, k) in chosen.groups for k in GROUP_KINDS) for d in devices]
        found &= np.array(held, dtype=bool)
    if chosen.fabrics:
        found &= np.array([d.fabric in chosen.fabrics for d in devices], dtype=bool)
    if chosen.unused:
        free = [any(free_ports(design, d, f) for f in ("fabric", "nic", "nvlink")) for d in devices]
        found &= np.array(free, dtype=bool)
    return found


def _cables(columns: SceneColumns, chosen: Filter, loads: Mapping[str, float]) -> Bools | None:
    """Return the bundles that meet the conditions on cables, or None without such."""
    if not chosen.rails and chosen.load is None:
        return None
    b = columns.bundles
    found = np.ones(len(b.a), dtype=bool)
    if chosen.rails:
        rail = np.where(b.kind == NIC, b.rail, device_rails(columns)[b.b])
        found &= np.isin(rail, sorted(chosen.rails))
    if chosen.load is not None:
        found &= bundle_loads(columns, loads) >= chosen.load
    return found


def bundle_loads(columns: SceneColumns, loads: Mapping[str, float]) -> Floats:
    """Return the peak utilisation of each bundle, -1 where unknown."""
    found = np.full(len(columns.bundles.a), -1.0)
    known = [(r, v) for i, v in loads.items() if (r := columns.cable_bundle.get(i)) is not None]
    if known:
        rows, values = np.array(known).T
        np.maximum.at(found, rows.astype(np.int64), values)
    return found


def device_rails(columns: SceneColumns) -> Ints:
    """Return the rail of each device: that of all its NIC bundles, or 0 when they differ."""
    cached = columns.caches.get("leaf_rail")
    if isinstance(cached, np.ndarray):
        return cached
    b = columns.bundles
    nic = b.kind == NIC
    low = np.full(len(columns.ids), 10**6, dtype=np.int32)
    high = np.zeros(len(columns.ids), dtype=np.int32)
    np.minimum.at(low, b.a[nic], b.rail[nic])
    np.maximum.at(high, b.a[nic], b.rail[nic])
    rail = np.where(low == high, high, 0).astype(np.int32)
    columns.caches["leaf_rail"] = rail
    return rail


def _near(columns: SceneColumns, chosen: Filter) -> tuple[Bools, Bools]:
    """Return devices within some hops of those in focus, and the bundles on the way."""
    b, design = columns.bundles, columns.design
    near = np.zeros(len(columns.ids), dtype=bool)
    ways = np.zeros(len(b.a), dtype=bool)
    for id_ in chosen.around:
        if id_ in columns.index:
            near[columns.index[id_]] = True
        elif id_ in columns.cable_bundle:
            row = columns.cable_bundle[id_]
            ways[row] = near[b.a[row]] = near[b.b[row]] = True
        elif id_ in design.groups:
            rows = [columns.index.get(d.id, -1) for d in design.members(design.groups[id_])]
            near[[r for r in rows if r >= 0]] = True
    ways |= near[b.a] & near[b.b]
    for _hop in range(chosen.hops):
        touched = near[b.a] | near[b.b]
        ways |= touched
        near[b.a[touched]] = True
        near[b.b[touched]] = True
    return near, ways


def _failed(columns: SceneColumns, failed: Collection[str]) -> tuple[Bools, Bools]:
    dead = np.zeros(len(columns.ids), dtype=bool)
    cut = np.zeros(len(columns.bundles.a), dtype=bool)
    for id_ in failed:
        name = id_.removesuffix(":link")
        if name in columns.index:
            dead[columns.index[name]] = True
        elif name in columns.cable_bundle:
            cut[columns.cable_bundle[name]] = True
    return dead, cut
