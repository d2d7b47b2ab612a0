"""Fit a binormal curve to scores or ratings: by maximum likelihood, by a line, or by moments."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypeVar, Unpack, get_args, overload

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal import curve, latent, maximum
from rocscope.binormal.latent import Floats
from rocscope.core import checks
from rocscope.core.frames import Missing
from rocscope.core.result import TestResult
from rocscope.core.scores import Columns, read_counts_or_cases
from rocscope.core.table import LabelledTable, ScoreTable
from rocscope.errors import RocInputError

if TYPE_CHECKING:
    from rocscope.binormal.proper import ProperBinormal

Method: TypeAlias = Literal["ml", "least-squares", "moments"]
Information: TypeAlias = Literal["expected", "observed"]
Curve = TypeVar("Curve", bound=latent.LatentCurve)

MIN_EXPECTED = 5.0


@overload
def fit_binormal(
    y_true: Any,
    y_score: Any = None,
    *,
    proper: Literal[False] = False,
    method: Method = "ml",
    information: Information = "expected",
    min_expected: float = MIN_EXPECTED,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
) -> curve.Binormal: ...


@overload
def fit_binormal(
    y_true: Any,
    y_score: Any = None,
    *,
    proper: Literal[True],
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
) -> ProperBinormal: ...


@checks.known_arguments
def fit_binormal(
    y_true: Any,
    y_score: Any = None,
    *,
    proper: bool = False,
    method: Method = "ml",
    information: Information = "expected",
    min_expected: float = MIN_EXPECTED,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
) -> curve.Binormal | ProperBinormal:
    """Fit a binormal ROC curve, TPR = Phi(a + b Phi^-1(FPR)).

    Parameters
    ----------
    y_true
        Labels of two classes. {0, 1}, {-1, 1} and booleans need no `pos_label`. Or all in one, as
        in `auc`: a data frame with `label` and `score`, a `BinaryScores`, a `ScoreTable`, a `RocCurve` or the
        result of `cross_scores`. Whole weights count cases, fractional ones are refused.
    y_score
        Finite scores or ratings, larger for the positive class; never flipped or transformed.
    proper
        Fit the proper binormal curve instead, which has no hook; see `ProperBinormal`.
    method
        - "ml": maximum likelihood from the order of the scores. Runs of one class are merged, which leaves
          the maximum where it is (LABROC4); no other cut-point is dropped, whatever their number;
        - "least-squares": the line through the normal deviates of the ROC points, without standard errors:
          the unweighted regression of Phi^-1(TPR) on Phi^-1(FPR) over the points of `roc_curve`, without
          those that have a rate of 0 or 1;
        - "moments": from means and standard deviations of the scores themselves, Yousef et al. (2004), eq. 5.
    information
        For "ml": the covariance from the "expected" (Fisher's) or the "observed" information.
    min_expected
        For "ml": cases that each class must expect in a pool of the goodness-of-fit test; 0 pools nothing.
    pos_label, label, score, na
        As in `auc`.

    Returns
    -------
    Binormal
        With `a`, `b`, `cov`, `auc`, `log_likelihood`, `status` and `reason`. Data that determine no curve
        have the status "perfect", "perverse", "degenerate" or "undetermined", and a search that failed has
        "not-converged": `a` and `b` are None then. The warnings name the FPR range where the fitted curve
        lies below chance, if it is wider than 1e-6; `proper=True` has none.

    Examples
    --------
    Ratings of Hanley and McNeil (1982), as counts:

    >>> from rocscope import ScoreTable
    >>> table = ScoreTable.from_counts([1, 2, 3, 4, 5], neg=[33, 6, 6, 11, 2], pos=[3, 2, 2, 11, 33])
    >>> fit = fit_binormal(table)
    >>> print(fit)
    Binormal curve (ml): a 1.6568 (se 0.3121), b 0.7130 (se 0.2162), AUC 0.9113 (se 0.0296)
    >>> print(fit.tpr_estimate(0.1))
    TPR at FPR 0.1 0.7713 (95% interval 0.6169-0.8827, binormal ml)
    """
    checks.check_choice(method, get_args(Method), name="method")
    checks.check_choice(information, get_args(Information), name="information")
    least = checks.check_number(min_expected, name="min_expected", low=0, closed=True)
    if checks.check_flag(proper, name="proper"):
        from rocscope.binormal.proper import fit_proper_binormal

        for name, value, only in (("method", method, "ml"), ("information", information, "expected")):
            if value != only:
                raise RocInputError(f"must be {only!r} where proper is True, got {value!r}", argument=name)
        return fit_proper_binormal(y_true, y_score, pos_label=pos_label, label=label, score=score, na=na)
    table = read_table(y_true, y_score, pos_label=pos_label, label=label, score=score, na=na)
    if method == "moments":
        return fit_by_moments(table)
    if method == "least-squares":
        return name_zero_variance(fit_by_least_squares(table), table)
    fit = name_zero_variance(fit_categories(latent.truth_runs(table), information=information), table)
    if fit.status != "ok":
        return fit
    return replace(fit, goodness=pearson_test(fit, latent.ratings(table), min_expected=least))


def read_table(y_true: Any, y_score: Any, **columns: Unpack[Columns]) -> ScoreTable:
    """Check labels and scores, as `auc` takes them, and count them."""
    data = read_counts_or_cases(y_true, y_score, **columns)
    if isinstance(data, ScoreTable):
        return data
    counts = data.table()
    return LabelledTable(
        scores=counts.scores,
        pos=counts.pos,
        neg=counts.neg,
        pos_label=data.pos_label,
        neg_label=data.neg_label,
        warnings=data.warnings,
    )


# ---- Maximum likelihood -----------------------------------------------------------------------------------

SLOPES = (0.01, 100.0)
# With more points than this, those with a rate of 0 or 1 are left out instead of being moved inside.
ENOUGH = 5


def fit_categories(categories: latent.Categories, *, information: Information = "expected") -> curve.Binormal:
    """Maximum-likelihood fit to counts in categories."""
    undefined = why_undefined(categories)
    if undefined is not None:
        return curve.Binormal._fitted(categories, **undefined._asdict())
    likelihood = maximum.BinormalLikelihood(categories)
    point = likelihood.maximum(starts(categories), first=True)
    if point is None:
        reason = (
            f"{likelihood.max_steps} Newton steps from three starts did not reach a maximum of the likelihood"
        )
        return curve.Binormal._fitted(categories, status="not-converged", reason=reason)
    a, b = point.theta.tolist()
    about = point.information
    if information == "expected":
        about = maximum.expected_information(point.cutpoints, a, b, categories.n_neg, categories.n_pos)
    cov = about.covariance()
    singular = ("the information matrix is singular, so there are no standard errors",)
    return curve.Binormal._fitted(
        categories,
        a=a,
        b=b,
        cov=cov,
        log_likelihood=point.log_likelihood,
        cutpoints=point.cutpoints,
        warnings=curve.hook_warning(a, b) + (singular if cov is None else ()),
    )


def starts(categories: latent.Categories) -> Iterator[Floats]:
    """Curves (a, b) to start from: the line, then curves of its area with slopes 1/2 and 2."""
    a, b = start_line(categories)
    if not np.isfinite([a, b]).all() or b <= 0:
        a, b = 0.0, 1.0
    b = min(max(b, SLOPES[0]), SLOPES[1])
    yield np.array([a, b])
    deviate = a / np.hypot(1.0, b)
    for slope in (0.5, 2.0):
        yield np.array([deviate * np.hypot(1.0, slope), slope])


def start_line(categories: latent.Categories) -> tuple[float, float]:
    """Intercept and slope of a line near all points, to start a search from; NaN without a slope.

    Rates of 0 and 1 have no deviate. They are left out where more than five points remain, and otherwise
    taken as half a case, so that few points still make a line. The fit by least squares leaves them out
    always.
    """
    fpr, tpr = categories.rates()
    inside = _open(fpr) & _open(tpr)
    if np.count_nonzero(inside) > ENOUGH:
        fpr, tpr = fpr[inside], tpr[inside]
    return regression_line(
        *(
            special.ndtri(np.clip(rates, 0.5 / n, 1 - 0.5 / n))
            for rates, n in ((fpr, categories.n_neg), (tpr, categories.n_pos))
        )
    )


def regression_line(x: Floats, y: Floats) -> tuple[float, float]:
    """Intercept and slope of the unweighted regression of y on x; NaN where all x are equal."""
    spread = x - x.mean()
    with np.errstate(invalid="ignore", divide="ignore"):
        slope = float((spread * y).sum() / (spread * spread).sum())
    return float(y.mean() - slope * x.mean()), slope


# ---- Least squares: a line through the normal deviates of the ROC points ----------------------------------


def fit_by_least_squares(table: ScoreTable) -> curve.Binormal:
    """Unweighted regression of Phi^-1(TPR) on Phi^-1(FPR) over the ROC points, one for each distinct score.

    A rate of 0 or 1 has no finite deviate, and a point with one is left out. No run of one class is merged:
    that would leave the maximum of a likelihood where it is, but not this line.

    Examples
    --------
    >>> table = ScoreTable.from_counts([1, 2, 3, 4, 5], neg=[23, 24, 15, 7, 0], pos=[1, 0, 6, 5, 33])
    >>> print(fit_by_least_squares(table).summary())
    Binormal curve (least-squares): a 1.9285, b 0.5731, AUC 0.9529
    """
    categories = latent.ratings(table)
    fpr, tpr = categories.rates()
    inside = _open(fpr) & _open(tpr)
    fpr, tpr = fpr[inside], tpr[inside]
    undefined = why_undefined(latent.truth_runs(table))
    if undefined is None and len(fpr) < 2:
        # One at least: data whose points all have a rate of 0 or 1 have no maximum of the likelihood either.
        why = "only one ROC point has finite normal deviates, and a line needs two"
        undefined = Undefined("undetermined", why)
    for name, rates, slope in (("TPR", tpr, "0"), ("FPR", fpr, "infinity")):
        if undefined is None and rates.min() == rates.max():
            why = f"the line through the ROC points with finite deviates has slope {slope} (constant {name})"
            undefined = Undefined("degenerate", why)
    if undefined is not None:
        return curve.Binormal._fitted(categories, method="least-squares", **undefined._asdict())
    a, b = regression_line(special.ndtri(fpr), special.ndtri(tpr))
    return curve.Binormal._fitted(
        categories, method="least-squares", a=a, b=b, warnings=curve.hook_warning(a, b)
    )


# ---- Means and standard deviations of the scores themselves -----------------------------------------------


def fit_by_moments(table: ScoreTable) -> curve.Binormal:
    """Intercept (mu_pos - mu_neg) / sigma_pos and slope sigma_neg / sigma_pos, Yousef et al. (2004) eq. 5.

    It takes the scores to be normal as they stand, whereas the other methods see their order alone; the
    covariance rests on the same assumption.
    """
    categories = latent.truth_runs(table)
    scores = table.scores.astype(np.float64)
    high, low = scores[0], scores[-1]
    spread = high / 2 - low / 2
    # Shifted and scaled so that no square overflows; a and b do not depend on either.
    values = (scores / 2 - low / 2) / spread if spread > 0 else np.zeros(len(scores))
    (mean_n, sd_n), (mean_p, sd_p) = (_moments(values, counts) for counts in (table.neg, table.pos))
    for name, n, sd in (("negatives", table.n_neg, sd_n), ("positives", table.n_pos, sd_p)):
        if n < 2:
            reason = f"a standard deviation needs two cases in each class, the {name} are one"
            return curve.Binormal._fitted(categories, method="moments", status="undetermined", reason=reason)
        if not sd > 0:
            reason = zero_variance(table) or f"the {name} are too close together to have a variance"
            return curve.Binormal._fitted(categories, method="moments", status="degenerate", reason=reason)
    a, b = (mean_p - mean_n) / sd_p, sd_n / sd_p
    # Delta method for normal scores: var(mean) = s^2 / n, var(s) = s^2 / (2 (n - 1)).
    by_neg, by_pos = 1 / (2 * (table.n_neg - 1)), 1 / (2 * (table.n_pos - 1))
    var_a, mixed = 1 / table.n_pos + b * b / table.n_neg + a * a * by_pos, a * b * by_pos
    cov = np.array([[var_a, mixed], [mixed, b * b * (by_neg + by_pos)]])
    return curve.Binormal._fitted(
        categories, method="moments", a=a, b=b, cov=cov, warnings=curve.hook_warning(a, b)
    )


def _moments(values: Floats, counts: NDArray[Any]) -> tuple[float, float]:
    """Mean and standard deviation (n - 1) of counted values; NaN for a single case."""
    n = int(counts.sum())
    mean = float(values @ counts) / n
    squares = float((values - mean) ** 2 @ counts)
    constant = np.count_nonzero(counts) == 1
    return mean, 0.0 if constant else math.sqrt(squares / (n - 1)) if n > 1 else math.nan


# ---- Whether a binormal curve can be fitted to the data at all --------------------------------------------
# The likelihood has its maximum at a curve with finite a and a slope between 0 and infinity unless a limiting
# curve passes through all ROC points. There are four:
# - the perfect curve along the left and the upper side of the ROC square (a goes to infinity, area 1), and
#   the perverse one along the lower and the right side (area 0). Separated classes lie there, and also
#   classes that share one category alone: only negatives below it, only positives above it (or the other way
#   round);
# - the horizontal line of slope 0 (TPR constant for 0 < FPR < 1), and the vertical one of infinite slope.
# The likelihood comes up to that of the observed shares along such a limit, which no curve exceeds. For all
# other data it goes to 0 there. One point of the ROC square alone lies on many binormal curves or limits.


class Undefined(NamedTuple):
    """Why there is no fit."""

    status: str
    reason: str


def why_undefined(categories: latent.Categories) -> Undefined | None:
    """Status and reason if the data determine no binormal curve, else None.

    Examples
    --------
    >>> from rocscope.core.table import ScoreTable
    >>> from rocscope.binormal.latent import truth_runs
    >>> why_undefined(truth_runs(ScoreTable.from_counts([1, 2, 3], pos=[0, 1, 1], neg=[2, 0, 0]))).status
    'perfect'
    """
    neg, pos = (np.flatnonzero(counts) for counts in (categories.neg, categories.pos))
    if len(categories) == 1:
        return Undefined("undetermined", "all scores are equal, so the ROC curve has no point inside")
    if neg[-1] < pos[0]:
        return Undefined("perfect", "all positives have higher scores than all negatives")
    if pos[-1] < neg[0]:
        return Undefined("perverse", "all positives have lower scores than all negatives")
    if len(categories) == 2:
        why = "the ROC curve has one point between its ends, and many curves pass through it"
        return Undefined("undetermined", why)
    side = curve_along_sides(categories)
    if side is not None:
        return Undefined("degenerate", f"the {side} curve passes through all ROC points")
    fpr, tpr = categories.rates()
    for line, inside, slope in (("TPR", tpr[_open(fpr)], "0"), ("FPR", fpr[_open(tpr)], "infinity")):
        if len(inside) == 0 or inside.min() == inside.max():
            why = f"a curve of slope {slope} (constant {line}) fits the ROC points exactly"
            return Undefined("degenerate", why)
    return None


def why_no_concave_curve(categories: latent.Categories) -> Undefined | None:
    """As `why_undefined`; but where both classes spread, a concave curve may fit where no straight one does.

    None of them runs along a line of slope 0 or infinity, except the perfect one.
    """
    undefined = why_undefined(categories)
    if undefined is None or undefined.status != "degenerate" or curve_along_sides(categories) == "perfect":
        return undefined
    spread = min(np.count_nonzero(counts) for counts in (categories.neg, categories.pos)) > 1
    return None if spread else undefined


def curve_along_sides(categories: latent.Categories) -> str | None:
    """Name the curve, "perfect" or "perverse", that passes through all ROC points, if one does."""
    fpr, tpr = categories.rates()
    if ((fpr == 0) | (tpr == 1)).all():
        return "perfect"
    return "perverse" if ((fpr == 1) | (tpr == 0)).all() else None


def _open(rates: Floats) -> NDArray[np.bool_]:
    return np.asarray((rates > 0) & (rates < 1))


def name_zero_variance(fit: Curve, table: ScoreTable) -> Curve:
    """Put the class whose scores are all equal, if there is one, into the reason of a degenerate fit."""
    if fit.status != "degenerate":
        return fit
    return replace(fit, reason="; ".join(filter(None, (zero_variance(table), fit.reason))))


def zero_variance(table: ScoreTable) -> str:
    """Name a class whose scores are all equal, for the reason of a fit that failed for it."""
    constant = [
        f"the {name} have zero variance: all have the score {checks.show(table.scores[counts > 0][0])}"
        for name, counts in (("negatives", table.neg), ("positives", table.pos))
        if np.count_nonzero(counts) == 1
    ]
    return "; ".join(constant)


# ---- Pearson's test of the binormal model -----------------------------------------------------------------
# Neighbouring scores are pooled by their rank in both classes together, until the fitted curve lets each
# class expect enough cases in every pool; the curve is then fitted to the pools. Pools that end where the
# class changes, or the curve of the single scores, would make the test reject too often: 7 to 17 percent of
# curves that are binormal, at a level of 5 (docs/binormal_fit.md).

# Many cases would make very many pools, each of which sees little: so many at most, from so many pieces.
MAX_POOLS, PIECES = 100, 2000


def pearson_test(
    fit: curve.Binormal, categories: latent.Categories, *, min_expected: float = MIN_EXPECTED
) -> TestResult:
    """Pearson's chi-square over both classes and all pools.

    Parameters
    ----------
    fit
        The curve by which pools are made.
    categories
        Counts at every distinct score.
    min_expected
        Cases that each class must expect in a pool; 0 pools nothing.

    Returns
    -------
    TestResult
        With K' pools there are 2 (K' - 1) free counts, of which K' - 1 cut-points and two parameters of the
        curve are fitted: K' - 3 degrees of freedom. Undefined where fewer than one is left.
    """
    pools = pooled(categories, *fit.parameters(), min_expected) if min_expected > 0 else categories
    df = len(pools) - 3
    statistic, reason = None, None
    if df < 1:
        reason = f"{len(pools)} pooled categories leave no degree of freedom"
    else:
        again = fit_categories(pools)
        if again.cutpoints is None:
            reason = f"the pooled categories are {again.status}: {again.reason}"
        else:
            observed = np.stack([pools.neg, pools.pos])
            expected = expected_counts(pools, again.cutpoints, *again.parameters())
            statistic = float(((observed - expected) ** 2 / expected).sum())
    return TestResult(
        name="goodness of fit",
        method="pearson",
        statistic=statistic,
        df=None if statistic is None else float(df),
        p_value=None if statistic is None else float(special.chdtrc(df, statistic)),
        alternative="greater",
        status="ok" if reason is None else "undefined",
        reason=reason,
    )


def expected_counts(categories: latent.Categories, cutpoints: Floats, a: float, b: float) -> Floats:
    """Fitted cases of both classes in every category."""
    below = np.stack([special.ndtr(cutpoints), special.ndtr(b * cutpoints - a)])
    sizes = np.array([[categories.n_neg], [categories.n_pos]])
    return np.asarray(sizes * np.diff(below, prepend=0.0, append=1.0))


def pooled(categories: latent.Categories, a: float, b: float, min_expected: float) -> latent.Categories:
    """Neighbours joined until each class expects enough cases in every pool."""
    if len(categories) > PIECES:
        pieces = np.linspace(0, len(categories), PIECES, endpoint=False, dtype=np.int64)
        categories = joined(categories, pieces)
    if len(categories) == 1:
        return categories
    cutpoints = maximum.binormal_cutpoints(categories, a, b)
    least = [max(min_expected, n / MAX_POOLS) for n in (categories.n_neg, categories.n_pos)]
    return joined(categories, pool_starts(expected_counts(categories, cutpoints, a, b), least))


def joined(categories: latent.Categories, starts: NDArray[np.int64]) -> latent.Categories:
    """The counts of each start and of all categories up to the next one, added up."""
    return latent.Categories(
        neg=np.add.reduceat(categories.neg, starts),
        pos=np.add.reduceat(categories.pos, starts),
        boundaries=categories.boundaries[starts[1:] - 1],
    )


def pool_starts(expected: Floats, least: Sequence[float]) -> NDArray[np.int64]:
    """First category of each pool that expects at least so many cases of either class, from the left.

    What is left at the end joins the last pool.

    Examples
    --------
    >>> pool_starts(np.array([[3.0, 3.0, 4.0, 4.0, 1.0], [6.0, 6.0, 6.0, 1.0, 1.0]]), [5, 5]).tolist()
    [0, 2]
    """
    below = np.concatenate([np.zeros((len(expected), 1)), np.cumsum(expected, axis=1)], axis=1)
    starts = [0]
    while True:
        end = max(
            int(np.searchsorted(row, row[starts[-1]] + enough))
            for row, enough in zip(below, least, strict=True)
        )
        if end >= expected.shape[1]:
            break
        starts.append(end)
    if end > expected.shape[1] and len(starts) > 1:
        starts.pop()
    return np.array(starts)
