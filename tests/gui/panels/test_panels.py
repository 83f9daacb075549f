"""What a person does in the panels beside the drawing."""

from PySide6.QtCore import QPoint, Qt

from designer.gui.panels.schedule_model import ScheduleModel


def _trunk(person, one, two):
    design, id_ = person.design, person.named(two).id
    return next(
        c
        for c in design.cables_of(person.named(one).id)
        if design.cables[c].other_end(person.named(one).id).device == id_
    )


def _inspect(person, *ids):
    person.document.selection.set(ids)
    person.see()


# --- parts ---


def test_search_finds_parts_and_enter_adds_the_first(person):
    person.opens("blank")
    parts = person.editor.parts
    person.bot.keyClicks(parts.search, "h200")
    assert parts.tiles and all("H200" in t.part.title for t in parts.tiles)
    person.presses(Qt.Key.Key_Return, on=parts.search)
    (device,) = person.design.devices.values()
    assert device.type == parts.tiles[0].part.slug
    parts.search.clear()
    person.bot.keyClicks(parts.search, "no such thing")
    assert not parts.tiles


def test_a_double_click_adds_a_part_and_the_next_one_beside_it(person):
    person.opens("blank")
    tile = person.editor.parts.tiles[0]
    person.double_clicks(tile)
    person.presses(Qt.Key.Key_Return, on=tile)
    spots = {(p.x, p.y) for p in person.design.placements.values()}
    assert len(person.design.devices) == len(spots) == 2


def test_every_part_of_the_palette_can_be_placed(person):
    person.opens("blank")
    for tile in list(person.editor.parts.tiles):
        person.presses(Qt.Key.Key_Return, on=tile)
    assert len(person.design.devices) == len(person.editor.parts.tiles)
    person.wait_results()


# --- outline ---


def test_the_outline_selects_on_the_drawing_and_follows_it(person):
    person.opens("four-servers")
    outline = person.editor.outline
    person.document.selection.set({person.named("srv-03").id})
    person.see()
    (index,) = outline.tree.selectionModel().selectedRows()
    assert "srv-03" in index.data()
    person.bot.keyClicks(outline.filter, "leaf-2")
    model = outline.model
    rows = [model.index(k, 0) for k in range(model.rowCount())]
    while rows and model.rowCount(rows[0]):
        rows = [model.index(k, 0, rows[0]) for k in range(model.rowCount(rows[0]))]
    outline.tree.scrollTo(rows[0])
    person.clicks(outline.tree.viewport(), outline.tree.visualRect(rows[0]).center())
    assert person.document.selection.ids == {person.named("leaf-2").id}
    person.presses(Qt.Key.Key_Delete, on=outline.tree)
    assert person.named("leaf-2") is None
    person.picks("undo")
    assert person.named("leaf-2")


# --- cables ---


def test_a_cable_in_the_inspector(person):
    person.opens("four-servers")
    cable = _trunk(person, "leaf-1", "spine-1")
    _inspect(person, cable)
    page = person.editor.inspector.cables
    assert page.isVisible() and "leaf-1" in page.head.name.text()
    person.types(page.form.fields["length_m"], "12.5")
    assert person.design.cables[cable].length_m == 12.5
    before = person.design.cables[cable]
    person.types(page.form.fields["count"], "9999")
    assert person.design.cables[cable] == before
    assert page.form.fields["count"].property("wrong") and person.notices()
    person.types(page.form.fields["count"], "2")
    assert person.design.cables[cable].count == 2
    person.clicks(page.ends_button)
    names = {person.design.devices[i].name for i in person.document.selection.ids}
    assert names == {"leaf-1", "spine-1"}


def test_a_type_of_cable_for_several_at_once(person):
    person.opens("four-servers")
    cables = list(person.design.cables_of(person.named("srv-01").id))
    _inspect(person, *cables)
    choice = person.editor.inspector.cables.form.fields["type"]
    choice.activated.emit(1)
    types = {person.design.cables[c].type for c in cables}
    assert len(types) == 1 and types != {""}
    assert person.document.undo.count() == 1
    person.picks("undo")
    assert {person.design.cables[c].type for c in cables} != types


def test_the_schedule_filters_sorts_and_selects(person):
    person.opens("four-servers")
    person.picks("show_schedule")
    schedule = person.editor.schedule
    model = schedule.model
    assert isinstance(model, ScheduleModel)
    everything = len(model.rows)
    person.bot.keyClicks(schedule.filter, "srv-02 rail:3")
    assert 0 < len(model.rows) < everything
    person.clicks(schedule.table.viewport(), schedule.table.visualRect(model.index(0, 1)).center())
    assert person.document.selection.ids == {model.rows[0].id}
    schedule.filter.clear()
    person.bot.keyClicks(schedule.filter, "speed:400")
    assert len(model.rows) == everything


# --- devices ---


def test_a_click_on_a_port_selects_what_is_in_it(person):
    person.opens("four-servers")
    _inspect(person, person.named("leaf-1").id)
    ports = person.editor.inspector.devices.port_map
    place = next(p for p in ports.places if p.cable)
    person.clicks(ports, QPoint(round(place.box.center().x()), round(place.box.center().y())))
    (chosen,) = person.document.selection.ids
    assert chosen in person.design.devices and chosen != person.named("leaf-1").id


def test_a_peer_is_selected_by_a_click(person):
    person.opens("four-servers")
    _inspect(person, person.named("leaf-1").id)
    table = person.editor.inspector.devices.peers
    names = [p.name for p in table.rows.peers]
    row = names.index("spine-1")
    person.clicks(table.viewport(), table.visualRect(table.model().index(row, 0)).center())
    assert person.document.selection.ids == {person.named("spine-1").id}


def test_free_ports_are_split_and_busy_ones_refused(person):
    person.opens("four-servers")
    _inspect(person, person.named("leaf-1").id)
    split = person.editor.inspector.devices.split
    person.types(split.ports, "20")
    assert person.named("leaf-1").breakouts
    person.types(split.ports, "1")
    assert person.notices(), "port 1 has a cable"
    person.picks("undo")
    assert not person.named("leaf-1").breakouts


def test_another_model_of_a_server(person):
    person.opens("four-servers")
    _inspect(person, person.named("srv-01").id)
    choice = person.editor.inspector.devices.form.fields["type"]
    row = choice._values.index("dgx-h200")
    choice.activated.emit(row)
    assert person.named("srv-01").type == "dgx-h200"
    person.wait_results()
    assert person.document.results.get("counts.gpus") == 32


# --- groups, notes, the drawing ---


def test_a_group_is_renamed_and_its_members_selected(person):
    person.opens("four-servers")
    unit = next(g for g in person.design.groups.values() if g.kind == "unit")
    _inspect(person, unit.id)
    page = person.editor.inspector.group
    person.types(page.form.fields["name"], "block A")
    assert person.design.groups[unit.id].name == "block A"
    _inspect(person, unit.id)
    page._select()
    assert len(person.document.selection.ids) == 6


def test_the_title_of_the_drawing(person):
    person.opens("four-servers")
    _inspect(person)
    form = person.editor.inspector.drawing.form
    person.types(form.fields["title"], "Lab cluster")
    assert person.design.title_block.title == "Lab cluster"
    person.picks("undo")
    assert person.design.title_block.title == "Four-server sketch"


# --- workload ---


def test_a_layout_that_does_not_fit_is_said_where_it_is_typed(person):
    person.opens("four-servers")
    person.picks("choose_workload")
    panel = person.editor.workload
    panel.choice.hidePopup()
    person.types(panel.field("dp"), "7")
    assert person.design.workload.dp == 7
    person.see()
    assert panel.product.property("severity") == "error"
    person.wait_results()
    assert person.document.results.get("step.time_s") is None
    assert person.editor.results.step.reason.text(), "and why there is no step"
    person.types(panel.field("tp"), "0")
    assert panel.field("tp").property("wrong") and person.design.workload.tp == 1
    person.picks("undo")
    assert person.design.workload.dp == 0


def test_a_workload_goes_to_a_file_and_comes_back(person, files, tmp_path):
    person.opens("four-servers")
    path = tmp_path / "mine.toml"
    files(path)
    person.picks("choose_workload")
    panel = person.editor.workload
    panel.choice.hidePopup()
    person.types(panel.field("title"), "My job")
    person.picks("save_workload")
    assert path.exists()
    person.picks("undo")
    assert person.design.workload.title != "My job"
    person.picks("open_workload")
    assert person.design.workload.title == "My job"
