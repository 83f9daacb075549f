"""The compiled network: integer-indexed numpy columns that every solver works on.

Built once a design revision by `compile.compile_network`; nothing here knows names or units other
than SI. Index spaces: devices 0..N-1, switches 0..S-1 (a subset of devices), leaves 0..L-1
(switches that NICs attach to), links = cable records, bundles = directed switch pairs.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int32]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

# Kinds of cable records.
SERVER_LEAF, SWITCH_SWITCH, NVLINK, OTHER = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class Attachments:
    """NIC ports of GPU servers cabled to compute switches; one row a link (trunks expanded).

    Attributes:
        server: Device index.
        switch: Switch index of the leaf.
        leaf: Leaf index (row of distance and demand matrices).
        nic: NIC slot of the server, from 0; rail is nic + 1.
        rail: Rail from 1.
        plane: Index of the plane the leaf is in (0 when the fabric has one).
        speed: Bits/s of the link, one way.
        cable: Row in `CompiledNetwork.cable_ids`.
        orders: Orders of the rows that were worked out before; see `traffic`.
    """

    server: IntArray
    switch: IntArray
    leaf: IntArray
    nic: IntArray
    rail: IntArray
    plane: IntArray
    speed: FloatArray
    cable: IntArray
    orders: dict[str, tuple[npt.NDArray[np.int64], ...]] = field(
        default_factory=dict, repr=False, compare=False
    )


@dataclass(frozen=True, slots=True)
class Bundles:
    """Directed switch pairs with their parallel cables merged, sorted by (src, dst).

    Attributes:
        src, dst: Switch indices.
        count: Cables in the bundle.
        capacity: Bits/s one way, summed over its cables.
        reverse: Row of the opposite direction.
        start: CSR row starts by `src`, length S + 1.
        cable_bundle: Bundle row a -> b of each cable record; -1 for records outside the fabric.
    """

    src: IntArray
    dst: IntArray
    count: IntArray
    capacity: FloatArray
    reverse: IntArray
    start: IntArray
    cable_bundle: IntArray


@dataclass(frozen=True, slots=True)
class CompiledNetwork:
    """A design as arrays.

    Attributes:
        device_ids, device_index: Ids by index and back.
        role: Index into `model.records.ROLES` by device.
        gpus: GPUs by device; -1 unknown, 0 none.
        unit: Unit index by device; -1 none. Derived from wiring where no unit groups exist.
        unit_names: Names by unit index.
        cable_ids: Ids of cable records; the columns below are by record.
        cable_a, cable_b: Device index of each end; -1 when the device is missing.
        cable_count: Parallel links of the record; one less where one link of it failed.
        cable_speed: Bits/s of one link, one way; 0 when the ends share no speed (no link). A
            failed cable keeps its speed, but has no bundle and no attachment.
        cable_kind: SERVER_LEAF, SWITCH_SWITCH, NVLINK or OTHER.
        switches: Device index by switch index.
        switch_of: Switch index by device; -1 for others.
        rank: Tier by switch: 1 leaf, 2 spine, 3 core … (distance from NICs, see compile); the
            tier of the drawing without failures.
        leaves: Switch index by leaf index.
        leaf_of: Leaf index by switch; -1 for others.
        nics: Attachments.
        bundles: Directed switch graph.
        component: Connected component by switch.
        servers: Device indices of GPU servers, in rank order (unit, name).
        domain: NVLink domain by device: servers and trays of one NVSwitch fabric share it; a
            server without NVLink has one of its own, in which `nvlink_bytes_per_s` is nan: each
            of its GPUs counts as a domain by itself. -1 for all other devices.
        domain_gpus: Known GPUs by domain, summed over its servers (also without NVLink).
        nvlink_bytes_per_s: Per GPU and direction, by device; nan without NVLink. Less than the
            GPU has where NVLink cables are missing.
        failed: Ids of failed cables and devices taken out for this run.
    """

    device_ids: tuple[str, ...]
    device_index: dict[str, int]
    role: IntArray
    gpus: IntArray
    unit: IntArray
    unit_names: tuple[str, ...]
    cable_ids: tuple[str, ...]
    cable_a: IntArray
    cable_b: IntArray
    cable_count: IntArray
    cable_speed: FloatArray
    cable_kind: IntArray
    switches: IntArray
    switch_of: IntArray
    rank: IntArray
    leaves: IntArray
    leaf_of: IntArray
    nics: Attachments
    bundles: Bundles
    component: IntArray
    servers: IntArray
    domain: IntArray
    domain_gpus: IntArray
    nvlink_bytes_per_s: FloatArray
    failed: frozenset[str] = field(default_factory=frozenset)

    @property
    def total_gpus(self) -> int:
        """Return the known GPUs of the servers that work."""
        return int(np.maximum(self.gpus[self.servers], 0).sum())
