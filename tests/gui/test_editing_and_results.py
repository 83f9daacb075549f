"""Editing a drawing and watching the results follow: inspector, findings, assumptions, colours."""

from PySide6.QtCore import Qt

from designer.gui.panels.assumptions_model import RESET

CTRL = Qt.KeyboardModifier.ControlModifier


def _selects(person, *names):
    person.document.selection.set(person.named(n).id for n in names)
    person.see()


def _field(person, name):
    return person.editor.inspector.devices.form.fields[name]


def test_results_are_dimmed_until_they_follow_an_edit(person):
    person.opens("four-servers")
    step = person.editor.results.step
    old = step.time.text()
    assert old != "—" and not step.time.property("stale")
    _selects(person, "srv-04")
    person.picks("delete")
    assert step.time.property("stale"), "numbers of the older drawing are shown as such"
    assert "1 edit behind" in person.window.status.state.text()
    person.wait_results()
    assert not step.time.property("stale")
    assert person.document.results.get("counts.gpus") == 24
    assert person.window.status.state.text().startswith("Recomputed in")


def test_nothing_is_computed_while_paused(person):
    person.opens("four-servers")
    person.picks("pause")
    _selects(person, "srv-04")
    person.picks("delete")
    person.bot.wait(150)
    assert person.document.results.get("counts.gpus") == 32
    assert "Paused" in person.window.status.state.text()
    person.picks("pause")
    person.wait_results()
    assert person.document.results.get("counts.gpus") == 24


def test_f5_computes_at_once(person):
    person.opens("four-servers")
    before = person.document.results
    person.presses(Qt.Key.Key_F5, on=person.canvas)
    person.wait_results()
    assert person.document.results is not before


def test_both_ends_of_a_hottest_link_can_be_read_in_a_small_window(person):
    person.opens("superpod-h100")
    for width in (1600, 1280):
        person.window.resize(width, 860)
        person.see()
        row = person.editor.results.hottest.rows[0]
        ends = row.accessibleName().split(",")[0].split(" → ")
        assert row.name.fontMetrics().horizontalAdvance(row.name.text()) <= row.name.width()
        assert all(end in row.name.text() + row.detail.text() for end in ends)
        first = row.detail.text().split(" · ")[0]
        assert row.detail.fontMetrics().horizontalAdvance(first) <= row.detail.width()


def test_a_click_on_a_hottest_link_selects_it(person):
    person.opens("rail-optimized")
    row = person.editor.results.hottest.rows[0]
    assert row.isVisible() and "%" in row.share.text()
    person.clicks(row)
    (chosen,) = person.document.selection.ids
    assert chosen in person.design.cables
    best = max(person.document.results.utilization.values())
    assert person.document.results.utilization[chosen] == best


def test_the_inspector_edits_one_device(person):
    person.opens("four-servers")
    _selects(person, "leaf-1")
    leaf = person.named("leaf-1").id
    person.types(_field(person, "name"), "tor-a")
    assert person.design.devices[leaf].name == "tor-a"
    _field(person, "role").setFocus()
    person.bot.keyClicks(_field(person, "role"), "Sp")
    person.presses(Qt.Key.Key_Return, on=_field(person, "role"))
    person.types(_field(person, "rack"), "R7")
    rack = person.design.groups[person.design.devices[leaf].rack]
    assert rack.name == "R7" and rack.kind == "rack"
    person.types(_field(person, "notes"), "", end=None)
    steps = person.document.undo.index()
    while person.document.undo.canUndo():
        person.picks("undo")
    assert steps >= 2
    assert person.design.devices[leaf].name == "leaf-1"
    assert _field(person, "name").text() == "leaf-1"


def test_several_selected_share_their_fields(person):
    person.opens("four-servers")
    _selects(person, "srv-01", "srv-02", "srv-03")
    page = person.editor.inspector.devices
    assert page.head.name.text() == "3 devices"
    assert not _field(person, "name").isVisible()
    person.types(_field(person, "rack"), "B09")
    racks = {person.design.groups[person.named(n).rack].name for n in ("srv-01", "srv-03")}
    assert racks == {"B09"}
    _selects(person, "srv-03", "srv-04")
    assert _field(person, "rack").placeholderText() == "several values"
    person.picks("undo")
    assert person.design.groups[person.named("srv-01").rack].name == "A01"


def test_a_refused_value_says_why_and_changes_nothing(person):
    person.opens("four-servers")
    _selects(person, "srv-01")
    before = person.design.snapshot()
    field = _field(person, "name")
    person.types(field, "srv-02")
    assert field.property("wrong") is True
    assert "srv-02" in field.toolTip()
    assert any("srv-02" in t for t in person.notices())
    assert person.design.devices == before.devices
    assert not person.document.undo.canUndo()


def test_findings_are_stepped_through_and_select_what_they_speak_of(person):
    person.opens("four-servers")
    cable = next(iter(person.design.cables_of(person.named("srv-01").id)))
    person.document.selection.set({cable})
    person.picks("delete")
    person.wait_results()
    assert person.document.results.findings
    assert "warning" in person.window.status.findings.text() or (
        "error" in person.window.status.findings.text()
    )
    person.document.selection.set(())
    person.presses(Qt.Key.Key_F8, on=person.canvas)
    assert person.editor.bottom_dock.page() == "findings"
    assert person.document.selection.ids
    person.picks("show_results")
    person.clicks(person.window.status.findings)
    assert person.editor.bottom_dock.page() == "findings"
    table = person.editor.findings.table
    person.document.selection.set(())
    rect = table.visualRect(table.model().index(0, 1))
    person.clicks(table.viewport(), rect.center())
    finding = person.document.results.findings[0]
    assert person.document.selection.ids <= set(finding.ids) and person.document.selection.ids


def test_an_assumption_is_changed_and_reset(person):
    person.opens("four-servers")
    old = person.document.results.get("step.time_s")
    person.picks("assumptions")
    panel = person.editor.assumptions
    key = "gpu_efficiency_hopper"
    panel.show_key(key)
    person.see()
    person.types(_open_editor(panel), "0.31")
    assert key in person.design.assumptions
    person.wait_results()
    assert person.document.results.get("step.time_s") != old
    assert "1 changed" in panel.counts.text()
    assert "1 assumption changed" in person.window.status.assumed.text()
    index = panel.model.find(key).siblingAtColumn(RESET)
    panel.table.scrollTo(index)
    person.clicks(panel.table.viewport(), panel.table.visualRect(index).center())
    assert key not in person.design.assumptions
    person.wait_results()
    assert person.document.results.get("step.time_s") == old


def _open_editor(panel):
    from PySide6.QtWidgets import QLineEdit

    return next(e for e in panel.table.viewport().findChildren(QLineEdit) if e.isVisible())


def test_a_click_on_a_number_explains_it(person):
    person.opens("four-servers")
    person.clicks(person.editor.results.all_reduce.time)
    from designer.gui.dialogs.explain_popover import ExplainPopover

    (popover,) = person.window.findChildren(ExplainPopover)
    assert popover.isVisible() and popover.explanation.steps
    person.presses(Qt.Key.Key_Escape, on=popover)
    assert not person.window.findChildren(ExplainPopover)


def test_another_workload_gives_another_step(person):
    person.opens("rail-optimized")
    old = person.document.results.get("step.time_s")
    person.picks("choose_workload")
    panel = person.editor.workload
    assert panel.isVisible()
    name = person.design.workload.name
    row = next(
        k for k in range(panel.choice.count()) if k and panel.choice._values[k] not in ("", name)
    )
    panel.choice.setFocus()
    panel.choice.setCurrentIndex(row)
    panel.choice.activated.emit(row)
    assert person.design.workload.name != name
    person.wait_results()
    assert person.document.results.get("step.time_s") != old
    person.picks("undo")
    assert person.design.workload.name == name


def test_keys_change_the_colours_of_cables(person):
    person.opens("four-servers")
    person.canvas.setFocus()
    for key, mode in (
        (Qt.Key.Key_U, "utilization"),
        (Qt.Key.Key_K, "kind"),
        (Qt.Key.Key_R, "rail"),
    ):
        person.presses(key, on=person.canvas)
        assert person.canvas.state.colour == mode
        assert person.editor.toolbar.colours.currentData() == mode
        assert person.window.commands[f"colour_{mode}"].isChecked()


def test_docks_hide_and_come_back(person):
    person.opens("four-servers")
    shown = [d for d in person.editor.docks if d.isVisible()]
    person.presses(Qt.Key.Key_Backslash, CTRL, on=person.canvas)
    assert not any(d.isVisible() for d in person.editor.docks)
    person.presses(Qt.Key.Key_Backslash, CTRL, on=person.canvas)
    assert [d for d in person.editor.docks if d.isVisible()] == shown


def test_views_cables_and_workload(person):
    person.opens("four-servers")
    person.clicks(person.editor.toolbar.views.buttons["cables"])
    assert person.editor.view_name() == "cables"
    person.picks("view_workload")
    assert person.editor.view_name() == "workload"
    assert person.editor.toolbar.views.current() == "workload"
    person.picks("view_topology")
    assert person.editor.view_name() == "topology"


def test_infiniband_or_roce(person):
    person.opens("rail-optimized")
    person.clicks(person.editor.toolbar.fabrics.buttons["rocev2"])
    person.wait_results()
    assert person.document.results.get("fabric") == "rocev2"
    person.clicks(person.editor.toolbar.fabrics.buttons["compare"])
    assert person.window.drawing.compare is not None
    assert person.window.drawing.compare.isVisible()
    person.window.drawing.close_compare()


def test_what_was_deleted_and_put_back_computes_as_before(person):
    person.opens("rail-optimized", gpus=64)
    before = person.document.results.values
    person.canvas.setFocus()
    person.picks("select_all")
    person.picks("delete")
    person.picks("undo")
    person.wait_results()
    after = person.document.results.values
    assert after["collectives"] == before["collectives"]
    assert after["traffic"] == before["traffic"]
