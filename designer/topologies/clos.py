"""Two and three tiers of switches over units of servers: the shape behind most templates."""

import math
from dataclasses import dataclass

from designer.catalog.types import PartType
from designer.errors import ParameterError
from designer.messages import _
from designer.topologies.builder import Builder, radix, smallest_divisor
from designer.units import format_number

SERVERS_PER_RACK = 4


@dataclass(frozen=True, slots=True)
class Shape:
    """What the fabric is made of.

    Attributes:
        servers: GPU servers in all.
        per_unit: Servers of a full unit.
        rails: Leaves of a unit and plane: one a NIC (rail-aligned), or 1.
        links_per_leaf: NIC ports of one server on one leaf.
        planes: Separate fabrics; plane k takes port k of every NIC.
        oversubscription: Down over up at the leaf.
        tiers: 2 or 3; 0 chooses by size.
        single_tier: Leaves only, no spines.
        groups_per_unit: Sets of leaves in one named unit (racks of an NVL72 unit).
        units_per_pod, spines_per_pod: Of three tiers; 0 follows the rules of `plan`.
    """

    servers: int
    per_unit: int
    rails: int
    links_per_leaf: int = 1
    planes: int = 1
    oversubscription: float = 1.0
    tiers: int = 0
    single_tier: bool = False
    groups_per_unit: int = 1
    units_per_pod: int = 0
    spines_per_pod: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """Counts of one plane, worked out before anything is built."""

    units: int
    down: int
    up: int
    leaves: int
    tiers: int
    spines: int
    pods: int = 1
    leaves_per_pod: int = 0
    core_groups: int = 0
    cores_per_group: int = 0
    core_up: int = 0


def plan(shape: Shape, leaf_ports: int, spine_ports: int, core_ports: int) -> Plan:
    """Work out the counts of one plane.

    The number of spines is the smallest divisor of a leaf's uplinks that is at least all uplinks
    over the spine's ports, so that every leaf has the same number of cables to every spine. Units
    that are not full get the leaves and spines of a full one.

    Raises:
        ParameterError: It does not fit the switches.
    """
    units = math.ceil(shape.servers / shape.per_unit)
    down = shape.per_unit * shape.links_per_leaf
    up = 0 if shape.single_tier else round(down / shape.oversubscription)
    if not shape.single_tier and (up < 1 or abs(up * shape.oversubscription - down) > 1e-6):
        raise ParameterError(
            _("{down} ports down at {ratio} : 1 are no whole number of uplinks.").format(
                down=down, ratio=f"{shape.oversubscription:g}"
            ),
            _("Choose servers_per_unit as a multiple of the oversubscription."),
        )
    if down + up > leaf_ports:
        raise ParameterError(
            _("A leaf needs {down} ports down and {up} up; it has {ports}.").format(
                down=format_number(down), up=format_number(up), ports=format_number(leaf_ports)
            ),
            _("Use fewer servers a unit, or a leaf with more ports."),
        )
    leaves = units * shape.rails
    if shape.single_tier:
        return Plan(units, down, 0, leaves, 1, 0)
    spines = smallest_divisor(up, leaves * up / spine_ports)
    if shape.tiers == 2 and spines is None:
        raise ParameterError(
            _("Two tiers reach {n} leaves of this kind; {leaves} are needed.").format(
                n=spine_ports, leaves=leaves
            ),
            _("Choose three tiers."),
        )
    if spines is not None and shape.tiers != 3:
        return Plan(units, down, up, leaves, 2, spines)
    return _three_tiers(shape, units, down, up, spine_ports, core_ports)


def _three_tiers(
    shape: Shape, units: int, down: int, up: int, spine_ports: int, core_ports: int
) -> Plan:
    spine_down = spine_ports // 2
    units_per_pod = shape.units_per_pod or max(1, spine_down // shape.rails)
    if shape.rails > spine_down:
        raise ParameterError(
            _("A unit has {rails} leaves; a spine takes {n}.").format(
                rails=shape.rails, n=spine_down
            ),
            _("Choose a spine with more ports."),
        )
    per_pod = units_per_pod * shape.rails
    pods = math.ceil(units / units_per_pod)
    spines = shape.spines_per_pod or smallest_divisor(up, per_pod * up / spine_down)
    assert spines is not None  # per_pod <= spine_down
    spine_up = per_pod * up // spines  # as many up as down
    cores = smallest_divisor(spine_up, pods * spine_up / core_ports)
    if cores is None:
        raise ParameterError(
            _("{pods} pods are more than a core switch of {ports} ports can join.").format(
                pods=pods, ports=core_ports
            ),
            _("Use fewer GPUs, or core switches with more ports."),
        )
    return Plan(
        units, down, up, units * shape.rails, 3, spines, pods, per_pod, spines, cores, spine_up
    )


@dataclass(frozen=True, slots=True)
class Parts:
    """The part types of a fabric."""

    server: PartType
    leaf: PartType
    spine: PartType
    core: PartType
    nics: str = ""


def rack_name(index: int) -> str:
    """Return the name of rack `index` (from 0): A01 … A16, B01 …; after Z comes AA."""
    row, number = divmod(index, 16)
    letters = ""
    row += 1
    while row:
        row, rest = divmod(row - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{number + 1:02d}"


class Clos:
    """Builds a planned fabric into a builder, plane by plane."""

    def __init__(self, build: Builder, shape: Shape, parts: Parts, speed: float) -> None:
        self.build, self.shape, self.parts, self.speed = build, shape, parts, speed
        self.leaf_ports, self.leaf_lanes = radix(parts.leaf, speed)
        self.spine_ports, self.spine_lanes = radix(parts.spine, speed)
        self.core_ports, self.core_lanes = radix(parts.core, speed)
        self.plan = plan(shape, self.leaf_ports, self.spine_ports, self.core_ports)
        self.width = len(str(max(self.plan.units, 1)))
        self.per_rack = SERVERS_PER_RACK
        self.server_stem = "srv"
        self.up_lanes = self.leaf_lanes
        self.servers: list[str] = []
        self.leaves: dict[tuple[int, int, int], str] = {}

    # --- names ---

    def _unit(self, unit: int) -> str:
        return f"su{unit // self.shape.groups_per_unit + 1:0{max(2, self.width)}d}"

    def _set(self, unit: int) -> str:
        """Return the mark of a set of leaves inside its named unit."""
        many = self.shape.groups_per_unit > 1
        return f"{chr(97 + unit % self.shape.groups_per_unit)}-" if many else ""

    def _pod(self, unit: int) -> int:
        p = self.plan
        return 0 if p.tiers < 3 else unit * self.shape.rails // p.leaves_per_pod

    def _pod_group(self, pod: int) -> str:
        return self.build.group("pod", f"pod{pod + 1}") if self.plan.tiers == 3 else ""

    def _plane(self, plane: int) -> str:
        return self.build.group("plane", f"plane{plane + 1}") if self.shape.planes > 1 else ""

    # --- building ---

    def make(self) -> None:
        """Add servers, switches and their cables."""
        self._add_servers()
        for plane in range(self.shape.planes):
            self._add_leaves(plane)
        for plane in range(self.shape.planes):
            self._add_spines(plane)
        self._cable_servers()

    def _add_servers(self) -> None:
        many = self.plan.units > 1
        for k in range(self.shape.servers):
            unit = k // self.shape.per_unit
            index = k % (self.shape.per_unit * self.shape.groups_per_unit)
            pod = self._pod_group(self._pod(unit))
            group = self.build.group("unit", self._unit(unit), pod)
            rack = self.build.group("rack", rack_name(k // self.per_rack), group)
            digits = max(2, len(str(self.shape.per_unit)))
            name = f"{self.server_stem}-{index + 1:0{digits}d}"
            self.servers.append(
                self.build.device(
                    f"{self._unit(unit)}-{name}" if many else name,
                    self.parts.server,
                    "server",
                    unit=group,
                    pod=pod,
                    rack=rack,
                    nics=self.parts.nics,
                )
            )

    def _add_leaves(self, plane: int) -> None:
        mark = f"p{plane + 1}-" if self.shape.planes > 1 else ""
        for unit in range(self.plan.units):
            pod = self._pod_group(self._pod(unit))
            group = self.build.group("unit", self._unit(unit), pod)
            for rail in range(self.shape.rails):
                prefix = f"{self._unit(unit)}-" if self.plan.units > 1 else ""
                self.leaves[plane, unit, rail] = self.build.device(
                    f"{prefix}{mark}{self._set(unit)}leaf-{rail + 1}",
                    self.parts.leaf,
                    "leaf",
                    unit=group,
                    pod=pod,
                    plane=self._plane(plane),
                    lanes=self.leaf_lanes,
                )

    def _add_spines(self, plane: int) -> None:
        p = self.plan
        if p.tiers < 2:
            return
        mark = f"p{plane + 1}-" if self.shape.planes > 1 else ""
        cores: dict[tuple[int, int], str] = {}
        for group in range(p.core_groups):
            for k in range(p.cores_per_group):
                cores[group, k] = self.build.device(
                    f"{mark}core-{group + 1}.{k + 1}",
                    self.parts.core,
                    "core",
                    plane=self._plane(plane),
                    lanes=self.core_lanes,
                )
        for pod in range(p.pods):
            spines = []
            for j in range(p.spines):
                name = (
                    f"pod{pod + 1}-{mark}spine-{j + 1}" if p.tiers == 3 else f"{mark}spine-{j + 1}"
                )
                spines.append(
                    self.build.device(
                        name,
                        self.parts.spine,
                        "spine",
                        pod=self._pod_group(pod),
                        plane=self._plane(plane),
                        lanes=self.spine_lanes,
                    )
                )
            self._cable_leaves(plane, pod, spines)
            for j, spine in enumerate(spines if p.tiers == 3 else []):
                for k in range(p.cores_per_group):
                    self.build.link(
                        spine,
                        cores[j, k],
                        p.core_up // p.cores_per_group,
                        lanes_a=self.spine_lanes,
                        lanes_b=self.core_lanes,
                    )

    def _cable_leaves(self, plane: int, pod: int, spines: list[str]) -> None:
        p = self.plan
        for (at, unit, _rail), leaf in self.leaves.items():
            if at == plane and self._pod(unit) == pod:
                self.build.skip_to(leaf, "fabric", p.down + 1)
                for spine in spines:
                    self.build.link(
                        leaf,
                        spine,
                        p.up // p.spines,
                        lanes_a=self.leaf_lanes,
                        lanes_b=self.spine_lanes,
                    )

    def _cable_servers(self) -> None:
        family = (
            self.build.design.families(self.build.design.devices[self.servers[0]])["nic"]
            if self.servers
            else None
        )
        ports = family.count if family else 0
        shape = self.shape
        for k, server in enumerate(self.servers):
            unit, index = divmod(k, shape.per_unit)
            for port in range(ports):
                plane = port % shape.planes
                nic = port // shape.planes
                rail = nic % shape.rails
                leaf = self.leaves[plane, unit, rail]
                place = index * shape.links_per_leaf + nic // shape.rails + 1
                self.build.link(
                    leaf, server, first_a=place, family_b="nic", lanes_a=self.leaf_lanes
                )
