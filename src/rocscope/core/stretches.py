"""Placement sums of stretches of scores, which add up to those of all scores.

Let one stretch lie above another. A positive above beats all negatives below, a negative below is beaten
by all positives above; so doubled placements grow by twice these counts, and the sums of their squares
follow from the sums themselves, in integers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.table import INT64_MAX, LARGE, PlacementSums, ScoreTable

NOTHING = PlacementSums(n_pos=0, n_neg=0, twice_u=0, squares_pos=0, squares_neg=0)


def stacked_sums(below: PlacementSums, above: PlacementSums) -> PlacementSums:
    """Sums of two stretches together, no score of the one reaching into the other.

    Examples
    --------
    >>> low, high = tied_sums(0, 2), tied_sums(3, 1)
    >>> stacked_sums(low, high).auc  # 3 x 2 pairs in order, 3 x 1 tied
    0.8333333333333334
    """
    beaten, by = 2 * below.n_neg, 2 * above.n_pos
    return PlacementSums(
        n_pos=below.n_pos + above.n_pos,
        n_neg=below.n_neg + above.n_neg,
        twice_u=below.twice_u + above.twice_u + beaten * above.n_pos,
        # (d + c)^2 summed over n placements d: the squares, 2 c times their sum, n c^2.
        squares_pos=below.squares_pos
        + above.squares_pos
        + beaten * (2 * above.twice_u + beaten * above.n_pos),
        squares_neg=below.squares_neg + above.squares_neg + by * (2 * below.twice_u + by * below.n_neg),
    )


def tied_sums(n_pos: int, n_neg: int) -> PlacementSums:
    """Sums of cases that all have one score: every placement is one half.

    Examples
    --------
    >>> tied_sums(2, 3).auc
    0.5
    """
    return PlacementSums(
        n_pos=n_pos,
        n_neg=n_neg,
        twice_u=n_pos * n_neg,
        squares_pos=n_pos * n_neg * n_neg,
        squares_neg=n_neg * n_pos * n_pos,
    )


def sorted_sums(pos: NDArray[Any], neg: NDArray[Any]) -> PlacementSums:
    """Sums of the ascending scores of each class, cut until they fit 64 bits.

    Examples
    --------
    >>> sorted_sums(np.array([2.0, 3.0]), np.array([1.0, 2.0])).auc
    0.875
    """
    m, n = pos.size, neg.size
    if m == 0 or n == 0:
        return tied_sums(m, n)
    if 4 * m * n * max(m, n) <= INT64_MAX:
        if m + n < LARGE:
            return ScoreTable.from_sorted(pos, neg).sums()
        from rocscope.core import kernels

        twice_u, of_pos, of_neg = map(int, kernels.placement_sums(pos, neg))
        return PlacementSums(n_pos=m, n_neg=n, twice_u=twice_u, squares_pos=of_pos, squares_neg=of_neg)
    middle = (pos if m >= n else neg)[max(m, n) // 2]
    below = [scores[: np.searchsorted(scores, middle, "left")] for scores in (pos, neg)]
    above = [scores[np.searchsorted(scores, middle, "right") :] for scores in (pos, neg)]
    at_middle = tied_sums(m - below[0].size - above[0].size, n - below[1].size - above[1].size)
    return stacked_sums(stacked_sums(sorted_sums(*below), at_middle), sorted_sums(*above))
