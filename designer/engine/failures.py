"""Single faults: what each one disconnects, what it slows, and by how much, ranked.

Parts that are alike by wiring (`symmetry`) fail alike, so one of each class is taken out and the
drawing analysed as any other. GPUs lost, all-to-all and bisection are the same for all of a class.
NICs and servers that carry other shares of a ring or tree are told apart as well. As the step also
depends on the order of the ranks, three members of each class are tried and the worst counts.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from designer.catalog.catalog import Catalog
from designer.engine.analyze import analyze
from designer.engine.compile import compile_network
from designer.engine.failure_parts import Alike, Kind, Part, alike
from designer.engine.machines import machines_of
from designer.engine.options import Options
from designer.engine.placing import pinned
from designer.engine.results import Results
from designer.engine.routing import check, never, route
from designer.engine.symmetry import set_apart, symmetry, working_gpus
from designer.model.assumptions import assumptions
from designer.model.design import Design

Progress = Callable[[int, int], None]
# Members of a class that are tried for what depends on the order of the ranks.
_TRIED = 3
_RATIOS = {
    "all_reduce": "collectives.all_reduce.time_s",
    "all_to_all": "collectives.all_to_all.time_s",
    "step": "step.time_s",
    "bisection": "capacity.bisection_bits_per_s",
}


@dataclass(frozen=True, slots=True)
class Effect:
    """What one class of faults does.

    Attributes:
        kind: `link`, `nic`, `server`, `switch`, `rail` or `rack`.
        name: The member that was tried and is worst, for people.
        key: The same as `--fail` takes it.
        ids: What is out when it fails, as `Options.fail` takes it.
        keys: All members.
        lost_gpus: GPUs that the largest connected part no longer holds.
        ratios: `all_reduce`, `all_to_all`, `step`: time after over time before; `bisection`:
            bandwidth after over before. None where one of them has no basis.
        before: What the ratios are of: seconds, or bits/s, without the fault.
        bottleneck: What decides the all-to-all afterwards.
        reasons: Why a ratio is None.
    """

    kind: Kind
    name: str
    key: str
    ids: tuple[str, ...]
    keys: tuple[str, ...]
    lost_gpus: int
    ratios: dict[str, float | None]
    before: dict[str, float | None]
    bottleneck: str
    reasons: dict[str, str]

    @property
    def slowdown(self) -> float:
        """Return the largest factor by which something takes longer; 1 when nothing does."""
        times = [self.ratios[k] for k in ("all_reduce", "all_to_all", "step")]
        return max([1.0, *(t for t in times if t is not None)])

    def values(self) -> dict[str, Any]:
        """Return the effect as plain values."""
        return {
            "kind": self.kind,
            "name": self.name,
            "key": self.key,
            "ids": list(self.ids),
            "members": len(self.keys),
            "member_keys": list(self.keys),
            "lost_gpus": self.lost_gpus,
            **{f"{name}_ratio": value for name, value in self.ratios.items()},
            "before": dict(self.before),
            "bottleneck": self.bottleneck,
            "reasons": dict(self.reasons),
        }


def single_faults(
    design: Design,
    options: Options | None = None,
    catalog: Catalog | None = None,
    *,
    progress: Progress = lambda _done, _all: None,
    cancelled: Callable[[], bool] = never,
) -> list[Effect]:
    """Return the effects of every single fault, the worst first.

    Args:
        design: The drawing; it is not changed.
        options: As for `analyze`; what they fail already stays failed.
        catalog: Parts and prices; the bundled catalogue when None.
        progress: Told how many of all trials are done.
        cancelled: Asked between trials and inside them.

    Raises:
        CancelledError: `cancelled()` became true.
    """
    asked = replace(options or Options(), failures=False, others=())
    network = compile_network(design, frozenset(asked.fail))
    if asked.placing is not None:
        asked = replace(asked, placing=pinned(network, asked.placing))
    mode = "shortest" if design.title_block.routing == "shortest" else "updown"
    routed = route(network, mode, cancelled=cancelled)  # type: ignore[arg-type]
    given = {key: a.value.typical for key, a in assumptions(design).items()}
    machines = machines_of(design, routed, asked, given)[0]
    same = set_apart(symmetry(design, routed), network, machines.patterns.values())
    classes = alike(design, routed, same)
    before = analyze(design, asked, catalog, cancelled=cancelled)
    whole = working_gpus(network)[0]
    total = sum(len(_tried(c)) for c in classes)
    done = 0
    found: list[Effect] = []
    for one in classes:
        trials = []
        for part in _tried(one):
            check(cancelled)
            trials.append(_trial(design, asked, catalog, part, before, whole, cancelled))
            done += 1
            progress(done, total)
        found.append(_worst(design, one, trials, before))
    return sorted(found, key=_rank)


def _rank(effect: Effect) -> tuple[int, float, float, int]:
    bisection = effect.ratios["bisection"]
    kept = bisection if bisection is not None else 1.0
    return -effect.lost_gpus, -effect.slowdown, kept, -len(effect.keys)


def _tried(one: Alike) -> tuple[Part, ...]:
    """Return the members that are tried: the first, a middle and the last one."""
    n = len(one.parts)
    return tuple(one.parts[k] for k in sorted({0, n // 2, n - 1}))[:_TRIED]


@dataclass(frozen=True, slots=True)
class _Trial:
    part: Part
    lost: int
    ratios: dict[str, float | None]
    bottleneck: str
    reasons: dict[str, str]


def _trial(
    design: Design,
    options: Options,
    catalog: Catalog | None,
    part: Part,
    before: Results,
    whole: int,
    cancelled: Callable[[], bool],
) -> _Trial:
    fail = (*options.fail, *part.ids)
    after = analyze(design, replace(options, fail=fail), catalog, cancelled=cancelled)
    lost = whole - working_gpus(compile_network(design, frozenset(fail)))[0]
    ratios: dict[str, float | None] = {}
    reasons: dict[str, str] = {}
    for name, key in _RATIOS.items():
        one, two = before.get(key), after.get(key)
        ratios[name] = two / one if one and two is not None else None
        if ratios[name] is None:
            reasons[name] = after.reason(key) or before.reason(key)
    bottleneck = after.get("collectives.all_to_all.bottleneck") or ""
    return _Trial(part, max(0, lost), ratios, bottleneck, reasons)


def _worst(design: Design, one: Alike, trials: list[_Trial], before: Results) -> Effect:
    """Return the effect of a class: of each figure the worst of its trials."""

    def slowest(trial: _Trial) -> tuple[int, float]:
        times = [trial.ratios[k] for k in ("all_reduce", "step", "all_to_all")]
        return trial.lost, sum(t if t is not None else 1e6 for t in times)

    worst = max(trials, key=slowest)
    ratios: dict[str, float | None] = {}
    for name in _RATIOS:
        values = [t.ratios[name] for t in trials]
        known = [v for v in values if v is not None]
        end = min(known, default=None) if name == "bisection" else max(known, default=None)
        ratios[name] = end if len(known) == len(values) else None
    return Effect(
        one.kind,
        worst.part.name(design),
        worst.part.key,
        worst.part.ids,
        tuple(part.key for part in one.parts),
        worst.lost,
        ratios,
        {name: before.get(key) for name, key in _RATIOS.items()},
        worst.bottleneck,
        {k: v for t in trials for k, v in t.reasons.items()},
    )
