"""Sums over columns, and classes of equal rows."""

import numpy as np
import numpy.typing as npt

from designer.engine.network import FloatArray

Rows = npt.NDArray[np.int64]
# A table by code is quicker than sorting up to this many entries a row.
DENSE = 16


def sum_by(index: npt.NDArray[np.integer], amount: npt.ArrayLike, size: int) -> FloatArray:
    """Return the sum of the amounts of each index 0 … size - 1; real numbers, also when empty."""
    weights = np.asarray(amount, dtype=np.float64)
    return np.bincount(index, weights, size).astype(np.float64, copy=False)


def distinct(code: npt.NDArray[np.integer], size: int) -> tuple[Rows, Rows]:
    """Return the codes that occur, ascending, and the position of each row's code among them.

    The same as `np.unique` with `return_inverse`, without sorting where the codes are few.

    Args:
        code: Numbers from 0 on.
        size: More than the largest of them.
    """
    if size > DENSE * len(code) + 4096:
        found, inverse = np.unique(code, return_inverse=True)
        return found.astype(np.int64), inverse.astype(np.int64)
    used = np.zeros(size, dtype=np.bool_)
    used[code] = True
    found = np.flatnonzero(used)
    position = np.empty(size, dtype=np.int64)
    position[found] = np.arange(len(found))
    return found, position[code]


def classes(columns: list[npt.NDArray[np.integer]], rows: int) -> tuple[Rows, Rows]:
    """Return the class of each row, equal in all columns, and the first row of each class.

    Classes are numbered in the order their first rows come.

    Args:
        columns: Numbers from 0 on, each of length `rows`.
        rows: How many rows there are.
    """
    label, size = np.zeros(rows, dtype=np.int64), 1
    for column in columns:
        if rows == 0 or (column == column[0]).all():
            continue
        found, short = distinct(column, int(column.max()) + 1)
        used, label = distinct(label * len(found) + short, size * len(found))
        size = len(used)
    first = first_rows(label, size if rows else 0)
    order = np.argsort(first, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place[label], first[order]


def runs(ordered: npt.NDArray[np.integer]) -> Rows:
    """Return where each run of equal numbers begins in an ordered column."""
    if len(ordered) == 0:
        return np.zeros(0, dtype=np.int64)
    return np.concatenate(([0], np.flatnonzero(ordered[1:] != ordered[:-1]) + 1))


def first_rows(label: Rows, size: int) -> Rows:
    """Return the first row of each label 0 … size - 1, all of which occur."""
    first = np.zeros(size, dtype=np.int64)
    # the last one written stays
    first[label[::-1]] = np.arange(len(label))[::-1]
    return first
