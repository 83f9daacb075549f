"""The cable records as one table of numbers, read once and patched when a few records change.

Text becomes numbers of a vocabulary that only grows. Records never change, so a row that was read
from a record holds as long as that very record is in the table: the columns of an earlier
revision serve the next one, and only new records are read. What a number means never changes
either. The table is kept with the design and its snapshots.
"""

from collections import defaultdict
from dataclasses import dataclass
from itertools import count
from threading import Lock

import numpy as np
import numpy.typing as npt

from designer.engine.network import IntArray
from designer.model.design import Design
from designer.model.records import Cable

Rows = npt.NDArray[np.int64]
Vocabulary = defaultdict[object, int]
# Rows of the table; ends a and b lie next to each other.
_DEVICE, _FAMILY, _FIRST, _COUNT, _LANE, _TYPE, _OPTIC, _LENGTH, _ASSEMBLY = (
    0,
    2,
    4,
    6,
    8,
    10,
    11,
    13,
    14,
)
_WIDTH = 15
_KEPT = "engine.cable_columns"
# Words of deleted records are forgotten when there are this many times as many as records.
_MOST_WORDS = 8
# Snapshots that are analysed beside each other share one growing vocabulary.
_ONE_READER = Lock()


@dataclass(frozen=True, slots=True)
class CableColumns:
    """The cable records of one revision.

    Attributes:
        cables: The records, in the order of the design.
        names: Identities of the records, row by row.
        table: Numbers, shape (15, records); see the properties.
        words: Number of each text, and of each length.
    """

    cables: list[Cable]
    names: Rows
    table: IntArray
    words: Vocabulary

    @property
    def device(self) -> IntArray:
        """Return the word of the device at ends a and b, shape (2, records)."""
        return self.table[_DEVICE : _DEVICE + 2]

    @property
    def family(self) -> IntArray:
        """Return the word of the port family at both ends."""
        return self.table[_FAMILY : _FAMILY + 2]

    @property
    def first(self) -> IntArray:
        """Return the first port at both ends."""
        return self.table[_FIRST : _FIRST + 2]

    @property
    def count(self) -> IntArray:
        """Return the ports at both ends."""
        return self.table[_COUNT : _COUNT + 2]

    @property
    def lane(self) -> IntArray:
        """Return the first lane at both ends, 0 for whole ports."""
        return self.table[_LANE : _LANE + 2]

    @property
    def type(self) -> IntArray:
        """Return the word of the cable's part."""
        row: IntArray = self.table[_TYPE]
        return row

    @property
    def optic(self) -> IntArray:
        """Return the words of the transceivers, shape (2, records)."""
        return self.table[_OPTIC : _OPTIC + 2]

    @property
    def length(self) -> IntArray:
        """Return the word of the length."""
        row: IntArray = self.table[_LENGTH]
        return row

    @property
    def assembly(self) -> IntArray:
        """Return the word of the splitter."""
        row: IntArray = self.table[_ASSEMBLY]
        return row

    def numbers(self, values: list[str]) -> Rows:
        """Return the word of each text; -1 for those that no cable uses."""
        get = self.words.get
        return np.fromiter((get(v, -1) for v in values), np.int64, len(values))

    def indices(self, values: list[str]) -> IntArray:
        """Return, by word, the position of that text among the values; -1 for other words."""
        out = np.full(len(self.words), -1, dtype=np.int32)
        found = self.numbers(values)
        known = np.flatnonzero(found >= 0)
        out[found[known]] = known
        return out


def cable_columns(design: Design) -> CableColumns:
    """Return the columns of a design, patched from those of an earlier revision if there are any.

    Args:
        design: The drawing; its columns are kept with it and its snapshots.
    """
    cables = list(design.cables.values())
    with _ONE_READER:
        found = _found(design.derived.get(_KEPT), cables)
        design.derived[_KEPT] = found
    return found


def _found(old: object, cables: list[Cable]) -> CableColumns:
    names = np.fromiter(map(id, cables), np.int64, len(cables))
    most = _MOST_WORDS * len(cables) + 1000
    if not isinstance(old, CableColumns) or not old.cables or len(old.words) > most:
        words: Vocabulary = defaultdict(count().__next__)
        return CableColumns(cables, names, _read(cables, words), words)
    if np.array_equal(names, old.names):
        return old
    return CableColumns(cables, names, _patched(old, cables, names), old.words)


def _patched(old: CableColumns, cables: list[Cable], names: Rows) -> IntArray:
    """Return the table of some records of which many have been read before."""
    source = _sources(old.names, names)
    table = old.table[:, source]
    fresh = np.flatnonzero(source < 0)
    table[:, fresh] = _read([cables[k] for k in fresh.tolist()], old.words)
    return table


def _sources(old: Rows, new: Rows) -> Rows:
    """Return the row of each new name among the old ones; -1 where it is not."""
    if len(old) == len(new):
        same = old == new
        # a record that moved is read again
        return np.where(same, np.arange(len(new)), -1)
    order = np.argsort(old, kind="stable")
    at = order[np.minimum(np.searchsorted(old[order], new), len(old) - 1)]
    return np.where(old[at] == new, at, -1)


def _read(cables: list[Cable], words: Vocabulary) -> IntArray:
    table = np.empty((_WIDTH, len(cables)), dtype=np.int32)
    for end, side in enumerate(([c.a for c in cables], [c.b for c in cables])):
        table[_DEVICE + end] = _coded([e.device for e in side], words)
        table[_FAMILY + end] = _coded([e.family for e in side], words)
        table[_FIRST + end] = [e.first for e in side]
        table[_COUNT + end] = [e.count for e in side]
        table[_LANE + end] = [e.lane for e in side]
    table[_TYPE] = _coded([c.type for c in cables], words)
    table[_OPTIC] = _coded([c.optic_a for c in cables], words)
    table[_OPTIC + 1] = _coded([c.optic_b for c in cables], words)
    table[_LENGTH] = _coded([c.length_m for c in cables], words)
    table[_ASSEMBLY] = _coded([c.assembly for c in cables], words)
    return table


def _coded(values: "list[str] | list[float | None]", words: Vocabulary) -> IntArray:
    return np.fromiter(map(words.__getitem__, values), np.int32, len(values))
