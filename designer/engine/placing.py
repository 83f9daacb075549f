"""Which servers a job gets: packed, spread over units, at random, or picked by hand.

    packed    servers in rank order (unit, name), one after the other
    spread    one server of each unit in turn; within a unit, one of each set of leaves in turn
    random    in the order of a seeded shuffle
    picked    the servers named, in the order they are named

Servers of one NVLink domain stay together: a domain is what is dealt out, as schedulers do. A job
fills its servers; the last one may stay half empty, and nobody else gets the rest of it.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from designer.engine.network import CompiledNetwork, IntArray
from designer.engine.pool import ranked_servers
from designer.errors import ParameterError
from designer.messages import N_, _
from designer.model.design import Design

Manner = Literal["packed", "spread", "random", "picked"]
MANNERS: dict[Manner, str] = {
    "packed": N_("packed"),
    "spread": N_("spread"),
    "random": N_("random"),
    "picked": N_("picked"),
}


@dataclass(frozen=True, slots=True)
class Placing:
    """How the servers of a job are chosen.

    Attributes:
        manner: `packed`, `spread`, `random` or `picked`.
        seed: Of the shuffle.
        devices: Ids of the servers picked by hand.
    """

    manner: Manner = "packed"
    seed: int = 0
    devices: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return it in a word or two, for people: `random, seed 3`."""
        if self.manner == "random":
            return _("random, seed {n}").format(n=self.seed)
        return _(MANNERS[self.manner])

    def values(self) -> dict[str, Any]:
        """Return the form written to results."""
        return {
            "manner": self.manner,
            "seed": self.seed if self.manner == "random" else 0,
            "devices": list(self.devices),
        }


def read_placing(text: str, design: Design) -> Placing:
    """Return what `packed`, `spread`, `random`, `random:7` or names of servers and groups mean.

    Args:
        text: Names are separated by commas or spaces; those of groups stand for their servers.
        design: The drawing with the names.

    Raises:
        ParameterError: Something is not called so, is no server, or the seed is no number.
    """
    word, mark, rest = text.strip().partition(":")
    if word in ("packed", "spread") and not mark:
        return Placing("packed" if word == "packed" else "spread")
    if word == "random":
        if mark and not rest.isdigit():
            raise ParameterError(
                _("“{text}” is no seed.").format(text=rest), _("Write it like random:7.")
            )
        return Placing("random", int(rest or 0))
    found: list[str] = []
    for name in text.replace(",", " ").split():
        found += _servers_called(name, design)
    if not found:
        raise ParameterError(
            _("No server is named."), _("Write packed, spread, random:7 or names of servers.")
        )
    return Placing("picked", devices=tuple(dict.fromkeys(found)))


def _servers_called(name: str, design: Design) -> list[str]:
    device = design.named(name) or design.devices.get(name)
    if device is not None:
        if device.role != "server":
            raise ParameterError(
                _("“{name}” is no server.").format(name=name),
                _("Jobs run on GPU servers: name some of them, or groups that hold some."),
            )
        return [device.id]
    groups = [g for g in design.groups.values() if name in (g.name, g.id)]
    found = [d.id for g in groups for d in design.members(g) if d.role == "server"]
    if not found:
        raise ParameterError(
            _("No server or group with servers is called “{name}”.").format(name=name),
            _("Write packed, spread, random:7 or names of servers."),
        )
    return found


def placed_servers(
    network: CompiledNetwork, placing: Placing, taken: Iterable[int] = ()
) -> IntArray:
    """Return the servers a job may fill, in the order it fills them.

    Args:
        network: The network.
        placing: How they are chosen.
        taken: Device indices of servers that other jobs have; domains of them are left out.

    Returns:
        Device indices; servers picked by hand that failed, or that are gone, are left out.
    """
    servers = ranked_servers(network)
    others = np.fromiter(taken, dtype=np.int64)
    if placing.manner == "picked":
        usable = set(servers.tolist()) - set(others.tolist())
        named = [network.device_index.get(i, -1) for i in dict.fromkeys(placing.devices)]
        return np.array([k for k in named if k in usable], dtype=np.int32)
    busy = np.isin(network.domain[servers], network.domain[others])
    servers = servers[~busy]
    if placing.manner == "packed" or len(servers) == 0:
        return servers
    _names, first, block = np.unique(
        network.domain[servers], return_index=True, return_inverse=True
    )
    if placing.manner == "random":
        rank = np.random.default_rng(placing.seed).permutation(len(first)).astype(np.int32)
    else:
        rank = _dealt(network, servers[np.sort(first)])
    # domains are numbered by record; their place among the ranks is what names decide
    rank = rank[np.argsort(np.argsort(first))]
    return servers[np.argsort(rank[block], kind="stable")]


def pinned(network: CompiledNetwork, placing: Placing) -> Placing:
    """Return the same servers by name, so that they stay the same whatever fails."""
    servers = placed_servers(network, placing).tolist()
    return Placing("picked", devices=tuple(network.device_ids[k] for k in servers))


def _dealt(network: CompiledNetwork, servers: IntArray) -> IntArray:
    """Return the place of each server when units, and sets of leaves in them, take turns."""
    leaves = _leaf_sets(network)
    near = [leaves.get(device, ()) for device in servers.tolist()]
    # without a unit, the leaves alone tell what is near
    units = [u if u >= 0 else leaf for u, leaf in zip(network.unit[servers], near, strict=True)]
    first = _turns(list(zip(units, near, strict=True)))
    order = sorted(range(len(servers)), key=lambda k: (first[k], k))
    second = dict(zip(order, _turns([units[k] for k in order]), strict=True))
    place = np.empty(len(servers), dtype=np.int32)
    place[sorted(range(len(servers)), key=lambda k: (second[k], k))] = np.arange(len(servers))
    return place


def _turns(keys: Sequence[Hashable]) -> list[int]:
    """Return how many equal keys stand before each."""
    seen: Counter[Hashable] = Counter()
    out = []
    for key in keys:
        out.append(seen[key])
        seen[key] += 1
    return out


def _leaf_sets(network: CompiledNetwork) -> dict[int, tuple[int, ...]]:
    """Return the leaves of each server with NIC links, sorted."""
    found: dict[int, set[int]] = {}
    for device, leaf in zip(network.nics.server.tolist(), network.nics.leaf.tolist(), strict=True):
        found.setdefault(device, set()).add(leaf)
    return {device: tuple(sorted(leaves)) for device, leaves in found.items()}
