"""What one operating point is worth: rates, predictive values, likelihood ratios, benefit and cost.

A likelihood ratio is a quotient of two independent shares, and its interval combines theirs (MOVER-R, see
`ShareRatio` [1]_): from Wilson's intervals it holds as often as these do, where that of the delta method,

    var log LR+ = 1/TP - 1/m + 1/FP - 1/n

[2]_, is wrong by several percent in small samples and has no value where a share is 0. The odds of a
predictive value at a known prevalence are the ratio times the odds of the prevalence, log LR+ = logit PPV -
logit prevalence, so that one interval serves both [3]_.

F1 is a share in disguise: with J = TP / (TP + FP + FN), the share of true positives among all cases but the
true negatives, F1 = 2 J / (1 + J), which rises with J. Its interval is that of J, its standard error by the
delta method 2 / (1 + J)^2 that of J: the same as by the delta method on the multinomial cells. At a known
prevalence p J becomes p TPR / (p + (1 - p) FPR), a quotient of two independent quantities, and the delta
method is that on the two binomials.

The expected cost is a sum over outcomes: without a prevalence all cells share the same cases; at a prevalence
p_c the cost within class c, theta_c, is such a sum over one row, rows are independent, and

    theta - low = sqrt(sum_c p_c^2 (theta_c - low_c)^2)

with the ends of each row's own interval, as for any independent quantities [4]_; the standard error is that
of a sum of multinomial rows. Cells of equal cost are one outcome: costs of 0 and 1 give the interval of the
error, and cells without a case do not widen it.

Standard errors are those of the delta method throughout. They are 0 where a share of 0 or 1 leaves nothing
to vary, which is no certainty: look at the interval.

References
----------
.. [1] Newcombe: MOVER-R confidence intervals for ratios and products of two independently estimated
   quantities, Statistical Methods in Medical Research 25, 2016.
.. [2] Simel, Samsa, Matchar: Likelihood ratios with confidence: sample size estimation for diagnostic test
   studies, Journal of Clinical Epidemiology 44, 1991.
.. [3] Mercaldo, Lau, Zhou: Confidence intervals for predictive values with an emphasis to case-control
   studies, Statistics in Medicine 26, 2007.
.. [4] Zou, Donner: Construction of confidence limits about effect measures: a general approach, Statistics
   in Medicine 27, 2008.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, measures, points, spread
from rocscope.core.curve import equal_note
from rocscope.core.formatting import deciding_threshold, sentence
from rocscope.core.frames import Missing
from rocscope.core.result import Estimate, Result
from rocscope.core.rules import Direction
from rocscope.core.scores import Columns, WeightKind
from rocscope.core.table import own_scores
from rocscope.errors import RocInputError
from rocscope.inference import proportions
from rocscope.inference.designed_measures import check_wilson, designed_estimates
from rocscope.inference.proportions import IntervalKind, ShareRatio, Spread

INFINITE = "no case tests positive at this point, not even those with an infinite score"
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
        Cases with score >= threshold test positive, with `direction` "lower" those with score <= threshold.
        Infinite thresholds are text in JSON.
    chosen
        Whether the point was chosen on these cases.
    tp, fp, fn, tn
        Cases that test positive, truly and falsely, and that test negative, falsely and truly.
    sensitivity, specificity, ppv, npv, lr_pos, lr_neg, accuracy, balanced_accuracy, f1, youden, \
net_benefit, expected_cost
        Each an `Estimate` with its standard error; its `value` is None where it is 0/0 or lacks an argument,
        a likelihood ratio over 0 is infinite, and `reason` says so.
    prevalence
        Share of positives in the population; None for that of the cases.
    threshold_probability
        Probability that weighs false positives in the net benefit.
    threshold_text
        The threshold as texts print it, with fewer figures that decide the same on these cases.
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
    threshold_text: str | None = None
    direction: Direction = "higher"

    @property
    def sign(self) -> str:
        """How the score of a case that tests positive compares with the threshold."""
        return ">=" if self.direction == "higher" else "<="

    @property
    def estimates(self) -> dict[str, Estimate]:
        """The measures by name."""
        return {name: getattr(self, name) for name in MEASURES}

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON; an infinite threshold is text."""
        return Result.to_dict(self) | {"threshold": proportions.plain_threshold(self.threshold)}

    def columns(self) -> dict[str, Any]:
        """One row per measure."""
        fields = ("value", "se", "low", "high", "level", "method", "status", "reason")
        rows = self.estimates.values()
        return {"measure": list(MEASURES)} | {name: [row[name] for row in rows] for name in fields}

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        named = {"measure": [sentence(row.name) for row in self.estimates.values()]}
        return self.columns() | named, {}, [f"Test positive where score {self.sign} {self._cut}."]

    @property
    def _cut(self) -> str:
        return str(self.threshold) if self.threshold_text is None else self.threshold_text

    def _summary(self) -> str:
        counts = f"{self.tp} true and {self.fp} false positives, {self.tn} true and {self.fn} false negatives"
        rows = (f"  {estimate.summary()}" for estimate in self.estimates.values())
        where = f"score {self.sign} {self._cut}"
        return "\n".join([f"Test positive for {self.pos_label!s} where {where}: {counts}", *rows])


MEASURES = tuple(field.name for field in fields(PointMeasures) if field.type == "Estimate")


@checks.known_arguments
def point_measures(
    y_true: Any,
    y_score: Any = None,
    *,
    threshold: Any = None,
    select: str | Sequence[str] = (),
    rule: points.Rule | None = None,
    cost: Any = None,
    prevalence: float | None = None,
    threshold_probability: float | None = None,
    interval: proportions.IntervalMethod = "wilson",
    ratio_interval: proportions.RatioMethod = "mover",
    level: float = 0.95,
    alternative: checks.Alternative = "two-sided",
    sample_weight: Any = None,
    weight_kind: WeightKind = "survey",
    groups: Any = None,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
    direction: Direction = "higher",
) -> PointMeasures:
    """Return what one operating point is worth, each measure with its standard error and interval.

    Parameters
    ----------
    y_true, y_score, label, score, na, direction
        As in `auc`.
    threshold
        Score from which cases test positive; may be infinite. Or what holds it: a selected point of a curve,
        a `Threshold`, or the result of `cutpoint`. Without it the point is chosen as by
        `RocCurve.select`, Youden's index being the rule of last resort.
    select, rule
        Bounds such as "tpr>=0.9" and the rule, as in `RocCurve.select`, that choose the point.
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
        "wilson", "exact" (Clopper and Pearson) or "modified-wilson", which mends Wilson's for counts of 1 to
        3 (Brown, Cai and DasGupta [2]_), for every share of cases. Balanced accuracy, Youden's index, net
        benefit, expected cost and the accuracy at a prevalence are weighted sums of shares, whose intervals
        are combined from these (`method` "mover-wilson"); likelihood ratios, and predictive values and F1 at
        a prevalence, are quotients of shares, likewise. F1 otherwise takes the interval of the share of true
        positives among all cases but true negatives, with which it rises.
    ratio_interval
        "mover": the combined interval of likelihood ratios and of predictive values at a prevalence. "log":
        the delta method on the logarithm of the ratio (Simel), which is the logit method for predictive
        values; where it fails, since a share is 0 or 1, the combined interval with a note.
    level
        Confidence level.
    alternative
        "two-sided"; "greater" for a lower bound alone, "less" for an upper bound alone.
    sample_weight, weight_kind, groups
        Weights and clusters of the cases, as in `auc`. Shares then have Wilson's interval of as many
        independent cases as have their variance, sums of shares the normal interval, and ratios the log
        method; `tp fp fn tn` count the rows.
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
    .. [2] Brown, Cai, DasGupta: Interval estimation for a binomial proportion, Statistical Science 16, 2001.

    Examples
    --------
    >>> point = point_measures([0, 0, 0, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.8, 0.9], threshold=0.5)
    >>> point.tp, point.fp, point.fn, point.tn
    (2, 1, 1, 3)
    >>> print(point.sensitivity)
    sensitivity 0.6667 (95% interval 0.2077-0.9385, wilson)
    >>> print(point.lr_pos)
    LR+ 2.6667 (95% interval 0.5669-14.8897, mover-wilson)
    >>> print(point.expected_cost)
    expected cost undefined: cost was not given
    """
    kind = IntervalKind(interval=interval, level=level, alternative=alternative, ratio=ratio_interval)
    prevalence = proportions.read_prevalence(prevalence)
    bounds = tuple(select) if isinstance(select, (list, tuple)) else (select,)
    columns: Columns = {"pos_label": pos_label, "label": label, "score": score, "na": na}
    columns |= {"direction": direction, "sample_weight": sample_weight, "groups": groups}
    if checks.is_dask_frame(y_true):
        y_true, columns = spread.read_frame(y_true, y_score=y_score, **columns).single().table(), {}
    data = proportions.CountedScores.read(
        y_true, y_score, weight_kind=weight_kind, clustered=True, weighted=True, **columns
    )
    rows = data.cases
    if rows is not None:
        check_wilson(interval)
    direction = data.table.direction
    threshold = points.cut_of(threshold, direction)
    chosen = threshold is None
    notes: tuple[str, ...] = ()
    if chosen:
        curve = data.curve()
        point = curve.select(*bounds, rule=rule, cost=cost, prevalence=prevalence)
        index = point.index
        threshold, tp, fp = curve.thresholds[index], int(curve.tp[index]), int(curve.fp[index])
        notes = (CHOSEN, INFINITE) if index == 0 and data.table.scores[0] == math.inf else (CHOSEN,)
        notes += equal_note(curve, point)
    else:
        checks.check_number(threshold, name="threshold", closed=True)
        if bounds or rule is not None:
            raise RocInputError(
                "must come without select and rule: they choose the point themselves", argument="threshold"
            )
        decision = points.Threshold(threshold, distance=direction == "lower")
        positive = decision.decide_codes(data.table.own_scores) == 1
        tp, fp = (int(counts[positive].sum()) for counts in (data.table.pos, data.table.neg))
    if rows is not None:
        test_positive = points.reaches(
            own_scores(rows.columns[0], direction), threshold, direction == "lower"
        )
        tp, fp = (int((test_positive & of_class).sum()) for of_class in (rows.positive, ~rows.positive))
    cells: dict[str, Any] = {"tp": tp, "fp": fp, "fn": data.n_pos - tp, "tn": data.n_neg - fp}
    probability, why_not = None, ""
    if threshold_probability is not None:
        probability = checks.check_number(
            threshold_probability, name="threshold_probability", low=0, high=1, closed=True
        )
        if probability == 1:
            raise RocInputError(
                "must be below 1, where a false positive weighs infinitely, got 1",
                argument="threshold_probability",
            )
    elif chosen:
        why_not = "a threshold chosen on the data does not say what a false positive weighs"
    elif direction == "lower":
        why_not = "low scores stand for the positive class, so the threshold is not its probability"
    elif data.table.scores[-1] < 0 or data.table.scores[0] > 1:
        why_not = "the scores are not all between 0 and 1, so the threshold is not a probability"
    elif not 0 <= threshold < 1:
        why_not = "the threshold is not a probability of at least 0 and below 1"
    else:
        probability = float(threshold)
    why_not += ": give threshold_probability"
    how: dict[str, Any] = {"prevalence": prevalence, "cost": cost, "probability": probability}
    if rows is None:
        measured: dict[str, Any] = {**estimates(kind, **cells, **how, why_not=why_not)}
    else:
        measured = {**designed_estimates(rows, test_positive, kind, **how, why_not=why_not)}
    number = proportions.as_number(threshold)
    return PointMeasures(
        threshold=number,
        threshold_text=deciding_threshold(number, data.table.own_scores, lower=direction == "lower"),
        chosen=chosen,
        **cells,
        **measured,
        prevalence=prevalence,
        threshold_probability=probability,
        pos_label=data.pos_label,
        neg_label=data.neg_label,
        warnings=(*data.warnings, *notes),
        direction=direction,
    )


def estimates(
    kind: IntervalKind,
    *,
    tp: int,
    fp: int,
    fn: int,
    tn: int,
    prevalence: float | None = None,
    cost: Any = None,
    probability: float | None = None,
    why_not: str = "threshold_probability was not given",
) -> dict[str, Estimate]:
    """Every measure of a confusion matrix by name.

    `probability` is the threshold probability of the net benefit; without it `why_not` is the reason.

    Examples
    --------
    >>> print(estimates(IntervalKind(), tp=90, fp=20, fn=10, tn=180)["lr_pos"])
    LR+ 9.0000 (95% interval 5.9620-13.7371, mover-wilson)
    """
    m, n = tp + fn, fp + tn
    mover = f"mover-{kind.interval}"
    positive, negative = ShareRatio.of(tp, m, fp, n, kind), ShareRatio.of(fn, m, tn, n, kind)
    if tp + fp == 0:
        ppv = kind.undefined("PPV", "no case tests positive")
    elif prevalence is None:
        ppv = kind.proportion("PPV", tp, tp + fp)
    else:
        ppv = predictive_value("PPV", positive, (prevalence, 1 - prevalence), kind)
    if tn + fn == 0:
        npv = kind.undefined("NPV", "no case tests negative")
    elif prevalence is None:
        npv = kind.proportion("NPV", tn, tn + fn)
    else:
        turned = ShareRatio.of(tn, n, fn, m, kind)
        npv = predictive_value("NPV", turned, (1 - prevalence, prevalence), kind)
    if prevalence is None:
        # Twice the share of true positives among all but true negatives, over 1 + that share.
        share = tp / (m + fp)
        se = math.sqrt(share * (1 - share) / (m + fp))
        f1 = _f1_of(share, kind.ends(tp, m + fp), se, kind, method=kind.interval)
    else:
        f1 = f1_at(prevalence, Spread.of_share(tp, m, kind), m, Spread.of_share(fp, n, kind), n, kind)
    if probability is None:
        benefit = kind.undefined("net benefit", why_not, method=mover)
    else:
        odds = probability / (1 - probability)
        weights, sizes = (
            ([1.0, -odds], m + n) if prevalence is None else ([prevalence, -(1 - prevalence) * odds], [m, n])
        )
        benefit = kind.weighted_sum("net benefit", weights, [tp, fp], sizes, same_cases=prevalence is None)
    expected = kind.undefined("expected cost", "cost was not given", method=mover)
    if cost is not None:
        expected = expected_cost(
            "expected cost", [[tn, fp], [fn, tp]], measures.cost_matrix(cost), kind, prevalence
        )
    return {
        "sensitivity": kind.proportion("sensitivity", tp, m),
        "specificity": kind.proportion("specificity", tn, n),
        "ppv": ppv,
        "npv": npv,
        "lr_pos": likelihood_ratio("LR+", positive, "positive", kind),
        "lr_neg": likelihood_ratio("LR-", negative, "negative", kind),
        "accuracy": share_of_all("accuracy", [tn, tp], [n, m], kind, prevalence),
        "balanced_accuracy": mean_share("balanced accuracy", [tn, tp], [n, m], kind),
        "f1": f1,
        "youden": kind.weighted_sum("Youden's index", [1.0, -1.0], [tp, fp], [m, n], same_cases=False),
        "net_benefit": benefit,
        "expected_cost": expected,
    }


def likelihood_ratio(name: str, ratio: ShareRatio, test: str, kind: IntervalKind) -> Estimate:
    """Likelihood ratio of a test result, "positive" or "negative"."""
    method = ratio.method("log", kind)
    if ratio.value is not None:
        se = ratio.value * (ratio.relative or 0.0)
        ends = ratio.low, ratio.high
        return kind.estimate(name, ratio.value, ends, se=se, method=method, warnings=ratio.warnings)
    if ratio.a == 0:
        return kind.undefined(name, f"no case tests {test}, so the ratio is 0/0", method=method)
    bounded = kind.alternative != "less" and math.isfinite(ratio.low)
    bound = f", at least {ratio.low:.4g}" if bounded else ""
    known: dict[str, Any] = {"value": math.inf, "status": "partial"}
    known |= {"low": ratio.low, "high": math.inf} if math.isfinite(ratio.low) else {}
    reason = f"no negative case tests {test}, so the ratio is infinite{bound}"
    return kind.undefined(name, reason, method=method, warnings=ratio.warnings, **known)


def predictive_value(
    name: str, ratio: ShareRatio, shares: tuple[float, float], kind: IntervalKind
) -> Estimate:
    """Bayes: the odds of being right are the ratio times those of the class, whose share comes first."""
    own, other = shares
    right, wrong = own * ratio.a / ratio.m, other * ratio.b / ratio.n
    value = 1.0 if not ratio.b else right / (right + wrong) if ratio.a else 0.0  # shares may underflow
    low, high = (
        1.0 if math.isinf(end) else own * end / (own * end + other) for end in (ratio.low, ratio.high)
    )
    se = value * (1 - value) * (ratio.relative or 0.0)
    method = ratio.method("logit", kind)
    return kind.estimate(name, value, (low, high), se=se, method=method, warnings=ratio.warnings)


def f1_at(prevalence: float, tpr: Spread, m: int, fpr: Spread, n: int, kind: IntervalKind) -> Estimate:
    """F1 at a prevalence, from the rates of m positives and n negatives."""
    pos, neg = prevalence, 1 - prevalence
    above = Spread(value=pos * tpr.value, low=pos * tpr.low, high=pos * tpr.high)
    below = Spread(value=pos + neg * fpr.value, low=pos + neg * fpr.low, high=pos + neg * fpr.high)
    share = above.value / below.value
    of_tpr = pos / below.value * math.sqrt(tpr.value * (1 - tpr.value) / m)
    of_fpr = 0.0
    if 0 < fpr.value < 1:  # else `below` may be so small that a quotient by it is infinite
        of_fpr = share * neg / below.value * math.sqrt(fpr.value * (1 - fpr.value) / n)
    ends = proportions.quotient_ends(above, below, kind)
    return _f1_of(share, ends, math.hypot(of_tpr, of_fpr), kind, method=f"mover-{kind.interval}")


def _f1_of(
    share: float, ends: tuple[float, float], se: float, kind: IntervalKind, *, method: str
) -> Estimate:
    value, low, high = (min(2 * j / (1 + j), 1.0) if math.isfinite(j) else 1.0 for j in (share, *ends))
    return kind.estimate("F1", value, (low, high), se=2 * se / (1 + share) ** 2, method=method)


# ---- Measures of a confusion matrix of any number of classes ----------------------------------------------


def share_of_all(name: str, counts: Any, sizes: Any, kind: IntervalKind, prevalence: Any) -> Estimate:
    """Cases counted in each class as a share of all; at a prevalence the classes weigh as that says.

    Examples
    --------
    >>> print(share_of_all("error", [2, 1], [10, 20], IntervalKind(), prevalence=None))
    error 0.1000 (95% interval 0.0346-0.2562, wilson)
    """
    if prevalence is None:
        return kind.proportion(name, int(np.sum(counts)), int(np.sum(sizes)))
    return kind.weighted_sum(name, _shares(prevalence), counts, sizes, same_cases=False)


def mean_share(name: str, counts: Any, sizes: Any, kind: IntervalKind) -> Estimate:
    """Mean over the classes of the share that is counted in each.

    Examples
    --------
    >>> print(mean_share("mean-class-error", [2, 1], [10, 20], IntervalKind()))
    mean-class-error 0.1250 (95% interval 0.0505-0.3057, mover-wilson)
    """
    weights = np.full(len(sizes), 1 / len(sizes))
    return kind.weighted_sum(name, weights, counts, sizes, same_cases=False)


def expected_cost(
    name: str, cells: Any, table: NDArray[np.float64], kind: IntervalKind, prevalence: Any
) -> Estimate:
    """Expected cost of a case; rejected cases cost nothing unless the table has a column for them.

    Examples
    --------
    >>> cells, table = [[8, 1, 1], [0, 19, 1], [2, 2, 26]], np.array([[0, 1, 1], [5, 0, 5], [1, 1, 0]])
    >>> print(expected_cost("cost", cells, table, IntervalKind(), prevalence=[0.2, 0.2, 0.6]))
    cost 0.1700 (95% interval 0.1005-0.3893, mover-wilson)
    """
    counts = np.asarray(cells)
    costs = np.zeros(counts.shape)
    width = min(table.shape[1], counts.shape[1])
    costs[:, :width] = table[:, :width]
    if prevalence is None:
        return _mean_cost(name, counts.ravel(), costs.ravel(), kind)
    rows = [_mean_cost(name, row, paid, kind) for row, paid in zip(counts, costs, strict=True)]
    value, se, low, high = (
        _shares(prevalence) * np.array([getattr(row, field) for row in rows], np.float64)
        for field in ("value", "se", "low", "high")
    )
    total = float(value.sum())
    # Rows are independent; of a one-sided interval the other end is that of the range.
    ends = (
        float(low.sum()) if kind.alternative == "less" else total - float(np.linalg.norm(value - low)),
        float(high.sum()) if kind.alternative == "greater" else total + float(np.linalg.norm(high - value)),
    )
    return kind.estimate(name, total, ends, se=float(np.linalg.norm(se)), method=f"mover-{kind.interval}")


def _shares(prevalence: Any) -> NDArray[np.float64]:
    """One share per class; a single one is that of the second class of two."""
    return np.asarray((1 - prevalence, prevalence) if np.ndim(prevalence) == 0 else prevalence, np.float64)


def _mean_cost(
    name: str, counts: NDArray[np.int64], costs: NDArray[np.float64], kind: IntervalKind
) -> Estimate:
    """Mean cost of cases, each with one of the outcomes."""
    distinct, place = np.unique(costs, return_inverse=True)
    cases = np.bincount(place, weights=counts).astype(np.int64)
    # Taken out, the least cost cannot widen the interval: a cost of all decisions alike only moves it.
    base = float(distinct[0])
    return kind.weighted_sum(name, distinct - base, cases, int(cases.sum()), same_cases=True, constant=base)
