"""A new device covers nothing."""

import numpy as np
import pytest

from designer.catalog.load import default_catalog
from designer.model.design import Design
from designer.model.operations import place
from designer.scene.columns import SceneColumns
from designer.scene.free_place import free_place, tier_place
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


def _covers(columns):
    apart = (np.abs(columns.x[:, None] - columns.x) >= (columns.w[:, None] + columns.w) / 2) | (
        np.abs(columns.y[:, None] - columns.y) >= (columns.h[:, None] + columns.h) / 2
    )
    np.fill_diagonal(apart, True)
    return not apart.all()


@pytest.mark.parametrize("seed", range(6))
def test_a_drawing_begun_in_any_order_has_its_tiers_and_covers_nothing(seed):
    rng = np.random.default_rng(seed)
    slugs = ["dgx-h100", "dgx-h200", "qm9700", "qm9700", "dgx-h100", "sn5600", "qm9700"]
    design = Design()
    for slug in rng.permutation(slugs):
        part = CATALOG.get(slug)
        role = "server" if slug.startswith("dgx") else rng.choice(["leaf", "spine"])
        columns = SceneColumns.from_design(design)
        at = tier_place(columns, role, *rng.uniform(-900, 900, 2))
        design.apply(place(design, part, *at, role=role))
    assert not _covers(SceneColumns.from_design(design))
    rows = {}
    for device in design.devices.values():
        rows.setdefault(device.role, set()).add(design.placements[device.id].y)
    assert all(len(ys) == 1 for ys in rows.values()), "a tier is one row"
    tiers = [next(iter(rows[r])) for r in ("spine", "leaf", "server") if r in rows]
    assert tiers == sorted(tiers) and len(set(tiers)) == len(tiers)


def test_a_neighbour_that_would_widen_over_another_device_counts_as_covering():
    design = Design()
    design.apply(place(design, CATALOG.get("dgx-h100"), 0.0, 0.0))
    for x in (500.0, -900.0):
        at = free_place(SceneColumns.from_design(design), "leaf", x, 0.0)
        design.apply(place(design, CATALOG.get("qm9700"), *at))
    assert not _covers(SceneColumns.from_design(design))


def test_what_is_added_to_a_row_reads_from_left_to_right_and_keeps_its_width():
    design = Design()
    for _k in range(6):
        columns = SceneColumns.from_design(design)
        design.apply(place(design, CATALOG.get("qm9700"), *tier_place(columns, "leaf", 33.0, 7.0)))
    columns = SceneColumns.from_design(design)
    names = [columns.names[k] for k in np.argsort(columns.x)]
    assert names == [f"leaf-{k}" for k in range(1, 7)]
    assert columns.w.min() > 0.8 * SIZES[2][0]


def test_in_a_long_row_the_nearest_place_is_taken():
    design = new_design("superpod-h100", CATALOG)
    columns = SceneColumns.from_design(design)
    first = design.placements[design.named("su01-srv-01").id]
    x, _y = tier_place(columns, "server", first.x, first.y)
    assert x < np.median(columns.x[columns.role == 0]), "not at the far end of 127 servers"
