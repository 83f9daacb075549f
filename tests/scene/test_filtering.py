"""What a filter keeps, what it fades, and that the faded cannot be hit."""

import numpy as np
import pytest

from designer.catalog.load import default_catalog
from designer.scene.columns import SceneColumns
from designer.scene.compose import compose
from designer.scene.display_list import Curves, Lines, Rects, Texts
from designer.scene.filtering import Filter, keep
from designer.scene.frame import make_frame
from designer.scene.hits import device_at, hit, inside
from designer.scene.view import SceneState
from designer.scene.whole import fitted
from designer.services.create import new_design


@pytest.fixture(scope="module")
def drawing():
    design = new_design("rail-optimized", default_catalog(), gpus=256)
    return design, SceneColumns.from_design(design)


def _names(columns, kept):
    return {columns.names[k] for k in np.flatnonzero(kept.devices)}


def test_an_empty_filter_keeps_all(drawing):
    _design, columns = drawing
    assert keep(columns, Filter(), {}) is None
    assert keep(columns, Filter(hops=3), {}) is None


def test_tiers_keep_the_cables_between_them(drawing):
    design, columns = drawing
    kept = keep(columns, Filter(roles=frozenset({"leaf", "spine"})), {})
    b = columns.bundles
    roles = {design.devices[columns.ids[k]].role for k in np.flatnonzero(kept.devices)}
    assert roles == {"leaf", "spine"}
    assert kept.bundles.sum() == 32
    assert kept.devices[b.a[kept.bundles]].all() and kept.devices[b.b[kept.bundles]].all()


def test_a_rail_keeps_its_leaf_its_servers_and_its_trunks(drawing):
    _design, columns = drawing
    kept = keep(columns, Filter(rails=frozenset({3})), {})
    names = _names(columns, kept)
    assert {n for n in names if n.startswith("leaf")} == {"leaf-3"}
    assert kept.bundles.sum() == 32 + 4


def test_load_and_failures(drawing):
    design, columns = drawing
    one, two = list(design.cables)[:2]
    kept = keep(columns, Filter(load=0.5), {one: 0.7, two: 0.3})
    assert kept.bundles.sum() == 1 and kept.bundles[columns.cable_bundle[one]]
    assert kept.devices.sum() == 2
    leaf = design.named("leaf-1").id
    kept = keep(columns, Filter(failed=True), {}, {leaf})
    assert kept.bundles.sum() == 32 + 4
    assert not keep(columns, Filter(failed=True), {}).devices.any()


def test_free_ports(drawing):
    _design, columns = drawing
    kept = keep(columns, Filter(unused=True), {})
    assert not kept.devices.any()  # every port of this drawing is cabled


def test_focus_grows_hop_by_hop(drawing):
    design, columns = drawing
    server = design.named("srv-03").id
    seen = [
        _names(columns, keep(columns, Filter(around=frozenset({server}), hops=n), {}))
        for n in (1, 2, 3)
    ]
    assert seen[0] == {"srv-03"} | {f"leaf-{k}" for k in range(1, 9)}
    assert seen[0] < seen[1] and len(seen[1]) == len(columns.ids)
    cable = next(iter(design.cables_of(server)))
    kept = keep(columns, Filter(around=frozenset({cable}), hops=1), {})
    assert kept.bundles[columns.cable_bundle[cable]]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_faded_is_drawn_but_without_words(drawing, theme):
    _design, columns = drawing
    view = fitted(columns, 1200, 700, SceneState())
    kept = keep(columns, Filter(rails=frozenset({3})), {})
    whole = compose(columns, view, SceneState(theme=theme))
    part = compose(columns, view, SceneState(theme=theme, kept=kept))
    words = {run.text for item in part.items if isinstance(item, Texts) for run in item.runs}
    assert "leaf-3" in words and "leaf-4" not in words
    assert part.counts()["Curves"] >= whole.counts()["Curves"]
    assert any(isinstance(i, Rects) for i in part.items)
    assert any(isinstance(i, Lines | Curves) for i in part.items)


def test_what_is_faded_cannot_be_hit_and_what_is_kept_can(drawing):
    _design, columns = drawing
    kept = keep(columns, Filter(rails=frozenset({3})), {})
    state = SceneState(kept=kept)
    view = fitted(columns, 1200, 700, state)
    frame, plain = make_frame(columns, view, state), make_frame(columns, view, SceneState())
    for k, id_ in enumerate(columns.ids):
        x, y = float(frame.x[k]), float(frame.y[k])
        assert device_at(plain, x, y) == k
        assert device_at(frame, x, y) == (k if kept.devices[k] else None)
        found = hit(frame, x, y)
        assert found is None or found.id == id_ or found.kind != "device"
    assert set(inside(frame, 0, 0, 1200, 700)) == {
        columns.ids[k] for k in np.flatnonzero(kept.devices)
    }
    faded = {c for r in np.flatnonzero(~kept.bundles) for c in columns.bundles.cables[r]}
    for x in range(100, 1200, 9):
        for y in range(60, 660, 9):
            found = hit(frame, x, y)
            assert found is None or faded.isdisjoint(found.cables)


def test_blocks_of_a_cluster_fade_and_cannot_be_hit():
    design = new_design("rail-optimized", default_catalog(), gpus=4096)
    columns = SceneColumns.from_design(design)
    unit = next(g.id for g in design.groups.values() if g.kind == "unit")
    kept = keep(columns, Filter(groups=frozenset({unit})), {})
    state = SceneState(kept=kept, level=0)
    view = fitted(columns, 1200, 700, state)
    frame = make_frame(columns, view, state)
    own = {columns.ids[k] for k in np.flatnonzero(kept.devices)}
    hits = [hit(frame, x, y) for x in range(0, 1200, 6) for y in range(0, 700, 6)]
    blocks = [h for h in hits if h is not None and h.kind == "block"]
    assert blocks and all(own & set(h.devices) for h in blocks)
    assert compose(columns, view, state).items
