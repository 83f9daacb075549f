"""From a design to a `CompiledNetwork`: one light pass over the records, then numpy columns.

Cost: about 1 µs a cable record. The ports of a device are asked once a class (type, NICs,
break-outs), never once a cable.

Tiers come from wiring, not from roles. Rank 1 are the switches that GPU servers' NICs attach to;
every other switch is one further than its nearest neighbour of a lower rank. A switch whose links
mostly lead to switches with more NICs than itself is a spine that got a stray NIC, not a leaf: it
carries demand, but keeps the rank of a spine. A switch called leaf that has neither a NIC nor a
neighbour with one is a leaf still empty. Hosts and fabrics other than compute do not count.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from designer.engine.columns import sum_by
from designer.engine.compile_columns import Ends, kinds, read_cables
from designer.engine.compile_groups import components, domains, units
from designer.engine.network import (
    NVLINK,
    SERVER_LEAF,
    SWITCH_SWITCH,
    Attachments,
    BoolArray,
    Bundles,
    CompiledNetwork,
    FloatArray,
    IntArray,
)
from designer.engine.record_columns import cable_columns
from designer.model.design import Design
from designer.model.naming import natural
from designer.model.records import ROLES, SWITCH_ROLES, Cable, Device

# Behind a cable's id in `fail`: one link of the trunk, not all of it.
ONE_LINK = ":link"
_ROLE = {role: index for index, role in enumerate(ROLES)}
Codes = npt.NDArray[np.int64]


def compile_network(design: Design, fail: Iterable[str] = frozenset()) -> CompiledNetwork:
    """Turn a design into the arrays that every solver works on.

    Args:
        design: The drawing; it is only read.
        fail: Ids of cables and devices to take out; `ID:link` takes out one link of a trunk, the
            last. They keep their rows, and the tiers stay those of the healthy drawing; what
            fails carries nothing.

    Returns:
        The network. Missing devices have index -1, ends without a shared speed have speed 0.
    """
    failed = frozenset(fail)
    devices = list(design.devices.values())
    index = {d.id: i for i, d in enumerate(devices)}
    role = np.array([_ROLE[d.role] for d in devices], dtype=np.int32)
    gpus = _gpus(design, devices)
    columns = cable_columns(design)
    a, b, speed, classes = read_cables(design, devices, columns)
    count = columns.count[0]
    switches, switch_of = _switches(devices)
    serves = (role == _ROLE["server"]) & (gpus != 0)
    kind = kinds(a, b, switch_of, serves)
    alive = _alive(columns.cables, devices, a.device, b.device, speed, failed)
    wired = (speed > 0) & (a.device != b.device)
    links = (switch_of, a.device, b.device, count, speed, kind)
    drawn = _attachments(design, devices, classes, a, b, count, speed, kind, switch_of)
    healthy = _bundles(len(switches), *links, wired)
    rank = _ranks(healthy, drawn, role[switches] == _ROLE["leaf"])
    unit, unit_names = units(design, devices, serves, drawn, switches)
    left = _links_left(columns.cables, count, failed)
    bundles, attached = healthy, drawn
    if failed:
        working = (switch_of, a.device, b.device, left, speed, kind)
        bundles = _bundles(len(switches), *working, wired & alive)
    if left is not count:
        attached = _attachments(design, devices, classes, a, b, left, speed, kind, switch_of)
    nics, leaf_of = _working(attached, alive, len(switches))
    leaves = np.flatnonzero(leaf_of >= 0)
    serves &= np.array([d.id not in failed for d in devices], dtype=np.bool_)
    domain, domain_gpus, nvlink = domains(
        design, devices, gpus, serves, (a.device, b.device, left), alive & (kind == NVLINK) & wired
    )
    return CompiledNetwork(
        device_ids=tuple(index),
        device_index=index,
        role=role,
        gpus=gpus,
        unit=unit,
        unit_names=unit_names,
        cable_ids=tuple(design.cables),
        cable_a=a.device,
        cable_b=b.device,
        cable_count=left,
        cable_speed=speed,
        cable_kind=kind,
        switches=switches,
        switch_of=switch_of,
        rank=rank,
        leaves=leaves.astype(np.int32),
        leaf_of=leaf_of,
        nics=nics,
        bundles=bundles,
        component=components(len(switches), bundles.src, bundles.dst),
        servers=_in_rank_order(devices, serves, unit),
        domain=domain,
        domain_gpus=domain_gpus,
        nvlink_bytes_per_s=nvlink,
        failed=failed,
    )


def _in_rank_order(devices: list[Device], serves: BoolArray, unit: IntArray) -> IntArray:
    """Return the servers by unit, then by name; those without a unit come last."""
    servers = np.flatnonzero(serves).tolist()
    servers.sort(key=lambda i: (unit[i] < 0, int(unit[i]), natural(devices[i].name), i))
    return np.array(servers, dtype=np.int32)


def _gpus(design: Design, devices: list[Device]) -> IntArray:
    by_class: dict[tuple[str, str], int] = {}
    out = np.zeros(len(devices), dtype=np.int32)
    for i, device in enumerate(devices):
        key = (device.type, device.role)
        if key not in by_class:
            found = design.gpus(device)
            by_class[key] = -1 if found is None else found
        out[i] = by_class[key]
    return out


def _switches(devices: list[Device]) -> tuple[IntArray, IntArray]:
    """Return the switches of the compute fabric, and switch indices by device.

    They are numbered in the order of their ids: hashes and ties of up and down go by the number,
    and must not change when a file, sorted by id, is opened again.
    """
    found = [i for i, d in enumerate(devices) if d.role in SWITCH_ROLES and d.fabric == "compute"]
    found.sort(key=lambda i: devices[i].id)
    switches = np.array(found, dtype=np.int32)
    switch_of = np.full(len(devices), -1, dtype=np.int32)
    switch_of[switches] = np.arange(len(found), dtype=np.int32)
    return switches, switch_of


def _alive(
    cables: list[Cable],
    devices: list[Device],
    a: IntArray,
    b: IntArray,
    speed: FloatArray,
    failed: frozenset[str],
) -> BoolArray:
    alive = speed > 0
    if failed:
        up = np.array([d.id not in failed for d in devices] + [False], dtype=np.bool_)
        own = np.array([c.id not in failed for c in cables], dtype=np.bool_)
        alive = alive & own & up[a] & up[b]
    return alive


def _links_left(cables: list[Cable], count: IntArray, failed: frozenset[str]) -> IntArray:
    """Return the links of each cable record without those that failed by themselves."""
    trunks = {i.removesuffix(ONE_LINK) for i in failed if i.endswith(ONE_LINK)}
    if not trunks:
        return count
    lost = np.array([c.id in trunks for c in cables], dtype=np.int32)
    left: IntArray = np.maximum(count - lost, 0).astype(np.int32)
    return left


# --- the fabric ---


def _attachments(
    design: Design,
    devices: list[Device],
    classes: IntArray,
    a: Ends,
    b: Ends,
    count: IntArray,
    speed: FloatArray,
    kind: IntArray,
    switch_of: IntArray,
) -> Attachments:
    rows = np.flatnonzero((kind == SERVER_LEAF) & (speed > 0))
    swapped = switch_of[a.device[rows]] >= 0
    server, leaf_device, first, lane, lanes = (
        np.where(swapped, getattr(y, name)[rows], getattr(x, name)[rows])
        for x, y, name in (
            (a, b, "device"),
            (b, a, "device"),
            (a, b, "first"),
            (a, b, "lane"),
            (a, b, "lanes"),
        )
    )
    links = np.maximum(count[rows], 0)
    step = np.arange(int(links.sum())) - np.repeat(np.cumsum(links) - links, links)
    cable, server, leaf_device, first, lane, lanes = (
        np.repeat(x, links) for x in (rows, server, leaf_device, first, lane, lanes)
    )
    # links of a split end fill the lanes of one port before the next port
    port = first + np.where(lane > 0, (np.maximum(lane, 1) - 1 + step) // lanes, step)
    per_nic = np.ones(int(classes.max(initial=0)) + 1, dtype=np.int32)
    for cls, i in zip(*np.unique(classes, return_index=True), strict=True):
        per_nic[cls] = design.ports_per_nic(devices[int(i)])
    nic = (port - 1) // per_nic[classes[server]] if len(server) else port
    switch = switch_of[leaf_device]
    plane = _planes(design, devices)[leaf_device]
    whole = [x.astype(np.int32) for x in (server, switch, nic, nic + 1, plane, cable)]
    return Attachments(
        server=whole[0],
        switch=whole[1],
        leaf=whole[1],
        nic=whole[2],
        rail=whole[3],
        plane=whole[4],
        speed=speed[cable],
        cable=whole[5],
    )


def _working(drawn: Attachments, alive: BoolArray, n: int) -> tuple[Attachments, IntArray]:
    """Return the attachments that work, and the leaf index of each of the `n` switches."""
    use = alive[drawn.cable]
    leaves = np.unique(drawn.switch[use])
    leaf_of = np.full(n, -1, dtype=np.int32)
    leaf_of[leaves] = np.arange(len(leaves))
    working = Attachments(
        drawn.server[use],
        drawn.switch[use],
        leaf_of[drawn.switch[use]],
        drawn.nic[use],
        drawn.rail[use],
        drawn.plane[use],
        drawn.speed[use],
        drawn.cable[use],
    )
    return working, leaf_of


def _planes(design: Design, devices: list[Device]) -> IntArray:
    """Return the plane index of each device; 0 where it is in none."""
    used = {d.plane for d in devices if d.plane}
    names = {p: design.groups[p].name if p in design.groups else p for p in used}
    order = {p: i for i, p in enumerate(sorted(used, key=lambda p: natural(names[p])))}
    return np.array([order.get(d.plane, 0) for d in devices], dtype=np.int32)


def _bundles(
    n: int,
    switch_of: IntArray,
    a: IntArray,
    b: IntArray,
    count: IntArray,
    speed: FloatArray,
    kind: IntArray,
    use: BoolArray,
) -> Bundles:
    rows = np.flatnonzero((kind == SWITCH_SWITCH) & use & (count > 0))
    u, v = switch_of[a[rows]].astype(np.int64), switch_of[b[rows]].astype(np.int64)
    code = np.concatenate((u * n + v, v * n + u))
    codes, inverse = np.unique(code, return_inverse=True)
    links = np.tile(count[rows], 2)
    src, dst = codes // max(n, 1), codes % max(n, 1)
    cable_bundle = np.full(len(a), -1, dtype=np.int32)
    cable_bundle[rows] = inverse[: len(rows)]
    return Bundles(
        src=src.astype(np.int32),
        dst=dst.astype(np.int32),
        count=sum_by(inverse, links, len(codes)).astype(np.int32),
        capacity=sum_by(inverse, links * np.tile(speed[rows], 2), len(codes)),
        reverse=np.searchsorted(codes, dst * n + src).astype(np.int32),
        start=np.searchsorted(src, np.arange(n + 1)).astype(np.int32),
        cable_bundle=cable_bundle,
    )


def _ranks(bundles: Bundles, drawn: Attachments, called_leaf: BoolArray) -> IntArray:
    """Return the tier of each switch by breadth-first search from the leaves; see the module."""
    n = len(called_leaf)
    nics = np.bincount(drawn.switch, minlength=n)
    heavier = (nics[bundles.dst] > nics[bundles.src]) & (nics[bundles.src] > 0)
    links = sum_by(bundles.src, bundles.count, n)
    above = sum_by(bundles.src, bundles.count * heavier, n)
    peers = sum_by(bundles.src, heavier, n)
    near_nics = sum_by(bundles.src, nics[bundles.dst] > 0, n) > 0
    stray = (peers >= 2) & (above > links / 2)
    seed = ((nics > 0) & ~stray) | (called_leaf & (nics == 0) & ~near_nics)
    rank = np.where(seed, 1, 0).astype(np.int32)
    frontier, level = seed, 1
    while frontier.any():
        level += 1
        frontier = (sum_by(bundles.dst, frontier[bundles.src], n) > 0) & (rank == 0)
        rank[frontier] = level
    # an island of switches without servers has no distance from them
    rank[rank == 0] = 1
    return rank
