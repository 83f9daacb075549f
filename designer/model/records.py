"""Records of a design: frozen, small, keyed by stable ids that are never used twice.

The file and the engine see only these. Optional text fields are empty when unset.
"""

from dataclasses import dataclass, field
from typing import Literal

from designer.units import Range

Role = Literal["server", "nvswitch", "leaf", "spine", "core", "host"]
Fabric = Literal["compute", "storage", "inband", "oob"]
GroupKind = Literal["unit", "pod", "rack", "plane"]

ROLES: tuple[Role, ...] = ("server", "nvswitch", "leaf", "spine", "core", "host")
SWITCH_ROLES: tuple[Role, ...] = ("leaf", "spine", "core")
FABRICS: tuple[Fabric, ...] = ("compute", "storage", "inband", "oob")
GROUP_KINDS: tuple[GroupKind, ...] = ("unit", "pod", "rack", "plane")


@dataclass(frozen=True, slots=True)
class PortBreakout:
    """Ports `first` to `first + count - 1` of `family` are split into `lanes` sub-ports each."""

    family: str
    first: int
    count: int
    lanes: int


@dataclass(frozen=True, slots=True)
class Device:
    """A box on the drawing.

    Attributes:
        type: Slug of its part type, found in the design's own `types` table.
        role: What the user says it is; the tier follows from the wiring.
        unit, pod, plane, rack: Ids of the groups it is in, or empty.
        rack_unit: Lowest rack unit it fills, from 1; None when not mounted.
        nics: Slug of the NIC type in its slots; empty means the one its type is sold with.
        breakouts: Ports split into lanes.
    """

    id: str
    name: str
    type: str
    role: Role
    unit: str = ""
    pod: str = ""
    plane: str = ""
    rack: str = ""
    rack_unit: int | None = None
    fabric: Fabric = "compute"
    nics: str = ""
    breakouts: tuple[PortBreakout, ...] = ()
    notes: str = ""


@dataclass(frozen=True, slots=True)
class PortRange:
    """One end of a cable: `count` consecutive ports of one family, from `first` (1 is the first).

    With `lane` above 0 the end sits on sub-ports of broken-out ports: the first link uses lane
    `lane` of port `first`, the next ones follow lane by lane, then port by port.
    """

    device: str
    family: str
    first: int
    count: int = 1
    lane: int = 0


@dataclass(frozen=True, slots=True)
class Cable:
    """A cable, or a trunk of `count` parallel links when its ends hold more than one port.

    Attributes:
        type: Slug of the cable part; empty means chosen by speed and length.
        optic_a, optic_b: Slugs of the transceivers; empty means chosen likewise.
        length_m: Length of one link in metres; None when unknown.
        assembly: Legs of one splitter share this text.
    """

    id: str
    a: PortRange
    b: PortRange
    type: str = ""
    optic_a: str = ""
    optic_b: str = ""
    length_m: float | None = None
    assembly: str = ""

    @property
    def count(self) -> int:
        """Return how many parallel links this record stands for."""
        return self.a.count

    def end_at(self, device: str) -> PortRange:
        """Return the end on `device` (end a when both are)."""
        return self.a if self.a.device == device else self.b

    def other_end(self, device: str) -> PortRange:
        """Return the end that is not on `device`."""
        return self.b if self.a.device == device else self.a


@dataclass(frozen=True, slots=True)
class Group:
    """A scalable unit, pod, rack or plane; `parent` is the id of the group around it, or empty."""

    id: str
    kind: GroupKind
    name: str
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Placement:
    """Centre of a device on the drawing; y points down, one unit is one pixel at 100 %."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Note:
    """Free text on the drawing."""

    id: str
    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Variant:
    """A named alternative kept inside the design, as the raw tables it replaces."""

    id: str
    name: str
    tables: dict[str, object] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class AssumptionValue:
    """A value that stands in place of the model's default for one parameter."""

    value: Range
    source: str
    date: str = ""


@dataclass(frozen=True, slots=True)
class Info:
    """Title block and preferences of a design.

    Attributes:
        template: Command that made the drawing, such as `rail-optimized gpus=512`; empty if drawn.
        routing: `updown` or `shortest`.
    """

    title: str = ""
    project: str = ""
    drawn_by: str = ""
    checked_by: str = ""
    revision: str = ""
    date: str = ""
    template: str = ""
    routing: str = "updown"


@dataclass(frozen=True, slots=True)
class KeptRecord:
    """A record of a file that could not be read; kept as it stood and written back unchanged.

    Attributes:
        table, id: Where it stands in the file; an empty table is the file itself.
        raw: Its value.
        reason: What is wrong with it.
        line: Its line in the file, from 1.
        kind: `record`, a damaged one; `fields`, the unknown fields of a record that could be read;
            `waiting`, a sound one that hangs on a damaged or missing device.
    """

    table: str
    id: str
    raw: object = field(hash=False)
    reason: str = ""
    line: int | None = None
    kind: Literal["record", "fields", "waiting"] = "record"
