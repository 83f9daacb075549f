"""Ports: one cable each, whichever end asks; break-outs renumber nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.errors import WiringError
from designer.model import operations, ports, wiring
from designer.model.design import Design
from designer.model.ports import Port
from designer.model.records import PortRange
from tests.model.parts import NIC, SERVER, SLOW, SWITCH


def pair(second=SWITCH):
    design = Design()
    one = operations.place(design, SWITCH, 0, 0)
    design.apply(one)
    two = operations.place(design, second, 0, 100, nic=NIC if second is SERVER else None)
    design.apply(two)
    return design, one.ids("devices")[0], two.ids("devices")[0]


def test_a_busy_port_is_refused_from_either_end():
    design, a, b = pair()
    design.apply(wiring.connect(design, PortRange(a, "fabric", 3), PortRange(b, "fabric", 3)))
    for one, two in ((a, b), (b, a)):
        with pytest.raises(WiringError, match="P3 is taken by"):
            wiring.connect(design, PortRange(one, "fabric", 3), PortRange(two, "fabric", 9))
        with pytest.raises(WiringError, match="P3 is taken by"):
            wiring.connect(design, PortRange(two, "fabric", 9), PortRange(one, "fabric", 3))


def test_ports_past_the_last_and_self_links_are_refused():
    design, a, b = pair()
    with pytest.raises(WiringError, match="no port P65"):
        wiring.connect(design, PortRange(a, "fabric", 65), PortRange(b, "fabric", 1))
    with pytest.raises(WiringError, match="itself"):
        wiring.connect(design, PortRange(a, "fabric", 1), PortRange(a, "fabric", 2))
    with pytest.raises(WiringError, match="same number"):
        wiring.connect(design, PortRange(a, "fabric", 1, 2), PortRange(b, "fabric", 1))
    with pytest.raises(WiringError, match="no nvlink ports"):
        wiring.connect(design, PortRange(a, "nvlink", 1), PortRange(b, "fabric", 1))


def test_no_speed_in_common_is_refused_with_both_speeds():
    design, a, b = pair(SLOW)
    with pytest.raises(WiringError, match=r"400 Gb/s.*100 Gb/s"):
        wiring.connect(design, PortRange(a, "fabric", 1), PortRange(b, "fabric", 1))


def test_a_link_runs_at_the_fastest_shared_speed():
    design, a, b = pair()
    design.apply(wiring.connect(design, PortRange(a, "fabric", 1), PortRange(b, "fabric", 1)))
    assert ports.link_speed(design, next(iter(design.cables.values()))) == 400e9


def test_breaking_out_renumbers_nothing_and_takes_lanes():
    design, a, b = pair()
    design.apply(wiring.break_out(design, a, "fabric", 12, 2, 2))
    device = design.devices[a]
    names = [ports.port_name(design, device, p) for p in ports.all_ports(design, device, "fabric")]
    assert names[10:16] == ["P11", "P12/1", "P12/2", "P13/1", "P13/2", "P14"]
    design.apply(wiring.break_out(design, b, "fabric", 1, 2, 2))
    design.apply(
        wiring.connect(design, PortRange(a, "fabric", 12, 3, 2), PortRange(b, "fabric", 1, 3, 1))
    )
    cable = next(iter(design.cables.values()))
    assert ports.link_speed(design, cable) == 200e9
    assert ports.expand(device, cable.a) == [
        Port("fabric", 12, 2),
        Port("fabric", 13, 1),
        Port("fabric", 13, 2),
    ]
    with pytest.raises(WiringError, match="is cabled"):
        wiring.break_out(design, a, "fabric", 12, 1, 1)


def test_a_port_cannot_be_split_in_a_way_its_type_does_not_list():
    design, a, _b = pair()
    with pytest.raises(WiringError, match="cannot be split into 3"):
        wiring.break_out(design, a, "fabric", 1, 1, 3)


def test_joining_the_middle_of_a_breakout_splits_the_record():
    design, a, _b = pair()
    design.apply(wiring.break_out(design, a, "fabric", 1, 10, 2))
    design.apply(wiring.break_out(design, a, "fabric", 4, 2, 1))
    spans = [(x.first, x.count) for x in design.devices[a].breakouts]
    assert spans == [(1, 3), (6, 5)]


def test_connecting_more_than_fits_says_how_many_fit():
    design, a, b = pair(SERVER)
    with pytest.raises(WiringError, match="have 8 pairs"):
        wiring.connect_devices(design, b, a, 9)


def test_compatible_ports_are_the_free_ones_that_share_a_speed():
    design, a, b = pair(SERVER)
    design.apply(wiring.connect_devices(design, b, a, 2))
    source = design.devices[b]
    found = wiring.compatible_free_ports(design, source, Port("nic", 5), design.devices[a])
    assert [p.number for p in found] == list(range(3, 65))
    assert not wiring.compatible_free_ports(design, source, Port("mgmt", 1), source)


def test_one_edit_cannot_use_a_port_twice():
    design, a, b = pair()
    both = [
        (PortRange(a, "fabric", 1), PortRange(b, "fabric", 1)),
        (PortRange(a, "fabric", 2), PortRange(b, "fabric", 1)),
    ]
    with pytest.raises(WiringError, match="used twice"):
        wiring.connect_all(design, both)


@given(st.lists(st.tuples(st.integers(1, 64), st.integers(1, 64), st.integers(1, 6)), max_size=12))
def test_whatever_is_connected_each_port_has_one_cable(wanted):
    design, a, b = pair()
    for first, second, count in wanted:
        try:
            edit = wiring.connect(
                design, PortRange(a, "fabric", first, count), PortRange(b, "fabric", second, count)
            )
        except WiringError:
            continue
        design.apply(edit)
    for device in design.devices.values():
        assert all(len(u) == 1 for u in ports.port_users(design, device).values())
