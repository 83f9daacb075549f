"""Reads the output of nccl-tests: which collective, on which ranks, and a time for every size.

Lines come as the programs print them, also with the prefixes that `mpirun --tag-output` and
`srun --label` put before them. A row is `size count type [redop] [root]`, then `time algbw busbw
#wrong` out of place, then the same in place.
"""

import re
from dataclasses import dataclass, field

from designer.errors import FileError
from designer.messages import N_, _

OPERATION_OF = {
    "all_reduce_perf": "all_reduce",
    "all_gather_perf": "all_gather",
    "reduce_scatter_perf": "reduce_scatter",
    "alltoall_perf": "all_to_all",
    "broadcast_perf": "broadcast",
    "sendrecv_perf": "send_recv",
}
_PREFIX = re.compile(r"^(\[\d+,\d+\]<std(out|err)>:|\s*\d+:(?=\s))\s?")
_ROW = re.compile(r"^\s*(\d+)\s+(\d+)\s+([a-z]\w*)\s+(.*)$")
_RANK = re.compile(r"#\s*Rank\s+(\d+)\b.*?\bon\s+(\S+)\s+device")
_PROGRAM = re.compile(r"\b([a-z_]+_perf)\b")
_UNIT = re.compile(r"#\s*\(B\).*?\((us|ms|s)\)")
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
# Columns of one placement: time, algorithm bandwidth, bus bandwidth, wrong elements.
_GROUP = 4
# Size over time and the printed bandwidth agree within this share, beside its two decimals.
_AGREE = 0.05
_WRONG = N_("line {line}: {wrong} elements were wrong; left out")
_DISAGREE = N_("line {line}: size over time is not the bandwidth printed; left out")


@dataclass(frozen=True, slots=True)
class Measured:
    """One time of a log.

    Attributes:
        line: Line of the log, from 1.
        size_bytes: Message size as nccl-tests counts it.
        time_s: Mean time of one operation, seconds.
        algorithm_bandwidth, bus_bandwidth: As printed, bytes/s.
        in_place: Send and receive buffer are one.
    """

    line: int
    size_bytes: int
    time_s: float
    algorithm_bandwidth: float
    bus_bandwidth: float
    in_place: bool


@dataclass(frozen=True, slots=True)
class NcclLog:
    """What a log says.

    Attributes:
        program: Such as `all_reduce_perf`; empty when the log does not name it.
        ranks: GPUs in its list of ranks; None without such a list.
        hosts: Machines in that list.
        rows: Times, in the order of the log.
        notes: What was left out and why.
    """

    program: str
    ranks: int | None
    hosts: int
    rows: tuple[Measured, ...]
    notes: tuple[str, ...] = field(default=())


def parse_nccl_log(text: str) -> NcclLog:
    """Return what a log says.

    Raises:
        FileError: It has no row of times.
    """
    program, unit, notes = "", "us", list[str]()
    ranks: dict[int, str] = {}
    rows: list[Measured] = []
    counted = False
    for number, raw in enumerate(text.splitlines(), 1):
        line = _PREFIX.sub("", raw)
        row = _ROW.match(line)
        if row is not None:
            rows += _times(number, row, _SECONDS[unit], counted, notes)
            continue
        if found := _RANK.search(line):
            ranks[int(found[1])] = found[2]
        if found := _UNIT.search(line):
            unit = found[1]
        counted |= "#wrong" in line
        if not program and (found := _PROGRAM.search(line)):
            program = found[1]
    if not rows:
        raise FileError(
            _("This is no output of nccl-tests: no row of sizes and times was found."),
            _("Give the whole output of all_reduce_perf or another of its programs."),
        )
    count = len(ranks) or None
    return NcclLog(program, count, len(set(ranks.values())), tuple(rows), tuple(notes))


def _times(
    number: int, row: re.Match[str], second: float, counted: bool, notes: list[str]
) -> list[Measured]:
    """Return the times of one row; those that contradict themselves are noted instead.

    Old versions print the largest deviation where newer ones print the number of wrong elements:
    `counted` says which one it is.
    """
    size, words = int(row[1]), row[4].split()
    if words and not _is_number(words[0]):
        words = words[1:]
    words = words[len(words) % _GROUP :]
    found = []
    for k in range(0, len(words), _GROUP):
        time, algorithm, bus, wrong = words[k : k + _GROUP]
        if not (_is_number(time) and _is_number(algorithm) and _is_number(bus)):
            continue
        seconds, rate = float(time) * second, float(algorithm) * 1e9
        if size == 0 or seconds <= 0:
            continue
        if counted and _is_number(wrong) and float(wrong) > 0:
            notes.append(_(_WRONG).format(line=number, wrong=wrong))
        elif abs(size / seconds - rate) > _AGREE * rate + 1e7:
            notes.append(_(_DISAGREE).format(line=number))
        else:
            found.append(Measured(number, size, seconds, rate, float(bus) * 1e9, k > 0))
    return found


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return word.lower() not in ("nan", "inf", "-inf")
