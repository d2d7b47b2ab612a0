"""Two normal classes: the population of a Monte-Carlo study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks
from rocscope.errors import RocInputError

Floats = NDArray[np.float64]
DIMENSION = 5
SEPARATION = 0.8
MOST_SEPARATION = 1e6
# Products of four features neither overflow nor vanish inside this range.
VARIANCES = (1e-50, 1e50)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Population:
    """Two normal classes with the origin half-way between their means; no learner sees where it is.

    Attributes
    ----------
    mean
        Mean of the positives less that of the negatives.
    covariances
        Of the negatives and of the positives, (2, p, p).
    """

    mean: Floats
    covariances: Floats

    @property
    def dimension(self) -> int:
        """Number of features."""
        return self.mean.size

    @property
    def separation(self) -> float:
        """Squared Mahalanobis distance between the means, by the mean of the two covariances."""
        return float(self.mean @ np.linalg.solve(self.covariances.mean(axis=0), self.mean))

    @property
    def ideal_auc(self) -> float | None:
        """Area of the ideal classifier; None where the covariances differ, so that it is not linear."""
        if not np.array_equal(*self.covariances):
            return None
        return float(special.ndtr(np.sqrt(self.separation / 2)))

    @property
    def means(self) -> Floats:
        """Means of the negatives and of the positives, (2, p)."""
        return np.stack([-self.mean / 2, self.mean / 2])

    @property
    def roots(self) -> Floats:
        """Lower triangles whose squares are the covariances, (2, p, p)."""
        return np.asarray(np.linalg.cholesky(self.covariances), np.float64)


def normal_population(
    *,
    dimension: int | None = None,
    separation: float | None = None,
    mean: Any = None,
    covariance: Any = None,
) -> Population:
    """Return the population that the arguments of `monte_carlo` describe.

    Examples
    --------
    >>> population = normal_population(dimension=5, separation=0.8)
    >>> population.mean.round(4).tolist(), round(population.ideal_auc, 4)
    ([0.4, 0.4, 0.4, 0.4, 0.4], 0.7365)
    >>> normal_population(covariance=([[1, 0], [0, 1]], [[4, 0], [0, 4]])).ideal_auc is None
    True
    """
    shift = None if mean is None else _mean(mean)
    given = None if covariance is None else _covariances(covariance)
    p = _dimension(dimension, shift, given)
    covariances = np.stack([np.eye(p)] * 2) if given is None else given
    if shift is not None and separation is not None:
        raise RocInputError("separation must be left out where mean is given, which says it already")
    if shift is None:
        shift = _even_shift(SEPARATION if separation is None else separation, covariances)
    population = Population(mean=shift, covariances=covariances)
    if not population.separation <= MOST_SEPARATION * (1 + 1e-9):
        far = f"{population.separation:.3g}"
        raise RocInputError(f"mean must be at a squared distance of at most {MOST_SEPARATION:g}, got {far}")
    return population


def _even_shift(separation: Any, covariances: Floats) -> Floats:
    """The same difference in every feature, so large that the squared distance is as asked for."""
    wanted = checks.check_number(separation, name="separation", low=0, high=MOST_SEPARATION, closed=True)
    one = np.ones(covariances.shape[1])
    return np.asarray(one * np.sqrt(wanted / (one @ np.linalg.solve(covariances.mean(axis=0), one))))


def _mean(mean: Any) -> Floats:
    found = np.asarray(checks.as_scores(mean, name="mean"), np.float64)
    if not np.isfinite(found).all():
        raise RocInputError(f"mean must hold finite numbers, got {checks.show(found.tolist())}")
    return found


def _covariances(covariance: Any) -> Floats:
    """One matrix for both classes, or one for each."""
    array = checks.as_array(covariance, name="covariance")
    square = array.ndim in (2, 3) and array.shape[-1] == array.shape[-2] > 0
    if not square or array.dtype.kind not in "iuf" or (array.ndim == 3 and len(array) != 2):
        wanted = "a square matrix, or two of them (negatives, positives)"
        raise RocInputError(f"covariance must be {wanted}, got shape {array.shape} of {array.dtype}")
    both = np.broadcast_to(array.astype(np.float64), (2, *array.shape[-2:])).copy()
    symmetric = np.array_equal(both, both.swapaxes(1, 2))
    if not symmetric or not np.isfinite(both).all() or np.linalg.eigvalsh(both).min() <= 0:
        raise RocInputError("covariance must be symmetric and positive definite, got one that is not")
    variances = np.diagonal(both, axis1=1, axis2=2)
    if variances.min() < VARIANCES[0] or variances.max() > VARIANCES[1]:
        raise RocInputError("covariance must have variances between 1e-50 and 1e50, got others")
    return both


def _dimension(dimension: int | None, mean: Floats | None, covariances: Floats | None) -> int:
    """The number of features that all arguments agree on."""
    named = {
        "dimension": None if dimension is None else checks.check_integer(dimension, name="dimension", low=1),
        "mean": None if mean is None else mean.size,
        "covariance": None if covariances is None else covariances.shape[1],
    }
    told = {name: p for name, p in named.items() if p is not None}
    if len(set(told.values())) > 1:
        words = ", ".join(f"{name} has {p}" for name, p in told.items())
        raise RocInputError(f"{' and '.join(told)} must have the same number of features: {words}")
    return next(iter(told.values()), DIMENSION)
