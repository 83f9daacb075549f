"""Which parts of a drawing are alike: colours of devices, NIC ports, rails and racks by wiring.

Colour refinement: a vertex gets a new colour from its own and those of its neighbours, with what
joins them, until no class splits any more. Vertices are the servers and switches, each NIC of a
server, each rail (all its NICs in one plane), and each rack; so two cables swapped between rails
set their NICs and leaves apart. The first colour of a switch holds its hops to all leaves and the
size of its component, which refinement alone cannot see in regular graphs.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from designer.engine.network import CompiledNetwork
from designer.engine.routing import Routed
from designer.engine.traffic import Traffic
from designer.model.design import Design

Colours = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.int64]
_MOST_ROUNDS = 64


@dataclass(frozen=True, slots=True)
class Symmetry:
    """Colours after refinement: equal ones are alike.

    Attributes:
        device: By device index.
        nic: By row of `network.nics`.
        rail: By rail number.
        rack: By rack name; racks hold the devices of one `Device.rack`.
        nic_vertex: Vertex of each row of `network.nics`: rows of one NIC and plane share one.
    """

    device: Colours
    nic: Colours
    rail: dict[int, int]
    rack: dict[str, int]
    nic_vertex: Rows


def symmetry(design: Design, routed: Routed) -> Symmetry:
    """Return the colours of a routed drawing."""
    network = routed.network
    n, nics = len(network.device_ids), network.nics
    nic_keys = np.stack((nics.server, nics.nic, nics.plane), axis=1).astype(np.int64)
    rail_keys = np.stack((nics.rail, nics.plane), axis=1).astype(np.int64)
    ports, nic_at = _distinct(nic_keys)
    rails, rail_at = _distinct(rail_keys)
    racks = sorted({d.rack for d in design.devices.values() if d.rack})
    first_rail = n + len(ports)
    first_rack = first_rail + len(rails)
    edges = _Edges()
    port = n + nic_at
    edges.add(port, network.switches[nics.switch], _codes(nics.speed))
    once = np.unique(nic_at, return_index=True)[1] if len(nic_at) else nic_at
    edges.add(port[once], nics.server[once], np.full(len(once), 3))
    edges.add(port[once], first_rail + rail_at[once], np.full(len(once), 5))
    b = network.bundles
    half = b.src < b.dst
    label = _codes(np.stack((b.count[half], b.capacity[half]), axis=1))
    edges.add(network.switches[b.src[half]], network.switches[b.dst[half]], label)
    number = {rack: first_rack + k for k, rack in enumerate(racks)}
    members = [
        (network.device_index[d.id], number[d.rack]) for d in design.devices.values() if d.rack
    ]
    pairs = np.array(members, dtype=np.int64).reshape(-1, 2)
    edges.add(pairs[:, 0], pairs[:, 1], np.full(len(pairs), 7))
    colour = np.zeros(first_rack + len(racks), dtype=np.uint64)
    colour[:n] = _first(design, routed)
    colour[n:first_rail] = 11
    colour[first_rail:first_rack] = 13
    colour[first_rack:] = 17
    colour = edges.refined(colour)
    of_rail: dict[int, int] = {}
    for key, vertex in zip(rails.tolist(), range(first_rail, first_rack), strict=True):
        # a rail of several planes is as all of them are
        of_rail[key[0]] = (of_rail.get(key[0], 0) + int(colour[vertex])) % 2**64
    of_rack = {rack: int(colour[at]) for rack, at in number.items()}
    return Symmetry(colour[:n], colour[port], of_rail, of_rack, nic_at)


def set_apart(same: Symmetry, network: CompiledNetwork, patterns: Iterable[Traffic]) -> Symmetry:
    """Return the symmetry with NICs and servers set apart that carry other shares of a pattern.

    The ends of a tree or ring of ranks carry less than its middle, wherever they are cabled.
    """
    nics = network.nics
    seen = [row for p in patterns for row in (p.nic_send, p.nic_receive)]
    if not seen or not len(nics.server):
        return same
    most = max(float(np.max(row)) for row in seen)
    shares = np.stack([np.rint(np.asarray(row) * (1e6 / max(most, 1e-300))) for row in seen], 1)
    own = _mixed(same.nic + _mixed(_codes(shares).astype(np.uint64)))
    total = np.zeros(len(network.device_ids), dtype=np.uint64)
    np.add.at(total, nics.server, own)
    return replace(same, nic=own, device=same.device + _mixed(total))


def _first(design: Design, routed: Routed) -> Colours:
    network = routed.network
    seen: dict[Hashable, int] = {}
    found = np.zeros(len(network.device_ids), dtype=np.uint64)
    for k, id_ in enumerate(network.device_ids):
        d = design.devices[id_]
        key = (d.type, d.nics, d.role, d.fabric, d.breakouts, int(network.gpus[k]))
        found[k] = seen.setdefault(key, len(seen)) + 101
    found = _mixed(found)
    if len(network.switches):
        hops = np.sort(routed.of_switches(routed.total), axis=1)
        shape = np.unique(hops, axis=0, return_inverse=True)[1].reshape(-1)
        sizes = np.bincount(network.component, minlength=int(network.component.max()) + 1)
        own = np.stack((shape, sizes[network.component], network.rank), axis=1)
        found[network.switches] += _mixed(_codes(own).astype(np.uint64) + np.uint64(1009))
    for group, weight in ((network.domain, 31), (network.unit, 37)):
        known = group >= 0
        sizes = np.bincount(group[known], minlength=int(group.max(initial=0)) + 1)
        found[known] += _mixed((sizes[group[known]] * weight).astype(np.uint64))
    return found


def _distinct(keys: Rows) -> tuple[Rows, Rows]:
    """Return the distinct rows of keys, and which of them each row is."""
    if not len(keys):
        return keys, np.zeros(0, dtype=np.int64)
    rows, at = np.unique(keys, axis=0, return_inverse=True)
    return rows, at.reshape(-1)


def _codes(values: npt.NDArray[np.generic]) -> Rows:
    """Return small numbers for distinct values, or distinct rows; the same for the same ones."""
    if not len(values):
        return np.zeros(0, dtype=np.int64)
    axis = 0 if values.ndim > 1 else None
    found: Rows = np.unique(values, axis=axis, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return found * 2


def _mixed(value: Colours) -> Colours:
    """Return well spread 64-bit hashes (the finaliser of MurmurHash3)."""
    x = (value ^ (value >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    x = (x ^ (x >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return x ^ (x >> np.uint64(33))


class _Edges:
    """Undirected labelled edges, and the refinement over them."""

    def __init__(self) -> None:
        self._parts: list[tuple[Rows, Rows, Rows]] = []
        self._kinds = 0

    def add(
        self, one: npt.ArrayLike, two: npt.ArrayLike, label: Sequence[int] | npt.NDArray[np.integer]
    ) -> None:
        """Add edges of one kind; labels tell them apart within it."""
        self._kinds += 1
        named = np.asarray(label, dtype=np.int64) + (self._kinds << 32)
        self._parts.append((np.asarray(one, np.int64), np.asarray(two, np.int64), named))

    def refined(self, colour: Colours) -> Colours:
        """Return the stable colours."""
        one, two, label = (np.concatenate(column) for column in zip(*self._parts, strict=True))
        at, near = np.concatenate((one, two)), np.concatenate((two, one))
        how = _mixed(np.tile(label, 2).astype(np.uint64))
        order = np.argsort(at, kind="stable")
        at, near, how = at[order], near[order], how[order]
        start = np.flatnonzero(np.concatenate(([True], at[1:] != at[:-1]))) if len(at) else at
        classes = len(np.unique(colour))
        for _round in range(_MOST_ROUNDS):
            told = _mixed(colour[near] + how)
            total = np.zeros(len(colour), dtype=np.uint64)
            if len(at):
                total[at[start]] = np.add.reduceat(told, start)
            colour = _mixed(colour * np.uint64(3) + total)
            now = len(np.unique(colour))
            if now == classes:
                break
            classes = now
        return colour


def working_gpus(network: CompiledNetwork) -> tuple[int, int]:
    """Return the GPUs that can reach one another, in the largest part, and all known GPUs.

    Servers are joined by the switches their NICs reach, whichever rail; a server that failed or
    has no NIC link left is a part of its own.
    """
    from designer.engine.compile_groups import components

    n, nics, b = len(network.device_ids), network.nics, network.bundles
    one = np.concatenate((nics.server, network.switches[b.src]))
    two = np.concatenate((network.switches[nics.switch], network.switches[b.dst]))
    part = components(n, one, two)
    gpus = np.maximum(network.gpus, 0)
    dead = np.array([i in network.failed for i in network.device_ids], dtype=bool)
    serving = np.zeros(n, dtype=bool)
    serving[network.servers] = True
    servers = np.flatnonzero((gpus > 0) & ~dead & serving)
    total = int(gpus[(gpus > 0) & (serving | dead)].sum())
    if not len(servers):
        return 0, total
    return int(np.bincount(part[servers], gpus[servers]).max()), total
