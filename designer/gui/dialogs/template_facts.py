"""The row of figures below a preview: counts, power and the price of the network."""

from dataclasses import dataclass
from typing import Any

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from designer.engine.results import Results
from designer.gui.icons import icon
from designer.messages import N_, _
from designer.units import Range, format_money, format_number, format_power, format_range


@dataclass(frozen=True, slots=True)
class Fact:
    """One figure: its icon, value, what it is, and a second line."""

    picture: str
    token: str
    value: str
    label: str
    note: str = ""


_COUNTS = (
    ("memory", "gpuLine", "counts.gpus", N_("GPUs")),
    ("server", "server", "counts.servers", N_("servers")),
    ("leaf", "leaf", "counts.leaf", N_("leaves")),
    ("spine", "spine", "counts.spine", N_("spines")),
    ("core", "core", "counts.core", N_("cores")),
    ("cable", "text2", "counts.cables.total", N_("cables")),
)


def facts(results: Results) -> list[Fact]:
    """Return the figures of a preview; counts of zero are left out."""
    found = []
    for picture, token, key, label in _COUNTS:
        value = results.get(key)
        if value:
            found.append(Fact(picture, token, format_number(value), _(label)))
    for name, title in (("infiniband", _("InfiniBand")), ("rocev2", _("RoCE"))):
        total: Any = results.get(f"fabrics.{name}.capex_usd.total")
        if total:
            spread = Range(total["low"], total["typical"], total["high"])
            found.append(
                Fact(
                    "gauge",
                    "text2",
                    format_money(spread.typical),
                    _("network as {fabric}").format(fabric=title),
                    format_range(spread),
                )
            )
    power = results.get("fabrics.infiniband.power_w")
    if power:
        found.append(Fact("gauge", "text2", format_power(power), _("network power, typical")))
    return found


class FactRow(QFrame):
    """Figures side by side."""

    def __init__(self, theme: str) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("card")
        self._row = QHBoxLayout(self)
        self._row.setSpacing(20)

    def set_facts(self, found: list[Fact]) -> None:
        """Show these figures in place of the ones before."""
        while (item := self._row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for fact in found:
            self._row.addWidget(self._one(fact))
        self._row.addStretch(1)

    def _one(self, fact: Fact) -> QWidget:
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        value = QLabel(fact.value)
        value.setProperty("role", "heading")
        column.addWidget(value)
        row = QHBoxLayout()
        row.setSpacing(4)
        mark = QLabel()
        mark.setPixmap(icon(fact.picture, fact.token, self._theme).pixmap(14, 14))
        label = QLabel(fact.label)
        label.setProperty("role", "secondary")
        row.addWidget(mark)
        row.addWidget(label)
        row.addStretch(1)
        column.addLayout(row)
        note = QLabel(fact.note)
        note.setProperty("role", "secondary")
        column.addWidget(note)
        return box
