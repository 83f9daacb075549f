"""Which technology costs less for the same training, by how much, and what would change that.

Both are measured by their total cost for the training that InfiniBand does in the same years:

    M_x = TCO_x / r_x,   r_x = throughput relative to InfiniBand

With G the money of all GPUs, (TCO + G) / (1 - idle share) - G is TCO / (1 - idle share): dividing
by throughput puts a price on the slower one's missing training without counting it twice.

What both share (a GPU-hour, a kilowatt-hour) is the same in both worlds, so the range of the
difference moves it together; the difference is decided when that range does not hold zero.
"""

import math
from collections.abc import Callable, Iterator, Mapping

from designer.engine.compare import FabricResult
from designer.engine.cost import money, priced, typical
from designer.engine.fabrics import Choice, Flip, Verdict
from designer.engine.ledger import Ledger, idle_key
from designer.engine.verdict_text import input_label, input_unit, reasons, sentence
from designer.messages import _
from designer.units import Range

Point = Mapping[str, float]
_MOST_STEPS, _NOTHING = 40, 1e-12
# Beyond its range an input is followed to ten times its high value and down to a tenth of its low.
_BEYOND = 10.0
_LARGEST_SHARE = 0.99


def verdict(infiniband: FabricResult, rocev2: FabricResult) -> Verdict:
    """Compare two evaluations of one drawing.

    Args:
        infiniband: Evaluated as InfiniBand.
        rocev2: Evaluated as RoCE.

    Returns:
        The verdict; without a workload it rests on money alone and says so.
    """
    if not infiniband.ledger.lines and not rocev2.ledger.lines:
        return Verdict(None, None, None, (), (), "", _("There is nothing to buy on the drawing."))
    values = {**rocev2.ledger.values, **infiniband.ledger.values}
    difference = difference_at(infiniband, rocev2)
    base = typical(values)
    asked = _Asked(base)
    today = difference(asked)
    # what the money does not ask for moves nothing
    base = {key: value for key, value in base.items() if key in asked.keys_asked}
    values = {key: values[key] for key in base}
    moves = _moves(values, base, today, difference)
    bounds = _corners(values, base, today, moves, difference)
    choice = _choice(today, bounds)
    titles = {**rocev2.ledger.titles, **infiniband.ledger.titles}
    flips = [
        _flip(key, titles, values[key], base, today, ends, difference)
        for key, ends in moves.items()
    ]
    flips = [f for f in flips if abs(f.margin_high - f.margin_low) > 0 or f.value is not None]
    flips.sort(key=lambda f: -abs(f.margin_high - f.margin_low))
    margin = bounds if today >= 0 else Range(-bounds.high, -bounds.typical, -bounds.low)
    return Verdict(
        choice,
        margin,
        today,
        reasons(infiniband, rocev2),
        tuple(flips),
        sentence(choice, today, bounds, base["years"]),
    )


class _Asked(Mapping[str, float]):
    """Values that remember which of them were asked for."""

    def __init__(self, values: Point) -> None:
        self._values = values
        self.keys_asked: set[str] = set()

    def __getitem__(self, key: str) -> float:
        found = self._values[key]
        self.keys_asked.add(key)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def difference_at(one: FabricResult, two: FabricResult) -> Callable[[Point], float]:
    """Return the function that gives RoCE minus InfiniBand, US dollars, at any values."""
    one_idle, two_idle = idle_key(one.fabric), idle_key(two.fabric)
    shares = (one.performance.network_idle_share, two.performance.network_idle_share)
    given = two.performance.relative_throughput
    timed = given is not None and None not in shares

    lines = {result.fabric: priced(result.ledger) for result in (one, two)}

    def total(ledger: Ledger, point: Point) -> float:
        found = money(ledger, point, lines[ledger.fabric])
        return found.tco if timed and found.tco is not None else found.running

    def difference(point: Point) -> float:
        throughput = 1.0
        if timed and given is not None and shares[0] is not None and shares[1] is not None:
            # the throughput that was found, moved along with the idle shares
            slower = (1 - point[two_idle]) / (1 - shares[1].typical)
            faster = (1 - point[one_idle]) / (1 - shares[0].typical)
            throughput = given * slower / faster
        return total(two.ledger, point) / throughput - total(one.ledger, point)

    return difference


def _moves(
    values: Mapping[str, Range],
    base: Point,
    today: float,
    difference: Callable[[Point], float],
) -> dict[str, tuple[float, float]]:
    """Return the difference at the low and high end of each input that moves it."""
    found = {}
    for key, value in values.items():
        if value.low == value.high == base[key]:
            # an input without a range still may decide: see how it acts at half its value
            ends, probe = (today, today), _at(base, key, value.typical / 2, difference)
        else:
            ends = (_at(base, key, value.low, difference), _at(base, key, value.high, difference))
            probe = today
        if ends != (today, today) or probe != today:
            found[key] = ends
    return found


def _at(base: Point, key: str, value: float, difference: Callable[[Point], float]) -> float:
    return difference({**base, key: value})


def _corners(
    values: Mapping[str, Range],
    base: Point,
    today: float,
    moves: Mapping[str, tuple[float, float]],
    difference: Callable[[Point], float],
) -> Range:
    """Return the bounds of the difference: each input at the end that lowers, or raises, it."""
    low, high = dict(base), dict(base)
    for key, (at_low, at_high) in moves.items():
        value = values[key]
        rising = at_high >= at_low
        low[key] = value.low if rising else value.high
        high[key] = value.high if rising else value.low
    return Range(min(today, difference(low)), today, max(today, difference(high)))


def _choice(today: float, bounds: Range) -> Choice:
    if bounds.low <= 0 <= bounds.high:
        return "too_close_to_call"
    return "infiniband" if today > 0 else "rocev2"


def _flip(
    key: str,
    titles: Mapping[str, str],
    value: Range,
    base: Point,
    today: float,
    ends: tuple[float, float],
    difference: Callable[[Point], float],
) -> Flip:
    found = _crossing(key, value, base, today, ends, difference)
    inside = found is not None and value.low <= found <= value.high
    return Flip(
        key,
        input_label(key, titles),
        input_unit(key),
        value.typical,
        value.low,
        value.high,
        found,
        found is not None and found > value.typical,
        inside,
        ends[0],
        ends[1],
    )


def _crossing(
    key: str,
    value: Range,
    base: Point,
    today: float,
    ends: tuple[float, float],
    difference: Callable[[Point], float],
) -> float | None:
    """Return the value at which the difference changes sign, nearest to the typical one."""
    share = "share" in key or key == "cluster_utilisation"
    top = max(value.high, min(value.high * _BEYOND, _LARGEST_SHARE if share else math.inf))
    stops = (value.high, top), (value.low, value.low / _BEYOND)
    known = {value.low: ends[0], value.high: ends[1], base[key]: today}
    found = []
    for inner, outer in stops:
        start, here = value.typical, today
        for end in (inner, outer):
            there = known[end] if end in known else _at(base, key, end, difference)
            if there * today < 0:
                found.append(_zero(key, (start, here), (end, there), base, today, difference))
                break
            start, here = end, there
    return min(found, key=lambda x: abs(x - value.typical), default=None)


def _zero(
    key: str,
    of_sign: tuple[float, float],
    of_other: tuple[float, float],
    base: Point,
    today: float,
    difference: Callable[[Point], float],
) -> float:
    """Return where the difference is zero between a value of its sign and one of the other.

    Both ends come with their differences.

    The secant of both ends says where to look next; an end that stays again counts half (Illinois
    rule), so that a bent curve does not keep it forever.
    """
    (same, here), (other, there) = of_sign, of_other
    middle, stayed = (same + other) / 2, ""
    for _step in range(_MOST_STEPS):
        middle = other - there * (other - same) / (there - here)
        found = _at(base, key, middle, difference)
        if abs(found) <= _NOTHING * abs(today):
            break
        if found * today > 0:
            same, here = middle, found
            there = there / 2 if stayed == "other" else there
            stayed = "other"
        else:
            other, there = middle, found
            here = here / 2 if stayed == "same" else here
            stayed = "same"
    return middle
