"""Places devices in tiers: core, spine, leaf, servers from top to bottom; units and pods beside.

Distances between tiers grow with the width of what they join, so that a unit, a pod and the whole
cluster each have the proportions of a window when they fill it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from designer.messages import _
from designer.model.design import Design
from designer.model.edits import Edit, Swap
from designer.model.naming import natural
from designer.model.records import Device, Placement
from designer.scene.tiers import tier_order

SERVER_W, SERVER_H, GAP, RACK_GAP = 216.0, 236.0, 24.0, 80.0
LEAF_H, SPINE_H, CORE_H, TRAY_H, HOST_H = 104.0, 88.0, 104.0, 64.0, 120.0
LEAF_MIN, SPINE_MIN, CORE_MIN = 656.0, 736.0, 280.0
UNIT_GAP, POD_GAP = 160.0, 320.0
# Height of a tier gap over the width it joins: gives the proportions of a window.
LANES, TRUNKS, CORES = 0.24, 0.30, 0.17
MIN_LANES, MIN_TRUNKS = 330.0, 240.0
REST = 0.035


@dataclass(slots=True)
class _Block:
    """A unit, or a pod without units: servers below, leaves above."""

    servers: list[Device] = field(default_factory=list)
    trays: list[Device] = field(default_factory=list)
    leaves: list[Device] = field(default_factory=list)
    width: float = 0.0


@dataclass(slots=True)
class _Pod:
    blocks: dict[str, _Block] = field(default_factory=dict)
    spines: list[Device] = field(default_factory=list)
    width: float = 0.0


Places = dict[str, tuple[float, float]]


def _sorted(devices: Iterable[Device]) -> list[Device]:
    return sorted(devices, key=lambda d: natural(d.name))


def arrange(design: Design, only: Iterable[str] | None = None) -> Edit:
    """Return the edit that places devices in tiers.

    Args:
        design: The drawing.
        only: Ids to place; the others stay, and these are set beside them. None places all.
    """
    chosen = None if only is None else set(only)
    places = _all_places(design)
    if chosen is not None:
        places = _beside(design, {i: p for i, p in places.items() if i in chosen})
    swaps = []
    for id_, (x, y) in places.items():
        before, after = design.placements.get(id_), Placement(round(x, 1), round(y, 1))
        if before != after:
            swaps.append(Swap("placements", id_, before, after))
    return Edit(_("Tidy"), tuple(swaps))


def _beside(design: Design, places: Places) -> Places:
    """Shift newly placed devices below the ones that stay, when there are any."""
    kept = [p for i, p in design.placements.items() if i not in places and i in design.devices]
    if not kept or not places:
        return places
    low = max(p.y for p in kept) + 400
    left = min(p.x for p in kept)
    dx = left - min(x for x, _y in places.values())
    dy = low - min(y for _x, y in places.values())
    return {i: (x + dx, y + dy) for i, (x, y) in places.items()}


def _all_places(design: Design) -> Places:
    tiers = tier_order(design)
    by_role: dict[str, list[Device]] = {}
    for device in design.devices.values():
        by_role.setdefault(tiers[device.id], []).append(device)
    pods = _pods(by_role)
    places: Places = {}
    rows = _rows_of_pods(list(pods.values()))
    widths = [_row_width(row) for row in rows]
    total = max(widths, default=0.0)
    cores = _sorted(by_role.get("core", []))
    shared = _sorted(by_role.get("shared", []))
    depth = 0.0
    if cores:
        total = max(total, len(cores) * CORE_MIN if len(rows) < 2 else total)
    up = len(rows) > 1
    for index, row in enumerate(rows):
        side = -1.0 if up and index == 0 else 1.0
        base = CORE_H if cores else 0.0
        gap = max(MIN_TRUNKS, total * CORES) if cores else 0.0
        depth = max(depth, _place_row(row, total, base / 2 + gap, side, places))
    _place_shared(cores, shared, total, rows, places)
    _place_rest(by_role, total, depth, places)
    return places


def _pods(by_role: dict[str, list[Device]]) -> dict[str, _Pod]:
    pods: dict[str, _Pod] = {}
    for role in ("server", "nvswitch", "leaf"):
        for device in _sorted(by_role.get(role, [])):
            pod = pods.setdefault(device.pod, _Pod())
            block = pod.blocks.setdefault(device.unit, _Block())
            {"server": block.servers, "nvswitch": block.trays, "leaf": block.leaves}[role].append(
                device
            )
    for device in _sorted(by_role.get("spine", [])):
        pods.setdefault(device.pod, _Pod()).spines.append(device)
    for pod in pods.values():
        _order_leaves(pod)
        for block in pod.blocks.values():
            block.width = max(
                _server_row(block),
                len(block.leaves) * LEAF_MIN,
                len(block.trays) * (SERVER_W + GAP),
                SERVER_W,
            )
        pod.width = sum(b.width for b in pod.blocks.values()) + UNIT_GAP * max(
            0, len(pod.blocks) - 1
        )
        pod.width = max(pod.width, len(pod.spines) * SPINE_MIN)
    return dict(sorted(pods.items(), key=lambda kv: natural(kv[0])))


def _order_leaves(pod: _Pod) -> None:
    pod.blocks = dict(sorted(pod.blocks.items(), key=lambda kv: (kv[0] == "", natural(kv[0]))))
    for block in pod.blocks.values():
        block.servers.sort(key=lambda d: (natural(d.rack), natural(d.name)))
        block.leaves.sort(key=lambda d: (natural(d.plane), natural(d.name)))


def _server_row(block: _Block) -> float:
    width, rack = 0.0, None
    for device in block.servers:
        width += SERVER_W + (0 if rack is None else RACK_GAP if device.rack != rack else GAP)
        rack = device.rack
    return width


def _rows_of_pods(pods: list[_Pod]) -> list[list[_Pod]]:
    """Return one row of pods, or two that face the core when there are four or more."""
    if len(pods) < 4:
        return [pods] if pods else []
    half = (len(pods) + 1) // 2
    return [pods[:half], pods[half:]]


def _gap(row: list[_Pod]) -> float:
    """Return the room between pods: still to be seen when the whole row fills the window."""
    return max(POD_GAP, 0.06 * max(p.width for p in row))


def _row_width(row: list[_Pod]) -> float:
    return sum(p.width for p in row) + _gap(row) * max(0, len(row) - 1)


def _place_row(row: list[_Pod], total: float, base: float, side: float, places: Places) -> float:
    """Place the pods of one row above (-1) or below (1) the core; returns its depth."""
    x = -_row_width(row) / 2
    depth = base
    trunk = max(MIN_TRUNKS, max(p.width for p in row) * TRUNKS)
    for pod in row:
        y = base
        if pod.spines:
            _spread(pod.spines, x, pod.width, side * (y + SPINE_H / 2), places)
            y += SPINE_H + trunk
        at = x + (pod.width - _blocks_width(pod)) / 2
        for block in pod.blocks.values():
            depth = max(depth, _place_block(block, at, y, side, places))
            at += block.width + UNIT_GAP
        x += pod.width + _gap(row)
    return depth


def _blocks_width(pod: _Pod) -> float:
    return sum(b.width for b in pod.blocks.values()) + UNIT_GAP * max(0, len(pod.blocks) - 1)


def _spread(devices: list[Device], x: float, width: float, y: float, places: Places) -> None:
    share = width / len(devices)
    for k, device in enumerate(devices):
        places[device.id] = (x + share * (k + 0.5), y)


def _place_block(block: _Block, x: float, y: float, side: float, places: Places) -> float:
    if block.leaves:
        _spread(block.leaves, x, block.width, side * (y + LEAF_H / 2), places)
        y += LEAF_H
    if block.servers:
        if block.leaves:
            y += max(MIN_LANES, block.width * LANES)
        at, rack = x + (block.width - _server_row(block)) / 2, None
        for device in block.servers:
            if rack is not None:
                at += RACK_GAP if device.rack != rack else GAP
            places[device.id] = (at + SERVER_W / 2, side * (y + SERVER_H / 2))
            at += SERVER_W
            rack = device.rack
        y += SERVER_H
    if block.trays:
        y += max(120.0, block.width * 0.06)
        _spread(block.trays, x, block.width, side * (y + TRAY_H / 2), places)
        y += TRAY_H
    return y


def _place_shared(
    cores: list[Device], shared: list[Device], total: float, rows: list[list[_Pod]], places: Places
) -> None:
    if not cores:
        return
    width = max(total, len(cores) * CORE_MIN)
    _spread(cores, -width / 2, width, 0.0, places)
    if shared:
        _spread(shared, -width / 2, width, -(CORE_H + MIN_TRUNKS), places)


def _place_rest(
    by_role: dict[str, list[Device]], total: float, depth: float, places: Places
) -> None:
    """Hosts, and switches that nothing joins, stand in rows below everything else."""
    rest = _sorted(by_role.get("host", [])) + _sorted(by_role.get("other", []))
    if not rest:
        return
    width = max(total, 3000.0)
    # glyphs have a smallest height on the screen: the wider the drawing, the further apart
    below, step = max(400.0, total * REST), max(320.0, total * REST * 0.8)
    per_row = max(1, int(width // 700))
    for k, device in enumerate(rest):
        row, column = divmod(k, per_row)
        here = min(per_row, len(rest) - row * per_row)
        x = (column - (here - 1) / 2) * 700
        places[device.id] = (x, depth + below + row * step)
