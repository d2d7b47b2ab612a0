"""The maximum of the likelihood of counts in categories: one maximiser for all models of this room.

A model has a vector of parameters, theta, and a cut-point between every two categories. It is known by the
deviates x(t) of the positives at the cut-points t of the negatives, on whose scale the positives are standard
normal: so both classes have the terms of `likelihood`, and the chain rule brings those of the positives to t
and theta. The information keeps its arrow form, and a step its cost, which grows with the number of
categories alone.

For fixed theta the log-likelihood is concave in the cut-points. What is left for theta is a small matrix;
where it is not positive definite, its eigenvalues are made so. Every direction therefore leads upwards, and
steps are shortened until they do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal import latent, likelihood
from rocscope.binormal.normal import Floats

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
    information: likelihood.Arrow
    upright: likelihood.Arrow | None = None


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

    def newton_step(
        self, point: Point, information: likelihood.Arrow, free: NDArray[np.bool_]
    ) -> Step | None:
        """Solve the bordered system for the free parameters; None where it has no finite solution."""
        own, border, schur = information.eliminate(point.by_cutpoints)
        schur = schur[np.ix_(free, free)]
        if not np.isfinite(schur).all():
            return None
        rest = (point.by_theta - likelihood.inner(information.border, own))[free]
        theta, least = np.zeros(len(free)), np.inf
        if free.any():
            theta[free], least = solve_upwards(schur, rest)
        cutpoints = self.cutpoint_step(own, theta, border)
        rise = float(likelihood.inner(point.by_cutpoints, cutpoints) + point.by_theta @ theta)
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
        neg = likelihood.class_terms(cutpoints, self.categories.neg)
        pos = likelihood.class_terms(b * cutpoints - a, self.categories.pos)
        return Point(
            theta=np.array([a, b]),
            cutpoints=cutpoints,
            log_likelihood=neg.log_likelihood + pos.log_likelihood,
            by_cutpoints=neg.score + b * pos.score,
            by_theta=np.array([-pos.score.sum(), likelihood.inner(cutpoints, pos.score)]),
            information=likelihood.binormal_information(cutpoints, b, neg, pos, pos.score),
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
        size = (2 * information.coupling.sum() + information.excess.sum()) * likelihood.inner(t, t) / len(t)
        least = self.TOLERANCE if len(t) < likelihood.MANY else self.TOLERANCE_OF_MANY
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
            likelihood.class_terms(cutpoints, self.categories.neg),
            likelihood.class_terms(at.x, self.categories.pos),
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
            by_theta=likelihood.inner(at.by_parameters, pos.score),
            information=likelihood.Arrow(
                excess=upright.excess - pos.score * at.by_t_twice,
                coupling=upright.coupling,
                border=upright.border - pos.score * at.by_both,
                corner=upright.corner - likelihood.inner(at.curvature, pos.score),
            ),
            upright=upright,
        )

    def covariance(self, shape: latent.Shape, cutpoints: Floats) -> Floats | None:
        """Inverse of Fisher's information about the parameters of a shape; None where it is singular."""
        deviates = shape.local(cutpoints).deviates()
        neg = likelihood.expected_terms(cutpoints, self.categories.n_neg)
        pos = likelihood.expected_terms(deviates.x, self.categories.n_pos)
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


def _upright(at: latent.Deviates, neg: likelihood.ClassTerms, pos: likelihood.ClassTerms) -> likelihood.Arrow:
    """Information without the curvature of the deviates."""
    product = pos.times(at.by_parameters)
    return likelihood.Arrow(
        excess=neg.excess + at.by_t * pos.times(at.by_t),
        coupling=neg.coupling + pos.coupling * at.by_t[:-1] * at.by_t[1:],
        border=at.by_t * product,
        corner=likelihood.inner(at.by_parameters, product),
    )
