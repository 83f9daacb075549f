"""Sums over columns."""

import numpy as np
import numpy.typing as npt

from designer.engine.network import FloatArray


def sum_by(index: npt.NDArray[np.integer], amount: npt.ArrayLike, size: int) -> FloatArray:
    """Return the sum of the amounts of each index 0 … size - 1; real numbers, also when empty."""
    weights = np.asarray(amount, dtype=np.float64)
    return np.bincount(index, weights, size).astype(np.float64, copy=False)
