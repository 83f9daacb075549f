"""Commands on the open drawing and its results: groups, cabling, hosts, comparison."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QDialog, QInputDialog, QWidget

from designer.engine.explain import format_quantity
from designer.engine.results import Results
from designer.formats.importers import ImportReport
from designer.gui.bridge import Document
from designer.gui.dialogs.calibrate_dialog import CalibrateDialog
from designer.gui.dialogs.connect_dialog import ConnectDialog
from designer.gui.dialogs.explain_popover import ExplainPopover
from designer.gui.dialogs.map_servers_dialog import MapServersDialog, unmapped_hosts
from designer.gui.dialogs.swap_type_dialog import SwapTypeDialog, swap_parts
from designer.messages import _
from designer.model import groups, operations
from designer.model.design import Design
from designer.model.edits import Edit
from designer.model.records import Group
from designer.model.repeat import most_repeats, repeat_group
from designer.services.notices import NoticeText
from designer.units import format_number

if TYPE_CHECKING:
    from designer.gui.dialogs.compare_window import CompareWindow
    from designer.gui.main_window import MainWindow


class DrawingCommands:
    """What menus and panels do to the drawing that is open."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window
        self.compare: CompareWindow | None = None

    def document(self) -> Document:
        """Return the drawing; commands that need one are disabled without."""
        document = self._window.workspace.document
        assert document is not None
        return document

    def _devices(self) -> list[str]:
        document = self.document()
        return [i for i in document.selection.ids if i in document.design.devices]

    def _apply(self, edit: Edit) -> None:
        self.document().apply(edit)

    # --- cabling and groups ---

    def group(self) -> None:
        """Make a scalable unit of the selected devices."""
        ids = self._devices()
        if not ids:
            self._window.say(NoticeText("info", _("Select devices to group.")))
            return
        name, sure = QInputDialog.getText(self._window, _("Group as scalable unit"), _("Name"))
        if sure:
            design = self.document().design
            self._window.workspace.attempt(
                lambda: self._apply(groups.create_group(design, "unit", name, ids))
            )

    def ungroup(self) -> None:
        """Take the selected devices out of their scalable unit."""
        design, ids = self.document().design, self._devices()
        self._window.workspace.attempt(lambda: self._apply(groups.leave_group(design, "unit", ids)))

    def repeat(self) -> None:
        """Add copies of the selected unit, wired to the switches above in the same way."""
        document = self.document()
        design, group = document.design, self._group()
        if group is None:
            text = _("Select a scalable unit, or a device of one, to repeat it.")
            self._window.say(NoticeText("info", text))
            return
        self._window.workspace.attempt(lambda: self._ask_times(design, group))

    def _ask_times(self, design: Design, group: Group) -> None:
        room = max(1, most_repeats(design, group.id))
        text = _("Copies of {group}, wired as it is (up to {n})").format(
            group=group.name, n=format_number(room)
        )
        times, sure = QInputDialog.getInt(self._window, _("Repeat unit"), text, 1, 1, room)
        if sure:
            self._apply(repeat_group(design, group.id, times))

    def _group(self) -> Group | None:
        """Return the selected group, or the unit (else rack or pod) of a selected device."""
        document = self.document()
        design, ids = document.design, sorted(document.selection.ids)
        for id_ in ids:
            if id_ in design.groups:
                return design.groups[id_]
        for kind in ("unit", "rack", "pod"):
            for id_ in ids:
                device = design.devices.get(id_)
                group = design.groups.get(getattr(device, kind)) if device is not None else None
                if group is not None:
                    return group
        return None

    def connect(self) -> None:
        """Cable the selected devices by a pattern, on their next free ports."""
        self._window.workspace.attempt(self._connect)

    def _connect(self) -> None:
        dialog = ConnectDialog(self.document().design, self._devices(), self._window)
        edit = dialog.edit() if dialog.exec() == QDialog.DialogCode.Accepted else None
        if edit is not None:
            self._apply(edit)

    def swap_type(self) -> None:
        """Give the selected devices another type; says first what becomes of their cables."""
        ids, document = self._devices(), self.document()
        if not swap_parts(document.design, document.catalog, ids):
            text = _("Select devices of one kind, switches or servers, to change their type.")
            self._window.say(NoticeText("info", text))
            return
        dialog = SwapTypeDialog(document.design, document.catalog, ids, self._window)
        edit = dialog.edit() if dialog.exec() == QDialog.DialogCode.Accepted else None
        if edit is not None:
            self._window.workspace.attempt(lambda: self._apply(edit))

    def calibrate(self) -> None:
        """Fit the assumptions to an nccl-tests log."""
        document = self.document()
        dialog = CalibrateDialog(
            document.design,
            document.catalog,
            self._window.workspace.background,
            self._window.theme,
            self._window,
        )
        edit = dialog.edit() if dialog.exec() == QDialog.DialogCode.Accepted else None
        if edit is not None:
            self._window.workspace.attempt(lambda: self._apply(edit))

    def disconnect(self) -> None:
        """Remove the selected cables and those of the selected devices."""
        document = self.document()
        design, ids = document.design, document.selection.ids
        cables = {c for i in ids if i in design.devices for c in design.cables_of(i)}
        cables |= {i for i in ids if i in design.cables}
        self._window.workspace.attempt(lambda: self._apply(operations.remove(design, cables)))

    def map_servers(self) -> None:
        """Map hosts with unknown GPUs to a server type, in one step."""
        document = self.document()
        ids = unmapped_hosts(document.design)
        if not ids:
            self._window.say(NoticeText("info", _("All servers have a known number of GPUs.")))
            return
        dialog = MapServersDialog(document.design, document.catalog, ids, self._window)
        edit = dialog.edit() if dialog.exec() == QDialog.DialogCode.Accepted else None
        if edit is not None:
            self._window.workspace.attempt(lambda: document.apply(edit))

    def tell_imported(self, report: ImportReport) -> None:
        """Say what an import read, and offer to map its hosts."""
        document = self._window.workspace.document
        if document is None:
            return
        lines = [*report.read[:1], *report.warnings[:1]]
        hosts = unmapped_hosts(document.design)
        actions = (("map_servers", _("Map hosts to a server type")),) if hosts else ()
        self._window.say(
            NoticeText(
                "warning" if report.warnings else "info",
                _("Imported"),
                "\n".join(lines),
                (),
                actions,
                "imported",
            )
        )

    # --- results ---

    def fail(self) -> None:
        """Let the selected devices and cables fail, for the results only."""
        document = self.document()
        design = document.design
        ids = [i for i in document.selection.ids if i in design.devices or i in design.cables]
        if not ids:
            text = _("Select devices or cables to let them fail.")
            self._window.say(NoticeText("info", text))
            return
        document.set_failed((*document.options.fail, *ids))

    def choose_fabric(self, name: str) -> None:
        """Let the results speak of a technology, or compare both."""
        if name != "compare":
            self.document().set_options(fabric=name)
            return
        self.show_compare()
        results = self.document().results
        if self._window.editor is not None and results is not None:
            self._window.editor.toolbar.show_results(results)

    def show_compare(self) -> None:
        """Show InfiniBand against RoCE in a window of its own."""
        from designer.gui.dialogs.compare_window import CompareWindow  # it imports pyqtgraph

        document = self.document()
        self.close_compare()
        window = CompareWindow(
            document.results, document.session.name, self._window.theme, self._window
        )
        window.assumptions_requested.connect(self.edit_assumption)
        window.export_requested.connect(self._export_summary)
        window.explain_requested.connect(self.explain)
        self.compare = window
        window.show()

    def close_compare(self) -> None:
        """Close the comparison."""
        if self.compare is not None:
            self.compare.close()
            self.compare.deleteLater()
            self.compare = None

    def show_results(self, results: Results) -> None:
        """Bring the comparison up to date."""
        if self.compare is not None and self.compare.isVisible():
            self.compare.set_results(results)

    def _export_summary(self) -> None:
        if self._window.editor is not None:
            self._window.files.export(self._window.editor, "html")

    def edit_assumption(self, key: str) -> None:
        """Show a parameter in the table of assumptions."""
        if self._window.editor is not None:
            self._window.raise_()
            self._window.editor.edit_assumption(key)

    def explain(self, key: str, at: QPoint) -> None:
        """Open the explanation of a figure beside it; `at` is a point of the screen."""
        results = self.document().results
        explanation = results.explanations.get(key) if results is not None else None
        if results is None or explanation is None:
            return
        host: QWidget = self._window
        if self.compare is not None and self.compare.isActiveWindow():
            host = self.compare
        popover = ExplainPopover(host, explanation, value_text(results, key), self._window.theme)
        popover.show_ids.connect(self._show_ids)
        popover.edit_assumption.connect(self.edit_assumption)
        popover.popup(host.mapFromGlobal(at) if not at.isNull() else host.rect().center())

    def _show_ids(self, ids: tuple[str, ...]) -> None:
        if self._window.editor is not None:
            self._window.editor.show_ids(frozenset(ids))


def value_text(results: Results, key: str) -> str:
    """Return the value at a key in the unit of its explanation."""
    value = results.get(key)
    if isinstance(value, dict):
        value = value.get("typical")
    steps = results.explanations[key].steps
    unit = steps[-1].unit if steps else ""
    return format_quantity(value, unit) if isinstance(value, (int, float)) else str(value)
