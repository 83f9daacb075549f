"""The summary as Markdown: the same story in plain text, for a wiki or a pull request."""

import datetime
from collections.abc import Sequence

from designer.catalog.catalog import Catalog
from designer.engine.bom import bill_of_materials
from designer.engine.results import Results
from designer.messages import _
from designer.model.design import Design
from designer.reports.bom_sheet import price_note, role_name
from designer.reports.story import DASH, CostRow, tell
from designer.reports.summary_failures import HEADS, failure_rows
from designer.reports.summary_parts import (
    GROUP_NAMES,
    assumption_groups,
    fabric_rows,
    flip_text,
    in_unit,
    performance_rows,
    traffic_rows,
    unknowns,
)
from designer.units import format_money, format_money_exact, format_number, format_percent

_FLIPS = 8


def summary_markdown(
    design: Design, results: Results, catalog: Catalog, today: datetime.date | None = None
) -> str:
    """Return the summary of a design as Markdown.

    Args:
        design: The drawing.
        results: What `analyze` found.
        catalog: Parts, for the bill of materials.
        today: Date shown when the title block has none; today when None.
    """
    story = tell(design, results, today or datetime.date.today())
    lines = [f"# {_plain(story.title)}", "", f"{story.date} · Railspine", ""]
    lines += [f"**{_plain(story.question)}** {_plain(story.subtitle)}", ""]
    lines += [f"## {story.answer}", "", _plain(story.sentence), ""]
    lines += [f"- {_plain(reason)}" for reason in story.reasons]
    lines += ["", *_table(("", ""), [(f.label, _joined(f.value, f.lines)) for f in story.figures])]
    lines += _section(_("The fabric"), ("", ""), fabric_rows(results))
    heads = ("", _("InfiniBand"), _("RoCE"))
    lines += _section(_("What it delivers"), heads, performance_rows(results))
    traffic = [(n, format_percent(s), b) for _k, n, s, b in traffic_rows(results)]
    lines += _section(_("Traffic by locality"), ("", _("share"), _("bytes per step")), traffic)
    if failures := failure_rows(results):
        heads_of = tuple(_(h) for h in HEADS)
        lines += _section(_("What happens when one part fails"), heads_of, failures)
    costs = [_cost(r) for r in story.costs if r.kind != "group"]
    lines += _section(_("What it costs"), heads, costs)
    flips = [(f.label, flip_text(f)) for f in story.flips[:_FLIPS]]
    lines += _section(_("What would flip it"), ("", ""), flips)
    lines += _assumptions(design, results)
    lines += ["", "## " + _("What this report does not know"), ""]
    lines += [f"- {_plain(line)}" for line in unknowns(results)]
    lines += ["", "## " + _("Findings"), ""]
    names = {"error": _("error"), "warning": _("warning"), "info": _("note")}
    lines += [
        f"- **{names[f.severity]}** {_plain(f.message)} {_plain(f.hint)}" for f in results.findings
    ]
    lines += [] if results.findings else [_("No findings.")]
    lines += _bom(design, catalog)
    return "\n".join(lines).rstrip() + "\n"


def _joined(value: str, lines: Sequence[str]) -> str:
    return "; ".join((value, *lines))


def _plain(text: str) -> str:
    """Return a text that Markdown takes as it stands, on one line."""
    for mark in ("\\", "`", "*", "_", "<", "|", "[", "#"):
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split())


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(_plain(h) for h in heads) + " |"]
    lines.append("|" + "|".join([" --- "] + [" ---: "] * (len(heads) - 1)) + "|")
    lines += ["| " + " | ".join(_plain(c) for c in row) + " |" for row in rows]
    return lines


def _section(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return ["", f"## {title}", "", *_table(heads, rows)] if rows else []


def _cost(row: CostRow) -> tuple[str, str, str]:
    cells = [
        f"{format_money(v.typical)} ({format_money(v.low)} – {format_money(v.high)})"
        if v is not None
        else DASH
        for v in (row.infiniband, row.rocev2)
    ]
    return (row.label, cells[0], cells[1])


def _assumptions(design: Design, results: Results) -> list[str]:
    rows = []
    for name, values in assumption_groups(design, results).items():
        for value in values:
            unit = value.parameter.unit
            low, used, high = (
                " ".join(in_unit(v, unit)).strip()
                for v in (value.value.low, value.value.typical, value.value.high)
            )
            spread = used if low == high else f"{used} ({low} – {high})"
            rows.append(
                (
                    _(GROUP_NAMES.get(name, name)),
                    _(value.parameter.label),
                    spread,
                    ", ".join(t for t in (_(value.source), value.date) if t),
                )
            )
    heads = (_("Group"), _("Assumption"), _("Used (low – high)"), _("Source"))
    return _section(_("What the answer rests on"), heads, rows)


def _bom(design: Design, catalog: Catalog) -> list[str]:
    rows = [
        (
            row.title,
            role_name(row),
            format_number(row.count, 0),
            format_money_exact(row.unit_usd.typical) if row.unit_usd is not None else DASH,
            format_money_exact(row.total_usd.typical) if row.total_usd is not None else DASH,
        )
        for row in bill_of_materials(design, catalog).rows
    ]
    heads = (_("Part"), _("Role"), _("Count"), _("Unit price"), _("Together, typical"))
    made = _section(_("Bill of materials"), heads, rows)
    return [*made, "", price_note()] if made else []
