"""Decisions arg max w_c y_c of many weight vectors on a block of cases, counted.

A block has one row of scores per class and few enough cases to stay in the nearest cache while all weight
vectors pass over it, several cases at a time. A decision adds 1 to one field of a 64-bit word, so that one
addition counts all classes: C fields of 64 // C bits each. The caller cuts blocks that no field runs over.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.kernels.compiling import compiled, number


@compiled
def count_few(
    block: NDArray[np.float64],
    weights: NDArray[np.float64],
    classes: Any,
    bits: int,
    reject: NDArray[np.float64] | None,
) -> NDArray[np.int64]:
    """Packed counts of each row of weights; the loop over `classes`, a tuple, is unrolled for its length.

    With thresholds `reject`, one per row, there is one more field, for cases whose largest share is below
    the threshold; without them numba drops these lines.
    """
    totals = np.zeros(weights.shape[0], np.int64)
    for point in range(weights.shape[0]):
        total = number(0)
        for i in range(block.shape[1]):
            best = weights[point, 0] * block[0, i]
            one = number(1)
            for c in range(1, len(classes)):
                value = weights[point, c] * block[c, i]
                if value > best:
                    best = value
                    one = number(1) << (c * bits)
            if reject is not None:
                others = 0.0
                for c in range(len(classes)):
                    share = np.divide(weights[point, c] * block[c, i], best)
                    others += share if best > 0 else 1.0
                if reject[point] * others > 1:
                    one = number(1) << (len(classes) * bits)
            total += one
        totals[point] = total
    return totals


@compiled
def count_many(block: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Packed counts for any number of classes, eight to a word: shape (rows of weights, words)."""
    n = block.shape[1]
    best = np.empty(n)
    decided = np.zeros(n, np.int64)
    totals = np.zeros((weights.shape[0], (weights.shape[1] + 7) // 8), np.int64)
    for point in range(weights.shape[0]):
        best[:] = -1.0
        for c in range(weights.shape[1]):
            weight = weights[point, c]
            for i in range(n):
                value = weight * block[c, i]
                decided[i] = c if value > best[i] else decided[i]
                best[i] = value if value > best[i] else best[i]
        for word in range(totals.shape[1]):
            total = number(0)
            for i in range(n):
                total += number(decided[i] >> 3 == word) << (8 * (decided[i] & 7))
            totals[point, word] = total
    return totals
