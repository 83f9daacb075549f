"""The one entry of the engine: a drawing in, results out; what is not computed says why."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from designer.catalog.catalog import Catalog
from designer.catalog.load import default_catalog
from designer.engine.bom import bill_of_materials
from designer.engine.bom_rows import Bom
from designer.engine.capacity import capacity
from designer.engine.census import Census, take_census
from designer.engine.checks import check
from designer.engine.comparison import compare_fabrics
from designer.engine.counts import counts_of
from designer.engine.explain_jobs import explain_interference, explain_job
from designer.engine.explain_performance import explain_latency, explain_performance
from designer.engine.fabrics import FabricName
from designer.engine.jobs import interfere, job_reasons, job_values
from designer.engine.ledger import TECHNOLOGY
from designer.engine.machines import machines_of
from designer.engine.memory import memory_of
from designer.engine.options import OPERATIONS, Options
from designer.engine.performance import (
    Machines,
    Performance,
    both,
    null_reasons,
    perform,
    with_step,
)
from designer.engine.recall import recall
from designer.engine.results import Explanation, Explanations, Results
from designer.engine.routed_design import routed_design
from designer.engine.routing import Routed
from designer.engine.step import STEP_KEYS
from designer.engine.technology import drawn_technology, wire_of
from designer.engine.usage import by_cable, traffic_values, usage_of
from designer.errors import CancelledError
from designer.messages import _, language
from designer.model.assumptions import Assumption, assumptions
from designer.model.design import Design
from designer.model.findings import Finding

if TYPE_CHECKING:
    from designer.engine.failures import Effect

SCHEMA = "railspine.results/1"
FABRICS: tuple[FabricName, ...] = ("infiniband", "rocev2")


def analyze(
    design: Design,
    options: Options | None = None,
    catalog: Catalog | None = None,
    *,
    cancelled: Callable[[], bool] = lambda: False,
) -> Results:
    """Compute the results of a drawing.

    Args:
        design: The drawing; it is not changed.
        options: What to compute; the defaults when None.
        catalog: Parts and prices; the bundled catalogue when None.
        cancelled: Asked between stages and inside long ones; True ends the work.

    Raises:
        CancelledError: `cancelled` said so.
    """
    chosen, parts = options or Options(), catalog or default_catalog()
    clock = _Clock(cancelled)
    routed = _routed(design, chosen, clock, cancelled)
    # its reasons are texts
    asked = f"capacity {language()}"
    work = partial(capacity, design, routed, cancelled=cancelled)
    found = recall(routed, asked, routed.network, work)
    clock.lap("load")
    given = assumptions(design)
    machines, told = machines_of(design, routed, chosen, _typical(given))
    census = recall(routed, "census", routed.network, partial(take_census, design))
    main = chosen.fabric or drawn_technology(design)
    done = _perform(machines, parts, census, given, main, chosen, clock, cancelled)
    bills = {name: bill for name, (_done, bill) in done.items()}
    speeds = {name: one for name, (one, _bill) in done.items()}
    shown = speeds[main]
    usage = usage_of(machines, shown)
    beside = interfere(machines, shown, bills[main], chosen, cancelled)
    traffic, reasons = traffic_values(machines, shown, usage)
    clock.lap("step")
    comparison = compare_fabrics(
        design, parts, both(speeds, found.reach.diameter_hops), census, bills
    )
    clock.lap("cost")
    findings = (*check(design, routed.network, parts, census), *told)
    clock.lap("checks")
    effects = _failures(design, chosen, parts, cancelled)
    counts, why = counts_of(routed.network)
    reasons |= why | {f"capacity.{k}": v for k, v in found.reasons.items()}
    reasons |= comparison.reasons() | _why_not(machines, shown, chosen)
    reasons |= job_reasons(beside, chosen, machines.fault)
    job = job_values(machines, chosen)
    explanations = Explanations(
        [
            ("verdict", lambda: comparison.explanations),
            ("fabrics", lambda: comparison.explanations),
            *explain_performance(machines, speeds, main, found, usage),
            ("failures", lambda: _explain_effects(effects)),
            ("job", lambda: explain_job(job)),
            ("interference", lambda: explain_interference(beside)),
            ("fabrics", lambda: explain_latency(machines, comparison, found.reach.diameter_hops)),
        ]
    )
    values: dict[str, Any] = {
        "schema": SCHEMA,
        "counts": counts,
        "capacity": found.values(),
        "traffic": traffic,
        "collectives": {name: shown.collectives[name].values() for name in OPERATIONS},
        "job": job,
        "interference": beside.values() if beside is not None else None,
        "step": _step(machines, shown),
        **comparison.values(),
        "fabric": main,
        "routing": {name: one.wire.why for name, one in speeds.items()},
        "failures": None if effects is None else [e.values() for e in effects],
        "findings": [_as_dict(f) for f in findings],
        "assumptions": _assumptions(given),
        "reasons": reasons,
        "timings_s": clock.timings(),
    }
    return Results(values, design.revision, findings, explanations, by_cable(machines, usage))


def _failures(
    design: Design, options: Options, parts: Catalog, cancelled: Callable[[], bool]
) -> "list[Effect] | None":
    """Return the effects of every single fault, when asked for."""
    if not options.failures:
        return None
    from designer.engine.failures import single_faults  # it analyses drawings itself

    return single_faults(design, options, parts, cancelled=cancelled)


def _explain_effects(effects: "list[Effect] | None") -> Mapping[str, Explanation]:
    from designer.engine.explain_failures import explain_failures

    return {} if effects is None else explain_failures(effects)


def _routed(
    design: Design, options: Options, clock: "_Clock", cancelled: Callable[[], bool]
) -> Routed:
    lap = partial(clock.lap, "compile")
    routed = routed_design(design, options.fail, compiled=lap, cancelled=cancelled)
    clock.lap("route")
    return routed


def _perform(
    machines: Machines,
    parts: Catalog,
    census: Census,
    given: Mapping[str, Assumption],
    main: FabricName,
    options: Options,
    clock: "_Clock",
    cancelled: Callable[[], bool],
) -> dict[FabricName, tuple[Performance, Bom]]:
    ranges = {key: a.value for key, a in given.items()}
    bills = {n: bill_of_materials(machines.design, parts, TECHNOLOGY[n], census) for n in FABRICS}
    out: dict[FabricName, Performance] = {}
    for name in FABRICS:
        routing = options.routing if name == main else "auto"
        wire = wire_of(machines.design, bills[name], name, ranges, routing)
        asked = options if name == main else _comparable(options)
        out[name] = perform(machines, bills[name], wire, asked, cancelled, curves=name == main)
    clock.lap("collectives")
    return {name: (with_step(machines, one, cancelled), bills[name]) for name, one in out.items()}


def _typical(given: Mapping[str, Assumption]) -> dict[str, float]:
    return {key: a.value.typical for key, a in given.items()}


def _comparable(options: Options) -> Options:
    """Return the options for the technology that is not shown: it has no switches that reduce."""
    if options.algorithm.startswith("collnet"):
        return replace(options, algorithm="auto")
    return options


def _step(machines: Machines, shown: Performance) -> dict[str, Any]:
    if shown.step is None:
        return dict.fromkeys((*STEP_KEYS, "memory"))
    memory = memory_of(shown.step.layout).values(machines.gpu_memory)
    return {**shown.step.values(), "memory": memory}


def _why_not(machines: Machines, shown: Performance, asked: Options) -> dict[str, str]:
    """Return why values of the collectives, the step and the failures are null."""
    found = {
        f"collectives.{name}.{key}": text
        for name, made in shown.collectives.items()
        for key, text in made.reasons.items()
    }
    found |= null_reasons(shown, asked)
    if shown.step is None:
        found["step"] = shown.step_fault
    elif machines.gpu_memory is None:
        found["step.memory.capacity_bytes"] = _("The memory of the GPUs is unknown.")
    if not asked.failures:
        found["failures"] = _("Single faults are computed only when asked for.")
    return found


class _Clock:
    """Times the stages and asks between them whether to go on."""

    def __init__(self, cancelled: Callable[[], bool]) -> None:
        self._cancelled = cancelled
        self._start = self._last = perf_counter()
        self._laps: dict[str, float] = {}

    def lap(self, name: str) -> None:
        """End a stage.

        Raises:
            CancelledError: A newer request came.
        """
        now = perf_counter()
        self._laps[name] = now - self._last
        self._last = now
        if self._cancelled():
            raise CancelledError(_("Stopped for a newer request."))

    def timings(self) -> dict[str, float]:
        """Return seconds by stage, with the total."""
        return {**self._laps, "total": perf_counter() - self._start}


def _as_dict(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "ids": list(finding.ids),
        "message": finding.message,
        "hint": finding.hint,
    }


def _assumptions(given: Mapping[str, Assumption]) -> dict[str, dict[str, Any]]:
    return {
        key: {
            "value": a.value.as_dict(),
            "unit": a.parameter.unit,
            "source": a.source,
            "date": a.date,
            "changed": a.changed,
        }
        for key, a in given.items()
    }
