"""Random drawings, made by the same verbs as those of the window."""

from hypothesis import strategies as st

from designer.errors import DesignerError
from designer.model import groups, operations, wiring
from designer.model.design import TABLES, Design
from designer.model.records import AssumptionValue, PortRange
from designer.model.workload import stock_workloads
from designer.units import Range
from tests.model.parts import DUAL, ETHERNET, NIC, SERVER, SLOW, SWITCH

PARTS = (SWITCH, ETHERNET, SLOW, SERVER)
texts = st.text(max_size=12)  # any character, lone surrogates too
finite = st.floats(-1e9, 1e9, allow_nan=False)


@st.composite
def designs(draw):
    """Build a drawing by up to twelve random operations; those refused change nothing."""
    design = Design()
    for _step in range(draw(st.integers(0, 12))):
        try:
            design.apply(draw(st.sampled_from(VERBS))(draw, design))
        except DesignerError:
            continue
    return design


def some(draw, table):
    # by place, not by id: ids differ from run to run
    return list(table)[draw(st.integers(0, len(table) - 1))] if table else "none"


def place(draw, design):
    part = draw(st.sampled_from(PARTS))
    nic = NIC if part is SERVER else None
    return operations.place(design, part, draw(finite), draw(finite), name=draw(texts), nic=nic)


def connect(draw, design):
    if len(design.devices) < 2:
        return place(draw, design)
    a, b = some(draw, design.devices), some(draw, design.devices)
    fields = {}
    if draw(st.booleans()):
        fields = {"length_m": draw(st.floats(0, 1e5)), "assembly": draw(texts), "type": draw(texts)}
    families = {k: sorted(design.families(design.devices[k])) for k in (a, b)}
    ends = [
        PortRange(k, draw(st.sampled_from(families[k])), draw(st.integers(1, 9)), n)
        for n in (draw(st.integers(1, 3)),)
        for k in (a, b)
    ]
    return wiring.connect(design, *ends, **fields)


def connect_next(draw, design):
    if len(design.devices) < 2:
        return place(draw, design)
    a, b = some(draw, design.devices), some(draw, design.devices)
    return wiring.connect_devices(design, a, b, draw(st.integers(1, 4)))


def split(draw, design):
    if not design.devices:
        return place(draw, design)
    return wiring.break_out(
        design, some(draw, design.devices), "fabric", draw(st.integers(1, 60)), 2, 2
    )


def regroup(draw, design):
    if design.groups and draw(st.booleans()):
        return groups.nest_group(design, some(draw, design.groups), some(draw, design.groups))
    kind = draw(st.sampled_from(("unit", "pod", "rack", "plane")))
    return groups.create_group(design, kind, draw(texts), list(design.devices)[:3])


def edit_fields(draw, design):
    if not design.devices:
        return place(draw, design)
    name, value = draw(
        st.sampled_from(
            (
                ("notes", draw(texts)),
                ("rack_unit", draw(st.integers(1, 60))),
                ("fabric", "storage"),
                ("role", "spine"),
                ("name", draw(texts)),
            )
        )
    )
    return operations.set_field(design, [some(draw, design.devices)], name, value)


def change_nics(draw, design):
    ids = [d.id for d in design.devices.values() if d.role == "server"]
    return operations.change_nics(design, ids, draw(st.sampled_from((DUAL, None))))


def note(draw, design):
    return operations.add_note(design, draw(texts), draw(finite), draw(finite))


def assume(draw, design):
    low, typical, high = sorted(draw(st.tuples(finite, finite, finite)))
    value = AssumptionValue(Range(low, typical, high), draw(texts), draw(texts))
    return operations.set_assumption(design, draw(st.sampled_from(("pue", "years"))), value)


def info(draw, design):
    return operations.set_info(design, title=draw(texts), project=draw(texts))


def workload(draw, design):
    return operations.set_workload(
        design, draw(st.sampled_from([*stock_workloads().values(), None]))
    )


def delete(draw, design):
    return operations.remove(design, [some(draw, {**design.devices, **design.cables})])


VERBS = (
    place,
    place,
    place,
    connect,
    connect_next,
    connect_next,
    split,
    regroup,
    edit_fields,
    change_nics,
    note,
    assume,
    info,
    workload,
    delete,
)


def same(one, two):
    """Tell whether two designs hold the same records."""
    return all(one.table(t) == two.table(t) for t in TABLES)
