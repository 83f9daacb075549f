"""Failures: run in the background, shown on the drawing, never an edit."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QMenu

from designer.scene.compose import compose
from designer.scene.display_list import Rects, Texts

PLAIN = Qt.KeyboardModifier.NoModifier


def _run(person):
    person.picks("show_faults")
    panel = person.editor.faults
    assert panel.isVisible()
    with person.bot.waitSignal(panel.run.finished, timeout=60_000):
        person.clicks(panel.run_button)
    person.see()
    return panel


def test_single_faults_are_listed_and_one_is_let_fail(person):
    person.opens("rail-optimized", gpus=64)
    before = person.document.results
    panel = _run(person)
    assert panel.model.rows[0].lost_gpus >= panel.model.rows[-1].lost_gpus
    assert "alike" in panel.summary.text()
    row = next(k for k, e in enumerate(panel.model.rows) if e.kind == "rail")
    panel.table.selectRow(row)
    person.clicks(panel.try_button)
    person.wait_results()
    failed = set(panel.model.rows[row].ids)
    assert person.canvas.state.failed == failed
    assert person.document.results.get("collectives.all_to_all.time_s") > before.get(
        "collectives.all_to_all.time_s"
    )
    assert not person.document.undo.canUndo(), "it is no edit"
    assert person.document.clean
    bar = person.editor.fault_bar
    assert bar.isVisible() and bar.names.text().startswith("Failed: ")
    assert "All-to-all" in bar.effect.text() and "+14" in bar.effect.text()
    person.clicks(panel.restore_button)
    person.wait_results()
    assert not person.canvas.state.failed
    assert not bar.isVisible()
    assert person.document.results.values["step"] == before.values["step"]


def test_a_selection_fails_by_the_menu_and_is_drawn_so(person):
    person.opens("four-servers")
    leaf = person.named("leaf-1")
    person.document.selection.set({leaf.id})
    person.picks("fail")
    person.wait_results()
    assert person.canvas.state.failed == {leaf.id}
    shown = compose(person.canvas.columns, person.canvas.view, person.canvas.state)
    outlines = [i for i in shown.items if isinstance(i, Rects) and i.stroke == "err" and i.dash]
    assert len(outlines) == 1
    person.picks("delete")
    person.wait_results()
    assert not person.canvas.state.failed, "what is gone cannot be out"
    person.picks("undo")
    person.document.selection.set(set())
    person.picks("fail")
    assert "Select devices" in person.notices()[-1]
    person.picks("restore")
    person.wait_results()


def test_a_run_can_be_stopped(person):
    person.opens("rail-optimized", gpus=256)
    panel = person.editor.faults
    person.picks("show_faults")
    person.clicks(panel.run_button)
    assert panel.run.running
    person.clicks(panel.run_button)
    assert not panel.run.running
    assert not panel.model.rows


def test_columns_sort_by_the_worst(person):
    person.opens("rail-optimized", gpus=64)
    panel = _run(person)
    panel.model.sort(5)
    ratios = [e.ratios["all_to_all"] for e in panel.model.rows]
    known = [r for r in ratios if r is not None]
    assert known == sorted(known, reverse=True)
    panel.model.sort(7)
    kept = [e.ratios["bisection"] for e in panel.model.rows if e.ratios["bisection"] is not None]
    assert kept == sorted(kept)


def test_an_edit_says_that_the_list_is_old(person):
    person.opens("four-servers")
    panel = _run(person)
    person.document.selection.set({person.named("srv-01").id})
    person.picks("delete")
    assert "changed since" in panel.summary.text()
    person.wait_results()


def _menu(person, ids):
    """Open the menu under the right button for a selection, as a right click does."""
    from designer.gui.canvas.context_menu import build_menu

    person.document.selection.set(ids)
    person.see()
    return {a.text(): a for a in build_menu(person.canvas, (0.0, 0.0)).actions()}


def test_a_right_click_on_a_switch_lets_it_fail(person, monkeypatch):
    # the offscreen platform cannot hold a menu open
    shown = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _at: shown.append(menu))
    person.opens("rail-optimized", gpus=128)
    before = person.document.results
    leaf = next(d for d in person.design.devices.values() if d.role == "leaf")
    at = person.at(leaf.name)
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, at, person.canvas.mapToGlobal(at), PLAIN
    )
    QCoreApplication.sendEvent(person.canvas, event)
    texts = {a.text(): a for a in shown[0].actions()}
    assert {"Fail this switch", "Fail rail 1"} <= set(texts)
    texts["Fail this switch"].trigger()
    shown[0].deleteLater()
    person.wait_results()
    assert person.document.options.fail == (leaf.id,)
    assert not person.document.undo.canUndo() and person.document.clean
    assert not person.window.isWindowModified()
    bar = person.editor.fault_bar
    assert bar.isVisible() and leaf.name in bar.names.text()
    person.clicks(bar.restore)
    person.wait_results()
    assert not bar.isVisible() and not person.document.options.fail
    assert person.document.results.values["step"] == before.values["step"]


def test_cables_offer_their_link_nic_and_rail(person):
    person.opens("rail-optimized", gpus=128)
    design = person.design
    trunk = next(c for c in design.cables.values() if c.count > 1)
    menu = _menu(person, {trunk.id})
    menu["Fail one link of this trunk"].trigger()
    person.wait_results()
    assert person.document.options.fail == (f"{trunk.id}:link",)
    menu = _menu(person, {trunk.id})
    menu["Restore"].trigger()
    assert person.document.options.fail == ()
    server = next(d for d in design.devices.values() if d.role == "server")
    cable = list(design.cables_of(server.id))[2]
    menu = _menu(person, {cable})
    assert {"Fail this cable", f"Fail NIC 3 of {server.name}", "Fail rail 3"} <= set(menu)
    menu["Fail rail 3"].trigger()
    person.wait_results()
    leaves = {d.id for d in design.devices.values() if d.name.endswith("leaf-3")}
    assert set(person.document.options.fail) == leaves
    menu = _menu(person, {server.id})
    assert {"Fail this server", "Restore all that failed"} <= set(menu)
    assert any(text.startswith("Fail rack ") for text in menu)
    menu["Restore all that failed"].trigger()
    person.wait_results()
    assert not person.canvas.state.failed


def test_what_failed_outlives_a_change_of_theme(person):
    person.opens("four-servers")
    leaf = person.named("leaf-1")
    person.document.set_failed({leaf.id})
    person.wait_results()
    person.picks("dark")
    person.see()
    person.wait_results()
    assert person.editor.fault_bar.isVisible()
    assert person.canvas.state.failed == {leaf.id}
    person.picks("restore")
    person.wait_results()


def test_a_failed_trunk_is_dashed_with_one_pill(person):
    person.opens("rail-optimized", gpus=256)
    spine = next(d for d in person.design.devices.values() if d.role == "spine")
    person.document.set_failed({spine.id})
    shown = compose(person.canvas.columns, person.canvas.view, person.canvas.state)
    runs = [t.text for i in shown.items if isinstance(i, Texts) for t in i.runs]
    cables = sum(person.design.cables[c].count for c in person.design.cables_of(spine.id))
    assert any(f"trunks down, {cables} cables" in text for text in runs)
    person.wait_results()
