"""One figure of a benchmark."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: its value and target, and the baseline of the same run, in `unit`.

    Attributes:
        target: What the house aims at: no more than this, or at least where `unit` is `x`.
        baseline: The same work by other means, or the first run; None without one.
        ratio: Baseline over value; None without a baseline.
    """

    name: str
    fabric: str
    gpus: int
    value: float
    unit: str
    target: float | None = None
    baseline: float | None = None
    ratio: float | None = None


def seconds(work: Callable[[], object], rounds: int = 5) -> float:
    """Return the median time of some rounds, seconds."""
    times = []
    for _round in range(rounds):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return median(times)


def by_turns(
    ours: Callable[[], object], theirs: Callable[[], object], turns: int, each: int
) -> tuple[float, float]:
    """Return the median seconds of both, timed by turns after a first call of each.

    Args:
        ours: The quicker one.
        theirs: The baseline.
        turns: How often the baseline is timed.
        each: How often ours is timed in one turn.
    """
    ours()
    theirs()
    found: tuple[list[float], list[float]] = ([], [])
    for _turn in range(turns):
        for times, work, number in ((found[0], ours, each), (found[1], theirs, 1)):
            for _round in range(number):
                start = perf_counter()
                work()
                times.append(perf_counter() - start)
    return median(found[0]), median(found[1])


def against(name: str, fabric: str, gpus: int, value: float, baseline: float, least: float) -> Row:
    """Return how many times quicker the value is than the baseline, both in seconds."""
    ratio = baseline / value
    return Row(name, fabric, gpus, ratio, "x", least, baseline, ratio)
