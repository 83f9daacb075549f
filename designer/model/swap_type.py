"""Another type for devices that are cabled: each cable keeps its ports, moves, or is listed."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from designer.catalog.types import PartType, PortFamily
from designer.messages import _
from designer.model.design import Design
from designer.model.edits import Edit, Swap
from designer.model.operations import use_types
from designer.model.ports import end_speeds, link_speed, technologies_meet
from designer.model.records import Cable, Device, PortBreakout, PortRange
from designer.model.seating import Layout, Want, seat_ends

Fate = Literal["kept", "moved", "slowed", "reparted", "shortened", "dropped"]
_Side = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Fitting:
    """What becomes of one cable.

    Attributes:
        cable: Its id.
        fate: `kept` on its ports; `moved` to others; `slowed`, to a lower speed; `reparted`, its
            cable part or optics no longer fit and are chosen anew; `shortened`, some of its links
            have no port; `dropped`, all of them.
        links, lost: Links before, and how many of them go.
        before, after: Speed of a link, bits/s; None when the ends share none.
        reason: Why, for a cable that is dropped or shortened.
    """

    cable: str
    fate: Fate
    links: int
    lost: int
    before: float | None
    after: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SwapPlan:
    """The change, and what becomes of each cable at the devices."""

    edit: Edit
    fittings: tuple[Fitting, ...]

    @property
    def worse(self) -> tuple[Fitting, ...]:
        """Return the cables that do not come through as they were."""
        return tuple(f for f in self.fittings if f.fate not in ("kept", "moved"))

    @property
    def lost(self) -> int:
        """Return how many links go."""
        return sum(f.lost for f in self.fittings)

    def links(self, *fates: Fate) -> int:
        """Return how many links that stay share one of these fates."""
        return sum(f.links - f.lost for f in self.fittings if f.fate in fates)


@dataclass(slots=True)
class _Work:
    """A swap in progress: the drawing before and as it will be, cables as they stand."""

    design: Design
    trial: Design
    cables: dict[str, Cable]
    now: dict[str, Cable | None]
    speeds: dict[str, float | None]
    waiting: set[str]
    reasons: dict[str, str] = field(default_factory=dict)
    layouts: dict[object, Layout] = field(default_factory=dict)


def swap_type(
    design: Design, ids: Iterable[str], part: PartType, nic: PartType | None = None
) -> SwapPlan:
    """Return the plan that gives devices another type and keeps what its ports allow.

    `nic` is the NIC type that comes with `part`. Ports keep their numbers where the new type has
    them at a speed the other end shares; otherwise cables are packed anew, on split ports where
    only a lane has the speed. Of both the way is taken that loses, then slows, then moves least.
    """
    chosen = [design.devices[i] for i in dict.fromkeys(ids) if i in design.devices]
    changed = [d for d in chosen if d.type != part.slug or d.nics]
    types = use_types(design, [part, *([nic] if nic else [])])
    bare = [Swap("devices", d.id, d, _bare(d, part)) for d in changed]
    trial = design.snapshot()
    trial.apply(Edit("", (*types, *bare)))
    cables = {i: design.cables[i] for d in changed for i in design.cables_of(d.id)}
    speeds = {i: link_speed(design, c) for i, c in cables.items()}
    waiting = {d.id for d in changed}
    work = _Work(design, trial, cables, dict(cables), speeds, waiting)
    for device in changed:
        work.waiting.discard(device.id)
        _fit_device(work, device)
    swaps = [Swap("devices", d.id, d, trial.devices[d.id]) for d in changed]
    fittings = []
    for id_, before in cables.items():
        after, fit = _finish(work, before)
        fittings.append(fit)
        if after != before:
            swaps.append(Swap("cables", id_, before, after))
    label = _("Change type to {part}").format(part=part.shown_model)
    return SwapPlan(Edit(label, (*types, *swaps) if swaps else ()), tuple(fittings))


def _bare(device: Device, part: PartType) -> Device:
    return replace(device, type=part.slug, nics="", breakouts=())


def _fit_device(work: _Work, old: Device) -> None:
    """Seat all ends at one device on the ports of its new type."""
    trial = work.trial
    families = trial.families(trial.devices[old.id])
    wants = _wants(work, old)
    pieces: list[PortBreakout] = []
    for name in dict.fromkeys([*families, *wants]):
        family, own = families.get(name), wants.get(name, [])
        layout = _layout(work, old, [w for _side, w in own], family)
        for ((cable_id, side), want), end in zip(own, layout.ends, strict=True):
            if end is None or end.count < want.end.count:
                work.reasons.setdefault(cable_id, _no_port(old, name, family))
            cable = work.now[cable_id]
            if cable is not None:
                # in one record both ends lose the same links
                fit = replace(end, device=old.id) if end is not None else None
                work.now[cable_id] = _with_end(cable, side, fit)
        pieces += [PortBreakout(name, n, 1, k) for n, k in sorted(layout.lanes.items())]
    device = replace(trial.devices[old.id], breakouts=_joined(pieces))
    trial.devices[old.id] = device


def _layout(work: _Work, old: Device, wants: list[Want], family: PortFamily | None) -> Layout:
    """Return how ends are seated; devices wired alike are worked out once."""
    ends = tuple((w.end.first, w.end.count, w.end.lane, w.far, w.before) for w in wants)
    key = (family, old.breakouts, ends)
    if key not in work.layouts:
        work.layouts[key] = seat_ends(old, wants, family)
    return work.layouts[key]


def _no_port(device: Device, name: str, family: PortFamily | None) -> str:
    if family is None:
        return _("{device} has no {family} ports.").format(device=device.name, family=name)
    return _("{device} has no free port left at a speed of the other end.").format(
        device=device.name
    )


def _with_end(cable: Cable, side: str, end: PortRange | None) -> Cable | None:
    """Return a cable with one end replaced and the other cut to as many links."""
    if end is None:
        return None
    if side == "a":
        return replace(cable, a=end, b=replace(cable.b, count=end.count))
    return replace(cable, a=replace(cable.a, count=end.count), b=end)


def _wants(work: _Work, old: Device) -> dict[str, list[tuple[_Side, Want]]]:
    """Return the ends at a device by family, in port order."""
    found: dict[str, list[tuple[_Side, Want]]] = {}
    for id_ in work.design.cables_of(old.id):
        cable = work.now[id_]
        if cable is None:
            continue
        before = work.speeds[id_]
        for side, end, far in (("a", cable.a, cable.b), ("b", cable.b, cable.a)):
            if end.device == old.id:
                rates = _far_speeds(work, cable, end, far) if before else None
                found.setdefault(end.family, []).append(((id_, side), Want(end, rates, before)))
    for own in found.values():
        own.sort(key=lambda pair: (pair[1].end.first, pair[1].end.lane))
    return found


def _far_speeds(work: _Work, cable: Cable, end: PortRange, far: PortRange) -> frozenset[float]:
    """Return the rates the other end lists; none when the two no longer speak one technology."""
    trial, other = work.trial, work.trial.devices.get(far.device)
    if other is None:
        return frozenset()
    network = not {"nvlink", "mgmt"} & {end.family, far.family}
    if network and not _meet(trial, cable) and _meet(work.design, cable):
        part = trial.types.get(trial.devices[end.device].type)
        work.reasons[cable.id] = _("{device} is {technology}: they do not link.").format(
            device=other.name, technology=_technology(trial, other, part)
        )
        return frozenset()
    if far.device in work.waiting:
        family = trial.families(other).get(far.family)
        rates = [*family.speeds, *(b.speed for b in family.breakouts)] if family else []
        return frozenset(rates)
    return frozenset(end_speeds(trial, far))


def _technology(trial: Design, other: Device, part: PartType | None) -> str:
    own = trial.types.get(other.type)
    return own.technology if own is not None else (part.technology if part is not None else "")


def _meet(design: Design, cable: Cable) -> bool:
    ends = [design.devices.get(e.device) for e in (cable.a, cable.b)]
    parts = [design.types.get(d.type) for d in ends if d is not None]
    known = [p for p in parts if p is not None]
    return len(known) < 2 or technologies_meet(known[0], known[1])


def _joined(pieces: list[PortBreakout]) -> tuple[PortBreakout, ...]:
    """Return split ports with neighbours split alike joined."""
    out: list[PortBreakout] = []
    for piece in sorted(pieces, key=lambda b: (b.family, b.first)):
        last = out[-1] if out else None
        alike = last and (last.family, last.lanes) == (piece.family, piece.lanes)
        if last and alike and last.first + last.count == piece.first:
            out[-1] = replace(last, count=last.count + piece.count)
        else:
            out.append(piece)
    return tuple(out)


def _finish(work: _Work, before: Cable) -> tuple[Cable | None, Fitting]:
    """Return a cable as it will be, and what that means."""
    id_, after, speed = before.id, work.now[before.id], work.speeds[before.id]
    reason = work.reasons.get(id_, "")
    if after is None:
        return None, Fitting(id_, "dropped", before.count, before.count, speed, None, reason)
    fit = _parts_fit(work, before, after)
    if not fit:
        after = replace(after, type="", optic_a="", optic_b="")
    new, lost = link_speed(work.trial, after), before.count - after.count
    fate: Fate = "kept"
    if lost:
        fate = "shortened"
    elif speed and (new or 0.0) < speed:
        fate = "slowed"
    elif not fit:
        fate = "reparted"
    elif (after.a, after.b) != (before.a, before.b):
        fate = "moved"
    return after, Fitting(id_, fate, before.count, lost, speed, new, reason if lost else "")


def _parts_fit(work: _Work, before: Cable, after: Cable) -> bool:
    """Tell whether the parts a cable names still fit its ports."""
    if not (before.type or before.optic_a or before.optic_b):
        return True
    if work.speeds[before.id] and link_speed(work.trial, after) is None:
        return False
    return all(
        _cage(work.design, old) == _cage(work.trial, new)
        for old, new in ((before.a, after.a), (before.b, after.b))
    )


def _cage(design: Design, end: PortRange) -> str:
    device = design.devices.get(end.device)
    family = design.families(device).get(end.family) if device is not None else None
    return family.form_factor if family is not None else ""
