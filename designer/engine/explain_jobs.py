"""How the times of jobs that run at the same time were found."""

import numpy as np

from designer.engine.explain_collectives import TITLES
from designer.engine.explain_terms import drawn, modelled
from designer.engine.jobs import Interference, Running, capacities, servers_of
from designer.engine.performance import cable_name
from designer.engine.results import Explanation, Step, Term
from designer.messages import N_, _
from designer.units import format_bytes_per_s, format_number, format_significant, format_time

_ALONE = N_("t(alone): the operation by itself on the job's servers, latency + data")
_TOGETHER = N_(
    "t(together) = u ÷ y;  y max-min fair:  "
    "Σ_j w_jl y_j ≤ c_l on every link l,  y_j ≤ u_j ÷ t_j(alone)"
)
_ENDS = N_("all start at once and run once; y is found again as soon as one has ended")


def explain_jobs(found: Interference | None) -> dict[str, Explanation]:
    """Return the explanations of `interference`, its jobs counted from 0 as in the results."""
    if found is None:
        return {}
    out: dict[str, Explanation] = {}
    for number, one in enumerate(found.jobs):
        if one.made.time_s is None or one.together_s is None or one.made.timing is None:
            continue
        start = f"interference.jobs.{number}"
        for key, made in _of_job(found, number, one).items():
            out[f"{start}.{key}"] = made
    if "interference.jobs.0.slow_down" in out:
        out["interference.slow_down"] = out["interference.jobs.0.slow_down"]
    return out


def _of_job(found: Interference, number: int, one: Running) -> dict[str, Explanation]:
    start = f"interference.jobs.{number}"
    alone, together = one.made.time_s or 0.0, one.together_s or 0.0
    name = _("Job {n}, {operation}").format(
        n=format_number(number + 1), operation=_(TITLES[one.made.operation])
    )
    network = one.machines.routed.network
    ids = (network.cable_ids[one.cable],) if one.cable >= 0 else ()
    slowest = cable_name(one.machines.design, one.machines.routed, one.cable) if ids else ""
    terms, steps = _own(one), (Step(_("latency + data"), alone, "s"),)
    shared = _shared(found, one)
    ratio = f"{format_significant(together, 4)} ÷ {format_significant(alone, 4)}"
    rate = one.nic_bytes / together if together else 0.0
    beside: tuple[Step, ...] = steps
    if one.nic_bytes > 0:
        text = _("{bytes} B ÷ {rate}").format(
            bytes=format_significant(one.nic_bytes, 4), rate=format_bytes_per_s(rate)
        )
        beside = (Step(text, together, "s", slowest),)
    told = {
        "alone_s": (_("why so long alone?"), _(_ALONE), terms, steps),
        "together_s": (_("why so long together?"), _(_TOGETHER), terms + shared, beside),
        "slow_down": (
            _("how much do the others slow it down?"),
            _("t(together) ÷ t(alone)"),
            terms + shared,
            (*beside, Step(ratio, together / alone if alone else 1.0, "1")),
        ),
        "ends_s": (
            _("when does it end?"),
            _(_ENDS),
            terms + shared,
            (Step(_("all started at once"), one.ends_s or 0.0, "s"),),
        ),
    }
    return {
        key: Explanation(
            f"{start}.{key}",
            f"{name}: {title}",
            formula,
            tuple(parts),
            made,
            (),
            (),
            ids if key != "alone_s" else one.made.bottleneck_ids,
            slowest if key != "alone_s" else one.made.bottleneck or "",
        )
        for key, (title, formula, parts, made) in told.items()
    }


def _own(one: Running) -> list[Term]:
    timing = one.made.timing
    servers = () if one.reason else tuple(servers_of(one.machines.pool))
    found = [
        drawn("n", _("GPUs of the job"), float(one.made.ranks or 0)),
        drawn("", _("its servers"), float(len(servers)), ids=servers),
        Term("S", _("message, each GPU"), float(one.made.size_bytes), "B", _("chosen")),
    ]
    if timing is not None:
        found += [
            modelled("", _("latency of the steps"), timing.latency_s, "s"),
            modelled("", _("data inside the node"), timing.local_s, "s"),
            modelled("", _("data over the network"), timing.network_s, "s"),
        ]
    return found


def _shared(found: Interference, one: Running) -> list[Term]:
    """Return the rates of the job, and what crosses the link that slows it down."""
    out = [
        modelled("u", _("bytes of its busiest NIC in one operation"), one.nic_bytes, "B"),
        modelled("t(alone)", _("time alone"), one.made.time_s, "s"),
        drawn("", _("links that several jobs use"), float(len(found.shared))),
    ]
    if one.cable < 0 or not one.together_s:
        return out
    network = one.machines.routed.network
    capacity = capacities(network, found.factors)[one.cable]
    ids = (network.cable_ids[one.cable],)
    out.append(drawn("c_l", _("capacity of the fullest link, one way"), capacity, "B/s", ids))
    way = int(np.argmax(one.load[:, one.cable]))
    for k, job in enumerate(found.jobs, start=1):
        crossing = float(job.load[way, one.cable])
        if crossing > 0 and job.together_s:
            text = _("job {n} on it: {share} of what its NIC sends").format(
                n=format_number(k), share=format_significant(crossing / job.nic_bytes)
            )
            rate = crossing / job.together_s
            note = _("{bytes} B in {time}").format(
                bytes=format_significant(crossing, 4), time=format_time(job.together_s)
            )
            out.append(Term(f"w_{k} y_{k}", text, rate, "B/s", note))
    return out
