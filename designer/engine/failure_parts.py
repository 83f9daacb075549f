"""What can fail on a drawing, one at a time, and which of these are alike."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from designer.engine.compile import ONE_LINK
from designer.engine.network import SERVER_LEAF, SWITCH_SWITCH, CompiledNetwork
from designer.engine.routing import Routed
from designer.engine.symmetry import Symmetry
from designer.errors import ParameterError
from designer.messages import N_, _
from designer.model.design import Design
from designer.model.naming import natural
from designer.model.ports import range_name
from designer.model.records import SWITCH_ROLES, Cable

Kind = Literal["link", "nic", "server", "switch", "rail", "rack"]
KINDS: dict[Kind, str] = {
    "link": N_("Link"),
    "nic": N_("NIC"),
    "server": N_("Server"),
    "switch": N_("Switch"),
    "rail": N_("Rail"),
    "rack": N_("Rack"),
}
_RAIL = re.compile(r"^rail:(\d+)$", re.IGNORECASE)
_NIC = re.compile(r"^(.*):nic(\d+)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """Something that can fail.

    Attributes:
        kind: What it is.
        key: Text that `--fail` takes: a cable id (`ID:link` for one link of a trunk), a device id,
            `rail:3`, `rack:A1`, `srv:nic3`.
        ids: What `Options.fail` takes: cables, devices, and `ID:link`.
    """

    kind: Kind
    key: str
    ids: tuple[str, ...]

    def name(self, design: Design) -> str:
        """Return what people call it."""
        if self.kind == "link":
            text = _cable_name(design, design.cables[self.ids[0].removesuffix(ONE_LINK)])
            one = self.ids[0].endswith(ONE_LINK)
            return _("one link of {trunk}").format(trunk=text) if one else text
        if self.kind in ("server", "switch"):
            return design.devices[self.ids[0]].name
        if self.kind == "nic":
            return self.key.replace(":nic", " NIC ")
        number = self.key.partition(":")[2]
        if self.kind == "rail":
            return _("Rail {n}").format(n=number)
        group = design.groups.get(number)
        return _("Rack {name}").format(name=group.name if group is not None else number)


def _cable_name(design: Design, cable: Cable) -> str:
    found = []
    for end in (cable.a, cable.b):
        device = design.devices.get(end.device)
        found.append(f"{device.name} {range_name(design, device, end)}" if device else end.device)
    return " → ".join(found)


@dataclass(frozen=True, slots=True)
class Alike:
    """Parts that fail alike: all of them, in the order of their names or records."""

    kind: Kind
    parts: tuple[Part, ...]


def alike(design: Design, routed: Routed, same: Symmetry) -> list[Alike]:
    """Return everything that can fail, one entry a class of parts that are alike."""
    classes: dict[tuple[object, ...], list[Part]] = {}
    for key, part in _coloured(design, routed, same):
        classes.setdefault((part.kind, *key), []).append(part)
    return [Alike(parts[0].kind, tuple(parts)) for parts in classes.values()]


Coloured = Iterator[tuple[tuple[object, ...], Part]]


def _coloured(design: Design, routed: Routed, same: Symmetry) -> Coloured:
    yield from _links(design, routed, same)
    yield from _nics(design, routed, same)
    yield from _devices(design, routed, same)
    for rail, devices in _rails(routed.network).items():
        ids = tuple(routed.network.device_ids[k] for k in devices)
        yield (same.rail[rail], len(ids)), Part("rail", f"rail:{rail}", ids)
    for rack, ids in _racks(design).items():
        yield (same.rack[rack],), Part("rack", f"rack:{rack}", ids)


def _links(design: Design, routed: Routed, same: Symmetry) -> Coloured:
    network = routed.network
    nic_of = np.zeros(len(network.cable_ids), dtype=np.uint64)
    np.add.at(nic_of, network.nics.cable, same.nic)
    # one more, for ends without a device
    colour = np.append(same.device, np.uint64(0))
    a, b = colour[network.cable_a], colour[network.cable_b]
    low, high = np.minimum(a, b).tolist(), np.maximum(a, b).tolist()
    # cables outside the fabric are in bundle -1, the last of one more
    width = np.append(network.bundles.count, 0)[network.bundles.cable_bundle].tolist()
    counts, speeds = network.cable_count.tolist(), network.cable_speed.tolist()
    kinds = network.cable_kind
    used = ((kinds == SERVER_LEAF) | (kinds == SWITCH_SWITCH)) & (network.cable_speed > 0)
    own = nic_of.tolist()
    for row in np.flatnonzero(used).tolist():
        id_, count = network.cable_ids[row], counts[row]
        key = (low[row], high[row], own[row], count, width[row], speeds[row])
        own_key = id_ + ONE_LINK if count > 1 else id_
        yield key, Part("link", own_key, (own_key,))


def _nics(design: Design, routed: Routed, same: Symmetry) -> Coloured:
    """Yield the NICs that hold more than one link; the others fail as their link does."""
    network, nics = routed.network, routed.network.nics
    held: dict[tuple[int, int], dict[int, int]] = {}
    for server, nic, cable, colour in zip(
        nics.server.tolist(), nics.nic.tolist(), nics.cable.tolist(), same.nic.tolist(), strict=True
    ):
        held.setdefault((server, nic), {})[cable] = colour
    for (server, nic), cables in held.items():
        if len(cables) > 1:
            name = design.devices[network.device_ids[server]].name
            ids = tuple(network.cable_ids[c] for c in cables)
            yield tuple(sorted(cables.values())), Part("nic", f"{name}:nic{nic + 1}", ids)


def _devices(design: Design, routed: Routed, same: Symmetry) -> Coloured:
    network = routed.network
    serving = set(network.servers.tolist())
    for row, id_ in enumerate(network.device_ids):
        device = design.devices[id_]
        if row in serving:
            yield (int(same.device[row]),), Part("server", id_, (id_,))
        elif device.role in SWITCH_ROLES and device.fabric == "compute":
            yield (int(same.device[row]),), Part("switch", id_, (id_,))


def _rails(network: CompiledNetwork) -> dict[int, list[int]]:
    """Return the leaves that serve one rail only, by rail; none where leaves mix rails."""
    nics = network.nics
    rails: dict[int, set[int]] = {}
    for switch, rail in zip(nics.switch.tolist(), nics.rail.tolist(), strict=True):
        rails.setdefault(switch, set()).add(rail)
    found: dict[int, list[int]] = {}
    for switch, served in sorted(rails.items()):
        if len(served) == 1:
            found.setdefault(next(iter(served)), []).append(int(network.switches[switch]))
    return dict(sorted(found.items()))


def _racks(design: Design) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for device in design.devices.values():
        if device.rack:
            found.setdefault(device.rack, []).append(device.id)
    return {rack: tuple(ids) for rack, ids in sorted(found.items(), key=lambda r: natural(r[0]))}


def part_of(design: Design, text: str, network: Callable[[], CompiledNetwork]) -> Part:
    """Return what a person names: what it is, and what is out when it fails.

    Args:
        design: The drawing.
        text: A cable id, with `:link` behind it for one link of a trunk; a device's name or id,
            `rail:3`, `rack:NAME`, or `SERVER:nic3`.
        network: Gives the compiled drawing, asked only for rails.

    Raises:
        ParameterError: Nothing is called so.
    """
    if text.removesuffix(ONE_LINK) in design.cables:
        return Part("link", text, (text,))
    device = design.devices.get(text) or design.named(text)
    if device is not None:
        serves = device.role == "server" or device.role not in SWITCH_ROLES
        return Part("server" if serves else "switch", device.id, (device.id,))
    rail, nic = _RAIL.match(text), _NIC.match(text)
    ids: tuple[str, ...] = ()
    kind: Kind = "rail"
    if rail is not None:
        compiled = network()
        ids = tuple(compiled.device_ids[k] for k in _rails(compiled).get(int(rail[1]), []))
    elif text.lower().startswith("rack:"):
        kind, ids = "rack", _rack_called(design, text[5:])
    elif nic is not None:
        kind, ids = "nic", _nic_cables(design, nic[1], int(nic[2]))
    if not ids:
        raise ParameterError(
            _("Nothing in the drawing is called “{name}”.").format(name=text),
            _("What can fail: a cable id, CABLE:link, a device, rail:3, rack:NAME or SERVER:nic3."),
        )
    return Part(kind, text, ids)


def failed_ids(
    design: Design, text: str, network: Callable[[], CompiledNetwork]
) -> tuple[str, ...]:
    """Return what is out when what a person names fails, as `Options.fail` takes it.

    Arguments and errors are those of `part_of`.
    """
    return part_of(design, text, network).ids


def _rack_called(design: Design, wanted: str) -> tuple[str, ...]:
    """Return the devices of a rack by its id or its name."""
    for rack, ids in _racks(design).items():
        group = design.groups.get(rack)
        if wanted == rack or (group is not None and wanted == group.name):
            return ids
    return ()


def _nic_cables(design: Design, name: str, number: int) -> tuple[str, ...]:
    device = design.named(name) or design.devices.get(name)
    if device is None:
        return ()
    per = design.ports_per_nic(device)
    wanted = range((number - 1) * per + 1, number * per + 1)
    found = []
    for cable_id in design.cables_of(device.id):
        end = design.cables[cable_id].end_at(device.id)
        ports = range(end.first, end.first + end.count)
        if end.family == "nic" and ports.start <= wanted[-1] and wanted[0] <= ports[-1]:
            found.append(cable_id)
    return tuple(found)
