"""The summary as one HTML file: nothing outside it, charts as SVG inside it."""

import datetime
import re
from html import escape

from designer import __version__
from designer.catalog.catalog import Catalog
from designer.engine.results import Results
from designer.messages import _, language
from designer.model.design import Design
from designer.reports import charts
from designer.reports.html_parts import (
    bullets,
    group_row,
    head_row,
    heading,
    table,
    tag,
    text,
)
from designer.reports.page_style import CSS
from designer.reports.story import DASH, CostRow, Figure, Story, tell
from designer.reports.summary_failures import failure_section
from designer.reports.summary_parts import (
    fabric_rows,
    findings_headline,
    flip_lines,
    money_scale,
)
from designer.reports.summary_tables import (
    assumption_section,
    bom_section,
    finding_section,
    performance_section,
    unknown_section,
)
from designer.units import format_money, format_number

_FLIPS = 8
# The mark of the program: three rails crossing a spine.
_LOGO = (
    '<svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true">'
    '<path d="M2 6h20" stroke="#0F4C96" stroke-width="2.6"/>'
    '<path d="M2 12h20" stroke="#287D65" stroke-width="2.6"/>'
    '<path d="M2 18h20" stroke="#96590F" stroke-width="2.6"/>'
    '<path d="M12 2v20" stroke="#17202E" stroke-width="2.6"/></svg>'
)


def summary_html(
    design: Design,
    results: Results,
    catalog: Catalog,
    diagram_svg: str | None,
    today: datetime.date | None = None,
) -> str:
    """Return the summary of a design as one self-contained HTML document.

    Args:
        design: The drawing.
        results: What `analyze` found.
        catalog: Parts, for the bill of materials.
        diagram_svg: The drawing as SVG text; None leaves it out.
        today: Date shown when the title block has none; today when None.
    """
    story = tell(design, results, today or datetime.date.today())
    body = [
        _head(story),
        _answer(story),
        tag("section", *(_figure(f) for f in story.figures), cls="figures"),
        _drawing(diagram_svg, results),
        _findings_card(results),
        _costs(story),
        _flips(story),
        performance_section(results),
        failure_section(results),
        assumption_section(design, results),
        unknown_section(results),
        finding_section(results),
        bom_section(design, catalog),
        _foot(design, results),
    ]
    return (
        f'<!doctype html>\n<html lang="{language().replace("_", "-")}"><head>'
        f'<meta charset="utf-8"><title>{escape(story.title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{CSS}</style></head><body><main>{''.join(body)}</main></body></html>\n"
    )


def _head(story: Story) -> str:
    right = " · ".join((_("Decision report"), story.title, story.date))
    return "".join(
        (
            tag("header", tag("b", _LOGO, "Railspine"), text(right, "span"), cls="top"),
            text(_("Question"), "p", "eyebrow"),
            text(story.question, "h1"),
            text(story.subtitle, "p", "lead"),
        )
    )


def _answer(story: Story) -> str:
    left = tag(
        "div",
        text(_("Answer"), "div", "label"),
        text(story.answer, "div", "big"),
        text(story.sentence, "div"),
        bullets(story.reasons),
    )
    rows = [
        charts.RangeRow(name, value, colour, square)
        for name, value, colour, square in (
            (_("InfiniBand"), story.totals["infiniband"], charts.IB, False),
            (_("RoCE"), story.totals["rocev2"], charts.ROCE, True),
        )
        if value is not None
    ]
    right = ""
    if rows:
        scale, unit = money_scale([r.value for r in rows])
        label = f"{story.totals_label}, {unit}"
        chart = charts.range_chart(rows, scale, label, 400)
        right = tag("div", text(label, "div", "label"), chart)
    return tag("section", left, right, cls=f"answer {story.choice}".strip())


def _scaled(value: float, scale: float) -> str:
    return format_number(value / scale, 2 if scale > 1 else 0)


def _figure(figure: Figure) -> str:
    lines = (text(line, "div") for line in figure.lines)
    return tag("div", text(figure.label, "div", "label"), text(figure.value, "div", "big"), *lines)


def _drawing(svg: str | None, results: Results) -> str:
    if not svg:
        return ""
    inner = re.sub(r"^\s*(<\?xml.*?\?>)?\s*(<!DOCTYPE.*?>)?", "", svg, flags=re.DOTALL)
    caption = ", ".join(f"{name}: {value}" for name, value in fabric_rows(results)[:7])
    figure = tag("figure", inner, text(caption, "figcaption"))
    return heading(_("The drawing")) + figure


def _findings_card(results: Results) -> str:
    headline = findings_headline(results)
    if not headline:
        return ""
    first = [f for f in results.findings if f.severity != "info"][:3]
    error = any(f.severity == "error" for f in results.findings)
    lines = (text(f.message, "div") for f in first)
    return tag("section", text(headline, "b"), *lines, cls="card error" if error else "card")


def _costs(story: Story) -> str:
    values = [v for r in story.costs[:-1] for v in (r.infiniband, r.rocev2)]
    if all(v is None for v in values):
        return ""
    scale, unit = money_scale(values)
    rows = [_cost_row(r, scale) for r in story.costs[:-1]]
    rows.append(_cost_row(story.costs[-1], 1e3, _("thousand USD")))
    names = ("", _("InfiniBand"), _("RoCE"))
    bounds = ("", *(_("low"), _("typical"), _("high")) * 2)
    heads = head_row(names, ("", "n ib", "n roce"), 3) + head_row(bounds, ("", *["n"] * 6))
    note = _(
        "Bounds are carried by interval arithmetic: every low together, every high together. The "
        "true spread is narrower."
    )
    return "".join(
        (
            heading(_("What it costs"), unit),
            table(heads, rows),
            text(note, "p", "note"),
            _cost_bars(story),
        )
    )


def _cost_bars(story: Story) -> str:
    bars = [
        (r.label, r.infiniband, r.rocev2)
        for r in story.costs[1:7]
        if r.infiniband is not None and r.rocev2 is not None
    ]
    if not bars:
        return ""
    title = _("To buy, by class: InfiniBand above, RoCE below")
    return text(title, "h3") + charts.pair_bars(bars, format_money, title, 620)


def _cost_row(row: CostRow, scale: float, unit: str = "") -> str:
    if row.kind == "group":
        return group_row(row.label, 7)
    cells = []
    for value in (row.infiniband, row.rocev2):
        shown = ["", DASH, ""]
        if value is not None:
            shown = [_scaled(v, scale) for v in (value.low, value.typical, value.high)]
        cells += [text(t, "td", "n t" if i == 1 else "n") for i, t in enumerate(shown)]
    note = ", ".join(t for t in (row.note, unit) if t)
    name = tag("td", text(row.label), text(note, "small") if note else "")
    return tag("tr", name, *cells, cls="sum" if row.kind == "sum" else "")


def _flips(story: Story) -> str:
    flips = story.flips[:_FLIPS]
    if not flips or story.difference is None:
        return ""
    words = (
        _("RoCE cheaper"),
        _("InfiniBand cheaper"),
        _("today {amount}").format(amount=_signed(story.difference)),
    )
    title = _("What would flip it")
    chart = charts.tornado(flips, story.difference, flip_lines(flips), words, _signed, title)
    note = _("Bars: RoCE minus InfiniBand at the low and the high value. Disc: typical values.")
    return "".join(
        (
            heading(title, _("one value at a time, the rest typical")),
            chart,
            text(note, "p", "note"),
        )
    )


def _signed(usd: float) -> str:
    return ("+" if usd > 0 else "") + format_money(usd)


def _foot(design: Design, results: Results) -> str:
    line = _(
        "Revision {revision} · Railspine {version} · all speeds one way, decimal units"
    ).format(
        revision=design.title_block.revision or results.revision,
        version=__version__,
    )
    return text(line, "footer")
