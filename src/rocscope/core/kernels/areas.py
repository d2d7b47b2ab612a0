"""Areas under the curve of few scores, many times over."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rocscope.core.kernels.compiling import compiled

Floats = NDArray[np.float64]
# Pairs that are counted one by one; beyond, sorting is quicker.
FEW_PAIRS: Final = 40_000


@compiled
def area_of(pos: Floats, neg: Floats) -> float:
    """Share of pairs in which the positive scores higher, ties one half; NaN without a case in each class."""
    pairs = pos.size * neg.size
    if pairs == 0:
        return np.nan
    twice_u = twice_u_by_pairs(pos, neg) if pairs <= FEW_PAIRS else twice_u_by_sorting(pos, neg)
    return float(twice_u / (2.0 * pairs))


@compiled
def twice_u_by_pairs(pos: Floats, neg: Floats) -> int:
    """Count every pair: no branch, so that several are compared at once."""
    total = np.int64(0)
    for i in range(pos.size):
        value = pos[i]
        for j in range(neg.size):
            total += np.int64(value > neg[j]) + np.int64(value >= neg[j])
    return int(total)


@compiled
def twice_u_by_sorting(pos: Floats, neg: Floats) -> int:
    """Walk up both sorted classes."""
    low, high = np.sort(neg), np.sort(pos)
    below, not_above, total = 0, 0, 0
    for i in range(high.size):
        while below < low.size and low[below] < high[i]:
            below += 1
        not_above = max(not_above, below)
        while not_above < low.size and low[not_above] <= high[i]:
            not_above += 1
        total += below + not_above
    return total
