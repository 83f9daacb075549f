"""The two technologies on one drawing: substitutions, latency, verdict, flips, explanations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.catalog.load import default_catalog
from designer.engine.census import take_census
from designer.engine.compare import evaluate_fabric
from designer.engine.comparison import compare_fabrics
from designer.engine.cost import typical
from designer.engine.explain_money import explain_fabric, explain_verdict
from designer.engine.fabrics import FabricPerformance
from designer.engine.verdict import difference_at, verdict
from designer.model.design import Design
from designer.model.records import AssumptionValue
from designer.units import Range
from tests.engine.drawings import fabric

CATALOG = default_catalog()


def both(design, one=0.15, two=0.17, spread=0.0):
    def performance(share, throughput):
        low, high = share * (1 - spread), share * (1 + spread)
        return FabricPerformance(
            6e-3, 4.0 / throughput, 0.2, Range(low, share, high), throughput, "", 3
        )

    census = take_census(design)
    ratio = (1 - two) / (1 - one)
    return (
        evaluate_fabric(design, CATALOG, "infiniband", performance(one, 1.0), census),
        evaluate_fabric(design, CATALOG, "rocev2", performance(two, ratio), census),
    )


def test_drawing_is_evaluated_as_drawn_and_as_its_twin():
    one, two = both(fabric(4, 2))
    assert one.substitutions == ()
    assert [(s.old, s.new) for s in two.substitutions] == [("qm9700", "sn5400")]
    again = both(fabric(4, 2, switch="sn5400", server="hgx-h100"))
    assert [(s.old, s.new) for s in again[0].substitutions] == [("sn5400", "qm9700")]


def test_results_object_has_the_keys_of_the_contract():
    found = both(fabric(4, 2))[1].as_dict()
    wanted = {
        "latency_s",
        "all_reduce_time_s",
        "step_time_s",
        "gpu_idle_share",
        "network_idle_share",
        "relative_throughput",
        "tuning",
        "capex_usd",
        "power_w",
        "opex_usd_per_year",
        "idle_gpu_usd_per_year",
        "tco_usd",
        "usd_per_gpu",
    }
    assert wanted <= set(found)
    assert set(found["capex_usd"]) == {
        "switches",
        "nics",
        "optics",
        "cables",
        "nvswitch_trays",
        "licences",
        "spares",
        "total",
    }
    assert set(found["opex_usd_per_year"]) == {"power", "staff", "support", "total"}
    assert set(found["tco_usd"]) == {"low", "typical", "high"}


def test_missing_values_have_reasons():
    found = evaluate_fabric(fabric(2, 2), CATALOG, "infiniband", FabricPerformance())
    assert found.as_dict()["tco_usd"] is None
    for key in ("tco_usd", "idle_gpu_usd_per_year", "usd_per_gpu", "latency_s"):
        assert found.reasons[key]


def test_latency_lies_in_the_published_ranges():
    # Published end to end: InfiniBand 1 to 2 µs, RoCE 2 to 5 µs; one leaf apart, three switches
    design = fabric(4, 2)
    one = evaluate_fabric(design, CATALOG, "infiniband", FabricPerformance(hops=1))
    two = evaluate_fabric(design, CATALOG, "rocev2", FabricPerformance(hops=3))
    assert one.latency_s is not None
    assert two.latency_s is not None
    assert 1e-6 <= one.latency_s.typical <= 2e-6
    assert 2e-6 <= two.latency_s.typical <= 5e-6


def test_latency_by_hand():
    # 2 x 600 ns + 3 x 150 ns (QM9700) + 2 x (15 + 30) m x 5 ns/m = 2.1 µs
    found = evaluate_fabric(fabric(4, 2), CATALOG, "infiniband", FabricPerformance(hops=3))
    assert found.latency_s is not None
    assert found.latency_s.typical == pytest.approx(2.1e-6)


def test_latency_grows_with_cable_length():
    short = fabric(4, 2, length_m=10.0)
    long = fabric(4, 2, length_m=40.0)
    values = [
        evaluate_fabric(d, CATALOG, "infiniband", FabricPerformance(hops=3)).latency_s.typical
        for d in (short, long)
    ]
    assert values[1] - values[0] == pytest.approx(4 * 30 * 5e-9)


def test_much_slower_technology_loses_beyond_the_ranges():
    found = verdict(*both(fabric(32, 16, 2, units=4), 0.05, 0.45))
    assert found.choice == "infiniband"
    assert found.margin_usd is not None
    assert found.margin_usd.low > 0
    assert found.difference_usd == pytest.approx(found.margin_usd.typical)


def test_much_faster_roce_wins():
    found = verdict(*both(fabric(32, 16, 2, units=4), 0.45, 0.05))
    assert found.choice == "rocev2"
    assert found.margin_usd is not None
    assert found.margin_usd.low > 0
    assert found.difference_usd is not None
    assert found.difference_usd < 0


def test_near_equal_technologies_are_too_close_to_call():
    found = verdict(*both(fabric(32, 16, 2, units=4), 0.15, 0.152, spread=0.2))
    assert found.choice == "too_close_to_call"
    assert found.margin_usd is not None
    assert found.margin_usd.low <= 0 <= found.margin_usd.high
    assert "cheaper" in found.sentence


def test_difference_is_the_full_cost_per_training():
    # (network + GPUs) x step time, less the GPUs on an infinitely fast network, by hand
    one, two = both(fabric(8, 2), 0.1, 0.2)
    values = typical({**one.ledger.values, **two.ledger.values})
    gpu = 64 * values["gpu_hour_usd"] * 8760 * values["cluster_utilisation"] * values["years"]
    per_work = [((r.money.running.typical + gpu) / (1 - s)) for r, s in ((one, 0.1), (two, 0.2))]
    expected = (per_work[1] - per_work[0]) * (1 - 0.1)
    assert difference_at(one, two)(values) == pytest.approx(expected)


def test_flips_change_the_winner():
    one, two = both(fabric(32, 16, 2, units=4), 0.15, 0.165, spread=0.1)
    found = verdict(one, two)
    difference = difference_at(one, two)
    base = typical({**two.ledger.values, **one.ledger.values})
    assert found.flips
    for flip in found.flips:
        if flip.value is None:
            continue
        step = max(abs(flip.value), 1e-9) * 1e-6
        around = [difference({**base, flip.key: flip.value + s}) for s in (-step, step)]
        assert around[0] * around[1] <= 0, flip.key
        assert flip.inside == (flip.low <= flip.value <= flip.high)
        assert flip.above == (flip.value > flip.now)


def test_flips_are_sorted_by_effect_and_named():
    found = verdict(*both(fabric(32, 16, 2, units=4), spread=0.1))
    spreads = [abs(f.margin_high - f.margin_low) for f in found.flips]
    assert spreads == sorted(spreads, reverse=True)
    assert all(f.label and "price." not in f.label for f in found.flips)


@given(one=st.floats(0.01, 0.5), two=st.floats(0.01, 0.5))
def test_verdict_agrees_with_its_own_range(one, two):
    found = verdict(*both(fabric(8, 2), one, two))
    assert found.margin_usd is not None
    assert found.difference_usd is not None
    assert found.margin_usd.low <= found.margin_usd.typical <= found.margin_usd.high
    decided = found.margin_usd.low > 0
    assert decided == (found.choice != "too_close_to_call")
    if decided:
        assert found.choice == ("infiniband" if found.difference_usd > 0 else "rocev2")


def test_without_a_step_the_verdict_rests_on_money():
    results = [
        evaluate_fabric(fabric(4, 2), CATALOG, f, FabricPerformance())
        for f in ("infiniband", "rocev2")
    ]
    found = verdict(*results)
    assert found.choice is not None
    assert "Performance is not counted" in found.reasons[0]


def test_nothing_drawn_gives_no_verdict():
    results = [
        evaluate_fabric(Design(), CATALOG, f, FabricPerformance()) for f in ("infiniband", "rocev2")
    ]
    found = verdict(*results)
    assert found.choice is None
    assert found.reason
    assert explain_verdict(*results, found) is None


def test_reasons_name_amounts():
    found = verdict(*both(fabric(32, 16, 2, units=4), 0.10, 0.2))
    text = " ".join(found.reasons)
    assert "20.0 %" in text
    assert "$" in text
    assert "One message" in text


def test_explanations_reach_their_numbers():
    design = fabric(32, 16, 2, units=4)
    one, two = both(design)
    for result in (one, two):
        found = explain_fabric(design, result)
        name = f"fabrics.{result.fabric}"
        expected = {
            f"{name}.capex_usd.total": result.money.capex_total,
            f"{name}.opex_usd_per_year.total": result.money.opex_total,
            f"{name}.idle_gpu_usd_per_year": result.money.idle,
            f"{name}.tco_usd": result.money.tco,
        }
        assert set(found) == set(expected)
        for key, value in expected.items():
            assert value is not None
            assert found[key].steps[-1].value == pytest.approx(value.typical)
            assert found[key].formula
            assert all(t.source for t in found[key].terms)
    capex = explain_fabric(design, two)["fabrics.rocev2.capex_usd.total"]
    assert sum(v for _n, v in capex.parts) == pytest.approx(two.money.capex_total.typical)
    made = explain_verdict(one, two, verdict(one, two))
    assert made is not None
    assert made.steps[0].value == pytest.approx(verdict(one, two).difference_usd)


def test_steps_of_capex_add_up():
    design = fabric(8, 2)
    result = both(design)[1]
    steps = explain_fabric(design, result)["fabrics.rocev2.capex_usd.total"].steps
    assert sum(s.value for s in steps[:-1]) == pytest.approx(steps[-1].value)


def test_assumption_of_the_design_counts():
    design = fabric(8, 2)
    before = both(design)[0].money.opex["staff"].typical
    design.assumptions["engineers_infiniband"] = AssumptionValue(Range.exact(3), "test")
    assert both(design)[0].money.opex["staff"].typical == pytest.approx(10 * before)


def test_comparison_in_one_go_fills_values_reasons_and_explanations():
    design = fabric(8, 2)
    one, two = (r.performance for r in both(design))
    found = compare_fabrics(design, CATALOG, {"infiniband": one, "rocev2": two})
    assert found.values()["verdict"]["choice"] == found.verdict.choice
    assert set(found.values()["fabrics"]) == {"infiniband", "rocev2"}
    assert "verdict.margin_usd" in found.explanations
    assert len(found.explanations) == 9
    empty = compare_fabrics(Design(), CATALOG, {})
    assert empty.values()["verdict"]["choice"] is None
    reasons = empty.reasons()
    assert reasons["verdict.choice"]
    assert reasons["fabrics.rocev2.tco_usd"]
