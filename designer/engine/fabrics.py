"""One drawing in two technologies: what goes into the comparison and what comes out of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from designer.units import Range

FabricName = Literal["infiniband", "rocev2"]
Choice = Literal["infiniband", "rocev2", "too_close_to_call"]


@dataclass(frozen=True, slots=True)
class FabricPerformance:
    """What the performance model found for one technology; None where it knows nothing.

    Attributes:
        all_reduce_time_s: 1 GiB over all ranks, or the collective asked for.
        step_time_s: Training step.
        gpu_idle_share: 1 - compute / step.
        network_idle_share: Share of the step that an infinitely fast network would save, with
            bounds; `Range.exact` where the model gives one value.
        relative_throughput: Step time on InfiniBand over step time here; 1 for InfiniBand.
        tuning: `untuned`, `tuned` or `expert` for RoCE; empty for InfiniBand.
        hops: Switches traversed by the longest drawn path between two servers.
        reasons: Why a value is None, by attribute name.
    """

    all_reduce_time_s: float | None = None
    step_time_s: float | None = None
    gpu_idle_share: float | None = None
    network_idle_share: Range | None = None
    relative_throughput: float | None = None
    tuning: str = ""
    hops: int | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Substitution:
    """A part of the drawing and what takes its place; `new` is empty when nothing does."""

    old: str
    new: str
    note: str


@dataclass(frozen=True, slots=True)
class Flip:
    """How far one input must move for the other technology to win, all else typical.

    Attributes:
        key: Assumption key, `price.<slug>`, or `network_idle_share.<fabric>`.
        now, low, high: Value used and its range.
        value: Where the winner changes; None when no value does.
        above: True when the other side wins above `value`, False when below.
        inside: True when `value` lies within low and high.
        margin_low, margin_high: RoCE minus InfiniBand, US dollars, at the ends of the range.
    """

    key: str
    label: str
    unit: str
    now: float
    low: float
    high: float
    value: float | None
    above: bool
    inside: bool
    margin_low: float
    margin_high: float

    def as_dict(self) -> dict[str, Any]:
        """Return the form written to results."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which technology costs less for the same training, and what would change that.

    Attributes:
        choice: None when it cannot be told; `reason` says why.
        margin_usd: Loser minus winner for the training InfiniBand does, over the years.
        difference_usd: RoCE minus InfiniBand, same measure, typical value of the ranges.
        reasons: Sentences, the weightiest first.
        flips: Widest effect first.
        sentence: The verdict in one sentence; empty without one.
    """

    choice: Choice | None
    margin_usd: Range | None
    difference_usd: float | None
    reasons: tuple[str, ...]
    flips: tuple[Flip, ...]
    sentence: str = ""
    reason: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the form written to results."""
        return {
            "choice": self.choice,
            "margin_usd": self.margin_usd.as_dict() if self.margin_usd else None,
            "difference_usd": self.difference_usd,
            "sentence": self.sentence,
            "reasons": list(self.reasons),
            "flips": [f.as_dict() for f in self.flips],
        }
