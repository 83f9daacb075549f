"""Figures below a preview: counts and power, the price of the network, findings to know before."""

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from designer.engine.checks import rules_passed
from designer.engine.results import Results
from designer.gui.dialogs.fabrics import CAPEX, FABRICS, spread_at
from designer.gui.labels import Elided, clear, label, line, mark
from designer.gui.style import color
from designer.messages import N_, _, ngettext
from designer.model.findings import SEVERITIES, Finding
from designer.units import Range, format_money, format_number, format_power, format_range

_COUNTS = (
    ("memory", "gpuLine", "counts.gpus", N_("GPUs")),
    ("server", "server", "counts.servers", N_("servers")),
    ("leaf", "leaf", "counts.leaf", N_("leaves")),
    ("spine", "spine", "counts.spine", N_("spines")),
    ("core", "core", "counts.core", N_("cores")),
    ("cable", "text2", "counts.cables.total", N_("cables")),
)
_MOST_FINDINGS = 3


@dataclass(frozen=True, slots=True)
class Fact:
    """One figure: its icon, value and what it is."""

    picture: str
    token: str
    value: str
    label: str


def facts(results: Results, technology: str) -> list[Fact]:
    """Return the figures of a preview; counts of zero are left out."""
    found = []
    for picture, token, key, name in _COUNTS:
        value = results.get(key)
        if value:
            found.append(Fact(picture, token, format_number(value), _(name)))
    power = results.get(f"fabrics.{technology}.power_w")
    if power:
        found.append(Fact("gauge", "text2", format_power(power), _("typical")))
    return found


class FactRow(QFrame):
    """Figures side by side."""

    def __init__(self, theme: str) -> None:
        super().__init__()
        self._theme = theme
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 4, 0, 4)
        self._row.setSpacing(14)

    def set_facts(self, found: list[Fact]) -> None:
        """Show these figures in place of the ones before."""
        clear(self._row)
        for k, fact in enumerate(found):
            if k:
                self._row.addWidget(line(vertical=True))
            self._row.addWidget(self._one(fact), 1)

    def _one(self, fact: Fact) -> QWidget:
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(label(fact.value, "heading"))
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(mark(fact.picture, fact.token, self._theme, 14))
        row.addWidget(Elided(fact.label, "small"), 1)
        column.addLayout(row)
        return box


class RangeBar(QWidget):
    """A range of money from low to high, with a dot at the typical value."""

    def __init__(self, theme: str) -> None:
        super().__init__()
        self._theme, self._share = theme, 0.5
        self.setFixedHeight(14)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return a size that fits any range."""
        return QSize(220, 14)

    def show_range(self, spread: Range) -> None:
        """Show where the typical value stands in its range."""
        width = spread.high - spread.low
        self._share = (spread.typical - spread.low) / width if width > 0 else 0.5
        self.setAccessibleName(format_range(spread))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint bar and dot."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(color("surface", self._theme))
        painter.setBrush(color("border2", self._theme))
        painter.drawRoundedRect(QRectF(0, 4, self.width(), 6), 3, 3)
        painter.setBrush(color("accent", self._theme))
        x = 6 + (self.width() - 12) * self._share
        painter.drawEllipse(QRectF(x - 6, 1, 12, 12))


class PriceCard(QFrame):
    """The price of the network as drawn, its range, its parts, and the other technology."""

    def __init__(self, theme: str) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("card")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(14, 10, 14, 10)
        self._column.setSpacing(4)

    def show_results(self, results: Results | None, technology: str) -> None:
        """Show the price, or that it is being computed."""
        clear(self._column)
        head = QHBoxLayout()
        head.addWidget(label(_("Network price"), "title"))
        title = next(_(f[1]) for f in FABRICS if f[0] == technology)
        note = _("{fabric}, without servers").format(fabric=title)
        head.addStretch(1)
        head.addWidget(label(note, "small"))
        self._column.addLayout(head)
        total = results and spread_at(results, f"fabrics.{technology}.capex_usd.total")
        if results is None or not total:
            reason = results.reason(f"fabrics.{technology}.capex_usd") if results else ""
            text = reason or (_("Computing") if results is None else _("No price is known."))
            self._column.addWidget(label(text, "row", wrap=True))
            self._column.addStretch(1)
            return
        self._add_total(results, total, technology)
        self._add_parts(results, technology)
        self._column.addStretch(1)

    def _add_total(self, results: Results, total: Range, technology: str) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(label(format_money(total.typical), "figure"))
        gpus = results.get("counts.gpus")
        note = _("typical")
        if gpus:
            note = _("typical, {money} a GPU").format(money=format_money(total.typical / gpus))
        row.addWidget(Elided(note, "row"), 1)
        self._column.addLayout(row)
        bar = RangeBar(self._theme)
        bar.show_range(total)
        self._column.addWidget(bar)
        row = QHBoxLayout()
        row.addWidget(label(_("{money} low").format(money=format_money(total.low)), "small"))
        row.addStretch(1)
        row.addWidget(label(_("{money} high").format(money=format_money(total.high)), "small"))
        self._column.addLayout(row)

    def _add_parts(self, results: Results, technology: str) -> None:
        lines = []
        for key, title in CAPEX:
            spread = spread_at(results, f"fabrics.{technology}.capex_usd.{key}")
            if spread is not None and spread.typical:
                lines.append((_(title), spread.typical))
        lines.sort(key=lambda one: -one[1])
        for title, money in lines[:3]:
            self._add_line(title, format_money(money))
        other, name = next((f[0], _(f[1])) for f in FABRICS if f[0] != technology)
        spread = spread_at(results, f"fabrics.{other}.capex_usd.total")
        if spread is not None:
            self._add_line(
                _("The same as {fabric}").format(fabric=name), format_money(spread.typical)
            )

    def _add_line(self, title: str, money: str) -> None:
        row = QHBoxLayout()
        row.addWidget(Elided(title, "row"), 1)
        row.addWidget(label(money, "rowStrong"))
        self._column.addLayout(row)


class BeforeCard(QFrame):
    """What the checks say of the drawing before it is created."""

    def __init__(self, theme: str) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("card")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(14, 10, 14, 10)
        self._column.setSpacing(6)

    def show_results(self, results: Results | None) -> None:
        """Show the worst findings and how many checks passed."""
        clear(self._column)
        head = QHBoxLayout()
        head.addWidget(label(_("Before you create"), "title"))
        head.addStretch(1)
        self._column.addLayout(head)
        if results is None:
            self._column.addWidget(label(_("Computing"), "row"))
            self._column.addStretch(1)
            return
        serious = [f for f in results.findings if f.severity != "info"]
        serious.sort(key=lambda f: SEVERITIES.index(f.severity))
        text = ngettext("{n} finding", "{n} findings", len(serious))
        head.addWidget(label(text.format(n=format_number(len(serious))), "small"))
        for finding in serious[:_MOST_FINDINGS]:
            self._column.addWidget(self._finding(finding))
        passed = rules_passed(results.findings)
        text = ngettext("{n} check passed", "{n} checks passed", passed)
        self._column.addWidget(self._band("ok", "ok", text.format(n=format_number(passed)), ""))
        self._column.addStretch(1)

    def _finding(self, finding: Finding) -> QFrame:
        token = "err" if finding.severity == "error" else "warn"
        return self._band(finding.severity, token, finding.message, finding.hint)

    def _band(self, severity: str, token: str, title: str, hint: str) -> QFrame:
        box = QFrame()
        box.setObjectName("finding")
        box.setProperty("severity", severity)
        row = QHBoxLayout(box)
        row.setContentsMargins(8, 6, 8, 6)
        row.setSpacing(8)
        row.addWidget(mark(severity, token, self._theme, 16))
        row.addWidget(label(title, "rowStrong", wrap=True), 1)
        box.setToolTip(hint)
        return box
