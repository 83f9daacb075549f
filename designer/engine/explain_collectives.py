"""How the time of a collective was made: formula, what was put in, what decides."""

from collections.abc import Callable
from dataclasses import replace

from designer.engine.algorithms import Timing, bus_factor, offered
from designer.engine.bottleneck import pattern_of
from designer.engine.collectives import Collective
from designer.engine.explain_terms import assumed, drawn, modelled
from designer.engine.performance import Machines, Performance
from designer.engine.results import Explanation, Step, Term
from designer.engine.setting import Setting
from designer.messages import N_, _
from designer.model.design import Design
from designer.units import (
    format_binary_size,
    format_bytes_per_s,
    format_number,
    format_significant,
    format_time,
)

FORMULAS = {
    "ring": "t = α_0 + (2(n−1) − 2(m−1)) α_nv + 2(m−1) α_net + 2(n−1)/n · S ÷ min(B_nv, Σ B_nic)",
    "tree": "t = α_0 + 2 ((g−1) α_nv + log₂ m · α_net) + max(2 S ÷ B_nv, c S ÷ Σ B_nic) ÷ η_tree",
    "hierarchical": N_("t = α + Σ stages ÷ k + (k−1)/k · max(stages)"),
    "nvls": "t = α_nvls + S (1 + 1/n) ÷ B_nvls",
    "nvls_tree": ("t = α_nvls + 2 log₂ m · α_net + max(S (1 + 1/g) ÷ B_nvls, c S ÷ Σ B_nic)"),
    "collnet_direct": "t = α_sharp + max(S (1 + 1/g) ÷ B_nvls, S ÷ Σ B_nic) ÷ η_sharp",
    "collnet_chain": "t = α_sharp + max(2 S ÷ B_nv, S ÷ Σ B_nic)",
    "pass": "t = α_0 + (n−m) α_nv + (m−1) α_net + (n−1)/n · S ÷ min(B_nv, Σ B_nic)",
    "broadcast": "t = α_0 + (n−m) α_nv + (m−1) α_net + S ÷ min(B_nv, Σ B_nic)",
    "pairwise": N_(
        "t = α_0 + α_net + messages · α_msg + max(NVLink bytes ÷ B_nv, NIC bytes ÷ B_nic)"
    ),
    "direct": "t = α_0 + α_net + S ÷ B_nic",
}
TITLES = {
    "all_reduce": N_("All-reduce"),
    "all_gather": N_("All-gather"),
    "reduce_scatter": N_("Reduce-scatter"),
    "all_to_all": N_("All-to-all"),
    "broadcast": N_("Broadcast"),
    "send_recv": N_("Send and receive"),
}
_TREES = ("tree", "nvls_tree")


def explain_collectives(machines: Machines, done: Performance) -> dict[str, Explanation]:
    """Return the explanations of every operation that has a time, by dotted key."""
    found: dict[str, Explanation] = {}
    for made in done.collectives.values():
        if made.timing is None or done.setting is None or made.timing.algorithm == "none":
            continue
        time = explain_collective(machines, done, done.setting, made, made.timing)
        found[time.key] = time
        for key in ("bus_bandwidth_bytes_per_s", "algorithm_bandwidth_bytes_per_s"):
            one = _bandwidth(made, time, key)
            found[one.key] = one
    return found


def explain_collective(
    machines: Machines, done: Performance, setting: Setting, made: Collective, timing: Timing
) -> Explanation:
    """Return how the time of one operation was made."""
    title = _("{operation}, {size} over {n} GPUs: why {time}?").format(
        operation=_(TITLES[made.operation]),
        size=format_binary_size(made.size_bytes),
        n=format_number(setting.ranks, 0),
        time=format_time(timing.time_s),
    )
    return Explanation(
        f"collectives.{made.operation}.time_s",
        title,
        _formula(made, timing),
        tuple(_terms(machines, done, setting, made, timing)),
        _steps(setting, made, timing),
        (_("NCCL tuning tables, June 2026"), _("nccl-tests, doc/PERFORMANCE.md")),
        _parts(timing),
        made.bottleneck_ids,
        _bottleneck(setting, made, timing),
    )


def _formula(made: Collective, timing: Timing) -> str:
    if made.operation in ("all_gather", "reduce_scatter") and timing.algorithm == "ring":
        return FORMULAS["pass"]
    if made.operation == "broadcast":
        return FORMULAS["broadcast"]
    return _(FORMULAS[timing.algorithm])


def _parts(timing: Timing) -> tuple[tuple[str, float], ...]:
    data = _("data over the network") if timing.network_bound else _("data inside the node")
    return ((_("steps"), timing.latency_s), (data, timing.data_s))


def _bottleneck(setting: Setting, made: Collective, timing: Timing) -> str:
    if not made.bottleneck:
        return ""
    others = [
        f"{name} {format_time(t.time_s)}"
        for name, t in sorted(made.others.items(), key=lambda x: x[1].time_s)
        if name != timing.algorithm and offered(setting, name)
    ]
    text = made.bottleneck
    if others:
        text = _("{what}. Other algorithms: {list}").format(what=text, list=", ".join(others))
    return text


def _terms(
    machines: Machines, done: Performance, setting: Setting, made: Collective, timing: Timing
) -> list[Term]:
    design = machines.design
    asked = Term("S", _("message, each GPU"), float(made.size_bytes), "B", _("chosen"))
    found = [
        asked,
        drawn("n", _("GPUs that take part"), float(setting.ranks)),
        drawn("m", _("NVLink domains, or servers"), float(setting.nodes)),
        drawn("g", _("GPUs of one of them"), float(setting.per_node)),
    ]
    if timing.algorithm == "pairwise" and setting.nodes > 1:
        found.append(drawn("", _("messages that the NIC of a GPU sends"), float(setting.messages)))
    found += _inside(machines, setting, timing)
    if setting.nodes > 1:
        found += _network(machines, done, setting, made, timing)
    return found + [
        assumed(design, key) if not key.startswith("network") else _shifted(design, setting, key)
        for key in _latency_keys(setting, made, timing)
    ]


def _shifted(design: Design, setting: Setting, key: str) -> Term:
    term = assumed(design, key)
    step = setting.network_step(key.removeprefix("network_").removesuffix("_s"))
    path = _("{source}; with the drawn path {more} longer than the reference").format(
        source=term.source, more=format_time(setting.path_s)
    )
    return replace(term, value=step, source=path)


def _inside(machines: Machines, setting: Setting, timing: Timing) -> list[Term]:
    design, inside = machines.design, setting.inside
    if inside.kind == "none":
        return []
    ids = (machines.routed.network.device_ids[inside.device],) if inside.device >= 0 else ()
    nvls = timing.algorithm in ("nvls", "nvls_tree", "collnet_direct") and inside.nvls is not None
    key = inside.nvls_key if nvls else inside.ring_key
    rate = inside.nvls if nvls else inside.ring
    line = _("line rate between GPUs of a node, one way, each GPU")
    out = [
        modelled(
            "B_nvls" if nvls else "B_nv",
            _("bandwidth inside a node, each GPU"),
            rate,
            "B/s",
            _("share × line rate"),
        ),
        Term("", line, inside.line, "B/s", _("part type"), ids=ids),
    ]
    return [*out, assumed(design, key)] if key else out


def _network(
    machines: Machines, done: Performance, setting: Setting, made: Collective, timing: Timing
) -> list[Term]:
    seconds, meaning, symbol = {
        "pairwise": (setting.spread_s, _("network of one GPU, all-to-all"), "B_nic"),
        "direct": (
            setting.per_node * setting.send_s,
            _("network of one GPU, the slowest"),
            "B_nic",
        ),
    }.get(timing.algorithm, (setting.ring_s, _("NICs of the slowest server"), "Σ B_nic"))
    if timing.algorithm in _TREES:
        seconds, meaning = setting.tree_s, _("network of the busiest server, over c")
        symbol = "Σ B_nic ÷ c"
    row = done.drained[pattern_of(timing.algorithm)].cable(done.wire.factors)
    ids = (machines.routed.network.cable_ids[row],) if row >= 0 else ()
    source = _("{what}; busiest link of the drawing").format(what=done.wire.why)
    rate = 1 / seconds if seconds > 0 else None
    found = [
        Term(symbol, meaning, rate, "B/s", source, ids=ids),
        assumed(machines.design, "nic_efficiency"),
    ]
    if done.wire.choice.kind == "adaptive":
        found.append(assumed(machines.design, "adaptive_efficiency"))
    if done.wire.tuning:
        found.append(assumed(machines.design, f"roce_factor_{done.wire.tuning}"))
    return found


def _latency_keys(setting: Setting, made: Collective, timing: Timing) -> list[str]:
    name, protocol, wide = timing.algorithm, timing.protocol, setting.nodes > 1
    if name in ("nvls", "nvls_tree"):
        return ["nvls_start_s", *(["network_nvls_tree_s"] if wide else [])]
    if name.startswith("collnet"):
        return ["network_sharp_s", *(["sharp_efficiency"] if name == "collnet_direct" else [])]
    shape = "tree" if name == "tree" else "ring"
    found = [f"base_{shape}_{protocol}_s"]
    if setting.ranks > setting.nodes and name not in ("pairwise", "direct"):
        medium = "pcie" if setting.inside.kind == "pcie" else "nvlink"
        found.append(f"{medium}_{shape}_{protocol}_s")
    if wide:
        found.append(f"network_{shape}_{protocol}_s")
    if wide and name == "pairwise":
        found.append("message_overhead_s")
    if name == "tree":
        found.append("tree_share")
    if name == "hierarchical":
        found.append("pipeline_chunks")
    return found + ([f"{protocol}_share"] if protocol != "simple" else [])


def _steps(setting: Setting, made: Collective, timing: Timing) -> tuple[Step, ...]:
    size = format_significant(made.size_bytes / 1e9, 4)
    found = [Step(_("all steps without their bytes"), timing.latency_s, "s", _latency_note(timing))]
    if timing.local_s > 0:
        rate = made.size_bytes / timing.local_s
        found.append(
            Step(
                f"{size} GB ÷ {format_bytes_per_s(rate)}",
                timing.local_s,
                "s",
                _("inside a node"),
            )
        )
    if timing.network_s > 0:
        rate = made.size_bytes / timing.network_s
        found.append(
            Step(
                f"{size} GB ÷ {format_bytes_per_s(rate)}",
                timing.network_s,
                "s",
                _("over the network; every server waits for the slowest"),
            )
        )
    total = f"{format_time(timing.latency_s)} + {format_time(timing.data_s)}"
    return (*found, Step(total, timing.time_s, "s", _("the larger of the two, and the steps")))


def _latency_note(timing: Timing) -> str:
    names: dict[str, Callable[[], str]] = {
        "simple": lambda: _("protocol Simple"),
        "ll128": lambda: _("protocol LL128"),
        "ll": lambda: _("protocol LL"),
    }
    return names[timing.protocol]()


def _bandwidth(made: Collective, time: Explanation, key: str) -> Explanation:
    bus = key.startswith("bus")
    factor = bus_factor(made.operation, made.ranks or 1) if bus else 1.0
    value = (made.bus_bandwidth if bus else made.algorithm_bandwidth) or 0.0
    text = f"{format_significant(factor, 4)} × {made.size_bytes / 1e9:.4g} GB"
    step = Step(f"{text} ÷ {format_time(made.time_s or 0.0)}", value, "B/s")
    terms = (
        Term("S", _("message, each GPU"), float(made.size_bytes), "B", _("chosen")),
        modelled("t", _("time"), made.time_s, "s", _("see the time of the operation")),
        Term("f", _("bus over algorithm bandwidth"), factor, "1", "nccl-tests"),
    )
    return Explanation(
        f"collectives.{made.operation}.{key}",
        _("{operation}: why {rate}?").format(
            operation=_(TITLES[made.operation]), rate=format_bytes_per_s(value)
        ),
        "B = f · S ÷ t",
        terms,
        (step,),
        time.sources,
        bottleneck_ids=time.bottleneck_ids,
        bottleneck=time.bottleneck,
    )
