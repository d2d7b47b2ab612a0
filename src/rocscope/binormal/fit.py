"""Fit a binormal curve to scores or ratings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, overload

from rocscope.binormal.categories import Categories, ratings, truth_runs
from rocscope.binormal.curve import Binormal, described
from rocscope.binormal.existence import Undefined, why_undefined, zero_variance
from rocscope.binormal.goodness import MIN_EXPECTED, pearson_test
from rocscope.binormal.information import Arrow, expected_information
from rocscope.binormal.least_squares import fit_by_least_squares
from rocscope.binormal.moments import fit_by_moments
from rocscope.binormal.newton import MAX_STEPS, Point, climb, point_at
from rocscope.binormal.start import cutpoints_for, starts
from rocscope.core import checks
from rocscope.core.scores import BinaryScores
from rocscope.core.table import ScoreTable
from rocscope.errors import RocInputError

if TYPE_CHECKING:
    from rocscope.binormal.proper_curve import ProperBinormal

METHODS = ("ml", "least-squares", "moments")
INFORMATION = ("expected", "observed")


@overload
def fit_binormal(
    y_true: Any,
    y_score: Any = None,
    *,
    proper: Literal[False] = False,
    method: str = "ml",
    information: str = "expected",
    min_expected: float = MIN_EXPECTED,
    pos_label: Any = None,
) -> Binormal: ...


@overload
def fit_binormal(
    y_true: Any, y_score: Any = None, *, proper: Literal[True], pos_label: Any = None
) -> ProperBinormal: ...


def fit_binormal(
    y_true: Any,
    y_score: Any = None,
    *,
    proper: bool = False,
    method: str = "ml",
    information: str = "expected",
    min_expected: float = MIN_EXPECTED,
    pos_label: Any = None,
) -> Binormal | ProperBinormal:
    """Fit a binormal ROC curve, TPR = Phi(a + b Phi^-1(FPR)).

    Parameters
    ----------
    y_true
        Labels of two classes. {0, 1}, {-1, 1} and booleans need no `pos_label`. A `BinaryScores` or a
        `ScoreTable` may stand here alone; whole weights count cases, fractional ones are refused.
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
    pos_label
        The label of the positive class.

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
    checks.check_choice(method, METHODS, name="method")
    checks.check_choice(information, INFORMATION, name="information")
    least = checks.check_number(min_expected, name="min_expected", low=0, closed=True)
    if checks.check_flag(proper, name="proper"):
        return _fit_proper(y_true, y_score, method, information, pos_label)
    table = read_table(y_true, y_score, pos_label)
    categories = truth_runs(table)
    if method == "moments":
        return fit_by_moments(table, categories)
    fit = (
        fit_by_least_squares(table)
        if method == "least-squares"
        else fit_categories(categories, information=information)
    )
    if fit.status == "degenerate":
        return replace(fit, reason="; ".join(filter(None, (zero_variance(table), fit.reason))))
    if fit.log_likelihood is None:
        return fit
    return replace(fit, goodness=pearson_test(fit, ratings(table), fit_categories, min_expected=least))


def read_table(y_true: Any, y_score: Any, pos_label: Any) -> ScoreTable:
    """Check labels and scores, and count them."""
    if isinstance(y_true, ScoreTable):
        if y_score is not None or pos_label is not None:
            raise RocInputError(
                "nothing but y_true must be given where it is a ScoreTable, which holds the rest"
            )
        return y_true
    return BinaryScores.from_arrays(y_true, y_score, pos_label=pos_label).single().table()


def fit_categories(categories: Categories, *, information: str = "expected") -> Binormal:
    """Maximum-likelihood fit to counts in categories."""
    undefined = why_undefined(categories)
    if undefined is not None:
        return _without_curve(categories, undefined)
    point = maximum(categories)
    if point is None:
        reason = f"{MAX_STEPS} Newton steps from three starts did not reach a maximum of the likelihood"
        return _without_curve(categories, Undefined("not-converged", reason))
    cov = information_at(point, categories, information).covariance()
    about = described(categories, "ml", point.a, point.b)
    if cov is None:
        about["warnings"] += ("the information matrix is singular, so there are no standard errors",)
    return Binormal(
        a=point.a,
        b=point.b,
        cov=cov,
        log_likelihood=point.at.log_likelihood,
        cutpoints=point.cutpoints,
        **about,
    )


def maximum(categories: Categories) -> Point | None:
    """The maximum of the likelihood, from the first start that leads to one."""
    neg, pos = categories.neg, categories.pos
    for a, b in starts(categories):
        start = point_at(a, b, cutpoints_for(a, b, neg, pos), neg, pos)
        if start is None:
            continue
        point, converged = climb(start, neg, pos)
        if converged:
            return point
    return None


def information_at(point: Point, categories: Categories, information: str) -> Arrow:
    """Expected or observed information at the maximum."""
    if information == "observed":
        return point.at.arrow
    return expected_information(point.cutpoints, point.a, point.b, categories.n_neg, categories.n_pos)


def _without_curve(categories: Categories, why: Undefined) -> Binormal:
    return Binormal(status=why.status, reason=why.reason, **described(categories, "ml"))


def _fit_proper(y_true: Any, y_score: Any, method: str, information: str, pos_label: Any) -> ProperBinormal:
    from rocscope.binormal.proper import fit_proper_binormal

    if method != "ml" or information != "expected":
        raise RocInputError("method and information must be left as they are where proper is True")
    return fit_proper_binormal(y_true, y_score, pos_label=pos_label)
