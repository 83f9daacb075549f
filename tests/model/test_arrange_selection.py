from hypothesis import given
from hypothesis import strategies as st

from designer.model.arrange_selection import (
    ARRANGEMENTS,
    align_bottom,
    align_center,
    align_left,
    distribute_across,
)
from designer.model.design import Design
from designer.model.edits import Edit, Swap
from designer.model.records import Device, Note, Placement

SIZES = {"a": (100.0, 20.0), "b": (40.0, 60.0), "c": (20.0, 20.0), "n": (0.0, 0.0)}


def _design(points):
    design = Design()
    swaps = []
    for k, (id_, (x, y)) in enumerate(points.items()):
        swaps.append(Swap("devices", id_, None, Device(id_, f"d{k}", "t", "leaf")))
        swaps.append(Swap("placements", id_, None, Placement(x, y)))
    design.apply(Edit("", tuple(swaps)))
    return design


def test_left_sides_meet_at_the_leftmost():
    design = _design({"a": (0, 0), "b": (30, 50), "c": (200, 80)})
    design.apply(align_left(design, ["a", "b", "c"], SIZES.__getitem__))
    edges = {design.placements[i].x - SIZES[i][0] / 2 for i in "abc"}
    assert edges == {-50}
    assert [design.placements[i].y for i in "abc"] == [0, 50, 80]


def test_bottoms_meet_at_the_lowest_and_notes_take_part():
    design = _design({"a": (0, 0), "b": (30, 50)})
    design.apply(Edit("", (Swap("notes", "n", None, Note("n", "hello", 5, 90)),)))
    design.apply(align_bottom(design, ["a", "b", "n"], SIZES.__getitem__))
    assert design.placements["a"].y == 80
    assert design.placements["b"].y == 60
    assert design.notes["n"].y == 90


def test_gaps_become_equal_and_the_ends_stay():
    design = _design({"a": (0, 0), "b": (60, 0), "c": (300, 0)})
    design.apply(distribute_across(design, "abc", SIZES.__getitem__))
    a, b, c = (design.placements[i].x for i in "abc")
    assert (a, c) == (0, 300)
    assert (b - 20) - (a + 50) == (c - 10) - (b + 20)


def test_one_device_has_nothing_to_align():
    design = _design({"a": (0, 0)})
    assert not align_center(design, ["a"])
    assert not distribute_across(design, ["a", "gone"])


@given(
    st.dictionaries(st.sampled_from("abc"), st.tuples(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4))),
    st.sampled_from(sorted(ARRANGEMENTS)),
)
def test_every_arrangement_is_undone_by_its_inverse(points, name):
    design = _design(points)
    before = dict(design.placements)
    edit = ARRANGEMENTS[name][1](design, list(points), SIZES.__getitem__)
    design.apply(edit)
    design.apply(edit.inverse())
    assert design.placements == before
    assert not edit or edit.label
