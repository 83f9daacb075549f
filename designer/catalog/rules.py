"""What makes a part complete, and what parts of one catalogue owe each other."""

from collections.abc import Iterable, Mapping
from dataclasses import fields

from designer.catalog.checks import day, slug
from designer.catalog.types import PartType
from designer.errors import CatalogError
from designer.messages import _

# The port family without which a part of a kind cannot be cabled.
_MAIN_FAMILY = {"nvswitch": "nvlink", "switch": "fabric", "nic": "nic"}
_PART_FIELDS = frozenset(f.name for f in fields(PartType))


def check_part(part: PartType, where: str) -> None:
    """Refuse a part that is incomplete for its kind.

    Raises:
        CatalogError: Names file, part and field, and says what is expected.
    """
    place = f"{where}: {part.slug}"
    slug(part.slug, place)
    for alias in part.aliases:
        slug(alias, f"{place}: aliases")
    if part.checked:
        day(part.checked, f"{place}: checked")
    _check_kind(part, place)
    _check_speeds(part, place)
    _check_sources(part, place)
    if None not in (part.power_typical_w, part.power_max_w) and _above(part):
        raise _fault(place, "power_typical_w", _("It may not be above power_max_w."))


def _above(part: PartType) -> bool:
    return (part.power_typical_w or 0) > (part.power_max_w or 0)


def _check_kind(part: PartType, place: str) -> None:
    family = _MAIN_FAMILY.get(part.kind)
    if family is not None and part.family(family) is None:
        raise _fault(place, "ports", _("Ports of family {name} are expected.").format(name=family))
    if (part.kind == "server") != (part.gpu is not None):
        raise _fault(place, "gpu", _("Servers have a gpu table (count 0 for a host), others none."))
    if part.gpu is not None and part.gpu.count is None:
        raise _fault(place, "gpu.count", _("A number of GPUs is expected."))
    if (part.kind in {"cable", "optic"}) != (part.cable is not None):
        raise _fault(place, "cable", _("Cables and optics have a cable table, others none."))
    if (part.nic_slots > 0) != bool(part.nic) or (part.nic and part.kind != "server"):
        raise _fault(place, "nic", _("Servers with nic_slots name the NIC in them."))


def _check_speeds(part: PartType, place: str) -> None:
    lists = [(f"ports ({f.family})", f.speeds) for f in part.ports]
    if part.cable is not None:
        lists.append(("cable", part.cable.speeds))
    for name, speeds in lists:
        if not speeds or list(speeds) != sorted(set(speeds), reverse=True) or 0 in speeds:
            raise _fault(
                place, f"{name}: speeds", _("Speeds are expected fastest first, each once.")
            )
    for family in part.ports:
        if family.count > 1 and "{n}" not in family.name:
            raise _fault(
                place,
                f"ports ({family.family}): name",
                _("A text with {n} for the port number is expected."),
            )
        for b in family.breakouts:
            if b.lanes * b.speed > max(family.speeds):
                raise _fault(
                    place,
                    f"ports ({family.family}): breakouts",
                    _("All lanes together may not be faster than the port."),
                )


def _check_sources(part: PartType, place: str) -> None:
    if part.confidence == "found" and not (part.source and part.checked):
        raise _fault(place, "confidence", _("“found” needs a source and the date it was checked."))
    if part.price is not None and not (part.price.date and part.price.source):
        raise _fault(place, "price", _("A price needs its date (or “n/d”) and its source."))
    for name in part.unsourced:
        if name.partition(".")[0] not in _PART_FIELDS:
            raise _fault(place, "unsourced", _("“{name}” is no field.").format(name=name))


def check_catalog(parts: Iterable[PartType], places: Mapping[str, str]) -> None:
    """Refuse a catalogue whose parts contradict each other.

    Args:
        parts: All parts; of two that claim one alias the later one is at fault.
        places: File of each part, by slug, named in errors.

    Raises:
        CatalogError: An alias is taken, or a NIC or equivalent is missing or does not fit.
    """
    known = {part.slug: part for part in parts}
    owners = {name: name for name in known}
    for part in known.values():
        place = f"{places.get(part.slug, '')}: {part.slug}"
        for alias in part.aliases:
            if alias in owners:
                raise _fault(
                    place,
                    "aliases",
                    _("“{alias}” already means {slug}.").format(alias=alias, slug=owners[alias]),
                )
            owners[alias] = part.slug
        _check_nic(part, known, places)
        _check_equivalents(part, known, place)


def _check_nic(part: PartType, known: Mapping[str, PartType], places: Mapping[str, str]) -> None:
    if not part.nic:
        return
    place = f"{places.get(part.slug, '')}: {part.slug}"
    nic = known.get(part.nic)
    card = nic.family("nic") if nic is not None else None
    if nic is None or nic.kind != "nic" or card is None:
        raise _fault(place, "nic", _("No NIC is called “{slug}”.").format(slug=part.nic))
    ports = part.family("nic")
    if ports is None or ports.count != part.nic_slots * card.count:
        raise _fault(
            place,
            "ports (nic): count",
            _("{n} are expected: {slots} × {slug} of {file} with {each} each.").format(
                n=part.nic_slots * card.count,
                slots=part.nic_slots,
                slug=nic.slug,
                file=places.get(nic.slug, ""),
                each=card.count,
            ),
        )
    if ports.speeds != card.speeds:
        raise _fault(
            place,
            "ports (nic): speeds",
            _("The speeds of {slug} of {file} are expected.").format(
                slug=nic.slug, file=places.get(nic.slug, "")
            ),
        )


def _check_equivalents(part: PartType, known: Mapping[str, PartType], place: str) -> None:
    for name in part.equivalents:
        other = known.get(name)
        if other is None:
            raise _fault(place, "equivalents", _("No part is called “{slug}”.").format(slug=name))
        if other.kind != part.kind or other.technology == part.technology:
            raise _fault(
                place,
                "equivalents",
                _("A part of the same kind and the other technology is expected."),
            )


def _fault(place: str, field: str, expected: str) -> CatalogError:
    return CatalogError(
        _("{where}: field “{key}” does not fit.").format(where=place, key=field), expected
    )
