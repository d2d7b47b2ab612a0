"""The questions a study can be planned for, and how power and precision of each grow with its size."""

from __future__ import annotations

import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scipy import special

from rocscope.area.power.variance import VARIANCES, RatingCorr, difference_variance
from rocscope.core import wald
from rocscope.core.checks import Alternative
from rocscope.errors import UndefinedError

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
        reach = wald.quantile(self.level, alternative=self.alternative)
        null_se = _root(self.null_variance(n, ratio * n))
        return (self._shift() - reach * null_se) / _root(self.variance(n, ratio * n))

    def half_width(self, n: float, ratio: float) -> float:
        """Return normal quantile times standard error."""
        return wald.quantile(self.level) * _root(self.variance(n, ratio * n))

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
        return max(wald.quantile(self.level, alternative=self.alternative, df=df), 0.0)


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
