"""Maps imported hosts to a server type, all in one step: from then on their GPUs are known."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QWidget

from designer.catalog.catalog import Catalog
from designer.catalog.types import PartType
from designer.errors import DesignerError
from designer.gui.dialogs.frame import answer_row, framed
from designer.gui.labels import label
from designer.messages import _, ngettext
from designer.model.design import Design
from designer.model.edits import Edit
from designer.model.operations import map_servers
from designer.model.ports import port_users
from designer.units import format_bits_per_s, format_number


def unmapped_hosts(design: Design) -> list[str]:
    """Return the ids of servers whose GPUs are unknown."""
    return [d.id for d in design.devices.values() if d.role == "server" and design.gpus(d) is None]


class MapServersDialog(QDialog):
    """Chooses a server type for hosts; `edit()` gives the change after it was accepted."""

    def __init__(
        self,
        design: Design,
        catalog: Catalog,
        ids: Sequence[str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._design, self._catalog, self._ids = design, catalog, tuple(ids)
        self.resize(580, 520)
        n = len(self._ids)
        text = ngettext(
            "{n} host has an unknown number of GPUs. Choose what it is; its cables keep their "
            "ports.",
            "{n} hosts have an unknown number of GPUs. Choose what they are; their cables keep "
            "their ports.",
            n,
        )
        column = framed(self, _("Map hosts to a server type"), text.format(n=format_number(n)))
        self.types = QListWidget()
        self.types.setAccessibleName(_("Server types"))
        column.addWidget(self.types, 1)
        self.answer = label("", "row", wrap=True)
        column.addWidget(self.answer)
        self.map_button = answer_row(self, _("Map"), column)
        self._edit: Edit | None = None
        self._fill()
        self.types.currentItemChanged.connect(self._show)
        self._show()

    def _fill(self) -> None:
        most = max(
            (
                p.number
                for i in self._ids
                for p in port_users(self._design, self._design.devices[i])
                if p.family == "nic"
            ),
            default=0,
        )
        for part in self._catalog.of_kind("server"):
            ports = part.family("nic")
            if part.gpu is None or not part.gpu.count or ports is None:
                continue
            item = QListWidgetItem(
                _("{part}: {gpus} GPUs, {nics} × {speed}").format(
                    part=part.title,
                    gpus=part.gpu.count,
                    nics=ports.count,
                    speed=format_bits_per_s(max(ports.speeds)),
                )
            )
            item.setData(Qt.ItemDataRole.UserRole, part.slug)
            item.setSizeHint(QSize(100, 28))
            self.types.addItem(item)
            if self.types.currentItem() is None and ports.count >= most:
                self.types.setCurrentItem(item)

    def _chosen(self) -> PartType | None:
        item = self.types.currentItem()
        return self._catalog.get(str(item.data(Qt.ItemDataRole.UserRole))) if item else None

    def _show(self) -> None:
        part = self._chosen()
        self._edit = None
        if part is not None and self._ids:
            nic = self._catalog.get(part.nic) if part.nic else None
            try:
                self._edit = map_servers(self._design, self._ids, part, nic)
                gpus = (part.gpu.count or 0) if part.gpu else 0
                self.answer.setText(
                    _("{n} GPUs in all.").format(n=format_number(gpus * len(self._ids)))
                )
            except DesignerError as fault:
                self.answer.setText(f"{fault.message} {fault.hint}")
        self.map_button.setEnabled(self._edit is not None)

    def edit(self) -> Edit | None:
        """Return the edit that maps the hosts, or None when the type does not fit."""
        return self._edit
