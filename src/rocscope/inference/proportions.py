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
.. [5] Brown, Cai, DasGupta: Interval estimation for a binomial proportion, Statistical Science 16, 2001.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, Unpack, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks, significance
from rocscope.core.curve import RocCurve
from rocscope.core.result import Estimate
from rocscope.core.scores import BinaryScores, Columns, WeightKind, read_counts_or_cases
from rocscope.core.table import ScoreTable, table_labels
from rocscope.errors import RocInputError

Floats: TypeAlias = NDArray[np.float64]
Ends: TypeAlias = tuple[Any, Any]


def wilson_interval(
    count: Any, n: Any, *, level: float = 0.95, alternative: checks.Alternative = "two-sided"
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
    k, size = _read_counts(count, n, level, alternative)
    low, high = wilson_ends(k / size, size, significance.critical_value(level, alternative=alternative))
    return _ends(low, high, k, size, alternative)


def wilson_ends(p: Floats, size: Floats, z: float) -> tuple[Floats, Floats]:
    """Proportions whose score test, with so many trials and this critical value, just accepts p."""
    # Roots of (p - q)^2 = z^2 q (1 - q) / n; the lower from the product of both, to keep its digits.
    far = p + z * z / (2 * size) + z * np.sqrt(p * (1 - p) / size + (z / (2 * size)) ** 2)
    low = np.divide(p * p, far, out=np.zeros_like(far), where=far > 0)
    return low, np.minimum(far / (1 + z * z / size), 1.0)


def exact_interval(
    count: Any, n: Any, *, level: float = 0.95, alternative: checks.Alternative = "two-sided"
) -> Ends:
    """Interval of a proportion from binomial tails, [2]; its coverage is never below the level.

    Arguments and ends are those of `wilson_interval`; of a two-sided interval each tail has half of
    1 - level.

    Examples
    --------
    >>> low, high = exact_interval(0, 10)
    >>> low, round(high, 4)
    (0.0, 0.3085)
    """
    k, size = _read_counts(count, n, level, alternative)
    tail = (1 - level) / 2 if alternative == "two-sided" else 1 - level
    # P(at least k | low) and P(at most k | high) are the tail, as quantiles of beta distributions.
    low = special.betaincinv(np.maximum(k, 1), size - k + 1, tail)
    high = special.betainccinv(k + 1, np.maximum(size - k, 1), tail)
    return _ends(np.asarray(low), np.asarray(high), k, size, alternative)


def modified_wilson_interval(
    count: Any, n: Any, *, level: float = 0.95, alternative: checks.Alternative = "two-sided"
) -> Ends:
    """Wilson's interval with the ends of Poisson rates where few cases are of one kind, [5].

    Wilson's lower end is too high for 1, 2 or 3 successes: with 20 trials and a proportion of 0.007 the
    interval of level 95 % holds it in 87 %. There the end is that of the mean of a Poisson variable whose
    upper tail is 1 - level; the upper end for 1, 2 or 3 failures is its mirror image. Up to 50 trials it is
    1 or 2. Arguments and ends are those of `wilson_interval`.

    Examples
    --------
    >>> low, high = modified_wilson_interval(1, 20)
    >>> round(low, 4), round(high, 4), round(wilson_interval(1, 20)[0], 4)
    (0.0026, 0.2361, 0.0089)
    """
    k, size = _read_counts(count, n, level, alternative)
    low, high = wilson_ends(k / size, size, significance.critical_value(level, alternative=alternative))
    tail = min((1 - level) * (1 if alternative == "two-sided" else 2), 1.0)
    few = np.where(size <= 50, 2, 3)

    def rate(of_kind: Floats, end: Floats) -> Floats:
        least = special.gammaincinv(np.maximum(of_kind, 1), tail) / size
        return np.where((of_kind >= 1) & (of_kind <= few), np.minimum(least, 1.0), end)

    return _ends(rate(k, low), 1 - rate(size - k, 1 - high), k, size, alternative)


def _read_counts(count: Any, n: Any, level: float, alternative: checks.Alternative) -> tuple[Floats, Floats]:
    checks.check_level(level)
    checks.check_alternative(alternative)
    k, size = np.broadcast_arrays(np.asarray(count, np.float64), np.asarray(n, np.float64))
    if not ((k >= 0) & (k <= size) & (size >= 1) & (k == np.floor(k))).all():
        came = f"{checks.show(count)} of {checks.show(n)}"
        raise RocInputError(
            f"must hold whole numbers from 0 to n, n at least 1, got {came}", argument="count"
        )
    return k, size


def _ends(low: Floats, high: Floats, k: Floats, size: Floats, alternative: checks.Alternative) -> Ends:
    # The share itself is inside: roundings, and one-sided levels below 1/2, would leave it out.
    low, high = np.minimum(low, k / size), np.maximum(high, k / size)
    low = np.zeros_like(low) if alternative == "less" else np.where(k == 0, 0.0, low)
    high = np.ones_like(high) if alternative == "greater" else np.where(k == size, 1.0, high)
    return (float(low), float(high)) if k.ndim == 0 else (low, high)


IntervalMethod: TypeAlias = Literal["wilson", "exact", "modified-wilson"]
INTERVALS: dict[str, Callable[..., Ends]] = {
    "wilson": wilson_interval,
    "exact": exact_interval,
    "modified-wilson": modified_wilson_interval,
}
RatioMethod: TypeAlias = Literal["mover", "log"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalKind:
    """The kind of interval that proportions, and what follows from them, get.

    `ratio` is that of ratios of shares: "mover" combines the intervals of both, "log" is the delta method on
    the logarithm.

    Examples
    --------
    >>> print(IntervalKind(interval="exact").proportion("sensitivity", 8, 10))
    sensitivity 0.8000 (95% interval 0.4439-0.9748, exact)
    """

    interval: IntervalMethod = "wilson"
    level: float = 0.95
    alternative: checks.Alternative = "two-sided"
    ratio: RatioMethod = "mover"

    def __post_init__(self) -> None:
        checks.check_choice(self.interval, list(INTERVALS), name="interval")
        checks.check_choice(self.ratio, list(get_args(RatioMethod)), name="ratio_interval")
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
        return self._estimate({"name": name, "value": value, "se": se, "low": low, "high": high} | more)

    def undefined(self, name: str, reason: str, **more: Any) -> Estimate:
        """An estimate that has no value, and why."""
        empty = {"value": None, "se": None, "low": None, "high": None}
        return self._estimate({"name": name, "status": "undefined", "reason": reason} | empty | more)

    def _estimate(self, fields: dict[str, Any]) -> Estimate:
        kind = {"method": self.interval, "level": self.level, "alternative": self.alternative}
        return Estimate(**(kind | fields))

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
        below, above = np.minimum(w, 0), np.maximum(w, 0)
        if same_cases:
            # sqrt(p / (1 - p)): shares i and j of the same cases have the correlation -s_i s_j.
            rest = 1 - shares
            odds = np.divide(shares, rest, out=np.zeros_like(rest), where=rest > 0)  # 1 does not vary
            signed, least, most = np.sign(w) * np.sqrt(odds), below.min(axis=0), above.max(axis=0)
        else:
            signed, least, most = None, below.sum(axis=0), above.sum(axis=0)
        towards_low = w * np.where(w > 0, shares - low, shares - high)
        towards_high = w * np.where(w > 0, high - shares, low - shares)
        value = (w * shares).sum(axis=0)
        return (
            least if self.alternative == "less" else value - _margin_of_error(towards_low, signed),
            most if self.alternative == "greater" else value + _margin_of_error(towards_high, signed),
        )

    def both_ends(self, count: Any, n: Any) -> Ends:
        """Either end at this level: one end of a sum or quotient needs lower and upper ends of its shares."""
        if self.alternative == "two-sided":
            return self.ends(count, n)
        formula = INTERVALS[self.interval]
        low, _ = formula(count, n, level=self.level, alternative="greater")
        _, high = formula(count, n, level=self.level, alternative="less")
        return low, high


def _margin_of_error(parts: Floats, deviations: Floats | None) -> Floats:
    """sqrt(sum r_ij d_i d_j), where r_ij = -s_i s_j for i != j with the deviations s; None: r_ij = 0."""
    squares = (parts**2).sum(axis=0)
    if deviations is None:
        return np.asarray(np.sqrt(squares))
    products = parts * deviations
    across = (products**2).sum(axis=0) - products.sum(axis=0) ** 2
    return np.asarray(np.sqrt(np.maximum(squares + across, 0.0)))


# ---- Quotients of two independent quantities: ratios of shares, and what else is a ratio in disguise ------
# The ends of the two intervals are combined, as `sum_ends` does for sums: theta is the quotient of x and y,
# and x - theta y is 0 as far as both intervals allow, so that the lower end solves
#     (x - theta y)^2 = (x - x_low)^2 + theta^2 (y_high - y)^2
# and the upper end the same with the other ends (MOVER-R, [1]_, [2]_). The interval of y / x is its
# reciprocal.
# The older way is the delta method: the logarithm of the ratio of two shares, a of m over b of n, has the
# variance
#     1/a - 1/m + 1/b - 1/n
# (Simel [3]_ for likelihood ratios). Where a share is 0 its part is infinite, and where a share is 1 its part
# is 0, as if the share were known: where 0 of 10 positives and 0 of 20 negatives test positive, LR- is 1 and
# its variance 0. There MOVER-R takes its place.
# References
# ----------
# .. [1] Donner, Zou: Closed-form confidence intervals for functions of the normal mean and standard
#    deviation, Statistical Methods in Medical Research 21, 2012.
# .. [2] Newcombe: MOVER-R confidence intervals for ratios and products of two independently estimated
#    quantities, Statistical Methods in Medical Research 25, 2016.
# .. [3] Simel, Samsa, Matchar: Likelihood ratios with confidence: sample size estimation for diagnostic test
#    studies, Journal of Clinical Epidemiology 44, 1991.

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

    @classmethod
    def of_shares(cls, counts: NDArray[Any], n: int, kind: IntervalKind) -> list[Spread]:
        """`of_share` of every count, with the intervals made at once."""
        columns = (column.tolist() for column in (counts / n, *kind.both_ends(counts, n)))
        return [cls(value=value, low=low, high=high) for value, low, high in zip(*columns, strict=True)]

    def scaled(self) -> Spread:
        """The same in units of its upper end, whose squares neither vanish nor overflow."""
        return Spread(value=self.value / self.high, low=self.low / self.high, high=1.0)


def quotient_ends(above: Spread, below: Spread, kind: IntervalKind) -> tuple[float, float]:
    """Ends of the interval of a quotient, MOVER-R; not of 0/0.

    Examples
    --------
    >>> kind = IntervalKind()
    >>> no_positives = Spread.of_share(10, 10, kind), Spread.of_share(20, 20, kind)
    >>> [round(end, 3) for end in quotient_ends(*no_positives, kind)]
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
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, a: int, m: int, b: int, n: int, kind: IntervalKind, shares: tuple[Spread, Spread] | None = None
    ) -> ShareRatio:
        """The ratio by combined intervals of the shares, or by the log method unless that fails."""
        relative = math.sqrt((m - a) / (a * m) + (n - b) / (b * n)) if a and b else None
        fails = relative is None or a == m or b == n
        combined = fails or kind.ratio == "mover"
        if a == 0 and b == 0:
            ends = 0.0, math.inf
        elif combined or relative is None:
            above, below = shares or (Spread.of_share(a, m, kind), Spread.of_share(b, n, kind))
            ends = quotient_ends(above, below, kind)
        else:
            log = math.log(a * n / (b * m))
            logs = significance.interval(log, relative, level=kind.level, alternative=kind.alternative)
            ends = math.exp(logs[0]), math.exp(logs[1])
        notes = (COMBINED,) if fails and kind.ratio == "log" else ()
        low, high = ends
        return cls(
            a=a, m=m, b=b, n=n, relative=relative, low=low, high=high, combined=combined, warnings=notes
        )

    @property
    def value(self) -> float | None:
        """The ratio; None where it is infinite or 0/0."""
        return self.a * self.n / (self.b * self.m) if self.b else None

    def method(self, plain: str, kind: IntervalKind) -> str:
        """Name of the interval: `plain` for the log method in one of its forms."""
        return f"mover-{kind.interval}" if self.combined else plain


# ---- The door of the methods that count cases at thresholds -----------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedScores:
    """An exact table of whole cases, and the names of its classes.

    `cases` are those that count differently or depend on each other, for functions that know of them: the
    table then holds their weights.

    Examples
    --------
    >>> CountedScores.read([0, 1, 1], [0.2, 0.2, 0.7]).table.pos.tolist()
    [1, 1]
    """

    table: ScoreTable
    pos_label: Any = 1
    neg_label: Any = 0
    warnings: tuple[str, ...] = ()
    cases: BinaryScores | None = None

    @classmethod
    def read(
        cls,
        y_true: Any,
        y_score: Any = None,
        *,
        weight_kind: WeightKind | None = None,
        clustered: bool = False,
        weighted: bool = False,
        **columns: Unpack[Columns],
    ) -> CountedScores:
        """Check labels and scores, as `BinaryScores.from_arrays` does; a table stays one.

        Clusters and survey weights are refused unless the caller knows of them (`clustered`, `weighted`).
        """
        data = read_counts_or_cases(y_true, y_score, weight_kind=weight_kind, clustered=clustered, **columns)
        if isinstance(data, ScoreTable):
            return cls(table=_check(data), **table_labels(data))
        table = data.table()
        return cls(
            table=table if weighted else _check(table, columns.get("sample_weight")),
            pos_label=data.pos_label,
            neg_label=data.neg_label,
            warnings=data.warnings,
            cases=None if data.is_plain else data,
        )

    @property
    def n_pos(self) -> int:
        """Number of positives."""
        return int(self.table.n_pos) if self.cases is None else self.cases.n_pos

    @property
    def n_neg(self) -> int:
        """Number of negatives."""
        return int(self.table.n_neg) if self.cases is None else self.cases.n_neg

    @property
    def smallest_class(self) -> int:
        """Number of cases in the smaller class."""
        return min(self.n_pos, self.n_neg)

    def share(self, prevalence: float | None) -> float:
        """Share of positives in the population, or that of the cases."""
        of_cases = float(self.table.n_pos / (self.table.n_pos + self.table.n_neg))
        return of_cases if prevalence is None else prevalence

    @property
    def description(self) -> dict[str, Any]:
        """Fields of a result that describe the data."""
        classes = {"pos_label": self.pos_label, "neg_label": self.neg_label}
        return {"n_pos": self.n_pos, "n_neg": self.n_neg, **classes, "warnings": self.warnings}

    def curve(self) -> RocCurve:
        """The ROC curve."""
        return RocCurve.from_table(
            self.table, pos_label=self.pos_label, neg_label=self.neg_label, warnings=self.warnings
        )


def _check(table: ScoreTable, sample_weight: Any = None) -> ScoreTable:
    if not table.is_counted and sample_weight is not None:
        raise RocInputError(
            "must be numbers of cases here, with weight_kind 'frequency', got survey weights",
            argument="sample_weight",
        )
    if not table.is_counted:
        raise RocInputError(
            "must count whole cases for an interval, got fractional weights", argument="y_true"
        )
    if table.thinned:
        raise RocInputError(
            "must be an exact table, got a thinned one, whose thresholds are gone", argument="y_true"
        )
    return table


def read_prevalence(prevalence: Any) -> float | None:
    """The share of positives where a point is used, if one was given."""
    if prevalence is None:
        return None
    return checks.check_number(prevalence, name="prevalence", low=0, high=1)


def as_number(threshold: Any) -> Any:
    """A threshold of a curve as a plain number; integers beyond 2**53 stay integers."""
    return threshold.item() if isinstance(threshold, np.generic) else threshold


def plain_threshold(threshold: Any) -> Any:
    """A threshold as strict JSON can hold it: infinity is text, None stays.

    Examples
    --------
    >>> plain_threshold(-math.inf), plain_threshold(0.5)
    ('-inf', 0.5)
    """
    return str(threshold) if isinstance(threshold, float) and math.isinf(threshold) else threshold
