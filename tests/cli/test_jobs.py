"""Placement and jobs at the same time on the command line."""

import json

import pytest

from designer.cli.run import run
from designer.formats import native
from tests.engine.builders import rail_fabric


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("jobs") / "net.railspine.json"
    native.save(rail_fabric(4, 4).build(), path)
    return str(path)


def called(capsys, *argv):
    code = run([*argv, "--lang", "en"], lambda *_: 0)
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_text_names_the_servers_and_tells_what_jobs_cost(file, capsys):
    code, out, _err = called(
        capsys,
        *("analyze", file, "--placement", "spread", "--ranks", "64"),
        *("--with-job", "packed,op=all_to_all,size=1GiB"),
    )
    assert code in (0, 1)
    assert "64 GPUs on 8 servers, spread: su0-srv0, su1-srv0" in out
    assert "Jobs at the same time" in out
    assert "2: all-to-all 1 GiB" in out


def test_json_has_both(file, capsys):
    _code, out, _err = called(
        capsys,
        *("analyze", file, "--placement", "su0", "--json", "--algorithm", "ring"),
        *("--with-job", "su1-srv0,su2-srv0,ranks=16,op=all-gather,algorithm=ring"),
    )
    values = json.loads(out)
    assert values["job"]["servers"] == ["su0-srv0", "su0-srv1", "su0-srv2", "su0-srv3"]
    second = values["interference"]["jobs"][1]
    assert second["servers"] == ["su1-srv0", "su2-srv0"]
    assert second["operation"] == "all_gather"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--placement", "nowhere"),
        ("--placement", "random:x"),
        ("--with-job", "spread,gpus=3"),
        ("--with-job", "op=sing"),
        ("--with-job", "ranks=many"),
        ("--with-job", "size=0"),
        ("--with-job", "algorithm=none"),
    ],
)
def test_bad_arguments_are_refused_with_a_hint(file, capsys, arguments):
    code, _out, err = called(capsys, "analyze", file, *arguments)
    assert code == 2
    assert len(err.strip().splitlines()) >= 2
