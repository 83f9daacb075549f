"""What a person does on the canvas, with real mouse and key events."""

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent

from designer.gui.canvas.drops import PART_MIME
from designer.gui.canvas.quick_add import counted
from designer.model.ports import Port, free_ports, port_users
from designer.scene.layout import arrange
from designer.scene.paths import way_middles
from designer.scene.strands import trunk_ends

SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def canvas(open_canvas):
    return open_canvas()


@pytest.fixture
def me(canvas, hand):
    return hand(canvas)


def _id(canvas, name):
    return canvas.design.named(name).id


def _free(canvas, name, family):
    device = canvas.design.named(name)
    return free_ports(canvas.design, device, family)[0].number


def _unplug(canvas, name, number, family="nic"):
    """Remove the cable at a port, so that both its ends are free."""
    device = canvas.design.named(name)
    cable = port_users(canvas.design, device)[Port(family, number)][0]
    peer = canvas.design.cables[cable].other_end(device.id)
    canvas.select(frozenset({cable}))
    canvas.verbs.delete()
    return canvas.design.devices[peer.device].name, peer.first


def _drop(canvas, data, at):
    event = QDropEvent(
        QPointF(at),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    canvas.drops.eventFilter(canvas, event)


def test_drag_a_part_from_the_palette_to_the_drawing(canvas):
    data = QMimeData()
    data.setData(PART_MIME, b"dgx-h200")
    before = set(canvas.design.devices)
    _drop(canvas, data, QPoint(300, 200))
    (new,) = set(canvas.design.devices) - before
    device, place = canvas.design.devices[new], canvas.design.placements[new]
    assert device.type == "dgx-h200"
    assert canvas.selection == {new}
    assert place.x % 8 == place.y % 8 == 0
    assert canvas.design.types[canvas.design.types["dgx-h200"].nic].kind == "nic"
    x, y = canvas.view.to_drawing(300, 200)
    assert abs(place.x - x) <= 4 and abs(place.y - y) <= 4


def test_a_dropped_file_goes_to_the_window(canvas, qtbot, tmp_path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "fabric.txt"))])
    with qtbot.waitSignal(canvas.files_dropped) as seen:
        _drop(canvas, data, QPoint(10, 10))
    assert seen.args == [[str(tmp_path / "fabric.txt")]]


def test_an_unknown_part_is_refused_with_a_notice(canvas):
    data = QMimeData()
    data.setData(PART_MIME, b"warp-core")
    _drop(canvas, data, QPoint(10, 10))
    assert "warp-core" in canvas.notices[-1].title


def test_click_selects_shift_click_toggles_empty_canvas_clears(canvas, me):
    me.click(me.at("srv-01"))
    assert canvas.selection == {_id(canvas, "srv-01")}
    me.click(me.at("srv-02"), SHIFT)
    assert len(canvas.selection) == 2
    me.click(me.at("srv-01"), SHIFT)
    assert canvas.selection == {_id(canvas, "srv-02")}
    me.click(QPoint(1190, 300))
    assert not canvas.selection


def test_click_on_a_cable_selects_the_trunk(canvas, me):
    row = next(k for k, n in enumerate(canvas.columns.bundles.count) if n == 16)
    frame, rows = canvas.frame(), np.array([row])
    x, y = way_middles(frame, rows, trunk_ends(frame, rows), 0.25)[0]
    me.click(QPoint(round(x), round(y)))
    assert canvas.selection == set(canvas.columns.bundles.cables[row])


def test_rubber_band_takes_what_it_encloses(canvas, me):
    first, last = me.at("srv-01"), me.at("srv-04")
    me.drag(QPoint(first.x() - 120, first.y() - 150), QPoint(last.x() + 120, last.y() + 120))
    names = {canvas.design.devices[i].name for i in canvas.selection}
    assert names == {"srv-01", "srv-02", "srv-03", "srv-04"}


def test_drag_moves_one_step_of_undo_on_the_grid(canvas, me):
    here = me.at("srv-02")
    before = dict(canvas.design.placements)
    me.drag(here, here + QPoint(60, 41))
    moved = canvas.design.placements[_id(canvas, "srv-02")]
    old = before[_id(canvas, "srv-02")]
    assert moved.x % 8 == moved.y % 8 == 0
    assert abs(moved.x - old.x - 60 / canvas.view.scale) <= 4
    assert len(canvas.document.done) == 1
    canvas.document.undo()
    assert canvas.design.placements == before


def test_dragging_a_selection_moves_all_of_it_once(canvas, me):
    me.click(me.at("srv-01"))
    me.click(me.at("srv-02"), SHIFT)
    before = dict(canvas.design.placements)
    me.drag(me.at("srv-02"), me.at("srv-02") + QPoint(0, 80))
    changed = {i for i in before if before[i] != canvas.design.placements[i]}
    assert changed == {_id(canvas, "srv-01"), _id(canvas, "srv-02")}
    assert len(canvas.document.done) == 1


def test_esc_in_the_middle_of_a_move_puts_everything_back(canvas, me, qtbot):
    here = me.at("srv-01")
    revision = canvas.design.revision
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=here)
    qtbot.mouseMove(canvas, here + QPoint(90, 30))
    assert canvas.gesture is not None
    me.key(Qt.Key.Key_Escape)
    assert canvas.gesture is None
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=here + QPoint(90, 30))
    assert canvas.design.revision == revision


def test_arrows_nudge_by_8_and_64_as_one_step(canvas, me):
    me.click(me.at("srv-01"))
    before = canvas.design.placements[_id(canvas, "srv-01")]
    me.key(Qt.Key.Key_Right)
    me.key(Qt.Key.Key_Right)
    me.key(Qt.Key.Key_Down, SHIFT)
    after = canvas.design.placements[_id(canvas, "srv-01")]
    assert (after.x - before.x, after.y - before.y) == (16, 64)
    assert len(canvas.document.done) == 1


def test_cable_from_port_to_port_by_dragging(canvas, me):
    leaf, port = _unplug(canvas, "srv-04", 8)
    count = len(canvas.design.cables)
    me.drag(me.port("srv-04", 8), me.port(leaf, port))
    assert len(canvas.design.cables) == count + 1
    new = list(canvas.design.cables.values())[-1]
    assert new.end_at(_id(canvas, "srv-04")).first == 8
    assert new.other_end(_id(canvas, "srv-04")).first == port
    canvas.document.undo()
    assert len(canvas.design.cables) == count


def test_cable_by_two_clicks_with_the_cable_tool_from_the_other_end(canvas, me, qtbot):
    leaf, port = _unplug(canvas, "srv-04", 8)
    count = len(canvas.design.cables)
    me.key(Qt.Key.Key_C)
    assert canvas.tool == "cable"
    me.click(me.port(leaf, port))
    qtbot.mouseMove(canvas, me.port("srv-04", 8))
    assert canvas.target_card.isVisible()
    assert "srv-04" in canvas.target_card.title.text()
    me.click(me.port("srv-04", 8))
    assert len(canvas.design.cables) == count + 1
    assert not canvas.target_card.isVisible()


def test_a_busy_port_is_refused_from_either_end_with_the_reason(canvas, me, qtbot):
    leaf, port = _unplug(canvas, "srv-04", 8)
    count = len(canvas.design.cables)
    me.drag(me.port("srv-01", 1), me.port(leaf, port))
    assert len(canvas.design.cables) == count
    assert "srv-01" in canvas.notices[-1].title and "taken" in canvas.notices[-1].title
    assert canvas.bubble.isVisible()
    busy = next(
        n
        for n in range(1, 33)
        if n != port and Port("fabric", n) in port_users(canvas.design, canvas.design.named(leaf))
    )
    me.drag(me.port("srv-04", 8), me.port(leaf, busy))
    assert len(canvas.design.cables) == count
    assert leaf in canvas.notices[-1].title and "taken" in canvas.notices[-1].title
    assert canvas.bubble.text.text() == canvas.notices[-1].title
    assert canvas.gesture is None


def test_incompatible_ports_are_refused(canvas, me):
    data = QMimeData()
    data.setData(PART_MIME, b"sn5600")
    _drop(canvas, data, QPoint(1000, 640))
    (new,) = canvas.selection
    canvas.zoom_to_fit()
    count = len(canvas.design.cables)
    me.drag(
        me.port("leaf-1", _free(canvas, "leaf-1", "fabric")),
        me.port(canvas.design.devices[new].name, 1),
    )
    assert len(canvas.design.cables) == count
    assert "infiniband" in canvas.notices[-1].title.lower()


def test_esc_cancels_a_cable(canvas, me, qtbot):
    _unplug(canvas, "srv-04", 8)
    count = len(canvas.design.cables)
    me.key(Qt.Key.Key_C)
    me.click(me.port("srv-04", 8))
    qtbot.mouseMove(canvas, QPoint(500, 500))
    assert canvas.gesture is not None
    me.key(Qt.Key.Key_Escape)
    assert canvas.gesture is None
    assert len(canvas.design.cables) == count


def test_dropping_on_a_body_takes_its_next_free_port(canvas, me):
    _unplug(canvas, "srv-04", 8)
    free = _free(canvas, "leaf-1", "fabric")
    me.drag(me.port("srv-04", 8), me.at("leaf-1"))
    new = list(canvas.design.cables.values())[-1]
    assert new.end_at(_id(canvas, "leaf-1")).first == free


def test_tab_walks_the_free_ports_of_the_target(canvas, me, qtbot):
    _unplug(canvas, "srv-04", 8)
    me.key(Qt.Key.Key_C)
    me.click(me.port("srv-04", 8))
    qtbot.mouseMove(canvas, me.at("leaf-1"))
    first = canvas.gesture.target.port
    me.key(Qt.Key.Key_Tab)
    second = canvas.gesture.target.port
    assert second > first
    me.key(Qt.Key.Key_Return)
    assert (
        list(canvas.design.cables.values())[-1].end_at(_id(canvas, "leaf-1")).first == second.number
    )


def test_shift_keeps_drawing_from_the_next_free_port(canvas, me):
    spine = canvas.design.named("spine-1")
    before = len(canvas.design.cables)
    me.key(Qt.Key.Key_C)
    start = _free(canvas, "leaf-1", "fabric")
    me.click(me.port("leaf-1", start))
    me.click(me.at("spine-1"), SHIFT)
    assert canvas.gesture is not None
    assert canvas.gesture.source.port.number > start
    me.click(me.at("spine-1"))
    assert canvas.gesture is None
    assert len(canvas.design.cables) == before + 2
    assert all(c.end_at(spine.id) for c in list(canvas.design.cables.values())[-2:])


def test_far_out_devices_are_joined_with_a_count(canvas, me, qtbot):
    canvas.zoom_by(0.3)
    assert canvas.frame().level < 3
    me.key(Qt.Key.Key_C)
    me.click(me.at("leaf-1"))
    me.click(me.at("spine-1"))
    card = canvas.question.card
    assert card is not None and card.number.maximum() == 32
    card.number.setValue(4)
    qtbot.mouseClick(card.button, Qt.MouseButton.LeftButton)
    new = list(canvas.design.cables.values())[-1]
    assert new.count == 4
    assert canvas.question.card is None


def test_delete_takes_the_cables_along_and_undo_brings_all_back(canvas, me):
    before = canvas.design.snapshot()
    me.click(me.at("leaf-1"))
    me.key(Qt.Key.Key_Delete)
    gone = before.named("leaf-1").id
    assert gone not in canvas.design.devices
    assert not any(gone in (c.a.device, c.b.device) for c in canvas.design.cables.values())
    assert not canvas.selection
    canvas.document.undo()
    assert canvas.design.cables == before.cables
    assert canvas.design.placements == before.placements


def test_duplicate_keeps_the_inner_cables_under_fresh_ids(canvas, me):
    me.click(me.at("leaf-1"))
    me.click(me.at("srv-01"), SHIFT)
    inner = sum(
        1 for c in canvas.design.cables.values() if {c.a.device, c.b.device} == canvas.selection
    )
    devices, cables = set(canvas.design.devices), set(canvas.design.cables)
    me.key(Qt.Key.Key_D, CTRL)
    assert len(set(canvas.design.devices) - devices) == 2
    assert len(set(canvas.design.cables) - cables) == inner
    assert canvas.selection == set(canvas.design.devices) - devices


def test_copy_and_paste_into_another_window(canvas, me, open_canvas, hand):
    me.key(Qt.Key.Key_A, CTRL)
    me.key(Qt.Key.Key_C, CTRL)
    other = open_canvas("blank")
    hand(other).key(Qt.Key.Key_V, CTRL)
    assert len(other.design.devices) == len(canvas.design.devices)
    assert sum(c.count for c in other.design.cables.values()) == sum(
        c.count for c in canvas.design.cables.values()
    )
    assert not set(other.design.devices) & set(canvas.design.devices)
    assert set(other.design.types) >= {d.type for d in canvas.design.devices.values()}


def test_pasting_something_else_is_refused_kindly(canvas, me, qapp):
    qapp.clipboard().setText("hello")
    me.key(Qt.Key.Key_V, CTRL)
    assert "clipboard" in canvas.notices[-1].title


def test_quick_add_by_slash_typing_and_enter(canvas, me, qtbot):
    me.key(Qt.Key.Key_Slash)
    search = canvas.furniture.search
    assert search.isVisible()
    qtbot.keyClicks(search.field, "qm97")
    assert next(iter(search.slugs())).startswith("qm97")
    qtbot.keyClick(search.field, Qt.Key.Key_Return)
    assert not search.isVisible()
    (new,) = canvas.selection
    assert canvas.design.devices[new].type.startswith("qm97")


def test_quick_add_places_several_in_their_tier_and_in_view(canvas, me, qtbot):
    leaf = canvas.design.placements[_id(canvas, "leaf-1")].y
    before = len(canvas.design.devices)
    me.key(Qt.Key.Key_Slash)
    search = canvas.furniture.search
    qtbot.keyClicks(search.field, "4 qm9700")
    assert search.list.item(0).text().startswith("4 × ")
    qtbot.keyClick(search.field, Qt.Key.Key_Return)
    assert len(canvas.design.devices) == before + 4 and len(canvas.selection) == 4
    assert {canvas.design.placements[i].y for i in canvas.selection} == {leaf}
    x, y, w, h = canvas.boxes(canvas.selection).T
    assert x.min() >= 0 and (x + w).max() <= canvas.width(), "what was placed is seen"
    assert y.min() >= 0 and (y + h).max() <= canvas.height()


@pytest.mark.parametrize(
    ("query", "count", "wanted"),
    [
        ("4 qm9700", 4, "qm9700"),
        ("12x dgx", 12, "dgx"),
        ("3 × dgx h100", 3, "dgx h100"),
        ("8-gpu", 1, "8-gpu"),
        ("400g", 1, "400g"),
        ("0 qm9700", 1, "0 qm9700"),
        ("900 qm9700", 64, "qm9700"),
        ("7", 1, "7"),
    ],
)
def test_how_many_are_wanted(query, count, wanted):
    assert counted(query) == (count, wanted)


def test_double_click_on_empty_canvas_opens_quick_add_there(canvas, qtbot):
    qtbot.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(1100, 300))
    search = canvas.furniture.search
    assert search.isVisible()
    qtbot.keyClicks(search.field, "no such part")
    assert not [s for s in search.slugs() if s]
    qtbot.keyClick(search.field, Qt.Key.Key_Escape)
    assert not search.isVisible()


def test_a_note_is_written_changed_and_emptied(canvas, me, qtbot):
    me.key(Qt.Key.Key_N)
    me.click(QPoint(1000, 300))
    text = canvas.furniture.editor.text
    qtbot.keyClicks(text, "move this rack")
    qtbot.keyClick(text, Qt.Key.Key_Return, CTRL)
    (note,) = canvas.design.notes.values()
    assert note.text == "move this rack"
    me.key(Qt.Key.Key_V)
    qtbot.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(1000, 300))
    text.setPlainText("")
    qtbot.keyClick(text, Qt.Key.Key_Return, CTRL)
    assert not canvas.design.notes


def test_tab_walks_devices_and_enter_cables_without_a_mouse(canvas, me):
    _unplug(canvas, "leaf-1", 1, "fabric")
    count = len(canvas.design.cables)
    canvas.select(frozenset())
    me.key(Qt.Key.Key_Tab)
    assert canvas.design.devices[canvas.keyboard.focus.device].name == "spine-1"
    me.key(Qt.Key.Key_Tab)
    assert canvas.design.devices[canvas.keyboard.focus.device].name == "leaf-1"
    while canvas.keyboard.focus.port is None or canvas.keyboard.focus.port.number != 1:
        me.key(Qt.Key.Key_Right)
    me.key(Qt.Key.Key_Return)
    assert canvas.gesture is not None
    me.key(Qt.Key.Key_Right)
    me.key(Qt.Key.Key_Return)
    assert len(canvas.design.cables) == count + 1


def test_align_and_tidy(canvas, me):
    ids = [_id(canvas, n) for n in ("srv-01", "srv-02")]
    me.drag(me.at("srv-02"), me.at("srv-02") + QPoint(0, 60))
    canvas.select(frozenset(ids))
    canvas.verbs.arrange("align_top")
    assert len({canvas.design.placements[i].y for i in ids}) == 1
    me.key(Qt.Key.Key_L, CTRL)
    assert not {s.id for s in arrange(canvas.design).swaps} & set(ids)
