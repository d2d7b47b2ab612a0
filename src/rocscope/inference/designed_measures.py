"""Measures of one operating point for weighted or clustered cases, by the influences of the cases.

A share, such as the sensitivity, has Wilson's interval of fewer (or more) cases, as many independent ones as
would have its variance; where it is 0 or 1 and shows no variance, as many as there are clusters, weighted
ones by Kish's rule (sum W)^2 / sum W^2. Likelihood ratios have the normal interval of their logarithm,
predictive values at a prevalence that of their logit, sums of shares their own [1]_. The variance of any
of these is that of the derivative times the influences of the shares it is made of; where it is 0, as at
shares of 0 and 1, they have no interval.

References
----------
.. [1] Rao, Scott: A simple method for the analysis of clustered binary data, Biometrics 48, 1992.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import measures, significance
from rocscope.core.influence import Design, share_influence
from rocscope.core.result import Estimate
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError
from rocscope.inference.proportions import IntervalKind, wilson_ends

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
FEW = "the variance needs two clusters"
NO_SPREAD = "no case or cluster moves it, so its variance is 0"


@dataclass(frozen=True, slots=True)
class _Share:
    """A share of some of the cases, with its influences and who is counted among whom."""

    value: float
    influence: Floats
    members: Bools


def check_wilson(interval: str) -> None:
    """Refuse exact intervals, which are those of independent cases that count the same."""
    if interval != "wilson":
        raise RocInputError(
            f"must be 'wilson' for weighted or clustered cases, got {interval!r}", argument="interval"
        )


def designed_estimates(
    data: BinaryScores,
    test_positive: Bools,
    kind: IntervalKind,
    *,
    prevalence: float | None = None,
    cost: Any = None,
    probability: float | None = None,
    why_not: str = "threshold_probability was not given",
) -> dict[str, Estimate]:
    """Every measure of `point_measures` by name, of cases that are weighted or clustered.

    Examples
    --------
    >>> data = BinaryScores.from_arrays(
    ...     [1, 1, 0, 0, 1, 0], [3, 1, 2, 0, 4, 1], groups=["a", "a", "a", "b", "b", "c"]
    ... )
    >>> found = designed_estimates(data, data.columns[0] >= 2, IntervalKind())
    >>> print(found["sensitivity"])
    sensitivity 0.6667 (95% interval 0.3160-0.8965, wilson)
    """
    design, positive, weight = Design.of(data), data.positive, data.weight

    def share(counted: Bools, members: Bools) -> _Share:
        value, influence = share_influence(counted & members, members, weight)
        return _Share(value, influence, members)

    def proportion(name: str, of: _Share) -> Estimate:
        return _proportion(name, of, design, weight, kind)

    def normal(
        name: str, value: float, influence: Floats | None, bounds: tuple[float, float], squared: float = 0.0
    ) -> Estimate:
        """A sum of shares of the classes, or what has the variance `squared`."""
        se = math.sqrt(squared if influence is None else design.variance(influence))
        if not math.isfinite(se):
            return kind.undefined(name, FEW, value=value, status="partial", method="normal")
        if se == 0:
            return kind.undefined(name, NO_SPREAD, value=value, status="partial", method="normal")
        side: dict[str, Any] = {"level": kind.level, "alternative": kind.alternative}
        ends = significance.interval(value, se, bounds=bounds, **side)
        return kind.estimate(name, value, ends, se=se, method="normal")

    everybody = np.ones(positive.size, bool)
    tpr, fpr = share(test_positive, positive), share(test_positive, ~positive)
    fnr, tnr = share(~test_positive, positive), share(~test_positive, ~positive)
    own, other = (1.0, 1.0) if prevalence is None else (prevalence, 1 - prevalence)
    found = {"sensitivity": proportion("sensitivity", tpr), "specificity": proportion("specificity", tnr)}
    for name, text, result, right, wrong, odds in (
        ("ppv", "PPV", test_positive, tpr, fpr, (own, other)),
        ("npv", "NPV", ~test_positive, tnr, fnr, (other, own)),
    ):
        if not result.any():
            how = "positive" if name == "ppv" else "negative"
            found[name] = kind.undefined(text, f"no case tests {how}")
        elif prevalence is None:
            found[name] = proportion(text, share(positive if name == "ppv" else ~positive, result))
        else:
            found[name] = _ratio(text, right, wrong, design, kind, odds)
    found |= {
        "lr_pos": _ratio("LR+", tpr, fpr, design, kind),
        "lr_neg": _ratio("LR-", fnr, tnr, design, kind),
    }
    if prevalence is None:
        found["accuracy"] = proportion("accuracy", share(test_positive == positive, everybody))
        found["f1"] = _f1(proportion("F1", share(positive & test_positive, positive | test_positive)))
    else:
        value, influence = own * tpr.value + other * tnr.value, own * tpr.influence + other * tnr.influence
        found["accuracy"] = normal("accuracy", value, influence, (0.0, 1.0))
        whole = own * (1 + tpr.value) + other * fpr.value
        slope = 2 * own / whole**2
        influence = slope * ((own + other * fpr.value) * tpr.influence - other * tpr.value * fpr.influence)
        found["f1"] = normal("F1", 2 * own * tpr.value / whole, influence, (0.0, 1.0))
    balanced, youden = (tpr.influence + tnr.influence) / 2, tpr.influence - fpr.influence
    found["balanced_accuracy"] = normal(
        "balanced accuracy", (tpr.value + tnr.value) / 2, balanced, (0.0, 1.0)
    )
    found["youden"] = normal("Youden's index", tpr.value - fpr.value, youden, (-1.0, 1.0))

    def mean(name: str, *worth: float) -> Estimate:
        value, squared = mean_worth(data, design, test_positive, worth, prevalence)
        return normal(name, value, None, (min(worth), max(worth)), squared)

    found["net_benefit"] = kind.undefined("net benefit", why_not, method="normal")
    if probability is not None:
        found["net_benefit"] = mean("net benefit", 1.0, -probability / (1 - probability), 0.0, 0.0)
    found["expected_cost"] = kind.undefined("expected cost", "cost was not given", method="normal")
    if cost is not None:
        (tn, fp), (fn, tp) = measures.cost_matrix(cost)[:, :2].tolist()
        found["expected_cost"] = mean("expected cost", tp, fp, fn, tn)
    return found


def mean_worth(
    data: BinaryScores, design: Design, test_positive: Bools, worth: Sequence[float], prevalence: float | None
) -> tuple[float, float]:
    """Mean over all cases of what each outcome is worth (TP, FP, FN, TN), and its variance.

    At a prevalence the classes weigh as it says.

    Examples
    --------
    >>> data = BinaryScores.from_arrays([1, 1, 0, 0], [3, 1, 2, 0], groups=["a", "b", "b", "c"])
    >>> value, variance = mean_worth(data, Design.of(data), data.columns[0] >= 2, (1, -1, 0, 0), None)
    >>> value, round(variance, 4)
    (0.0, 0.1875)
    """
    positive, (tp, fp, fn, tn) = data.positive, worth
    if prevalence is None:
        outcomes = [positive & test_positive, ~positive & test_positive, positive & ~test_positive]
        of_case = np.select(outcomes, [tp, fp, fn], tn)
        weights = np.ones(positive.size) if data.weight is None else data.weight.astype(np.float64)
        weight_of = [float((weights * members).sum()) for members in outcomes]  # exact without weights
        weight_of.append(float(weights.sum()) - sum(weight_of))
        value = sum(w * one for w, one in zip(weight_of, worth, strict=True)) / float(weights.sum())
        influence = weights * (of_case - value) / weights.sum()
        return value, design.share_variance(influence, np.ones(positive.size, bool))
    (tpr, of_tpr), (fpr, of_fpr) = (
        share_influence(test_positive & members, members, data.weight) for members in (positive, ~positive)
    )
    of_pos, of_neg = prevalence * (tp - fn), (1 - prevalence) * (fp - tn)
    value = prevalence * fn + (1 - prevalence) * tn + of_pos * tpr + of_neg * fpr
    return value, design.variance(of_pos * of_tpr + of_neg * of_fpr)


def designed_proportion(
    name: str, data: BinaryScores, counted: Bools, members: Bools, kind: IntervalKind
) -> Estimate:
    """Share of the members that are counted, of weighted or clustered cases.

    Examples
    --------
    >>> data = BinaryScores.from_arrays([1, 1, 0, 0], [3, 1, 2, 0], groups=["a", "b", "b", "c"])
    >>> print(designed_proportion("accuracy", data, data.columns[0] > 0, data.positive, IntervalKind()))
    accuracy 1.0000 (95% interval 0.3424-1.0000, wilson)
    """
    value, influence = share_influence(counted & members, members, data.weight)
    return _proportion(name, _Share(value, influence, members), Design.of(data), data.weight, kind)


def _proportion(
    name: str, of: _Share, design: Design, weight: NDArray[Any] | None, kind: IntervalKind
) -> Estimate:
    """A share with Wilson's interval of as many independent cases as have its variance."""
    n = int(of.members.sum())
    variance = design.share_variance(of.influence, of.members)
    if math.isnan(variance):
        return kind.undefined(name, FEW, value=of.value, status="partial", method="wilson")
    weights = of.members * (1.0 if weight is None else weight)
    totals = design.by_cluster(weights)
    cases = float(totals.sum() ** 2 / (totals @ totals))
    if variance > 0 and n > 1:
        cases = of.value * (1 - of.value) / variance * (n / (n - 1))
    z = significance.critical_value(kind.level, alternative=kind.alternative)
    low, high = (float(end) for end in wilson_ends(np.asarray(of.value), np.asarray(cases), z))
    ends = 0.0 if kind.alternative == "less" else low, 1.0 if kind.alternative == "greater" else high
    return kind.estimate(name, of.value, ends, se=math.sqrt(variance), method="wilson")


def _ratio(
    name: str,
    above: _Share,
    below: _Share,
    design: Design,
    kind: IntervalKind,
    odds: tuple[float, float] | None = None,
) -> Estimate:
    """Ratio of two shares with the interval of its logarithm; with `odds` the predictive value they give."""
    method = "log" if odds is None else "logit"
    if above.value == 0 and below.value == 0:
        return kind.undefined(name, "the ratio is 0/0", method=method)
    value = math.inf if below.value == 0 else above.value / below.value
    known = value if odds is None else _share_of(value, odds)
    if above.value == 0 or below.value == 0:
        reason = "a share is 0, so the log method gives no interval"
        return kind.undefined(name, reason, value=known, status="partial", method=method)
    influence = above.influence / above.value - below.influence / below.value
    se = math.sqrt(design.variance(influence))
    if not math.isfinite(se):
        return kind.undefined(name, FEW, value=known, status="partial", method=method)
    if se == 0:
        return kind.undefined(name, NO_SPREAD, value=known, status="partial", method=method)
    side: dict[str, Any] = {"level": kind.level, "alternative": kind.alternative}
    ends = [math.exp(end) for end in significance.interval(math.log(value), se, **side)]
    if odds is None:
        return kind.estimate(name, value, (ends[0], ends[1]), se=value * se, method=method)
    low, high = (_share_of(end, odds) for end in ends)
    return kind.estimate(name, known, (low, high), se=known * (1 - known) * se, method=method)


def _share_of(ratio: float, odds: tuple[float, float]) -> float:
    """Predictive value of a likelihood ratio, for the odds of the class, which comes first."""
    if ratio in (0.0, math.inf):
        return float(ratio > 0)
    return float(special.expit(math.log(ratio) + math.log(odds[0]) - math.log(odds[1])))


def _f1(share: Estimate) -> Estimate:
    """F1 = 2 J / (1 + J) from the share J of true positives among all cases but true negatives."""

    def turned(j: float | None) -> float | None:
        return None if j is None else 2 * j / (1 + j)

    fields: dict[str, Any] = {name: turned(getattr(share, name)) for name in ("value", "low", "high")}
    fields["se"] = None
    if share.se is not None and share.value is not None:
        fields["se"] = 2 * share.se / (1 + share.value) ** 2
    return replace(share, **fields)
