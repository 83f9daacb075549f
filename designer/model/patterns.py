"""Cables between many devices at once: which device goes to which, on which free ports."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from designer.errors import WiringError
from designer.messages import N_, _
from designer.model.design import Design
from designer.model.edits import Edit
from designer.model.naming import natural
from designer.model.ports import Port, free_ports, lanes_of
from designer.model.records import Device, PortRange
from designer.model.wiring import as_range, connect_all, joined, pair_refusal

Pattern = Literal["rail", "block", "round_robin", "mesh"]
# Names and what they do, for people.
PATTERNS: dict[Pattern, tuple[str, str]] = {
    "rail": (N_("Rail-aligned"), N_("NIC k of every server on switch k")),
    "block": (N_("All to one"), N_("all free ports of a device on one switch, device by device")),
    "round_robin": (N_("Round robin"), N_("the ports of a device on one switch after the other")),
    "mesh": (N_("Full mesh"), N_("every device with every switch, as many links as set")),
}
# Who is cabled up to whom.
_TIERS = {"server": 0, "host": 0, "nvswitch": 1, "leaf": 1, "spine": 2, "core": 3}


@dataclass(frozen=True, slots=True)
class Row:
    """Links between two devices: trunks of consecutive ports, in order."""

    lower: Device
    upper: Device
    pairs: tuple[tuple[PortRange, PortRange], ...]

    @property
    def links(self) -> int:
        """Return how many links they are."""
        return sum(a.count for a, _b in self.pairs)


@dataclass(frozen=True, slots=True)
class Wiring:
    """What a pattern would cable.

    Attributes:
        rows: By pair of devices.
        left: Free ports that fit and stay free, by device id.
    """

    rows: tuple[Row, ...]
    left: dict[str, int]

    @property
    def links(self) -> int:
        """Return how many links it has in all."""
        return sum(row.links for row in self.rows)


def sides(design: Design, ids: Iterable[str]) -> tuple[list[Device], list[Device]]:
    """Return the lower and the upper devices of a selection, each in the order of their names.

    Raises:
        WiringError: They are not of two neighbouring kinds, or fewer than two.
    """
    found = [design.devices[i] for i in dict.fromkeys(ids) if i in design.devices]
    found.sort(key=lambda d: natural(d.name))
    tiers = sorted({_TIERS[d.role] for d in found})
    if len(found) < 2 or len(tiers) > 2:
        raise WiringError(
            _("Cables join two kinds of devices, such as servers and leaves."),
            _("Select servers and leaves, or leaves and spines, and nothing else."),
            tuple(d.id for d in found),
        )
    if len(tiers) == 1:
        return found[:1], found[1:]
    lower = [d for d in found if _TIERS[d.role] == tiers[0]]
    return lower, [d for d in found if _TIERS[d.role] == tiers[1]]


def most_of_pair(design: Design, ids: Iterable[str]) -> int:
    """Return the links of each pair that a full mesh of a selection has free ports for.

    Raises:
        WiringError: As `sides`.
    """
    lower, upper = sides(design, ids)
    below = min(len(_uplinks(design, d)) for d in lower) // len(upper)
    above = min(len(free_ports(design, d, "fabric")) for d in upper) // len(lower)
    return max(0, min(below, above))


def plan_wiring(
    design: Design, ids: Iterable[str], pattern: Pattern, links: int | None = None
) -> Wiring:
    """Return what a pattern would cable on free ports.

    Args:
        design: The drawing; it is not changed.
        ids: Devices of two kinds.
        pattern: `rail`, `block`, `round_robin` or `mesh`.
        links: Of `mesh`: links of each pair; of the others: links of each lower device at most,
            None for all its free ports.

    Raises:
        WiringError: The devices do not fit the pattern, or free ports run out; says where.
    """
    lower, upper = sides(design, ids)
    spare = _Spare(design, upper)
    rows: list[Row] = []
    for place, device in enumerate(lower):
        targets = _targets(design, device, place, len(lower), upper, pattern, links)
        taken: dict[str, list[tuple[PortRange, PortRange]]] = {}
        for port, target in targets:
            other = spare.take(device, port, target)
            pair = (as_range(device.id, port), as_range(target.id, other))
            taken.setdefault(target.id, []).append(pair)
        rows += [
            Row(device, design.devices[id_], tuple(joined(pairs))) for id_, pairs in taken.items()
        ]
    if not rows:
        raise WiringError(
            _("The selected devices have no free ports that fit."),
            _("Remove cables, or select other devices."),
            tuple(d.id for d in lower),
        )
    return Wiring(tuple(rows), _left(design, rows, (*lower, *upper)))


def wiring_edit(design: Design, wiring: Wiring) -> Edit:
    """Return the edit that draws a plan, as one step.

    Raises:
        WiringError: A port has been taken since.
    """
    return connect_all(design, [pair for row in wiring.rows for pair in row.pairs])


def _targets(
    design: Design,
    device: Device,
    place: int,
    count: int,
    upper: Sequence[Device],
    pattern: Pattern,
    links: int | None,
) -> Iterator[tuple[Port, Device]]:
    """Yield the ports of a lower device with the upper device each one goes to."""
    ports = _uplinks(design, device)
    if pattern == "mesh":
        each = links or 1
        if len(ports) < each * len(upper):
            raise WiringError(
                _("{device} has {n} free ports; {wanted} are needed.").format(
                    device=device.name, n=len(ports), wanted=each * len(upper)
                ),
                _("Lower the links of a pair, or select fewer switches."),
                (device.id,),
            )
        yield from ((ports[k], upper[k // each]) for k in range(each * len(upper)))
        return
    ports = ports[: links if links is not None else len(ports)]
    if pattern == "block":
        yield from ((port, upper[place * len(upper) // count]) for port in ports)
    elif pattern == "round_robin":
        yield from ((port, upper[k % len(upper)]) for k, port in enumerate(ports))
    else:
        for port in ports:
            rail = design.rail(device, port.number) if port.family == "nic" else port.number
            if rail > len(upper):
                raise WiringError(
                    _("{device} has a rail {rail}; {n} switches are selected.").format(
                        device=device.name, rail=rail, n=len(upper)
                    ),
                    _("Select one switch for each rail."),
                    (device.id,),
                )
            yield port, upper[rail - 1]


def _uplinks(design: Design, device: Device) -> list[Port]:
    """Return the free ports of a device that go up: NICs of servers, fabric ports of switches."""
    family = "nic" if device.role in ("server", "host") else "fabric"
    return free_ports(design, device, family)


class _Spare:
    """Free ports of the upper devices, handed out in front-panel order."""

    def __init__(self, design: Design, upper: Sequence[Device]) -> None:
        self._design = design
        self._free = {d.id: free_ports(design, d, "fabric") for d in upper}
        self._fits: dict[tuple[str, str, int, str, int], str] = {}

    def take(self, device: Device, port: Port, target: Device) -> Port:
        """Return the next free port of `target` that fits, and count it as taken.

        Raises:
            WiringError: There is none.
        """
        reason = ""
        for k, other in enumerate(self._free[target.id]):
            reason = self._refusal(device, port, target, other)
            if not reason:
                return self._free[target.id].pop(k)
        raise WiringError(
            reason or _("{device} has no free port left.").format(device=target.name),
            _("Select more switches, or fewer devices."),
            (target.id, device.id),
        )

    def _refusal(self, device: Device, port: Port, target: Device, other: Port) -> str:
        lanes = lanes_of(device, port.family, port.number), lanes_of(target, "fabric", other.number)
        key = (f"{device.type}/{device.nics}", port.family, lanes[0], target.type, lanes[1])
        if key not in self._fits:
            self._fits[key] = pair_refusal(self._design, device, port, target, other)
        return self._fits[key]


def _left(design: Design, rows: Iterable[Row], devices: Iterable[Device]) -> dict[str, int]:
    used: dict[str, int] = {}
    for row in rows:
        for device in (row.lower, row.upper):
            used[device.id] = used.get(device.id, 0) + row.links
    return {d.id: len(_uplinks(design, d)) - used.get(d.id, 0) for d in devices}
