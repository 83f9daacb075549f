"""Saving, opening, importing, exporting, and getting work back."""

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from designer.formats import native
from designer.gui.app import Program
from designer.gui.dialogs.export_dialog import FORMS, ExportDialog
from designer.gui.dialogs.map_servers_dialog import MapServersDialog
from designer.gui.dialogs.pictures import DrawingPicture
from designer.gui.recovery_page import RecoveryPage
from designer.services.create import examples, new_design
from designer.services.recovery import Recovery
from designer.services.settings import load_settings

REAL = Path(__file__).parents[2] / "../shared/files/ibnetdiscover/topograph_gb200_example.out"


def _renames(person, old, new):
    person.document.selection.set({person.named(old).id})
    person.see()
    person.types(person.editor.inspector.devices.form.fields["name"], new)


def test_save_reopen_and_the_star(person, files, tmp_path):
    person.opens("four-servers")
    _renames(person, "srv-01", "first")
    assert person.window.isWindowModified()
    path = tmp_path / "mine.railspine.json"
    files(path)
    person.picks("save")
    assert path.exists() and not person.window.isWindowModified()
    assert "mine" in person.window.windowTitle()
    person.picks("undo")
    assert person.window.isWindowModified(), "before the saved state is not the saved state"
    person.picks("redo")
    assert not person.window.isWindowModified()
    written = path.read_bytes()
    person.picks("close")
    assert person.document is None
    page = person.window.stack.currentWidget()
    assert [r.accessibleName() for r in page.rows] == ["mine.railspine.json"]
    person.clicks(page.rows[0])
    person.wait_opened()
    assert person.named("first")
    assert not person.window.isWindowModified()
    assert path.read_bytes() == written, "opening writes nothing"


def test_the_prompt_before_changes_are_lost(person, answers, files, tmp_path):
    person.opens("four-servers")
    _renames(person, "srv-01", "first")
    asked = answers("Cancel")
    person.picks("new_blank")
    assert len(asked) == 1 and person.named("first"), "Cancel keeps the drawing"
    path = tmp_path / "kept.railspine.json"
    files(path)
    answers("Save")
    person.picks("new_blank")
    assert native.open_design(path).named("first")
    assert not person.design.devices
    person.opens("four-servers")
    _renames(person, "srv-01", "lost")
    answers("Do not save")
    person.picks("close")
    assert person.document is None and len(asked) == 3


def test_closing_the_window_asks_too(person, answers):
    person.opens("four-servers")
    _renames(person, "srv-01", "first")
    answers("Cancel")
    person.window.close()
    assert person.window.isVisible()
    answers("Do not save")
    person.window.close()
    assert not person.window.isVisible()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written(person, files, tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0o500)
    _cannot_save(person, files, folder / "a.railspine.json")
    folder.chmod(0o700)


def test_a_folder_that_is_a_file(person, files, tmp_path):
    (tmp_path / "file").write_text("no folder")
    _cannot_save(person, files, tmp_path / "file" / "a.railspine.json")


def _cannot_save(person, files, path):
    person.opens("four-servers")
    _renames(person, "srv-01", "first")
    files(path)
    person.picks("save")
    assert person.named("first") and person.window.isWindowModified()
    (notice,) = person.editor.notices.notices
    assert notice.text.title.startswith("Not saved")
    assert "safe here" in notice.text.text
    labels = [b.text() for b in notice.findChildren(QPushButton)]
    assert labels == ["Save elsewhere", "Try again"]
    good = path.parent.parent / "good.railspine.json"
    files(good)
    person.clicks(notice.findChildren(QPushButton)[0])
    assert good.exists() and not person.window.isWindowModified()
    assert not any("Not saved" in t for t in person.notices())


def test_a_later_save_takes_the_failure_away(person, files, tmp_path):
    (tmp_path / "file").write_text("no folder")
    person.opens("four-servers")
    _renames(person, "srv-01", "first")
    files(tmp_path / "file" / "a.railspine.json")
    person.picks("save")
    assert any("Not saved" in t for t in person.notices())
    files(tmp_path / "good.railspine.json")
    person.picks("save")
    assert person.notices() == [], "what is solved is not said any more"


def test_a_file_that_somebody_else_wrote_is_not_lost(person, answers, files, tmp_path):
    path, other = tmp_path / "shared.railspine.json", tmp_path / "other.railspine.json"
    path.write_bytes(examples()["four-servers"].read_bytes())
    person.window.files.open_path(path)
    person.wait_opened()
    _renames(person, "srv-01", "mine")
    theirs = path.read_bytes().replace(b"srv-02", b"theirs")
    path.write_bytes(theirs)
    asked = answers("Cancel")
    person.picks("save")
    assert len(asked) == 1 and "changed on disk" in asked[0]
    assert path.read_bytes() == theirs and person.window.isWindowModified()
    files(other)
    answers("Save elsewhere")
    person.picks("save")
    assert native.open_design(other).named("mine") and path.read_bytes() == theirs
    _renames(person, "mine", "again")
    person.picks("save")
    assert len(asked) == 2, "one's own save is no change of another"
    other.write_bytes(theirs)
    _renames(person, "again", "last")
    answers("Replace")
    person.picks("save")
    assert native.open_design(other).named("last")
    assert other.with_name(other.name + "~").read_bytes() == theirs
    other.unlink()
    _renames(person, "last", "back")
    person.picks("save")
    assert native.open_design(other).named("back"), "a file that is gone is written anew"


def test_the_first_window_fits_the_screen(person):
    from designer.gui.main_window import MainWindow

    window = MainWindow(person.workspace)
    free = window.screen().availableSize()
    assert window.width() <= free.width() and window.height() <= free.height()
    assert window.minimumWidth() <= free.width() and window.minimumHeight() <= free.height()
    person.workspace.document_changed.disconnect(window._on_document)
    person.workspace.noticed.disconnect(window.say)
    person.workspace.imported.disconnect(window.drawing.tell_imported)
    window.deleteLater()


def test_a_damaged_file_keeps_what_cannot_be_read(person, tmp_path):
    data = json.loads(examples()["four-servers"].read_text())
    table = data["devices"]
    broken = next(iter(table)) if isinstance(table, dict) else 0
    table[broken] = {"id": "x", "role": 17}
    path = tmp_path / "damaged.railspine.json"
    path.write_text(json.dumps(data))
    before = path.read_bytes()
    person.window.files.open_path(path)
    person.wait_opened()
    (notice,) = person.editor.notices.notices
    assert "could not be read and" in notice.text.title
    person.clicks(notice.findChildren(QPushButton)[0])
    assert person.editor.bottom_dock.page() == "findings"
    assert path.read_bytes() == before


def test_a_file_that_is_no_drawing(person, tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear all,\n")
    person.window.files.open_path(path)
    person.wait_opened()
    assert person.document is None
    assert person.notices() and "letter.txt" in person.notices()[0]


def test_work_is_there_again_after_the_program_was_killed(person, qapp, qtbot):
    person.opens("four-servers")
    _renames(person, "srv-01", "first")
    person.workspace.autosave.write_now()
    # a killed process lets go of its locks and writes nothing more
    session = person.workspace.autosave.session
    person.workspace.recovery.release(session)
    person.workspace.close_document(keep_copy=True)
    person.window.offer_recovered()
    page = person.window.stack.currentWidget()
    assert isinstance(page, RecoveryPage)
    (picture,) = page.findChildren(DrawingPicture)
    person.bot.waitUntil(lambda: not picture.empty, timeout=10_000)
    assert session not in person.workspace.recovery._locks, "looking takes nothing"
    words = [w.geometry() for w in picture.parentWidget().findChildren(QLabel)]
    assert words and not any(w.intersects(picture.geometry()) for w in words)
    person.clicks(page.buttons[0])
    assert person.named("first")
    assert person.window.isWindowModified(), "it is still in no file"
    person.document.undo.setClean()


def test_a_copy_that_cannot_be_read_is_offered_without_a_picture(person):
    person.opens("four-servers")
    person.workspace.autosave.write_now()
    session = person.workspace.autosave.session
    person.workspace.recovery.release(session)
    person.workspace.close_document(keep_copy=True)
    person.workspace.recovery._drawing(session).write_text("no drawing")
    person.window.offer_recovered()
    page = person.window.stack.currentWidget()
    person.workspace.background.finish()
    person.see()
    assert page.findChildren(DrawingPicture)[0].empty and person.notices() == []
    person.clicks(page.buttons[0])
    assert person.notices(), "opening says what is wrong with it"
    person.workspace.recovery.discard(session)


def test_recent_files_say_what_they_hold_unless_somebody_else_wrote_them(person, files, tmp_path):
    path = tmp_path / "mine.railspine.json"
    person.opens("four-servers")
    files(path)
    person.picks("save_as")
    person.picks("close")
    rows = person.window.stack.currentWidget().rows
    assert "32 gpus" in rows[0].words
    os.utime(path, ns=(1, 1))
    person.picks("start")
    rows = person.window.stack.currentWidget().rows
    assert "gpus" not in rows[0].words


def test_settings_of_another_hand_are_read_as_far_as_they_make_sense(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text('{"recent": ["/a", 3], "held": {"/a": [1, 2], "/b": [1], "/c": ["x", 2]}}')
    settings, warning = load_settings(path)
    assert not warning and settings.recent == ("/a",) and settings.held == {"/a": [1, 2]}
    path.write_text('{"held": [1, 2]}')
    assert load_settings(path)[0].held == {}


@pytest.mark.skipif(not REAL.exists(), reason=f"{REAL} is not here")
def test_a_real_fabric_by_drop_and_its_hosts_in_one_step(person):
    person.drops_files(person.window, REAL)
    person.bot.waitUntil(lambda: person.editor is not None, timeout=20_000)
    person.wait_results()
    assert person.document.results.get("counts.gpus") in (None, 0)
    (notice,) = [n for n in person.editor.notices.notices if n.text.key == "imported"]

    def in_dialog():
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, MapServersDialog)
        dialog.accept()

    QTimer.singleShot(0, in_dialog)
    person.clicks(notice.findChildren(QPushButton)[0])
    assert person.document.undo.count() == 1, "one step for all hosts"
    person.wait_results()
    assert person.document.results.get("counts.gpus") > 0
    person.document.undo.setClean()


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_export(person, files, tmp_path, form):
    person.opens("four-servers")
    path = tmp_path / f"out{FORMS[form][0]}"
    files(path)

    def in_dialog():
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, ExportDialog)
        row = list(FORMS).index(form)
        dialog.forms.setCurrentRow(row)
        dialog.accept()

    QTimer.singleShot(0, in_dialog)
    person.picks("export")
    person.wait_opened()
    assert path.stat().st_size > 200
    assert any(str(path) in t for t in person.notices())
    _reads_back(form, path)


def _reads_back(form, path):
    data = path.read_bytes()
    if form == "svg":
        assert b"viewBox" in data and b"<text" in data
    elif form in ("png", "pdf"):
        assert data[:4] in (b"\x89PNG", b"%PDF")
    elif form == "html":
        assert b"<svg" in data and b"http" not in data.split(b"<style")[0]
    elif form == "json":
        assert json.loads(data)["results"]["counts"]["gpus"] == 32
    elif form in ("bom", "cables"):
        rows = list(csv.reader(data.decode("utf-8-sig").splitlines()))
        assert len(rows) > 3 and len({len(r) for r in rows if r}) == 1
        words = " ".join(rows[0]).lower()
        assert ("part" in words) if form == "bom" else ("length" in words)


def test_what_nobody_expected_is_said_once_and_work_is_kept(person, caplog):
    caplog.expected_warnings = True
    person.opens("four-servers")
    _renames(person, "srv-01", "first")
    fault = ZeroDivisionError("nobody expected this")
    person.program.on_exception(ZeroDivisionError, fault, None)
    assert person.notices()
    copy = person.workspace.recovery.open(person.workspace.autosave.session)
    assert copy.named("first")


_KILLED = """
import os, signal
from designer.gui.app import Program, make_application
from designer.services.create import new_design
from designer.model.operations import set_field
program = Program(make_application(), "en")
program.start([])
document = program.workspace.adopt(new_design("four-servers", program.workspace.catalog))
document.apply(set_field(document.design, [document.design.named("srv-01").id], "name", "first"))
program.workspace.autosave.write_now()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_process_loses_nothing(qapp, qtbot):
    ended = subprocess.run([sys.executable, "-c", _KILLED], capture_output=True, check=False)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    program = Program(qapp, "en")
    program.start([])
    page = program.window.stack.currentWidget()
    assert isinstance(page, RecoveryPage)
    qtbot.mouseClick(page.buttons[0], Qt.MouseButton.LeftButton)
    assert program.workspace.document.design.named("first")
    program.workspace.close()
    assert not Recovery().list(), "closed in order, nothing is left to recover"
    program.window.close()
    program.window.deleteLater()


def test_docks_are_where_they_were(person, qapp):
    person.opens("four-servers")
    person.editor.outline_dock.close()
    person.editor.resizeDocks([person.editor.side_dock], [420], Qt.Orientation.Horizontal)
    person.see()
    width = person.editor.side_dock.width()
    person.window.close()
    later = Program(qapp, "en")
    later.start([])
    later.window.resize(1600, 1000)
    later.workspace.adopt(new_design("four-servers", later.workspace.catalog))
    person.see()
    assert not later.window.editor.outline_dock.isVisible()
    assert abs(later.window.editor.side_dock.width() - width) <= 2
    later.window.close()
    later.window.deleteLater()


def test_the_start_page_leads_back_to_the_drawing(person):
    person.opens("four-servers")
    person.picks("start")
    page = person.window.stack.currentWidget()
    assert page is not person.editor
    person.presses(Qt.Key.Key_Escape, on=page)
    assert person.window.stack.currentWidget() is person.editor
    person.picks("start")
    person.picks("zoom_fit")
    assert person.window.stack.currentWidget() is person.editor


_COPIED = """
from designer.gui.app import Program, make_application
from designer.services.create import new_design
application = make_application()
program = Program(application, "en")
program.start([])
program.workspace.adopt(new_design("four-servers", program.workspace.catalog))
program.window.editor.canvas.verbs.select_all()
program.window.editor.canvas.verbs.copy()
application.processEvents()
program.workspace.close()
program.window.close()
"""


def test_a_program_that_copied_ends_without_a_crash():
    ended = subprocess.run([sys.executable, "-c", _COPIED], capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr
