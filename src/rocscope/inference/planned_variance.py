"""Variances and covariances that areas will have in a study that is still to be made.

"obuchowski": of the area under a fitted binormal curve; "hanley-mcneil" and "binormal": of the empirical
area, of exponential scores and of normal scores with equal variances in the classes. "obuchowski" and
"binormal" are there for a part of the area, over a range of FPR, too.

References
----------
.. [1] Obuchowski, Lieber, Wians: ROC curves in clinical chemistry: uses, misuses, and possible solutions,
   Clinical Chemistry 50, 2004.
.. [2] Obuchowski, McClish: Sample size determination for diagnostic accuracy studies involving binormal
   ROC curve indices, Statistics in Medicine 16, 1997.
.. [3] Dodd, Pepe: Partial AUC estimation and regression, Biometrics 59, 2003.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core.partial_area import Range
from rocscope.inference.variance import hanley_mcneil_variance

# Within-class correlation of the two ratings: (negatives, positives).
RatingCorr: TypeAlias = tuple[float, float]

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
    return pair_mean_covariance(auc * (1 - auc), shared, shared, n_pos, n_neg)


VARIANCES: dict[str, Callable[[float, float, float], float]] = {
    "obuchowski": obuchowski_variance,
    "hanley-mcneil": hanley_mcneil_variance,
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
    return pair_mean_covariance(
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


def area_variance(auc: float, n_pos: float, n_neg: float, *, method: str, fpr: Range | None = None) -> float:
    """Variance of one area, or of a part of it."""
    if fpr is not None:
        return PARTIAL_VARIANCES[method](auc, n_pos, n_neg, fpr)
    return VARIANCES[method](auc, n_pos, n_neg)


def difference_variance(
    areas: tuple[float, float],
    n_pos: float,
    n_neg: float,
    *,
    method: str,
    corr: float | RatingCorr,
    fpr: Range | None = None,
) -> float:
    """Variance of the difference of two areas, or of parts of them, of n_pos + n_neg cases each.

    `corr` is the correlation of the areas, or the pair of correlations of the ratings within the classes.
    """
    if method == "obuchowski" and fpr is None:  # to go with a covariance: [2] does not round as [1] does
        exact = {"scale": 1 / (32 * math.pi), "root": math.sqrt(2)}
        one, two = (obuchowski_variance(auc, n_pos, n_neg, **exact) for auc in areas)
    else:
        one, two = (area_variance(auc, n_pos, n_neg, method=method, fpr=fpr) for auc in areas)
    if not isinstance(corr, tuple):
        return one + two - 2 * corr * math.sqrt(one * two)
    if fpr is None:
        return one + two - 2 * COVARIANCES[method](*areas, n_pos, n_neg, corr)
    return one + two - 2 * PARTIAL_COVARIANCES[method](*areas, n_pos, n_neg, corr, fpr)


def pair_mean_covariance(
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
    return float(_orthant_covariances(np.float64(h), np.float64(k), rho))


def _orthant_covariances(h: Any, k: Any, rho: float) -> Any:
    """`orthant_covariance` of arrays of limits."""
    half = math.asin(rho) / 2
    angle = half * (1 + NODES)
    h, k = h[..., None], k[..., None]
    exponent = (h * h + k * k - 2 * h * k * np.sin(angle)) / (2 * np.cos(angle) ** 2)
    return half * (np.exp(-exponent) @ NODE_WEIGHTS) / (2 * math.pi)


# ---- A part of the area, over FPR low to high -------------------------------------------------------------
# The curve is Phi(a + Phi^-1(FPR)), a = sqrt(2) Phi^-1(area); x is Phi^-1(FPR), minus the threshold.


def partial_area(auc: float, fpr: Range) -> float:
    """Partial area of the binormal curve of equal variances that has this area.

    Examples
    --------
    >>> round(partial_area(0.5, (0.0, 0.5)), 12), partial_area(0.8, (0.0, 1.0))
    (0.125, 0.8)
    """
    z = float(special.ndtri(auc))

    def below(t: float) -> float:  # P(X <= x and W <= a + X) for standard normal X and W
        return t * auc + (
            orthant_covariance(float(special.ndtri(t)), z, -math.sqrt(0.5)) if 0 < t < 1 else 0.0
        )

    return below(fpr[1]) - below(fpr[0])


def obuchowski_partial_covariance(
    first: float, second: float, n_pos: float, n_neg: float, rating_corr: RatingCorr, fpr: Range
) -> float:
    """Covariance of two fitted binormal partial areas, [2]."""
    negatives, positives = rating_corr
    (a1, f1, g1), (a2, f2, g2) = (_partial_slopes(auc, fpr) for auc in (first, second))
    square = positives**2 / 2
    of_pos = f1 * f2 * (positives + square * a1 * a2) + square * (g1 * g2 + f1 * g2 * a1 + f2 * g1 * a2)
    return of_pos / n_pos + (f1 * f2 * negatives + g1 * g2 * negatives**2 / 2) / n_neg


def obuchowski_partial_variance(auc: float, n_pos: float, n_neg: float, fpr: Range) -> float:
    """Variance of a fitted binormal partial area, [2], which leaves out the covariance of a and b."""
    a, f, g = _partial_slopes(auc, fpr)
    return (f * f * (1 + a * a / 2) + g * g / 2) / n_pos + (f * f + g * g / 2) / n_neg


def _partial_slopes(auc: float, fpr: Range) -> tuple[float, float, float]:
    """a, and the derivatives f by a and g by b of the partial area under Phi(a + b x), at b = 1."""
    a = math.sqrt(2) * float(special.ndtri(auc))
    low, high = (float(special.ndtri(t)) + a / 2 for t in fpr)
    scale = math.exp(-a * a / 4) / (2 * math.pi)
    f = (
        scale
        * math.sqrt(math.pi)
        * float(special.ndtr(math.sqrt(2) * high) - special.ndtr(math.sqrt(2) * low))
    )
    return a, f, scale * (math.exp(-low * low) - math.exp(-high * high)) / 2 - f * a / 2


def binormal_partial_variance(auc: float, n_pos: float, n_neg: float, fpr: Range) -> float:
    """Variance of an empirical partial area under normal scores with equal variances, of many cases.

    A positive adds the part of the range that lies right of its FPR ([3]), a negative takes away what the
    curve rises from its own FPR to the end of the range.
    """
    low, high = -float(special.ndtri(fpr[1])), -float(special.ndtri(fpr[0]))  # the scores of these FPR
    parts = []
    for mean, shift in _means_and_shifts(auc):
        start, stop = max(low, mean - FAR), min(high, mean + FAR)
        if start >= stop:  # all cases of the class are on one side of the range
            parts.append(0.0)
            continue
        half = (stop - start) / 2
        x = start + half * (1 + NODES)
        value = special.ndtr(x - shift) - special.ndtr(low - shift)
        most = float(special.ndtr(high - shift) - special.ndtr(low - shift))
        density = np.exp(-((x - mean) ** 2) / 2) / math.sqrt(2 * math.pi)
        weights = half * NODE_WEIGHTS * density
        below, above = float(special.ndtr(low - mean)), float(special.ndtr(mean - high))
        average = float(weights @ value) + above * most
        parts.append(
            float(weights @ (value - average) ** 2) + above * (most - average) ** 2 + below * average**2
        )
    return parts[0] / n_pos + parts[1] / n_neg


def binormal_partial_covariance(
    first: float, second: float, n_pos: float, n_neg: float, rating_corr: RatingCorr, fpr: Range
) -> float:
    """Covariance of two empirical partial areas of the same cases under normal scores, of many cases.

    The derivative of a covariance of functions of two normal variables by their correlation is the mean
    product of the functions' slopes. What a case adds to a partial area has the slope of a normal density
    inside the range, so that this mean is a normal density times the probability of a rectangle.
    """
    of_pos, of_neg = _partial_covariances(first, second, rating_corr, fpr)
    return of_pos / n_pos + of_neg / n_neg


@lru_cache(maxsize=16)  # a search for the size asks for one study again and again
def _partial_covariances(
    first: float, second: float, rating_corr: RatingCorr, fpr: Range
) -> tuple[float, float]:
    parts = []
    both = zip(_means_and_shifts(first), _means_and_shifts(second), rating_corr[::-1], strict=True)
    for (mean1, shift1), (mean2, shift2), rho in both:
        mean, shift = np.array([mean1, mean2]), np.array([shift1, shift2])
        slopes = [_slope_product(mean, shift, r, fpr) for r in rho * (1 + NODES) / 2]
        parts.append(rho / 2 * float(NODE_WEIGHTS @ np.array(slopes)))
    return parts[0], parts[1]


def _slope_product(mean: NDArray[np.float64], shift: NDArray[np.float64], r: float, fpr: Range) -> float:
    """Mean of the product of two normal densities around `shift` over a range of scores.

    The scores have the means `mean` and the correlation r: N(u; s, I) N(u; m, R) is N(s; m, I + R) times a
    normal density of u with covariance R (I + R)^-1.
    """
    correlation = np.array([[1.0, r], [r, 1.0]])
    total = correlation + np.eye(2)
    gap = mean - shift
    density = math.exp(-gap @ np.linalg.solve(total, gap) / 2) / (2 * math.pi * math.sqrt(4 - r * r))
    mixed = correlation @ np.linalg.inv(total)
    centre = mixed @ shift + (np.eye(2) - mixed) @ mean
    deviation = math.sqrt(mixed[0, 0])
    # Minus the scores, so that a range that begins at FPR 0 is a corner and no difference of corners.
    ends = np.clip((np.array(special.ndtri(fpr)) + centre[:, None]) / deviation, -FAR, FAR)
    h, k = ends[0][:, None], ends[1][None, :]
    corners = _orthant_covariances(h, k, mixed[0, 1] / mixed[0, 0]) + special.ndtr(h) * special.ndtr(k)
    return density * float(corners[1, 1] - corners[0, 1] - corners[1, 0] + corners[0, 0])


# Standard deviations beyond which a normal density is 0 for all purposes.
FAR = 9.0


def _means_and_shifts(auc: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Mean score of the positives and that of the other class; the same of the negatives."""
    a = math.sqrt(2) * float(special.ndtri(auc))
    return (a, 0.0), (0.0, a)


PARTIAL_VARIANCES: dict[str, Callable[[float, float, float, Range], float]] = {
    "obuchowski": obuchowski_partial_variance,
    "binormal": binormal_partial_variance,
}
PARTIAL_COVARIANCES: dict[str, Callable[[float, float, float, float, RatingCorr, Range], float]] = {
    "obuchowski": obuchowski_partial_covariance,
    "binormal": binormal_partial_covariance,
}
