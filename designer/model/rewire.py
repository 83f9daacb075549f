"""Moves the ends of a cable to other ports, as one edit."""

from dataclasses import replace

from designer.errors import WiringError
from designer.messages import _
from designer.model.design import Design
from designer.model.edits import Edit, Swap
from designer.model.operations import describe_cable
from designer.model.records import Cable, PortRange
from designer.model.wiring import refusal


def rewire(design: Design, cable_id: str, a: PortRange, b: PortRange) -> Edit:
    """Put the ends of a cable on other ports; it keeps its id, type, length and optics.

    Raises:
        WiringError: A port is missing, taken by another cable, or does not fit.
    """
    before = design.cables[cable_id]
    after = replace(before, a=a, b=b)
    if after == before:
        return Edit("", ())
    trial = design.snapshot()
    trial.apply(Edit("", (Swap("cables", cable_id, before, None),)))
    reason = refusal(trial, a, b)
    if reason:
        raise WiringError(reason, _("Choose free, compatible ports."), (cable_id,))
    label = _("Move cable to {cable}").format(cable=describe_cable(design, after))
    return Edit(label, (Swap("cables", cable_id, before, after),))


def resize(cable: Cable, count: int) -> tuple[PortRange, PortRange]:
    """Return the ends of a trunk with another number of parallel links, from the same ports."""
    return replace(cable.a, count=count), replace(cable.b, count=count)
