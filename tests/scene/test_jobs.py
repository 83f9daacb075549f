"""Strips under servers say which job they run, close up and in blocks."""

import numpy as np
import pytest

from designer.bench.fabrics import fabric
from designer.scene.columns import SceneColumns
from designer.scene.compose import compose
from designer.scene.display_list import Rects
from designer.scene.jobs import job_token
from designer.scene.layout import arrange
from designer.scene.theme import token
from designer.scene.view import CLUSTER, DEVICE, SceneState, fit


def _strips(picture, number):
    tone = token(job_token(number), "light")
    found = [i.xywh for i in picture.items if isinstance(i, Rects) and i.fill == tone]
    return np.concatenate(found) if found else np.zeros((0, 4))


@pytest.fixture(scope="module")
def columns():
    design = fabric("su256")
    design.apply(arrange(design))
    return SceneColumns.from_design(design)


def _servers(columns):
    return [d.id for d in columns.design.devices.values() if d.role == "server"]


def test_each_job_has_a_strip_under_its_servers(columns):
    servers = _servers(columns)
    jobs = dict.fromkeys(servers[:3], 1) | dict.fromkeys(servers[3:5], 2)
    view = fit(columns, 1600, 1000)
    picture = compose(columns, view, SceneState(jobs=jobs, level=DEVICE))
    assert len(_strips(picture, 1)) == 3 + len(
        _strips(compose(columns, view, SceneState(level=DEVICE)), 1)
    )
    assert len(_strips(picture, 2)) == 2
    texts = [run.text for run in picture.texts()] if hasattr(picture, "texts") else []
    assert not texts or "1" in texts


def test_blocks_show_the_share_of_each_job(columns):
    servers = _servers(columns)
    jobs = dict.fromkeys(servers[:8], 1) | dict.fromkeys(servers[8:16], 2)
    picture = compose(columns, fit(columns, 1600, 1000), SceneState(jobs=jobs, level=CLUSTER))
    one, two = _strips(picture, 1), _strips(picture, 2)
    assert one[:, 2].sum() == pytest.approx(two[:, 2].sum())
    assert one[:, 2].sum() > 0


def test_servers_that_are_gone_are_left_out(columns):
    picture = compose(columns, fit(columns, 800, 600), SceneState(jobs={"nobody": 1}, level=DEVICE))
    assert not len(_strips(picture, 2))
