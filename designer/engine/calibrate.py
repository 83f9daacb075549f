"""Fits the model to times that were measured on the drawn machine; see `calibrate_fit`."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from designer.catalog.catalog import Catalog
from designer.engine.calibrate_fit import Fit, Fitted, Machine
from designer.engine.options import Algorithm, Operation
from designer.engine.samples import Sample, check_ratio, residuals, rms
from designer.errors import ParameterError
from designer.messages import _, ngettext
from designer.model.assumptions import assumptions, parameters
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
        left_alone: Efficiencies and latencies that these times do not decide.
        model: Gives the times of the samples with only some of the fitted assumptions in place.
    """

    operation: Operation
    ranks: int
    samples: tuple[Sample, ...]
    before_s: tuple[float, ...]
    after_s: tuple[float, ...]
    fitted: tuple[Fitted, ...]
    notes: tuple[str, ...] = field(default=())
    left_alone: tuple[str, ...] = ()
    model: Callable[[Collection[str]], tuple[float, ...]] | None = field(
        default=None, repr=False, compare=False
    )

    def with_only(self, keys: Collection[str]) -> "Calibration":
        """Return the outcome when only some of the fitted assumptions are taken."""
        return replace(self, after_s=self.model(keys)) if self.model is not None else self

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
    per_host: Sequence[int] = (),
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
        per_host: GPUs of each machine that was measured, where that is known; the drawing has to
            place as many ranks in the same way.

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
    samples, off = check_ratio(operation, ranks, samples)
    machine = Machine(design, catalog, operation, ranks, algorithm, cancelled)
    _check_hosts(machine, ranks, per_host)
    given = {key: a.value for key, a in assumptions(design).items()}
    usable = [s for s in samples if s.time_s > 0 and s.size_bytes > 0]
    if len({s.size_bytes for s in usable}) < 2:
        raise ParameterError(
            _("A fit needs times of at least two sizes."),
            _("Run nccl-tests over a range of sizes, such as -b 1M -e 16G -f 2."),
        )
    fit = Fit(machine, given, usable)
    fit.run()
    values = fit.values()

    def model(keys: Collection[str]) -> tuple[float, ...]:
        chosen = {key: values[key] if key in keys else value for key, value in given.items()}
        return tuple(machine.times(chosen, usable).tolist())

    notes, left_alone = fit.notes(), fit.left_alone()
    notes += _left_alone(left_alone)
    return Calibration(
        operation,
        ranks,
        tuple(usable),
        model(()),
        model([f.key for f in fit.fitted()]),
        fit.fitted(),
        (*off, *notes),
        left_alone,
        model,
    )


def _left_alone(keys: Sequence[str]) -> list[str]:
    """Return the note on what was not fitted: shares by key, latencies by number."""
    shares = [key for key in keys if parameters()[key].unit != "s"]
    latencies = len(keys) - len(shares)
    found = []
    if shares:
        text = _("Left alone, these times do not decide them: {keys}.")
        found.append(text.format(keys=", ".join(shares)))
    if latencies:
        text = ngettext(
            "{n} latency is left alone for the same reason.",
            "{n} latencies are left alone for the same reason.",
            latencies,
        )
        found.append(text.format(n=format_number(latencies)))
    return found


def _check_hosts(machine: Machine, ranks: int, per_host: Sequence[int]) -> None:
    """Hold the machines of a log against the servers that stand for them.

    Raises:
        ParameterError: They hold other numbers of GPUs.
    """
    drawn = machine.ranks_by_server()
    if not per_host or sorted(per_host) == sorted(drawn):
        return
    raise ParameterError(
        _(
            "The log has {ranks} ranks on machines with {measured} GPUs; the first {ranks} GPUs "
            "of the drawing are on servers with {drawn}."
        ).format(ranks=format_number(ranks), measured=_counts(per_host), drawn=_counts(drawn)),
        _("Draw the servers with the GPUs that took part, or state the ranks to fit all the same."),
    )


def _counts(sizes: Sequence[int]) -> str:
    """Return GPUs by machine as `4 × 8`, machines of a size together."""
    found = sorted(Counter(sizes).items(), reverse=True)
    return ", ".join(f"{format_number(n)} × {format_number(size)}" for size, n in found)
