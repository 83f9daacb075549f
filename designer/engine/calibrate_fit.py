"""Fits efficiencies and latencies of the model to times that were measured on the drawn machine.

The model gives a time for every measured size from the drawing and the assumptions p. What is
minimized is the sum of squares of ln(t_model(s; p) / t_measured(s)), with outliers held down (soft
l1). The share of bandwidth that decides large messages is fitted first, then latencies: those of a
node, of reductions in the NVSwitch and of the network, each group by one factor, so that NCCL's
tables keep their proportions. The range of each value is two standard errors to either side, from
the curvature at the minimum.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from designer.catalog.catalog import Catalog
from designer.engine.algorithms import fastest, timings
from designer.engine.bom import bill_of_materials
from designer.engine.census import take_census
from designer.engine.compile import compile_network
from designer.engine.ledger import TECHNOLOGY
from designer.engine.machines import machines_of
from designer.engine.options import Algorithm, Operation, Options
from designer.engine.performance import perform
from designer.engine.pool import pool_of
from designer.engine.routing import route
from designer.engine.samples import Sample, Vector, residuals, rms
from designer.engine.setting import Setting
from designer.engine.technology import drawn_technology, wire_of
from designer.errors import CancelledError, ParameterError
from designer.messages import _
from designer.model.assumption_latency import LATENCY_PARAMETERS
from designer.model.design import Design
from designer.units import Range, format_percent

_SHARES = (
    "nic_efficiency",
    "nvlink_share_ampere",
    "nvlink_share_hopper",
    "nvlink_share_blackwell",
    "nvls_share_hopper",
    "nvls_share_blackwell",
    "nvls_share_rack",
    "pcie_share",
    "tree_share",
)
Group = tuple[str, ...]
# How far from its value an assumption may go; a share ends at 1.
_FACTOR = 20.0
_STEP = 0.05
# Bandwidth and latencies are fitted in turn this often.
_ROUNDS = 3
# Messages whose bandwidth reaches this share of the best one count as large.
_NEAR = 0.9
# Where a residual (of a logarithm) becomes an outlier, and where the fit deserves a note.
_OUTLIER, _FAR = 0.1, 0.1


@dataclass(frozen=True, slots=True)
class Fitted:
    """One assumption before and after; `after` reaches two standard errors to either side."""

    key: str
    before: Range
    after: Range


class Machine:
    """The drawing as a function from assumptions to times; what they do not change is kept."""

    def __init__(
        self,
        design: Design,
        catalog: Catalog,
        operation: Operation,
        ranks: int,
        algorithm: Algorithm,
        cancelled: Callable[[], bool],
    ) -> None:
        self.options = Options(collective=operation, ranks=ranks, algorithm=algorithm)
        self._design, self._cancelled = design, cancelled
        network = compile_network(design)
        shortest = design.title_block.routing == "shortest"
        self._routed = route(network, "shortest" if shortest else "updown", cancelled=cancelled)
        self._fabric = drawn_technology(design)
        census = take_census(design)
        self._bill = bill_of_materials(design, catalog, TECHNOLOGY[self._fabric], census)

    def ranks_by_server(self) -> list[int]:
        """Return how many ranks are on each server that takes part."""
        network = self._routed.network
        whole = int(np.maximum(network.gpus[network.servers], 0).sum())
        if not 1 <= (self.options.ranks or 0) <= whole:
            return []
        pool = pool_of(network, self.options.ranks)
        found: list[int] = np.unique(pool.server, return_counts=True)[1].tolist()
        return found

    def setting(self, values: Mapping[str, Range]) -> Setting:
        """Return the inputs of the formulas under some assumptions."""
        if self._cancelled():
            raise CancelledError(_("The fit was cancelled."))
        typical = {key: value.typical for key, value in values.items()}
        machines, _told = machines_of(self._design, self._routed, self.options, typical)
        wire = wire_of(self._design, self._bill, self._fabric, values)
        done = perform(machines, self._bill, wire, self.options, self._cancelled, curves=False)
        found = done.collectives[self.options.collective]
        if done.setting is None or found.timing is None:
            why = found.reasons.get("time_s") or machines.fault
            raise ParameterError(
                _("The drawing cannot run what was measured: {why}").format(why=why),
                _("Open the drawing of the machine that was measured."),
            )
        return done.setting

    def times(self, values: Mapping[str, Range], samples: Sequence[Sample]) -> Vector:
        """Return the model's time of each sample, seconds."""
        setting, asked = self.setting(values), self.options
        one: dict[int, float] = {}
        for size in {s.size_bytes for s in samples}:
            if asked.algorithm == "auto":
                one[size] = fastest(setting, asked.collective, size).time_s
            else:
                one[size] = timings(setting, asked.collective, size)[asked.algorithm].time_s
        return np.array([one[s.size_bytes] for s in samples])


class Fit:
    """What is fitted, and the factors found: one for each group of assumptions."""

    def __init__(
        self, machine: Machine, given: Mapping[str, Range], samples: Sequence[Sample]
    ) -> None:
        self._machine, self._given, self._samples = machine, given, samples
        self.groups: list[Group] = []
        self._logs: Vector = np.zeros(0)
        # standard error of each factor, and whether it ended at a bound
        self._found: dict[Group, tuple[float, bool]] = {}

    def run(self) -> None:
        """Fit a share of bandwidth to large messages, then latencies to all."""
        share = self._share()
        if share:
            self.groups, self._logs = share, np.zeros(1)
            self._solve(self._large(), slice(0, 1))
        latencies = self._acting([g for g in self._latencies() if g], self._samples, 0.05)
        for group in latencies:
            self.groups, self._logs = [*self.groups, group], self._best_start(group)
        # the slow rise between small and large messages is not in the model: it must not bend the
        # bandwidth, which has the most weight in every training step
        for _round in range(_ROUNDS if latencies else 0):
            self._solve(self._samples, slice(len(share), None))
            if share:
                self._solve(self._large(), slice(0, 1))

    def values(self) -> dict[str, Range]:
        """Return all assumptions with the fitted ones in place."""
        return self._values(self.groups, self._logs)

    def fitted(self) -> tuple[Fitted, ...]:
        """Return every assumption with its range: two standard errors to either side."""
        found, values = [], self.values()
        for group in self.groups:
            spread = math.exp(min(3.0, 2 * self._found[group][0]))
            for key in group:
                value = values[key].typical
                top = min(1.0, value * spread) if key in _SHARES else value * spread
                after = Range(value / spread, value, max(value, top))
                found.append(Fitted(key, self._given[key], after))
        return tuple(found)

    def left_alone(self) -> tuple[str, ...]:
        """Return the efficiencies and latencies that were not fitted, each once."""
        known = [*_SHARES, *(p.key for p in LATENCY_PARAMETERS)]
        done = {key for group in self.groups for key in group}
        return tuple(dict.fromkeys(key for key in known if key not in done))

    def notes(self) -> list[str]:
        """Return what a reader has to know of the fit."""
        text = _(
            "{key} ends at the edge of what is tried; the drawing may not be what was measured."
        )
        found = [text.format(key=g[0]) for g in self.groups if self._found[g][1]]
        rest = rms(self._left(self.groups, self._logs, self._samples))
        if rest > _FAR:
            text = _("After the fit the model is still {share} off on average.")
            found.append(text.format(share=format_percent(math.expm1(rest))))
        return found

    def _share(self) -> list[Group]:
        """Return the share of bandwidth that explains large messages best.

        Where the NVSwitch reduces, rings may take over as soon as it is held to be slower: both
        are scaled together where that explains more.
        """
        large = self._large()
        found = self._acting([(key,) for key in _SHARES], large, 0.3)
        inside = self._machine.setting(self._given).inside
        if inside.nvls_key:
            found.append((inside.nvls_key, inside.ring_key))
        costs = []
        for group in found:
            self.groups, self._logs = [group], np.zeros(1)
            self._solve(large, slice(0, 1))
            costs.append(_cost(self._left(self.groups, self._logs, large)))
        self.groups, self._logs = [], np.zeros(0)
        if not found:
            return []
        best = 0
        for k, cost in enumerate(costs):
            if cost < 0.9 * costs[best] - 1e-9:
                best = k
        return [found[best]]

    def _large(self) -> list[Sample]:
        """Return the samples from the size on that comes near the best bandwidth.

        They are chosen by size: chosen by their own bandwidth, fast ones would be taken and slow
        ones left, and the share would come out too high.
        """
        rates: dict[int, list[float]] = {}
        for s in self._samples:
            rates.setdefault(s.size_bytes, []).append(s.size_bytes / s.time_s)
        middle = {size: float(np.median(found)) for size, found in rates.items()}
        best = max(middle.values())
        first = min(size for size, rate in middle.items() if rate >= _NEAR * best)
        return [s for s in self._samples if s.size_bytes >= first]

    def _latencies(self) -> tuple[Group, ...]:
        """Return the latencies that share one factor: NCCL's tables keep their proportions."""
        medium = "pcie" if self._machine.setting(self._given).inside.kind == "pcie" else "nvlink"
        keys = [p.key for p in LATENCY_PARAMETERS if p.value.typical > 0]
        return (
            tuple(k for k in keys if k.startswith(("base_", f"{medium}_"))),
            tuple(k for k in keys if k == "nvls_start_s"),
            tuple(k for k in keys if k.startswith("network_")),
        )

    def _values(self, groups: Sequence[Group], logs: Vector) -> dict[str, Range]:
        out = dict(self._given)
        for group, log in zip(groups, logs.tolist(), strict=True):
            for key in group:
                value = self._given[key].typical * math.exp(log)
                out[key] = Range(value, value, value)
        return out

    def _left(self, groups: Sequence[Group], logs: Vector, samples: Sequence[Sample]) -> Vector:
        times = self._machine.times(self._values(groups, logs), samples)
        return residuals(times.tolist(), samples)

    def _acting(
        self, groups: Sequence[Group], samples: Sequence[Sample], least: float
    ) -> list[Group]:
        """Return the groups that decide times, the most telling first.

        Both directions are tried, because another algorithm may be about to take over.
        """
        now = self._left(self.groups, self._logs, samples)
        found = []
        for group in groups:
            slope = 0.0
            for step in (-_STEP, _STEP):
                logs = np.append(self._logs, step)
                moved = self._left([*self.groups, group], logs, samples) - now
                slope = max(slope, float(np.abs(moved).max()) / _STEP)
            if slope >= least:
                found.append((slope, group))
        return [group for _slope, group in sorted(found, key=lambda f: -f[0])]

    def _best_start(self, group: Group) -> Vector:
        """Return the factors with the best one of a coarse grid for a new group.

        The time is the smallest of several algorithms: far from its value an assumption may have
        no slope at all.
        """
        tries = np.linspace(-math.log(8), math.log(_FACTOR) - 0.1, 15)
        starts = [np.append(self._logs, x) for x in (0.0, *tries)]
        groups = [*self.groups, group]
        return min(starts, key=lambda logs: _cost(self._left(groups, logs, self._samples)))

    def _solve(self, samples: Sequence[Sample], part: slice) -> None:
        """Fit the factors of some groups, the others as they are, with their standard errors."""
        from scipy.optimize import least_squares  # slow to load, and only needed here

        groups, logs = self.groups[part], self._logs.copy()
        bottom = np.full(len(groups), -math.log(_FACTOR))
        top = np.array([self._top(group) for group in groups])

        def left(moved: Vector) -> Vector:
            logs[part] = moved
            return self._left(self.groups, logs, samples)

        found = least_squares(
            left,
            np.clip(self._logs[part], bottom + 1e-9, top - 1e-9),
            bounds=(bottom, top),
            loss="soft_l1",
            f_scale=_OUTLIER,
            diff_step=1e-3,
            x_scale=0.1,
            max_nfev=60,
        )
        # times of one size, as in and out of place, share their noise: they count as one
        sizes = len({s.size_bytes for s in samples})
        free = max(1, sizes - len(groups))
        variance = float((found.fun**2).sum()) / free
        # J^T J, written as a sum: products of matrices start threads
        curvature = (found.jac[:, :, None] * found.jac[:, None, :]).sum(axis=0)
        errors = np.sqrt(np.maximum(0.0, np.diag(np.linalg.pinv(curvature)) * variance))
        for k, group in enumerate(groups):
            at_end = found.x[k] < bottom[k] + 1e-3 or found.x[k] > top[k] - 1e-3
            self._found[group] = (float(errors[k]), bool(at_end))
        self._logs[part] = found.x

    def _top(self, group: Group) -> float:
        if group[0] not in _SHARES:
            return math.log(_FACTOR)
        return max(1e-6, -math.log(self._given[group[0]].typical))


def _cost(left: Vector) -> float:
    """Return the sum that is minimized (soft l1)."""
    return float((np.sqrt(1 + (left / _OUTLIER) ** 2) - 1).sum())
