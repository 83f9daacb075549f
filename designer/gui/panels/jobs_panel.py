"""The page of jobs: which servers each gets, what it does, and what they cost one another."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from designer.engine.options import Job
from designer.engine.placing import Placing
from designer.engine.results import Results
from designer.gui.bridge import Document
from designer.gui.canvas.job_menu import beside, selected_servers
from designer.gui.labels import Elided, clear, label
from designer.gui.panels.job_row import TITLES, WIDE, JobRow
from designer.messages import _, ngettext
from designer.units import format_number


class JobsPanel(QWidget):
    """Asks for jobs and shows them; the drawing is not changed by what is asked.

    Signals:
        explain: Dotted key of a figure, and where it stands on the screen.
        shown: Ids of servers or cables to be shown on the drawing.
    """

    explain = Signal(str, QPoint)
    shown = Signal(object)

    def __init__(self, document: Document, theme: str) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._document, self._theme = document, theme
        self.rows: list[JobRow] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 10, 6)
        column.setSpacing(6)
        column.addLayout(self._bar())
        body = QWidget()
        body.setObjectName("panel")
        self._grid = QGridLayout(body)
        self._grid.setContentsMargins(0, 0, 8, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(WIDE, 1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(body)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column.addWidget(scroll, 1)
        document.results_changed.connect(self._show)
        document.computing.connect(self._show)
        self._show()

    def _bar(self) -> QHBoxLayout:
        bar = QHBoxLayout()
        bar.setSpacing(10)
        self.add_button = QPushButton(_("Add a job"))
        self.add_button.setProperty("primary", True)
        self.add_button.setToolTip(_("On the selected servers, or on what the others leave."))
        self.add_button.clicked.connect(self._add)
        self.all_button = QPushButton(_("Use all servers"))
        self.all_button.clicked.connect(
            lambda: self._document.set_options(placing=None, ranks=None, others=())
        )
        self.words = Elided("", "row")
        bar.addWidget(self.add_button)
        bar.addWidget(self.all_button)
        bar.addWidget(self.words, 1)
        return bar

    # --- asking ---

    def jobs(self) -> list[Job]:
        """Return all jobs that are asked for, the first one as a job as well."""
        asked = self._document.options
        first = Job(
            asked.placing or Placing(),
            asked.ranks,
            asked.collective,
            asked.size_bytes,
            asked.algorithm,
        )
        return [first, *asked.others]

    def _selected(self) -> tuple[str, ...]:
        document = self._document
        return selected_servers(document.design, document.selection.ids)

    def _add(self) -> None:
        document = self._document
        document.set_options(**beside(document.design, document.options, self._selected()))

    def _change(self, number: int, changes: Mapping[str, Any]) -> None:
        """Ask for something else of a job; the first one is what all results speak of."""
        document = self._document
        if number == 0:
            names = {"operation": "collective"}
            document.set_options(**{names.get(key, key): v for key, v in changes.items()})
            return
        others = list(document.options.others)
        others[number - 1] = replace(others[number - 1], **changes)
        document.set_options(others=tuple(others))

    def _remove(self, number: int) -> None:
        others = list(self._document.options.others)
        del others[number - 1]
        self._document.set_options(others=tuple(others))

    # --- showing ---

    def _show(self, _any: object = None) -> None:
        document, jobs = self._document, self.jobs()
        if len(self.rows) != len(jobs):
            self._build(len(jobs))
        asked, results = document.options, document.results
        placed = asked.placing is not None or asked.ranks is not None or bool(asked.others)
        self.all_button.setEnabled(placed)
        made = _made(results, asked.collective, len(jobs))
        for number, row in enumerate(self.rows):
            whole = number == 0 and asked.placing is None
            row.show_job(jobs[number], made[number], whole=whole)
            row.set_stale(not document.current)
        self.words.setText(_summary(results, placed))

    def _build(self, count: int) -> None:
        for row in self.rows:
            row.deleteLater()
        clear(self._grid)
        for k, title in enumerate(TITLES):
            self._grid.addWidget(label(_(title) if title else "", "small"), 0, k)
        self.rows = [JobRow(k + 1, self._theme, self._selected, self) for k in range(count)]
        for number, row in enumerate(self.rows):
            for k, widget in enumerate(row.widgets()):
                self._grid.addWidget(widget, number + 1, k)
            row.changed.connect(partial(self._change, number))
            row.removed.connect(partial(self._remove, number))
            row.shown.connect(self.shown)
            row.explain.connect(self.explain)
        self._grid.setRowStretch(count + 1, 1)


def _made(results: Results | None, operation: str, count: int) -> list[Mapping[str, Any] | None]:
    """Return what came of each job; None where results speak of other questions."""
    if results is None:
        return [None] * count
    shared = results.get("interference")
    if shared is not None and len(shared["jobs"]) == count:
        return list(shared["jobs"])
    job, key = results.get("job"), f"collectives.{operation}"
    found = results.get(key) or {}
    alone = {
        "servers": job["servers"] if job else (),
        "alone_s": found.get("time_s"),
        "key": f"{key}.time_s",
        "bottleneck": found.get("bottleneck"),
        "bottleneck_ids": found.get("bottleneck_ids"),
        "reason": "" if found.get("time_s") is not None else results.reason(f"{key}.time_s"),
    }
    return [alone, *[None] * (count - 1)]


def _summary(results: Results | None, placed: bool) -> str:
    if not placed:
        return _(
            "One job on all GPUs. Give it fewer, or add another; a right click on servers picks "
            "them. The drawing stays as it is."
        )
    shared = results.get("interference") if results is not None else None
    if not shared:
        return _("Collectives speak of the job; with a placement, the training step as well.")
    n = int(shared["shared_links"])
    links = ngettext("{n} link is shared.", "{n} links are shared.", n).format(n=format_number(n))
    return f"{links} " + _("Each job repeats its operation; rates are max-min fair.")
