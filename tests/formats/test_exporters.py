"""Graphs for other programs: every link an edge, nothing collapsed, any name survives."""

import io

import networkx
from hypothesis import given, settings

from designer.formats import native
from designer.formats.exporters import EXPORTERS, dot, graphml, multigraph
from designer.model import operations, wiring
from designer.model.design import Design
from designer.model.records import PortRange
from tests.formats.drawings import designs
from tests.model.parts import SERVER, SWITCH


def small():
    design = Design()
    design.apply(operations.place(design, SWITCH, 10, 20, name='leaf "1"'))
    design.apply(operations.place(design, SERVER, 0, 0, name="srv"))
    ids = [design.named(n).id for n in ("srv", 'leaf "1"')]
    edit = wiring.connect(
        design, PortRange(ids[0], "nic", 1, 4), PortRange(ids[1], "fabric", 9, 4), length_m=3.5
    )
    design.apply(edit)
    return design, ids


def links(design):
    return sum(
        c.count
        for c in design.cables.values()
        if c.a.device in design.devices and c.b.device in design.devices
    )


def test_graphml_holds_every_link_with_its_ports():
    design, (server, leaf) = small()
    graph = networkx.read_graphml(io.BytesIO(graphml(design).encode()), force_multigraph=True)
    assert graph.number_of_edges() == 4
    assert graph.nodes[server]["gpus"] == 8
    assert graph.nodes[leaf]["name"] == 'leaf "1"'
    assert (graph.nodes[leaf]["x"], graph.nodes[leaf]["y"]) == (10.0, 20.0)
    edges = sorted(d["target_port"] for _a, _b, d in graph.edges(data=True))
    assert edges == ["P10", "P11", "P12", "P9"]
    one = next(iter(graph.edges(data=True)))[2]
    assert one["rate_bits_per_s"] == 400e9
    assert one["length_m"] == 3.5


def test_dot_holds_every_link_with_its_ports():
    design, _ids = small()
    lines = dot(design).splitlines()
    assert lines[0] == 'graph "network" {'
    assert '  "srv":"NIC 1" -- "leaf \\"1\\"":"P9" [rate_bits_per_s=400000000000];' in lines
    assert sum(" -- " in x for x in lines) == 4


def test_devices_of_one_name_stay_two_nodes_in_dot():
    design, (server, leaf) = small()
    design.devices[leaf] = type(design.devices[leaf])(
        leaf, "srv", design.devices[leaf].type, "leaf"
    )
    text = dot(design)
    assert f'"srv ({leaf})"' in text
    assert f'"srv ({server})":"NIC 1" -- "srv ({leaf})":"P9"' in text


@given(designs())
@settings(max_examples=30)
def test_any_drawing_can_be_written(design):
    graph = networkx.read_graphml(io.BytesIO(graphml(design).encode()), force_multigraph=True)
    assert graph.number_of_edges() == links(design) == multigraph(design).number_of_edges()
    assert graph.number_of_nodes() == len(design.devices)
    assert dot(design).count('":"') >= 2 * links(design)
    dot(design).encode()


def test_registry():
    design, _ids = small()
    assert {e.ending for e in EXPORTERS.values()} == {".railspine.json", ".graphml", ".dot"}
    for exporter in EXPORTERS.values():
        assert exporter.text(design)
        assert exporter.title
    assert EXPORTERS["railspine"].text(design) == native.dumps(design)
