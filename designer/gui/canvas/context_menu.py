"""The menu under the right button: what can be done with the selection, or here."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QInputDialog, QMenu

from designer.gui.canvas.fault_menu import add_fault_actions
from designer.gui.canvas.job_menu import add_job_actions
from designer.messages import N_, _
from designer.model.arrange_selection import ARRANGEMENTS
from designer.model.groups import create_group, leave_group
from designer.model.records import GROUP_KINDS, ROLES, GroupKind

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView

ROLE_NAMES = {
    "server": N_("Server"),
    "nvswitch": N_("NVSwitch tray"),
    "leaf": N_("Leaf"),
    "spine": N_("Spine"),
    "core": N_("Core"),
    "host": N_("Host"),
}
KIND_NAMES = {
    "unit": N_("Scalable unit"),
    "pod": N_("Pod"),
    "rack": N_("Rack"),
    "plane": N_("Plane"),
}


def build_menu(canvas: "CanvasView", at: tuple[float, float]) -> QMenu:
    """Return the menu for the selection; `at` is where the pointer is in the drawing."""
    menu = QMenu(canvas)
    menu.aboutToHide.connect(menu.deleteLater)
    verbs, design = canvas.verbs, canvas.design
    devices = sorted(i for i in canvas.selection if i in design.devices)
    if canvas.selection:
        menu.addAction(_("Delete"), verbs.delete)
    if devices:
        menu.addAction(_("Duplicate"), verbs.duplicate)
        menu.addAction(_("Copy"), verbs.copy)
        menu.addAction(_("Cut"), verbs.cut)
    if verbs.can_paste():
        menu.addAction(_("Paste"), lambda: verbs.paste(at))
    if devices:
        menu.addSeparator()
        _device_actions(canvas, menu, devices)
    add_fault_actions(canvas, menu)
    add_job_actions(canvas, menu)
    if not canvas.selection:
        menu.addAction(_("Add part…"), lambda: canvas.quick_add(*canvas.view.to_screen(*at)))
        menu.addAction(_("Add note"), lambda: canvas.edit_note("", *at))
        menu.addAction(_("Select all"), verbs.select_all)
        menu.addAction(_("Tidy"), verbs.tidy)
        menu.addAction(_("Zoom to fit"), canvas.zoom_to_fit)
    return menu


def _device_actions(canvas: "CanvasView", menu: QMenu, devices: list[str]) -> None:
    verbs = canvas.verbs
    if len(devices) == 1:
        menu.addAction(_("Rename…"), lambda: _rename(canvas, devices[0]))
    menu.addAction(_("Select peers"), verbs.select_peers)
    roles = menu.addMenu(_("Role"))
    for role in ROLES:
        action = roles.addAction(_(ROLE_NAMES[role]), partial(verbs.set_role, role))
        action.setCheckable(True)
        action.setChecked(all(canvas.design.devices[i].role == role for i in devices))
    groups = menu.addMenu(_("Group as"))
    for kind in GROUP_KINDS:
        groups.addAction(_(KIND_NAMES[kind]), partial(_group, canvas, kind, devices))
    leave = menu.addMenu(_("Leave group"))
    for kind in GROUP_KINDS:
        held = [i for i in devices if getattr(canvas.design.devices[i], kind)]
        action = leave.addAction(_(KIND_NAMES[kind]), partial(_leave, canvas, kind, devices))
        action.setEnabled(bool(held))
    if len(devices) > 1:
        arrange = menu.addMenu(_("Arrange"))
        for name, (title, _call) in ARRANGEMENTS.items():
            arrange.addAction(_(title), partial(verbs.arrange, name))
        arrange.addAction(_("Order to cross fewer cables"), verbs.order_by_rail)
    menu.addAction(_("Tidy"), verbs.tidy)
    menu.addAction(_("Zoom to selection"), lambda: canvas.zoom_to(canvas.selection))


def _rename(canvas: "CanvasView", id_: str) -> None:
    device = canvas.design.devices[id_]
    name, ok = QInputDialog.getText(canvas, _("Rename"), _("Name"), text=device.name)
    if ok and name.strip() != device.name:
        canvas.verbs.rename(id_, name)


def _group(canvas: "CanvasView", kind: GroupKind, devices: list[str]) -> None:
    taken = {g.name for g in canvas.design.groups.values() if g.kind == kind}
    number = 1
    while (name := f"{_(KIND_NAMES[kind])} {number}") in taken:
        number += 1
    edit = canvas.verbs.attempt(lambda: create_group(canvas.design, kind, name, devices))
    if edit:
        canvas.apply(edit)


def _leave(canvas: "CanvasView", kind: GroupKind, devices: list[str]) -> None:
    canvas.apply(leave_group(canvas.design, kind, devices))
