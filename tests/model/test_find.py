"""Finding by name, type, role, group and port."""

import pytest

from designer.catalog.load import default_catalog
from designer.model.find import find, folded
from designer.services.create import new_design


@pytest.fixture(scope="module")
def design():
    return new_design("rail-optimized", default_catalog(), gpus=512)


def _titles(found):
    return [m.title for m in found]


def test_names_that_begin_with_it_come_first_in_their_order(design):
    found = [m for m in find(design, "spine") if m.kind == "device"]
    assert _titles(found)[:2] == ["spine-1", "spine-2"]
    assert _titles(find(design, "su02-leaf-3"))[0] == "su02-leaf-3"


@pytest.mark.parametrize(
    ("text", "title"),
    [("su02 leaf 3", "su02-leaf-3"), ("QM9700 spine-4", "spine-4"), ("h100 SU01 srv-07", "")],
)
def test_words_may_be_of_type_role_and_group(design, text, title):
    found = [m for m in find(design, text) if m.kind == "device"]
    assert found
    assert not title or found[0].title == title


def test_a_port_is_found_with_its_peer(design):
    match = next(m for m in find(design, "su01-leaf-5 P1") if m.kind == "port")
    assert match.title == "su01-leaf-5 P1"
    assert "srv" in match.detail
    cable = design.cables[match.ids[0]]
    assert design.named("su01-leaf-5").id in (cable.a.device, cable.b.device)


def test_groups_and_cables_are_found(design):
    assert next(m for m in find(design, "su02") if m.kind == "group").title == "su02"
    cable = next(iter(design.cables.values()))
    assert find(design, cable.id)[0].ids == (cable.id,)


def test_nothing_and_too_much(design):
    assert find(design, "   ") == []
    assert find(design, "zebra") == []
    assert len(find(design, "s", limit=7)) == 7


def test_accents_do_not_matter():
    assert folded("São-LEAF") == "sao-leaf"
