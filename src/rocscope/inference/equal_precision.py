"""Bands that are equally precise everywhere: of a distribution, exact, and of a ROC curve, calibrated.

**A distribution**: exact limits of all sorted cases at once.

The share of the population from the k-th largest of n cases on is beta(k, n + 1 - k). Limits of the same
small probability on either side of every one of these [1]_, [2]_ are narrow near shares of 0 and 1, where
those of Kolmogorov are as wide as in the middle. The probability is chosen so that all n lie inside at once
with the level, which is counted exactly: as the cases of a Poisson process, n of them in all, that passes
from limit to limit [3]_.

**A ROC curve**: at every threshold it lies in the rectangle of the limits of both classes. It leaves all
rectangles only where both rates are at their limits at once, so that a band of two classes that each keep
their share of the level holds the curve in 99.6 to 100 % of samples where 95 % are promised. The calibrated
band has the same limits with a larger probability beyond each: as large as lets the band hold the curve in
its share of samples from a smooth curve near the observed one, with its ties if there are many. It is a third
narrower, and promises no more than these samples show.

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
Integers = NDArray[np.int64]
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
    return tail_limits(count, n, tail_of(n, outside))


def tail_limits(count: Any, n: int, tail: float) -> tuple[Floats, Floats]:
    """Limits of the share from a threshold on with a probability beyond each; that of more ranks is larger.

    Examples
    --------
    >>> low, high = tail_limits([0, 1, 2], 2, 0.1)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.051, 0.316], [0.684, 0.949, 1.0])
    """
    k, ranks = np.asarray(count), _ranks(n)
    low, high = _limits(ranks, n, tail)
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


# ---- A ROC curve: the limits of both classes, calibrated ---------------------------------------------------

N_DRAWN = 1000  # samples
HIGHEST_LEVEL = 0.99  # above it few samples are left
AT_ONCE = 2_000_000  # vertices of samples that are held in memory
TAILS = np.geomspace(1e-8, 0.45, 160)  # probabilities beyond each limit
DEVIATES = np.linspace(-8.0, 8.0, 801)
BANDWIDTH = 0.5  # of normal deviates
RATES = np.linspace(0, 1, 101)  # at which a band is compared with the curve


def calibrated_tail(tp: Integers, fp: Integers, level: float) -> float:
    """The probability beyond each limit with which the band of a curve with these vertices has its level.

    The samples are always the same for the same vertices, and for those of exchanged classes.

    Examples
    --------
    >>> tail = calibrated_tail(np.array([0, 3, 7, 9, 10]), np.array([0, 0, 1, 4, 10]), 0.95)
    >>> tail > tail_of(10, 0.025)
    True
    """
    from rocscope.core import kernels

    tp, fp = min((tp, fp), (fp[-1] - fp[::-1], tp[-1] - tp[::-1]), key=lambda pair: np.stack(pair).tolist())
    of_pos, of_neg = (_limit_table(int(count[-1])) for count in (tp, fp))
    curve, cuts = smooth_curve(tp, fp), pooled_cuts(tp, fp)
    x, y = curve
    at, (knots, heights) = RATES, curve
    if cuts is not None:  # of a population with such ties the curve is straight between the cuts
        knots, heights = (np.interp(cuts, pooled_share(x, y, tp, fp), rates) for rates in curve)
        at = np.union1d(RATES, knots)
    held, rng = list[NDArray[np.int64]](), np.random.default_rng(0)
    room = max(1, AT_ONCE // (len(tp) if cuts is not None else int(tp[-1] + fp[-1])))
    for start in range(0, N_DRAWN, room):
        size = min(room, N_DRAWN - start)
        if cuts is None:
            vertices = sample_vertices(curve, int(tp[-1]), int(fp[-1]), size, rng)
        else:
            vertices = (
                sample_counts(heights, int(tp[-1]), size, rng),
                sample_counts(knots, int(fp[-1]), size, rng),
            )
        held.append(kernels.count_holding(*vertices, *of_pos, *of_neg, at, np.interp(at, knots, heights)))
    # Of each sample: how many of the tails let the band hold the curve, from the smallest one on.
    missed = min(math.floor((1 - level) * N_DRAWN + 1e-9), N_DRAWN - 1)
    k = int(np.sort(np.concatenate(held))[missed])
    return float(TAILS[max(k - 1, 0)])


@lru_cache(maxsize=16)
def _limit_table(n: int) -> tuple[Floats, Floats]:
    """Lowest and highest shares of every count of n cases, for all tails: (tails, counts)."""
    limits = [tail_limits(np.arange(n + 1), n, tail) for tail in TAILS.tolist()]
    return np.array([low for low, _ in limits]), np.array([high for _, high in limits])


def smooth_curve(tp: Integers, fp: Integers) -> tuple[Floats, Floats]:
    """A smooth curve near that of the vertices, from (0, 0) to (1, 1), whatever the scale of the scores.

    The normal deviates of TPR and FPR are apart by a mean over the vertices nearby; of a binormal curve with
    equal variances they are so by the same everywhere. Counts are half a case off 0 and off all.

    Examples
    --------
    >>> x, y = smooth_curve(np.array([0, 1, 2]), np.array([0, 1, 2]))
    >>> bool(np.allclose(x, y))
    True
    """
    of_tpr, of_fpr = (special.ndtri((count + 0.5) / (count[-1] + 1)) for count in (tp, fp))
    place, apart = (of_tpr + of_fpr) / 2, of_tpr - of_fpr
    inside = np.clip(DEVIATES, place[0], place[-1])
    weights = np.exp(-(((inside[:, None] - place) / BANDWIDTH) ** 2) / 2)
    mean = weights @ apart / weights.sum(axis=1)
    ends = (np.maximum.accumulate(special.ndtr(DEVIATES + side * mean / 2)) for side in (-1, 1))
    x, y = (np.concatenate([[0.0], end, [1.0]]) for end in ends)
    return x, y


def pooled_share(x: Any, y: Any, tp: Integers, fp: Integers) -> Floats:
    """Share of all cases that test positive at rates (x, y)."""
    return np.asarray((fp[-1] * x + tp[-1] * y) / (fp[-1] + tp[-1]))


def pooled_cuts(tp: Integers, fp: Integers) -> Floats | None:
    """Shares of all cases from each score on; None where less than half of the scores are tied."""
    n = int(tp[-1] + fp[-1])
    return None if 2 * (len(tp) - 1) > n else np.asarray((tp + fp) / n)


def sample_vertices(
    curve: tuple[Floats, Floats], m: int, n: int, size: int, rng: np.random.Generator
) -> tuple[Integers, Integers]:
    """True and false positives at all vertices of samples without ties, (samples, vertices)."""
    x, y = curve
    heights = np.concatenate([rng.random((size, m)), np.interp(rng.random((size, n)), x, y)], axis=1)
    positive = heights.argsort(axis=1) < m
    start = np.zeros((size, 1), np.int64)
    tp, fp = (
        np.concatenate([start, of.cumsum(axis=1, dtype=np.int64)], axis=1) for of in (positive, ~positive)
    )
    return tp, fp


def sample_counts(shares: Floats, n: int, size: int, rng: np.random.Generator) -> Integers:
    """Cases of samples up to each of these shares, (samples, shares)."""
    counts = rng.multinomial(n, np.maximum(np.diff(shares), 0.0), size).cumsum(axis=1)
    return np.concatenate([np.zeros((size, 1), np.int64), counts], axis=1)
