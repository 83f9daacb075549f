"""The benchmarks measure what they say: rows, comparisons that agree, a window that closes."""

import json
from dataclasses import replace

import numpy as np
import pytest

from designer.bench import engine, ratios, window
from designer.bench.__main__ import main
from designer.bench.fabrics import fabric
from designer.bench.first_run import peak_bytes
from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.compile import compile_network
from designer.engine.rates import max_min_rates
from designer.engine.routing import route


def test_the_benchmark_writes_rows(capsys):
    assert main(["engine", "--fabric", "su256", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["rows"][0]
    assert set(row) == {
        "name",
        "fabric",
        "gpus",
        "value",
        "unit",
        "target",
        "baseline",
        "ratio",
    }
    assert (row["name"], row["gpus"], row["unit"]) == ("analyze", 256, "s")
    assert row["ratio"] == pytest.approx(row["baseline"] / row["value"])


def test_the_benchmark_says_what_is_met(capsys):
    assert main(["engine", "--fabric", "fab1k"]) == 0
    line = capsys.readouterr().out
    assert line.startswith("analyze") and "target    25.0 ms" in line and "baseline" in line


def test_cases_ask_what_they_say():
    design = fabric("fab1k")
    case = engine.Case("fab1k", 10, None, equal=True)
    options = engine.options_of(case, design)
    assert case.name == "analyze, 10 links failed"
    assert (len(options.fail), options.routing) == (10, "ecmp")
    assert len(engine.options_of(replace(case, equal=False), design).fail) == 10
    assert 1e7 < peak_bytes() < 1e11


def test_a_touch_changes_records_and_no_result():
    design, catalog = fabric("su256"), default_catalog()
    before = analyze(design, None, catalog)
    names, cables = list(design.devices.values()), list(design.cables.values())
    design.apply(engine.touch(design, 3))
    assert list(design.devices.values()) != names and list(design.cables.values()) != cables
    after = analyze(design, None, catalog)
    assert after.get("step") == before.get("step")
    assert after.get("collectives.all_reduce.time_s") == before.get("collectives.all_reduce.time_s")


def test_every_ring_edge_is_asked_of_networkx():
    network = compile_network(fabric("su256"))
    # 32 servers of 8 rails in one unit: every edge stays at its leaf, where one path leads
    assert ratios.count_paths(ratios.multigraph(network), ratios.ring_edges(network)) == 256


@pytest.mark.parametrize("count", [40, 200])
def test_progressive_filling_agrees_with_local_bottlenecks(count):
    routed = route(compile_network(fabric("fab1k")))
    flow, link, capacity = ratios.flows_of(routed, count)
    assert len(np.unique(flow)) == count
    found = max_min_rates(flow, link, capacity, count)
    wanted = ratios.progressive_filling(flow, link, capacity, count)
    assert found == pytest.approx(wanted, rel=1e-9)


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_the_window_beats_while_it_computes(qapp):
    gaps = window.measure("su256", 1)
    assert len(gaps) > 1 and min(gaps) >= 0
    assert not [w for w in qapp.topLevelWidgets() if w.isVisible()]


def test_the_canvas_is_measured(capsys, qapp):
    assert main(["canvas", "--fabric", "su256", "--json"]) == 0
    rows = {r["name"]: r for r in json.loads(capsys.readouterr().out)["rows"]}
    assert rows["devices a moving frame leaves out"]["value"] == 0
    assert rows["frame of a pan, p95"]["value"] > 0
    assert rows["svg, size"]["unit"] == "byte"
    assert not [w for w in qapp.topLevelWidgets() if w.isVisible()], "canvases are put away"
