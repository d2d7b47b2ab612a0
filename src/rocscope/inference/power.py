"""How many cases a study needs, and what a study of a certain size can show.

The variances are those that areas will have in a study that is still to be made: from what is expected
alone, or from a pilot study.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import numpy as np
from scipy import special

from rocscope.core import checks, significance
from rocscope.core.partial_area import Range, area_name
from rocscope.core.result import Row, Status
from rocscope.errors import RocInputError, UndefinedError
from rocscope.inference.compare import CurveComparison
from rocscope.inference.planned_variance import (
    COVARIANCES,
    PARTIAL_VARIANCES,
    VARIANCES,
    RatingCorr,
    area_variance,
    difference_variance,
    partial_area,
)

PowerMethod: TypeAlias = Literal["obuchowski", "hanley-mcneil", "binormal", "pilot", "exact", "normal"]

# A solution that misses a whole number by rounding alone is that number.
ROUNDING = 1e-12
# Beyond these sizes a plan is no plan: the search for a size ends.
SMALLEST, LARGEST = 1e-6, 1e15
# A solved area has a normal deviate up to this, which leaves it below 1; it is sought in so many steps.
EXTREME, STEPS = 8.0, 200
ANY_SIZE = "every size is enough"


@checks.known_arguments
def power(
    auc: float | CurveComparison | None = None,
    auc2: float | None = None,
    *,
    n_pos: float | None = None,
    n_neg: float | None = None,
    power: float | None = None,
    difference: float | None = None,
    null: float | None = None,
    paired: bool | None = None,
    corr: float | None = None,
    rating_corr: float | tuple[float, float] | None = None,
    fpr: tuple[float, float] | None = None,
    tpr_gap: float | None = None,
    fpr_gap: float | None = None,
    folds: int | None = None,
    level: float | None = 0.95,
    alternative: checks.Alternative = "two-sided",
    method: PowerMethod | None = None,
) -> StudyPlan:
    """Return the power of a test on n_pos positive and n_neg negative cases.

    There are three kinds of study. `auc` alone: is this area different from `null`? `auc` and `auc2`: are
    these areas different? `tpr_gap` or `fpr_gap`: are two operating points of one curve different?

    With `power` given, what is left out is solved for: `auc`, the smallest area that is detected with this
    power (of a pilot study, the smallest difference); or `level` where it is None. `sample_size` solves for
    the cases.

    Parameters
    ----------
    auc, auc2
        The expected area, and for a comparison the expected area of the second curve. Or, as `auc` alone,
        what `compare_auc` says about two curves of a pilot study: a study like this one is planned.
    n_pos, n_neg
        Cases of each class, of each curve where the curves are unpaired; those of the pilot study unless
        given. For two points only `n_pos` (with `tpr_gap`) or only `n_neg` (with `fpr_gap`).
    power
        The required power, where the area or the level is solved for.
    difference
        With a pilot study: the difference to detect, first minus second, in place of the observed one. In a
        two-sided test a positive one is a size alone, and the areas keep the order of the pilot study.
    null
        The value one area is tested against, 0.5 unless given. The published formula is for 0.5;
        any other value is our extension, with the variance at `null` in place of that at 0.5.
    paired
        Whether two curves come from the same cases; True unless given.
    corr
        For paired curves: the correlation of the two areas.
    rating_corr
        Or the correlation of the two scores within each class: one number, or (negatives, positives).
    fpr
        Range (low, high): the study is about the partial areas over it, of the curves that have the areas
        `auc`, `auc2` or `null` as a whole and normal scores of equal variance.
    tpr_gap, fpr_gap
        The share of the positive (negative) class whose scores lie between two thresholds.
    folds
        For two points: number of folds, if the points will be compared by a paired t test over the
        rates of folds and not over all members of the class.
    level
        Confidence level; the test has size 1 - level. None to solve for it.
    alternative
        "two-sided", "greater" (auc is greater than the null value or than auc2) or "less". A solved area
        lies above the one it is compared with, for "less" below it.
    method
        Variance of the areas, see the notes: "obuchowski" (default for one area), "hanley-mcneil",
        "binormal" (default for two areas) or "pilot" (default with a pilot study). For two points "exact",
        or "normal" (default with folds).

    Returns
    -------
    StudyPlan
        With `power` and `half_width`. Where there is no difference to detect, the power is None; where no
        area or no level has the power, that one is.

    Notes
    -----
    Areas: power = Phi((|effect| - z sqrt(V0)) / sqrt(V)), V the variance at the expected areas and V0
    under the null hypothesis. "obuchowski" is the variance of a fitted binormal area ([1]_ eq. 3), as in
    pROC; it leaves out the covariance of the two binormal parameters, so that it gives too many cases
    at large areas. "hanley-mcneil" ([3]_) and "binormal" are variances of the empirical area, under
    exponential scores and under normal scores of equal variance; the latter is exact at every size. A
    test by DeLong's interval has more power than this if V0 is larger than V (an area of 0.9
    against 0.7), because its standard error is that of V.

    Two areas have V0 = V = V1 + V2 - 2 C, which does not change when the curves are swapped. pROC takes
    V0 = 2 V1 - 2 C ([2]_), which does; the mean over both orders is ours. With `rating_corr`,
    "obuchowski" has pROC's V1, V2 and C. They do not belong together: C holds the covariance of the
    binormal parameters and V1, V2 do not, so that V stays above 0 even for identical curves. At
    correlations near 1 it gives several times the cases that are needed; "binormal" does not.

    From a pilot study, "pilot" takes the covariance that the comparison has estimated, each class's part of
    it being in inverse proportion to its cases; other methods take the areas and their correlation alone.
    Comparisons by other methods than DeLong's do not know these parts: they plan the pilot's ratio of the
    classes. docs/power.md measures which of the methods keeps its promise. The power at the size of the
    pilot study itself says no more than its p-value; and a difference that was selected for being large
    is larger than the one to come: `difference` should be the smallest that matters.

    Of a partial area, "binormal" (the default) is the variance of the empirical one in large samples, and
    "obuchowski" that of a fitted one ([2]_), as in pROC. One partial area is tested by its interval, so that
    V0 = V; under chance its variance is far smaller.

    Two points: a member of the class is between the points or is not, so the paired t statistic is
    sqrt((n - 1) K / (n - K)) if K of n members are, and it is significant from a certain K on: from 4
    members at the level 0.95, however large n is. "exact" is the probability of that many. Read it with
    care: one single member between the points proves that they differ; what is planned is that the
    interval of the gap keeps away from 0. "normal" is Phi(sqrt(n d / (1 - d)) - z) for a gap d, with
    Student's t in place of z where folds are given. It does not see that a small K also has a small
    standard error: over all members, and over many folds, there is more power than it says.

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
    >>> print(power(n_pos=41, n_neg=72, power=0.9))
    Area 0.6771 against 0.5: 41 positive and 72 negative cases give power 0.9000 (95% level,
    two-sided, obuchowski)
    >>> round(power(0.73, n_pos=41, n_neg=72, power=0.9, level=None).level, 6)
    0.99683
    >>> print(power(tpr_gap=0.05, n_pos=100))
    Two points whose TPR differs by 0.05: 100 positive cases give power 0.7422 (95% level, two-sided,
    exact)
    """
    solved = "level" if level is None else "power" if power is None else "area"
    if solved == "area" and (difference if isinstance(auc, CurveComparison) else auc) is not None:
        got = "difference" if isinstance(auc, CurveComparison) else "auc"
        raise RocInputError("must be left out, got all", argument=(got, "power", "level"))
    gaps = tpr_gap is not None or fpr_gap is not None
    design = _read_design(
        0.5 if solved == "area" and auc is None and not gaps else auc,
        auc2,
        difference=difference,
        null=null,
        paired=paired,
        corr=corr,
        rating_corr=rating_corr,
        fpr=fpr,
        tpr_gap=tpr_gap,
        fpr_gap=fpr_gap,
        folds=folds,
        level=0.95 if level is None else level,
        alternative=alternative,
        method=method,
    )
    if isinstance(auc, CurveComparison) and n_pos is None and n_neg is None:  # the sizes of the pilot study
        if len(set(auc.n_pos)) > 1 or len(set(auc.n_neg)) > 1:
            required = "must be given for unpaired curves of unequal sizes, got None"
            raise RocInputError(required, argument="n_pos")
        n_pos, n_neg = auc.n_pos[0], auc.n_neg[0]
    if isinstance(design, AreaDesign):
        n = checks.check_number(n_pos, name="n_pos", low=0)
        ratio = checks.check_number(n_neg, name="n_neg", low=0) / n
        design.check_ratio(ratio)
    else:  # one member has no paired t test
        own, other = ("n_pos", "n_neg") if design.rate == "tpr" else ("n_neg", "n_pos")
        sizes = {"n_pos": n_pos, "n_neg": n_neg}
        _refuse(f"a gap in {design.rate.upper()}", **{other: sizes[other]})
        n, ratio = checks.check_number(sizes[own], name=own, low=1), 1.0
        _refuse("two points of a class of this size", power=power)
        checks.check_level(level)
    goal = None if solved == "power" else checks.check_number(power, name="power", low=0, high=1)
    try:
        if goal is None or isinstance(design, PointDesign):
            return _plan(design, n, ratio, power=design.power(n, ratio))
        design = design.detectable(goal, n, ratio) if solved == "area" else design.at_level(goal, n, ratio)
        return _plan(design, n, ratio, power=goal)
    except UndefinedError as error:
        plan = _plan(design, n, ratio, power=goal, reason=str(error))
        if solved == "power":
            return plan
        if solved == "level":
            return replace(plan, level=None, half_width=None)
        second = None if isinstance(auc, CurveComparison) else plan.auc2
        return replace(plan, auc=None, auc2=second, effect=None, half_width=None)


@checks.known_arguments
def sample_size(
    auc: float | CurveComparison | None = None,
    auc2: float | None = None,
    *,
    power: float | None = None,
    half_width: float | None = None,
    ratio: float | None = None,
    difference: float | None = None,
    null: float | None = None,
    paired: bool | None = None,
    corr: float | None = None,
    rating_corr: float | tuple[float, float] | None = None,
    fpr: tuple[float, float] | None = None,
    tpr_gap: float | None = None,
    fpr_gap: float | None = None,
    folds: int | None = None,
    level: float = 0.95,
    alternative: checks.Alternative = "two-sided",
    method: PowerMethod | None = None,
) -> StudyPlan:
    """Return the cases that give a power, or an interval of a half-width.

    The inverse of `power`, for the same studies; `power` describes all methods.

    Parameters
    ----------
    auc, auc2
        The expected area, and for a comparison the expected area of the second curve; or, as `auc`, the
        result of `compare_auc` on a pilot study.
    power
        The required probability of a significant result.
    half_width
        In place of `power`: half the required width of the two-sided interval of the area, of the
        difference of two areas, or of the gap between two points.
    ratio
        Negative cases for each positive case, 1 or that of the pilot study unless given; not for two points.
    difference, null, paired, corr, rating_corr, fpr, tpr_gap, fpr_gap, folds, level, alternative, method
        As in `power`.

    Returns
    -------
    StudyPlan
        With the real-valued sizes and the whole ones, each class rounded up. Where no size
        reaches the goal, the sizes are None and `reason` says why.

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
    if (power is None) == (half_width is None):
        got = "none" if power is None else "both"
        raise RocInputError(f"must be given, got {got}", argument=("power", "half_width"))
    subject = "half_width" if power is None else "power"
    goal = checks.check_number(half_width if power is None else power, name=subject, low=0, high=1)
    design = _read_design(
        auc,
        auc2,
        difference=difference,
        null=null,
        paired=paired,
        corr=corr,
        rating_corr=rating_corr,
        fpr=fpr,
        tpr_gap=tpr_gap,
        fpr_gap=fpr_gap,
        folds=folds,
        level=level,
        alternative=alternative,
        method=method,
    )
    if power is None:  # an interval has no null hypothesis
        _refuse("an interval", null=null, alternative=None if alternative == "two-sided" else alternative)
        if isinstance(design, AreaDesign):
            design = replace(design, null=None)
        elif method == "exact":
            raise RocInputError("must be 'normal' for an interval, got 'exact'", argument="method")
        else:
            design = replace(design, method="normal")
    if isinstance(design, PointDesign):
        _refuse("two points", ratio=ratio)
    negatives = design.ratio if ratio is None else checks.check_number(ratio, name="ratio", low=0)
    design.check_ratio(negatives)
    try:
        if power is not None:
            n = design.size_for_power(goal, negatives)
        else:
            n = falling_root(lambda n: design.half_width(n, negatives) - goal)
        return _plan(design, n, negatives, power=None if power is None else goal)
    except UndefinedError as error:
        return _plan(design, None, negatives, power=None if power is None else goal, reason=str(error))


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlan(Row):
    """The size of a study with its power and precision.

    Attributes
    ----------
    question
        "one area", "two areas", "two points, tpr" or "two points, fpr".
    n_pos, n_neg
        Whole positive and negative cases; for unpaired curves, of each curve. None for a class the
        study does not depend on.
    real_n_pos, real_n_neg
        The same before rounding up: what `power` and `half_width` belong to.
    power
        Probability of a significant result; None where a half-width was the goal.
    half_width
        Half the width of the two-sided interval of the area, the difference or the gap.
    effect
        The difference to detect: area minus null value, first area minus second, or the gap.
    auc, null, auc2, paired
        The assumptions, None where they do not belong to the study.
    quantity
        What is compared: "AUC", or "partial AUC over FPR 0-0.1", to which `effect` and `half_width` belong
        (`auc`, `null` and `auc2` are whole areas); of a pilot study whatever was compared there.
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
    level: float | None
    alternative: str
    method: str
    status: Status = "ok"
    reason: str | None = None
    quantity: str = "AUC"

    def _summary(self) -> str:
        def digits(value: float | None, most: int = 6) -> str:
            # All the digits that were typed in: 0.5000001 is not 0.5. Nobody types in more than twelve.
            if value is None:
                return "?"
            typed = f"{value:.15g}"
            return typed if len(typed) < 15 else f"{value:.{most}g}"

        def area(value: float | None) -> str:
            short = digits(value, 4)
            return digits(value) if short == "1" else short  # few areas are 1

        # Of whole areas a partial one is planned for; a pilot study has compared the parts themselves.
        part = self.quantity != "AUC" and self.method != "pilot"

        if self.question.startswith("two points"):
            study = f"Two points whose {self.question[-3:].upper()} differs by {digits(self.effect)}"
        elif self.question == "two areas":
            kind = "paired" if self.paired else "unpaired"
            values = f"{area(self.auc)} and {area(self.auc2)}"
            study = f"{'Areas' if part or self.quantity == 'AUC' else self.quantity} {values}, {kind}"
        else:
            study = f"Area {area(self.auc)}" + ("" if self.null is None else f" against {digits(self.null)}")
        study += f", {self.quantity}" if part else ""
        level = "?" if self.level is None else digits(self.level * 100)
        if level == "100":  # no level is 1
            level = repr(100 * float(self.level or 0))
        test = f"{level}% level, {self.alternative}, {self.method}"
        if self.status != "ok":
            return f"{study}: undefined, {self.reason} ({test})"
        sizes = ((self.n_pos, "positive"), (self.n_neg, "negative"))
        cases = " and ".join(f"{n} {name}" for n, name in sizes if n is not None)
        each = " for each curve" if self.paired is False else ""
        # Rounded up, the cases reach a little more than the goal.
        rounded = (self.n_pos, self.n_neg) != (self.real_n_pos, self.real_n_neg)
        if self.power is not None:
            goal = f"{'at least ' if rounded else ''}power {self.power:.4f}"
        else:
            style = ".4f" if (self.half_width or 0) >= 0.001 else ".4g"
            goal = f"{'at most ' if rounded else ''}half-width {self.half_width:{style}}"
        return f"{study}: {cases} cases{each} give {goal} ({test})"


def _plan(
    design: AreaDesign | PointDesign,
    n: float | None,
    ratio: float,
    *,
    power: float | None,
    reason: str | None = None,
) -> StudyPlan:
    """The design with its sizes; n is None where no size reaches the goal."""
    n_pos, n_neg = (n, None if n is None else ratio * n)
    if isinstance(design, PointDesign):
        n_pos, n_neg = (n, None) if design.rate == "tpr" else (None, n)
    whole = [None if size is None else math.ceil(size * (1 - ROUNDING)) for size in (n_pos, n_neg)]
    return StudyPlan(
        n_pos=whole[0],
        n_neg=whole[1],
        real_n_pos=n_pos,
        real_n_neg=n_neg,
        power=power,
        half_width=None if n is None else design.half_width(n, ratio),
        level=design.level,
        alternative=design.alternative,
        method=design.method,
        status="ok" if reason is None else "undefined",
        reason=reason,
        **design.assumptions,
    )


# ---- From the arguments of `power` and `sample_size` to the design of a study: all checks are here --------


def _read_design(
    auc: Any,
    auc2: Any,
    *,
    difference: Any,
    null: Any,
    paired: Any,
    corr: Any,
    rating_corr: Any,
    fpr: Any,
    tpr_gap: Any,
    fpr_gap: Any,
    folds: Any,
    level: Any,
    alternative: Any,
    method: Any,
) -> AreaDesign | PointDesign:
    """Return the design, once all arguments belong to it."""
    checks.check_level(level)
    checks.check_alternative(alternative)
    subjects = {"auc": auc, "tpr_gap": tpr_gap, "fpr_gap": fpr_gap}
    subject = [name for name, value in subjects.items() if value is not None]
    if len(subject) != 1:
        got = " and ".join(subject) or "none"
        raise RocInputError(f"must be given, got {got}", argument=("auc", "tpr_gap", "fpr_gap"))
    settings: dict[str, Any] = {"level": float(level), "alternative": alternative}
    pair = {"paired": paired, "corr": corr, "rating_corr": rating_corr}
    if isinstance(auc, CurveComparison):
        _refuse("a pilot study", auc2=auc2, null=null, fpr=fpr, folds=folds, **pair)
        return _read_pilot(auc, difference, method, **settings)
    _refuse("areas without a pilot study", difference=difference)
    if subject != ["auc"]:
        _refuse("two points", auc2=auc2, null=null, fpr=fpr, **pair)
        return _read_points(subject[0], subjects[subject[0]], folds, method, **settings)
    _refuse("areas", folds=folds)
    if auc2 is None:
        _refuse("one area", **pair)
    else:
        _refuse("two areas", null=null)
        if paired is not None:
            checks.check_flag(paired, name="paired")
        paired = paired is None or bool(paired)
    default = "obuchowski" if auc2 is None and fpr is None else "binormal"
    method = default if method is None else checks.check_choice(method, list(VARIANCES), name="method")
    part = None if fpr is None else checks.check_range(fpr, name="fpr")
    if part is not None and method not in PARTIAL_VARIANCES:
        raise RocInputError(f"must not be given for method {method!r}", argument="fpr")
    auc = checks.check_number(auc, name="auc", low=0, high=1)
    if auc2 is not None:
        auc2 = checks.check_number(auc2, name="auc2", low=0, high=1)
    correlation: float | RatingCorr = 0.0
    if paired:
        correlation = _read_correlation(corr, rating_corr, method)
    elif auc2 is not None:
        _refuse("unpaired curves", corr=corr, rating_corr=rating_corr)
    if auc2 is None:
        null = checks.check_number(0.5 if null is None else null, name="null", low=0, high=1)
    areas = {"auc": auc, "null": null, "auc2": auc2}
    quantity = "AUC" if part is None else area_name((part, None))
    return AreaDesign(
        **areas, paired=paired, corr=correlation, method=method, fpr=part, quantity=quantity, **settings
    )


def _read_pilot(
    pilot: CurveComparison, difference: Any, method: Any, *, level: float, alternative: checks.Alternative
) -> AreaDesign:
    """The design of a study like a pilot study of two curves."""
    method = "pilot" if method is None else checks.check_choice(method, (*VARIANCES, "pilot"), name="method")
    if len(pilot.names) != 2 or not pilot.n_pos:
        got = f"{len(pilot.names)} curves" + ("" if pilot.n_pos else " without the numbers of their cases")
        raise RocInputError(f"must be a comparison of two curves, got {got}", argument="auc")
    if not pilot.defined.all():
        raise RocInputError(
            f"must be a comparison with a covariance, got none: {pilot.pairs[0].reason}",
            argument="auc",
            data_dependent=True,
        )
    if method != "pilot" and pilot.quantity != "AUC":
        raise RocInputError(f"must be 'pilot' for the {pilot.quantity}, got {method!r}", argument="method")
    cases, cov = np.array([pilot.n_pos, pilot.n_neg], dtype=float), pilot.cov
    sign = np.array([1.0, -1.0])
    if pilot.cov_pos is None:
        if not pilot.paired:
            raise RocInputError(
                f"must be a comparison by method 'delong' for unpaired curves, got {pilot.method!r}",
                argument="auc",
            )
        per_case = (float(sign @ (cov * cases[0, 0]) @ sign), 0.0)
    else:  # paired curves have the same cases; of others the covariance is 0
        scaled = (pilot.cov_pos * cases[0], (cov - pilot.cov_pos) * cases[1])
        per_case = (float(sign @ scaled[0] @ sign), float(sign @ scaled[1] @ sign))
    first, second = pilot.auc.tolist()
    if difference is not None:  # half of it on either side of the mean, so that the order does not matter
        half = checks.check_number(difference, name="difference", low=-1, high=1) / 2
        if alternative == "two-sided" and first < second:
            half = -abs(half)
        middle = (first + second) / 2
        first, second = middle + half, middle - half
    if method != "pilot":
        for area in (first, second):
            if not 0 < area < 1:
                raise RocInputError(
                    f"must be 'pilot' where an area is {area:.6g}, got {method!r}", argument="method"
                )
    deviations = math.sqrt(cov[0, 0] * cov[1, 1])
    return AreaDesign(
        auc=first,
        auc2=second,
        paired=pilot.paired,
        corr=cov[0, 1] / deviations if deviations > 0 else 0.0,
        method=method,
        per_case=per_case,
        ratio=float(cases[1].sum() / cases[0].sum()),
        same_ratio=method == "pilot" and pilot.cov_pos is None,
        quantity=pilot.quantity,
        level=level,
        alternative=alternative,
    )


def _read_correlation(corr: Any, rating_corr: Any, method: str) -> float | RatingCorr:
    """The correlation of two paired areas, or those of the two ratings within the classes."""
    if (corr is None) == (rating_corr is None):
        got = "none" if corr is None else "both"
        raise RocInputError(f"must be given for paired curves, got {got}", argument=("corr", "rating_corr"))
    if corr is not None:
        return checks.check_number(corr, name="corr", low=-1, high=1)
    if method not in COVARIANCES:
        raise RocInputError(
            f"must not be given for method {method!r}, which needs corr", argument="rating_corr"
        )
    if isinstance(rating_corr, str) or not isinstance(rating_corr, Iterable):
        both = checks.check_number(rating_corr, name="rating_corr", low=-1, high=1)
        return both, both
    if len(pair := list(rating_corr)) != 2:
        raise RocInputError(
            f"must be a number or a pair (negatives, positives), got {checks.show(rating_corr)}",
            argument="rating_corr",
        )
    neg, pos = (checks.check_number(r, name=f"rating_corr[{i}]", low=-1, high=1) for i, r in enumerate(pair))
    return neg, pos


def _read_points(
    name: str, gap: Any, folds: Any, method: Any, *, level: float, alternative: checks.Alternative
) -> PointDesign:
    if alternative == "less":
        raise RocInputError(
            "must be 'two-sided' or 'greater' for two points, whose gap is positive, got 'less'",
            argument="alternative",
        )
    if folds is not None:
        folds = checks.check_integer(folds, name="folds", low=2)
    default = "exact" if folds is None else "normal"
    method = default if method is None else checks.check_choice(method, ("exact", "normal"), name="method")
    if folds is not None and method != "normal":
        raise RocInputError(f"must be 'normal' for folds, got {method!r}", argument="method")
    gap = checks.check_number(gap, name=name, low=0, high=1)
    return PointDesign(
        rate=name[:3], gap=gap, folds=folds, method=method, level=level, alternative=alternative
    )


def _refuse(study: str, **arguments: Any) -> None:
    """Refuse arguments that do not belong to the study."""
    for name, value in arguments.items():
        if value is not None:
            raise RocInputError(f"must not be given for {study}, got {checks.show(value)}", argument=name)


# ---- How power and precision grow with the size of a study ------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaDesign:
    """A normal test of one area against a null value, or against a second area; n counts positive cases.

    Two areas are of the same cases or of two samples of equal size. Without a null value or a second area
    there is an interval alone. `per_case` is the variance of the difference in a pilot study, times its
    cases, from the positives and from the negatives; with `same_ratio` it is known for this ratio alone.
    """

    auc: float
    null: float | None = None
    auc2: float | None = None
    paired: bool | None = None
    corr: float | RatingCorr = 0.0
    method: str
    level: float
    alternative: checks.Alternative
    per_case: tuple[float, float] | None = None
    ratio: float = 1.0
    same_ratio: bool = False
    quantity: str = "AUC"
    fpr: Range | None = None

    @property
    def effect(self) -> float | None:
        """The difference that is to be detected."""
        reference = self.null if self.auc2 is None else self.auc2
        if reference is None:
            return None
        if self.fpr is not None:
            return partial_area(self.auc, self.fpr) - partial_area(reference, self.fpr)
        return self.auc - reference

    @property
    def assumptions(self) -> dict[str, Any]:
        """Fields of the result that say what is planned."""
        return {
            "question": "one area" if self.auc2 is None else "two areas",
            "effect": self.effect,
            "auc": self.auc,
            "null": self.null,
            "auc2": self.auc2,
            "paired": self.paired,
            "quantity": self.quantity,
        }

    def variance(self, n_pos: float, n_neg: float) -> float:
        """Variance of the estimated effect if it is what we expect."""
        if self.method == "pilot" and self.per_case is not None:
            return self.per_case[0] / n_pos + self.per_case[1] / n_neg
        how: dict[str, Any] = {"method": self.method, "fpr": self.fpr}
        if self.auc2 is None:
            return area_variance(self.auc, n_pos, n_neg, **how)
        return difference_variance((self.auc, self.auc2), n_pos, n_neg, corr=self.corr, **how)

    def check_ratio(self, ratio: float) -> None:
        """Refuse another ratio than that of the pilot study if the variance is not known for it."""
        if self.same_ratio and not math.isclose(ratio, self.ratio):
            raise RocInputError(
                f"must be that of the pilot study, {self.ratio:.6g}, unless it was compared by method "
                f"'delong', got {ratio:.6g}",
                argument="ratio",
            )

    def power(self, n: float, ratio: float) -> float:
        """Probability that the test rejects; the far tail of a two-sided test is left out, as is usual."""
        self._check_effect()
        return float(special.ndtr(self._z(n, ratio)))

    def _z(self, n: float, ratio: float) -> float:
        critical = significance.quantile(self.level, alternative=self.alternative)
        null_se, se = self._standard_errors(n, ratio)
        return (self._shift() - critical * null_se) / se

    def _standard_errors(self, n: float, ratio: float) -> tuple[float, float]:
        """Those under the null hypothesis and at the expected areas."""
        variance = null_variance = self.variance(n, ratio * n)
        if self.auc2 is None and self.null is not None and self.fpr is None:
            null_variance = area_variance(self.null, n, ratio * n, method=self.method)
        # Of two areas it is the mean of 2 V1 - 2 C and 2 V2 - 2 C, each of which favours one of the curves.
        return _standard_error(null_variance), _standard_error(variance)

    def half_width(self, n: float, ratio: float) -> float:
        """Half the width of the two-sided interval, before it is cut at the bounds of the parameter."""
        return significance.quantile(self.level) * _standard_error(self.variance(n, ratio * n))

    def size_for_power(self, power: float, ratio: float) -> float:
        """Solve effect = critical value * null_se + z_power * se for n."""
        self._check_effect()
        self._check_direction()
        goal = float(special.ndtri(power))
        return falling_root(lambda n: goal - self._z(n, ratio))

    def at_level(self, power: float, n: float, ratio: float) -> AreaDesign:
        """Solve the same for the critical value, and return the design at its level."""
        self._check_effect()
        self._check_direction()
        null_se, se = self._standard_errors(n, ratio)
        critical = (self._shift() - float(special.ndtri(power)) * se) / null_se
        two_sided = self.alternative == "two-sided"
        level = 1 - 2 * float(special.ndtr(-critical)) if two_sided else float(special.ndtr(critical))
        if level <= 0:
            raise UndefinedError("every level is enough")
        if level >= 1:
            raise UndefinedError("the level differs from 1 by less than a number can show")
        return replace(self, level=level)

    def detectable(self, power: float, n: float, ratio: float) -> AreaDesign:
        """Solve the same for the area, and return the design with the smallest effect that has the power.

        The area moves away from the one it is compared with; of a pilot study both move apart.
        """
        sign = -1 if self.alternative == "less" else 1
        goal = float(special.ndtri(power))
        if self.per_case is not None and self.auc2 is not None:
            middle = (self.auc + self.auc2) / 2
            largest = 2 * min(middle, 1 - middle) if self.quantity == "AUC" else 1.0

            def moved(step: float) -> AreaDesign:
                return replace(self, auc=middle + sign * step / 2, auc2=middle - sign * step / 2)
        else:
            start = float(special.ndtri(self.null if self.auc2 is None else self.auc2))
            largest = max(EXTREME - sign * start, 0.0)

            def moved(step: float) -> AreaDesign:
                return replace(self, auc=float(special.ndtr(start + sign * step)))

        def lack(step: float) -> float:
            return goal - moved(step)._z(n, ratio)

        steps = [largest * k / STEPS for k in range(STEPS)]  # without the end, where areas are 0 or 1
        if lack(steps[0]) <= 0:
            raise UndefinedError("every difference is enough")
        for low, high in pairwise(steps):
            if lack(high) <= 0:
                from scipy.optimize import brentq

                return moved(float(brentq(lack, low, high, xtol=1e-16, rtol=1e-15)))
        raise UndefinedError("no difference is large enough")

    def _check_effect(self) -> None:
        if not self.effect:
            raise UndefinedError("there is no difference to detect")

    def _check_direction(self) -> None:
        if self._shift() < 0:
            raise UndefinedError(f"the difference of {self.effect:+g} is against the alternative")

    def _shift(self) -> float:
        """The effect, positive where it lies in the direction of the alternative."""
        effect = self.effect or 0.0
        if self.alternative == "two-sided":
            return abs(effect)
        return effect if self.alternative == "greater" else -effect


@dataclass(frozen=True, slots=True, kw_only=True)
class PointDesign:
    """Two operating points of one curve, a share of one class between them; n counts its members.

    The difference between the points is 1 for the members between them and 0 for all others. If K of
    n members are, the paired t statistic is sqrt((n - 1) K / (n - K)): it depends on K alone.
    """

    rate: str
    gap: float
    folds: int | None
    method: str
    level: float
    alternative: checks.Alternative
    ratio: float = 1.0

    def check_ratio(self, ratio: float) -> None:
        """The other class does not matter."""

    @property
    def assumptions(self) -> dict[str, Any]:
        """Fields of the result that say what is planned."""
        return {"question": f"two points, {self.rate}", "effect": self.gap}

    def power(self, n: float, ratio: float) -> float:
        """P(K >= critical) of a binomial K, or the normal approximation."""
        if self.method == "exact":
            return binomial_tail(self.critical(n), n, self.gap)
        return float(special.ndtr(math.sqrt(n * self.gap / (1 - self.gap)) - self._critical_value))

    def half_width(self, n: float, ratio: float) -> float:
        """Quantile times standard error of a share."""
        return self._critical_value * math.sqrt(self.gap * (1 - self.gap) / n)

    def size_for_power(self, power: float, ratio: float) -> float:
        """(z_level + z_power)^2 (1 - gap) / gap; or the exact size, from which on every size has the power.

        The critical number grows with n towards the square of the normal quantile, and the power drops
        where it steps up: the largest critical number that is met decides.
        """
        if self.method != "exact":
            total = self._critical_value + float(special.ndtri(power))
            if total <= 0:
                raise UndefinedError(ANY_SIZE)
            return total**2 * (1 - self.gap) / self.gap
        most = max(math.ceil(self._critical_value**2), 1)

        def size(k: int) -> float:
            """Members among whom, with the required probability, at least k lie between the points."""
            return falling_root(lambda n: power - binomial_tail(k, n, self.gap), start=float(k))

        sizes = {k: size(k) for k in range(most, 0, -1)}
        met = (n for k, n in sizes.items() if n > 1 and self.critical(n) == k)
        return max(next(met, sizes[most]), 2.0)

    def critical(self, n: float) -> int:
        """Fewest members between the points for which the paired t test over all members rejects."""
        square = significance.critical_value(self.level, alternative=self.alternative, df=n - 1) ** 2
        return math.floor(n * square / (n - 1 + square)) + 1

    @property
    def _critical_value(self) -> float:
        df = None if self.folds is None else self.folds - 1
        return significance.critical_value(self.level, alternative=self.alternative, df=df)


def _standard_error(variance: float) -> float:
    """A variance that underflow or cancellation has taken away stays above 0."""
    return math.sqrt(max(variance, sys.float_info.min))


def binomial_tail(k: int, n: float, p: float) -> float:
    """P(K >= k) of K ~ Binomial(n, p), continued to real n.

    Examples
    --------
    >>> round(binomial_tail(2, 3, 0.5), 12)
    0.5
    """
    return float(special.betainc(k, n - k + 1, p)) if n > k - 1 else 0.0


def falling_root(excess: Callable[[float], float], *, start: float = 1.0) -> float:
    """Size at which a function that falls with the size is 0.

    Examples
    --------
    >>> falling_root(lambda n: 10 / n - 0.25)
    40.0
    """
    low = high = start
    while excess(low) <= 0:
        low /= 2
        if low < SMALLEST:
            raise UndefinedError(ANY_SIZE)
    while excess(high) > 0:
        high *= 2
        if high > LARGEST:
            raise UndefinedError(f"more than {LARGEST:g} cases would be needed")
    from scipy.optimize import brentq  # heavy, and a power alone does not need it

    return float(brentq(excess, low, high, xtol=1e-12, rtol=1e-15))
