"""What the drawn links can carry: oversubscription, cuts between tiers, bisection, per-GPU rates.

    oversubscription of a switch = sum of its downward capacity / sum of its upward capacity
    cut of two tiers             = sum of the capacity of the links between them, one way
    bisection                    = largest flow from one half of the servers to the other, NIC
                                   links included (maximum flow); the least of the canonical splits

The true least bisection over all halves is too hard to find; the splits are halves of the pods,
or of the units, or of the servers, in order and alternating.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from designer.engine.columns import sum_by
from designer.engine.loads import Drain, fabric_drain_time, link_loads
from designer.engine.network import BoolArray, CompiledNetwork, FloatArray, IntArray
from designer.engine.routing import Reach, Routed, check, never, reach
from designer.engine.traffic import all_to_all
from designer.messages import _
from designer.model.design import Design
from designer.model.naming import natural

Rows = npt.NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, slots=True)
class Oversubscription:
    """Down over up capacity of the switches of one tier.

    Attributes:
        worst, mean: Ratios; of the switches that have links up.
        switch: Device index of the worst one.
        down, up: Its capacities, bits/s.
        without_uplinks: Device indices of switches that serve something but lead nowhere.
    """

    worst: float
    mean: float
    switch: int
    down: float
    up: float
    without_uplinks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bisection:
    """One split of the servers and the flow it allows.

    Attributes:
        name: `pods`, `units` or `servers`, and `-alternating` where members alternate.
        bits_per_s: Largest flow from the first half to the second.
        nic_bits_per_s: NIC capacity of the half with less: no network can carry more.
        first, second: Servers on each side.
    """

    name: str
    bits_per_s: float
    nic_bits_per_s: float
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Capacity:
    """Capacities of a network; None where they have no basis, then `reasons` says why.

    Attributes:
        tiers: Tiers of switches.
        oversubscription: By tier, from 1; absent at the top tier.
        cuts: Bits/s one way between two tiers, by (lower, upper).
        bisections: One for each canonical split.
        nic_bits_per_s_per_gpu: Median over servers, one way.
        slowest_nics: Device index of the server with the least, and how much, bits/s per GPU.
        nvlink_bytes_per_s_per_gpu: Median over servers, one way.
        reach: Hops and islands.
        reasons: Why a key is None, by key below `capacity.`.
    """

    tiers: int
    oversubscription: Mapping[int, Oversubscription]
    cuts: Mapping[tuple[int, int], float]
    bisections: tuple[Bisection, ...]
    nic_bits_per_s_per_gpu: float | None
    slowest_nics: tuple[int, float] | None
    nvlink_bytes_per_s_per_gpu: float | None
    reach: Reach
    reasons: Mapping[str, str] = field(default_factory=dict)

    @property
    def bisection(self) -> Bisection | None:
        """Return the split that allows least, or None."""
        return min(self.bisections, key=lambda b: b.bits_per_s, default=None)

    def values(self) -> dict[str, Any]:
        """Return the object `capacity` of the results."""
        least = self.bisection
        ratio = {
            name: self.oversubscription[tier].worst if tier in self.oversubscription else None
            for tier, name in ((1, "leaf"), (2, "spine"))
        }
        return {
            "tiers": self.tiers,
            "oversubscription": ratio,
            "bisection_bits_per_s": least.bits_per_s if least is not None else None,
            "nvlink_bytes_per_s_per_gpu": self.nvlink_bytes_per_s_per_gpu,
            "nic_bits_per_s_per_gpu": self.nic_bits_per_s_per_gpu,
            "diameter_hops": self.reach.diameter_hops,
        }


def capacity(design: Design, routed: Routed, *, cancelled: Callable[[], bool] = never) -> Capacity:
    """Return the capacities of a drawing.

    Args:
        design: The drawing, for its pods.
        routed: Its routed network.
        cancelled: Asked between steps.

    Raises:
        CancelledError: `cancelled()` became true.
    """
    network = routed.network
    tiers = tier_count(network)
    ratios = oversubscription(network)
    check(cancelled)
    splits = bisections(design, routed, cancelled)
    nic, slowest = nic_rate(network)
    nvlink = nvlink_rate(network)
    found = reach(routed)
    reasons: dict[str, str] = {}
    for tier, name in ((1, "leaf"), (2, "spine")):
        if tier not in ratios:
            reasons[f"oversubscription.{name}"] = _no_ratio(tiers, tier)
    if not splits:
        reasons["bisection_bits_per_s"] = _("Fewer than two servers are cabled to switches.")
    if nic is None:
        reasons["nic_bits_per_s_per_gpu"] = _("No server with a known number of GPUs is cabled.")
    if nvlink is None:
        reasons["nvlink_bytes_per_s_per_gpu"] = _("No server has NVLink, or none is cabled.")
    if found.diameter_hops is None:
        reasons["diameter_hops"] = _("No NIC is cabled to a switch.")
    return Capacity(tiers, ratios, tier_cuts(network), splits, nic, slowest, nvlink, found, reasons)


def _no_ratio(tiers: int, tier: int) -> str:
    if tiers < tier:
        return _("The fabric has no tier {n}.").format(n=tier)
    return _("Tier {n} is the top: its switches have no links up.").format(n=tier)


def tier_count(network: CompiledNetwork) -> int:
    """Return the tiers of switches that carry compute traffic; 0 without any."""
    used = np.zeros(len(network.switches), dtype=np.bool_)
    used[network.nics.switch] = True
    used[network.bundles.src] = True
    return int(network.rank[used].max(initial=0))


def switch_capacity(network: CompiledNetwork) -> tuple[FloatArray, FloatArray]:
    """Return the capacity down (NIC links and lower tiers) and up of each switch, bits/s."""
    bundles, rank, n = network.bundles, network.rank, len(network.switches)
    rises = rank[bundles.dst] > rank[bundles.src]
    falls = rank[bundles.dst] < rank[bundles.src]
    down = sum_by(network.nics.switch, network.nics.speed, n)
    down += sum_by(bundles.src[falls], bundles.capacity[falls], n)
    return down, sum_by(bundles.src[rises], bundles.capacity[rises], n)


def oversubscription(network: CompiledNetwork) -> dict[int, Oversubscription]:
    """Return down over up capacity by tier; tiers without any link up are absent."""
    down, up = switch_capacity(network)
    out: dict[int, Oversubscription] = {}
    for tier in range(1, tier_count(network) + 1):
        chosen = np.flatnonzero((network.rank == tier) & (down > 0))
        leads = chosen[up[chosen] > 0]
        if len(leads) == 0:
            continue
        ratio = down[leads] / up[leads]
        at = int(leads[int(ratio.argmax())])
        lost = tuple(int(network.switches[s]) for s in chosen[up[chosen] <= 0])
        out[tier] = Oversubscription(
            float(ratio.max()),
            float(down[leads].sum() / up[leads].sum()),
            int(network.switches[at]),
            float(down[at]),
            float(up[at]),
            lost,
        )
    return out


def tier_cuts(network: CompiledNetwork) -> dict[tuple[int, int], float]:
    """Return the capacity between each two tiers, bits/s one way; (0, 1) is servers to leaves."""
    bundles, rank = network.bundles, network.rank
    out: dict[tuple[int, int], float] = {}
    for tier in np.unique(rank[network.nics.switch]):
        chosen = rank[network.nics.switch] == tier
        out[0, int(tier)] = float(network.nics.speed[chosen].sum())
    width = int(rank.max(initial=0)) + 1
    code, size = rank[bundles.src] * width + rank[bundles.dst], width * width
    total = sum_by(code, bundles.capacity, size)
    for pair in np.flatnonzero(np.bincount(code, minlength=size)).tolist():
        low, high = divmod(pair, width)
        if low <= high:
            out[low, high] = float(total[pair]) / (2 if low == high else 1)
    return out


# --- bisection ---


def bisections(
    design: Design, routed: Routed, cancelled: Callable[[], bool] = never
) -> tuple[Bisection, ...]:
    """Return the flow of each canonical split of the cabled servers."""
    network = routed.network
    cabled = np.zeros(len(network.device_ids), dtype=np.bool_)
    cabled[network.nics.server] = True
    servers = network.servers[cabled[network.servers]]
    if len(servers) < 2:
        return ()
    out = []
    for name, second in _splits(design, network, servers):
        check(cancelled)
        out.append(split_flow(routed, name, servers, second))
    return tuple(out)


def _splits(
    design: Design, network: CompiledNetwork, servers: IntArray
) -> list[tuple[str, BoolArray]]:
    """Return named masks of the servers on the second side."""
    for name, group in (
        ("pods", _pods(design, network, servers)),
        ("units", network.unit[servers]),
    ):
        labels, at = np.unique(group, return_inverse=True)
        if len(labels) < 2:
            continue
        out = [(name, _halves(at, len(labels)))]
        if len(labels) > 2 and len(labels) % 2 == 0 and _even(at % 2 == 1):
            out.append((f"{name}-alternating", at % 2 == 1))
        return out
    return [("servers", np.arange(len(servers)) >= len(servers) // 2)]


def _halves(group: Rows, groups: int) -> BoolArray:
    """Return which servers are in the second half; a group in the middle is split itself."""
    second = group >= groups // 2
    if groups % 2 == 0 and _even(second):
        return second
    order = np.argsort(group, kind="stable")
    second = np.zeros(len(group), dtype=np.bool_)
    second[order[len(group) // 2 :]] = True
    return second


def _even(second: BoolArray) -> bool:
    """Tell whether a mask halves the servers, up to one of an odd number."""
    return abs(2 * int(second.sum()) - len(second)) <= 1


def _pods(design: Design, network: CompiledNetwork, servers: IntArray) -> IntArray:
    pods = [design.devices[network.device_ids[i]].pod for i in servers.tolist()]
    names = {p: design.groups[p].name if p in design.groups else p for p in set(pods)}
    order = {p: k for k, p in enumerate(sorted(names, key=lambda p: natural(names[p])))}
    return np.array([order[p] for p in pods], dtype=np.int32)


def split_flow(routed: Routed, name: str, servers: IntArray, second: BoolArray) -> Bisection:
    """Return the largest flow from the servers outside `second` to those in it.

    Args:
        routed: The routed network; its quotient keeps the value of a maximum flow.
        name: Of the split.
        servers: Device indices.
        second: By server, True on the receiving side.
    """
    network = routed.network
    side = np.zeros(len(network.device_ids), dtype=np.int8)
    side[servers] = np.where(second, 2, 1)
    of_nic = side[network.nics.server]
    leaves = len(network.leaves)
    give, take = (
        sum_by(network.nics.leaf[of_nic == s], network.nics.speed[of_nic == s], leaves)
        for s in (1, 2)
    )
    flow = _max_flow(routed, give, take)
    return Bisection(
        name,
        flow,
        min(float(give.sum()), float(take.sum())),
        int((~second).sum()),
        int(second.sum()),
    )


def _max_flow(routed: Routed, give: FloatArray, take: FloatArray) -> float:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    graph = routed.work
    source, sink = graph.n, graph.n + 1
    senders, receivers = np.flatnonzero(give), np.flatnonzero(take)
    inner = graph.src != graph.dst
    u = np.concatenate((graph.src[inner], np.full(len(senders), source), graph.leaf[receivers]))
    v = np.concatenate((graph.dst[inner], graph.leaf[senders], np.full(len(receivers), sink)))
    rate = np.concatenate((graph.capacity[inner], give[senders], take[receivers]))
    unit = _unit(rate, min(float(give.sum()), float(take.sum())))
    # no edge can carry more than the sources give, which keeps it in 32 bits
    most = min(float(give.sum()), float(take.sum()))
    scaled = np.rint(np.minimum(rate, most) / unit).astype(np.int32)
    matrix = csr_array((scaled, (u, v)), shape=(graph.n + 2, graph.n + 2))
    return float(maximum_flow(matrix, source, sink).flow_value) * unit


def _unit(rate: FloatArray, total: float) -> float:
    """Return the bits/s that one step of the integer flow stands for: exact where it fits."""
    whole = np.rint(rate).astype(np.int64)
    common = float(np.gcd.reduce(whole[whole > 0])) if (whole > 0).any() else 1.0
    least = total / (2**31 - 1)
    return common if common >= least else least


# --- per GPU ---


def nic_rate(network: CompiledNetwork) -> tuple[float | None, tuple[int, float] | None]:
    """Return the median NIC line rate per GPU, bits/s, and the server that has least."""
    servers = network.servers
    rate = sum_by(network.nics.server, network.nics.speed, len(network.device_ids))[servers]
    gpus = network.gpus[servers]
    known = (gpus > 0) & (rate > 0)
    if not known.any():
        return None, None
    per_gpu = rate[known] / gpus[known]
    at = int(per_gpu.argmin())
    return float(np.median(per_gpu)), (int(servers[known][at]), float(per_gpu[at]))


def nvlink_rate(network: CompiledNetwork) -> float | None:
    """Return the median NVLink bandwidth per GPU, bytes/s one way; None without NVLink."""
    rate = network.nvlink_bytes_per_s[network.servers]
    rate = rate[np.isfinite(rate)]
    return float(np.median(rate)) if len(rate) else None


@dataclass(frozen=True, slots=True)
class Saturation:
    """Where a uniform all-to-all meets its first full link between switches.

    Attributes:
        share: Rate it allows over the line rate of the NICs; above 1 NICs are the limit.
        drain: The link, at NIC line rate for one second.
    """

    share: float
    drain: Drain


def all_to_all_saturation(
    routed: Routed,
    *,
    rail_aligned: bool = False,
    cancelled: Callable[[], bool] = never,
) -> Saturation | None:
    """Return how much uniform all-to-all the links between switches allow under even spreading.

    None when nothing crosses a link between switches, or no rate per GPU is known.
    """
    rate, _slowest = nic_rate(routed.network)
    if rate is None:
        return None
    traffic = all_to_all(routed.network, rate / 8, rail_aligned=rail_aligned)
    drain = fabric_drain_time(routed.network, link_loads(routed, traffic, cancelled=cancelled))
    return Saturation(1 / drain.seconds, drain) if drain.seconds > 0 else None
