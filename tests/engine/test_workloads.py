"""Stock workloads and parameters: complete, sourced, and used."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from designer.engine.layout import misfits
from designer.model.assumptions import parameters
from designer.model.workload import SECTIONS, load_workload, stock_workloads, workload_to_dict
from designer.resources import resource

NAMES = {
    "llama3-405b",
    "llama3-70b-fsdp",
    "llama3-70b-tp8",
    "llama3-8b-ddp",
    "gpt3-175b",
    "deepseek-v3",
    "gpt3-175b-megatron",
    "gpt3-175b-nemo",
    "llama3.1-405b-nemo",
    "nemotron4-340b-gb200",
    "nemotron4-340b-nemo",
}
SOURCES = Path(__file__).resolve().parents[2] / "designer"


def test_stock_workloads():
    assert set(stock_workloads()) == NAMES


@pytest.mark.parametrize("name", sorted(NAMES))
def test_stock_workload_says_where_it_comes_from_and_is_whole(name):
    found = stock_workloads()[name]
    assert found.title
    assert len(found.source) > 20
    assert found.reference_gpus % (found.tp * found.pp * found.cp) == 0
    assert found.heads % found.tp == 0
    assert 0 < found.active_parameters <= found.parameters
    assert workload_to_dict(found)["source"]["gpus"] == found.reference_gpus


@pytest.mark.parametrize("name", ["llama3-405b", "llama3-70b-fsdp", "llama3-8b-ddp", "gpt3-175b"])
def test_weights_follow_from_the_shape(name):
    # attention 2 h (h + h kv/heads), gated MLP 3 h ffn (GPT: 2 h ffn), embeddings twice
    w = stock_workloads()[name]
    kv = w.hidden * w.kv_heads / w.heads
    matrices = 2 if name.startswith("gpt3") else 3
    layer = 2 * w.hidden * (w.hidden + kv) + matrices * w.hidden * w.ffn
    tables = 1 if name.startswith("gpt3") else 2
    total = w.layers * layer + tables * w.vocab * w.hidden
    assert w.parameters == pytest.approx(total, rel=0.01)


def test_workload_files_read_like_the_stock(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('title = "Mine"\n[model]\nlayers = 2\n[source]\ntext = "x"\n', encoding="utf-8")
    assert load_workload(path).layers == 2


@pytest.mark.parametrize("folder", [(), ("pt_BR",)], ids=["en", "pt_BR"])
def test_the_file_on_the_help_page_is_whole_and_fits(folder, tmp_path):
    page = resource("help", *folder, "workloads.md").read_text(encoding="utf-8")
    lines = [x[4:] if x.startswith("    ") else "" for x in page.split("\n## ")[0].splitlines()]
    path = tmp_path / "page.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    found = load_workload(path)
    written = tomllib.loads(path.read_text(encoding="utf-8"))
    assert {s: set(keys) for s, keys in SECTIONS.items()} == {
        s: set(keys) for s, keys in written.items() if isinstance(keys, dict)
    }
    assert not misfits(found, found.reference_gpus)


def test_every_parameter_is_used_somewhere():
    text = "\n".join(
        p.read_text(encoding="utf-8")
        for p in SOURCES.rglob("*.py")
        if not p.name.startswith("assumption")
    )
    # keys that are put together from parts, each in one place
    patterns = {
        r"(base|nvlink|pcie|network)_(ring|tree)_(ll|ll128|simple)_s": "_{protocol}_s",
        r"network_(nvls_tree|sharp)_s": 'f"network_{name}_s"',
        r"(ll|ll128)_share": 'f"{protocol}_share"',
        r"roce_factor_(untuned|tuned|expert)": 'f"roce_factor_{tuning}"',
        r"switch_latency_(infiniband|ethernet)_s": 'f"switch_latency_{',
        r"(engineers|licence_share|specialist_premium|link_usd)_(infiniband|roce)": "_{",
    }
    for key in parameters():
        made = [use for form, use in patterns.items() if re.fullmatch(form, key)]
        assert f'"{key}"' in text or (made and made[0] in text), key


def test_parameters_are_complete():
    for key, parameter in parameters().items():
        assert parameter.unit, key
        assert parameter.group, key
        assert parameter.source, key
        if parameter.confidence == "found":
            assert "assumed; no" not in parameter.source, key


def test_labels_of_parameters_are_marked_for_translation():
    for name in ("assumption_performance", "assumption_latency"):
        tree = ast.parse((SOURCES / "model" / f"{name}.py").read_text(encoding="utf-8"))
        calls = [
            n
            for n in ast.walk(tree)
            if isinstance(n, ast.Call) and getattr(n.func, "id", "") in ("Parameter", "_nccl")
        ]
        made = [c for c in calls if not isinstance(c.args[0], ast.Name)]
        assert len(made) > 10
        for call in made:
            label = call.args[1]
            assert isinstance(label, ast.Call)
            assert getattr(label.func, "id", "") == "N_"
