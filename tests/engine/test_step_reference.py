"""The training step against a slow second way that lists every group and counts every message."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.dimensions import DIMENSIONS, Group
from designer.engine.layout import Layout, lay_out
from designer.engine.load_columns import Loads
from designer.engine.options import Options
from designer.engine.step import training_step
from designer.engine.traffic import Traffic
from designer.engine.wire import Drained, Factors
from designer.model.workload import Workload, stock_workloads
from tests.engine.builders import Builder, server_type
from tests.engine.settings import machine
from tests.engine.step_reference import Grid, Place, span, step_seconds, unit_messages
from tests.engine.test_step import step

_NOTHING = Traffic(*(None,) * 4, None, None)  # type: ignore[arg-type]
_EMPTY = Loads(*(None,) * 5, 0.0, "sweep")  # type: ignore[arg-type]
CATALOG = default_catalog()
PEAK, EFFICIENCY = 989e12, 0.55


@st.composite
def jobs(draw, most=64):
    """Draw a workload with (GPUs, GPUs a node) that it fits, dense or with experts."""
    power = st.sampled_from([1, 2, 4])
    tp, cp, pp, ep = draw(power), draw(power), draw(power), draw(power)
    moe = draw(st.booleans())
    ep = ep if moe else 1
    replicas = ep * draw(st.integers(1, 3))
    gpus = tp * cp * pp * replicas
    assume(gpus <= most)
    per_node = draw(st.sampled_from([n for n in (1, 2, 4, 8) if gpus % n == 0]))
    v = draw(st.sampled_from([1, 2, 3])) if pp > 1 else 1
    micro, batches = draw(st.integers(1, 2)), draw(st.integers(1, 4))
    return (
        Workload(
            "drawn",
            layers=24 * draw(st.integers(1, 2)),
            hidden=1024,
            heads=16,
            kv_heads=draw(st.sampled_from([1, 2, 8, 16])),
            ffn=4096,
            experts=8 if moe else 0,
            topk=2 if moe else 0,
            sequence=4096,
            parameters=8e9,
            active_parameters=3e9 if moe else 8e9,
            tp=tp,
            sp=draw(st.booleans()),
            regather=draw(st.booleans()),
            pp=pp,
            virtual_stages=v,
            cp=cp,
            ep=ep,
            zero=draw(st.integers(0, 3)),
            reduce_each=draw(st.booleans()),
            global_batch=replicas * micro * batches,
            micro_batch=micro,
            recompute=draw(st.booleans()),
            dp_overlap=draw(st.sampled_from([0.0, 0.7])),
            pp_outer=draw(st.booleans()),
            cp_overlap=draw(st.sampled_from([0.0, 0.4])),
            ep_overlap=draw(st.sampled_from([0.0, 0.6])),
            tp_overlap=draw(st.sampled_from([0.0, 0.5])),
        ),
        gpus,
        per_node,
    )


def grid_of(workload: Workload, gpus: int) -> tuple[Grid, Layout]:
    layout = lay_out(workload, gpus)
    assert isinstance(layout, Layout), layout
    return Grid(workload, gpus, layout.microbatches), layout


@given(job=jobs())
@settings(max_examples=150, deadline=None)
def test_groups_are_those_that_a_list_of_all_ranks_gives(job):
    workload, gpus, _per_node = job
    grid, layout = grid_of(workload, gpus)
    for name in DIMENSIONS:
        size, axes = layout.size(name), layout.axes(name)
        found = []
        for first in range(gpus):
            if all(first // stride % length == 0 for length, stride in axes if length > 1):
                ranks = [first]
                for length, stride in axes:
                    ranks = [r + k * stride for k in range(length) for r in ranks]
                found.append(sorted(ranks))
        assert sorted(found) == sorted(grid.groups(name)), name
        assert {len(g) for g in found} == {size}


@given(job=jobs())
@settings(max_examples=150, deadline=None)
def test_seconds_of_a_step_on_a_network_that_never_blocks(job):
    workload, gpus, per_node = job
    grid, layout = grid_of(workload, gpus)
    place = Place(per_node, 47.5e9, 370e9, 309e9)
    groups = {}
    for name in DIMENSIONS:
        if layout.size(name) < 2 or (name == "edp" and not workload.experts):
            continue
        nodes, local = span(grid, name, per_node)
        seconds = place.seconds(unit_messages(grid, name))
        drained = Drained(seconds, 0.0, -1, -1, 3.0, 0.0, _EMPTY, _NOTHING) if nodes > 1 else None
        messages = nodes - 1 if local > 1 else layout.size(name) - local
        groups[name] = Group(name, layout.size(name), nodes, local, messages, _NOTHING, drained)
    setting = machine(gpus, gpus // per_node, ring=370e9, nvls=309e9)
    found = training_step(layout, setting, groups, Factors(1.0, 1.0), PEAK, EFFICIENCY)
    wanted = step_seconds(grid, place, PEAK, EFFICIENCY)
    values = found.values()
    for key in ("time_s", "compute_s", "bubble_s", "exposed_communication_s"):
        assert values[key] == pytest.approx(wanted[key], rel=1e-9), key
    for name, part in found.parts.items():
        assert part.time_s == pytest.approx(wanted[f"{name}_s"], rel=1e-9), name
    assert values["gpu_idle_share"] == pytest.approx(1 - wanted["compute_s"] / wanted["time_s"])
    lost = 1 - wanted["ideal_s"] / wanted["time_s"]
    assert values["network_idle_share"] == pytest.approx(lost, abs=1e-9)
    assert values["mfu"] == pytest.approx(wanted["flops"] / wanted["time_s"] / PEAK)


def drawing(per_node: int, nodes: int, per_unit: int):
    """Return servers of `per_node` GPUs and NICs, `per_unit` a scalable unit, under one spine."""
    b = Builder()
    gpu = {
        "bf16_flops": PEAK,
        "nvlink_bytes_per_s": 450e9,
        "nvlink_links": 18,
        "internal_nvswitch": True,
        "architecture": "hopper",
        "memory_bytes": 80e9,
    }
    b.type(server_type(per_node, per_node, "small", **gpu))
    b.device("spine", "spine")
    for n in range(nodes):
        unit = n // per_unit
        if n % per_unit == 0:
            b.unit(f"su{unit}")
            b.device(f"leaf{unit}", "leaf", unit=f"g-su{unit}")
            b.cable(f"leaf{unit}", "spine", per_node * per_unit)
        # names sort in rank order
        name = b.device(f"srv{n:03}", "server", "small", unit=f"g-su{unit}")
        for port in range(per_node):
            b.nic(name, port + 1, f"leaf{unit}")
    return b.build()


@given(job=jobs(32), per_unit=st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_bytes_by_dimension_and_tier_of_a_drawing(job, per_unit):
    workload, gpus, per_node = job
    grid, _layout = grid_of(workload, gpus)
    nodes = gpus // per_node
    found = analyze(drawing(per_node, nodes, per_unit), Options(workload=workload), CATALOG)
    assert found.get("step.time_s") is not None, found.reason("step.time_s")
    wanted = {n: dict.fromkeys(("nvlink", "scalable_unit", "cross_unit"), 0.0) for n in DIMENSIONS}
    for name, messages in grid.messages().items():
        for (a, b), size in messages.items():
            one, two = a // per_node, b // per_node
            same = one // per_unit == two // per_unit
            tier = "nvlink" if one == two else "scalable_unit" if same else "cross_unit"
            wanted[name][tier] += size
    got = found.get("traffic.by_dimension")
    assert set(got) == set(wanted)
    for name, row in wanted.items():
        assert got[name] == pytest.approx(row, rel=1e-9, abs=1e-3), name
    total = found.get("traffic.bytes_per_step")
    for tier, value in total.items():
        assert value == pytest.approx(sum(row[tier] for row in got.values()), rel=1e-12)
    shares = found.get("traffic.dimension_share")
    everything = sum(total.values())
    assert sum(shares.values()) == pytest.approx(1 if everything else 0)
    for name, share in shares.items():
        assert share * everything == pytest.approx(sum(wanted[name].values()), rel=1e-9)


def test_sequence_parallelism_changes_bytes_where_it_should():
    base = Workload(
        "w",
        layers=8,
        hidden=1024,
        heads=16,
        kv_heads=16,
        sequence=4096,
        parameters=1e9,
        active_parameters=1e9,
        tp=4,
        pp=2,
        global_batch=8,
    )
    moved = {}
    for name, w in {
        "on": base,
        "regather": replace(base, regather=True),
        "off": replace(base, sp=False),
    }.items():
        grid, _ = grid_of(w, 16)
        sums = {n: sum(m.values()) for n, m in grid.messages().items()}
        found = analyze(drawing(8, 2, 1), Options(workload=w), CATALOG)
        rows = found.get("traffic.by_dimension")
        assert {n: sum(r.values()) for n, r in rows.items()} == pytest.approx(sums)
        moved[name] = sums
    # an all-reduce is a reduce-scatter and an all-gather: the same bytes
    assert moved["off"]["tp"] == moved["on"]["tp"]
    assert moved["regather"]["tp"] == moved["on"]["tp"] * 10 / 8
    # without SP each of the TP ranks passes the whole activations on
    assert moved["off"]["pp"] == 4 * moved["on"]["pp"]


def test_locality_of_llama_405b_on_16384_gpus_as_published():
    # model.md: TP 89.6 / DP 7.1 / PP 3.3 % of the bytes of the 16,384-GPU run
    found = step(stock_workloads()["llama3-405b"], 16384)
    moved = {name: part.bytes for name, part in found.parts.items()}
    total = sum(moved.values())
    assert set(moved) == {"tp", "pp", "dp"}
    shares = [moved[name] / total for name in ("tp", "dp", "pp")]
    assert shares == pytest.approx([0.896, 0.071, 0.033], abs=0.001)
