"""All-to-all with and without a relay over NVLink, and what static hashing may do."""

import pytest

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.options import OPERATIONS, Options
from designer.model.edits import Edit, Swap
from designer.model.records import AssumptionValue
from designer.units import Range
from tests.engine.builders import rail_fabric
from tests.engine.test_analyze import gpu, star

CATALOG = default_catalog()


def run(design, **options):
    return analyze(design, Options(**options), CATALOG)


@pytest.fixture(scope="module")
def design():
    """4 units of 4 servers; leaves with 2 uplinks for 4 NICs."""
    return rail_fabric(4, 4).build()


def test_relay_keeps_an_all_to_all_off_the_spines_inside_a_unit():
    """One unit, two uplinks for four NICs: with rails aligned nothing leaves a leaf."""
    one = rail_fabric(1, 4).build()
    key = "collectives.all_to_all.relay"
    both = run(one, relay="on", routing="ecmp").get(key)
    assert both["without_s"] > both["with_s"] * 1.2


def test_either_way_gives_the_same_two_times_and_the_one_asked_for_counts(design):
    on, off, auto = (run(design, relay=r) for r in ("on", "off", "auto"))
    key = "collectives.all_to_all"
    assert on.get(f"{key}.relay") == pytest.approx(off.get(f"{key}.relay"))
    assert on.get(f"{key}.time_s") == on.get(f"{key}.relay.with_s")
    assert off.get(f"{key}.time_s") == off.get(f"{key}.relay.without_s")
    assert auto.get(f"{key}.time_s") == on.get(f"{key}.time_s")
    assert auto.get(f"{key}.relay") is None
    assert auto.reason(f"{key}.relay")
    assert on.get("collectives.all_reduce") == off.get("collectives.all_reduce")


def test_without_nvlink_there_is_one_way():
    spec = gpu(nvlink_bytes_per_s=None, pcie_bytes_per_s=64e9, internal_nvswitch=False)
    results = run(star((4, 4), (4, 4), **spec).build(), relay="on")
    assert results.get("collectives.all_to_all.time_s") > 0
    assert results.get("collectives.all_to_all.relay") is None
    assert results.reason("collectives.all_to_all.relay")


def test_seeds_of_hashing_give_a_distribution(design):
    results = run(design, fabric="rocev2", routing="hashed", algorithm="ring")
    found = results.get("collectives.all_reduce")
    spread = found["hashing"]
    assert spread["p50_s"] <= spread["p95_s"] <= spread["worst_s"]
    assert found["time_s"] <= spread["p95_s"] * (1 + 1e-9)
    even = run(design, fabric="rocev2", routing="ecmp", algorithm="ring")
    assert spread["p50_s"] >= even.get("collectives.all_reduce.time_s") * (1 - 1e-9)


def test_more_queue_pairs_bring_the_worst_seed_closer():
    """Untuned RoCE has one flow a connection, tuned RoCE several."""
    worst = []
    for level in (0, 1):
        design = rail_fabric(4, 4).build()
        one = AssumptionValue(Range.exact(level), "test")
        design.apply(Edit("tuning", (Swap("assumptions", "roce_tuning", None, one),)))
        found = run(design, fabric="rocev2", routing="hashed", algorithm="ring")
        spread = found.get("collectives.all_reduce.hashing")
        worst.append(spread["worst_s"] / spread["p50_s"])
    assert worst[1] <= worst[0]


def test_what_is_not_hashed_says_so(design):
    results = run(design, fabric="infiniband")
    for name in OPERATIONS:
        assert results.get(f"collectives.{name}.hashing") is None
        assert results.reason(f"collectives.{name}.hashing")
