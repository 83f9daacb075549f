"""Why some numbers of the results have no explanation of their own: counted, asked for, a bound."""

from fnmatch import fnmatchcase

from designer.messages import N_, _

# The first pattern that fits decides.
_REASONS = {
    "assumptions.*": N_("It is an assumption: its source, unit and range stand beside it."),
    "timings_s.*": N_("It is time measured while computing."),
    "findings.*": N_("Findings say in words what they found."),
    "counts.*": N_("It is counted in the drawing."),
    "capacity.tiers": N_("It is counted in the drawing."),
    "job.servers_by_unit.*": N_("It is counted in the drawing."),
    "*.placement.seed": N_("It was asked for."),
    "*.size_bytes": N_("It was asked for."),
    "collectives.*.curve.*": N_(
        "It is a point of the curve, made like the time of the operation, at a size of its own."
    ),
    "collectives.*.curves.*": N_(
        "It is a point of the curve, made like the time of the operation, at a size of its own."
    ),
    "collectives.*.ranks": N_("It is how many GPUs were asked for, or all there are."),
    "interference.jobs.*.ranks": N_("It is how many GPUs were asked for, or all there are."),
    "traffic.hottest_link.utilization": N_("It is the same as traffic.utilization.max."),
    "traffic.utilization.*": N_(
        "It is a percentile over cables of what traffic.utilization.max explains for one."
    ),
    "traffic.*": N_("It is a share of the bytes that traffic.share explains."),
    "step.layout.*": N_("The workload says so."),
    "step.microbatches": N_("The workload says so."),
    "step.parts.*": N_("It is explained with the exposed time of the same dimension."),
    "step.memory.*": N_("It is a term of step.memory.total_bytes."),
    "step.*": N_("It is a term of step.time_s."),
    "fabrics.*.power_w": N_("It is the sum over the bill of materials of the drawing."),
    "fabrics.*.capex_usd.*": N_("It is a part of the total beside it, which is explained."),
    "fabrics.*.opex_usd_per_year.*": N_("It is a part of the total beside it, which is explained."),
    "fabrics.*.usd_per_gpu.*": N_("It is the total cost of ownership over the GPUs."),
    "verdict.difference_usd": N_("It is what verdict.margin_usd explains, with its sign."),
    "verdict.flips.*": N_(
        "It is what makes the other side win: verdict.margin_usd with this one input moved."
    ),
    "failures.*": N_("It is part of the effect of a fault, which is explained as a whole."),
}
_BOUNDS = ("low", "typical", "high")


def plain_reason(key: str) -> str:
    """Return why a number needs no explanation of its own; empty when nothing says so."""
    above, _dot, last = key.rpartition(".")
    for pattern, text in _REASONS.items():
        if fnmatchcase(key, pattern):
            return _(text)
    if above and last in _BOUNDS:
        return _("It is a bound of {key}, which is explained as a whole.").format(key=above)
    return ""
