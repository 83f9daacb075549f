"""What to compute: chosen by the command line or the window, never by the design."""

from dataclasses import dataclass

from designer.model.workload import Workload


@dataclass(frozen=True, slots=True)
class Options:
    """One request to `analyze`.

    Attributes:
        workload: The job that step time and traffic speak of; None: the design's own.
        fail: Ids of cables and devices taken out for this run.
    """

    workload: Workload | None = None
    fail: tuple[str, ...] = ()
