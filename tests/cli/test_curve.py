"""`railspine analyze --curve`: a collective at every size, 8 B to 16 GiB."""

import json

import pytest

from designer.cli.run import run
from designer.formats import native
from tests.engine.builders import rail_fabric


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("curve") / "net.railspine.json"
    native.save(rail_fabric(4, 4).build(), path)
    return str(path)


def called(capsys, *argv, lang="en"):
    code = run([*argv, "--lang", lang], lambda *_: 0)
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def rows(out, title):
    lines = out.splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith(title))
    return lines[start + 1], lines[start + 2 : start + 34]


def test_a_row_for_each_size_with_what_limits_it(file, capsys):
    code, out, _err = called(capsys, "analyze", file, "--curve")
    assert code in (0, 1)
    header, found = rows(out, "all-reduce over sizes, 128 GPUs")
    assert header.split("  ")[0] == "size"
    assert found[0].startswith("8 B ")
    assert found[-1].startswith("16 GiB ")
    assert "latency of the steps" in found[0]
    assert "latency of the steps" not in found[-1]
    assert all("/s" in line for line in found)


@pytest.mark.parametrize("relay", ["on", "off"])
def test_it_goes_with_forced_algorithms_placement_and_relay(file, capsys, relay):
    words = ("--curve", "--placement", "spread", "--ranks", "32")
    _code, out, _err = called(capsys, "analyze", file, *words, "--algorithm", "ring")
    _header, found = rows(out, "all-reduce over sizes, 32 GPUs")
    assert all(" ring/" in line for line in found)
    words = (*words, "--collective", "all_to_all", "--relay", relay)
    _code, out, _err = called(capsys, "analyze", file, *words)
    _header, found = rows(out, "all-to-all over sizes, 32 GPUs")
    assert all(" pairwise/" in line for line in found)


def test_the_rule_of_nccl_decides_row_by_row(file, capsys):
    _code, out, _err = called(capsys, "analyze", file, "--curve", "--algorithm", "nccl")
    _header, found = rows(out, "all-reduce over sizes")
    assert any(" tree/ll" in line for line in found)
    assert any("/simple" in line for line in found)


def test_json_has_every_column_of_the_table(file, capsys):
    _code, out, _err = called(capsys, "analyze", file, "--curve", "--json")
    values = json.loads(out)
    for name, made in values["collectives"].items():
        sizes = [p["size_bytes"] for p in made["curve"]]
        assert sizes == [2**k for k in range(3, 35)], name
        for p in made["curve"]:
            rate = p["size_bytes"] / p["time_s"]
            assert p["algorithm_bandwidth_bytes_per_s"] == pytest.approx(rate)
            assert p["bottleneck"]


def test_numbers_and_words_are_those_of_the_language(file, capsys):
    _code, out, _err = called(capsys, "analyze", file, "--curve", lang="pt_BR")
    assert "largura de banda de barramento" in out
    assert "latência" in out


def test_one_gpu_has_a_reason_instead(file, capsys):
    _code, out, _err = called(capsys, "analyze", file, "--curve", "--ranks", "1")
    assert "all-reduce over sizes: One rank" in out
