"""The page of collectives: questions are no edits, and every answer says where it comes from."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from designer.engine.collectives import CURVE
from designer.engine.options import OPERATIONS


@pytest.fixture
def panel(person):
    person.opens("rail-optimized", gpus=64)
    person.picks("show_collectives")
    found = person.window.editor.collectives
    assert found.isVisible()
    return found


def _chooses(person, panel, key, value):
    field = panel.form.fields[key]
    field.setFocus()
    person.presses(Qt.Key.Key_Home, on=field)
    for _step in range(20):
        if person.document.options and getattr(person.document.options, key) == value:
            break
        person.presses(Qt.Key.Key_Down, on=field)
        field.activated.emit(field.currentIndex())
    person.wait_results()
    assert getattr(person.document.options, key) == value


def test_a_choice_asks_the_model_and_is_no_edit(person, panel):
    for operation in OPERATIONS:
        person.document.set_options(collective=operation)
        person.wait_results()
        assert panel.table.rowCount() == len(CURVE)
        assert panel.time.key == f"collectives.{operation}.time_s"
        assert {"", "dot"} < set(panel.chart.lines)
    _chooses(person, panel, "collective", "all_reduce")
    assert {"ring", "tree", "nvls_tree"} < set(panel.chart.lines)
    _chooses(person, panel, "algorithm", "ring")
    assert panel.words.text().startswith("ring, chosen by your request")
    assert {panel.table.item(k, 1).text() for k in range(len(CURVE))} == {"ring"}
    assert person.document.undo.count() == 0
    assert person.document.clean


def test_a_size_is_typed_or_clicked(person, panel):
    field = panel.form.fields["size_bytes"]
    person.types(field, "64 MiB")
    person.wait_results()
    assert person.document.options.size_bytes == 64 * 2**20
    assert person.document.results.get("collectives.all_reduce.size_bytes") == 64 * 2**20
    person.types(field, "much")
    assert field.property("wrong") and "size" in field.toolTip()
    assert person.document.options.size_bytes == 64 * 2**20
    person.types(field, "9" * 30)
    assert "at most" in field.toolTip()
    chart = panel.chart
    view = chart._plot.plotItem.vb
    point = chart.nearest(view.mapViewToScene(QPointF(20.2, 0.0)))
    assert point["size_bytes"] == 2**20
    assert chart.tip(point).startswith("1 MiB: ")
    chart.size_chosen.emit(point["size_bytes"])
    person.wait_results()
    assert person.document.options.size_bytes == 2**20
    assert field.text() == "1 MiB"


def test_relay_rule_and_hash_seeds_are_told(person, panel):
    person.document.set_options(collective="all_to_all", relay="on", routing="hashed")
    person.wait_results()
    text = panel.words.text()
    assert "Relay over NVLink" in text
    assert "95th percentile" in text
    person.document.set_options(collective="all_reduce")
    person.wait_results()
    assert "NCCL's published rule takes" in panel.words.text()


def test_the_table_is_copied_as_numbers(person, panel):
    panel.table.setFocus()
    person.presses(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier, on=panel.table)
    lines = QApplication.clipboard().text().splitlines()
    assert lines[0].startswith("Size (B),Algorithm,Protocol,Time (µs)")
    assert len(lines) == len(CURVE) + 1
    first = lines[1].split(",")
    assert first[0] == "8"
    point = person.document.results.get("collectives.all_reduce.curve")[0]
    assert float(first[3]) == pytest.approx(point["time_s"] * 1e6, rel=1e-4)


def test_figures_explain_themselves_and_the_chart_shows_time(person, panel):
    asked = []
    panel.explain.connect(lambda key, _at: asked.append(key))
    person.clicks(panel.time)
    assert asked == ["collectives.all_reduce.time_s"]
    QApplication.activePopupWidget().close() if QApplication.activePopupWidget() else None
    person.clicks(panel.measure.buttons["time"])
    assert panel.chart.title.text() == "time"
    person.clicks(panel.measure.buttons["bandwidth"])
    assert panel.chart.title.text().startswith("GB/s")


def test_without_servers_the_page_says_why(person):
    person.opens("blank")
    person.picks("show_collectives")
    panel = person.window.editor.collectives
    assert panel.time.text() == "—"
    assert panel.words.text()
    assert panel.table.rowCount() == 0
