"""Sums of numbers with either sign, counted by meeting in the middle.

Both loops here merge two sorted lists. What comes next in a merge cannot be predicted and must be waited
for; so the comparison is a number, not a branch, and four merges, begun at the quarters of the result, wait
side by side.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.kernels.compiling import compiled

Wholes = NDArray[np.int64]

# Beyond every sum; far enough from the ends of 64 bits that adding a sum does not overflow.
BEYOND = 2**61
# Places are unsigned: of a signed one numba checks each time whether it counts from the end.
place: Any = np.uint64


@compiled
def _taken(first: Wholes, second: Wholes, gap: int, at: Any, size: Any) -> Any:
    """Of the `at` smallest of `first` and `second + gap`, count those of the second, first of equals."""
    low, high = max(at, size) - size, min(at, size)
    while low < high:
        middle = (low + high) >> place(1)
        if second[middle] + gap <= first[at - place(1) - middle]:
            low = middle + place(1)
        else:
            high = middle
    return low


@compiled
def _is_second(first: Wholes, second: Wholes, gap: int, at: Any, taken: Any) -> Any:
    """Whether the next of the merge comes from `second`, of which `taken` among `at` came so far: 0 or 1."""
    return place(second[taken] + gap <= first[at - taken])


@compiled
def _merge_one(sums: Wholes, shift: int, at: Any, taken: Any, last: Any) -> Any:
    """Write the next of `sums + shift` and `sums - shift`, mirrored, and count those of the second anew."""
    sums[last - at] = max(-sums[at - taken] - shift, shift - sums[taken])
    return taken + _is_second(sums, sums, -2 * shift, at, taken)


@compiled
def _fill_sorted_sums(values: Wholes, sums: Wholes) -> None:
    """Write all sums of the values with either sign into `sums`, ascending.

    Each further value makes two shifted copies of a sorted list; merging them keeps the order without
    a sort. The list mirrors itself around zero: the merge gives the half above zero, behind the old list
    it reads from, and its mirror overwrites that.
    """
    sums[0] = 0
    size = place(1)
    for value in values:
        shift, last = abs(value), size + size - place(1)
        step = size >> place(2)
        two, three = step + step, step + step + step
        a, b = place(0), _taken(sums, sums, -2 * shift, step, size)
        c, d = _taken(sums, sums, -2 * shift, two, size), _taken(sums, sums, -2 * shift, three, size)
        for k in range(step):
            a = _merge_one(sums, shift, k, a, last)
            b = _merge_one(sums, shift, step + k, b, last)
            c = _merge_one(sums, shift, two + k, c, last)
            d = _merge_one(sums, shift, three + k, d, last)
        for k in range(three + step, size):  # lists of one and two have no quarters
            a = _merge_one(sums, shift, k, a, last)
        for k in range(size):
            sums[k] = -sums[last - k]
        size = last + place(1)


@compiled
def _count_reaching(first: Wholes, second: Wholes, bar: int, size: Any) -> Any:
    """Count the pairs whose difference first - second reaches the bar; both end with one beyond all sums.

    The second list mirrors itself, so that differences are as good as sums. In the merge of `first` and
    `second + bar` each of the first has its partners before it: the number taken, summed over all
    steps, counts them, and besides 0 + 1 + 2 + ... for the steps that take from the second.
    """
    step = size >> place(1)
    two, three = step + step, step + step + step
    a, b = place(0), _taken(first, second, bar, step, size)
    c, d = _taken(first, second, bar, two, size), _taken(first, second, bar, three, size)
    count = place(0)
    for k in range(step):
        count += a + b + c + d
        a += _is_second(first, second, bar, k, a)
        b += _is_second(first, second, bar, step + k, b)
        c += _is_second(first, second, bar, two + k, c)
        d += _is_second(first, second, bar, three + k, d)
    return count - (size * (size - place(1)) >> place(1))


@compiled
def count_sign_sums(steps: Wholes, bar: Wholes) -> NDArray[np.float64]:
    """Count for every row the sign vectors whose signed sum of the row is at least its bar."""
    n = steps.shape[1]
    half = (n + 1) // 2
    row = np.zeros(2 * half, np.int64)  # an odd row gets a zero, which doubles every count
    first, second = np.empty(2**half + 1, np.int64), np.empty(2**half + 1, np.int64)
    first[-1] = second[-1] = BEYOND
    counts = np.empty(len(steps), np.float64)
    for i in range(len(steps)):
        row[:n] = steps[i]
        _fill_sorted_sums(row[:half], first)
        _fill_sorted_sums(row[half:], second)
        counts[i] = _count_reaching(first, second, bar[i], place(2**half)) / 2 ** (2 * half - n)
    return counts
