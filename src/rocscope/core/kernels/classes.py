"""Walks over the two sorted classes, and decisions by class weights.

The walks avoid branches on the data: which class comes next is a coin toss that a processor cannot
predict, so the comparison becomes a number.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.kernels.compiling import compiled, inlined, number


@compiled
def split_classes(positive: NDArray[np.bool_], scores: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Copy the scores of positives and of negatives into two arrays, in row order."""
    n = scores.size
    n_pos = 0
    for row in range(n):
        n_pos += number(positive[row])
    # Every score is written to both; only the right one moves on. One spare place each.
    pos = np.empty(n_pos + 1, scores.dtype)
    neg = np.empty(n - n_pos + 1, scores.dtype)
    i = 0
    j = 0
    for row in range(n):
        is_pos = number(positive[row])
        pos[i] = scores[row]
        neg[j] = scores[row]
        i += is_pos
        j += 1 - is_pos
    return pos[:n_pos], neg[: n - n_pos]


@compiled
def merge_classes(
    pos: NDArray[Any], neg: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]:
    """Distinct scores, descending, with the count of each class, from two ascending arrays."""
    size = pos.size + neg.size
    scores = np.empty(size, pos.dtype)
    n_pos = np.zeros(size, np.int64)
    n_neg = np.zeros(size, np.int64)
    i = pos.size - 1
    j = neg.size - 1
    group = 0
    scores[0] = pos[i] if pos[i] >= neg[j] else neg[j]
    while i >= 0 and j >= 0:
        x = pos[i]
        y = neg[j]
        score = x if x >= y else y
        group += number(score != scores[group])
        scores[group] = score
        take_pos = number(x >= y)
        take_neg = number(y >= x)
        n_pos[group] += take_pos
        n_neg[group] += take_neg
        i -= take_pos
        j -= take_neg
    while i >= 0:
        group += number(pos[i] != scores[group])
        scores[group] = pos[i]
        n_pos[group] += 1
        i -= 1
    while j >= 0:
        group += number(neg[j] != scores[group])
        scores[group] = neg[j]
        n_neg[group] += 1
        j -= 1
    return scores[: group + 1], n_pos[: group + 1], n_neg[: group + 1]


@inlined
def _next_step(
    pos: NDArray[Any], neg: NDArray[Any], i: int, j: int, i_stop: int, j_stop: int
) -> tuple[int, int, int, int]:
    """How many positives and negatives come next, and their doubled placements.

    One case at a time, except where the classes tie: then the whole tied group at once.
    """
    x = pos[i]
    y = neg[j]
    if x == y:
        tied_pos = 1
        while i + tied_pos < i_stop and pos[i + tied_pos] == x:
            tied_pos += 1
        tied_neg = 1
        while j + tied_neg < j_stop and neg[j + tied_neg] == x:
            tied_neg += 1
        return tied_pos, tied_neg, 2 * j + tied_neg, 2 * (pos.size - i) - tied_pos
    take_pos = number(x < y)
    return take_pos, 1 - take_pos, 2 * j, 2 * (pos.size - i)


@inlined
def _add_placements(
    sums: tuple[int, int, int], n_pos: int, n_neg: int, of_pos: int, of_neg: int
) -> tuple[int, int, int]:
    twice_u, squares_pos, squares_neg = sums
    share = n_pos * of_pos
    return twice_u + share, squares_pos + share * of_pos, squares_neg + n_neg * of_neg * of_neg


@compiled
def _finish_placements(
    pos: NDArray[Any], neg: NDArray[Any], i: int, j: int, i_stop: int, j_stop: int, sums: tuple[int, int, int]
) -> tuple[int, int, int]:
    while i < i_stop and j < j_stop:
        n_pos, n_neg, of_pos, of_neg = _next_step(pos, neg, i, j, i_stop, j_stop)
        sums = _add_placements(sums, n_pos, n_neg, of_pos, of_neg)
        i += n_pos
        j += n_neg
    return _add_placements(sums, i_stop - i, j_stop - j, 2 * j, 2 * (pos.size - i))


@compiled
def middle_places(pos: NDArray[Any], neg: NDArray[Any]) -> tuple[int, int]:
    """Where a positive's score near the middle of both ascending arrays together stands, by bisection."""
    half = (pos.size + neg.size) // 2
    low = max(0, half - neg.size)
    high = min(half, pos.size)
    while low < high:
        i = (low + high) // 2
        if pos[i] < neg[half - i - 1]:
            low = i + 1
        else:
            high = i
    middle = pos[min(low, pos.size - 1)]
    return np.searchsorted(pos, middle), np.searchsorted(neg, middle)


@compiled
def placement_sums(pos: NDArray[Any], neg: NDArray[Any]) -> tuple[int, int, int]:
    """2U and the sums of squared doubled placements of each class, from two ascending arrays.

    The doubled placement of a positive x is #{y < x} + #{y <= x}, of a negative y
    #{x > y} + #{x >= y}. The caller makes sure that the sums fit 64 bits.
    """
    # Two walks, below and above the middle score, take turns: each hides the other's waiting time.
    i_stop, j_stop = middle_places(pos, neg)
    i, j, k, l = 0, 0, i_stop, j_stop  # noqa: E741
    zero = number(0)
    sums = (zero, zero, zero)
    while i < i_stop and j < j_stop and k < pos.size and l < neg.size:
        n_pos, n_neg, of_pos, of_neg = _next_step(pos, neg, i, j, i_stop, j_stop)
        sums = _add_placements(sums, n_pos, n_neg, of_pos, of_neg)
        i += n_pos
        j += n_neg
        n_pos, n_neg, of_pos, of_neg = _next_step(pos, neg, k, l, pos.size, neg.size)
        sums = _add_placements(sums, n_pos, n_neg, of_pos, of_neg)
        k += n_pos
        l += n_neg  # noqa: E741
    sums = _finish_placements(pos, neg, i, j, i_stop, j_stop, sums)
    return _finish_placements(pos, neg, k, l, pos.size, neg.size, sums)


@inlined
def _open_limits(
    limits: tuple[float, float, float, float], m: int, n: int
) -> tuple[float, float, float, float]:
    """Limits, of which those at the ends of the curve are none, and cut nothing."""
    left, right, bottom, top = limits
    return (
        left if left > 0 else -1.0,
        right if right < n else n + 1.0,
        bottom if bottom > 0 else -1.0,
        top if top < m else m + 1.0,
    )


@inlined
def _step_inside(
    x: int,
    y: int,
    n_pos: int,
    n_neg: int,
    limits: tuple[float, float, float, float],
    shift: tuple[float, float],
    sums: tuple[float, float, float, float],
    passed: tuple[float, float],
) -> tuple[tuple[float, float, float, float], tuple[float, float]]:
    """Sums with the cases of one step of the curve, which begins at (x, y), and what is passed after it."""
    left, right, bottom, top = limits
    inside, half = 1.0, 0.5
    if x <= left or x + n_neg >= right or y <= bottom or y + n_pos >= top:
        start, stop = 0.0, 1.0
        for begin, step, low, high in ((x, n_neg, left, right), (y, n_pos, bottom, top)):
            if step:
                start = max(start, (low - begin) / step)
                stop = min(stop, (high - begin) / step)
            elif begin < low or begin > high:
                stop = 0.0
            elif begin in (low, high):
                inside = 0.5
        inside *= max(0.0, stop - start)
        half = inside * (stop + start) / 2
    across, up = passed
    sums = _add_inside(sums, n_pos, n_neg, across + n_neg * half - shift[0], -(up + n_pos * half) - shift[1])
    return sums, (across + n_neg * inside, up + n_pos * inside)


@inlined
def _add_inside(
    sums: tuple[float, float, float, float], n_pos: int, n_neg: int, of_pos: float, of_neg: float
) -> tuple[float, float, float, float]:
    sum_pos, square_pos, sum_neg, square_neg = sums
    return (
        sum_pos + n_pos * of_pos,
        square_pos + n_pos * of_pos * of_pos,
        sum_neg + n_neg * of_neg,
        square_neg + n_neg * of_neg * of_neg,
    )


@compiled
def _walk_inside(
    pos: NDArray[Any],
    neg: NDArray[Any],
    limits: tuple[float, float, float, float],
    shift: tuple[float, float],
) -> tuple[float, float, float, float]:
    """Sums of `h - shift` and of their squares over each class, h as in `partial_placements`."""
    m, n = pos.size, neg.size
    limits = left, right, bottom, top = _open_limits(limits, m, n)
    i = 0
    j = 0
    # Scores below the part of the curve have h = 0: the walk begins where it ends.
    if right < n:
        lowest = neg[n - 1 - int(right)]
        i, j = np.searchsorted(pos, lowest), np.searchsorted(neg, lowest)
    if top < m:
        lowest = pos[m - 1 - int(top)]
        i, j = max(i, np.searchsorted(pos, lowest)), max(j, np.searchsorted(neg, lowest))
    of_pos, of_neg = shift
    sums = (-i * of_pos, i * of_pos * of_pos, -j * of_neg, j * of_neg * of_neg)
    passed = (0.0, 0.0)
    while (i < m or j < n) and not (n - j < left or m - i < bottom):
        if i == m:
            n_pos, n_neg = number(0), number(1)
        elif j == n:
            n_pos, n_neg = number(1), number(0)
        else:
            n_pos, n_neg, _, _ = _next_step(pos, neg, i, j, m, n)
        i += n_pos
        j += n_neg
        sums, passed = _step_inside(n - j, m - i, n_pos, n_neg, limits, shift, sums, passed)
    return _add_inside(sums, m - i, n - j, passed[0] - of_pos, -passed[1] - of_neg)


@compiled
def _count_inside(
    pos: NDArray[np.int64],
    neg: NDArray[np.int64],
    limits: tuple[float, float, float, float],
    shift: tuple[float, float],
) -> tuple[float, float, float, float]:
    """`_walk_inside` over the counts at descending scores, by the same steps: the same bits."""
    m, n = pos.sum(), neg.sum()
    limits = left, right, bottom, top = _open_limits(limits, m, n)
    i = 0
    j = 0
    k = pos.size - 1
    lowest_pos = m - 1 - int(top) if top < m else -1
    lowest_neg = n - 1 - int(right) if right < n else -1
    while i + pos[k] <= lowest_pos or j + neg[k] <= lowest_neg:
        i += pos[k]
        j += neg[k]
        k -= 1
    of_pos, of_neg = shift
    sums = (-i * of_pos, i * of_pos * of_pos, -j * of_neg, j * of_neg * of_neg)
    passed = (0.0, 0.0)
    while k >= 0 and not (n - j < left or m - i < bottom):
        tied = pos[k] > 0 and neg[k] > 0
        n_pos = pos[k] if tied else min(pos[k], 1)
        n_neg = neg[k] if tied else min(neg[k], 1)
        for _ in range(1 if tied else pos[k] + neg[k]):
            if n - j < left or m - i < bottom:
                break
            i += n_pos
            j += n_neg
            sums, passed = _step_inside(n - j, m - i, n_pos, n_neg, limits, shift, sums, passed)
        k -= 1
    return _add_inside(sums, m - i, n - j, passed[0] - of_pos, -passed[1] - of_neg)


def partial_placements(
    pos: NDArray[Any], neg: NDArray[Any], limits: tuple[float, float, float, float], *, counted: bool = False
) -> tuple[float, float, float, float]:
    """Sum and squared deviations of the placements inside a part of the curve, positives and negatives.

    From two ascending arrays or, `counted`, from the counts at descending scores;
    `partial_area.partial_placements` gives the same, and says what these placements are. Limits are counts:
    left, right, bottom, top.
    """
    walk = _count_inside if counted else _walk_inside
    m, n = (int(one.sum()) if counted else one.size for one in (pos, neg))
    sum_pos, square_pos, sum_neg, square_neg = walk(pos, neg, limits, (0.0, 0.0))
    off_pos, off_neg = sum_pos * sum_pos / m, sum_neg * sum_neg / n
    if square_pos - off_pos > 1e-3 * off_pos and square_neg - off_neg > 1e-3 * off_neg:
        return sum_pos, square_pos - off_pos, sum_neg, square_neg - off_neg
    # Differences that would lose digits: once more, from the means.
    rest_pos, square_pos, rest_neg, square_neg = walk(pos, neg, limits, (sum_pos / m, sum_neg / n))
    return sum_pos, square_pos - rest_pos * rest_pos / m, sum_neg, square_neg - rest_neg * rest_neg / n


@compiled
def doubled_placements(
    pos: NDArray[Any], row_pos: NDArray[np.int64], neg: NDArray[Any], row_neg: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Doubled placements in row order, from ascending scores and the rows they came from."""
    m = pos.size
    n = neg.size
    of_pos = np.zeros(m, np.int64)
    of_neg = np.zeros(n, np.int64)
    i = 0
    j = 0
    while i < m and j < n:
        n_pos, n_neg, place_pos, place_neg = _next_step(pos, neg, i, j, m, n)
        # Written for both classes at each step: the last write before a class moves on is the true one.
        of_pos[row_pos[i]] = place_pos
        of_neg[row_neg[j]] = place_neg
        for k in range(i + 1, i + n_pos):
            of_pos[row_pos[k]] = place_pos
        for k in range(j + 1, j + n_neg):
            of_neg[row_neg[k]] = place_neg
        i += n_pos
        j += n_neg
    for k in range(i, m):
        of_pos[row_pos[k]] = 2 * n
    for k in range(j, n):
        of_neg[row_neg[k]] = 0
    return of_pos, of_neg


# ---- Sorting that remembers the rows ----------------------------------------------------------------------

MINUS_ZERO = -(2**63)


@inlined
def _packed_key(bits: int, row: int, rows: Any) -> Any:
    """The leading bits of a score, in an order-keeping integer, above its row number."""
    key = bits
    if key == MINUS_ZERO:  # the one value with two patterns
        key = 0
    key ^= (key >> 63) & number(0x7FFFFFFFFFFFFFFF)
    ordered = np.uint64(key) ^ np.uint64(0x8000000000000000)
    return (ordered & ~rows) | np.uint64(row)


@compiled
def _packed_keys(scores: NDArray[np.float64], row_bits: int) -> NDArray[np.uint64]:
    """`_packed_key` of every score."""
    bits = scores.view(np.int64)
    rows = np.uint64((1 << row_bits) - 1)
    keys = np.empty(scores.size, np.uint64)
    for row in range(scores.size):
        keys[row] = _packed_key(bits[row], row, rows)
    return keys


@inlined
def _insert(
    score: float, beside: Any, ascending: NDArray[np.float64], besides: NDArray[Any], place: int
) -> int:
    """Put a score and what belongs to it among those before it; returns by how many places they moved."""
    k = place
    while k > 0 and ascending[k - 1] > score:
        ascending[k] = ascending[k - 1]
        besides[k] = besides[k - 1]
        k -= 1
    ascending[k] = score
    besides[k] = beside
    return place - k


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
        moves += _insert(scores[row], row, ascending, rows, place)
        if moves > keys.size:
            return False, ascending, rows
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


# ---- Placements summed inside clusters ---------------------------------------------------------------------


@compiled
def _packed_classes(
    positive: NDArray[np.bool_], scores: NDArray[np.float64], row_bits: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """`_packed_keys` of the positives and of the negatives, with their row among all cases."""
    n_pos = 0
    for row in range(scores.size):
        n_pos += number(positive[row])
    bits = scores.view(np.int64)
    rows = np.uint64((1 << row_bits) - 1)
    # Every key is written to both; only the right one moves on. One spare place each.
    pos = np.empty(n_pos + 1, np.uint64)
    neg = np.empty(scores.size - n_pos + 1, np.uint64)
    i = 0
    j = 0
    for row in range(scores.size):
        is_pos = number(positive[row])
        key = _packed_key(bits[row], row, rows)
        pos[i] = key
        neg[j] = key
        i += is_pos
        j += 1 - is_pos
    return pos[:n_pos], neg[: scores.size - n_pos]


@compiled
def _settle_clusters(
    keys: NDArray[np.uint64], row_bits: int, scores: NDArray[np.float64], groups: NDArray[np.int64]
) -> tuple[bool, NDArray[np.int32]]:
    """`_settle` in the place of the keys, which become the ascending scores, with the cluster of each."""
    rows_mask = np.uint64((1 << row_bits) - 1)
    ascending = keys.view(np.float64)
    clusters = np.empty(keys.size, np.int32)
    moves = 0
    for place in range(keys.size):
        row = number(keys[place] & rows_mask)
        moves += _insert(scores[row], groups[row], ascending, clusters, place)
        if moves > keys.size:
            return False, clusters
    return True, clusters


@inlined
def _add_to_clusters(
    totals: NDArray[np.int64], clusters: NDArray[np.int32], first: int, size: int, placement: int, code: int
) -> None:
    """Add the placement of the next `size` cases of a class, which may be 0, to their clusters."""
    cluster = clusters[first]
    one = number(size > 0)
    totals[cluster, code] += one * placement
    totals[cluster, 2 + code] += one
    for k in range(first + 1, first + size):
        totals[clusters[k], code] += placement
        totals[clusters[k], 2 + code] += 1


@compiled
def _add_placements_between(
    pos: NDArray[Any],
    neg: NDArray[Any],
    of_pos: NDArray[np.int32],
    of_neg: NDArray[np.int32],
    totals: NDArray[np.int64],
    limits: tuple[int, int, int, int],
) -> None:
    """Add the placements of some positives and negatives, which lie in one part of the ranking."""
    i, i_stop, j, j_stop = limits
    while i < i_stop and j < j_stop:
        n_pos, n_neg, place_pos, place_neg = _next_step(pos, neg, i, j, i_stop, j_stop)
        _add_to_clusters(totals, of_pos, i, n_pos, place_pos, 1)
        _add_to_clusters(totals, of_neg, j, n_neg, place_neg, 0)
        i += n_pos
        j += n_neg
    for k in range(i, i_stop):
        totals[of_pos[k], 1] += 2 * j
        totals[of_pos[k], 3] += 1
    for k in range(j, j_stop):
        totals[of_neg[k], 0] += 2 * (pos.size - i)
        totals[of_neg[k], 2] += 1


@compiled
def _cluster_placements(
    pos: NDArray[Any],
    of_pos: NDArray[np.int32],
    neg: NDArray[Any],
    of_neg: NDArray[np.int32],
    n_clusters: int,
) -> NDArray[np.int64]:
    """Doubled placements of the negatives and of the positives, and the numbers of both, per cluster."""
    totals = np.zeros((n_clusters, 4), np.int64)
    i_stop, j_stop = middle_places(pos, neg)
    i, j, k, l = 0, 0, i_stop, j_stop  # noqa: E741
    # Two walks take turns, as in `placement_sums`.
    while i < i_stop and j < j_stop and k < pos.size and l < neg.size:
        n_pos, n_neg, place_pos, place_neg = _next_step(pos, neg, i, j, i_stop, j_stop)
        _add_to_clusters(totals, of_pos, i, n_pos, place_pos, 1)
        _add_to_clusters(totals, of_neg, j, n_neg, place_neg, 0)
        i += n_pos
        j += n_neg
        n_pos, n_neg, place_pos, place_neg = _next_step(pos, neg, k, l, pos.size, neg.size)
        _add_to_clusters(totals, of_pos, k, n_pos, place_pos, 1)
        _add_to_clusters(totals, of_neg, l, n_neg, place_neg, 0)
        k += n_pos
        l += n_neg  # noqa: E741
    _add_placements_between(pos, neg, of_pos, of_neg, totals, (i, i_stop, j, j_stop))
    _add_placements_between(pos, neg, of_pos, of_neg, totals, (k, pos.size, l, neg.size))
    return totals


def cluster_placements(
    positive: NDArray[np.bool_], scores: NDArray[Any], groups: NDArray[np.int64], n_clusters: int
) -> NDArray[np.int64] | None:
    """Doubled placements of negatives and of positives summed inside clusters, and the cases of both.

    One row per cluster; None for scores that `sort_with_rows` sorts as NumPy does.
    """
    if scores.dtype != np.float64:
        return None
    row_bits = int(scores.size - 1).bit_length()
    keys = _packed_classes(positive, scores, row_bits)
    clusters = []
    for of_class in keys:
        of_class.sort()
        settled, sorted_clusters = _settle_clusters(of_class, row_bits, scores, groups)
        if not settled:
            return None
        clusters.append(sorted_clusters)
    pos, neg = (of_class.view(np.float64) for of_class in keys)
    return _cluster_placements(pos, clusters[0], neg, clusters[1], n_clusters)


# ---- Cases sorted into the cells of a cross-validation: one cell per fold and class -----------------------


@compiled
def split_cells(
    fold: NDArray[Any], codes: NDArray[Any], scores: NDArray[Any], n_folds: int, n_classes: int
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Scores cell after cell, each in row order, and where each cell ends; cell = fold * classes + class."""
    n_cells = n_folds * n_classes
    ends = np.zeros(n_cells, np.int64)
    for row in range(scores.size):
        ends[fold[row] * n_classes + codes[row]] += 1
    place = np.zeros(n_cells, np.int64)
    total = 0
    for cell in range(n_cells):
        place[cell] = total
        total += ends[cell]
        ends[cell] = total
    moved = np.empty_like(scores)
    for row in range(scores.size):
        cell = fold[row] * n_classes + codes[row]
        moved[place[cell]] = scores[row]
        place[cell] += 1
    return moved, ends


# ---- Decisions arg max w_c y_c of many weight vectors on a block of cases, counted ------------------------
# A block has one row of scores per class and few enough cases to stay in the nearest cache while all weight
# vectors pass over it, several cases at a time. A decision adds 1 to one field of a 64-bit word, so that one
# addition counts all classes: C fields of 64 // C bits each. The caller cuts blocks that no field runs over.


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
