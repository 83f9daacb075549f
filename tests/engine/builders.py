"""Designs for tests of the engine, built from a few small parts without a catalogue."""

from dataclasses import dataclass

from designer.catalog.types import Breakout, GpuSpec, PartType, PortFamily
from designer.engine.compile import compile_network
from designer.engine.network import CompiledNetwork
from designer.model.design import Design
from designer.model.edits import Edit, Swap
from designer.model.records import Cable, Device, Group, PortRange

SWITCH = PartType(
    "sw",
    "switch",
    "Test",
    "Switch",
    "infiniband",
    ports=(
        PortFamily("fabric", 4096, "P{n}", (400e9, 200e9, 100e9), "osfp", 1, (Breakout(2, 200e9),)),
    ),
)
HALF = PartType(
    "half",
    "switch",
    "Test",
    "Half",
    "infiniband",
    ports=(PortFamily("fabric", 4096, "P{n}", (200e9,), "osfp"),),
)
NIC = PartType(
    "nic", "nic", "Test", "NIC", "any", ports=(PortFamily("nic", 1, "NIC {n}", (400e9, 200e9)),)
)
DUAL = PartType(
    "dual", "nic", "Test", "NIC", "any", ports=(PortFamily("nic", 2, "NIC {n}", (200e9,)),)
)


def server_type(gpus: int | None = 8, nics: int = 8, slug: str = "srv", **gpu: object) -> PartType:
    spec = GpuSpec(gpus, nvlink_bytes_per_s=450e9, nvlink_links=18, internal_nvswitch=True)
    if gpu:
        spec = GpuSpec(gpus, **gpu)  # type: ignore[arg-type]
    return PartType(
        slug,
        "server",
        "Test",
        "Server",
        "any",
        ports=(
            PortFamily("nic", nics, "NIC {n}", (400e9, 200e9)),
            PortFamily("nvlink", 72, "NV {n}", (400e9,)),
            PortFamily("mgmt", 1, "BMC", (1e9,)),
        ),
        gpu=spec,
        nic="nic",
        nic_slots=nics,
    )


@dataclass
class Builder:
    """Puts records into a design without the checks of the operations, ports in order."""

    def __init__(self) -> None:
        self.design = Design()
        self.swaps: list[Swap] = []
        self.used: dict[tuple[str, str], int] = {}
        for part in (SWITCH, HALF, NIC, DUAL, server_type()):
            self.type(part)

    def type(self, part: PartType) -> None:
        self.swaps.append(Swap("types", part.slug, None, part))

    def unit(self, name: str, kind: str = "unit", parent: str = "") -> str:
        id_ = f"g-{name}"
        self.swaps.append(Swap("groups", id_, None, Group(id_, kind, name, parent)))  # type: ignore[arg-type]
        return id_

    def device(self, name: str, role: str, type_: str | None = None, **fields: object) -> str:
        slug = type_ or ("srv" if role == "server" else "sw")
        device = Device(name, name, slug, role, **fields)  # type: ignore[arg-type]
        self.swaps.append(Swap("devices", name, None, device))
        return name

    def cable(
        self,
        a: str,
        b: str,
        count: int = 1,
        *,
        fa: str = "fabric",
        fb: str = "fabric",
        pa: int | None = None,
        pb: int | None = None,
        id_: str = "",
        type_: str = "",
    ) -> str:
        ends = []
        for device, family, port in ((a, fa, pa), (b, fb, pb)):
            first = port or self.used.get((device, family), 0) + 1
            self.used[device, family] = max(self.used.get((device, family), 0), first + count - 1)
            ends.append(PortRange(device, family, first, count))
        name = id_ or f"c{len(self.swaps)}"
        self.swaps.append(Swap("cables", name, None, Cable(name, *ends, type=type_)))
        return name

    def links(self, a: str, b: str, count: int, single: bool) -> None:
        for _ in range(count if single else 1):
            self.cable(a, b, 1 if single else count)

    def nic(self, server: str, port: int, leaf: str, **fields: object) -> str:
        return self.cable(server, leaf, fa="nic", pa=port, **fields)  # type: ignore[arg-type]

    def build(self) -> Design:
        self.design.apply(Edit("build", tuple(self.swaps)))
        self.swaps = []
        return self.design

    def network(self, fail: frozenset[str] = frozenset()) -> CompiledNetwork:
        return compile_network(self.build() if self.swaps else self.design, fail)


def rail_fabric(
    units: int = 4,
    servers: int = 4,
    spines: int = 2,
    *,
    rails: int = 8,
    uplinks: int = 1,
    trunk: bool = True,
    groups: bool = True,
) -> Builder:
    """Two tiers: a leaf a rail in each unit, each leaf `uplinks` cables to each spine."""
    b = Builder()
    b.type(server_type(rails, rails))
    b.swaps = [s for s in b.swaps if s.id != "srv" or s.after.nic_slots == rails]  # type: ignore[union-attr]
    for s in range(spines):
        b.device(f"spine{s}", "spine")
    for u in range(units):
        unit = b.unit(f"su{u}") if groups else ""
        for r in range(rails):
            leaf = b.device(f"su{u}-leaf{r}", "leaf", unit=unit)
            for s in range(spines):
                for _ in range(1 if trunk else uplinks):
                    b.cable(leaf, f"spine{s}", uplinks if trunk else 1)
        for i in range(servers):
            server = b.device(f"su{u}-srv{i}", "server", unit=unit)
            for r in range(rails):
                b.nic(server, r + 1, f"su{u}-leaf{r}")
    return b


def three_tier(
    units: int,
    servers: int,
    spines: int,
    cores: int,
    *,
    units_per_pod: int = 1,
    rails: int = 8,
    single: bool = False,
) -> Builder:
    """Three tiers: pods with `spines` each; spine j of every pod to core group j, `cores` a group.

    Leaf to spine one trunk of servers/spines links; spine to each core of its group one cable
    per link that makes it non-blocking.
    """
    b = Builder()
    for j in range(spines):
        for c in range(cores):
            b.device(f"core{j}-{c}", "core")
    pods = -(-units // units_per_pod)
    for p in range(pods):
        pod = b.unit(f"pod{p}", "pod")
        for j in range(spines):
            spine = b.device(f"pod{p}-spine{j}", "spine", pod=pod)
            leaves = units_per_pod * rails
            up = max(1, leaves * max(1, servers // spines) // cores)
            for c in range(cores):
                b.links(spine, f"core{j}-{c}", up, single)
        for u in range(p * units_per_pod, min(units, (p + 1) * units_per_pod)):
            unit = b.unit(f"su{u}", parent=pod)
            for r in range(rails):
                leaf = b.device(f"su{u}-leaf{r}", "leaf", unit=unit, pod=pod)
                for j in range(spines):
                    b.links(leaf, f"pod{p}-spine{j}", max(1, servers // spines), single)
            for i in range(servers):
                server = b.device(f"su{u}-srv{i}", "server", unit=unit, pod=pod)
                for r in range(rails):
                    b.nic(server, r + 1, f"su{u}-leaf{r}")
    return b


def random_fabric(seed: int, switches: int = 9, cables: int = 16, servers: int = 5) -> Builder:
    """An irregular multigraph of switches, trunks, two speeds, some switches without servers."""
    import random

    rng = random.Random(seed)
    b = Builder()
    roles = ("leaf", "spine", "core")
    names = [
        b.device(f"s{i}", roles[rng.randrange(3)], rng.choice(("sw", "sw", "half")))
        for i in range(switches)
    ]
    for _ in range(cables):
        one, two = rng.sample(names, 2)
        b.cable(one, two, rng.randint(1, 3))
    for i in range(servers):
        server = b.device(f"srv{i}", "server")
        for port in range(1, rng.randint(1, 4) + 1):
            b.nic(server, port, rng.choice(names[: switches // 2 + 1]))
    return b
