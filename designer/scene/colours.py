"""Which colour a cable has: by its rail, by how full it is, or by its kind; blended beforehand."""

from dataclasses import dataclass

import numpy as np

from designer.scene.columns import NIC, NVLINK, TRUNK, Ints
from designer.scene.frame import Frame
from designer.scene.theme import HEAT_LEVELS, blend, heat_color, rail_color, token

# More rails than any server has NICs.
_RAILS = 64
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


@dataclass(frozen=True, slots=True)
class Tones:
    """One colour a bundle, as a code into a palette: batches by colour need no loop."""

    codes: Ints
    palette: list[str]

    def __getitem__(self, k: int) -> str:
        return self.palette[int(self.codes[k])]

    def take(self, at: Ints) -> "Tones":
        """Return the colours at some positions."""
        return Tones(self.codes[at], self.palette)


def bundle_colors(frame: Frame, rows: Ints) -> Tones:
    """Return the full-strength colour of each bundle."""
    b, theme = frame.columns.bundles, frame.theme
    if frame.state.colour == "utilization":
        idle = blend(token("text3", theme), token("canvas", theme), 0.45)
        steps = [heat_color(k / HEAT_LEVELS, theme) for k in range(HEAT_LEVELS + 1)]
        loads = frame.load[rows]
        level = np.rint(np.clip(np.nan_to_num(loads), 0, 1) * HEAT_LEVELS).astype(np.int32)
        return Tones(np.where(np.isnan(loads), HEAT_LEVELS + 1, level), [*steps, idle])
    kinds = b.kind[rows]
    if frame.state.colour == "kind":
        names = [_KIND_TOKENS.get(k, "text3") for k in range(4)]
        return Tones(kinds, [token(n, theme) for n in names])
    # a trunk has the colour of the rail of its lower switch
    rail = np.where(kinds == NIC, b.rail[rows], leaf_rail(frame)[b.b[rows]])
    codes = np.where(kinds == NVLINK, _RAILS + 1, np.where(rail <= _RAILS, rail, 0))
    rails = [rail_color(r, theme) for r in range(1, _RAILS + 1)]
    return Tones(codes.astype(np.int32), [token("text3", theme), *rails, token("nvswLine", theme)])


def faded(frame: Frame, color: str, share: float) -> str:
    """Return a colour at a strength over the canvas."""
    return blend(color, token("canvas", frame.theme), share)


def grouped(tones: Tones) -> dict[str, Ints]:
    """Return positions by colour, so that each colour is one batch."""
    found: dict[str, Ints] = {}
    for code in np.unique(tones.codes):
        at = np.flatnonzero(tones.codes == code).astype(np.int32)
        color = tones.palette[int(code)]
        found[color] = np.concatenate([found[color], at]) if color in found else at
    return found
