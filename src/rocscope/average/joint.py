"""One test of several measures at once: Hotelling's T^2 of paired differences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]
# Measures whose correlation matrix has a smaller eigenvalue say the same twice, up to rounding.
SINGULAR = 1e-10


@dataclass(frozen=True, slots=True, kw_only=True)
class JointTest:
    """T^2 and p-value of every point; NaN and not `defined` where the measures' covariance is singular."""

    statistic: Floats
    p_value: Floats
    defined: NDArray[np.bool_]
    df: tuple[float, float]


def hotelling(differences: Floats, *, factor: float, df: float) -> JointTest:
    """Test whether the mean differences of all measures are zero.

    Parameters
    ----------
    differences : array of shape (points, measures, folds)
        Finite, or not a number in a row that has no test.
    factor
        Variance of a mean over that of a fold: 1 / folds, or more where training sets overlap.
    df
        Degrees of freedom of the covariance. T^2 (df - m + 1) / (m df) has the F distribution with m and
        df - m + 1 degrees for m measures, so that one measure gives the two-sided t test.

    Returns
    -------
    JointTest
        Points whose differences are all zero have statistic 0 and p-value 1.

    Examples
    --------
    >>> d = np.array([[[1.0, 2.0, 3.0]], [[0.0, 0.0, 0.0]]])
    >>> hotelling(d, factor=1 / 3, df=2).p_value.round(4).tolist()
    [0.0742, 1.0]
    """
    n_points, m, _ = differences.shape
    statistic, rest = np.full(n_points, np.nan), df - m + 1
    identical = (differences == 0).all(axis=(1, 2))
    statistic[identical] = 0.0
    if rest > 0:
        some = np.isfinite(differences).all(axis=(1, 2)) & ~identical
        statistic[some] = _squared_distance(differences[some]) / factor
    f_value = statistic * max(rest, 1.0) / (m * df)
    p_value = np.where(identical, 1.0, special.fdtrc(m, max(rest, 1.0), f_value))
    return JointTest(
        statistic=statistic, p_value=p_value, defined=~np.isnan(statistic), df=(float(m), float(rest))
    )


def _squared_distance(differences: Floats) -> Floats:
    """Squared distance of the mean from 0 in units of the covariance; NaN where that is singular."""
    mean = differences.mean(axis=-1)
    centred = differences - mean[..., np.newaxis]
    covariance = centred @ centred.transpose(0, 2, 1) / (differences.shape[-1] - 1)
    sd = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    # A row of equal differences has only rounding for its deviation.
    flat = (np.ptp(differences, axis=-1) == 0).any(axis=-1)
    distance = np.full(len(mean), np.nan)
    if not flat.all():
        scaled, shift = covariance[~flat], mean[~flat] / sd[~flat]
        correlation = scaled / (sd[~flat][:, :, np.newaxis] * sd[~flat][:, np.newaxis, :])
        roots, axes = np.linalg.eigh(correlation)
        along = np.einsum("pij,pi->pj", axes, shift)
        found = (along**2 / np.maximum(roots, SINGULAR)).sum(axis=-1)
        distance[~flat] = np.where(roots[:, 0] > SINGULAR, found, np.nan)
    return distance
