"""Builds the records of a generated network: names as ids, each port used once."""

from designer.catalog.catalog import Catalog
from designer.catalog.types import PartType, PortFamily
from designer.errors import ParameterError
from designer.messages import _
from designer.model.design import Design
from designer.model.records import (
    Cable,
    Device,
    Group,
    GroupKind,
    Info,
    PortBreakout,
    PortRange,
    Role,
)


class Builder:
    """Collects devices, groups and cables, handing out ports in front-panel order."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.design = Design()
        self._next: dict[tuple[str, str], int] = {}
        self._cables = 0

    def part(self, slug: str) -> PartType:
        """Embed a part (and the NIC it is sold with) and return it."""
        part = self.catalog.get(slug)
        if part.slug not in self.design.types:
            self.design.types[part.slug] = part
            if part.nic:
                self.part(part.nic)
        return part

    def group(self, kind: GroupKind, name: str, parent: str = "") -> str:
        """Return the id of the group called `name`, made at the first call."""
        if name not in self.design.groups:
            self.design.groups[name] = Group(name, kind, name, parent)
        return name

    def device(
        self,
        name: str,
        part: PartType,
        role: Role,
        *,
        unit: str = "",
        pod: str = "",
        plane: str = "",
        rack: str = "",
        nics: str = "",
        lanes: int = 1,
        notes: str = "",
    ) -> str:
        """Add a device; with `lanes` above 1 all its fabric ports are split."""
        breakouts: tuple[PortBreakout, ...] = ()
        if lanes > 1:
            family = part.family("fabric")
            assert family is not None
            breakouts = (PortBreakout("fabric", 1, family.count, lanes),)
        self.design.devices[name] = Device(
            name,
            name,
            part.slug,
            role,
            unit,
            pod,
            plane,
            rack,
            None,
            "compute",
            nics,
            breakouts,
            notes,
        )
        return name

    def link(
        self,
        a: str,
        b: str,
        count: int = 1,
        *,
        family_a: str = "fabric",
        family_b: str = "fabric",
        first_a: int | None = None,
        lanes_a: int = 1,
        lanes_b: int = 1,
    ) -> None:
        """Cable the next `count` ports of `a` (or those from `first_a`) to the next of `b`."""
        if count < 1:
            return
        end_a = self._take(a, family_a, count, lanes_a, first_a)
        end_b = self._take(b, family_b, count, lanes_b, None)
        self._cables += 1
        id_ = f"c{self._cables:06d}"
        self.design.cables[id_] = Cable(id_, end_a, end_b)

    def skip_to(self, device: str, family: str, place: int) -> None:
        """Hand out ports of a device from `place` (counted in lanes, from 1) on."""
        self._next[device, family] = max(place, self._next.get((device, family), 1))

    def _take(
        self, device: str, family: str, count: int, lanes: int, first: int | None
    ) -> PortRange:
        key = (device, family)
        place = first if first is not None else self._next.get(key, 1)
        if first is None:
            self._next[key] = place + count
        if lanes == 1:
            return PortRange(device, family, place, count)
        return PortRange(device, family, (place - 1) // lanes + 1, count, (place - 1) % lanes + 1)

    def finish(self, command: str, title: str) -> Design:
        """Return the design with its title block."""
        self.design.info["info"] = Info(title=title, template=command)
        return self.design


def radix(part: PartType, speed: float) -> tuple[int, int]:
    """Return (ports at `speed`, lanes a cage port is split into) of a switch.

    Raises:
        ParameterError: The switch has no ports of that speed, whole or split.
    """
    if part.kind != "switch":
        raise ParameterError(
            _("{part} is no switch.").format(part=part.title),
            _("Choose one that “railspine catalog switch” lists."),
        )
    family: PortFamily | None = part.family("fabric")
    if family is not None:
        if speed == max(family.speeds):
            return family.count, 1
        for b in sorted(family.breakouts, key=lambda b: b.lanes):
            if b.speed == speed:
                return family.count * b.lanes, b.lanes
        if speed in family.speeds:
            return family.count, 1
    raise ParameterError(
        _("{part} has no ports of {speed} Gb/s.").format(part=part.title, speed=f"{speed / 1e9:g}"),
        _("Choose another switch or server."),
    )


def smallest_divisor(number: int, at_least: float) -> int | None:
    """Return the smallest divisor of `number` that is at least `at_least`, or None.

    This is how many spines (or cores of a group) share the uplinks of a leaf (or spine) evenly.
    """
    return next((d for d in range(1, number + 1) if number % d == 0 and d >= at_least), None)
