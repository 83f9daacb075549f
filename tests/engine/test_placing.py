"""Which servers a job gets."""

import numpy as np
import pytest

from designer.engine.placing import Placing, pinned, placed_servers, read_placing
from designer.engine.pool import pool_of
from designer.errors import ParameterError
from tests.engine.builders import Builder, rail_fabric
from tests.engine.test_patterns import racks


def names(network, placing, ranks=None, taken=()):
    servers = placed_servers(network, placing, taken)
    pool = pool_of(network, ranks, servers)
    return [network.device_ids[i] for i in dict.fromkeys(pool.server.tolist())]


@pytest.fixture(scope="module")
def four_units():
    return rail_fabric(4, 4).network()


def test_packed_fills_one_unit_after_the_other(four_units):
    found = names(four_units, Placing("packed"), 32)
    assert found == ["su0-srv0", "su0-srv1", "su0-srv2", "su0-srv3"]


def test_spread_takes_a_server_of_each_unit_in_turn(four_units):
    found = names(four_units, Placing("spread"), 48)
    assert found == ["su0-srv0", "su1-srv0", "su2-srv0", "su3-srv0", "su0-srv1", "su1-srv1"]


def test_spread_without_rails_takes_the_leaves_in_turn():
    b = Builder()
    b.device("spine", "spine")
    for k in range(2):
        b.cable(b.device(f"leaf{k}", "leaf"), "spine", 2)
    for k in range(4):
        b.nic(b.device(f"s{k}", "server"), 1, f"leaf{k // 2}")
    assert names(b.network(), Placing("spread")) == ["s0", "s2", "s1", "s3"]


def test_random_is_a_shuffle_that_its_seed_repeats(four_units):
    one = names(four_units, Placing("random", 1))
    assert one == names(four_units, Placing("random", 1))
    assert one != names(four_units, Placing("random", 2))
    assert sorted(one) == sorted(names(four_units, Placing()))


def test_picked_are_those_and_no_others_in_their_order(four_units):
    found = names(four_units, Placing("picked", devices=("su2-srv1", "su0-srv3", "gone")))
    assert found == ["su2-srv1", "su0-srv3"]


def test_pinned_servers_stay_when_others_fail():
    b = rail_fabric(4, 4)
    network = b.network()
    fixed = pinned(network, Placing("random", 5))
    before = names(network, fixed)
    assert before == names(network, Placing("random", 5))
    after = names(b.network(frozenset(before[:1])), fixed)
    assert after == before[1:]


def test_a_second_job_takes_what_is_left(four_units):
    first = placed_servers(four_units, Placing())[:6]
    assert names(four_units, Placing(), 16, first.tolist()) == ["su1-srv2", "su1-srv3"]
    spread = names(four_units, Placing("spread"), 32, first.tolist())
    assert spread == ["su1-srv2", "su2-srv0", "su3-srv0", "su1-srv3"]


def test_a_rack_of_trays_is_dealt_as_one():
    b = racks(3, 3)
    network = b.network()
    assert len(np.unique(network.domain[network.servers])) == 3
    found = names(network, Placing("random", 4), 24)
    assert [n[:2] for n in found] == [found[0][:2]] * 3 + [found[3][:2]] * 3
    taken = [network.device_index["r0t1"]]
    assert {n[:2] for n in names(network, Placing(), None, taken)} == {"r1", "r2"}


def test_texts_of_the_command_line():
    design = rail_fabric(2, 2).build()
    assert read_placing("spread", design) == Placing("spread")
    assert read_placing("random:7", design) == Placing("random", 7)
    assert read_placing("random", design) == Placing("random")
    picked = read_placing("su1-srv0, su0", design)
    assert picked.devices == ("su1-srv0", "su0-srv0", "su0-srv1")


@pytest.mark.parametrize("text", ["random:x", "su0-leaf1", "nowhere", " ", "spread:3"])
def test_texts_that_mean_nothing_are_refused(text):
    with pytest.raises(ParameterError) as fault:
        read_placing(text, rail_fabric(2, 2).build())
    assert fault.value.hint
