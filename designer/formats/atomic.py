"""Writes a file in one step: whoever reads it sees the old contents or the new, never a part."""

import os
import secrets
import stat
import time
from contextlib import suppress
from pathlib import Path

from designer.errors import FileError
from designer.messages import _
from designer.units import format_bytes

# A temporary file this old belongs to a process that was killed.
_STALE_S = 3600.0


class _NoFileError(OSError):
    """The path belongs to a folder or a device."""


def write_atomically(path: Path, data: bytes, *, backup: bool = False) -> None:
    """Replace a file by `data`: temporary file beside it, flush, fsync, rename.

    A symbolic link keeps pointing to its file, and the file keeps its permissions. With `backup`
    the file that was there stays as `NAME~`.

    Raises:
        FileError: Any step failed; the old file is untouched and no temporary file stays.
    """
    temporary = ""
    try:
        target = Path(os.path.realpath(path))
        _refuse_protected(target)
        temporary = _temporary(target)
        _write(temporary, data, private=target.exists())
        if target.exists():
            os.chmod(temporary, stat.S_IMODE(target.stat().st_mode))  # noqa: PTH101
            if backup:
                _keep_backup(target)
        os.replace(temporary, target)  # noqa: PTH105 - its failures are what tests provoke
        temporary = ""
    except (OSError, ValueError) as fault:
        raise _not_saved(path, fault, len(data)) from fault
    finally:
        if temporary:
            # the folder may be gone or no folder; what went wrong before is what is told
            with suppress(OSError):
                Path(temporary).unlink()
    _sync_folder(target.parent)
    _sweep(target)


def _not_saved(path: Path, fault: OSError | ValueError, size: int) -> FileError:
    what = getattr(fault, "strerror", None) or str(fault)
    hint = _("The file on disk is as it was. It needs {size}. Save it elsewhere, or try again.")
    if isinstance(fault, FileNotFoundError):
        what = _("there is no folder {folder}").format(folder=path.parent)
        hint = _("Make the folder, or choose another place.")
    elif isinstance(fault, _NoFileError):
        hint = _("Choose a name that is free, or a file.")
    return FileError(
        _("Not saved: {path}: {fault}").format(path=path, fault=what),
        hint.format(size=format_bytes(size)),
    )


def _refuse_protected(target: Path) -> None:
    """Refuse a file that is marked read-only: a rename would replace it all the same."""
    if not target.exists():
        return
    mode = target.stat().st_mode
    if not stat.S_ISREG(mode):
        raise _NoFileError(0, _("it is no file"))
    if not mode & 0o222:
        raise PermissionError(0, _("the file is read-only"))


def _prefix(target: Path) -> str:
    return f".{target.name[:40]}."  # names have an end: 255 bytes


def _temporary(target: Path) -> str:
    return str(target.with_name(f"{_prefix(target)}{secrets.token_hex(4)}.tmp"))


def _write(path: str, data: bytes, *, private: bool) -> None:
    """Write a new file; a private one may be read by nobody else until its mode is set."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags, 0o600 if private else 0o666), "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _keep_backup(target: Path) -> None:
    """Keep the present file as `NAME~` without a moment in which neither name exists."""
    old = target.with_name(target.name + "~")
    spare = Path(_temporary(target))
    try:
        os.link(target, spare)
    except OSError:  # a file system without hard links
        spare.write_bytes(target.read_bytes())
    try:
        os.replace(spare, old)  # noqa: PTH105
    except OSError:
        spare.unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    """Make the rename last through a power cut, where the system can."""
    if os.name != "posix":
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # a folder one may write to but not read
        return
    try:
        os.fsync(handle)
    except OSError:  # some network file systems refuse; the rename has happened
        pass
    finally:
        os.close(handle)


def _sweep(target: Path) -> None:
    """Remove what a process that was killed while it saved this file left behind."""
    prefix, limit = _prefix(target), time.time() - _STALE_S
    try:
        for entry in os.scandir(target.parent):
            if (
                entry.name.startswith(prefix)
                and entry.name.endswith(".tmp")
                and entry.stat(follow_symlinks=False).st_mtime < limit
            ):
                Path(entry.path).unlink(missing_ok=True)
    except OSError:  # tidying up is no reason to fail
        return
