"""One job on the page of jobs: what it is asked to do, and how long it takes."""

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from designer.engine.options import CHOICES, OPERATIONS, Job
from designer.engine.placing import MANNERS, Placing
from designer.errors import ParameterError
from designer.gui.labels import Elided, Figure, label
from designer.gui.panels.collectives_panel import OPERATION_NAMES, WAYS, SizeField
from designer.gui.panels.fields import ChoiceField, NumberField
from designer.gui.style import color
from designer.messages import N_, _, ngettext
from designer.reports.curve_table import algorithm_name
from designer.scene.jobs import job_token
from designer.scene.theme import text_on
from designer.units import format_number, format_significant, format_time

ALL = "all"
TITLES = (
    "",
    N_("Servers"),
    N_("Which"),
    N_("GPUs"),
    N_("Collective"),
    N_("Message"),
    N_("Algorithm"),
    N_("Alone"),
    N_("Together"),
    N_("Slow-down"),
    N_("Slowed by"),
    "",
)
# Column of `TITLES` that takes the room that is left.
WIDE = 10


class JobRow(QObject):
    """The widgets of one job, and what a person does with them.

    Args:
        number: From 1.
        theme: `light` or `dark`.
        select: Gives the servers that are selected on the drawing.

    Signals:
        changed: Fields of a `Job` to change, by name; `placing` None means all servers.
        removed: The job is to go.
        shown: Ids of servers or cables to show on the drawing.
        explain: Dotted key of a figure, and where it stands on the screen.
    """

    changed = Signal(object)
    removed = Signal()
    shown = Signal(object)
    explain = Signal(str, QPoint)

    def __init__(
        self, number: int, theme: str, select: Callable[[], tuple[str, ...]], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._number, self._theme, self._select = number, theme, select
        self._placing = Placing()
        self._servers: list[str] = []
        self._cables: list[str] = []
        self.chip = label(str(number), "smallStrong")
        self.chip.setFixedSize(22, 22)
        self.chip.setAlignment(Qt.AlignmentFlag.AlignCenter)
        tone = color(job_token(number), theme).name().upper()
        self.chip.setStyleSheet(f"background: {tone}; color: {text_on(tone)}; border-radius: 4px;")
        manners = [(ALL, _("all"))] if number == 1 else []
        manners += [(m, _(title)) for m, title in MANNERS.items()]
        self.manner = ChoiceField(manners)
        self.manner.committed.connect(self._on_manner)
        self.seed = NumberField(whole=True, empty=False)
        self.seed.setMaximumWidth(56)
        self.seed.setToolTip(_("Seed of the shuffle"))
        self.seed.setAccessibleName(_("Seed of the shuffle"))
        self.seed.committed.connect(
            lambda seed: self.changed.emit({"placing": Placing("random", int(seed))})
        )
        self.which = QToolButton()
        self.which.setToolTip(_("Show them on the drawing"))
        self.which.clicked.connect(lambda: self.shown.emit(frozenset(self._servers)))
        self.ranks = NumberField(whole=True, low=1, unit=_("all"))
        self.ranks.setMaximumWidth(84)
        self.operation = ChoiceField([(n, OPERATION_NAMES[n]) for n in OPERATIONS])
        self.size = SizeField()
        self.size.setMaximumWidth(96)
        self.algorithm = ChoiceField(
            [(n, _(WAYS[n]) if n in WAYS else algorithm_name(n)) for n in CHOICES]
        )
        for key, field in (
            ("ranks", self.ranks),
            ("operation", self.operation),
            ("size_bytes", self.size),
            ("algorithm", self.algorithm),
        ):
            field.committed.connect(lambda value, k=key: self.changed.emit({k: value}))
        self.alone, self.together, self.slow = (Figure("rowStrong") for _k in range(3))
        for figure in (self.alone, self.together, self.slow):
            figure.explain.connect(self.explain)
        self.slowed = Elided("", "row", 90)
        self.find = QToolButton()
        self.find.setText(_("Show"))
        self.find.clicked.connect(lambda: self.shown.emit(frozenset(self._cables)))
        self.remove = QToolButton()
        self.remove.setText("✕")
        self.remove.setAutoRaise(True)
        self.remove.clicked.connect(self.removed)
        self.remove.setVisible(number > 1)
        self._name_all()

    def _name_all(self) -> None:
        """Give every widget a name that says which job it is of."""
        for title, widget in zip(TITLES[1:10], self.widgets()[1:10], strict=True):
            name = _("{what}, job {n}").format(what=_(title), n=self._number)
            widget.setAccessibleName(name)
        self.remove.setAccessibleName(_("Remove job {n}").format(n=self._number))
        self.remove.setToolTip(self.remove.accessibleName())

    def widgets(self) -> list[QWidget]:
        """Return the widgets in the order of `TITLES`."""
        if not hasattr(self, "_which_box"):
            self._which_box = _row(self.seed, self.which)
            self._end_box = _row(self.find, self.remove)
        return [
            self.chip,
            self.manner,
            self._which_box,
            self.ranks,
            self.operation,
            self.size,
            self.algorithm,
            self.alone,
            self.together,
            self.slow,
            self.slowed,
            self._end_box,
        ]

    def _on_manner(self, manner: object) -> None:
        if manner == "picked":
            servers = self._select()
            if not servers:
                self.manner.refuse(
                    ParameterError(
                        _("No server is selected."),
                        _("Select servers or groups on the drawing, then choose this again."),
                    )
                )
                return
            self.changed.emit({"placing": Placing("picked", devices=servers), "ranks": None})
        elif manner == ALL:
            self.changed.emit({"placing": None, "ranks": None})
        else:
            self.changed.emit({"placing": Placing(manner, self._placing.seed)})  # type: ignore[arg-type]

    def show_job(self, job: Job, made: Mapping[str, Any] | None, *, whole: bool) -> None:
        """Show what is asked, and what came of it; `made` is None before results."""
        self._placing = job.placing
        self.manner.show_value(ALL if whole else job.placing.manner)
        self.manner.setToolTip("")
        self.seed.setVisible(job.placing.manner == "random")
        self.seed.show_value(job.placing.seed)
        self.ranks.show_value(job.ranks)
        self.operation.show_value(job.operation)
        self.size.show_value(job.size_bytes)
        self.algorithm.show_value(job.algorithm)
        made = made or {}
        self._servers = list(made.get("servers") or ())
        self._cables = list(made.get("bottleneck_ids") or ())
        n = len(self._servers)
        text = ngettext("{n} server", "{n} servers", n).format(n=format_number(n))
        self.which.setText(text if n else "—")
        self.which.setEnabled(bool(n))
        self.find.setVisible(bool(self._cables))
        self.slowed.setText(str(made.get("reason") or made.get("bottleneck") or "—"))
        self._show_figures(made)

    def _show_figures(self, made: Mapping[str, Any]) -> None:
        start = f"interference.jobs.{self._number - 1}" if "together_s" in made else ""
        reason = str(made.get("reason") or "")
        for figure, key, form in (
            (self.alone, "alone_s", format_time),
            (self.together, "together_s", format_time),
            (self.slow, "slow_down", _factor),
        ):
            value = made.get(key)
            name = f"{start}.{key}" if start else str(made.get("key") or "")
            figure.show_value(None if value is None else form(value), name, reason)

    def set_stale(self, stale: bool) -> None:
        """Show that the figures belong to other questions or an older drawing."""
        for figure in (self.alone, self.together, self.slow):
            figure.set_stale(stale)


def _factor(value: float) -> str:
    return f"{format_significant(value)} ×"


def _row(*widgets: QWidget) -> QWidget:
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(4)
    for widget in widgets:
        row.addWidget(widget)
    row.addStretch(1)
    return box
