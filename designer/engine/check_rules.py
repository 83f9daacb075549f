"""Every rule that a drawing is checked against, with its severity, in one table."""

from collections.abc import Iterable, Sequence

from designer.messages import ngettext
from designer.model.findings import Finding, Severity

SEVERITY: dict[str, Severity] = {
    # records
    "kept-record": "error",
    "unknown-field": "info",
    "unknown-type": "error",
    "duplicate-name": "warning",
    "unknown-gpus": "warning",
    "unsourced-part": "info",
    # cables and ports
    "dangling-cable": "error",
    "cable-to-itself": "error",
    "ends-differ": "error",
    "port-missing": "error",
    "port-taken": "error",
    "no-shared-speed": "error",
    "unknown-speed": "warning",
    "slower-than-port": "warning",
    "technology-mismatch": "error",
    "form-factor-mismatch": "error",
    "medium-mismatch": "error",
    "mixed-cage": "error",
    "beyond-reach": "error",
    "no-part-fits": "warning",
    # the fabric
    "server-uncabled": "warning",
    "isolated-device": "warning",
    "unused-spine": "warning",
    "uneven-uplinks": "warning",
    "oversubscribed": "info",
    "rail-misaligned": "warning",
    "role-mismatch": "warning",
    "unreachable-gpus": "error",
    "mixed-technology": "warning",
    # the job
    "workload-layout": "warning",
    "workload-memory": "warning",
    "workload-recompute": "info",
}
# More faults of one rule than this become one finding that says how many there are.
MOST_PER_RULE = 100
_NAMED = 3


def finding(rule: str, ids: Iterable[str], message: str, hint: str = "") -> Finding:
    """Return a finding of a rule, with the severity of the table."""
    return Finding(rule, SEVERITY[rule], tuple(ids), message, hint)


def listed(names: Sequence[str]) -> str:
    """Return the first names of a list, and how many more there are."""
    shown = ", ".join(names[:_NAMED])
    more = len(names) - _NAMED
    if more <= 0:
        return shown
    return ngettext("{names} and {n} more", "{names} and {n} more", more).format(
        names=shown, n=more
    )


def capped(found: list[Finding]) -> list[Finding]:
    """Keep the first findings of a rule; the last one then stands for all the rest."""
    if len(found) <= MOST_PER_RULE:
        return found
    rest = found[MOST_PER_RULE - 1 :]
    ids = dict.fromkeys(i for f in rest for i in f.ids)
    message = ngettext(
        "{n} more of this kind: {first}", "{n} more of this kind: {first}", len(rest)
    ).format(n=len(rest), first=rest[0].message)
    return [*found[: MOST_PER_RULE - 1], finding(rest[0].rule, ids, message, rest[0].hint)]
