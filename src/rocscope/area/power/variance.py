"""The variance that areas will have in a study that is still to be made: no data, only what is expected.

References
----------
.. [1] Obuchowski, Lieber, Wians: ROC curves in clinical chemistry: uses, misuses, and possible solutions,
   Clinical Chemistry 50, 2004.
.. [2] Obuchowski, McClish: Sample size determination for diagnostic accuracy studies involving binormal
   ROC curve indices, Statistics in Medicine 16, 1997.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy import special

from rocscope.area.variance import exponential_variance

# Within-class correlation of the two ratings: (negatives, positives).
RatingCorr = tuple[float, float]
NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(48)


def obuchowski_variance(
    auc: float, n_pos: float, n_neg: float, *, scale: float = 0.0099, root: float = 1.414
) -> float:
    """Variance of a fitted binormal area ([1] eq. 3); `scale` and `root` round 1 / (32 pi) and sqrt(2).

    Examples
    --------
    >>> round(obuchowski_variance(0.75, 50, 50), 8)
    0.00269606
    """
    a = root * float(special.ndtri(auc))
    return scale * math.exp(-a * a / 2) * ((5 * a * a + 8) / n_pos + (a * a + 8) / n_neg)


def binormal_variance(auc: float, n_pos: float, n_neg: float) -> float:
    """Variance of an empirical area under normal scores with equal variances, exact for every size."""
    z = float(special.ndtri(auc))
    shared = orthant_covariance(z, z, 0.5)  # two pairs with one case in common correlate by one half
    return _pair_mean_covariance(auc * (1 - auc), shared, shared, n_pos, n_neg)


VARIANCES: dict[str, Callable[[float, float, float], float]] = {
    "obuchowski": obuchowski_variance,
    "hanley-mcneil": exponential_variance,
    "binormal": binormal_variance,
}


def obuchowski_covariance(
    first: float, second: float, n_pos: float, n_neg: float, rating_corr: RatingCorr
) -> float:
    """Covariance of two fitted binormal areas, [2], for equal variances in the classes.

    The general form, with f = d area / d a and g = d area / d b, becomes this one at b = 1, where
    g = -a f / 2.
    """
    negatives, positives = rating_corr
    a1, a2 = (math.sqrt(2) * float(special.ndtri(auc)) for auc in (first, second))
    scale = math.exp(-(a1 * a1 + a2 * a2) / 4) / (32 * math.pi)
    return scale * (
        positives * (positives * a1 * a2 + 8) / n_pos + negatives * (negatives * a1 * a2 + 8) / n_neg
    )


def binormal_covariance(
    first: float, second: float, n_pos: float, n_neg: float, rating_corr: RatingCorr
) -> float:
    """Covariance of two empirical areas of the same cases under normal scores, exact for every size."""
    negatives, positives = rating_corr
    z1, z2 = float(special.ndtri(first)), float(special.ndtri(second))
    return _pair_mean_covariance(
        orthant_covariance(z1, z2, (negatives + positives) / 2),
        orthant_covariance(z1, z2, positives / 2),
        orthant_covariance(z1, z2, negatives / 2),
        n_pos,
        n_neg,
    )


COVARIANCES: dict[str, Callable[[float, float, float, float, RatingCorr], float]] = {
    "obuchowski": obuchowski_covariance,
    "binormal": binormal_covariance,
}


def difference_variance(
    areas: tuple[float, float], n_pos: float, n_neg: float, *, method: str, corr: float | RatingCorr
) -> float:
    """Variance of the difference of two areas, of n_pos + n_neg cases each.

    `corr` is the correlation of the areas, or the pair of correlations of the ratings within the classes.
    """
    one, two = (_unrounded_variance(auc, n_pos, n_neg, method) for auc in areas)
    if isinstance(corr, tuple):
        return one + two - 2 * COVARIANCES[method](*areas, n_pos, n_neg, corr)
    return one + two - 2 * corr * math.sqrt(one * two)


def _unrounded_variance(auc: float, n_pos: float, n_neg: float, method: str) -> float:
    """The variance to go with a covariance: [2] does not round as [1] does."""
    if method == "obuchowski":
        return obuchowski_variance(auc, n_pos, n_neg, scale=1 / (32 * math.pi), root=math.sqrt(2))
    return VARIANCES[method](auc, n_pos, n_neg)


def _pair_mean_covariance(
    same_pair: float, same_positive: float, same_negative: float, n_pos: float, n_neg: float
) -> float:
    """Covariance of two means over all pairs, from the covariances of pairs that share cases."""
    total = same_pair + (n_neg - 1) * same_positive + (n_pos - 1) * same_negative
    return total / (n_pos * n_neg)


def orthant_covariance(h: float, k: float, rho: float) -> float:
    """P(X <= h, Y <= k) - P(X <= h) P(Y <= k) for standard normal X and Y with correlation rho.

    The derivative of the joint probability by rho is the joint density; its integral from 0 is taken
    over the angle arcsin(rho), where it is smooth.

    Examples
    --------
    >>> round(orthant_covariance(0.0, 0.0, 0.5), 12) == round(1 / 12, 12)
    True
    """
    half = math.asin(rho) / 2
    angle = half * (1 + NODES)
    exponent = (h * h + k * k - 2 * h * k * np.sin(angle)) / (2 * np.cos(angle) ** 2)
    return float(half * (NODE_WEIGHTS @ np.exp(-exponent)) / (2 * math.pi))
