"""Columns that follow edits equal columns built from the design anew."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from designer.catalog.load import default_catalog
from designer.errors import DesignerError
from designer.model.clipboard import copy, paste
from designer.model.operations import move, place, remove, set_field
from designer.model.wiring import connect_devices
from designer.scene.anchors import anchored
from designer.scene.columns import PATCH_LIMIT, SceneColumns
from designer.services.create import new_design

CATALOG = default_catalog()


def _devices(columns):
    names = zip(
        columns.ids,
        columns.x.tolist(),
        columns.y.tolist(),
        columns.w.tolist(),
        columns.h.tolist(),
        columns.role.tolist(),
        columns.names,
        columns.unit,
        columns.pod,
        columns.rack,
        strict=True,
    )
    return {row[0]: row for row in names}


def _bundles(columns):
    b = anchored(columns)
    found = {}
    for k, cables in enumerate(b.cables):
        ends = columns.ids[b.a[k]], columns.ids[b.b[k]]
        places = (b.at_a[k], b.span_a[k], b.at_b[k], b.span_b[k])
        plain = (frozenset(cables), int(b.count[k]), int(b.rail[k]), int(b.kind[k]))
        assert ends not in found
        found[ends] = (*plain, *(round(float(v), 9) for v in places))
    return found


def _same(columns, design):
    fresh = SceneColumns.from_design(design)
    assert _devices(columns) == _devices(fresh)
    assert {i: columns.ids[k] for i, k in columns.index.items()} == {i: i for i in columns.ids}
    assert _bundles(columns) == _bundles(fresh)
    for cable_id, row in columns.cable_bundle.items():
        assert cable_id in columns.bundles.cables[row]
    assert set(columns.cable_bundle) == set(fresh.cable_bundle)
    for k in range(len(columns.ids)):
        rows = columns.rows_of(k)
        mine = (columns.bundles.a == k) | (columns.bundles.b == k)
        assert sorted(rows) == np.flatnonzero(mine).tolist()


def _edit(design, verb, pick, other, dx):
    ids = list(design.devices)
    if verb == "place":
        part = CATALOG.get(("dgx-h100", "qm9700")[pick % 2])
        return place(design, part, dx, -dx)
    if not ids:
        return None
    one, two = ids[pick % len(ids)], ids[other % len(ids)]
    if verb == "remove":
        return remove(design, [one])
    if verb == "cut" and design.cables:
        return remove(design, [list(design.cables)[pick % len(design.cables)]])
    if verb == "move":
        spots = {i: design.placements[i] for i in (one, two)}
        return move(design, {i: (p.x + dx, p.y + dx / 2) for i, p in spots.items()})
    if verb == "connect":
        return connect_devices(design, one, two, 1 + pick % 3)
    if verb == "rename":
        return set_field(design, [one], "name", f"n{pick}-{len(ids)}")
    if verb == "role":
        return set_field(design, [one], "role", ("spine", "core", "leaf")[pick % 3])
    if verb == "paste":
        return paste(design, copy(design, [one, two]), dx, dx)[0]
    return None


VERBS = ("place", "remove", "cut", "move", "connect", "rename", "role", "paste", "undo")
STEPS = st.lists(
    st.tuples(
        st.sampled_from(VERBS),
        st.integers(0, 400),
        st.integers(0, 400),
        st.sampled_from((-900.0, -3.0, 8.0, 640.0)),
    ),
    min_size=1,
    max_size=8,
)


@example(
    [("move", 0, 193, -900.0), ("role", 263, 0, -900.0), ("move", 0, 193, -900.0)],
)
@given(STEPS)
def test_patched_columns_equal_fresh_ones(steps):
    design = new_design("four-servers", CATALOG)
    columns, done = SceneColumns.from_design(design), []
    anchored(columns)
    for verb, pick, other, dx in steps:
        try:
            edit = done.pop().inverse() if verb == "undo" and done else None
            edit = edit or _edit(design, verb, pick, other, dx)
            if not edit:
                continue
            design.apply(edit)
        except DesignerError:
            continue
        if verb != "undo":
            done.append(edit)
        assert len(edit.swaps) <= PATCH_LIMIT
        columns.update(edit)
        _same(columns, design)


def test_an_undone_removal_of_a_server_brings_its_cables_back():
    design = new_design("rail-optimized", CATALOG, gpus=256)
    columns = SceneColumns.from_design(design)
    anchored(columns)
    edit = remove(design, [design.named("srv-07").id, design.named("spine-2").id])
    for step in (edit, edit.inverse()):
        design.apply(step)
        columns.update(step)
        _same(columns, design)
