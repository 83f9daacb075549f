"""From a drawing to what the formulas need: ranks, bandwidths inside a node, the job's layout."""

from collections.abc import Mapping

import numpy as np

from designer.engine.dimensions import groups_of
from designer.engine.layout import Layout, Misfit, lay_out
from designer.engine.options import Options
from designer.engine.performance import Machines, patterns_of
from designer.engine.pool import Pool, pool_of
from designer.engine.routing import Routed
from designer.engine.setting import inside_of
from designer.messages import _
from designer.model.design import Design
from designer.model.findings import Finding
from designer.model.workload import Workload

_EFFICIENCY = {
    "ampere": "gpu_efficiency_ampere",
    "hopper": "gpu_efficiency_hopper",
    "blackwell": "gpu_efficiency_blackwell",
}


def machines_of(
    design: Design, routed: Routed, options: Options, values: Mapping[str, float]
) -> tuple[Machines, tuple[Finding, ...]]:
    """Return what both technologies share, and findings about the job.

    Args:
        design: The drawing.
        routed: Its routed network.
        options: Ranks and workload.
        values: Assumptions, typical values.

    Raises:
        ParameterError: More ranks were asked for than there are GPUs.
    """
    network = routed.network
    whole = pool_of(network)
    fault = ""
    if bool((network.gpus[network.servers] < 0).any()):
        fault = _("The GPUs of a server are unknown.")
    elif whole.ranks == 0:
        fault = _("The drawing has no GPUs.")
    pool = whole if fault or options.ranks is None else pool_of(network, options.ranks)
    workload = options.workload or design.workload
    inside, whole_inside = inside_of(design, pool, values), inside_of(design, whole, values)
    peak, efficiency = _compute(design, whole, values)
    layout, step_fault, findings = _job(workload, whole.ranks, fault)
    if not step_fault and peak is None:
        step_fault, layout = _("The BF16 peak of the GPUs is unknown."), None
    return (
        Machines(
            design,
            routed,
            pool,
            whole,
            inside,
            whole_inside,
            values,
            {} if fault or inside.reason else patterns_of(pool, inside),
            groups_of(layout, whole) if layout is not None else {},
            layout,
            peak,
            efficiency,
            step_fault or whole_inside.reason,
            fault or inside.reason,
        ),
        findings,
    )


def _job(
    workload: Workload | None, gpus: int, fault: str
) -> tuple[Layout | None, str, tuple[Finding, ...]]:
    """Return the layout, why there is none, and the finding that says so."""
    if fault:
        return None, fault, ()
    if workload is None:
        return None, _("The drawing has no workload."), ()
    found = lay_out(workload, gpus)
    if isinstance(found, Misfit):
        told = Finding("workload-layout", "warning", (), found.message, found.hint)
        return None, f"{found.message} {found.hint}", (told,)
    return found, "", ()


def _compute(design: Design, pool: Pool, values: Mapping[str, float]) -> tuple[float | None, float]:
    """Return the peak of the GPU that computes slowest, and the share of it that is reached."""
    found: list[tuple[float, float]] = []
    slugs = {design.devices[pool.network.device_ids[i]].type for i in np.unique(pool.server)}
    for slug in slugs:
        part = design.types.get(slug)
        gpu = part.gpu if part is not None else None
        if gpu is None or gpu.bf16_flops is None:
            return None, 0.0
        key = _EFFICIENCY.get(gpu.architecture, "gpu_efficiency_hopper")
        found.append((gpu.bf16_flops, values[key]))
    return min(found, key=lambda x: x[0] * x[1]) if found else (None, 0.0)
