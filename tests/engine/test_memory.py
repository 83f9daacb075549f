"""Memory a GPU needs: by hand for plain cases, and what must hold of every workload."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.layout import Layout, lay_out
from designer.engine.memory import memory_fault, memory_of
from designer.engine.options import Options
from designer.model.workload import Workload, stock_workloads
from designer.topologies import generate

STOCK = stock_workloads()
PLAIN = Workload(
    "plain",
    layers=32,
    hidden=4096,
    heads=32,
    kv_heads=32,
    ffn=4 * 4096,
    sequence=2048,
    parameters=8e9,
    active_parameters=8e9,
    sp=False,
    global_batch=64,
)


def memory(workload, gpus):
    found = lay_out(workload, gpus)
    assert isinstance(found, Layout), found
    return memory_of(found)


@pytest.mark.parametrize(
    ("zero", "weights", "gradients", "optimizer"),
    [(0, 1, 1, 1), (1, 1, 1, 64), (2, 1, 64, 64), (3, 64, 64, 64)],
)
def test_state_by_zero_stage(zero, weights, gradients, optimizer):
    # ZeRO, arXiv 1910.02054, Figure 1: 2, 2 and 12 bytes a weight; gradients here FP32
    found = memory(replace(PLAIN, zero=zero), 64)
    assert found.weights == pytest.approx(8e9 * 2 / weights)
    assert found.gradients == pytest.approx(8e9 * 4 / gradients)
    assert found.optimizer == pytest.approx(8e9 * 12 / optimizer)


def test_activations_of_a_layer_as_published():
    # arXiv 2205.05198, Table 2 without attention scores: 34 sbh; TP (10 + 24/t); TP and SP 34/t
    sbh = 2048 * 4096
    assert memory(PLAIN, 64).layer == pytest.approx(34 * sbh)
    tensor = replace(PLAIN, tp=8)
    assert memory(tensor, 64).layer == pytest.approx((10 + 24 / 8) * sbh)
    assert memory(replace(tensor, sp=True), 64).layer == pytest.approx(34 / 8 * sbh)
    again = memory(replace(tensor, sp=True, recompute=True), 64)
    assert again.activations == pytest.approx((32 * 2 / 8 + 34 / 8) * sbh)


def test_pipeline_keeps_as_many_microbatches_as_stages():
    # the first stage of 4 keeps 4 micro-batches of 8 layers; 1 + 3/8 times that with v = 2
    deep = replace(PLAIN, pp=4)
    assert memory(deep, 16).in_flight == pytest.approx(32)
    assert memory(replace(deep, virtual_stages=2), 16).in_flight == pytest.approx(32 * 11 / 8)
    few = replace(deep, global_batch=8)
    assert memory(few, 16).in_flight == pytest.approx(8 * 2)


def test_experts_are_split_over_their_own_ranks():
    found = memory(replace(STOCK["deepseek-v3"], zero=1), 1024)
    # 64 replicas hold the shared weights, one holds each expert: nothing of those is split
    experts = 634e9 / (1 - 8 / 256) / 16 / 64
    shared = (671e9 - experts * 16 * 64) / 16
    assert found.optimizer == pytest.approx(12 * (shared / 64 + experts))


def test_findings_tell_what_would_help():
    layout = lay_out(PLAIN, 8)
    assert isinstance(layout, Layout)
    assert memory_fault(layout, None) is None
    assert memory_fault(layout, 200e9) is None
    told = memory_fault(layout, 80e9)
    assert told is not None
    assert told.rule == "workload-memory"
    assert "80 GB" in told.message
    assert "ZeRO stage 1" in told.hint
    kept = lay_out(replace(PLAIN, zero=3, micro_batch=8), 8)
    assert isinstance(kept, Layout)
    told = memory_fault(kept, 80e9)
    assert told is not None
    assert (told.rule, told.severity) == ("workload-recompute", "info")
    huge = lay_out(replace(PLAIN, parameters=800e9, active_parameters=800e9), 8)
    assert isinstance(huge, Layout)
    told = memory_fault(huge, 80e9)
    assert told is not None
    assert "raise TP or PP" in told.hint


@given(
    tp=st.sampled_from([1, 2, 4]),
    pp=st.sampled_from([1, 2, 4]),
    zero=st.integers(0, 3),
    sp=st.booleans(),
)
def test_more_splitting_never_needs_more_state(tp, pp, zero, sp):
    w = replace(PLAIN, tp=tp, pp=pp, zero=zero, sp=sp)
    found = memory(w, 64)
    assert found.least <= found.total * (1 + 1e-12) or found.in_flight <= 1
    if zero < 3:
        assert memory(replace(w, zero=zero + 1), 64).state <= found.state
    assert memory(replace(w, sp=True), 64).layer <= found.layer * (1 + 1e-12)


def test_results_hold_the_memory_and_its_explanation():
    job = replace(STOCK["llama3-8b-ddp"], sequence=16384)
    found = analyze(generate("four-servers", default_catalog()), Options(workload=job))
    kept = found.get("step.memory")
    parts = ("weights", "gradients", "optimizer", "activations")
    assert kept["total_bytes"] == pytest.approx(sum(kept[f"{p}_bytes"] for p in parts))
    assert kept["capacity_bytes"] == 80e9
    told = found.explanations["step.memory.total_bytes"]
    assert sum(v for _n, v in told.parts) == pytest.approx(kept["total_bytes"])
    assert told.sources
    assert any(f.rule == "workload-recompute" for f in found.findings)
