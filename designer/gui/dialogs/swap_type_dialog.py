"""Another type for devices: says beforehand what becomes of their cables."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from designer.catalog.catalog import Catalog
from designer.catalog.types import PartType
from designer.gui.dialogs.frame import answer_row, framed
from designer.gui.labels import label
from designer.gui.panels.fields import ChoiceField
from designer.messages import _, ngettext
from designer.model.design import Design
from designer.model.edits import Edit
from designer.model.operations import describe_cable
from designer.model.swap_type import Fitting, SwapPlan, swap_type
from designer.units import format_bits_per_s, format_number

# Rows beyond these are counted, not listed: nobody reads 70,000.
MOST_ROWS = 500


def swap_parts(design: Design, catalog: Catalog, ids: Sequence[str]) -> list[PartType]:
    """Return the types that devices can get: those of the catalogue of the same kind."""
    devices = [design.devices[i] for i in ids if i in design.devices]
    kinds = {p.kind for p in map(design.type_of, devices) if p is not None}
    if len(kinds) != 1:
        return []
    kind = kinds.pop()
    found = {p.slug: p for p in design.types.values() if p.kind == kind}
    return list({**found, **{p.slug: p for p in catalog if p.kind == kind}}.values())


def plan_swap(design: Design, catalog: Catalog, ids: Sequence[str], slug: str) -> SwapPlan:
    """Return the plan that gives devices the type `slug` of the catalogue or the drawing."""
    part = catalog.get(slug) if slug in catalog else design.types[slug]
    nic = catalog.get(part.nic) if part.nic and part.nic in catalog else None
    return swap_type(design, ids, part, nic)


class SwapTypeDialog(QDialog):
    """Chooses a type; `edit()` gives the change after it was accepted."""

    def __init__(
        self,
        design: Design,
        catalog: Catalog,
        ids: Sequence[str],
        parent: QWidget | None = None,
        slug: str = "",
    ) -> None:
        super().__init__(parent)
        self._design, self._catalog, self._ids = design, catalog, tuple(ids)
        self.plan: SwapPlan | None = None
        self.resize(760, 520)
        n = len(self._ids)
        text = ngettext(
            "{n} device keeps its cables where the new ports allow.",
            "{n} devices keep their cables where the new ports allow.",
            n,
        )
        column = framed(self, _("Change type"), text.format(n=format_number(n)))
        parts = swap_parts(design, catalog, self._ids)
        self.types = ChoiceField([(p.slug, p.title) for p in parts])
        self.types.setAccessibleName(_("New type"))
        self.types.committed.connect(self._choose)
        column.addWidget(self.types)
        self.answer = label("", "rowStrong", wrap=True)
        column.addWidget(self.answer)
        self.list = QTreeWidget()
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setHeaderLabels([_("Cable"), _("What becomes of it"), _("Why")])
        self.list.setAccessibleName(_("Cables that do not stay as they are"))
        head = self.list.header()
        for k in range(2):
            head.setSectionResizeMode(k, QHeaderView.ResizeMode.Interactive)
        head.resizeSection(0, 250)
        head.resizeSection(1, 160)
        column.addWidget(self.list, 1)
        self.button = answer_row(self, _("Change type"), column)
        types = {design.devices[i].type for i in self._ids}
        self._choose(slug or (types.pop() if len(types) == 1 else ""))

    def _choose(self, slug: object) -> None:
        self.types.show_value(slug)
        self.plan = None
        if isinstance(slug, str) and slug:
            self.plan = plan_swap(self._design, self._catalog, self._ids, slug)
        self._show()

    def _show(self) -> None:
        self.list.clear()
        plan = self.plan
        self.button.setEnabled(plan is not None and bool(plan.edit))
        if plan is None or not plan.edit:
            self.answer.setText(_("Choose another type."))
            return
        self.answer.setText(summary(plan))
        worst = sorted(plan.worse, key=lambda f: -f.lost)
        for fit in worst[:MOST_ROWS]:
            cable = describe_cable(self._design, self._design.cables[fit.cable])
            item = QTreeWidgetItem([cable, fate_text(fit), fit.reason])
            for k in range(3):
                item.setToolTip(k, item.text(k))
            self.list.addTopLevelItem(item)
        more = len(plan.worse) - MOST_ROWS
        if more > 0:
            text = ngettext("… and {n} more cable", "… and {n} more cables", more)
            item = QTreeWidgetItem([text.format(n=format_number(more)), "", ""])
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
            self.list.addTopLevelItem(item)

    def edit(self) -> Edit | None:
        """Return the change, or None when there is none."""
        return self.plan.edit if self.plan is not None else None


def summary(plan: SwapPlan) -> str:
    """Return in one line how many links stay, move, slow down and go."""
    words = []
    for count, text in (
        (plan.links("kept"), _("{n} links stay")),
        (plan.links("moved"), _("{n} move to other ports")),
        (plan.links("slowed", "shortened") - _full_speed(plan), _("{n} slow down")),
        (plan.links("reparted"), _("{n} need other cables or optics")),
        (plan.lost, _("{n} have no port and are removed")),
    ):
        if count:
            words.append(text.format(n=format_number(count)))
    return " · ".join(words) or _("No cables.")


def _full_speed(plan: SwapPlan) -> int:
    """Return how many links of shortened trunks keep their speed."""
    return sum(
        f.links - f.lost
        for f in plan.fittings
        if f.fate == "shortened" and (f.after or 0.0) >= (f.before or 0.0)
    )


def fate_text(fit: Fitting) -> str:
    """Return what becomes of a cable in a few words."""
    if fit.fate == "dropped":
        return _("removed")
    if fit.fate == "shortened":
        lost, links = format_number(fit.lost), format_number(fit.links)
        return _("{lost} of {links} links removed").format(lost=lost, links=links)
    if fit.fate == "slowed":
        before, after = (format_bits_per_s(s) if s else "–" for s in (fit.before, fit.after))
        return f"{before} → {after}"
    return _("other cable or optics") if fit.fate == "reparted" else _("stays")
