"""Checks of single records: what could not be read, is unknown, or stands there twice."""

from collections.abc import Iterator

from designer.engine.check_rules import finding, listed
from designer.engine.survey import MOST_IDS, Survey
from designer.messages import _, ngettext
from designer.model.findings import Finding
from designer.model.records import Device


def check_records(survey: Survey) -> Iterator[Finding]:
    """Yield findings about damaged records, types, names, GPUs and sources."""
    yield from _kept(survey)
    yield from _unknown_types(survey)
    yield from _names(survey)
    yield from _gpus(survey)
    yield from _sources(survey)


def _kept(survey: Survey) -> Iterator[Finding]:
    for kept in survey.design.kept.values():
        if kept.kind == "waiting":  # the record it waits for says so
            continue
        where = _("line {n}").format(n=kept.line) if kept.line else _("the file")
        if kept.kind == "fields":
            yield finding(
                "unknown-field",
                (kept.id,),
                _("{table} “{id}” ({where}): {reason} They are kept, not used.").format(
                    table=kept.table, id=kept.id, where=where, reason=kept.reason
                ),
                _("A newer version may know them."),
            )
            continue
        yield finding(
            "kept-record",
            (kept.id,),
            _("{record} could not be read ({where}): {reason} It is kept, not used.").format(
                record=f"{kept.table} “{kept.id}”".strip(), where=where, reason=kept.reason
            ),
            _("Mend it in the file, or delete it."),
        )


def _unknown_types(survey: Survey) -> Iterator[Finding]:
    by_type: dict[str, list[Device]] = {}
    for device in survey.devices:
        if device.type not in survey.design.types:
            by_type.setdefault(device.type, []).append(device)
    for slug, devices in by_type.items():
        yield finding(
            "unknown-type",
            _ids(devices),
            _("{devices}: type “{slug}” is unknown, so ports, power and price are too.").format(
                devices=_listed(devices), slug=slug
            ),
            _("Choose another type in the inspector, or add it to your catalogue."),
        )


def _names(survey: Survey) -> Iterator[Finding]:
    by_name: dict[str, list[Device]] = {}
    for device in survey.devices:
        by_name.setdefault(device.name, []).append(device)
    if len(by_name) == len(survey.devices):
        return
    for name, devices in by_name.items():
        if len(devices) > 1:
            yield finding(
                "duplicate-name",
                _ids(devices),
                ngettext(
                    "{n} device is called “{name}”.",
                    "{n} devices are called “{name}”: cable schedules cannot tell them apart.",
                    len(devices),
                ).format(n=len(devices), name=name),
                _("Rename all but one."),
            )


def _gpus(survey: Survey) -> Iterator[Finding]:
    unknown = [
        d
        for d in survey.devices
        if d.role == "server" and d.type in survey.design.types and survey.design.gpus(d) is None
    ]
    if unknown:
        yield finding(
            "unknown-gpus",
            _ids(unknown),
            ngettext(
                "{n} server has unknown GPUs: {names}. Nothing is computed for it.",
                "{n} servers have unknown GPUs: {names}. Nothing is computed for them.",
                len(unknown),
            ).format(n=len(unknown), names=_listed(unknown)),
            _("Map the adapters to a server type, one step for all."),
        )


def _sources(survey: Survey) -> Iterator[Finding]:
    design = survey.design
    used: dict[str, list[Device]] = {}
    for device in survey.devices:
        used.setdefault(device.type, []).append(device)
        if device.nics:
            used.setdefault(device.nics, []).append(device)
    for slug, devices in used.items():
        part = design.types.get(slug)
        if part is None or part.sourced or part.imported:
            continue
        yield finding(
            "unsourced-part",
            _ids(devices),
            _("{part}: its data is {confidence}, no source was read. It is used by {n}.").format(
                part=part.title,
                confidence=_confidence().get(part.confidence, part.confidence),
                n=ngettext("{n} device", "{n} devices", len(devices)).format(n=len(devices)),
            ),
            _("Enter figures of your own with their source in your catalogue."),
        )


def _confidence() -> dict[str, str]:
    return {"recalled": _("recalled"), "estimate": _("an estimate"), "unknown": _("unknown")}


def _ids(devices: list[Device]) -> list[str]:
    return [d.id for d in devices[:MOST_IDS]]


def _listed(devices: list[Device]) -> str:
    return listed([d.name for d in devices])
