"""Part types to and from plain dictionaries, for the catalogue's TOML and for saved designs.

`part_to_dict` writes SI units and leaves out what is unset; `part_from_dict` reads that form and
the units people write (`speeds_gbps`, `bf16_tflops`, `latency_ns`), and refuses anything else.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from difflib import get_close_matches
from typing import Any, get_args

from designer.catalog.checks import (
    Check,
    flag,
    list_of,
    number,
    one_of,
    positive,
    refuse,
    rising,
    scaled,
    span,
    speed,
    text,
    whole,
)
from designer.catalog.types import (
    FAMILIES,
    KINDS,
    Breakout,
    CableSpec,
    Confidence,
    GpuSpec,
    PartType,
    PortFamily,
    Price,
    Technology,
)
from designer.errors import CatalogError
from designer.messages import _
from designer.units import Range

MEDIA = ("passive_copper", "active_copper", "aoc", "multimode", "single_mode")


@dataclass(frozen=True, slots=True)
class Field:
    """How one attribute of a record stands in a file.

    Attributes:
        name: Attribute of the dataclass.
        check: Reads the value under `key`.
        key: Key in SI units; the attribute's name when empty.
        human: Key in the unit people write, read by `human_check`.
        required: The record means nothing without it.
    """

    name: str
    check: Check
    key: str = ""
    human: str = ""
    human_check: Check | None = None
    required: bool = False


def _in_unit(name: str, check: Check, key: str, human: str, factor: float) -> Field:
    required = name in {"speed", "speeds"}
    return Field(name, check, key, human, scaled(check, 1.0, factor), required)


def _record(cls: type[Any], specs: tuple[Field, ...]) -> Check:
    return lambda value, where: build(cls, specs, value, where)


_SPEEDS = list_of(speed)
_TEXTS = list_of(text)

BREAKOUT = (
    Field("lanes", whole(2), required=True),
    _in_unit("speed", speed, "speed_bits_per_s", "speed_gbps", 1e9),
)
PORTS = (
    Field("family", one_of(FAMILIES), required=True),
    Field("count", whole(1), required=True),
    Field("name", text, required=True),
    _in_unit("speeds", _SPEEDS, "speeds_bits_per_s", "speeds_gbps", 1e9),
    Field("form_factor", text),
    Field("ports_per_cage", whole(1)),
    Field("breakouts", list_of(_record(Breakout, BREAKOUT))),
)
GPU = (
    Field("count", whole(0)),
    Field("model", text),
    _in_unit("nvlink_bytes_per_s", positive, "", "nvlink_gigabytes_per_s", 1e9),
    Field("nvlink_links", whole(0)),
    Field("internal_nvswitch", flag),
    _in_unit("bf16_flops", positive, "", "bf16_tflops", 1e12),
    _in_unit("memory_bytes", positive, "", "memory_gb", 1e9),
    _in_unit("pcie_bytes_per_s", positive, "", "pcie_gigabytes_per_s", 1e9),
    Field("architecture", text),
)
CABLE = (
    Field("medium", one_of(MEDIA), required=True),
    _in_unit("speeds", _SPEEDS, "speeds_bits_per_s", "speeds_gbps", 1e9),
    Field("reach_m", number, required=True),
    Field("form_factor", text),
    Field("links", whole(1)),
)
_AMOUNTS = ("low", "typical", "high")


def _price(value: Any, where: str) -> Price:
    table = _table(value, where)
    _known_keys(table, (*_AMOUNTS, "currency", "date", "source"), where)
    for key in _AMOUNTS:
        if key not in table:
            raise _missing(where, key)
    currency = one_of(("USD",))(table.get("currency", "USD"), f"{where}: currency")
    low, typical, high = (number(table[k], f"{where}: {k}") for k in _AMOUNTS)
    date, source = (text(table.get(k, ""), f"{where}: {k}") for k in ("date", "source"))
    return Price(rising(low, typical, high, where), date, source, currency)


PART = (
    Field("kind", one_of(KINDS), required=True),
    Field("vendor", text, required=True),
    Field("model", text, required=True),
    Field("technology", one_of(get_args(Technology))),
    Field("rack_units", number),
    Field("power_typical_w", number),
    Field("power_max_w", number),
    Field("ports", list_of(_record(PortFamily, PORTS))),
    Field("gpu", _record(GpuSpec, GPU)),
    Field("nic", text),
    Field("nic_slots", whole(0)),
    Field("cable", _record(CableSpec, CABLE)),
    Field("price", _price),
    Field("equivalents", _TEXTS),
    Field("latency_s", span, human="latency_ns", human_check=scaled(span, 1e9)),
    Field("adaptive", flag),
    Field("sharp", flag),
    Field("source", text),
    Field("checked", text),
    Field("confidence", one_of(get_args(Confidence))),
    Field("unsourced", _TEXTS),
    Field("notes", text),
    Field("imported", flag),
    Field("aliases", _TEXTS),
)
_SPECS: dict[type[Any], tuple[Field, ...]] = {
    Breakout: BREAKOUT,
    PortFamily: PORTS,
    GpuSpec: GPU,
    CableSpec: CABLE,
    PartType: PART,
}


def twin_keys() -> dict[str, str]:
    """Return for each key with two units the other one, so that one can replace the other."""
    pairs = [(f.key or f.name, f.human) for specs in _SPECS.values() for f in specs if f.human]
    return dict(pairs) | {human: key for key, human in pairs}


def part_from_dict(slug: str, data: Mapping[str, Any], where: str) -> PartType:
    """Build a part type from the form `part_to_dict` writes or the catalogue's TOML holds.

    Args:
        slug: Name of the part.
        data: Keys and values of the part.
        where: File the data comes from, named in errors.

    Raises:
        CatalogError: A key is unknown, missing or holds what does not fit; names file, part and
            field and says what is expected.
    """
    place = f"{where}: {slug}"
    values = _values(PartType, PART, data, place)
    part = PartType(slug=slug, **values)
    families = [f.family for f in part.ports]
    if len(set(families)) < len(families):
        raise refuse(f"{place}: ports", families, _("Each port family may stand only once."))
    return part


def build(cls: type[Any], specs: tuple[Field, ...], data: Any, where: str) -> Any:
    """Build one record of type `cls` from a table.

    Raises:
        CatalogError: As for `part_from_dict`.
    """
    return cls(**_values(cls, specs, data, where))


def _values(cls: type[Any], specs: tuple[Field, ...], data: Any, where: str) -> dict[str, Any]:
    table = _table(data, where)
    _known_keys(table, [k for f in specs for k in (f.key or f.name, f.human) if k], where)
    values: dict[str, Any] = {}
    for spec in specs:
        key = spec.key or spec.name
        if key in table and spec.human in table:
            raise CatalogError(
                _("{where} gives both {one} and {other}.").format(
                    where=where, one=key, other=spec.human
                ),
                _("Keep one of them."),
            )
        if key in table:
            values[spec.name] = spec.check(table[key], f"{where}: {key}")
        elif spec.human in table and spec.human_check is not None:
            values[spec.name] = spec.human_check(table[spec.human], f"{where}: {spec.human}")
        elif spec.required:
            raise _missing(where, spec.human or key)
    if cls is GpuSpec:
        values.setdefault("count", None)
    return values


def _table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise refuse(where, value, _("A table is expected."))
    return value


def _known_keys(table: Mapping[str, Any], known: tuple[str, ...] | list[str], where: str) -> None:
    for key in table:
        if key in known:
            continue
        near = get_close_matches(str(key), known, n=1)
        hint = (
            _("Did you mean {names}?").format(names=near[0])
            if near
            else _("Keys are {names}.").format(names=", ".join(known))
        )
        raise CatalogError(_("{where} has no field “{key}”.").format(where=where, key=key), hint)


def _missing(where: str, key: str) -> CatalogError:
    return CatalogError(
        _("{where}: field “{key}” is missing.").format(where=where, key=key),
        _("Add it; “railspine catalog” shows parts that are complete."),
    )


def part_to_dict(part: PartType) -> dict[str, Any]:
    """Return a part as plain values in SI units, without its slug and without what is unset.

    `part_from_dict(part.slug, part_to_dict(part), where)` gives the same part again.
    """
    return _plain_record(part)


def _plain_record(record: Any) -> dict[str, Any]:
    defaults = {f.name: f.default for f in fields(record)}
    found: dict[str, Any] = {}
    for spec in _SPECS[type(record)]:
        value = getattr(record, spec.name)
        if value is not None and (spec.required or value != defaults.get(spec.name, MISSING)):
            found[spec.key or spec.name] = _plain(value)
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    if isinstance(value, Range):
        return value.as_dict()
    if isinstance(value, Price):
        return {
            **value.usd.as_dict(),
            "currency": value.currency,
            "date": value.date,
            "source": value.source,
        }
    if type(value) in _SPECS:
        return _plain_record(value)
    return value
