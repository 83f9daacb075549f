"""What the command line says about where jobs run and what they cost one another."""

from typing import Any

from designer.cli.context import Context
from designer.engine.placing import MANNERS
from designer.engine.results import Results
from designer.messages import _, ngettext
from designer.units import format_binary_size, format_number, format_significant, format_time

# Names of servers that are written out.
_NAMED = 8


def job(context: Context, results: Results) -> None:
    """Print which servers the job runs on; nothing when it runs on all."""
    found = results.get("job")
    if found is None:
        return
    placement = found["placement"]
    text = _(MANNERS[placement["manner"]])
    if placement["manner"] == "random":
        text = _("random, seed {n}").format(n=placement["seed"])
    names, ranks = found["names"], found["ranks"]
    if not names:
        context.line(_("Job: {reason}").format(reason=results.reason("job.ranks")))
        return
    context.line(
        _("Job: {gpus} on {servers}, {placement}: {names}").format(
            gpus=ngettext("{n} GPU", "{n} GPUs", ranks).format(n=format_number(ranks)),
            servers=ngettext("{n} server", "{n} servers", len(names)).format(
                n=format_number(len(names))
            ),
            placement=text,
            names=listed(names),
        )
    )


def listed(names: list[str]) -> str:
    """Return some names, the first ones where they are many."""
    text = ", ".join(names[:_NAMED])
    if len(names) <= _NAMED:
        return text
    return _("{names} and {n} more").format(names=text, n=format_number(len(names) - _NAMED))


def interference(context: Context, results: Results) -> None:
    """Print each job alone and beside the others; nothing when there is one only."""
    found = results.get("interference")
    if found is None:
        return
    shared = found["shared_links"]
    context.line()
    context.line(
        ngettext(
            "Jobs at the same time, {n} link shared",
            "Jobs at the same time, {n} links shared",
            shared,
        ).format(n=format_number(shared))
    )
    rows = [_row(k, one) for k, one in enumerate(found["jobs"], start=1)]
    header = (
        _("job"),
        _("GPUs"),
        _("servers"),
        _("alone"),
        _("together"),
        _("slow-down"),
        _("ends, both started at once"),
        _("slowed by"),
    )
    context.table(rows, header)


def choice(context: Context, results: Results, operation: str) -> None:
    """Print who chose the algorithm, both ways of an all-to-all, and what hashing may do."""
    found = results.get(f"collectives.{operation}") or {}
    name = operation.replace("_", "-")
    if found.get("nccl_choice"):
        by = {
            "time": _("the shortest time"),
            "nccl": _("NCCL's published rule"),
            "request": _("your request"),
        }[found["chosen_by"]]
        text = _("{name}: chosen by {what}; NCCL's published rule takes {choice}")
        if found["chosen_by"] == "nccl":
            text = _("{name}: NCCL's published rule takes {choice}")
        context.line(text.format(name=name, what=by, choice=found["nccl_choice"]))
    relay = results.get("collectives.all_to_all.relay")
    if relay is not None:
        text = _("all-to-all: {a} with relay over NVLink (PXN), {b} without")
        a, b = format_time(relay["with_s"]), format_time(relay["without_s"])
        context.line(text.format(a=a, b=b))
    spread = found.get("hashing")
    if spread is not None:
        text = _("{name}, over hash seeds: {p50} median, {p95} 95th percentile, {worst} worst")
        times = {key: format_time(spread[f"{key}_s"]) for key in ("p50", "p95", "worst")}
        context.line(text.format(name=name, **times))


def _row(number: int, one: dict[str, Any]) -> tuple[str, ...]:
    name = "{n}: {operation} {size}".format(
        n=number,
        operation=one["operation"].replace("_", "-"),
        size=format_binary_size(one["size_bytes"]),
    )
    if one["alone_s"] is None:
        return name, "—", "—", "—", "—", "—", "—", one["reason"]
    return (
        name,
        format_number(one["ranks"]),
        format_number(len(one["servers"])),
        format_time(one["alone_s"]),
        format_time(one["together_s"]),
        f"{format_significant(one['slow_down'])} ×",
        format_time(one["ends_s"]),
        one["bottleneck"] or "—",
    )
