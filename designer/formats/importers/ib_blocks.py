"""The block format of `ibnetdiscover`, and the dialect of it that `ibsim` reads, as nodes and ends.

A block is some lines with ids, a header, and a line for each cabled port. Blanks are optional where
the writer puts tabs: terminals and mailers swallow them. Every line that cannot be read is told
with its number and left out; the rest counts.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from designer.errors import CancelledError
from designer.formats.importers.report import Journal
from designer.messages import _, ngettext
from designer.units import format_number

# Nominal rate of one lane, bits/s (InfiniBand specification; FDR10 as sold).
RATES = {
    "SDR": 2.5e9,
    "DDR": 5e9,
    "QDR": 10e9,
    "FDR10": 10.3e9,
    "FDR": 14e9,
    "EDR": 25e9,
    "HDR": 50e9,
    "NDR": 100e9,
    "XDR": 200e9,
}
MAX_PORTS = 10_000
# A node description has 64 bytes.
_LONGEST = 200

# Possessive blanks: a line of blanks must not be tried in every way they can be shared out.
_HEADER = re.compile(
    r'\s*+(Switch|Ca|Hca|Rt|\?\?\?)\s*+(\d{1,6})\s*+"([^"]*)"\s*+'
    r'(?:#\s*+"(.*)"([^"]*)|#?\s*+([^"]*))$'
)
_LOOKS_LIKE_HEADER = re.compile(r"\s*+(Switch|Ca|Hca|Rt|\?\?\?)\s*+\d")
_GLUED = re.compile(r'(Switch|Ca|Rt)\s*+\d{1,6}\s*+"[SHR]-[0-9a-fA-F]+"')
_ID = re.compile(
    r"\s*+(vendid|devid|sysimgguid|switchguid|caguid|rtguid)\s*+=\s*+0x([0-9a-fA-F]{1,16})(.*)"
)
_PORT = re.compile(
    r"\s*+\[(\d{1,6})\]\s*+(?:\[ext\s+(\d+)\]\s*+)?(?:\(([0-9a-fA-F]+)\)\s*+)?"
    r'"([^"]*)"\s*+(?:\[(\d{1,6})\]\s*+)?(?:\[ext\s+(\d+)\]\s*+)?'
    r"(?:\(([0-9a-fA-F]+)\))?(.*)$"
)
_GUID = re.compile(r"([SHR?])-([0-9a-fA-F]{1,16})$")
_RATE = re.compile(r"(\d{1,2}|\?\?)\s?x\s?(FDR10|[A-Z]DR|\?\?\?)")
_CHASSIS = re.compile(r"#\s*Chassis\s+(\d+)(?:\s*\(([^)]*)\))?(?:\s*slot\s+(\d+))?")
_GENERATED = re.compile(r"#.*generated on\s+(.*\S)")
# Lines of other kinds that the program writes; they say nothing about cables.
_KNOWN = re.compile(r"\s*(#|Chassis\s+\d|Non-Chassis|Spine|Line|Ibsw|Internal|External)", re.I)
_KINDS = {"Switch": "switch", "Ca": "hca", "Hca": "hca", "Rt": "router", "???": "unknown"}
_BY_PREFIX = {"S": "switch", "H": "hca", "R": "router", "?": "unknown"}
_CHECK_EVERY = 4096

Key = int | str


@dataclass(slots=True)
class End:
    """One port line: where a port says its cable goes.

    Attributes:
        speed: Bits/s of the link; None when the line does not say.
        lanes: Lanes of the link; None likewise.
        label: As written: `4xNDR`.
    """

    port: int
    peer: Key
    peer_port: int
    speed: float | None
    lanes: int | None
    label: str
    line: int


@dataclass(slots=True)
class Node:
    """A switch chip, adapter (HCA) or router.

    Attributes:
        key: Its GUID as a number, or the free text of `ibsim`.
        kind: `switch`, `hca`, `router` or `unknown`.
        text: Description, blanks at the ends removed.
        ports: How many it has; for a switch with its internal SHARP port.
        line: Line of its header; of the first mention when it has no block of its own.
        named_only: True when only others mention it.
    """

    key: Key
    kind: str
    text: str
    ports: int
    line: int
    device_id: int | None = None
    system: int | None = None
    chassis: str = ""
    named_only: bool = False
    ends: dict[int, End] = field(default_factory=dict)

    @property
    def guid(self) -> int | None:
        """Return the GUID, or None in a file that has none."""
        return self.key if isinstance(self.key, int) else None

    @property
    def sharp(self) -> bool:
        """Tell whether it is the aggregation engine inside a switch, which is no adapter."""
        return self.kind != "switch" and "aggregation node" in self.text.lower()


class BlockReader:
    """Reads the lines of one file into `nodes`."""

    def __init__(self, journal: Journal) -> None:
        self.nodes: dict[Key, Node] = {}
        self.generated = ""
        self._journal = journal
        self._ids: dict[str, int] = {}
        self._chassis = ""
        self._node: Node | None = None
        self._mentions: dict[Key, tuple[str, str, int]] = {}
        self._strange: list[int] = []

    def read(self, text: str, cancelled: Callable[[], bool]) -> None:
        """Read a whole file.

        Raises:
            CancelledError: `cancelled` said so.
        """
        for number, line in enumerate(text.split("\n"), 1):
            if number % _CHECK_EVERY == 0 and cancelled():
                raise CancelledError(_("The import was cancelled."))
            self._line(number, line.rstrip("\r"))
        self._add_mentioned()
        if self._strange:
            n = len(self._strange)
            self._journal.ignored.append(
                ngettext(
                    "{n} line that is no part of the format: {lines}.",
                    "{n} lines that are no part of the format: {lines}.",
                    n,
                ).format(n=format_number(n), lines=_numbers(self._strange))
            )

    def _line(self, number: int, line: str) -> None:
        start = line.lstrip()[:1]
        if start == "[":
            self._port_line(number, line)
        elif not start:
            self._node = None
            self._forget()
        elif start == "#":
            found = _GENERATED.match(line)
            if found:
                self.generated = found[1]
        elif _LOOKS_LIKE_HEADER.match(line):
            self._header(number, line)
        else:
            self._id_line(number, line)

    def _forget(self) -> None:
        self._ids, self._chassis = {}, ""

    def _id_line(self, number: int, line: str) -> None:
        found = _ID.match(line)
        if found is None:
            glued = _GLUED.search(line)  # a message of the program without its line break
            if glued is not None:
                self._header(number, line[glued.start() :])
            elif not _KNOWN.match(line):
                self._strange.append(number)
            return
        self._node = None
        self._ids[found[1]] = int(found[2], 16)
        chassis = _CHASSIS.search(found[3]) if found[1] == "sysimgguid" else None
        if chassis:
            name = chassis[2] or chassis[1]
            self._chassis = f"{name}/{chassis[3]}" if chassis[3] else name

    def _header(self, number: int, line: str) -> None:
        self._node = None
        found = _HEADER.match(line)
        ports = int(found[2]) if found else 0
        if found is None or not found[3].strip() or ports > MAX_PORTS:
            self._journal.warn(
                number, _("The head of a block cannot be read; its ports are left out.")
            )
            self._forget()
            return
        key = key_of(found[3])
        text = (found[4] if found[4] is not None else _plain(found[6] or "")) or found[3]
        if key in self.nodes:
            self._journal.warn(
                number,
                _("“{name}” has a block already, in line {line}; the two are joined.").format(
                    name=text.strip(), line=self.nodes[key].line
                ),
            )
            self.nodes[key].ports = max(ports, self.nodes[key].ports)
        else:
            self.nodes[key] = Node(
                key,
                _KINDS[found[1]],
                text.strip()[:_LONGEST],
                ports,
                number,
                self._ids.get("devid"),
                self._ids.get("sysimgguid") or None,
                self._chassis,
            )
        self._node = self.nodes[key]
        self._forget()

    def _port_line(self, number: int, line: str) -> None:
        if self._node is None:
            self._journal.warn(number, _("A port stands outside of any block; it is left out."))
            return
        found = _PORT.match(line)
        if found is None or not found[4].strip():
            self._journal.warn(number, _("A port line cannot be read; it is left out."))
            return
        port, peer_port = int(found[1]), int(found[5] or 1)
        if port == 0 or peer_port == 0:
            self._journal.warn(number, _("Port 0 takes no cable; the line is left out."))
            return
        if max(port, peer_port) > MAX_PORTS:
            self._journal.warn(number, _("No part has so many ports; the line is left out."))
            return
        if port in self._node.ends:
            self._journal.warn(
                number,
                _("Port {port} of “{name}” stands twice; the line is left out.").format(
                    port=port, name=self._node.text
                ),
            )
            return
        self._add_end(number, port, found[4], peer_port, found[8])

    def _add_end(self, number: int, port: int, peer: str, peer_port: int, rest: str) -> None:
        node = self._node
        assert node is not None
        if port > node.ports:
            self._journal.warn(
                number,
                _("“{name}” has port {port}, its head says {n} ports.").format(
                    name=node.text, port=port, n=node.ports
                ),
            )
            node.ports = port
        key = key_of(peer)
        speed, lanes, label = _rate(rest.rpartition('"')[2] if '"' in rest else rest)
        node.ends[port] = End(port, key, peer_port, speed, lanes, label, number)
        if key not in self._mentions and key not in self.nodes:
            text = rest.split('"')[1].strip() if rest.count('"') >= 2 else ""
            self._mentions[key] = (peer, text, number)

    def _add_mentioned(self) -> None:
        """Make nodes of what only others speak of: the file is cut off, or one-sided."""
        missing = [k for k in self._mentions if k not in self.nodes]
        for key in missing:
            peer, text, line = self._mentions[key]
            found = _GUID.match(peer.strip())
            kind = _BY_PREFIX[found[1]] if found else "unknown"
            self.nodes[key] = Node(key, kind, (text or peer)[:_LONGEST], 0, line, named_only=True)
        for node in self.nodes.values():
            for end in list(node.ends.values()):
                self._check_peer_port(node, end)
        real = [k for k in missing if not self.nodes[k].sharp]
        if real:
            first = self.nodes[real[0]]
            self._journal.warn(
                first.line,
                ngettext(
                    "“{name}” has no block of its own: the file may be cut off.",
                    "“{name}” and {more} others have no block of their own: the file may be cut "
                    "off.",
                    len(real),
                ).format(name=first.text, more=len(real) - 1),
            )

    def _check_peer_port(self, node: Node, end: End) -> None:
        peer = self.nodes[end.peer]
        if peer.named_only:
            peer.ports = max(peer.ports, end.peer_port)
        elif end.peer_port > peer.ports:
            self._journal.warn(
                end.line,
                _("“{name}” has no port {port}; the line is left out.").format(
                    name=peer.text, port=end.peer_port
                ),
            )
            del node.ends[end.port]


def key_of(text: str) -> Key:
    """Return the GUID in an id such as `S-0002c9020040f160` as a number, or the id itself."""
    found = _GUID.match(text.strip())
    return int(found[2], 16) if found else text.strip()[:_LONGEST]


def _plain(tail: str) -> str:
    """Return a description without quotes, as old versions write it."""
    return re.split(" enhanced port| base port| lid | lmc ", tail)[0].strip()


def _rate(tail: str) -> tuple[float | None, int | None, str]:
    found = _RATE.search(tail)
    if found is None:
        return None, None, ""
    lanes = int(found[1]) if found[1].isdigit() else None
    rate = RATES.get(found[2])
    speed = lanes * rate if lanes and rate else None
    return speed, lanes, f"{found[1]}x{found[2]}"


def _numbers(lines: list[int]) -> str:
    shown = ", ".join(str(n) for n in lines[:5])
    return f"{shown}, …" if len(lines) > 5 else shown
