"""The one entry of the engine: a drawing in, results out; what is not computed says why."""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from designer.catalog.catalog import Catalog
from designer.catalog.load import default_catalog
from designer.engine.all_reduce import all_reduce
from designer.engine.capacity import capacity
from designer.engine.census import take_census
from designer.engine.checks import check
from designer.engine.comparison import compare_fabrics
from designer.engine.compile import compile_network
from designer.engine.fabrics import FabricName, FabricPerformance
from designer.engine.network import NVLINK, SERVER_LEAF, CompiledNetwork
from designer.engine.options import Options
from designer.engine.results import Results
from designer.engine.routing import route
from designer.errors import CancelledError
from designer.messages import _
from designer.model.assumptions import assumptions
from designer.model.design import Design
from designer.model.findings import Finding
from designer.model.records import ROLES

SCHEMA = "railspine.results/1"

_LATER = ("all_gather", "reduce_scatter", "all_to_all", "broadcast", "send_recv")
# Attributes of `FabricPerformance` that the performance model will give.
_PERFORMANCE = (
    "all_reduce_time_s",
    "step_time_s",
    "gpu_idle_share",
    "network_idle_share",
    "relative_throughput",
)


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
        cancelled: Asked between stages; True ends the work.

    Raises:
        CancelledError: `cancelled` said so.
    """
    chosen, parts = options or Options(), catalog or default_catalog()
    clock = _Clock(cancelled)
    network = compile_network(design, frozenset(chosen.fail))
    clock.lap("compile")
    shortest = design.title_block.routing == "shortest"
    routed = route(network, "shortest" if shortest else "updown", cancelled=cancelled)
    clock.lap("route")
    found = capacity(design, routed, cancelled=cancelled)
    clock.lap("load")
    reduced, unreduced = all_reduce(design, routed)
    clock.lap("collectives")
    census = take_census(design)
    hops = found.reach.diameter_hops
    missing = _("The performance model is not part of this version yet.")
    performance = FabricPerformance(hops=hops, reasons=dict.fromkeys(_PERFORMANCE, missing))
    fabrics: dict[FabricName, FabricPerformance] = {
        "infiniband": performance,
        "rocev2": performance,
    }
    comparison = compare_fabrics(design, parts, fabrics, census)
    clock.lap("cost")
    findings = check(design, network, parts, census)
    clock.lap("checks")
    reasons = {f"capacity.{k}": v for k, v in found.reasons.items()} | comparison.reasons()
    reasons |= dict.fromkeys(("traffic", "step"), missing)
    reasons |= {f"collectives.{op}": missing for op in _LATER} | unreduced
    reasons["failures"] = _("Single faults are computed only when asked for.")
    counts, why = _counts(network)
    values: dict[str, Any] = {
        "schema": SCHEMA,
        "counts": counts,
        "capacity": found.values(),
        "traffic": None,
        "collectives": {"all_reduce": reduced, **dict.fromkeys(_LATER)},
        "step": None,
        **comparison.values(),
        "failures": None,
        "findings": [_as_dict(f) for f in findings],
        "assumptions": _assumptions(design),
        "reasons": reasons | why,
        "timings_s": clock.timings(),
    }
    return Results(values, design.revision, tuple(findings), comparison.explanations)


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


def _counts(network: CompiledNetwork) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the object `counts` and why values in it are null. Links count, a trunk of n as n."""
    roles = (
        np.bincount(network.role, minlength=len(ROLES))
        if len(network.role)
        else np.zeros(len(ROLES), dtype=int)
    )
    by_role = dict(zip(ROLES, (int(n) for n in roles), strict=True))
    unknown = bool((network.gpus < 0).any())
    reasons = {"counts.gpus": _("The GPUs of a server are unknown.")} if unknown else {}
    counts: dict[str, Any] = {
        "gpus": None if unknown else int(network.gpus.sum()),
        "servers": by_role["server"],
        "hosts": by_role["host"],
        "nvswitch_trays": by_role["nvswitch"],
        "leaf": by_role["leaf"],
        "spine": by_role["spine"],
        "core": by_role["core"],
        "cables": _cables(network),
    }
    return counts, reasons


def _cables(network: CompiledNetwork) -> dict[str, int]:
    n, kind = network.cable_count, network.cable_kind
    whole = (network.cable_a >= 0) & (network.cable_b >= 0)
    role_a = np.where(whole, network.role[network.cable_a], -1)
    role_b = np.where(whole, network.role[network.cable_b], -1)
    leaf, spine, core = (ROLES.index(r) for r in ("leaf", "spine", "core"))

    def between(one: int, two: int) -> int:
        hit = ((role_a == one) & (role_b == two)) | ((role_a == two) & (role_b == one))
        return int(n[hit & (kind != NVLINK)].sum())

    nvlink = int(n[kind == NVLINK].sum())
    total = int(n.sum()) - nvlink
    server_leaf = int(n[kind == SERVER_LEAF].sum())
    leaf_spine, spine_core = between(leaf, spine), between(spine, core)
    return {
        "server_leaf": server_leaf,
        "leaf_spine": leaf_spine,
        "spine_core": spine_core,
        "nvlink": nvlink,
        "other": total - server_leaf - leaf_spine - spine_core,
        "total": total,
    }


def _as_dict(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "ids": list(finding.ids),
        "message": finding.message,
        "hint": finding.hint,
    }


def _assumptions(design: Design) -> dict[str, dict[str, Any]]:
    return {
        key: {
            "value": a.value.as_dict(),
            "unit": a.parameter.unit,
            "source": a.source,
            "date": a.date,
            "changed": a.changed,
        }
        for key, a in assumptions(design).items()
    }
