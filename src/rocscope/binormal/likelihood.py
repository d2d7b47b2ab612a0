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


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Log-likelihood at a point with its gradient by the cut-points and by (a, b), and the information."""

    log_likelihood: float
    by_cutpoints: Floats
    by_curve: Floats
    arrow: Arrow

    def gradient_norm(self) -> float:
        """Largest derivative, in absolute value."""
        return float(max(np.abs(self.by_cutpoints).max(), np.abs(self.by_curve).max()))


def evaluate(cutpoints: Floats, a: float, b: float, neg: Counts, pos: Counts) -> Evaluation:
    """Log-likelihood, gradient and observed information at a point.

    Negatives are standard normal; on the scale of the positives a cut-point t lies at b t - a.
    """
    of_neg, of_pos = class_terms(cutpoints, neg), class_terms(b * cutpoints - a, pos)
    return Evaluation(
        log_likelihood=of_neg.log_likelihood + of_pos.log_likelihood,
        by_cutpoints=of_neg.score + b * of_pos.score,
        by_curve=np.array([-of_pos.score.sum(), inner(cutpoints, of_pos.score)]),
        arrow=_arrow(cutpoints, b, of_neg, of_pos, of_pos.score),
    )


def expected_information(cutpoints: Floats, a: float, b: float, n_neg: int, n_pos: int) -> Arrow:
    """Fisher's information: the cases of each category replaced by those the model expects there."""
    of_neg, of_pos = expected_terms(cutpoints, n_neg), expected_terms(b * cutpoints - a, n_pos)
    return _arrow(cutpoints, b, of_neg, of_pos, np.zeros(len(cutpoints)))


def _arrow(cutpoints: Floats, b: float, neg: ClassTerms, pos: ClassTerms, score: Floats) -> Arrow:
    """Put the classes together by the chain rule; `score` is that of the positives, 0 in expectation."""
    flux = pos.coupling * np.diff(cutpoints)
    product = pos.excess * cutpoints  # the positives' matrix times the cut-points
    product[:-1] -= flux
    product[1:] += flux
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


def solve_upwards(matrix: Floats, right: Floats) -> tuple[Floats, float]:
    """Solve with all eigenvalues made positive, so that a step leads up; and the least one as it was.

    Examples
    --------
    >>> step, least = solve_upwards(np.diag([2.0, -4.0]), np.array([1.0, 1.0]))
    >>> step.tolist(), least
    ([0.5, 0.25], -4.0)
    """
    values, vectors = np.linalg.eigh(matrix)
    floor = max(float(np.abs(values).max()) * 1e-10, float(np.finfo(np.float64).tiny))
    return np.asarray(vectors @ (vectors.T @ right / np.maximum(np.abs(values), floor))), float(values[0])


def inner(x: Floats, y: Floats) -> Any:
    """Product over the cut-points, of vectors or of rows with rows.

    BLAS would share the sum among threads, so that its last digits depend on their number.
    """
    return np.einsum("...m,m->..." if y.ndim == 1 else "im,jm->ij", x, y)


# ---- The search for the maximum: Newton steps that never go down ------------------------------------------
# For fixed a and b the log-likelihood is concave in the cut-points, so their part of the information is
# positive definite everywhere. What is left for (a, b) is a 2 x 2 matrix; where it is not positive definite,
# its eigenvalues are made so. Every direction therefore leads upwards, and steps are shortened until they do.

MAX_STEPS = 200
MAX_HALVINGS = 50
# Twice the expected gain of a step after which the maximum is reached: the step squares what error is left.
# With very many categories that is below all rounding sooner.
TOLERANCE, TOLERANCE_OF_MANY = 1e-12, 1e-9
# Share of the expected gain that a step must bring.
SUFFICIENT = 1e-4
# A step ends this far before two cut-points meet, or before b is 0.
KEPT = 0.99
EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """Parameters of a fit, and the log-likelihood there with its derivatives."""

    a: float
    b: float
    cutpoints: Floats
    at: Evaluation


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """A Newton direction, how much the log-likelihood rises along it at first (the decrement squared).

    `concave` says whether the information was positive definite as it stood.
    """

    a: float
    b: float
    cutpoints: Floats
    rise: float
    concave: bool


def climb(start: Point, neg: Counts, pos: Counts) -> tuple[Point, bool]:
    """Go up from the start; return the last point, and whether it is a maximum."""
    point = start
    for _ in range(MAX_STEPS):
        direction = newton_direction(point)
        if not np.isfinite(direction.rise):
            return point, False
        further = _step(point, direction, neg, pos)
        if direction.rise <= _tolerance(point):
            return further or point, direction.concave
        if further is None:
            return point, False
        point = further
    return point, False


def newton_direction(point: Point) -> Direction:
    """Solve the bordered system, with the 2 x 2 part made positive definite."""
    at = point.at
    own, border, schur = at.arrow.eliminate(at.by_cutpoints)
    if not np.isfinite(schur).all():
        return Direction(a=0.0, b=0.0, cutpoints=own, rise=np.nan, concave=False)
    curve, least = solve_upwards(schur, at.by_curve - inner(at.arrow.border, own))
    cutpoints = own - curve[0] * border[0] - curve[1] * border[1]
    concave = least > 0
    rise = float(inner(at.by_cutpoints, cutpoints) + at.by_curve @ curve)
    return Direction(a=float(curve[0]), b=float(curve[1]), cutpoints=cutpoints, rise=rise, concave=concave)


def _step(point: Point, direction: Direction, neg: Counts, pos: Counts) -> Point | None:
    """Halve the step until it brings enough; None where none does."""
    size = min(1.0, KEPT * _room(point, direction))
    slack = 10 * EPS * (abs(point.at.log_likelihood) + float(neg.sum() + pos.sum()))
    for _ in range(MAX_HALVINGS):
        further = _moved(point, direction, size, neg, pos)
        wanted = point.at.log_likelihood + SUFFICIENT * size * direction.rise - slack
        if further is not None and further.at.log_likelihood >= wanted:
            return further
        size /= 2
    return None


def _room(point: Point, direction: Direction) -> float:
    """How far the direction can be followed until two cut-points meet or b is 0."""
    closing = np.diff(direction.cutpoints) / np.diff(point.cutpoints)
    fastest = min(float(closing.min(initial=0.0)), direction.b / point.b)
    return np.inf if fastest >= 0 else -1 / fastest


def _moved(point: Point, direction: Direction, size: float, neg: Counts, pos: Counts) -> Point | None:
    """The point after a step, or None where rounding has brought it out of bounds."""
    cutpoints = point.cutpoints + size * direction.cutpoints
    return point_at(point.a + size * direction.a, point.b + size * direction.b, cutpoints, neg, pos)


def point_at(a: float, b: float, cutpoints: Floats, neg: Counts, pos: Counts) -> Point | None:
    """The parameters with their log-likelihood; None where the cut-points do not rise in both classes."""
    if not b > 0 or not bool((np.diff(cutpoints) > 0).all() and (np.diff(b * cutpoints - a) > 0).all()):
        return None
    at = evaluate(cutpoints, a, b, neg, pos)
    return Point(a=a, b=b, cutpoints=cutpoints, at=at) if np.isfinite(at.log_likelihood) else None


def _tolerance(point: Point) -> float:
    """The rise at which to stop; the rounding of the cut-points alone may cause one."""
    arrow, t = point.at.arrow, point.cutpoints
    least = TOLERANCE if len(t) < MANY else TOLERANCE_OF_MANY
    return least + 100 * EPS**2 * float(
        (2 * arrow.coupling.sum() + arrow.excess.sum()) * inner(t, t) / len(t)
    )
