"""Filtering and focusing, as a person does it."""

from PySide6.QtCore import QCoreApplication, Qt

from designer.model.operations import move
from designer.scene.filtering import Filter


def _pick(bar, name, text):
    menu = bar.menus[name].menu()
    menu.aboutToShow.emit()
    next(a for a in menu.actions() if a.text() == text).trigger()


def _leaf(person):
    return next(d for d in person.design.devices.values() if d.role == "leaf")


def test_the_bar_filters_says_so_and_escape_shows_all(person):
    person.opens("rail-optimized", gpus=256)
    bar, canvas = person.editor.filter_bar, person.canvas
    assert not bar.isVisible()
    revision, clean = person.design.revision, person.document.clean
    person.window.commands["filter"].trigger()
    person.see()
    assert bar.isVisible() and bar.menus["roles"].hasFocus()
    _pick(bar, "roles", "Leaf switch")
    _pick(bar, "roles", "Spine switch")
    person.see()
    assert "Leaf" in bar.menus["roles"].text()
    assert int(canvas.state.kept.devices.sum()) == 12 and "12" in bar.summary.text()
    assert person.design.revision == revision and person.document.clean == clean
    model = person.editor.outline.model
    faded = Qt.ItemDataRole.ForegroundRole
    server = next(d for d in person.design.devices.values() if d.role == "server")
    assert model.data(model.index_for(server.id), faded) is not None
    assert model.data(model.index_for(_leaf(person).id), faded) is None
    canvas.setFocus()
    person.presses(Qt.Key.Key_Escape, on=canvas)
    person.see()
    assert canvas.state.kept is None and not bar.isVisible()
    assert model.data(model.index_for(server.id), faded) is None


def test_what_is_faded_is_not_clicked_nor_selected_with_all(person):
    person.opens("rail-optimized", gpus=256)
    canvas = person.canvas
    canvas.filtering.set(Filter(roles=frozenset({"leaf", "spine"})))
    server = next(d for d in person.design.devices.values() if d.role == "server")
    person.clicks(canvas, person.at(server.name))
    assert server.id not in person.document.selection.ids
    person.presses(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier, on=canvas)
    assert {person.design.devices[i].role for i in person.document.selection.ids} == {
        "leaf",
        "spine",
    }


def test_focus_keeps_neighbours_and_again_one_hop_more(person):
    person.opens("rail-optimized", gpus=256)
    canvas, bar = person.canvas, person.editor.filter_bar
    server = next(d for d in person.design.devices.values() if d.role == "server")
    person.document.selection.set({server.id})
    person.window.commands["focus"].trigger()
    person.see()
    assert int(canvas.state.kept.devices.sum()) == 9 and bar.isVisible()
    assert bar.hops.isVisible() and bar.hops.value() == 1
    person.window.commands["focus"].trigger()
    person.see()
    assert int(canvas.state.kept.devices.sum()) == 44 and bar.hops.value() == 2
    bar.hops.setFocus()
    person.presses(Qt.Key.Key_Down, on=bar.hops)
    assert int(canvas.state.kept.devices.sum()) == 9
    person.presses(Qt.Key.Key_Escape, on=bar.hops)
    person.see()
    assert canvas.state.kept is None and not bar.isVisible() and canvas.hasFocus()


def test_the_filter_follows_edits_results_and_failures(person):
    person.opens("rail-optimized", gpus=256)
    canvas, bar = person.canvas, person.editor.filter_bar
    person.window.commands["filter"].trigger()
    person.clicks(bar.switches["failed"])
    assert not canvas.state.kept.devices.any()
    leaf = _leaf(person)
    person.document.set_failed({leaf.id})
    person.wait_results()
    assert canvas.state.kept.devices[canvas.columns.index[leaf.id]]
    person.document.set_failed(())
    person.wait_results()
    canvas.filtering.set(Filter(roles=frozenset({"leaf"})))
    n = int(canvas.state.kept.devices.sum())
    person.document.selection.set({leaf.id})
    canvas.verbs.duplicate()
    person.see()
    assert int(canvas.state.kept.devices.sum()) == n + 1
    person.document.undo.undo()
    person.see()
    assert int(canvas.state.kept.devices.sum()) == n
    person.wait_results()


def test_load_in_percent(person):
    person.opens("rail-optimized", gpus=256)
    canvas, bar = person.canvas, person.editor.filter_bar
    person.window.commands["filter"].trigger()
    bar.load.setFocus()
    bar.load.selectAll()
    person.bot.keyClicks(bar.load, "50")
    person.presses(Qt.Key.Key_Return, on=bar.load)
    QCoreApplication.processEvents()
    loads = person.document.results.utilization
    hot = {i for i, v in loads.items() if v >= 0.5}
    kept = {
        c
        for r in canvas.state.kept.bundles.nonzero()[0]
        for c in canvas.columns.bundles.cables[int(r)]
    }
    assert hot <= kept
    assert canvas.filtering.filter.load == 0.5


def test_tiers_are_ordered_in_one_step_and_a_good_order_is_left_alone(person):
    person.opens("rail-optimized", gpus=256)
    design = person.design
    leaves = [d.id for d in design.devices.values() if d.role == "leaf"]
    spots = [design.placements[i] for i in leaves]
    turned = dict(zip(leaves, [(p.x, p.y) for p in reversed(spots)], strict=True))
    person.document.apply(move(design, turned))
    before, steps = dict(design.placements), person.document.undo.count()
    person.window.commands["order_by_rail"].trigger()
    person.see()
    assert design.placements != before and person.document.undo.count() == steps + 1
    person.document.undo.undo()
    assert design.placements == before
    person.document.undo.redo()
    person.window.commands["order_by_rail"].trigger()
    assert person.document.undo.count() == steps + 1 and person.notices()


def test_the_way_of_cables_is_chosen_for_the_view(person):
    person.opens("rail-optimized", gpus=256)
    for shape in ("straight", "orthogonal", "curved"):
        person.window.commands[f"shape_{shape}"].trigger()
        person.see()
        assert person.canvas.state.shape == shape
    assert person.document.clean


def test_labels_are_switched_on_and_off(person):
    person.opens("rail-optimized", gpus=256)
    person.window.commands["label_speed"].trigger()
    person.window.commands["label_count"].trigger()
    assert person.canvas.state.labels == {"speed", "count"}
    person.window.commands["label_speed"].trigger()
    assert person.canvas.state.labels == {"count"} and person.document.clean
