"""What stands on the export page beside the drawing: counts, parts, lengths, title block."""

import datetime

from designer import __version__
from designer.catalog.catalog import Catalog
from designer.catalog.types import PartType
from designer.engine.bom import bill_of_materials
from designer.engine.bom_rows import KIND_NAMES
from designer.engine.checks import rules_passed
from designer.engine.results import Results
from designer.engine.schedule import ScheduleTotal, schedule_totals
from designer.messages import _
from designer.model.design import Design
from designer.reports.bom_sheet import ROLE_NAMES
from designer.scene.page import PageContent
from designer.units import format_day, format_length, format_number, format_power

_DEVICES = ("server", "host", "nvswitch", "switch")


def page_content(
    design: Design, catalog: Catalog, results: Results, size: str, file: str = ""
) -> PageContent:
    """Return what a page of a drawing says, counted from its records."""
    block = design.title_block
    gpus = results.get("counts.gpus")
    links = results.get("counts.cables.total") or 0
    subtitle = _("{links} links of the network, all speeds one way.").format(
        links=format_number(links)
    )
    if gpus is not None:
        subtitle = _("{gpus} GPUs.").format(gpus=format_number(gpus)) + " " + subtitle
    passed = rules_passed(results.findings)
    return PageContent(
        block.title or file or _("Untitled"),
        subtitle,
        _device_rows(design, catalog),
        _cable_rows(design, catalog),
        {
            "title": block.title,
            "drawn_by": block.drawn_by,
            "checked_by": block.checked_by,
            "date": block.date or format_day(datetime.date.today()),
            "project": block.project,
            "revision": block.revision,
            "sheet": _("1 of 1"),
            "size": _("{paper}, no scale").format(paper=size),
            "checks": _("{n} checks passed").format(n=passed),
            "file": file,
            "program": f"Railspine {__version__}",
        },
    )


def _device_rows(design: Design, catalog: Catalog) -> list[tuple[str, str, str, str]]:
    rows, total, power, unknown = [], 0, 0.0, False
    for row in bill_of_materials(design, catalog).select(*_DEVICES):
        watts = row.total_power_w
        name = ROLE_NAMES.get(row.role) or KIND_NAMES[row.kind]
        text = format_power(watts.typical) if watts is not None else "—"
        model = _short(row.type) if row.type else row.title
        rows.append((_capital(_(name)), model, format_number(row.count), text))
        total += row.count
        power += watts.typical if watts is not None else 0.0
        unknown = unknown or watts is None
    if len(rows) > 1:
        note = _("power without the unknown") if unknown else ""
        rows.append((_("Total"), note, format_number(total), format_power(power) if power else "—"))
    return rows


def _cable_rows(design: Design, catalog: Catalog) -> list[tuple[str, str, str, str]]:
    found: dict[tuple[str, str], list[ScheduleTotal]] = {}
    for row in schedule_totals(design, catalog):
        found.setdefault((row.kind, row.part or row.medium), []).append(row)
    rows, total, metres, assumed = [], 0, 0.0, False
    for (kind, part), members in found.items():
        lengths = sorted({m.length_m for m in members})
        span = format_length(lengths[-1])
        if len(lengths) > 1:
            span = _("{low} – {high}").format(low=format_number(lengths[0]), high=span)
        guessed = any(m.assumed for m in members)
        name = _short(catalog.get(part)) if part in catalog else part or "—"
        count = sum(m.count for m in members)
        text = span + (" *" if guessed else "")
        rows.append((_capital(_(ROLE_NAMES.get(kind, kind))), name, text, format_number(count)))
        total, assumed = total + count, assumed or guessed
        metres += sum(m.count * m.length_m for m in members)
    if rows:
        note = _("* assumed length") if assumed else ""
        rows.append((_("Total"), note, format_length(round(metres)), format_number(total)))
    return rows


def _short(part: PartType) -> str:
    """Return a model without its maker and without what stands in brackets behind it."""
    return part.shown_model.split(" (")[0]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
