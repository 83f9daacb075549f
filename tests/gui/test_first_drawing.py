"""From the start page to a drawing that answers: the first minutes with the program."""

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QApplication

from designer.gui.dialogs.start_page import StartPage
from designer.gui.dialogs.template_dialog import TemplateDialog
from designer.gui.labels import Figure


def _figures(person):
    return person.editor.results.findChildren(Figure)


def _card(page, word):
    return next(c for c in page.cards if c.accessibleName() == word)


def test_a_template_on_the_start_page_becomes_a_drawing(person):
    page = person.window.stack.currentWidget()
    assert isinstance(page, StartPage)
    seen = []

    def in_dialog():
        dialog = QApplication.activeModalWidget()
        seen.append(dialog)
        person.bot.waitUntil(dialog.create_button.isEnabled, timeout=30_000)
        person.clicks(dialog.create_button)

    QTimer.singleShot(0, in_dialog)
    person.clicks(_card(page, "Four-server sketch"))
    assert isinstance(seen[0], TemplateDialog)
    assert person.window.stack.currentWidget() is person.editor
    assert sum(d.role == "server" for d in person.design.devices.values()) == 4
    assert person.window.isWindowModified(), "a drawing that is in no file has a star"
    person.wait_results()
    assert person.document.results.get("counts.gpus") == 32
    assert "32 GPUs" in person.window.status.counts.text()
    person.document.undo.setClean()


def test_an_empty_drawing_asks_for_devices(person):
    person.picks("new_blank")
    assert person.window.stack.currentWidget() is person.editor
    assert not person.design.devices
    assert not person.editor.results.empty.isHidden()


def test_parts_cables_undo_and_redo(person):
    person.opens("blank")
    palette = person.editor.parts
    person.bot.keyClicks(palette.search, "dgx-h200")
    tile = next(t for t in palette.tiles if t.part.slug == "dgx-h200")
    middle = person.canvas.rect().center()
    person.drops_part(tile, middle - QPoint(180, 0))
    palette.search.setText("qm9700")
    tile = next(t for t in palette.tiles if t.part.slug == "qm9700")
    person.drops_part(tile, middle + QPoint(180, 0))
    assert len(person.design.devices) == 2
    a, b = (d.name for d in person.design.devices.values())
    person.canvas.zoom_to(frozenset(person.design.devices))
    person.canvas.set_tool("cable")
    person.drags(person.port(a, 1), person.port(b, 1))
    assert len(person.design.cables) == 1
    person.picks("undo")
    assert not person.design.cables
    person.picks("redo")
    assert len(person.design.cables) == 1
    texts = [person.document.undo.text(k) for k in range(person.document.undo.count())]
    assert len(texts) == 3 and all(texts)
    person.wait_results()
    assert person.document.results.get("counts.gpus") == 8


def test_results_of_an_earlier_drawing_do_not_pass_for_new_ones(person, monkeypatch):
    person.opens("four-servers")

    def fails(*_args, **_kwargs):
        raise ValueError("a fault of the model")

    monkeypatch.setattr("designer.services.runner.analyze", fails)
    person.document.selection.set({person.named("srv-01").id})
    person.picks("delete")
    person.bot.waitUntil(lambda: person.document.fault is not None, timeout=30_000)
    person.see()
    assert not person.document.current
    assert person.window.status.state.text() == "The last computation failed"
    assert any(figure.property("stale") for figure in _figures(person))
    assert person.notices()
    monkeypatch.undo()
    person.picks("undo")
    person.wait_results()
    assert not any(figure.property("stale") for figure in _figures(person))
    person.document.undo.setClean()


def test_the_history_goes_back_to_any_step(person):
    person.opens("four-servers")
    before = person.design.snapshot()
    for name in ("srv-01", "srv-02"):
        person.document.selection.set({person.named(name).id})
        person.picks("delete")
    assert len(person.design.devices) == len(before.devices) - 2
    person.picks("show_history")
    view = person.editor.history.view
    index = view.model().index(0, 0)
    view.scrollTo(index)
    person.clicks(view.viewport(), view.visualRect(index).center())
    assert person.design.devices == before.devices
    assert person.design.cables == before.cables
