"""Tooltips: what a port, device or cable is, at what speed and how full."""

from typing import TYPE_CHECKING

from designer.messages import _, ngettext
from designer.model.operations import describe_cable
from designer.model.ports import (
    free_ports,
    lanes_of,
    link_speed,
    port_name,
    port_speeds,
)
from designer.scene.hits import Hit
from designer.units import format_bits_per_s, format_number, format_percent

if TYPE_CHECKING:
    from designer.gui.canvas.view import CanvasView


def tip(canvas: "CanvasView", found: Hit) -> str:
    """Return the lines of a tooltip; empty for what needs none."""
    lines: list[str] = []
    if found.kind == "port" and found.port is not None:
        lines = _port(canvas, found)
    elif found.kind == "device":
        lines = _device(canvas, found.id)
    elif found.kind == "cable":
        lines = _cables(canvas, found.cables)
    return "\n".join(line for line in lines if line)


def _port(canvas: "CanvasView", found: Hit) -> list[str]:
    design = canvas.design
    device, port = design.devices[found.id], found.port
    assert port is not None
    family = design.families(device)[port.family]
    speeds = port_speeds(family, lanes_of(device, port.family, port.number))
    rates = ", ".join(format_bits_per_s(s) for s in speeds)
    lines = [f"{device.name} {port_name(design, device, port)}", rates]
    if found.cables:
        return [*lines, *_cables(canvas, found.cables)]
    return [*lines, _("free")]


def _device(canvas: "CanvasView", id_: str) -> list[str]:
    design = canvas.design
    device = design.devices[id_]
    part = design.type_of(device)
    free = sum(len(free_ports(design, device, f)) for f in design.families(device))
    loads = [canvas.state.utilization.get(c) for c in design.cables_of(id_)]
    known = [v for v in loads if v is not None]
    return [
        device.name,
        part.title if part else _("unknown type {slug}").format(slug=device.type),
        ngettext("{n} free port", "{n} free ports", free).format(n=format_number(free)),
        _("peak {share}").format(share=format_percent(max(known), 0)) if known else "",
    ]


def _cables(canvas: "CanvasView", ids: tuple[str, ...]) -> list[str]:
    design = canvas.design
    cables = [design.cables[i] for i in ids if i in design.cables]
    if not cables:
        return []
    links = sum(c.count for c in cables)
    speeds = {link_speed(design, c) for c in cables[:200]}
    head = (
        describe_cable(design, cables[0])
        if len(cables) == 1
        else ngettext("{n} link", "{n} links", links).format(n=format_number(links))
    )
    lines = [head]
    if len(speeds) == 1:
        speed = speeds.pop()
        each = format_bits_per_s(speed) if speed else _("no speed in common")
        lines.append(f"{format_number(links)} × {each}" if links > 1 else each)
    loads = [canvas.state.utilization[i] for i in ids if i in canvas.state.utilization]
    if loads:
        lines.append(_("peak {share}").format(share=format_percent(max(loads), 0)))
    return lines
