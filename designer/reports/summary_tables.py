"""Sections of the HTML summary that are mostly tables."""

from designer.catalog.catalog import Catalog
from designer.engine.bom import bill_of_materials
from designer.engine.bom_rows import KIND_NAMES, BomRow
from designer.engine.results import Results
from designer.messages import _
from designer.model.assumptions import Assumption
from designer.model.design import Design
from designer.model.findings import SEVERITIES
from designer.reports import charts
from designer.reports.bom_sheet import price_note, role_name
from designer.reports.html_parts import bullets, group_row, head_row, heading, row, table, text
from designer.reports.story import DASH, as_range
from designer.reports.summary_parts import (
    GROUP_NAMES,
    assumption_groups,
    fabric_rows,
    in_unit,
    is_assumed,
    performance_rows,
    traffic_rows,
    unknowns,
)
from designer.units import (
    format_money_exact,
    format_number,
    format_percent,
    format_range,
    format_time,
)

_MOST_FINDINGS = 60


def performance_section(results: Results) -> str:
    """Return what both technologies deliver, the step, the traffic and the fabric."""
    heads = head_row(("", _("InfiniBand"), _("RoCE")), ("", "n ib", "n roce"))
    rows = [row(cells, ("", "n", "n")) for cells in performance_rows(results)]
    fabric = [row(cells, ("", "n")) for cells in fabric_rows(results)]
    return "".join(
        (
            heading(_("What it delivers"), _("speeds one way, decimal units")),
            table(heads, rows),
            _step(results),
            _traffic(results),
            text(_("The fabric"), "h3"),
            table("", fabric),
        )
    )


def _step(results: Results) -> str:
    step = results.get("step")
    if not isinstance(step, dict) or as_range(step.get("time_s")) is None:
        return ""
    total = float(step["time_s"])
    parts = [
        charts.Part(label, float(step.get(key) or 0.0), colour, format_time(step.get(key) or 0.0))
        for key, label, colour in (
            ("compute_s", _("compute"), charts.LOC1),
            ("exposed_communication_s", _("waiting for the network"), charts.LOC3),
            ("bubble_s", _("pipeline bubble"), charts.BUBBLE),
        )
    ]
    rest = total - sum(p.value for p in parts)
    if rest > 0.001 * total:
        parts.append(charts.Part(_("stragglers"), rest, charts.LOC2, format_time(rest)))
    title = _("Training step")
    chart = charts.stacked_bars([(_("As drawn"), parts, format_time(total))], title, 780)
    return text(title, "h3") + chart


def _traffic(results: Results) -> str:
    rows = traffic_rows(results)
    if not rows:
        return ""
    colours = {"nvlink": charts.LOC1, "scalable_unit": charts.LOC2, "cross_unit": charts.LOC3}
    parts = [
        charts.Part(name, share, colours[key], f"{format_percent(share)} ({amount})")
        for key, name, share, amount in rows
    ]
    title = _("Traffic by locality, bytes sent per step")
    return text(title, "h3") + charts.stacked_bars([("", parts, "")], title, 780)


def assumption_section(design: Design, results: Results) -> str:
    """Return every value the results rest on, with its range, source and date."""
    groups = assumption_groups(design, results)
    count = sum(len(rows) for rows in groups.values())
    titles = (_("Assumption"), _("Used"), _("Unit"), _("Low"), _("High"), _("Source"), _("Date"))
    rows: list[str] = []
    for name, values in groups.items():
        rows.append(group_row(_(GROUP_NAMES.get(name, name)), 7))
        rows += [_assumption(value) for value in values]
    note = _("Sources in this colour rest on no measurement or quote: replace them first.")
    return "".join(
        (
            heading(_("What the answer rests on"), _("{n} values").format(n=count)),
            table(head_row(titles, ("", "n", "", "n", "n", "", "")), rows),
            text(note, "p", "note assumed"),
        )
    )


def _assumption(value: Assumption) -> str:
    unit = value.parameter.unit
    used, shown = in_unit(value.value.typical, unit)
    ends = ["", ""]
    if value.value.low != value.value.high:
        low, high = in_unit(value.value.low, unit), in_unit(value.value.high, unit)
        same = low[1] == high[1] == shown
        ends = [v[0] if same else " ".join(v).strip() for v in (low, high)]
    cells = (_(value.parameter.label), used, shown, *ends, _(value.source), value.date)
    mark = "src assumed" if is_assumed(value) else "src"
    return row(cells, ("", "n t", "", "n", "n", mark, ""))


def unknown_section(results: Results) -> str:
    """Return what the report does not know."""
    return heading(_("What this report does not know")) + bullets(unknowns(results))


def finding_section(results: Results) -> str:
    """Return the findings, the gravest first."""
    title = heading(_("Findings"))
    if not results.findings:
        return title + text(_("No findings."), "p")
    names = {"error": _("error"), "warning": _("warning"), "info": _("note")}
    ordered = sorted(results.findings, key=lambda f: SEVERITIES.index(f.severity))
    rows = [
        row((names[f.severity], f"{f.message} {f.hint}"), (f"sev {f.severity}", ""))
        for f in ordered[:_MOST_FINDINGS]
    ]
    more = len(ordered) - _MOST_FINDINGS
    note = text(_("{n} more are not shown.").format(n=more), "p", "note") if more > 0 else ""
    return title + table("", rows) + note


def bom_section(design: Design, catalog: Catalog) -> str:
    """Return the bill of materials of the drawing as it is drawn."""
    bom = bill_of_materials(design, catalog)
    parts: dict[tuple[str, str, str], list[BomRow]] = {}
    for line in bom.rows:
        parts.setdefault((line.kind, line.part, line.title), []).append(line)
    titles = (
        _("Part"),
        _("Role"),
        _("Count"),
        _("Unit price"),
        _("Together, typical"),
        _("Price from"),
    )
    counted = [(_(name), bom.count(kind)) for kind, name in KIND_NAMES.items()]
    kinds = ", ".join(f"{name}: {format_number(n, 0)}" for name, n in counted if n)
    note = _("Counted from the drawing as it is drawn. {what}.").format(what=kinds)
    heads = head_row(titles, ("", "", "n", "n", "n", ""))
    return "".join(
        (
            heading(_("Bill of materials")),
            table(heads, [_bom_row(lines) for lines in parts.values()]),
            text(f"{note} {price_note()}", "p", "note"),
        )
    )


def _bom_row(lines: list[BomRow]) -> str:
    """Return one row for a part, whatever roles it is used in."""
    first, count = lines[0], sum(line.count for line in lines)
    roles = [
        f"{role_name(line)}: {format_number(line.count, 0)}" if len(lines) > 1 else role_name(line)
        for line in lines
    ]
    unit = first.unit_usd
    source = ", ".join(t for t in (first.price_date, first.price_source) if t) or first.reason
    cells = (
        first.title,
        "; ".join(roles),
        format_number(count, 0),
        format_range(unit, format_money_exact) if unit is not None else DASH,
        format_money_exact(unit.typical * count) if unit is not None else DASH,
        source,
    )
    mark = "src" if first.sourced and not first.estimated else "src assumed"
    return row(cells, ("", "", "n t", "n", "n", mark))
