"""Ordering the devices of a tier: crossings never grow, places and rows stay."""

from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.load import default_catalog
from designer.model import operations, wiring
from designer.model.design import Design
from designer.model.operations import move
from designer.model.order_tiers import _links, crossings, order_by_rail
from designer.model.records import PortRange
from designer.services.create import new_design
from tests.model.parts import NIC, SERVER, SWITCH


def _count(design):
    at = {i: (p.x, p.y) for i, p in design.placements.items() if i in design.devices}
    return crossings(_links(design, at), {i: x for i, (x, _y) in at.items()})


def _slow_count(design):
    """Count crossings pair by pair, as a check of the fast way."""
    at = {i: (p.x, p.y) for i, p in design.placements.items()}
    total = 0
    for pairs in _links(design, at).values():
        for k, (a, b, n) in enumerate(pairs):
            for c, d, m in pairs[:k]:
                total += n * m * ((at[a][0] - at[c][0]) * (at[b][0] - at[d][0]) < 0)
    return total


@st.composite
def _drawing(draw):
    design = Design()
    tiers = draw(st.lists(st.integers(1, 6), min_size=2, max_size=3))
    for t, n in enumerate(tiers):
        for k in range(n):
            x = draw(st.integers(-5, 5)) * 100.0
            if t:
                edit = operations.place(design, SWITCH, x, -300.0 * t, name=f"t{t}-{k}")
            else:
                edit = operations.place(design, SERVER, x, 0, nic=NIC, name=f"t{t}-{k}")
            design.apply(edit)
    ids = list(design.devices)
    for _n in range(draw(st.integers(0, 25))):
        a, b = draw(st.sampled_from(ids)), draw(st.sampled_from(ids))
        ends = []
        for id_ in (a, b):
            family = "fabric" if design.devices[id_].role == "leaf" else "nic"
            ends.append(PortRange(id_, family, draw(st.integers(1, 8))))
        if not wiring.refusal(design, *ends):
            design.apply(wiring.connect(design, *ends))
    return design


@settings(max_examples=150, deadline=None)
@given(_drawing(), st.booleans())
def test_crossings_never_grow_and_places_stay(design, some):
    before, places = _count(design), dict(design.placements)
    assert before == _slow_count(design)
    chosen = list(design.devices)[::2] if some else ()
    edit = order_by_rail(design, chosen)
    design.apply(edit)
    assert _count(design) == _slow_count(design) <= before
    assert sorted((p.x, p.y) for p in places.values()) == sorted(
        (p.x, p.y) for p in design.placements.values()
    )
    for id_, place in design.placements.items():
        assert place.y == places[id_].y
        assert not some or id_ in chosen or place == places[id_]
    design.apply(edit.inverse())
    assert design.placements == places


def test_a_shuffled_tier_finds_its_rails_again():
    design = new_design("rail-optimized", default_catalog(), gpus=256)
    sound = _count(design)
    leaves = [d.id for d in design.devices.values() if d.role == "leaf"]
    xs = [design.placements[i].x for i in leaves]
    shuffled = dict(zip(leaves[3:] + leaves[:3][::-1], xs, strict=True))
    design.apply(move(design, {i: (x, design.placements[i].y) for i, x in shuffled.items()}))
    edit = order_by_rail(design)
    design.apply(edit)
    assert _count(design) <= sound
    assert sorted(leaves, key=lambda i: design.placements[i].x) == leaves
    assert not order_by_rail(design)
