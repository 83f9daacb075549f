"""Finds devices, groups, ports and cables of a design by what a person types."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from designer.messages import _, ngettext
from designer.model.design import Design
from designer.model.naming import natural
from designer.model.ports import Port, all_ports, port_name, port_users
from designer.model.records import GROUP_KINDS, Device
from designer.units import format_number

# Devices whose ports are looked at for a word that may name one.
_PORT_DEVICES = 20


@dataclass(frozen=True, slots=True)
class Match:
    """Something found.

    Attributes:
        kind: `device`, `group`, `port` or `cable`.
        ids: What to select: the device, the group, or the cable at the port (else its device).
        title: Its name.
        detail: What it is, or what the port is cabled to.
    """

    kind: Literal["device", "group", "port", "cable"]
    ids: tuple[str, ...]
    title: str
    detail: str


def folded(text: str) -> str:
    """Return a text in small letters without accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in plain if not unicodedata.combining(c))


def find(design: Design, text: str, limit: int = 50) -> list[Match]:
    """Return what matches every word of a text, names that begin with it first.

    A word may be part of a name, a type, a role or a group; the last one may be a port, as in
    `leaf-5 P12`. A text that is the id of a cable finds that cable.
    """
    words = folded(text).split()
    if not words:
        return []
    found = list(islice(_cables(design, text.strip()), 1))
    found += sorted(_groups(design, words), key=lambda m: natural(m.title))
    devices = sorted(_devices(design, words), key=lambda d: _rank(d, folded(text.strip())))
    found += [_device(design, d) for d in devices[:limit]]
    found += _ports(design, words)
    return found[:limit]


def _rank(device: Device, wanted: str) -> tuple[bool, bool, object]:
    name = folded(device.name)
    return name != wanted, not name.startswith(wanted), natural(device.name)


def _devices(design: Design, words: list[str]) -> Iterator[Device]:
    about: dict[tuple[str, ...], str] = {}
    for device in design.devices.values():
        name = folded(device.name)
        rest = [w for w in words if w not in name]
        if not rest:
            yield device
            continue
        key = (device.type, device.role, *(getattr(device, kind) for kind in GROUP_KINDS))
        if key not in about:
            about[key] = folded(" ".join(_about(design, device)))
        if all(w in about[key] for w in rest):
            yield device


def _about(design: Design, device: Device) -> Iterator[str]:
    part = design.type_of(device)
    yield from (device.type, part.title if part is not None else "", device.role)
    for kind in GROUP_KINDS:
        group = design.groups.get(getattr(device, kind))
        if group is not None:
            yield group.name


def _device(design: Design, device: Device) -> Match:
    part = design.type_of(device)
    groups = [design.groups.get(getattr(device, kind)) for kind in ("unit", "pod", "rack")]
    bits = [part.shown_model if part is not None else device.type]
    bits += [g.name for g in groups if g is not None]
    return Match("device", (device.id,), device.name, " · ".join(bits))


def _groups(design: Design, words: list[str]) -> Iterator[Match]:
    for group in design.groups.values():
        if all(w in folded(group.name) for w in words):
            n = sum(1 for _member in design.members(group))
            text = ngettext("{n} device", "{n} devices", n).format(n=format_number(n))
            yield Match("group", (group.id,), group.name, text)


def _cables(design: Design, text: str) -> Iterator[Match]:
    cable = design.cables.get(text)
    if cable is not None:
        ends = [design.devices.get(e.device) for e in (cable.a, cable.b)]
        names = [d.name if d is not None else "?" for d in ends]
        yield Match("cable", (cable.id,), cable.id, " → ".join(names))


def _ports(design: Design, words: list[str]) -> Iterator[Match]:
    *rest, last = words
    if not rest or not any(c.isdigit() for c in last):
        return
    for device in islice(_devices(design, rest), _PORT_DEVICES):
        users = port_users(design, device)
        for family in design.families(device):
            for port in all_ports(design, device, family):
                name = port_name(design, device, port)
                if folded(name).replace(" ", "") == last or str(port.number) == last:
                    yield _port(design, device, port, name, users.get(port, []))


def _port(design: Design, device: Device, port: Port, name: str, users: list[str]) -> Match:
    title = f"{device.name} {name}"
    if not users:
        return Match("port", (device.id,), title, _("free"))
    other = design.cables[users[0]].other_end(device.id)
    peer = design.devices.get(other.device)
    return Match("port", (users[0],), title, f"→ {peer.name if peer is not None else '?'}")
