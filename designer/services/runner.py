"""One worker thread that answers the newest request; older ones are cancelled or dropped.

A request carries everything it needs (a snapshot of the design), so the worker shares no state with
the window and needs no locks around the design.
"""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from designer.catalog.catalog import Catalog
from designer.engine.analyze import analyze
from designer.engine.options import Options
from designer.engine.results import Results
from designer.errors import CancelledError
from designer.model.design import Design

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Request:
    """One analysis to make: a snapshot nobody changes, and what to compute."""

    design: Design
    options: Options
    catalog: Catalog
    stop: threading.Event = field(default_factory=threading.Event)


Done = Callable[[Request, "Results | BaseException"], None]


class Runner:
    """Runs analyses in the background, newest first.

    `done` is called on the worker thread with the request and its results, or the exception that
    ended it; never for a request that was cancelled.
    """

    def __init__(self, done: Done) -> None:
        self._done = done
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="railspine-engine")
        self._current: Request | None = None
        self._future: Future[None] | None = None

    def submit(self, design: Design, options: Options, catalog: Catalog) -> Request:
        """Ask for results of `design` (a snapshot is taken here); cancels what is under way."""
        self.cancel()
        request = Request(design.snapshot(), options, catalog)
        request.design.revision = design.revision
        self._current = request
        self._future = self._pool.submit(self._work, request)
        return request

    def cancel(self) -> None:
        """Stop what is under way; its results are not delivered."""
        if self._current is not None:
            self._current.stop.set()
        if self._future is not None:
            self._future.cancel()

    def wait(self, timeout: float = 60.0) -> None:
        """Wait until the newest request is done, for scripts and tests.

        Raises:
            TimeoutError: It took longer than `timeout` seconds.
        """
        if self._future is not None and not self._future.cancelled():
            self._future.result(timeout)

    def shutdown(self) -> None:
        """Cancel what is under way and end the thread; the runner cannot be used again."""
        self.cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _work(self, request: Request) -> None:
        outcome: Results | BaseException
        try:
            outcome = analyze(
                request.design, request.options, request.catalog, cancelled=request.stop.is_set
            )
        except CancelledError:
            return
        except Exception as fault:
            _log.debug("analysis failed", exc_info=True)
            outcome = fault
        if not request.stop.is_set():
            self._done(request, outcome)
