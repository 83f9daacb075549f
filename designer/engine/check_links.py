"""Checks of links by class: speed, technology, form factor, medium, reach, shared cages."""

from collections.abc import Iterator

import numpy as np

from designer.catalog.types import CableSpec, PartType
from designer.engine.census import CAGES, LinkClass, cages_of
from designer.engine.check_rules import finding
from designer.engine.media import FIBRE, Cage, Media
from designer.engine.survey import Survey
from designer.messages import _
from designer.model.findings import Finding
from designer.units import format_bits_per_s, format_length


def check_links(survey: Survey) -> Iterator[Finding]:
    """Yield findings about what the two ends of a link and its cable make of one another."""
    made: dict[int, Media] = {}
    for cls, link in survey.link_classes():
        a, b = survey.tally.cage(link.a), survey.tally.cage(link.b)
        if a is None or b is None:
            continue  # told as a missing port or an unknown type
        media = made[cls] = survey.tally.media(link)
        yield from _joins(survey, cls, link, a, b)
        yield from _speed(survey, cls, link, (a, b), media)
        yield from _forms(survey, cls, link, a, b)
        yield from _media(survey, cls, link)
        yield from _reach(survey, cls, link, media)
    yield from _shared_cages(survey, made)


def _joins(survey: Survey, cls: int, link: LinkClass, a: Cage, b: Cage) -> Iterator[Finding]:
    name, ids = survey.class_name(cls)
    if ("nvlink" in (link.a.family, link.b.family)) and link.a.family != link.b.family:
        yield finding(
            "form-factor-mismatch",
            ids,
            _("{cable}: an NVLink port does not take a cable from a network port.").format(
                cable=name
            ),
            _("Cable NVLink to NVLink, NIC to switch."),
        )
    elif "mgmt" not in (link.a.family, link.b.family) and not _meet(a.technology, b.technology):
        yield finding(
            "technology-mismatch",
            ids,
            _("{cable}: {one} does not link with {two}.").format(
                cable=name, one=a.technology, two=b.technology
            ),
            _("Use devices of one technology at both ends."),
        )


def _meet(one: str, two: str) -> bool:
    return "any" in (one, two) or one == two


def _speed(
    survey: Survey, cls: int, link: LinkClass, ends: tuple[Cage, Cage], media: Media
) -> Iterator[Finding]:
    a, b = ends
    if "nvlink" in (link.a.family, link.b.family) and link.a.family != link.b.family:
        return
    tops = [max(e.speeds, default=0.0) for e in ends]
    if media.speed is None and not all(tops):
        name, ids = survey.class_name(cls)
        yield finding(
            "unknown-speed",
            ids,
            _("{cable}: no speed is known, so it carries nothing here.").format(cable=name),
            _("Choose types whose ports have a speed, in the inspector."),
        )
    elif media.speed is None:
        name, ids = survey.class_name(cls)
        yield finding(
            "no-shared-speed",
            ids,
            _no_speed(survey, link, name, tops, bool(set(a.speeds) & set(b.speeds))),
            _("Choose parts that share a speed, or split the faster port."),
        )
    elif media.speed < max(tops):
        name, ids = survey.class_name(cls)
        yield finding(
            "slower-than-port",
            ids,
            _("{cable} runs at {speed}; {what} could run at {top}.").format(
                cable=name,
                speed=format_bits_per_s(media.speed),
                what=_slow_side(survey, cls, link, tops, media.speed),
                top=format_bits_per_s(max(tops)),
            ),
            _("Split the faster port, or use a faster cable or device."),
        )


def _no_speed(survey: Survey, link: LinkClass, name: str, tops: list[float], by_cable: bool) -> str:
    part = survey.design.types.get(link.type)
    if by_cable:
        return _(
            "{cable}: the cable “{part}” carries no speed that both ends list: no link."
        ).format(cable=name, part=part.title if part is not None else link.type)
    return _("{cable}: {a} at one end, {b} at the other, no speed in common: no link.").format(
        cable=name, a=format_bits_per_s(tops[0]), b=format_bits_per_s(tops[1])
    )


def _slow_side(survey: Survey, cls: int, link: LinkClass, tops: list[float], speed: float) -> str:
    if tops[0] == tops[1]:
        return _("both ends")
    cable = survey.cable(int(survey.rows(cls)[0]))
    end = cable.a if tops[0] > tops[1] else cable.b
    return survey.end_name(end)


def _spec(survey: Survey, slug: str) -> tuple[PartType, CableSpec] | None:
    part = survey.tally.stock.get(slug)
    return (part, part.cable) if part is not None and part.cable is not None else None


def _forms(survey: Survey, cls: int, link: LinkClass, a: Cage, b: Cage) -> Iterator[Finding]:
    named = ((link.optic_a, a), (link.optic_b, b), (link.type, a), (link.type, b))
    for slug, cage in named:
        found = _spec(survey, slug) if slug else None
        if found is None or not cage.form_factor:
            continue
        part, spec = found
        if spec.form_factor and spec.form_factor != cage.form_factor:
            name, ids = survey.class_name(cls)
            yield finding(
                "form-factor-mismatch",
                ids,
                _("{cable}: {part} has {form} ends, the cage is {cage}.").format(
                    cable=name, part=part.title, form=spec.form_factor, cage=cage.form_factor
                ),
                _("Choose a part for that cage, or leave the choice to the program."),
            )
            return


def _media(survey: Survey, cls: int, link: LinkClass) -> Iterator[Finding]:
    parts = [_spec(survey, slug) for slug in (link.type, link.optic_a, link.optic_b) if slug]
    known = [p for p in parts if p is not None]
    media = {spec.medium for _part, spec in known}
    copper = link.type and (link.optic_a or link.optic_b) and not media <= set(FIBRE)
    if len(media) > 1 or copper:
        name, ids = survey.class_name(cls)
        yield finding(
            "medium-mismatch",
            ids,
            _("{cable}: {parts} do not go together.").format(
                cable=name,
                parts=", ".join(f"{p.title} ({_(s.medium.replace('_', ' '))})" for p, s in known),
            ),
            _("Use transceivers and fibre of one kind; copper takes no transceivers."),
        )


def _reach(survey: Survey, cls: int, link: LinkClass, media: Media) -> Iterator[Finding]:
    parts = [_spec(survey, slug) for slug in (link.type, link.optic_a, link.optic_b) if slug]
    reach = min((p for p in parts if p is not None), key=lambda p: p[1].reach_m, default=None)
    if reach is not None and media.length_m > reach[1].reach_m and not media.assumed_length:
        name, ids = survey.class_name(cls)
        yield finding(
            "beyond-reach",
            ids,
            _("{cable} is {length} long; {part} reaches {reach}.").format(
                cable=name,
                length=format_length(media.length_m),
                part=reach[0].title,
                reach=format_length(reach[1].reach_m),
            ),
            _("Choose a part of longer reach, or move the devices closer."),
        )
    elif media.problem and media.speed is not None and survey.stocked:
        name, ids = survey.class_name(cls)
        yield finding(
            "no-part-fits",
            ids,
            _("{cable}: {problem}").format(cable=name, problem=media.problem),
            _("Add the part to your catalogue, or shorten the run."),
        )


def _shared_cages(survey: Survey, made: dict[int, Media]) -> Iterator[Finding]:
    """Yield cages of several ports whose cables need different things in them."""
    plugs: dict[str, int] = {}
    codes, rows, kinds = [], [], []
    for cls, media in made.items():
        link = survey.census.classes[cls]
        for end, plug in enumerate(_plugs(media)):
            cage = survey.tally.cage(link.end(end))
            if cage is None or cage.ports < 2:
                continue
            code, row = cages_of(survey.census, end, survey.rows(cls), cage.ports)
            codes.append(code)
            rows.append(row)
            kinds.append(np.full(len(code), plugs.setdefault(plug, len(plugs))))
    if len(plugs) < 2:
        return  # one plug everywhere: nothing can differ
    code, row, kind = (np.concatenate(c) for c in (codes, rows, kinds))
    order = np.argsort(code, kind="stable")
    code, row, kind = code[order], row[order], kind[order]
    starts = np.flatnonzero(np.r_[True, code[1:] != code[:-1]])
    mixed = np.minimum.reduceat(kind, starts) != np.maximum.reduceat(kind, starts)
    ends = np.r_[starts[1:], len(code)]
    for k in np.flatnonzero(mixed):
        inside = slice(starts[k], ends[k])
        other = int(np.flatnonzero(kind[inside] != kind[starts[k]])[0])
        pair = int(row[starts[k]]), int(row[inside][other])
        yield _mixed(survey, divmod(int(code[starts[k]]), CAGES), *pair)


def _plugs(media: Media) -> tuple[str, str]:
    """Return what sits in the cage at each end: a transceiver, or the plug of a cable."""
    if not media.optical:
        return (media.medium, media.medium)
    ends = (media.optic_a, media.optic_b)
    return (ends[0].slug if ends[0] else "", ends[1].slug if ends[1] else "")


def _mixed(survey: Survey, key: tuple[int, int], one: int, two: int) -> Finding:
    device = survey.devices[key[0]]
    return finding(
        "mixed-cage",
        (device.id, survey.cable_ids[one], survey.cable_ids[two]),
        _("{device} cage {n}: {one} and {two} share it but need different plugs.").format(
            device=device.name,
            n=key[1] + 1,
            one=survey.cable_name(one),
            two=survey.cable_name(two),
        ),
        _("Move one of them to another cage, or use the same kind of cable for both."),
    )
