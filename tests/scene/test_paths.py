"""Ways of cables: each shape is drawn, hit where it is drawn, and labelled on itself."""

import numpy as np
import pytest

from designer.catalog.load import default_catalog
from designer.scene.columns import SceneColumns
from designer.scene.compose import compose
from designer.scene.display_list import Rects, Texts
from designer.scene.frame import ends, make_frame
from designer.scene.hits import cables_at
from designer.scene.paths import pieces, way_middles, ways
from designer.scene.trunks import trunk_rows
from designer.scene.view import CABLE_SHAPES, SceneState
from designer.scene.whole import fitted
from designer.services.create import new_design


@pytest.mark.parametrize("shape", CABLE_SHAPES)
def test_a_cable_is_hit_where_it_runs(shape):
    design = new_design("rail-optimized", default_catalog(), gpus=256)
    columns = SceneColumns.from_design(design)
    state = SceneState(shape=shape)
    view = fitted(columns, 1600, 1000, state)
    frame = make_frame(columns, view, state)
    rows = trunk_rows(frame)
    e = ends(frame, rows)
    p = ways(frame, rows, e).reshape(len(rows), pieces(frame), 4, 2)
    assert np.allclose(p[:, 0, 0], e[:, :2]) and np.allclose(p[:, -1, 3], e[:, 2:])
    assert np.allclose(p[:, :-1, 3], p[:, 1:, 0])
    if shape == "orthogonal":
        step = p[:, :, 3] - p[:, :, 0]
        assert (np.abs(step).min(axis=2) < 1e-9).all()
        # cables of different leaves have tracks of their own
        leaf = columns.bundles.b[rows]
        tracks = {(int(d), round(float(y), 3)) for d, y in zip(leaf, p[:, 1, 0, 1], strict=True)}
        assert len({y for _d, y in tracks}) == len(tracks) == len(set(leaf.tolist()))
    found = 0
    for k, (x, y) in enumerate(way_middles(frame, rows, e, 0.5)):
        hit = cables_at(frame, float(x), float(y))
        assert hit
        found += hit == columns.bundles.cables[int(rows[k])]
    # where ways cross, the nearer one is hit
    assert found > len(rows) * 0.6
    assert compose(columns, view, state).items


def test_every_trunk_says_what_is_asked_and_no_label_lies_on_another():
    design = new_design("rail-optimized", default_catalog(), gpus=256)
    columns = SceneColumns.from_design(design)
    state = SceneState(labels=frozenset({"count", "speed"}))
    view = fitted(columns, 1600, 1000, state)
    picture = compose(columns, view, state)
    words = [run for i in picture.items if isinstance(i, Texts) for run in i.runs]
    said = [run for run in words if run.text == "×8 · 400 Gb/s"]
    assert len(said) > 20
    pills = [tuple(i.xywh[0]) for i in picture.items if isinstance(i, Rects) and i.radius == 10]
    for k, (x, y, w, h) in enumerate(pills):
        for x1, y1, w1, h1 in pills[:k]:
            assert x + w <= x1 or x1 + w1 <= x or y + h <= y1 or y1 + h1 <= y
