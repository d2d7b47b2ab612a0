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

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

from rocscope.binormal.normal import Floats
from rocscope.core.table import LARGE

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

    def times(self, rows: Floats) -> Floats:
        """The tridiagonal matrix times rows."""
        flux = self.coupling * np.diff(rows, axis=-1)
        product = self.excess * rows
        product[..., :-1] -= flux
        product[..., 1:] += flux
        return np.asarray(product)


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
    filled = np.flatnonzero(counts)
    return _sum_up(len(x), filled, counts[filled], categories_between(x, filled))


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
    every = np.arange(len(x) + 1)
    inside = categories_between(x, every)
    return _sum_up(len(x), every, n * np.exp(inside.log_mass), inside)


def _sum_up(n: int, places: NDArray[np.int64], c: Counts, inside: Inside) -> ClassTerms:
    """Each category adds to the cut-point below it and to the one above it."""
    # One place more at each end takes what the infinite ends would get.
    score, excess, coupling = np.zeros(n + 2), np.zeros(n + 2), np.zeros(n + 1)
    score[places + 1] = c * inside.upper
    score[places] -= c * inside.lower
    excess[places + 1] = c * inside.upper * inside.to_upper
    excess[places] += c * inside.lower * inside.to_lower
    coupling[places] = c * inside.upper * inside.lower
    return ClassTerms(float((c * inside.log_mass).sum()), score[1:-1], excess[1:-1], coupling[1:-1])


def categories_between(x: Floats, places: NDArray[np.int64]) -> Inside:
    """Terms of the categories at these places, the first of which reaches from minus infinity to x[0]."""
    ends = np.concatenate([[-np.inf], x, [np.inf]])
    low, high = ends[places], ends[places + 1]
    half = (high - low) / 2
    middle = (low + high) / 2
    narrow = half * np.maximum(1.0, np.abs(middle)) < NARROW
    terms = np.empty((5, len(places)))
    terms[:, narrow] = _narrow(half[narrow], middle[narrow])
    terms[:, ~narrow] = _wide(low[~narrow], high[~narrow])
    return Inside(*terms)


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


# ---- The information matrix of a binormal fit: tridiagonal in the cut-points, bordered by a and b ---------
#     [ T   B ]      T: cut-points among themselves, tridiagonal
#     [ B'  C ]      B: cut-points with (a, b), C: (a, b) among themselves
# Eliminating the cut-points leaves the 2 x 2 matrix C - B' T^-1 B, the information about (a, b), in time and
# memory that grow with the number of categories alone.


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrow:
    """The bordered matrix: T by its row sums (`excess`) and off-diagonal (-`coupling`), B' and C."""

    excess: Floats
    coupling: Floats
    border: Floats
    corner: Floats

    def eliminate(self, right: Floats) -> tuple[Floats, Floats, Floats]:
        """T^-1 right, T^-1 B, and the information about (a, b)."""
        solved = solve_tridiagonal(self.excess, self.coupling, np.vstack([right, self.border]))
        schur = self.corner - inner(self.border, solved[1:])
        return solved[0], solved[1:], (schur + schur.T) / 2

    def covariance(self) -> Floats | None:
        """Covariance of (a, b), or None where the information is singular."""
        _, _, schur = self.eliminate(np.zeros(len(self.excess)))
        if not np.isfinite(schur).all() or np.linalg.eigvalsh(schur)[0] <= 1e-12 * np.trace(schur):
            return None
        return np.asarray(np.linalg.inv(schur))


def expected_information(cutpoints: Floats, a: float, b: float, n_neg: int, n_pos: int) -> Arrow:
    """Fisher's information: the cases of each category replaced by those the model expects there."""
    of_neg, of_pos = expected_terms(cutpoints, n_neg), expected_terms(b * cutpoints - a, n_pos)
    return binormal_information(cutpoints, b, of_neg, of_pos, np.zeros(len(cutpoints)))


def binormal_information(
    cutpoints: Floats, b: float, neg: ClassTerms, pos: ClassTerms, score: Floats
) -> Arrow:
    """Put the classes together by the chain rule; `score` is that of the positives, 0 in expectation."""
    product = pos.times(cutpoints)
    mixed = -inner(pos.excess, cutpoints)
    return Arrow(
        excess=neg.excess + b * b * pos.excess,
        coupling=neg.coupling + b * b * pos.coupling,
        border=np.stack([-b * pos.excess, b * product - score]),
        corner=np.array([[pos.excess.sum(), mixed], [mixed, inner(cutpoints, product)]]),
    )


def solve_tridiagonal(excess: Floats, coupling: Floats, right: Floats) -> Floats:
    """Solve T x = right for every row, T with row sums `excess` and -`coupling` off the diagonal.

    NaN where T is not positive definite: there are cut-points that no case holds.
    """
    if len(excess) >= MANY:
        from rocscope.core import kernels

        return kernels.solve_row_sums(excess, coupling, right)
    diagonal = excess.copy()
    diagonal[:-1] += coupling
    diagonal[1:] += coupling
    if len(excess) == 1:  # LAPACK's routine refuses it
        return right / diagonal if diagonal[0] > 0 else np.full_like(right, np.nan)
    bands = np.stack([np.concatenate([[0.0], -coupling]), diagonal])
    try:
        return np.asarray(linalg.solveh_banded(bands, right.T, check_finite=False).T)
    except linalg.LinAlgError:
        return np.full_like(right, np.nan)


def inner(x: Floats, y: Floats) -> Any:
    """Product over the cut-points, of vectors or of rows with rows.

    BLAS would share the sum among threads, so that its last digits depend on their number.
    """
    return np.einsum("...m,m->..." if y.ndim == 1 else "im,jm->ij", x, y)
