"""Reads the output of nccl-tests: which collective, on which ranks, and a time for every size.

Lines come as the programs print them, also with terminal colours and with the prefixes that
`mpirun --tag-output`, `srun --label` and `pdsh` put before them. A row is `size count type [redop]
[root]`, then `time algbw busbw #wrong` out of place, then the same in place. A new list of options
or another program begins another table.
"""

import math
import re
from collections import Counter
from dataclasses import dataclass, field

from designer.errors import FileError
from designer.messages import N_, _
from designer.units import format_number

OPERATION_OF = {
    "all_reduce_perf": "all_reduce",
    "all_gather_perf": "all_gather",
    "reduce_scatter_perf": "reduce_scatter",
    "alltoall_perf": "all_to_all",
    "broadcast_perf": "broadcast",
    "sendrecv_perf": "send_recv",
    # the same bytes over the same links as a broadcast, the other way
    "reduce_perf": "broadcast",
}
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PREFIX = re.compile(r"^\s*(\[\d+,\d+\]<std(out|err)>:|\d+:(?=\s)|[\w.-]+:(?=\s+(#|\d+\s)))\s?")
_ROW = re.compile(r"^\s*(\d{1,18})([KMGT]?)(?:i?B)?\s+(\d+)\s+([a-z]\w*)\s+(\S.*)$")
_BEGUN = re.compile(r"^\s*\d+(\s+\d+)?(\s+[a-z]\w*)?\s*$")
_RANK = re.compile(r"#\s*Rank\s+(\d{1,9})\b.*?\bon\s+(\S+)\s+device\s+\d+\s*(?:\[[^\]]*\])?\s*(.*)")
_PROGRAM = re.compile(r"\b([a-z_]+_perf)\b")
_UNIT = re.compile(r"#\s*\(B\).*?\((us|ms|s)\)")
_AVERAGE = re.compile(r"#\s*Avg bus bandwidth\s*:\s*(\d{1,9}(?:\.\d*)?)")
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
_BINARY = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
# Columns of one placement: time, algorithm bandwidth, bus bandwidth, wrong elements.
_GROUP = 4
# Size over time and the printed bandwidth agree within this share, beside its two decimals.
_AGREE = 0.05
# The printed average is that of the rows within this share.
_AVERAGE_AGREES = 0.02
_BLANK = ("n/a", "nan", "inf", "-nan")
_WRONG = N_("line {line}: {wrong} elements were wrong; left out")
_DISAGREE = N_("line {line}: size over time is not the bandwidth printed; left out")
_DAMAGED = N_("line {line}: the row is cut off or mixed with another; left out")


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
    """What one table of a log says.

    Attributes:
        program: Such as `all_reduce_perf`; empty when the log does not name it.
        ranks: GPUs in its list of ranks; None without such a list.
        hosts: Machines in that list.
        rows: Times, in the order of the log.
        notes: What was left out and why.
        per_host: GPUs of each machine, in the order of the ranks.
        devices: Names of the GPUs, each once.
        line: First line that belongs to the table.
    """

    program: str
    ranks: int | None
    hosts: int
    rows: tuple[Measured, ...]
    notes: tuple[str, ...] = field(default=())
    per_host: tuple[int, ...] = ()
    devices: tuple[str, ...] = ()
    line: int = 1


class _Table:
    """One table while it is read."""

    def __init__(self, line: int) -> None:
        self.line, self.program, self.unit = line, "", "us"
        self.counted, self.body = False, False
        self.hosts: dict[int, str] = {}
        self.devices: dict[str, None] = {}
        self.rows: list[Measured] = []
        self.notes: list[str] = []

    def take(self, number: int, line: str) -> None:
        """Take one line, without its prefix."""
        row = _ROW.match(line)
        if row is not None:
            self._take_row(number, row)
        elif found := _RANK.search(line):
            self.hosts[int(found[1])] = found[2]
            if found[3].strip():
                self.devices[found[3].strip()] = None
        elif found := _AVERAGE.search(line):
            self._hold_average(number, float(found[1]) * 1e9)
        elif self.body and _BEGUN.match(line):
            self.notes.append(_(_DAMAGED).format(line=number))
        elif found := _UNIT.search(line):
            self.unit, self.body = found[1], True
        self.counted |= "#wrong" in line

    def _take_row(self, number: int, row: re.Match[str]) -> None:
        groups = _groups(row[5].split())
        if not groups:
            self.notes.append(_(_DAMAGED).format(line=number))
        size = int(row[1]) * _BINARY[row[2]]
        for place, words in enumerate(groups):
            self._take_time(number, size, words, in_place=place > 0)

    def _take_time(self, number: int, size: int, words: list[str], *, in_place: bool) -> None:
        """Keep one time, or note why not.

        Old versions print the largest deviation where newer ones print the number of wrong
        elements: `counted` says which one it is.
        """
        time, algorithm, bus, wrong = words
        if size == 0 or not all(_is_number(word) for word in (time, algorithm, bus)):
            return
        seconds, rate = float(time) * _SECONDS[self.unit], float(algorithm) * 1e9
        if seconds <= 0:
            self.notes.append(_(_DAMAGED).format(line=number))
        elif abs(size / seconds - rate) > _AGREE * rate + 1e7:
            self.notes.append(_(_DISAGREE).format(line=number))
        elif self.counted and _is_number(wrong) and float(wrong) > 0:
            self.notes.append(_(_WRONG).format(line=number, wrong=wrong))
        else:
            self.rows.append(Measured(number, size, seconds, rate, float(bus) * 1e9, in_place))

    def _hold_average(self, number: int, average: float) -> None:
        """Note an average that is not that of the rows: some of them are missing."""
        if not self.rows or self.notes:
            return
        mean = sum(m.bus_bandwidth for m in self.rows) / len(self.rows)
        if abs(mean - average) > _AVERAGE_AGREES * average + 2e7:
            text = _(
                "line {line}: the average bus bandwidth is {average} GB/s, that of the rows is "
                "{mean} GB/s; rows are missing"
            )
            told = (format_number(x / 1e9, 2) for x in (average, mean))
            self.notes.append(
                text.format(line=number, **dict(zip(("average", "mean"), told, strict=True)))
            )

    def log(self) -> NcclLog:
        """Return the table as it was read."""
        counts = Counter(self.hosts[rank] for rank in sorted(self.hosts))
        return NcclLog(
            self.program,
            len(self.hosts) or None,
            len(counts),
            tuple(self.rows),
            tuple(self.notes),
            tuple(counts.values()),
            tuple(self.devices),
            self.line,
        )


def parse_nccl_logs(text: str) -> tuple[NcclLog, ...]:
    """Return the tables of a log that have times, in its order.

    Raises:
        FileError: It has no row of times.
    """
    tables = [_Table(1)]
    # `splitlines` also breaks at characters that terminals do not end a line at
    for number, raw in enumerate(re.split(r"\r\n|\n|\r", text), 1):
        line = _PREFIX.sub("", _COLOUR.sub("", raw), count=1)
        named = None if "concluded" in line else _PROGRAM.search(line)
        if tables[-1].body and (named or "# nThread" in line):
            tables.append(_Table(number))
        if named:
            tables[-1].program = named[1]
        tables[-1].take(number, line)
    found = tuple(table.log() for table in tables if table.rows)
    if not found:
        raise FileError(
            _("This is no output of nccl-tests: no row of sizes and times was found."),
            _told(tables)
            or _("Give the whole output of all_reduce_perf or another of its programs."),
        )
    return found


def parse_nccl_log(text: str) -> NcclLog:
    """Return what the only table of a log says, or the first one of several.

    Raises:
        FileError: It has no row of times.
    """
    return parse_nccl_logs(text)[0]


def _told(tables: list[_Table]) -> str:
    """Return why rows were left out, when all of them were."""
    notes = [note for table in tables for note in table.notes]
    return "; ".join(notes[:3])


def _groups(words: list[str]) -> list[list[str]]:
    """Return the columns of each placement; nothing when the row is not whole."""
    if words and not _is_number(words[0]) and words[0] != "N/A":
        words = words[1:]
    if len(words) % _GROUP == 1:
        words = words[1:]
    whole = len(words) in (_GROUP, 2 * _GROUP)
    if not whole or not all(_is_number(w) or w.lower() in _BLANK for w in words):
        return []
    return [words[k : k + _GROUP] for k in range(0, len(words), _GROUP)]


def _is_number(word: str) -> bool:
    try:
        return math.isfinite(float(word))
    except ValueError:
        return False
