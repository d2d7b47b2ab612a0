"""The area under one ROC curve, with its interval."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from rocscope.core import checks, significance
from rocscope.core.checks import Alternative
from rocscope.core.resampling import Rng
from rocscope.core.result import Estimate
from rocscope.core.scores import BinaryScores
from rocscope.core.table import PlacementSums, ScoreTable, exact_dot, table_warnings
from rocscope.errors import RocInputError
from rocscope.inference._bounds import agarwal_interval, cortes_mohri_interval
from rocscope.inference.resampling import bca_interval, bootstrap_areas, check_n_boot, percentile_interval
from rocscope.inference.variance import bamber_from_sums, hanley_mcneil_variance

BOOTSTRAPS = ("percentile", "bca")
ERRORS_ALONE = "the interval rests on the number of errors alone, and leaves out the observed area"


def auc(
    y_true: Any,
    y_score: Any = None,
    *,
    method: str = "delong",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    threshold: float | None = None,
    n_boot: int = 2000,
    bootstrap: str = "percentile",
    rng: Rng = None,
    pos_label: Any = None,
) -> Estimate:
    """Return the area under the empirical ROC curve with its interval.

    The area is P(score of a positive > score of a negative) with ties counted one half, computed in
    integers and rounded once; it is the same for every method.

    Parameters
    ----------
    y_true
        Labels of two classes. {0, 1}, {-1, 1} and booleans need no `pos_label`. A `BinaryScores` or a
        `ScoreTable` may stand here alone, as `read_scores` gives them.
    y_score
        Scores, larger for the positive class; never flipped or transformed.
    method
        How the interval is made:

        - "delong": normal, with DeLong's standard error, cut at 0 and 1;
        - "logit": the same on the scale log(A / (1 - A)), which keeps the interval inside (0, 1);
        - "hanley-mcneil": normal, with the variance of exponential scores (1982);
        - "bamber": normal, with Bamber's unbiased variance estimate (1975);
        - "bootstrap": stratified replicates, see `bootstrap`;
        - "cortes-mohri": a bound from the number of errors at `threshold` alone (2004); it assumes all
          rankings with these errors equally likely, and misses the area where they are not;
        - "agarwal": a bound that holds for any scores (2005), hence wide.
    level
        Confidence level.
    alternative
        "two-sided"; "greater" for a lower bound alone, "less" for an upper bound alone.
    threshold
        For "cortes-mohri": decisions `score >= threshold` are counted as right or wrong.
    n_boot, bootstrap, rng
        For "bootstrap": number of replicates; "percentile" or "bca" (bias-corrected and accelerated);
        seed or generator.
    pos_label
        The label of the positive class.

    Returns
    -------
    Estimate
        With `value`, `se`, `low`, `high`, `status`, `reason` and `warnings`. One member in a class
        leaves an interval that needs a variance undefined. At an area of 1 or 0 a variance estimate
        is 0 and useless; the interval is then the exact bound from disjoint pairs,
        P(all right) <= A^min(m, n).

    Examples
    --------
    >>> y, s = [0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.5, 0.4, 0.7, 0.9]
    >>> print(auc(y, s))
    AUC 0.8889 (95% interval 0.5809-1.0000, delong)
    >>> print(auc(y, s, method="logit", alternative="greater"))
    AUC 0.8889 (95% lower bound 0.3688, logit)
    """
    checks.check_choice(method, list(METHODS), name="method")
    checks.check_choice(bootstrap, BOOTSTRAPS, name="bootstrap")
    level = checks.check_level(level)
    checks.check_alternative(alternative)
    check_n_boot(n_boot)
    if threshold is not None:
        checks.check_number(threshold, name="threshold", closed=True)
        if method != "cortes-mohri":
            raise RocInputError(
                f"must be given with method 'cortes-mohri' alone, got {method!r}", argument="threshold"
            )
    data = _read(y_true, y_score, pos_label)
    warnings = data.warnings if isinstance(data, BinaryScores) else table_warnings(data)
    table = data.table() if isinstance(data, BinaryScores) and data.weight is not None else data
    if isinstance(table, ScoreTable) and not table.is_counted:
        return _weighted(table.auc, method, level, alternative, warnings)
    question = AreaQuestion(
        sums=data.sums(),
        data=data,
        level=level,
        alternative=alternative,
        threshold=threshold,
        n_boot=n_boot,
        bootstrap=bootstrap,
        rng=rng,
    )
    return answer(question, method, warnings)


def _read(y_true: Any, y_score: Any, pos_label: Any) -> BinaryScores | ScoreTable:
    if not isinstance(y_true, ScoreTable):
        return BinaryScores.from_arrays(y_true, y_score, pos_label=pos_label).single()
    if y_score is not None or pos_label is not None:
        raise RocInputError("nothing but y_true must be given where it is a ScoreTable, which holds the rest")
    return y_true


def _weighted(
    area: float, method: str, level: float, alternative: Alternative, warnings: tuple[str, ...]
) -> Estimate:
    return Estimate(
        name="AUC",
        value=area,
        se=None,
        low=None,
        high=None,
        level=level,
        method=method,
        alternative=alternative,
        status="partial",
        reason="cases with fractional weights have no interval by these methods",
        warnings=warnings,
    )


def auc_from_sums(
    sums: PlacementSums,
    *,
    method: str = "delong",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    counts: Counts | None = None,
    warnings: tuple[str, ...] = (),
) -> Estimate:
    """Area and interval from exact placement sums of any source, by a method that needs no more.

    "bamber" and "cortes-mohri" need `counts` as well.
    """
    ask = AreaQuestion(sums=sums, counts=counts or Counts(), level=level, alternative=alternative)
    return answer(ask, method, warnings)


def answer(ask: AreaQuestion, method: str, warnings: tuple[str, ...] = ()) -> Estimate:
    """Ask one method, and replace what it cannot say: no variance, or a variance that is 0."""
    value = ask.sums.auc
    if value < 0.5:
        warnings += ("the area is below 0.5: the scores rank the negative class higher",)
    few = min(ask.sums.n_pos, ask.sums.n_neg) < 2
    if method in WITHOUT_VARIANCE or (few and method == "hanley-mcneil" and value not in UNIT):
        return _estimate(ask, method, METHODS[method](ask), warnings)
    if few:
        return _estimate(ask, method, None, warnings, reason=_few_words(ask.sums))
    if value in UNIT:
        smallest = min(ask.sums.n_pos, ask.sums.n_neg)
        bound = exact_bound(value, smallest, level=ask.level, alternative=ask.alternative)
        return _estimate(ask, method, Ends(0.0, *bound), (*warnings, SEPARATED.format(value)))
    if ask.sums.delong_variance() == 0:
        reason = "all scores are equal, so their variance is 0 and gives no interval"
        return _estimate(ask, method, None, warnings, se=0.0, reason=reason)
    return _estimate(ask, method, METHODS[method](ask), warnings)


def _estimate(
    ask: AreaQuestion,
    method: str,
    ends: Ends | None,
    warnings: tuple[str, ...],
    *,
    se: float | None = None,
    reason: str | None = None,
) -> Estimate:
    value = ask.sums.auc
    if ends is not None and method == "cortes-mohri":
        warnings += () if ends.low <= value <= ends.high else (ERRORS_ALONE,)
    elif ends is not None:  # roundings must not leave the value out
        ends = Ends(ends.se, min(ends.low, value), max(ends.high, value))
    return Estimate(
        name="AUC",
        value=value,
        se=se if ends is None else ends.se,
        low=None if ends is None else ends.low,
        high=None if ends is None else ends.high,
        level=ask.level,
        method=method,
        alternative=ask.alternative,
        status="partial" if ends is None else "ok",
        reason=reason,
        warnings=warnings,
    )


def _few_words(sums: PlacementSums) -> str:
    which = "positive" if sums.n_pos < 2 else "negative"
    return f"the variance needs two cases in each class, the {which} class has one"


# ---- The ways to an interval for one area, behind `auc(method=...)`: each a function of one question ------

UNIT = (0.0, 1.0)
SEPARATED = "the classes are separated: the interval is the exact bound for an area of {:g}"


class Ends(NamedTuple):
    """Standard error and ends of an interval; a bound that needs no variance has no standard error."""

    se: float | None
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What single methods need beyond the placement sums, where the scores themselves are not at hand.

    `tied_pairs` counts (positive, negative) pairs with one score, `errors` the wrong decisions at the
    threshold.
    """

    tied_pairs: int | None = None
    errors: int | None = None


@dataclass(frozen=True, kw_only=True)
class AreaQuestion:
    """What an interval method may look at."""

    sums: PlacementSums
    data: BinaryScores | ScoreTable | None = None
    counts: Counts = Counts()
    level: float = 0.95
    alternative: Alternative = "two-sided"
    threshold: float | None = None
    n_boot: int = 2000
    bootstrap: str = "percentile"
    rng: Rng = None

    @cached_property
    def table(self) -> ScoreTable:
        """Count table of the data."""
        if self.data is None:
            raise RocInputError("must be one that needs the placement sums alone", argument="method")
        return self.data.table() if isinstance(self.data, BinaryScores) else self.data

    @property
    def tied_pairs(self) -> int:
        """Number of (positive, negative) pairs with one score."""
        if self.counts.tied_pairs is not None:
            return self.counts.tied_pairs
        return int(exact_dot(self.table.pos, self.table.neg))

    @property
    def errors(self) -> int:
        """Number of wrong decisions at the threshold."""
        if self.counts.errors is not None:
            return self.counts.errors
        if self.threshold is None:
            raise RocInputError("must be given for method 'cortes-mohri', got None", argument="threshold")
        return int(self.table.errors_at(self.threshold))

    def wald(self, value: float, se: float) -> Ends:
        """Normal interval on the scale of the area, cut at 0 and 1."""
        return Ends(
            se, *significance.interval(value, se, level=self.level, alternative=self.alternative, bounds=UNIT)
        )


def delong_ends(ask: AreaQuestion) -> Ends:
    """Area plus and minus normal quantiles of DeLong's standard error."""
    return ask.wald(ask.sums.auc, math.sqrt(ask.sums.delong_variance()))


def logit_ends(ask: AreaQuestion) -> Ends:
    """Normal interval on the scale log(A / (1 - A)), where the standard error is se / (A (1 - A))."""
    value, se = ask.sums.auc, math.sqrt(ask.sums.delong_variance())
    return Ends(se, *logit_interval(value, se, level=ask.level, alternative=ask.alternative))


def logit_interval(value: float, se: float, *, level: float, alternative: Alternative) -> tuple[float, float]:
    """Ends of the normal interval on the scale log(A / (1 - A)), taken back to areas.

    Examples
    --------
    >>> low, high = logit_interval(0.9, 0.03, level=0.95, alternative="two-sided")
    >>> round(low, 4), round(high, 4)
    (0.824, 0.9453)
    """
    logit, reach = float(special.logit(value)), se / (value * (1 - value))
    ends = significance.interval(logit, reach, level=level, alternative=alternative)
    return float(special.expit(ends[0])), float(special.expit(ends[1]))


def hanley_mcneil_ends(ask: AreaQuestion) -> Ends:
    """Normal interval with the variance of exponential scores (Hanley and McNeil 1982)."""
    value = ask.sums.auc
    return ask.wald(value, math.sqrt(hanley_mcneil_variance(value, ask.sums.n_pos, ask.sums.n_neg)))


def bamber_ends(ask: AreaQuestion) -> Ends:
    """Normal interval with the unbiased variance estimate of Bamber 1975."""
    return ask.wald(ask.sums.auc, math.sqrt(bamber_from_sums(ask.sums, tied_pairs=ask.tied_pairs)))


def bootstrap_ends(ask: AreaQuestion) -> Ends:
    """Interval from areas of stratified bootstrap replicates: percentile, or BCa."""
    replicates = bootstrap_areas(ask.table, n_boot=ask.n_boot, rng=ask.rng)
    se = float(np.std(replicates, ddof=1))
    how: dict[str, Any] = {"level": ask.level, "alternative": ask.alternative, "bounds": UNIT}
    if ask.bootstrap == "bca":
        return Ends(se, *bca_interval(replicates, ask.sums.auc, ask.table.placement_deviations(), **how))
    low, high = percentile_interval(replicates, value=ask.sums.auc, **how)
    return Ends(se, float(low), float(high))


def cortes_mohri_ends(ask: AreaQuestion) -> Ends:
    """Bound from the number of errors at the threshold alone (Cortes and Mohri 2004)."""
    sizes = ask.sums.n_pos, ask.sums.n_neg
    return Ends(None, *cortes_mohri_interval(ask.errors, *sizes, ask.level, ask.alternative))


def agarwal_ends(ask: AreaQuestion) -> Ends:
    """Bound that holds for any scores (Agarwal et al. 2005)."""
    sums = ask.sums
    return Ends(None, *agarwal_interval(sums.auc, sums.n_pos, sums.n_neg, ask.level, ask.alternative))


METHODS: dict[str, Callable[[AreaQuestion], Ends]] = {
    "delong": delong_ends,
    "logit": logit_ends,
    "hanley-mcneil": hanley_mcneil_ends,
    "bamber": bamber_ends,
    "bootstrap": bootstrap_ends,
    "cortes-mohri": cortes_mohri_ends,
    "agarwal": agarwal_ends,
}
# Methods whose interval does not rest on an estimated variance, so that no data makes them degenerate.
WITHOUT_VARIANCE = ("cortes-mohri", "agarwal")


def exact_bound(
    value: float, smallest: int, *, level: float, alternative: Alternative
) -> tuple[float, float]:
    """Interval for an observed area of exactly 0 or 1, the smallest class having so many cases.

    Disjoint groups with one case of each class are independent: there are as many as the smallest class
    has cases. A group is right in all its comparisons with at most the probability of the least certain
    one, which is at most the average area A (of two classes: the area). So an area of 1 has at most
    probability A^smallest; the smallest A that leaves it alpha (or alpha / 2) is the bound.

    Examples
    --------
    >>> low, high = exact_bound(1.0, 20, level=0.95, alternative="greater")
    >>> round(low, 4), high
    (0.8609, 1.0)
    """
    alpha = 1 - level if alternative != "two-sided" else (1 - level) / 2
    bound = alpha ** (1 / smallest)
    if value:
        return (0.0 if alternative == "less" else bound), 1.0
    return 0.0, (1.0 if alternative == "greater" else 1 - bound)
