"""Maximum likelihood for any smooth family of curves, on counts in categories.

A curve is told by the distribution G(t) of the positives on the scale where the negatives are standard
normal. With x = Phi^-1(G(t)) the positives are normal as well, so both classes have the terms of
`likelihood`, and the chain rule brings those of the positives to the cut-points t and to the parameters.
The information keeps its arrow form, and a step its cost, which grows with the number of categories alone.

The way up is not that of `newton`, whose parameters a and b have no range to stay in: here parameters rest at
the ends of theirs, a step may do without the curvature of the family, and the search ends otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

from rocscope.binormal.fit import Undefined, curve_along_sides, why_undefined, zero_variance
from rocscope.binormal.latent import Categories, Deviates, Floats, Shape
from rocscope.binormal.likelihood import Arrow, ClassTerms, class_terms, expected_terms, inner, solve_upwards
from rocscope.core.table import ScoreTable

MAX_STEPS = 500
MAX_HALVINGS = 50
# Rise of the log-likelihood, expected of the next step, below which the maximum is reached; and below which
# it is reached where rounding allows nothing better.
TOLERANCE, STUCK = 1e-18, 1e-7
EPS = float(np.finfo(np.float64).eps)
# Log-likelihoods that differ by less are the same maximum.
SAME = 1e-7
SINGULAR = "the information about the curve is singular"
NO_MAXIMUM = f"{MAX_STEPS} Newton steps from several starts did not reach a maximum of the likelihood"
# Share of the expected rise that a step must bring, and of the way until two cut-points meet.
SUFFICIENT, KEPT = 1e-4, 0.99
# Reach and number of the places at which the pooled distribution is tabulated for the first cut-points.
REACH, PLACES = 9.0, 801


class Family(Protocol):
    """A family of curves whose parameters have a range."""

    def shape(self, theta: Floats) -> Shape:
        """The curve with these parameters."""

    def project(self, theta: Floats, previous: Floats) -> Floats:
        """The parameters moved into their range, on the way from the previous ones."""

    def free(self, theta: Floats, slope: Floats) -> NDArray[np.bool_]:
        """Which parameters may move, given the slope of the log-likelihood by each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The end of a search; `free` tells which parameters lie inside their range."""

    theta: Floats
    cutpoints: Floats
    log_likelihood: float
    gradient: float
    free: NDArray[np.bool_]
    converged: bool


class _Place(NamedTuple):
    """Parameters on the way, and the log-likelihood there with its derivatives."""

    theta: Floats
    cutpoints: Floats
    log_likelihood: float
    by_cutpoints: Floats
    by_theta: Floats
    arrow: Arrow
    upright: Arrow


class _Step(NamedTuple):
    """Where to go, and the rise that is expected there."""

    theta: Floats
    cutpoints: Floats
    rise: float


def fit_family(
    family: Family, categories: Categories, starts: Iterable[Floats], *, enough: bool = False
) -> Fitted | None:
    """Climb from every start; return the highest maximum, or None where no start leads to one.

    With `enough` the first start is enough that leads to a maximum inside the range of the parameters.
    """
    best: Fitted | None = None
    for start in starts:
        found = _climb(family, categories, np.asarray(start, dtype=np.float64))
        best = highest(best, found if found is not None and found.converged else None)
        if enough and best is not None and best.free.all():
            break
    return best


def highest(first: Fitted | None, second: Fitted | None) -> Fitted | None:
    """The higher of two maxima, the first if both are the same."""
    if first is None or second is None:
        return first or second
    return second if second.log_likelihood > first.log_likelihood + SAME else first


def covariance(shape: Shape, cutpoints: Floats, categories: Categories) -> Floats | None:
    """Inverse of Fisher's information about the parameters of a shape; None where it is singular."""
    deviates = shape.local(cutpoints).deviates()
    neg = expected_terms(cutpoints, categories.n_neg)
    pos = expected_terms(deviates.x, categories.n_pos)
    return _upright(deviates, neg, pos).covariance()


def pooled_cutpoints(shape: Shape, categories: Categories) -> Floats:
    """Cut-points at which both classes together have as many cases below as the data."""
    places = np.linspace(-REACH, REACH, PLACES)
    pooled = categories.n_neg * special.ndtr(places) + categories.n_pos * shape.tails(places)[0]
    cuts = np.interp(np.cumsum(categories.neg + categories.pos)[:-1], pooled, places)
    if bool((np.diff(cuts) > 0).all()):
        return cuts
    return np.asarray(np.maximum.accumulate(cuts) + 1e-6 * np.arange(len(cuts)))


# ---- The way up -------------------------------------------------------------------------------------------


def _climb(family: Family, categories: Categories, theta: Floats) -> Fitted | None:
    place = _place(family, theta, pooled_cutpoints(family.shape(theta), categories), categories)
    if place is None:
        return None
    last, converged = np.inf, False
    for _ in range(MAX_STEPS):
        step = _step(family, place)
        if step is None:
            break
        converged = step.rise < STUCK
        arrived = step.rise <= TOLERANCE or (converged and step.rise >= last)
        further = None if arrived else _follow(family, place, step, categories)
        if further is None:
            break
        place, last = further, step.rise
    free = family.free(place.theta, place.by_theta)
    return Fitted(
        theta=place.theta,
        cutpoints=place.cutpoints,
        log_likelihood=place.log_likelihood,
        gradient=float(np.abs(np.append(place.by_cutpoints, place.by_theta[free])).max()),
        free=free,
        converged=converged,
    )


def _step(family: Family, place: _Place) -> _Step | None:
    """Newton's step; where the information is not positive, without the curvature of the family."""
    free = family.free(place.theta, place.by_theta)
    for arrow in (place.arrow, place.upright):
        try:
            step = _solve(arrow, place, free)
        except linalg.LinAlgError:
            continue
        if np.isfinite(step.rise) and step.rise >= 0:
            return step
    return None


def _solve(arrow: Arrow, place: _Place, free: NDArray[np.bool_]) -> _Step:
    alone, border, schur = arrow.eliminate(place.by_cutpoints)
    wanted = place.by_theta - inner(arrow.border, alone)
    theta = np.zeros(len(place.theta))
    if free.any():
        theta[free] = solve_upwards(schur[np.ix_(free, free)], wanted[free])[0]
    cutpoints = alone - theta @ border
    return _Step(theta, cutpoints, float(inner(place.by_cutpoints, cutpoints) + place.by_theta @ theta))


def _follow(family: Family, place: _Place, step: _Step, categories: Categories) -> _Place | None:
    """Halve the step until it brings enough; None where none does."""
    size = min(1.0, KEPT * _room(place.cutpoints, step.cutpoints))
    slack = 10 * EPS * abs(place.log_likelihood)
    for _ in range(MAX_HALVINGS):
        theta = family.project(place.theta + size * step.theta, place.theta)
        further = _place(family, theta, place.cutpoints + size * step.cutpoints, categories)
        wanted = place.log_likelihood + SUFFICIENT * size * step.rise - slack
        if further is not None and further.log_likelihood >= wanted:
            return further
        size /= 2
    return None


def _room(cutpoints: Floats, step: Floats) -> float:
    """How far the step can be followed until two cut-points meet."""
    gaps, change = np.diff(cutpoints), np.diff(step)
    shrinking = change < 0
    return float((gaps[shrinking] / -change[shrinking]).min(initial=np.inf))


# ---- The log-likelihood and its derivatives ---------------------------------------------------------------


@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def _place(family: Family, theta: Floats, cutpoints: Floats, categories: Categories) -> _Place | None:
    """Evaluate the log-likelihood; None where cut-points have met, or lie so far out that numbers end."""
    at = family.shape(theta).local(cutpoints).deviates()
    if not bool((np.diff(cutpoints) > 0).all() and (np.diff(at.x) > 0).all()):
        return None
    neg, pos = class_terms(cutpoints, categories.neg), class_terms(at.x, categories.pos)
    total = neg.log_likelihood + pos.log_likelihood
    upright = _upright(at, neg, pos)
    if not np.isfinite(total) or not np.isfinite(upright.corner).all():
        return None
    return _Place(
        theta=theta,
        cutpoints=cutpoints,
        log_likelihood=total,
        by_cutpoints=neg.score + at.by_t * pos.score,
        by_theta=inner(at.by_parameters, pos.score),
        arrow=Arrow(
            excess=upright.excess - pos.score * at.by_t_twice,
            coupling=upright.coupling,
            border=upright.border - pos.score * at.by_both,
            corner=upright.corner - inner(at.curvature, pos.score),
        ),
        upright=upright,
    )


def _upright(at: Deviates, neg: ClassTerms, pos: ClassTerms) -> Arrow:
    """Information without the curvature of the deviates, which is positive everywhere."""
    product = _times(pos, at.by_parameters)
    return Arrow(
        excess=neg.excess + at.by_t * _times(pos, at.by_t),
        coupling=neg.coupling + pos.coupling * at.by_t[:-1] * at.by_t[1:],
        border=at.by_t * product,
        corner=inner(at.by_parameters, product),
    )


def _times(terms: ClassTerms, rows: Floats) -> Floats:
    """The tridiagonal matrix of a class times rows."""
    flux = terms.coupling * np.diff(rows, axis=-1)
    product = terms.excess * rows
    product[..., :-1] -= flux
    product[..., 1:] += flux
    return np.asarray(product)


# ---- Whether a curve with a falling slope can be fitted to the data ---------------------------------------

_Fit = TypeVar("_Fit", bound=Any)


def name_zero_variance(fit: _Fit, table: ScoreTable) -> _Fit:
    """Put the class whose scores are all equal, if there is one, into the reason of a degenerate fit."""
    if fit.status != "degenerate":
        return fit
    return replace(fit, reason="; ".join(filter(None, (zero_variance(table), fit.reason))))


def why_no_concave_curve(categories: Categories) -> Undefined | None:
    """As `why_undefined`; but where both classes spread, a concave curve may fit where no straight one does.

    None of them runs along a line of slope 0 or infinity, except the perfect one.
    """
    found = why_undefined(categories)
    if found is None or found.status != "degenerate":
        return found
    if curve_along_sides(categories) == "perfect":
        return found
    spread = min(np.count_nonzero(counts) for counts in (categories.neg, categories.pos)) > 1
    return None if spread else found
