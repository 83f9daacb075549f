"""Traffic of one phase: what enters and leaves at each NIC, and between which leaves it flows.

Amounts are bytes of the phase (or bytes per second; the unit of the loads is that of the
traffic). A pattern is dense, a leaf x leaf matrix, or sparse, rows (source leaf, destination
leaf, amount); both may be set and add up.

    all_to_all(network, bytes_per_gpu, rail_aligned=True)
    server_flows(network, source, target, amount)      # any flows between servers
    rail_rings(network, bytes_per_server)              # neighbours in rank order, all rails
    permutation(network, bytes_per_server, seed)

`source` and `target` are device indices, such as `network.servers`. Between two servers an amount
is split equally over the NIC links of the sender; each goes to the NIC of the same rail and
plane of the receiver, or over all pairs of NICs where no rail is shared.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from designer.engine.columns import sum_by
from designer.engine.network import Attachments, CompiledNetwork, FloatArray, IntArray

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Traffic:
    """Traffic of one phase.

    Attributes:
        src, dst: Leaf indices of sparse flows; equal where a flow stays in its leaf.
        amount: Of each sparse flow.
        matrix: Dense amounts, shape (leaves, leaves), or None.
        nic_send, nic_receive: By row of `network.nics`.
        nvlink: Total inside NVLink domains (or inside servers without NVLink).
        unit: Total over the fabric between servers of one scalable unit.
        cross: Total over the fabric between units (and to servers without a unit).
        unplaced: Total that no NIC link could take.
    """

    src: IntArray
    dst: IntArray
    amount: FloatArray
    matrix: FloatArray | None
    nic_send: FloatArray
    nic_receive: FloatArray
    nvlink: float = 0.0
    unit: float = 0.0
    cross: float = 0.0
    unplaced: float = 0.0

    @property
    def fabric(self) -> float:
        """Return what enters the fabric at NICs."""
        return float(self.nic_send.sum())

    def scaled(self, factor: float) -> "Traffic":
        """Return the same pattern with all amounts times `factor`."""
        return Traffic(
            self.src,
            self.dst,
            self.amount * factor,
            None if self.matrix is None else self.matrix * factor,
            self.nic_send * factor,
            self.nic_receive * factor,
            self.nvlink * factor,
            self.unit * factor,
            self.cross * factor,
            self.unplaced * factor,
        )

    def plus(self, other: "Traffic") -> "Traffic":
        """Return both patterns at once."""
        dense = [m for m in (self.matrix, other.matrix) if m is not None]
        return Traffic(
            np.concatenate((self.src, other.src)),
            np.concatenate((self.dst, other.dst)),
            np.concatenate((self.amount, other.amount)),
            sum(dense[1:], dense[0]) if dense else None,
            self.nic_send + other.nic_send,
            self.nic_receive + other.nic_receive,
            self.nvlink + other.nvlink,
            self.unit + other.unit,
            self.cross + other.cross,
            self.unplaced + other.unplaced,
        )


def no_traffic(network: CompiledNetwork) -> Traffic:
    """Return a phase in which nothing is sent."""
    nothing, none = np.zeros(len(network.nics.server)), np.zeros(0, dtype=np.int32)
    return Traffic(none, none, np.zeros(0), None, nothing, nothing)


def leaf_matrix(traffic: Traffic, leaves: int) -> FloatArray:
    """Return all traffic between different leaves as one matrix, shape (leaves, leaves)."""
    code = traffic.src.astype(np.int64) * leaves + traffic.dst
    total = sum_by(code, traffic.amount, leaves * leaves).reshape(leaves, leaves)
    if traffic.matrix is not None:
        total += traffic.matrix
    np.fill_diagonal(total, 0.0)
    return total


def dense_part(traffic: Traffic) -> Traffic:
    """Return the traffic of the matrix alone; the same pattern when it has no sparse rows."""
    if len(traffic.src) == 0:
        return traffic
    return replace(traffic, src=traffic.src[:0], dst=traffic.dst[:0], amount=traffic.amount[:0])


# --- sparse patterns ---


def server_flows(
    network: CompiledNetwork,
    source: IntArray,
    target: IntArray,
    amount: FloatArray | float,
) -> Traffic:
    """Return flows between servers, split over their rails.

    Args:
        network: The network.
        source: Device index of each flow's sender.
        target: Device index of its receiver.
        amount: Of each flow. Between GPUs of one NVLink domain it stays off the fabric.
    """
    value = np.broadcast_to(np.asarray(amount, dtype=np.float64), source.shape)
    domain = network.domain
    same = (domain[source] == domain[target]) & (domain[source] >= 0)
    if not same.any():
        return _over_rails(network, source, target, value)
    out = _over_rails(network, source[~same], target[~same], value[~same])
    return replace(out, nvlink=float(value[same].sum()))


def _over_rails(
    network: CompiledNetwork, source: IntArray, target: IntArray, amount: FloatArray
) -> Traffic:
    nics = network.nics
    flow, a, b, weight = _pairs(network, source, target)
    moved = weight * amount[flow]
    placed = sum_by(flow, weight, len(source)) > 0
    unit = network.unit
    inside = (unit[source] == unit[target]) & (unit[source] >= 0)
    return Traffic(
        nics.leaf[a],
        nics.leaf[b],
        moved,
        None,
        sum_by(a, moved, len(nics.server)),
        sum_by(b, moved, len(nics.server)),
        unit=float(amount[inside & placed].sum()),
        cross=float(amount[~inside & placed].sum()),
        unplaced=float(amount[~placed].sum()),
    )


def _pairs(
    network: CompiledNetwork, source: IntArray, target: IntArray
) -> tuple[Rows, Rows, Rows, FloatArray]:
    """Return (flow, sending NIC link, receiving NIC link, share of the flow) rows."""
    by_server, start, lane, by_code, sorted_codes, only = _orders(network)
    width = int(lane.max(initial=0)) + 1
    flow, sender = _expand(start, by_server, source)
    wanted = target[flow].astype(np.int64) * width + lane[sender]
    if len(only):
        # no server has two NIC links on one rail and plane: each finds its peer in a table
        peer = only[wanted]
        if (peer >= 0).all() and (start[source + 1] > start[source]).all():
            return flow, sender, peer, 1.0 / np.bincount(flow, minlength=len(source))[flow]
    low = np.searchsorted(sorted_codes, wanted, "left")
    high = np.searchsorted(sorted_codes, wanted, "right")
    rails = sum_by(flow, high > low, len(source))
    # senders with a NIC on the same rail and plane at the other end carry the flow …
    row, step = _ranges(low, high)
    at = [(flow[row], sender[row], by_code[step], 1.0 / (high - low)[row] / rails[flow[row]])]
    # … and where no rail is shared, every NIC talks to every NIC
    lost = np.flatnonzero((rails == 0) & (np.diff(start)[source] > 0))
    f, s = _expand(start, by_server, source[lost])
    g, t = _expand(start, by_server, target[lost][f])
    f, s = f[g], s[g]
    shares = 1.0 / np.maximum(np.bincount(f, minlength=len(lost)), 1)
    at.append((lost[f], s, t, shares[f]))
    flow, a, b, weight = (np.concatenate(x) for x in zip(*at, strict=True))
    return flow, a, b, weight


def _orders(network: CompiledNetwork) -> tuple[Rows, ...]:
    """Return NIC links by server and where each starts, lanes, links by server and lane, codes.

    Last a table from codes to links, -1 for codes without one; empty where two links share one.
    """
    nics, count = network.nics, len(network.device_ids)
    if "server" not in nics.orders:
        by_server = np.argsort(nics.server, kind="stable")
        start = np.searchsorted(nics.server[by_server], np.arange(count + 1))
        lane = _lane(nics)
        code = nics.server.astype(np.int64) * (int(lane.max(initial=0)) + 1) + lane
        by_code = np.argsort(code, kind="stable")
        codes, only = code[by_code], np.zeros(0, dtype=np.int64)
        if (codes[1:] > codes[:-1]).all():
            only = np.full(count * (int(lane.max(initial=0)) + 1), -1, dtype=np.int64)
            only[codes] = by_code
        nics.orders["server"] = (by_server, start, lane, by_code, codes, only)
    return nics.orders["server"]


def _lane(nics: Attachments) -> Rows:
    """Return one number for rail and plane of each NIC link."""
    planes = int(nics.plane.max(initial=0)) + 1
    return nics.rail.astype(np.int64) * planes + nics.plane


def _ranges(low: Rows, high: Rows) -> tuple[Rows, Rows]:
    """Return, for half-open ranges, the range number and each value in it."""
    size = high - low
    row = np.repeat(np.arange(len(size)), size)
    return row, np.arange(len(row)) - np.repeat(np.cumsum(size) - size - low, size)


def _expand(start: Rows, values: Rows, keys: IntArray) -> tuple[Rows, Rows]:
    """Return, for each key, its row number and each of its values."""
    row, step = _ranges(start[keys], start[keys + 1])
    return row, values[step]


def rail_rings(network: CompiledNetwork, bytes_per_server: float) -> Traffic:
    """Return rings over all servers in rank order, each rail its own; the last sends to the first.

    Args:
        network: The network.
        bytes_per_server: What each server sends to the next one, all rails together.
    """
    return ring(network, network.servers, bytes_per_server)


def ring(network: CompiledNetwork, servers: IntArray, bytes_per_server: float) -> Traffic:
    """Return one ring over the given servers (device indices) in this order."""
    if len(servers) < 2:
        return no_traffic(network)
    return server_flows(network, servers, np.roll(servers, -1), bytes_per_server)


def permutation(network: CompiledNetwork, bytes_per_server: float, seed: int = 0) -> Traffic:
    """Return a random permutation without fixed points: each server sends to one other."""
    servers = network.servers
    if len(servers) < 2:
        return no_traffic(network)
    order = np.random.default_rng(seed).permutation(servers)
    return server_flows(network, order, np.roll(order, -1), bytes_per_server)


# --- all-to-all ---


def all_to_all(
    network: CompiledNetwork, bytes_per_gpu: float, *, rail_aligned: bool = True
) -> Traffic:
    """Return a uniform all-to-all over all GPUs.

    Args:
        network: The network.
        bytes_per_gpu: What each GPU sends to all others together, in equal parts.
        rail_aligned: True when data changes rails inside the server over NVLink first (PXN), so
            that the fabric only sees traffic between NICs of one rail; False when it leaves by
            the sender's NIC and arrives at the receiver's. Planes never mix.
    """
    gpus = np.maximum(network.gpus, 0).astype(np.float64)
    total = float(gpus[network.servers].sum())
    if total < 2:
        return no_traffic(network)
    pair = bytes_per_gpu / (total - 1)
    nics = network.nics
    links = np.bincount(nics.server, minlength=len(gpus))
    # GPUs a NIC link serves; servers without a NIC link are left out of the fabric's matrix
    share = gpus[nics.server] / links[nics.server]
    inside = _between(network, network.domain, gpus) - total
    unit = _between(network, network.unit, gpus) - _within_units(network, gpus)
    fabric = _outside(network, gpus, links > 0)
    lane = _lane(nics) if rail_aligned else nics.plane.astype(np.int64)
    matrix = _pairs_by_lane(network, share, lane)
    # servers with different numbers of rails: keep the pattern, make the total right
    matrix *= fabric / max(float(matrix.sum()), 1e-300)
    sent = share * pair * _others(network, gpus, links > 0)
    return Traffic(
        np.zeros(0, dtype=np.int32),
        np.zeros(0, dtype=np.int32),
        np.zeros(0),
        matrix * pair,
        sent,
        sent,
        nvlink=inside * pair,
        unit=unit * pair,
        cross=(total * total - total - inside - unit) * pair,
        unplaced=max(0.0, (total * total - inside - total - fabric) * pair),
    )


def _between(network: CompiledNetwork, group: IntArray, gpus: FloatArray) -> float:
    """Return ordered pairs of GPUs in one group, each GPU with itself included."""
    servers = network.servers
    label = group[servers]
    known = label >= 0
    return float((np.bincount(label[known], gpus[servers][known]) ** 2).sum())


def _within_units(network: CompiledNetwork, gpus: FloatArray) -> float:
    """Return ordered pairs of GPUs in one domain and one unit."""
    servers = network.servers
    unit, domain = network.unit[servers], network.domain[servers]
    known = unit >= 0
    code = unit[known].astype(np.int64) * (int(domain.max(initial=0)) + 1) + domain[known]
    inverse = np.unique(code, return_inverse=True)[1]
    return float((np.bincount(inverse, gpus[servers][known]) ** 2).sum())


def _others(
    network: CompiledNetwork, gpus: FloatArray, cabled: npt.NDArray[np.bool_]
) -> FloatArray:
    """Return, by NIC link, how many cabled GPUs are outside its server's domain."""
    held = np.where(cabled, gpus, 0.0)
    chosen = network.servers
    own = sum_by(network.domain[chosen], held[chosen], len(network.domain_gpus))
    return float(held[chosen].sum()) - own[network.domain[network.nics.server]]


def _outside(network: CompiledNetwork, gpus: FloatArray, cabled: npt.NDArray[np.bool_]) -> float:
    """Return ordered pairs of cabled GPUs in different domains."""
    held = np.where(cabled, gpus, 0.0)
    return float(held[network.servers].sum() ** 2) - _between(network, network.domain, held)


def _pairs_by_lane(network: CompiledNetwork, share: FloatArray, lane: Rows) -> FloatArray:
    """Return leaf x leaf pairs of GPUs when traffic stays on its lane, without pairs in a domain.

    A lane is a plane, or a rail of a plane. A pair of servers spreads its traffic equally over
    the lanes: what a NIC link gets is the GPUs it serves times those its peers of the same lane
    serve, times the number of lanes.
    """
    nics, leaves = network.nics, len(network.leaves)
    lane = np.unique(lane, return_inverse=True)[1].astype(np.int64)
    lanes = int(lane.max(initial=-1)) + 1
    matrix = np.zeros((leaves, leaves))
    weight = sum_by(lane * leaves + nics.leaf, share, lanes * leaves)
    pairs = np.unique(nics.server.astype(np.int64) * max(lanes, 1) + lane)
    times = float(np.bincount(pairs // max(lanes, 1)).max(initial=0))
    for row in weight.reshape(lanes, leaves):
        at = np.flatnonzero(row)
        matrix[np.ix_(at, at)] += np.outer(row[at], row[at]) * times
    domain = network.domain[nics.server].astype(np.int64) * max(lanes, 1) + lane
    return matrix - _own(domain, nics.leaf, share, leaves) * times


def _own(group: Rows, leaf: IntArray, share: FloatArray, leaves: int) -> FloatArray:
    """Return leaf x leaf pairs of GPUs in one group (domain, or domain and rail)."""
    code = group * max(leaves, 1) + leaf
    codes, inverse = np.unique(code, return_inverse=True)
    weight = sum_by(inverse, share, len(codes))
    groups, start = np.unique(codes // max(leaves, 1), return_index=True)
    stop = np.append(start[1:], len(codes))
    which = np.repeat(np.arange(len(groups)), stop - start)
    row, other = _ranges(start[which], stop[which])
    at = (codes % max(leaves, 1))[row] * leaves + (codes % max(leaves, 1))[other]
    return sum_by(at, weight[row] * weight[other], leaves * leaves).reshape(leaves, leaves)
