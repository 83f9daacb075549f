"""The model against every published row: the targets it is held to."""

import csv
from collections import defaultdict

import pytest

from designer.catalog.load import default_catalog
from designer.resources import resource
from designer.services.validate import validate
from designer.services.validation import KNOWN, Checked, table
from designer.services.validation_page import chart, page, summary
from designer.services.validation_training import TrainingRuns, efficiencies

GIB = 2**30


@pytest.fixture(scope="module")
def rows():
    seen = []
    found = validate(default_catalog(), seen.append)
    assert len(seen) == len(set(seen))
    return found


@pytest.fixture(scope="module")
def by_id(rows):
    return {row.id: row for row in rows}


def test_no_row_fails_and_the_known_misses_are_these(rows):
    assert [r.id for r in rows if r.verdict == "fails"] == []
    assert {r.id for r in rows if r.verdict == "misses"} == {"S129", "T12–T19", "T33–T35"}
    assert not [r.id for r in rows if r.verdict == "unknown"]


def test_counts_are_exact(rows):
    counted = [r for r in rows if r.topic == "counts" and r.use != "excluded"]
    assert len(counted) >= 40
    assert all(r.model == r.published for r in counted)


def _large(operation, algorithms, servers):
    for row in table("collectives.csv"):
        if row["use"] == "excluded" or row["operation"] != operation:
            continue
        size = int(row["size_bytes"])
        if row["algorithm"] in algorithms and size >= 4 * GIB and servers(int(row["servers"])):
            yield row


@pytest.mark.parametrize(
    ("algorithms", "part", "allowed"),
    [(("ring",), "h", 0.03), (("ring",), "a100", 0.03), (("nvls",), "h", 0.05)],
)
def test_large_all_reduce_in_one_server(by_id, algorithms, part, allowed):
    found = [
        r
        for r in _large("all_reduce", algorithms, lambda n: n == 1)
        if part in r["server"] and "b200" not in r["server"] and r["server"] != "nvl72"
    ]
    assert found
    for row in found:
        assert abs(by_id[row["id"]].deviation) <= allowed, row["id"]


def test_large_all_reduce_on_several_servers(by_id):
    found = list(_large("all_reduce", ("ring", "tree", "auto"), lambda n: n >= 4))
    held = [r for r in found if r["server"] != "nvl72"]
    assert len(held) >= 4
    for row in held:
        assert abs(by_id[row["id"]].deviation) <= 0.10, row["id"]


def test_all_to_all(by_id):
    for row in _large("all_to_all", ("pairwise",), lambda _n: True):
        assert abs(by_id[row["id"]].deviation) <= 0.10, row["id"]


def test_training_steps_and_scaling(rows):
    steps = [r for r in rows if r.topic == "training" and r.use != "excluded"]
    assert len(steps) >= 50
    assert all(abs(r.deviation) <= 0.15 for r in steps)
    ratios = [r for r in rows if r.topic == "scaling"]
    assert sum(abs(r.deviation) <= 0.05 for r in ratios) >= 9


def test_mfu_of_the_405b_run_within_two_points(rows):
    shares = [r for r in rows if r.topic == "mfu"]
    assert len(shares) == 2
    assert all(abs(r.deviation) <= 2 for r in shares)


def test_bytes_by_tier_of_the_dense_model(by_id):
    for tier, said in (("nvlink", 90), ("scalable_unit", 7), ("cross_unit", 3)):
        assert by_id[f"B-llama3-405b-{tier}"].model == pytest.approx(said, abs=1)
    assert by_id["B-deepseek-v3-nvlink"].model < 50, "it fails for wide expert parallelism"


def test_most_rows_only_test(rows):
    used = [r for r in rows if r.use != "excluded"]
    assert sum(r.use == "test" for r in used) >= len(used) / 2
    held = [r for r in used if r.tolerance is not None]
    assert sum(r.use == "test" for r in held) >= len(held) / 2


def test_every_row_has_its_source_and_excluded_ones_a_reason(rows):
    assert all(r.source for r in rows)
    assert all(r.note for r in rows if r.use == "excluded")
    assert all(r.note for r in rows if r.tolerance is None)


@pytest.mark.parametrize("name", ["T20", "T48"])
def test_an_efficiency_is_what_the_fit_gives(name):
    row = next(r for r in table("training.csv") if r["id"] == name)
    fitted = TrainingRuns(default_catalog()).fitted_efficiency(row)
    assert efficiencies()[row["group"]] == pytest.approx(fitted, abs=0.002)


def test_one_efficiency_a_group():
    groups = defaultdict(set)
    for row in table("training.csv"):
        if row["use"] != "excluded":
            groups[row["group"]].add((row["workload"], row["server"], row["fabric"]))
    assert set(groups) == set(efficiencies())
    assert all(len(kinds) == 1 for kinds in groups.values())


@pytest.mark.parametrize("folder", ["", "pt_BR"])
def test_the_help_page_says_what_is_true(rows, folder):
    from designer.messages import set_language

    set_language(folder or "en")
    said = (
        resource("help", folder, "validation.md") if folder else resource("help", "validation.md")
    )
    text = said.read_text(encoding="utf-8")
    if folder:
        assert len(text.splitlines()) == len(page(rows).splitlines())
        return
    assert text == page(rows), "run: railspine validate --page resources/help"
    drawn = said.with_name("validation.svg").read_text(encoding="utf-8")
    assert drawn == chart(rows)
    assert summary(rows) in text


def _row(**changes):
    plain = {
        "id": "X1",
        "topic": "training",
        "use": "test",
        "what": "",
        "group": "",
        "published": 100.0,
        "model": 104.0,
        "unit": "s",
        "tolerance": 0.05,
        "note": "",
        "source": "s",
    }
    return Checked(**{**plain, **changes})


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, "holds"),
        ({"model": 106.0}, "fails"),
        ({"model": 106.0, "note": KNOWN + "why"}, "misses"),
        ({"tolerance": None}, "reported"),
        ({"use": "excluded"}, "excluded"),
        ({"model": None}, "unknown"),
        ({"published": 0.0}, "unknown"),
        ({"absolute": True, "tolerance": 4.0}, "holds"),
        ({"absolute": True, "tolerance": 3.0}, "fails"),
    ],
)
def test_verdicts(changes, verdict):
    assert _row(**changes).verdict == verdict


def test_tables_have_no_twins():
    for name in ("counts.csv", "collectives.csv", "training.csv"):
        ids = [row["id"] for row in table(name)]
        assert len(ids) == len(set(ids)), name
    with resource("validation", "efficiency.csv").open(newline="") as stream:
        assert len(list(csv.DictReader(stream))) == len(efficiencies())
