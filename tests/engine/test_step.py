"""The training step: golden rows of published runs, and what must hold of every step.

The share of peak a GPU reaches while it computes is one fitted number an architecture; what the
rows test is how the step changes with size, layout and network.
"""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.engine.dimensions import DIMENSIONS, Group, groups_of
from designer.engine.layout import Layout, lay_out
from designer.engine.load_columns import Loads
from designer.engine.step import StepTime, training_step
from designer.engine.step_parts import expert_weights, sizes_of
from designer.engine.traffic import Traffic
from designer.engine.wire import Drained, Factors
from designer.model.workload import Workload, stock_workloads
from tests.engine.settings import machine, without_nvls

STOCK = stock_workloads()
LLAMA = STOCK["llama3-405b"]
_NOTHING = Traffic(*(None,) * 4, None, None)  # type: ignore[arg-type]
_EMPTY = Loads(*(None,) * 5, 0.0, "sweep")  # type: ignore[arg-type]


def group(layout: Layout, name: str, per_node: int, nic: float) -> Group:
    """Return one dimension on an ideal network: every GPU has a NIC of `nic` bytes/s."""
    size, local = layout.size(name), 1
    for length, stride in layout.axes(name):
        local *= max(1, min(length, per_node // stride))
    nodes = -(-size // local)
    if nodes == 1:
        return Group(name, size, 1, size, 0, _NOTHING)
    # several ranks of a group in a node share its NICs; the pipeline sends both ways
    seconds = 1 / (nic * (per_node if local > 1 else 1)) * (2 if name == "pp" else 1)
    drained = Drained(seconds, 0.0, -1, -1, 3.0, 0.0, _EMPTY, _NOTHING)
    return Group(name, size, nodes, local, nodes - 1, _NOTHING, drained)


def step(
    workload: Workload,
    gpus: int,
    *,
    nic: float = 47.5e9,
    peak: float = 989e12,
    efficiency: float = 0.55,
    ring: float = 370e9,
    nvls: float | None = 309e9,
    per_node: int = 8,
) -> StepTime:
    layout = lay_out(workload, gpus)
    assert isinstance(layout, Layout)
    setting = machine(gpus, gpus // per_node, ring=ring, nvls=nvls, nic=nic)
    names = [n for n in DIMENSIONS if layout.size(n) > 1 and (n != "edp" or workload.experts)]
    groups = {n: group(layout, n, per_node, nic) for n in names}
    return training_step(layout, setting, groups, Factors(1.0, 1.0), peak, efficiency)


def at_batch(workload: Workload, gpus: int, batch: int) -> Workload:
    return replace(workload, global_batch=batch, reference_gpus=gpus)


# --- Llama 3 405B, arXiv 2407.21783, Table 4: TFLOP/s a GPU ---


@pytest.mark.parametrize(("gpus", "reported", "model"), [(8192, 430, 427), (16384, 400, 397.7)])
def test_llama_405b(gpus, reported, model):
    found = step(at_batch(LLAMA, gpus, 2048), gpus)
    rate = found.flops_per_gpu / found.time_s / 1e12
    assert rate == pytest.approx(model, rel=0.001)
    assert rate == pytest.approx(reported, rel=0.01)


def test_llama_405b_loses_two_points_of_mfu_at_twice_the_gpus():
    # 43 % at 8,192 and 41 % at 16,384 (FLOPs counted likewise); the bubble does most of it
    one, two = (step(at_batch(LLAMA, n, 2048), n) for n in (8192, 16384))
    assert one.mfu - two.mfu == pytest.approx(0.03, abs=0.01)
    assert two.bubble == 2 * one.bubble


def test_llama_405b_long_context_is_two_points_high():
    # CP 16, 131,072 tokens, DP 8: 380 TFLOP/s reported; gradients go around CP x DP = 128 ranks
    long = replace(LLAMA, cp=16, sequence=131072, global_batch=128)
    found = step(long, 16384)
    assert found.flops_per_gpu / found.time_s / 1e12 == pytest.approx(401.2, rel=0.002)


def test_llama_405b_split_of_the_step():
    found = step(LLAMA, 16384)
    share = {name: part.exposed_s / found.time_s for name, part in found.parts.items()}
    assert found.compute_s / found.time_s == pytest.approx(0.731, abs=0.005)
    assert found.bubble_s / found.time_s == pytest.approx(0.098, abs=0.005)
    assert share["tp"] == pytest.approx(0.103, abs=0.005)
    assert share["dp"] == pytest.approx(0.033, abs=0.003)
    assert share["pp"] == pytest.approx(0.006, abs=0.002)
    # "15 to 30 % of cycles wait": with bubble and stragglers 27 %, communication alone 14 %
    assert found.gpu_idle_share == pytest.approx(0.269, abs=0.005)
    assert found.network_idle_share == pytest.approx(0.159, abs=0.005)


# --- GPT 175B on A100s, MegaScale, NSDI 2024, Table 2: seconds a step ---


@pytest.mark.parametrize(
    ("gpus", "batch", "seconds"),
    [
        (256, 768, 32.0),
        (512, 768, 16.5),
        (1024, 768, 8.9),
        (3072, 6144, 23.66),
        (6144, 6144, 12.21),
        (8192, 6144, 9.56),
        (12288, 6144, 6.34),
    ],
)
def test_gpt_175b_megascale(gpus, batch, seconds):
    from tests.engine.settings import VALUES

    found = step(
        at_batch(STOCK["gpt3-175b"], gpus, batch),
        gpus,
        nic=23.75e9,
        peak=312e12,
        efficiency=VALUES["gpu_efficiency_ampere"],
        ring=235e9,
        nvls=None,
    )
    assert found.time_s == pytest.approx(seconds, rel=0.07)


# --- NVIDIA/dgxc-benchmarking, Eos, H100 BF16: other software reaches more of the peak ---


@pytest.mark.parametrize(
    ("gpus", "batch", "seconds"),
    [(128, 256, 8.91), (256, 512, 8.95), (512, 1024, 9.09), (1024, 2048, 9.01), (2048, 4096, 9.02)],
)
def test_gpt_175b_on_eos_scales_without_loss(gpus, batch, seconds):
    gpt = replace(STOCK["gpt3-175b"], tp=4, tp_overlap=0.0)
    found = step(at_batch(gpt, gpus, batch), gpus, efficiency=0.55)
    assert found.time_s == pytest.approx(seconds, rel=0.12)


# --- weak communication ---


def test_gradients_hide_behind_compute_where_each_gpu_has_enough_work():
    found = step(STOCK["llama3-70b-fsdp"], 1024)
    assert found.network_idle_share < 0.01
    # NICs at a quarter of their rate: 1.5 s of traffic become 6 s, still behind 13 s of window
    assert step(STOCK["llama3-70b-fsdp"], 1024, nic=47.5e9 / 4).network_idle_share < 0.02
    assert step(STOCK["llama3-70b-fsdp"], 1024, nic=47.5e9 / 12).network_idle_share > 0.2


def test_data_parallel_with_little_work_waits():
    found = step(STOCK["llama3-8b-ddp"], 256, nic=47.5e9 / 8)
    assert found.network_idle_share > 0.3


# --- what must hold ---

WORKLOADS = st.builds(
    lambda tp, pp, cp, zero, v, micro: replace(
        LLAMA,
        tp=tp,
        pp=pp,
        cp=cp,
        zero=zero,
        virtual_stages=v,
        micro_batch=micro,
        global_batch=0,
        reference_gpus=0,
    ),
    st.sampled_from([1, 2, 4, 8]),
    st.sampled_from([1, 2, 4, 8]),
    st.sampled_from([1, 2]),
    st.integers(0, 3),
    st.sampled_from([1, 2, 4]),
    st.integers(1, 2),
)


@given(workload=WORKLOADS, scale=st.sampled_from([128, 256, 1024]))
def test_parts_add_up_and_shares_are_shares(workload, scale):
    found = step(workload, scale)
    total = found.compute_s + found.bubble_s + found.exposed_s + found.jitter_s
    assert found.time_s == pytest.approx(total)
    assert 0 <= found.network_idle_share <= found.gpu_idle_share + 1e-12 < 1
    assert found.ideal_s <= found.time_s * (1 + 1e-12)
    assert 0 < found.mfu < 0.55
    for part in found.parts.values():
        assert 0 <= part.exposed_s <= part.time_s * (1 + 1e-12)
        assert part.bytes > 0


@given(workload=WORKLOADS, slow=st.floats(1.0, 20.0))
def test_a_slower_network_never_makes_a_faster_step(workload, slow):
    assert step(workload, 256, nic=47.5e9 / slow).time_s >= step(workload, 256).time_s * (1 - 1e-12)


def test_one_gpu_only_computes():
    small = replace(STOCK["llama3-8b-ddp"], zero=0)
    layout = lay_out(small, 1)
    assert isinstance(layout, Layout)
    found = training_step(layout, machine(1, 1), {}, Factors(1, 1), 989e12, 0.55)
    assert found.parts == {}
    assert found.network_idle_share == 0
    assert found.gpu_idle_share == pytest.approx(1 - 1 / 1.03)


def test_bytes_of_each_dimension_by_hand():
    # A = 8192 x 16384 x 2 bytes; 126/16 layers a stage, 16 micro-batches; P = 405e9 / 128
    found = step(LLAMA, 16384)
    a = 8192 * 16384 * 2
    assert found.parts["tp"].bytes == pytest.approx(8 * 126 / 16 * 16 * a * 7 / 8)
    assert found.parts["pp"].bytes == pytest.approx(2 * 8 * 16 * a / 8)
    assert found.parts["dp"].bytes == pytest.approx(405e9 / 128 * (2 + 4) * 127 / 128)


@pytest.mark.parametrize(("zero", "factor"), [(0, 2 * 4), (1, 2 + 4), (2, 2 + 4), (3, 2 * 2 + 4)])
def test_gradient_bytes_by_zero_stage(zero, factor):
    found = step(replace(STOCK["llama3-8b-ddp"], zero=zero), 256)
    assert found.parts["dp"].bytes == pytest.approx(8.03e9 * factor * 255 / 256)


def test_experts_hold_what_tokens_do_not_use():
    layout = lay_out(STOCK["deepseek-v3"], 1024)
    assert isinstance(layout, Layout)
    # dense + E = 671e9, dense + E 8/256 = 37e9
    assert expert_weights(layout) == pytest.approx(634e9 / (1 - 8 / 256))
    dense = 671e9 - expert_weights(layout)
    assert sizes_of(layout).weights == pytest.approx(dense / 16 + expert_weights(layout) / 16 / 64)


def test_experts_send_most_bytes_off_the_server():
    found = step(STOCK["deepseek-v3"], 1024)
    total = sum(part.bytes for part in found.parts.values())
    assert found.parts["ep"].bytes / total > 0.6


def test_groups_without_partners_are_left_out():
    from designer.engine.pool import pool_of
    from tests.engine.builders import rail_fabric

    network = rail_fabric(1, 2).network()
    layout = lay_out(replace(LLAMA, pp=1, tp=8, reference_gpus=0, global_batch=0), 16)
    assert isinstance(layout, Layout)
    assert set(groups_of(layout, pool_of(network))) == {"tp", "dp"}
    assert without_nvls(machine(8, 1)).inside.nvls is None
