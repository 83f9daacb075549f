"""Saving in one step: whatever goes wrong, a whole file is on the disk."""

import errno
import os
import signal
import stat
import subprocess
import sys
import time

import pytest

from designer.errors import FileError
from designer.formats import atomic, native
from designer.formats.atomic import write_atomically
from designer.model import operations
from designer.model.design import Design

OLD, NEW = b"old contents\n", b"new contents\n"


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "a.railspine.json"
    found.write_bytes(OLD)
    return found


def names(path):
    return sorted(p.name for p in path.parent.iterdir())


def test_saving_keeps_the_file_before_as_backup(path):
    design = Design()
    native.save(design, path)
    assert path.with_name(path.name + "~").read_bytes() == OLD
    design.apply(operations.add_note(design, "x", 0, 0))
    first = path.read_bytes()
    native.save(design, path)
    assert path.with_name(path.name + "~").read_bytes() == first
    assert names(path) == ["a.railspine.json", "a.railspine.json~"]


def test_first_save_makes_no_backup(tmp_path):
    native.save(Design(), tmp_path / "new.railspine.json")
    assert [p.name for p in tmp_path.iterdir()] == ["new.railspine.json"]


def test_permissions_are_kept(path):
    path.chmod(0o640)
    write_atomically(path, NEW, backup=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert stat.S_IMODE(path.with_name(path.name + "~").stat().st_mode) == 0o640


def test_new_files_follow_the_mask_of_the_process(tmp_path):
    old = os.umask(0o027)
    try:
        write_atomically(tmp_path / "a", NEW)
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_symbolic_link_keeps_pointing_to_its_file(path, tmp_path):
    folder = tmp_path / "other"
    folder.mkdir()
    link = folder / "link.railspine.json"
    link.symlink_to(path)
    write_atomically(link, NEW, backup=True)
    assert link.is_symlink()
    assert path.read_bytes() == NEW
    assert names(path) == ["a.railspine.json", "a.railspine.json~", "other"]
    assert [p.name for p in folder.iterdir()] == ["link.railspine.json"]


@pytest.mark.parametrize("step", ["open", "write", "fsync", "chmod", "link", "replace"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS, errno.EDQUOT])
def test_failure_of_any_step_leaves_the_file_as_it_was(path, monkeypatch, step, code):
    def fail(*_args, **_kwargs):
        raise OSError(code, os.strerror(code))

    if step == "write":
        real = os.fdopen

        def fdopen(handle, mode):
            stream = real(handle, mode)
            return Full(stream, fail)

        monkeypatch.setattr(atomic.os, "fdopen", fdopen)
    elif step == "link":  # falls back to a copy, which fails too
        monkeypatch.setattr(atomic.os, "link", fail)
        monkeypatch.setattr(atomic.Path, "write_bytes", fail)
    else:
        monkeypatch.setattr(atomic.os, step, fail)
    with pytest.raises(FileError) as caught:
        write_atomically(path, NEW, backup=True)
    monkeypatch.undo()
    assert os.strerror(code) in caught.value.message
    assert path.name in caught.value.message
    assert "as it was" in caught.value.hint
    assert path.read_bytes() == OLD
    assert not [n for n in names(path) if n.endswith(".tmp")]


class Full:
    """A stream on a full disk: half is written, then it fails."""

    def __init__(self, stream, fail):
        self._stream, self._fail = stream, fail

    def __enter__(self):
        return self

    def __exit__(self, *_args):
        self._stream.close()

    def write(self, data):
        self._stream.write(data[: len(data) // 2])
        self._fail()


def test_file_system_without_hard_links_still_keeps_a_backup(path, monkeypatch):
    def fail(*_args):
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(atomic.os, "link", fail)
    write_atomically(path, NEW, backup=True)
    assert path.read_bytes() == NEW
    assert path.with_name(path.name + "~").read_bytes() == OLD


def test_folder_that_cannot_be_synced_is_no_failure(path, monkeypatch):
    real = os.fsync

    def fsync(handle):
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "not here")
        real(handle)

    monkeypatch.setattr(atomic.os, "fsync", fsync)
    write_atomically(path, NEW)
    assert path.read_bytes() == NEW


def test_interrupt_leaves_no_temporary_file(path, monkeypatch):
    def interrupt(_handle):
        raise KeyboardInterrupt

    monkeypatch.setattr(atomic.os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, NEW, backup=True)
    assert names(path) == ["a.railspine.json"]
    assert path.read_bytes() == OLD


def test_file_marked_read_only_is_not_replaced(path):
    path.chmod(0o444)
    with pytest.raises(FileError, match="read-only"):
        write_atomically(path, NEW)
    assert path.read_bytes() == OLD


@pytest.mark.parametrize("name", ["none/a.json", "", "a\0b", "x" * 300])
def test_impossible_places_are_refused(tmp_path, name):
    with pytest.raises(FileError) as caught:
        write_atomically(tmp_path / name if name else tmp_path, NEW)
    assert caught.value.hint


def test_long_names_fit(tmp_path):
    path = tmp_path / ("ü" * 110 + ".railspine.json")  # 235 bytes
    write_atomically(path, NEW)
    write_atomically(path, OLD, backup=True)
    assert path.read_bytes() == OLD


def test_what_a_killed_process_left_is_swept_after_an_hour(path):
    stale = path.with_name(f".{path.name}.0123.tmp")
    fresh = path.with_name(f".{path.name}.4567.tmp")
    other = path.with_name(".b.railspine.json.0123.tmp")
    for one in (stale, fresh, other):
        one.write_bytes(b"part")
    long_ago = time.time() - 7200
    os.utime(stale, (long_ago, long_ago))
    os.utime(other, (long_ago, long_ago))
    write_atomically(path, NEW)
    assert names(path) == sorted([fresh.name, other.name, path.name])


SAVER = """
import sys
from pathlib import Path
from designer.formats import native
from designer.model.design import Design
from designer.model.records import Note
design = Design()
design.notes = {f"n{i:05d}": Note(f"n{i:05d}", "text " * 20, 0.0, 0.0) for i in range(3000)}
print("ready", flush=True)
number = 0
while True:
    number += 1
    design.notes["count"] = Note("count", str(number), 0.0, 0.0)
    native.save(design, Path(sys.argv[1]))
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is a thing of POSIX")
def test_kill_while_saving_leaves_a_whole_file_and_a_whole_backup(tmp_path):
    path = tmp_path / "a.railspine.json"
    seen = []
    for delay in (0.05, 0.11, 0.17, 0.23):
        run = subprocess.Popen(
            [sys.executable, "-c", SAVER, str(path)], stdout=subprocess.PIPE, text=True
        )
        with run:
            assert run.stdout.readline() == "ready\n"
            while not path.exists():
                time.sleep(0.005)
            time.sleep(delay)
            run.send_signal(signal.SIGKILL)
        for name in (path, path.with_name(path.name + "~")):
            if name.exists():
                design = native.open_design(name)
                assert len(design.notes) == 3001
                seen.append(int(design.notes["count"].text))
    assert len(seen) >= 4
