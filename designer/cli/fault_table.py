"""Prints what single faults do, the worst first."""

from collections.abc import Sequence

from designer.cli.context import Context
from designer.engine.failure_parts import KINDS
from designer.engine.failures import Effect
from designer.messages import N_, _, ngettext
from designer.reports.summary_failures import change
from designer.units import format_number

_HEADER = (
    N_("fails"),
    N_("the worst of them"),
    N_("alike"),
    N_("GPUs lost"),
    N_("all-reduce"),
    N_("all-to-all"),
    N_("step"),
    N_("bisection"),
)
_COLUMNS = ("all_reduce", "all_to_all", "step", "bisection")


def faults(context: Context, effects: Sequence[Effect]) -> None:
    """Print a line a class of like faults, and why figures are missing."""
    context.line()
    n = sum(len(e.keys) for e in effects)
    context.line(
        ngettext(
            "{n} single fault, in {classes} classes; times and bandwidth by how much they change:",
            "{n} single faults, in {classes} classes; times and bandwidth by how much they change:",
            n,
        ).format(n=format_number(n), classes=format_number(len(effects)))
    )
    context.table([_cells(e) for e in effects], tuple(_(text) for text in _HEADER))
    for text in dict.fromkeys(t for e in effects for t in e.reasons.values() if t):
        context.line(f"  —  {text}")


def _cells(effect: Effect) -> tuple[str, ...]:
    return (
        _(KINDS[effect.kind]),
        effect.name,
        format_number(len(effect.keys)),
        format_number(effect.lost_gpus),
        *(_change(effect, name) for name in _COLUMNS),
    )


def _change(effect: Effect, name: str) -> str:
    """Return what becomes of a figure; times of a job that lost GPUs are those of no job."""
    if effect.lost_gpus and name != "bisection":
        return _("job stops")
    return change(effect.ratios[name])
