"""What a large open drawing holds is left out of collections, and only that long."""

import gc

import pytest

from designer.bench.fabrics import fabric
from designer.services.set_aside import set_aside, take_back


@pytest.fixture(autouse=True)
def _as_before():
    yield
    take_back()


def test_a_small_drawing_stays_in_sight_of_the_collector():
    before = gc.get_freeze_count()
    assert not set_aside(fabric("su256"))
    assert gc.get_freeze_count() == before


def test_a_large_drawing_is_set_aside_until_it_is_taken_back(monkeypatch):
    monkeypatch.setattr("designer.services.set_aside._MANY", 100)
    design = fabric("su256")
    assert set_aside(design)
    assert gc.get_freeze_count() > len(design.cables)
    take_back()
    assert gc.get_freeze_count() == 0
