"""`railspine explain`: every key of the results has an answer, and a wrong one has neighbours."""

import json
from pathlib import Path

import pytest

from designer.__main__ import main
from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.services.create import open_file


@pytest.fixture(scope="module", params=["four-servers", "blank", "rail-only", "nvl72"])
def drawing(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("explain") / f"{request.param}.railspine.json"
    words = ["--set", "racks=1"] if request.param == "nvl72" else []
    assert main(["new", request.param, *words, "-o", str(path)]) == 0
    return str(path)


def said(capsys, *words):
    code = main(["explain", *words])
    out = capsys.readouterr()
    return code, out.out, out.err


def null_keys(value, start=""):
    if isinstance(value, dict):
        return [k for n, v in value.items() for k in null_keys(v, f"{start}.{n}".strip("."))]
    if isinstance(value, list):
        return [k for n, v in enumerate(value) for k in null_keys(v, f"{start}.{n}")]
    return [start] if value is None else []


def test_every_null_has_a_reason_that_says_something(capsys, drawing):
    results = analyze(open_file(Path(drawing)), None, default_catalog())
    nulls = null_keys(results.values)
    assert nulls
    assert [k for k in nulls if len(results.reason(k)) < 10] == []
    assert all(results.values["reasons"].values())


def test_a_null_key_is_answered_with_its_reason(capsys, drawing):
    code, out, _err = said(capsys, drawing, "capacity.oversubscription.spine")
    assert code == 0
    assert "unknown" in out
    code, out, _err = said(capsys, drawing, "capacity.oversubscription.spine", "--json")
    row = json.loads(out)["rows"][0]
    assert row["value"] is None
    assert row["reason"]


def test_a_value_without_a_formula_is_shown(capsys, drawing):
    code, out, _err = said(capsys, drawing, "counts.spine")
    assert code == 0
    assert out.startswith("counts.spine = ")
    code, out, _err = said(capsys, drawing, "fabrics.infiniband.capex_usd.switches")
    assert code == 0
    assert "fabrics.infiniband.capex_usd.total" in out


def test_a_section_lists_its_keys(capsys, drawing):
    code, out, _err = said(capsys, drawing, "fabrics")
    assert code == 0
    assert "fabrics.rocev2.capex_usd.total" in out.split()


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("bisection", "capacity.bisection_bits_per_s"),
        ("fabrics.rocev2.tco", "fabrics.rocev2.tco_usd"),
        ("step.times_s", "step.time_s"),
    ],
)
def test_a_wrong_key_is_refused_with_its_neighbours(capsys, tmp_path, wrong, right):
    path = str(tmp_path / "d.railspine.json")
    main(["new", "four-servers", "-o", path])
    code, _out, err = said(capsys, path, wrong)
    assert code == 2
    assert right in err
    assert len(err) < 600


def test_jobs_and_relay_are_explained_as_they_are_analysed(capsys, tmp_path):
    path = str(tmp_path / "d.railspine.json")
    main(["new", "four-servers", "-o", path])
    words = ("--ranks", "16", "--with-job", "packed", "--relay", "on", "--algorithm", "nccl")
    for key, text in (
        ("interference.slow_down", "t ÷ t_j"),
        ("interference.jobs.1.together_s", "t = u ÷ y"),
        ("collectives.all_to_all.relay.without_s", "without relay"),
        ("collectives.all_reduce.nccl_choice", "tuning.cc"),
        ("counts.leaf", "counted in the drawing"),
    ):
        code, out, _err = said(capsys, path, key, *words)
        assert code == 0
        assert text in out
