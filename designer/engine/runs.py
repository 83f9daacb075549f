"""How long the cables of a drawing are taken to be, where their records do not say."""

from designer.engine.census import LEAF_SPINE, NVLINK, SERVER_LEAF, SPINE_CORE, LinkClass
from designer.model.assumptions import assumption
from designer.model.design import Design

_KEYS = {
    SERVER_LEAF: "length_server_leaf_m",
    LEAF_SPINE: "length_leaf_spine_m",
    SPINE_CORE: "length_spine_core_m",
}
# Every NVLink cable of a rack-scale domain stays inside its rack.
_NVLINK_M = 1.0


def assumed_lengths(design: Design) -> dict[str, float]:
    """Return the typical length by kind of link, metres; `same_rack` is one of the kinds."""
    lengths = {kind: assumption(design, key).value.typical for kind, key in _KEYS.items()}
    lengths["same_rack"] = assumption(design, "length_same_rack_m").value.typical
    lengths[NVLINK] = _NVLINK_M
    return lengths


def run_length(lengths: dict[str, float], link: LinkClass) -> tuple[float, bool]:
    """Return the length of a link, metres, and whether it is an assumption."""
    if link.length_m is not None:
        return link.length_m, False
    if link.same_rack and link.kind != NVLINK:
        return lengths["same_rack"], True
    return lengths.get(link.kind, lengths[SERVER_LEAF]), True
