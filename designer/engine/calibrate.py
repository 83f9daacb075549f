"""Fits the model to times that were measured on the drawn machine; see `calibrate_fit`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from designer.catalog.catalog import Catalog
from designer.engine.calibrate_fit import Fit, Fitted, Machine
from designer.engine.options import Algorithm, Operation
from designer.engine.samples import Sample, check_ratio, residuals, rms
from designer.errors import ParameterError
from designer.messages import _
from designer.model.assumptions import assumptions
from designer.model.design import Design
from designer.units import format_number


@dataclass(frozen=True, slots=True)
class Calibration:
    """Outcome of a fit.

    Attributes:
        operation, ranks: What was measured.
        samples: What was measured, in the order given.
        before_s, after_s: What the model says of each, seconds.
        fitted: Assumptions that were fitted, the most telling one first.
        notes: What the numbers do not say by themselves.
    """

    operation: Operation
    ranks: int
    samples: tuple[Sample, ...]
    before_s: tuple[float, ...]
    after_s: tuple[float, ...]
    fitted: tuple[Fitted, ...]
    notes: tuple[str, ...] = field(default=())

    @property
    def error_before(self) -> float:
        """Return the root mean square of ln(model / measured) before the fit."""
        return rms(residuals(self.before_s, self.samples))

    @property
    def error_after(self) -> float:
        """Return the same after the fit."""
        return rms(residuals(self.after_s, self.samples))


def calibrate(
    design: Design,
    catalog: Catalog,
    operation: Operation,
    ranks: int,
    samples: Sequence[Sample],
    algorithm: Algorithm = "auto",
    cancelled: Callable[[], bool] = lambda: False,
) -> Calibration:
    """Fit the assumptions that decide an operation to measured times.

    Args:
        design: The machine that was measured, or one with the same parts; it is not changed.
        catalog: Parts.
        operation: What was run.
        ranks: GPUs that took part; the first ones of the drawing stand for them.
        samples: Times by size.
        algorithm: What was forced; `auto` for NCCL's own choice.
        cancelled: Asked at every evaluation.

    Raises:
        ParameterError: The samples do not fit the operation and ranks, or the drawing cannot run
            them.
        CancelledError: `cancelled()` became true.
    """
    if ranks < 2:
        raise ParameterError(
            _("A collective on {ranks} ranks sends nothing; there is nothing to fit.").format(
                ranks=format_number(ranks)
            ),
            _("Give a log of two GPUs or more."),
        )
    check_ratio(operation, ranks, samples)
    machine = Machine(design, catalog, operation, ranks, algorithm, cancelled)
    given = {key: a.value for key, a in assumptions(design).items()}
    usable = [s for s in samples if s.time_s > 0 and s.size_bytes > 0]
    if len({s.size_bytes for s in usable}) < 2:
        raise ParameterError(
            _("A fit needs times of at least two sizes."),
            _("Run nccl-tests over a range of sizes, such as -b 1M -e 16G -f 2."),
        )
    fit = Fit(machine, given, usable)
    fit.run()
    return Calibration(
        operation,
        ranks,
        tuple(usable),
        tuple(machine.times(given, usable).tolist()),
        tuple(machine.times(fit.values(), usable).tolist()),
        fit.fitted(),
        tuple(fit.notes()),
    )
