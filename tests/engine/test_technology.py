"""What makes the two technologies different on one drawing."""

from dataclasses import replace

import pytest

from designer.catalog.load import default_catalog
from designer.engine.bom import bill_of_materials
from designer.engine.compile import compile_network
from designer.engine.load_columns import RoutingChoice
from designer.engine.patterns import ring
from designer.engine.pool import pool_of
from designer.engine.routing import route
from designer.engine.technology import all_switches, drawn_technology, wire_of
from designer.engine.traffic import permutation
from designer.engine.usage import unit_scale
from designer.engine.wire import Factors, Wire, drain, mean_hops
from designer.model.assumptions import assumptions
from designer.topologies import generate
from designer.units import Range
from tests.engine.builders import rail_fabric
from tests.engine.drawings import fabric

CATALOG = default_catalog()


def wire(design, name="infiniband", routing="auto", **values):
    bom = bill_of_materials(design, CATALOG, "infiniband" if name == "infiniband" else "ethernet")
    given = {k: a.value for k, a in assumptions(design).items()}
    given |= {k: Range.exact(v) for k, v in values.items()}
    return wire_of(design, bom, name, given, routing)


def plain(kind="ecmp", **choice):
    one = Factors(1.0, 1.0)
    return Wire("infiniband", RoutingChoice(kind, **choice), one, one, one, lambda hops: 0.0)


def test_infiniband_routes_adaptively_without_losses_of_tuning():
    found = wire(fabric(2, 2))
    assert found.choice.kind == "adaptive"
    assert found.factors == Factors(0.95, pytest.approx(0.95 * 0.95))
    assert found.worst.fabric < found.factors.fabric < found.best.fabric
    assert found.worst.nic == found.best.nic == 0.95
    assert found.tuning == ""


@pytest.mark.parametrize(
    ("level", "tuning", "kind", "pairs"),
    [(0, "untuned", "hashed", 1), (1, "tuned", "hashed", 4), (2, "expert", "adaptive", 1)],
)
def test_roce_spreads_by_its_tuning(level, tuning, kind, pairs):
    found = wire(fabric(2, 2), "rocev2", roce_tuning=level)
    assert (found.tuning, found.choice.kind, found.choice.queue_pairs) == (tuning, kind, pairs)
    assert found.worst.nic <= found.factors.nic <= found.best.nic


def test_expert_tuning_without_adaptive_switches_hashes_more_queue_pairs():
    drawing = fabric(2, 2, switch="sn4600c", server="dgx-a100")
    found = wire(drawing, "rocev2", roce_tuning=2)
    assert (found.choice.kind, found.choice.queue_pairs) == ("hashed", 16)


def test_what_the_user_chose_wins():
    assert wire(fabric(2, 2), routing="ecmp").choice.kind == "ecmp"
    assert wire(fabric(2, 2), "rocev2", routing="adaptive").choice.kind == "adaptive"


def test_latency_grows_with_hops_and_is_higher_on_ethernet():
    one, two = wire(fabric(2, 2)), wire(fabric(2, 2), "rocev2")
    assert one.latency_s(1) < one.latency_s(2) < one.latency_s(3) < one.latency_s(5)
    assert one.latency_s(2) == pytest.approx((one.latency_s(1) + one.latency_s(3)) / 2)
    # published end to end: InfiniBand 1 to 2 us, RoCE 2 to 5 us
    assert 1e-6 < one.latency_s(3) < 3e-6
    assert 2e-6 < two.latency_s(3) < 5e-6


def test_drawn_technology():
    assert drawn_technology(fabric(2, 2)) == "infiniband"
    assert drawn_technology(fabric(2, 2, switch="sn5400")) == "rocev2"
    assert drawn_technology(generate("blank", CATALOG)) == "infiniband"


def test_switches_without_equivalent_stand_for_infiniband_ones():
    design = generate("dual-plane", CATALOG)
    bom = bill_of_materials(design, CATALOG, "infiniband")
    assert all_switches(bom, "adaptive", "infiniband")


def test_one_byte_around_the_ring_takes_the_time_of_an_eighth_on_each_nic():
    network = rail_fabric(2, 2).network()
    routed = route(network)
    found = drain(routed, ring(pool_of(network)), plain())
    assert found.nic_s == pytest.approx(8 / 8 / 400e9)
    # one of two flows of a rail crosses, spread over the cables to two spines
    assert found.fabric_s == pytest.approx(8 / 8 / 400e9 / 2)
    assert found.seconds(Factors(0.5, 0.1)) == pytest.approx(found.fabric_s / 0.1)
    assert found.cable(Factors(0.5, 0.1)) == found.fabric_cable
    assert found.lost == 0
    assert found.hops == pytest.approx((2 * 1 + 2 * 3) / 4)
    assert mean_hops(routed, found.traffic) == found.hops


def test_hashing_collides_and_more_queue_pairs_collide_less():
    network = rail_fabric(8, 8, spines=8).network()
    routed, traffic = route(network), permutation(network, 1.0, seed=1)
    ideal = drain(routed, traffic, plain("adaptive")).fabric_s
    one = drain(routed, traffic, plain("hashed", queue_pairs=1)).fabric_s
    many = drain(routed, traffic, plain("hashed", queue_pairs=16)).fabric_s
    assert one > many > ideal


def test_lost_share_counts_what_has_no_way():
    network = compile_network(rail_fabric(2, 2).build(), frozenset(("spine0", "spine1")))
    found = drain(route(network), ring(pool_of(network)), plain())
    assert found.lost == pytest.approx(0.5)


def test_pipeline_bytes_go_both_ways():
    assert unit_scale("pp", 10.0) == 5.0
    assert unit_scale("dp", 10.0) == 10.0
    assert replace(plain(), tuning="tuned").tuning == "tuned"
