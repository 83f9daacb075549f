"""From a log to assumptions of the drawing that name it, by the service and the command line."""

import json
from datetime import date

import pytest

from designer.__main__ import main
from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.options import Options
from designer.errors import FileError, ParameterError
from designer.formats import native
from designer.services.calibration import (
    Asked,
    calibrate_to_log,
    calibration_edit,
    factors,
    read_log,
    summary,
)
from designer.topologies import generate
from tests.formats.test_nccl_log import TAIL, head, row

CATALOG = default_catalog()


def cluster():
    return generate("rail-optimized", CATALOG, gpus=64)


def log_of(slower=1.25, program="all_reduce_perf", ranks=8, machines="a"):
    """Return a log of machines that take longer than the model by a factor."""
    curve = analyze(cluster(), Options(ranks=ranks), CATALOG).get("collectives.all_reduce.curve")
    factor = 2 * (ranks - 1) / ranks
    rows = [row(p["size_bytes"], p["time_s"] * slower * 1e6, times=factor) for p in curve[10:]]
    hosts = tuple(machines[k * len(machines) // ranks] for k in range(ranks))
    return head(program, hosts) + "".join(rows) + TAIL


def test_fitted_assumptions_name_their_log_and_are_one_step():
    design = cluster()
    found = calibrate_to_log(design, CATALOG, log_of())
    assert found.error_after < found.error_before / 2
    before = analyze(design, Options(ranks=8), CATALOG).get("collectives.all_reduce.time_s")
    edit = calibration_edit(design, found, "rack7.log", date(2026, 12, 1))
    design.apply(edit)
    own = design.assumptions["nvls_share_hopper"]
    assert "rack7.log" in own.source and "all_reduce" in own.source and own.date == "2026-12-01"
    after = analyze(design, Options(ranks=8), CATALOG).get("collectives.all_reduce.time_s")
    assert after / before == pytest.approx(1.25, rel=0.03)
    design.apply(edit.inverse())
    assert not design.assumptions
    assert "%" in summary(found)
    assert len(factors(found)) < len(found.fitted)


@pytest.mark.parametrize(
    ("text", "asked", "word"),
    [
        (log_of(program="gather_perf"), Asked(), "gather_perf"),
        (log_of().replace("all_reduce_perf", "mytest"), Asked(), "collective"),
        (log_of(), Asked(ranks=6), "8 ranks"),
        (log_of(), Asked(operation="all_gather"), "Bus bandwidth"),
        ("\n".join(log_of().splitlines()[13:]), Asked("all_reduce"), "ranks"),
    ],
)
def test_what_does_not_fit_is_told(text, asked, word):
    with pytest.raises(ParameterError) as caught:
        calibrate_to_log(cluster(), CATALOG, text, asked)
    assert word in str(caught.value)


def test_tables_of_one_run_are_one_and_of_several_have_to_be_chosen():
    once = calibrate_to_log(cluster(), CATALOG, log_of())
    twice = calibrate_to_log(cluster(), CATALOG, log_of() * 2)
    assert len(twice.samples) == 2 * len(once.samples)
    with pytest.raises(ParameterError) as caught:
        calibrate_to_log(cluster(), CATALOG, log_of() + log_of(program="all_gather_perf"))
    assert "all_gather_perf on 8 ranks" in str(caught.value) and "line 1:" in str(caught.value)
    mixed = log_of() + log_of(ranks=16, machines="ab")
    found = calibrate_to_log(cluster(), CATALOG, mixed, Asked(ranks=16))
    assert found.ranks == 16 and len(found.samples) == len(once.samples)
    other = log_of() + log_of(program="gather_perf")
    chosen = calibrate_to_log(cluster(), CATALOG, other, Asked("all_reduce"))
    assert len(chosen.samples) == len(once.samples)


def test_machines_of_the_log_have_to_be_those_of_the_drawing():
    spread = log_of(ranks=16, machines="abcd")
    with pytest.raises(ParameterError) as caught:
        calibrate_to_log(cluster(), CATALOG, spread)
    assert "4 × 4" in str(caught.value) and "2 × 8" in str(caught.value)
    assert calibrate_to_log(cluster(), CATALOG, spread, Asked(ranks=16)).ranks == 16


def test_other_gpus_and_single_lines_that_do_not_fit_are_told():
    text = log_of().replace("NVIDIA H100", "NVIDIA A100-SXM4-80GB")
    assert any("A100" in note for note in calibrate_to_log(cluster(), CATALOG, text).notes)
    rows = log_of() + row(2**31, 20000.0, times=1.5)
    line = rows.count("\n")
    found = calibrate_to_log(cluster(), CATALOG, rows)
    assert any(note.startswith(f"line {line}: bus") for note in found.notes)
    assert all(s.line != line for s in found.samples)


def test_a_wrong_rank_count_is_told_with_its_line():
    with pytest.raises(ParameterError) as caught:
        calibrate_to_log(cluster(), CATALOG, log_of(), Asked(ranks=6))
    assert "line " in str(caught.value)


def test_what_is_not_decided_is_left_alone_and_said():
    found = calibrate_to_log(cluster(), CATALOG, log_of())
    fitted = {f.key for f in found.fitted}
    assert "nic_efficiency" in found.left_alone and not fitted & set(found.left_alone)
    assert any("nic_efficiency" in note for note in found.notes)


def test_only_chosen_assumptions_are_stored():
    design = cluster()
    found = calibrate_to_log(design, CATALOG, log_of())
    key = found.fitted[0].key
    design.apply(calibration_edit(design, found, "x.log", date(2026, 12, 1), {key}))
    assert set(design.assumptions) == {key}


def test_explanations_name_the_log():
    design = cluster()
    found = calibrate_to_log(design, CATALOG, log_of())
    design.apply(calibration_edit(design, found, "rack7.log", date(2026, 12, 1)))
    results = analyze(design, Options(ranks=8), CATALOG)
    explanation = results.explanations["collectives.all_reduce.time_s"]
    assert "rack7.log" in str(explanation)


def test_a_log_that_cannot_be_read(tmp_path):
    with pytest.raises(FileError):
        read_log(tmp_path / "none.log")
    with pytest.raises(FileError):
        read_log(tmp_path)


def test_the_command_writes_what_it_fitted(tmp_path, capsys):
    drawing, log, out = (tmp_path / n for n in ("a.railspine.json", "run.log", "b.railspine.json"))
    native.save(cluster(), drawing)
    log.write_text(log_of())
    assert main(["calibrate", str(drawing), str(log), "-o", str(out)]) == 0
    told = capsys.readouterr().out
    assert "measured" in told and "GB/s" in told
    assert "run.log" in out.read_text()
    assert main(["calibrate", str(drawing), str(log), "--json"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert values["schema"] == "railspine.calibrate/1" and values["fitted"]
    assert main(["calibrate", str(drawing), str(drawing)]) != 0


def test_a_reduce_is_a_broadcast_the_other_way():
    design = cluster()
    sizes = [2**k for k in range(16, 34)]
    rows = "".join(row(size, 30 + size * 5e-6, times=1.0) for size in sizes)
    log = head("reduce_perf", ("a",) * 8) + rows + TAIL
    found = calibrate_to_log(design, CATALOG, log, Asked())
    assert found.operation == "broadcast"
    assert any("reduce" in note for note in found.notes)
