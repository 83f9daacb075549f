"""What has failed for the results only, and the run over every single fault beside the window."""

import logging
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from designer.catalog.catalog import Catalog
from designer.engine.compile import ONE_LINK
from designer.engine.failures import Effect, single_faults
from designer.engine.options import Options
from designer.engine.results import Results
from designer.errors import CancelledError, DesignerError
from designer.messages import _
from designer.model.design import Design
from designer.units import format_percent

_log = logging.getLogger(__name__)
# Names written out; more are counted.
_MOST_NAMES = 6
# Changes below this share are none.
SMALL = 5e-4


def failed_names(design: Design, ids: Iterable[str]) -> str:
    """Return what people call the parts that are out, the first few of them."""
    names = []
    for id_ in ids:
        own = id_.removesuffix(ONE_LINK)
        device, cable = design.devices.get(own), design.cables.get(own)
        if device is not None:
            names.append(device.name)
        elif cable is not None:
            ends = (design.devices.get(end.device) for end in (cable.a, cable.b))
            text = " → ".join(d.name for d in ends if d is not None)
            names.append(text if own == id_ else _("one link of {trunk}").format(trunk=text))
    shown = ", ".join(names[:_MOST_NAMES])
    return f"{shown} …" if len(names) > _MOST_NAMES else shown


def change(ratio: float | None) -> str:
    """Return a ratio as a change, such as `+14.3 %`; a dash without one."""
    if ratio is None:
        return "—"
    share = ratio - 1 if abs(ratio - 1) >= SMALL else 0.0
    return f"+{format_percent(share)}" if share > 0 else format_percent(share)


def with_failures(results: Results | None, run: "FaultRun", revision: int) -> Results | None:
    """Return results with the effects of single faults, where those are of the same revision."""
    if results is None or not run.effects or run.revision != revision:
        return results
    reasons = {k: v for k, v in results.values["reasons"].items() if k != "failures"}
    found = [effect.values() for effect in run.effects]
    return replace(results, values={**results.values, "failures": found, "reasons": reasons})


class FaultRun(QObject):
    """Finds the effects of every single fault in a thread of its own.

    Signals:
        progress: How many trials are done, and of how many.
        finished: New effects are there.
        failed: The exception that ended a run.

    Attributes:
        effects: Of the last run that ended.
        revision: Revision of the drawing they speak of; -1 before the first.
    """

    progress = Signal(int, int)
    finished = Signal()
    failed = Signal(object)
    _arrived = Signal(object, object, int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.effects: list[Effect] = []
        self.revision = -1
        self._stop: threading.Event | None = None
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="railspine-faults")
        self._arrived.connect(self._on_arrived)

    @property
    def running(self) -> bool:
        """Tell whether a run is under way."""
        return self._stop is not None

    def start(self, design: Design, options: Options, catalog: Catalog) -> None:
        """Begin a run over the drawing as it is, without what has failed for the results."""
        self.cancel()
        self._stop = threading.Event()
        asked = replace(options, fail=(), failures=False)
        self._pool.submit(
            self._work, design.snapshot(), design.revision, asked, catalog, self._stop
        )

    def cancel(self) -> None:
        """Stop the run; effects known before stay."""
        if self._stop is not None:
            self._stop.set()
            self._stop = None

    def close(self) -> None:
        """Stop the run and end the thread."""
        self.cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _work(
        self,
        design: Design,
        revision: int,
        options: Options,
        catalog: Catalog,
        stop: threading.Event,
    ) -> None:
        def told(done: int, total: int) -> None:
            if not stop.is_set():
                self.progress.emit(done, total)

        try:
            outcome: object = single_faults(
                design, options, catalog, progress=told, cancelled=stop.is_set
            )
        except CancelledError:
            return
        except Exception as fault:
            if not isinstance(fault, DesignerError):
                _log.exception("single faults")
            outcome = fault
        self._arrived.emit(stop, outcome, revision)

    def _on_arrived(self, stop: threading.Event, outcome: object, revision: int) -> None:
        if stop is not self._stop:
            return
        self._stop = None
        if isinstance(outcome, list):
            self.effects, self.revision = outcome, revision
            self.finished.emit()
        else:
            self.failed.emit(outcome)
