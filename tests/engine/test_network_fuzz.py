"""Whatever is drawn, the network half answers without a crash or a warning."""

import random

import numpy as np
import pytest

from designer.engine.capacity import all_to_all_saturation, capacity
from designer.engine.compile import compile_network
from designer.engine.loads import RoutingChoice, drain_time, link_loads, utilization
from designer.engine.routing import reach, route
from designer.engine.traffic import all_to_all, permutation, rail_rings
from designer.model.edits import Swap
from designer.model.records import Cable, PortRange
from tests.engine.builders import Builder, server_type


def wild(seed: int) -> Builder:
    """Any devices, any cables: missing ends, unknown families, loops, empty and odd trunks."""
    rng = random.Random(seed)
    b = Builder()
    b.type(server_type(None, 2, "unknown"))
    b.type(server_type(4, 4, "pcie", nvlink_bytes_per_s=None))
    b.type(server_type(4, 4, "tray", nvlink_bytes_per_s=9e11, nvlink_links=18))
    names = ["missing"]
    for i in range(rng.randrange(0, 14)):
        role = rng.choice(("server", "server", "leaf", "spine", "core", "host", "nvswitch"))
        kind = rng.choice(("srv", "unknown", "pcie", "tray", "none"))
        if role in ("leaf", "spine", "core"):
            kind = rng.choice(("sw", "half", "none"))
        fabric = rng.choice(("compute", "compute", "compute", "storage"))
        unit = rng.choice(("", "", "g-su0", "g-gone"))
        names.append(b.device(f"d{i}", role, kind, fabric=fabric, unit=unit))
    b.unit("su0")
    families = ("nic", "fabric", "fabric", "nvlink", "mgmt", "odd")
    for i in range(rng.randrange(0, 40)):
        ends = [
            PortRange(
                rng.choice(names),
                rng.choice(families),
                rng.randrange(1, 9),
                rng.choice((1, 1, 2, 0)),
                rng.choice((0, 0, 0, 1)),
            )
            for _ in range(2)
        ]
        b.swaps.append(Swap("cables", f"c{i}", None, Cable(f"c{i}", *ends)))
    return b


@pytest.mark.parametrize("seed", range(150))
def test_any_drawing_has_an_answer(seed):
    design = wild(seed).build()
    ids = [*design.cables, *design.devices]
    fail = frozenset(random.Random(seed).sample(ids, len(ids) // 5))
    for failed in (frozenset(), fail):
        network = compile_network(design, failed)
        assert np.isfinite(network.cable_speed).all()
        for mode in ("updown", "shortest"):
            routed = route(network, mode)
            reach(routed)
            found = capacity(design, routed)
            nulls = {k for k, v in found.values().items() if v is None}
            assert nulls <= set(found.reasons)
            all_to_all_saturation(routed)
            patterns = [all_to_all(network, 1e6, rail_aligned=a) for a in (True, False)]
            patterns += [rail_rings(network, 1e6), permutation(network, 1e6)]
            for traffic in patterns:
                assert traffic.nic_send.sum() == pytest.approx(traffic.nic_receive.sum())
                for kind in ("ecmp", "hashed", "adaptive"):
                    loads = link_loads(routed, traffic, RoutingChoice(kind, seeds=2))
                    drain = drain_time(network, loads)
                    assert np.isfinite(utilization(network, loads, drain.seconds)).all()
                    assert loads.undelivered <= traffic.fabric * (1 + 1e-9)
