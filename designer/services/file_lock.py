"""A lock that the system lets go of when its process ends, however it ends."""

import os
import weakref
from pathlib import Path

if os.name == "nt":  # pragma: no cover
    import msvcrt

    def _take(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True

else:
    import fcntl

    def _take(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # some network file systems know no locks: the process id decides
            return not _alive(os.read(handle, 20))
        return True


def _alive(text: bytes) -> bool:
    """Tell whether the process with the number in `text` lives, and is another one."""
    if not text.isdigit() or int(text) == os.getpid():
        return False
    try:
        os.kill(int(text), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


class FileLock:
    """Holds `path` for this process until `release`; the file names the process."""

    def __init__(self, path: Path, handle: int) -> None:
        self._path = path
        self._close = weakref.finalize(self, os.close, handle)

    @classmethod
    def take(cls, path: Path) -> "FileLock | None":
        """Return the lock, or None when somebody holds it.

        Raises:
            OSError: The file cannot be made.
        """
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        if not _take(handle):
            os.close(handle)
            return None
        lock = cls(path, handle)
        os.lseek(handle, 0, os.SEEK_SET)
        os.truncate(handle, 0)
        os.write(handle, str(os.getpid()).encode())
        return lock

    def release(self) -> None:
        """Let go, and remove the file."""
        if os.name == "posix":  # while it is still held, so that nobody takes a name that goes
            self._path.unlink(missing_ok=True)
        self._close()
        if os.name != "posix":  # pragma: no cover - an open file cannot be removed there
            self._path.unlink(missing_ok=True)
