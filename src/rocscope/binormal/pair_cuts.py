"""Cut-points of one classifier for one class of a pair: at most 20 categories of about equal probability.

Cut-points between the categories of the fit have fitted deviates. Inside a run of cases of one class the
fit has none; there the likelihood of all distinct scores is highest where the class has its share of the
run's probability, so that every distinct score of the class can be a cut-point.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal.latent import Floats, normal_density

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
