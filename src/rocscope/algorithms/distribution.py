"""The distribution of the fold values, and the intervals that one training alone would give.

References
----------
.. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under the
   ROC curve", 2009, sections III and V, figures 6 and 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocscope.algorithms.comparison import AlgorithmComparison
from rocscope.algorithms.differences import Floats
from rocscope.algorithms.fold_correlation import CONSTANT, fold_correlation
from rocscope.algorithms.training import FoldRecord
from rocscope.area.auc import auc
from rocscope.area.bounds import cortes_mohri_interval
from rocscope.core import checks
from rocscope.core.result import Estimate, Result, TestResult
from rocscope.core.scores import BinaryScores

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
        at = np.asarray(x, dtype=np.float64)
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
