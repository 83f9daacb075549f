"""Repeats a group: copies of its devices and inner cables, wired to the outside the same way."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from designer.errors import DesignerError, WiringError
from designer.messages import _, ngettext
from designer.model.design import Design
from designer.model.edits import Edit, Swap
from designer.model.naming import fresh_id
from designer.model.ports import Port, expand, free_ports, lanes_of
from designer.model.records import GROUP_KINDS, Cable, Device, Group, Placement, PortRange
from designer.model.wiring import as_range, joined
from designer.units import format_number

MOST = 1000
# Room between two copies, drawing units.
GAP = 160.0


@dataclass(frozen=True)
class _Original:
    """A group and what belongs to it.

    Attributes:
        devices: Its members.
        inner: Cables with both ends among them.
        outer: Cables with one end among them: (cable, the end inside, the end outside).
        nested: Groups all of whose members are among them, itself included, by id.
    """

    design: Design
    group: Group
    devices: tuple[Device, ...]

    @cached_property
    def ids(self) -> frozenset[str]:
        return frozenset(d.id for d in self.devices)

    @cached_property
    def _cables(self) -> list[Cable]:
        found = dict.fromkeys(c for d in self.devices for c in self.design.cables_of(d.id))
        return [self.design.cables[c] for c in found]

    @cached_property
    def inner(self) -> list[Cable]:
        return [c for c in self._cables if c.a.device in self.ids and c.b.device in self.ids]

    @cached_property
    def outer(self) -> list[tuple[Cable, PortRange, PortRange]]:
        pairs = [(c, c.a, c.b) if c.a.device in self.ids else (c, c.b, c.a) for c in self._cables]
        return [p for p in pairs if p[2].device not in self.ids]

    @cached_property
    def nested(self) -> dict[str, Group]:
        used = {getattr(d, kind) for d in self.devices for kind in GROUP_KINDS} - {""}
        outside = {
            getattr(d, kind)
            for d in self.design.devices.values()
            if d.id not in self.ids
            for kind in GROUP_KINDS
        }
        groups = self.design.groups
        return {g: groups[g] for g in sorted(used - outside | {self.group.id}) if g in groups}

    def width(self) -> float:
        """Return the width of its drawing."""
        spots = [self.design.placements[i] for i in self.ids if i in self.design.placements]
        return max((p.x for p in spots), default=0.0) - min((p.x for p in spots), default=0.0)


def most_repeats(design: Design, group_id: str) -> int:
    """Return how many copies of a group the free ports outside it have room for, `MOST` at most.

    Raises:
        DesignerError: The group is empty.
    """
    original = _original(design, group_id)
    needed: dict[str, int] = {}
    for cable, _inside, outside in original.outer:
        needed[outside.device] = needed.get(outside.device, 0) + cable.count
    rooms = [
        len(_free(design, device, original)) // links
        for device, links in needed.items()
        if device in design.devices
    ]
    return min([MOST, *rooms])


def repeat_group(design: Design, group_id: str, times: int) -> Edit:
    """Add `times` copies of a group beside it, as one step.

    A copy has the inner cables on the same ports, and each cable to the outside again, from the
    same port inside to the next free ports of the same device outside.

    Raises:
        DesignerError: The group is empty, or `times` is not from 1 to `MOST`.
        WiringError: A device outside has too few free ports; says how many copies fit.
    """
    original = _original(design, group_id)
    if not 1 <= times <= MOST:
        raise DesignerError(
            _("A unit can be repeated 1 to {most} times, not {n}.").format(
                most=format_number(MOST), n=format_number(times)
            ),
            _("Choose a number in between."),
            (group_id,),
        )
    room = most_repeats(design, group_id)
    if times > room:
        raise WiringError(
            ngettext(
                "The devices that {group} is cabled to have free ports for {n} more copy.",
                "The devices that {group} is cabled to have free ports for {n} more copies.",
                room,
            ).format(group=original.group.name, n=format_number(room)),
            _("Add switches above, or repeat it fewer times."),
            tuple({outside.device for _cable, _inside, outside in original.outer}),
        )
    copier = _Copier(original)
    swaps = [swap for k in range(times) for swap in copier.copy(k + 1)]
    label = ngettext("Repeat {group}", "Repeat {group} {n} times", times)
    return Edit(label.format(group=original.group.name, n=format_number(times)), tuple(swaps))


def _original(design: Design, group_id: str) -> _Original:
    group = design.groups[group_id]
    devices = tuple(design.members(group))
    if not devices:
        raise DesignerError(
            _("{group} has no devices.").format(group=group.name),
            _("Put devices into it first."),
            (group_id,),
        )
    return _Original(design, group, devices)


def _free(design: Design, device_id: str, original: _Original) -> list[Port]:
    """Return the free ports outside that are like those which the original uses there."""
    device = design.devices[device_id]
    ends = [outside for _c, _i, outside in original.outer if outside.device == device_id]
    like = {(e.family, lanes_of(device, e.family, e.first) if e.lane else 1) for e in ends}
    return [
        port
        for family in dict.fromkeys(e.family for e in ends)
        for port in free_ports(design, device, family)
        if (family, lanes_of(device, family, port.number)) in like
    ]


class _Copier:
    """Makes copies one after the other; each takes free ports, names and a place of its own."""

    def __init__(self, original: _Original) -> None:
        self._of, self._design = original, original.design
        outside = {end.device for _c, _i, end in original.outer}
        self._spare = {
            i: iter(_free(self._design, i, original)) for i in outside if i in self._design.devices
        }
        self._names = {d.name for d in self._design.devices.values()}
        self._groups = {(g.kind, g.name) for g in self._design.groups.values()}
        self._step = self._first_step()

    def _first_step(self) -> tuple[float, float]:
        """Return where copies go: the first one right of everything that stands at its height."""
        places = self._design.placements
        mine = [places[i] for i in self._of.ids if i in places]
        if not mine:
            return 0.0, 0.0
        low, high = min(p.y for p in mine), max(p.y for p in mine)
        beside = [p.x for p in places.values() if low <= p.y <= high]
        start = max(beside) - min(p.x for p in mine) + GAP
        return start, self._of.width() + GAP

    def copy(self, number: int) -> Iterator[Swap]:
        """Yield the records of one copy; `number` counts from 1."""
        groups = {old: self._group(group) for old, group in self._of.nested.items()}
        for group in groups.values():
            parent = groups[group.parent].id if group.parent in groups else group.parent
            yield Swap("groups", group.id, None, replace(group, parent=parent))
        named = self._of.group.name, groups[self._of.group.id].name
        ids: dict[str, str] = {}
        for device in self._of.devices:
            ids[device.id] = fresh_id(self._design, "devices", "d")
            inside = {
                kind: groups[getattr(device, kind)].id
                for kind in GROUP_KINDS
                if getattr(device, kind) in groups
            }
            made = replace(device, id=ids[device.id], name=self._name(device.name, *named))
            yield Swap("devices", made.id, None, replace(made, **inside))  # type: ignore[arg-type]
            at = self._design.placements.get(device.id)
            if at is not None:
                x = at.x + self._step[0] + self._step[1] * (number - 1)
                yield Swap("placements", made.id, None, Placement(x, at.y))
        yield from self._cables(ids)

    def _cables(self, ids: dict[str, str]) -> Iterator[Swap]:
        assemblies: dict[str, str] = {}

        def made(cable: Cable, a: PortRange, b: PortRange) -> Swap:
            id_ = fresh_id(self._design, "cables", "c")
            splitter = cable.assembly and assemblies.setdefault(cable.assembly, id_)
            return Swap("cables", id_, None, replace(cable, id=id_, a=a, b=b, assembly=splitter))

        for cable in self._of.inner:
            ends = (replace(e, device=ids[e.device]) for e in (cable.a, cable.b))
            yield made(cable, *ends)
        for cable, inside, outside in self._of.outer:
            device = self._design.devices.get(inside.device)
            spare = self._spare.get(outside.device)
            if device is None or spare is None:
                continue
            pairs = [
                (as_range(ids[device.id], port), as_range(outside.device, next(spare)))
                for port in expand(device, inside)
            ]
            for one, two in joined(pairs):
                yield made(cable, *((one, two) if cable.a is inside else (two, one)))

    def _group(self, group: Group) -> Group:
        name = _next(group.name, ((group.kind, n) in self._groups for n in _numbered(group.name)))
        self._groups.add((group.kind, name))
        return replace(group, id=fresh_id(self._design, "groups", "g"), name=name)

    def _name(self, name: str, old: str, new: str) -> str:
        """Return the name of a copied device: with the new group's name in place of the old one."""
        wanted = f"{new}{name[len(old) :]}" if name.startswith(f"{old}-") else ""
        if not wanted or wanted in self._names:
            wanted = _next(name, (n in self._names for n in _numbered(name)))
        self._names.add(wanted)
        return wanted


def _numbered(name: str) -> Iterator[str]:
    """Yield the name with higher and higher numbers at its end, of the same width."""
    head = name.rstrip("0123456789")
    digits = name[len(head) :]
    head, number = (head, int(digits)) if digits else (f"{name}-", 0)
    while True:
        number += 1
        yield f"{head}{number:0{len(digits) or 1}d}"


def _next(name: str, taken: Iterable[bool]) -> str:
    """Return the first numbered name that is not taken."""
    return next(n for n, used in zip(_numbered(name), taken, strict=False) if not used)
