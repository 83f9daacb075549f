"""The cards of the results: traffic, all-reduce, training step, idle GPUs, hottest links."""

from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QLabel, QWidget

from designer.engine.results import Results
from designer.gui.charts.bars import Part, ShareBar, StackedBar
from designer.gui.charts.curve import BandwidthCurve
from designer.gui.labels import Elided, Figure, label
from designer.gui.panels.card import Card, stack, why
from designer.gui.style import color
from designer.messages import N_, _, ngettext
from designer.model.workload import Workload
from designer.reports.curve_table import algorithm_name
from designer.units import (
    Range,
    format_binary_size,
    format_bytes,
    format_bytes_per_s,
    format_money,
    format_number,
    format_percent,
    format_range,
    format_time,
)

LOCALITIES = (
    ("nvlink", N_("Inside NVLink domain"), "loc1"),
    ("scalable_unit", N_("Inside scalable unit"), "loc2"),
    ("cross_unit", N_("Between units"), "loc3"),
)
_PART_TOKENS = ("loc1", "loc2", "loc3", "text3", "spine", "leaf", "nvswLine", "core", "accent")


class Swatch(QLabel):
    """A small square in a colour token."""

    def __init__(self, token: str, theme: str) -> None:
        super().__init__()
        self.setFixedSize(QSize(10, 10))
        tone = color(token, theme).name()
        self.setStyleSheet(f"background: {tone}; border-radius: 2px;")


class TrafficCard(Card):
    """Where the bytes of a step go."""

    def __init__(self, theme: str) -> None:
        super().__init__(_("Traffic by locality"), 256)
        self.bar = StackedBar(theme, 24, labelled=True)
        self.column.addWidget(self.bar)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(1, 1)
        self.figures: dict[str, Figure] = {}
        self.notes: dict[str, QLabel] = {}
        for k, (key, title, token) in enumerate(LOCALITIES):
            self.figures[key] = self.figure(_(title), "rowStrong")
            self.notes[key] = label("", "small")
            grid.addWidget(Swatch(token, theme), 2 * k, 0)
            grid.addWidget(Elided(_(title), "rowStrong"), 2 * k, 1)
            grid.addWidget(self.figures[key], 2 * k, 2, Qt.AlignmentFlag.AlignRight)
            grid.addWidget(self.notes[key], 2 * k + 1, 1, 1, 2)
        self.column.addLayout(grid)
        self.reason = label("", "small", wrap=True)
        self.column.addWidget(self.reason)
        self.column.addStretch(1)

    def show_results(self, results: Results | None) -> None:
        """Show the split, or why there is none."""
        shares = results.get("traffic.share") if results is not None else None
        total = results.get("traffic.bytes_per_step") if results is not None else None
        self.note.setText(_("sent per step"))
        parts = []
        for key, title, token in LOCALITIES:
            share = shares.get(key) if shares else None
            figure, note = self.figures[key], self.notes[key]
            text = None if share is None else format_percent(share)
            figure.show_value(text, f"traffic.share.{key}", why(results, "traffic.share"))
            amount = total.get(key) if total else None
            note.setText("" if amount is None else format_bytes(amount))
            if share:
                parts.append(Part(_(title), share, token))
        self.bar.set_parts(parts)
        self.reason.setText("" if shares else why(results, "traffic.share"))
        self.reason.setVisible(not shares)

    def set_stale(self, stale: bool) -> None:
        """Dim what belongs to an older drawing."""
        super().set_stale(stale)
        self.bar.set_faint(stale)


class AllReduceCard(Card):
    """Time and bus bandwidth of an all-reduce, with its curve over the message size."""

    def __init__(self, theme: str) -> None:
        super().__init__(_("All-reduce"), 264)
        row = QHBoxLayout()
        self.time = self.figure(_("All-reduce, time"))
        self.speed = self.figure(_("All-reduce, bus bandwidth, one way"))
        row.addLayout(stack(self.time, label(_("time"), "small")))
        row.addLayout(stack(self.speed, label(_("bus bandwidth, one way"), "small", wrap=True)))
        row.addStretch(1)
        row.setSpacing(12)
        self._figures_row = row
        self.column.addLayout(row)
        self.curve = BandwidthCurve(theme)
        self.column.addWidget(self.curve, 1)
        self.foot = label("", "small", wrap=True)
        self.column.addWidget(self.foot)
        self._room = QWidget()
        self.column.addWidget(self._room, 1)
        self._compact = False

    def set_compact(self, compact: bool) -> None:
        """Leave the curve out of a narrow window."""
        self._compact = compact
        self._arrange()
        self._show_curve(self.curve.has_points)

    def show_results(self, results: Results | None) -> None:
        """Show the operation, or why there is none."""
        key = "collectives.all_reduce"
        found: dict[str, Any] = (results.get(key) if results is not None else None) or {}
        time, speed = found.get("time_s"), found.get("bus_bandwidth_bytes_per_s")
        reason = why(results, f"{key}.time_s")
        self.time.show_value(None if time is None else format_time(time), f"{key}.time_s", reason)
        self.speed.show_value(
            None if speed is None else format_bytes_per_s(speed),
            f"{key}.bus_bandwidth_bytes_per_s",
            why(results, f"{key}.bus_bandwidth_bytes_per_s"),
        )
        self._arrange()
        self.note.setText(self._over(found))
        self.curve.set_curve(found.get("curve") or (), found.get("size_bytes"))
        self._show_curve(bool(found.get("curve")))
        self.foot.setText(self._foot(found) if time is not None else reason)

    def _arrange(self) -> None:
        """Put the figures one below the other where a narrow card has room for only one."""
        narrow = self.width() < self.time.sizeHint().width() + self.speed.sizeHint().width() + 48
        self._figures_row.setDirection(
            QBoxLayout.Direction.TopToBottom
            if self._compact and narrow
            else QBoxLayout.Direction.LeftToRight
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the figures in the new width."""
        super().resizeEvent(event)
        self._arrange()

    def _show_curve(self, known: bool) -> None:
        self.curve.setVisible(known and not self._compact)
        self._room.setVisible(not known or self._compact)

    def _over(self, found: dict[str, Any]) -> str:
        ranks, size = found.get("ranks"), found.get("size_bytes")
        if not ranks or not size:
            return ""
        text = ngettext("{size} over {n} GPU", "{size} over {n} GPUs", ranks)
        return text.format(size=format_binary_size(size), n=format_number(ranks))

    def _foot(self, found: dict[str, Any]) -> str:
        name = str(found.get("algorithm") or "")
        text = algorithm_name(name) if name else ""
        slow = found.get("bottleneck")
        return _("{algorithm}; slowest: {link}").format(algorithm=text, link=slow) if slow else text

    def set_stale(self, stale: bool) -> None:
        """Dim what belongs to an older drawing."""
        super().set_stale(stale)
        self.curve.set_faint(stale)


class StepCard(Card):
    """How long a training step takes and what it is made of."""

    def __init__(self, theme: str) -> None:
        super().__init__(_("Training step"), 300)
        self._theme = theme
        row = QHBoxLayout()
        self.time = self.figure(_("Training step, time"))
        self.mfu = self.figure(_("MFU"), "row")
        row.addWidget(self.time)
        row.addWidget(self.mfu, 0, Qt.AlignmentFlag.AlignBottom)
        row.addStretch(1)
        self.column.addLayout(row)
        self.bar = StackedBar(theme, 18)
        self.column.addWidget(self.bar)
        self._holder = QWidget()
        self.grid = QGridLayout(self._holder)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setHorizontalSpacing(8)
        self.grid.setVerticalSpacing(2)
        self.grid.setColumnStretch(1, 1)
        self.rows: list[tuple[Swatch, QLabel, Figure, QLabel]] = [
            self._row(k) for k in range(len(_PART_TOKENS))
        ]
        self.column.addWidget(self._holder)
        self.reason = label("", "small", wrap=True)
        self.column.addWidget(self.reason)
        self.column.addStretch(1)

    def _row(self, k: int) -> tuple[Swatch, QLabel, Figure, QLabel]:
        row = (
            Swatch(_PART_TOKENS[k], self._theme),
            Elided("", "row"),
            self.figure("", "rowStrong"),
            label("", "row"),
        )
        for column, widget in enumerate(row):
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            if column > 1:
                self.grid.addWidget(widget, k, column, right)
            else:
                self.grid.addWidget(widget, k, column)
        return row

    def show_results(self, results: Results | None, workload: Workload | None) -> None:
        """Show the step, or why there is none."""
        time = results.get("step.time_s") if results is not None else None
        mfu = results.get("step.mfu") if results is not None else None
        reason = why(results, "step.time_s")
        self.time.show_value(None if time is None else format_time(time), "step.time_s", reason)
        self.mfu.show_value(
            None if mfu is None else _("{share} MFU").format(share=format_percent(mfu)),
            "step.mfu",
        )
        self.mfu.setVisible(mfu is not None)
        self.note.setText(layout_text(results, workload))
        self.note.setToolTip(_(workload.title) if workload is not None else "")
        parts = step_parts(results)
        self.bar.set_parts(parts)
        for k, row in enumerate(self.rows):
            for widget in row:
                widget.setVisible(k < len(parts))
            if k < len(parts):
                part = parts[k]
                row[1].setText(part.label)
                row[2].show_value(format_time(part.value), "step.time_s")
                row[3].setText(format_percent(part.value / time) if time else "")
        self.reason.setText("" if time is not None else reason)
        self.reason.setVisible(time is None)

    def set_stale(self, stale: bool) -> None:
        """Dim what belongs to an older drawing."""
        super().set_stale(stale)
        self.bar.set_faint(stale)


def step_parts(results: Results | None) -> list[Part]:
    """Return the parts of a step in seconds: compute, exposed communication, bubble, jitter."""
    made = results.explanations.get("step.time_s") if results is not None else None
    found = [(text, s) for text, s in made.parts if s > 0] if made is not None else []
    return [
        Part(text, seconds, _PART_TOKENS[min(k, len(_PART_TOKENS) - 1)])
        for k, (text, seconds) in enumerate(found[: len(_PART_TOKENS)])
    ]


def layout_text(results: Results | None, workload: Workload | None) -> str:
    """Return the job in a few words: `TP 8 · PP 2 · DP 16`."""
    if workload is None:
        return ""
    layout = results.get("step.layout") if results is not None else None
    if not layout:
        return _(workload.title) or workload.name
    shown = [(k.upper(), layout.get(k, 1)) for k in ("tp", "pp", "cp", "ep", "dp")]
    bits = [f"{k} {format_number(v)}" for k, v in shown if v > 1]
    return " · ".join(bits)


class IdleCard(Card):
    """What share of GPU time is lost to the network, and what that costs a year."""

    def __init__(self, theme: str) -> None:
        super().__init__(_("Idle, network share"), 224)
        self.share = self.figure(_("GPU time lost to the network"))
        self.column.addLayout(stack(self.share, label(_("of every step"), "small")))
        self.bar = ShareBar(theme, "loc3", 8)
        self.column.addWidget(self.bar)
        row = QHBoxLayout()
        self.money = self.figure(_("Cost of idle GPUs"), "section")
        row.addWidget(self.money)
        row.addWidget(label(_("a year"), "small"), 0, Qt.AlignmentFlag.AlignBottom)
        row.addStretch(1)
        self.column.addLayout(row)
        self.range = label("", "small", wrap=True)
        self.column.addWidget(self.range)
        self.all = self.figure(_("GPU time idle from all causes"), "smallStrong")
        self.all_note = Elided(_("idle from all causes"), "small")
        every = QHBoxLayout()
        every.setSpacing(5)
        every.addWidget(self.all)
        every.addWidget(self.all_note, 1)
        self.column.addLayout(every)
        self.column.addStretch(1)

    def show_results(self, results: Results | None) -> None:
        """Show share and money, or why there are none."""
        share = results.get("step.network_idle_share") if results is not None else None
        reason = why(results, "step.network_idle_share")
        text = None if share is None else format_percent(share, 1 if share >= 0.001 else 2)
        self.share.show_value(text, "step.network_idle_share", reason)
        self.bar.set_share(share)
        fabric = results.get("fabric") if results is not None else None
        key = f"fabrics.{fabric}.idle_gpu_usd_per_year"
        money = results.get(key) if results is not None else None
        if isinstance(money, dict):
            self.money.show_value(format_money(money["typical"]), key)
            spread = Range(money["low"], money["typical"], money["high"])
            self.range.setText(_("{range}, low to high").format(range=format_range(spread)))
        else:
            self.money.show_value(None, reason=why(results, key))
            self.range.setText(why(results, key) if share is not None else reason)
        every = results.get("step.gpu_idle_share") if results is not None else None
        text = None if every is None else format_percent(every)
        self.all.show_value(text, "step.gpu_idle_share")
        for widget in (self.all, self.all_note):
            widget.setVisible(every is not None)
