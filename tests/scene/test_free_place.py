"""A new device covers nothing."""

import numpy as np
import pytest

from designer.catalog.load import default_catalog
from designer.model.design import Design
from designer.model.operations import place
from designer.scene.columns import SceneColumns
from designer.scene.free_place import free_place
from designer.scene.glyph_sizes import SIZES
from designer.services.create import new_design

CATALOG = default_catalog()


@pytest.mark.parametrize("role", ["server", "leaf", "spine"])
def test_it_goes_beside_what_stands_there(role):
    design = new_design("four-servers", CATALOG)
    columns = SceneColumns.from_design(design)
    leaf = design.placements[design.named("leaf-1").id]
    x, y = free_place(columns, role, leaf.x, leaf.y)
    w, h, _least = SIZES[("server", "nvswitch", "leaf", "spine").index(role)]
    apart = (np.abs(columns.x - x) >= (columns.w + w) / 2) | (
        np.abs(columns.y - y) >= (columns.h + h) / 2
    )
    assert apart.all()


def test_an_empty_place_is_taken_as_it_is():
    assert free_place(SceneColumns.from_design(Design()), "server", 8.0, 16.0) == (8.0, 16.0)


def test_ten_in_a_row_stand_apart():
    design = Design()
    for _k in range(10):
        columns = SceneColumns.from_design(design)
        at = free_place(columns, "leaf", 0.0, 0.0)
        design.apply(place(design, CATALOG.get("qm9700"), *at))
    assert len({(p.x, p.y) for p in design.placements.values()}) == 10
