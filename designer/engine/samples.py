"""Measured times of a collective, and how far a model is from them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from designer.engine.algorithms import bus_factor
from designer.engine.options import Operation
from designer.errors import ParameterError
from designer.messages import _, ngettext
from designer.units import format_number

Vector = npt.NDArray[np.float64]
# Bus over algorithm bandwidth as printed, with two decimals, against the ranks.
_RATIO_TOLERANCE, _RATIO_FROM = 0.02, 1e9


@dataclass(frozen=True, slots=True)
class Sample:
    """One measured time: bytes, seconds, and both bandwidths as printed, bytes/s.

    `line` is that of the log, from 1; 0 without a log.
    """

    size_bytes: int
    time_s: float
    algorithm_bandwidth: float = 0.0
    bus_bandwidth: float = 0.0
    line: int = 0


def check_ratio(
    operation: Operation, ranks: int, samples: Sequence[Sample]
) -> tuple[list[Sample], list[str]]:
    """Hold the printed bandwidths against the ranks; return the samples that fit, and notes.

    Raises:
        ParameterError: Bus over algorithm bandwidth is not that of so many ranks in most of them.
    """
    wanted = bus_factor(operation, ranks)
    off = [s for s in samples if abs(_ratio(s, wanted) / wanted - 1) > _RATIO_TOLERANCE]
    told = [s for s in samples if s.algorithm_bandwidth >= _RATIO_FROM]
    if 2 * len(off) <= len(told):
        left_out = {id(s) for s in off}
        text = _("line {line}: bus over algorithm bandwidth is {ratio}, not {wanted}; left out")
        notes = [
            text.format(
                line=s.line,
                ratio=format_number(_ratio(s, wanted), 3),
                wanted=format_number(wanted, 3),
            )
            for s in off
        ]
        return [s for s in samples if id(s) not in left_out], list(dict.fromkeys(notes))
    ratio = float(np.median([_ratio(s, wanted) for s in told]))
    raise ParameterError(
        _(
            "Bus bandwidth over algorithm bandwidth is {ratio} in the log (line {line}); "
            "{operation} on {ranks} ranks has {wanted}."
        ).format(
            ratio=format_number(ratio, 3),
            line=off[0].line,
            operation=operation,
            ranks=format_number(ranks),
            wanted=format_number(wanted, 3),
        ),
        _fitting(operation, ratio),
    )


def _ratio(sample: Sample, otherwise: float) -> float:
    """Return bus over algorithm bandwidth; `otherwise` where two decimals do not tell it."""
    if sample.algorithm_bandwidth < _RATIO_FROM or sample.bus_bandwidth <= 0:
        return otherwise
    return sample.bus_bandwidth / sample.algorithm_bandwidth


def _fitting(operation: Operation, ratio: float) -> str:
    """Return how many ranks a ratio belongs to, if to any."""
    share = ratio / 2 if operation == "all_reduce" else ratio
    if operation in ("broadcast", "send_recv") or not 0 < share < 1:
        return _("Name the operation and the ranks that were measured.")
    ranks = round(1 / (1 - share))
    text = ngettext("It fits {n} rank.", "It fits {n} ranks.", ranks)
    return text.format(n=format_number(ranks))


def residuals(times: Sequence[float], samples: Sequence[Sample]) -> Vector:
    """Return ln(model / measured) of each sample."""
    out: Vector = np.log(np.array(times) / np.array([s.time_s for s in samples]))
    return out


def rms(values: Vector) -> float:
    """Return the root mean square; 0 of nothing."""
    return float(np.sqrt(np.mean(values * values))) if len(values) else 0.0
