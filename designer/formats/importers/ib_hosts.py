"""Hosts out of adapters (HCAs): which adapters sit in one machine, and in what order.

Adapters with one system image GUID are one machine. So are adapters whose descriptions name the
same host, as each card of today's servers has a system image of its own; names that an installation
gives to every machine (`localhost`, the product name of the card) say nothing.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from designer.formats.importers.ib_blocks import Key, Node
from designer.formats.importers.report import Journal
from designer.messages import _, ngettext
from designer.model.naming import natural
from designer.units import format_number

_LABEL = re.compile(r"(mlx\d+_\d+|hca-?\d+|ib\w*\d\w*|mthca\d+|hfi\d\w*|roce\w*\d\w*)$", re.I)
_ANYBODY = {
    *("localhost", "localhost.localdomain", "ubuntu", "debian", "centos", "rocky", "linux"),
    *("rhel", "node", "host", "server", "none", "(none)", "unknown", "dgx", "mofed", "fedora"),
}
_PRODUCT = re.compile(r"^MT\d+|ConnectX|InfiniHost|Mellanox Technologies|BlueField", re.I)
# Machines that carry no training: names they are given in the files we have seen.
_SERVICE = re.compile(
    r"ufm|slurm|login|mgmt|mgt|admin|head|cache|stor(age)?\b|nfs|lustre|gpfs|weka|vast|ddn|"
    r"ai\d+x|swift|ceph|bastion|gateway|skyway|backup",
    re.I,
)


@dataclass(slots=True)
class Host:
    """A machine: its adapters in slot order.

    Attributes:
        slots: Adapter key by slot, from 1; a slot whose adapter is not seen is left out.
        size: Slots it has.
        ports: Ports of one adapter.
    """

    name: str
    slots: dict[int, Key] = field(default_factory=dict)
    size: int = 0
    ports: int = 1
    named: bool = False

    @property
    def service(self) -> bool:
        """Tell whether its name is that of a management, storage or login machine."""
        return self.named and _SERVICE.search(self.name) is not None


def name_and_label(text: str) -> tuple[str, str]:
    """Return host name and adapter label of a description; the name is empty when it says none."""
    words = text.split()
    if _PRODUCT.search(text) or not words or words[0].lower() in _ANYBODY:
        return "", words[1] if len(words) == 2 and _LABEL.match(words[1]) else ""
    if len(words) == 2 and _LABEL.match(words[1]):
        return words[0], words[1]
    return "", ""


def group_hosts(hcas: list[Node], journal: Journal) -> list[Host]:
    """Return the machines that adapters sit in, in the order of the file."""
    groups = _Groups(n.key for n in hcas)
    first: dict[int, Key] = {}
    for node in hcas:
        if node.system is not None:
            groups.join(first.setdefault(node.system, node.key), node.key)
    by_image = groups.count()
    _join_by_name(hcas, groups, journal)
    members: dict[Key, list[Node]] = defaultdict(list)
    for node in hcas:
        members[groups.root(node.key)].append(node)
    hosts = [_host(nodes) for nodes in members.values()]
    _align_slots(hosts, {n.key: n for n in hcas}, journal)
    _tell(journal, len(hcas), by_image, len(hosts))
    return hosts


class _Groups:
    """Disjoint sets of keys."""

    def __init__(self, keys: Iterable[Key]) -> None:
        self._up: dict[Key, Key] = {k: k for k in keys}

    def root(self, key: Key) -> Key:
        while self._up[key] != key:
            self._up[key] = self._up[self._up[key]]
            key = self._up[key]
        return key

    def join(self, one: Key, two: Key) -> None:
        a, b = self.root(one), self.root(two)
        if a != b:
            self._up[b] = a

    def count(self) -> int:
        return sum(1 for k, up in self._up.items() if k == up)


def _join_by_name(hcas: list[Node], groups: _Groups, journal: Journal) -> None:
    named: dict[str, list[tuple[str, Node]]] = defaultdict(list)
    for node in hcas:
        name, label = name_and_label(node.text)
        if name:
            named[name].append((label, node))
    for name, found in named.items():
        labels = Counter(label for label, _node in found)
        if max(labels.values()) > 1:
            twice = next(n for label, n in found if labels[label] > 1)
            journal.warn(
                twice.line,
                _("Several machines call themselves “{name}”; they stay apart.").format(name=name),
            )
            continue
        for _label, node in found[1:]:
            groups.join(found[0][1].key, node.key)


def _host(nodes: list[Node]) -> Host:
    names = Counter(n for n, _label in (name_and_label(x.text) for x in nodes) if n)
    name = names.most_common(1)[0][0] if names else _readable(nodes[0].text)
    ordered = sorted(nodes, key=lambda n: (natural(name_and_label(n.text)[1]), str(n.key)))
    slots = {k: n.key for k, n in enumerate(ordered, 1)}
    ports = max((n.ports for n in nodes), default=1)
    return Host(name, slots, len(slots), max(1, ports), bool(names))


def _readable(text: str) -> str:
    name = " ".join(text.replace("Mellanox Technologies", "").split())
    return name or text or "host"


def _align_slots(hosts: list[Host], nodes: dict[Key, Node], journal: Journal) -> None:
    """Keep the slot of an adapter that is missing in few machines free in those.

    A machine that shows most of the labels that more of its kind show is taken as one of them.
    """
    labels = {
        id(h): tuple(name_and_label(nodes[k].text)[1] for k in h.slots.values()) for h in hosts
    }
    kinds = Counter(x for x in labels.values() if all(x) and len(set(x)) == len(x))
    common = [k for k, n in kinds.most_common(100) if n > 1]
    full: dict[tuple[str, ...], tuple[str, ...]] = {}
    for few in kinds:
        more = [k for k in common if len(few) < len(k) < 2 * len(few) and set(few) < set(k)]
        if more:
            full[few] = max(more, key=lambda k: kinds[k])
    short = 0
    for host in hosts:
        pattern = full.get(labels[id(host)])
        if pattern is None:
            continue
        short += 1
        seen = dict(zip(labels[id(host)], host.slots.values(), strict=True))
        host.slots = {k: seen[x] for k, x in enumerate(pattern, 1) if x in seen}
        host.size = len(pattern)
    if short:
        journal.inferred.append(
            ngettext(
                "{n} host shows fewer adapters than others of its kind; their slots stay free.",
                "{n} hosts show fewer adapters than others of their kind; their slots stay free.",
                short,
            ).format(n=format_number(short))
        )


def _tell(journal: Journal, hcas: int, by_image: int, hosts: int) -> None:
    if hosts < hcas:
        journal.inferred.append(
            _(
                "{hcas} adapters are {hosts} hosts: system image GUIDs make them {images}, host "
                "names the rest."
            ).format(
                hcas=format_number(hcas),
                hosts=format_number(hosts),
                images=format_number(by_image),
            )
        )
