"""What the canvas says about a drawing: legend, notes, header, marks, menus, the empty card."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton

from designer.engine.results import Results
from designer.gui.canvas.context_menu import build_menu
from designer.gui.canvas.furniture import scale_note
from designer.gui.canvas.header import trunk_note
from designer.gui.canvas.marks import marks_of
from designer.gui.canvas.quick_add import matching
from designer.gui.canvas.tips import tip
from designer.model.findings import Finding
from designer.model.operations import set_field
from designer.scene.hits import Hit


@pytest.fixture
def unit(open_canvas):
    return open_canvas("rail-optimized", size=(990, 646), gpus=256)


def test_an_empty_canvas_offers_where_to_begin(open_canvas, qtbot):
    canvas = open_canvas("blank")
    assert canvas.furniture.empty.isVisible()
    assert not canvas.furniture.legend.isVisible()
    for signal, name in (
        (canvas.template_wanted, "Start from a template"),
        (canvas.wiring_wanted, "Import wiring"),
        (canvas.tour_wanted, "Learn in 5 minutes"),
    ):
        (button,) = [
            b for b in canvas.furniture.empty.findChildren(QPushButton) if b.text() == name
        ]
        with qtbot.waitSignal(signal):
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    canvas.verbs.place_part("qm9700", 0, 0)
    assert not canvas.furniture.empty.isVisible()
    assert canvas.furniture.legend.isVisible()


def test_the_usual_trunk_and_the_rail_line_are_said_once(unit):
    assert trunk_note(unit) == "Leaf to spine: 32 trunks, each 8 × 400 Gb/s unless labelled"
    assert scale_note(unit) == "1 rail line = 32 cables"


def test_the_legend_follows_the_colours(unit, qtbot):
    qtbot.keyClick(unit, Qt.Key.Key_U)
    assert unit.state.colour == "utilization"
    assert unit.furniture.legend.heat.isVisible()
    qtbot.keyClick(unit, Qt.Key.Key_R)
    assert unit.furniture.legend.swatches.isVisible()
    assert not unit.furniture.legend.heat.isVisible()


def test_results_colour_cables_and_mark_the_worst_severity(unit):
    first, second, *_rest = unit.design.cables
    findings = [Finding("a", "warning", (first, second), "x"), Finding("b", "error", (first,), "y")]
    results = Results({}, findings=tuple(findings), utilization={first: 0.4, second: 0.93})
    assert marks_of(results) == {first: "error", second: "warning"}
    unit.set_results(results)
    assert unit.furniture.legend.heat.peak == 0.93
    assert "93 %" in tip(unit, Hit("cable", second, None, (second,)))
    unit.set_results(None)
    assert not unit.state.utilization and not unit.state.marks


def test_tooltips_name_port_speed_and_peer(open_canvas, hand):
    canvas = open_canvas()
    me = hand(canvas)
    at = me.port("srv-01", 1)
    text = tip(canvas, canvas.hit_at(at.x(), at.y()))
    assert "srv-01" in text and "400 Gb/s" in text and "leaf-1" in text
    text = tip(canvas, Hit("device", canvas.design.named("leaf-1").id))
    assert "leaf-1" in text and "free ports" in text


def test_the_menu_offers_what_fits_the_selection(open_canvas):
    canvas = open_canvas()
    texts = {a.text() for a in build_menu(canvas, (0, 0)).actions()}
    assert {"Add part…", "Add note", "Tidy"} <= texts
    canvas.select(frozenset({canvas.design.named("srv-01").id}))
    texts = {a.text() for a in build_menu(canvas, (0, 0)).actions()}
    assert {"Delete", "Duplicate", "Rename…", "Role", "Group as", "Select peers"} <= texts


def test_roles_names_and_peers_change_by_the_menu(open_canvas):
    canvas = open_canvas()
    leaf = canvas.design.named("leaf-1")
    canvas.select(frozenset({leaf.id}))
    canvas.verbs.set_role("spine")
    assert canvas.design.devices[leaf.id].role == "spine"
    canvas.verbs.rename(leaf.id, "srv-01")
    assert "srv-01" in canvas.notices[-1].title
    canvas.verbs.rename(leaf.id, "edge-1")
    assert canvas.design.devices[leaf.id].name == "edge-1"
    canvas.verbs.select_peers()
    names = {canvas.design.devices[i].name for i in canvas.selection}
    assert names == {"spine-1", "srv-01", "srv-02", "srv-03", "srv-04"}


def test_an_edit_elsewhere_forgets_what_is_gone(open_canvas):
    canvas = open_canvas()
    device = canvas.design.named("srv-01")
    canvas.select(frozenset({device.id}))
    canvas.apply(set_field(canvas.design, [device.id], "name", "head"))
    assert canvas.selection == {device.id}
    assert canvas.columns.names[canvas.columns.index[device.id]] == "head"
    canvas.verbs.delete()
    assert not canvas.selection and device.id not in canvas.columns.index


def test_search_puts_names_that_begin_so_first(catalog):
    assert matching(catalog, "sn5600")[0].slug == "sn5600"
    assert all(p.kind in ("server", "switch", "nvswitch") for p in matching(catalog, ""))


def test_double_click_on_a_device_opens_it(open_canvas, hand, qtbot):
    canvas = open_canvas()
    at = hand(canvas).at("leaf-1")
    with qtbot.waitSignal(canvas.device_opened) as seen:
        qtbot.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(at))
    assert seen.args == [canvas.design.named("leaf-1").id]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_tool_and_theme_paints(open_canvas, theme):
    canvas = open_canvas(theme="light" if theme == "dark" else "dark")
    canvas.set_theme(theme)
    for tool in ("pan", "cable", "note", "select"):
        canvas.set_tool(tool)
        assert not canvas.grab().isNull()
    for level in (0, 1, 2, 3, 4, None):
        canvas.set_detail(level)
        canvas.finish_painting()
        assert not canvas.grab().isNull()
