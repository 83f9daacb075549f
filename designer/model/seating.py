"""Seats cable ends on the ports of one family: on their old numbers, or packed anew."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from designer.catalog.types import PortFamily
from designer.model.ports import expand, lanes_of, port_speeds
from designer.model.records import Device, PortRange

# Ports of these families mean something by their number (the rail of a NIC): they never move.
FIXED = frozenset({"nic"})


@dataclass(frozen=True, slots=True)
class Want:
    """One end to be seated.

    Attributes:
        end: Where it sits now.
        far: Rates the other end lists, bits/s; None when the link ran at no speed before, so that
            any port is as good.
        before: What the link ran at, bits/s.
    """

    end: PortRange
    far: frozenset[float] | None
    before: float | None


@dataclass(slots=True)
class Layout:
    """One way to seat the ends of a family.

    Attributes:
        ends: New end of each want, shortened or None where there is no room.
        speeds: Rate of each link, bits/s; None without one.
        lanes: Lanes of each split port, by its number.
    """

    ends: list[PortRange | None] = field(default_factory=list)
    speeds: list[float | None] = field(default_factory=list)
    lanes: dict[int, int] = field(default_factory=dict)

    def cost(self, wants: Sequence[Want]) -> tuple[int, int, int]:
        """Return links lost, links slowed, links moved."""
        lost = slowed = moved = 0
        for want, end, speed in zip(wants, self.ends, self.speeds, strict=True):
            kept = end.count if end is not None else 0
            lost += want.end.count - kept
            slowed += kept if want.before and (speed or 0.0) < want.before else 0
            moved += kept if end is not None and end != replace(want.end, count=kept) else 0
        return lost, slowed, moved


def seat_ends(old: Device, wants: Sequence[Want], family: PortFamily | None) -> Layout:
    """Return the layout that loses, then slows, then moves the fewest links.

    `old` is the device as it was, with its split ports; `family` what its new type has of them.
    """
    nothing = Layout([None] * len(wants), [None] * len(wants))
    if family is None:
        return nothing
    best = _Seats(old, family, keep=True).seat(wants, 1)
    if best.cost(wants) == (0, 0, 0) or family.family in FIXED:
        return best
    ways = [1, *dict.fromkeys(b.lanes for b in family.breakouts)]
    tries = [_Seats(old, family, keep=keep).seat(wants, n) for keep in (True, False) for n in ways]
    return min([best, *tries], key=lambda layout: layout.cost(wants))


class _Seats:
    """Ports of one family while ends are put on them."""

    def __init__(self, old: Device, family: PortFamily, *, keep: bool) -> None:
        self._old, self._family, self._keep = old, family, keep
        self._used: dict[int, set[int]] = {}
        offered = {b.lanes for b in family.breakouts}
        split = {n: lanes_of(old, family.family, n) for n in range(1, family.count + 1)}
        self.lanes = {n: k for n, k in split.items() if k > 1 and k in offered} if keep else {}

    def seat(self, wants: Sequence[Want], lanes: int) -> Layout:
        """Seat all wants; those without their old ports go on `lanes` lanes of a port."""
        out = Layout([None] * len(wants), [None] * len(wants), self.lanes)
        packs = self._family.family not in FIXED
        for k, want in enumerate(wants if self._keep else ()):
            self._set(out, k, self._in_place(want), want)
        for k, want in enumerate(wants):
            end = out.ends[k]
            if not packs or (end is not None and end.count == want.end.count):
                continue
            self._free(end)
            found = self._pack(want, lanes)
            if end is not None and (found is None or found.count <= end.count):
                found = end
            self._set(out, k, found, want)
        return out

    def _set(self, out: Layout, k: int, end: PortRange | None, want: Want) -> None:
        out.ends[k] = end
        if end is None:
            return
        for number, lane in self._places(end):
            self._used.setdefault(number, set()).add(lane)
        out.speeds[k] = self._speed(want, self.lanes.get(end.first, 1) if end.lane else 1)

    def _free(self, end: PortRange | None) -> None:
        for number, lane in self._places(end) if end is not None else ():
            self._used[number].discard(lane)

    def _places(self, end: PortRange) -> list[tuple[int, int]]:
        if end.lane == 0:
            return [(end.first + k, 0) for k in range(end.count)]
        found: list[tuple[int, int]] = []
        number, lane = end.first, end.lane
        while len(found) < end.count:
            found.append((number, lane))
            lane += 1
            if lane > self.lanes[number]:
                number, lane = number + 1, 1
        return found

    def _speed(self, want: Want, lanes: int) -> float | None:
        rates = set(port_speeds(self._family, lanes))
        return max(rates & want.far if want.far is not None else rates, default=None)

    def _fits(self, want: Want, lanes: int) -> bool:
        return want.far is None or self._speed(want, lanes) is not None

    def _in_place(self, want: Want) -> PortRange | None:
        """Return as much of an end, from its first link, as has its old ports."""
        count = 0
        for port in expand(self._old, want.end):
            lanes = self.lanes.get(port.number, 1)
            was = lanes_of(self._old, port.family, port.number)
            same = (lanes == was) if port.lane else lanes == 1
            taken = port.lane in self._used.get(port.number, ())
            if not same or taken or port.number > self._family.count:
                break
            if port.number < 1 or not self._fits(want, lanes):
                break
            count += 1
        return replace(want.end, count=count) if count else None

    def _pack(self, want: Want, lanes: int) -> PortRange | None:
        """Return the next free ports, or lanes of ports, for an end; shortened where few."""
        whole, part = self._speed(want, 1), self._speed(want, lanes)
        goal = want.before or 0.0
        on_lanes = lanes > 1 and part is not None and (part >= goal or part >= (whole or 0.0))
        if want.far is None or not on_lanes:
            if whole is not None or want.far is None:
                return self._run(want.end, 1)
            return self._run(want.end, lanes) if lanes > 1 and part is not None else None
        return self._run(want.end, lanes)

    def _run(self, end: PortRange, lanes: int) -> PortRange | None:
        run: list[tuple[int, int]] = []
        best: list[tuple[int, int]] = []
        for number in range(1, self._family.count + 1):
            slots = self._open(number, lanes)
            if run and (not slots or slots[0][1] > 1):
                run = []
            for slot in slots:
                if run and slot[0] == run[-1][0] and slot[1] != run[-1][1] + 1:
                    run = []
                run.append(slot)
                if len(run) > len(best):
                    best = list(run)
                if len(best) == end.count:
                    return self._take(end, best, lanes)
            if slots and slots[-1][1] not in (0, lanes):
                run = []
        return self._take(end, best, lanes) if best else None

    def _open(self, number: int, lanes: int) -> list[tuple[int, int]]:
        """Return what is free of one port, whole (lane 0) or lane by lane."""
        used, split = self._used.get(number, set()), self.lanes.get(number, 1)
        if lanes == 1:
            return [] if used or split > 1 else [(number, 0)]
        if split == lanes:
            return [(number, k) for k in range(1, lanes + 1) if k not in used]
        return [] if used or split > 1 else [(number, k) for k in range(1, lanes + 1)]

    def _take(self, end: PortRange, slots: list[tuple[int, int]], lanes: int) -> PortRange:
        if lanes > 1:
            self.lanes.update(dict.fromkeys((n for n, _lane in slots), lanes))
        number, lane = slots[0]
        return replace(end, first=number, count=len(slots), lane=lane)
