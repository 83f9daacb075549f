"""Ports one by one: which link sits where, what is free, what speed a link runs at."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from designer.catalog.types import PartType, PortFamily
from designer.model.design import Design
from designer.model.records import Cable, Device, PortRange


class Port(NamedTuple):
    """One port, or one lane of a broken-out port when `lane` is above 0."""

    family: str
    number: int
    lane: int = 0


def lanes_of(device: Device, family: str, number: int) -> int:
    """Return into how many lanes a port is split; 1 when it is whole."""
    for b in device.breakouts:
        if b.family == family and b.first <= number < b.first + b.count:
            return b.lanes
    return 1


def expand(device: Device, end: PortRange) -> list[Port]:
    """Return the ports that one end of a cable sits on, link by link (length `end.count`)."""
    if end.lane == 0:
        return [Port(end.family, end.first + k) for k in range(end.count)]
    ports: list[Port] = []
    number, lane = end.first, end.lane
    while len(ports) < end.count:
        ports.append(Port(end.family, number, lane))
        lane += 1
        if lane > lanes_of(device, end.family, number):
            number, lane = number + 1, 1
    return ports


def all_ports(design: Design, device: Device, family: str) -> Iterator[Port]:
    """Yield each place a link can sit in one family, whole ports and lanes, in panel order."""
    ports = design.families(device).get(family)
    if ports is None:
        return
    for number in range(1, ports.count + 1):
        lanes = lanes_of(device, family, number)
        if lanes == 1:
            yield Port(family, number)
        else:
            yield from (Port(family, number, lane) for lane in range(1, lanes + 1))


def port_users(design: Design, device: Device) -> dict[Port, list[str]]:
    """Return cable ids by port; a healthy design has one id a port."""
    users: dict[Port, list[str]] = {}
    for cable_id in design.cables_of(device.id):
        cable = design.cables[cable_id]
        for end in (cable.a, cable.b):
            if end.device == device.id:
                for port in expand(device, end):
                    users.setdefault(port, []).append(cable_id)
    return users


def free_ports(design: Design, device: Device, family: str) -> list[Port]:
    """Return the ports of a family that no cable uses, in front-panel order."""
    users = port_users(design, device)
    return [p for p in all_ports(design, device, family) if p not in users]


def runs(ports: list[Port]) -> list[list[Port]]:
    """Split a sorted list of whole ports into runs of consecutive numbers."""
    found: list[list[Port]] = []
    for port in ports:
        last = found[-1][-1] if found else None
        if last and port.lane == last.lane == 0 and port.number == last.number + 1:
            found[-1].append(port)
        else:
            found.append([port])
    return found


def port_name(design: Design, device: Device, port: Port) -> str:
    """Return a port's name as the maker prints it, with its lane: `P12`, `P12/2`."""
    family = design.families(device).get(port.family)
    pattern = family.name if family else "{n}"
    name = pattern.replace("{n}", str(port.number))
    return f"{name}/{port.lane}" if port.lane else name


def range_name(design: Design, device: Device, end: PortRange) -> str:
    """Return the name of a cable end: `P12`, or `P1–P8` for a trunk."""
    # a cable of no ports is a fault that has to be named, too
    ports = expand(device, end) or expand(device, replace(end, count=1))
    first, last = port_name(design, device, ports[0]), port_name(design, device, ports[-1])
    return first if first == last else f"{first}–{last}"


def port_speeds(family: PortFamily, lanes: int) -> tuple[float, ...]:
    """Return the line rates of a port split into `lanes`, fastest first, bits/s."""
    if lanes == 1:
        return family.speeds
    return tuple(sorted((b.speed for b in family.breakouts if b.lanes == lanes), reverse=True))


def end_speeds(design: Design, end: PortRange) -> tuple[float, ...]:
    """Return the line rates that the ports of one cable end list, bits/s; empty if unknown."""
    device = design.devices.get(end.device)
    family = design.families(device).get(end.family) if device else None
    if device is None or family is None:
        return ()
    return port_speeds(family, lanes_of(device, end.family, end.first) if end.lane else 1)


def link_speed(design: Design, cable: Cable) -> float | None:
    """Return the rate a link runs at: the fastest both ends (and the cable) list, bits/s.

    None when the ends share no speed, or one end has none (unknown type or port).
    """
    shared = set(end_speeds(design, cable.a)) & set(end_speeds(design, cable.b))
    part = design.types.get(cable.type) if cable.type else None
    if part is not None and part.cable is not None:
        shared &= set(part.cable.speeds)
    return max(shared, default=None)


def technologies_meet(a: PartType, b: PartType) -> bool:
    """Tell whether two parts speak the same technology (`any` speaks every one)."""
    return "any" in (a.technology, b.technology) or a.technology == b.technology
