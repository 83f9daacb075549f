"""Why this number: a person reads, follows a source, copies, closes."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from designer.engine.results import Explanation, Step, Term
from designer.gui.dialogs.explain_parts import part_unit, with_subscripts
from designer.gui.dialogs.explain_popover import ExplainPopover

KEY = "collectives.all_reduce.time_s"


@pytest.fixture
def host(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(1280, 800)
    widget.show()
    return widget


@pytest.fixture
def popover(host, results, qtbot):
    made = ExplainPopover(host, results.explanations[KEY], "5.89 ms", "light")
    made.popup(QPoint(600, 760))
    qtbot.wait(5)
    return made


def words(widget):
    return [w.text() for w in widget.findChildren(QLabel) if w.text()]


def test_it_shows_formula_symbols_sources_steps_and_the_bottleneck(popover):
    text = "\n".join(words(popover))
    for wanted in ("why 5.89 ms?", "<sub>nvls</sub>", "message, each GPU", "1.07 GB", "Steps"):
        assert wanted in text
    assert "Bottleneck: " in text


def test_it_stays_inside_the_window(popover, host):
    assert host.rect().contains(popover.geometry())


@pytest.mark.parametrize("at", [(0, 0), (1279, 0), (0, 799), (1279, 799), (640, 400)])
def test_it_stays_inside_wherever_the_figure_is(host, results, at):
    made = ExplainPopover(host, results.explanations["step.time_s"], "14.2 s", "dark")
    made.popup(QPoint(*at))
    assert host.rect().contains(made.geometry())
    made.dismiss()


def test_esc_closes_it(popover, qtbot):
    with qtbot.waitSignal(popover.closed):
        qtbot.keyClick(popover, Qt.Key.Key_Escape)
    assert not popover.isVisible()


def test_the_cross_closes_it(popover, qtbot):
    with qtbot.waitSignal(popover.closed):
        qtbot.mouseClick(popover.close_button, Qt.MouseButton.LeftButton)


def test_a_click_beside_it_closes_it_and_still_does_what_it_does(popover, host, qtbot):
    button = QPushButton("beside", host)
    button.show()
    with qtbot.waitSignals([popover.closed, button.clicked]):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_click_inside_leaves_it_open(popover, qtbot):
    qtbot.mouseClick(popover, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert popover.isVisible()
    popover.dismiss()


def test_a_source_that_can_be_changed_is_a_link(popover, results, qtbot):
    keys = [t.key for t in results.explanations[KEY].terms if t.key]
    link = next(b for b in popover.terms.links if b.text() == "Change")
    with qtbot.waitSignal(popover.edit_assumption) as got:
        qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    assert got.args == keys[:1]
    assert not popover.isVisible()


def test_a_source_in_the_drawing_is_shown_there(popover, results, qtbot):
    ids = next(t.ids for t in results.explanations[KEY].terms if t.ids)
    link = next(b for b in popover.terms.links if b.text() == "Show")
    with qtbot.waitSignal(popover.show_ids) as got:
        qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    assert got.args == [ids]


def test_the_bottleneck_is_shown_on_the_canvas(popover, results, qtbot):
    with qtbot.waitSignal(popover.show_ids) as got:
        qtbot.mouseClick(popover.show_button, Qt.MouseButton.LeftButton)
    assert got.args == [results.explanations[KEY].bottleneck_ids]


def test_it_can_be_copied_as_text(popover, qtbot):
    qtbot.mouseClick(popover.copy_button, Qt.MouseButton.LeftButton)
    text = QGuiApplication.clipboard().text()
    assert "why 5.89 ms?" in text
    assert "S  message, each GPU: 1.07 GB" in text
    assert popover.copy_button.text() == "Copied"
    popover.dismiss()


def test_every_explanation_opens(host, results, bare_results):
    for found in (results, bare_results):
        for explanation in found.explanations.values():
            made = ExplainPopover(host, explanation, "1", "light")
            made.popup(QPoint(300, 300))
            assert explanation.title in words(made)
            made.dismiss()


def test_an_explanation_without_anything_but_a_title_opens(host):
    made = ExplainPopover(host, Explanation("k", "Why?", "a = b", (), ()), "3", "dark")
    made.popup(QPoint(10, 10))
    assert "3" in words(made)
    made.dismiss()


def test_what_stands_after_an_underscore_is_set_lower():
    assert with_subscripts("B_nvls ÷ 2 < x") == "B<sub>nvls</sub> ÷ 2 &lt; x"
    assert with_subscripts("e_DP + Σ B_nic") == "e<sub>DP</sub> + Σ B<sub>nic</sub>"


def test_parts_have_the_unit_of_the_term_they_are():
    terms = (Term("c", "compute", 13.5, "s", "drawing"),)
    steps = (Step("1 − 13.5 ÷ 14", 0.036, "%"),)
    found = Explanation("k", "t", "f", terms, steps, (), (("Compute", 13.5), ("Rest", 0.5)))
    assert part_unit(found) == "s"


def test_parts_have_a_unit_in_every_explanation_of_a_step(results):
    assert part_unit(results.explanations["step.gpu_idle_share"]) == "s"
    assert part_unit(results.explanations["fabrics.infiniband.tco_usd"]) == "USD"
    assert part_unit(results.explanations["traffic.share.nvlink"]) == "B"
