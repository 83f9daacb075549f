"""Recovery copies: what was drawn since the last save, for the day the program does not end well.

Each open drawing has a session id and up to three files in the recovery folder: the drawing, a card
that says where it came from, and a lock held while its window lives.
"""

import json
import os
import secrets
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from platformdirs import user_state_path

from designer.errors import FileError
from designer.formats import native
from designer.formats.atomic import write_atomically
from designer.messages import _
from designer.model.design import Design
from designer.services.file_lock import FileLock

KEPT_DAYS = 30
_DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Recoverable:
    """A drawing that can be recovered.

    Attributes:
        session: Its id; `Recovery.open` takes it.
        title: Title of the drawing; may be empty.
        path: File it belongs to; None when it was never saved.
        written: When the copy was made.
        file_written: When that file was last written; None when there is none.
        edits: Edits since the last save.
        devices: Devices by role.
        links: Links over all cables.
    """

    session: str
    title: str
    path: Path | None
    written: datetime
    file_written: datetime | None
    edits: int
    devices: dict[str, int] = field(default_factory=dict, hash=False)
    links: int = 0


@dataclass(frozen=True, slots=True)
class _Card:
    title: str = ""
    path: str = ""
    edits: int = 0
    devices: dict[str, int] = field(default_factory=dict, hash=False)
    links: int = 0


def recovery_folder() -> Path:
    """Return where recovery copies live; `RAILSPINE_STATE` names another folder."""
    own = os.environ.get("RAILSPINE_STATE")
    return (Path(own) if own else user_state_path("railspine")) / "recovery"


def new_session() -> str:
    """Return an id for a drawing that was just opened or begun."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"


class Recovery:
    """The recovery copies in one folder. Safe to use from several threads and windows."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or recovery_folder()
        self._locks: dict[str, FileLock] = {}
        self._busy = threading.RLock()

    def write(self, design: Design, session: str, path: Path | None, edits: int) -> None:
        """Copy a drawing; `edits` counts those since `path` was last saved.

        Takes as long as saving does: give it a snapshot and call it outside the window's thread.

        Raises:
            FileError: The folder cannot be written; the copy before is as it was.
        """
        card = _Card(
            design.title_block.title,
            str(path.absolute()) if path else "",
            edits,
            dict(Counter(d.role for d in design.devices.values())),
            sum(c.count for c in design.cables.values()),
        )
        data = native.dumps(design).encode("utf-8")
        with self._busy:
            self._hold(session)
            write_atomically(self._drawing(session), data)
            write_atomically(self._card(session), json.dumps(asdict(card)).encode("utf-8"))

    def list(self) -> list[Recoverable]:
        """Return what can be recovered, newest first; drawings of living windows are not in it.

        Copies older than 30 days are removed. A folder that cannot be read holds none.
        """
        found = []
        with self._busy, suppress(OSError):
            for path in sorted(self.folder.glob(f"*{native.ENDING}")):
                session = path.name.removesuffix(native.ENDING)
                if self._lives(session):
                    continue
                written = path.stat().st_mtime
                if time.time() - written > KEPT_DAYS * _DAY_S:
                    self._remove(session)
                else:
                    found.append(self._describe(session, written))
        return sorted(found, key=lambda r: r.written, reverse=True)

    def open(self, session: str) -> Design:
        """Return a recovered drawing and take it over: go on writing under the same session id.

        Raises:
            FileError: Another window has it, or the copy cannot be read.
        """
        with self._busy:
            self._hold(session)
            try:
                return native.open_design(self._drawing(session))
            except FileError:
                self.release(session)
                raise

    def peek(self, session: str) -> Design:
        """Return a recovered drawing to look at; the copy stays as it is, for whoever takes it.

        Raises:
            FileError: The copy cannot be read.
        """
        return native.open_design(self._drawing(session))

    def discard(self, session: str) -> None:
        """Remove a copy: its drawing was saved, closed unchanged, or the user said so.

        A copy that another window works on stays.
        """
        with self._busy, suppress(OSError):
            if not self._lives(session) or session in self._locks:
                self._remove(session)

    def release(self, session: str) -> None:
        """Let go of a session and keep its copy, so that it is offered again."""
        with self._busy:
            lock = self._locks.pop(session, None)
            if lock is not None:
                with suppress(OSError):
                    lock.release()

    def close(self) -> None:
        """Let go of all sessions; their copies stay."""
        for session in list(self._locks):
            self.release(session)

    # --- files ---

    def _drawing(self, session: str) -> Path:
        return self.folder / f"{session}{native.ENDING}"

    def _card(self, session: str) -> Path:
        return self.folder / f"{session}.card"

    def _lock(self, session: str) -> Path:
        return self.folder / f"{session}.lock"

    def _hold(self, session: str) -> None:
        """Hold the lock of a session from now on."""
        if session in self._locks:
            return
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = FileLock.take(self._lock(session))
            if lock is None:  # somebody may just be looking whether it lives
                time.sleep(0.05)
                lock = FileLock.take(self._lock(session))
        except OSError as fault:
            raise FileError(
                _("No recovery copy can be kept in {folder}: {fault}").format(
                    folder=self.folder, fault=fault.strerror or fault
                ),
                _("Save often, or make room in that folder."),
            ) from fault
        if lock is None:
            raise FileError(
                _("This drawing is open in another window."), _("Go on there, or close it first.")
            )
        self._locks[session] = lock

    def _lives(self, session: str) -> bool:
        if session in self._locks:
            return True
        if not self._lock(session).exists():
            return False
        lock = FileLock.take(self._lock(session))
        if lock is None:
            return True
        lock.release()
        return False

    def _describe(self, session: str, written: float) -> Recoverable:
        card = self._read_card(session)
        path = Path(card.path) if card.path else None
        saved = None
        if path is not None:
            with suppress(OSError):
                saved = datetime.fromtimestamp(path.stat().st_mtime).astimezone()
        return Recoverable(
            session,
            card.title,
            path,
            datetime.fromtimestamp(written).astimezone(),
            saved,
            card.edits,
            card.devices,
            card.links,
        )

    def _read_card(self, session: str) -> _Card:
        """Return the card; one that is missing or damaged costs only the description."""
        try:
            data: Any = json.loads(self._card(session).read_text(encoding="utf-8"))
            return _Card(
                str(data["title"]),
                str(data["path"]),
                int(data["edits"]),
                {str(k): int(v) for k, v in data["devices"].items()},
                int(data["links"]),
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return _Card()

    def _remove(self, session: str) -> None:
        for path in (self._drawing(session), self._card(session)):
            path.unlink(missing_ok=True)
        self.release(session)
        self._lock(session).unlink(missing_ok=True)
