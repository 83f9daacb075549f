"""What a device is cabled to: one row a peer, alike servers in one row."""

from collections.abc import Mapping
from dataclasses import dataclass

from designer.messages import _
from designer.model.design import Design
from designer.model.ports import Port, expand, link_speed, port_name
from designer.model.records import Cable, Device, Role
from designer.units import format_bits_per_s, format_number

# Peers of one role are drawn together once there are more of them than this.
MOST_SINGLE = 10


@dataclass(frozen=True, slots=True)
class Peer:
    """One row.

    Attributes:
        name: Name of the peer, or of the first and last of several.
        role: Role of the peer.
        ids: Devices.
        cables: Cable records.
        ports: Ports of the device in question, such as `33–40`.
        links: How many links.
        speed: Line rate of a link, bits/s; None when it does not link.
        peak: Highest utilisation of its cables, or None.
    """

    name: str
    role: Role | None
    ids: tuple[str, ...]
    cables: tuple[str, ...]
    ports: str
    links: int
    speed: float | None
    peak: float | None

    @property
    def rate(self) -> str:
        """Return links and line rate, such as `8 × 400 Gb/s`."""
        speed = format_bits_per_s(self.speed) if self.speed else _("no link")
        return f"{format_number(self.links)} × {speed}"

    @property
    def short_rate(self) -> str:
        """Return links and line rate in Gb/s without the unit, such as `8 × 400`."""
        speed = format_number(self.speed / 1e9) if self.speed else _("no link")
        return f"{format_number(self.links)} × {speed}"


@dataclass(slots=True)
class _Row:
    peer: str
    device: Device | None
    cables: list[str]
    ports: list[Port]
    links: int
    speed: float | None


def peers_of(design: Design, device: Device, utilization: Mapping[str, float]) -> list[Peer]:
    """Return the peers of a device in the order of its ports."""
    rows: dict[tuple[str, float | None], _Row] = {}
    for cable_id in design.cables_of(device.id):
        cable = design.cables[cable_id]
        other = cable.other_end(device.id).device
        speed = link_speed(design, cable)
        row = rows.setdefault(
            (other, speed), _Row(other, design.devices.get(other), [], [], 0, speed)
        )
        row.cables.append(cable_id)
        row.ports += expand(device, cable.end_at(device.id))
        row.links += cable.count
    ordered = sorted(rows.values(), key=lambda r: min(r.ports))
    return [_peer(design, device, group, utilization) for group in _grouped(ordered)]


def _grouped(rows: list[_Row]) -> list[list[_Row]]:
    """Put rows of one role and speed together where there are many."""
    many = {
        key
        for key in {_kind(r) for r in rows}
        if key[0] and sum(1 for r in rows if _kind(r) == key) > MOST_SINGLE
    }
    groups: list[list[_Row]] = []
    for row in rows:
        last = groups[-1][-1] if groups else None
        if last is not None and _kind(row) in many and _kind(last) == _kind(row):
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _kind(row: _Row) -> tuple[str, float | None, int]:
    return (row.device.role if row.device else "", row.speed, row.links)


def _peer(
    design: Design, device: Device, rows: list[_Row], utilization: Mapping[str, float]
) -> Peer:
    cables = [c for r in rows for c in r.cables]
    shares = [utilization[c] for c in cables if c in utilization]
    names = [r.device.name if r.device else r.peer for r in rows]
    name = names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"
    ports = sorted(p for r in rows for p in r.ports)
    first = rows[0]
    return Peer(
        name,
        first.device.role if first.device else None,
        tuple(r.peer for r in rows),
        tuple(cables),
        ports_text(design, device, ports),
        sum(r.links for r in rows),
        first.speed,
        max(shares, default=None),
    )


def ports_text(design: Design, device: Device, ports: list[Port]) -> str:
    """Return ports as ranges: `P33–40, P49`."""
    pieces: list[list[Port]] = []
    for port in ports:
        last = pieces[-1][-1] if pieces else None
        if (
            last is not None
            and last.family == port.family
            and last.lane == port.lane == 0
            and port.number == last.number + 1
        ):
            pieces[-1].append(port)
        else:
            pieces.append([port])
    texts = []
    for piece in pieces:
        one, two = (port_name(design, device, p) for p in (piece[0], piece[-1]))
        end = two.removeprefix(one.rstrip("0123456789"))
        texts.append(one if one == two else f"{one}–{end}")
    return ", ".join(texts[:3]) + (" …" if len(texts) > 3 else "")


def split_ends(design: Design, device: Device) -> tuple[int, int]:
    """Return the links of a switch down (to servers and lower tiers) and up."""
    order = {"host": 0, "server": 0, "nvswitch": 0, "leaf": 1, "spine": 2, "core": 3}
    own = order[device.role]
    down = up = 0
    for cable_id in design.cables_of(device.id):
        cable: Cable = design.cables[cable_id]
        other = design.devices.get(cable.other_end(device.id).device)
        if other is not None and order[other.role] > own:
            up += cable.count
        else:
            down += cable.count
    return down, up
