"""Cables out of port lines: each stands in the file twice, once for each end.

Where only one end tells of it, the cable counts all the same. Where the ends contradict each other,
the pair that agrees wins and the other line is told with its number.
"""

from dataclasses import dataclass

from designer.formats.importers.ib_blocks import End, Key, Node
from designer.formats.importers.report import Journal
from designer.messages import _, ngettext
from designer.units import format_number

Place = tuple[Key, int]


@dataclass(frozen=True, slots=True)
class Link:
    """One cable between two ports.

    Attributes:
        speed: Bits/s; None when no end says.
        lanes: Lanes it uses.
        label: Width and speed as written.
        line: Where it is first told.
    """

    a: Place
    b: Place
    speed: float | None
    lanes: int | None
    label: str
    line: int


def pair_ends(nodes: dict[Key, Node], journal: Journal) -> list[Link]:
    """Return every cable once, in the order of the file; SHARP engines have none."""
    ends: dict[Place, End] = {}
    for node in nodes.values():
        if not node.sharp:
            for port, end in node.ends.items():
                if not nodes[end.peer].sharp:
                    ends[node.key, port] = end
    links: list[Link] = []
    taken: set[Place] = set()
    alone: list[tuple[Place, End]] = []
    for place, end in ends.items():
        other = (end.peer, end.peer_port)
        back = ends.get(other)
        if place in taken:
            continue
        if other == place:
            journal.warn(end.line, _("A port is cabled to itself; the line is left out."))
        elif back is not None and (back.peer, back.peer_port) == place:
            links.append(_joined(place, end, other, back, journal))
            taken |= {place, other}
        else:
            alone.append((place, end))
    links += _one_sided(nodes, ends, alone, taken, journal)
    return sorted(links, key=lambda link: link.line)


def _joined(a: Place, one: End, b: Place, two: End, journal: Journal) -> Link:
    """Join two agreeing lines; where they differ in rate the lower one holds."""
    if one.label and two.label and one.label != two.label:
        journal.warn(
            two.line,
            _("{two} here, {one} at the other end in line {line}; the lower one is taken.").format(
                two=two.label, one=one.label, line=one.line
            ),
        )
    known = [e for e in (one, two) if e.speed is not None]
    best = min(known, key=lambda e: e.speed or 0.0, default=one)
    return Link(a, b, best.speed, best.lanes, best.label, min(one.line, two.line))


def _one_sided(
    nodes: dict[Key, Node],
    ends: dict[Place, End],
    alone: list[tuple[Place, End]],
    taken: set[Place],
    journal: Journal,
) -> list[Link]:
    links: list[Link] = []
    silent = 0
    for place, end in alone:
        other = (end.peer, end.peer_port)
        if place in taken or other in taken:
            journal.warn(
                end.line,
                _(
                    "“{one}” [{p}] claims “{two}” [{q}], which is cabled elsewhere; left out."
                ).format(
                    one=nodes[place[0]].text,
                    p=place[1],
                    two=nodes[end.peer].text,
                    q=end.peer_port,
                ),
            )
            continue
        back = ends.get(other)
        if back is not None:
            journal.warn(
                end.line,
                _("“{two}” [{q}] says otherwise in line {line}; this line is believed.").format(
                    two=nodes[end.peer].text, q=end.peer_port, line=back.line
                ),
            )
        elif not nodes[end.peer].named_only:
            silent += 1
        taken |= {place, other}
        links.append(Link(place, other, end.speed, end.lanes, end.label, end.line))
    if silent:
        journal.inferred.append(
            ngettext(
                "{n} cable is told by one of its ends only.",
                "{n} cables are told by one of their ends only.",
                silent,
            ).format(n=format_number(silent))
        )
    return links
