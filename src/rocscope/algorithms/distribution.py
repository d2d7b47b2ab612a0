"""The distribution of the fold values, and the intervals that one training alone would give.

References
----------
.. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under the
   ROC curve", 2009, sections III and V, figures 6 and 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocscope.algorithms.comparison import AlgorithmComparison, Verdict
from rocscope.algorithms.fold_tests import Floats
from rocscope.algorithms.training import FoldRecord, averaged_placements, variance_of_mean
from rocscope.core import checks
from rocscope.core.curve import RocCurve, roc_curve
from rocscope.core.result import Estimate, Result, TestResult
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError
from rocscope.inference._bounds import cortes_mohri_interval
from rocscope.inference.auc import auc

MEASURES = ("auc", "error")


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
        correlation of values of one pass. From one pass of left-out folds it cannot be told.
    single
        AUC of one training without cross-validation, with the intervals of Hanley and McNeil, Cortes and
        Mohri (from its errors alone), and Agarwal; none where that training failed.
    single_error
        Its share of wrong decisions.
    edges, counts
        Histogram of the values, in NumPy's automatic bins.
    """

    view: ClassVar[str] = "algorithms.algorithms_picture"

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
        if at.dtype.kind not in "iuf":
            raise RocInputError(f"must hold numbers, got {checks.show(x)}", argument="x")
        at = at.astype(np.float64)
        if self.mean is None or not self.sd:
            return np.zeros_like(at)
        area = float(self.counts.sum() * (self.edges[1] - self.edges[0]))
        height = np.exp(-np.square((at - self.mean) / self.sd) / 2)
        return np.asarray(area * height / (self.sd * np.sqrt(2 * np.pi)))

    def columns(self) -> dict[str, Any]:
        """Return one line per fold."""
        return {"fold": list(range(len(self.values))), self.measure: self.values.tolist()}

    def _summary(self) -> str:
        head = f"{self.algorithm} on {self.dataset}: {self.measure}"
        if self.mean is None or self.sd is None:
            return f"{head} undefined in all folds but one at most"
        lines = [f"{head} {self.mean:.4f}, sd {self.sd:.4f} over {len(self.values)} folds"]
        return "\n".join([*lines, str(self.normality), *map(str, self.single)])


def fold_distribution(
    comparison: AlgorithmComparison, dataset: str, algorithm: str, *, measure: str = "auc"
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
    >>> from rocscope.algorithms.compare import compare_algorithms
    >>> learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier()}
    >>> data = {"cancer": load_breast_cancer(return_X_y=True)}
    >>> found = fold_distribution(compare_algorithms(learners, data, folds=10), "cancer", "nb")
    >>> round(found.mean, 3), [estimate.method for estimate in found.single]
    (0.987, ['hanley-mcneil', 'cortes-mohri', 'agarwal'])
    """
    checks.check_choice(measure, MEASURES, name="measure")
    checks.check_instance(comparison, AlgorithmComparison, name="comparison")
    d, a = comparison.place(dataset, algorithm)
    values = getattr(comparison, measure)[d, a]
    known = values[np.isfinite(values)]
    once = comparison.singles[d][a]
    enough = len(known) >= 2
    return FoldDistribution(
        dataset=dataset,
        algorithm=algorithm,
        measure=measure,
        values=values,
        mean=float(known.mean()) if enough else None,
        sd=float(known.std(ddof=1)) if enough else None,
        normality=_normality(known),
        fold_correlation=fold_correlation(comparison, values, comparison.records[d][a], measure),
        single=_single_intervals(once, comparison.level),
        single_error=once.error,
        n_test=len(once.positive),
        **_histogram(known),
    )


def _histogram(values: Floats) -> dict[str, Any]:
    counts, edges = np.histogram(values, bins="auto" if len(values) else 1)
    return {"edges": edges, "counts": counts.astype(np.int64)}


def _normality(values: Floats) -> TestResult:
    reason = None
    if len(values) < 3:
        reason = f"the test needs 3 values, got {len(values)}"
    elif np.ptp(values) == 0:
        reason = CONSTANT
    statistic = p = None
    if reason is None:
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
    if record.auc is None:
        return ()
    by_area = {
        method: auc(record.positive, record.score, method=method, level=level)
        for method in ("hanley-mcneil", "agarwal")
    }
    return by_area["hanley-mcneil"], _by_errors(record, level), by_area["agarwal"]


def _by_errors(record: FoldRecord, level: float) -> Estimate:
    """Cortes and Mohri's interval from the wrong decisions of `predict`."""
    data = BinaryScores.from_arrays(record.positive, record.score)
    wrong = int((record.called != record.positive).sum())
    low, high = cortes_mohri_interval(wrong, data.n_pos, data.n_neg, level)
    return Estimate(
        name="AUC",
        value=record.auc,
        se=None,
        low=low,
        high=high,
        level=level,
        method="cortes-mohri",
        warnings=(f"from {wrong} errors alone; the value is the empirical area",),
    )


# ---- How much the values of two folds have in common ------------------------------------------------------
# Folds share training cases, and on a common test set the test cases as well; the tests over folds that take
# them as independent go wrong by this.

CONSTANT = "the values are all equal"
NO_VARIANCE = "the test cases tell no variance"


def fold_correlation(
    comparison: AlgorithmComparison, values: Floats, records: tuple[FoldRecord, ...], measure: str
) -> Estimate:
    """Estimate the correlation of the values of two folds, where the protocol tells it."""
    value, method, reason = None, "none", None
    if not np.isfinite(values).all():
        reason = "a fold is undefined"
    elif comparison.protocol == "holdout":
        method = "common test set"
        value = _common_set_correlation(records) if measure == "auc" else _loss_correlation(records)
        reason = NO_VARIANCE if value is None else None
    elif comparison.repeats > 1:
        method = "intraclass"
        value = _intraclass(values.reshape(comparison.repeats, comparison.folds))
        reason = CONSTANT if value is None else None
    else:
        reason = "one pass of left-out folds does not tell it: repeat, or use a common test set"
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


def _common_set_correlation(records: tuple[FoldRecord, ...]) -> float | None:
    """Covariance between fold models over their mean variance, by the sum rule from averaged placements."""
    single = np.mean([_delong_variance(*averaged_placements([record])) for record in records])
    average = _delong_variance(*averaged_placements(records))
    return _shared(average, float(single), len(records))


def _delong_variance(pos: Floats, neg: Floats) -> float:
    return variance_of_mean(pos) + variance_of_mean(neg)


def _loss_correlation(records: tuple[FoldRecord, ...]) -> float | None:
    wrong = np.array([record.called != record.positive for record in records], dtype=np.float64)
    return _shared(float(wrong.mean(axis=0).var(ddof=1)), float(wrong.var(axis=1, ddof=1).mean()), len(wrong))


def _shared(average: float, single: float, n: int) -> float | None:
    """Mean correlation of n equally variable values from the variance of their mean and of one."""
    return (n * average / single - 1) / (n - 1) if single > 0 else None  # not for NaN either


def _intraclass(passes: Floats) -> float | None:
    """One-way intraclass correlation of the values of one pass."""
    n_folds = passes.shape[1]
    between = n_folds * float(passes.mean(axis=1).var(ddof=1))
    within = float(passes.var(axis=1, ddof=1).mean())
    total = between + (n_folds - 1) * within
    return (between - within) / total if total > 0 else None


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

    view: ClassVar[str] = "algorithms.algorithms_picture"

    dataset: str
    algorithms: tuple[str, str]
    error: tuple[FoldDistribution, FoldDistribution]
    auc: tuple[FoldDistribution, FoldDistribution]
    curves: tuple[tuple[RocCurve, ...], tuple[RocCurve, ...]]
    decisions: tuple[NDArray[np.float64], NDArray[np.float64]]
    verdict: Verdict

    def columns(self) -> dict[str, Any]:
        """Return one line per fold: error and AUC of both."""
        folds = {"fold": list(range(len(self.auc[0].values)))}
        return folds | {
            f"{measure}[{name}]": found.values.tolist()
            for measure, pair in (("error", self.error), ("auc", self.auc))
            for name, found in zip(self.algorithms, pair, strict=True)
        }

    def _summary(self) -> str:
        return str(self.verdict)


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
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from rocscope.algorithms.compare import compare_algorithms
    >>> learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier()}
    >>> data = {"cancer": load_breast_cancer(return_X_y=True)}
    >>> pair = algorithm_pair(compare_algorithms(learners, data, folds=10), "cancer", "nb", "tree")
    >>> len(pair.curves[0]), pair.verdict.case
    (10, 'error accepts, AUC rejects')
    """
    checks.check_instance(comparison, AlgorithmComparison, name="comparison")
    names = (first, second)
    places = [comparison.place(dataset, name) for name in names]
    records = [[r for r in comparison.records[d][a] if r.auc is not None] for d, a in places]
    by_measure = {
        measure: [fold_distribution(comparison, dataset, name, measure=measure) for name in names]
        for measure in ("error", "auc")
    }
    return AlgorithmPair(
        dataset=dataset,
        algorithms=names,
        error=(by_measure["error"][0], by_measure["error"][1]),
        auc=(by_measure["auc"][0], by_measure["auc"][1]),
        curves=(_curves(records[0]), _curves(records[1])),
        decisions=(_decisions(records[0]), _decisions(records[1])),
        verdict=_verdict(comparison, dataset, names),
    )


def _curves(records: list[FoldRecord]) -> tuple[RocCurve, ...]:
    return tuple(roc_curve(record.positive, record.score) for record in records)


def _decisions(records: list[FoldRecord]) -> NDArray[np.float64]:
    rates = [(r.called[~r.positive].mean(), r.called[r.positive].mean()) for r in records]
    return np.array(rates, dtype=np.float64).reshape(-1, 2)


def _verdict(comparison: AlgorithmComparison, dataset: str, names: tuple[str, str]) -> Verdict:
    for verdict in comparison.verdicts:
        if (verdict.dataset, verdict.first, verdict.second) == (dataset, *names):
            return verdict
    raise RocInputError(f"first and second must be two algorithms in the comparison's order, got {names}")
