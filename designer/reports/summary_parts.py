"""Tables of a summary that every form shares: performance, assumptions, findings, unknowns."""

from collections.abc import Mapping
from typing import Any

from designer.engine.fabrics import Flip
from designer.engine.results import Results
from designer.messages import N_, _, ngettext
from designer.model.assumptions import Assumption, assumptions
from designer.model.design import Design
from designer.reports.story import DASH, as_range
from designer.units import (
    Range,
    format_bits_per_s,
    format_bytes,
    format_bytes_per_s,
    format_money,
    format_number,
    format_percent,
    format_power,
    format_ratio,
    format_significant,
    format_time,
)

GROUP_NAMES = {
    "price": N_("Prices"),
    "efficiency": N_("Efficiencies"),
    "latency": N_("Latencies"),
    "roce": N_("RoCE"),
    "use": N_("Use"),
    "people": N_("Team"),
    "facility": N_("Building and cabling"),
}
_SECONDS = ("s", "s/m")
Row = tuple[str, str, str]


def in_unit(value: float, unit: str) -> tuple[str, str]:
    """Return a value and its unit as people write them: seconds as µs, shares as numbers."""
    if unit in _SECONDS:
        number, _space, short = format_time(value).partition(" ")
        return number, short + unit[1:]
    if unit == "B/s":
        number, _space, short = format_bytes_per_s(value).partition(" ")
        return number, short
    shown = format_number(value, 0) if abs(value) >= 1000 else format_significant(value)
    return shown, "" if unit == "1" else _(unit)


def performance_rows(results: Results) -> list[Row]:
    """Return name, InfiniBand and RoCE of what the two deliver."""
    rows = []
    for key, name, write in (
        ("all_reduce_time_s", _("All-reduce, time"), format_time),
        ("step_time_s", _("Training step"), format_time),
        ("gpu_idle_share", _("GPUs idle, all causes"), format_percent),
        ("network_idle_share", _("GPUs idle, network share"), format_percent),
        ("relative_throughput", _("Training throughput over InfiniBand"), format_percent),
        ("latency_s", _("Latency of the longest path"), format_time),
        ("power_w", _("Power of the network"), format_power),
    ):
        cells = []
        for fabric in ("infiniband", "rocev2"):
            value = as_range(results.get(f"fabrics.{fabric}.{key}"))
            cells.append(write(value.typical) if value is not None else DASH)
        rows.append((name, cells[0], cells[1]))
    return rows


def fabric_rows(results: Results) -> list[tuple[str, str]]:
    """Return name and value of what the drawing holds and can carry."""
    get = results.get
    rows = [
        (name, format_number(value, 0))
        for name, value in (
            (_("GPUs"), get("counts.gpus")),
            (_("Servers"), get("counts.servers")),
            (_("NVSwitch trays"), get("counts.nvswitch_trays")),
            (_("Leaf switches"), get("counts.leaf")),
            (_("Spine switches"), get("counts.spine")),
            (_("Core switches"), get("counts.core")),
            (_("Network links"), get("counts.cables.total")),
        )
        if isinstance(value, int | float) and value
    ]
    for name, key, write in (
        (_("Bisection, one way"), "capacity.bisection_bits_per_s", format_bits_per_s),
        (_("NIC rate per GPU, one way"), "capacity.nic_bits_per_s_per_gpu", format_bits_per_s),
        (_("NVLink per GPU, one way"), "capacity.nvlink_bytes_per_s_per_gpu", format_bytes_per_s),
        (_("Leaf, down over up"), "capacity.oversubscription.leaf", format_ratio),
        (_("Spine, down over up"), "capacity.oversubscription.spine", format_ratio),
    ):
        value = get(key)
        if isinstance(value, int | float):
            rows.append((name, write(float(value))))
    return rows


def traffic_rows(results: Results) -> list[tuple[str, str, float, str]]:
    """Return key, name, share and bytes per step by locality tier; empty without traffic."""
    names = {
        "nvlink": _("NVLink domain"),
        "scalable_unit": _("Scalable unit"),
        "cross_unit": _("Between units"),
    }
    rows = []
    for key, name in names.items():
        share = results.get(f"traffic.share.{key}")
        amount = results.get(f"traffic.bytes_per_step.{key}")
        if not isinstance(share, int | float):
            return []
        text = format_bytes(float(amount)) if isinstance(amount, int | float) else ""
        rows.append((key, name, float(share), text))
    return rows


def assumption_groups(design: Design, results: Results) -> dict[str, list[Assumption]]:
    """Return the assumptions that the results used, by group, in the order of the list."""
    used = results.get("assumptions")
    keys = set(used) if isinstance(used, Mapping) and used else None
    groups: dict[str, list[Assumption]] = {name: [] for name in GROUP_NAMES}
    for key, value in assumptions(design).items():
        if keys is None or key in keys:
            groups.setdefault(value.parameter.group, []).append(value)
    return {name: rows for name, rows in groups.items() if rows}


def is_assumed(value: Assumption) -> bool:
    """Tell whether a value rests on no measurement, quote or entry of the user."""
    return not value.changed and value.parameter.confidence != "found"


def flip_lines(flips: tuple[Flip, ...]) -> list[tuple[str, str]]:
    """Return name and second line of each input that moves the verdict."""
    return [(flip.label, flip_text(flip)) for flip in flips]


def flip_text(flip: Flip) -> str:
    """Return `now 2.95; flips below 1.31, outside its range`."""
    # one unit for both: 1.1 beside 70 % is hard to compare
    share = flip.unit == "1" and flip.now < 1
    now = _amount(flip.now, flip.unit, share=share)
    if flip.value is None:
        return _("now {now}; flips nowhere").format(now=now)
    text = (
        _("now {now}; flips above {value}") if flip.above else _("now {now}; flips below {value}")
    ).format(now=now, value=_amount(flip.value, flip.unit, share=share))
    return text if flip.inside else _("{text}, outside its range").format(text=text)


def _amount(value: float, unit: str, *, share: bool) -> str:
    if unit == "USD":
        return format_money(value)
    if unit == "W":
        return format_power(value)
    if share:
        return format_percent(value)
    number, short = in_unit(value, unit)
    return f"{number} {short}".strip()


# Null because there is nothing to know, or because nobody asked.
_NO_UNKNOWNS = ("capacity.oversubscription", "failures", "verdict.flips")


def unknowns(results: Results) -> list[str]:
    """Return what the summary does not know, in sentences."""
    reasons: Mapping[str, Any] = results.get("reasons") or {}
    told = (str(text) for key, text in reasons.items() if not key.startswith(_NO_UNKNOWNS))
    lines = list(dict.fromkeys(told))
    notes: dict[str, None] = {}
    for fabric in ("infiniband", "rocev2"):
        for note in results.get(f"fabrics.{fabric}.notes") or ():
            notes[str(note)] = None
        for part in results.get(f"fabrics.{fabric}.unpriced") or ():
            notes[_("{part} has no price and is not in the money").format(part=part)] = None
    lines += [_sentence(n) for n in notes]
    lines += [
        _(
            "Between many servers or racks the collective formulas are an upper bound: published "
            "runs were up to 40 % slower. Ratios hold better than times."
        ),
        _(
            "List prices are resellers’ and partly undated. A quote for either side changes the "
            "money more than the model’s own error."
        ),
        _("Storage and management networks are not in the money."),
    ]
    return lines


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def findings_headline(results: Results) -> str:
    """Return how many errors and warnings stand in the drawing; empty when there are none."""
    errors = sum(1 for f in results.findings if f.severity == "error")
    warnings = sum(1 for f in results.findings if f.severity == "warning")
    pieces = []
    if errors:
        pieces.append(ngettext("{n} error", "{n} errors", errors).format(n=errors))
    if warnings:
        pieces.append(ngettext("{n} warning", "{n} warnings", warnings).format(n=warnings))
    if not pieces:
        return ""
    return _("Findings of the drawing, counted in every number here: {what}").format(
        what=_(" and ").join(pieces)
    )


def money_scale(values: list[Range | None]) -> tuple[float, str]:
    """Return the divisor and name of the unit that a table of money is best read in."""
    top = max((v.high for v in values if v is not None), default=0.0)
    if top >= 1e6:
        return 1e6, _("million USD")
    return (1e3, _("thousand USD")) if top >= 1e3 else (1.0, "USD")
