"""Makes drawings for previews, one at a time, away from the window's thread."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from designer.catalog.catalog import Catalog
from designer.engine.analyze import analyze
from designer.engine.options import Options
from designer.engine.results import Results
from designer.errors import CancelledError, DesignerError
from designer.messages import _
from designer.model.design import Design
from designer.scene.columns import SceneColumns
from designer.services.create import new_design


@dataclass(frozen=True, slots=True)
class Preview:
    """What the worker made of the parameters.

    Attributes:
        number: Of the request; an older one is forgotten.
        seconds: How long the drawing took.
        results: None until they are computed.
        fault: Why there is no drawing.
    """

    number: int
    seconds: float = 0.0
    design: Design | None = None
    columns: SceneColumns | None = None
    results: Results | None = None
    fault: DesignerError | None = None


class PreviewMaker:
    """One worker; the newest request wins.

    Args:
        catalog: Parts to draw with.
        deliver: Gets each `Preview`, in the worker's thread: the drawing first, then once more
            with its results.
    """

    def __init__(self, catalog: Catalog, deliver: Callable[[Preview], None]) -> None:
        self._catalog, self._deliver = catalog, deliver
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="railspine-template")
        self._stop = threading.Event()
        self.newest = 0

    def cancel(self) -> None:
        """Let what is being made come to nothing."""
        self._stop.set()
        self.newest += 1

    def submit(self, template: str, values: dict[str, Any]) -> None:
        """Make the drawing of a template with these values."""
        self.cancel()
        self._stop = threading.Event()
        self._pool.submit(self._work, self.newest, template, values, self._stop)

    def shutdown(self) -> None:
        """End the worker."""
        self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _work(
        self, number: int, template: str, values: dict[str, Any], stop: threading.Event
    ) -> None:
        def send(**found: Any) -> None:
            if not stop.is_set():
                self._deliver(Preview(number, perf_counter() - start, **found))

        start = perf_counter()
        try:
            design = new_design(template, self._catalog, **values)
            columns = SceneColumns.from_design(design)
            send(design=design, columns=columns)
            options = Options(workload=design.workload)
            results = analyze(design, options, self._catalog, cancelled=stop.is_set)
            send(design=design, columns=columns, results=results)
        except CancelledError:
            return
        except DesignerError as fault:
            send(fault=fault)
        except Exception as fault:
            # A fault of ours: the dialog stays usable and says so.
            text = _("This drawing cannot be made: {fault}").format(fault=fault)
            send(fault=DesignerError(text, _("Choose other parameters.")))
