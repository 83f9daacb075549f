"""InfiniBand or RoCE: a person sees both columns, the verdict and charts, and asks why."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from designer.gui.dialogs.compare_charts import cost_over_years
from designer.gui.dialogs.compare_marks import PairBars
from designer.gui.dialogs.compare_table import SECTIONS, difference
from designer.gui.dialogs.compare_verdict import flip_note, flip_text
from designer.gui.dialogs.compare_window import CompareWindow
from designer.units import format_money


def words(widget):
    return [w.text() for w in widget.findChildren(QLabel) if w.text()]


@pytest.fixture(params=["light", "dark"])
def window(request, results, qtbot):
    made = CompareWindow(results, "h100-256", request.param)
    qtbot.addWidget(made)
    made.show()
    qtbot.wait(10)
    return made


def test_it_shows_both_technologies_and_the_verdict(window, results):
    text = words(window)
    for wanted in ("InfiniBand", "RoCE", "Too close to call", "Why", "What would flip it"):
        assert wanted in text
    assert results.get("verdict.sentence") in text
    for reason in results.get("verdict.reasons"):
        assert reason in text
    assert window.subtitle.text() == "h100-256 · 256 GPUs · 12 switches · 4 years"


def test_every_figure_of_the_table_is_that_of_the_results(window, results):
    text = words(window.table) + [f.text() for f in window.table.figures.values()]
    for fabric in ("infiniband", "rocev2"):
        for _title, lines in SECTIONS:
            for _name, key, form in lines:
                value = results.get(f"fabrics.{fabric}.{key}")
                if "nvswitch" not in key:
                    assert form(value) in text, (fabric, key)


def test_a_row_of_zeros_is_left_out(window):
    assert "NVSwitch trays" not in words(window.table)


def test_a_click_on_a_figure_asks_why(window, qtbot):
    key = "fabrics.rocev2.tco_usd"
    with qtbot.waitSignal(window.explain_requested) as got:
        qtbot.mouseClick(window.table.figures[key], Qt.MouseButton.LeftButton)
    assert got.args[0] == key
    assert window.table.mapFromGlobal(got.args[1]).y() > 0


def test_its_buttons_ask_for_assumptions_and_the_summary(window, qtbot):
    with qtbot.waitSignal(window.assumptions_requested):
        qtbot.mouseClick(window.buttons["assumptions"], Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(window.export_requested):
        qtbot.mouseClick(window.buttons["export"], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(window.buttons["close"], Qt.MouseButton.LeftButton)
    assert not window.isVisible()


def test_bars_say_their_values_to_a_screen_reader(window):
    names = [b.accessibleName() for b in window.findChildren(PairBars)]
    assert any(n.startswith("Switches InfiniBand $") for n in names)
    assert any("Training step InfiniBand 18.9 s" in n for n in names)


def test_without_results_it_waits_and_then_shows_them(results, qtbot):
    window = CompareWindow(None, "new", "light")
    qtbot.addWidget(window)
    window.show()
    assert "Computing" in words(window)
    window.set_results(results)
    assert "Too close to call" in words(window)


def test_new_results_keep_the_place(window, results, qtbot):
    window.resize(1200, 600)
    qtbot.wait(10)
    window.pane.verticalScrollBar().setValue(240)
    window.set_results(results)
    qtbot.wait(10)
    assert window.pane.verticalScrollBar().value() == 240


def test_without_a_workload_money_is_compared_and_times_say_why_not(bare_results, qtbot):
    window = CompareWindow(bare_results, "", "light")
    qtbot.addWidget(window)
    window.show()
    dashes = [w for w in window.table.findChildren(QLabel) if w.text() == "—"]
    assert dashes
    assert all(w.toolTip() for w in dashes)


def test_costs_begin_at_the_purchase_and_end_at_the_years(results):
    low, typical, high = cost_over_years(results, "infiniband", 4)
    fabric = results.get("fabrics.infiniband")
    assert typical[0] == pytest.approx(fabric["capex_usd"]["total"]["typical"])
    # the total of the results, in US dollars, is the end of the line
    assert typical[-1] == pytest.approx(fabric["tco_usd"]["typical"])
    assert np.all(low <= typical)
    assert np.all(typical <= high)


def test_differences_have_a_sign_and_small_ones_are_equal():
    assert difference([100.0, 150.0]) == "+50.0 %"
    assert difference(
        [{"low": 1, "typical": 2, "high": 3}, {"low": 1, "typical": 1, "high": 3}]
    ) == ("−50.0 %")
    assert difference([100.0, 100.01]) == "equal"
    assert difference([None, 1.0]) == ""
    assert difference([0.0, 1.0]) == ""


def test_a_flip_says_what_has_to_become_how_large():
    flip = {"label": "Price", "unit": "USD", "now": 750.0, "value": 846.0, "above": True}
    assert flip_text(flip) == f"Price: above {format_money(846.0)}"
    assert flip_note(flip | {"inside": True}) == "now $750"
    assert flip_note(flip | {"inside": False}) == "now $750; outside its range"
