"""All-reduce on the drawn network: ring, hierarchical and NVLS, with their latency terms.

S bytes a rank, n ranks, m servers, g GPUs a server, B_nv the NVLink bandwidth a ring reaches per
GPU and direction. T(V) is the time in which every server has sent V bytes to the next one, all
rails together, over the links as drawn: the busiest decides, NIC links and shared uplinks alike.

    V             2(n-1)/n S
    ring          t = a0 + [2(n-1) - 2(m-1)] a_nv + 2(m-1) a_net + max(V/B_nv, T(V))
    hierarchical  stages (g-1)/g S/B_nv, T(2(m-1)/m S) + 2(m-1) a_net, (g-1)/g S/B_nv;
                  t = a0 + sum/k + (k-1)/k max
    NVLS          t = a_nvls + S (1 + 1/n) / (eta B_nv), one NVLink domain only
    bus bandwidth 2(n-1)/n S/t  (nccl-tests, doc/PERFORMANCE.md)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from designer.engine.loads import phase_time
from designer.engine.network import CompiledNetwork
from designer.engine.routing import Routed
from designer.engine.traffic import rail_rings
from designer.messages import _
from designer.model.assumptions import assumption
from designer.model.design import Design

SIZE = 1 << 30
CURVE = tuple(8 << k for k in range(32))  # 8 B to 16 GiB


@dataclass(frozen=True, slots=True)
class Machine:
    """What the formulas need of a drawing.

    Attributes:
        nvlink: B_nv, bytes/s; None without NVLink.
        nvls: eta B_nv, bytes/s; None where the GPUs have no NVLS.
        seconds_per_byte: T(V) / V, NIC efficiency included; 0 with one server.
        bottleneck: Cable id of the link that decides T; empty with one server.
    """

    ranks: int
    servers: int
    per_server: int
    nvlink: float | None
    nvls: float | None
    seconds_per_byte: float
    bottleneck: str


def all_reduce(
    design: Design, routed: Routed, size: int = SIZE
) -> tuple[dict[str, Any] | None, dict[str, str]]:
    """Return the object `collectives.all_reduce` and why it, or a value in it, is null.

    Args:
        design: For its assumptions and GPU types.
        routed: Routes of the compiled network.
        size: Message of each rank, bytes.
    """
    key = "collectives.all_reduce"
    machine, reason = _machine(design, routed)
    if machine is None:
        return None, {key: reason}
    times = _times(design, machine, size)
    if not times:
        return None, {key: _("The GPUs of a server have no NVLink; PCIe is not modelled yet.")}
    name = min(times, key=lambda k: times[k])
    seconds, n = times[name], machine.ranks
    factor = 2 * (n - 1) / n
    curve = []
    for one in CURVE:
        found = _times(design, machine, one)
        best = min(found, key=lambda k: found[k])
        curve.append(
            {
                "size_bytes": one,
                "algorithm": best,
                "time_s": found[best],
                "bus_bandwidth_bytes_per_s": factor * one / found[best],
            }
        )
    value = {
        "algorithm": name,
        "ranks": n,
        "size_bytes": size,
        "time_s": seconds,
        "algorithm_bandwidth_bytes_per_s": size / seconds,
        "bus_bandwidth_bytes_per_s": factor * size / seconds,
        "bottleneck": machine.bottleneck or None,
        "algorithms": times,
        "curve": curve,
    }
    return value, {} if machine.bottleneck else {
        f"{key}.bottleneck": _("No link of the network is used.")
    }


def _machine(design: Design, routed: Routed) -> tuple[Machine | None, str]:
    network = routed.network
    servers = network.servers
    if (network.gpus < 0).any():
        return None, _("The GPUs of a server are unknown.")
    gpus = network.gpus[servers]
    n = int(gpus.sum())
    if n < 2:
        return None, _("One rank has no bus bandwidth.") if n else _("The drawing has no GPUs.")
    if len(set(gpus.tolist())) > 1:
        return None, _("Servers of different numbers of GPUs are not modelled yet.")
    domains = len(set(network.domain[servers].tolist()))
    shared = domains < len(servers)
    if shared and domains > 1:
        return None, _("Several rack-scale NVLink domains are not modelled yet.")
    m = 1 if shared else len(servers)
    nvlink, nvls = _nvlink(design, network, shared)
    per_byte, cable = 0.0, ""
    if m > 1:
        drain = phase_time(routed, rail_rings(network, float(SIZE)))
        if drain.cable < 0 or not np.isfinite(drain.seconds) or not _all_meet(routed):
            return None, _("Not every server reaches every other over the network.")
        efficiency = assumption(design, "nic_efficiency").value.typical
        per_byte, cable = drain.seconds / SIZE / efficiency, network.cable_ids[drain.cable]
    return Machine(n, m, n // m, nvlink, nvls, per_byte, cable), ""


def _all_meet(routed: Routed) -> bool:
    from designer.engine.routing import reach

    return reach(routed).unreachable_pairs == 0


def _nvlink(
    design: Design, network: CompiledNetwork, rack: bool
) -> tuple[float | None, float | None]:
    """Return B_nv and eta B_nv of the slowest server, bytes/s; None where there is none."""
    slowest: float | None = None
    reduced: float | None = None
    for row in network.servers:
        device = design.devices[network.device_ids[row]]
        part = design.types.get(device.type)
        family = part.gpu.architecture if part and part.gpu else ""
        line = float(network.nvlink_bytes_per_s[row])
        if not np.isfinite(line) or family not in ("ampere", "hopper", "blackwell"):
            return None, None
        one = line * assumption(design, f"nvlink_share_{family}").value.typical
        if slowest is None or one < slowest:
            slowest = one
            key = "nvls_share_rack" if rack else f"nvls_share_{family}"
            reduced = None if family == "ampere" else line * assumption(design, key).value.typical
    return slowest, reduced


def _times(design: Design, machine: Machine, size: int) -> dict[str, float]:
    """Return the time of each algorithm that the machine can run, seconds."""
    if machine.nvlink is None:
        return {}

    def value(key: str) -> float:
        return assumption(design, key).value.typical

    n, m, g = machine.ranks, machine.servers, machine.per_server
    base, near, far = (
        value(k) for k in ("base_ring_simple_s", "nvlink_ring_simple_s", "network_ring_simple_s")
    )
    moved = 2 * (n - 1) / n * size
    found = {
        "ring": base
        + (2 * (n - 1) - 2 * (m - 1)) * near
        + 2 * (m - 1) * far
        + max(moved / machine.nvlink, moved * machine.seconds_per_byte)
    }
    if m > 1 and g > 1:
        inside = (g - 1) / g * size / machine.nvlink
        across = 2 * (m - 1) / m * size * machine.seconds_per_byte + 2 * (m - 1) * far
        k = value("pipeline_chunks")
        stages = (inside, across, inside)
        found["hierarchical"] = base + sum(stages) / k + (k - 1) / k * max(stages)
    if m == 1 and machine.nvls is not None:
        found["nvls"] = value("nvls_start_s") + size * (1 + 1 / n) / machine.nvls
    return found
