"""Which colour a cable has: by its rail, by how full it is, or by its kind; blended beforehand."""

import numpy as np

from designer.scene.columns import NIC, NVLINK, TRUNK, Ints
from designer.scene.frame import Frame
from designer.scene.theme import blend, heat_color, rail_color, token

_KIND_TOKENS = {NIC: "server", TRUNK: "spine", NVLINK: "nvswLine"}


def leaf_rail(frame: Frame) -> Ints:
    """Return the rail of each device: that of all its NIC bundles, or 0 when they differ."""
    cached = frame.columns.caches.get("leaf_rail")
    if isinstance(cached, np.ndarray):
        return cached
    b = frame.columns.bundles
    nic = b.kind == NIC
    low = np.full(len(frame.x), 10**6, dtype=np.int32)
    high = np.zeros(len(frame.x), dtype=np.int32)
    np.minimum.at(low, b.a[nic], b.rail[nic])
    np.maximum.at(high, b.a[nic], b.rail[nic])
    rail = np.where(low == high, high, 0).astype(np.int32)
    frame.columns.caches["leaf_rail"] = rail
    return rail


def bundle_colors(frame: Frame, rows: Ints) -> list[str]:
    """Return the full-strength colour of each bundle."""
    b, theme = frame.columns.bundles, frame.theme
    if frame.state.colour == "utilization":
        loads = frame.load[rows]
        idle = blend(token("text3", theme), token("canvas", theme), 0.45)
        return [idle if np.isnan(v) else heat_color(float(v), theme) for v in loads]
    neutral = token("text3", theme)
    if frame.state.colour == "kind":
        return [token(_KIND_TOKENS.get(int(k), "text3"), theme) for k in b.kind[rows]]
    rails = leaf_rail(frame)
    # a trunk has the colour of the rail of its lower switch
    rail = np.where(b.kind[rows] == NIC, b.rail[rows], rails[b.b[rows]])
    nvlink = token("nvswLine", theme)
    table = {r: rail_color(r, theme) for r in range(1, 65)}
    return [
        nvlink if k == NVLINK else table.get(int(r), neutral)
        for r, k in zip(rail, b.kind[rows], strict=True)
    ]


def faded(frame: Frame, color: str, share: float) -> str:
    """Return a colour at a strength over the canvas."""
    return blend(color, token("canvas", frame.theme), share)


def grouped(colors: list[str]) -> dict[str, Ints]:
    """Return positions by colour, so that each colour is one batch."""
    found: dict[str, list[int]] = {}
    for k, color in enumerate(colors):
        found.setdefault(color, []).append(k)
    return {c: np.array(v, dtype=np.int32) for c, v in found.items()}
