"""How many cases a study needs, and what a study of given size can show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocscope.core import checks
from rocscope.core.checks import Alternative
from rocscope.core.result import Row, Status
from rocscope.errors import RocInputError, UndefinedError
from rocscope.inference._power_design import (
    COVARIANCES,
    VARIANCES,
    Design,
    OneArea,
    RatingCorr,
    TwoAreas,
    TwoPoints,
)


def power(
    auc: float | None = None,
    auc2: float | None = None,
    *,
    n_pos: float | None = None,
    n_neg: float | None = None,
    null: float | None = None,
    paired: bool | None = None,
    corr: float | None = None,
    rating_corr: float | tuple[float, float] | None = None,
    tpr_gap: float | None = None,
    fpr_gap: float | None = None,
    folds: int | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    method: str | None = None,
) -> StudyPlan:
    """Return the power of a test on n_pos positive and n_neg negative cases.

    Three questions can be asked. `auc` alone: is this area different from `null`? `auc` and `auc2`: are
    these areas different? `tpr_gap` or `fpr_gap`: can two operating points of one curve be told apart?

    Parameters
    ----------
    auc, auc2
        The expected area, and for a comparison the expected area of the second curve.
    n_pos, n_neg
        Cases of each class, of each curve where the curves are unpaired. For two points only `n_pos`
        (with `tpr_gap`) or only `n_neg` (with `fpr_gap`).
    null
        The value one area is tested against, 0.5 unless given. The published formula is for 0.5;
        any other value is our extension, with the variance at `null` in place of that at 0.5.
    paired
        Whether two curves come from the same cases; True unless given.
    corr
        For paired curves: the correlation of the two areas.
    rating_corr
        Or the correlation of the two scores within each class: one number, or (negatives, positives).
    tpr_gap, fpr_gap
        The share of the positive (negative) class whose scores lie between two thresholds.
    folds
        For two points: number of folds, if the points will be compared by a paired t test over the
        rates of folds and not over all members of the class.
    level
        Confidence level; the test has size 1 - level.
    alternative
        "two-sided", "greater" (auc is greater than the null value or than auc2) or "less".
    method
        Variance of the areas, see the notes: "obuchowski" (default for one area), "hanley-mcneil" or
        "binormal" (default for two areas). For two points "exact", or "normal" (default with folds).

    Returns
    -------
    StudyPlan
        With `power` and `half_width`. Where there is no difference to detect, the power is None.

    Notes
    -----
    Areas: power = Phi((|effect| - z sqrt(V0)) / sqrt(V)), V the variance at the expected areas and V0
    under the null hypothesis. "obuchowski" is the variance of a fitted binormal area ([1]_ eq. 3), as in
    pROC; it leaves out the covariance of the two binormal parameters, so that it asks for too many cases
    at large areas. "hanley-mcneil" ([3]_) and "binormal" are variances of the empirical area, under
    exponential scores and under normal scores of equal variance; the latter is exact at every size. A
    test by DeLong's interval has more power than is told here if V0 is larger than V (an area of 0.9
    against 0.7), because its standard error is that of V.

    Two areas have V0 = V = V1 + V2 - 2 C, which does not change when the curves are swapped. pROC takes
    V0 = 2 V1 - 2 C ([2]_), which does; the mean over both orders is ours. With `rating_corr`,
    "obuchowski" has pROC's V1, V2 and C. They do not belong together: C holds the covariance of the
    binormal parameters and V1, V2 do not, so that V stays above 0 even for identical curves. At
    correlations near 1 it asks for several times the cases that are needed; "binormal" does not.

    Two points: a member of the class is between the points or is not, so the paired t statistic is
    sqrt((n - 1) K / (n - K)) if K of n members are, and it is significant from a certain K on: from 4
    members at the level 0.95, however large n is. "exact" is the probability of that many. Read it with
    care: one single member between the points proves that they differ; what is planned is that the
    interval of the gap keeps away from 0. "normal" is Phi(sqrt(n d / (1 - d)) - z) for a gap d, with
    Student's t in place of z where folds are given. It does not see that a small K also has a small
    standard error: over all members, and over many folds, there is more power than it tells.

    References
    ----------
    .. [1] Obuchowski, Lieber, Wians: ROC curves in clinical chemistry: uses, misuses, and possible
       solutions, Clinical Chemistry 50, 2004.
    .. [2] Obuchowski, McClish: Sample size determination for diagnostic accuracy studies involving
       binormal ROC curve indices, Statistics in Medicine 16, 1997.
    .. [3] Hanley, McNeil: The meaning and use of the area under a receiver operating characteristic
       (ROC) curve, Radiology 143, 1982.

    Examples
    --------
    >>> print(power(0.73, n_pos=41, n_neg=72))
    Area 0.73 against 0.5: 41 positive and 72 negative cases give power 0.9897 (95% level, two-sided,
    obuchowski)
    >>> print(power(0.85, 0.8, n_pos=100, n_neg=100, rating_corr=0.8))
    Areas 0.85 and 0.8, paired: 100 positive and 100 negative cases give power 0.6861 (95% level,
    two-sided, binormal)
    >>> print(power(tpr_gap=0.05, n_pos=100))
    Two points whose TPR differs by 0.05: 100 positive cases give power 0.7422 (95% level, two-sided,
    exact)
    """
    design = read_design(
        auc,
        auc2,
        null=null,
        paired=paired,
        corr=corr,
        rating_corr=rating_corr,
        tpr_gap=tpr_gap,
        fpr_gap=fpr_gap,
        folds=folds,
        level=level,
        alternative=alternative,
        method=method,
        interval=False,
    )
    n, ratio = read_sizes(design, n_pos, n_neg)
    try:
        return write_plan(design, n, ratio, power=design.power(n, ratio))
    except UndefinedError as error:
        return write_plan(design, n, ratio, power=None, reason=str(error))


def sample_size(
    auc: float | None = None,
    auc2: float | None = None,
    *,
    power: float | None = None,
    half_width: float | None = None,
    ratio: float | None = None,
    null: float | None = None,
    paired: bool | None = None,
    corr: float | None = None,
    rating_corr: float | tuple[float, float] | None = None,
    tpr_gap: float | None = None,
    fpr_gap: float | None = None,
    folds: int | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    method: str | None = None,
) -> StudyPlan:
    """Return the cases that give the wanted power, or an interval of the wanted half-width.

    The inverse of `power`, for the same questions; `power` describes all methods.

    Parameters
    ----------
    auc, auc2
        The expected area, and for a comparison the expected area of the second curve.
    power
        The wanted probability of a significant result.
    half_width
        In place of `power`: half the wanted width of the two-sided interval of the area, of the
        difference of two areas, or of the gap between two points.
    ratio
        Negative cases for each positive case, 1 unless given; not for two points.
    null, paired, corr, rating_corr, tpr_gap, fpr_gap, folds, level, alternative, method
        As in `power`.

    Returns
    -------
    StudyPlan
        With the real-valued sizes and the whole ones, each class rounded up. Where no size gives an
        answer, the sizes are None and `reason` says why.

    Examples
    --------
    >>> plan = sample_size(0.75, power=0.9)
    >>> print(plan)
    Area 0.75 against 0.5: 26 positive and 26 negative cases give at least power 0.9000 (95% level,
    two-sided, obuchowski)
    >>> round(plan.real_n_pos, 4)
    25.0234
    >>> print(sample_size(0.8, half_width=0.05, ratio=2, method="hanley-mcneil"))
    Area 0.8: 131 positive and 261 negative cases give at most half-width 0.0500 (95% level, two-sided,
    hanley-mcneil)
    >>> print(sample_size(0.7, null=0.7, power=0.9))
    Area 0.7 against 0.7: undefined, there is no difference to detect (95% level, two-sided, obuchowski)
    """
    goal = read_goal(power, half_width)
    wanted = None if power is None else goal
    design = read_design(
        auc,
        auc2,
        null=null,
        paired=paired,
        corr=corr,
        rating_corr=rating_corr,
        tpr_gap=tpr_gap,
        fpr_gap=fpr_gap,
        folds=folds,
        level=level,
        alternative=alternative,
        method=method,
        interval=power is None,
    )
    negatives = read_ratio(design, ratio)
    find = design.size_for_width if power is None else design.size_for_power
    try:
        return write_plan(design, find(goal, negatives), negatives, power=wanted)
    except UndefinedError as error:
        return write_plan(design, None, negatives, power=wanted, reason=str(error))


# ---- What `power` and `sample_size` return ----------------------------------------------------------------

# A solution that misses a whole number by rounding alone is that number.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlan(Row):
    """The size of a study with its power and precision.

    Attributes
    ----------
    question
        "one area", "two areas", "two points, tpr" or "two points, fpr".
    n_pos, n_neg
        Whole positive and negative cases; for unpaired curves, of each curve. None for a class the
        question does not depend on.
    real_n_pos, real_n_neg
        The same before rounding up: what `power` and `half_width` belong to.
    power
        Probability of a significant result; None where it was not asked for.
    half_width
        Half the width of the two-sided interval of the area, the difference or the gap.
    effect
        The difference to detect: area minus null value, first area minus second, or the gap.
    auc, null, auc2, paired
        What was asked, None where it does not belong to the question.
    level, alternative, method
        Confidence level (the test has size 1 - level), alternative, and variance or test.
    status, reason
        "ok", or "undefined" with the reason.
    """

    question: str
    n_pos: int | None
    n_neg: int | None
    real_n_pos: float | None
    real_n_neg: float | None
    power: float | None
    half_width: float | None
    effect: float | None
    auc: float | None = None
    null: float | None = None
    auc2: float | None = None
    paired: bool | None = None
    level: float
    alternative: str
    method: str
    status: Status = "ok"
    reason: str | None = None

    def _summary(self) -> str:
        told = f"{_digits(self.level * 100)}% level, {self.alternative}, {self.method}"
        if self.status != "ok":
            return f"{self._asked()}: undefined, {self.reason} ({told})"
        return f"{self._asked()}: {self._cases()} give {self._reached()} ({told})"

    def _asked(self) -> str:
        if self.question.startswith("two points"):
            return f"Two points whose {self.question[-3:].upper()} differs by {_digits(self.effect)}"
        if self.auc2 is not None:
            kind = "paired" if self.paired else "unpaired"
            return f"Areas {_digits(self.auc)} and {_digits(self.auc2)}, {kind}"
        return f"Area {_digits(self.auc)}" + ("" if self.null is None else f" against {_digits(self.null)}")

    def _cases(self) -> str:
        sizes = ((self.n_pos, "positive"), (self.n_neg, "negative"))
        words = " and ".join(f"{n} {name}" for n, name in sizes if n is not None)
        return f"{words} cases{' for each curve' if self.paired is False else ''}"

    def _reached(self) -> str:
        # Rounded up, the cases reach a little more than what was asked for.
        rounded = (self.n_pos, self.n_neg) != (self.real_n_pos, self.real_n_neg)
        if self.power is not None:
            return f"{'at least ' if rounded else ''}power {self.power:.4f}"
        style = ".4f" if (self.half_width or 0) >= 0.001 else ".4g"
        return f"{'at most ' if rounded else ''}half-width {self.half_width:{style}}"


def write_plan(
    design: Design, n: float | None, ratio: float, *, power: float | None, reason: str | None = None
) -> StudyPlan:
    """Write down what was asked and what came out; n is None where no size is the answer."""
    n_pos, n_neg = (None, None) if n is None else design.class_sizes(n, ratio)
    return StudyPlan(
        n_pos=_whole(n_pos),
        n_neg=_whole(n_neg),
        real_n_pos=n_pos,
        real_n_neg=n_neg,
        power=power,
        half_width=None if n is None else design.half_width(n, ratio),
        level=design.level,
        alternative=design.alternative,
        method=design.method,
        status="ok" if reason is None else "undefined",
        reason=reason,
        **design.told(),
    )


def _digits(value: float | None) -> str:
    """A number that was asked for, with all the digits it was given: 0.5000001 is not 0.5."""
    return f"{value:.15g}"


def _whole(size: float | None) -> int | None:
    return None if size is None else math.ceil(size * (1 - ROUNDING))


# ---- From the arguments of `power` and `sample_size` to the question they ask: all checks are here --------

POINT_METHODS = ("exact", "normal")


def read_design(
    auc: Any,
    auc2: Any,
    *,
    null: Any,
    paired: Any,
    corr: Any,
    rating_corr: Any,
    tpr_gap: Any,
    fpr_gap: Any,
    folds: Any,
    level: Any,
    alternative: Any,
    method: Any,
    interval: bool,
) -> Design:
    """Return the question, once it is clear which one it is and that all arguments belong to it.

    An interval has no null hypothesis, so nothing may be said about one.
    """
    checks.check_level(level)
    checks.check_alternative(alternative)
    subjects = {"auc": auc, "tpr_gap": tpr_gap, "fpr_gap": fpr_gap}
    asked = [name for name, value in subjects.items() if value is not None]
    if len(asked) != 1:
        got = " and ".join(asked) or "none"
        raise RocInputError(f"one of auc, tpr_gap and fpr_gap must be given, got {got}")
    if interval:
        _refuse("an interval", null=null, alternative=None if alternative == "two-sided" else alternative)
    settings = {"level": float(level), "alternative": alternative}
    pair = {"paired": paired, "corr": corr, "rating_corr": rating_corr}
    if asked != ["auc"]:
        _refuse("two points", auc2=auc2, null=null, **pair)
        return _read_points(asked[0], subjects[asked[0]], folds, method, interval, **settings)
    _refuse("areas", folds=folds)
    if auc2 is None:
        _refuse("one area", **pair)
        return OneArea(
            auc=_area(auc, "auc"),
            null=None if interval else _area(0.5 if null is None else null, "null"),
            method=_choice(method, list(VARIANCES), "obuchowski"),
            **settings,
        )
    _refuse("two areas", null=null)
    return _read_areas(auc, auc2, method, **pair, **settings)


def _read_areas(
    auc: Any, auc2: Any, method: Any, *, paired: Any, corr: Any, rating_corr: Any, **settings: Any
) -> TwoAreas:
    if paired is not None and not isinstance(paired, (bool, np.bool_)):
        raise RocInputError(f"must be True or False, got {checks.show(paired)}", argument="paired")
    same_cases = paired is None or bool(paired)
    method = _choice(method, list(VARIANCES), "binormal")
    if not same_cases:
        _refuse("unpaired curves", corr=corr, rating_corr=rating_corr)
    return TwoAreas(
        auc=_area(auc, "auc"),
        auc2=_area(auc2, "auc2"),
        paired=same_cases,
        corr=_read_correlation(corr, rating_corr, method) if same_cases else 0.0,
        method=method,
        **settings,
    )


def _read_correlation(corr: Any, rating_corr: Any, method: str) -> float | RatingCorr:
    if (corr is None) == (rating_corr is None):
        got = "none" if corr is None else "both"
        raise RocInputError(f"one of corr and rating_corr must be given for paired curves, got {got}")
    if corr is not None:
        return _correlation(corr, "corr")
    if method not in COVARIANCES:
        raise RocInputError(
            f"must not be given for method {method!r}, which needs corr", argument="rating_corr"
        )
    if isinstance(rating_corr, str) or not isinstance(rating_corr, Iterable):
        both = _correlation(rating_corr, "rating_corr")
        return both, both
    if len(pair := list(rating_corr)) != 2:
        wanted = "rating_corr must be a number or a pair (negatives, positives)"
        raise RocInputError(f"{wanted}, got {checks.show(rating_corr)}")
    return _correlation(pair[0], "rating_corr[0]"), _correlation(pair[1], "rating_corr[1]")


def _read_points(
    name: str, gap: Any, folds: Any, method: Any, interval: bool, *, level: float, alternative: Alternative
) -> TwoPoints:
    if alternative == "less":
        raise RocInputError(
            "must be 'two-sided' or 'greater' for two points, whose gap is positive, got 'less'",
            argument="alternative",
        )
    if folds is not None:
        folds = checks.check_integer(folds, name="folds", low=2)
    normal = interval or folds is not None
    method = _choice(method, POINT_METHODS, "normal" if normal else "exact")
    if normal and method != "normal":
        why = "an interval" if interval else "folds"
        raise RocInputError(f"must be 'normal' for {why}, got {method!r}", argument="method")
    return TwoPoints(
        rate=name[:3],
        gap=checks.check_number(gap, name=name, low=0, high=1),
        folds=folds,
        method=method,
        level=level,
        alternative=alternative,
    )


def read_sizes(design: Design, n_pos: Any, n_neg: Any) -> tuple[float, float]:
    """Return n of the design and the ratio of negative to positive cases."""
    if not isinstance(design, TwoPoints):
        positives, negatives = _size(n_pos, "n_pos"), _size(n_neg, "n_neg")
        return positives, negatives / positives
    if design.rate == "tpr":
        _refuse("a gap in TPR", n_neg=n_neg)
        return _member_count(n_pos, "n_pos"), 1.0
    _refuse("a gap in FPR", n_pos=n_pos)
    return _member_count(n_neg, "n_neg"), 1.0


def read_ratio(design: Design, ratio: Any) -> float:
    """Return the ratio of negative to positive cases."""
    if isinstance(design, TwoPoints):
        _refuse("two points", ratio=ratio)
    return 1.0 if ratio is None else checks.check_number(ratio, name="ratio", low=0)


def read_goal(power: Any, half_width: Any) -> float:
    """Return the wanted power, or the wanted half-width where there is none."""
    if (power is None) == (half_width is None):
        got = "none" if power is None else "both"
        raise RocInputError(f"one of power and half_width must be given, got {got}")
    if power is None:
        return checks.check_number(half_width, name="half_width", low=0, high=1)
    return checks.check_number(power, name="power", low=0, high=1)


def _refuse(question: str, **given: Any) -> None:
    """Refuse arguments that do not belong to the question."""
    for name, value in given.items():
        if value is not None:
            raise RocInputError(f"must not be given for {question}, got {checks.show(value)}", argument=name)


def _area(value: Any, name: str) -> float:
    return checks.check_number(value, name=name, low=0, high=1)


def _correlation(value: Any, name: str) -> float:
    return checks.check_number(value, name=name, low=-1, high=1)


def _size(value: Any, name: str) -> float:
    return checks.check_number(value, name=name, low=0)


def _member_count(value: Any, name: str) -> float:
    return checks.check_number(value, name=name, low=1)  # one member has no paired t test


def _choice(value: Any, choices: Sequence[str], default: str) -> str:
    return default if value is None else checks.check_choice(value, choices, name="method")
