"""A workload over the GPUs of a drawing: what stays, what grows, and what does not fit."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.engine.fit import Misfit
from designer.engine.layout import Layout, lay_out, nearest
from designer.model.workload import stock_workloads

STOCK = stock_workloads()
LLAMA = STOCK["llama3-405b"]


@pytest.mark.parametrize("workload", STOCK.values(), ids=STOCK)
def test_stock_workloads_fit_their_own_size(workload):
    found = lay_out(workload, workload.reference_gpus)
    assert isinstance(found, Layout)
    assert found.global_batch == workload.global_batch


def test_sizes_and_strides_in_rank_order():
    found = lay_out(LLAMA, 16384)
    assert isinstance(found, Layout)
    assert (found.dp, found.microbatches, found.global_batch) == (128, 16, 2048)
    assert found.axes("tp") == ((8, 1),)
    assert found.axes("pp") == ((16, 8),)
    assert found.axes("dp") == ((1, 8), (128, 128))
    assert found.size("dp") == 128


@given(times=st.integers(1, 300))
def test_each_replica_keeps_its_sequences_on_another_size(times):
    found = lay_out(LLAMA, 128 * times)
    assert isinstance(found, Layout)
    assert found.dp == times
    assert found.sequences == 16
    assert found.global_batch == 16 * times


def test_gpus_that_are_no_multiple_are_told_what_fits():
    # the default SuperPOD H100 of 4 units has 1,016 GPUs
    found = lay_out(LLAMA, 1016)
    assert isinstance(found, Misfit)
    assert "1,016" in found.message
    assert "896 / 1,024" in found.hint
    assert "TP 8 × CP 1 × PP 1 × DP 127" in found.hint


@given(gpus=st.integers(1, 5000))
def test_nearest_layouts_do_fit(gpus):
    for tp, cp, pp in nearest(LLAMA, gpus):
        again = lay_out(replace(LLAMA, tp=tp, cp=cp, pp=pp, reference_gpus=0, global_batch=0), gpus)
        assert isinstance(again, Layout)


def test_a_fixed_data_parallel_size_must_match():
    assert isinstance(lay_out(replace(LLAMA, dp=4), 512), Layout)
    found = lay_out(replace(LLAMA, dp=4), 1024)
    assert isinstance(found, Misfit)
    assert "512" in found.message


def test_batch_that_gives_no_whole_micro_batch():
    found = lay_out(replace(LLAMA, global_batch=100, reference_gpus=0), 16384)
    assert isinstance(found, Misfit)
    assert "128" in found.hint


def test_experts_must_divide_the_replicas():
    found = lay_out(STOCK["deepseek-v3"], 512)
    assert isinstance(found, Misfit)
    assert "EP 64" in found.message


def test_zero_is_no_size():
    found = lay_out(replace(LLAMA, tp=0), 128)
    assert isinstance(found, Misfit)


def test_without_a_batch_each_replica_takes_one_micro_batch():
    found = lay_out(replace(LLAMA, global_batch=0), 256)
    assert isinstance(found, Layout)
    assert found.microbatches == 1
