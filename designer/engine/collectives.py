"""Collective operations on the drawing: algorithm, time, bandwidth, bottleneck and curve.

What is not known is None with a reason: GPUs that are unknown, servers that no cable joins, one
rank, no GPU at all.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from designer.engine.algorithms import Timing, bus_factor, curve, fastest, timings
from designer.engine.load_columns import Spread
from designer.engine.nccl_rule import nccl_choice, nccl_timing
from designer.engine.network import BoolArray
from designer.engine.options import OPERATIONS, Operation, Options
from designer.engine.setting import Setting
from designer.messages import _, ngettext

# Sizes of the curve: 8 B to 16 GiB.
CURVE = tuple(2**k for k in range(3, 35))


@dataclass(frozen=True, slots=True)
class Collective:
    """One operation at the size asked for; `timing` is None where it has no basis.

    Attributes:
        operation: Such as `all_reduce`.
        ranks: GPUs that take part; None when unknown.
        size_bytes: Message size.
        timing: The algorithm chosen.
        others: Every algorithm that can run here, by name.
        bottleneck: What limits it, for people.
        bottleneck_ids: The cables or devices it is.
        curve: (size, timing) over the sizes of `CURVE`.
        curves: Times of every algorithm that can run here over the same sizes, seconds, for the
            operation asked for.
        curve_bottlenecks: What limits each point of it, for people.
        reasons: Why values are None, by key below `collectives.<operation>.`.
        chosen_by: `time`, `nccl` (its published rule) or `request`.
        nccl_choice: What that rule takes, such as `tree/ll128`; empty where it has no choice.
        relay: Times of an all-to-all whose data changes rails over NVLink first, and of one whose
            data does not, seconds; None where only one of them was computed.
        hashing: Times under static hashing: median, 95th percentile and worst of the seeds; None
            where nothing is hashed.
    """

    operation: Operation
    ranks: int | None
    size_bytes: int
    timing: Timing | None = None
    others: Mapping[str, Timing] = field(default_factory=dict)
    bottleneck: str | None = None
    bottleneck_ids: tuple[str, ...] = ()
    curve: tuple[tuple[int, Timing], ...] = ()
    curves: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    curve_bottlenecks: tuple[str, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    chosen_by: str = "time"
    nccl_choice: str = ""
    relay: tuple[float, float] | None = None
    hashing: Spread | None = None

    @property
    def time_s(self) -> float | None:
        """Return the time, seconds; None where it has no basis."""
        return self.timing.time_s if self.timing is not None else None

    @property
    def algorithm_bandwidth(self) -> float | None:
        """Return size over time, bytes/s."""
        time = self.time_s
        return self.size_bytes / time if time and (self.ranks or 0) > 1 else None

    @property
    def bus_bandwidth(self) -> float | None:
        """Return the bandwidth of nccl-tests that compares with the hardware's, bytes/s."""
        rate = self.algorithm_bandwidth
        return None if rate is None else rate * bus_factor(self.operation, self.ranks or 0)

    def values(self) -> dict[str, Any]:
        """Return the object `collectives.<operation>` of the results."""
        return {
            "algorithm": self.timing.algorithm if self.timing is not None else None,
            "protocol": self.timing.protocol if self.timing is not None else None,
            "ranks": self.ranks,
            "size_bytes": self.size_bytes,
            "time_s": self.time_s,
            "algorithm_bandwidth_bytes_per_s": self.algorithm_bandwidth,
            "bus_bandwidth_bytes_per_s": self.bus_bandwidth,
            "bottleneck": self.bottleneck,
            "bottleneck_ids": list(self.bottleneck_ids),
            "chosen_by": self.chosen_by,
            "nccl_choice": self.nccl_choice,
            **self._relay(),
            "hashing": self._hashing(),
            "alternatives": {name: t.time_s for name, t in self.others.items()},
            "curve": self._points(),
            "curves": {name: list(times) for name, times in self.curves.items()},
        }

    def _points(self) -> list[dict[str, Any]]:
        """Return the points of the curve as results write them."""
        factor = bus_factor(self.operation, self.ranks or 0) if self.curve else 1.0
        limits = self.curve_bottlenecks or ("",) * len(self.curve)
        return [
            {
                "size_bytes": size,
                "time_s": t.time_s,
                "algorithm_bandwidth_bytes_per_s": size / t.time_s,
                "bus_bandwidth_bytes_per_s": factor * size / t.time_s,
                "algorithm": t.algorithm,
                "protocol": t.protocol,
                "limit": t.limit,
                "bottleneck": limit,
            }
            for (size, t), limit in zip(self.curve, limits, strict=True)
        ]

    def _hashing(self) -> dict[str, float] | None:
        found = self.hashing
        if found is None:
            return None
        return {"p50_s": found.p50, "p95_s": found.p95, "worst_s": found.worst}

    def _relay(self) -> dict[str, Any]:
        if self.operation != "all_to_all":
            return {}
        both = self.relay
        return {"relay": {"with_s": both[0], "without_s": both[1]} if both else None}


def evaluate(
    setting: Setting,
    operation: Operation,
    options: Options,
    faults: Mapping[str, str],
    *,
    curves: bool = True,
) -> Collective:
    """Return one operation on a machine.

    Args:
        setting: The machine.
        operation: What to run.
        options: Size, and the algorithm for the operation they name.
        faults: Why operations cannot run, by operation; `all` for every one.
        curves: False leaves the curve out.

    Returns:
        The operation; its time is None where it, or the algorithm asked for, cannot run.
    """
    n = setting.ranks
    fault = faults.get("all") or faults.get(operation)
    if fault:
        return Collective(operation, n, options.size_bytes, reasons=_null(fault))
    if n == 1:
        alone = Timing("none", "simple", 0.0, 0.0, 0.0, 0.0)
        return Collective(operation, 1, options.size_bytes, alone, reasons=_one_rank())
    found = timings(setting, operation, options.size_bytes)
    asked = asked_of(options, operation)
    chosen = _at(setting, operation, asked, options.size_bytes, found)
    if chosen is None:
        text = _("{algorithm} cannot run here; {names} can.").format(
            algorithm=asked, names=", ".join(found)
        )
        return Collective(operation, n, options.size_bytes, None, found, reasons=_null(text))
    own = curves and operation == options.collective
    rule = nccl_choice(setting, operation, options.size_bytes)
    return Collective(
        operation,
        n,
        options.size_bytes,
        chosen,
        found,
        curve=_curve(setting, operation, asked) if curves else (),
        curves=_every(setting, operation, found) if own else {},
        chosen_by={"auto": "time", "nccl": "nccl"}.get(asked, "request"),
        nccl_choice=rule.text if rule is not None else "",
    )


def asked_of(options: Options, operation: str) -> str:
    """Return the algorithm, or the way to choose one, that was asked for an operation."""
    if options.algorithm == "nccl" or operation == options.collective:
        return options.algorithm
    return "auto"


def _at(
    setting: Setting,
    operation: str,
    asked: str,
    size: int,
    known: Mapping[str, Timing] | None = None,
) -> Timing | None:
    """Return what is chosen at one size; None when the algorithm asked for cannot run."""
    if asked == "auto":
        return fastest(setting, operation, size)
    if asked == "nccl":
        return nccl_timing(setting, operation, size)
    return (known or timings(setting, operation, size)).get(asked)


def _curve(setting: Setting, operation: str, asked: str) -> tuple[tuple[int, Timing], ...]:
    """Return (size, timing) of what is chosen over the sizes of `CURVE`."""
    if asked == "nccl":
        return tuple((size, nccl_timing(setting, operation, size)) for size in CURVE)
    only = "" if asked == "auto" else asked
    return tuple(zip(CURVE, curve(setting, operation, CURVE, only), strict=True))


def _every(
    setting: Setting, operation: Operation, names: Iterable[str]
) -> dict[str, tuple[float, ...]]:
    """Return the times of every algorithm over the sizes of `CURVE`."""
    return {name: tuple(t.time_s for t in curve(setting, operation, CURVE, name)) for name in names}


def _null(fault: str) -> dict[str, str]:
    keys = (
        "algorithm",
        "protocol",
        "time_s",
        "algorithm_bandwidth_bytes_per_s",
        "bus_bandwidth_bytes_per_s",
        "bottleneck",
        "curve",
    )
    return dict.fromkeys(keys, fault)


def _one_rank() -> dict[str, str]:
    text = _("One rank has no bus bandwidth.")
    keys = ("algorithm_bandwidth_bytes_per_s", "bus_bandwidth_bytes_per_s", "bottleneck", "curve")
    return dict.fromkeys(keys, text)


def unknown(options: Options, fault: str, ranks: int | None) -> dict[Operation, Collective]:
    """Return all operations as unknown for one reason."""
    reasons = _null(fault) | ({} if ranks is not None else {"ranks": fault})
    return {
        name: Collective(name, ranks, options.size_bytes, reasons=reasons) for name in OPERATIONS
    }


def uncabled_fault(uncabled: BoolArray) -> str:
    """Return the reason when some nodes have no NIC link; empty when all have."""
    lost = int(uncabled.sum())
    if lost == 0 or len(uncabled) < 2:
        return ""
    return ngettext(
        "{n} server has no cable to the fabric.", "{n} servers have no cable to the fabric.", lost
    ).format(n=lost)
