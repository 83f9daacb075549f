"""Measures the window while the engine computes: gaps between the beats of a timer.

The whole window stands off screen with the drawing of 24,576 GPUs. A timer wants to beat every
two milliseconds; how long a beat is late is how long a person waits for the mouse.
"""

import os
import sys
import tempfile
from itertools import pairwise
from time import perf_counter

from designer.bench.engine import touch
from designer.bench.fabrics import FABRICS, fabric
from designer.bench.rows import Row

_BEAT_MS, _ROUNDS, _MOST_GAP_S, _LONGEST_S = 2, 10, 0.05, 60.0
_NAME = "fab24k"


def rows() -> list[Row]:
    """Return the 99th percentile and the longest of the gaps, seconds."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RAILSPINE_CONFIG"] = os.environ["RAILSPINE_STATE"] = folder
        gaps = sorted(measure())
    most = gaps[-1]
    late = gaps[int(0.99 * (len(gaps) - 1))]
    gpus = FABRICS[_NAME]
    return [
        Row("window, gap p99", _NAME, gpus, late, "s", _MOST_GAP_S),
        Row("window, longest gap", _NAME, gpus, most, "s"),
    ]


def measure(name: str = _NAME, rounds: int = _ROUNDS) -> list[float]:
    """Return the gaps between beats, in seconds, from each edit until its results are shown."""
    from PySide6.QtCore import QEvent, Qt, QTimer
    from PySide6.QtWidgets import QApplication

    from designer.gui.app import Program
    from designer.scene.layout import arrange

    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    program = Program(application)
    design = fabric(name, program.workspace.catalog)
    design.apply(arrange(design))
    document = program.workspace.adopt(design)
    program.window.show()
    beats: list[float] = []
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: beats.append(perf_counter()))
    timer.start(_BEAT_MS)

    def wait() -> None:
        end = perf_counter() + _LONGEST_S
        while not document.current and perf_counter() < end:
            application.processEvents()

    wait()
    gaps: list[float] = []
    for k in range(rounds):
        document.apply(touch(design, k))
        # what the edit itself costs is another matter
        application.processEvents()
        beats.clear()
        beats.append(perf_counter())
        wait()
        application.processEvents()
        beats.append(perf_counter())
        gaps += [b - a for a, b in pairwise(beats)]
    timer.stop()
    document.undo.setClean()
    program.workspace.close_document()
    program.window.close()
    program.window.deleteLater()
    application.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return gaps
