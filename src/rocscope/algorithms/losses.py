"""Losses other than errors: a false positive costs lambda, a false negative 1.

References
----------
.. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under the
   ROC curve", 2009, section II and figure 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocscope.algorithms.common_test import ASSUMPTION
from rocscope.algorithms.comparison import AlgorithmComparison
from rocscope.algorithms.differences import Floats, fold_differences
from rocscope.algorithms.loss_result import BestRange, LossCurves
from rocscope.algorithms.mean_curves import GRID, curve_crossings, mean_curve, mean_marks
from rocscope.algorithms.training import FoldRecord
from rocscope.core import checks
from rocscope.core.paired import corrected_t, paired_t
from rocscope.errors import RocInputError, UndefinedError

# Half the smallest to twice the largest ratio that people tend to name, finely enough to draw.
DEFAULT_LAMBDAS = np.logspace(-2, 2, 81)


def loss_threshold(lam: ArrayLike) -> Any:
    """Threshold on the probability at which a false positive of cost `lam` is worth the risk [1]_.

    Examples
    --------
    >>> [round(float(loss_threshold(lam)), 4) for lam in (0.5, 1, 2, 10)]  # as printed in [1]
    [0.3333, 0.5, 0.6667, 0.9091]
    """
    costs = np.asarray(lam, dtype=np.float64)
    return costs / (1 + costs)


def loss_curves(
    comparison: AlgorithmComparison, dataset: str, *, lambdas: ArrayLike | None = None
) -> LossCurves:
    """Expected loss of the algorithms on one data set, for any cost of a false positive [1]_.

    Parameters
    ----------
    comparison : AlgorithmComparison
        From `compare_algorithms`.
    dataset : str
        Which one.
    lambdas : array-like, optional
        Costs of a false positive where a false negative costs 1; by default from 0.01 to 100. A case is
        called positive where its probability reaches lambda / (1 + lambda).

    Returns
    -------
    LossCurves

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from rocscope.algorithms.compare import compare_algorithms
    >>> learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier()}
    >>> data = {"cancer": load_breast_cancer(return_X_y=True)}
    >>> found = loss_curves(compare_algorithms(learners, data, folds=10), "cancer", lambdas=[0.5, 1, 2])
    >>> found.mean.round(3).tolist()
    [[0.039, 0.063, 0.095], [0.057, 0.072, 0.102]]
    """
    costs = _read_lambdas(lambdas)
    checks.check_instance(comparison, AlgorithmComparison, name="comparison")
    d, _ = comparison.place(dataset, comparison.algorithms[0])
    sound = _with_probabilities(comparison, d)
    names, records = tuple(sound), list(sound.values())
    fold_losses = np.array([[_fold_losses(record, costs) for record in folds] for folds in records])
    tpr = np.array([mean_curve(folds) for folds in records])
    verdict, method = _best(comparison, records, fold_losses, costs)
    data = comparison.datasets[d]
    assumed = f"{checks.show(data.positive)} is taken as the positive class, as none was named"
    return LossCurves(
        dataset=dataset,
        positive=data.positive,
        negative=data.negative,
        algorithms=names,
        left_out=tuple(name for name in comparison.algorithms if name not in sound),
        lambdas=costs,
        thresholds=loss_threshold(costs),
        mean=fold_losses.mean(axis=1),
        sd=fold_losses.std(axis=1, ddof=1),
        best=_ranges(names, verdict, costs),
        method=method,
        level=comparison.level,
        fpr=GRID,
        tpr=tpr,
        marks=np.array([mean_marks(folds, loss_threshold(costs)) for folds in records]),
        crossings=curve_crossings(names, tpr),
        warnings=(assumed,) if data.assumed else (),
    )


def _with_probabilities(comparison: AlgorithmComparison, d: int) -> dict[str, tuple[FoldRecord, ...]]:
    """Algorithms whose soft outputs are probabilities in every fold, with their records."""
    sound = {
        name: folds
        for name, folds in zip(comparison.algorithms, comparison.records[d], strict=True)
        if all(record.probability and record.auc is not None for record in folds)
    }
    if not sound:
        name = comparison.datasets[d].name
        raise UndefinedError(f"no algorithm has probabilities in every fold of {name!r}")
    return sound


def _read_lambdas(lambdas: ArrayLike | None) -> Floats:
    if lambdas is None:
        return DEFAULT_LAMBDAS
    costs = np.atleast_1d(checks.as_array(lambdas, name="lambdas"))
    if costs.size == 0:
        raise RocInputError(f"lambdas must hold at least one number, got {checks.show(lambdas)}")
    if costs.dtype.kind not in "iuf" or costs.ndim != 1 or not (np.isfinite(costs) & (costs > 0)).all():
        raise RocInputError(f"lambdas must be finite numbers greater than 0, got {checks.show(lambdas)}")
    return np.sort(costs.astype(np.float64))


def _wrong_ways(record: FoldRecord, costs: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """False positives and false negatives among the test cases at every lambda, shape (lambdas, cases)."""
    called = record.score >= loss_threshold(costs)[:, np.newaxis]
    return called & ~record.positive, ~called & record.positive


def _fold_losses(record: FoldRecord, costs: Floats) -> Floats:
    """Loss per case at every lambda; of counts, so that equal decisions have equal losses to the last bit."""
    false_pos, false_neg = (wrong.sum(axis=1) for wrong in _wrong_ways(record, costs))
    return np.asarray((costs * false_pos + false_neg) / len(record.positive))


def _case_losses(folds: Sequence[FoldRecord], costs: Floats) -> Floats:
    """Loss of every case of a common test set at every lambda, averaged over the fold models."""
    ways = [_wrong_ways(record, costs) for record in folds]
    false_pos, false_neg = (np.sum([way[k] for way in ways], axis=0) for k in (0, 1))
    return np.asarray((costs[:, np.newaxis] * false_pos + false_neg) / len(folds))


def _best(
    comparison: AlgorithmComparison,
    records: Sequence[tuple[FoldRecord, ...]],
    fold_losses: Floats,
    costs: Floats,
) -> tuple[NDArray[np.intp], str]:
    """Index of the significantly best algorithm at every lambda, -1 where there is none; and the test."""
    if comparison.protocol == "holdout":
        # Folds share their test set: the cases are the sample, their losses averaged over the models.
        sample = np.array([_case_losses(folds, costs) for folds in records])
        method = f"case-averaged-t ({ASSUMPTION})"
    else:
        sample, method = np.moveaxis(fold_losses, 1, 2), "corrected-t"
    leader = np.argmin(sample.mean(axis=2), axis=0)
    lead = np.take_along_axis(sample, leader[np.newaxis, :, np.newaxis], axis=0)[0]
    ahead = np.full(len(costs), len(sample) > 1)  # one alone is better than nobody
    for k, other in enumerate(sample):
        p = _p_smaller(fold_differences(lead, other).values, comparison)
        # Better than each other one at this level is best at this level: nothing is to be adjusted.
        ahead &= (leader == k) | (p < 1 - comparison.level)
    return np.where(ahead, leader, -1), method


def _p_smaller(difference: Floats, comparison: AlgorithmComparison) -> Floats:
    """Two-sided p-values of differences that favour the leader."""
    if comparison.protocol == "holdout":
        return paired_t(difference).p_value
    return corrected_t(difference, test_over_train=1 / (comparison.folds - 1)).p_value


def _ranges(names: tuple[str, ...], best: NDArray[np.intp], costs: Floats) -> tuple[BestRange, ...]:
    cuts = np.flatnonzero(np.diff(best)) + 1
    runs = np.split(np.arange(len(best)), cuts)
    return tuple(
        BestRange(algorithm=names[best[run[0]]], low=float(costs[run[0]]), high=float(costs[run[-1]]))
        for run in runs
        if best[run[0]] >= 0
    )
