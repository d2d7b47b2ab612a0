"""Log-likelihood of one class in categories of a normal variable, with its derivatives by the cut-points.

For one category between the cut-points x < x', with mass P = Phi(x') - Phi(x), lower = phi(x) / P and
upper = phi(x') / P, the derivatives of log P are -lower and upper; the mean of the normal variable inside is
lower - upper, and the second derivatives are

- by x: lower (x - lower), by x': -upper (x' + upper), mixed: lower upper.

So the matrix of minus the second derivatives over all cut-points is tridiagonal: off the diagonal it holds
-c lower upper (c cases in the category), and its rows add up to c upper (x' - mean) + c' lower (mean' - x),
which is positive. These two, `coupling` and `excess`, are kept instead of the diagonal, as nothing cancels
in them. Neither do masses cancel: narrow categories are expanded around their middle, others are taken from
the tail they lie in, by Mills' ratio.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core.table import LARGE

Floats = NDArray[np.float64]
Counts = NDArray[Any]

# Half the rows from which tables are made by numba: it is loaded already where so many cut-points come from.
MANY = LARGE // 2

# Narrower than this (half width times the distance from 0), the expansion is exact to the last digits.
NARROW = 0.05
# Nothing is left of a normal variable beyond this; Mills' ratio overflows a little further out.
FAR_OUT = -35.0
LOG_ROOT_2PI = float(np.log(2 * np.pi) / 2)
ROOT_2 = float(np.sqrt(2))
ROOT_HALF_PI = float(np.sqrt(np.pi / 2))


class Inside(NamedTuple):
    """Of each category: log mass, density at both ends over the mass, distance of the mean to both ends."""

    log_mass: Floats
    lower: Floats
    upper: Floats
    to_lower: Floats
    to_upper: Floats


class ClassTerms(NamedTuple):
    """Of one class: log-likelihood, its derivative by each cut-point, and the tridiagonal matrix."""

    log_likelihood: float
    score: Floats
    excess: Floats
    coupling: Floats


def class_terms(x: Floats, counts: Counts) -> ClassTerms:
    """Log-likelihood of the counts of one class and its derivatives by the cut-points x, ascending.

    Examples
    --------
    >>> terms = class_terms(np.array([0.0]), np.array([3, 1]))
    >>> round(terms.log_likelihood, 6), terms.score.round(6).tolist()
    (-2.772589, [1.595769])
    """
    if len(x) >= MANY:
        from rocscope.core import kernels

        return ClassTerms(*kernels.normal_terms(x, counts, 0.0))
    chosen = np.flatnonzero(counts)
    return _sum_up(len(x), chosen, counts[chosen], categories_between(x, chosen))


def expected_terms(x: Floats, n: int) -> ClassTerms:
    """The same for n cases spread over the categories as the model expects: the score is 0.

    Examples
    --------
    >>> terms = expected_terms(np.array([0.0]), 4)
    >>> terms.score.round(12).tolist(), terms.excess.round(6).tolist()
    ([0.0], [2.546479])
    """
    if len(x) >= MANY:
        from rocscope.core import kernels

        return ClassTerms(*kernels.normal_terms(x, np.zeros(0), float(n)))
    chosen = np.arange(len(x) + 1)
    inside = categories_between(x, chosen)
    return _sum_up(len(x), chosen, n * np.exp(inside.log_mass), inside)


def _sum_up(n: int, chosen: NDArray[np.int64], c: Counts, inside: Inside) -> ClassTerms:
    """Each category adds to the cut-point below it and to the one above it."""
    # One place more at each end takes what the infinite ends would get.
    score, excess, coupling = np.zeros(n + 2), np.zeros(n + 2), np.zeros(n + 1)
    score[chosen + 1] = c * inside.upper
    score[chosen] -= c * inside.lower
    excess[chosen + 1] = c * inside.upper * inside.to_upper
    excess[chosen] += c * inside.lower * inside.to_lower
    coupling[chosen] = c * inside.upper * inside.lower
    return ClassTerms(float((c * inside.log_mass).sum()), score[1:-1], excess[1:-1], coupling[1:-1])


def categories_between(x: Floats, chosen: NDArray[np.int64]) -> Inside:
    """Terms of the chosen categories, the first of which reaches from minus infinity to x[0]."""
    ends = np.concatenate([[-np.inf], x, [np.inf]])
    low, high = ends[chosen], ends[chosen + 1]
    half = (high - low) / 2
    middle = (low + high) / 2
    narrow = half * np.maximum(1.0, np.abs(middle)) < NARROW
    found = np.empty((5, len(chosen)))
    found[:, narrow] = _narrow(half[narrow], middle[narrow])
    found[:, ~narrow] = _wide(low[~narrow], high[~narrow])
    return Inside(*found)


def _narrow(half: Floats, middle: Floats) -> Inside:
    """Expand the density around the middle: the even derivatives are Hermite polynomials."""
    h, m = half * half, middle * middle
    sixth = ((m - 15) * m + 45) * m - 15
    width = 2 * half * (1 + h * ((m - 1) / 6 + h * (((m - 6) * m + 3) / 120 + h * sixth / 5040)))
    tilt = middle * half
    share, rise = np.exp(-h / 2) / width, np.exp(tilt)
    off = middle - 2 * share * np.sinh(tilt)  # of the middle from the mean, a difference of order half^2
    return Inside(-m / 2 - LOG_ROOT_2PI + np.log(width), share * rise, share / rise, half - off, half + off)


def _wide(low: Floats, high: Floats) -> Inside:
    """Take the mass from the upper tail; categories below 0 are turned round first."""
    turned = low + high < 0
    start = np.maximum(np.where(turned, -high, low), FAR_OUT)
    stop = np.where(turned, -low, high)
    fall = np.exp(-(stop - start) * (stop + start) / 2)
    first = 1 / (mills_ratio(start) - fall * mills_ratio(stop))
    last = first * fall
    mean = np.where(turned, last - first, first - last)
    lower, upper = np.where(turned, last, first), np.where(turned, first, last)
    # Around 0 the mass may be close to 1, and then what it lacks has more digits.
    log_mass = np.where(
        start < 0,
        np.log1p(-special.ndtr(np.minimum(start, 0.0)) - special.ndtr(-stop)),
        -start * start / 2 - LOG_ROOT_2PI - np.log(first),
    )
    to_lower, to_upper = (np.where(np.isfinite(d), d, 0.0) for d in (mean - low, high - mean))
    return Inside(log_mass, lower, upper, to_lower, to_upper)


def mills_ratio(x: Floats) -> Floats:
    """Upper tail of the normal distribution over its density, (1 - Phi(x)) / phi(x)."""
    return np.asarray(ROOT_HALF_PI * special.erfcx(x / ROOT_2))
