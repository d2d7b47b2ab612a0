"""The area under one ROC curve, with its interval."""

from __future__ import annotations

from typing import Any

from rocscope.area.intervals import (
    METHODS,
    SEPARATED,
    UNIT,
    WITHOUT_VARIANCE,
    AreaQuestion,
    Counts,
    Ends,
    exact_bound,
)
from rocscope.area.resampled import check_n_boot
from rocscope.core import checks
from rocscope.core.checks import Alternative
from rocscope.core.resample import Rng
from rocscope.core.result import Estimate
from rocscope.core.scores import BinaryScores
from rocscope.core.table import PlacementSums, ScoreTable, table_warnings
from rocscope.errors import RocInputError

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
            raise RocInputError(f"threshold must be given with method 'cortes-mohri' alone, got {method!r}")
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
