"""Measures of one confusion matrix, each with its interval.

The logarithm of a likelihood ratio and the logit of a predictive value at a given prevalence differ by a
constant, log LR+ = logit PPV - logit prevalence, and have the same variance,

    var log LR+ = 1/TP - 1/m + 1/FP - 1/n,

by [1]_ for the ratio and by [2]_ for the predictive value, so that one interval serves both. Where the
variance is infinite (TP or FP is 0) or 0 (every case is called positive), 1/2 is added to each of the four
cells for the interval, never for the value, and the interval is widened to hold the value. To add it where
any cell is 0, or to add more, makes intervals that miss their level.

References
----------
.. [1] Simel, Samsa, Matchar: Likelihood ratios with confidence: sample size estimation for diagnostic test
   studies, Journal of Clinical Epidemiology 44, 1991.
.. [2] Mercaldo, Lau, Zhou: Confidence intervals for predictive values with an emphasis to case-control
   studies, Statistics in Medicine 26, 2007.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from rocscope.area.binomial import IntervalKind
from rocscope.core import wald
from rocscope.core.measures import cost_matrix
from rocscope.core.result import Estimate

CORRECTED = "1/2 was added to each cell for the interval: the log method fails on the counts as they are"


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """Counts of cases: called positive rightly and wrongly, called negative wrongly and rightly."""

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def n_pos(self) -> int:
        """Number of positives."""
        return self.tp + self.fn

    @property
    def n_neg(self) -> int:
        """Number of negatives."""
        return self.fp + self.tn

    @property
    def n(self) -> int:
        """Number of cases."""
        return self.n_pos + self.n_neg


def estimates(
    cells: Confusion,
    kind: IntervalKind,
    *,
    prevalence: float | None = None,
    cost: Any = None,
    probability: float | None = None,
    why_not: str = "threshold_probability was not given",
) -> dict[str, Estimate]:
    """Every measure of a confusion matrix by name.

    `probability` is the threshold probability of the net benefit; without it `why_not` is the reason.

    Examples
    --------
    >>> found = estimates(Confusion(tp=90, fp=20, fn=10, tn=180), IntervalKind())
    >>> print(found["lr_pos"])
    LR+ 9.0000 (95% interval 5.9083-13.7096, log)
    """
    return {
        "sensitivity": kind.proportion("sensitivity", cells.tp, cells.n_pos),
        "specificity": kind.proportion("specificity", cells.tn, cells.n_neg),
        "ppv": _ppv(cells, kind, prevalence),
        "npv": _npv(cells, kind, prevalence),
        "lr_pos": _ratio("LR+", _called_positive(cells, kind), kind, called="positive"),
        "lr_neg": _ratio("LR-", _called_negative(cells, kind), kind, called="negative"),
        "accuracy": _accuracy(cells, kind, prevalence),
        "youden": _of_rates("Youden's index", cells, kind, 1.0, -1.0),
        "net_benefit": _net_benefit(cells, kind, prevalence, probability, why_not),
        "expected_cost": _expected_cost(cells, kind, prevalence, cost),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _LogRatio:
    """Ratio of the shares of two classes: a of m over b of n; logarithms of its interval."""

    a: int
    m: int
    b: int
    n: int
    se: float | None
    low: float
    high: float

    @classmethod
    def of(cls, a: int, m: int, b: int, n: int, kind: IntervalKind) -> _LogRatio:
        fails = a == 0 or b == 0 or (a == m and b == n)
        half = 0.5 if fails else 0.0
        above, all_above, below, all_below = a + half, m + 2 * half, b + half, n + 2 * half
        log = math.log(above * all_below / (below * all_above))
        variance = (all_above - above) / (above * all_above) + (all_below - below) / (below * all_below)
        se = math.sqrt(variance)
        low, high = wald.interval(log, se, level=kind.level, alternative=kind.alternative)
        if fails:
            observed = -math.inf if a == 0 else math.inf if b == 0 else 0.0
            low, high = min(low, observed), max(high, observed)
        return cls(a=a, m=m, b=b, n=n, se=None if fails else se, low=low, high=high)

    @property
    def warnings(self) -> tuple[str, ...]:
        return (CORRECTED,) if self.se is None else ()

    @property
    def value(self) -> float | None:
        """The ratio; None where it is infinite or 0/0."""
        return self.a * self.n / (self.b * self.m) if self.b else None


def _called_positive(cells: Confusion, kind: IntervalKind) -> _LogRatio:
    return _LogRatio.of(cells.tp, cells.n_pos, cells.fp, cells.n_neg, kind)


def _called_negative(cells: Confusion, kind: IntervalKind) -> _LogRatio:
    return _LogRatio.of(cells.fn, cells.n_pos, cells.tn, cells.n_neg, kind)


def _ratio(name: str, ratio: _LogRatio, kind: IntervalKind, *, called: str) -> Estimate:
    low, high = math.exp(ratio.low), math.exp(ratio.high)
    if ratio.value is not None:
        se = None if ratio.se is None else ratio.value * ratio.se
        return kind.estimate(name, ratio.value, (low, high), se=se, method="log", warnings=ratio.warnings)
    if ratio.a == 0:
        return kind.undefined(name, f"no case was called {called}, so the ratio is 0/0", method="log")
    bound = "" if kind.alternative == "less" else f", at least {low:.4g}"
    reason = f"no negative case was called {called}, so the ratio is infinite{bound}"
    return kind.undefined(name, reason, method="log", low=low, high=math.inf, warnings=ratio.warnings)


def _ppv(cells: Confusion, kind: IntervalKind, prevalence: float | None) -> Estimate:
    if cells.tp + cells.fp == 0:
        return kind.undefined("PPV", "no case was called positive")
    if prevalence is None:
        return kind.proportion("PPV", cells.tp, cells.tp + cells.fp)
    return _predictive("PPV", _called_positive(cells, kind), kind, prevalence)


def _npv(cells: Confusion, kind: IntervalKind, prevalence: float | None) -> Estimate:
    if cells.tn + cells.fn == 0:
        return kind.undefined("NPV", "no case was called negative")
    if prevalence is None:
        return kind.proportion("NPV", cells.tn, cells.tn + cells.fn)
    turned = _LogRatio.of(cells.tn, cells.n_neg, cells.fn, cells.n_pos, kind)
    return _predictive("NPV", turned, kind, 1 - prevalence)


def _predictive(name: str, ratio: _LogRatio, kind: IntervalKind, share: float) -> Estimate:
    """Bayes: the odds of being right are the ratio times the odds of the class."""
    right, wrong = share * ratio.a / ratio.m, (1 - share) * ratio.b / ratio.n
    value = right / (right + wrong)
    odds = math.log(share / (1 - share))
    ends = float(special.expit(ratio.low + odds)), float(special.expit(ratio.high + odds))
    se = None if ratio.se is None else value * (1 - value) * ratio.se
    return kind.estimate(name, value, ends, se=se, method="logit", warnings=ratio.warnings)


def _accuracy(cells: Confusion, kind: IntervalKind, prevalence: float | None) -> Estimate:
    if prevalence is None:
        return kind.proportion("accuracy", cells.tp + cells.tn, cells.n)
    weights, sizes = [prevalence, 1 - prevalence], [cells.n_pos, cells.n_neg]
    return kind.weighted_sum("accuracy", weights, [cells.tp, cells.tn], sizes, same_cases=False)


def _of_rates(name: str, cells: Confusion, kind: IntervalKind, of_tpr: float, of_fpr: float) -> Estimate:
    sizes = [cells.n_pos, cells.n_neg]
    return kind.weighted_sum(name, [of_tpr, of_fpr], [cells.tp, cells.fp], sizes, same_cases=False)


def _net_benefit(
    cells: Confusion, kind: IntervalKind, prevalence: float | None, probability: float | None, why_not: str
) -> Estimate:
    if probability is None:
        return kind.undefined("net benefit", why_not, method=f"mover-{kind.interval}")
    odds = probability / (1 - probability)
    if prevalence is not None:
        return _of_rates("net benefit", cells, kind, prevalence, -(1 - prevalence) * odds)
    return kind.weighted_sum("net benefit", [1.0, -odds], [cells.tp, cells.fp], cells.n, same_cases=True)


def _expected_cost(cells: Confusion, kind: IntervalKind, prevalence: float | None, cost: Any) -> Estimate:
    if cost is None:
        return kind.undefined("expected cost", "cost was not given", method=f"mover-{kind.interval}")
    table = cost_matrix(cost)[:, :2]
    if prevalence is None:
        # Taken out, the least cost cannot widen the interval: a cost of all decisions alike only moves it.
        base = float(table.min())
        counts = [cells.tn, cells.fp, cells.fn, cells.tp]
        weights = (table - base).ravel()
        return kind.weighted_sum("expected cost", weights, counts, cells.n, same_cases=True, constant=base)
    shares = np.array([1 - prevalence, prevalence])
    extra = shares * (table[[0, 1], [1, 0]] - table[[0, 1], [0, 1]])
    return kind.weighted_sum(
        "expected cost",
        extra,
        [cells.fp, cells.fn],
        [cells.n_neg, cells.n_pos],
        same_cases=False,
        constant=float(shares @ np.diagonal(table)),
    )
