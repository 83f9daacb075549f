"""What a summary tells, apart from how it looks: question, answer, figures, costs, assumptions."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from designer.engine.fabrics import Flip
from designer.engine.results import Results
from designer.messages import _, ngettext
from designer.model.design import Design
from designer.units import (
    Range,
    format_binary_size,
    format_day,
    format_money,
    format_number,
    format_percent,
    format_significant,
    format_time,
)

DASH = "—"
FABRICS = ("infiniband", "rocev2")


@dataclass(frozen=True, slots=True)
class Figure:
    """One of the three headline figures: a label, the figure, and lines below it."""

    label: str
    value: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CostRow:
    """One row of the cost table: a group heading, a row or a sum; ranges in US dollars."""

    label: str
    note: str
    infiniband: Range | None
    rocev2: Range | None
    kind: str = "row"


@dataclass(frozen=True, slots=True)
class Story:
    """Everything a summary says at its head.

    Attributes:
        choice: `infiniband`, `rocev2`, `too_close_to_call` or empty when there is no verdict.
        totals: Total cost by fabric over the years; None when unknown.
    """

    title: str
    date: str
    question: str
    subtitle: str
    choice: str
    answer: str
    sentence: str
    reasons: tuple[str, ...]
    totals: dict[str, Range | None]
    totals_label: str
    figures: tuple[Figure, ...]
    costs: tuple[CostRow, ...]
    flips: tuple[Flip, ...]
    difference: float | None
    years: str


def as_range(value: Any) -> Range | None:
    """Return a range of the results: `{low, typical, high}`, a plain number, or None."""
    if isinstance(value, Mapping):
        return Range(float(value["low"]), float(value["typical"]), float(value["high"]))
    return Range.exact(float(value)) if isinstance(value, int | float) else None


def tell(design: Design, results: Results, today: datetime.date) -> Story:
    """Return the story of a design and its results.

    Args:
        design: The drawing.
        results: What `analyze` found.
        today: Date of the summary, unless the title block has one.
    """
    block = design.title_block
    years = format_significant(_typical(results, "years", 4.0))
    verdict = results.get("verdict") or {}
    choice = str(verdict.get("choice") or "")
    totals = {f: as_range(results.get(f"fabrics.{f}.tco_usd")) for f in FABRICS}
    return Story(
        block.title or _("Untitled cluster"),
        block.date or format_day(today),
        _question(results),
        _subtitle(design, results, years),
        choice,
        _answer(choice),
        _sentence(results),
        tuple(str(r) for r in verdict.get("reasons", ())),
        totals,
        _("Total over {n} years").format(n=years),
        (_all_reduce(results), _idle(results), _capex(results)),
        tuple(_costs(results, years)),
        tuple(_flip(f) for f in verdict.get("flips", ())),
        verdict.get("difference_usd"),
        years,
    )


def _flip(value: Mapping[str, Any]) -> Flip:
    return Flip(**{name: value[name] for name in Flip.__slots__})


def _typical(results: Results, key: str, default: float) -> float:
    found = as_range((results.get("assumptions") or {}).get(key, {}).get("value"))
    return found.typical if found is not None else default


def _question(results: Results) -> str:
    gpus = results.get("counts.gpus")
    if not gpus:
        return _("Build this network with InfiniBand or with RoCE?")
    return _("Build the {n}-GPU cluster with InfiniBand or with RoCE?").format(
        n=format_number(gpus, 0)
    )


def _subtitle(design: Design, results: Results, years: str) -> str:
    servers, gpus = results.get("counts.servers"), results.get("counts.gpus")
    pieces = [_("Same drawing")]
    if design.workload is not None:
        pieces.append(
            _("same job ({name})").format(name=_(design.workload.title) or design.workload.name)
        )
    pieces.append(_("{n} years").format(n=years))
    if gpus and servers:
        pieces.append(
            _("{gpus} GPUs in {servers}").format(
                gpus=format_number(gpus, 0),
                servers=ngettext("{n} server", "{n} servers", servers).format(
                    n=format_number(servers, 0)
                ),
            )
        )
    return ", ".join(pieces) + "."


def _answer(choice: str) -> str:
    return {
        "infiniband": _("InfiniBand"),
        "rocev2": _("RoCE"),
        "too_close_to_call": _("Too close to call"),
    }.get(choice, _("No answer yet"))


def _sentence(results: Results) -> str:
    found = str(results.get("verdict.sentence") or "")
    if found:
        return found
    reason = results.reason("verdict.choice")
    return reason or _("There is not enough on the drawing to compare the two.")


def _pair(results: Results, key: str) -> tuple[Range | None, Range | None]:
    one, two = (as_range(results.get(f"fabrics.{f}.{key}")) for f in FABRICS)
    return one, two


def _all_reduce(results: Results) -> Figure:
    size = results.get("collectives.all_reduce.size_bytes") or 2**30
    label = _("All-reduce, {size}, InfiniBand").format(size=format_binary_size(int(size)))
    one, two = _pair(results, "all_reduce_time_s")
    if one is None:
        return Figure(label, DASH, (results.reason("fabrics.infiniband.all_reduce_time_s"),))
    lines = [_("against {value} with RoCE").format(value=format_time(two.typical))] if two else []
    bottleneck = results.get("collectives.all_reduce.bottleneck")
    if isinstance(bottleneck, str) and bottleneck:
        lines.append(_("bound by {what}").format(what=bottleneck))
    return Figure(label, format_time(one.typical), tuple(lines))


def _idle(results: Results) -> Figure:
    label = _("Idle GPUs, network share")
    one, two = _pair(results, "network_idle_share")
    if one is None:
        return Figure(label, DASH, (results.reason("fabrics.infiniband.network_idle_share"),))
    money = _pair(results, "idle_gpu_usd_per_year")
    lines = []
    if two is not None:
        lines.append(_("against {value} with RoCE").format(value=format_percent(two.typical)))
    if money[0] is not None and money[1] is not None:
        lines.append(
            _("{one} and {two} a year").format(
                one=format_money(money[0].typical), two=format_money(money[1].typical)
            )
        )
    return Figure(label, format_percent(one.typical), tuple(lines))


def _capex(results: Results) -> Figure:
    label = _("Network to buy")
    one, two = _pair(results, "capex_usd.total")
    if one is None:
        return Figure(label, DASH, (results.reason("fabrics.infiniband.capex_usd.total"),))
    lines = []
    if two is not None:
        lines.append(_("against {value} with RoCE").format(value=format_money(two.typical)))
    lines.append(_("without servers"))
    return Figure(label, format_money(one.typical), tuple(lines))


def _costs(results: Results, years: str) -> list[CostRow]:
    counts = results.get("counts") or {}
    switches = sum(int(counts.get(k) or 0) for k in ("leaf", "spine", "core"))
    links = (counts.get("cables") or {}).get("total")
    notes = {
        "switches": ngettext("{n} switch", "{n} switches", switches).format(
            n=format_number(switches, 0)
        ),
        "cables": _("{n} links").format(n=format_number(links or 0, 0)),
        "optics": _("at both ends of each optical link"),
        "licences": _("share of switches"),
        "spares": _("share of network parts"),
    }
    labels = {
        "switches": _("Switches"),
        "nics": _("NICs"),
        "optics": _("Transceivers"),
        "cables": _("Cables"),
        "licences": _("Licences"),
        "spares": _("Spares"),
    }
    rows = [CostRow(_("To buy"), "", None, None, "group")]
    rows += [
        CostRow(label, notes.get(key, ""), *_pair(results, f"capex_usd.{key}"))
        for key, label in labels.items()
    ]
    rows.append(CostRow(_("Total to buy"), "", *_pair(results, "capex_usd.total"), "sum"))
    rows.append(CostRow(_("Each year"), "", None, None, "group"))
    yearly = {"power": _("Power"), "staff": _("Staff"), "support": _("Support")}
    rows += [
        CostRow(label, "", *_pair(results, f"opex_usd_per_year.{key}"))
        for key, label in yearly.items()
    ]
    rows.append(CostRow(_("Total to run"), "", *_pair(results, "opex_usd_per_year.total"), "sum"))
    idle = _pair(results, "idle_gpu_usd_per_year")
    rows.append(CostRow(_("Idle GPUs, network share"), "", *idle))
    total = _pair(results, "tco_usd")
    rows.append(CostRow(_("Total over {n} years").format(n=years), "", *total, "sum"))
    rows.append(CostRow(_("Per GPU"), "", *_pair(results, "usd_per_gpu")))
    return rows
