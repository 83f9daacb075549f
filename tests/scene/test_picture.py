"""What is drawn: every device, no glyph over another, SVG that a parser reads."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from designer.catalog.load import default_catalog
from designer.model.design import Design
from designer.model.operations import move, place
from designer.model.ports import expand
from designer.model.records import PortRange
from designer.model.wiring import connect
from designer.scene.blocks import block_links, blocks
from designer.scene.columns import SceneColumns
from designer.scene.compose import compose
from designer.scene.display_list import Curves, Icons, Texts
from designer.scene.frame import make_frame
from designer.scene.hits import hit
from designer.scene.lanes import find_lanes
from designer.scene.layout import arrange
from designer.scene.strands import Ports, find_strands, loose_strands, strand_at
from designer.scene.svg import svg
from designer.scene.theme import rail_color
from designer.scene.view import CLUSTER, PORT, SceneState, fit
from designer.services.create import new_design
from designer.services.export import Job, Look

CATALOG = default_catalog()
NAMES = ("four-servers", "rail-optimized", "superpod-h100", "nvl72", "dual-plane", "blank")


@pytest.mark.parametrize("name", NAMES)
def test_every_device_has_a_place_of_its_own(name):
    design = new_design(name, CATALOG)
    assert set(design.placements) == set(design.devices)
    columns = SceneColumns.from_design(design)
    half_w, half_h = columns.w / 2, columns.h / 2
    for k in range(len(columns.ids)):
        apart = (np.abs(columns.x - columns.x[k]) >= half_w + half_w[k] - 1) | (
            np.abs(columns.y - columns.y[k]) >= half_h + half_h[k] - 1
        )
        apart[k] = True
        assert apart.all(), columns.ids[k]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_the_picture_is_valid_svg_with_its_names(name, theme):
    design = new_design(name, CATALOG)
    columns = SceneColumns.from_design(design)
    text = svg(compose(columns, fit(columns, 1600, 1000), SceneState(theme=theme)), name)
    root = ET.fromstring(text)
    assert root.get("viewBox") == "0 0 1600 1000"
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    if name == "rail-optimized":
        words = {t.text for t in root.iter("{http://www.w3.org/2000/svg}text")}
        assert {f"leaf-{k}" for k in range(1, 9)} | {"spine-1", "Rail 8"} <= words


def hand_drawn():
    """Two servers and a leaf, as one begins: too few for a rail line; rails 1 and 3 cabled."""
    design = Design()
    design.apply(place(design, CATALOG.get("qm9700"), 0, 0, name="leaf-1"))
    for k in (1, 2):
        at = 300.0 * k - 450, 500.0
        design.apply(place(design, CATALOG.get("dgx-h100"), *at, name=f"srv-{k}"))
    leaf = design.named("leaf-1").id
    for k, (name, nic) in enumerate([("srv-1", 1), ("srv-1", 3), ("srv-2", 1)]):
        server = design.named(name).id
        ends = PortRange(server, "nic", nic), PortRange(leaf, "fabric", 5 * k + 1)
        design.apply(connect(design, *ends))
    return design


def test_single_cables_of_a_small_drawing_end_at_their_ports():
    design = hand_drawn()
    columns = SceneColumns.from_design(design)
    view = fit(columns, 1200, 800)
    frame = make_frame(columns, view, SceneState())
    assert frame.level >= PORT
    strands = loose_strands(frame, find_lanes(frame)[1])
    assert {s.cable for s in strands} == set(design.cables)
    ports = Ports(frame)
    for strand in strands:
        cable = design.cables[strand.cable]
        for end, at in ((cable.a, strand.points[-1]), (cable.b, strand.points[0])):
            device = design.devices[end.device]
            place_ = ports.of(columns.index[end.device])[expand(device, end)[0]]
            assert tuple(at) == place_
        middle = (strand.points[0] + 3 * strand.points[1] + 3 * strand.points[2]) / 8
        found = hit(frame, *(middle + strand.points[3] / 8))
        assert found.kind == "cable" and found.cables == (strand.cable,)
    colors = {c.color for c in compose(columns, view).items if isinstance(c, Curves)}
    assert {rail_color(1, "light"), rail_color(3, "light")} <= colors


def test_the_legend_of_a_page_names_every_rail_that_is_drawn():
    page = Job(hand_drawn(), CATALOG, Look(paper="A4")).page
    texts = {r.text for item in page.items if isinstance(item, Texts) for r in item.runs}
    assert {"Rail 1", "Rail 3"} <= texts and "Rail 2" not in texts


def test_columns_follow_a_move():
    design = new_design("four-servers", CATALOG)
    columns = SceneColumns.from_design(design)
    edit = move(design, {"srv-01": (5000.0, 6000.0)})
    design.apply(edit)
    columns.update(edit)
    row = columns.index["srv-01"]
    assert (columns.x[row], columns.y[row]) == (5000.0, 6000.0)


def test_tidy_is_deterministic_and_changes_nothing_twice():
    design = new_design("superpod-h100", CATALOG)
    assert not arrange(design)


def test_single_cables_run_from_port_to_port_at_port_level():
    design = new_design("four-servers", CATALOG)
    columns = SceneColumns.from_design(design)
    frame = make_frame(columns, fit(columns, 1600, 1000), SceneState())
    lanes, loose = find_lanes(frame)
    strands = find_strands(frame, lanes)
    assert not len(loose)
    assert len(strands) == 32
    ports = Ports(frame)
    for strand in strands:
        cable = design.cables[strand.cable]
        ends = {tuple(strand.points[0]), tuple(strand.points[-1])}
        for end in (cable.a, cable.b):
            device = design.devices[end.device]
            here = ports.of(columns.index[device.id])
            assert ends & {here[p] for p in expand(device, end)}
    # tracks of one lane do not lie on one another
    assert len({round(float(s.points[1][1]), 2) for s in strands}) == 32


def test_a_hit_on_a_strand_is_its_cable():
    design = new_design("four-servers", CATALOG)
    columns = SceneColumns.from_design(design)
    frame = make_frame(columns, fit(columns, 1600, 1000), SceneState())
    strand = find_strands(frame, find_lanes(frame)[0])[5]
    middle = (strand.points[1] + strand.points[2]) / 2
    assert strand_at(frame, find_lanes(frame)[0], *middle, 4.0) == strand.cable


@pytest.mark.parametrize(
    ("template", "parameters"), [("roce-24k", {"pods": 4}), ("rail-optimized", {"gpus": 8192})]
)
def test_at_cluster_level_every_device_is_in_a_block_and_every_trunk_in_a_band(
    template, parameters
):
    design = new_design(template, CATALOG, **parameters)
    columns = SceneColumns.from_design(design)
    view = fit(columns, 1600, 1000)
    frame = make_frame(columns, view, SceneState())
    assert frame.level == CLUSTER
    found, links = blocks(frame), block_links(frame)
    assert (found.of >= 0).all()
    inside = found.of[columns.bundles.a] == found.of[columns.bundles.b]
    assert links.count.sum() == columns.bundles.count[~inside].sum()
    x, y, w, h = found.box.T
    for k in range(len(found.box)):
        apart = (np.abs(x + w / 2 - x[k] - w[k] / 2) >= (w + w[k]) / 2 - 0.5) | (
            np.abs(y + h / 2 - y[k] - h[k] / 2) >= (h + h[k]) / 2 - 0.5
        )
        apart[k] = True
        assert apart.all()
        hit_ = hit(frame, float(x[k] + w[k] / 2), float(y[k] + h[k] / 2))
        assert hit_.kind == "block"
        assert set(hit_.devices) == {columns.ids[i] for i in np.flatnonzero(found.of == k)}


def test_a_block_shows_its_hottest_link_never_the_mean():
    design = new_design("rail-optimized", CATALOG, gpus=8192)
    columns = SceneColumns.from_design(design)
    trunk = next(c for c in design.cables.values() if "spine" in c.b.device + c.a.device)
    state = SceneState(colour="utilization", utilization={trunk.id: 0.97})
    frame = make_frame(columns, fit(columns, 1600, 1000), state)
    links = block_links(frame)
    assert np.nanmax(links.load) == pytest.approx(0.97)


def test_findings_are_marked_with_a_shape_of_their_own():
    design = new_design("rail-optimized", CATALOG)
    columns = SceneColumns.from_design(design)
    trunk = next(c.id for c in design.cables.values() if c.count > 1)
    drop = next(c.id for c in design.cables.values() if c.count == 1)
    state = SceneState(marks={"leaf-5": "warning", trunk: "error", drop: "warning"})
    picture = compose(columns, fit(columns, 1600, 1000), state)
    icons = [i[0] for item in picture.items if isinstance(item, Icons) for i in item.items]
    assert icons.count("warning") == 2
    assert icons.count("error") == 1
    dashed = [i for i in picture.items if getattr(i, "dash", ())]
    assert len(dashed) == 2
