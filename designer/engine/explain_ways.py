"""How the other times of a collective were made: over hash seeds, with and without a relay."""

from designer.engine.collectives import Collective
from designer.engine.explain_terms import modelled
from designer.engine.results import Explanation, Step, Term
from designer.messages import N_, _
from designer.units import format_time

_SEEDS = {
    "p50": N_("median of the seeds"),
    "p95": N_("95th percentile of the seeds"),
    "worst": N_("worst of the seeds"),
}
_HASHED = N_(
    "t = latency + max(data inside the node, data over the network × busiest link of the seed)"
)
_RELAY = N_(
    "with a relay m − 1 messages a NIC over one rail, after a change of rails over NVLink; "
    "without it n − g messages that change rails in the fabric"
)


def explain_ways(made: Collective, time: Explanation) -> dict[str, Explanation]:
    """Return the explanations of times over hash seeds, and of both ways of an all-to-all.

    Args:
        made: The collective, with its timing.
        time: How its own time was made.
    """
    return _seeds(made, time) | _both_ways(made, time)


def _seeds(made: Collective, time: Explanation) -> dict[str, Explanation]:
    timing, spread = made.timing, made.hashing
    if timing is None or spread is None:
        return {}
    found = {}
    for name, title in _SEEDS.items():
        value = getattr(spread, name)
        network = value - timing.latency_s
        terms: tuple[Term, ...] = (
            modelled("", _("latency of the steps"), timing.latency_s, "s"),
            modelled("", _("data inside the node"), timing.local_s, "s"),
            modelled("", _("data over the network, median seed"), timing.network_s, "s"),
            modelled("", _("data, this seed"), network, "s"),
        )
        text = f"{format_time(timing.latency_s)} + {format_time(network)}"
        key = f"collectives.{made.operation}.hashing.{name}_s"
        found[key] = Explanation(
            key,
            f"{time.title} {_(title)}",
            _(_HASHED),
            terms,
            (Step(text, value, "s", _(title)),),
            time.sources,
        )
    return found


def _both_ways(made: Collective, time: Explanation) -> dict[str, Explanation]:
    if made.relay is None:
        return {}
    found = {}
    for name, value in zip(("with_s", "without_s"), made.relay, strict=True):
        key = f"collectives.{made.operation}.relay.{name}"
        own = value == made.time_s
        steps = time.steps if own else (Step(_("the same formula, the other way"), value, "s"),)
        found[key] = Explanation(key, time.title, _(_RELAY), time.terms, steps, time.sources)
    return found
