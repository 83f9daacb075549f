"""The summary in its three forms: complete, self-contained, escaped, and silent on unknowns."""

import datetime
import json
import re
from html.parser import HTMLParser

import pytest

from designer.catalog.load import default_catalog
from designer.engine.checks import check
from designer.engine.compare import evaluate_fabric
from designer.engine.compile import compile_network
from designer.engine.fabrics import FabricPerformance
from designer.engine.results import Results
from designer.engine.verdict import verdict
from designer.messages import set_language
from designer.model.design import Design
from designer.model.records import Info
from designer.reports.summary import summary_html, summary_json, summary_markdown
from designer.units import Range
from tests.engine.drawings import change, fabric

CATALOG = default_catalog()
DAY = datetime.date(2026, 12, 1)


def analysed(design, workload=True):
    share = (Range(0.13, 0.146, 0.15), Range(0.14, 0.161, 0.2)) if workload else (None, None)
    results = [
        evaluate_fabric(design, CATALOG, name, FabricPerformance(5.8e-3, 4.1, 0.2, s, r, "", 3))
        for name, s, r in (("infiniband", share[0], 1.0), ("rocev2", share[1], 0.98))
    ]
    values = {
        "counts": {"gpus": 32, "servers": 4, "leaf": 8, "spine": 2, "cables": {"total": 64}},
        "traffic": {
            "share": {"nvlink": 0.896, "scalable_unit": 0.068, "cross_unit": 0.036},
            "bytes_per_step": {"nvlink": 5e12, "scalable_unit": 4e11, "cross_unit": 2e11},
        },
        "step": {"time_s": 4.1, "compute_s": 3.3, "exposed_communication_s": 0.4, "bubble_s": 0.2},
        "fabrics": {r.fabric: r.as_dict() for r in results},
        "verdict": verdict(*results).as_dict(),
        "reasons": {"failures": "Failures were not asked for."},
    }
    return Results(values, 3, tuple(check(design, compile_network(design), CATALOG)))


class Balance(HTMLParser):
    """Counts open elements and collects references."""

    VOID = ("meta", "br", "img", "path", "rect", "circle", "input", "link")

    def __init__(self):
        super().__init__()
        self.open, self.references = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)
        self.references += [v for k, v in attrs if k in ("src", "href", "xlink:href")]

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag


def page(design=None, results=None, svg=None):
    design = design if design is not None else fabric(4, 2)
    return summary_html(design, results or analysed(design), CATALOG, svg, DAY)


def test_html_is_well_formed_and_alone():
    html = page(svg='<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><path/></svg>')
    parser = Balance()
    parser.feed(html)
    assert parser.open == []
    assert parser.references == []
    assert "@import" not in html
    assert "<script" not in html
    assert "<?xml" not in html
    assert html.count("<svg") >= 6


def test_question_and_answer_come_first():
    html = page()
    order = [
        html.index(t)
        for t in (
            "Build the 32-GPU cluster",
            "Total over 4 years",
            "Network to buy",
            "What it costs",
            "What would flip it",
            "What it delivers",
            "What the answer rests on",
            "What this report does not know",
            "Bill of materials",
        )
    ]
    assert order == sorted(order)
    assert "Dec 1, 2026" in html


def test_money_of_the_page_is_money_of_the_results():
    design = fabric(4, 2)
    results = analysed(design)
    total = results.get("fabrics.infiniband.tco_usd")["typical"]
    divisor = 1e6 if results.get("fabrics.infiniband.tco_usd")["high"] >= 1e6 else 1e3
    assert f"{total / divisor:,.2f}" in page(design, results)


def test_names_are_escaped():
    design = fabric(2, 2)
    design.info["info"] = Info(title="<b>x</b> & co")
    change(design, "devices", "s0", name="<script>alert(1)</script>")
    change(design, "devices", "s1", name="<script>alert(1)</script>")
    html = page(design)
    assert "<script" not in html
    assert "&lt;b&gt;x&lt;/b&gt; &amp; co" in html
    markdown = summary_markdown(design, analysed(design), CATALOG, DAY)
    assert "<script" not in markdown.replace("\\<", "")


def test_findings_stand_at_the_head_and_in_their_list():
    design = fabric(4, 2)
    change(design, "devices", "s1", name="spine-1")
    html = page(design)
    assert "Findings of the drawing, counted in every number here: 1 warning" in html
    assert html.count("2 devices are called “spine-1”") == 2


@pytest.mark.parametrize("values", [{}, {"fabrics": None, "verdict": None, "counts": None}])
def test_results_without_anything_still_make_a_page(values):
    results = Results(values)
    for design in (Design(), fabric(1, 0)):
        html = summary_html(design, results, CATALOG, None, DAY)
        assert "No answer yet" in html
        assert "None" not in re.sub(r"<style>.*?</style>", "", html)
        assert summary_markdown(design, results, CATALOG, DAY)
        json.loads(summary_json(design, results, CATALOG))


def test_without_a_workload_figures_are_dashes_with_reasons():
    design = fabric(4, 2)
    html = page(design, analysed(design, workload=False))
    assert "—" in html
    assert "Performance is not counted" in html


def test_markdown_has_the_same_story():
    design = fabric(4, 2)
    text = summary_markdown(design, analysed(design), CATALOG, DAY)
    for heading in (
        "## What it costs",
        "## What would flip it",
        "## Bill of materials",
        "## What the answer rests on",
        "## Findings",
    ):
        assert heading in text
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert tables
    assert all(line.endswith("|") for line in tables)


def test_json_holds_results_and_bill():
    design = fabric(4, 2)
    value = json.loads(summary_json(design, analysed(design), CATALOG))
    assert value["schema"] == "railspine.summary/1"
    assert value["results"]["verdict"]["choice"]
    switches = [r for r in value["bill_of_materials"] if r["kind"] == "switch"]
    assert sum(r["count"] for r in switches) == 10


def test_portuguese_page_writes_numbers_its_way():
    set_language("pt_BR")
    html = page()
    assert '<html lang="pt-BR">' in html
    assert "US$" in html


def test_changed_assumptions_are_not_called_assumed():
    from designer.model.records import AssumptionValue

    design = fabric(4, 2)
    design.assumptions["pue"] = AssumptionValue(Range.exact(1.2), "our own meter", "2026-11")
    html = page(design)
    assert '<td class="src">our own meter</td>' in html
