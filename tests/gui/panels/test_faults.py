"""Failures: run in the background, shown on the drawing, never an edit."""

from designer.scene.compose import compose
from designer.scene.display_list import Rects


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
    assert any("out for the results" in title for title in person.notices())
    person.clicks(panel.restore_button)
    person.wait_results()
    assert not person.canvas.state.failed
    assert not any("out for the results" in title for title in person.notices())
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
