"""How busy each cable is at its peak, and where the bytes of a step go.

Utilisation of a link in a phase is its bytes over line rate times the duration of the phase; of
all phases the largest counts. The phases of a step are its dimensions: TP, CP, EP and DP last as
long as their communication, pipeline traffic is spread over the whole step. Without a step the
one phase is the all-reduce.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from designer.engine.dimensions import DIMENSIONS
from designer.engine.network import NVLINK, OTHER, CompiledNetwork, FloatArray
from designer.engine.performance import Machines, Performance
from designer.engine.wire import Drained
from designer.messages import _

_TREES = ("tree", "nvls_tree")
# Locality in the results, and the attribute of `Traffic` it is read from.
TIERS = {"nvlink": "nvlink", "scalable_unit": "unit", "cross_unit": "cross"}
_OF_STEP = ("bytes_per_step", "share", "by_dimension", "dimension_share")


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase: amounts are `scale` times the unit pattern, over `duration_s`."""

    name: str
    drained: Drained | None
    scale: float
    duration_s: float
    nvlink_bytes: float = 0.0


@dataclass(frozen=True, slots=True)
class Usage:
    """Peak utilisation by cable record, with the phase it happens in.

    Attributes:
        share: By cable record; 0 where nothing goes.
        phase: Index into `phases` by cable record; -1 where nothing goes.
        phases: Names of the phases.
        basis: `step`, `all_reduce` or `none`.
    """

    share: FloatArray
    phase: "np.ndarray[tuple[int], np.dtype[np.int8]]"
    phases: tuple[str, ...]
    basis: str


def usage_of(machines: Machines, done: Performance) -> Usage:
    """Return the peak utilisation of every cable."""
    network = machines.routed.network
    phases = list(_step_phases(machines, done)) or list(_collective_phase(machines, done))
    share = np.zeros(len(network.cable_ids))
    at = np.full(len(network.cable_ids), -1, dtype=np.int8)
    for index, phase in enumerate(phases):
        busy = _busy(machines, phase)
        at[busy > share] = index
        share = np.maximum(share, busy)
    basis = "step" if done.step is not None else "all_reduce"
    return Usage(share, at, tuple(p.name for p in phases), basis if phases else "none")


def _step_phases(machines: Machines, done: Performance) -> Iterator[Phase]:
    step = done.step
    if step is None:
        return
    ranks = max(machines.whole.ranks, 1)
    for name, part in step.parts.items():
        group = done.groups[name]
        scale = unit_scale(name, part.bytes)
        duration = step.time_s if name == "pp" else part.time_s
        inside = group.traffic.nvlink * scale / ranks
        yield Phase(name, group.drained, scale, duration, inside)


def unit_scale(name: str, moved: float) -> float:
    """Return how many unit patterns the bytes of one GPU are: the pipeline's sends both ways."""
    return moved / 2 if name == "pp" else moved


def _collective_phase(machines: Machines, done: Performance) -> Iterator[Phase]:
    made = done.collectives.get("all_reduce")
    if made is None or made.timing is None or not done.drained or not made.ranks:
        return
    timing, size, n = made.timing, made.size_bytes, made.ranks
    is_tree = timing.algorithm in _TREES
    scale = float(size) if is_tree else 2 * (n - 1) / n * size
    drained = done.drained["tree" if is_tree else "ring"]
    yield Phase("all_reduce", drained, scale, timing.time_s, 2 * (n - 1) / n * size)


def _busy(machines: Machines, phase: Phase) -> FloatArray:
    network: CompiledNetwork = machines.routed.network
    busy = np.zeros(len(network.cable_ids))
    if phase.duration_s <= 0:
        return busy
    if phase.drained is not None:
        loads = phase.drained.loads
        most = np.maximum(loads.forward, loads.backward) * (8 * phase.scale / phase.duration_s)
        busy = np.where(network.cable_speed > 0, most / np.maximum(network.cable_speed, 1.0), 0.0)
    line = machines.whole_inside.line
    if line > 0 and phase.nvlink_bytes > 0:
        busy[network.cable_kind == NVLINK] = phase.nvlink_bytes / phase.duration_s / line
    return busy


def by_cable(machines: Machines, usage: Usage) -> dict[str, float]:
    """Return the utilisation of the cables that compute traffic can use, by id."""
    if usage.basis == "none":
        return {}
    network = machines.routed.network
    rows = np.flatnonzero((network.cable_kind != OTHER) & (network.cable_speed > 0))
    ids = network.cable_ids
    chosen = ids if len(rows) == len(ids) else [ids[i] for i in rows.tolist()]
    return dict(zip(chosen, usage.share[rows].tolist(), strict=True))


def traffic_values(
    machines: Machines, done: Performance, usage: Usage
) -> tuple[dict[str, Any] | None, dict[str, str]]:
    """Return the object `traffic` of the results and why values in it are null."""
    dimensions = bytes_by_dimension(done)
    tiers = _sums(dimensions) if dimensions is not None else None
    spread, hottest = _links(machines, usage)
    reasons: dict[str, str] = {}
    if tiers is None:
        reasons = dict.fromkeys((f"traffic.{key}" for key in _OF_STEP), done.step_fault)
    if hottest is None:
        why = done.collectives["all_reduce"].reasons.get("time_s") or done.step_fault
        why = why or _("Nothing is sent over the cables: all traffic stays inside one server.")
        reasons |= dict.fromkeys(("traffic.hottest_link", "traffic.utilization"), why)
    total = sum(tiers.values()) if tiers is not None else 0.0
    values = {
        "bytes_per_step": tiers,
        "share": {k: v / total for k, v in tiers.items()} if tiers is not None and total else None,
        "by_dimension": dimensions,
        "dimension_share": _dimension_share(dimensions),
        "hottest_link": hottest,
        "utilization": spread,
        "basis": usage.basis,
    }
    if tiers is not None and not total:
        values["share"] = dict.fromkeys(tiers, 0.0)
    return values, reasons


def bytes_by_dimension(done: Performance) -> dict[str, dict[str, float]] | None:
    """Return the bytes of a step that all GPUs send, by dimension and locality; None without one.

    Dimensions of one rank send nothing. What a node without NICs would send is left out.
    """
    if done.step is None:
        return None
    out = {name: dict.fromkeys(TIERS, 0.0) for name in DIMENSIONS}
    for name, part in done.step.parts.items():
        traffic, scale = done.groups[name].traffic, unit_scale(name, part.bytes)
        for tier, attribute in TIERS.items():
            out[name][tier] = float(getattr(traffic, attribute)) * scale
    return out


def _sums(dimensions: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    return {tier: sum(row[tier] for row in dimensions.values()) for tier in TIERS}


def _dimension_share(
    dimensions: Mapping[str, Mapping[str, float]] | None,
) -> dict[str, float] | None:
    """Return the share of all bytes that each dimension sends; zeros where nothing is sent."""
    if dimensions is None:
        return None
    sums = {name: sum(row.values()) for name, row in dimensions.items()}
    total = sum(sums.values())
    return {name: value / total if total else 0.0 for name, value in sums.items()}


def _links(
    machines: Machines, usage: Usage
) -> tuple[dict[str, float] | None, dict[str, Any] | None]:
    network = machines.routed.network
    used = np.flatnonzero(usage.share > 0)
    if len(used) == 0:
        return None, None
    links = np.repeat(usage.share[used], np.maximum(network.cable_count[used], 1))
    p50, p95 = (float(x) for x in np.percentile(links, [50, 95]))
    row = int(usage.share.argmax())
    ends = (int(network.cable_a[row]), int(network.cable_b[row]))
    hottest = {
        "id": network.cable_ids[row],
        "a": network.device_ids[ends[0]],
        "b": network.device_ids[ends[1]],
        "utilization": float(usage.share[row]),
        "phase": usage.phases[int(usage.phase[row])],
    }
    return {"p50": p50, "p95": p95, "max": float(usage.share[row])}, hottest
