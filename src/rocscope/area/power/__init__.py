"""How many cases a study needs, and what a study of given size can show."""

from __future__ import annotations

from rocscope.area.power.ask import read_design, read_goal, read_ratio, read_sizes
from rocscope.area.power.plan import StudyPlan, write_plan
from rocscope.core.checks import Alternative
from rocscope.errors import UndefinedError


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
