"""What commands print for people: headline numbers, findings, parts, templates."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from designer.catalog.types import PartType
from designer.cli.context import Context
from designer.engine.results import Results
from designer.formats.importers import ImportReport
from designer.messages import N_, _, ngettext
from designer.model.design import Design
from designer.units import (
    Range,
    format_binary_size,
    format_bits_per_s,
    format_bytes,
    format_bytes_per_s,
    format_money,
    format_number,
    format_percent,
    format_power,
    format_range,
    format_ratio,
    format_significant,
    format_time,
)

if TYPE_CHECKING:
    from designer.topologies import Template
    from designer.topologies.parameters import Parameter


def one_line(design: Design) -> str:
    """Return a drawing in one line: devices, links and GPUs."""
    gpus = [design.gpus(d) for d in design.devices.values()]
    links = sum(c.count for c in design.cables.values())
    known = sum(g for g in gpus if g)
    text = _("{devices} · {links} · {gpus}").format(
        devices=ngettext("{n} device", "{n} devices", len(design.devices)).format(
            n=format_number(len(design.devices))
        ),
        links=ngettext("{n} link", "{n} links", links).format(n=format_number(links)),
        gpus=ngettext("{n} GPU", "{n} GPUs", known).format(n=format_number(known)),
    )
    unknown = sum(g is None for g in gpus)
    if unknown:
        text += " · " + ngettext(
            "GPUs of {n} server unknown", "GPUs of {n} servers unknown", unknown
        ).format(n=format_number(unknown))
    return text


CHOICES = {
    "infiniband": N_("InfiniBand"),
    "rocev2": N_("RoCE"),
    "too_close_to_call": N_("Too close to call"),
}
# Where the collective asked for stands among the headlines.
_SPEED = 9


def size_note(text: str, size: int) -> str:
    """Return which unit a message size was read in."""
    kind = _("binary") if "i" in text else _("decimal")
    bytes_ = ngettext("{n} byte", "{n} bytes", size).format(n=format_number(size))
    return _("Message size {size} ({kind}, {bytes}), each GPU").format(
        size=format_binary_size(size), kind=kind, bytes=bytes_
    )


def _money(value: Mapping[str, float]) -> str:
    spread = Range(value["low"], value["typical"], value["high"])
    return f"{format_money(spread.typical)}  ({format_range(spread)})"


def _share(value: Mapping[str, float] | float) -> str:
    if isinstance(value, Mapping):
        low, high = format_percent(value["low"]), format_percent(value["high"])
        typical = format_percent(value["typical"])
        return typical if low == high else f"{typical}  ({low} – {high})"
    return format_percent(value)


def _dimensions(shares: dict[str, float]) -> str:
    """Return the share of each dimension that sends anything: `TP 95.5 %, DP 4.5 %`."""
    return ", ".join(f"{k.upper()} {format_percent(v)}" for k, v in shares.items() if v > 0) or "—"


def _technology(name: str) -> str:
    return _(CHOICES[name])


def _layout(sizes: Mapping[str, int]) -> str:
    """Return how a job is split over the GPUs: `TP 8 × DP 4`."""
    names = ("tp", "cp", "pp", "ep", "dp")
    return (
        " × ".join(f"{k.upper()} {format_number(sizes[k])}" for k in names if sizes[k] > 1) or "—"
    )


def _memory(found: dict[str, float | None]) -> str:
    need = format_bytes(found["total_bytes"] or 0.0)
    have = found["capacity_bytes"]
    return _("{need} of {have}").format(need=need, have=format_bytes(have)) if have else need


_HEADLINES: tuple[tuple[str, str, Callable[[Any], str]], ...] = (
    (N_("Technology of the results"), "fabric", _technology),
    (N_("GPUs"), "counts.gpus", format_number),
    (N_("Links, without NVLink"), "counts.cables.total", format_number),
    (
        N_("Oversubscription at the leaf, down over up"),
        "capacity.oversubscription.leaf",
        format_ratio,
    ),
    (N_("Bisection, one way"), "capacity.bisection_bits_per_s", format_bits_per_s),
    (N_("Traffic inside the NVLink domain"), "traffic.share.nvlink", _share),
    (N_("Traffic inside the scalable unit"), "traffic.share.scalable_unit", _share),
    (N_("Traffic between units"), "traffic.share.cross_unit", _share),
    (N_("Traffic by dimension"), "traffic.dimension_share", _dimensions),
    (N_("Workload"), "step.workload", str),
    (N_("Parallel layout"), "step.layout", _layout),
    (N_("Training step"), "step.time_s", format_time),
    (N_("GPU idle, share of the step"), "step.gpu_idle_share", _share),
    (N_("of it caused by the network"), "step.network_idle_share", _share),
    (N_("Memory of a GPU, estimated"), "step.memory", _memory),
    (N_("InfiniBand, capital cost of the network"), "fabrics.infiniband.capex_usd.total", _money),
    (N_("RoCE, capital cost of the network"), "fabrics.rocev2.capex_usd.total", _money),
    (N_("InfiniBand, idle GPUs a year"), "fabrics.infiniband.idle_gpu_usd_per_year", _money),
    (N_("RoCE, idle GPUs a year"), "fabrics.rocev2.idle_gpu_usd_per_year", _money),
    (N_("InfiniBand, total cost of ownership"), "fabrics.infiniband.tco_usd", _money),
    (N_("RoCE, total cost of ownership"), "fabrics.rocev2.tco_usd", _money),
)


def headlines(context: Context, results: Results, collective: str = "all_reduce") -> None:
    """Print the numbers people ask for first; an unknown one with its reason."""
    key = f"collectives.{collective}"
    name = collective.replace("_", "-")
    chosen: tuple[tuple[str, str, Callable[[Any], str]], ...] = (
        (_("{name}, algorithm").format(name=name), f"{key}.algorithm", str),
        (_("{name}, time").format(name=name), f"{key}.time_s", format_time),
        (
            _("{name}, bus bandwidth").format(name=name),
            f"{key}.bus_bandwidth_bytes_per_s",
            format_bytes_per_s,
        ),
    )
    rows: list[tuple[str, ...]] = []
    listed = [(_(label), key, form) for label, key, form in _HEADLINES]
    told: set[str] = set()
    for label, key, form in (*listed[:_SPEED], *chosen, *listed[_SPEED:]):
        value = results.get(key)
        if value is not None:
            rows.append((label, form(value)))
            continue
        reason = results.reason(key)
        # one reason often holds for many rows: it is written once
        rows.append((label, "—" if reason in told else f"—  {reason}".rstrip()))
        told.add(reason)
    choice = results.get("verdict.choice")
    if choice is not None:
        rows.append((_("Verdict"), _(CHOICES[choice])))
    context.table(rows)
    for reason in results.get("verdict.reasons") or []:
        context.line(f"  {reason if isinstance(reason, str) else reason.get('text', reason)}")


def findings(context: Context, results: Results) -> None:
    """Print findings, worst first, and how many there are."""
    words = {"error": _("error"), "warning": _("warning"), "info": _("note")}
    order = ("error", "warning", "info")
    for finding in sorted(results.findings, key=lambda f: order.index(f.severity)):
        context.line(f"{words[finding.severity]}: {finding.message}")
        if finding.hint:
            context.line(f"    {finding.hint}")
    if not results.findings:
        context.line(_("No findings."))


def templates(context: Context, known: "Mapping[str, Template]") -> None:
    """Print templates with parameters, defaults and units."""
    for template in known.values():
        context.line(f"{template.name}  —  {_(template.title)}")
        context.line(f"    {_(template.description)}")
        for p in template.parameters:
            unit = f" {_(p.unit)}" if p.unit and p.default is not None and p.kind != "bool" else ""
            choices = f" ({', '.join(str(c) for c in p.choices)})" if p.choices else ""
            context.line(f"    {p.name} = {_default(p)}{unit}{choices}  {_(p.description)}")
        context.line()


def _default(parameter: "Parameter") -> str:
    if parameter.default is None:
        return _("empty")
    if isinstance(parameter.default, bool):
        return _("yes") if parameter.default else _("no")
    if isinstance(parameter.default, int | float):
        return format_significant(parameter.default, 6)
    return str(parameter.default)


def parts(context: Context, found: Iterable[PartType]) -> None:
    """Print parts: slug, kind, ports, power, price; unsourced data is marked."""
    rows: list[tuple[str, ...]] = []
    for part in found:
        ports = ", ".join(
            f"{f.count} × {format_bits_per_s(max(f.speeds))}"
            for f in part.ports
            if f.speeds and f.family != "mgmt"
        )
        power = part.power_typical_w or part.power_max_w
        rows.append(
            (
                part.slug,
                part.title,
                _(part.kind),
                _("any") if part.technology == "any" else part.technology,
                ports,
                format_power(power) if power else "—",
                format_range(part.price.usd) if part.price else _("no price"),
                "" if part.sourced else _("unsourced"),
            )
        )
    context.table(
        rows,
        (_("slug"), _("part"), _("kind"), _("technology"), _("ports"), _("power"), _("price"), ""),
    )


def import_report(context: Context, report: ImportReport) -> None:
    """Print what an importer read, inferred and ignored, and its warnings."""
    for title, lines in (
        (_("Read"), report.read),
        (_("Inferred"), report.inferred),
        (_("Ignored"), report.ignored),
        (_("Warnings"), report.warnings),
    ):
        if lines:
            context.line(f"{title}:")
            for line in lines:
                context.line(f"    {line}")
