"""What the menu under the right button offers to let fail, for the results only."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from designer.engine.compile import ONE_LINK, compile_network
from designer.engine.failure_parts import failed_ids
from designer.errors import DesignerError
from designer.messages import _, ngettext
from designer.model.design import Design
from designer.model.records import SWITCH_ROLES, Device
from designer.units import format_number

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView

Offer = tuple[str, tuple[str, ...]]


def add_fault_actions(canvas: "CanvasView", menu: QMenu) -> None:
    """Add what lets the selection, and what it is part of, fail or brings it back."""
    design, failed = canvas.design, canvas.state.failed
    chosen = {i for i in canvas.selection if i in design.devices or i in design.cables}
    held = {i for i in failed if i.removesuffix(ONE_LINK) in chosen}
    if not chosen and not failed:
        return
    menu.addSeparator()
    if chosen - held:
        for text, keys in offers(design, chosen - held):
            menu.addAction(text, partial(_fail, canvas, keys))
    if held:
        menu.addAction(_("Restore"), lambda: canvas.document.set_failed(failed - held))
    if failed - held:
        menu.addAction(_("Restore all that failed"), lambda: canvas.document.set_failed(()))


def offers(design: Design, ids: set[str]) -> list[Offer]:
    """Return what can fail around some devices and cables: a text, and keys as for `--fail`."""
    cables = sorted(i for i in ids if i in design.cables)
    devices = sorted(i for i in ids if i in design.devices)
    found: list[Offer] = []
    if devices:
        found.append((_device_text(design, devices), tuple(devices)))
        found += _around(design, [design.devices[i] for i in devices])
    elif cables:
        found += _cables(design, cables)
    return found


def _device_text(design: Design, devices: list[str]) -> str:
    if len(devices) > 1:
        text = ngettext("Fail {n} device", "Fail {n} devices", len(devices))
        return text.format(n=format_number(len(devices)))
    device = design.devices[devices[0]]
    if device.role in SWITCH_ROLES:
        return _("Fail this switch")
    return _("Fail this server") if device.role == "server" else _("Fail this device")


def _around(design: Design, devices: list[Device]) -> Iterator[Offer]:
    """Yield the rail and the rack that all devices share."""
    rails = {rail for d in devices for rail in _rails_at(design, d)}
    if len(rails) == 1:
        yield from _rail(rails.pop())
    racks = {d.rack for d in devices}
    if len(racks) == 1 and (rack := racks.pop()):
        group = design.groups.get(rack)
        name = group.name if group is not None else rack
        yield _("Fail rack {name}").format(name=name), (f"rack:{rack}",)


def _rail(number: int) -> Iterator[Offer]:
    yield _("Fail rail {n}").format(n=format_number(number)), (f"rail:{number}",)


def _rails_at(design: Design, device: Device) -> set[int]:
    """Return the rails that a leaf serves; none for other devices."""
    if device.role not in SWITCH_ROLES:
        return set()
    return {n for c in design.cables_of(device.id) for _server, n in _nics(design, c)}


def _nics(design: Design, cable_id: str) -> Iterator[tuple[Device, int]]:
    """Yield the servers at a cable with the rail of their NIC."""
    cable = design.cables[cable_id]
    for end in (cable.a, cable.b):
        device = design.devices.get(end.device)
        if device is not None and end.family == "nic" and device.role == "server":
            yield device, design.rail(device, end.first)


def _cables(design: Design, cables: list[str]) -> Iterator[Offer]:
    many = len(cables) > 1
    n = len(cables)
    one = design.cables[cables[0]]
    if many:
        text = ngettext("Fail {n} cable", "Fail {n} cables", n).format(n=format_number(n))
    else:
        text = _("Fail this trunk") if one.count > 1 else _("Fail this cable")
    yield text, tuple(cables)
    if not many and one.count > 1:
        yield _("Fail one link of this trunk"), (f"{one.id}{ONE_LINK}",)
    held = {(d.name, rail) for c in cables for d, rail in _nics(design, c)}
    if len(held) == 1:
        name, rail = next(iter(held))
        text = _("Fail NIC {n} of {server}").format(n=format_number(rail), server=name)
        yield text, (f"{name}:nic{rail}",)
    rails = {rail for _name, rail in held}
    if len(rails) == 1:
        yield from _rail(rails.pop())


def _fail(canvas: "CanvasView", keys: tuple[str, ...]) -> None:
    """Let what is named fail besides what has failed already."""
    design = canvas.design
    try:
        ids = [i for k in keys for i in failed_ids(design, k, lambda: compile_network(design))]
    except DesignerError as fault:
        canvas.fault(fault)
        return
    canvas.document.set_failed(canvas.state.failed | set(ids))
