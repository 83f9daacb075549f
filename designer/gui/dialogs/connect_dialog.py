"""Cables many devices at once: a pattern, its cables before they are drawn, one step."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QFormLayout,
    QHeaderView,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from designer.errors import DesignerError
from designer.gui.dialogs.frame import answer_row, framed
from designer.gui.labels import label
from designer.messages import _, ngettext
from designer.model.design import Design
from designer.model.edits import Edit
from designer.model.patterns import (
    PATTERNS,
    Pattern,
    Wiring,
    most_of_pair,
    plan_wiring,
    sides,
    wiring_edit,
)
from designer.model.ports import range_name
from designer.model.records import Device
from designer.units import format_number

# Rows of the table; a full unit has 256.
MOST_ROWS = 1000


class ConnectDialog(QDialog):
    """Chooses a pattern for selected devices; `edit()` gives the change after it was accepted.

    Raises:
        WiringError: The devices are not of two kinds that cables join.
    """

    def __init__(self, design: Design, ids: Iterable[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._design, self._ids = design, tuple(ids)
        self._lower, self._upper = sides(design, self._ids)
        self._plan: Wiring | None = None
        self.resize(640, 600)
        column = framed(self, _("Connect devices"), self._question())
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        self.pattern = QComboBox()
        for name, (title, what) in PATTERNS.items():
            self.pattern.addItem(
                _("{pattern}: {what}").format(pattern=_(title), what=_(what)), name
            )
        self.links = QSpinBox()
        self.links.setMaximum(1024)
        self._links_title = label("")
        form.addRow(label(_("Pattern")), self.pattern)
        form.addRow(self._links_title, self.links)
        column.addLayout(form)
        self.table = self._make_table()
        column.addWidget(self.table, 1)
        self.answer = label("", "row", wrap=True)
        column.addWidget(self.answer)
        self.connect_button = answer_row(self, _("Connect"), column)
        servers = self._lower[0].role == "server" and len(self._lower) + len(self._upper) > 2
        self.pattern.setCurrentIndex(list(PATTERNS).index("rail" if servers else "mesh"))
        self.pattern.currentIndexChanged.connect(self._pattern_chosen)
        self.links.valueChanged.connect(self._show)
        self._pattern_chosen()

    def _question(self) -> str:
        return _("{lower} with {upper}, on their next free ports.").format(
            lower=_named(self._lower), upper=_named(self._upper)
        )

    def _make_table(self) -> QTableWidget:
        table = QTableWidget(0, 4)
        table.setHorizontalHeaderLabels([_("From"), _("To"), _("Links"), _("Ports")])
        table.setAccessibleName(_("Cables to be drawn"))
        table.verticalHeader().hide()
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.horizontalHeader().setStretchLastSection(True)
        return table

    def _chosen(self) -> Pattern:
        name: Pattern = self.pattern.currentData()
        return name

    def _pattern_chosen(self) -> None:
        mesh = self._chosen() == "mesh"
        self._links_title.setText(_("Links of each pair") if mesh else _("Links of each device"))
        self.links.blockSignals(True)
        self.links.setMinimum(1 if mesh else 0)
        self.links.setSpecialValueText("" if mesh else _("all free ports"))
        self.links.setValue(self._usual_mesh() if mesh else 0)
        self.links.blockSignals(False)
        self._show()

    def _usual_mesh(self) -> int:
        """Return 1 for two devices; more share out all their free ports."""
        if len(self._lower) + len(self._upper) == 2:
            return 1
        return max(1, most_of_pair(self._design, self._ids))

    def _show(self) -> None:
        self._plan = None
        links = self.links.value() or None
        try:
            self._plan = plan_wiring(self._design, self._ids, self._chosen(), links)
            self.answer.setText(self._left(self._plan))
        except DesignerError as fault:
            self.answer.setText(f"{fault.message} {fault.hint}")
        self._fill(self._plan)
        n = self._plan.links if self._plan is not None else 0
        text = ngettext("Connect {n} link", "Connect {n} links", n)
        self.connect_button.setText(text.format(n=format_number(n)) if n else _("Connect"))
        self.connect_button.setEnabled(n > 0)

    def _left(self, plan: Wiring) -> str:
        text = ngettext(
            "{n} link; free ports left: {below} below, {above} above.",
            "{n} links; free ports left: {below} below, {above} above.",
            plan.links,
        )
        below, above = (
            format_number(sum(plan.left[d.id] for d in side)) for side in (self._lower, self._upper)
        )
        return text.format(n=format_number(plan.links), below=below, above=above)

    def _fill(self, plan: Wiring | None) -> None:
        rows = plan.rows[:MOST_ROWS] if plan is not None else ()
        self.table.setRowCount(len(rows))
        for k, row in enumerate(rows):
            ports = "; ".join(
                " → ".join(
                    range_name(self._design, device, end)
                    for device, end in ((row.lower, a), (row.upper, b))
                )
                for a, b in row.pairs
            )
            texts = (row.lower.name, row.upper.name, format_number(row.links), ports)
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                if column == 2:
                    item.setTextAlignment(
                        Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                    )
                self.table.setItem(k, column, item)

    def edit(self) -> Edit | None:
        """Return the edit that draws the cables, or None when they do not fit."""
        return wiring_edit(self._design, self._plan) if self._plan is not None else None


def _named(devices: list[Device]) -> str:
    """Return `srv-1 … srv-32 (32)`, or the name of a single device."""
    if len(devices) == 1:
        return devices[0].name
    return f"{devices[0].name} … {devices[-1].name} ({format_number(len(devices))})"
