"""The start page: a person looks for a template or file and takes it by mouse or keyboard."""

from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt

from designer.gui.dialogs.start_cards import RecentFile
from designer.gui.dialogs.start_page import FEATURED, StartPage
from designer.services.create import examples, open_file
from designer.topologies import TEMPLATES

RECENT = (
    RecentFile(Path("/designs/campus-east.railspine.json"), datetime(2026, 5, 12, 14, 2)),
    RecentFile(Path("/old/gone.railspine.json"), None),
)


@pytest.fixture
def page(qtbot):
    made = StartPage("light", RECENT, examples(), "Catalogue 2026-06")
    qtbot.addWidget(made)
    made.resize(1600, 960)
    made.show()
    return made


def visible(widgets):
    return [w.accessibleName() for w in widgets if w.isVisible()]


def test_it_shows_templates_recent_files_and_examples(page):
    assert visible(page.cards) == [TEMPLATES[n].title for n in FEATURED]
    assert visible(page.rows) == ["campus-east.railspine.json", "gone.railspine.json"]
    assert len(visible(page.examples)) == len(examples())


def test_a_click_on_a_card_asks_for_its_template(page, qtbot):
    card = page.cards[FEATURED.index("nvl72")]
    with qtbot.waitSignal(page.template_chosen) as got:
        qtbot.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(40, 40))
    assert got.args == ["nvl72"]


def test_letting_go_elsewhere_takes_nothing(page, qtbot):
    with qtbot.assertNotEmitted(page.template_chosen):
        qtbot.mousePress(page.cards[0], Qt.MouseButton.LeftButton)
        qtbot.mouseRelease(page.cards[0], Qt.MouseButton.LeftButton, pos=QPoint(-20, -20))
        qtbot.mouseClick(page.cards[0], Qt.MouseButton.RightButton)


def test_enter_takes_the_first_template(page, qtbot):
    qtbot.waitUntil(page.cards[0].hasFocus)
    with qtbot.waitSignal(page.template_chosen) as got:
        qtbot.keyClick(page.cards[0], Qt.Key.Key_Return)
    assert got.args == ["rail-optimized"]


def test_a_search_keeps_what_has_all_words(page, qtbot):
    qtbot.keyClicks(page.search, "roce pods")
    assert visible(page.cards) == ["RoCE, 8 pods"]
    assert visible(page.rows) == []
    assert not page.recent_title.isVisible()
    page.search.selectAll()
    qtbot.keyClicks(page.search, "campus")
    assert visible(page.cards) == []
    assert visible(page.rows) == ["campus-east.railspine.json"]
    assert not page.nothing.isVisible()
    page.search.selectAll()
    qtbot.keyClicks(page.search, "zzz")
    assert page.nothing.isVisible()
    page.search.clear()
    assert len(visible(page.cards)) == len(FEATURED)
    assert page.recent_title.isVisible()


def test_a_recent_file_opens_in_its_place_and_an_example_as_new(page, qtbot):
    with qtbot.waitSignal(page.file_chosen) as got:
        qtbot.mouseClick(page.rows[0], Qt.MouseButton.LeftButton)
    assert got.args == [str(RECENT[0].path)]
    with qtbot.waitSignal(page.example_chosen) as got:
        qtbot.keyClick(page.examples[0], Qt.Key.Key_Space)
    assert got.args == [str(next(iter(examples().values())))]


def test_the_size_of_an_example_is_what_its_file_holds():
    for name, path in examples().items():
        design = open_file(path)
        gpus = sum(design.gpus(d) or 0 for d in design.devices.values())
        assert TEMPLATES[name].size == f"{gpus:,} GPUs"


@pytest.mark.parametrize("key", ["open", "import", "learn"])
def test_buttons_at_the_side_say_what_is_wanted(page, qtbot, key):
    with qtbot.waitSignal(getattr(page, f"{key}_requested")):
        qtbot.mouseClick(page.side_buttons[key], Qt.MouseButton.LeftButton)


def test_recent_goes_to_the_newest_file(page, qtbot):
    qtbot.mouseClick(page.side_buttons["recent"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(page.rows[0].hasFocus)


def test_a_smaller_window_has_fewer_columns_and_hides_nothing(page, qtbot):
    page.resize(900, 700)
    qtbot.wait(20)
    assert page.grid.columnCount() == 4  # a column without cards takes no room
    right = max(c.geometry().right() for c in page.cards)
    assert right <= page.pane.viewport().width()
    assert len(visible(page.cards)) == len(FEATURED)


def test_without_recent_files_it_says_where_they_will_be(qtbot):
    page = StartPage("dark", (), {})
    qtbot.addWidget(page)
    page.show()
    assert page.recent_list.isVisible()
    qtbot.mouseClick(page.side_buttons["recent"], Qt.MouseButton.LeftButton)
