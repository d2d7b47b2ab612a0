"""Quotients of two independent quantities: ratios of shares, and what else is a ratio in disguise.

The logarithm of the ratio of two shares, a of m over b of n, has by the delta method the variance

    1/a - 1/m + 1/b - 1/n

(Simel [1]_ for likelihood ratios). Where a share is 0 its part is infinite, and where a share is 1 its part
is 0, as if the share were known: with 0 of 10 positives and 0 of 20 negatives called positive, LR- is 1 and
its variance 0. There the ends of the two intervals are combined instead, as `binomial` does for sums: theta
is the quotient of x and y, and x - theta y is 0 as far as both intervals allow, so that the lower end solves

    (x - theta y)^2 = (x - x_low)^2 + theta^2 (y_high - y)^2

and the upper end the same with the other ends [2]_. The interval of y / x is its reciprocal.

References
----------
.. [1] Simel, Samsa, Matchar: Likelihood ratios with confidence: sample size estimation for diagnostic test
   studies, Journal of Clinical Epidemiology 44, 1991.
.. [2] Donner, Zou: Closed-form confidence intervals for functions of the normal mean and standard deviation,
   Statistical Methods in Medical Research 21, 2012; for ratios of shares Newcombe: MOVER-R confidence
   intervals for ratios and products of two independently estimated quantities, ibid. 25, 2016.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocscope.area.binomial import IntervalKind
from rocscope.core import wald

COMBINED = (
    "the interval is combined from those of the two shares: the log method fails where a share is 0 or 1"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """A quantity of at least 0 with the ends of its interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of_share(cls, count: int, n: int, kind: IntervalKind) -> Spread:
        """A share of cases; of a one-sided interval either end, since a quotient needs both."""
        low, high = kind.both_ends(count, n)
        return cls(value=count / n, low=float(low), high=float(high))

    def scaled(self) -> Spread:
        """The same in units of its upper end, whose squares neither vanish nor overflow."""
        return Spread(value=self.value / self.high, low=self.low / self.high, high=1.0)


def quotient_ends(above: Spread, below: Spread, kind: IntervalKind) -> tuple[float, float]:
    """Ends of the interval of a quotient, [2]; not of 0/0.

    Examples
    --------
    >>> kind = IntervalKind()
    >>> none_called = Spread.of_share(10, 10, kind), Spread.of_share(20, 20, kind)
    >>> [round(end, 3) for end in quotient_ends(*none_called, kind)]
    [0.722, 1.192]
    """
    if above.high == 0:  # a share of 0 whose upper bound at a one-sided level of 1/2 is 0 as well
        return 0.0, (math.inf if kind.alternative == "greater" else 0.0)
    if below.high == 0:
        return (0.0 if kind.alternative == "less" else math.inf), math.inf
    scale = above.high / below.high
    x, y = above.scaled(), below.scaled()
    low, high = 0.0, math.inf
    if kind.alternative != "less" and x.low > 0:
        square, rest = y.high * (2 * y.value - y.high), x.low * (2 * x.value - x.low)
        low = rest / _root(x.value * y.value, square * rest)
    if kind.alternative != "greater" and y.low > 0:
        square, rest = y.low * (2 * y.value - y.low), x.high * (2 * x.value - x.high)
        # Below 1e-154 squares vanish: the widest quotient of the two intervals takes their place.
        high = _root(x.value * y.value, square * rest) / square if square > 0 else x.high / y.low
    return low * scale, high * scale


def _root(middle: float, product: float) -> float:
    return middle + math.sqrt(max(middle * middle - product, 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareRatio:
    """Ratio of the shares of two classes: a of m over b of n, with the ends of its interval.

    `relative` is the standard error of its logarithm; None where a share is 0, and there is none.
    """

    a: int
    m: int
    b: int
    n: int
    relative: float | None
    low: float
    high: float
    combined: bool

    @classmethod
    def of(cls, a: int, m: int, b: int, n: int, kind: IntervalKind) -> ShareRatio:
        """The ratio by the log method, or by combined intervals where that fails."""
        relative = None
        if a and b:
            relative = math.sqrt((m - a) / (a * m) + (n - b) / (b * n))
        combined = relative is None or a == m or b == n
        if combined:
            ends = _combined_ends(a, m, b, n, kind)
        else:
            assert relative is not None
            log = math.log(a * n / (b * m))
            logs = wald.interval(log, relative, level=kind.level, alternative=kind.alternative)
            ends = math.exp(logs[0]), math.exp(logs[1])
        return cls(a=a, m=m, b=b, n=n, relative=relative, low=ends[0], high=ends[1], combined=combined)

    @property
    def value(self) -> float | None:
        """The ratio; None where it is infinite or 0/0."""
        return self.a * self.n / (self.b * self.m) if self.b else None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader should know of the interval."""
        return (COMBINED,) if self.combined else ()

    def method(self, plain: str, kind: IntervalKind) -> str:
        """Name of the interval: `plain` for the log method in one of its forms."""
        return f"mover-{kind.interval}" if self.combined else plain


def _combined_ends(a: int, m: int, b: int, n: int, kind: IntervalKind) -> tuple[float, float]:
    if a == 0 and b == 0:
        return 0.0, math.inf
    return quotient_ends(Spread.of_share(a, m, kind), Spread.of_share(b, n, kind), kind)
