"""Measures of one confusion matrix, each with its standard error and interval.

The logarithm of a likelihood ratio and the logit of a predictive value at a given prevalence differ by a
constant, log LR+ = logit PPV - logit prevalence, and have the same variance,

    var log LR+ = 1/TP - 1/m + 1/FP - 1/n,

by [1]_ for the ratio and by [2]_ for the predictive value, so that one interval serves both; `quotients` has
it, and what takes its place where a share is 0 or 1.

F1 is a share in disguise: with J = TP / (TP + FP + FN), the share of true positives among all cases but the
true negatives, F1 = 2 J / (1 + J), which rises with J. Its interval is that of J, its standard error by the
delta method 2 / (1 + J)^2 that of J: the same as by the delta method on the multinomial cells. At a given
prevalence p J becomes p TPR / (p + (1 - p) FPR), a quotient of two independent
quantities, and the delta method is that on the two binomials.

Standard errors are those of the delta method throughout. They are 0 where a share of 0 or 1 leaves nothing
to vary, which is no certainty: look at the interval.

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

from rocscope.area.binomial import IntervalKind
from rocscope.area.class_estimates import expected_cost, mean_share, share_of_all
from rocscope.area.quotients import ShareRatio, Spread, quotient_ends
from rocscope.core.measures import cost_matrix
from rocscope.core.result import Estimate


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
        "balanced_accuracy": _mean_rate(cells, kind),
        "f1": _f1(cells, kind, prevalence),
        "youden": _of_rates("Youden's index", cells, kind, 1.0, -1.0),
        "net_benefit": _net_benefit(cells, kind, prevalence, probability, why_not),
        "expected_cost": _expected_cost(cells, kind, prevalence, cost),
    }


def _called_positive(cells: Confusion, kind: IntervalKind) -> ShareRatio:
    return ShareRatio.of(cells.tp, cells.n_pos, cells.fp, cells.n_neg, kind)


def _called_negative(cells: Confusion, kind: IntervalKind) -> ShareRatio:
    return ShareRatio.of(cells.fn, cells.n_pos, cells.tn, cells.n_neg, kind)


def _ratio(name: str, ratio: ShareRatio, kind: IntervalKind, *, called: str) -> Estimate:
    method = ratio.method("log", kind)
    if ratio.value is not None:
        se = ratio.value * (ratio.relative or 0.0)
        ends = ratio.low, ratio.high
        return kind.estimate(name, ratio.value, ends, se=se, method=method, warnings=ratio.warnings)
    if ratio.a == 0:
        return kind.undefined(name, f"no case was called {called}, so the ratio is 0/0", method=method)
    bounded = kind.alternative != "less" and math.isfinite(ratio.low)
    bound = f", at least {ratio.low:.4g}" if bounded else ""
    reason = f"no negative case was called {called}, so the ratio is infinite{bound}"
    more: dict[str, Any] = {"low": ratio.low, "high": math.inf} if math.isfinite(ratio.low) else {}
    return kind.undefined(name, reason, method=method, warnings=ratio.warnings, **more)


def _ppv(cells: Confusion, kind: IntervalKind, prevalence: float | None) -> Estimate:
    if cells.tp + cells.fp == 0:
        return kind.undefined("PPV", "no case was called positive")
    if prevalence is None:
        return kind.proportion("PPV", cells.tp, cells.tp + cells.fp)
    return _predictive("PPV", _called_positive(cells, kind), kind, (prevalence, 1 - prevalence))


def _npv(cells: Confusion, kind: IntervalKind, prevalence: float | None) -> Estimate:
    if cells.tn + cells.fn == 0:
        return kind.undefined("NPV", "no case was called negative")
    if prevalence is None:
        return kind.proportion("NPV", cells.tn, cells.tn + cells.fn)
    turned = ShareRatio.of(cells.tn, cells.n_neg, cells.fn, cells.n_pos, kind)
    return _predictive("NPV", turned, kind, (1 - prevalence, prevalence))


def _predictive(name: str, ratio: ShareRatio, kind: IntervalKind, shares: tuple[float, float]) -> Estimate:
    """Bayes: the odds of being right are the ratio times those of the class, whose share comes first."""
    own, other = shares
    right, wrong = own * ratio.a / ratio.m, other * ratio.b / ratio.n
    value = right / (right + wrong)
    low, high = (
        1.0 if math.isinf(end) else own * end / (own * end + other) for end in (ratio.low, ratio.high)
    )
    se = value * (1 - value) * (ratio.relative or 0.0)
    method = ratio.method("logit", kind)
    return kind.estimate(name, value, (low, high), se=se, method=method, warnings=ratio.warnings)


def _accuracy(cells: Confusion, kind: IntervalKind, prevalence: float | None) -> Estimate:
    return share_of_all("accuracy", [cells.tn, cells.tp], [cells.n_neg, cells.n_pos], kind, prevalence)


def _mean_rate(cells: Confusion, kind: IntervalKind) -> Estimate:
    return mean_share("balanced accuracy", [cells.tn, cells.tp], [cells.n_neg, cells.n_pos], kind)


def _f1(cells: Confusion, kind: IntervalKind, prevalence: float | None) -> Estimate:
    """Twice the share of true positives among all but true negatives, over 1 + that share."""
    if prevalence is None:
        hits = kind.proportion("F1", cells.tp, cells.n - cells.tn)
        share, se, ends, method = hits.value, hits.se, (hits.low, hits.high), kind.interval
    else:
        share, se, ends = _hits_at(cells, kind, prevalence)
        method = f"mover-{kind.interval}"
    assert share is not None
    assert se is not None
    low, high = (_doubled(end) for end in ends)
    return kind.estimate("F1", _doubled(share), (low, high), se=2 * se / (1 + share) ** 2, method=method)


def _doubled(share: float | None) -> float:
    """F1 from the share of hits; that of a missing upper bound is 1."""
    assert share is not None
    return min(2 * share / (1 + share), 1.0) if math.isfinite(share) else 1.0


def _hits_at(
    cells: Confusion, kind: IntervalKind, prevalence: float
) -> tuple[float, float, tuple[float, float]]:
    """Share of true positives among all but true negatives at a prevalence, its error and interval."""
    pos, neg = prevalence, 1 - prevalence
    tpr = Spread.of_share(cells.tp, cells.n_pos, kind)
    fpr = Spread.of_share(cells.fp, cells.n_neg, kind)
    above = Spread(value=pos * tpr.value, low=pos * tpr.low, high=pos * tpr.high)
    below = Spread(value=pos + neg * fpr.value, low=pos + neg * fpr.low, high=pos + neg * fpr.high)
    value = above.value / below.value
    of_tpr = pos / below.value * math.sqrt(tpr.value * (1 - tpr.value) / cells.n_pos)
    of_fpr = value * neg / below.value * math.sqrt(fpr.value * (1 - fpr.value) / cells.n_neg)
    return value, math.hypot(of_tpr, of_fpr), quotient_ends(above, below, kind)


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
    matrix = [[cells.tn, cells.fp], [cells.fn, cells.tp]]
    return expected_cost("expected cost", matrix, cost_matrix(cost), kind, prevalence)
