"""What one operating point is worth: rates, predictive values, likelihood ratios, benefit and cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rocscope.area.binomial import IntervalKind
from rocscope.area.counted import CountedScores, as_number, plain_threshold, read_prevalence
from rocscope.area.point_estimates import Confusion, estimates
from rocscope.core import checks
from rocscope.core.checks import Alternative
from rocscope.core.points import Threshold
from rocscope.core.result import Estimate, Result
from rocscope.errors import RocInputError

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
        raise RocInputError("threshold must come without select and rule: they choose the point themselves")
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
        raise RocInputError(f"{name} must be below 1, where a false positive weighs infinitely, got 1")
    return probability
