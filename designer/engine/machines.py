"""From a drawing to what the formulas need: ranks, bandwidths inside a node, the job's layout."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from designer.engine.check_rules import finding
from designer.engine.dimensions import groups_of
from designer.engine.fit import Misfit
from designer.engine.layout import Layout, lay_out, misfits
from designer.engine.memory import memory_fault
from designer.engine.network import CompiledNetwork, IntArray
from designer.engine.options import Options, Relay
from designer.engine.performance import Machines, patterns_of, relays
from designer.engine.placing import placed_servers
from designer.engine.pool import Pool, pool_of
from designer.engine.recall import recall, share
from designer.engine.routing import Routed
from designer.engine.setting import Inside, inside_of
from designer.engine.traffic import Traffic
from designer.messages import _
from designer.model.design import Design
from designer.model.findings import Finding
from designer.model.workload import Workload
from designer.units import format_number

_EFFICIENCY = {
    "ampere": "gpu_efficiency_ampere",
    "hopper": "gpu_efficiency_hopper",
    "blackwell": "gpu_efficiency_blackwell",
}


def machines_of(
    design: Design, routed: Routed, options: Options, values: Mapping[str, float]
) -> tuple[Machines, tuple[Finding, ...]]:
    """Return what both technologies share, and findings about the job.

    Args:
        design: The drawing.
        routed: Its routed network.
        options: Ranks and workload.
        values: Assumptions, typical values.
    """
    whole = every = recall(routed, "pool", routed.network, lambda: pool_of(routed.network))
    fault = _unknown(routed, whole)
    pool, lacking = (whole, "") if fault else _asked(routed, whole, options)
    if options.placing is not None and not lacking:
        whole = pool
    whole_inside = inside_of(design, whole, values)
    inside = whole_inside if pool is whole else inside_of(design, pool, values)
    peak, efficiency = _compute(design, whole, values)
    workload = options.workload or design.workload
    gpu_memory = gpu_memory_of(design, _types(design, whole))
    placed = options.placing is not None
    layout, step_fault, findings = _job(
        workload, whole.ranks, gpu_memory, fault or (lacking if placed else "")
    )
    if not step_fault:
        unknown_peak = _("The BF16 peak of the GPUs is unknown.") if peak is None else ""
        step_fault = unknown_peak or whole_inside.reason
    fault = fault or lacking or inside.reason
    machines = Machines(
        design,
        routed,
        pool,
        whole,
        inside,
        whole_inside,
        values,
        {} if fault else _patterns(routed, pool, inside, options.relay, pool is every),
        groups_of(layout, whole) if layout is not None and not step_fault else {},
        None if step_fault else layout,
        peak,
        efficiency,
        step_fault,
        fault,
        gpu_memory,
        relays(inside, options.relay),
    )
    return machines, findings


def _patterns(
    routed: Routed, pool: Pool, inside: Inside, relay: Relay, every: bool
) -> dict[str, Traffic]:
    """Return the patterns of a pool; those of all servers are shared by later analyses."""
    if not every:
        return patterns_of(pool, inside, relay)
    name = f"patterns {inside.kind} {relay}"
    return share(routed, name, lambda: patterns_of(pool, inside, relay))


def _unknown(routed: Routed, whole: Pool) -> str:
    network = routed.network
    if bool((network.gpus[network.servers] < 0).any()):
        return _("The GPUs of a server are unknown.")
    return "" if whole.ranks else _("The drawing has no GPUs.")


def _asked(routed: Routed, whole: Pool, options: Options) -> tuple[Pool, str]:
    """Return the ranks that were asked for, or why they cannot be had."""
    if options.placing is None:
        if options.ranks is None:
            return whole, ""
        servers = whole.network.servers
    else:
        servers = placed_servers(routed.network, options.placing)
    return pool_on(routed.network, servers, options.ranks, whole)


def pool_on(
    network: CompiledNetwork, servers: IntArray, ranks: int | None, otherwise: Pool
) -> tuple[Pool, str]:
    """Return the ranks on some servers, or `otherwise` and why they cannot be had.

    Args:
        network: The network.
        servers: Device indices, in the order the job fills them.
        ranks: How many GPUs; None for all of these servers.
        otherwise: What stands in for ranks that cannot be had.
    """
    gpus = int(np.maximum(network.gpus[servers], 0).sum())
    if gpus == 0:
        return otherwise, _("No server is left for the job.")
    if ranks is not None and not 1 <= ranks <= gpus:
        text = _("{ranks} ranks cannot be had from {gpus} GPUs.")
        return otherwise, text.format(ranks=format_number(ranks or 0), gpus=format_number(gpus))
    return pool_of(network, ranks, servers), ""


def for_job(machines: Machines, pool: Pool, fault: str, asked: Relay = "auto") -> Machines:
    """Return the same drawing for another job: other ranks, no training step.

    Args:
        machines: The drawing.
        pool: The ranks of the job.
        fault: Why there are none; empty when there are.
        asked: Whether its all-to-all changes rails over NVLink first.
    """
    inside = inside_of(machines.design, pool, machines.values)
    fault = fault or _unknown(machines.routed, pool) or inside.reason
    return replace(
        machines,
        pool=pool,
        inside=inside,
        patterns={} if fault else patterns_of(pool, inside, asked),
        relay=relays(inside, asked),
        groups={},
        layout=None,
        fault=fault,
    )


def _job(
    workload: Workload | None, gpus: int, gpu_memory: float | None, fault: str
) -> tuple[Layout | None, str, tuple[Finding, ...]]:
    """Return the layout, why there is none, and the findings that say so."""
    if fault:
        return None, fault, ()
    if workload is None:
        return None, _("The drawing has no workload."), ()
    found = lay_out(workload, gpus)
    if isinstance(found, Misfit):
        told = [finding("workload-layout", (), m.message, m.hint) for m in misfits(workload, gpus)]
        return None, f"{found.message} {found.hint}", tuple(told)
    fault_of_memory = memory_fault(found, gpu_memory)
    told = [fault_of_memory] if fault_of_memory is not None else []
    return found, "", tuple(told)


def gpu_memory_of(design: Design, slugs: Iterable[str]) -> float | None:
    """Return the memory of the smallest GPU of some servers, bytes; None when one is unknown."""
    found: list[float] = []
    for slug in slugs:
        part = design.types.get(slug)
        gpu = part.gpu if part is not None else None
        if gpu is None or gpu.memory_bytes is None:
            return None
        found.append(gpu.memory_bytes)
    return min(found, default=None)


def _types(design: Design, pool: Pool) -> set[str]:
    return {design.devices[pool.network.device_ids[i]].type for i in np.unique(pool.server)}


def _compute(design: Design, pool: Pool, values: Mapping[str, float]) -> tuple[float | None, float]:
    """Return the peak of the GPU that computes slowest, and the share of it that is reached."""
    found: list[tuple[float, float]] = []
    for slug in _types(design, pool):
        part = design.types.get(slug)
        gpu = part.gpu if part is not None else None
        if gpu is None or gpu.bf16_flops is None:
            return None, 0.0
        key = _EFFICIENCY.get(gpu.architecture, "gpu_efficiency_hopper")
        found.append((gpu.bf16_flops, values[key]))
    return min(found, key=lambda x: x[0] * x[1]) if found else (None, 0.0)
