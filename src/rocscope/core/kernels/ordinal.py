"""Walks over the estimates of ordered classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.kernels.compiling import compiled, number


@compiled
def count_labels(labels: NDArray[Any], low: int, width: int) -> tuple[bool, NDArray[np.int64]]:
    """Whether all labels are whole numbers from `low` on, `width` of them, and how many cases have each."""
    counts = np.zeros(width, np.int64)
    for row in range(labels.size):
        place = number(labels[row]) - low
        if place + low != labels[row]:
            return False, counts
        counts[place] += 1
    return True, counts


@compiled
def group_estimates(
    labels: NDArray[Any],
    low: int,
    codes: NDArray[np.int64],
    starts: NDArray[np.int64],
    estimates: NDArray[Any],
) -> NDArray[np.float64]:
    """Copy the estimates class by class, in row order.

    The class of a row is `codes[label - low]`, and its estimates begin at `starts[class]`.
    """
    half = labels.size // 2
    first = starts.copy()
    second = starts.copy()
    for row in range(half):
        second[codes[number(labels[row]) - low]] += 1
    grouped = np.empty(estimates.size, np.float64)
    # Each write waits for the last one of its class; two halves in turn wait half as long.
    for row in range(half):
        code = codes[number(labels[row]) - low]
        grouped[first[code]] = estimates[row]
        first[code] += 1
        code = codes[number(labels[half + row]) - low]
        grouped[second[code]] = estimates[half + row]
        second[code] += 1
    for row in range(2 * half, labels.size):
        grouped[second[codes[number(labels[row]) - low]]] = estimates[row]
    return grouped


@compiled
def count_below(lower: NDArray[np.float64], upper: NDArray[np.float64]) -> NDArray[np.int64]:
    """#{lower < x} for every x of `upper`, both ascending."""
    below = np.full(upper.size, lower.size, np.int64)
    i = 0
    j = 0
    while i < lower.size and j < upper.size:
        # The comparison as a number, as no branch predicts it; the last write before j moves on is true.
        ahead = number(lower[i] < upper[j])
        below[j] = i
        i += ahead
        j += 1 - ahead
    if j < upper.size:
        below[j] = i
    return below


@compiled
def chain_shares(
    lower: NDArray[np.float64], share: NDArray[np.float64], upper: NDArray[np.float64]
) -> tuple[NDArray[np.float64], int, bool]:
    """One step of the ordered-chain recursion, from two ascending arrays without a value in common.

    `share[i]` belongs to the i lowest of `lower`. Returned are the mean of share[#{lower < x}] over the j
    lowest x of `upper`, for every j; the number of pairs (lower < upper); and whether a value of one array
    was met in the other: then the numbers are not to be used.
    """
    n = lower.size
    m = upper.size
    total = np.empty(m + 1, np.float64)
    total[0] = 0.0
    i = 0
    j = 0
    pairs = number(0)
    tied = number(0)
    so_far = 0.0
    while i < n and j < m:
        x = lower[i]
        y = upper[j]
        # Which one comes next cannot be predicted, so the comparison becomes a number: written at each
        # step, the last write before j moves on is the true one.
        ahead = number(x < y)
        tied |= number(x == y)
        total[j + 1] = so_far + share[i]
        pairs += i & (ahead - 1)
        i += ahead
        j += 1 - ahead
        so_far = total[j]
    while j < m:
        so_far += share[i]
        pairs += i
        j += 1
        total[j] = so_far
    for k in range(1, m + 1):
        total[k] /= m
    return total, pairs, tied != 0


@compiled
def best_by_false_positives(
    pos_below: NDArray[np.int64],
    neg_below: NDArray[np.int64],
    pos_upto: NDArray[np.int64],
    neg_upto: NDArray[np.int64],
    n_neg: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Most true positives for every number of false positives, over all pairs of thresholds.

    Also the pair that has them, the first one where several do; -1 where no pair has so many false
    positives. Time grows with the number of pairs, memory with that of the negatives.
    """
    most = np.full(n_neg + 1, -1, np.int64)
    low = np.full(n_neg + 1, -1, np.int64)
    high = np.full(n_neg + 1, -1, np.int64)
    for i in range(pos_below.size):
        for j in range(pos_upto.size):
            fp = neg_upto[j] - neg_below[i]
            tp = pos_upto[j] - pos_below[i]
            if tp > most[fp]:
                most[fp] = tp
                low[fp] = i
                high[fp] = j
    return most, low, high
