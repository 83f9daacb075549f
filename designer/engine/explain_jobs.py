"""How the ranks of a job, and what jobs at the same time cost one another, were found."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from designer.engine.explain_collectives import explain_collective
from designer.engine.explain_terms import drawn, modelled
from designer.engine.jobs import Interference, Running, capacities
from designer.engine.results import Explanation, Step, Term
from designer.messages import _
from designer.units import format_number, format_significant, format_time

_FAIR = "Σ_j w_jl y_j ≤ c_l;  y_j ≤ u_j ÷ t_j;  y max-min"


def explain_job(values: Mapping[str, Any] | None) -> dict[str, Explanation]:
    """Return how many GPUs a job got, by dotted key; nothing without one."""
    if values is None or values["ranks"] is None:
        return {}
    ranks, servers = float(values["ranks"]), float(len(values["servers"]))
    step = Step(_("GPUs of these servers that take part"), ranks, "1")
    note = _("servers are filled in their order; the last one may stay half empty")
    one = Explanation(
        "job.ranks",
        _("Why {n} GPUs?").format(n=format_number(ranks)),
        _("least of what was asked for and Σ GPUs of the servers"),
        (drawn("", _("servers of the job"), servers),),
        (replace(step, note=note),),
    )
    return {one.key: one}


def explain_interference(found: Interference | None) -> dict[str, Explanation]:
    """Return how the times of jobs beside one another were made, by dotted key."""
    if found is None:
        return {}
    made = [_links(found)]
    for k in range(len(found.jobs)):
        made += _times(found, k)
    out = {e.key: e for e in made}
    first = out.get("interference.jobs.0.slow_down")
    if first is not None:
        out["interference.slow_down"] = replace(first, key="interference.slow_down")
    return out


def _links(found: Interference) -> Explanation:
    network = found.jobs[0].machines.routed.network
    links = found.values()["shared_links"]
    ids = tuple(network.cable_ids[k] for k in found.shared)
    return Explanation(
        "interference.shared_links",
        _("Why {n} shared links?").format(n=format_number(links)),
        _("links on which more than one job sends in the same direction"),
        (drawn("", _("cables with such links"), float(len(ids)), ids=ids[:1]),),
        (Step(_("links of these cables"), float(links), "1"),),
        bottleneck_ids=ids[:1],
    )


def _times(found: Interference, k: int) -> Iterator[Explanation]:
    one, key = found.jobs[k], f"interference.jobs.{k}"
    alone, together = one.made.time_s, one.together_s
    if alone is None or together is None or one.ends_s is None or one.slow_down is None:
        return
    timing, setting = one.made.timing, one.done.setting
    if timing is not None and setting is not None and timing.algorithm != "none":
        plain = explain_collective(one.machines, one.done, setting, one.made, timing)
        yield replace(plain, key=f"{key}.alone_s")
    terms = tuple(_terms(found, one, alone))
    again = _("at each end: rates again for the jobs that are left")
    rate = one.nic_bytes / together if together else 0.0
    step = Step("u ÷ y", together, "s")
    base = Explanation(
        f"{key}.together_s",
        _("Job {n}: why {time} beside the others?").format(n=k + 1, time=format_time(together)),
        f"t = u ÷ y;  {_FAIR}",
        (*terms, modelled("y", _("what its busiest NIC link gets"), rate, "B/s")),
        (replace(step, note=_("while the others repeat their operations")),),
        bottleneck_ids=_ids(one),
        bottleneck=_what(found, k),
    )
    yield base
    ratio = f"{format_time(together)} ÷ {format_time(alone)}"
    yield replace(
        base,
        key=f"{key}.slow_down",
        title=_("Job {n}: why {ratio} times as long?").format(
            n=k + 1, ratio=format_significant(one.slow_down)
        ),
        formula="t ÷ t_j",
        terms=(*base.terms, modelled("t", _("beside the others"), together, "s")),
        steps=(Step(ratio, one.slow_down, "1"),),
    )
    yield replace(
        base,
        key=f"{key}.ends_s",
        title=_("Job {n}: why does it end after {time}?").format(
            n=k + 1, time=format_time(one.ends_s)
        ),
        formula=f"{again};  {_FAIR}",
        terms=(*terms, *_others(found, k)),
        steps=(Step("∫ y dt = u", one.ends_s, "s", _("all start at once and run once")),),
    )


def _others(found: Interference, k: int) -> Iterator[Term]:
    for n, other in enumerate(found.jobs):
        if n != k:
            name = _("job {n} ends").format(n=n + 1)
            yield modelled("", name, other.ends_s, "s")


def _terms(found: Interference, one: Running, alone: float) -> Iterator[Term]:
    yield modelled("u", _("bytes of its busiest NIC link in one operation"), one.nic_bytes, "B")
    yield modelled("t_j", _("alone"), alone, "s")
    if one.cable < 0:
        return
    network = one.machines.routed.network
    rate = float(capacities(network, found.factors)[one.cable])
    way = int(one.load[:, one.cable].argmax())
    yield drawn("c_l", _("its fullest link, one way"), rate, "B/s", _ids(one))
    for n, other in enumerate(found.jobs):
        load = float(other.load[way, one.cable])
        if load > 0 and other.nic_bytes > 0:
            name = _("share of what NICs of job {n} send that this link carries").format(n=n + 1)
            yield modelled("w", name, load / other.nic_bytes, "1")


def _ids(one: Running) -> tuple[str, ...]:
    return (one.machines.routed.network.cable_ids[one.cable],) if one.cable >= 0 else ()


def _what(found: Interference, k: int) -> str:
    return str(found.values()["jobs"][k]["bottleneck"])
