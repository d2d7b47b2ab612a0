"""What one operating point is worth: rates, predictive values, likelihood ratios, benefit and cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rocscope.core import checks
from rocscope.core.checks import Alternative
from rocscope.core.measures import cost_matrix
from rocscope.core.points import Threshold
from rocscope.core.result import Estimate, Result
from rocscope.errors import RocInputError
from rocscope.inference.class_measures import expected_cost, mean_share, share_of_all
from rocscope.inference.counts import CountedScores, as_number, plain_threshold, read_prevalence
from rocscope.inference.proportions import IntervalKind, ShareRatio, Spread, quotient_ends

MEASURES = (
    "sensitivity",
    "specificity",
    "ppv",
    "npv",
    "lr_pos",
    "lr_neg",
    "accuracy",
    "balanced_accuracy",
    "f1",
    "youden",
    "net_benefit",
    "expected_cost",
)
INFINITE = "the point calls no case positive, not even those with an infinite score"
CHOSEN = (
    "the point was chosen on these same cases: the measures are optimistic and the intervals do not know of "
    "the choice; see cutpoint"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointMeasures(Result):
    """The confusion matrix of one operating point and what follows from it.

    Attributes
    ----------
    threshold
        Cases with score >= threshold are called positive. Infinite thresholds are text in JSON.
    chosen
        Whether the point was chosen on these cases.
    tp, fp, fn, tn
        Cases called positive, rightly and wrongly, and called negative, wrongly and rightly.
    sensitivity, specificity, ppv, npv, lr_pos, lr_neg, accuracy, balanced_accuracy, f1, youden, \
net_benefit, expected_cost
        Each an `Estimate` with its standard error; its `value` is None where it is 0/0, infinite or lacks
        an argument, and `reason` says which.
    prevalence
        Share of positives that was asked for; None for that of the cases.
    threshold_probability
        Probability that weighs false positives in the net benefit.
    """

    view: ClassVar[str] = "forest.point_measures_picture"
    topic: ClassVar[str] = "points"

    threshold: Any
    chosen: bool
    tp: int
    fp: int
    fn: int
    tn: int
    sensitivity: Estimate
    specificity: Estimate
    ppv: Estimate
    npv: Estimate
    lr_pos: Estimate
    lr_neg: Estimate
    accuracy: Estimate
    balanced_accuracy: Estimate
    f1: Estimate
    youden: Estimate
    net_benefit: Estimate
    expected_cost: Estimate
    prevalence: float | None
    threshold_probability: float | None
    pos_label: Any = 1
    neg_label: Any = 0
    warnings: tuple[str, ...] = ()

    @property
    def estimates(self) -> dict[str, Estimate]:
        """The measures by name."""
        return {name: getattr(self, name) for name in MEASURES}

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON; an infinite threshold is text."""
        return Result.to_dict(self) | {"threshold": plain_threshold(self.threshold)}

    def columns(self) -> dict[str, Any]:
        """One row per measure."""
        rows = [{"measure": name} | dict(estimate) for name, estimate in self.estimates.items()]
        shown = ("measure", "value", "se", "low", "high", "level", "method", "status", "reason")
        return {name: [row[name] for row in rows] for name in shown}

    def _summary(self) -> str:
        called = f"{self.pos_label!s} where score >= {self.threshold!s}"
        counts = f"{self.tp} true and {self.fp} false positives, {self.tn} true and {self.fn} false negatives"
        rows = (f"  {estimate.summary()}" for estimate in self.estimates.values())
        return "\n".join([f"Called {called}: {counts}", *rows])


def point_measures(
    y_true: Any,
    y_score: Any = None,
    *,
    threshold: Any = None,
    select: str | Sequence[str] = (),
    rule: str | None = None,
    cost: Any = None,
    prevalence: float | None = None,
    threshold_probability: float | None = None,
    interval: str = "wilson",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    pos_label: Any = None,
) -> PointMeasures:
    """Return what one operating point is worth, each measure with its standard error and interval.

    Parameters
    ----------
    y_true
        Labels of two classes. {0, 1}, {-1, 1} and booleans need no `pos_label`. A `BinaryScores` or a
        `ScoreTable` may stand here alone.
    y_score
        Scores, larger for the positive class.
    threshold
        Score from which cases are called positive; may be infinite. Without it the point is chosen as by
        `RocCurve.select`, Youden's index being the rule of last resort.
    select, rule
        Bounds such as "tpr>=0.9" and the rule "youden" or "closest" that choose the point.
    cost
        Cost of a false negative relative to a false positive; or {"fp": .., "fn": ..}, (fp, fn) or a
        matrix, true by decided. It gives the expected cost, and chooses the point if no threshold is given.
    prevalence
        Share of positives where the point will be used. Without it predictive values, accuracy, F1, net
        benefit and cost are those of these cases, as if drawn from that population; with it they follow
        from sensitivity and specificity, so cases and controls may have been collected apart.
    threshold_probability
        Probability of the positive class at which acting and not acting are worth the same: a false
        positive then weighs p / (1 - p) true positives [1]_. Without it the threshold itself is taken if
        it was given and all scores lie between 0 and 1; a threshold chosen on the data states no such
        preference, and the net benefit is undefined.
    interval
        "wilson" or "exact" (Clopper and Pearson), for every share of cases. Balanced accuracy, Youden's
        index, net benefit, expected cost and the accuracy at a prevalence are weighted sums of shares, whose
        intervals are combined from these (`method` "mover-wilson"). Likelihood ratios take the log method,
        predictive values at a prevalence the logit method, and where either fails, since a share is 0 or 1,
        the combined intervals of the shares. F1 takes the interval of the share of true positives among
        all cases but true negatives, with which it rises.
    level
        Confidence level.
    alternative
        "two-sided"; "greater" for a lower bound alone, "less" for an upper bound alone.
    pos_label
        The label of the positive class.

    Returns
    -------
    PointMeasures
        With the counts `tp fp fn tn` and one `Estimate` per measure. A point chosen on the same cases is
        said to be so in `warnings`.

    Raises
    ------
    UndefinedError
        If no point meets the bounds.

    References
    ----------
    .. [1] Vickers, Elkin: Decision curve analysis: a novel method for evaluating prediction models, Medical
       Decision Making 26, 2006.

    Examples
    --------
    >>> found = point_measures([0, 0, 0, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.8, 0.9], threshold=0.5)
    >>> found.tp, found.fp, found.fn, found.tn
    (2, 1, 1, 3)
    >>> print(found.sensitivity)
    sensitivity 0.6667 (95% interval 0.2077-0.9385, wilson)
    >>> print(found.expected_cost)
    expected cost undefined: cost was not given
    """
    kind = IntervalKind(interval=interval, level=level, alternative=alternative)
    prevalence = read_prevalence(prevalence)
    bounds = tuple(select) if isinstance(select, (list, tuple)) else (select,)
    data = CountedScores.read(y_true, y_score, pos_label)
    if threshold is None:
        point = _chosen_point(data, bounds, rule=rule, cost=cost, prevalence=prevalence)
    else:
        point = _given_point(data, threshold, bounds, rule)
    probability, why_not = _probability(threshold_probability, point, data)
    found = estimates(
        point.cells, kind, prevalence=prevalence, cost=cost, probability=probability, why_not=why_not
    )
    return PointMeasures(
        threshold=point.threshold,
        chosen=point.chosen,
        tp=point.cells.tp,
        fp=point.cells.fp,
        fn=point.cells.fn,
        tn=point.cells.tn,
        **found,
        prevalence=prevalence,
        threshold_probability=probability,
        pos_label=data.pos_label,
        neg_label=data.neg_label,
        warnings=(*data.warnings, *point.notes),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Point:
    """A threshold and its counts, with what must be said about the way it came about."""

    threshold: Any
    cells: Confusion
    chosen: bool
    notes: tuple[str, ...] = ()


def _given_point(data: CountedScores, threshold: Any, bounds: tuple[str, ...], rule: str | None) -> _Point:
    checks.check_number(threshold, name="threshold", closed=True)
    if bounds or rule is not None:
        raise RocInputError(
            "must come without select and rule: they choose the point themselves", argument="threshold"
        )
    called = Threshold(threshold).decide_codes(data.table.scores) == 1
    tp, fp = (int(counts[called].sum()) for counts in (data.table.pos, data.table.neg))
    cells = Confusion(tp=tp, fp=fp, fn=data.n_pos - tp, tn=data.n_neg - fp)
    return _Point(threshold=as_number(threshold), cells=cells, chosen=False)


def _chosen_point(data: CountedScores, bounds: tuple[str, ...], **options: Any) -> _Point:
    curve = data.curve()
    index = curve.select(*bounds, **options)
    (tn, fp), (fn, tp) = curve.confusion()[index].tolist()
    infinite = index == 0 and data.table.scores[0] == math.inf
    return _Point(
        threshold=as_number(curve.thresholds[index]),
        cells=Confusion(tp=tp, fp=fp, fn=fn, tn=tn),
        chosen=True,
        notes=(CHOSEN, INFINITE) if infinite else (CHOSEN,),
    )


def _probability(given: Any, point: _Point, data: CountedScores) -> tuple[float | None, str]:
    """The threshold probability, or why there is none."""
    if given is not None:
        return check_probability(given, name="threshold_probability"), ""
    ask = ": give threshold_probability"
    if point.chosen:
        return None, f"a threshold chosen on the data does not say what a false positive weighs{ask}"
    if data.table.scores[-1] < 0 or data.table.scores[0] > 1:
        return None, f"the scores are not all between 0 and 1, so the threshold is not a probability{ask}"
    if not 0 <= point.threshold < 1:
        return None, f"the threshold is not a probability of at least 0 and below 1{ask}"
    return float(point.threshold), ""


def check_probability(value: Any, *, name: str) -> float:
    """Return a threshold probability, a number of at least 0 and below 1."""
    probability = checks.check_number(value, name=name, low=0, high=1, closed=True)
    if probability == 1:
        raise RocInputError("must be below 1, where a false positive weighs infinitely, got 1", argument=name)
    return probability


# ---- Measures of one confusion matrix, each with its standard error and interval --------------------------
# The logarithm of a likelihood ratio and the logit of a predictive value at a given prevalence differ by a
# constant, log LR+ = logit PPV - logit prevalence, and have the same variance,
#     var log LR+ = 1/TP - 1/m + 1/FP - 1/n,
# by [1]_ for the ratio and by [2]_ for the predictive value, so that one interval serves both;
# `quotients` has
# it, and what takes its place where a share is 0 or 1.
# F1 is a share in disguise: with J = TP / (TP + FP + FN), the share of true positives among all cases but the
# true negatives, F1 = 2 J / (1 + J), which rises with J. Its interval is that of J, its standard error by the
# delta method 2 / (1 + J)^2 that of J: the same as by the delta method on the multinomial cells. At a given
# prevalence p J becomes p TPR / (p + (1 - p) FPR), a quotient of two independent
# quantities, and the delta method is that on the two binomials.
# Standard errors are those of the delta method throughout. They are 0 where a share of 0 or 1 leaves nothing
# to vary, which is no certainty: look at the interval.
# References
# ----------
# .. [1] Simel, Samsa, Matchar: Likelihood ratios with confidence: sample size estimation for diagnostic test
#    studies, Journal of Clinical Epidemiology 44, 1991.
# .. [2] Mercaldo, Lau, Zhou: Confidence intervals for predictive values with an emphasis to case-control
#    studies, Statistics in Medicine 26, 2007.


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
