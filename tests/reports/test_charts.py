"""Report charts: well-formed SVG, values where they belong, nothing outside the picture."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.engine.fabrics import Flip
from designer.reports import charts
from designer.reports.chart_axis import Scale, ticks
from designer.units import Range, format_money

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    return ["".join(t.itertext()) for t in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@given(low=st.floats(-1e9, 1e9), span=st.floats(1e-3, 1e9), wanted=st.integers(2, 8))
def test_ticks_cover_the_range(low, span, wanted):
    high = low + span
    if high <= low:
        return
    found = ticks(low, high, wanted)
    slack = 1e-6 * max(abs(low), abs(high), span)
    assert found[0] <= low + slack
    assert found[-1] >= high - slack
    assert len(found) <= 3 * wanted


def test_ticks_are_round():
    assert ticks(3.6, 8.2, 4) == [2, 4, 6, 8, 10]
    assert ticks(0, 100, 5) == [0, 25, 50, 75, 100]
    assert ticks(5, 5) == [5]


def test_scale_maps_ends_to_ends():
    scale = Scale(0, 10, 100, 300)
    assert [scale.at(v) for v in (0, 5, 10)] == [100, 200, 300]
    assert Scale(1, 1, 0, 100).at(1) == 50


def test_range_chart_states_low_typical_and_high():
    rows = [
        charts.RangeRow("InfiniBand", Range(3.76e6, 5.72e6, 7.48e6), charts.IB),
        charts.RangeRow("RoCE <x>", Range(3.63e6, 5.92e6, 8.17e6), charts.ROCE, True),
    ]
    svg = charts.range_chart(rows, 1e6, "Total")
    found = texts(svg)
    for wanted in ("3.76", "5.72", "7.48", "InfiniBand", "RoCE <x>"):
        assert wanted in found
    assert svg.count("<circle") == 1  # a disc for InfiniBand, a square for RoCE


def flip(low, high, value=None):
    return Flip("k", "Name & more", "USD", 1.0, 0.5, 2.0, value, True, True, low, high)


def test_tornado_has_a_bar_on_each_side_of_zero():
    svg = charts.tornado(
        [flip(-4e5, 6e5), flip(1e5, 3e5)],
        2e5,
        [("a", "b"), ("c", "d")],
        ("left", "right", "today"),
        format_money,
        "t",
    )
    root = ElementTree.fromstring(svg)
    colours = [r.get("fill") for r in root.iter(f"{SVG}rect")]
    assert colours.count(charts.ROCE) == 1
    assert colours.count(charts.IB) == 2
    assert "today" in texts(svg)


@pytest.mark.parametrize("parts", [[], [0.0], [1.0, 2.0, 0.0]])
def test_stacked_bars_are_well_formed(parts):
    row = ("x", [charts.Part(str(i), v, charts.LOC1, "") for i, v in enumerate(parts)], "3 s")
    svg = charts.stacked_bars([row], "t")
    assert "3 s" in texts(svg)


def test_pair_bars_write_both_figures():
    svg = charts.pair_bars([("Switches", Range(1, 2, 3), Range(2, 4, 6))], format_money, "t")
    assert {"$2.00", "$4.00"} <= set(texts(svg))


def test_long_names_are_cut():
    svg = charts.tornado([flip(1, 2)], 1.5, [("x" * 200, "")], ("l", "r", "t"), format_money, "t")
    assert max(len(t) for t in texts(svg)) <= 60
