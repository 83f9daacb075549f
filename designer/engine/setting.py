"""What the formulas of collectives need to know of the machines and of the network.

A `Setting` is plain numbers: ranks, nodes, bandwidths, and seconds a byte for each pattern on the
drawn links. It can be made from a drawing (`setting_of`) or by hand, as the tests against
published measurements do.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from designer.catalog.types import PartType
from designer.engine.pool import Pool
from designer.messages import _
from designer.model.design import Design

# Reduction in the NVSwitch needs NVLink 4 or later.
_NVLS = {"hopper": "nvls_share_hopper", "blackwell": "nvls_share_blackwell"}
_RING = {
    "ampere": "nvlink_share_ampere",
    "hopper": "nvlink_share_hopper",
    "blackwell": "nvlink_share_blackwell",
}
PROTOCOLS = ("simple", "ll128", "ll")


@dataclass(frozen=True, slots=True)
class Inside:
    """How GPUs of one node talk.

    Attributes:
        kind: `nvlink`, `pcie`, or `none` with one GPU a node.
        line: Line rate per GPU and direction of the slowest node, bytes/s.
        ring: What rings reach of it, bytes/s; inf with one GPU a node.
        nvls: What reductions in the NVSwitch reach, bytes/s; None where it has none.
        ring_key, nvls_key: Assumptions of both shares; empty where none is used.
        device: Device index of the slowest server; -1 when none decides.
        reason: Why `ring` is unknown (0); empty when known.
    """

    kind: str
    line: float
    ring: float
    nvls: float | None
    ring_key: str = ""
    nvls_key: str = ""
    device: int = -1
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """Inputs of all formulas.

    Attributes:
        ranks: n, GPUs.
        nodes: m, NVLink domains or servers without NVLink.
        per_node: g, GPUs a node (of the smallest).
        inside: Bandwidth inside a node.
        ring_s: Network seconds for each byte a node sends around the ring: 1 / Σ B_nic.
        send_s: As `ring_s` where each node sends for as many GPUs as it has, for each byte of the
            smallest node.
        tree_s: Network seconds for each byte of an all-reduce over the double tree.
        spread_s: Network seconds for each byte a GPU sends to all others.
        nic_s: As `ring_s`, without the links between switches.
        values: Assumptions, typical values.
        path_s: What a network step takes more than on the reference path, seconds.
        messages: Messages a GPU's NIC sends in an all-to-all.
        rail_aligned: True when data changes rails over NVLink first (PXN).
        sharp: True when every switch on the way can reduce.
        protocols: Those of NCCL that are tried.
    """

    ranks: int
    nodes: int
    per_node: int
    inside: Inside
    ring_s: float = 0.0
    send_s: float = 0.0
    tree_s: float = 0.0
    spread_s: float = 0.0
    nic_s: float = 0.0
    values: Mapping[str, float] = field(default_factory=dict)
    path_s: float = 0.0
    messages: int = 0
    rail_aligned: bool = True
    sharp: bool = False
    protocols: tuple[str, ...] = PROTOCOLS

    @property
    def usable_protocols(self) -> tuple[str, ...]:
        """Return the protocols that this machine can use."""
        # LL128 needs stores of 128 bytes to arrive whole, which PCIe does not promise
        if self.inside.kind == "pcie":
            return tuple(p for p in self.protocols if p != "ll128")
        return self.protocols

    def base(self, shape: str, protocol: str) -> float:
        """Return the start of a `ring` or `tree`, seconds."""
        return self.values[f"base_{shape}_{protocol}_s"]

    def local_step(self, shape: str, protocol: str) -> float:
        """Return one step inside a node, seconds."""
        medium = "pcie" if self.inside.kind == "pcie" else "nvlink"
        return self.values[f"{medium}_{shape}_{protocol}_s"]

    def network_step(self, name: str) -> float:
        """Return one step over the network, seconds; `name` as in `network_<name>_s`."""
        return max(0.0, self.values[f"network_{name}_s"] + self.path_s)

    def share(self, protocol: str) -> float:
        """Return what a protocol leaves of the bandwidth."""
        return 1.0 if protocol == "simple" else self.values[f"{protocol}_share"]


def inside_of(design: Design, pool: Pool, values: Mapping[str, float]) -> Inside:
    """Return how the GPUs of a node talk; the slowest server decides.

    Args:
        design: The drawing, for the server types.
        pool: The ranks.
        values: Assumptions, typical values.
    """
    if pool.ranks <= pool.nodes:
        return Inside("none", 0.0, float("inf"), None)
    found = [_of_server(design, pool, int(device), values) for device in _one_of_each(design, pool)]
    slowest = min(found, key=lambda x: x.ring)
    if any(x.nvls is None for x in found):
        return Inside(
            slowest.kind,
            slowest.line,
            slowest.ring,
            None,
            slowest.ring_key,
            "",
            slowest.device,
            slowest.reason,
        )
    return slowest


def _one_of_each(design: Design, pool: Pool) -> list[int]:
    """Return one server of each type and NVLink rate."""
    network = pool.network
    servers = np.sort(network.servers)
    rate = network.nvlink_bytes_per_s[servers]
    known = np.where(np.isfinite(rate), rate, -1.0).tolist()
    seen: dict[tuple[str, float], int] = {}
    for device, one in zip(servers.tolist(), known, strict=True):
        seen.setdefault((design.devices[network.device_ids[device]].type, one), device)
    return list(seen.values())


def _of_server(design: Design, pool: Pool, device: int, values: Mapping[str, float]) -> Inside:
    part: PartType | None = design.types.get(design.devices[pool.network.device_ids[device]].type)
    gpu = part.gpu if part is not None else None
    line = float(pool.network.nvlink_bytes_per_s[device])
    if np.isfinite(line) and gpu is not None:
        ring_key = _RING.get(gpu.architecture, "nvlink_share_hopper")
        nvls_key = _NVLS.get(gpu.architecture, "")
        if nvls_key and not gpu.internal_nvswitch:
            nvls_key = "nvls_share_rack"
        nvls = line * values[nvls_key] if nvls_key else None
        return Inside("nvlink", line, line * values[ring_key], nvls, ring_key, nvls_key, device)
    if gpu is not None and gpu.pcie_bytes_per_s is not None:
        rate = gpu.pcie_bytes_per_s
        ring = rate * values["pcie_share"]
        return Inside("pcie", rate, ring, None, "pcie_share", "", device)
    reason = _("The bandwidth between the GPUs of a server is unknown.")
    return Inside("pcie", 0.0, 0.0, None, device=device, reason=reason)
