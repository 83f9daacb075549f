"""Makes the small pictures of templates from their own drawings, as SVG in both themes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from designer.catalog.catalog import Catalog
from designer.catalog.load import default_catalog
from designer.formats.native import write_atomically
from designer.model.design import Design
from designer.model.operations import remove
from designer.scene.columns import SceneColumns
from designer.scene.compose import compose
from designer.scene.display_list import DisplayList, Texts
from designer.scene.layout import arrange
from designer.scene.svg import svg
from designer.scene.theme import THEMES
from designer.scene.view import UNIT, SceneState, View, fit
from designer.scene.whole import around_blocks
from designer.services.create import new_design
from designer.topologies import TEMPLATES

# Twice the size of a card, so that lines come out half as thick.
WIDTH, HEIGHT, PAD = 600.0, 296.0, 8.0
# Parameters that make a picture of a few dozen devices.
SMALL: dict[str, dict[str, Any]] = {
    "leaf-spine": {"gpus": 128},
    "nvl72": {"racks": 1},
    "fat-tree": {"k": 8},
    "rail-only": {"gpus": 128},
    "superpod-b200": {"scalable_units": 2},
    "superpod-b300-xdr": {"scalable_units": 2},
    "superpod-b300-spectrum": {"scalable_units": 1},
    "superpod-h100": {"scalable_units": 2},
}
# Drawn whole, as the canvas shows a cluster from afar.
WHOLE = ("roce-24k",)
# More devices of a role than this are drawn as an even sample of them.
MOST = {"core": 8, "spine": 16, "leaf": 32, "server": 64, "nvswitch": 64}


def template_pictures(folder: Path) -> list[Path]:
    """Write `NAME-THEME.svg` for each template but the blank one; return the files.

    Raises:
        FileError: The folder cannot be written.
    """
    catalog = default_catalog()
    designs = {name: small(name, catalog) for name in TEMPLATES if name != "blank"}
    written = []
    for name, design in designs.items():
        for theme in THEMES:
            path = folder / f"{name}-{theme}.svg"
            write_atomically(path, svg(draw(design, theme)).encode("utf-8"))
            written.append(path)
    return written


def small(name: str, catalog: Catalog) -> Design:
    """Return a template's network at a size that a card can show."""
    design = new_design(name, catalog, **SMALL.get(name, {}))
    return design if name in WHOLE else sample(design)


def sample(design: Design) -> Design:
    """Return a drawing with at most `MOST` devices a role, taken evenly and laid out again."""
    kept: set[str] = set()
    for role, most in MOST.items():
        ids = [d.id for d in design.devices.values() if d.role == role]
        if role == "server" and kept:
            ids = [i for i in ids if _touches(design, i, kept)]
        every = np.linspace(0, len(ids) - 1, min(most, len(ids))).round().astype(int)
        kept |= {ids[k] for k in every}
    surplus = [i for i in design.devices if i not in kept]
    if surplus:
        design.apply(remove(design, surplus))
        design.apply(arrange(design))
    return design


def _touches(design: Design, id_: str, others: set[str]) -> bool:
    cables = (design.cables[c] for c in design.cables_of(id_))
    return any(end.device in others for c in cables for end in (c.a, c.b) if end.device != id_)


def draw(design: Design, theme: str) -> DisplayList:
    """Return a drawing as a picture without words and background."""
    columns = SceneColumns.from_design(design)
    view = fit(columns, WIDTH - 2 * PAD, HEIGHT + 56 - 2 * PAD, margin=0.0, gutter=0.0)
    state = SceneState(theme=theme, chrome=False, level=UNIT)
    if len(design.devices) > sum(MOST.values()):
        state = replace(state, level=None)
        view = around_blocks(columns, view, state)
    else:
        x, y = view.x - PAD / view.scale, view.y + (28 - PAD) / view.scale
        view = View(WIDTH, HEIGHT, view.scale, x, y)
    picture = compose(columns, view, state)
    picture.items[:] = [i for i in picture.items if not isinstance(i, Texts)]
    picture.background = ""
    return picture
