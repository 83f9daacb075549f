"""Often repeated statements beside what the model computes: outcomes, never inputs.

InfiniBand against RoCE by tuning level, and where the bytes of a step go. They are reported, not
held to a tolerance: no measurement was found behind the first, and the second holds for one kind
of job only.
"""

from collections.abc import Callable, Iterator
from functools import cache

from designer.catalog.catalog import Catalog
from designer.engine.analyze import analyze
from designer.engine.options import Options
from designer.messages import N_, _
from designer.model.design import Design
from designer.model.operations import set_assumption
from designer.model.records import AssumptionValue
from designer.model.workload import stock_workloads
from designer.services.validation import Checked
from designer.topologies import generate
from designer.units import Range, format_number

# “85 to 95 % of InfiniBand's training throughput at 256 to 1,024 GPUs”: the middle of it.
_SAID, _SIZES = 90.0, (256, 512, 1024)
_LEVELS = ((0, N_("untuned")), (1, N_("tuned")), (2, N_("expert")))
_JOB = "llama3-70b-tp8"
_TIERS = (
    ("nvlink", N_("inside the NVLink domain"), 90.0),
    ("scalable_unit", N_("inside the scalable unit"), 7.0),
    ("cross_unit", N_("between units"), 3.0),
)
# Jobs for the split of bytes: (workload, GPUs, what it shows).
_SPLITS = (
    ("llama3-405b", 16_384, N_("holds: TP 8 inside the server, PP inside the unit, dense model")),
    ("llama3-70b-fsdp", 1_024, N_("fails: no tensor parallelism")),
    ("deepseek-v3", 2_048, N_("fails: experts on many servers")),
)


def claims(catalog: Catalog, step: Callable[[str], None]) -> Iterator[Checked]:
    """Yield relative throughput of RoCE by size and tuning, and bytes by tier for three jobs."""
    drawing = cache(lambda n: generate("rail-optimized", catalog, gpus=n))
    yield from _fabrics(catalog, drawing, step)
    yield from _split(catalog, drawing, step)


def _fabrics(
    catalog: Catalog, drawing: Callable[[int], Design], step: Callable[[str], None]
) -> Iterator[Checked]:
    options = Options(workload=stock_workloads()[_JOB])
    for gpus in _SIZES:
        for level, name in _LEVELS:
            id_ = f"F{gpus}-{level}"
            step(id_)
            design = drawing(gpus).snapshot()
            value = AssumptionValue(Range(level, level, level), "validation")
            design.apply(set_assumption(design, "roce_tuning", value))
            found = analyze(design, options, catalog).get("fabrics.rocev2.relative_throughput")
            yield Checked(
                id_,
                "fabric",
                "test",
                _("RoCE over InfiniBand, {job}, {gpus} GPUs, {level}").format(
                    job=_JOB, gpus=format_number(gpus), level=_(name)
                ),
                _(name),
                _SAID,
                found * 100 if found is not None else None,
                "%",
                None,
                _("85 to 95 % is said; no measurement was found behind it"),
                _("common statement; Tolly 225107 measured parity on 64 GPUs"),
                absolute=True,
            )


def _split(
    catalog: Catalog, drawing: Callable[[int], Design], step: Callable[[str], None]
) -> Iterator[Checked]:
    stock = stock_workloads()
    for job, gpus, note in _SPLITS:
        step(f"B-{job}")
        shares = analyze(drawing(gpus), Options(workload=stock[job]), catalog).get("traffic.share")
        for key, name, said in _TIERS:
            yield Checked(
                f"B-{job}-{key}",
                "traffic",
                "test",
                _("bytes of a step {where}, {job}, {gpus} GPUs, units of 32 servers").format(
                    where=_(name), job=job, gpus=format_number(gpus)
                ),
                job,
                said,
                shares[key] * 100 if shares is not None else None,
                "%",
                None,
                _(note),
                _("common statement of 90 / 7 / 3 %"),
                absolute=True,
            )
