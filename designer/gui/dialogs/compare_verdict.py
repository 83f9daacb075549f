"""The verdict: which technology costs less for the same training, why, and what would flip it."""

from typing import Any

from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout

from designer.engine.explain import format_quantity
from designer.engine.results import Results
from designer.gui.dialogs.compare_marks import FlipLine, SpreadLine
from designer.gui.dialogs.fabrics import FABRICS, as_range, spread_at
from designer.gui.labels import label, line
from designer.messages import N_, _
from designer.units import format_money, format_number

CHOICES = {
    "infiniband": N_("InfiniBand, by {margin}"),
    "rocev2": N_("RoCE, by {margin}"),
    "too_close_to_call": N_("Too close to call"),
}
_MOST_FLIPS = 3


class VerdictCard(QFrame):
    """Verdict, reasons and flips side by side."""

    def __init__(self, results: Results, theme: str, years: int) -> None:
        super().__init__()
        self._results, self._theme = results, theme
        self.setObjectName("card")
        row = QHBoxLayout(self)
        row.setContentsMargins(18, 14, 18, 14)
        row.setSpacing(18)
        row.addLayout(self._answer(years), 4)
        row.addWidget(line(vertical=True))
        row.addLayout(self._reasons(), 5)
        row.addWidget(line(vertical=True))
        row.addLayout(self._flips(), 6)

    def _answer(self, years: int) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(4)
        title = _("Verdict over {n} years").format(n=format_number(years))
        column.addWidget(label(title, "smallStrong"))
        choice = self._results.get("verdict.choice")
        margin = as_range(self._results.get("verdict.margin_usd"))
        text = _(CHOICES[choice]) if choice in CHOICES else _("No verdict")
        money = format_money(abs(margin.typical)) if margin is not None else ""
        column.addWidget(label(text.format(margin=money), "display", wrap=True))
        column.addWidget(label(self._sentence(choice), "row", wrap=True))
        column.addSpacing(4)
        self._add_spreads(column)
        column.addStretch(1)
        return column

    def _sentence(self, choice: str | None) -> str:
        if choice is None:
            return self._results.reason("verdict.choice") or self._results.reason("verdict")
        return str(self._results.get("verdict.sentence") or "")

    def _add_spreads(self, column: QVBoxLayout) -> None:
        found = [(f, spread_at(self._results, f"fabrics.{f[0]}.tco_usd")) for f in FABRICS]
        known = [(f, s) for f, s in found if s is not None]
        if not known:
            return
        low, high = min(s.low for _f, s in known), max(s.high for _f, s in known)
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for k, (fabric, spread) in enumerate(known):
            grid.addWidget(label(_(fabric[1]), "row"), k, 0)
            bar = SpreadLine(self._theme, fabric[2], fabric[3] == "s")
            bar.show_spread(spread, low, high)
            grid.addWidget(bar, k, 1)
            grid.addWidget(label(format_money(spread.typical), "rowStrong"), k, 2)
        column.addLayout(grid)

    def _reasons(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(8)
        column.addWidget(label(_("Why"), "smallStrong"))
        reasons = self._results.get("verdict.reasons") or []
        for reason in reasons:
            column.addWidget(label(str(reason), "rowText", wrap=True))
        if not reasons:
            text = _("There is nothing to compare yet.")
            column.addWidget(label(text, "row", wrap=True))
        column.addStretch(1)
        return column

    def _flips(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(8)
        column.addWidget(label(_("What would flip it"), "smallStrong"))
        flips = self._results.get("verdict.flips") or []
        shown = [f for f in flips if f.get("value") is not None][:_MOST_FLIPS]
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(0, 1)
        for k, flip in enumerate(shown):
            words = QVBoxLayout()
            words.setSpacing(0)
            words.addWidget(label(flip_text(flip), "rowStrong", wrap=True))
            words.addWidget(label(flip_note(flip), "row", wrap=True))
            grid.addLayout(words, k, 0)
            grid.addWidget(FlipLine(flip, self._theme), k, 1)
        column.addLayout(grid)
        if not shown:
            column.addWidget(label(_("No single value within reach."), "row", wrap=True))
        column.addStretch(1)
        return column


def flip_text(flip: dict[str, Any]) -> str:
    """Return what has to become how large."""
    form = _("{label}: above {value}") if flip["above"] else _("{label}: below {value}")
    return form.format(label=flip["label"], value=format_quantity(flip["value"], flip["unit"]))


def flip_note(flip: dict[str, Any]) -> str:
    """Return where the value stands now and whether its range reaches that far."""
    form = _("now {now}") if flip["inside"] else _("now {now}; outside its range")
    return form.format(now=format_quantity(flip["now"], flip["unit"]))
