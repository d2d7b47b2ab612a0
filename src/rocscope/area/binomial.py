"""Intervals of proportions, and of weighted sums of proportions.

A weighted sum, theta = sum w_i pi_i, takes the intervals of its proportions and adds their reaches as one
adds standard errors [3]_, [4]_: with d_i the reach of w_i pi_i towards the end in question,

    theta - low = sqrt(sum r_ij d_i d_j),

r_ij being the correlation of w_i pi_i and w_j pi_j: 0 for different classes, and for shares of the same
cases -sign(w_i w_j) sqrt(pi_i pi_j / ((1 - pi_i)(1 - pi_j))). Unlike the delta method this keeps its level
near 0 and 1, where standard errors vanish, and cannot leave the range of theta.

References
----------
.. [1] Wilson: Probable inference, the law of succession, and statistical inference, Journal of the American
   Statistical Association 22, 1927.
.. [2] Clopper, Pearson: The use of confidence or fiducial limits illustrated in the case of the binomial,
   Biometrika 26, 1934.
.. [3] Newcombe: Interval estimation for the difference between independent proportions: comparison of
   eleven methods, Statistics in Medicine 17, 1998 (method 10).
.. [4] Zou, Donner: Construction of confidence limits about effect measures: a general approach, Statistics
   in Medicine 27, 2008.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks, wald
from rocscope.core.checks import Alternative
from rocscope.core.result import Estimate
from rocscope.errors import RocInputError

Floats: TypeAlias = NDArray[np.float64]
Ends: TypeAlias = tuple[Any, Any]


def wilson_interval(
    count: Any, n: Any, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> Ends:
    """Interval of a proportion by inverting the score test, [1]; no continuity correction.

    Its coverage is near the level on average over the proportions, a little below for some.

    Parameters
    ----------
    count, n
        Successes and trials, whole numbers or arrays of them; n is at least 1.
    level
        Confidence level.
    alternative
        "two-sided"; "greater" for a lower bound alone, "less" for an upper bound alone.

    Returns
    -------
    low, high
        Floats, or arrays where the counts are arrays; 0 and 1 stand for the missing bound.

    Examples
    --------
    >>> low, high = wilson_interval(81, 263)
    >>> round(low, 4), round(high, 4)
    (0.2553, 0.3662)
    """
    return _interval(_wilson, count, n, level, alternative)


def exact_interval(
    count: Any, n: Any, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> Ends:
    """Interval of a proportion from binomial tails, [2]; its coverage is never below the level.

    Parameters
    ----------
    count, n
        Successes and trials, whole numbers or arrays of them; n is at least 1.
    level
        Confidence level.
    alternative
        "two-sided", each tail with half of 1 - level; "greater" for a lower bound alone, "less" for an
        upper bound alone.

    Returns
    -------
    low, high
        Floats, or arrays where the counts are arrays; 0 and 1 stand for the missing bound.

    Examples
    --------
    >>> low, high = exact_interval(0, 10)
    >>> low, round(high, 4)
    (0.0, 0.3085)
    """
    return _interval(_exact, count, n, level, alternative)


def _interval(
    formula: Callable[[Floats, Floats, float, Alternative], tuple[Floats, Floats]],
    count: Any,
    n: Any,
    level: float,
    alternative: Alternative,
) -> Ends:
    checks.check_level(level)
    checks.check_alternative(alternative)
    k, size = np.broadcast_arrays(np.asarray(count, np.float64), np.asarray(n, np.float64))
    if not ((k >= 0) & (k <= size) & (size >= 1) & (k == np.floor(k))).all():
        came = f"{checks.show(count)} of {checks.show(n)}"
        raise RocInputError(f"count must hold whole numbers from 0 to n, n at least 1, got {came}")
    low, high = formula(k, size, level, alternative)
    # The share itself is inside: roundings, and one-sided levels below 1/2, would leave it out.
    low, high = np.minimum(low, k / size), np.maximum(high, k / size)
    low = np.zeros_like(low) if alternative == "less" else np.where(k == 0, 0.0, low)
    high = np.ones_like(high) if alternative == "greater" else np.where(k == size, 1.0, high)
    return (float(low), float(high)) if k.ndim == 0 else (low, high)


def _wilson(k: Floats, n: Floats, level: float, alternative: Alternative) -> tuple[Floats, Floats]:
    """Roots of (k/n - p)^2 = z^2 p (1 - p) / n; the lower from the product of both, to keep its digits."""
    z = wald.reach(level, alternative=alternative)
    p = k / n
    far = p + z * z / (2 * n) + z * np.sqrt(p * (1 - p) / n + (z / (2 * n)) ** 2)
    low = np.divide(p * p, far, out=np.zeros_like(far), where=far > 0)
    return low, np.minimum(far / (1 + z * z / n), 1.0)


def _exact(k: Floats, n: Floats, level: float, alternative: Alternative) -> tuple[Floats, Floats]:
    """P(at least k | low) and P(at most k | high) are the tail, as quantiles of beta distributions."""
    tail = (1 - level) / 2 if alternative == "two-sided" else 1 - level
    low = special.betaincinv(np.maximum(k, 1), n - k + 1, tail)
    high = special.betainccinv(k + 1, np.maximum(n - k, 1), tail)
    return np.asarray(low, np.float64), np.asarray(high, np.float64)


INTERVALS: dict[str, Callable[..., Ends]] = {"wilson": wilson_interval, "exact": exact_interval}


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalKind:
    """Which interval of a proportion is wanted.

    Examples
    --------
    >>> print(IntervalKind(interval="exact").proportion("sensitivity", 8, 10))
    sensitivity 0.8000 (95% interval 0.4439-0.9748, exact)
    """

    interval: str = "wilson"
    level: float = 0.95
    alternative: Alternative = "two-sided"

    def __post_init__(self) -> None:
        checks.check_choice(self.interval, list(INTERVALS), name="interval")
        checks.check_level(self.level)
        checks.check_alternative(self.alternative)

    def ends(self, count: Any, n: Any) -> Ends:
        """Ends of the interval of count / n."""
        return INTERVALS[self.interval](count, n, level=self.level, alternative=self.alternative)

    def estimate(self, name: str, value: float, ends: Ends, *, se: float | None, **more: Any) -> Estimate:
        """An estimate with this level and alternative, by this interval unless `method` says otherwise."""
        low, high = ends
        if low is not None:  # roundings must not leave the value out
            low, high = min(low, value), max(high, value)
        found = {"name": name, "value": value, "se": se, "low": low, "high": high}
        return self._estimate(found | more)

    def undefined(self, name: str, reason: str, **more: Any) -> Estimate:
        """An estimate that has no value, and why."""
        empty = {"value": None, "se": None, "low": None, "high": None}
        return self._estimate({"name": name, "status": "undefined", "reason": reason} | empty | more)

    def _estimate(self, fields: dict[str, Any]) -> Estimate:
        asked: dict[str, Any] = {"level": self.level, "alternative": self.alternative}
        return Estimate(**({"method": self.interval} | asked | fields))

    def proportion(self, name: str, count: int, n: int) -> Estimate:
        """The share count / n; its standard error is the binomial one, 0 at 0 and 1."""
        value = count / n
        return self.estimate(name, value, self.ends(count, n), se=math.sqrt(value * (1 - value) / n))

    def weighted_sum(
        self,
        name: str,
        weights: Any,
        counts: Any,
        n: Any,
        *,
        same_cases: bool,
        constant: float = 0.0,
    ) -> Estimate:
        """The sum constant + sum w_i counts_i / n_i, with the standard error of the delta method."""
        w, shares = np.asarray(weights, np.float64), np.asarray(counts) / np.asarray(n)
        value = float(w @ shares)
        spread = w * w * shares * (1 - shares)
        if same_cases:  # variance of the weight of one case, 0 for those of no counted outcome
            others = (n - sum(counts)) / n
            spread = shares @ (w - value) ** 2 + others * value**2
        se = math.sqrt(float((spread / n).sum()))
        low, high = self.sum_ends(w, counts, n, same_cases=same_cases)
        ends = float(constant + low), float(constant + high)
        return self.estimate(name, constant + value, ends, se=se, method=f"mover-{self.interval}")

    def sum_ends(self, weights: Any, counts: Any, n: Any, *, same_cases: bool) -> Ends:
        """Ends of the interval of sum w_i counts_i / n_i, over the first axis.

        `same_cases`: the counts are of different outcomes of the same n cases; otherwise of different
        cases. One-sided intervals end at the bound of the sum.
        """
        w, k, size = np.broadcast_arrays(*(np.asarray(a, np.float64) for a in (weights, counts, n)))
        shares = k / size
        low, high = self.both_ends(k, size)
        signed = np.sign(w) * _deviations(shares) if same_cases else None
        towards_low = w * np.where(w > 0, shares - low, shares - high)
        towards_high = w * np.where(w > 0, high - shares, low - shares)
        value = (w * shares).sum(axis=0)
        least, most = _range(w, same_cases)
        return (
            least if self.alternative == "less" else value - _reach(towards_low, signed),
            most if self.alternative == "greater" else value + _reach(towards_high, signed),
        )

    def both_ends(self, count: Any, n: Any) -> Ends:
        """Either end at this level: one end of a sum or quotient needs lower and upper ends of its shares."""
        if self.alternative == "two-sided":
            return self.ends(count, n)
        formula = INTERVALS[self.interval]
        low, _ = formula(count, n, level=self.level, alternative="greater")
        _, high = formula(count, n, level=self.level, alternative="less")
        return low, high


def _reach(parts: Floats, deviations: Floats | None) -> Floats:
    """sqrt(sum r_ij d_i d_j), where r_ij = -s_i s_j for i != j with the deviations s; None: r_ij = 0."""
    squares = (parts**2).sum(axis=0)
    if deviations is None:
        return np.asarray(np.sqrt(squares))
    products = parts * deviations
    across = (products**2).sum(axis=0) - products.sum(axis=0) ** 2
    return np.asarray(np.sqrt(np.maximum(squares + across, 0.0)))


def _deviations(shares: Floats) -> Floats:
    """sqrt(p / (1 - p)): shares i and j of the same cases have the correlation -s_i s_j."""
    rest = 1 - shares
    odds = np.divide(shares, rest, out=np.zeros_like(rest), where=rest > 0)  # a share of 1 does not vary
    return np.asarray(np.sqrt(odds))


def _range(weights: Floats, same_cases: bool) -> tuple[Floats, Floats]:
    """Least and largest value of the sum."""
    below, above = np.minimum(weights, 0), np.maximum(weights, 0)
    if same_cases:
        return below.min(axis=0), above.max(axis=0)
    return below.sum(axis=0), above.sum(axis=0)
