"""A band of a distribution that is equally precise everywhere: exact limits of all sorted cases at once.

The share of the population from the k-th largest of n cases on is beta(k, n + 1 - k). Limits of the same
small probability on either side of every one of these [1]_, [2]_ are narrow near shares of 0 and 1, where
those of Kolmogorov are as wide as in the middle. The probability is chosen so that all n lie inside at once
with the level, which is counted exactly: as the cases of a Poisson process, n of them in all, that passes
from limit to limit [3]_.

References
----------
.. [1] R. H. Berk, D. H. Jones: Goodness-of-fit test statistics that dominate the Kolmogorov statistics,
   Zeitschrift fuer Wahrscheinlichkeitstheorie 47, 1979.
.. [2] A. B. Owen: Nonparametric likelihood confidence bands for a distribution function, Journal of the
   American Statistical Association 90, 1995; S. Aldor-Noiman et al.: The power to see, The American
   Statistician 67, 2013.
.. [3] A. Moscovich, B. Nadler: Fast calculation of boundary crossing probabilities for Poisson processes,
   Statistics and Probability Letters 123, 2017.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]
MOST = 5000  # cases of a class; the passage from limit to limit takes about n^1.5 steps
RANKS = 400  # limited ranks of more than twice as many cases
SURE = 1e-10  # less is shared out among the ranks


def share_limits(count: Any, n: int, outside: float) -> tuple[Floats, Floats]:
    """Limits of the share of the population from a threshold on, with so many of n cases, for all thresholds.

    All hold at once but with the probability `outside`; for scores with ties this is even less.

    Examples
    --------
    >>> low, high = share_limits([0, 1, 10, 19, 20], 20, 0.05)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.0, 0.198, 0.654, 0.739], [0.261, 0.346, 0.802, 1.0, 1.0])
    """
    k, ranks = np.asarray(count), _ranks(n)
    low, high = _limits(ranks, n, tail_of(n, outside))
    below, above = np.searchsorted(ranks, k, "right"), np.searchsorted(ranks, k + 1)
    return np.concatenate([[0.0], low])[below], np.concatenate([high, [1.0]])[above]


def _ranks(n: int) -> NDArray[np.int64]:
    if n <= 2 * RANKS:
        return np.arange(1, n + 1)
    shares = np.sin(np.linspace(0, math.pi / 2, RANKS)) ** 2  # in steps of their standard error
    return np.unique(np.round(1 + (n - 1) * shares).astype(np.int64))


def _limits(ranks: NDArray[np.int64], n: int, tail: float) -> tuple[Floats, Floats]:
    return special.betaincinv(ranks, n + 1 - ranks, tail), special.betainccinv(ranks, n + 1 - ranks, tail)


@lru_cache(maxsize=256)
def tail_of(n: int, outside: float) -> float:
    """The probability beyond each limit, with which not all cases lie inside with probability `outside`.

    Examples
    --------
    >>> round(2 * tail_of(10, 0.05), 6)
    0.007385
    """
    from scipy.optimize import brentq

    ranks = _ranks(n)
    if outside < SURE:
        return outside / (2 * len(ranks))

    def excess(log_tail: float) -> float:
        return inside_probability(ranks, n, *_limits(ranks, n, math.exp(log_tail))) - (1 - outside)

    least, most = outside / (4 * len(ranks)), min(outside, 1 - 1e-12) / 2 * (1 + 1e-9)
    return math.exp(brentq(excess, math.log(least), math.log(most), xtol=1e-9))


def inside_probability(ranks: NDArray[np.int64], n: int, low: Floats, high: Floats) -> float:
    """Probability that of n uniform variables those of the given ranks, ascending, lie within their limits.

    Before its lower limit a rank is not reached, at its upper limit it is: [3]_, with the number of variables
    up to each limit as a Poisson process.

    Examples
    --------
    >>> round(inside_probability(np.array([1, 2]), 2, np.array([0.0, 0.5]), np.array([0.5, 1.0])), 12)
    0.5
    """
    times = np.concatenate([low, high])
    order = np.argsort(times, kind="stable")
    mass, first, time, next_low = np.ones(1), 0, 0.0, 0
    for event in [*order.tolist(), -1]:
        end = 1.0 if event < 0 else float(times[event])
        most = n if next_low == len(ranks) else int(ranks[next_low]) - 1
        if most < first:
            return 0.0
        mean, more = n * (end - time), np.arange(most - first + 1)
        step = np.exp(special.xlogy(more, mean) - mean - special.gammaln(more + 1))
        mass, time = np.convolve(mass, step)[: most - first + 1], end
        if 0 <= event < len(ranks):
            next_low += 1
        elif event >= 0 and (fewer := int(ranks[event - len(ranks)]) - first) > 0:
            mass, first = mass[fewer:], first + fewer
        if not mass.size:
            return 0.0
    if len(mass) <= n - first:
        return 0.0
    return float(mass[n - first] * math.exp(math.lgamma(n + 1) + n - n * math.log(n)))
