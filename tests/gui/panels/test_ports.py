"""The port panel, as a person uses it."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip

from designer.catalog.types import PortFamily
from designer.gui.panels.port_facts import tip_lines
from designer.model.faceplate import columns_of, rows_of, seat
from designer.model.ports import Port

LEFT = Qt.MouseButton.LeftButton


def _ports(person, *names):
    person.editor.show_page(person.editor.bottom_dock, "ports")
    person.document.selection.set({person.named(n).id for n in names})
    person.see()
    return person.editor.ports


def _spot(plate, k):
    return plate.cells[k].box.center().toPoint()


def _free(plate):
    return next(k for k, f in enumerate(plate.facts) if not f.cable)


def _used(plate):
    return next(k for k, f in enumerate(plate.facts) if f.cable)


def test_ports_sit_as_the_maker_numbers_them():
    twin = PortFamily("fabric", 64, "P{n}", (400e9,), "osfp", 2)
    assert [seat(twin, n) for n in (1, 2, 3, 4, 5)] == [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0)]
    assert (rows_of(twin), columns_of(twin)) == (2, 32)
    places = {seat(twin, n) for n in range(1, 65)}
    assert len(places) == 64
    assert rows_of(PortFamily("nic", 8, "NIC {n}", (400e9,))) == 1


def test_the_front_shows_every_port_and_says_what_is_in_it(person, monkeypatch):
    person.opens("four-servers")
    leaf = next(d for d in person.design.devices.values() if d.role == "leaf")
    panel = _ports(person, leaf.name)
    plate = panel.plates[0]
    total = sum(f.count for f in person.design.families(leaf).values())
    assert len(plate.cells) == len(plate.facts) == total
    assert all(plate.rect().contains(c.box.toRect()) for c in plate.cells)
    k = _used(plate)
    text = tip_lines(person.design, person.document.catalog, plate.facts[k])
    assert "→" in text and "Gb/s" in text and " m" in text
    # a real tooltip would raise a window, which the offscreen platform cannot
    shown = []
    monkeypatch.setattr(QToolTip, "showText", lambda _at, words, _widget: shown.append(words))
    at = _spot(plate, k)
    plate.event(QHelpEvent(QHelpEvent.Type.ToolTip, at, plate.mapToGlobal(at)))
    assert shown == [text]


def test_a_click_selects_the_cable_and_the_front_stays(person):
    person.opens("four-servers")
    leaf = next(d for d in person.design.devices.values() if d.role == "leaf")
    panel = _ports(person, leaf.name)
    plate = panel.plates[0]
    k = _used(plate)
    person.clicks(plate, _spot(plate, k))
    assert person.document.selection.ids == {plate.facts[k].cable}
    assert plate.device == leaf.id and panel.lines["peer"].text().startswith("→")


def test_enter_and_double_click_jump_to_the_peer(person):
    person.opens("four-servers")
    leaf = next(d for d in person.design.devices.values() if d.role == "leaf")
    panel = _ports(person, leaf.name)
    plate = panel.plates[0]
    k = _used(plate)
    device, port = plate.facts[k].peer
    person.double_clicks(plate, _spot(plate, k))
    assert person.document.selection.ids == {device}
    assert panel.plates[0].device == device and panel.plates[0].fact.port == port
    person.presses(Qt.Key.Key_Return, on=panel.plates[0])
    assert person.document.selection.ids == {leaf.id}


def test_arrows_walk_the_front_and_go_down_a_column(person):
    person.opens("four-servers")
    leaf = next(d for d in person.design.devices.values() if d.role == "leaf")
    plate = _ports(person, leaf.name).plates[0]
    plate.setFocus()
    plate.walk(0)
    first = plate.cells[0].box
    person.presses(Qt.Key.Key_Down, on=plate)
    assert plate.cells[plate.focus].box.x() == first.x() and plate.focus
    person.presses(Qt.Key.Key_Up, on=plate)
    person.presses(Qt.Key.Key_Right, on=plate)
    assert plate.cells[plate.focus].box.y() == first.y() and plate.focus
    assert plate.accessibleDescription()


def _two_free(person):
    """Open a drawing with two switches that have free ports."""
    person.opens("blank")
    canvas = person.canvas
    for x in (-500, 500):
        canvas.verbs.place_part("qm9700", x, 0)
    names = [d.name for d in person.design.devices.values()]
    canvas.zoom_to_fit()
    person.see()
    return names


def test_a_cable_is_dragged_to_the_other_front(person):
    one, two = _two_free(person)
    panel = _ports(person, one, two)
    first, second = panel.plates
    start, stop = _spot(first, 4), second.mapToGlobal(_spot(second, 9))
    person.bot.mousePress(first, LEFT, Qt.KeyboardModifier.NoModifier, start)
    for at in (start + QPoint(30, 0), first.mapFromGlobal(stop)):
        person.bot.mouseMove(first, at)
    assert person.canvas.gesture is not None
    assert second.fits
    person.bot.mouseRelease(first, LEFT, Qt.KeyboardModifier.NoModifier, first.mapFromGlobal(stop))
    person.see()
    (cable,) = person.design.cables.values()
    assert {(e.device, e.first) for e in (cable.a, cable.b)} == {
        (first.device, first.facts[4].port.number),
        (second.device, second.facts[9].port.number),
    }
    assert person.canvas.gesture is None and second.fits is None
    assert first.facts[4].cable == cable.id
    person.document.undo.undo()
    assert not person.design.cables


def test_a_cable_is_dragged_to_the_canvas(person):
    one, two = _two_free(person)
    panel = _ports(person, one)
    plate = panel.plates[0]
    start = _spot(plate, 2)
    stop = plate.mapFromGlobal(person.canvas.mapToGlobal(person.at(two)))
    person.bot.mousePress(plate, LEFT, Qt.KeyboardModifier.NoModifier, start)
    for at in (start + QPoint(30, 0), stop):
        person.bot.mouseMove(plate, at)
    person.bot.mouseRelease(plate, LEFT, Qt.KeyboardModifier.NoModifier, stop)
    person.see()
    (cable,) = person.design.cables.values()
    assert {cable.a.device, cable.b.device} == {person.named(one).id, person.named(two).id}
    assert cable.end_at(person.named(one).id).first == plate.facts[2].port.number


def test_a_drag_to_nowhere_makes_nothing(person):
    one, _two = _two_free(person)
    panel = _ports(person, one)
    plate = panel.plates[0]
    start = _spot(plate, 2)
    person.bot.mousePress(plate, LEFT, Qt.KeyboardModifier.NoModifier, start)
    for at in (start + QPoint(30, 0), QPoint(start.x(), plate.height() - 1)):
        person.bot.mouseMove(plate, at)
    person.bot.mouseRelease(
        plate, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(start.x(), plate.height() - 1)
    )
    person.see()
    assert not person.design.cables and person.canvas.gesture is None


def test_enter_begins_a_cable_and_enter_on_the_other_front_ends_it(person):
    one, two = _two_free(person)
    panel = _ports(person, one, two)
    first, second = panel.plates
    first.setFocus()
    first.walk(6)
    person.presses(Qt.Key.Key_Return, on=first)
    assert first.source == first.facts[6].port and second.hasFocus()
    assert Port("fabric", 1) in second.fits
    person.presses(Qt.Key.Key_Right, on=second)
    port = second.fact.port
    person.presses(Qt.Key.Key_Return, on=second)
    (cable,) = person.design.cables.values()
    assert cable.end_at(second.device).first == port.number
    first.setFocus()
    first.walk(7)
    person.presses(Qt.Key.Key_Return, on=first)
    person.presses(Qt.Key.Key_Escape, on=second)
    assert person.canvas.gesture is None and first.source is None
    assert len(person.design.cables) == 1


def test_ports_are_split_and_joined_from_here(person):
    person.opens("blank")
    part = next(
        p
        for p in person.document.catalog
        if p.kind == "switch" and (f := p.family("fabric")) and f.breakouts
    )
    person.canvas.verbs.place_part(part.slug, 0, 0)
    (device,) = person.design.devices.values()
    panel = _ports(person, device.name)
    plate = panel.plates[0]
    before = len(plate.facts)
    plate.setFocus()
    plate.walk(0)
    person.presses(Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier, on=plate)
    held = {f.port.number for f in plate.chosen()}
    panel.split.setFocus()
    panel.split.setCurrentIndex(1)
    panel.split.activated.emit(1)
    person.see()
    lanes = part.family("fabric").breakouts[0].lanes
    assert len(plate.facts) == before + len(held) * (lanes - 1)
    boxes = [c.box for c in plate.cells if c.fact.port[:2] == ("fabric", 1)]
    assert len(boxes) == lanes and not boxes[0].intersects(boxes[1])
    person.document.undo.undo()
    person.see()
    assert len(plate.facts) == before


def test_a_cabled_port_is_not_split_and_says_why(person):
    person.opens("four-servers")
    leaf = next(d for d in person.design.devices.values() if d.role == "leaf")
    panel = _ports(person, leaf.name)
    plate = panel.plates[0]
    plate.walk(_used(plate))
    if panel.split.count() < 2:
        return
    panel.split.setCurrentIndex(1)
    panel.split.activated.emit(1)
    person.see()
    assert person.notices() and panel.split.currentIndex() == 0


def test_failed_parts_show_on_the_front(person):
    person.opens("four-servers")
    leaf = next(d for d in person.design.devices.values() if d.role == "leaf")
    plate = _ports(person, leaf.name).plates[0]
    k = _used(plate)
    person.document.set_failed({plate.facts[k].cable})
    person.wait_results()
    person.see()
    assert plate.facts[k].failed
    assert plate.at(QPointF(_spot(plate, k))) == k
