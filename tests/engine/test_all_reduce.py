"""All-reduce against published measurements, hand-worked sums, and what a drawing does to it."""

import pytest

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.options import Options
from designer.model.operations import remove
from designer.topologies import generate

CATALOG = default_catalog()


def reduce(design, **options):
    return analyze(design, Options(**options), CATALOG).values["collectives"]["all_reduce"]


def test_one_server_ring_and_nvls():
    # H200, 8 GPUs: ring 367.6 GB/s and NVLS 482.3 at 16 GiB (stas00/ml-engineering, network README)
    values = reduce(generate("rail-optimized", CATALOG, gpus=8, server="dgx-h200"))
    assert values["algorithm"] == "nvls"
    last = values["curve"][-1]
    assert last["bus_bandwidth_bytes_per_s"] == pytest.approx(482.3e9, rel=0.03)
    ring = 2 * 7 / 8 * 2**30 / values["algorithms"]["ring"]
    assert ring == pytest.approx(367.6e9, rel=0.03)


def test_a_ring_over_64_servers_by_hand():
    # 8 GiB on 512 H100: 8.4 + 896 x 3.4 + 126 x 14 us = 4.82 ms; 2 x 511/512 x 8.59 GB over
    # 369.9 GB/s = 46.36 ms, as 8 NICs of 47.5 GB/s are faster
    from designer.engine.all_reduce import all_reduce
    from designer.engine.compile import compile_network
    from designer.engine.routing import route

    design = generate("rail-optimized", CATALOG, gpus=512)
    values, _why = all_reduce(design, route(compile_network(design)), 8 * 2**30)
    assert values["algorithms"]["ring"] == pytest.approx(0.00482 + 0.04636, rel=0.002)


def test_a_missing_nic_cable_slows_the_ring_and_is_named():
    design = generate("rail-optimized", CATALOG, gpus=64)
    before = reduce(design)
    cable = next(c.id for c in design.cables.values() if "srv-03" in (c.a.device, c.b.device))
    design.apply(remove(design, [cable]))
    after = reduce(design)
    assert after["algorithms"]["ring"] > before["algorithms"]["ring"]
    ends = design.cables[after["bottleneck"]]
    # seven NICs carry what eight did, at the server itself or where its neighbours send to it
    near = {"srv-02", "srv-03", "srv-04"}
    assert near & {ends.a.device, ends.b.device}


def test_oversubscription_slows_what_crosses_units():
    flat = reduce(generate("rail-optimized", CATALOG, gpus=768))
    thin = reduce(generate("rail-optimized", CATALOG, gpus=768, oversubscription=3))
    assert thin["time_s"] >= flat["time_s"]


@pytest.mark.parametrize(
    ("template", "parameters"),
    [("blank", {}), ("rail-optimized", {"gpus": 16, "server": "pcie-8gpu"}), ("nvl72", {})],
)
def test_what_is_unknown_says_why(template, parameters):
    results = analyze(generate(template, CATALOG, **parameters), None, CATALOG)
    assert results.get("collectives.all_reduce.time_s") is None
    assert results.reason("collectives.all_reduce.time_s")


def test_one_rack_is_one_domain():
    # 72 ranks in one NVLink domain: 835 to 850 GB/s measured (GB200, CoreWeave nccl-tests)
    values = reduce(generate("nvl72", CATALOG, racks=1))
    assert values["ranks"] == 72
    assert values["algorithm"] == "nvls"
    best = values["curve"][-1]["bus_bandwidth_bytes_per_s"]
    assert best == pytest.approx(840e9, rel=0.02)
    assert values["bottleneck"] is None
