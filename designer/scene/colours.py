"""Which colour a cable has: by its rail, by how full it is, or by its kind; blended beforehand."""

from functools import cache

import numpy as np

from designer.scene.columns import NIC, NVLINK, TRUNK, Ints
from designer.scene.filtering import device_rails
from designer.scene.frame import Frame
from designer.scene.theme import HEAT_LEVELS, blend, heat_color, rail_color, token

_KIND_TOKENS = {NIC: "server", TRUNK: "spine", NVLINK: "nvswLine"}


def leaf_rail(frame: Frame) -> Ints:
    """Return the rail of each device: that of all its NIC bundles, or 0 when they differ."""
    return device_rails(frame.columns)


def bundle_colors(frame: Frame, rows: Ints) -> list[str]:
    """Return the full-strength colour of each bundle."""
    palette, codes = _coded(frame, rows)
    return [palette[k] for k in codes.tolist()]


def by_color(frame: Frame, rows: Ints) -> dict[str, Ints]:
    """Return positions in `rows` by full-strength colour, so that each colour is one batch."""
    palette, codes = _coded(frame, rows)
    found: dict[str, list[Ints]] = {}
    order = np.argsort(codes, kind="stable")
    values, first, count = np.unique(codes[order], return_index=True, return_counts=True)
    groups = [order[f : f + n].astype(np.int32) for f, n in zip(first, count, strict=True)]
    # in the order in which colours come first, as painting order follows it
    for k in np.argsort([g[0] for g in groups]).tolist():
        found.setdefault(palette[int(values[k])], []).append(groups[k])
    # rails share colours after the eighth
    return {c: g[0] if len(g) == 1 else np.sort(np.concatenate(g)) for c, g in found.items()}


def _coded(frame: Frame, rows: Ints) -> tuple[list[str], Ints]:
    """Return colours and, for each bundle, which of them it has."""
    b, theme = frame.columns.bundles, frame.theme
    kind = b.kind[rows]
    if frame.state.colour == "utilization":
        load = np.clip(frame.load[rows], 0.0, 1.0)
        level = np.rint(np.nan_to_num(load) * HEAT_LEVELS)
        return _heats(theme), np.where(np.isnan(load), HEAT_LEVELS + 1, level).astype(np.int32)
    if frame.state.colour == "kind":
        names = [token(_KIND_TOKENS.get(k, "text3"), theme) for k in range(4)]
        return names, kind
    rails = leaf_rail(frame)
    # a trunk has the colour of the rail of its lower switch
    rail = np.where(kind == NIC, b.rail[rows], rails[b.b[rows]])
    rail = np.where((rail < 0) | (rail > 64), 0, rail)
    return _rails(theme), np.where(kind == NVLINK, 65, rail).astype(np.int32)


@cache
def _heats(theme: str) -> list[str]:
    """Return the colours of all levels of load, and that of an unknown one."""
    idle = blend(token("text3", theme), token("canvas", theme), 0.45)
    return [*(heat_color(k / HEAT_LEVELS, theme) for k in range(HEAT_LEVELS + 1)), idle]


@cache
def _rails(theme: str) -> list[str]:
    """Return the colours of no rail, of rails 1 to 64, and of NVLink."""
    rails = (rail_color(r, theme) for r in range(1, 65))
    return [token("text3", theme), *rails, token("nvswLine", theme)]


def faded(frame: Frame, color: str, share: float) -> str:
    """Return a colour at a strength over the canvas."""
    return blend(color, token("canvas", frame.theme), share)
