"""Latency of one message over the longest drawn path: two NICs, the switches, the cables.

    L = 2 a_nic + h a_switch + 5 ns/m x cable

Published end-to-end figures to compare with: 1 to 2 µs on InfiniBand, 2 to 5 µs on RoCE.
"""

from designer.catalog.types import PartType
from designer.engine.bom_rows import Bom
from designer.engine.census import LEAF_SPINE, SERVER_LEAF, SPINE_CORE
from designer.engine.fabrics import FabricName
from designer.engine.ledger import TECHNOLOGY
from designer.model.assumptions import assumption
from designer.model.design import Design
from designer.model.records import SWITCH_ROLES
from designer.units import Range

# Cables of a path by the switches it traverses: up and down again.
_CABLES = {
    1: {SERVER_LEAF: 2},
    3: {SERVER_LEAF: 2, LEAF_SPINE: 2},
    5: {SERVER_LEAF: 2, LEAF_SPINE: 2, SPINE_CORE: 2},
}


def path_latency(design: Design, bom: Bom, fabric: FabricName, hops: int) -> Range:
    """Return the time one message takes over a path of `hops` switches, seconds.

    Args:
        design: The drawing, for its assumptions.
        bom: Its bill of materials in the technology in question.
        fabric: `infiniband` or `rocev2`.
        hops: Switches traversed; 0 for two NICs cabled directly.
    """
    nic = assumption(design, "nic_latency_s").value
    metre = assumption(design, "cable_latency_s_per_m").value
    switch = _switch(design, bom, fabric)
    return nic * 2.0 + switch * float(hops) + metre * path_length(bom, hops)


def mean_path_latency(design: Design, bom: Bom, fabric: FabricName, hops: float) -> float:
    """Return the typical latency of paths of `hops` switches on average, seconds.

    Paths have odd numbers of switches in a tree; between two of them it goes in proportion.
    Arguments are those of `path_latency`.
    """
    below = max(1, int((hops - 1) // 2) * 2 + 1)
    low = path_latency(design, bom, fabric, below).typical
    if hops <= below:
        return low
    high = path_latency(design, bom, fabric, below + 2).typical
    return low + (high - low) * (hops - below) / 2


def _switch(design: Design, bom: Bom, fabric: FabricName) -> Range:
    """Return the latency of a switch: of the parts in use, or the assumption for them."""
    types = {
        r.type.slug: r.type
        for r in bom.rows
        if _is_compute_switch(r.role, r.fabric, r.type) and r.type is not None
    }
    known = [
        p.latency_s
        for p in types.values()
        if p.latency_s is not None and p.technology == TECHNOLOGY[fabric]
    ]
    if len(known) < len(types) or not known:
        key = f"switch_latency_{TECHNOLOGY[fabric]}_s"
        known.append(assumption(design, key).value)
    count = float(len(known))
    return Range(
        min(k.low for k in known),
        sum(k.typical for k in known) / count,
        max(k.high for k in known),
    )


def _is_compute_switch(role: str, fabric: str, part: PartType | None) -> bool:
    return role in SWITCH_ROLES and fabric == "compute" and part is not None


def path_length(bom: Bom, hops: int) -> float:
    """Return the metres of cable of a path over `hops` switches, by the mean run of each kind."""
    wanted = _CABLES.get(hops, {SERVER_LEAF: 2, LEAF_SPINE: max(0, hops - 1)})
    total = 0.0
    for kind, times in wanted.items():
        runs = [
            (made.length_m, links)
            for made, link, links in zip(
                bom.media, bom.census.classes, bom.census.links, strict=True
            )
            if link.kind == kind
        ]
        count = sum(n for _m, n in runs)
        if count:
            total += times * sum(m * n for m, n in runs) / count
    return total
