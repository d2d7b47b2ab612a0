"""The likelihood of counts in categories of a normal variable, and one maximiser for all models of this room.

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

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

from rocscope.binormal import latent
from rocscope.binormal.latent import Floats
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


# ---- The search for the maximum ---------------------------------------------------------------------------
# A model has a vector of parameters, theta, and a cut-point between every two categories. It is known by the
# deviates x(t) of the positives at the cut-points t of the negatives, on whose scale the positives are
# standard normal: so both classes have the terms above, and the chain rule brings those of the positives to t
# and theta. The information keeps its arrow form, and a step its cost, which grows with the number of
# categories alone.
# For fixed theta the log-likelihood is concave in the cut-points. What is left for theta is a small matrix;
# where it is not positive definite, its eigenvalues are made so. Every direction therefore leads upwards, and
# steps are shortened until they do.

MAX_HALVINGS = 50
# Share of the expected rise that a step must bring.
SUFFICIENT = 1e-4
# A step ends this far before two cut-points meet, or before a parameter leaves its range.
KEPT = 0.99
EPS = float(np.finfo(np.float64).eps)
# Log-likelihoods that differ by less are the same maximum.
SAME = 1e-7
SINGULAR = "the information about the curve is singular"


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """Parameters, and the log-likelihood there with its derivatives.

    `information` is minus the second derivative; `upright`, where a model has it, is the same without the
    curvature of the model, which is positive everywhere.
    """

    theta: Floats
    cutpoints: Floats
    log_likelihood: float
    by_cutpoints: Floats
    by_theta: Floats
    information: Arrow
    upright: Arrow | None = None


class Step(NamedTuple):
    """A Newton step, the rise of the log-likelihood along it at first (the decrement squared).

    `concave` says whether the information about theta is positive definite as it stands.
    """

    theta: Floats
    cutpoints: Floats
    rise: float
    concave: bool


class Likelihood(ABC):
    """Log-likelihood of a model on the counts of both classes, and the way up to its maximum."""

    max_steps: ClassVar[int]
    # Whether the step that is found to be small enough is taken as well.
    takes_last_step: ClassVar[bool]

    def __init__(self, categories: latent.Categories) -> None:
        self.categories = categories

    @abstractmethod
    def first_cutpoints(self, theta: Floats) -> Floats:
        """Cut-points to start from at which both classes together have as many cases below as the data."""

    @abstractmethod
    def at(self, theta: Floats, cutpoints: Floats) -> Point | None:
        """Evaluate the log-likelihood; None where cut-points have met, or where it is not finite."""

    @abstractmethod
    def step(self, point: Point) -> Step | None:
        """The Newton step; None where there is none."""

    @abstractmethod
    def room(self, point: Point, step: Step) -> float:
        """How far the step can be followed until two cut-points meet."""

    @abstractmethod
    def slack(self, point: Point) -> float:
        """What rounding may take from the log-likelihood."""

    @abstractmethod
    def arrival(self, point: Point, step: Step, last: float) -> tuple[bool, bool]:
        """Whether the search ends at this step, and whether it ends at a maximum; `last` is the last rise."""

    def project(self, theta: Floats, previous: Floats) -> Floats:
        """The parameters moved into their range, on the way from the previous ones."""
        return theta

    def free(self, theta: Floats, slope: Floats) -> NDArray[np.bool_]:
        """Which parameters may move, given the slope of the log-likelihood by each."""
        return np.ones(len(theta), dtype=bool)

    def is_inside(self, point: Point) -> bool:
        """Whether all parameters lie inside their range."""
        return bool(self.free(point.theta, point.by_theta).all())

    def maximum(self, starts: Iterable[Floats], *, first: bool = False) -> Point | None:
        """The highest maximum that a start leads to, or None where none does.

        With `first` the search ends at the first maximum inside the range of the parameters.
        """
        best: Point | None = None
        for theta in starts:
            best = highest(best, self.climb(theta, self.first_cutpoints(theta)))
            if first and best is not None and self.is_inside(best):
                break
        return best

    def no_maximum(self) -> str:
        """Why there is no fit where `maximum` is None."""
        return f"{self.max_steps} Newton steps from several starts did not reach a maximum of the likelihood"

    def climb(self, theta: Floats, cutpoints: Floats) -> Point | None:
        """Go up from a start; None where that does not end at a maximum."""
        point = self.at(theta, cutpoints)
        if point is None:
            return None
        last, converged = np.inf, False
        for _ in range(self.max_steps):
            step = self.step(point)
            if step is None:
                break
            ends, converged = self.arrival(point, step, last)
            further = None if ends and not self.takes_last_step else self.follow(point, step)
            point, last = further or point, step.rise
            if ends or further is None:
                break
        return point if converged else None

    def follow(self, point: Point, step: Step) -> Point | None:
        """Halve the step until it brings enough; None where none does."""
        size, slack = min(1.0, KEPT * self.room(point, step)), self.slack(point)
        for _ in range(MAX_HALVINGS):
            theta = self.project(point.theta + size * step.theta, point.theta)
            further = self.at(theta, point.cutpoints + size * step.cutpoints)
            least = point.log_likelihood + SUFFICIENT * size * step.rise - slack
            if further is not None and further.log_likelihood >= least:
                return further
            size /= 2
        return None

    def newton_step(self, point: Point, information: Arrow, free: NDArray[np.bool_]) -> Step | None:
        """Solve the bordered system for the free parameters; None where it has no finite solution."""
        own, border, schur = information.eliminate(point.by_cutpoints)
        schur = schur[np.ix_(free, free)]
        if not np.isfinite(schur).all():
            return None
        rest = (point.by_theta - inner(information.border, own))[free]
        theta, least = np.zeros(len(free)), np.inf
        if free.any():
            theta[free], least = solve_upwards(schur, rest)
        cutpoints = self.cutpoint_step(own, theta, border)
        rise = float(inner(point.by_cutpoints, cutpoints) + point.by_theta @ theta)
        return Step(theta, cutpoints, rise, least > 0) if np.isfinite(rise) else None

    def cutpoint_step(self, own: Floats, theta: Floats, border: Floats) -> Floats:
        """Their own step minus what they follow of the step of theta."""
        return np.asarray(own - theta @ border)


def highest(first: Point | None, second: Point | None) -> Point | None:
    """The higher of two maxima, the first if both are the same."""
    if first is None or second is None:
        return first or second
    return second if second.log_likelihood > first.log_likelihood + SAME else first


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


def _rising(cutpoints: Floats, step: float) -> Floats:
    """Pull apart cut-points that fell together where a poor curve leaves no cases between them."""
    if bool((np.diff(cutpoints) > 0).all()):
        return cutpoints
    return np.asarray(np.maximum.accumulate(cutpoints) + step * np.arange(len(cutpoints)))


# ---- The binormal model -----------------------------------------------------------------------------------


class BinormalLikelihood(Likelihood):
    """The curves with any a and b > 0; on the scale of the positives a cut-point t lies at b t - a.

    Its information is written out, without the derivatives of a `Shape`.
    """

    max_steps: ClassVar[int] = 200
    takes_last_step: ClassVar[bool] = True
    # Twice the expected gain of a step after which the maximum is reached: the step squares what error is
    # left. With very many categories that is below all rounding sooner.
    TOLERANCE: ClassVar[float] = 1e-12
    TOLERANCE_OF_MANY: ClassVar[float] = 1e-9

    def first_cutpoints(self, theta: Floats) -> Floats:
        """They solve n_neg Phi(t) + n_pos Phi(b t - a) = cases below.

        In narrow categories that is the maximum for given a and b but for a share of one over the root of the
        number of cases, so few Newton steps follow.
        """
        return binormal_cutpoints(self.categories, *theta.tolist())

    def at(self, theta: Floats, cutpoints: Floats) -> Point | None:
        """None where the cut-points do not rise in both classes."""
        a, b = theta.tolist()
        if not b > 0 or not bool((np.diff(cutpoints) > 0).all() and (np.diff(b * cutpoints - a) > 0).all()):
            return None
        point = self.evaluate(cutpoints, a, b)
        return point if np.isfinite(point.log_likelihood) else None

    def evaluate(self, cutpoints: Floats, a: float, b: float) -> Point:
        """Log-likelihood, gradient and observed information at rising cut-points."""
        neg = class_terms(cutpoints, self.categories.neg)
        pos = class_terms(b * cutpoints - a, self.categories.pos)
        return Point(
            theta=np.array([a, b]),
            cutpoints=cutpoints,
            log_likelihood=neg.log_likelihood + pos.log_likelihood,
            by_cutpoints=neg.score + b * pos.score,
            by_theta=np.array([-pos.score.sum(), inner(cutpoints, pos.score)]),
            information=binormal_information(cutpoints, b, neg, pos, pos.score),
        )

    def step(self, point: Point) -> Step | None:
        """Of the free parameters and all cut-points."""
        return self.newton_step(point, point.information, self.free(point.theta, point.by_theta))

    def cutpoint_step(self, own: Floats, theta: Floats, border: Floats) -> Floats:
        """In this order, whose rounding does not depend on BLAS."""
        return np.asarray(own - theta[0] * border[0] - theta[1] * border[1])

    def room(self, point: Point, step: Step) -> float:
        """Here b > 0 is an end of the way as well."""
        closing = np.diff(step.cutpoints) / np.diff(point.cutpoints)
        fastest = min(float(closing.min(initial=0.0)), float(step.theta[1] / point.theta[1]))
        return np.inf if fastest >= 0 else -1 / fastest

    def slack(self, point: Point) -> float:
        """Every case adds rounding."""
        n = float(self.categories.neg.sum() + self.categories.pos.sum())
        return 10 * EPS * (abs(point.log_likelihood) + n)

    def arrival(self, point: Point, step: Step, last: float) -> tuple[bool, bool]:
        """The rise is small; the rounding of the cut-points alone may cause one."""
        information, t = point.information, point.cutpoints
        size = (2 * information.coupling.sum() + information.excess.sum()) * inner(t, t) / len(t)
        least = self.TOLERANCE if len(t) < MANY else self.TOLERANCE_OF_MANY
        ends = step.rise <= least + 100 * EPS**2 * float(size)
        return ends, ends and step.concave


def binormal_cutpoints(categories: latent.Categories, a: float, b: float) -> Floats:
    """Cut-points at which both classes of a binormal curve together have as many cases below as the data."""
    z = np.linspace(-10.0, 10.0, 2001)
    places = np.sort(np.concatenate([z, (z + a) / b]))
    pooled = categories.neg.sum() * special.ndtr(places) + categories.pos.sum() * special.ndtr(b * places - a)
    cuts = np.interp(np.cumsum(categories.neg + categories.pos)[:-1], pooled, places)
    return _rising(cuts, 1e-6 * (1 + np.abs(cuts).max()))


# ---- Models with a shape and a range of their parameters --------------------------------------------------


class ShapeLikelihood(Likelihood):
    """Any smooth family of curves; parameters rest at the ends of their range."""

    max_steps: ClassVar[int] = 500
    takes_last_step: ClassVar[bool] = False
    # Rise, expected of the next step, below which the maximum is reached; and below which it is reached where
    # rounding allows nothing better.
    TOLERANCE: ClassVar[float] = 1e-18
    STUCK: ClassVar[float] = 1e-7

    @abstractmethod
    def shape(self, theta: Floats) -> latent.Shape:
        """The curve with these parameters."""

    def first_cutpoints(self, theta: Floats) -> Floats:
        """From the pooled distribution at many places."""
        places = np.linspace(-9.0, 9.0, 801)
        counts = self.categories
        pooled = counts.n_neg * special.ndtr(places) + counts.n_pos * self.shape(theta).tails(places)[0]
        return _rising(np.interp(np.cumsum(counts.neg + counts.pos)[:-1], pooled, places), 1e-6)

    @np.errstate(over="ignore", invalid="ignore", divide="ignore")
    def at(self, theta: Floats, cutpoints: Floats) -> Point | None:
        """None too where the cut-points lie so far out that numbers end."""
        at = self.shape(theta).local(cutpoints).deviates()
        if not bool((np.diff(cutpoints) > 0).all() and (np.diff(at.x) > 0).all()):
            return None
        neg, pos = (
            class_terms(cutpoints, self.categories.neg),
            class_terms(at.x, self.categories.pos),
        )
        total = neg.log_likelihood + pos.log_likelihood
        upright = _upright(at, neg, pos)
        if not np.isfinite(total) or not np.isfinite(upright.corner).all():
            return None
        return Point(
            theta=theta,
            cutpoints=cutpoints,
            log_likelihood=total,
            by_cutpoints=neg.score + at.by_t * pos.score,
            by_theta=inner(at.by_parameters, pos.score),
            information=Arrow(
                excess=upright.excess - pos.score * at.by_t_twice,
                coupling=upright.coupling,
                border=upright.border - pos.score * at.by_both,
                corner=upright.corner - inner(at.curvature, pos.score),
            ),
            upright=upright,
        )

    def covariance(self, shape: latent.Shape, cutpoints: Floats) -> Floats | None:
        """Inverse of Fisher's information about the parameters of a shape; None where it is singular."""
        deviates = shape.local(cutpoints).deviates()
        neg = expected_terms(cutpoints, self.categories.n_neg)
        pos = expected_terms(deviates.x, self.categories.n_pos)
        return _upright(deviates, neg, pos).covariance()

    def step(self, point: Point) -> Step | None:
        """Where the information is not positive, the step does without the curvature of the family."""
        free = self.free(point.theta, point.by_theta)
        for information in (point.information, point.upright):
            assert information is not None
            step = self.newton_step(point, information, free)
            if step is not None and step.rise >= 0:
                return step
        return None

    def room(self, point: Point, step: Step) -> float:
        """Parameters need none: they are projected into their range."""
        gaps, change = np.diff(point.cutpoints), np.diff(step.cutpoints)
        shrinking = change < 0
        return float((gaps[shrinking] / -change[shrinking]).min(initial=np.inf))

    def slack(self, point: Point) -> float:
        """In proportion to the log-likelihood."""
        return 10 * EPS * abs(point.log_likelihood)

    def arrival(self, point: Point, step: Step, last: float) -> tuple[bool, bool]:
        """The rise is as small as it gets: it has stopped to fall, or is below all rounding."""
        converged = step.rise < self.STUCK
        return step.rise <= self.TOLERANCE or (converged and step.rise >= last), converged


def _upright(at: latent.Deviates, neg: ClassTerms, pos: ClassTerms) -> Arrow:
    """Information without the curvature of the deviates."""
    product = pos.times(at.by_parameters)
    return Arrow(
        excess=neg.excess + at.by_t * pos.times(at.by_t),
        coupling=neg.coupling + pos.coupling * at.by_t[:-1] * at.by_t[1:],
        border=at.by_t * product,
        corner=inner(at.by_parameters, product),
    )
