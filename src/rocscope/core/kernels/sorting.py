"""Sorting that remembers the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.kernels.compiling import compiled, number

MINUS_ZERO = -(2**63)


@compiled
def _packed_keys(scores: NDArray[np.float64], row_bits: int) -> NDArray[np.uint64]:
    """The leading bits of each score, in an order-keeping integer, above its row number."""
    bits = scores.view(np.int64)
    rows = np.uint64((1 << row_bits) - 1)
    keys = np.empty(scores.size, np.uint64)
    for row in range(scores.size):
        key = bits[row]
        if key == MINUS_ZERO:  # the one value with two patterns
            key = 0
        key ^= (key >> 63) & number(0x7FFFFFFFFFFFFFFF)
        ordered = np.uint64(key) ^ np.uint64(0x8000000000000000)
        keys[row] = (ordered & ~rows) | np.uint64(row)
    return keys


@compiled
def _settle(
    keys: NDArray[np.uint64], row_bits: int, scores: NDArray[np.float64]
) -> tuple[bool, NDArray[np.float64], NDArray[np.int64]]:
    """Insertion sort of what the leading bits left out of order; gives up where that is much."""
    rows_mask = np.uint64((1 << row_bits) - 1)
    rows = np.empty(keys.size, np.int64)
    ascending = np.empty(keys.size, np.float64)
    moves = 0
    for place in range(keys.size):
        row = number(keys[place] & rows_mask)
        score = scores[row]
        k = place
        while k > 0 and ascending[k - 1] > score:
            ascending[k] = ascending[k - 1]
            rows[k] = rows[k - 1]
            k -= 1
            moves += 1
        if moves > keys.size:
            return False, ascending, rows
        ascending[k] = score
        rows[k] = row
    return True, ascending, rows


def sort_with_rows(scores: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Ascending scores and the rows they came from; the order of equal scores is not defined.

    NumPy sorts integers four times faster than it sorts indices. So the row number takes the place
    of the last bits of the score, and the few neighbours that this leaves unordered are settled after.
    """
    if scores.dtype == np.float64:
        row_bits = int(scores.size - 1).bit_length()
        keys = _packed_keys(scores, row_bits)
        keys.sort()
        settled, ascending, rows = _settle(keys, row_bits, scores)
        if settled:
            return ascending, rows
    rows = np.argsort(scores)
    return scores[rows], rows
