"""When each stage of a pipeline works on which micro-batch: the interleaved 1F1B schedule.

Stage r of PP holds v pieces of the model; piece k PP + r is its k-th. It takes micro-batches in
rounds of PP: all of a round through its first piece, then through its second, and so on. Before
its first backward pass it starts (PP-r-1) forward passes, with interleaving 2 (PP-r-1) + (v-1) PP
(Narayanan et al. 2021, arXiv 2104.04473, section 2.2). Each pass starts as soon as the stage is
free and its input is there. With M a multiple of PP, or v = 1, the whole takes
M (f + b) + (PP-1) (f + b) / v.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Pass:
    """One micro-batch through one piece of a stage, in units of the caller's times."""

    kind: Literal["forward", "backward"]
    microbatch: int
    piece: int
    start: float
    stop: float


def pipeline_schedule(
    stages: int, virtual_stages: int, microbatches: int, forward: float, backward: float
) -> list[list[Pass]] | None:
    """Return the passes of every stage in order of time; None where the rounds do not close.

    Args:
        stages: PP.
        virtual_stages: v, pieces of each stage.
        microbatches: M.
        forward: Time of one micro-batch forward through a whole stage (all its pieces).
        backward: The same backward.
    """
    orders = [_order(r, stages, virtual_stages, microbatches) for r in range(stages)]
    times = {"forward": forward / virtual_stages, "backward": backward / virtual_stages}
    done: dict[tuple[str, int, int], float] = {}
    free, at = [0.0] * stages, [0] * stages
    out: list[list[Pass]] = [[] for _ in range(stages)]
    last = stages * virtual_stages - 1
    moved = True
    while moved:
        moved = False
        for r in range(stages):
            while at[r] < len(orders[r]):
                kind, m, k = orders[r][at[r]]
                place = k * stages + r
                need = _input(kind, m, place, last)
                if need is not None and need not in done:
                    break
                start = max(free[r], done[need] if need is not None else 0.0)
                stop = start + times[kind]
                done[kind, m, place] = free[r] = stop
                out[r].append(Pass(kind, m, k, start, stop))
                at[r] += 1
                moved = True
    complete = all(n == len(order) for n, order in zip(at, orders, strict=True))
    return out if complete else None


Kind = Literal["forward", "backward"]


def _input(kind: Kind, m: int, place: int, last: int) -> tuple[str, int, int] | None:
    """Return the pass that brings the input; None for the first forward pass."""
    if kind == "forward":
        return ("forward", m, place - 1) if place else None
    return ("backward", m, place + 1) if place < last else ("forward", m, place)


def _order(
    r: int, stages: int, virtual_stages: int, microbatches: int
) -> list[tuple[Kind, int, int]]:
    """Return (kind, micro-batch, piece) in the order in which stage `r` takes them."""
    ahead = _turns(stages, virtual_stages, microbatches)
    total = len(ahead)
    warm = stages - r - 1
    if virtual_stages > 1:
        warm = 2 * warm + (virtual_stages - 1) * stages
    warm = min(warm, total)
    found: list[tuple[Kind, int, int]] = [("forward", m, k) for m, k in ahead[:warm]]
    back = [(m, virtual_stages - 1 - k) for m, k in ahead]
    for n in range(total):
        if warm + n < total:
            m, k = ahead[warm + n]
            found.append(("forward", m, k))
        m, k = back[n]
        found.append(("backward", m, k))
    return found


def _turns(stages: int, virtual_stages: int, microbatches: int) -> list[tuple[int, int]]:
    """Return (micro-batch, piece) of all forward passes of a stage in order."""
    if virtual_stages == 1:
        return [(m, 0) for m in range(microbatches)]
    return [
        (m, k)
        for first in range(0, microbatches, stages)
        for k in range(virtual_stages)
        for m in range(first, min(first + stages, microbatches))
    ]
