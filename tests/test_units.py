"""Quantities: units written out, read back, by locale."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer import units
from designer.errors import ParameterError
from designer.messages import set_language
from designer.units import Range


@pytest.fixture
def portuguese():
    set_language("pt_BR")
    yield
    set_language("en")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("16GiB", 16 * 2**30),
        ("1 GB", 10**9),
        ("512MiB", 512 * 2**20),
        ("8B", 8),
        ("8", 8),
        ("1e9", 10**9),
        ("1,024", 1024),
        ("64k", 64_000),
    ],
)
def test_sizes_are_binary_only_with_an_i(text, value):
    assert units.parse_size(text) == value


@pytest.mark.parametrize(
    "text", ["", "GiB", "-1GB", "1 XB", "1GiB/s", "nan", "1.2.3GB", "1,5GiB", "1e400", "9" * 400]
)
def test_what_is_no_size_is_refused(text):
    with pytest.raises(ParameterError):
        units.parse_size(text)


@pytest.mark.parametrize("text", ["1,5", "1,2345", "1.5.2", ",5", "1,,000", "12,34,567", "inf"])
def test_marks_that_do_not_part_thousands_are_no_number(text):
    with pytest.raises(ParameterError):
        units.parse_number(text)


def test_a_comma_in_a_portuguese_size_is_no_mark_of_thousands(portuguese):
    assert units.parse_size("1,5MB") == 1_500_000
    assert units.parse_size("1.5MB") == 1_500_000
    assert units.parse_size("1.024MiB") == 1024 * 2**20


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 6))
def test_any_number_can_be_written(value, figures):
    for form in (units.format_number, units.format_bytes, units.format_time, units.format_money):
        assert form(value)
    assert units.format_significant(value, figures)


def test_units_are_written_out():
    assert units.format_bytes_per_s(40_500) == "40.5 kB/s"
    assert units.format_number(1e30) == "1e30"
    assert units.format_bytes(1.411e300) == "1.41e285 PB"
    assert units.format_bits_per_s(400e9) == "400 Gb/s"
    assert units.format_bits_per_s(6.4e12) == "6.4 Tb/s"
    assert units.format_bytes_per_s(368e9) == "368 GB/s"
    assert units.format_time(5.81e-3) == "5.81 ms"
    assert units.format_time(0.9999e-3) == "1 ms"
    assert units.format_percent(0.149) == "14.9 %"
    assert units.format_ratio(1.0667) == "1.07 : 1"
    assert units.format_money(1.04e6) == "$1.04 M"
    assert units.format_money(-36_000) == "−$36 k"
    assert units.format_money(950) == "$950"
    assert units.format_binary_size(2**30) == "1 GiB"
    assert units.format_power(10_200) == "10.2 kW"


def test_portuguese_numbers_use_comma_and_point(portuguese):
    assert units.format_number(1074) == "1.074"
    assert units.format_percent(0.149) == "14,9 %"
    assert units.format_money(1.9e6) == "US$ 1,9 mi"
    assert units.parse_number("1.234,5") == 1234.5
    assert units.parse_number("0,95") == 0.95


@given(st.floats(-1e12, 1e12, allow_nan=False))
def test_numbers_read_back(value):
    text = units.format_number(value)
    assert units.parse_number(text) == pytest.approx(value, rel=1e-12, abs=5.1e-4)


@given(*[st.floats(0.1, 1e6)] * 4)
def test_interval_arithmetic_holds_the_typical_value(a, b, c, d):
    x, y = Range(min(a, b), (a + b) / 2, max(a, b)), Range(min(c, d), (c + d) / 2, max(c, d))
    for z in (x + y, x - y, x * y, x / y):
        slack = 1e-9 * max(abs(z.low), abs(z.high), 1)
        assert z.low - slack <= z.typical <= z.high + slack


def test_dividing_by_a_range_around_zero_fails():
    with pytest.raises(ZeroDivisionError):
        Range(1, 1, 1) / Range(-1, 0.5, 1)
