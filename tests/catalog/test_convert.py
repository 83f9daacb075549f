"""Part types survive the trip to plain values and JSON and back, whatever they hold."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.catalog.convert import part_from_dict, part_to_dict
from designer.catalog.load import default_catalog
from designer.catalog.types import (
    FAMILIES,
    KINDS,
    Breakout,
    CableSpec,
    GpuSpec,
    PartType,
    PortFamily,
    Price,
)
from designer.errors import CatalogError
from designer.units import Range

amounts = st.floats(min_value=0, max_value=1e18, allow_subnormal=False)
positives = st.floats(min_value=0, max_value=1e18, exclude_min=True, allow_subnormal=False)
rates = st.floats(min_value=0, max_value=1e15, allow_subnormal=False)
words = st.text(max_size=8)
ranges = st.tuples(amounts, amounts, amounts).map(lambda t: Range(*sorted(t)))
speeds = st.lists(rates, max_size=3).map(tuple)
breakouts = st.builds(Breakout, st.integers(2, 8), rates)
families = st.lists(
    st.builds(
        PortFamily, st.sampled_from(FAMILIES), st.integers(1, 600), words, speeds, words,
        st.integers(1, 4), st.lists(breakouts, max_size=2).map(tuple),
    ),
    max_size=4, unique_by=lambda f: f.family,
).map(tuple)  # fmt: skip
gpus = st.builds(
    GpuSpec, count=st.none() | st.integers(0, 72), model=words,
    nvlink_bytes_per_s=st.none() | positives, nvlink_links=st.integers(0, 36),
    internal_nvswitch=st.booleans(), bf16_flops=st.none() | positives,
    memory_bytes=st.none() | positives, pcie_bytes_per_s=st.none() | positives, architecture=words,
)  # fmt: skip
cables = st.builds(
    CableSpec, st.sampled_from(["passive_copper", "aoc", "single_mode"]), speeds, amounts, words,
    st.integers(1, 4),
)  # fmt: skip
texts = st.lists(words, max_size=3).map(tuple)
parts = st.builds(
    PartType, slug=words, kind=st.sampled_from(KINDS), vendor=words, model=words,
    technology=st.sampled_from(["infiniband", "ethernet", "nvlink", "any"]), rack_units=amounts,
    power_typical_w=st.none() | amounts, power_max_w=st.none() | amounts, ports=families,
    gpu=st.none() | gpus, nic=words, nic_slots=st.integers(0, 16), cable=st.none() | cables,
    price=st.none() | st.builds(Price, ranges, words, words), equivalents=texts,
    latency_s=st.none() | ranges, adaptive=st.booleans(), sharp=st.booleans(), source=words,
    checked=words, confidence=st.sampled_from(["found", "recalled", "estimate", "unknown"]),
    unsourced=texts, notes=words, imported=st.booleans(), aliases=texts,
)  # fmt: skip


@given(parts)
def test_any_part_comes_back_exactly(part):
    data = json.loads(json.dumps(part_to_dict(part)))
    assert part_from_dict(part.slug, data, "file") == part


@pytest.mark.parametrize("part", list(default_catalog()), ids=lambda p: p.slug)
def test_each_bundled_part_comes_back_exactly(part):
    data = json.loads(json.dumps(part_to_dict(part)))
    assert part_from_dict(part.slug, data, "file") == part
    assert None not in data.values()


MINIMAL = {"kind": "switch", "vendor": "V", "model": "M"}
PORT = {"family": "fabric", "count": 2, "name": "P{n}", "speeds_gbps": [400]}


def read(**more):
    return part_from_dict("x", MINIMAL | more, "file.toml")


def test_units_people_write_become_si():
    part = read(ports=[PORT], latency_ns={"low": 130, "typical": 150, "high": 330})
    assert part.ports[0].speeds == (400e9,)
    assert part.latency_s == Range(1.3e-07, 1.5e-07, 3.3e-07)


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ({"powr_max_w": 1}, "powr_max_w"),
        ({"power_max_w": -1}, "power_max_w"),
        ({"power_max_w": float("nan")}, "power_max_w"),
        ({"power_max_w": float("inf")}, "power_max_w"),
        ({"power_max_w": "9"}, "power_max_w"),
        ({"power_max_w": 1e308}, "power_max_w"),
        ({"power_max_w": 10**400}, "power_max_w"),
        ({"power_max_w": 10**5000}, "power_max_w"),
        ({"nic_slots": 10**30}, "nic_slots"),
        ({"ports": [PORT | {"count": 10**30}]}, "ports[1]: count"),
        ({"ports": [PORT | {"speeds_gbps": [1e9]}]}, "ports[1]: speeds_gbps[1]"),
        ({"gpu": {"count": 8, "bf16_tflops": 0}}, "gpu: bf16_tflops"),
        ({"gpu": {"count": 8, "nvlink_bytes_per_s": 0}}, "gpu: nvlink_bytes_per_s"),
        ({"gpu": {"count": 8, "memory_gb": 1e17}}, "gpu: memory_gb"),
        ({"power_max_w": True}, "power_max_w"),
        ({"adaptive": 1}, "adaptive"),
        ({"kind": "router"}, "kind"),
        ({"technology": "ip"}, "technology"),
        ({"confidence": "sure"}, "confidence"),
        ({"nic_slots": 1.5}, "nic_slots"),
        ({"nic_slots": -1}, "nic_slots"),
        ({"source": 3}, "source"),
        ({"aliases": "one"}, "aliases"),
        ({"aliases": [1]}, "aliases[1]"),
        ({"ports": {}}, "ports"),
        ({"ports": [3]}, "ports[1]"),
        ({"ports": [PORT | {"family": "uplink"}]}, "ports[1]: family"),
        ({"ports": [PORT | {"count": 0}]}, "ports[1]: count"),
        ({"ports": [PORT | {"speeds_gbps": [-4]}]}, "ports[1]: speeds_gbps[1]"),
        ({"ports": [PORT, PORT]}, "ports"),
        ({"ports": [PORT | {"speeds_bits_per_s": [4e11]}]}, "speeds_gbps"),
        ({"ports": [{"family": "fabric", "count": 1, "name": "P{n}"}]}, "speeds_gbps"),
        ({"ports": [PORT | {"breakouts": [{"lanes": 1, "speed_gbps": 4}]}]}, "breakouts[1]: lanes"),
        ({"gpu": {"cuda": 1}}, "cuda"),
        ({"cable": {"medium": "string", "speeds_gbps": [1], "reach_m": 1}}, "cable: medium"),
        ({"price": {"low": 1, "typical": 2}}, "high"),
        ({"price": {"low": 3, "typical": 2, "high": 4}}, "price"),
        ({"price": {"low": 1, "typical": 2, "high": 3, "currency": "EUR"}}, "price: currency"),
        ({"latency_ns": {"low": 1, "high": 2}}, "latency_ns"),
    ],
)
def test_a_fault_names_file_part_field_and_what_is_expected(more, place):
    with pytest.raises(CatalogError) as caught:
        read(**more)
    assert "file.toml: x" in caught.value.message
    assert place in caught.value.message
    assert caught.value.hint


def test_a_required_field_is_named():
    with pytest.raises(CatalogError, match="“vendor” is missing"):
        part_from_dict("x", {"kind": "nic", "model": "M"}, "file")


def test_a_slip_of_the_pen_gets_a_hint():
    with pytest.raises(CatalogError) as caught:
        read(rack_unit=2)
    assert "rack_units" in caught.value.hint
