"""How capacities, traffic shares and the hottest link were found."""

from collections.abc import Mapping

from designer.engine.bottleneck import cable_name
from designer.engine.capacity import Capacity, Oversubscription
from designer.engine.explain_dimensions import NAMES
from designer.engine.explain_terms import drawn, modelled
from designer.engine.performance import Machines, Performance
from designer.engine.results import Explanation, Step, Term
from designer.engine.usage import Usage, bytes_by_dimension
from designer.messages import N_, _
from designer.units import (
    format_bits_per_s,
    format_bytes,
    format_bytes_per_s,
    format_number,
    format_percent,
    format_ratio,
)

_TIERS = {
    "nvlink": N_("inside NVLink domains"),
    "scalable_unit": N_("inside scalable units"),
    "cross_unit": N_("between units"),
}


def explain_capacity(machines: Machines, found: Capacity) -> dict[str, Explanation]:
    """Return the explanations of the capacities that are known, by dotted key."""
    made = [
        _ratio(machines, name, found.oversubscription[tier])
        for tier, name in ((1, "leaf"), (2, "spine"))
        if tier in found.oversubscription
    ]
    if found.bisection is not None:
        made.append(_bisection(found))
    if found.nic_bits_per_s_per_gpu is not None:
        made.append(_nic(machines, found, found.nic_bits_per_s_per_gpu))
    if found.nvlink_bytes_per_s_per_gpu is not None:
        made.append(_nvlink(found.nvlink_bytes_per_s_per_gpu))
    if found.reach.diameter_hops is not None:
        made.append(_hops(machines, found, found.reach.diameter_hops))
    return {e.key: e for e in made}


def _name(machines: Machines, device: int) -> str:
    return machines.design.devices[machines.routed.network.device_ids[device]].name


def _ratio(machines: Machines, name: str, one: Oversubscription) -> Explanation:
    ids = (machines.routed.network.device_ids[one.switch],)
    down, up = format_bits_per_s(one.down), format_bits_per_s(one.up)
    return Explanation(
        f"capacity.oversubscription.{name}",
        _("Why {ratio}?").format(ratio=format_ratio(one.worst)),
        _("down ÷ up"),
        (
            drawn("", _("links down, of the worst switch"), one.down, "bit/s", ids),
            drawn("", _("links up, of the same switch"), one.up, "bit/s", ids),
            drawn("", _("mean over all switches of the tier"), one.mean),
        ),
        (Step(f"{down} ÷ {up}", one.worst, "1"),),
        bottleneck_ids=ids,
        bottleneck=_name(machines, one.switch),
    )


def _bisection(found: Capacity) -> Explanation:
    least = found.bisection
    assert least is not None
    terms = tuple(
        drawn("", _("split by {name}").format(name=b.name), b.bits_per_s, "bit/s")
        for b in found.bisections
    )
    note = _("{n} servers to {m}, maximum flow").format(n=least.first, m=least.second)
    return Explanation(
        "capacity.bisection_bits_per_s",
        _("Why a bisection of {rate}?").format(rate=format_bits_per_s(least.bits_per_s)),
        _("largest flow from one half of the servers to the other"),
        (
            *terms,
            drawn("", _("NICs of the smaller half"), least.nic_bits_per_s, "bit/s"),
        ),
        (Step(_("least of the splits"), least.bits_per_s, "bit/s", note),),
    )


def _nic(machines: Machines, found: Capacity, rate: float) -> Explanation:
    terms: list[Term] = []
    ids: tuple[str, ...] = ()
    if found.slowest_nics is not None:
        device, least = found.slowest_nics
        ids = (machines.routed.network.device_ids[device],)
        terms.append(
            drawn("", _("least: {name}").format(name=_name(machines, device)), least, "bit/s", ids)
        )
    return Explanation(
        "capacity.nic_bits_per_s_per_gpu",
        _("Why {rate} per GPU?").format(rate=format_bits_per_s(rate)),
        _("NIC links of a server ÷ its GPUs; median over servers"),
        tuple(terms),
        (Step(_("median"), rate, "bit/s"),),
        bottleneck_ids=ids,
    )


def _nvlink(rate: float) -> Explanation:
    return Explanation(
        "capacity.nvlink_bytes_per_s_per_gpu",
        _("Why {rate} per GPU and direction?").format(rate=format_bytes_per_s(rate)),
        _("NVLink of the part; for compute trays in proportion to the links that are cabled"),
        (Term("", _("one way; both directions are twice as much"), rate, "B/s", _("part type")),),
        (Step(_("median over servers"), rate, "B/s"),),
    )


def _hops(machines: Machines, found: Capacity, hops: int) -> Explanation:
    ids: tuple[str, ...] = ()
    network = machines.routed.network
    if found.reach.farthest is not None:
        ids = tuple(
            network.device_ids[int(network.switches[network.leaves[i]])]
            for i in found.reach.farthest
        )
    mean = found.reach.mean_hops
    return Explanation(
        "capacity.diameter_hops",
        _("Why {n} switches on the longest path?").format(n=format_number(hops, 0)),
        _("shortest paths between all leaves, by the routing of the drawing"),
        (drawn("", _("mean over pairs of different leaves"), mean),),
        (Step(_("longest"), float(hops), _("switches")),),
        bottleneck_ids=ids,
    )


# --- traffic ---


def explain_traffic(machines: Machines, done: Performance, usage: Usage) -> dict[str, Explanation]:
    """Return the explanations of the traffic split and the hottest link, by dotted key."""
    rows = bytes_by_dimension(done) or {}
    outer = done.step is not None and done.step.layout.workload.pp_outer
    order = "TP, CP, DP, PP" if outer else "TP, CP, PP, DP"
    made = [_share(rows, tier, order) for tier in _TIERS] if rows else []
    made += [_dimension(done, name, row) for name, row in rows.items() if sum(row.values())]
    hottest = _hottest(machines, done, usage)
    if hottest is not None:
        made.append(hottest)
    return {e.key: e for e in made}


def _share(rows: Mapping[str, Mapping[str, float]], tier: str, order: str) -> Explanation:
    here = {name: row[tier] for name, row in rows.items() if sum(row.values())}
    total = sum(sum(row.values()) for row in rows.values())
    mine = sum(here.values())
    share = mine / total if total else 0.0
    terms = [
        modelled(n.upper(), _(NAMES[n]), amount, "B", _("see {key}").format(key=_dimension_key(n)))
        for n, amount in here.items()
    ]
    terms.append(modelled("", _("all traffic of a step, over all GPUs"), total, "B"))
    text = f"{format_bytes(mine)} ÷ {format_bytes(total)}" if total else "0"
    return Explanation(
        f"traffic.share.{tier}",
        _("Why does {share} of the traffic stay {where}?").format(
            share=format_percent(share), where=_(_TIERS[tier])
        ),
        _("bytes each GPU sends to the next rank of its group, by where that rank sits"),
        tuple(terms),
        (Step(text, share, "%", _("ranks in the order {order}").format(order=order)),),
        parts=tuple((_(NAMES[n]), amount) for n, amount in here.items()),
    )


def _dimension_key(name: str) -> str:
    return f"traffic.by_dimension.{name}"


def _dimension(done: Performance, name: str, row: Mapping[str, float]) -> Explanation:
    assert done.step is not None
    part, layout = done.step.parts[name], done.step.layout
    total = sum(row.values())
    ranks = layout.gpus
    each = total / ranks
    terms = [
        modelled(
            "b",
            _("sent by one GPU in a step"),
            part.bytes,
            "B",
            _("see {key}").format(key=f"step.parts.{name}.exposed_s"),
        ),
        drawn("n", _("GPUs of the job"), float(ranks)),
        *(modelled("", _(_TIERS[tier]), amount, "B") for tier, amount in row.items()),
    ]
    steps = [Step(f"{format_number(ranks, 0)} × {format_bytes(each)}", total, "B")]
    if name == "pp":
        note = _("the ends of a pipeline send less than its middle")
        steps = [Step(f"{format_number(ranks, 0)} × {format_bytes(each)}", total, "B", note)]
    return Explanation(
        _dimension_key(name),
        _("{name}: why {bytes} a step?").format(name=_(NAMES[name]), bytes=format_bytes(total)),
        "Σ b",
        tuple(terms),
        tuple(steps),
        parts=tuple((_(_TIERS[tier]), amount) for tier, amount in row.items()),
    )


def _hottest(machines: Machines, done: Performance, usage: Usage) -> Explanation | None:
    if usage.basis == "none" or not (usage.share > 0).any():
        return None
    row = int(usage.share.argmax())
    network = machines.routed.network
    phase = usage.phases[int(usage.phase[row])]
    value, speed = float(usage.share[row]), float(network.cable_speed[row])
    ids = (network.cable_ids[row],)
    duration = _duration(done, phase)
    moved = value * speed / 8 * duration
    terms = (
        modelled("b", _("bytes on the busiest link of the cable, busier direction"), moved, "B"),
        drawn("r", _("line rate, one way"), speed, "bit/s", ids),
        modelled("t", _("duration of the phase"), duration, "s"),
    )
    name = _(NAMES[phase]) if phase in NAMES else _("All-reduce")
    text = f"{format_bytes(moved)} ÷ ({format_bytes_per_s(speed / 8)} × t)"
    return Explanation(
        "traffic.utilization.max",
        _("Why is a link busy for {share}?").format(share=format_percent(value)),
        "b ÷ (r t)",
        terms,
        (Step(text, value, "%", _("phase: {name}").format(name=name)),),
        bottleneck_ids=ids,
        bottleneck=cable_name(machines.design, machines.routed, row),
    )


def _duration(done: Performance, phase: str) -> float:
    if done.step is not None and phase in done.step.parts:
        return done.step.time_s if phase == "pp" else done.step.parts[phase].time_s
    return done.collectives["all_reduce"].time_s or 0.0
