"""The distribution of the fold values, and the intervals that one training alone would give.

References
----------
.. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under the
   ROC curve", 2009, sections III and V, figures 6 and 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocscope.algorithms.comparison import AlgorithmComparison, Verdict
from rocscope.algorithms.fold_tests import Floats
from rocscope.algorithms.records import FoldRecord, averaged_placements, variance_of_mean
from rocscope.core import checks
from rocscope.core.curve import RocCurve, roc_curve
from rocscope.core.result import Estimate, Result, TestResult
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError
from rocscope.inference.auc import auc
from rocscope.inference.proportions import IntervalKind
from rocscope.inference.variance import cortes_mohri_interval

Measure: TypeAlias = Literal["auc", "error"]
MEASURES: tuple[Measure, ...] = ("auc", "error")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoldDistribution(Result):
    """Values of one algorithm over the folds, the normal fitted to them, and what one training says.

    Attributes
    ----------
    values
        Value of every fold; NaN where undefined, and left out of all else here.
    mean, sd
        Of the fitted normal; None with fewer than two values.
    normality
        Shapiro and Wilk's test.
    fold_correlation
        Correlation of the values of two folds, as an `Estimate` without interval. On a common test set it
        is DeLong's covariance of two fold models over their variance; over repeats, the intraclass
        correlation of values of one pass. One pass of left-out folds does not show it.
    single
        AUC of one training without cross-validation, with the intervals of Hanley and McNeil, Cortes and
        Mohri (from its errors alone), and Agarwal; none where that training failed.
    single_error
        Its share of wrong decisions; `training_estimates` adds the interval.
    edges, counts
        Histogram of the values, in NumPy's automatic bins.
    """

    view: ClassVar[str] = "algorithms.fold_distribution_picture"

    dataset: str
    algorithm: str
    measure: str
    values: Floats
    mean: float | None
    sd: float | None
    normality: TestResult
    fold_correlation: Estimate
    single: tuple[Estimate, ...]
    single_error: float | None
    n_test: int
    edges: Floats
    counts: NDArray[np.int64]

    def normal_density(self, x: ArrayLike) -> Floats:
        """Height of the fitted normal, scaled to the histogram; zero where there is none.

        Parameters
        ----------
        x : array-like
            Values of the measure.

        Returns
        -------
        array
        """
        at = checks.as_array(x, name="x")
        if at.dtype.kind not in "iuf" or np.isnan(at).any():
            raise RocInputError(f"must hold numbers, got {checks.show(x)}", argument="x")
        at = at.astype(np.float64)
        if self.mean is None or not self.sd:
            return np.zeros_like(at)
        area = float(self.counts.sum() * (self.edges[1] - self.edges[0]))
        height = np.exp(-np.square((at - self.mean) / self.sd) / 2)
        return np.asarray(area * height / (self.sd * np.sqrt(2 * np.pi)))

    def training_estimates(self) -> tuple[Estimate, ...]:
        """Return the measure of one training with its intervals: `single`, or Wilson's of the error."""
        if self.measure == "auc":
            return self.single
        if self.single_error is None:
            return ()
        kind, wrong = IntervalKind(level=self.fold_correlation.level), round(self.single_error * self.n_test)
        return (kind.proportion("error", wrong, self.n_test),)

    def columns(self) -> dict[str, Any]:
        """Return one line per fold."""
        return {"fold": list(range(len(self.values))), self.measure: self.values.tolist()}

    def _summary(self) -> str:
        head = f"{self.algorithm} on {self.dataset}: {self.measure}"
        if self.mean is None or self.sd is None:
            return f"{head} undefined in all folds but one at most"
        lines = [f"{head} {self.mean:.4f}, sd {self.sd:.4f} over {len(self.values)} folds"]
        rest = (self.normality, self.fold_correlation, *self.training_estimates())
        return "\n".join([*lines, *map(str, rest)])


@checks.known_arguments
def fold_distribution(
    comparison: AlgorithmComparison, dataset: str, algorithm: str, *, measure: Measure = "auc"
) -> FoldDistribution:
    """Describe the fold values of one algorithm on one data set [1]_.

    Parameters
    ----------
    comparison : AlgorithmComparison
        From `compare_algorithms`.
    dataset, algorithm : str
        Which one.
    measure : {"auc", "error"}
        Which values.

    Returns
    -------
    FoldDistribution

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from rocscope.algorithms.comparison import compare_algorithms
    >>> learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier()}
    >>> data = {"cancer": load_breast_cancer(return_X_y=True)}
    >>> folds = fold_distribution(compare_algorithms(learners, data, folds=10), "cancer", "nb")
    >>> round(folds.mean, 3), [estimate.method for estimate in folds.single]
    (0.987, ['hanley-mcneil', 'cortes-mohri', 'agarwal'])
    """
    checks.check_choice(measure, MEASURES, name="measure")
    checks.check_instance(comparison, AlgorithmComparison, name="comparison")
    d, a = comparison.place(dataset, algorithm)
    values = getattr(comparison, measure)[d, a]
    known = values[np.isfinite(values)]
    once = comparison.singles[d][a]
    enough = len(known) >= 2
    counts, edges = np.histogram(known, bins="auto" if len(known) else 1)
    return FoldDistribution(
        dataset=dataset,
        algorithm=algorithm,
        measure=measure,
        values=values,
        mean=float(known.mean()) if enough else None,
        sd=float(known.std(ddof=1)) if enough else None,
        normality=_normality(known),
        fold_correlation=_fold_correlation(comparison, values, comparison.records[d][a], measure),
        single=_single_intervals(once, comparison.level),
        single_error=once.error,
        n_test=len(once.positive),
        edges=edges,
        counts=counts.astype(np.int64),
    )


def _normality(values: Floats) -> TestResult:
    reason = statistic = p = None
    if len(values) < 3:
        reason = f"the test needs 3 values, got {len(values)}"
    elif np.ptp(values) == 0:
        reason = CONSTANT
    else:
        from scipy.stats import shapiro

        statistic, p = map(float, shapiro(values))
    return TestResult(
        name="values are normal",
        method="shapiro-wilk",
        statistic=statistic,
        df=None,
        p_value=p,
        status="ok" if reason is None else "undefined",
        reason=reason,
    )


def _single_intervals(record: FoldRecord, level: float) -> tuple[Estimate, ...]:
    """AUC of one training with three intervals; that of Cortes and Mohri from the errors of `predict`."""
    if record.auc is None:
        return ()
    data = BinaryScores.from_arrays(record.positive, record.score)
    wrong = int((record.called != record.positive).sum())
    low, high = cortes_mohri_interval(wrong, data.n_pos, data.n_neg, level)
    by_errors = Estimate(
        name="AUC",
        value=record.auc,
        se=None,
        low=low,
        high=high,
        level=level,
        method="cortes-mohri",
        warnings=(f"from {wrong} errors alone; the value is the empirical area",),
    )
    by_area = [
        auc(record.positive, record.score, method=method, level=level)
        for method in ("hanley-mcneil", "agarwal")
    ]
    return by_area[0], by_errors, by_area[1]


# ---- How much the values of two folds have in common ------------------------------------------------------
# Folds share training cases, and on a common test set the test cases as well; the tests over folds that take
# them as independent go wrong by this.

CONSTANT = "the values are all equal"


def _fold_correlation(
    comparison: AlgorithmComparison, values: Floats, records: tuple[FoldRecord, ...], measure: str
) -> Estimate:
    """Estimate the correlation of the values of two folds, where the protocol allows it."""
    value, method, n_folds = None, "none", comparison.folds
    if not np.isfinite(values).all():
        reason = "a fold is undefined"
    elif comparison.common_test:
        # Mean correlation of the fold models from the variance of their mean and of one.
        method, reason, n_models = "common test set", "the test cases show no variance", len(records)
        if measure == "auc":
            single = float(np.mean([_delong_variance([record]) for record in records]))
            average = _delong_variance(records)
        else:
            wrong = np.array([record.called != record.positive for record in records], dtype=np.float64)
            single = float(wrong.var(axis=1, ddof=1).mean())
            average = float(wrong.mean(axis=0).var(ddof=1))
        if single > 0:  # not for NaN either
            value = (n_models * average / single - 1) / (n_models - 1)
    elif comparison.repeats > 1:
        # One-way intraclass correlation of the values of one pass.
        method, reason = "intraclass", CONSTANT
        passes = values.reshape(comparison.repeats, n_folds)
        between = n_folds * float(passes.mean(axis=1).var(ddof=1))
        within = float(passes.var(axis=1, ddof=1).mean())
        total = between + (n_folds - 1) * within
        if total > 0:
            value = (between - within) / total
    elif comparison.protocol == "cv":
        reason = "it shows over repeats of left-out folds and on a common test set, and these are neither"
    else:
        reason = "one pass of left-out folds does not show it: repeat, or use a common test set"
    return Estimate(
        name="fold correlation",
        value=value,
        se=None,
        low=None,
        high=None,
        level=comparison.level,
        method=method,
        status="undefined" if value is None else "partial",
        reason=reason if value is None else "no interval is known",
    )


def _delong_variance(records: Sequence[FoldRecord]) -> float:
    """DeLong's variance of the area averaged over fold models."""
    pos, neg = averaged_placements(records)
    return variance_of_mean(pos) + variance_of_mean(neg)


# ---- Two algorithms on one data set, fold by fold: what figures 2 to 5 of the paper show ------------------
# References
# ----------
# .. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under the
#    ROC curve", 2009, figures 2 to 5.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AlgorithmPair(Result):
    """Error and AUC distributions of two algorithms, their fold curves, and where they decide.

    Attributes
    ----------
    error, auc
        `FoldDistribution` of the first and of the second algorithm.
    curves
        The ROC curve of every fold, for each algorithm; folds without one are left out.
    decisions
        Rates (fpr, tpr) of the algorithms' own decisions, one row per curve: the threshold 0.5 of a
        probability.
    verdict
        What the two tests say.
    """

    view: ClassVar[str] = "algorithms.algorithm_pair_picture"

    dataset: str
    algorithms: tuple[str, str]
    error: tuple[FoldDistribution, FoldDistribution]
    auc: tuple[FoldDistribution, FoldDistribution]
    curves: tuple[tuple[RocCurve, ...], tuple[RocCurve, ...]]
    decisions: tuple[NDArray[np.float64], NDArray[np.float64]]
    verdict: Verdict

    def columns(self) -> dict[str, Any]:
        """Return one line per fold: error and AUC of both."""
        return {"fold": list(range(len(self.auc[0].values)))} | {
            f"{measure}[{name}]": folds.values.tolist()
            for measure, pair in (("error", self.error), ("auc", self.auc))
            for name, folds in zip(self.algorithms, pair, strict=True)
        }

    def _summary(self) -> str:
        return str(self.verdict)


@checks.known_arguments
def algorithm_pair(comparison: AlgorithmComparison, dataset: str, first: str, second: str) -> AlgorithmPair:
    """Lay two algorithms of a comparison side by side, on one data set.

    Parameters
    ----------
    comparison : AlgorithmComparison
        From `compare_algorithms`.
    dataset, first, second : str
        Which ones, in the order of the comparison.

    Returns
    -------
    AlgorithmPair
        Its `plot()` shows both distributions and the curves of all folds.

    Examples
    --------
    >>> import rocscope as rs
    >>> from sklearn import datasets, naive_bayes, tree
    >>> models = {"nb": naive_bayes.GaussianNB(), "tree": tree.DecisionTreeClassifier()}
    >>> data = {"cancer": datasets.load_breast_cancer(return_X_y=True)}
    >>> pair = algorithm_pair(rs.compare_algorithms(models, data, folds=10), "cancer", "nb", "tree")
    >>> len(pair.curves[0]), pair.verdict.case
    (10, 'error accepts, AUC rejects')
    """
    checks.check_instance(comparison, AlgorithmComparison, name="comparison")
    names = (first, second)
    places = [comparison.place(dataset, name) for name in names]
    verdicts = {(row.dataset, row.first, row.second): row for row in comparison.verdicts}
    if (dataset, *names) not in verdicts:
        raise RocInputError(f"first and second must be two algorithms in the comparison's order, got {names}")
    records = [[r for r in comparison.records[d][a] if r.auc is not None] for d, a in places]
    error, area = (
        [fold_distribution(comparison, dataset, name, measure=measure) for name in names]
        for measure in MEASURES[::-1]
    )
    curves = [tuple(roc_curve(r.positive, r.score) for r in folds) for folds in records]
    rates = [
        np.array(
            [(r.called[~r.positive].mean(), r.called[r.positive].mean()) for r in folds], dtype=np.float64
        ).reshape(-1, 2)
        for folds in records
    ]
    return AlgorithmPair(
        dataset=dataset,
        algorithms=names,
        error=(error[0], error[1]),
        auc=(area[0], area[1]),
        curves=(curves[0], curves[1]),
        decisions=(rates[0], rates[1]),
        verdict=verdicts[dataset, first, second],
    )
