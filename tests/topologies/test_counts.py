"""Generated networks against published component counts, and their wiring by the records."""

from collections import Counter

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.errors import DesignerError, ParameterError
from designer.model.ports import all_ports, link_speed, port_users
from designer.topologies import TEMPLATES, generate

CATALOG = default_catalog()

# NVIDIA DGX SuperPOD H100, RA-11333-001 V11: Table 4 (1 to 4 units, UFM displaces one node; the
# node-leaf column counts four UFM ports) and Table 3; B200 and B300 reference architectures, their
# component count tables. Columns: leaf, spine, core, server-leaf (+ UFM), leaf-spine, spine-core.
SUPERPODS = [
    ("superpod-h100", 1, 248, (8, 4, 0, 252, 256, 0)),
    ("superpod-h100", 2, 504, (16, 8, 0, 508, 512, 0)),
    ("superpod-h100", 3, 760, (24, 16, 0, 764, 768, 0)),
    ("superpod-h100", 4, 1016, (32, 16, 0, 1020, 1024, 0)),
    ("superpod-h100", 8, 2048, (64, 32, 0, 2048, 2048, 0)),
    ("superpod-h100", 16, 4096, (128, 128, 64, 4096, 4096, 4096)),
    ("superpod-h100", 32, 8192, (256, 256, 128, 8192, 8192, 8192)),
    ("superpod-h100", 64, 16384, (512, 512, 256, 16384, 16384, 16384)),
    ("superpod-b200", 2, 512, (16, 8, 0, 512, 512, 0)),
    ("superpod-b200", 4, 1024, (32, 16, 0, 1024, 1024, 0)),
    ("superpod-b200", 8, 2048, (64, 32, 0, 2048, 2048, 0)),
    ("superpod-b200", 16, 4096, (128, 128, 64, 4096, 4096, 4096)),
    ("superpod-b200", 32, 8192, (256, 256, 128, 8192, 8192, 8192)),
    ("superpod-b200", 64, 16384, (512, 512, 256, 16384, 16384, 16384)),
    ("superpod-b300-xdr", 1, 576, (8, 4, 0, 576, 576, 0)),
    ("superpod-b300-xdr", 2, 1152, (16, 8, 0, 1152, 1152, 0)),
    ("superpod-b300-xdr", 4, 2304, (32, 18, 0, 2304, 2304, 0)),
    ("superpod-b300-xdr", 8, 4608, (64, 36, 0, 4608, 4608, 0)),
    ("superpod-b300-xdr", 18, 10368, (144, 72, 0, 10368, 10368, 0)),
    ("superpod-b300-spectrum", 1, 512, (16, 8, 0, 512, 512, 0)),
    ("superpod-b300-spectrum", 2, 1024, (32, 16, 0, 1024, 1024, 0)),
    ("superpod-b300-spectrum", 4, 2048, (64, 32, 0, 2048, 2048, 0)),
    # two planes of 400G links: the published 4,096 and 8,192 runs of 800G are two links each
    ("superpod-b300-spectrum", 8, 4096, (128, 64, 0, 8192, 8192, 0)),
    ("superpod-b300-spectrum", 16, 8192, (256, 128, 0, 16384, 16384, 0)),
]


def counted(design):
    roles = Counter(d.role for d in design.devices.values())
    role = {i: d.role for i, d in design.devices.items()}
    pairs, links = Counter(), Counter()
    for cable in design.cables.values():
        pairs[role[cable.a.device], role[cable.b.device]] += cable.count
    for ends, count in pairs.items():
        links["-".join(sorted(ends))] += count
    return (
        roles["leaf"],
        roles["spine"],
        roles["core"],
        links["leaf-server"] + links["host-leaf"],
        links["leaf-spine"],
        links["core-spine"],
    )


def gpus(design):
    return sum(design.gpus(d) or 0 for d in design.devices.values())


def check_wiring(design):
    """Each port exists and has one cable, every link has a speed, leaves spread evenly."""
    for device in design.devices.values():
        users = port_users(design, device)
        assert all(len(u) == 1 for u in users.values()), device.name
        for family in {p.family for p in users}:
            assert {p for p in users if p.family == family} <= set(
                all_ports(design, device, family)
            ), device.name
    for cable in design.cables.values():
        assert link_speed(design, cable), cable
    spread = {}
    for cable in design.cables.values():
        one, two = (design.devices[e.device] for e in (cable.a, cable.b))
        if {one.role, two.role} == {"leaf", "spine"}:
            leaf, spine = (one, two) if one.role == "leaf" else (two, one)
            spread.setdefault(leaf.id, Counter())[spine.id] += cable.count
    assert len({tuple(sorted(c.values())) for c in spread.values()}) <= 1


@pytest.mark.parametrize(("template", "units", "total", "expected"), SUPERPODS)
def test_superpods_have_the_published_counts(template, units, total, expected):
    design = generate(template, CATALOG, scalable_units=units)
    assert gpus(design) == total
    assert counted(design) == expected
    if total <= 2400:
        check_wiring(design)


# template, most units, leaves a unit, ports up of a leaf, spine ports, from which unit three tiers
RULES = [
    ("superpod-h100", 64, 8, 32, 64, 9),
    ("superpod-b200", 64, 8, 32, 64, 9),
    ("superpod-b300-xdr", 18, 8, 72, 144, 19),
    ("superpod-b300-spectrum", 4, 16, 32, 64, 5),
]


@pytest.mark.parametrize(("template", "most", "leaves", "up", "ports", "three"), RULES)
def test_every_number_of_units_in_between(template, most, leaves, up, ports, three):
    for units in range(1, most + 1):
        design = generate(template, CATALOG, scalable_units=units)
        leaf, spine, core, down, trunk, top = counted(design)
        assert leaf == leaves * units
        assert trunk == leaf * up
        # UFM takes four of the eight leaf ports of the server it displaces
        with_ufm = template == "superpod-h100" and units <= 4
        assert down == trunk - (4 if with_ufm else 0)
        if units < three:
            # the smallest divisor of a leaf's uplinks that has ports enough for all of them
            fits = [d for d in range(1, up + 1) if up % d == 0 and d * ports >= trunk]
            assert (spine, core, top) == (fits[0], 0, 0)
        else:
            # pods of 32 leaves: full spines, as many cables up as down, whole core groups
            pods = -(-units // 4)
            assert spine == 32 * pods
            assert top == spine * 32
            assert core % 32 == 0
            assert core * ports >= top


@pytest.mark.parametrize(
    ("template", "units"),
    [
        ("superpod-h100", 2),
        ("superpod-h100", 3),
        ("superpod-b200", 2),
        ("superpod-b300-xdr", 1),
        ("superpod-b300-spectrum", 2),
        ("superpod-b200", 10),
    ],
)
def test_wiring_bisection_and_reach(template, units):
    design = generate(template, CATALOG, scalable_units=units, ufm=False)
    check_wiring(design)
    graph = networkx.Graph()
    for cable in design.cables.values():
        graph.add_edge(cable.a.device, cable.b.device)
    assert networkx.is_connected(graph)
    # not oversubscribed: half of the GPUs reach the other half at the rate of their NICs
    results = analyze(design, None, CATALOG)
    per_gpu = results.get("capacity.nic_bits_per_s_per_gpu")
    half = gpus(design) / 2 * per_gpu
    if units % 2 == 0 or units == 1:
        assert results.get("capacity.bisection_bits_per_s") == pytest.approx(half)
    assert results.get("capacity.oversubscription.leaf") == pytest.approx(1)


def test_hpn_segment_and_pod():
    # Qian et al., Alibaba HPN, SIGCOMM 2024: 16 ToRs a segment; 15 segments, 60 Agg a plane
    assert counted(generate("dual-plane", CATALOG, segments=1))[::3][:2] == (16, 2048)
    pod = generate("dual-plane", CATALOG, segments=15)
    assert gpus(pod) == 15360
    assert counted(pod) == (240, 120, 0, 30720, 14400, 0)


def test_fat_tree_formulas():
    # k-ary fat tree: k^3/4 hosts, 5k^2/4 switches (Al-Fares 2008); two tiers: R^2/2 hosts
    assert counted(generate("fat-tree", CATALOG, k=4)) == (8, 8, 4, 16, 16, 16)
    assert counted(generate("fat-tree", CATALOG, k=64)) == (2048, 2048, 1024, 65536, 65536, 65536)
    assert counted(generate("fat-tree", CATALOG, k=64, tiers="2")) == (64, 32, 0, 2048, 2048, 0)


def test_meta_24k():
    # Llama 3 Herd of Models, sec. 3.3.1: racks of 16 GPUs, 192 racks a pod, 8 pods
    design = generate("roce-24k", CATALOG)
    assert gpus(design) == 24576
    assert counted(design)[0] == 1536
    assert counted(design)[3:5] == (24576, 24576)
    assert analyze(design, None, CATALOG).get("capacity.oversubscription.spine") == pytest.approx(
        7, rel=0.03
    )


def test_the_classic_512():
    design = generate("cluster-512", CATALOG)
    assert counted(design) == (8, 4, 0, 512, 512, 0)
    check_wiring(design)


def test_nvl72_nvlink_cabling():
    # 18 trays of 72 links to 9 NVSwitch trays of 144: 162 cables of 8
    design = generate("nvl72", CATALOG, racks=1)
    nvlink = [c for c in design.cables.values() if c.a.family == "nvlink"]
    assert (len(nvlink), sum(c.count for c in nvlink)) == (162, 1296)
    check_wiring(design)


@pytest.mark.parametrize("name", TEMPLATES)
def test_no_template_has_an_error(name):
    results = analyze(generate(name, CATALOG), None, CATALOG)
    assert not [f for f in results.findings if f.severity == "error"]


@settings(max_examples=40)
@given(st.integers(1, 160), st.sampled_from([1, 2, 3]), st.sampled_from(["qm9700", "q3400-ra"]))
def test_odd_sizes_are_right_or_refused(servers, ratio, leaf):
    try:
        design = generate(
            "rail-optimized", CATALOG, gpus=8 * servers, oversubscription=ratio, leaf=leaf
        )
    except DesignerError:
        return
    assert gpus(design) == 8 * servers
    check_wiring(design)
    graph = networkx.MultiGraph()
    for cable in design.cables.values():
        graph.add_edge(cable.a.device, cable.b.device)
    assert networkx.is_connected(graph)


@pytest.mark.parametrize(
    "bad",
    [
        {"gpus": 12},
        {"gpus": 0},
        {"gpus": "many"},
        {"colour": "red"},
        {"oversubscription": 0.1},
        {"server": "qm9700"},
        {"tiers": "7"},
        {"leaf": "no-such"},
    ],
)
def test_bad_parameters_are_refused_with_a_hint(bad):
    with pytest.raises(DesignerError) as fault:
        generate("rail-optimized", CATALOG, **bad)
    assert fault.value.message


def test_unknown_templates_are_refused():
    with pytest.raises(ParameterError, match="No template"):
        generate("rail", CATALOG)
