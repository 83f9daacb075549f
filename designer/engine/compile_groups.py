"""Groups that follow from wiring: scalable units, NVLink domains and connected components."""

from collections import Counter

import numpy as np
import numpy.typing as npt

from designer.catalog.types import GpuSpec
from designer.engine.columns import sum_by
from designer.engine.network import Attachments, BoolArray, FloatArray, IntArray
from designer.messages import _
from designer.model.design import Design
from designer.model.naming import natural
from designer.model.records import Device

Signs = npt.NDArray[np.int64]


def components(n: int, u: npt.NDArray[np.integer], v: npt.NDArray[np.integer]) -> IntArray:
    """Return the connected component of each of `n` nodes, numbered from 0 by lowest member.

    Args:
        n: Nodes.
        u: One end of each edge; one direction is enough.
        v: The other end.
    """
    label = np.arange(n)
    while True:
        low = np.minimum(label[u], label[v])
        new = label.copy()
        np.minimum.at(new, u, low)
        np.minimum.at(new, v, low)
        np.minimum.at(new, label[u], low)
        np.minimum.at(new, label[v], low)
        new = new[new]
        if np.array_equal(new, label):
            break
        label = new
    return np.unique(label, return_inverse=True)[1].astype(np.int32)


def units(
    design: Design,
    devices: list[Device],
    serves: BoolArray,
    nics: Attachments,
    switches: IntArray,
) -> tuple[IntArray, tuple[str, ...]]:
    """Return the scalable unit of each device and the names of the units.

    Devices are in the unit group they name. GPU servers without one form units by the set of
    leaves they attach to; a set that has most of its leaves in a unit of more servers belongs to
    it, so that a missing or misplaced cable makes no unit. A leaf joins the unit that uses most of
    its NIC links.
    """
    unit = np.full(len(devices), -1, dtype=np.int32)
    groups = {d.unit for d in devices if d.unit in design.groups}
    order = sorted(groups, key=lambda g: (natural(design.groups[g].name), g))
    number = {g: i for i, g in enumerate(order)}
    names = [design.groups[g].name for g in order]
    for i, device in enumerate(devices):
        unit[i] = number.get(device.unit, -1)
    found: dict[int, int] = {}
    signs = np.full(len(devices), -1, dtype=np.int64)
    sets: list[list[int]] = []
    if bool((serves & (unit < 0)).any()):
        signs, sets = _leaf_sets(len(devices), nics)
    lone = np.flatnonzero(serves & (unit < 0) & (signs >= 0)).tolist()
    lone.sort(key=lambda i: natural(devices[i].name))
    owner = _owners(signs[lone], sets)
    for i in lone:
        sign = owner[int(signs[i])]
        if sign not in found:
            found[sign] = len(names)
            names.append(_("Unit {n}").format(n=len(names) + 1))
        unit[i] = found[sign]
    _join_leaves(unit, nics, switches)
    return unit, tuple(names)


def _leaf_sets(n: int, nics: Attachments) -> tuple[Signs, list[list[int]]]:
    """Return a number for the set of leaves of each device, -1 without any, and the sets."""
    signs = np.full(n, -1, dtype=np.int64)
    if not len(nics.server):
        return signs, []
    width = int(nics.switch.max()) + 1
    pairs = np.unique(nics.server.astype(np.int64) * width + nics.switch)
    servers, start = np.unique(pairs // width, return_index=True)
    leaves = pairs % width
    seen: dict[bytes, int] = {}
    sets: list[list[int]] = []
    for server, part in zip(servers, np.split(leaves, start[1:]), strict=True):
        sign = seen.setdefault(part.tobytes(), len(seen))
        if sign == len(sets):
            sets.append(part.tolist())
        signs[server] = sign
    return signs, sets


def _owners(signs: Signs, sets: list[list[int]]) -> dict[int, int]:
    """Return, by set of leaves, the set whose unit it belongs to; see `units`.

    Sets of more servers come first, then those of the first server by name: the order of records
    decides nothing.
    """
    found, first, sizes = np.unique(signs, return_index=True, return_counts=True)
    place: dict[int, int] = {}
    owner: dict[int, int] = {}
    of_leaf: dict[int, int] = {}
    for sign in found[np.lexsort((first, -sizes))].tolist():
        place[sign] = len(place)
        votes = Counter(of_leaf[leaf] for leaf in sets[sign] if leaf in of_leaf)
        best, most = max(votes.items(), key=lambda v: (v[1], -place[v[0]]), default=(sign, 0))
        owner[sign] = best if 2 * most > len(sets[sign]) else sign
        for leaf in sets[sign]:
            of_leaf.setdefault(leaf, owner[sign])
    return owner


def _join_leaves(unit: IntArray, nics: Attachments, switches: IntArray) -> None:
    """Put leaves without a unit into the one that has most of their NIC links."""
    user = unit[nics.server]
    known = user >= 0
    width = int(unit.max(initial=0)) + 1
    codes, links = np.unique(
        nics.switch[known].astype(np.int64) * width + user[known], return_counts=True
    )
    every = np.bincount(nics.switch, minlength=len(switches))
    main = (2 * links > every[codes // width]) & (unit[switches[codes // width]] < 0)
    unit[switches[codes[main] // width]] = codes[main] % width


def domains(
    design: Design,
    devices: list[Device],
    gpus: IntArray,
    serves: BoolArray,
    cables: tuple[IntArray, IntArray, IntArray],
    use: BoolArray,
) -> tuple[IntArray, IntArray, FloatArray]:
    """Return NVLink domain by device, GPUs by domain, NVLink bytes/s per GPU by device.

    A tray with fewer NVLink links cabled than its GPUs have gets that share of the bandwidth.

    Args:
        design: The drawing.
        devices: Its devices in index order.
        gpus: GPUs by device.
        serves: GPU servers.
        cables: Device indices of both ends and links of each record.
        use: NVLink records that work.
    """
    a, b, count = (column[use] for column in cables)
    part = components(len(devices), a, b)
    member = serves | (np.array([d.role == "nvswitch" for d in devices], dtype=np.bool_))
    has_gpus = np.zeros(len(devices), dtype=np.bool_)
    has_gpus[part[serves]] = True
    inside = member & has_gpus[part] if len(devices) else member
    domain = np.full(len(devices), -1, dtype=np.int32)
    labels, domain[inside] = np.unique(part[inside], return_inverse=True)
    known = np.where(serves, np.maximum(gpus, 0), 0)
    sizes = sum_by(domain[inside], known[inside], len(labels)).astype(np.int32)
    links = sum_by(a, count, len(devices)) + sum_by(b, count, len(devices))
    rate = np.full(len(devices), np.nan)
    for i in np.flatnonzero(serves):
        kind = design.types.get(devices[i].type)
        rate[i] = _nvlink(kind.gpu if kind is not None else None, float(links[i]))
    return domain, sizes, rate


def _nvlink(gpu: GpuSpec | None, links: float) -> float:
    if gpu is None or gpu.nvlink_bytes_per_s is None:
        return float("nan")
    if gpu.internal_nvswitch:
        return gpu.nvlink_bytes_per_s
    wanted = (gpu.count or 0) * gpu.nvlink_links
    if links <= 0 or wanted <= 0:
        return float("nan")
    return gpu.nvlink_bytes_per_s * min(1.0, links / wanted)
