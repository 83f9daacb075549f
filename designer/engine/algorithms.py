"""Formulas of collective operations: latency and bytes of each algorithm (symbols of the help).

S bytes a rank, n ranks, m nodes, g ranks a node, B bytes/s one way per GPU inside a node, network
seconds a byte from the drawn links. Every protocol of NCCL is tried (Simple, LL128, LL: less
latency for less bandwidth) and the fastest one is kept.

    ring            t = α_0 + [2(n-1) - 2(m-1)] α_nv + 2(m-1) α_net + 2(n-1)/n S / B
    tree            t = α_0 + 2 [(g-1) α_nv + log2(m) α_net] + c S / B      (double binary tree)
    hierarchical    reduce-scatter in the node, ring of rails, all-gather, in k pieces
    nvls            t = α_nvls + S (1 + 1/n) / B_nvls
    nvls_tree       t = α_nvls + 2 log2(m) α_net + max(S (1 + 1/g) / B_nvls, c S / Σ B_nic)
    collnet_direct  t = α_sharp + max(S (1 + 1/g) / B_nvls, S / Σ B_nic) / η_sharp
    collnet_chain   t = α_sharp + max(2 S / B, S / Σ B_nic)

Published measurements that these are held to stand in the tests.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from designer.engine.setting import Setting


@dataclass(frozen=True, slots=True)
class Timing:
    """One algorithm at one size.

    Attributes:
        algorithm: Its name in the results.
        protocol: `simple`, `ll128` or `ll`.
        latency_s: All steps without their bytes.
        local_s: Bytes inside the node.
        network_s: Bytes over the network; 0 inside one node.
        data_s: What both take together: the larger one, unless stages follow one another.
    """

    algorithm: str
    protocol: str
    latency_s: float
    local_s: float
    network_s: float
    data_s: float

    @property
    def time_s(self) -> float:
        """Return latency and data together, seconds."""
        return self.latency_s + self.data_s

    @property
    def network_bound(self) -> bool:
        """Tell whether the network, and not the inside of a node, decides the data part."""
        return self.network_s >= self.local_s

    @property
    def limit(self) -> str:
        """Return what takes most of the time: `latency`, `network` or `inside` of a node."""
        if self.latency_s > self.data_s:
            return "latency"
        return "network" if self.network_bound else "inside"


Formula = Callable[[Setting, float], Timing | None]


def _overlapped(name: str, protocol: str, latency: float, local: float, network: float) -> Timing:
    return Timing(name, protocol, latency, local, network, max(local, network))


def _fastest(timings: Iterator[Timing]) -> Timing:
    return min(timings, key=lambda t: t.time_s)


def _around(setting: Setting, size: float, rounds: int) -> Timing:
    """Return `rounds` passes around the ring, each of (n-1)/n of the size."""
    n, m = setting.ranks, setting.nodes
    moved = rounds * (n - 1) / n * size

    def with_protocol(protocol: str) -> Timing:
        width = setting.share(protocol)
        hops = rounds * (n - m) * setting.local_step("ring", protocol)
        latency = setting.base("ring", protocol) + hops
        if m > 1:
            latency += rounds * (m - 1) * setting.network_step(f"ring_{protocol}")
        local = moved / (setting.inside.ring * width)
        network = moved * setting.ring_s / width if m > 1 else 0.0
        return _overlapped("ring", protocol, latency, local, network)

    return _fastest(with_protocol(p) for p in setting.usable_protocols)


def ring_all_reduce(setting: Setting, size: float) -> Timing:
    """Return a reduce-scatter and an all-gather around one ring."""
    return _around(setting, size, 2)


def ring_pass(setting: Setting, size: float) -> Timing:
    """Return an all-gather or reduce-scatter of `size` bytes in all around one ring."""
    return _around(setting, size, 1)


def ring_broadcast(setting: Setting, size: float) -> Timing:
    """Return a broadcast down a chain; the pipeline is full after n-1 steps."""
    n, m = setting.ranks, setting.nodes

    def with_protocol(protocol: str) -> Timing:
        width = setting.share(protocol)
        latency = setting.base("ring", protocol)
        latency += (n - m) * setting.local_step("ring", protocol)
        if m > 1:
            latency += (m - 1) * setting.network_step(f"ring_{protocol}")
        local = size / (setting.inside.ring * width)
        network = size * setting.ring_s / width if m > 1 else 0.0
        return _overlapped("ring", protocol, latency, local, network)

    return _fastest(with_protocol(p) for p in setting.usable_protocols)


def tree_all_reduce(setting: Setting, size: float) -> Timing:
    """Return a double binary tree over nodes with chains inside them."""
    m, g = setting.nodes, setting.per_node

    def with_protocol(protocol: str) -> Timing:
        width = setting.share(protocol) * setting.values["tree_share"]
        depth = math.log2(m) if m > 1 else 0.0
        latency = setting.base("tree", protocol)
        latency += 2 * (g - 1) * setting.local_step("tree", protocol)
        if m > 1:
            latency += 2 * depth * setting.network_step(f"tree_{protocol}")
        local = 2 * size / (setting.inside.ring * width)
        network = size * setting.tree_s / width if m > 1 else 0.0
        return _overlapped("tree", protocol, latency, local, network)

    return _fastest(with_protocol(p) for p in setting.usable_protocols)


def _staged(setting: Setting, size: float, rounds: int) -> Timing | None:
    m, g = setting.nodes, setting.per_node
    if m < 2 or g < 2:
        return None
    stage = (g - 1) / g * size / setting.inside.ring
    rail = rounds * (m - 1) / m * size * setting.ring_s
    stages = (stage, rail, stage) if rounds == 2 else (stage, rail)
    pieces = max(1.0, setting.values["pipeline_chunks"])
    data = sum(stages) / pieces + (pieces - 1) / pieces * max(stages)
    latency = setting.base("ring", "simple")
    latency += rounds * (g - 1) * setting.local_step("ring", "simple")
    latency += rounds * (m - 1) * setting.network_step("ring_simple")
    return Timing("hierarchical", "simple", latency, rounds * stage, rail, data)


def hierarchical_all_reduce(setting: Setting, size: float) -> Timing | None:
    """Return reduce-scatter in the node, all-reduce of each rail, all-gather in the node."""
    return _staged(setting, size, 2)


def hierarchical_pass(setting: Setting, size: float) -> Timing | None:
    """Return an all-gather or reduce-scatter in two stages: rails, then the node."""
    return _staged(setting, size, 1)


def nvls_all_reduce(setting: Setting, size: float) -> Timing | None:
    """Return a reduction in the NVSwitch of one node: each GPU moves S (1 + 1/n) each way."""
    rate, n = setting.inside.nvls, setting.ranks
    if rate is None or setting.nodes > 1:
        return None
    local = size * (1 + 1 / n) / rate
    return _overlapped("nvls", "simple", setting.values["nvls_start_s"], local, 0.0)


def nvls_tree_all_reduce(setting: Setting, size: float) -> Timing | None:
    """Return reductions in the NVSwitches joined by a double binary tree."""
    rate, m, g = setting.inside.nvls, setting.nodes, setting.per_node
    if rate is None or m < 2 or g < 2:
        return None
    latency = setting.values["nvls_start_s"]
    latency += 2 * math.log2(m) * setting.network_step("nvls_tree")
    local, network = size * (1 + 1 / g) / rate, size * setting.tree_s
    return _overlapped("nvls_tree", "simple", latency, local, network)


def collnet_direct(setting: Setting, size: float) -> Timing | None:
    """Return reductions in the NVSwitches and in the switches of the fabric."""
    rate, g = setting.inside.nvls, setting.per_node
    if rate is None or setting.nodes < 2 or g < 2 or not setting.sharp:
        return None
    reached = setting.values["sharp_efficiency"]
    local, network = size * (1 + 1 / g) / rate / reached, size * setting.nic_s / reached
    latency = setting.network_step("sharp")
    return _overlapped("collnet_direct", "simple", latency, local, network)


def collnet_chain(setting: Setting, size: float) -> Timing | None:
    """Return chains inside the nodes and reduction in the switches of the fabric."""
    if setting.nodes < 2 or not setting.sharp:
        return None
    local, network = 2 * size / setting.inside.ring, size * setting.nic_s
    latency = setting.network_step("sharp")
    latency += 2 * (setting.per_node - 1) * setting.local_step("ring", "simple")
    return _overlapped("collnet_chain", "simple", latency, local, network)


def pairwise_all_to_all(setting: Setting, size: float) -> Timing:
    """Return an all-to-all: `size` bytes a rank, in equal parts for all ranks.

    With data changing rails inside the node first (PXN), (g-1)/g of what leaves the node also
    crosses NVLink.
    """
    n, m, g = setting.ranks, setting.nodes, setting.per_node
    outside = size * (n - g) / n if m > 1 else 0.0
    local_bytes = size * (min(g, n) - 1) / n
    if m > 1 and setting.rail_aligned:
        local_bytes += outside * (g - 1) / g
    latency = setting.base("ring", "simple")
    if m > 1:
        latency += setting.network_step("ring_simple")
        latency += setting.messages * setting.values["message_overhead_s"]
    elif n > 1:
        latency += setting.local_step("ring", "simple")
    local = local_bytes / setting.inside.ring
    network = size * (n - 1) / n * setting.spread_s if m > 1 else 0.0
    return _overlapped("pairwise", "simple", latency, local, network)


def direct_send(setting: Setting, size: float) -> Timing:
    """Return each rank sending `size` bytes to a rank of the next node, or to the next GPU."""

    def with_protocol(protocol: str) -> Timing:
        width, latency = setting.share(protocol), setting.base("ring", protocol)
        if setting.nodes > 1:
            latency += setting.network_step(f"ring_{protocol}")
            network = size * setting.per_node * (setting.send_s or setting.ring_s) / width
            return _overlapped("direct", protocol, latency, 0.0, network)
        latency += setting.local_step("ring", protocol)
        return _overlapped("direct", protocol, latency, size / (setting.inside.ring * width), 0.0)

    return _fastest(with_protocol(p) for p in setting.usable_protocols)


FORMULAS: dict[str, dict[str, Formula]] = {
    "all_reduce": {
        "ring": ring_all_reduce,
        "tree": tree_all_reduce,
        "hierarchical": hierarchical_all_reduce,
        "nvls": nvls_all_reduce,
        "nvls_tree": nvls_tree_all_reduce,
        "collnet_direct": collnet_direct,
        "collnet_chain": collnet_chain,
    },
    "all_gather": {"ring": ring_pass, "hierarchical": hierarchical_pass},
    "reduce_scatter": {"ring": ring_pass, "hierarchical": hierarchical_pass},
    "all_to_all": {"pairwise": pairwise_all_to_all},
    "broadcast": {"ring": ring_broadcast},
    "send_recv": {"direct": direct_send},
}
# What NCCL does not choose by itself: frameworks do the first, SHARP must be switched on.
_BY_REQUEST = frozenset({"hierarchical", "collnet_direct", "collnet_chain"})


def timings(setting: Setting, operation: str, size: float) -> dict[str, Timing]:
    """Return every algorithm of an operation that this machine can run, by name."""
    found = {name: f(setting, size) for name, f in FORMULAS[operation].items()}
    return {name: t for name, t in found.items() if t is not None}


def offered(setting: Setting, name: str) -> bool:
    """Tell whether `auto` may choose an algorithm."""
    sharp = name.startswith("collnet") and setting.values["sharp_used"] >= 0.5
    return name not in _BY_REQUEST or sharp


def fastest(setting: Setting, operation: str, size: float) -> Timing:
    """Return the fastest algorithm that NCCL offers by itself."""
    made = (f(setting, size) for name, f in FORMULAS[operation].items() if offered(setting, name))
    return _fastest(t for t in made if t is not None)


def curve(
    setting: Setting, operation: str, sizes: Iterable[int], algorithm: str = ""
) -> list[Timing]:
    """Return the fastest way at each size, or that of one algorithm; none where it cannot run.

    Every formula is a latency and seconds a byte, so each is worked out once, for one byte.

    Args:
        setting: The machine.
        operation: Such as `all_reduce`.
        sizes: Bytes; powers of two give to the last bit what the formulas give.
        algorithm: Its name; empty for the fastest that NCCL offers by itself.
    """
    formulas = FORMULAS[operation]
    names = [algorithm] if algorithm else [name for name in formulas if offered(setting, name)]
    alone = [replace(setting, protocols=(p,)) for p in setting.usable_protocols]
    lines = [line for name in names if name in formulas for line in _lines(alone, formulas[name])]
    if not lines:
        return []
    found = []
    for size in sizes:
        at = min(lines, key=lambda line, s=size: line.latency_s + line.data_s * s)  # type: ignore[misc]
        found.append(
            Timing(
                at.algorithm,
                at.protocol,
                at.latency_s,
                at.local_s * size,
                at.network_s * size,
                at.data_s * size,
            )
        )
    return found


def _lines(alone: Iterable[Setting], formula: Formula) -> Iterator[Timing]:
    """Yield the timing of one byte under each protocol that the algorithm has.

    Args:
        alone: The machine with one protocol each.
        formula: Of the algorithm.
    """
    for setting in alone:
        made = formula(setting, 1.0)
        # an algorithm without protocols says `simple` whatever is asked
        if made is not None and made.protocol in setting.protocols:
            yield made


def bus_factor(operation: str, ranks: int) -> float:
    """Return bus over algorithm bandwidth (nccl-tests, doc/PERFORMANCE.md)."""
    share = (ranks - 1) / ranks
    return {
        "all_reduce": 2 * share,
        "all_gather": share,
        "reduce_scatter": share,
        "all_to_all": share,
    }.get(operation, 1.0)
