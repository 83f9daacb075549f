"""Language and theme change while a drawing is open; nothing of the work is lost."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLineEdit,
    QTableView,
    QTreeView,
)

from designer.gui.dialogs.start_page import StartPage
from designer.messages import language
from designer.resources import resource

TRANSLATED = any(resource("translations").rglob("*.mo"))


def _works(person):
    person.opens("four-servers")
    leaf = person.named("leaf-1").id
    person.document.selection.set({leaf})
    person.see()
    person.types(person.editor.inspector.devices.form.fields["name"], "tor-a")
    person.canvas.zoom_by(1.5)
    person.presses(Qt.Key.Key_U, on=person.canvas)
    person.picks("show_findings")
    return leaf


def _is_as_it_was(person, leaf, scale):
    assert person.design.devices[leaf].name == "tor-a"
    assert person.document.selection.ids == {leaf}
    assert person.document.undo.count() == 1
    assert person.canvas.view.scale == pytest.approx(scale)
    assert person.canvas.state.colour == "utilization"
    assert person.editor.bottom_dock.page() == "findings"
    person.wait_results()
    person.picks("undo")
    assert person.design.devices[leaf].name == "leaf-1"


def test_the_theme_changes_and_the_work_stays(person):
    leaf = _works(person)
    scale, size = person.canvas.view.scale, person.window.size()
    person.picks("dark")
    for _k in range(3):
        person.see()
    assert person.window.theme == "dark" and person.canvas.state.theme == "dark"
    assert person.window.size() == size
    picture = person.window.grab().toImage()
    assert picture.pixelColor(5, picture.height() - 8).lightness() < 80
    _is_as_it_was(person, leaf, scale)


def test_the_language_changes_and_the_work_stays(person):
    leaf = _works(person)
    scale = person.canvas.view.scale
    menu = person.window.language_menu
    next(a for a in menu.actions() if "Portug" in a.text()).trigger()
    for _k in range(3):
        person.see()
    assert language() == "pt_BR"
    person.wait_results()
    assert "," in person.editor.results.all_reduce.time.text(), "a decimal comma"
    menus = {a.text() for a in person.window.menuBar().actions()}
    assert ("Arquivo" in menus) == TRANSLATED
    _is_as_it_was(person, leaf, scale)
    assert person.workspace.settings.language == "pt_BR"


def test_the_start_page_changes_its_language(person):
    menu = person.window.language_menu
    next(a for a in menu.actions() if "Portug" in a.text()).trigger()
    person.see()
    page = person.window.stack.currentWidget()
    assert isinstance(page, StartPage)
    assert (page.search.placeholderText() != "Search templates and files") == TRANSLATED


@pytest.mark.parametrize("kind", [QAbstractButton, QComboBox, QLineEdit, QTableView, QTreeView])
def test_every_control_has_a_name_for_screen_readers(person, kind):
    person.opens("four-servers")
    person.document.selection.set({person.named("leaf-1").id})
    person.see()
    nameless = []
    for widget in person.window.findChildren(kind):
        inner = widget.objectName().startswith("qt_") or isinstance(
            widget.parent(), (QComboBox, QLineEdit, QTableView, QTreeView)
        )
        if inner or widget.focusPolicy() == Qt.FocusPolicy.NoFocus:
            continue
        text = getattr(widget, "text", str)()
        if not (widget.accessibleName() or (isinstance(widget, QAbstractButton) and text)):
            nameless.append((widget, widget.parent()))
    assert not nameless


def _tab_stops(person, most=80):
    found = []
    for _k in range(most):
        person.presses(Qt.Key.Key_Tab)
        found.append(QApplication.focusWidget())
    return found


def test_tab_walks_through_the_window_in_reading_order(person):
    person.opens("four-servers")
    assert QApplication.focusWidget() is person.canvas
    editor = person.editor
    stops = _tab_stops(person)
    order = [
        editor.parts.search,
        editor.parts.tiles[0],
        editor.outline.filter,
        editor.outline.tree,
        editor.side_dock.tabs["inspector"],
        editor.inspector.drawing.form.fields["title"],
        editor.results.traffic.figures["nvlink"],
        editor.results.hottest.rows[0],
    ]
    places = [stops.index(w) for w in order]
    assert places == sorted(places)
    assert sum(w in editor.parts.tiles for w in stops) <= 2, "one stop a round, not thirty"


def test_arrows_walk_the_palette_and_enter_adds(person):
    person.opens("blank")
    tiles = person.editor.parts.tiles
    tiles[0].setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left):
        person.presses(key)
    assert QApplication.focusWidget() is tiles[2]
    person.presses(Qt.Key.Key_Return)
    (device,) = person.design.devices.values()
    assert device.type == tiles[2].part.slug


def test_devices_and_cables_by_keyboard_alone(person):
    person.opens("four-servers")
    person.canvas.setFocus()
    person.presses(Qt.Key.Key_Tab)
    assert person.canvas.accessibleDescription() == "spine-1"
    person.presses(Qt.Key.Key_Return)
    assert person.document.selection.ids == {person.named("spine-1").id}
    person.presses(Qt.Key.Key_Delete)
    assert person.named("spine-1") is None
