"""The area under one ROC curve, with its interval."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from rocscope.core import checks, wald
from rocscope.core.checks import Alternative
from rocscope.core.result import Estimate
from rocscope.core.scores import BinaryScores
from rocscope.core.table import PlacementSums

Interval = tuple[float, float]


def auc(
    y_true: Any,
    y_score: Any,
    *,
    method: str = "delong",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    pos_label: Any = None,
) -> Estimate:
    """Return the area under the empirical ROC curve with its interval.

    The area is P(score of a positive > score of a negative) with ties counted one half, computed in
    integers and rounded once.

    Parameters
    ----------
    y_true
        Labels of two classes. {0, 1}, {-1, 1} and booleans need no `pos_label`.
    y_score
        Scores, larger for the positive class; never flipped or transformed.
    method
        "delong": area plus and minus normal quantiles of DeLong's standard error, cut at 0 and 1.
        "logit": the same on the scale log(A / (1 - A)), which keeps the interval inside (0, 1).
    level
        Confidence level.
    alternative
        "two-sided"; "greater" for a lower bound alone, "less" for an upper bound alone.
    pos_label
        The label of the positive class.

    Returns
    -------
    Estimate
        With `value`, `se`, `low`, `high`, `status`, `reason` and `warnings`. One member in a class
        leaves the interval undefined. At an area of 1 or 0 the variance estimate is 0 and useless;
        the interval is then the exact bound from disjoint pairs, P(all right) <= A^min(m, n).

    Examples
    --------
    >>> print(auc([0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.5, 0.4, 0.7, 0.9]))
    AUC 0.8889 (95% interval 0.5809-1.0000, delong)
    """
    checks.check_choice(method, list(INTERVALS), name="method")
    checks.check_level(level)
    checks.check_alternative(alternative)
    data = BinaryScores.from_arrays(y_true, y_score, pos_label=pos_label)
    return auc_from_sums(
        data.sums(), method=method, level=level, alternative=alternative, warnings=data.warnings
    )


def auc_from_sums(
    sums: PlacementSums,
    *,
    method: str = "delong",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    warnings: tuple[str, ...] = (),
) -> Estimate:
    """Area and interval from the exact placement sums of any source: arrays, a count table, a file."""
    value = sums.auc
    if value < 0.5:
        warnings += ("the area is below 0.5: the scores rank the negative class higher",)

    def estimate(se: float | None, ends: tuple[float | None, float | None], **more: Any) -> Estimate:
        return Estimate(
            name="AUC",
            value=value,
            se=se,
            low=ends[0],
            high=ends[1],
            level=level,
            method=method,
            alternative=alternative,
            **{"warnings": warnings} | more,
        )

    if min(sums.n_pos, sums.n_neg) < 2:
        return estimate(None, (None, None), status="partial", reason=_few_words(sums))
    se = math.sqrt(sums.delong_variance())
    if value in (0.0, 1.0):
        note = f"the classes are separated: the interval is the exact bound for an area of {value:g}"
        return estimate(se, exact_bound(sums, level, alternative), warnings=(*warnings, note))
    if se == 0:
        reason = "all scores are equal, so their variance is 0 and gives no interval"
        return estimate(se, (None, None), status="partial", reason=reason)
    return estimate(se, INTERVALS[method](value, se, level, alternative))


def delong_interval(value: float, se: float, level: float, alternative: Alternative) -> Interval:
    """Normal interval on the scale of the area, cut at 0 and 1."""
    return wald.interval(value, se, level=level, alternative=alternative, bounds=(0.0, 1.0))


def logit_interval(value: float, se: float, level: float, alternative: Alternative) -> Interval:
    """Normal interval on the scale log(A / (1 - A)), where the standard error is se / (A (1 - A))."""
    logit = math.log(value / (1 - value))
    low, high = wald.interval(logit, se / (value * (1 - value)), level=level, alternative=alternative)
    return _expit(low), _expit(high)


INTERVALS: dict[str, Callable[[float, float, float, Alternative], Interval]] = {
    "delong": delong_interval,
    "logit": logit_interval,
}


def exact_bound(sums: PlacementSums, level: float, alternative: Alternative) -> Interval:
    """Interval for an observed area of exactly 0 or 1.

    min(m, n) disjoint pairs are independent and each is right with probability A, so an area of 1 has
    at most probability A^min(m, n); the smallest A that leaves it alpha (or alpha / 2) is the bound.
    """
    alpha = 1 - level if alternative != "two-sided" else (1 - level) / 2
    bound = alpha ** (1 / min(sums.n_pos, sums.n_neg))
    if sums.twice_u:
        return (0.0 if alternative == "less" else bound), 1.0
    return 0.0, (1.0 if alternative == "greater" else 1 - bound)


def _few_words(sums: PlacementSums) -> str:
    which = "positive" if sums.n_pos < 2 else "negative"
    return f"the variance needs two cases in each class, the {which} class has one"


def _expit(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))
