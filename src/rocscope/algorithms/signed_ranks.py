"""Wilcoxon's signed-rank test and the sign test, exact under ties and zeros.

References
----------
.. [1] F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1, 1945.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.algorithms.differences import Floats, Wholes
from rocscope.core import wald
from rocscope.core.checks import Alternative

# Up to here probabilities are multiples of 2^-50, so floats add them exactly.
EXACT_UP_TO = 50
COMPARED_AT_ONCE = 4_000_000


def signed_rank_test(steps: Wholes, alternative: Alternative) -> tuple[Floats, Floats]:
    """Return statistic and p-value of every row; zeros are dropped, ties share their mean rank.

    The statistic is the smaller of the two rank sums, or the sum of the positive ranks when one-sided.
    With up to 50 differences other than zero the p-value is exact given the ranks, ties included;
    beyond that it is the normal approximation.

    Examples
    --------
    >>> statistic, p = signed_rank_test(np.array([[1, 2, 3, -4, 5, 6]]), "two-sided")
    >>> statistic.item(), p.item()
    (4.0, 0.21875)
    """
    ranks = _doubled_ranks(np.abs(steps))
    positive = (ranks * (steps > 0)).sum(axis=-1)
    total = ranks.sum(axis=-1)
    p = _p_values(ranks, positive, alternative)
    statistic = np.minimum(positive, total - positive) if alternative == "two-sided" else positive
    return statistic / 2, p


def _doubled_ranks(sizes: Wholes) -> Wholes:
    """Twice the mean rank of each size among those of its row other than zero, which get 0."""
    ranks = np.empty_like(sizes)
    width = max(1, COMPARED_AT_ONCE // sizes.shape[-1] ** 2)
    for start in range(0, len(sizes), width):
        rows = sizes[start : start + width]
        mine, others = rows[:, :, np.newaxis], rows[:, np.newaxis, :]
        smaller = ((others < mine) & (others != 0)).sum(axis=-1)
        ranks[start : start + width] = 2 * smaller + (others == mine).sum(axis=-1) + 1
    return np.where(sizes == 0, 0, ranks)


def _p_values(ranks: Wholes, positive: Wholes, alternative: Alternative) -> Floats:
    ordered = np.sort(ranks, axis=-1)
    p = np.empty(len(ranks))
    # Most rows have neither ties nor zeros and share one distribution; np.unique is for the others.
    plain = (ordered == 2 * np.arange(1, ranks.shape[-1] + 1)).all(axis=-1)
    groups = [np.flatnonzero(plain), *_alike(ordered, np.flatnonzero(~plain))]
    for rows in groups:
        if len(rows):
            pattern = ordered[rows[0]]
            p[rows] = _tail(tuple(pattern[pattern > 0].tolist()), positive[rows], alternative)
    return p


def _alike(ordered: Wholes, rows: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Group the rows that have the same ranks."""
    _, which = np.unique(ordered[rows], axis=0, return_inverse=True)
    by_pattern = rows[np.argsort(which.ravel(), kind="stable")]
    return np.split(by_pattern, np.cumsum(np.bincount(which.ravel()))[:-1])


def _tail(ranks: tuple[int, ...], positive: Wholes, alternative: Alternative) -> Floats:
    if len(ranks) > EXACT_UP_TO:
        squares = np.square(np.array(ranks, dtype=np.float64)).sum()
        z = (positive - sum(ranks) / 2) / np.sqrt(squares / 4)
        return np.asarray(wald.p_value(z, alternative=alternative))
    shares = _rank_sum_shares(ranks)
    at_most: Floats = np.cumsum(shares)[positive]
    return _combine(at_most, 1 - at_most + shares[positive], alternative)


def _combine(at_most: Floats, at_least: Floats, alternative: Alternative) -> Floats:
    if alternative == "two-sided":
        return np.asarray(np.minimum(1.0, 2 * np.minimum(at_most, at_least)))
    return at_least if alternative == "greater" else at_most


@lru_cache(maxsize=64)
def _rank_sum_shares(ranks: tuple[int, ...]) -> NDArray[np.float64]:
    """Null distribution of the positive rank sum: every rank has either sign with probability 1/2."""
    shares = np.zeros(sum(ranks) + 1)
    shares[0] = 1.0
    reach = 1
    for rank in ranks:
        shares[: reach + rank] *= 0.5
        shares[rank : reach + rank] += shares[:reach].copy()
        reach += rank
    return shares


def sign_test(steps: Wholes, alternative: Alternative) -> tuple[Floats, Floats]:
    """Return the number of positive differences in every row and its binomial p-value; zeros are dropped.

    Examples
    --------
    >>> count, p = sign_test(np.array([[1, 2, 3, -4, 5, 6]]), "two-sided")
    >>> count.item(), round(p.item(), 6)
    (5.0, 0.21875)
    """
    positive, negative = (steps > 0).sum(axis=-1), (steps < 0).sum(axis=-1)
    n = positive + negative
    at_most = special.bdtr(positive, n, 0.5)
    at_least = special.bdtr(negative, n, 0.5)
    return positive.astype(np.float64), _combine(at_most, at_least, alternative)
