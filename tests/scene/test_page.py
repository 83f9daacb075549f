"""The export page: everything the drawing's records say stands on it, and nothing leaves it."""

import numpy as np
import pytest

from designer.catalog.load import default_catalog
from designer.model.design import Design
from designer.model.records import Info
from designer.scene.columns import SceneColumns
from designer.scene.display_list import (
    Circles,
    DisplayList,
    Icons,
    Lines,
    Polygons,
    Rects,
    Text,
    Texts,
)
from designer.scene.page import COLUMNS, FOOT, HEIGHT, PAPERS, WIDTH
from designer.scene.text import text_width
from designer.scene.view import SceneState
from designer.scene.whole import placed, whole
from designer.services.create import new_design
from designer.services.export import Job, Look

NAMES = ("rail-optimized", "superpod-h100", "nvl72", "four-servers", "blank")


def _job(name: str, **given: object) -> Job:
    catalog = default_catalog()
    design = new_design(name, catalog, **given)
    return Job(design, catalog, Look(paper="A2"), file="hall-3.railspine.json")


def _texts(picture: DisplayList) -> list[Text]:
    return [run for item in picture.items if isinstance(item, Texts) for run in item.runs]


def _words(picture: DisplayList) -> list[str]:
    return [run.text for run in _texts(picture)]


def _with_block(design: Design) -> Design:
    design.info["info"] = Info(
        title="Hall 3",
        drawn_by="A. Silva",
        checked_by="B. Costa",
        date="2026-11-30",
        project="Lumen",
        revision="C",
    )
    return design


def test_title_block_is_printed_field_by_field() -> None:
    job = _job("rail-optimized")
    _with_block(job.design)
    words = _words(job.page)
    for text in (
        "Hall 3",
        "A. Silva",
        "B. Costa",
        "2026-11-30",
        "Lumen",
        "C",
        "A2, no scale",
        "hall-3.railspine.json",
    ):
        assert text in words


def test_counts_are_those_of_the_drawing() -> None:
    job = _job("rail-optimized")
    words = _words(job.page)
    gpus, links = (job.results.get(f"counts.{k}") for k in ("gpus", "cables.total"))
    assert f"{gpus:,} GPUs. {links:,} links" in " ".join(words)
    assert f"{len(job.design.devices):,}" in words  # the total of the devices
    roles = [d.role for d in job.design.devices.values()]
    for role in ("server", "leaf", "spine"):
        row = words.index(role.capitalize(), words.index("Devices"))
        assert words[row + 2] == f"{roles.count(role):,}"


def test_assumed_lengths_are_marked() -> None:
    words = _words(_job("rail-optimized").page)
    assert "* assumed length" in words
    assert any(w.endswith(" m *") for w in words)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_leaves_the_page_and_no_table_text_its_column(name: str) -> None:
    page = _job(name).page
    assert (page.width, page.height, page.theme) == (WIDTH, HEIGHT, "light")
    for run in _texts(page):
        wide = text_width(run.text, run.size, run.weight)
        x0 = {"start": run.x, "middle": run.x - wide / 2, "end": run.x - wide}[run.anchor]
        assert x0 >= 0
        assert x0 + wide <= WIDTH
        if run.y > FOOT and 40 < run.x < COLUMNS[4]:
            cell = max(k for k in range(4) if COLUMNS[k] <= x0)
            assert x0 + wide <= COLUMNS[cell + 1] + 1, run.text
    for item in page.items:
        if isinstance(item, Rects):
            assert (item.xywh[:, :2] >= -1).all()
            assert (item.xywh[:, 0] + item.xywh[:, 2] <= WIDTH + 1).all()
            assert (item.xywh[:, 1] + item.xywh[:, 3] <= HEIGHT + 1).all()


def test_a_dark_window_prints_on_white() -> None:
    job = _job("four-servers")
    job.look = Look(dark=True)
    assert job.page.theme == "light"
    assert job.page.background == "surface"


def test_papers_are_landscape() -> None:
    assert all(w > h for w, h in PAPERS.values())
    assert PAPERS["A3"] == (420.0, 297.0)  # ISO 216


@pytest.mark.parametrize("name", ["roce-24k", "superpod-h100"])
def test_whole_view_holds_every_device(name: str) -> None:
    columns = SceneColumns.from_design(new_design(name, default_catalog()))
    view = whole(columns, 600, 300, SceneState())
    x0, y0, x1, y1 = columns.bounds()
    left, top = view.to_screen(x0, y0)
    right, low = view.to_screen(x1, y1)
    assert 0 <= left < right <= view.width
    assert 0 <= top < low <= view.height


def test_placing_scales_and_moves_every_kind() -> None:
    rect = placed(Rects(np.array([[1.0, 2.0, 3.0, 4.0]]), width=1.0), 10, 20, 2.0)
    assert isinstance(rect, Rects)
    assert rect.xywh.tolist() == [[12.0, 24.0, 6.0, 8.0]]
    assert rect.width == 2.0
    line = placed(Lines(np.array([[0.0, 0.0, 1.0, 1.0]]), "text"), 5, 6, 3.0)
    assert isinstance(line, Lines)
    assert line.xyxy.tolist() == [[5.0, 6.0, 8.0, 9.0]]
    disc = placed(Circles(np.array([[1.0, 1.0, 2.0]])), 1, 1, 2.0)
    assert isinstance(disc, Circles)
    assert disc.xyr.tolist() == [[3.0, 3.0, 4.0]]
    shape = placed(Polygons(np.array([[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]])), 1, 2, 2.0)
    assert isinstance(shape, Polygons)
    assert shape.points[0].tolist() == [[1.0, 2.0], [3.0, 2.0], [3.0, 4.0]]
    words = placed(Texts([Text(1, 2, "a", 10.0)]), 1, 1, 2.0)
    assert isinstance(words, Texts)
    assert words.runs[0] == Text(3, 5, "a", 20.0)
    icon = placed(Icons([("leaf", 1, 1, 16, "leaf")]), 1, 1, 0.5)
    assert isinstance(icon, Icons)
    assert icon.items[0] == ("leaf", 1.5, 1.5, 8.0, "leaf")
