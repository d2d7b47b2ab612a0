"""Correlation of two latent scores inside one class, from counts over both sets of categories.

The margins are taken as fitted; the likelihood of the cells, probabilities of bivariate normal rectangles,
is a function of the correlation alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal.normal import Floats, bivariate_cdf, bivariate_density, cells, normal_density

MAX_STEPS = 200
MAX_HALVINGS = 40
# Steps below the first end the search; those below the second do where rounding keeps them from shrinking.
TOLERANCE, ROUGH = 1e-12, 1e-6
# Share of the log-likelihood that rounding may take from a step.
SLACK = 1e-14
# Cells with less probability are rounding.
LEAST_CELL = 1e-16
# Beyond this, on the scale of Fisher's z, a correlation is 1 for all that double precision can tell.
FARTHEST = 7.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationFit:
    """The estimate with the score of each cell, and the information about it and about the cut-points.

    `rho` is 1 or -1 where the likelihood rises up to there, and None where the cells tell nothing of it.
    """

    rho: float | None
    reason: str | None
    score: Floats
    information: float
    by_first: Floats
    by_second: Floats


def count_cells(
    first: NDArray[np.int64], second: NDArray[np.int64], shape: tuple[int, ...]
) -> NDArray[np.int64]:
    """Cases in every cell."""
    return np.bincount(first * shape[1] + second, minlength=shape[0] * shape[1]).reshape(shape)


def common_order(first: NDArray[Any], second: NDArray[Any]) -> int:
    """1 if two scores order all cases the same way, ties included, -1 if the opposite way, else 0.

    Examples
    --------
    >>> common_order(np.array([1, 2, 3]), np.array([8, 7, 5]))
    -1
    """
    (values, ranks), (_, others) = (np.unique(scores, return_inverse=True) for scores in (first, second))
    if np.array_equal(ranks, others):
        return 1
    return -1 if np.array_equal(ranks, len(values) - 1 - others) else 0


def fit_correlation(counts: NDArray[np.int64], x: Floats, y: Floats, *, order: int = 0) -> CorrelationFit:
    """Maximum-likelihood correlation, the cut-points x and y given as deviates of the class.

    `order` is 1 or -1 where the scores are known to order the cases alike or oppositely (`common_order`).

    Examples
    --------
    >>> fitted = fit_correlation(np.array([[40, 10], [10, 40]]), np.array([0.0]), np.array([0.0]))
    >>> round(fitted.rho, 6)  # sin(pi / 2 * (4 * 0.4 - 1))
    0.809017
    """
    if min(np.count_nonzero(counts.sum(axis=1)), np.count_nonzero(counts.sum(axis=0))) < 2:
        return _ended(None, "all its cases lie in one category of a score", counts)
    if order:
        how = "alike" if order > 0 else "in opposite ways"
        return _ended(float(order), f"the two scores order its cases {how}", counts)
    if _at(0.0, counts, x, y).information <= 0:
        return _ended(None, "its cut-points lie so far out that no cell depends on it", counts)
    z = _search(counts, x, y)
    if z is None:
        return _ended(None, f"{MAX_STEPS} steps did not reach a maximum of the likelihood", counts)
    if abs(z) >= FARTHEST:
        return _ended(math.copysign(1.0, z), "the likelihood rises up to there", counts)
    return _at(math.tanh(z), counts, x, y)


def _search(counts: NDArray[np.int64], x: Floats, y: Floats) -> float | None:
    """Fisher's scoring on the scale of Fisher's z, where the correlation has no bounds."""
    z, here, last = 0.0, _log_likelihood(0.0, counts, x, y), math.inf
    for _ in range(MAX_STEPS):
        fitted = _at(math.tanh(z), counts, x, y)
        if fitted.information <= 0:
            # Out here no cell changes any more: the likelihood has come up to its limit.
            return math.copysign(FARTHEST, z)
        slope = float((counts * fitted.score).sum()) / math.cosh(z) ** 2
        step = max(-1.0, min(1.0, slope * math.cosh(z) ** 4 / fitted.information))
        if abs(step) <= TOLERANCE or last <= abs(step) < ROUGH:
            return z
        last = abs(step)
        for _ in range(MAX_HALVINGS):
            there = _log_likelihood(z + step, counts, x, y)
            if there >= here - SLACK * abs(here):
                break
            step /= 2
        z, here = z + step, there
        if abs(z) >= FARTHEST:
            return z
    return None


def _log_likelihood(z: float, counts: NDArray[np.int64], x: Floats, y: Floats) -> float:
    mass = np.maximum(cells(bivariate_cdf, x, y, math.tanh(z)), LEAST_CELL)
    return float((counts * np.log(mass)).sum())


def _at(rho: float, counts: NDArray[np.int64], x: Floats, y: Floats) -> CorrelationFit:
    """Score of every cell at a correlation inside (-1, 1), and the expected information."""
    mass = np.maximum(cells(bivariate_cdf, x, y, rho), LEAST_CELL)
    by_rho = cells(bivariate_density, x, y, rho)
    n, score = counts.sum(), by_rho / mass
    return CorrelationFit(
        rho=rho,
        reason=None,
        score=score,
        information=float(n * (by_rho * score).sum()),
        by_first=n * _along(x, y, rho, score),
        by_second=n * _along(y, x, rho, score.T),
    )


def _along(x: Floats, y: Floats, rho: float, score: Floats) -> Floats:
    """Information about rho and each x: a cut-point moves mass from the row above it to the one below."""
    ends = np.concatenate([[-np.inf], y, [np.inf]])
    given = special.ndtr((ends[np.newaxis, :] - rho * x[:, np.newaxis]) / math.sqrt(1 - rho**2))
    flow = normal_density(x)[:, np.newaxis] * np.diff(given, axis=1)
    return np.asarray((flow * (score[:-1] - score[1:])).sum(axis=1))


def _ended(rho: float | None, reason: str, counts: NDArray[np.int64]) -> CorrelationFit:
    """A correlation at its limit or undefined: there is no information about it."""
    nothing = [np.zeros(n - 1) for n in counts.shape]
    return CorrelationFit(
        rho=rho,
        reason=reason,
        score=np.zeros(counts.shape),
        information=0.0,
        by_first=nothing[0],
        by_second=nothing[1],
    )


# -----------------------------------------------------------------------------------------------------------
# Cut-points of one classifier for one class of a pair: at most 20 categories of about equal probability
# Cut-points between the categories of the fit have fitted deviates. Inside a run of cases of one class the
# fit has none; there the likelihood of all distinct scores is highest where the class has its share of the
# run's probability, so that every distinct score of the class can be a cut-point.

MAX_CATEGORIES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Cuts:
    """Cut-points between neighbouring scores of a class.

    Attributes
    ----------
    values
        Scores; those not above them lie below the cut-point.
    deviates
        Fitted deviates of the class.
    left, right, share
        The probability below the cut-point is that at the fitted cut-point `left` and a share of that from
        there to `right`. Counted from 0 at minus infinity, `left` and `right` are the ends of the category
        that holds both neighbours. Between two categories any place will do, and the middle is taken.
    mass, members
        Probability between both ends, and how many cases of the class lie there.
    """

    values: NDArray[Any]
    deviates: Floats
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    share: Floats
    mass: Floats
    members: NDArray[np.int64]

    def cells(self, scores: NDArray[Any]) -> NDArray[np.int64]:
        """Number of cut-points below every score."""
        return np.asarray(np.searchsorted(self.values, scores, side="left"))

    def spread(self, by: Floats, fitted: Floats) -> Floats:
        """From derivatives by these deviates to derivatives by all fitted deviates of the class."""
        height = normal_density(_with_ends(fitted))
        weight = by / normal_density(self.deviates)
        found = np.zeros(len(height))
        np.add.at(found, self.left, weight * (1 - self.share) * height[self.left])
        np.add.at(found, self.right, weight * self.share * height[self.right])
        return found[1:-1]

    def within(self, by: Floats, scores: NDArray[Any], category: NDArray[np.int64]) -> Floats:
        """Influence of the cases of the class through the shares inside categories."""
        found = np.zeros(len(scores))
        for j in np.flatnonzero(self.members):
            inside = category == self.left[j]
            weight = by[j] * self.mass[j] / normal_density(self.deviates[j]) / self.members[j]
            found[inside] += weight * ((scores[inside] <= self.values[j]) - self.share[j])
        return found


def choose_cuts(
    scores: NDArray[Any], category: NDArray[np.int64], fitted: Floats, most: int = MAX_CATEGORIES
) -> Cuts:
    """Cut-points of a class whose cases have these scores and categories; `fitted` are its deviates.

    Examples
    --------
    >>> scores, category = np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 1, 1, 1])
    >>> cuts = choose_cuts(scores, category, np.array([-0.67449]))
    >>> cuts.values.tolist(), special.ndtr(cuts.deviates).round(3).tolist()
    ([1.0, 2.0, 3.0], [0.25, 0.5, 0.75])
    """
    values, first, counts = np.unique(scores, return_index=True, return_counts=True)
    home, members = category[first], np.bincount(category, minlength=len(fitted) + 1)
    inside = home[:-1] == home[1:]
    left, right = np.where(inside, home[:-1], home[:-1] + 1), np.where(inside, home[:-1] + 1, home[1:])
    before = (np.cumsum(members) - members)[home[:-1]]
    share = np.where(inside, (np.cumsum(counts)[:-1] - before) / members[home[:-1]], 0.5)
    ends = special.ndtr(_with_ends(fitted))
    below = ends[left] + share * (ends[right] - ends[left])
    kept = _nearest(below, np.arange(1, most) / most)
    return Cuts(
        values=values[kept],
        deviates=special.ndtri(below[kept]),
        left=left[kept],
        right=right[kept],
        share=share[kept],
        mass=(ends[right] - ends[left])[kept],
        members=np.where(inside, members[home[:-1]], 0)[kept],
    )


def _with_ends(fitted: Floats) -> Floats:
    return np.concatenate([[-np.inf], fitted, [np.inf]])


def _nearest(rising: Floats, wanted: Floats) -> NDArray[np.int64]:
    """Places of the numbers nearest to those wanted, or of all if they are few."""
    if len(rising) <= len(wanted):
        return np.arange(len(rising))
    right = np.searchsorted(rising, wanted).clip(1, len(rising) - 1)
    left_is_nearer = wanted - rising[right - 1] < rising[right] - wanted
    return np.unique(np.where(left_is_nearer, right - 1, right))
