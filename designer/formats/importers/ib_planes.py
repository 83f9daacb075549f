"""Switches of several planes: one box shows as four chips, one cable as four links.

A Q3400-RA holds four chips with the same ports; each cable runs one link a chip. They are joined to
one switch and one cable that is as fast as its links together.
"""

import re
from collections import Counter, defaultdict
from dataclasses import replace

from designer.formats.importers.ib_blocks import Key, Node
from designer.formats.importers.ib_links import Link, Place
from designer.formats.importers.report import Journal
from designer.messages import _, ngettext
from designer.units import format_number

_PLANE = re.compile(r"MF0;([^:]+):(Q3400[^/]*)/U(\d+)$")


def join_planes(
    nodes: dict[Key, Node], links: list[Link], journal: Journal
) -> tuple[dict[Key, Node], list[Link]]:
    """Return nodes and links with the planes of each box joined."""
    boxes: dict[tuple[str, str], list[tuple[int, Node]]] = defaultdict(list)
    for node in nodes.values():
        found = _PLANE.match(node.text) if node.kind == "switch" else None
        if found:
            boxes[found[1], found[2]].append((int(found[3]), node))
    home: dict[Key, Key] = {}
    for chips in boxes.values():
        chips.sort(key=lambda chip: chip[0])
        home |= {node.key: chips[0][1].key for _number, node in chips}
    if len(set(home.values())) == len(home):
        return nodes, links
    joined, gone = _join_links(nodes, links, home, journal)
    gone |= {k for k, box in home.items() if k != box}
    journal.inferred.append(
        ngettext(
            "{n} switch of several planes: its chips are one box, its links one cable a port.",
            "{n} switches of several planes: their chips are one box, their links a cable a port.",
            len(boxes),
        ).format(n=format_number(len(boxes)))
    )
    return {k: n for k, n in nodes.items() if k not in gone}, joined


def _join_links(
    nodes: dict[Key, Node], links: list[Link], home: dict[Key, Key], journal: Journal
) -> tuple[list[Link], set[Key]]:
    """Join the links of each port; returns them, and the adapters that are planes of another."""
    bundles: dict[Place, list[Link]] = defaultdict(list)
    out: list[Link] = []
    for link in links:
        a, b = _at_home(link.a, home), _at_home(link.b, home)
        link = replace(link, a=a, b=b)  # noqa: PLW2901
        if a[0] in home.values():
            bundles[a].append(link)
        elif b[0] in home.values():
            bundles[b].append(replace(link, a=b, b=a))
        else:
            out.append(link)
    gone: set[Key] = set()
    usual = Counter(len(x) for x in bundles.values()).most_common(1)[0][0] if bundles else 0
    for place, found in bundles.items():
        machines = {_machine(nodes[x.b[0]]) for x in found}
        if len(machines) > 1:
            journal.warn(
                found[0].line,
                _("The planes of “{name}” port {port} lead to different machines.").format(
                    name=nodes[place[0]].text, port=place[1]
                ),
            )
            out += found[:1]
            continue
        if len(found) < usual:
            journal.warn(
                found[0].line,
                _("“{name}” port {port} runs {n} of {usual} planes.").format(
                    name=nodes[place[0]].text, port=place[1], n=len(found), usual=usual
                ),
            )
        first = min(found, key=lambda x: (x.line, x.b[1]))
        gone |= {x.b[0] for x in found} - {first.b[0]}
        out.append(_together(first, found))
    return sorted(out, key=lambda x: x.line), gone


def _at_home(place: Place, home: dict[Key, Key]) -> Place:
    return home.get(place[0], place[0]), place[1]


def _machine(node: Node) -> object:
    return node.system if node.system is not None else node.key


def _together(first: Link, links: list[Link]) -> Link:
    known = [x.speed for x in links if x.speed is not None]
    label = f"{len(links)} × {first.label}" if len(links) > 1 else first.label
    port = (first.b[1] - 1) // len(links) + 1 if len({x.b[0] for x in links}) == 1 else first.b[1]
    same_port = len({x.b for x in links}) == 1  # a box of planes at the other end too
    end = first.b if same_port else (first.b[0], port)
    return replace(first, b=end, speed=sum(known) if known else None, lanes=None, label=label)
