"""How an algorithm was chosen, and what the same operation takes in other ways or by chance."""

from collections.abc import Iterator
from dataclasses import replace

from designer.engine.algorithms import Timing, fastest, offered
from designer.engine.bottleneck import Place, limited, pattern_of
from designer.engine.collectives import Collective
from designer.engine.explain_collectives import TITLES, explain_collective
from designer.engine.explain_terms import drawn, modelled
from designer.engine.nccl_rule import nccl_candidates
from designer.engine.performance import Machines, Performance, other_way
from designer.engine.results import Explanation, Step, Term
from designer.engine.setting import Setting
from designer.messages import _
from designer.units import format_binary_size, format_time

_RULE = "NVIDIA/nccl, src/graph/tuning.cc, 2.30"


def explain_choices(machines: Machines, done: Performance) -> dict[str, Explanation]:
    """Return how algorithms were chosen, other algorithms, relays and hashing, by dotted key."""
    return {
        e.key: e
        for made in done.collectives.values()
        if made.timing is not None and done.setting is not None and made.timing.algorithm != "none"
        for e in _of(machines, done, done.setting, made, made.timing)
    }


def _of(
    machines: Machines, done: Performance, setting: Setting, made: Collective, timing: Timing
) -> Iterator[Explanation]:
    key = f"collectives.{made.operation}"
    yield _chosen(made, timing, setting)
    if made.nccl_choice:
        yield _rule(made, setting)
    for name, other in made.others.items():
        yield replace(
            _timed(machines, done, setting, made, other), key=f"{key}.alternatives.{name}"
        )
    if made.hashing is not None:
        yield from _hashing(machines, done, made, timing)
    if made.relay is not None:
        yield from _relay(machines, done, setting, made, timing)


def _timed(
    machines: Machines, done: Performance, setting: Setting, made: Collective, timing: Timing
) -> Explanation:
    """Return the explanation of an operation by another timing than the chosen one."""
    place = Place(machines.design, machines.routed, machines.inside, done.wire)
    one = limited(place, done.drained, replace(made, timing=timing, curve=()))
    return explain_collective(machines, done, setting, one, timing)


def _chosen(made: Collective, timing: Timing, setting: Setting) -> Explanation:
    formula = {
        "time": _("the least time of what NCCL offers by itself"),
        "nccl": _("what NCCL's published rule takes; its time by the formulas of the model"),
        "request": _("what was asked for"),
    }[made.chosen_by]
    terms = tuple(
        Term(
            "t",
            name if offered(setting, name) else _("{name}, on request only").format(name=name),
            other.time_s,
            "s",
            _("see {key}").format(key=f"collectives.{made.operation}.alternatives.{name}"),
        )
        for name, other in sorted(made.others.items(), key=lambda x: x[1].time_s)
    )
    return Explanation(
        f"collectives.{made.operation}.chosen_by",
        _("{operation}, {size}: why {algorithm}?").format(
            operation=_(TITLES[made.operation]),
            size=format_binary_size(made.size_bytes),
            algorithm=timing.algorithm,
        ),
        formula,
        terms,
        (Step(timing.algorithm, timing.time_s, "s", timing.protocol),),
        (_RULE,) if made.chosen_by == "nccl" else (),
    )


def _rule(made: Collective, setting: Setting) -> Explanation:
    found = nccl_candidates(setting, made.operation, made.size_bytes)
    terms = (
        Term("S", _("message, each GPU"), float(made.size_bytes), "B", _("chosen")),
        drawn("n", _("GPUs that take part"), float(setting.ranks)),
        drawn("m", _("NVLink domains, or servers"), float(setting.nodes)),
        *(modelled("t", c.text, c.estimate_us / 1e6, "s", _RULE) for c in found),
    )
    note = _("an estimate to choose by: the model's own time differs")
    return Explanation(
        f"collectives.{made.operation}.nccl_choice",
        _("{operation}, {size}: why does NCCL's rule take {choice}?").format(
            operation=_(TITLES[made.operation]),
            size=format_binary_size(made.size_bytes),
            choice=made.nccl_choice,
        ),
        _("least of t = α + S ÷ B, over algorithms and protocols, by the tables of NCCL"),
        terms,
        (
            Step(
                _("least: {choice}").format(choice=made.nccl_choice),
                terms[3].value or 0.0,
                "s",
                note,
            ),
        ),
        (_RULE,),
    )


def _hashing(
    machines: Machines, done: Performance, made: Collective, timing: Timing
) -> Iterator[Explanation]:
    found, drained = made.hashing, done.drained[pattern_of(timing.algorithm)]
    spread = drained.loads.spread
    assert found is not None
    assert spread is not None
    factors, choice = done.wire.factors, done.wire.choice
    scale = timing.network_s / drained.seconds(factors)
    nic = drained.nic_s / factors.nic * scale
    rows = (
        ("p50", _("median"), found.p50, spread.p50),
        ("p95", _("95th percentile"), found.p95, spread.p95),
        ("worst", _("worst"), found.worst, spread.worst),
    )
    for name, word, total, seconds in rows:
        links = scale * seconds / factors.fabric
        terms = (
            modelled("α", _("steps"), timing.latency_s, "s"),
            modelled("t_in", _("data inside the node"), timing.local_s, "s"),
            drawn("t_nic", _("busiest NIC link"), nic, "s"),
            drawn("t_sw", _("busiest link between switches, this seed"), links, "s"),
            modelled("", _("hash functions tried"), float(choice.seeds), "1"),
            modelled("q", _("queue pairs of a connection"), float(choice.queue_pairs), "1"),
        )
        network = max(nic, links)
        yield Explanation(
            f"collectives.{made.operation}.hashing.{name}_s",
            _("{operation}, static hashing, {which} of the seeds: why {time}?").format(
                operation=_(TITLES[made.operation]), which=word, time=format_time(total)
            ),
            "t = α + max(t_in, t_nic, t_sw)",
            terms,
            (
                Step("max(t_nic, t_sw)", network, "s", _("over the network")),
                Step(
                    f"{format_time(timing.latency_s)} + "
                    f"{format_time(max(timing.local_s, network))}",
                    total,
                    "s",
                ),
            ),
        )


def _relay(
    machines: Machines, done: Performance, setting: Setting, made: Collective, timing: Timing
) -> Iterator[Explanation]:
    other = other_way(machines, done.wire, done.drained, setting)
    drained = {**done.drained, "spread": done.drained["spread_other"]}
    timed = fastest(other, "all_to_all", made.size_bytes)
    ways = [
        (machines.relay, explain_collective(machines, done, setting, made, timing)),
        (
            not machines.relay,
            _timed(machines, replace(done, drained=drained), other, made, timed),
        ),
    ]
    for relayed, one in ways:
        name = "with" if relayed else "without"
        way = _("with relay over NVLink") if relayed else _("without relay")
        yield replace(
            one, key=f"collectives.all_to_all.relay.{name}_s", title=f"{one.title} ({way})"
        )
