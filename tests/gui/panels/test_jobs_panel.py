"""Jobs on chosen servers: picked by hand, side by side, never part of the drawing."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from designer.engine.options import Job
from designer.engine.placing import Placing
from designer.gui.canvas.context_menu import build_menu
from designer.gui.canvas.job_menu import selected_servers
from designer.model.operations import remove


@pytest.fixture
def panel(person):
    person.opens("rail-optimized", gpus=128, servers_per_unit=8, oversubscription=4)
    person.picks("show_jobs")
    found = person.window.editor.jobs
    assert found.isVisible()
    return found


def _asks(person, field, value):
    """Choose an entry of a list, as the mouse does."""
    row = field._values.index(value)
    field.setCurrentIndex(row)
    field.activated.emit(row)
    person.wait_results()
    person.see()


def _picked(person, *names):
    person.document.selection.set({person.named(n).id for n in names})
    person.see()


def _entry(person, text):
    menu = build_menu(person.canvas, (0.0, 0.0))
    found = [a for a in menu.actions() if a.text().startswith(text)]
    assert found, [a.text() for a in menu.actions()]
    found[0].trigger()
    menu.deleteLater()
    person.wait_results()
    person.see()


def test_one_job_on_all_servers_is_the_start(person, panel):
    assert len(panel.rows) == 1
    assert panel.rows[0].manner.currentText() == "all"
    assert not panel.all_button.isEnabled()
    assert not person.window.editor.job_bar.isVisible()
    assert panel.rows[0].alone.key == "collectives.all_reduce.time_s"


def test_two_jobs_slow_one_another_and_say_on_which_link(person, panel):
    first = panel.rows[0]
    _asks(person, first.operation, "all_to_all")
    _asks(person, first.manner, "spread")
    person.types(first.ranks, "64")
    person.wait_results()
    person.clicks(panel.add_button)
    person.wait_results()
    assert len(panel.rows) == 2
    second = panel.rows[1]
    _asks(person, second.manner, "spread")
    _asks(person, second.operation, "all_to_all")
    person.document.set_options(relay="off")
    person.wait_results()
    made = person.document.results.get("interference")["jobs"]
    assert made[0]["slow_down"] > 1.05
    assert panel.rows[0].slow.text() == panel.rows[1].slow.text()
    assert panel.rows[0].slow.key == "interference.jobs.0.slow_down"
    assert panel.rows[0].slow.key in person.document.results.explanations
    assert "→" in panel.rows[0].slowed.text()
    person.clicks(panel.rows[0].find)
    assert person.document.selection.ids == frozenset(made[0]["bottleneck_ids"])
    person.clicks(panel.rows[1].which)
    assert person.document.selection.ids == frozenset(made[1]["servers"])
    person.clicks(panel.rows[1].remove)
    person.wait_results()
    assert len(panel.rows) == 1
    assert person.document.undo.count() == 0 and person.document.clean


def test_servers_are_picked_on_the_drawing(person, panel):
    _picked(person, "su01-srv-01", "su02-srv-03")
    _entry(person, "Run the job on these 2 servers")
    assert person.document.options.placing.manner == "picked"
    job = person.document.results.get("job")
    assert sorted(job["names"]) == ["su01-srv-01", "su02-srv-03"]
    assert set(person.canvas.state.jobs) == set(job["servers"])
    bar = person.window.editor.job_bar
    assert bar.isVisible() and "2 servers" in bar.words.text()
    _picked(person, "su01-srv-02", "su01-leaf-1")
    _entry(person, "Run another job on it")
    assert set(person.canvas.state.jobs.values()) == {1, 2}
    assert panel.rows[1].manner.currentText() == "picked"
    person.clicks(bar.all_servers)
    person.wait_results()
    assert not bar.isVisible() and not person.canvas.state.jobs


def test_another_job_leaves_the_first_one_the_rest(person, panel):
    _picked(person, "su01-srv-02", "su01-srv-03")
    _entry(person, "Run another job on these 2 servers")
    made = person.document.results.get("interference")["jobs"]
    assert [len(one["servers"]) for one in made] == [14, 2]
    assert all(one["alone_s"] for one in made)


def test_a_group_stands_for_its_servers(person, panel):
    design = person.design
    unit = next(g for g in design.groups.values() if g.kind == "unit")
    found = selected_servers(design, frozenset({unit.id}))
    assert len(found) == 8
    assert all(design.devices[i].role == "server" for i in found)


def test_what_cannot_be_had_is_told_where_it_was_asked(person, panel):
    first = panel.rows[0]
    _asks(person, first.manner, "picked")
    assert "No server is selected" in first.manner.toolTip()
    assert first.manner.currentText() == "all"
    _asks(person, first.manner, "packed")
    person.types(first.ranks, "4096")
    person.wait_results()
    assert first.alone.text() == "—"
    assert "128" in first.slowed.text()
    first.ranks.selectAll()
    person.presses(Qt.Key.Key_Delete, on=first.ranks)
    person.presses(Qt.Key.Key_Return, on=first.ranks)
    person.wait_results()
    person.see()
    assert first.alone.text() != "—"
    person.clicks(panel.add_button)
    person.wait_results()
    assert "have all servers" in panel.rows[1].slowed.text()


def test_a_job_outlives_its_servers(person, panel):
    device = person.named("su01-srv-01")
    person.document.set_options(
        placing=Placing("picked", devices=(device.id,)), others=(Job(Placing("random", 3), 8),)
    )
    person.wait_results()
    person.document.apply(remove(person.design, [device.id]))
    person.wait_results()
    person.see()
    assert panel.rows[0].alone.text() == "—"
    assert panel.rows[0].slowed.text() == "No server is left for the job."
    person.picks("undo")
    person.wait_results()
    person.see()
    assert panel.rows[0].alone.text() != "—"


def test_the_menu_has_no_jobs_without_servers(person):
    person.opens("blank")
    menu = build_menu(person.canvas, (0.0, 0.0))
    assert isinstance(menu, QMenu)
    assert not [a for a in menu.actions() if "job" in a.text()]
    menu.deleteLater()


def test_the_seed_is_typed(person, panel):
    first = panel.rows[0]
    _asks(person, first.manner, "random")
    assert first.seed.isVisible()
    person.types(first.seed, "7", Qt.Key.Key_Return)
    person.wait_results()
    assert person.document.options.placing == Placing("random", 7)
