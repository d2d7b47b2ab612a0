"""Estimates that are not numbers of classes, such as a marker or a probability, on the scale of the classes.

Thresholds lie between the numbers of neighbouring classes, so estimates on another scale give areas that say
nothing. Both maps here never fall, so that the order of the estimates stays; the direction is never guessed.

"rank" uses the order of the estimates and the shares of the classes alone. If a share p_1 of the cases is
of the first class, the lowest p_1 of the estimates come nearest to its number, the next p_2 nearest to the
second, and so on; inside a share the map is linear in the rank. Which case is of which class plays no part
in it.

"calibrated" is isotonic regression of the class on the estimate. Fitted to the cases that it maps it would
fit chance, so it is cross-fitted: each case is mapped by the regression on the other folds. As any
regression it draws estimates to the middle.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats

from rocscope.core.resampling import Rng, stratified_folds
from rocscope.core.scores import OrdinalScores
from rocscope.errors import RocInputError

Floats = NDArray[np.float64]
Scale: TypeAlias = Literal["raw", "rank", "calibrated"]
SCALES: tuple[Scale, ...] = ("raw", "rank", "calibrated")
# Folds of the isotonic regression, where the cases have none.
FOLDS = 10


@dataclass(frozen=True, slots=True)
class ScaleMap:
    """The map of all cases together: estimates as they came, ascending, and where they come to lie."""

    raw: Floats
    mapped: Floats

    def cutoffs(self, thresholds: Floats) -> Floats:
        """The lowest estimate at or above each threshold; just above all estimates if there is none.

        Examples
        --------
        >>> ScaleMap(np.array([5.0, 7.0, 9.0]), np.array([1.0, 1.5, 2.0])).cutoffs(np.array([1.2, 1.5]))
        array([7., 7.])
        """
        beyond = np.append(self.raw, np.nextafter(self.raw[-1], np.inf))
        return np.asarray(beyond[np.searchsorted(self.mapped, thresholds)])


def rescale(rows: OrdinalScores, scale: Scale, rng: Rng = None) -> tuple[OrdinalScores, ScaleMap]:
    """Put estimates on the scale of the classes, two of which have members.

    Examples
    --------
    >>> rows = OrdinalScores.from_arrays([1, 1, 2, 2, 2, 2], [0.1, 0.2, 0.3, 0.5, 0.7, 0.9])
    >>> rescale(rows, "rank")[0].estimates.round(3).tolist()
    [0.75, 1.25, 1.625, 1.875, 2.125, 2.375]
    """
    estimates, values = rows.estimates, rows.values
    if scale == "rank":
        mapped = _class_of_share(values, (stats.rankdata(estimates) - 0.5) / estimates.size)
    else:
        fold = rows.fold
        if fold is None:
            largest = int(np.unique(values, return_counts=True)[1].max())
            if largest < 2:
                raise RocInputError(
                    "must be 'raw' or 'rank' where no class has two cases, got 'calibrated'", argument="scale"
                )
            fold = stratified_folds(values, min(FOLDS, largest), rng, every_class=False)
        mapped = np.empty(estimates.size)
        for name in dict.fromkeys(fold.tolist()):
            inside = np.asarray(fold == name)
            mapped[inside] = np.interp(estimates[inside], *isotonic(estimates[~inside], values[~inside]))
    if scale == "calibrated":
        return replace(rows, estimates=mapped), ScaleMap(*isotonic(estimates, values))
    raw, first = np.unique(estimates, return_index=True)
    return replace(rows, estimates=mapped), ScaleMap(raw, mapped[first])


def isotonic(estimates: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Isotonic regression: the distinct estimates, and the mean classes that never fall and fit best.

    Examples
    --------
    >>> [part.tolist() for part in isotonic(np.array([1.0, 2.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0, 2.0]))]
    [[1.0, 2.0, 3.0], [1.0, 2.3333333333333335, 2.3333333333333335]]
    """
    distinct, place, counts = np.unique(estimates, return_inverse=True, return_counts=True)
    means = np.bincount(place, weights=values) / counts
    return distinct, optimize.isotonic_regression(means, weights=counts).x


def _class_of_share(values: Floats, share: Floats) -> Floats:
    """Where a share of all cases, counted from below, lies among the classes: linear between knots.

    The knots are the middle of each class's share, which is its number, and the ends of the shares, which lie
    half-way to the next class; beyond the outer classes as far as inside of them.
    """
    classes, counts = np.unique(values, return_counts=True)
    ends = np.append(0, np.cumsum(counts)) / values.size
    half = np.diff(classes) / 2
    borders = np.concatenate([classes[:1] - half[0], classes[:-1] + half, classes[-1:] + half[-1]])
    knots, at = np.empty(2 * classes.size + 1), np.empty(2 * classes.size + 1)
    knots[::2], knots[1::2] = ends, (ends[1:] + ends[:-1]) / 2
    at[::2], at[1::2] = borders, classes
    return np.asarray(np.interp(share, knots, at))
