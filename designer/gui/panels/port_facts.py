"""What is known of each port of a device: speed, lanes, peer, cable, load, faults."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from designer.catalog.catalog import Catalog
from designer.engine.schedule import cable_schedule
from designer.messages import _
from designer.model.design import Design
from designer.model.edits import Edit, Swap
from designer.model.ports import (
    Port,
    all_ports,
    expand,
    lanes_of,
    link_speed,
    port_name,
    port_speeds,
)
from designer.model.records import Cable, Device
from designer.units import format_bits_per_s, format_length, format_percent


@dataclass(frozen=True, slots=True)
class PortFact:
    """One port, or one lane of a port.

    Attributes:
        speeds: Line rates it lists, bits/s, fastest first.
        lanes: Into how many lanes the port is split; 1 when whole.
        cable: Id of the cable in it; empty when free.
        link: Rate the link runs at, bits/s; None without one.
        peer: Device id and port at the other end.
        load: Share of the link in use, or None.
        failed: True when it, its cable or a device of the link is out for the results.
        severity: Of the finding about its cable, or empty.
    """

    port: Port
    name: str
    speeds: tuple[float, ...]
    lanes: int
    cable: str = ""
    link: float | None = None
    peer: tuple[str, Port] | None = None
    load: float | None = None
    failed: bool = False
    severity: str = ""


def port_facts(
    design: Design,
    device: Device,
    loads: Mapping[str, float],
    failed: Collection[str] = (),
    marks: Mapping[str, str] | None = None,
) -> list[PortFact]:
    """Return the ports of a device, family by family, in the order they are numbered."""
    out = {id_.removesuffix(":link") for id_ in failed}
    sitting = _sitting(design, device)
    speeds = {c.id: link_speed(design, c) for c, _peer in sitting.values()}
    found: list[PortFact] = []
    for name, family in design.families(device).items():
        for port in all_ports(design, device, name):
            lanes = lanes_of(device, name, port.number)
            title = port_name(design, device, port)
            rates = port_speeds(family, lanes)
            if port not in sitting:
                fact = PortFact(port, title, rates, lanes, failed=device.id in out)
            else:
                cable, peer = sitting[port]
                fact = PortFact(
                    port,
                    title,
                    rates,
                    lanes,
                    cable.id,
                    speeds[cable.id],
                    peer,
                    loads.get(cable.id),
                    not out.isdisjoint((device.id, cable.id, peer[0])),
                    (marks or {}).get(cable.id, ""),
                )
            found.append(fact)
    return found


def _sitting(design: Design, device: Device) -> dict[Port, tuple[Cable, tuple[str, Port]]]:
    """Return the cable in each used port, and the port at its other end."""
    found: dict[Port, tuple[Cable, tuple[str, Port]]] = {}
    for cable_id in design.cables_of(device.id):
        cable = design.cables[cable_id]
        for here, there in ((cable.a, cable.b), (cable.b, cable.a)):
            peer = design.devices.get(there.device)
            if here.device != device.id or peer is None:
                continue
            for one, two in zip(expand(device, here), expand(peer, there), strict=True):
                found[one] = (cable, (peer.id, two))
    return found


def peer_text(design: Design, fact: PortFact) -> str:
    """Return device and port at the other end: `spine-2 P5`; empty for a free port."""
    if fact.peer is None:
        return ""
    device = design.devices[fact.peer[0]]
    return f"{device.name} {port_name(design, device, fact.peer[1])}"


def speed_text(fact: PortFact) -> str:
    """Return what the link runs at, or what a free port can, with its split."""
    rates = ", ".join(format_bits_per_s(s) for s in fact.speeds)
    text = format_bits_per_s(fact.link) if fact.link else rates
    if fact.cable and not fact.link:
        text = _("no speed in common")
    if fact.lanes > 1:
        lane = _("lane {n} of {lanes}").format(n=fact.port.lane, lanes=fact.lanes)
        text = f"{text} · {lane}"
    return text


def cable_text(design: Design, catalog: Catalog, fact: PortFact) -> str:
    """Return type and length of the cable in a port; empty for a free one."""
    cable = design.cables.get(fact.cable)
    if cable is None:
        return ""
    row = cable_schedule(_alone(design, cable), catalog)[0]
    length = format_length(row.length_m)
    words = [row.title, _("{length}, assumed").format(length=length) if row.assumed else length]
    return " · ".join(w for w in words if w)


def _alone(design: Design, cable: Cable) -> Design:
    """Return a drawing of one cable and its devices, where and as they are."""
    small = Design()
    ends = dict.fromkeys(e.device for e in (cable.a, cable.b) if e.device in design.devices)
    swaps = [Swap("assumptions", k, None, v) for k, v in design.assumptions.items()]
    swaps += [Swap("types", k, None, v) for k, v in design.types.items()]
    swaps += [Swap("groups", k, None, v) for k, v in design.groups.items()]
    swaps += [Swap("devices", i, None, design.devices[i]) for i in ends]
    swaps += [Swap("placements", i, None, p) for i in ends if (p := design.placements.get(i))]
    swaps.append(Swap("cables", cable.id, None, cable))
    small.apply(Edit("", tuple(swaps)))
    return small


def state_text(fact: PortFact) -> str:
    """Return in words whether a port is free, in use or out."""
    if fact.failed:
        return _("failed")
    if not fact.cable:
        return _("free")
    if fact.load is None:
        return _("in use")
    return _("{share} used").format(share=format_percent(fact.load, 0))


def tip_lines(design: Design, catalog: Catalog, fact: PortFact) -> str:
    """Return the lines of a port's tooltip."""
    peer = peer_text(design, fact)
    head = f"{fact.name} → {peer}" if peer else fact.name
    lines = [head, speed_text(fact), cable_text(design, catalog, fact), state_text(fact)]
    return "\n".join(line for line in lines if line)
