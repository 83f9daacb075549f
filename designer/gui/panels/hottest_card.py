"""The card of the hottest links, each with its peak; a click selects it."""

from collections.abc import Sequence
from heapq import nlargest
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy

from designer.engine.results import Results
from designer.gui.charts.bars import ShareBar
from designer.gui.labels import Elided, label
from designer.gui.panels.card import Card, stack, why
from designer.messages import _
from designer.model.design import Design
from designer.model.ports import link_speed
from designer.units import format_bits_per_s, format_number, format_percent

MOST_LINKS = 5
ARROW = " → "


class LinkRow(QFrame):
    """One busy link: a click selects it.

    Signals:
        chosen: Id of its cable record.
    """

    chosen = Signal(str)

    def __init__(self, theme: str) -> None:
        super().__init__()
        self._cable, self._ends, self._detail = "", ("", ""), ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.name = Elided("", "rowStrong")
        self.detail = Elided("", "small")
        for text in (self.name, self.detail):
            text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.bar = ShareBar(theme, "", 10, 46)
        self.share = label("", "rowStrong")
        self.share.setFixedWidth(44)
        self.share.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(stack(self.name, self.detail), 1)
        row.addWidget(self.bar)
        row.addWidget(self.share)

    def show_link(self, cable: str, ends: tuple[str, str], detail: str, share: float) -> None:
        """Show a link and its peak share of capacity."""
        self._cable, self._ends, self._detail = cable, ends, detail
        name = ARROW.join(ends)
        self._fit()
        self.bar.set_share(share)
        self.share.setText(format_percent(share, 0))
        self.setAccessibleName(f"{name}, {self.share.text()}")
        self.setToolTip(f"{name}\n{detail}")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give both ends room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Write the ends in one line, or in two where one has no room: both are to be read."""
        name, detail = ARROW.join(self._ends), self._detail
        if self.name.fontMetrics().horizontalAdvance(name) > self.name.width():
            name, detail = self._ends[0], f"{ARROW.lstrip()}{self._ends[1]} · {detail}"
        self.name.setText(name)
        self.detail.setText(detail)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select the link."""
        self.chosen.emit(self._cable)

    def keyPressEvent(self, event: Any) -> None:
        """Select the link by keyboard."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(self._cable)
        else:
            super().keyPressEvent(event)


class HottestCard(Card):
    """The busiest links.

    Signals:
        chosen: Id of the cable record that was clicked.
    """

    chosen = Signal(str)

    def __init__(self, theme: str) -> None:
        super().__init__(_("Hottest links"), 320)
        self.rows = [LinkRow(theme) for _k in range(MOST_LINKS)]
        for row in self.rows:
            row.chosen.connect(self.chosen)
            self.column.addWidget(row)
        self.reason = label("", "small", wrap=True)
        self.column.addWidget(self.reason)
        self.column.addStretch(1)

    def show_results(self, results: Results | None, design: Design) -> None:
        """Show the links, or why there are none."""
        basis = results.get("traffic.basis") if results is not None else None
        self.note.setText(
            _("peak of a step, one way") if basis == "step" else _("peak of an all-reduce, one way")
        )
        found = hottest(results, design) if results is not None else []
        for k, row in enumerate(self.rows):
            row.setVisible(k < len(found))
            if k < len(found):
                row.show_link(*found[k])
        self.reason.setText("" if found else why(results, "traffic.hottest_link"))
        self.reason.setVisible(not found)


def hottest(results: Results, design: Design) -> Sequence[tuple[str, tuple[str, str], str, float]]:
    """Return (cable id, ends, rate, share) of the busiest links; equal ones in drawing order."""
    loads = [(u, i) for i, u in results.utilization.items() if u > 0 and i in design.cables]
    rows = []
    for share, id_ in nlargest(MOST_LINKS, loads, key=lambda x: x[0]):
        cable = design.cables[id_]
        one, two = (
            design.devices[e.device].name if e.device in design.devices else e.device
            for e in (cable.a, cable.b)
        )
        speed = link_speed(design, cable)
        rate = format_bits_per_s(speed) if speed else _("no link")
        detail = _("{n} × {rate}").format(n=format_number(cable.count), rate=rate)
        rows.append((id_, (one, two), detail, share))
    return rows
