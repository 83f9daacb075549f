"""The workload editor and its view: every field can be changed and undone, faults stand beside."""

from dataclasses import fields, replace

import pytest
from PySide6.QtWidgets import QScrollArea

from designer.gui.panels.fields import ChoiceField
from designer.gui.panels.step_lanes import lanes, slots_of
from designer.gui.panels.workload_hints import Machine, hints, product
from designer.gui.panels.workload_page import rows_of, stages_of
from designer.model.operations import set_workload
from designer.model.workload import Workload, stock_workloads

STOCK = stock_workloads()


def use(person, name, **changes):
    """Give the drawing a stock workload with changes, and look at the workload view."""
    workload = replace(STOCK[name], **changes)
    person.document.apply(set_workload(person.design, workload))
    person.picks("view_workload")
    person.picks("choose_workload")
    person.editor.workload.choice.hidePopup()
    person.wait_results()
    person.see()
    return person.editor.workload


def edit(person, panel, name):
    """Change one field as a person would, to some other value."""
    field = panel.field(name)
    old = getattr(person.design.workload, name)
    if isinstance(field, ChoiceField):
        row = next(k for k, v in enumerate(field._values) if v != old)
        field.setCurrentIndex(row)
        field.activated.emit(row)
        person.see()
    elif isinstance(old, str):
        person.types(field, old + " and more")
    else:
        person.types(field, "0.25" if name.endswith("_overlap") else str(int(old) + 2))
    assert getattr(person.design.workload, name) != old, name


def test_every_field_can_be_changed_and_undone(person):
    person.opens("rail-optimized", gpus=64)
    panel = use(person, "llama3-70b-tp8")
    # no field of the record is missing in the form; the name is that of the library
    shown = {name for form in panel._forms for name in form.fields}
    assert shown == {f.name for f in fields(Workload)} - {"name"}
    before = person.design.workload
    steps = person.document.undo.count()
    for name in sorted(shown):
        edit(person, panel, name)
        person.picks("undo")
        assert person.design.workload == before, name
    assert person.document.undo.count() == steps + 1
    edit(person, panel, "tp")
    assert person.document.undo.undoText() == "Workload: tp 8 → 10"


def test_a_fault_stands_beside_its_field_and_goes_when_it_is_right(person):
    person.opens("rail-optimized", gpus=64)
    panel = use(person, "llama3-70b-tp8")
    form = panel._forms[0]
    assert not form.faults["tp"].isVisible()
    person.types(panel.field("tp"), "6")
    fault = form.faults["tp"]
    assert fault.isVisible()
    assert "64 attention heads" in fault.text.text()
    assert "4, 8" in fault.text.text()
    assert panel.field("tp").property("wrong")
    assert panel.product.property("severity") == "error"
    assert "12" in panel.product_text.text()
    assert not panel.facts.isVisible()
    person.wait_results()
    told = [f.message for f in person.document.results.findings if f.rule == "workload-layout"]
    assert any(m in fault.text.text() for m in told), "the same words as the finding"
    person.types(panel.field("tp"), "8")
    assert not fault.isVisible()
    assert panel.product.property("severity") == "ok"
    assert panel.facts.isVisible()


def test_figures_follow_at_once(person):
    person.opens("rail-optimized", gpus=64)
    panel = use(person, "llama3-70b-tp8")
    rows = panel.facts.rows.values
    assert rows["dp"].text() == "4"
    assert panel.field("dp").placeholderText() == "4"
    assert rows["microbatches"].text() == "16"
    assert rows["weights"].text() == "4.41 B"
    assert rows["memory"].text().endswith("of 80 GB")
    person.types(panel.field("pp"), "4")
    assert (rows["dp"].text(), rows["weights"].text()) == ("2", "2.21 B")
    assert not panel.facts.fault.isVisible()
    person.types(panel.field("micro_batch"), "16")
    assert panel.facts.fault.isVisible()
    assert "recomputed" in panel.facts.fault.text.text()
    person.wait_results()
    rules = {f.rule for f in person.document.results.findings}
    assert rules & {"workload-recompute", "workload-memory"}


def test_reset_brings_the_library_back(person):
    person.opens("rail-optimized", gpus=64)
    panel = use(person, "llama3-70b-tp8")
    assert not panel.reset_button.isVisible()
    person.types(panel.field("pp"), "4")
    assert panel.reset_button.isVisible()
    person.clicks(panel.reset_button)
    assert person.design.workload == STOCK["llama3-70b-tp8"]
    person.picks("undo")
    assert person.design.workload.pp == 4


def test_views_of_the_step_add_up(person):
    person.opens("rail-optimized", gpus=64)
    use(person, "llama3-70b-tp8", pp=4, virtual_stages=5)
    page, results = person.editor.workload_view, person.document.results
    step = results.get("step")
    found = {lane.title: lane for lane in lanes(results)}
    compute = found["Compute"].spans
    worked = sum(s.stop - s.start for s in compute if s.kind != "idle")
    assert worked == pytest.approx(step["compute_s"])
    waited = sum(s.stop - s.start for s in compute if s.kind == "idle")
    assert waited == pytest.approx(step["bubble_s"])
    for title, key in (("Tensor parallel", "tp"), ("Pipeline", "pp"), ("Gradients, weights", "dp")):
        spans = [s for s in found[title].spans if s.kind == "solid"]
        exposed = sum(s.stop - s.start for s in spans)
        assert exposed == pytest.approx(step["parts"][key]["exposed_s"]), title
    assert max(s.stop for lane in found.values() for s in lane.spans) == pytest.approx(
        step["time_s"]
    )
    # the schedule played out is as long as the formula of the bubble says
    slots = slots_of(step)
    schedule = stages_of(results)
    end = max(row[-1].stop for row in schedule)
    assert end == pytest.approx(slots.seconds * slots.count + step["bubble_s"])
    assert page.timeline.isVisible()
    person.clicks(page.views.buttons["stages"])
    assert page.stages.isVisible()
    assert page.stages.rows() == [0, 1, 2, 3]
    page.stages.grab()
    person.clicks(page.views.buttons["network"])
    assert page.bars.isVisible()
    page.bars.grab()
    table = results.get("traffic.by_dimension")
    assert sum(sum(r.bytes.values()) for r in rows_of(results)) == pytest.approx(
        sum(sum(row.values()) for row in table.values())
    )


def test_one_stage_has_no_view_of_stages(person):
    person.opens("four-servers")
    person.picks("view_workload")
    page = person.editor.workload_view
    button = page.views.buttons["stages"]
    assert not button.isEnabled()
    assert button.toolTip() == "The job has one stage."


def test_a_workload_that_does_not_fit_shows_why_in_place_of_the_chart(person):
    person.opens("four-servers")
    use(person, "llama3-405b")
    page = person.editor.workload_view
    assert not page.views.isVisible()
    assert not page.timeline.isVisible()
    assert "128" in page.note.text()


@pytest.mark.parametrize("language", ["en", "pt_BR"])
def test_the_form_is_never_wider_than_its_dock(person, language):
    person.window.resize(1280, 800)
    person.workspace.set_settings(replace(person.workspace.settings, language=language))
    person.see()
    person.opens("rail-optimized", gpus=64)
    panel = use(person, "llama3-70b-tp8", pp=4, tp=6)
    area = panel.findChild(QScrollArea)
    assert area.widget().minimumSizeHint().width() <= area.viewport().width()


@pytest.mark.parametrize("name", STOCK)
def test_stock_workloads_have_no_fault_on_their_own_gpus(name):
    machine = Machine(STOCK[name].reference_gpus, 8, 80e9)
    found = hints(STOCK[name], machine)
    assert not [h for h in found.values() if h.kind == "error"]
    line = product(STOCK[name], machine)
    assert line is not None
    assert line.kind == "ok"
