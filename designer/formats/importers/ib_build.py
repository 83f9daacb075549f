"""A design out of nodes and links: devices with names and types, cables with ports and rates."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from designer.catalog.catalog import Catalog
from designer.formats.importers.ib_blocks import Key, Node
from designer.formats.importers.ib_hosts import Host, group_hosts
from designer.formats.importers.ib_links import Link, Place
from designer.formats.importers.ib_names import (
    first_key,
    has_inner_port,
    host_notes,
    record_id,
    some,
    switch_name,
    switch_notes,
    unique_names,
)
from designer.formats.importers.ib_parts import Parts, Seen, SwitchPart
from designer.formats.importers.ib_tiers import tiers
from designer.formats.importers.report import Journal
from designer.messages import _, ngettext
from designer.model.design import Design
from designer.model.ports import link_speed
from designer.model.records import Cable, Device, PortBreakout, PortRange, Role
from designer.units import format_bits_per_s, format_number

_ORDER: tuple[Role, ...] = ("server", "host", "leaf", "spine", "core", "nvswitch")


@dataclass(slots=True)
class _Switch:
    """A switch on its way into the design."""

    node: Node
    name: str
    model: str
    ports: int
    seen: Seen | None = None
    part: SwitchPart | None = None
    split: set[int] = field(default_factory=set)


class FabricBuilder:
    """Builds the records of one fabric; call `build` once."""

    def __init__(self, catalog: Catalog, journal: Journal) -> None:
        self.design = Design()
        self._parts = Parts(catalog)
        self._journal = journal
        self._device: dict[Key, str] = {}
        self._slot: dict[Key, tuple[int, int]] = {}  # adapter -> (slot, ports of one adapter)
        self._switches: dict[Key, _Switch] = {}

    def build(self, nodes: dict[Key, Node], links: list[Link]) -> Design:
        """Return the design of `nodes` joined by `links`, without placements."""
        real = [n for n in nodes.values() if not n.sharp]
        switches = [n for n in real if n.kind == "switch"]
        hosts = group_hosts([n for n in real if n.kind == "hca"], self._journal)
        others = [n for n in real if n.kind in ("router", "unknown")]
        hosts += [Host(n.text, {1: n.key}, 1, max(1, n.ports)) for n in others]
        self._collect_switches(nodes, switches, links)
        names = unique_names(
            [
                *((s.name, k) for k, s in self._switches.items()),
                *((h.name, first_key(h)) for h in hosts),
            ]
        )
        self._add_switches(switches, links, names)
        self._add_hosts(nodes, hosts, links, names)
        self._add_cables(links)
        self.design.types.update(self._parts.types)
        self._hold_rates(links)
        self._tell(real, hosts, links)
        return self.design

    # --- switches ---

    def _collect_switches(
        self, nodes: dict[Key, Node], switches: list[Node], links: list[Link]
    ) -> None:
        seen: dict[tuple[str, int | None, int], Seen] = {}
        hosts = Counter(switch_name(n.text)[0] for n in switches)
        for node in switches:
            name, model, unit = switch_name(node.text)
            if unit and (unit != "U1" or hosts[name] > 1):
                name = f"{name}/{unit}"
            if node.guid is None:
                model = ""  # the free text of a simulator names the switch, not its make
            ports = node.ports - 1 if has_inner_port(node, nodes) else node.ports
            need = (model, node.device_id, ports)
            switch = _Switch(node, name, model, ports)
            switch.seen = seen.setdefault(need, Seen(model, ports, node.device_id))
            self._switches[node.key] = switch
        for link in links:
            for key, port in (link.a, link.b):
                if key in self._switches:
                    self._note_rate(self._switches[key], port, link)
        for switch in self._switches.values():
            assert switch.seen is not None
            switch.part = self._parts.switch(switch.seen)

    def _note_rate(self, switch: _Switch, port: int, link: Link) -> None:
        seen = switch.seen
        assert seen is not None
        if link.lanes == 2:
            switch.split.add((port + 1) // 2)
            if link.speed is not None:
                seen.split.add(link.speed)
            return
        if port % 2 == 0:
            seen.paired = False
        if link.speed is not None:
            seen.rates.add(link.speed)

    def _add_switches(self, switches: list[Node], links: list[Link], names: dict[Key, str]) -> None:
        roles = self._roles(switches, links)
        for node in switches:
            switch = self._switches[node.key]
            assert switch.part is not None
            breakouts = _breakouts(switch.split) if switch.part.halves else ()
            id_ = record_id(node.key, "S")
            self._device[node.key] = id_
            self.design.devices[id_] = Device(
                id_,
                names[node.key],
                switch.part.part.slug,
                roles[node.key],
                breakouts=breakouts,
                notes=switch_notes(node),
            )

    def _roles(self, switches: list[Node], links: list[Link]) -> dict[Key, Role]:
        hosts: dict[Key, int] = {n.key: 0 for n in switches}
        neighbours: dict[Key, set[Key]] = {n.key: set() for n in switches}
        for link in links:
            for (here, _p), (there, _q) in ((link.a, link.b), (link.b, link.a)):
                if here in hosts and there in hosts and here != there:
                    neighbours[here].add(there)
                elif here in hosts and there not in hosts:
                    hosts[here] += 1
        roles = tiers(hosts, neighbours)
        counts = Counter(roles.values())
        if switches:
            self._journal.inferred.append(
                _("Tiers, by what is cabled to what: {tiers}.").format(
                    tiers=", ".join(f"{format_number(counts[r])} {r}" for r in _ORDER if counts[r])
                )
            )
        return roles

    # --- hosts ---

    def _add_hosts(
        self, nodes: dict[Key, Node], hosts: list[Host], links: list[Link], names: dict[Key, str]
    ) -> None:
        rates: dict[Key, set[float]] = defaultdict(set)
        for link in links:
            for key, _port in (link.a, link.b):
                if link.speed is not None:
                    rates[key].add(link.speed)
        for host in hosts:
            keys = list(host.slots.values())
            kinds = {nodes[k].kind for k in keys}
            part = self._parts.host(
                host.size,
                host.ports,
                set().union(*(rates[k] for k in keys)),
                {nodes[k].device_id for k in keys},
            )
            role: Role = "host" if host.service or kinds != {"hca"} else "server"
            id_ = record_id(first_key(host), "H")
            self.design.devices[id_] = Device(
                id_, names[first_key(host)], part.slug, role, notes=host_notes(host, nodes)
            )
            for slot, key in host.slots.items():
                self._device[key] = id_
                self._slot[key] = (slot, host.ports)

    # --- cables ---

    def _end(self, place: Place, link: Link) -> PortRange:
        key, port = place
        device = self._device[key]
        if key in self._slot:
            slot, ports = self._slot[key]
            return PortRange(device, "nic", (slot - 1) * ports + port)
        switch = self._switches[key]
        if switch.part is None or not switch.part.halves:
            return PortRange(device, "fabric", port)
        number = (port + 1) // 2
        if number in switch.split:
            return PortRange(device, "fabric", number, 1, 2 - port % 2)
        return PortRange(device, "fabric", number)

    def _add_cables(self, links: list[Link]) -> None:
        rank = {id_: _ORDER.index(d.role) for id_, d in self.design.devices.items()}
        pairs: dict[tuple[str, str, float | None], list[tuple[PortRange, PortRange]]] = {}
        for link in links:
            a, b = self._end(link.a, link), self._end(link.b, link)
            if rank[a.device] > rank[b.device]:
                a, b = b, a
            pairs.setdefault((a.device, b.device, link.speed), []).append((a, b))
        for found in pairs.values():
            found.sort(key=lambda ends: (ends[0].first, ends[0].lane))
            for a, b in _trunks(found):
                tail = f"{a.first}.{a.lane}" if a.lane else f"{a.first}"
                id_ = f"{a.device}-{tail}"
                self.design.cables[id_] = Cable(id_, a, b)

    def _hold_rates(self, links: list[Link]) -> None:
        """Hold links to the rate they were found at, where both ends list a faster one."""
        found: dict[tuple[str, int, int], Link] = {}
        for link in links:
            for place in (link.a, link.b):
                end = self._end(place, link)
                found[end.device, end.first, end.lane] = link
        slow = 0
        for id_, cable in list(self.design.cables.items()):
            link = found[cable.a.device, cable.a.first, cable.a.lane]
            could = link_speed(self.design, cable)
            if link.speed is None or could is None or could <= link.speed:
                continue
            slow += cable.count
            part = self._parts.slow_link(link.speed)
            self.design.types[part.slug] = part
            self.design.cables[id_] = Cable(id_, cable.a, cable.b, type=part.slug)
            self._journal.warn(
                link.line,
                _("“{a}” – “{b}” runs at {label}, {rate}; both ends do {could} elsewhere.").format(
                    a=self.design.devices[cable.a.device].name,
                    b=self.design.devices[cable.b.device].name,
                    label=link.label,
                    rate=format_bits_per_s(link.speed),
                    could=format_bits_per_s(could),
                ),
            )
        if slow:
            self._journal.inferred.append(
                ngettext(
                    "{n} link is held at the rate it was found at by a cable type of its own.",
                    "{n} links are held at the rate they were found at by a cable type of their "
                    "own.",
                    slow,
                ).format(n=format_number(slow))
            )

    # --- account ---

    def _tell(self, nodes: list[Node], hosts: list[Host], links: list[Link]) -> None:
        journal, hcas = self._journal, sum(1 for n in nodes if n.kind == "hca")
        servers = [d for d in self.design.devices.values() if d.role == "server"]
        service = [d.name for d in self.design.devices.values() if d.role == "host"]
        journal.counts |= {
            "switches": len(self._switches),
            "hcas": hcas,
            "hosts": len(hosts),
            "cables": len(links),
        }
        for text in self._type_lines():
            journal.inferred.append(text)
        if service:
            journal.inferred.append(
                ngettext(
                    "{n} host without GPUs, by its name: {names}.",
                    "{n} hosts without GPUs, by their names: {names}.",
                    len(service),
                ).format(n=format_number(len(service)), names=some(service))
            )
        if servers:
            journal.inferred.append(
                ngettext(
                    "The GPUs of {n} server are unknown: map it to a server type.",
                    "The GPUs of {n} servers are unknown: map them to a server type, one step "
                    "for all.",
                    len(servers),
                ).format(n=format_number(len(servers)))
            )
        unknown = sum(1 for link in links if link.speed is None)
        if unknown:
            journal.warn(
                0,
                ngettext(
                    "The file states no rate for {n} cable; its rate is unknown.",
                    "The file states no rate for {n} cables; their rates are unknown.",
                    unknown,
                ).format(n=format_number(unknown)),
            )

    def _type_lines(self) -> Iterable[str]:
        used = Counter(
            (s.model, s.ports, s.part.part.title, s.part.part.slug)
            for s in self._switches.values()
            if s.part is not None
        )
        for (model, ports, title, slug), n in used.items():
            yield ngettext(
                "{n} switch “{model}” of {ports} ports is taken as {part} ({slug}).",
                "{n} switches “{model}” of {ports} ports are taken as {part} ({slug}).",
                n,
            ).format(n=format_number(n), model=model or "?", ports=ports, part=title, slug=slug)


def _breakouts(split: set[int]) -> tuple[PortBreakout, ...]:
    """Return runs of consecutive split ports."""
    found: list[PortBreakout] = []
    for number in sorted(split):
        if found and found[-1].first + found[-1].count == number:
            last = found.pop()
            found.append(PortBreakout("fabric", last.first, last.count + 1, 2))
        else:
            found.append(PortBreakout("fabric", number, 1, 2))
    return tuple(found)


def _trunks(pairs: list[tuple[PortRange, PortRange]]) -> list[tuple[PortRange, PortRange]]:
    """Join links on consecutive whole ports at both ends."""
    found: list[tuple[PortRange, PortRange]] = []
    for a, b in pairs:
        if found:
            x, y = found[-1]
            follows = all(
                not p.lane and not q.lane and q.first == p.first + p.count
                for p, q in ((x, a), (y, b))
            )
            if follows and a.device != b.device:
                found[-1] = (
                    PortRange(x.device, x.family, x.first, x.count + 1),
                    PortRange(y.device, y.family, y.first, y.count + 1),
                )
                continue
        found.append((a, b))
    return found
