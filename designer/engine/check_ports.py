"""Checks of ports: each exists, takes one cable, and both ends of a cable stand on the drawing."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from designer.catalog.types import FAMILIES
from designer.engine.check_rules import finding
from designer.engine.survey import Survey
from designer.messages import _
from designer.model.findings import Finding
from designer.model.ports import Port, lanes_of, port_name
from designer.model.records import PortBreakout

IntArray = npt.NDArray[np.int64]
_FAMILY_INDEX = {name: i for i, name in enumerate(FAMILIES)}
# Widths of the fields of a port's code: family, port number, lane.
_LANES, _PORTS = 16, 2**20


def check_ports(survey: Survey) -> Iterator[Finding]:
    """Yield findings about missing ends, missing ports and ports taken twice."""
    yield from _ends(survey)
    places = _Places(survey)
    yield from places.missing()
    yield from places.taken()


def _ends(survey: Survey) -> Iterator[Finding]:
    device = survey.census.device
    for row in np.flatnonzero((device < 0).any(axis=0)):
        yield finding(
            "dangling-cable",
            (survey.cable_ids[row],),
            _("A cable ends on a device that is not on the drawing: {cable}.").format(
                cable=survey.cable_name(int(row))
            ),
            _("Delete the cable, or draw its other end again."),
        )
    for row in np.flatnonzero((device[0] == device[1]) & (device[0] >= 0)):
        yield finding(
            "cable-to-itself",
            (survey.cable_ids[row],),
            _("{cable} joins a device with itself; it carries nothing.").format(
                cable=survey.cable_name(int(row))
            ),
            _("Move one end to another device."),
        )
    census = survey.census
    for row in np.flatnonzero((census.count != census.count_b) | (census.count < 1)):
        yield finding(
            "ends-differ",
            (survey.cable_ids[row],),
            _("{cable}: the ends hold {a} and {b} ports.").format(
                cable=survey.cable_name(int(row)),
                a=int(census.count[row]),
                b=int(census.count_b[row]),
            ),
            _("Give both ends of the trunk the same number of ports."),
        )


class _Places:
    """Each link of each cable end as one row: device, family, port and lane.

    A port is free, whole or split as the type and the device's own break-outs say; types and
    break-outs repeat, so they are looked up once per combination.
    """

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        self._counts, self._lanes, self._start = self._tables()
        rows, device, family, first, lane, step = (
            np.concatenate(c) for c in zip(*(self._expanded(end) for end in (0, 1)), strict=True)
        )
        valid = device >= 0
        self.row, self.device, self.family = rows[valid], device[valid], family[valid]
        first, lane, step = first[valid], lane[valid], step[valid]
        signature = self._signature[self.device]
        self._have = self._counts[signature, self.family]
        split = self._lane_count(signature, first)
        width = np.where(lane > 0, np.maximum(split, 1), 1)
        offset = np.where(lane > 0, lane - 1 + step, step)
        self.port = first + offset // width
        self.lane = np.where(lane > 0, offset % width + 1, 0)
        self._split = self._lane_count(signature, self.port)

    def _tables(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return ports by (signature, family), lanes of every port, and where each row starts."""
        design = self._survey.design
        seen: dict[tuple[str, str, tuple[PortBreakout, ...]], int] = {}
        signature = []
        counts: list[list[int]] = []
        lanes: list[IntArray] = []
        starts: list[list[int]] = []
        total = 0
        for device in self._survey.devices:
            key = (device.type, device.nics, device.breakouts)
            if key not in seen:
                seen[key] = len(counts)
                families = design.families(device)
                counts.append([families[f].count if f in families else 0 for f in FAMILIES])
                starts.append([])
                for name, n in zip(FAMILIES, counts[-1], strict=True):
                    starts[-1].append(total)
                    lanes.append(_lanes_by_port(device.breakouts, name, n))
                    total += n
            signature.append(seen[key])
        self._signature = np.array(signature, dtype=np.int64)
        flat = np.concatenate(lanes) if lanes else np.zeros(0, np.int64)
        shape = (-1, len(FAMILIES))
        return (
            np.array(counts, dtype=np.int64).reshape(shape),
            flat,
            np.array(starts, dtype=np.int64).reshape(shape),
        )

    def _expanded(self, end: int) -> tuple[IntArray, ...]:
        census = self._survey.census
        # a trunk with ends of different size is judged by the end at hand
        count = census.count if end == 0 else census.count_b
        row = np.repeat(np.arange(len(count)), count)
        step = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
        families = [_FAMILY_INDEX.get(c.end(end).family, 0) for c in census.classes] or [0]
        family = np.array(families, dtype=np.int64)[census.cls[row]]
        return (
            row,
            census.device[end, row],
            family,
            census.port[end, row],
            census.lane[end, row],
            step,
        )

    def _lane_count(self, signature: IntArray, port: IntArray) -> IntArray:
        """Return into how many lanes ports are split; 0 for ports that do not exist."""
        known = (port >= 1) & (port <= self._have)
        at = np.where(known, self._start[signature, self.family] + port - 1, 0)
        if not len(self._lanes):
            return np.zeros(len(port), np.int64)
        return np.where(known, self._lanes[at], 0)

    def missing(self) -> Iterator[Finding]:
        """Yield ends on ports that do not exist, or that do not exist whole or split."""
        fits = np.where(
            self.lane > 0, (self._split > 1) & (self.lane <= self._split), self._split == 1
        )
        known = self._have_type()
        for k in np.flatnonzero(~fits & known):
            device = self._survey.devices[int(self.device[k])]
            port = self._port(int(k))
            split = lanes_of(device, port.family, port.number)
            hint = (
                _("Port {n} is split into {lanes} lanes; use one of them.").format(
                    n=port.number, lanes=split
                )
                if split > 1
                else _("Move the cable to a port that exists, or split the port.")
            )
            yield finding(
                "port-missing",
                (self._survey.cable_ids[int(self.row[k])], device.id),
                _("{device} has no port {port}, yet {cable} uses it.").format(
                    device=device.name,
                    port=port_name(self._survey.design, device, port),
                    cable=self._survey.cable_name(int(self.row[k])),
                ),
                hint,
            )

    def _have_type(self) -> npt.NDArray[np.bool_]:
        known = [d.type in self._survey.design.types for d in self._survey.devices]
        found: npt.NDArray[np.bool_] = np.array(known, dtype=np.bool_)[self.device]
        return found

    def _port(self, k: int) -> Port:
        return Port(FAMILIES[int(self.family[k])], int(self.port[k]), int(self.lane[k]))

    def taken(self) -> Iterator[Finding]:
        """Yield ports that more than one cable sits on."""
        code = (self.device * len(FAMILIES) + self.family) * _PORTS + self.port
        code = code * _LANES + self.lane
        order = np.argsort(code, kind="stable")
        same = np.flatnonzero(code[order][1:] == code[order][:-1])
        told: set[int] = set()
        for at in same:
            first, second = int(order[at]), int(order[at + 1])
            place = int(code[first])
            if place in told:
                continue
            told.add(place)
            yield self._twice(first, second)

    def _twice(self, first: int, second: int) -> Finding:
        survey = self._survey
        device = survey.devices[int(self.device[first])]
        rows = sorted((int(self.row[first]), int(self.row[second])))
        peers = [survey.end_name(survey.cable(r).other_end(device.id)) for r in rows]
        return finding(
            "port-taken",
            (device.id, *(survey.cable_ids[r] for r in rows)),
            _("{device} {port} takes two cables: from {one} and from {two}.").format(
                device=device.name,
                port=port_name(survey.design, device, self._port(first)),
                one=peers[0],
                two=peers[1],
            ),
            _("Move one of them to a free port."),
        )


def _lanes_by_port(breakouts: tuple[PortBreakout, ...], family: str, count: int) -> IntArray:
    lanes = np.ones(count, dtype=np.int64)
    for b in breakouts:
        if b.family == family:
            lanes[max(0, b.first - 1) : b.first - 1 + b.count] = b.lanes
    return lanes
