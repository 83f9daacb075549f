"""Money: the published cost sheet, bounds by interval arithmetic, prices with their basis."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.catalog.load import default_catalog
from designer.catalog.types import Price
from designer.engine.bom import bill_of_materials
from designer.engine.cost import money, typical
from designer.engine.ledger import idle_key, keep_ledger
from designer.engine.prices import power_of, price_basis
from designer.engine.stock import Stock
from designer.model.assumption_list import PARAMETERS
from designer.model.design import Design
from designer.model.records import AssumptionValue
from designer.units import Range
from tests.engine.drawings import add, change, fabric

CATALOG = default_catalog()


def ledger_of(design, fabric_name="infiniband", share=None):
    technology = "infiniband" if fabric_name == "infiniband" else "ethernet"
    bom = bill_of_materials(design, CATALOG, technology)
    return keep_ledger(design, Stock(design, CATALOG), bom, fabric_name, share)


def money_of(design, fabric_name="infiniband", share=None):
    ledger = ledger_of(design, fabric_name, share)
    return money(ledger, ledger.values)


def assume(design, key, value):
    add_assumption = AssumptionValue(Range.exact(value), "test")
    design.assumptions[key] = add_assumption


def pod_1024():
    """1,024 GPUs in four units: 32 leaves, 16 spines, 2,048 links."""
    return fabric(32, 16, 2, units=4)


def test_published_cost_sheet_exactly_when_its_prices_are_entered():
    # Cost sheet of 2024-08 for 1,024 H100s: 48 x $36k = $1.728M, 2,048 links x $1,280 = $2.621M,
    # $4.349M together.
    design = pod_1024()
    price = Price(Range.exact(36_000), "2024-08", "cost sheet")
    change(design, "types", "qm9700", price=price)
    assume(design, "link_usd_infiniband", 1280)
    found = money_of(design)
    links = found.capex["cables"] + found.capex["optics"]
    assert found.capex["switches"].typical == 1_728_000
    assert links.typical == 2_621_440
    assert (found.capex["switches"] + links).typical == 4_349_440
    assert found.capex["optics"].typical == 0


def test_published_cost_sheet_lies_within_the_ranges_of_the_model():
    found = money_of(pod_1024())
    links = found.capex["cables"] + found.capex["optics"]
    for value, published in (
        (found.capex["switches"], 1_728_000),
        (links, 2_621_440),
        (found.capex["switches"] + links, 4_349_440),
    ):
        assert value.low <= published <= value.high


def test_formulas_by_hand():
    design = fabric(4, 2)
    for key, value in {
        "pue": 1.3,
        "electricity_usd_per_kwh": 0.1,
        "engineers_infiniband": 0.5,
        "engineer_usd_per_year": 100_000,
        "specialist_premium_infiniband": 1.2,
        "support_share": 0.05,
        "gpu_hour_usd": 2.0,
        "cluster_utilisation": 0.9,
        "years": 3,
        "spares_share": 0.02,
        "licence_share_infiniband": 0.1,
        "infiniband_optics_premium": 1.0,
    }.items():
        assume(design, key, value)
    ledger = ledger_of(design, share=Range.exact(0.1))
    values = typical(ledger.values)
    found = money(ledger, values)
    parts = sum(found.capex[k] for k in ("switches", "nics", "optics", "cables"))
    assert found.capex["switches"] == 10 * 36_000
    assert found.capex["nics"] == 32 * 1893.5
    assert found.capex["licences"] == pytest.approx(36_000)
    assert found.capex_total == pytest.approx(parts * 1.02 + 36_000)
    kilowatts = values["power_w.infiniband"] / 1000
    assert found.opex["power"] == pytest.approx(kilowatts * 8760 * 1.3 * 0.1)
    assert found.opex["staff"] == pytest.approx(60_000)
    assert found.opex["support"] == pytest.approx(0.05 * found.capex_total)
    assert found.idle == pytest.approx(32 * 2.0 * 8760 * 0.9 * 0.1)
    yearly = found.opex_total + found.idle
    assert found.tco == pytest.approx(found.capex_total + 3 * yearly)


def test_bounds_hold_every_point_between():
    ledger = ledger_of(pod_1024(), "rocev2", Range(0.05, 0.1, 0.2))
    bounds = money(ledger, ledger.values)
    for share in (0.0, 0.25, 0.5, 1.0):
        point = {k: v.low + share * (v.high - v.low) for k, v in ledger.values.items()}
        found = money(ledger, point)
        total = bounds.capex_total
        assert total.low * 0.999 <= found.capex_total <= total.high * 1.001
        assert bounds.tco.low <= found.tco <= bounds.tco.high


@given(data=st.data())
def test_bounds_hold_random_corners(data):
    ledger = ledger_of(fabric(2, 2), "infiniband", Range(0.05, 0.1, 0.2))
    bounds = money(ledger, ledger.values)
    point = {
        k: data.draw(st.floats(v.low, v.high), label=k) if v.low < v.high else v.low
        for k, v in ledger.values.items()
    }
    found = money(ledger, point)
    slack = 1e-9 * bounds.tco.high
    assert bounds.tco.low - slack <= found.tco <= bounds.tco.high + slack
    for key in bounds.capex:
        assert bounds.capex[key].low - slack <= found.capex[key] <= bounds.capex[key].high + slack


def test_typical_of_ranges_is_the_value_at_typical():
    ledger = ledger_of(pod_1024(), share=Range(0.1, 0.15, 0.2))
    assert money(ledger, ledger.values).tco.typical == pytest.approx(
        money(ledger, typical(ledger.values)).tco
    )


def test_without_idle_share_there_is_no_total():
    found = money_of(fabric(2, 2))
    assert found.idle is None
    assert found.tco is None
    assert found.running.typical > found.capex_total.typical


def test_unknown_gpus_leave_idle_money_unknown():
    design = fabric(2, 2)
    part = design.types["dgx-h100"]
    change(design, "types", "dgx-h100", gpu=replace(part.gpu, count=None))
    assert money_of(design, share=Range.exact(0.1)).idle is None


def test_only_the_compute_fabric_is_counted():
    design = fabric(2, 2)
    before = money_of(design).capex_total.typical
    change(design, "devices", "s0", fabric="storage")
    change(design, "devices", "s1", fabric="storage")
    after = money_of(design)
    assert after.capex["switches"].typical == 8 * 36_000
    assert after.capex_total.typical < before


def test_empty_design_costs_people_only():
    found = money_of(Design())
    assert found.capex_total.typical == 0
    assert found.opex["power"].typical == 0
    assert found.opex["staff"].typical > 0


def stock(design=None):
    return Stock(design or Design(), CATALOG)


def test_own_price_comes_first():
    basis = price_basis(stock(), CATALOG.get("qm9700"), "infiniband")
    assert basis is not None
    assert (basis.key, basis.scale, basis.ratio, basis.own) == ("price.qm9700", 1.0, 0, True)


def test_equivalent_without_a_price_takes_the_ratio_of_a_port():
    # model.md 6: price ratio per port, published range 1.5 to 2.5 in InfiniBand's disfavour
    basis = price_basis(stock(), CATALOG.get("sn5400"), "ethernet")
    assert basis is not None
    assert (basis.key, basis.scale, basis.ratio) == ("price.qm9700", 1.0, -1)
    assert "QM9700" in basis.note
    found = money_of(fabric(4, 2), "rocev2")
    assert found.capex["switches"].low == pytest.approx(10 * 35_000 / 2.5)
    assert found.capex["switches"].typical == pytest.approx(10 * 36_000 / 2)
    assert found.capex["switches"].high == pytest.approx(10 * 50_000 / 1.5)


def test_part_without_equivalent_is_scaled_by_ports_and_speed():
    same = price_basis(stock(), CATALOG.get("q3400-ra"), "infiniband")
    assert same is not None
    assert same.key == "price.qm9700"
    assert same.scale == pytest.approx(144 * 800 / (64 * 400))
    assert same.ratio == 0
    other = price_basis(stock(), CATALOG.get("q3400-ra"), "ethernet")
    assert other is not None
    assert other.ratio == -1
    assert "no equivalent" in other.note


def test_ethernet_drawn_counts_dearer_as_infiniband():
    design = fabric(4, 2, switch="generic-64x400g", server="hgx-h100")
    one, two = money_of(design, "infiniband"), money_of(design, "rocev2")
    assert one.capex["switches"].typical == pytest.approx(2 * two.capex["switches"].typical)


def test_copper_costs_the_same_in_both_technologies():
    # no price of copper was found, so an assumption stands for it, and says so
    design = fabric(2, 0, length_m=2.0)
    for name in ("infiniband", "rocev2"):
        ledger = ledger_of(design, name)
        cables = [ln for ln in ledger.lines if ln.cls == "cables"]
        assert [(ln.basis.key, ln.count) for ln in cables] == [("copper_link_usd", 16)]
        assert any("assumed" in note for note in ledger.notes)
        assert not [ln for ln in ledger.lines if ln.cls == "optics"]


def test_link_without_a_fitting_part_takes_the_price_of_the_cost_sheet():
    ledger = ledger_of(fabric(2, 0, length_m=5000.0))
    cables = [ln for ln in ledger.lines if ln.cls == "cables"]
    assert {ln.basis.key for ln in cables} == {"link_usd_infiniband"}


def test_undated_price_gives_way_to_the_ratio_of_a_dated_one():
    basis = price_basis(stock(), CATALOG.get("sn5610"), "ethernet")
    assert basis is not None
    assert (basis.key, basis.ratio) == ("price.qm9700", -1)
    assert basis.scale == pytest.approx(2)
    as_infiniband = price_basis(stock(), CATALOG.get("sn5610"), "infiniband")
    assert as_infiniband is not None
    assert as_infiniband.ratio == 0


def test_transceivers_know_no_price_ratio():
    for technology in ("infiniband", "ethernet"):
        basis = price_basis(stock(), CATALOG.get("optic-800g-sr8"), technology)
        assert basis is not None
        assert basis.ratio == 0


def test_power_is_scaled_from_the_nearest_part():
    watts, note = power_of(stock(), CATALOG.get("sn5400"))
    assert watts is not None
    assert watts.typical == pytest.approx(940 / 2)  # SN5600: twice the capacity
    assert "SN5600" in note
    own, note = power_of(stock(), CATALOG.get("qm9700"))
    assert own == Range(747, 747, 1720)
    assert note == ""


def test_power_of_a_switch_counts_its_transceivers_once():
    design = fabric(4, 2)
    power = ledger_of(design).values["power_w.infiniband"]
    switches, nics = 10, 32
    assert power.high <= switches * 1720 + nics * 26 + 16 * 15
    assert power.typical >= switches * 747 + nics * 20


def test_relative_price_of_unpriced_nic():
    basis = price_basis(stock(), CATALOG.get("connectx-6"), "infiniband")
    assert basis is not None
    # ConnectX-6 Dx, 2x100G: the same capacity
    assert (basis.key, basis.scale, basis.ratio) == ("price.connectx-6-dx", 1.0, 0)


def test_ledger_names_what_it_scaled():
    ledger = ledger_of(fabric(2, 2), "rocev2")
    assert any("SN5400" in note for note in ledger.notes)
    assert ledger.titles["price.qm9700"].startswith("NVIDIA QM9700")
    assert idle_key("rocev2") not in ledger.values


def test_nvswitch_trays_are_not_priced():
    design = Design()
    add(design, "types", CATALOG.get("nvl72-nvswitch-tray"))
    from designer.model.records import Device

    add(design, "devices", Device("n", "n", "nvl72-nvswitch-tray", "nvswitch"))
    ledger = ledger_of(design)
    assert ledger.nvswitch_trays == 1
    assert ledger.lines == ()


def test_parameters_have_unique_keys_rising_ranges_and_sources():
    keys = [p.key for p in PARAMETERS]
    assert len(keys) == len(set(keys))
    for parameter in PARAMETERS:
        assert parameter.value.low <= parameter.value.typical <= parameter.value.high, parameter.key
        assert parameter.source
        assert parameter.label


@given(drawn=st.sampled_from(["qm9700", "sn5400", "sn5600", "generic-64x400g", "q3400-ra"]))
def test_every_switch_has_money_and_power_in_both_technologies(drawn):
    server = "hgx-b300" if drawn in ("sn5600", "q3400-ra") else "hgx-h100"
    design = fabric(2, 2, switch=drawn, server=server)
    for name in ("infiniband", "rocev2"):
        ledger = ledger_of(design, name)
        assert ledger.missing == ()
        found = money(ledger, ledger.values)
        assert 0 < found.capex["switches"].low <= found.capex["switches"].high
        assert ledger.values[f"power_w.{name}"].low > 0


@pytest.mark.parametrize(
    ("server", "key"),
    [
        ("dgx-a100", "gpu_hour_usd_ampere"),
        ("dgx-h100", "gpu_hour_usd"),
        ("dgx-b200", "gpu_hour_usd_blackwell"),
    ],
)
def test_gpu_hour_is_that_of_the_gpus_drawn(server, key):
    switch = "qm8700" if server == "dgx-a100" else "qm9700"
    assert ledger_of(fabric(2, 2, switch=switch, server=server)).gpu_hour_key == key
