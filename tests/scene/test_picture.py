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
from designer.scene.display_list import Circles, Curves, Icons, Rects, Texts
from designer.scene.frame import make_frame
from designer.scene.glyph_sizes import HOST, LEAF, SERVER, SPINE
from designer.scene.hits import hit
from designer.scene.lanes import find_lanes
from designer.scene.layout import arrange
from designer.scene.strands import Ports, find_strands, loose_strands, strand_at
from designer.scene.svg import svg
from designer.scene.switch_names import forms, inner, label
from designer.scene.theme import rail_color
from designer.scene.view import CLUSTER, PORT, SceneState, View, fit
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


def runs(picture):
    return [r for item in picture.items if isinstance(item, Texts) for r in item.runs]


@pytest.mark.parametrize("name", ["superpod-b300-spectrum", "superpod-h100", "nvl72"])
def test_the_switches_of_a_tier_are_named_alike_at_every_zoom(name):
    design = new_design(name, CATALOG)
    columns = SceneColumns.from_design(design)
    view = fit(columns, 1000, 560)
    for _step in range(8):
        frame = make_frame(columns, view, SceneState())
        for role in (LEAF, SPINE):
            rows = np.flatnonzero(columns.role == role)
            found = [
                label(frame, int(r), inner(frame, int(r))[1] - inner(frame, int(r))[0])
                for r in rows
            ]
            assert len({size for _text, size in found}) == 1
            assert len({text == "" for text, _size in found}) == 1, "all of a tier, or none"
            cut = [text for text, _size in found if text.endswith("…")]
            assert len(cut) <= 0.1 * len(found)
        view = view.zoomed(1.5, 500, 280)


def test_a_shortened_name_still_tells_units_apart():
    texts = [text for text, _size in forms("su01-a-leaf-3", 12.0)]
    assert texts[0] == "su01-a-leaf-3" and "su01-a-3" in texts and texts[-1] == "3"
    assert [t for t, _s in forms("leaf-7", 12.0)][-1] == "7"
    assert [t for t, _s in forms("spine", 12.0)][-1] == "spine", "a name is never empty"
    assert "B09-P1-01-05" in [t for t, _s in forms("B09-P1-IBLEAF-01-05", 12.0)]


@pytest.mark.parametrize("scale", [0.02, 0.03, 0.05, 0.08, 0.2, 0.5])
def test_the_second_line_of_a_switch_is_whole_or_not_there(scale):
    design = new_design("superpod-h100", CATALOG)
    columns = SceneColumns.from_design(design)
    leaf = columns.index[design.named("su01-leaf-3").id]
    x, y = columns.x[leaf] - 500 / scale, columns.y[leaf] - 280 / scale
    picture = compose(columns, View(1000, 560, scale, float(x), float(y)))
    assert not [r.text for r in runs(picture) if "rai" in r.text and "…" in r.text]


@pytest.mark.parametrize("zoom", [1.0, 2.0, 6.0])
def test_marks_cover_neither_each_other_nor_the_glyphs_beside(zoom):
    design = new_design("superpod-h100", CATALOG)
    columns = SceneColumns.from_design(design)
    marks = dict.fromkeys(design.devices, "warning")
    view = fit(columns, 1000, 560).zoomed(zoom, 500, 400)
    before = len(compose(columns, view).items)
    picture = compose(columns, view, SceneState(marks=marks))
    spots = np.concatenate(
        [i.xyr for i in picture.items if isinstance(i, Circles) and i.stroke == "warn"]
    )
    assert len(spots) and len(picture.items) > before
    gap = np.hypot(*(spots[:, None, :2] - spots[:, :2]).transpose(2, 0, 1))
    gap += np.where(np.eye(len(spots)) > 0, np.inf, 0)
    assert (gap >= spots[:, None, 2] + spots[:, 2] - 1).all()


def test_hosts_stand_clear_of_the_servers_in_the_whole_picture():
    design = new_design("superpod-h100", CATALOG)
    columns = SceneColumns.from_design(design)
    frame = make_frame(columns, fit(columns, 1000, 560), SceneState())
    host = np.flatnonzero(columns.role == HOST)
    servers = np.flatnonzero(columns.role == SERVER)
    assert frame.top()[host].min() > frame.bottom()[servers].max()


def test_texts_at_the_edge_are_not_struck_through_nor_half_hidden():
    design = new_design("superpod-b300-spectrum", CATALOG)
    columns = SceneColumns.from_design(design)
    view = fit(columns, 1000, 560).zoomed(2.4, 560, 300)
    picture = compose(columns, view)
    words = {r.text for r in runs(picture)}
    assert "16 × SN5610" not in words, "leaves stand where the tier would be named"
    first = next(r for r in runs(picture) if r.text.startswith("Rail "))
    order = [k for k, item in enumerate(picture.items) if isinstance(item, Rects)]
    plates = np.concatenate(
        [picture.items[k].xywh for k in order if picture.items[k].fill == "canvas"]
    )
    held = (plates[:, 0] < first.x) & (first.x < plates[:, 0] + plates[:, 2])
    assert (held & (plates[:, 1] < first.y) & (first.y < plates[:, 1] + plates[:, 3])).any()


@pytest.mark.parametrize("name", ["superpod-b200", "superpod-h100", "nvl72", "rail-optimized"])
def test_every_tier_in_the_whole_picture_is_named_and_no_line_touches_another(name):
    design = new_design(name, CATALOG)
    columns = SceneColumns.from_design(design)
    for width, height in ((1000, 560), (1600, 900), (700, 400)):
        picture = compose(columns, fit(columns, width, height))
        if make_frame(columns, fit(columns, width, height), SceneState()).level == CLUSTER:
            continue
        gutter = [r for r in runs(picture) if r.x in (16, 37) and r.anchor == "start"]
        titles = {r.text for r in gutter if r.weight == 600}
        assert {"Spine", "Leaf", "Servers"} <= titles
        lines = sorted(r.y for r in gutter)
        assert min(np.diff(lines)) >= 12


def test_a_picture_of_thousands_of_trunks_leaves_ground_between_them():
    design = new_design("roce-24k", CATALOG)
    columns = SceneColumns.from_design(design)
    view = fit(columns, 1000, 560).zoomed(4.8, 560, 300)
    curves = [c for c in compose(columns, view).items if isinstance(c, Curves)]
    assert max(len(c.points) for c in curves) > 500
    assert all(c.width < 2.0 for c in curves if len(c.points) > 500)


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
