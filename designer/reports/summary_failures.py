"""What single faults do, as a section of a summary; absent where it was not computed."""

from typing import Any

from designer.engine.failure_parts import KINDS
from designer.engine.results import Results
from designer.messages import N_, _, ngettext
from designer.reports.html_parts import head_row, heading, row, table
from designer.reports.story import DASH
from designer.units import format_number, format_percent

HEADS = (
    N_("fails"),
    N_("the worst of them"),
    N_("alike"),
    N_("GPUs lost"),
    N_("all-reduce"),
    N_("all-to-all"),
    N_("step"),
    N_("bisection"),
)
_TIMES = ("all_reduce", "all_to_all", "step")
# Changes below this share are none.
_SMALL = 5e-4


def failure_rows(results: Results) -> list[tuple[str, ...]]:
    """Return one row a class of single faults, the worst first; none when not computed."""
    return [_cells(one) for one in results.get("failures") or ()]


def _cells(one: dict[str, Any]) -> tuple[str, ...]:
    lost = int(one["lost_gpus"])
    times = (_("job stops") if lost else change(one[f"{name}_ratio"]) for name in _TIMES)
    return (
        _(KINDS[one["kind"]]),
        str(one["name"]),
        format_number(one["members"]),
        format_number(lost),
        *times,
        change(one["bisection_ratio"]),
    )


def change(ratio: float | None) -> str:
    """Return a ratio as a change, such as `+14.3 %`; a dash without one."""
    if ratio is None:
        return DASH
    share = ratio - 1 if abs(ratio - 1) >= _SMALL else 0.0
    return f"+{format_percent(share)}" if share > 0 else format_percent(share)


def failure_note(results: Results) -> str:
    """Return how many faults were tried."""
    rows = results.get("failures") or ()
    n = sum(int(one["members"]) for one in rows)
    text = ngettext(
        "{n} single fault in {k} kinds that behave alike.",
        "{n} single faults in {k} kinds that behave alike.",
        n,
    )
    return text.format(n=format_number(n), k=format_number(len(rows)))


def failure_section(results: Results) -> str:
    """Return the section as HTML; empty when single faults were not computed."""
    rows = failure_rows(results)
    if not rows:
        return ""
    kinds = ("", "", *("n",) * 6)
    body = [row(cells, kinds) for cells in rows]
    heads = head_row(tuple(_(h) for h in HEADS), kinds)
    return heading(_("What happens when one part fails"), failure_note(results)) + table(
        heads, body
    )
