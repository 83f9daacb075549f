"""The ranks of a job on the drawing: which GPU is where, in the order jobs number them.

Ranks follow the servers in rank order (unit, name), servers of one NVLink domain together. A
*node* is an NVLink domain, or a server without NVLink: what NCCL treats as one machine.
"""

from dataclasses import dataclass, replace

import numpy as np

from designer.engine.columns import sum_by
from designer.engine.network import BoolArray, CompiledNetwork, FloatArray, IntArray
from designer.engine.traffic import Traffic, server_flows
from designer.errors import ParameterError
from designer.messages import _
from designer.units import format_number


@dataclass(frozen=True, slots=True)
class Pool:
    """GPUs that take part.

    Attributes:
        network: The network with only these GPUs: `servers` and `gpus` are cut down to them.
        server: Device index by rank.
        node: Node by rank, from 0 in rank order.
        size: Ranks by node.
        members: Device indices of servers with a NIC link, by node; see `start`.
        start: First member of each node, length nodes + 1.
    """

    network: CompiledNetwork
    server: IntArray
    node: IntArray
    size: IntArray
    members: IntArray
    start: IntArray

    @property
    def ranks(self) -> int:
        """Return how many GPUs take part."""
        return len(self.server)

    @property
    def nodes(self) -> int:
        """Return how many NVLink domains, or servers without NVLink, they are in."""
        return len(self.size)

    @property
    def uncabled(self) -> BoolArray:
        """Tell by node whether none of its servers has a NIC link."""
        none: BoolArray = np.diff(self.start) == 0
        return none

    def servers_of(self, node: int) -> IntArray:
        """Return the device indices of the servers of one node."""
        return np.unique(self.server[self.node == node])


def ranked_servers(network: CompiledNetwork) -> IntArray:
    """Return the servers with GPUs in rank order, those of one NVLink domain together."""
    gpus = np.maximum(network.gpus, 0)
    return _grouped(network, network.servers[gpus[network.servers] > 0])


def pool_of(
    network: CompiledNetwork, ranks: int | None = None, servers: IntArray | None = None
) -> Pool:
    """Return the ranks of a network.

    Args:
        network: The compiled network.
        ranks: How many take part, from the first on; None for all.
        servers: Device indices in the order a job fills them; all in rank order when None.

    Raises:
        ParameterError: `ranks` is not between 1 and the GPUs there are.
    """
    gpus = np.maximum(network.gpus, 0)
    servers = ranked_servers(network) if servers is None else _grouped(network, servers)
    server = np.repeat(servers, gpus[servers]).astype(np.int32)
    if ranks is not None and not 1 <= ranks <= len(server):
        raise ParameterError(
            _("{ranks} ranks cannot be had from {gpus} GPUs.").format(
                ranks=format_number(ranks), gpus=format_number(len(server))
            )
        )
    server = server[:ranks]
    used, counts = np.unique(server, return_counts=True)
    left = np.zeros_like(network.gpus)
    left[used] = counts
    order = servers[gpus[servers] > 0][: len(used)]
    domain, first, inverse = np.unique(
        network.domain[order], return_index=True, return_inverse=True
    )
    place = np.empty(len(domain), dtype=np.int32)
    place[np.argsort(first, kind="stable")] = np.arange(len(domain), dtype=np.int32)
    node_of = np.full(len(network.device_ids), -1, dtype=np.int32)
    node_of[order] = place[inverse]
    node = node_of[server]
    links = np.bincount(network.nics.server, minlength=len(network.device_ids))
    members = order[links[order] > 0]
    members = members[np.argsort(node_of[members], kind="stable")]
    start = np.searchsorted(node_of[members], np.arange(len(domain) + 1)).astype(np.int32)
    size = np.bincount(node, minlength=len(domain)).astype(np.int32)
    return Pool(replace(network, servers=order, gpus=left), server, node, size, members, start)


def _grouped(network: CompiledNetwork, servers: IntArray) -> IntArray:
    """Return the servers with those of one NVLink domain together, at the place of its first."""
    label = network.domain[servers]
    _found, first, inverse = np.unique(label, return_index=True, return_inverse=True)
    return servers[np.argsort(first[inverse], kind="stable")]


def node_flows(pool: Pool, source: IntArray, target: IntArray, amount: FloatArray) -> Traffic:
    """Return flows between nodes, spread over the NICs of all their servers.

    Args:
        pool: The ranks.
        source: Node that sends, by flow.
        target: Another node, by flow.
        amount: Bytes of each flow. What a node without NICs would send or get is `unplaced`.
    """
    width = np.diff(pool.start)
    cabled = (width[source] > 0) & (width[target] > 0)
    lost = float(amount[~cabled].sum())
    source, target, amount = source[cabled], target[cabled], amount[cabled]
    wide = np.maximum(width[source], width[target]).astype(np.int64)
    flow = np.repeat(np.arange(len(source)), wide)
    step = np.arange(len(flow)) - np.repeat(np.cumsum(wide) - wide, wide)
    ends = [
        pool.members[pool.start[node[flow]] + step % width[node[flow]]] for node in (source, target)
    ]
    traffic = server_flows(pool.network, ends[0], ends[1], (amount / wide)[flow])
    return replace(traffic, unplaced=traffic.unplaced + lost)


def between_nodes(pool: Pool, source: IntArray, target: IntArray, amount: FloatArray) -> Traffic:
    """Return flows between ranks: inside a node over NVLink, else over the NICs of both nodes.

    Args:
        pool: The ranks.
        source: Rank that sends, by flow.
        target: Rank that receives.
        amount: Bytes of each flow.
    """
    a, b = pool.node[source], pool.node[target]
    away = a != b
    codes, inverse = np.unique(a[away].astype(np.int64) * pool.nodes + b[away], return_inverse=True)
    total = sum_by(inverse, amount[away], len(codes))
    nodes = max(pool.nodes, 1)
    flows = node_flows(
        pool, (codes // nodes).astype(np.int32), (codes % nodes).astype(np.int32), total
    )
    return replace(flows, nvlink=flows.nvlink + float(amount[~away].sum()))
