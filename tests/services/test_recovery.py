"""Recovery: a killed window loses nothing, a living one is left alone."""

import os
import signal
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import pytest

from designer.errors import FileError
from designer.formats import native
from designer.model import operations
from designer.model.design import Design
from designer.services import file_lock, recovery
from designer.services.recovery import Recovery, new_session, recovery_folder
from tests.formats.drawings import same
from tests.model.parts import SERVER, SWITCH


@pytest.fixture
def drawing():
    design = Design()
    design.apply(operations.place(design, SWITCH, 0, 0, name="leaf"))
    design.apply(operations.place(design, SERVER, 0, 0, name="srv"))
    design.apply(operations.set_info(design, title="Hall 3"))
    return design


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "recovery"


def crashed(folder, design, **fields):
    """Leave a copy as a killed window does: the lock is gone, the files stay."""
    store = Recovery(folder)
    session = new_session()
    store.write(design, session, fields.get("path"), fields.get("edits", 1))
    store.close()
    return session


def test_a_copy_is_listed_with_what_it_is(folder, drawing, tmp_path):
    path = tmp_path / "su.railspine.json"
    native.save(drawing, path)
    os.utime(path, (1_000_000_000, 1_000_000_000))
    session = crashed(folder, drawing, path=path, edits=23)
    (found,) = Recovery(folder).list()
    assert (found.session, found.path, found.edits) == (session, path, 23)
    assert found.title == "Hall 3"
    assert found.devices == {"leaf": 1, "server": 1}
    assert found.links == 0
    assert found.file_written.timestamp() == 1_000_000_000
    assert abs(found.written.timestamp() - time.time()) < 60


def test_a_drawing_that_never_had_a_file(folder, drawing):
    crashed(folder, drawing)
    (found,) = Recovery(folder).list()
    assert found.path is None
    assert found.file_written is None


def test_recovered_drawing_is_the_same_and_goes_on_under_its_session(folder, drawing):
    session = crashed(folder, drawing)
    store = Recovery(folder)
    design = store.open(session)
    assert same(design, drawing)
    assert store.list() == []
    design.apply(operations.set_info(design, title="Hall 4"))
    store.write(design, session, None, 2)
    store.close()
    (found,) = Recovery(folder).list()
    assert (found.title, found.edits) == ("Hall 4", 2)
    store.close()


def test_copies_of_living_windows_are_neither_offered_nor_discarded(folder, drawing):
    mine, other = Recovery(folder), Recovery(folder)
    session = new_session()
    mine.write(drawing, session, None, 1)
    assert mine.list() == []
    assert other.list() == []
    other.discard(session)
    with pytest.raises(FileError, match="another window"):
        other.open(session)
    mine.close()
    assert [r.session for r in other.list()] == [session]


def test_saved_drawings_leave_nothing(folder, drawing):
    store = Recovery(folder)
    session = new_session()
    store.write(drawing, session, None, 1)
    store.discard(session)
    assert list(folder.iterdir()) == []
    store.discard(session)  # twice is no fault
    store.discard("never-seen")


def test_newest_first_and_gone_after_thirty_days(folder, drawing):
    sessions = [crashed(folder, drawing) for _ in range(3)]
    now = time.time()
    for session, days in zip(sessions, (2, 1, 31), strict=True):
        at = now - days * 86_400
        os.utime(folder / f"{session}{native.ENDING}", (at, at))
    found = Recovery(folder).list()
    assert [r.session for r in found] == [sessions[1], sessions[0]]
    assert not [p for p in folder.iterdir() if sessions[2] in p.name]


def test_damaged_card_costs_only_the_description(folder, drawing):
    session = crashed(folder, drawing, edits=5)
    for text in ("", "[]", "{", '{"title": 1}', '{"devices": []}'):
        (folder / f"{session}.card").write_text(text, encoding="utf-8")
        (found,) = Recovery(folder).list()
        assert (found.session, found.edits) == (session, 0)
    assert same(Recovery(folder).open(session), drawing)


def test_damaged_copy_is_an_error_and_stays(folder, drawing):
    session = crashed(folder, drawing)
    path = folder / f"{session}{native.ENDING}"
    path.write_text("{", encoding="utf-8")
    store = Recovery(folder)
    with pytest.raises(FileError):
        store.open(session)
    assert path.exists()
    assert len(store.list()) == 1


def test_folder_that_cannot_be_made_is_a_plain_error(tmp_path, drawing):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    store = Recovery(tmp_path / "file" / "recovery")
    assert store.list() == []
    with pytest.raises(FileError, match="recovery") as caught:
        store.write(drawing, new_session(), None, 1)
    assert caught.value.hint
    with pytest.raises(FileError):
        store.open("x")


def test_failed_copy_leaves_the_one_before(folder, drawing, monkeypatch):
    store = Recovery(folder)
    session = new_session()
    store.write(drawing, session, None, 1)

    def full(*_args, **_kwargs):
        raise FileError("full", "make room")

    monkeypatch.setattr(recovery, "write_atomically", full)
    with pytest.raises(FileError):
        store.write(Design(), session, None, 2)
    monkeypatch.undo()
    store.close()
    assert same(Recovery(folder).open(session), drawing)


def test_folder_follows_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("RAILSPINE_STATE", str(tmp_path / "s"))
    assert recovery_folder() == tmp_path / "s" / "recovery"
    monkeypatch.delenv("RAILSPINE_STATE")
    assert "railspine" in str(recovery_folder())


def test_nobody_else_may_read_the_copies(folder, drawing):
    crashed(folder, drawing)
    if os.name == "posix":
        assert folder.stat().st_mode & 0o077 == 0


WINDOW = """
import sys, time
from pathlib import Path
from designer.formats import native
from designer.services.recovery import Recovery
store = Recovery(Path(sys.argv[1]))
store.write(native.open_design(Path(sys.argv[2])), "s1", Path(sys.argv[2]), 7)
print("ready", flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is a thing of POSIX")
def test_copy_of_a_killed_window_is_offered_only_after_its_end(folder, drawing, tmp_path):
    path = tmp_path / "a.railspine.json"
    native.save(drawing, path)
    command = [sys.executable, "-c", WINDOW, str(folder), str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as window:
        assert window.stdout.readline() == "ready\n"
        assert Recovery(folder).list() == []
        window.send_signal(signal.SIGKILL)
    (found,) = Recovery(folder).list()
    assert (found.session, found.edits, found.path) == ("s1", 7, path)
    assert same(Recovery(folder).open("s1"), drawing)


def test_sessions_are_told_apart():
    assert len({new_session() for _ in range(50)}) == 50
    assert datetime.strptime(new_session()[:8], "%Y%m%d").year >= 2026
    assert Path(new_session()).name


@pytest.mark.skipif(os.name != "posix", reason="elsewhere locks always work")
def test_where_no_locks_work_the_process_id_decides(folder, drawing, monkeypatch):
    def no_locks(*_args):
        raise OSError(37, "No locks available")

    monkeypatch.setattr(file_lock.fcntl, "flock", no_locks)
    session = crashed(folder, drawing)
    lock = folder / f"{session}.lock"
    lock.write_text(str(os.getppid()), encoding="utf-8")  # somebody else who lives
    assert Recovery(folder).list() == []
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    lock.write_text(str(gone.pid), encoding="utf-8")
    assert len(Recovery(folder).list()) == 1
