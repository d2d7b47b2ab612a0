"""Tests between operating points of one averaged ROC."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.averaging.points import REPEATED, fold_list
from rocscope.core import checks, t_tests
from rocscope.core.result import Result, json_thresholds
from rocscope.errors import RocInputError, UndefinedError

if TYPE_CHECKING:
    from rocscope.averaging.roc import AveragedRoc

Floats = NDArray[np.float64]
Method: TypeAlias = Literal["paired-t", "paclik", "corrected"]
METHODS: tuple[Method, ...] = ("paired-t", "paclik", "corrected")
Decision: TypeAlias = Literal["each", "joint"]
DECISIONS: tuple[Decision, ...] = ("each", "joint")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PointComparison(Result):
    """Every operating point compared with one of them.

    Attributes
    ----------
    index
        The point of interest.
    measures
        Names of the compared measures.
    difference, low, high
        Mean over folds of the measure at the point minus that at the point of interest, [point, measure],
        and its confidence interval.
    statistic, p_value, df
        The t test of that difference. Differences that are all zero have p-value 1.
    defined
        Where the test is defined; elsewhere some fold has no value, and the numbers are NaN.
    indistinguishable
        Points that differ from the point of interest in no measure: p_value > 1 - level for each; decided by
        the joint test, joint_p > 1 - level.
    joint_statistic, joint_p, joint_df
        Hotelling's T^2 of all measures together, its p-value, and the degrees of freedom of F.
    joint_defined
        Where the joint test was requested and the covariance of the differences is not singular; elsewhere
        its numbers are NaN.
    method, level
        How eq. 3 of the paper was judged, and the confidence level.
    by
        Which test decides: that of "each" measure, or the "joint" one.
    roc
        The averaged ROC.
    """

    view: ClassVar[str] = "average.average_picture"
    topic: ClassVar[str] = "folds"

    index: int
    measures: tuple[str, ...]
    difference: Floats
    low: Floats
    high: Floats
    statistic: Floats
    p_value: Floats
    defined: NDArray[np.bool_]
    df: float
    indistinguishable: NDArray[np.bool_]
    joint_statistic: Floats
    joint_p: Floats
    joint_defined: NDArray[np.bool_]
    joint_df: tuple[float, float]
    method: str
    level: float
    by: str = "each"
    roc: AveragedRoc = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON, with those of the averaged ROC."""
        return Result.to_dict(self) | {"roc": self.roc.to_dict()}

    def __len__(self) -> int:
        return len(self.indistinguishable)

    def _summary(self) -> str:
        others = int(np.count_nonzero(self.indistinguishable)) - 1
        where, are = self.roc.point_name(self.index), "is" if others == 1 else "are"
        summary = (
            f"{others} of {len(self) - 1} other points {are} indistinguishable from {where} by "
            f"{self.criterion}\nat {self.level * 100:g}% ({self.method}, {self.df:g} df)"
        )
        untested = int(np.count_nonzero(~self.defined.all(axis=1)))
        if untested:
            some = "1 point has" if untested == 1 else f"{untested} points have"
            summary += f"\nnote: {some} no value in some fold: not tested"
        return summary

    def _notes(self) -> list[str]:
        return [*Result._notes(self), *repeated_notes(self.method, self.roc)]

    @property
    def criterion(self) -> str:
        """The measures that decide, as text."""
        together = " together" if self.by == "joint" and len(self.measures) > 1 else ""
        return " and ".join(self.measures) + together

    def columns(self) -> dict[str, Any]:
        """One row per point: what it is, and difference, interval and p-value of every measure."""
        table = {"index": np.arange(len(self))} | self.roc.point_columns()
        for k, name in enumerate(self.measures):
            for column in ("difference", "low", "high", "statistic", "p_value"):
                table[f"{name} {column}"] = getattr(self, column)[:, k]
        return table | {"joint_p": self.joint_p, "indistinguishable": self.indistinguishable}


def repeated_notes(method: str, *rocs: AveragedRoc) -> list[str]:
    """What a test that takes repeated folds for independent ones should say."""
    return [REPEATED] if method != "corrected" and any(REPEATED in roc.warnings for roc in rocs) else []


def compare_points(
    roc: AveragedRoc,
    index: int,
    *,
    measures: Any = None,
    method: Method = "paired-t",
    level: float = 0.95,
    joint: bool = False,
    by: Decision = "each",
    test_over_train: float | None = None,
) -> PointComparison:
    """Compare every point with one of them: which are indistinguishable from it?

    Parameters
    ----------
    roc
        The averaged ROC; `AveragedRoc.compare_to` is this function.
    index
        The point of interest, as `select` returns it.
    measures
        Names of the measures to compare, those of the average by default; others are evaluated. A point is
        indistinguishable if it is so by each (AND).
    method
        How eq. 3 of [1]_, the t statistic of the folds' differences, is judged:

        - "paired-t": with k - 1 degrees of freedom for k folds;
        - "paclik": with 2k - 2, as printed in [1]_, which are those of independent samples: it finds
          more differences than there are;
        - "corrected": variance raised for the overlap of the training sets (Nadeau and Bengio 2003).
    level
        Confidence level of test and intervals.
    joint
        Whether to test all measures at once as well, by Hotelling's T^2.
    by
        Which test says whether a point is indistinguishable: that of "each" measure, or the "joint" one.
        Where that is undefined, as for measures of which one does not differ at all, it is each.
    test_over_train
        For "corrected": test cases over training cases of a fold. By default that of the data, which is
        1 / (k - 1) for arrays with k folds: give it for repeated folds or bootstrap replicates, unless
        `average_roc` was given the result of `cross_scores`, which knows its training rows.

    Returns
    -------
    PointComparison

    Raises
    ------
    UndefinedError
        If a measure has no value in some fold at any point (the fold lacks a class), or at this one.

    Notes
    -----
    Between two thresholds the rates of all folds differ in one direction, so the hypothesis of no
    difference is true only if no case falls between them: look at the difference and its interval, not
    only at the p-value. Points are indistinguishable for want of cases, not because they are equal.

    References
    ----------
    .. [1] Paclik, Lai, Novovicova, Duin, ICPR 2008.

    Examples
    --------
    >>> from rocscope.averaging.roc import average_roc
    >>> y, fold = [0, 1] * 6, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
    >>> score = [0.1, 0.9, 0.4, 0.6, 0.2, 0.3, 0.5, 0.8, 0.0, 0.7, 0.35, 0.45]
    >>> roc = average_roc(y, score, fold=fold, points=[0.7, 0.5, 0.4, 0.2])
    >>> print(roc.compare_to(1))
    2 of 3 other points are indistinguishable from point 1 (threshold 0.5) by tpr and fpr
    at 95% (paired-t, 2 df)
    """
    index = roc.check_index(index)
    checks.check_choice(by, DECISIONS, name="by")
    names = roc.measures if measures is None else read_names(measures)
    values = np.stack([roc.fold_values(name) for name in names], axis=1)
    differences = fold_differences(values, index, names, roc.folds)
    test, ratio = paired_test(
        differences, roc.test_over_train, method=method, level=level, test_over_train=test_over_train
    )
    n_folds, m = len(roc.folds), len(names)
    if joint or by == "joint":
        together = hotelling(differences, factor=1 / n_folds + ratio, df=test.df)
    else:
        nothing = np.full(len(roc), np.nan)
        together = JointTest(
            statistic=nothing,
            p_value=nothing,
            defined=np.zeros(len(roc), bool),
            df=(float(m), test.df - m + 1.0),
        )
    indistinguishable = (test.p_value > 1 - level).all(axis=1)
    if by == "joint":
        indistinguishable = np.where(together.defined, together.p_value > 1 - level, indistinguishable)
    return PointComparison(
        index=index,
        measures=names,
        difference=test.mean,
        low=test.low,
        high=test.high,
        statistic=test.statistic,
        p_value=test.p_value,
        defined=test.defined,
        df=test.df,
        indistinguishable=np.asarray(indistinguishable),
        joint_statistic=together.statistic,
        joint_p=together.p_value,
        joint_defined=together.defined,
        joint_df=together.df,
        method=method,
        level=level,
        by=by,
        roc=roc,
    )


def read_names(measures: Any) -> tuple[str, ...]:
    """Check the names of measures, one or several."""
    names: tuple[str, ...] = checks.check_names(
        [measures] if isinstance(measures, str) else measures, name="measures", at_least=0
    )
    if not names:
        raise RocInputError("must hold at least one name, got none", argument="measures")
    return names


def paired_test(
    differences: Floats, ratio: float, *, method: Method, level: float, test_over_train: float | None
) -> tuple[t_tests.PairedTest, float]:
    """Test the folds' differences, the last axis; `ratio` is the data's own test / train of "corrected".

    Returns the test, and what Nadeau and Bengio add to 1 / folds: 0 for the other methods.
    """
    checks.check_choice(method, METHODS, name="method")
    level = checks.check_level(level)
    if method == "corrected":
        if test_over_train is not None:
            ratio = checks.check_number(test_over_train, name="test_over_train", low=0)
        return t_tests.paired_t(differences, test_over_train=ratio, level=level), ratio
    if test_over_train is not None:
        raise RocInputError(
            f"must go with method 'corrected', got it with {method!r}", argument="test_over_train"
        )
    # [1] eq. (3): with the folds' correlation it is the paired t; its 2n - 2 df are kept under its name.
    df = 2 * differences.shape[-1] - 2 if method == "paclik" else None
    return t_tests.paired_t(differences, level=level, df=df), 0.0


def fold_differences(values: Floats, index: int, names: tuple[str, ...], folds: tuple[Any, ...]) -> Floats:
    """Each point's value minus that of the point of interest, [point, measure, fold]."""
    at = values[index]
    for m, name in enumerate(names):
        for missing, where in (
            (np.asarray(np.isnan(values[:, m]).all(axis=0)), "at any point"),
            (np.asarray(np.isnan(at[m])), "at this point"),
        ):
            if missing.any():
                raise UndefinedError(
                    f"the test needs {name} in every fold, and there is none {where} in fold "
                    f"{fold_list(folds, missing)}: it lacks a class, or decisions of a kind"
                )
    return differences_of(values, at)


def differences_of(first: Floats, second: Floats) -> Floats:
    """Differences of folds, the last axis; those that are equal but for rounding become equal.

    Otherwise they would have a tiny variance and a huge t.
    """
    with np.errstate(invalid="ignore"):  # infinite ratios differ by nothing that is known
        differences = np.asarray(first - second)
        reach = 16 * np.finfo(float).eps * np.maximum(np.abs(first), np.abs(second)).max(axis=-1)
        same = np.ptp(differences, axis=-1) <= reach
    return np.where(same[..., np.newaxis], differences[..., :1], differences)


# ---- One test of several measures at once: Hotelling's T^2 of paired differences --------------------------

# Measures whose correlation matrix has a smaller eigenvalue say the same twice, up to rounding.
SINGULAR = 1e-10


@dataclass(frozen=True, slots=True, kw_only=True)
class JointTest:
    """T^2 and p-value of every point; NaN and not `defined` where the measures' covariance is singular."""

    statistic: Floats
    p_value: Floats
    defined: NDArray[np.bool_]
    df: tuple[float, float]


def hotelling(differences: Floats, *, factor: float, df: float) -> JointTest:
    """Test whether the mean differences of all measures are zero.

    Parameters
    ----------
    differences : array of shape (points, measures, folds)
        Finite, or not a number in a row that has no test.
    factor
        Variance of a mean over that of a fold: 1 / folds, or more where training sets overlap.
    df
        Degrees of freedom of the covariance. T^2 (df - m + 1) / (m df) has the F distribution with m and
        df - m + 1 degrees for m measures, so that one measure gives the two-sided t test.

    Returns
    -------
    JointTest
        Points whose differences are all zero have statistic 0 and p-value 1.

    Examples
    --------
    >>> d = np.array([[[1.0, 2.0, 3.0]], [[0.0, 0.0, 0.0]]])
    >>> hotelling(d, factor=1 / 3, df=2).p_value.round(4).tolist()
    [0.0742, 1.0]
    """
    n_points, m, n_folds = differences.shape
    statistic, rest = np.full(n_points, np.nan), df - m + 1
    identical = (differences == 0).all(axis=(1, 2))
    statistic[identical] = 0.0
    usable = np.asarray(np.isfinite(differences).all(axis=(1, 2)))
    # A row of equal differences has only rounding for its deviation.
    usable[usable] = (np.ptp(differences[usable], axis=-1) > 0).all(axis=-1)
    if rest > 0 and usable.any():
        # Squared distance of the mean from 0 in units of the covariance, by way of the correlations.
        mean = differences[usable].mean(axis=-1)
        centred = differences[usable] - mean[..., np.newaxis]
        covariance = centred @ centred.transpose(0, 2, 1) / (n_folds - 1)
        sd = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
        roots, axes = np.linalg.eigh(covariance / (sd[:, :, np.newaxis] * sd[:, np.newaxis, :]))
        along = np.einsum("pij,pi->pj", axes, mean / sd)
        distance = (along**2 / np.maximum(roots, SINGULAR)).sum(axis=-1)
        statistic[usable] = np.where(roots[:, 0] > SINGULAR, distance, np.nan) / factor
    f_value = statistic * max(rest, 1.0) / (m * df)
    p_value = np.where(identical, 1.0, special.fdtrc(m, max(rest, 1.0), f_value))
    return JointTest(
        statistic=statistic, p_value=p_value, defined=~np.isnan(statistic), df=(float(m), float(rest))
    )


# ---- The operating points that are indistinguishable from a selected one ----------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IndifferenceRegion(Result):
    """A selected operating point and those that are indistinguishable from it on these cases.

    Attributes
    ----------
    index
        The selected point.
    indices
        All indistinguishable points, the selected one among them.
    run
        Those next to the selected one along the curve, without a gap, by descending threshold; None where the
        points are not thresholds and have no order.
    thresholds
        Thresholds of `run`; None likewise.
    measures, mean
        Names of the averaged measures, and their means at `indices`, [point, measure]; NaN where no fold has
        a value.
    method, level
        Of the test.
    comparison
        The comparison behind it.
    """

    view: ClassVar[str] = "average.average_picture"
    topic: ClassVar[str] = "folds"

    index: int
    indices: NDArray[np.int64]
    run: NDArray[np.int64] | None
    thresholds: NDArray[Any] | None
    measures: tuple[str, ...]
    mean: NDArray[np.float64]
    method: str
    level: float
    comparison: PointComparison = field(repr=False)

    def __len__(self) -> int:
        return len(self.indices)

    def _summary(self) -> str:
        are = "is" if len(self) == 1 else "are"
        summary = (
            f"{len(self)} of {len(self.comparison)} points {are} indistinguishable from point {self.index} "
            f"at {self.level * 100:g}% ({self.method})"
        )
        if self.run is None or self.thresholds is None or len(self.run) < 2:
            return summary
        ends = f"{self.thresholds.min():.4g} to {self.thresholds.max():.4g}"
        return f"{summary}; those without a gap have thresholds {ends}"

    def columns(self) -> dict[str, Any]:
        """One row per indistinguishable point, with its mean measures."""
        points = self.comparison.roc.point_columns()
        table = {"index": self.indices} | {
            name: np.asarray(column)[self.indices] for name, column in points.items()
        }
        if self.run is not None:
            table["in_run"] = np.isin(self.indices, self.run)
        return table | {name: self.mean[:, k] for k, name in enumerate(self.measures)}

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON: infinite thresholds are text."""
        thresholds = None if self.thresholds is None else json_thresholds(self.thresholds)
        return Result.to_dict(self) | {"thresholds": thresholds, "comparison": self.comparison.to_dict()}


def region_of(comparison: PointComparison) -> IndifferenceRegion:
    """Collect the indistinguishable points of a comparison."""
    roc, thresholds, run = comparison.roc, comparison.roc.thresholds, None
    indices = np.flatnonzero(comparison.indistinguishable)
    if thresholds is not None:
        # From the point to both sides, in the order of the thresholds, until a point differs.
        order = np.argsort(thresholds, kind="stable")[::-1]
        place = int(np.flatnonzero(order == comparison.index)[0])
        gaps = np.flatnonzero(~comparison.indistinguishable[order])
        first = int(gaps[gaps < place].max()) + 1 if (gaps < place).any() else 0
        stop = int(gaps[gaps > place].min()) if (gaps > place).any() else len(order)
        run = np.asarray(order[first:stop])
        thresholds = thresholds[run]
    return IndifferenceRegion(
        index=comparison.index,
        indices=indices,
        run=run,
        thresholds=thresholds,
        measures=roc.measures,
        mean=roc.mean[indices],
        method=comparison.method,
        level=comparison.level,
        comparison=comparison,
    )
