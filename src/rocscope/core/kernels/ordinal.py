"""Walks over the estimates of ordered classes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.kernels.classes import middle_places
from rocscope.core.kernels.compiling import compiled, inlined, number

# An index that is never negative, which saves the question whether it counts from the end.
index: Any = np.uint64


@compiled
def code_labels(
    keys: NDArray[np.int64], most: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """Number each label by when it first comes; also the distinct labels and how many cases have each.

    Labels are compared as 64 bits. Where there are more than `most` (at most 256), no label is returned.
    """
    slots = np.uint64(4096 - 1)
    held = np.full(4096, -1, np.int64)
    found = np.empty(most, np.int64)
    counts = np.zeros(most, np.int64)
    codes = np.empty(keys.size, np.uint8)
    n = 0
    for row in range(keys.size):
        # Multiplying by an odd number near 2^64 / 1.618 spreads neighbouring bits over the upper ones.
        slot = (np.uint64(keys[row]) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(52)
        while held[slot] >= 0 and found[held[slot]] != keys[row]:
            slot = (slot + np.uint64(1)) & slots
        if held[slot] < 0:
            if n == most:
                return codes, found[:0], counts[:0]
            held[slot] = n
            found[n] = keys[row]
            n += 1
        codes[row] = held[slot]
        counts[held[slot]] += 1
    return codes, found[:n], counts[:n]


@compiled
def group_estimates(
    codes: NDArray[np.uint8], starts: NDArray[np.int64], estimates: NDArray[Any]
) -> NDArray[Any]:
    """Copy the estimates class by class, in row order; those of class c begin at `starts[c]`."""
    half = codes.size // 2
    first = starts.copy()
    second = starts.copy()
    for row in range(half):
        second[codes[row]] += 1
    grouped = np.empty(estimates.size, estimates.dtype)
    # Each write waits for the last one of its class; two halves in turn wait half as long.
    for row in range(half):
        code = codes[row]
        grouped[first[code]] = estimates[row]
        first[code] += 1
        code = codes[half + row]
        grouped[second[code]] = estimates[half + row]
        second[code] += 1
    for row in range(2 * half, codes.size):
        grouped[second[codes[row]]] = estimates[row]
    return grouped


@compiled
def _finish_below(
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    below: NDArray[np.uint32],
    i: Any,
    j: Any,
    i_stop: Any,
    j_stop: Any,
) -> None:
    while i < i_stop and j < j_stop:
        ahead = index(lower[i] < upper[j])
        below[j] = i
        i += ahead
        j += index(1) - ahead
    while j < j_stop:
        below[j] = i
        j += index(1)


@compiled
def count_below(lower: NDArray[np.float64], upper: NDArray[np.float64]) -> NDArray[np.uint32]:
    """#{lower < x} for every x of `upper`, both ascending."""
    below = np.zeros(upper.size, np.uint32)
    if not (lower.size and upper.size):
        return below
    # Two walks, below and above the middle value, take turns: each hides the other's waiting time.
    places = middle_places(lower, upper)
    i_stop, j_stop = index(places[0]), index(places[1])
    i, j, k, l = index(0), index(0), i_stop, j_stop  # noqa: E741
    m, n = index(lower.size), index(upper.size)
    while i < i_stop and j < j_stop and k < m and l < n:
        # The comparison as a number, as no branch predicts it; the last write before j moves on is true.
        ahead = index(lower[i] < upper[j])
        ahead_too = index(lower[k] < upper[l])
        below[j] = i
        below[l] = k
        i += ahead
        j += index(1) - ahead
        k += ahead_too
        l += index(1) - ahead_too  # noqa: E741
    _finish_below(lower, upper, below, i, j, i_stop, j_stop)
    _finish_below(lower, upper, below, k, l, m, n)
    return below


@inlined
def _end_of_equal(ascending: NDArray[np.float64], place: Any) -> Any:
    """The first place from here on that holds another value."""
    stop = place + index(1)
    while stop < index(ascending.size) and ascending[stop] == ascending[place]:
        stop += index(1)
    return stop


@compiled
def extend_chains(
    lower: tuple[NDArray[np.float64], NDArray[np.int64]],
    share: NDArray[np.float64],
    first: tuple[NDArray[np.float64], NDArray[np.uint32]],
    tied: NDArray[np.int64],
    runs: NDArray[np.float64],
    upper: tuple[NDArray[np.float64], NDArray[np.int64]],
) -> tuple[Any, ...]:
    """One step of the recursion of `ordinal.vus`, from a class to the next.

    `lower` and `upper` are the ascending estimates of the two classes, all or only the distinct ones, and
    the number of cases before each place. `share[i]` is S of the i lowest places. `first` is T^1: two
    arrays, the first holds T^1 of place i where the second says. `tied` lists the places whose value the
    class before has too, and `runs` their T^2, T^3 ...

    Returned are share, first, tied and runs of the upper class, and twice the number of pairs in order.
    """
    values, starts = lower
    x, x_starts = upper
    n, depth = starts[values.size], runs.shape[1]
    n_upper = max(x_starts[x.size], 1)
    below = count_below(values, x)
    next_share = np.zeros(x.size + 1, np.float64)
    most = number(0)  # places of the upper class that have a value of the lower
    for place in range(x.size):
        most += number(below[place] < values.size and values[below[place]] == x[place])
    next_tied = np.empty(most, np.int64)
    next_runs = np.empty((most, depth + 1), np.float64)
    so_far, twice, known, ties, j = 0.0, number(0), 0, 0, index(0)
    while j < index(x.size):
        i = index(below[j])
        stop = _end_of_equal(x, j)
        drawn = x_starts[stop] - x_starts[j]
        total = share[i]
        twice += 2 * drawn * starts[i]
        if i < index(values.size) and values[i] == x[j]:
            partners = starts[_end_of_equal(values, i)] - starts[i]
            twice += drawn * partners
            while known < tied.size and index(tied[known]) < i:
                known += 1
            is_known = known < tied.size and index(tied[known]) == i
            factorial = 1.0
            for r in range(depth + 1):
                run = first[0][first[1][i]] if r == 0 else runs[known, r - 1] if is_known else 0.0
                run = partners / n * run
                next_runs[ties, r] = run
                factorial *= r + 2
                total += run / factorial
            next_tied[ties] = j
            ties += 1
        so_far += drawn * total
        next_share[stop] = so_far / n_upper  # only the ends of equal values are used
        j = stop
    return next_share, (share, below), next_tied[:ties], next_runs[:ties], twice


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
