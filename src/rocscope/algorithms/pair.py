"""Two algorithms on one data set, fold by fold: what figures 2 to 5 of the paper show.

References
----------
.. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under the
   ROC curve", 2009, figures 2 to 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.algorithms.comparison import AlgorithmComparison
from rocscope.algorithms.distribution import FoldDistribution, fold_distribution
from rocscope.algorithms.training import FoldRecord
from rocscope.algorithms.verdicts import Verdict
from rocscope.core import checks
from rocscope.core.curve import RocCurve, roc_curve
from rocscope.core.result import Result
from rocscope.errors import RocInputError


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
