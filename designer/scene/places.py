"""Where single ports are on the screen: on which edge, at which place, with what on them."""

from typing import NamedTuple

from designer.model.ports import Port, all_ports, port_users
from designer.model.records import Device
from designer.scene import glyph_sizes as sizes
from designer.scene.frame import Frame


class PortPlace(NamedTuple):
    """A port on the screen; `up` tells that it sits on the upper edge."""

    port: Port
    x: float
    y: float
    up: bool
    cable: str


def port_places(frame: Frame, row: int) -> list[PortPlace]:
    """Return every port of a device that is drawn, in front-panel order.

    Servers and hosts have their NICs on the upper edge. Leaves, and spines below a core, have the
    first half of their ports below and the rest above; other switches have all on the side of
    their peers.
    """
    columns = frame.columns
    device = columns.design.devices[columns.ids[row]]
    role = int(columns.role[row])
    users = port_users(columns.design, device)
    family = (
        "nic"
        if role in (sizes.SERVER, sizes.HOST)
        else "nvlink"
        if role == sizes.NVSWITCH
        else "fabric"
    )
    ports = list(all_ports(columns.design, device, family))
    nvlink = list(all_ports(columns.design, device, "nvlink")) if role == sizes.SERVER else []
    flip = _flipped(frame, row)
    top, low = _sides(frame, device, role, ports, row)
    if flip:
        top, low = low, top
    low = low + (nvlink if not flip else [])
    top = top + (nvlink if flip else [])
    found = []
    for side, up in ((top, True), (low, False)):
        found += _row_of_ports(frame, row, side, up, users)
    return found


def _sides(
    frame: Frame,
    device: Device,
    role: int,
    ports: list[Port],
    row: int,
) -> tuple[list[Port], list[Port]]:
    if role in (sizes.SERVER, sizes.HOST):
        return ports, []
    if role == sizes.CORE:
        return [], ports
    if role == sizes.SPINE and not _has_peers_above(frame, row):
        return [], ports
    half = (len(ports) + 1) // 2
    return ports[half:], ports[:half]


def _has_peers_above(frame: Frame, row: int) -> bool:
    b = frame.columns.bundles
    rows = frame.columns.rows_of(row)
    return bool((b.b[rows] == row).any())


def _flipped(frame: Frame, row: int) -> bool:
    """Tell whether the peers further from the core stand above this device (upper pods)."""
    columns, b = frame.columns, frame.columns.bundles
    rows = columns.rows_of(row)
    if not len(rows):
        return False
    lower = rows[b.a[rows] == row]
    if len(lower):
        return bool((columns.y[b.b[lower]] < columns.y[row]).mean() > 0.5)
    return bool((columns.y[b.a[rows]] > columns.y[row]).mean() > 0.5)


def _row_of_ports(
    frame: Frame, row: int, ports: list[Port], up: bool, users: dict[Port, list[str]]
) -> list[PortPlace]:
    if not ports:
        return []
    x, w = float(frame.x[row]), float(frame.w[row])
    y = float(frame.y[row] + (-0.5 if up else 0.5) * frame.h[row])
    pad = 24.0 * frame.view.scale
    if frame.columns.role[row] == sizes.SPINE:
        pad = max(pad, 52.0 * min(1.0, frame.view.scale * 2))
    pitch = (w - pad) / len(ports)
    left = x - (w - pad) / 2
    return [
        PortPlace(p, left + pitch * (k + 0.5), y, up, users.get(p, [""])[0])
        for k, p in enumerate(ports)
    ]
