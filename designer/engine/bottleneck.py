"""What limits a collective: latency, the inside of a node, or a link of the drawing."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from designer.engine.algorithms import Timing
from designer.engine.collectives import Collective
from designer.engine.routing import Routed
from designer.engine.setting import Inside
from designer.engine.wire import Drained, Wire
from designer.messages import _
from designer.model.design import Design
from designer.model.ports import range_name


@dataclass(frozen=True, slots=True)
class Place:
    """Where a collective runs: the drawing, how GPUs of a node talk, and the technology."""

    design: Design
    routed: Routed
    inside: Inside
    wire: Wire


def limited(place: Place, drained: Mapping[str, Drained], made: Collective) -> Collective:
    """Return a collective with its bottlenecks named, at the size asked for and on the curve."""
    timing = made.timing
    if timing is None or timing.algorithm == "none":
        return made
    known: dict[str, tuple[str, tuple[str, ...]]] = {}

    def named(one: Timing) -> tuple[str, tuple[str, ...]]:
        kind = _limit(one)
        if kind not in known:
            known[kind] = _named(place, drained, kind)
        return known[kind]

    text, ids = named(timing)
    points = tuple(named(t)[0] for _size, t in made.curve)
    return replace(
        made, bottleneck=text or made.bottleneck, bottleneck_ids=ids, curve_bottlenecks=points
    )


def _limit(timing: Timing) -> str:
    """Return what limits an algorithm: `latency`, `inside`, or its pattern on the network."""
    return pattern_of(timing.algorithm) if timing.limit == "network" else timing.limit


def _named(place: Place, drained: Mapping[str, Drained], kind: str) -> tuple[str, tuple[str, ...]]:
    """Return a limit in words, with the devices or cables it is."""
    if kind == "latency":
        return _("latency of the steps"), ()
    if kind == "inside":
        medium = "NVLink" if place.inside.kind == "nvlink" else "PCIe"
        text, device = _("{kind} inside the servers").format(kind=medium), place.inside.device
        return text, (place.routed.network.device_ids[device],) if device >= 0 else ()
    row = drained[kind].cable(place.wire.factors)
    if row < 0:
        return "", ()
    return cable_name(place.design, place.routed, row), (place.routed.network.cable_ids[row],)


def pattern_of(algorithm: str) -> str:
    """Return which pattern of traffic an algorithm has between nodes."""
    known = {"tree": "tree", "nvls_tree": "tree", "pairwise": "spread", "direct": "send"}
    return known.get(algorithm, "ring")


def cable_name(design: Design, routed: Routed, row: int) -> str:
    """Return a cable by its two ends: `srv-1 NIC 5 → leaf-5 P3`."""
    cable = design.cables[routed.network.cable_ids[row]]
    found = []
    for end in (cable.a, cable.b):
        device = design.devices.get(end.device)
        if device is None:
            found.append(end.device)
        else:
            found.append(f"{device.name} {range_name(design, device, end)}")
    return " → ".join(found)
