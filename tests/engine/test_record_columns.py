"""Columns kept from an earlier revision give what columns read afresh give, whatever was edited."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.load import default_catalog
from designer.engine.analyze import analyze
from designer.engine.census import Census, DeviceClass, EndClass, LinkClass, take_census
from designer.engine.columns import classes, distinct
from designer.engine.record_columns import cable_columns
from designer.model.edits import Edit, Swap
from designer.model.ports import lanes_of
from designer.model.records import PortBreakout, PortRange
from designer.topologies import generate
from tests.engine.builders import random_fabric

CATALOG = default_catalog()


def edited(design, rng):
    """Return an edit of a few records: cables and devices removed, changed, added, moved."""
    swaps = []
    cables, devices = list(design.cables.values()), list(design.devices.values())
    for cable in rng.sample(cables, min(len(cables), rng.randint(0, 3))):
        device = rng.choice(devices).id if devices else "nowhere"
        after = rng.choice(
            (
                None,
                replace(cable),
                replace(cable, length_m=rng.choice((None, 3.0, 30))),
                replace(cable, assembly=rng.choice(("", "s1", "s2")), type="cable"),
                replace(cable, a=PortRange(device, cable.a.family, rng.randint(1, 9))),
                replace(cable, b=replace(cable.b, lane=rng.randint(0, 2))),
            )
        )
        swaps.append(Swap("cables", cable.id, cable, after))
    for cable in rng.sample(cables, min(len(cables), rng.randint(0, 2))):
        new = replace(cable, id=f"new{rng.random()}")
        swaps.append(Swap("cables", new.id, None, new))
    for device in rng.sample(devices, min(len(devices), rng.randint(0, 2))):
        after = rng.choice(
            (
                None,
                replace(device, name="renamed"),
                replace(device, rack="r1"),
                replace(device, breakouts=(PortBreakout("fabric", 1, 4, 2),)),
            )
        )
        swaps.append(Swap("devices", device.id, device, after))
    return Edit("random", tuple(swaps))


def afresh(design):
    copy = design.snapshot()
    copy.derived = {}
    return copy


def values(design):
    found = dict(analyze(design, None, CATALOG).values)
    found.pop("timings_s")
    return found


def plain_census(design):
    """Return the census by one loop over the records: the definition."""
    order = {d: i for i, d in enumerate(design.devices)}
    devices = list(design.devices.values())
    kinds = [DeviceClass(d.type, d.nics, d.role, d.fabric) for d in devices]
    seen, rows, legs = {}, [], {}
    for cable in design.cables.values():
        ends, index = [], []
        for end in (cable.a, cable.b):
            i = order.get(end.device, -1)
            split = lanes_of(devices[i], end.family, end.first) if end.lane and i >= 0 else 1
            ends.append(EndClass(kinds[i] if i >= 0 else None, end.family, split))
            index.append(i)
        rack = [devices[i].rack if i >= 0 else "" for i in index]
        same = rack[0] != "" and rack[0] == rack[1]
        named = (cable.type, cable.optic_a, cable.optic_b)
        link = LinkClass(*ends, *named, cable.length_m, same)
        cls = seen.setdefault(link, len(seen))
        if cable.assembly:
            legs.setdefault(cls, {}).setdefault(cable.assembly, []).append(cable.a.count)
        rows.append((cls, cable.a.count, *index, cable.a.first, cable.b.first))
        rows[-1] += (cable.a.lane, cable.b.lane, cable.b.count)
    table = np.array(rows, dtype=np.int64).reshape(-1, 9).T
    links = [int(table[1][table[0] == k].sum()) for k in range(len(seen))]
    loose = [n - sum(sum(v) for v in legs.get(k, {}).values()) for k, n in enumerate(links)]
    return Census(
        {k: kinds.count(k) for k in dict.fromkeys(kinds)},
        tuple(seen),
        tuple(links),
        tuple(loose),
        tuple(len(legs.get(k, {})) for k in range(len(seen))),
        table[0],
        table[1],
        table[2:4],
        table[4:6],
        table[6:8],
        table[8],
    )


def assert_same(one, two):
    for name in Census.__dataclass_fields__:
        a, b = getattr(one, name), getattr(two, name)
        assert np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b, name


@given(seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_patched_columns_count_what_a_loop_over_the_records_counts(seed):
    rng = random.Random(seed)
    design = random_fabric(seed).build()
    for _round in range(4):
        assert_same(take_census(design), plain_census(design))
        assert_same(take_census(afresh(design)), plain_census(design.snapshot()))
        design.apply(edited(design, rng))


def test_the_first_cable_of_a_drawing_is_read():
    full = random_fabric(2).build()
    design = full.snapshot()
    cables = dict(design.cables)
    out = [Swap("cables", name, cable, None) for name, cable in cables.items()]
    design.apply(Edit("all out", tuple(out)))
    assert len(cable_columns(design).cables) == 0
    for name, cable in cables.items():
        design.apply(Edit("one in", (Swap("cables", name, None, cable),)))
        assert_same(take_census(design), plain_census(design))


@pytest.mark.parametrize("seed", range(6))
def test_kept_and_fresh_analyses_are_equal_after_random_edits(seed):
    rng = random.Random(seed)
    if seed < 4:
        design = random_fabric(seed).build()
    else:
        design = generate("rail-optimized", CATALOG, gpus=256 * (seed - 3), tiers="2")
    older = design.snapshot()
    before = values(older)
    for _round in range(4):
        design.apply(edited(design, rng))
        assert values(design.snapshot()) == values(afresh(design))
    # an old revision still answers as it did, although newer ones were asked since
    assert values(older) == before


def test_columns_are_kept_while_the_records_stay():
    design = random_fabric(1).build()
    one = cable_columns(design)
    assert cable_columns(design.snapshot()) is one
    name = next(iter(design.cables))
    design.apply(Edit("cut", (Swap("cables", name, design.cables[name], None),)))
    two = cable_columns(design)
    assert two is not one and len(two.cables) == len(one.cables) - 1
    # what words mean does not change
    assert two.words is one.words


@given(st.lists(st.integers(0, 40)), st.integers(41, 10**6))
def test_distinct_is_unique_with_inverse(code, size):
    found, inverse = distinct(np.array(code, dtype=np.int64), size)
    wanted = np.unique(np.array(code, dtype=np.int64), return_inverse=True)
    assert np.array_equal(found, wanted[0]) and np.array_equal(inverse, wanted[1])


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9), st.integers(0, 1))))
def test_classes_come_in_the_order_they_are_met(rows):
    label, first = classes([np.array(c) for c in zip(*rows, strict=True)], len(rows))
    seen = {}
    assert label.tolist() == [seen.setdefault(r, len(seen)) for r in rows]
    assert first.tolist() == [rows.index(r) for r in seen]
