"""Jobs that run at the same time, and what they cost one another.

Each job repeats its operation. What a NIC of job j sends in one operation, u_j bytes, crosses link
l with the fraction w_jl = bytes of j on l ÷ u_j. The rate of its NICs, y_j, is max-min fair: on a
link that is full every job's NICs get the same, weighted by w_jl, and nobody gets more than it
takes when it is alone.

    Σ_j w_jl y_j ≤ c_l for all links l;   y_j ≤ u_j ÷ t_j(alone);   t_j(together) = u_j ÷ y_j

When both start at once and run once, the rates are solved again as soon as one has ended.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from designer.engine.bom_rows import Bom
from designer.engine.bottleneck import cable_name, pattern_of
from designer.engine.collectives import Collective
from designer.engine.completion import completion_times
from designer.engine.machines import for_job, pool_on
from designer.engine.network import SERVER_LEAF, SWITCH_SWITCH, CompiledNetwork, FloatArray
from designer.engine.options import Job, Options, Relay
from designer.engine.performance import Machines, Performance, perform
from designer.engine.placing import Placing, placed_servers
from designer.engine.pool import Pool
from designer.engine.rates import max_min_rates
from designer.engine.routing import never
from designer.engine.wire import Factors
from designer.messages import _

# A link counts as full from this share of its capacity on.
_FULL = 1 - 1e-9


@dataclass(frozen=True, slots=True)
class Running:
    """One job among others.

    Attributes:
        job: What was asked for.
        machines: The drawing with its ranks.
        made: Its operation when it is alone.
        done: How its machines perform.
        load: Bytes of one operation by cable record, from end a to end b and back; shape
            (2, records).
        nic_bytes: What its busiest NIC link sends or receives in one operation, u.
        together_s: Time of the operation while the others repeat theirs; None when unknown.
        ends_s: When it ends if all start at once and run once.
        cable: Row of the cable record that slows it down; -1 when nothing does.
    """

    job: Job
    machines: Machines
    made: Collective
    done: Performance
    load: FloatArray
    nic_bytes: float
    together_s: float | None = None
    ends_s: float | None = None
    cable: int = -1

    @property
    def slow_down(self) -> float | None:
        """Return the time beside the others over the time alone; 1 for what takes no time."""
        alone = self.made.time_s
        if alone == 0:
            return 1.0
        return self.together_s / alone if alone and self.together_s is not None else None

    @property
    def reason(self) -> str:
        """Return why there are no times; empty when there are."""
        return self.made.reasons.get("time_s", "")


@dataclass(frozen=True, slots=True)
class Interference:
    """All jobs, the first one asked for first, and the links that more than one of them uses."""

    jobs: tuple[Running, ...]
    shared: tuple[int, ...] = ()
    reason: str = ""
    factors: Factors = field(default_factory=lambda: Factors(1.0, 1.0))

    def values(self) -> dict[str, Any]:
        """Return the object `interference` of the results."""
        first = self.jobs[0]
        network = first.machines.routed.network
        links = int(network.cable_count[list(self.shared)].sum()) if self.shared else 0
        return {
            "slow_down": first.slow_down,
            "shared_links": links,
            "shared_ids": [network.cable_ids[k] for k in self.shared[:_LISTED]],
            "jobs": [_job_values(one) for one in self.jobs],
        }


# Ids of shared cables that results list; the count is of all.
_LISTED = 1000


def _job_values(one: Running) -> dict[str, Any]:
    made, network = one.made, one.machines.routed.network
    timing = made.timing
    return {
        "placement": one.job.placing.values(),
        "servers": [] if one.reason else servers_of(one.machines.pool),
        "ranks": made.ranks,
        "operation": made.operation,
        "algorithm": timing.algorithm if timing is not None else None,
        "size_bytes": made.size_bytes,
        "alone_s": made.time_s,
        "together_s": one.together_s,
        "slow_down": one.slow_down,
        "ends_s": one.ends_s,
        "bottleneck": _bottleneck(one),
        "bottleneck_ids": [network.cable_ids[one.cable]] if one.cable >= 0 else [],
        "reason": one.reason,
    }


def _bottleneck(one: Running) -> str:
    if one.cable < 0:
        return ""
    return cable_name(one.machines.design, one.machines.routed, one.cable)


def servers_of(pool: Pool) -> list[str]:
    """Return the ids of the servers of some ranks, in the order they are filled."""
    ids = pool.network.device_ids
    return [ids[k] for k in dict.fromkeys(pool.server.tolist())]


def job_values(machines: Machines, options: Options) -> dict[str, Any] | None:
    """Return the object `job` of the results; None when the operations run over all GPUs."""
    if options.placing is None and options.ranks is None and not options.others:
        return None
    pool, design = machines.pool, machines.design
    servers = [] if machines.fault else servers_of(pool)
    names: dict[str, int] = {}
    for id_ in servers:
        unit = pool.network.unit[pool.network.device_index[id_]]
        name = pool.network.unit_names[unit] if unit >= 0 else ""
        names[name] = names.get(name, 0) + 1
    return {
        "placement": (options.placing or Placing()).values(),
        "ranks": None if machines.fault else pool.ranks,
        "servers": servers,
        "names": [design.devices[i].name for i in servers],
        "servers_by_unit": names,
        "step_on_job": options.placing is not None,
    }


def job_reasons(found: "Interference | None", options: Options, fault: str) -> dict[str, str]:
    """Return why values of `job` and `interference` are null, by dotted key."""
    reasons: dict[str, str] = {}
    if options.placing is None and options.ranks is None and not options.others:
        reasons["job"] = _("The operations run over all GPUs.")
    elif fault:
        reasons["job.ranks"] = fault
    if found is None:
        reasons["interference"] = _("No other job runs at the same time.")
    elif found.jobs[0].slow_down is None:
        reasons["interference.slow_down"] = found.jobs[0].reason
    return reasons


def interfere(
    machines: Machines,
    shown: Performance,
    bom: Bom,
    options: Options,
    cancelled: Callable[[], bool] = never,
) -> Interference | None:
    """Return what jobs that run at the same time cost one another; None when there is only one.

    Args:
        machines: The drawing with the ranks of the first job.
        shown: How it performs.
        bom: Bill of materials in the technology shown.
        options: The first job, and the others.
        cancelled: Asked between jobs.

    Raises:
        CancelledError: `cancelled()` became true.
    """
    if not options.others:
        return None
    first = Job(
        options.placing or Placing(),
        options.ranks,
        options.collective,
        options.size_bytes,
        options.algorithm,
    )
    found = [_running(first, machines, shown)]
    taken = set() if machines.fault else set(machines.pool.server.tolist())
    for job in options.others:
        found.append(_other(job, machines, shown, bom, taken, options.relay, cancelled))
        if not found[-1].reason:
            taken |= set(found[-1].machines.pool.server.tolist())
    return _shared(found, shown.wire.factors)


def _other(
    job: Job,
    machines: Machines,
    shown: Performance,
    bom: Bom,
    taken: set[int],
    relay: Relay,
    cancelled: Callable[[], bool],
) -> Running:
    network = machines.routed.network
    servers = placed_servers(network, job.placing, taken)
    pool, fault = pool_on(network, servers, job.ranks, machines.pool)
    if fault and taken and len(servers) == 0:
        fault = _("The jobs before it have all servers: give them fewer ranks or a placement.")
    own = for_job(machines, pool, fault, relay)
    asked = Options(collective=job.operation, size_bytes=job.size_bytes, algorithm=job.algorithm)
    return _running(job, own, perform(own, bom, shown.wire, asked, cancelled, curves=False))


def _running(job: Job, machines: Machines, done: Performance) -> Running:
    """Return a job with what one of its operations puts on the links."""
    made = done.collectives[job.operation]
    network = machines.routed.network
    nothing = np.zeros((2, len(network.cable_ids)))
    timing = made.timing
    if timing is None or timing.network_s <= 0:
        return Running(job, machines, made, done, nothing, 0.0)
    factors = done.wire.factors
    drained = done.drained[pattern_of(timing.algorithm)]
    inside = timing.algorithm.startswith("collnet")
    # reduced in the switches, only the NIC links carry what the pattern says
    unit_s = drained.nic_s / factors.nic if inside else drained.seconds(factors)
    scale = timing.network_s / unit_s
    loads = drained.loads
    load = np.stack((loads.forward, loads.backward)) * scale
    if inside:
        load[:, network.cable_kind != SERVER_LEAF] = 0.0
    most = max(float(loads.nic_send.max()), float(loads.nic_receive.max()))
    return Running(job, machines, made, done, load, most * scale)


def capacities(network: CompiledNetwork, factors: Factors) -> FloatArray:
    """Return bytes a second of one link of each cable record, one way, at what links reach."""
    share = np.zeros(len(network.cable_ids))
    share[network.cable_kind == SERVER_LEAF] = factors.nic
    share[network.cable_kind == SWITCH_SWITCH] = factors.fabric
    rate: FloatArray = network.cable_speed * share / 8
    return rate


def _shared(jobs: Sequence[Running], factors: Factors) -> Interference:
    """Return all jobs with their times beside one another."""
    network = jobs[0].machines.routed.network
    capacity = capacities(network, factors)
    moving = [k for k, one in enumerate(jobs) if one.nic_bytes > 0 and one.made.time_s]
    use = np.array([jobs[k].load.ravel() / jobs[k].nic_bytes for k in moving])
    use = use.reshape(len(moving), 2 * len(capacity))
    alone = np.array([jobs[k].nic_bytes / (jobs[k].made.time_s or 1.0) for k in moving])
    job, link = np.nonzero(use)
    # what a job takes when it is alone is a link of its own
    own = np.arange(len(moving))
    rows = np.concatenate((job, own)), np.concatenate((link, use.shape[1] + own))
    limit = np.concatenate((capacity, capacity, alone))
    weight = np.concatenate((use[job, link], np.ones(len(moving))))
    rates = max_min_rates(*rows, limit, len(moving), weight)
    sizes = np.array([jobs[k].nic_bytes for k in moving])
    ends = completion_times(*rows, limit, sizes, weight)
    busy = (use * rates[:, None]).sum(axis=0) / np.maximum(np.tile(capacity, 2), 1e-300)
    out = []
    for k, one in enumerate(jobs):
        if k not in moving:
            out.append(_beside(one, one.made.time_s, one.made.time_s, -1))
            continue
        at = moving.index(k)
        slow = rates[at] < alone[at] * _FULL
        full = np.where(use[at] > 0, busy, 0.0)
        cable = int(full.argmax()) % len(capacity) if slow and full.max() >= 1 - 1e-6 else -1
        time = float(sizes[at] / rates[at]) if slow else one.made.time_s
        out.append(_beside(one, time, float(ends[at]), cable))
    times = (use > 0).sum(axis=0).reshape(2, -1).max(axis=0) if moving else np.zeros(0)
    return Interference(tuple(out), tuple(np.flatnonzero(times > 1).tolist()), factors=factors)


def _beside(one: Running, together: float | None, ends: float | None, cable: int) -> Running:
    return replace(one, together_s=together, ends_s=ends, cable=cable)
