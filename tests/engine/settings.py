"""Machines made by hand, for the formulas: an ideal non-blocking network between equal nodes."""

from dataclasses import replace

import numpy as np

from designer.engine.columns import sum_by
from designer.engine.patterns import tree_edges
from designer.engine.setting import Inside, Setting
from designer.model.assumptions import parameters

VALUES = {key: p.value.typical for key, p in parameters().items()}
GIB = 2**30


def machine(
    ranks: int,
    nodes: int,
    *,
    ring: float = 370e9,
    nvls: float | None = 309e9,
    nic: float = 47.5e9,
    nics: int | None = None,
    **values: float,
) -> Setting:
    """Return `nodes` equal nodes with `nics` NICs of `nic` bytes/s each (one a GPU)."""
    each = ranks // nodes
    total = nic * (nics if nics is not None else each)
    kind = "nvlink" if each > 1 else "none"
    busiest = 0.0
    if nodes > 1:
        ends = np.concatenate(tree_edges(nodes))
        busiest = float(sum_by(ends, np.full(len(ends), 0.5), nodes).max())
    return Setting(
        ranks,
        nodes,
        each,
        Inside(kind, ring, ring if each > 1 else float("inf"), nvls),
        ring_s=1 / total,
        tree_s=busiest / total,
        spread_s=(ranks - each) / max(ranks - 1, 1) * each / total,
        nic_s=1 / total,
        values=VALUES | values,
        messages=nodes - 1,
        sharp=True,
    )


def without_nvls(setting: Setting) -> Setting:
    return replace(setting, inside=replace(setting.inside, nvls=None))
