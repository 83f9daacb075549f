"""What does not divide is told with its numbers, the field it is about and what would fit."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.engine.fit import Misfit, shape_misfits
from designer.engine.layout import Layout, lay_out, misfits
from designer.model.workload import stock_workloads

STOCK = stock_workloads()
LLAMA = STOCK["llama3-405b"]
DEEPSEEK = STOCK["deepseek-v3"]


@pytest.mark.parametrize(
    ("changes", "gpus", "field", "numbers", "fits"),
    [
        # TP 8 x CP 1 x PP 16 = 128
        ({}, 1000, "dp", ("1,000", "128"), "896 / 1,024"),
        ({"dp": 4}, 1024, "dp", ("512", "1,024"), "512 GPUs, or DP 8"),
        ({"tp": 3}, 384, "tp", ("3", "128"), "2, 4, 8"),
        ({"kv_heads": 6, "heads": 96, "tp": 4}, 1024, "tp", ("6", "4"), "1, 2 fits"),
        ({"kv_heads": 5}, 1024, "kv_heads", ("128", "5"), "4, 8"),
        ({"ffn": 53249}, 1024, "tp", ("8", "53,249"), "1"),
        ({"pp": 12}, 1536, "pp", ("126", "12"), "8, 16"),
        ({"virtual_stages": 3}, 1024, "virtual_stages", ("126", "16", "48"), "1, 2, 4, 8"),
        ({"end_layers": 0}, 1024, "pp", ("126", "128", "0.9844"), "2 places"),
        ({"sequence": 8200, "cp": 16, "pp": 1}, 1024, "cp", ("8,200", "32"), "4"),
        ({"sequence": 8188}, 1024, "sequence", ("8,188", "8"), "8,184, 8,192"),
        ({"ep": 2}, 1024, "ep", ("2",), "1"),
        ({"zero": 4}, 1024, "zero", ("4",), "0, 1, 2"),
        ({"active_parameters": 500e9}, 1024, "active_parameters", ("500", "405"), "most"),
        ({"global_batch": 2100}, 1024, "global_batch", ("2,100", "128"), "2,048 / 2,176"),
        (
            {"global_batch": 100, "reference_gpus": 0},
            1024,
            "global_batch",
            ("100", "8"),
            "96 / 104",
        ),
        ({"dp_overlap": 1.5}, 1024, "dp_overlap", ("1.5",), "0 to 1"),
        ({"parameters": 0.0}, 1024, "parameters", (), "70.6e9"),
        ({"tp": 0}, 1024, "tp", (), "at least one"),
    ],
)
def test_llama_405b_with_a_slip(changes, gpus, field, numbers, fits):
    found = misfits(replace(LLAMA, **changes), gpus)
    told = next(m for m in found if m.field == field)
    for number in numbers:
        assert number in told.message
    assert re.search(fits, told.hint), told.hint
    assert isinstance(lay_out(replace(LLAMA, **changes), gpus), Misfit)


@pytest.mark.parametrize(
    ("changes", "field", "numbers", "fits"),
    [
        ({"ep": 48}, "ep", ("48", "64"), "32, 64"),
        ({"topk": 300}, "topk", ("300", "256"), "1 to 256"),
        ({"ep": 128}, "ep", ("64", "128"), "EP of .*64 fits"),
        ({"pp": 16}, "ep", ("32", "64"), "32 fits"),
    ],
)
def test_experts_with_a_slip(changes, field, numbers, fits):
    found = [m for m in misfits(replace(DEEPSEEK, **changes), 1024) if m.field == field]
    assert any(
        all(number in m.message for number in numbers) and re.search(fits, m.hint) for m in found
    ), found


def test_several_slips_are_all_told_the_gpus_first():
    found = misfits(replace(LLAMA, tp=3, pp=5, zero=7), 1000)
    assert found[0].field == "dp"
    assert {m.field for m in found} == {"dp", "tp", "pp", "sequence", "zero"}


def test_stock_workloads_fit_and_their_shape_needs_no_gpus():
    for workload in STOCK.values():
        assert not misfits(workload, workload.reference_gpus)
        assert not misfits(workload, None)


@given(
    tp=st.integers(1, 12),
    pp=st.integers(1, 12),
    v=st.integers(1, 4),
    cp=st.integers(1, 6),
    sp=st.booleans(),
    end=st.integers(0, 2),
)
@settings(max_examples=200)
def test_what_is_laid_out_divides_and_what_the_hint_names_fits(tp, pp, v, cp, sp, end):
    w = replace(LLAMA, tp=tp, pp=pp, virtual_stages=v, cp=cp, sp=sp, end_layers=end)
    w = replace(w, reference_gpus=0, global_batch=0)
    gpus = tp * pp * cp * 2
    found = lay_out(w, gpus)
    if isinstance(found, Layout):
        assert w.heads % tp == 0
        assert pp == 1 or (w.layers + end) % (pp * v) == 0
        assert cp == 1 or w.sequence % (2 * cp) == 0
        return
    names = {"tp": "tp", "pp": "pp", "virtual_stages": "virtual_stages", "cp": "cp"}
    for misfit in shape_misfits(w):
        if misfit.field not in names:
            continue
        choices = re.search(r"of ([0-9, ]+) fit", misfit.hint)
        assert choices is not None, misfit.hint
        for text in choices.group(1).split(", "):
            again = replace(w, **{misfit.field: int(text)})
            left = [m.message for m in shape_misfits(again) if m.field == misfit.field]
            assert not left or misfit.message not in left
