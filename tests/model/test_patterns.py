"""Cabling many devices at once: every pattern, counted port by port."""

from collections import Counter

import pytest

from designer.catalog.load import default_catalog
from designer.errors import WiringError
from designer.model.design import Design
from designer.model.edits import merge
from designer.model.operations import place
from designer.model.patterns import PATTERNS, plan_wiring, sides, wiring_edit
from designer.model.ports import expand

CATALOG = default_catalog()


def _design(servers=4, leaves=8, spines=0):
    design = Design()
    for count, part, stem, role in (
        (servers, "dgx-h100", "srv", "server"),
        (leaves, "qm9700", "leaf", "leaf"),
        (spines, "qm9700", "spine", "spine"),
    ):
        for k in range(count):
            design.apply(
                place(design, CATALOG.get(part), k * 10.0, 0.0, role=role, name=f"{stem}-{k + 1}")
            )
    return design


def _ids(design, *stems):
    return [d.id for d in design.devices.values() if d.name.startswith(stems)]


def _links(design):
    """Links by pair of names; fails when a port is used twice."""
    found, used = Counter(), Counter()
    for cable in design.cables.values():
        names = [design.devices[e.device].name for e in (cable.a, cable.b)]
        found[tuple(names)] += cable.count
        for end in (cable.a, cable.b):
            used.update((end.device, p) for p in expand(design.devices[end.device], end))
    assert max(used.values()) == 1
    return found


def test_rail_aligned_puts_nic_k_on_leaf_k():
    design = _design()
    plan = plan_wiring(design, _ids(design, "srv", "leaf"), "rail")
    assert plan.links == 32
    design.apply(wiring_edit(design, plan))
    assert _links(design) == {
        (f"srv-{s}", f"leaf-{r}"): 1 for s in range(1, 5) for r in range(1, 9)
    }
    for cable in design.cables.values():
        leaf = design.devices[cable.b.device]
        assert design.rail(design.devices[cable.a.device], cable.a.first) == int(leaf.name[-1])
    assert all(n == 0 for i, n in plan.left.items() if design.devices[i].role == "server")


def test_all_to_one_fills_leaf_by_leaf():
    design = _design(servers=4, leaves=2)
    design.apply(wiring_edit(design, plan_wiring(design, _ids(design, "srv", "leaf"), "block")))
    assert _links(design) == {
        ("srv-1", "leaf-1"): 8,
        ("srv-2", "leaf-1"): 8,
        ("srv-3", "leaf-2"): 8,
        ("srv-4", "leaf-2"): 8,
    }


def test_round_robin_spreads_the_ports_of_each_device():
    design = _design(servers=2, leaves=3)
    design.apply(
        wiring_edit(design, plan_wiring(design, _ids(design, "srv", "leaf"), "round_robin"))
    )
    assert _links(design) == {
        (f"srv-{s}", f"leaf-{k}"): n for s in (1, 2) for k, n in ((1, 3), (2, 3), (3, 2))
    }


def test_full_mesh_of_leaves_and_spines_in_trunks():
    design = _design(servers=0, leaves=8, spines=4)
    plan = plan_wiring(design, _ids(design, "leaf", "spine"), "mesh", 8)
    design.apply(wiring_edit(design, plan))
    assert len(design.cables) == 32
    assert set(_links(design).values()) == {8}
    assert {plan.left[i] for i in _ids(design, "spine")} == {0}
    assert {plan.left[i] for i in _ids(design, "leaf")} == {32}


def test_a_plan_takes_only_free_ports():
    design = _design()
    ids = _ids(design, "srv", "leaf")
    design.apply(wiring_edit(design, plan_wiring(design, ids, "rail", 4)))
    assert plan_wiring(design, ids, "rail").links == 16
    design.apply(wiring_edit(design, plan_wiring(design, ids, "rail")))
    assert sum(_links(design).values()) == 32
    with pytest.raises(WiringError, match="no free ports"):
        plan_wiring(design, ids, "rail")


@pytest.mark.parametrize(
    ("servers", "leaves", "spines", "pattern", "links", "says"),
    [
        (4, 4, 0, "rail", None, "rail 5"),
        (9, 1, 0, "block", None, "no free port left"),
        (1, 9, 0, "mesh", 1, "9 are needed"),
        (1, 0, 0, "mesh", 1, "two kinds"),
        (1, 1, 1, "mesh", 1, "two kinds"),
    ],
)
def test_what_does_not_fit_is_said(servers, leaves, spines, pattern, links, says):
    design = _design(servers, leaves, spines)
    before = dict(design.cables)
    with pytest.raises(WiringError, match=says):
        plan_wiring(design, list(design.devices), pattern, links)
    assert design.cables == before


def test_every_pattern_is_one_step_that_can_be_undone():
    for pattern in PATTERNS:
        design = _design()
        edit = wiring_edit(design, plan_wiring(design, list(design.devices), pattern, 1))
        design.apply(edit)
        design.apply(edit.inverse())
        assert not design.cables
        assert merge("", (edit, edit.inverse())).swaps == ()


def test_devices_are_taken_in_the_order_of_their_numbers():
    design = _design(servers=12, leaves=8)
    lower, _upper = sides(design, list(design.devices))
    assert [d.name for d in lower][-3:] == ["srv-10", "srv-11", "srv-12"]
