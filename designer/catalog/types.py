"""Part types: servers, switches, NICs, cables and optics as a maker sells them.

Speeds are bits per second and one way, NVLink bandwidth is bytes per second and one way per GPU.
"""

from dataclasses import dataclass, field
from typing import Literal

from designer.messages import _
from designer.units import Range

Kind = Literal["server", "nvswitch", "switch", "nic", "cable", "optic"]
Technology = Literal["infiniband", "ethernet", "nvlink", "any"]
Confidence = Literal["found", "recalled", "estimate", "unknown"]

KINDS: tuple[Kind, ...] = ("server", "nvswitch", "switch", "nic", "cable", "optic")
FAMILIES = ("nic", "nvlink", "fabric", "mgmt")
ANY_MAKER = "Any maker"  # the vendor of generic parts


@dataclass(frozen=True, slots=True)
class Breakout:
    """One way to split a port: `lanes` sub-ports of `speed` bits/s each."""

    lanes: int
    speed: float


@dataclass(frozen=True, slots=True)
class PortFamily:
    """Ports of one family of a part, numbered from 1 as the maker prints them.

    Attributes:
        family: `nic`, `nvlink`, `fabric` or `mgmt`.
        count: How many ports.
        name: Pattern with `{n}`, such as `P{n}`.
        speeds: Line rates a port lists, bits/s, fastest first.
        form_factor: Cage, such as `osfp`.
        ports_per_cage: 2 for twin-port OSFP: one optic serves two ports.
        breakouts: Ways to split a port.
    """

    family: str
    count: int
    name: str
    speeds: tuple[float, ...]
    form_factor: str = ""
    ports_per_cage: int = 1
    breakouts: tuple[Breakout, ...] = ()


@dataclass(frozen=True, slots=True)
class GpuSpec:
    """GPUs of a server or compute tray.

    Attributes:
        count: GPUs in the box; None when unknown (an imported host).
        model: Such as `H100 80 GB SXM`.
        nvlink_bytes_per_s: Per GPU and direction; None without NVLink.
        nvlink_links: NVLink links (ports) per GPU; 0 without NVLink.
        internal_nvswitch: True when the box holds its own NVSwitches (HGX); False for a compute
            tray whose NVLinks leave the box, and for PCIe servers.
        bf16_flops: Dense BF16 peak, FLOP/s per GPU.
        memory_bytes: Memory per GPU.
        pcie_bytes_per_s: PCIe per GPU and direction.
        architecture: `ampere`, `hopper`, `blackwell` or empty; selects NVLS efficiency.
    """

    count: int | None
    model: str = ""
    nvlink_bytes_per_s: float | None = None
    nvlink_links: int = 0
    internal_nvswitch: bool = False
    bf16_flops: float | None = None
    memory_bytes: float | None = None
    pcie_bytes_per_s: float | None = None
    architecture: str = ""


@dataclass(frozen=True, slots=True)
class Price:
    """What a part costs, as a range with its date and source; `usd` is in US dollars."""

    usd: Range
    date: str
    source: str
    currency: str = "USD"


@dataclass(frozen=True, slots=True)
class CableSpec:
    """What a cable or optic can join.

    Attributes:
        medium: `passive_copper`, `active_copper`, `aoc`, `multimode` or `single_mode`.
        speeds: Line rates per link it carries, bits/s.
        reach_m: Longest run, metres.
        form_factor: Cage it plugs into; empty fits any.
        links: Links one piece carries (2 for a twin-port transceiver).
    """

    medium: str
    speeds: tuple[float, ...]
    reach_m: float
    form_factor: str = ""
    links: int = 1


@dataclass(frozen=True, slots=True)
class PartType:
    """One part of the catalogue.

    Attributes:
        slug: Name people type, such as `qm9700`.
        nic: Slug of the NIC a server is sold with; empty for other kinds.
        nic_slots: NICs of a server that face the compute fabric; slot k is rail k.
        equivalents: Slugs of the part of the other technology with the same ports and speed.
        latency_s: Port to port (switch) or per message (NIC); a Range, or None when unknown.
        adaptive: True when the switch can route adaptively or spray packets.
        confidence: `found` (a source was read), `recalled` or `estimate` (shown as unsourced).
        unsourced: Fields such as `rack_units` or `gpu.memory_bytes` that `source` does not cover;
            they are recalled or estimated and shown so.
        imported: True for a type made by an importer, not from the catalogue.
    """

    slug: str
    kind: Kind
    vendor: str
    model: str
    technology: Technology = "any"
    rack_units: float = 1
    power_typical_w: float | None = None
    power_max_w: float | None = None
    ports: tuple[PortFamily, ...] = ()
    gpu: GpuSpec | None = None
    nic: str = ""
    nic_slots: int = 0
    cable: CableSpec | None = None
    price: Price | None = None
    equivalents: tuple[str, ...] = ()
    latency_s: Range | None = None
    adaptive: bool = False
    sharp: bool = False
    source: str = ""
    checked: str = ""
    confidence: Confidence = "unknown"
    unsourced: tuple[str, ...] = ()
    notes: str = ""
    imported: bool = False
    aliases: tuple[str, ...] = field(default=())

    def family(self, name: str) -> PortFamily | None:
        """Return the ports of family `name`, or None when the part has none."""
        return next((f for f in self.ports if f.family == name), None)

    @property
    def sourced(self) -> bool:
        """Tell whether the data of this part comes from a source that was read."""
        return self.confidence == "found"

    def is_sourced(self, name: str) -> bool:
        """Tell whether one field, such as `power_max_w` or `gpu.memory_bytes`, has a source."""
        parent = name.partition(".")[0]
        return self.sourced and name not in self.unsourced and parent not in self.unsourced

    @property
    def capacity_bits_per_s(self) -> float | None:
        """Return what a switch carries one way, bits/s: ports times their fastest speed.

        None for a part without fabric or NVLink ports.
        """
        main = self.family("nvlink" if self.kind == "nvswitch" else "fabric")
        return main.count * max(main.speeds) if main is not None and main.speeds else None

    @property
    def title(self) -> str:
        """Return vendor and model in one text, without saying the vendor twice."""
        if self.vendor == ANY_MAKER:
            return _("Any maker {model}").format(model=self.shown_model)
        return self.model if self.model.startswith(self.vendor) else f"{self.vendor} {self.model}"

    @property
    def shown_model(self) -> str:
        """Return the model as people read it: generic parts are called by words, not names."""
        return _(self.model)
