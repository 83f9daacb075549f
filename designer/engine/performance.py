"""Performance of one technology on a drawing: patterns on links, collectives, training step."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from designer.engine import patterns
from designer.engine.algorithms import fastest
from designer.engine.bom_rows import Bom
from designer.engine.bottleneck import Place, limited, pattern_of
from designer.engine.collectives import Collective, evaluate, uncabled_fault, unknown
from designer.engine.dimensions import Group
from designer.engine.fabrics import FabricName, FabricPerformance
from designer.engine.layout import Layout
from designer.engine.load_columns import Spread
from designer.engine.options import OPERATIONS, Operation, Options, Relay
from designer.engine.pool import Pool
from designer.engine.routing import Routed, never
from designer.engine.setting import Inside, Setting
from designer.engine.step import StepTime, training_step
from designer.engine.technology import all_switches
from designer.engine.traffic import Traffic
from designer.engine.wire import Drained, Factors, Wire, drain
from designer.messages import _
from designer.model.design import Design
from designer.units import Range

_UNHASHED = ("hierarchical", "collnet_direct", "collnet_chain")


@dataclass(frozen=True, slots=True)
class Machines:
    """What both technologies share.

    Attributes:
        design: The drawing.
        routed: The routed network.
        pool: The ranks of collectives.
        whole: All ranks, which the training step uses.
        inside, whole_inside: Bandwidth inside a node of each.
        values: Assumptions, typical values.
        patterns: Traffic of `ring`, `tree` and `spread` for one byte; empty for one node. With
            `spread_other`, an all-to-all that changes rails the other way.
        groups: Dimensions of the workload, not yet on links.
        layout: The workload over all GPUs; None without one that fits.
        peak: Dense BF16 FLOP/s of the slowest GPU; None when unknown.
        efficiency: Share of it while computing.
        step_fault: Why there is no step; empty when there is one.
        fault: Why there are no collectives; empty when there are.
        gpu_memory: Bytes of the smallest GPU; None when unknown.
        relay: True when an all-to-all changes rails over NVLink first.
    """

    design: Design
    routed: Routed
    pool: Pool
    whole: Pool
    inside: Inside
    whole_inside: Inside
    values: Mapping[str, float]
    patterns: Mapping[str, Traffic]
    groups: Mapping[str, Group]
    layout: Layout | None = None
    peak: float | None = None
    efficiency: float = 0.0
    step_fault: str = ""
    fault: str = ""
    gpu_memory: float | None = None
    relay: bool = True

    @property
    def ranks(self) -> int | None:
        """Return the GPUs that take part; None when some server does not say how many it has."""
        network = self.routed.network
        unknown_gpus = bool((network.gpus[network.servers] < 0).any())
        return None if unknown_gpus else self.pool.ranks


@dataclass(frozen=True, slots=True)
class Performance:
    """One technology on a drawing.

    Attributes:
        wire: Its routing and efficiency.
        setting: Inputs of the formulas of collectives; None when they have no basis.
        drained: Patterns on the drawn links, by name: `ring`, `tree`, `spread`.
        collectives: By operation.
        groups: Dimensions of the workload on the drawn links.
        step: The training step; None when `step_fault` says why.
        step_fault: Why there is no step.
        idle: Network idle share with the bounds of what this technology alone depends on.
    """

    wire: Wire
    setting: Setting | None
    drained: Mapping[str, Drained] = field(default_factory=dict)
    collectives: Mapping[Operation, Collective] = field(default_factory=dict)
    groups: Mapping[str, Group] = field(default_factory=dict)
    step: StepTime | None = None
    step_fault: str = ""
    idle: Range | None = None


def perform(
    machines: Machines,
    bom: Bom,
    wire: Wire,
    options: Options,
    cancelled: Callable[[], bool] = never,
    *,
    curves: bool = True,
) -> Performance:
    """Return how one technology performs.

    Args:
        machines: The drawing.
        bom: Its bill of materials in that technology, for what switches can do.
        wire: Routing, efficiency, latency.
        options: What was asked.
        cancelled: Asked between patterns.
        curves: False leaves the curves of the collectives out.

    Raises:
        CancelledError: `cancelled()` became true.
    """
    if machines.fault:
        known = unknown(options, machines.fault, machines.ranks)
        fault = machines.step_fault or machines.fault
        return Performance(wire, None, collectives=known, step_fault=fault)
    drained = {
        name: drain(machines.routed, traffic, wire, cancelled)
        for name, traffic in machines.patterns.items()
    }
    if drained:
        # nodes of equal size send what they pass around a ring
        drained.setdefault("send", drained["ring"])
    setting = _setting(machines, wire, drained, all_switches(bom, "sharp", wire.fabric))
    faults = _faults(machines.pool, drained)
    made = {name: evaluate(setting, name, options, faults, curves=curves) for name in OPERATIONS}
    made["all_to_all"] = _both_ways(machines, wire, drained, setting, made["all_to_all"])
    made = {name: _hashed(wire, drained, one) for name, one in made.items()}
    place = Place(machines.design, machines.routed, machines.inside, wire)
    named = {name: limited(place, drained, made[name]) for name in OPERATIONS}
    return Performance(wire, setting, drained, named, step_fault=machines.step_fault)


def relays(inside: Inside, asked: Relay) -> bool:
    """Tell whether an all-to-all changes rails inside the servers first: it takes NVLink."""
    return inside.kind == "nvlink" and asked != "off"


def patterns_of(pool: Pool, inside: Inside, asked: Relay = "auto") -> dict[str, Traffic]:
    """Return the traffic of each pattern for one byte; none for one node.

    Args:
        pool: The ranks.
        inside: How GPUs of a node talk.
        asked: `on` or `off` adds the other way of an all-to-all, where there are both.
    """
    if pool.nodes < 2:
        return {}
    relay = relays(inside, asked)
    found = {
        "ring": patterns.ring(pool),
        "tree": patterns.tree(pool),
        "spread": patterns.spread(pool, rail_aligned=relay),
    }
    if pool.size.min() != pool.size.max():
        found["send"] = patterns.send(pool)
    if asked != "auto" and inside.kind == "nvlink":
        found["spread_other"] = patterns.spread(pool, rail_aligned=not relay)
    return found


def _setting(
    machines: Machines, wire: Wire, drained: Mapping[str, Drained], sharp: bool
) -> Setting:
    pool = machines.pool
    nothing = Setting(
        pool.ranks, pool.nodes, int(pool.size.min()), machines.inside, values=machines.values
    )
    if not drained:
        return nothing
    return replace(
        nothing,
        ring_s=drained["ring"].seconds(wire.factors),
        send_s=drained["send"].seconds(wire.factors),
        tree_s=drained["tree"].seconds(wire.factors),
        spread_s=drained["spread"].seconds(wire.factors),
        nic_s=drained["ring"].nic_s / wire.factors.nic,
        path_s=_path(machines.values, wire, drained["tree"].hops),
        messages=_messages(pool, machines.relay),
        rail_aligned=machines.relay,
        sharp=sharp and wire.fabric == "infiniband",
    )


def _messages(pool: Pool, relay: bool) -> int:
    """Return how many messages the NIC of a GPU sends in an all-to-all."""
    return pool.nodes - 1 if relay else pool.ranks - int(pool.size.min())


def _both_ways(
    machines: Machines,
    wire: Wire,
    drained: Mapping[str, Drained],
    setting: Setting,
    made: Collective,
) -> Collective:
    """Return an all-to-all with its times with and without a relay, where both are computed."""
    if made.timing is None or "spread_other" not in drained:
        return made
    other = other_way(machines, wire, drained, setting)
    times = made.timing.time_s, fastest(other, "all_to_all", made.size_bytes).time_s
    return replace(made, relay=times if machines.relay else times[::-1])


def other_way(
    machines: Machines, wire: Wire, drained: Mapping[str, Drained], setting: Setting
) -> Setting:
    """Return the setting of the all-to-all that changes rails the other way."""
    return replace(
        setting,
        spread_s=drained["spread_other"].seconds(wire.factors),
        messages=_messages(machines.pool, not machines.relay),
        rail_aligned=not machines.relay,
    )


def _hashed(wire: Wire, drained: Mapping[str, Drained], made: Collective) -> Collective:
    """Return a collective with its times over the seeds of static hashing.

    The busiest link of the median seed decides `time_s`; other seeds make the network part of the
    same algorithm shorter or longer, in proportion.
    """
    timing = made.timing
    # stages that follow one another, and reduction in switches, have no such distribution
    if timing is None or timing.network_s <= 0 or timing.algorithm in _UNHASHED:
        return made
    found = drained[pattern_of(timing.algorithm)]
    spread, unit = found.loads.spread, found.seconds(wire.factors)
    if spread is None or unit <= 0:
        return made
    scale, nic = timing.network_s / unit, found.nic_s / wire.factors.nic

    def at(seconds: float) -> float:
        network = scale * max(nic, seconds / wire.factors.fabric)
        return timing.latency_s + max(timing.local_s, network)

    times = [at(s) for s in (spread.p50, spread.p95, spread.worst)]
    return replace(made, hashing=Spread(*times))


def _path(values: Mapping[str, float], wire: Wire, hops: float) -> float:
    """Return what the drawn paths take more than the reference path, seconds."""
    return wire.latency_s(hops) - values["reference_path_s"] if hops > 0 else 0.0


def _faults(pool: Pool, drained: Mapping[str, Drained]) -> dict[str, str]:
    fault = uncabled_fault(pool.uncabled)
    if fault:
        return {"all": fault}
    lost = _("Some servers cannot reach one another over the drawn cables.")
    found = {}
    if drained and drained["ring"].lost > 0:
        found["all"] = lost
    if drained and drained["spread"].lost > 0:
        found["all_to_all"] = lost
    return found


def null_reasons(shown: Performance, asked: Options) -> dict[str, str]:
    """Return why distributions of hashing and the other way of an all-to-all are null, by key."""
    found = {}
    for name, made in shown.collectives.items():
        if made.hashing is None:
            hashed = shown.wire.choice.kind == "hashed"
            found[f"collectives.{name}.hashing"] = (
                _("None of its traffic is hashed.")
                if hashed
                else _("Switches do not hash: {how}.").format(how=shown.wire.why)
            )
    made = shown.collectives["all_to_all"]
    if made.relay is None:
        found["collectives.all_to_all.relay"] = (
            _("Both ways are computed only when asked for.")
            if asked.relay == "auto"
            else _("Only servers with NVLink have both ways.")
        )
    return found


# --- step ---


def with_step(
    machines: Machines, done: Performance, cancelled: Callable[[], bool] = never
) -> Performance:
    """Return the same technology with its training step, where a workload fits the drawing.

    Args:
        machines: The drawing.
        done: What `perform` returned.
        cancelled: Asked between dimensions.

    Raises:
        CancelledError: `cancelled()` became true.
    """
    layout, peak, pool = machines.layout, machines.peak, machines.whole
    if layout is None or peak is None:
        return done
    groups = {
        name: group.on(machines.routed, done.wire, cancelled)
        for name, group in machines.groups.items()
    }
    if any(g.drained is not None and g.drained.lost > 0 for g in groups.values()):
        fault = _("Some servers cannot reach one another over the drawn cables.")
        return replace(done, groups=groups, step_fault=fault)
    hops = max((g.hops for g in groups.values()), default=0.0)
    setting = Setting(
        pool.ranks,
        pool.nodes,
        int(pool.size.min()),
        machines.whole_inside,
        values=machines.values,
        path_s=_path(machines.values, done.wire, hops),
    )

    def at(factors: Factors) -> StepTime:
        return training_step(layout, setting, groups, factors, peak, machines.efficiency)

    step = at(done.wire.factors)
    shares = [at(f).network_idle_share for f in (done.wire.best, done.wire.worst)]
    shares.append(step.network_idle_share)
    idle = Range(min(shares), step.network_idle_share, max(shares))
    return replace(done, groups=groups, step=step, idle=idle)


def both(
    done: Mapping[FabricName, Performance], hops: int | None
) -> dict[FabricName, FabricPerformance]:
    """Return what the comparison of money needs, by technology."""
    base = done["infiniband"].step if "infiniband" in done else None
    return {name: _summary(one, base, hops) for name, one in done.items()}


def _summary(one: Performance, base: StepTime | None, hops: int | None) -> FabricPerformance:
    made = one.collectives["all_reduce"]
    reasons: dict[str, str] = {}
    if made.time_s is None:
        reasons["all_reduce_time_s"] = made.reasons["time_s"]
    step = one.step
    if step is None:
        keys = ("step_time_s", "gpu_idle_share", "network_idle_share", "relative_throughput")
        reasons |= dict.fromkeys(keys, one.step_fault)
    return FabricPerformance(
        made.time_s,
        step.time_s if step is not None else None,
        step.gpu_idle_share if step is not None else None,
        one.idle,
        base.time_s / step.time_s if step is not None and base is not None else None,
        one.wire.tuning,
        hops,
        reasons,
    )
