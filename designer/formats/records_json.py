"""Records to and from plain JSON values, field by field, with defaults left out."""

from collections.abc import Callable
from dataclasses import MISSING, fields
from sys import intern
from typing import Any

from designer.catalog.convert import PART
from designer.catalog.load import part_from_dict, part_to_dict
from designer.catalog.types import PartType
from designer.errors import DesignerError
from designer.messages import _
from designer.model.records import (
    FABRICS,
    GROUP_KINDS,
    ROLES,
    AssumptionValue,
    Cable,
    Device,
    Group,
    Info,
    Note,
    Placement,
    PortBreakout,
    PortRange,
    Variant,
)
from designer.model.workload import SECTIONS, workload_from_dict, workload_to_dict
from designer.units import Range

# Larger values are slips of the hand that would take memory without end.
MAX_PORTS, MAX_LANES, MAX_NUMBER = 10_000, 64, 1e12


class RecordError(Exception):
    """A record is not as its table needs it; the text says which field and what is expected."""


def _defaults(cls: type) -> dict[str, Any]:
    found = {}
    for f in fields(cls):
        if f.default is not MISSING:
            found[f.name] = f.default
    return found


_CHOICES = {"role": ROLES, "fabric": FABRICS, "kind": GROUP_KINDS}
_DEFAULTS = {c: _defaults(c) for c in (Device, Cable, Group, Note, Info)}


def _plain(record: Any, skip: tuple[str, ...] = ("id",)) -> dict[str, Any]:
    """Return the fields of a record that differ from their default."""
    defaults = _DEFAULTS[type(record)]
    out = {}
    for f in fields(record):
        value = getattr(record, f.name)
        if f.name not in skip and (f.name not in defaults or value != defaults[f.name]):
            out[f.name] = _number(value) if type(value) is float else value
    return out


def _end(end: PortRange) -> list[Any]:
    if end.lane:
        return [end.device, end.family, end.first, end.count, end.lane]
    if end.count != 1:
        return [end.device, end.family, end.first, end.count]
    return [end.device, end.family, end.first]


def _from_end(value: Any, name: str) -> PortRange:
    if type(value) is not list or not 3 <= len(value) <= 5:
        raise RecordError(_("“{name}” must be [device, family, first port, …].").format(name=name))
    device, family, first = value[:3]
    count = value[3] if len(value) > 3 else 1
    lane = value[4] if len(value) > 4 else 0
    if type(device) is not str or type(family) is not str:
        raise RecordError(_("“{name}”: device and family must be texts.").format(name=name))
    if not (type(first) is type(count) is type(lane) is int and first > 0 < count and lane >= 0):
        raise RecordError(_("“{name}”: ports must be whole numbers from 1.").format(name=name))
    if first > MAX_PORTS or count > MAX_PORTS or lane > MAX_LANES:
        raise RecordError(_("“{name}”: no part has so many ports.").format(name=name))
    # one text for all cables of a device: less memory, faster look-ups
    return PortRange(intern(device), intern(family), first, count, lane)


def device_to_json(device: Device) -> dict[str, Any]:
    """Return a device as plain values."""
    out = _plain(device)
    if device.breakouts:
        out["breakouts"] = [[b.family, b.first, b.count, b.lanes] for b in device.breakouts]
    return out


def _breakouts(value: Any) -> tuple[PortBreakout, ...]:
    if not isinstance(value, list):
        raise RecordError(_("“breakouts” must be a list."))
    found = []
    for one in value:
        if (
            not isinstance(one, list)
            or len(one) != 4
            or type(one[0]) is not str
            or any(type(n) is not int or not 1 <= n <= MAX_PORTS for n in one[1:])
            or one[3] > MAX_LANES
        ):
            raise RecordError(_("“breakouts” must hold [family, first, count, lanes]."))
        found.append(PortBreakout(intern(one[0]), *one[1:]))
    return tuple(found)


def _fields(
    cls: type,
    id_: str,
    data: dict[str, Any],
    special: dict[str, Callable[[Any], Any]],
) -> Any:
    """Build a record of `cls`, each field checked against the type of its annotation."""
    values: dict[str, Any] = {}
    for f in fields(cls):
        if f.name == "id":
            values["id"] = id_
        elif f.name not in data:
            if f.default is MISSING and f.default_factory is MISSING:
                raise RecordError(_("“{name}” is missing.").format(name=f.name))
        elif f.name in special:
            values[f.name] = special[f.name](data[f.name])
        else:
            values[f.name] = _checked(f.name, str(f.type), data[f.name])
    return cls(**values)


def _checked(name: str, kind: str, value: Any) -> Any:
    choices = _CHOICES.get(name)
    if choices is not None:
        if value not in choices:
            raise RecordError(_("{name} “{value}” is unknown.").format(name=name, value=value))
        return intern(value)
    if value is None and "None" in kind:
        return None
    if "float" in kind:
        if type(value) not in (int, float) or abs(value) > MAX_NUMBER:
            raise _misfit(name, value, _("a number was expected"))
        return float(value)
    if "int" in kind:
        if type(value) is not int or abs(value) > MAX_NUMBER:
            raise _misfit(name, value, _("a whole number was expected"))
        return value
    if type(value) is not str:
        raise _misfit(name, value, _("a text was expected"))
    return value


def _misfit(name: str, value: Any, expected: str) -> RecordError:
    shown = repr(value)
    if len(shown) > 40:
        shown = f"{shown[:40]}…"
    return RecordError(
        _("“{name}” is {value}, {expected}.").format(name=name, value=shown, expected=expected)
    )


def device_from_json(id_: str, data: dict[str, Any]) -> Device:
    """Return the device that `device_to_json` wrote.

    Raises:
        RecordError: A field is missing or does not fit.
    """
    found = _fields(Device, id_, data, {"breakouts": _breakouts})
    assert isinstance(found, Device)
    return found


def cable_to_json(cable: Cable) -> dict[str, Any]:
    """Return a cable as plain values."""
    out: dict[str, Any] = {"a": _end(cable.a), "b": _end(cable.b)}
    if cable.type or cable.optic_a or cable.optic_b or cable.assembly or cable.length_m is not None:
        out.update({k: v for k, v in _plain(cable).items() if k not in ("a", "b")})
    return out


def cable_from_json(id_: str, data: dict[str, Any]) -> Cable:
    """Return the cable that `cable_to_json` wrote.

    Raises:
        RecordError: A field is missing or does not fit.
    """
    if "a" not in data or "b" not in data:
        raise RecordError(_("A cable needs both ends, “a” and “b”."))
    a, b = _from_end(data["a"], "a"), _from_end(data["b"], "b")
    if len(data) == 2:
        return Cable(id_, a, b)
    length = data.get("length_m")
    if length is not None and (type(length) not in (int, float) or not 0 <= length < 1e6):
        raise _misfit("length_m", length, _("metres were expected"))
    found = _fields(Cable, id_, {**data, "a": a, "b": b}, {"a": lambda v: v, "b": lambda v: v})
    assert isinstance(found, Cable)
    return found


def placement_to_json(placement: Placement) -> list[float]:
    """Return a placement as [x, y]."""
    return [_number(placement.x), _number(placement.y)]


def _number(value: float) -> float:
    """Return whole floats as integers: shorter, and the same value."""
    return int(value) if abs(value) < 1e15 and value == int(value) else value


def _whole(value: Any) -> Any:
    """Return plain values with whole floats as integers."""
    if isinstance(value, dict):
        return {k: _whole(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_whole(v) for v in value]
    return _number(value) if isinstance(value, float) else value


def placement_from_json(id_: str, data: Any) -> Placement:
    """Return the placement that `placement_to_json` wrote.

    Raises:
        RecordError: It is not two finite numbers.
    """
    if (
        not isinstance(data, list)
        or len(data) != 2
        or any(type(v) not in (int, float) or abs(v) > MAX_NUMBER for v in data)
    ):
        raise RecordError(_("A placement is [x, y]."))
    return Placement(float(data[0]), float(data[1]))


def _range(value: Any) -> Range:
    fits = type(value) is list and len(value) == 3
    if not fits or any(type(v) not in (int, float) or abs(v) > 1e30 for v in value):
        raise RecordError(_("“value” must be [low, typical, high]."))
    if not value[0] <= value[1] <= value[2]:
        raise RecordError(_("“value” must rise from low to typical to high."))
    return Range(*map(float, value))


def _part(slug: str, data: dict[str, Any]) -> PartType:
    known = {k: v for k, v in data.items() if k in KNOWN["types"]}
    part: PartType = _guarded(lambda: part_from_dict(slug, known, "types"))
    ports = sum(f.count for f in part.ports)
    lanes = max((b.lanes for f in part.ports for b in f.breakouts), default=1)
    gpus = (part.gpu.count or 0) if part.gpu else 0
    if max(ports, part.nic_slots, gpus) > MAX_PORTS or lanes > MAX_LANES:
        raise RecordError(_("No part has so many ports or GPUs."))
    return part


def _workload(id_: str, data: dict[str, Any]) -> Any:
    known = {k: v for k, v in data.items() if k in KNOWN["workloads"] and k != "name"}
    name = data.get("name", id_)
    if type(name) is not str:
        raise _misfit("name", name, _("a text was expected"))
    return _guarded(lambda: workload_from_dict(name, known, "workloads"))


def _variant_tables(value: Any) -> dict[str, object]:
    if not isinstance(value, dict):
        raise RecordError(_("“tables” must be an object."))
    return value


def _guarded(build: Callable[[], Any]) -> Any:
    try:
        return build()
    except DesignerError as fault:
        raise RecordError(fault.message) from fault


TO_JSON: dict[str, Callable[[Any], Any]] = {
    "info": lambda r: _plain(r, ()),
    "types": lambda p: _whole(part_to_dict(p)),
    "groups": _plain,
    "devices": device_to_json,
    "cables": cable_to_json,
    "placements": placement_to_json,
    "notes": _plain,
    "workloads": lambda w: {"name": w.name, **_whole(workload_to_dict(w))},
    "assumptions": lambda a: {
        "value": _whole([a.value.low, a.value.typical, a.value.high]),
        "source": a.source,
        **({"date": a.date} if a.date else {}),
    },
    "variants": lambda v: {"name": v.name, "tables": v.tables},
}

FROM_JSON: dict[str, Callable[[str, Any], Any]] = {
    "info": lambda i, d: _fields(Info, i, d, {}),
    "types": _part,
    "groups": lambda i, d: _fields(Group, i, d, {}),
    "devices": device_from_json,
    "cables": cable_from_json,
    "placements": placement_from_json,
    "notes": lambda i, d: _fields(Note, i, d, {}),
    "workloads": _workload,
    "assumptions": lambda i, d: _fields(AssumptionValue, i, d, {"value": _range}),
    "variants": lambda i, d: _fields(Variant, i, d, {"tables": _variant_tables}),
}

# Fields a record of each table may have; others are kept aside and written back.
KNOWN: dict[str, frozenset[str]] = {
    "types": frozenset(k for f in PART for k in (f.key or f.name, f.human) if k),
    "workloads": frozenset(("name", "title", *SECTIONS)),
    "info": frozenset(f.name for f in fields(Info)),
    "groups": frozenset(f.name for f in fields(Group)) - {"id"},
    "devices": frozenset(f.name for f in fields(Device)) - {"id"},
    "cables": frozenset(f.name for f in fields(Cable)) - {"id"},
    "notes": frozenset(f.name for f in fields(Note)) - {"id"},
    "assumptions": frozenset(f.name for f in fields(AssumptionValue)),
    "variants": frozenset(f.name for f in fields(Variant)) - {"id"},
}
