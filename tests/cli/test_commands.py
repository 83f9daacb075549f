"""The command line as a person uses it: what it prints, what it writes, how it ends."""

import json
import os
import subprocess
import sys

import pytest

from designer.__main__ import main
from designer.cli.context import Context


def run(capsys, *argv):
    code = main(list(argv))
    out = capsys.readouterr()
    return code, out.out, out.err


def test_demo_writes_everything(capsys, tmp_path):
    code, out, _err = run(capsys, "demo", "-o", str(tmp_path / "out"))
    assert code == 0
    names = {p.name for p in (tmp_path / "out").iterdir()}
    assert names == {
        f"cluster-512{e}" for e in (".railspine.json", ".svg", ".html", ".xlsx", ".csv")
    }
    assert "512" in out
    assert "<svg" in (tmp_path / "out" / "cluster-512.svg").read_text(encoding="utf-8")


def test_new_analyze_check_explain(capsys, tmp_path):
    path = str(tmp_path / "d.railspine.json")
    assert run(capsys, "new", "rail-optimized", "--gpus", "256", "-o", path)[0] == 0
    code, out, _err = run(capsys, "analyze", path, "--json")
    values = json.loads(out)
    assert code == 0
    assert values["counts"]["gpus"] == 256
    assert values["capacity"]["bisection_bits_per_s"] == 128 * 400e9
    assert values["step"]["time_s"] > 0
    assert values["traffic"]["share"]["nvlink"] == pytest.approx(7 / 8)
    assert values["failures"] is None
    assert values["reasons"]["failures"]
    assert run(capsys, "check", path)[0] == 0
    code, out, _err = run(capsys, "explain", path, "fabrics.infiniband.capex_usd.total")
    assert code == 0
    assert "QM9700" in out or "qm9700" in out


def test_a_failed_spine_takes_its_share_of_the_bisection(capsys, tmp_path):
    path = str(tmp_path / "d.railspine.json")
    run(capsys, "new", "rail-optimized", "--gpus", "512", "-o", path)
    values = json.loads(run(capsys, "analyze", path, "--fail", "spine-1", "--json")[1])
    # two units meet at eight spines only
    assert values["capacity"]["bisection_bits_per_s"] == pytest.approx(7 / 8 * 256 * 400e9)


@pytest.mark.parametrize("form", ["svg", "html", "md", "json", "csv", "xlsx", "png", "pdf"])
def test_exports(capsys, tmp_path, form, qapp):
    path, out = str(tmp_path / "d.railspine.json"), tmp_path / f"out.{form}"
    run(capsys, "new", "four-servers", "-o", path)
    assert run(capsys, "export", path, "-o", str(out))[0] == 0
    assert out.stat().st_size > 200


@pytest.mark.parametrize(
    "argv",
    [
        ("new", "nope", "-o", "x"),
        ("analyze", "missing.json"),
        ("catalog", "no-such-part"),
        ("new", "rail-optimized", "--set", "gpus", "-o", "x"),
        ("--nonsense",),
        ("nonsense",),
    ],
)
def test_bad_input_says_what_to_do_and_exits_with_2(capsys, argv):
    code, out, err = run(capsys, *argv)
    assert code == 2
    assert not out
    assert err.startswith("railspine: ")


def test_without_a_display_it_says_so(capsys, monkeypatch):
    from PySide6.QtCore import QCoreApplication

    if QCoreApplication.instance() is not None:
        monkeypatch.setattr("designer.gui.app.QApplication.instance", lambda: None)
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert run(capsys)[0] == 3


def test_templates_and_catalog_list(capsys):
    assert "superpod-h100" in run(capsys, "templates")[1]
    rows = json.loads(run(capsys, "catalog", "qm9700", "--json")[1])
    assert rows["schema"] == "railspine.catalog/1"
    assert any(r["slug"] == "qm9700" for r in rows["rows"])


def test_a_terminal_without_the_characters_shows_something(tmp_path):
    path = str(tmp_path / "d.railspine.json")
    main(["new", "four-servers", "-o", path])
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-m", "designer", "analyze", path],
        env=env,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"?" in done.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--size", "0"), "1 byte"),
        (("--size", "1e30"), "at most 1,024 TiB"),
        (("--size", "999999999999TiB"), "at most 1,024 TiB"),
        (("--ranks", "33"), "32 GPUs"),
        (("--ranks", "0"), "32 GPUs"),
    ],
)
def test_amounts_that_cannot_be_are_refused(capsys, tmp_path, words, says):
    path = str(tmp_path / "d.railspine.json")
    run(capsys, "new", "four-servers", "-o", path)
    code, _out, err = run(capsys, "analyze", path, *words)
    assert code == 2
    assert says in err


def test_a_lone_server_gets_no_spines_of_a_full_unit(capsys, tmp_path):
    path = str(tmp_path / "d.railspine.json")
    code, out, _err = run(capsys, "new", "rail-optimized", "--gpus", "8", "-o", path)
    assert code == 0
    assert "10 devices" in out
    assert "16 links" in out


def test_single_faults_are_ranked(capsys, tmp_path, monkeypatch):
    path = str(tmp_path / "d.railspine.json")
    run(capsys, "new", "rail-optimized", "--gpus", "64", "-o", path)
    code, out, err = run(capsys, "analyze", path, "--failures")
    assert code == 0
    assert "+14." in out, "a NIC less of eight"
    assert err.count("single faults") == 1, "a file gets the last line only"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    code, out, err = run(capsys, "analyze", path, "--failures", "--json")
    assert "single faults: 1 of" in err and err.endswith("\x1b[K")
    values = json.loads(out)
    assert values["failures"][0]["lost_gpus"] > 0
    assert "failures" not in values["reasons"]


@pytest.mark.parametrize("what", ["rail:3", "rack:A01", "srv-01:nic2", "leaf-1"])
def test_what_fails_can_be_named(capsys, tmp_path, what):
    path = str(tmp_path / "d.railspine.json")
    run(capsys, "new", "rail-optimized", "--gpus", "64", "-o", path)
    code, out, _err = run(capsys, "analyze", path, "--fail", what, "--json")
    assert code in (0, 1)
    assert json.loads(out)["capacity"]["bisection_bits_per_s"] < 32 * 400e9


def test_results_say_whose_they_are(capsys, tmp_path):
    path = str(tmp_path / "d.railspine.json")
    run(capsys, "new", "cluster-512", "-o", path)
    out = run(capsys, "analyze", path)[1]
    for text in ("RoCE", "llama3-70b-tp8", "TP 8 × PP 2 × DP 32", "over 4 years"):
        assert text in out


def test_the_parts_of_a_price_difference_add_up(capsys, tmp_path):
    path = str(tmp_path / "d.railspine.json")
    run(capsys, "new", "cluster-512", "-o", path)
    values = json.loads(run(capsys, "analyze", path, "--json")[1])
    told = next(r for r in values["verdict"]["reasons"] if "to buy" in r)
    assert all(word in told for word in ("switches", "optics", "licences", "spares"))


@pytest.mark.parametrize("ending", ["csv", "cables"])
def test_tables_begin_with_the_mark_by_which_spreadsheets_know_utf8(capsys, tmp_path, ending):
    path, out = str(tmp_path / "d.railspine.json"), tmp_path / "out.csv"
    run(capsys, "new", "four-servers", "-o", path)
    assert run(capsys, "export", path, "--to", ending, "-o", str(out))[0] == 0
    assert out.read_bytes().startswith(b"\xef\xbb\xbf")


def test_a_folder_that_is_missing_is_named(capsys, tmp_path):
    out = tmp_path / "none" / "d.railspine.json"
    code, _out, err = run(capsys, "new", "four-servers", "-o", str(out))
    assert code == 2
    assert str(out.parent) in err
    assert "Make the folder" in err


def test_a_long_run_counts_in_one_line_on_a_terminal_and_seldom_in_a_log(capsys, monkeypatch):
    context = Context()
    for k in range(5):
        context.step(f"{k} of 4", last=k == 4)
    context.line("done")
    assert capsys.readouterr().err == "4 of 4\n"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    for k in range(5):
        context.step(f"{k} of 4", last=k == 4)
    context.line("done")
    seen = capsys.readouterr()
    assert "\n" not in seen.err and seen.err.endswith("\r\x1b[K") and seen.out == "done\n"
