"""Cabling verbs: connect ports, refuse what cannot work and say why, split ports."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from designer.errors import WiringError
from designer.messages import _, ngettext
from designer.model.design import Design
from designer.model.edits import Edit, Swap
from designer.model.naming import fresh_id
from designer.model.operations import describe_cable
from designer.model.ports import (
    Port,
    all_ports,
    end_speeds,
    expand,
    free_ports,
    lanes_of,
    port_name,
    port_speeds,
    port_users,
    technologies_meet,
)
from designer.model.records import Cable, Device, PortBreakout, PortRange
from designer.units import format_bits_per_s

# Which families can be joined; order does not matter.
_JOINS = {
    frozenset(("nic", "fabric")),
    frozenset(("fabric",)),
    frozenset(("nic",)),
    frozenset(("nvlink",)),
    frozenset(("mgmt",)),
    frozenset(("mgmt", "fabric")),
}


def refusal(design: Design, a: PortRange, b: PortRange) -> str:
    """Return why these ends cannot be cabled, or an empty text when they can."""
    if a.count != b.count or a.count < 1:
        return _("Both ends of a trunk need the same number of ports.")
    one, two = design.devices.get(a.device), design.devices.get(b.device)
    if one is None or two is None:
        return _("The device is no longer on the drawing.")
    if one.id == two.id:
        return _("{device} cannot be cabled to itself.").format(device=one.name)
    for device, end in ((one, a), (two, b)):
        reason = _end_refusal(design, device, end)
        if reason:
            return reason
    return pair_refusal(design, one, expand(one, a)[0], two, expand(two, b)[0])


def _end_refusal(design: Design, device: Device, end: PortRange) -> str:
    family = design.families(device).get(end.family)
    if family is None:
        return _("{device} has no {family} ports.").format(device=device.name, family=end.family)
    places = expand(device, end)
    valid = set(all_ports(design, device, end.family))
    users = port_users(design, device)
    for port in places:
        if port not in valid:
            return _("{device} has no port {port}.").format(
                device=device.name, port=port_name(design, device, port)
            )
        if port in users:
            peer = design.cables[users[port][0]].other_end(device.id)
            other = design.devices.get(peer.device)
            return _("{device} {port} is taken by {peer}.").format(
                device=device.name,
                port=port_name(design, device, port),
                peer=other.name if other else peer.device,
            )
    return ""


def pair_refusal(design: Design, one: Device, p: Port, two: Device, q: Port) -> str:
    """Return why two existing free ports do not fit one another, or an empty text."""
    if frozenset((p.family, q.family)) not in _JOINS:
        return _("A {one} port does not take a cable from a {two} port.").format(
            one=p.family, two=q.family
        )
    first, second = design.type_of(one), design.type_of(two)
    network = "nvlink" not in (p.family, q.family) and "mgmt" not in (p.family, q.family)
    if network and first and second and not technologies_meet(first, second):
        return _("{one} is {a}, {two} is {b}: they do not link.").format(
            one=one.name, a=first.technology, two=two.name, b=second.technology
        )
    speeds = [
        set(port_speeds(design.families(d)[x.family], lanes_of(d, x.family, x.number)))
        for d, x in ((one, p), (two, q))
    ]
    if not speeds[0] & speeds[1]:
        names = [format_bits_per_s(max(s)) if s else _("no speed") for s in speeds]
        return _("{one} runs at {a}, {two} at {b}: no speed in common.").format(
            one=one.name, a=names[0], two=two.name, b=names[1]
        )
    return ""


def connect(design: Design, a: PortRange, b: PortRange, **fields: Any) -> Edit:
    """Cable port range `a` to `b`, one link a port pair, in order.

    `fields` set `type`, `optic_a`, `optic_b`, `length_m` or `assembly` of the cable.

    Raises:
        WiringError: A port is missing, taken or does not fit; says which and why.
    """
    return connect_all(design, [(a, b)], **fields)


def connect_all(
    design: Design,
    pairs: Sequence[tuple[PortRange, PortRange]],
    **fields: Any,
) -> Edit:
    """Cable many pairs of port ranges as one edit.

    Raises:
        WiringError: One pair cannot be cabled, or two pairs want the same port.
    """
    swaps: list[Swap] = []
    taken: set[tuple[str, Port]] = set()
    links = 0
    for a, b in pairs:
        reason = refusal(design, a, b)
        if reason:
            raise WiringError(reason, _("Choose a free, compatible port."), (a.device, b.device))
        for end in (a, b):
            for port in expand(design.devices[end.device], end):
                if (end.device, port) in taken:
                    raise WiringError(
                        _("{device} {port} is used twice.").format(
                            device=design.devices[end.device].name,
                            port=port_name(design, design.devices[end.device], port),
                        ),
                        _("Choose another port."),
                        (end.device,),
                    )
                taken.add((end.device, port))
        cable = Cable(fresh_id(design, "cables", "c"), a, b, **fields)
        links += cable.count
        swaps.append(Swap("cables", cable.id, None, cable))
    if len(swaps) == 1 and isinstance(swaps[0].after, Cable):
        label = _("Connect {cable}").format(cable=describe_cable(design, swaps[0].after))
    else:
        label = ngettext("Connect {n} link", "Connect {n} links", links).format(n=links)
    return Edit(label, tuple(swaps))


def compatible_free_ports(
    design: Design,
    source: Device,
    port: Port,
    target: Device,
) -> list[Port]:
    """Return the free ports of `target` that a cable from `port` of `source` may end on."""
    if source.id == target.id:
        return []
    found: list[Port] = []
    users = port_users(design, target)
    for family in design.families(target):
        reasons: dict[int, str] = {}  # ports split alike answer alike
        for candidate in all_ports(design, target, family):
            lanes = lanes_of(target, family, candidate.number)
            if lanes not in reasons:
                reasons[lanes] = pair_refusal(design, source, port, target, candidate)
            if not reasons[lanes] and candidate not in users:
                found.append(candidate)
    return found


def connect_devices(design: Design, one_id: str, two_id: str, count: int = 1) -> Edit:
    """Cable two devices with `count` links on the next free ports that fit.

    Raises:
        WiringError: Fewer than `count` pairs of ports are free and fit.
    """
    one, two = design.devices[one_id], design.devices[two_id]
    pairs: list[tuple[PortRange, PortRange]] = []
    spare: dict[str, list[Port]] = {}
    for family in design.families(one):
        for port in free_ports(design, one, family):
            key = f"{family}/{lanes_of(one, family, port.number)}"
            if key not in spare:
                spare[key] = compatible_free_ports(design, one, port, two)
            used = {(q.family, q.first, q.lane) for _p, q in pairs}
            target = next((t for t in spare[key] if tuple(t) not in used), None)
            if target is not None and len(pairs) < count:
                pairs.append((as_range(one_id, port), as_range(two_id, target)))
    if len(pairs) < count:
        raise WiringError(
            _("{one} and {two} have {n} pairs of free ports that fit; {count} are needed.").format(
                one=one.name, two=two.name, n=len(pairs), count=count
            ),
            _("Free some ports, or choose devices of the same technology and speed."),
            (one_id, two_id),
        )
    return connect_all(design, joined(pairs))


def as_range(device_id: str, port: Port) -> PortRange:
    """Return one port as the end of a cable."""
    return PortRange(device_id, port.family, port.number, 1, port.lane)


def joined(pairs: list[tuple[PortRange, PortRange]]) -> list[tuple[PortRange, PortRange]]:
    """Return pairs with those on consecutive whole ports at both ends joined into trunks."""
    out: list[tuple[PortRange, PortRange]] = []
    for a, b in pairs:
        if out:
            x, y = out[-1]
            follows = all(
                p.family == q.family and p.lane == q.lane == 0 and q.first == p.first + p.count
                for p, q in ((x, a), (y, b))
            )
            if follows:
                out[-1] = (replace(x, count=x.count + 1), replace(y, count=y.count + 1))
                continue
        out.append((a, b))
    return out


def break_out(
    design: Design, device_id: str, family: str, first: int, count: int, lanes: int
) -> Edit:
    """Split ports `first` to `first + count - 1` into `lanes` sub-ports; 1 joins them again.

    Raises:
        WiringError: A port is cabled, does not exist, or cannot be split that way.
    """
    device = design.devices[device_id]
    ports = design.families(device).get(family)
    if ports is None or first < 1 or count < 1 or first + count - 1 > ports.count:
        raise WiringError(
            _("{device} has no such ports.").format(device=device.name), "", (device_id,)
        )
    if lanes != 1 and lanes not in {b.lanes for b in ports.breakouts}:
        ways = ", ".join(str(b.lanes) for b in ports.breakouts) or _("none")
        raise WiringError(
            _("Ports of {device} cannot be split into {lanes}.").format(
                device=device.name, lanes=lanes
            ),
            _("Ways to split: {ways}.").format(ways=ways),
            (device_id,),
        )
    wanted = range(first, first + count)
    for port, users in port_users(design, device).items():
        if port.family == family and port.number in wanted:
            raise WiringError(
                _("{device} {port} is cabled.").format(
                    device=device.name, port=port_name(design, device, port)
                ),
                _("Remove its cable before splitting the port."),
                tuple(users),
            )
    kept = [piece for b in device.breakouts for piece in _outside(b, family, first, count)]
    if lanes > 1:
        kept.append(PortBreakout(family, first, count, lanes))
    kept.sort(key=lambda b: (b.family, b.first))
    changed = replace(device, breakouts=tuple(kept))
    label = _("Split ports of {device}") if lanes > 1 else _("Join ports of {device}")
    swaps = (Swap("devices", device_id, device, changed),) if changed != device else ()
    return Edit(label.format(device=device.name), swaps)


def _outside(b: PortBreakout, family: str, first: int, count: int) -> Iterable[PortBreakout]:
    """Yield what is left of a break-out outside ports `first` … `first + count - 1`."""
    if b.family != family:
        yield b
        return
    end, b_end = first + count, b.first + b.count
    if b.first < first:
        yield replace(b, count=min(first, b_end) - b.first)
    if b_end > end:
        start = max(end, b.first)
        yield replace(b, first=start, count=b_end - start)


def shared_speed(design: Design, a: PortRange, b: PortRange) -> float | None:
    """Return the rate two ends would link at, bits/s, or None when they share none."""
    return max(set(end_speeds(design, a)) & set(end_speeds(design, b)), default=None)
