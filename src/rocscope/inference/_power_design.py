"""The questions a study can be planned for, and how power and precision of each grow with its size."""

from __future__ import annotations

import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from rocscope.core import significance
from rocscope.core.checks import Alternative
from rocscope.errors import UndefinedError
from rocscope.inference.variance import exponential_variance

# Beyond these sizes a plan is no plan: the search for a size ends.
SMALLEST, LARGEST = 1e-6, 1e15
ANY_SIZE = "every size is enough"
NO_EFFECT = "there is no difference to detect"


@dataclass(frozen=True, slots=True, kw_only=True)
class Design(ABC):
    """A question; n counts the positive cases (or the members of the one class it is about)."""

    method: str
    level: float
    alternative: Alternative

    @abstractmethod
    def told(self) -> dict[str, Any]:
        """The fields of the result that say what was asked, among them the `effect` to be detected."""

    @abstractmethod
    def power(self, n: float, ratio: float) -> float:
        """Probability that the test rejects, with ratio * n negative cases."""

    @abstractmethod
    def half_width(self, n: float, ratio: float) -> float:
        """Half the width of the two-sided interval, before it is cut at the bounds of the parameter."""

    @abstractmethod
    def size_for_power(self, power: float, ratio: float) -> float:
        """The real n at which the power is reached."""

    def size_for_width(self, half_width: float, ratio: float) -> float:
        """The real n at which the half-width is reached."""
        return falling_root(lambda n: self.half_width(n, ratio) - half_width)

    def class_sizes(self, n: float, ratio: float) -> tuple[float | None, float | None]:
        """Positive and negative cases; None where the question does not depend on them."""
        return n, ratio * n


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaDesign(Design):
    """A normal test of areas: the effect, and its variance under the alternative and under the null."""

    auc: float

    @property
    @abstractmethod
    def effect(self) -> float | None:
        """The difference that is to be detected; None if only its interval is asked for."""

    @abstractmethod
    def variance(self, n_pos: float, n_neg: float) -> float:
        """Variance of the estimated effect if it is what we expect."""

    @abstractmethod
    def null_variance(self, n_pos: float, n_neg: float) -> float:
        """Variance of the estimated effect if there is none."""

    def power(self, n: float, ratio: float) -> float:
        """Return the power; the far tail of a two-sided test is left out, as is usual."""
        return float(special.ndtr(self._z(n, ratio)))

    def _z(self, n: float, ratio: float) -> float:
        reach = significance.quantile(self.level, alternative=self.alternative)
        null_se = _root(self.null_variance(n, ratio * n))
        return (self._shift() - reach * null_se) / _root(self.variance(n, ratio * n))

    def half_width(self, n: float, ratio: float) -> float:
        """Return normal quantile times standard error."""
        return significance.quantile(self.level) * _root(self.variance(n, ratio * n))

    def size_for_power(self, power: float, ratio: float) -> float:
        """Solve effect = reach * null_se + z_power * se for n."""
        if self._shift() < 0:
            raise UndefinedError(f"the difference of {self.effect:+g} is against the alternative")
        wanted = float(special.ndtri(power))
        return falling_root(lambda n: wanted - self._z(n, ratio))

    def _shift(self) -> float:
        """Return the effect, positive where it lies in the direction of the alternative."""
        if not self.effect:
            raise UndefinedError(NO_EFFECT)
        if self.alternative == "two-sided":
            return abs(self.effect)
        return self.effect if self.alternative == "greater" else -self.effect


@dataclass(frozen=True, slots=True, kw_only=True)
class OneArea(AreaDesign):
    """One area against a fixed value."""

    null: float | None

    @property
    def effect(self) -> float | None:
        """Area minus null value."""
        return None if self.null is None else self.auc - self.null

    def told(self) -> dict[str, Any]:
        """Return area, null value and their difference."""
        return {"question": "one area", "auc": self.auc, "null": self.null, "effect": self.effect}

    def variance(self, n_pos: float, n_neg: float) -> float:
        """Return the variance at the expected area."""
        return VARIANCES[self.method](self.auc, n_pos, n_neg)

    def null_variance(self, n_pos: float, n_neg: float) -> float:
        """Return the variance at the null value."""
        assert self.null is not None
        return VARIANCES[self.method](self.null, n_pos, n_neg)


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoAreas(AreaDesign):
    """One area against another, of the same cases or of two samples of equal size."""

    auc2: float
    paired: bool
    corr: float | RatingCorr

    @property
    def effect(self) -> float:
        """First area minus second."""
        return self.auc - self.auc2

    def told(self) -> dict[str, Any]:
        """Return both areas, their difference and whether they share their cases."""
        fields = {"auc": self.auc, "auc2": self.auc2, "effect": self.effect, "paired": self.paired}
        return {"question": "two areas"} | fields

    def variance(self, n_pos: float, n_neg: float) -> float:
        """Return V1 + V2 - 2 C."""
        return difference_variance((self.auc, self.auc2), n_pos, n_neg, method=self.method, corr=self.corr)

    def null_variance(self, n_pos: float, n_neg: float) -> float:
        """Return the mean of 2 V1 - 2 C and 2 V2 - 2 C, each of which favours one of the curves."""
        return self.variance(n_pos, n_neg)


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPoints(Design):
    """Two operating points of one curve, a share of one class between them.

    The difference between the points is 1 for the members between them and 0 for all others. If K of
    n members are, the paired t statistic is sqrt((n - 1) K / (n - K)): it depends on K alone.
    """

    rate: str
    gap: float
    folds: int | None

    def told(self) -> dict[str, Any]:
        """Return which rate differs, and by how much."""
        return {"question": f"two points, {self.rate}", "effect": self.gap}

    def class_sizes(self, n: float, ratio: float) -> tuple[float | None, float | None]:
        """Return n for the class of the rate."""
        return (n, None) if self.rate == "tpr" else (None, n)

    def power(self, n: float, ratio: float) -> float:
        """Return P(K >= critical) of a binomial K, or the normal approximation."""
        if self.method == "exact":
            return binomial_tail(self.critical(n), n, self.gap)
        return float(special.ndtr(math.sqrt(n * self.gap / (1 - self.gap)) - self._reach))

    def half_width(self, n: float, ratio: float) -> float:
        """Return quantile times standard error of a share."""
        return self._reach * math.sqrt(self.gap * (1 - self.gap) / n)

    def size_for_power(self, power: float, ratio: float) -> float:
        """Return (reach + z_power)^2 (1 - gap) / gap, or the exact size."""
        if self.method == "exact":
            return self._exact_size(power)
        total = self._reach + float(special.ndtri(power))
        if total <= 0:
            raise UndefinedError(ANY_SIZE)
        return total**2 * (1 - self.gap) / self.gap

    def critical(self, n: float) -> int:
        """Fewest members between the points for which the paired t test over all members rejects."""
        square = self._quantile(n - 1) ** 2
        return math.floor(n * square / (n - 1 + square)) + 1

    def _exact_size(self, power: float) -> float:
        """Return the size from which on every size has the power.

        The critical number grows with n towards the square of the normal quantile, and the power drops
        where it steps up: the largest critical number that is met decides.
        """
        most = max(math.ceil(self._reach**2), 1)
        sizes = {k: _waiting_size(k, self.gap, power) for k in range(most, 0, -1)}
        met = (n for k, n in sizes.items() if n > 1 and self.critical(n) == k)
        return max(next(met, sizes[most]), 2.0)

    @property
    def _reach(self) -> float:
        return self._quantile(None if self.folds is None else self.folds - 1)

    def _quantile(self, df: float | None) -> float:
        return max(significance.quantile(self.level, alternative=self.alternative, df=df), 0.0)


def _root(variance: float) -> float:
    """Standard error; a variance that underflow or cancellation has taken away stays above 0."""
    return math.sqrt(max(variance, sys.float_info.min))


def _waiting_size(k: int, gap: float, power: float) -> float:
    """Members among whom, with the wanted probability, at least k lie between the points."""
    return falling_root(lambda n: power - binomial_tail(k, n, gap), start=float(k))


def binomial_tail(k: int, n: float, p: float) -> float:
    """P(K >= k) of K ~ Binomial(n, p), continued to real n.

    Examples
    --------
    >>> round(binomial_tail(2, 3, 0.5), 12)
    0.5
    """
    return float(special.betainc(k, n - k + 1, p)) if n > k - 1 else 0.0


def falling_root(excess: Callable[[float], float], *, start: float = 1.0) -> float:
    """Size at which a function that falls with the size is 0.

    Examples
    --------
    >>> falling_root(lambda n: 10 / n - 0.25)
    40.0
    """
    low = high = start
    while excess(low) <= 0:
        low /= 2
        if low < SMALLEST:
            raise UndefinedError(ANY_SIZE)
    while excess(high) > 0:
        high *= 2
        if high > LARGEST:
            raise UndefinedError(f"more than {LARGEST:g} cases would be needed")
    from scipy.optimize import brentq  # heavy, and a power alone does not need it

    return float(brentq(excess, low, high, xtol=1e-12, rtol=1e-15))


# -----------------------------------------------------------------------------------------------------------
# The variance that areas will have in a study that is still to be made: no data, only what is expected
# References
# ----------
# .. [1] Obuchowski, Lieber, Wians: ROC curves in clinical chemistry: uses, misuses, and possible solutions,
#    Clinical Chemistry 50, 2004.
# .. [2] Obuchowski, McClish: Sample size determination for diagnostic accuracy studies involving binormal
#    ROC curve indices, Statistics in Medicine 16, 1997.

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
