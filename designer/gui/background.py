"""Work beside the window: one thread for files, results delivered in the window's thread."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Signal

Done = Callable[[Any], None]
Failed = Callable[[BaseException], None]


class Background(QObject):
    """Runs one piece of work after another; each ends with a call in the window's thread.

    Signals:
        busy: What is being done, or an empty text when nothing is.
    """

    busy = Signal(str)
    _ended = Signal(object, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="railspine-files")
        self._running: list[Future[None]] = []
        self._ended.connect(self._deliver)

    def run(self, what: str, work: Callable[[], Any], done: Done, failed: Failed) -> None:
        """Do `work` in the thread; then `done` gets its value, or `failed` its exception."""
        self.busy.emit(what)
        self._running = [f for f in self._running if not f.done()]
        self._running.append(self._pool.submit(self._work, work, done, failed))

    def _work(self, work: Callable[[], Any], done: Done, failed: Failed) -> None:
        try:
            value = work()
        except Exception as fault:
            self._ended.emit(failed, fault, None)
        else:
            self._ended.emit(done, value, None)

    def _deliver(self, call: Callable[[Any], None], value: Any, _unused: object) -> None:
        self.busy.emit("")
        call(value)

    def finish(self, timeout: float = 60.0) -> None:
        """Wait until everything is done and delivered, for scripts and tests.

        Raises:
            TimeoutError: It took longer than `timeout` seconds.
        """
        for future in self._running:
            future.result(timeout)
        QCoreApplication.sendPostedEvents(self)

    def close(self) -> None:
        """End the thread; what is under way ends first."""
        self._pool.shutdown(wait=True, cancel_futures=True)
