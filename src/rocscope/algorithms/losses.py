"""Expected losses of algorithms: the result of `loss_curves`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocscope.algorithms.comparison import AlgorithmComparison, DatasetRow
from rocscope.algorithms.fold_tests import Floats, fold_differences
from rocscope.algorithms.records import ASSUMPTION, FoldRecord
from rocscope.core import checks, t_tests
from rocscope.core.curve import roc_curve
from rocscope.core.result import Result, Row
from rocscope.errors import RocInputError, UndefinedError


@dataclass(frozen=True, slots=True, kw_only=True)
class BestRange(Row):
    """A range of lambda in which one algorithm has a significantly smaller loss than every other."""

    algorithm: str
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanCrossing(Row):
    """Two mean ROC curves: where they cross, and which one lies above the other everywhere."""

    first: str
    second: str
    fpr: tuple[float, ...]
    dominant: str | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LossCurves(Result):
    """Expected loss of every algorithm as a function of lambda, the cost of a false positive.

    Attributes
    ----------
    positive, negative
        The classes: a false positive costs lambda, a false negative 1.
    algorithms
        Those whose soft outputs are probabilities; `left_out` names the others.
    lambdas, thresholds
        Costs, and the thresholds lambda / (1 + lambda) that belong to them.
    mean, sd
        Mean and standard deviation over the folds of the loss per case, one row per algorithm.
    best
        Ranges of lambda where an algorithm is significantly the best, by `method` against each other one.
    fpr, tpr
        Mean ROC curve of every algorithm over the folds, at common false-positive rates.
    marks
        Mean (fpr, tpr) at each threshold, shape (algorithms, lambdas, 2).
    crossings
        A `MeanCrossing` for every pair.
    warnings
        That the positive class was not named, where it was not.
    """

    view: ClassVar[str] = "algorithms.losses_picture"

    dataset: str
    positive: Any
    negative: Any
    algorithms: tuple[str, ...]
    left_out: tuple[str, ...]
    lambdas: Floats
    thresholds: Floats
    mean: Floats
    sd: Floats
    best: tuple[BestRange, ...]
    method: str
    level: float
    fpr: Floats
    tpr: Floats
    marks: Floats
    crossings: tuple[MeanCrossing, ...]
    warnings: tuple[str, ...] = ()

    def columns(self) -> dict[str, Any]:
        """Return one line per lambda: its threshold, and the loss of every algorithm."""
        losses = {f"loss[{name}]": row.tolist() for name, row in zip(self.algorithms, self.mean, strict=True)}
        return {"lambda": self.lambdas.tolist(), "threshold": self.thresholds.tolist()} | losses

    def _summary(self) -> str:
        span = f"lambda {self.lambdas[0]:g} to {self.lambdas[-1]:g}"
        lines = [f"expected loss on {self.dataset}, {span}, {self.positive} is positive"]
        lines += [f"{row.algorithm} is best from {row.low:.3g} to {row.high:.3g}" for row in self.best]
        lines += [] if self.best else ["none is significantly the best anywhere"]
        for row in self.crossings:
            relation = f"{row.dominant} is nowhere below" if row.dominant else "the same"
            if row.fpr:
                relation = f"cross at FPR {', '.join(f'{rate:.3f}' for rate in row.fpr)}"
            lines.append(f"mean curves of {row.first} and {row.second}: {relation}")
        lines += [f"left out, no probabilities: {', '.join(self.left_out)}"] if self.left_out else []
        return "\n".join(lines)


# ---- Losses other than errors: a false positive costs lambda, a false negative 1 --------------------------
# References
# ----------
# .. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under the
#    ROC curve", 2009, section II and figure 1.

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


@checks.known_arguments
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
        classified as positive where its probability reaches lambda / (1 + lambda).

    Returns
    -------
    LossCurves

    Examples
    --------
    >>> import rocscope as rs
    >>> from sklearn import datasets, naive_bayes, tree
    >>> learners = {"nb": naive_bayes.GaussianNB(), "tree": tree.DecisionTreeClassifier()}
    >>> cancer = datasets.load_breast_cancer(return_X_y=True)
    >>> comparison = rs.compare_algorithms(learners, {"cancer": cancer}, folds=10)
    >>> loss_curves(comparison, "cancer", lambdas=[0.5, 1, 2]).mean.round(3).tolist()
    [[0.039, 0.06, 0.099], [0.052, 0.063, 0.086]]
    """
    costs = DEFAULT_LAMBDAS
    if lambdas is not None:
        costs = np.atleast_1d(checks.as_array(lambdas, name="lambdas"))
        if costs.size == 0:
            raise RocInputError(
                f"must hold at least one number, got {checks.show(lambdas)}", argument="lambdas"
            )
        if costs.dtype.kind not in "iuf" or costs.ndim != 1 or not (np.isfinite(costs) & (costs > 0)).all():
            raise RocInputError(
                f"must be finite numbers greater than 0, got {checks.show(lambdas)}", argument="lambdas"
            )
        costs = np.sort(costs.astype(np.float64))
    checks.check_instance(comparison, AlgorithmComparison, name="comparison")
    d, _ = comparison.place(dataset, comparison.algorithms[0])
    records = {
        name: folds
        for name, folds in zip(comparison.algorithms, comparison.records[d], strict=True)
        if all(record.probability and record.auc is not None for record in folds)
    }
    if not records:
        raise UndefinedError(f"no algorithm has probabilities in every fold of {dataset!r}")
    names, thresholds, data = tuple(records), loss_threshold(costs), comparison.datasets[d]
    fold_losses = np.array([[_fold_losses(record, costs) for record in folds] for folds in records.values()])
    tpr = np.array([mean_curve(folds) for folds in records.values()])
    best, method = _best(comparison, data, list(records.values()), fold_losses, costs)
    runs = np.split(np.arange(len(best)), np.flatnonzero(np.diff(best)) + 1)
    return LossCurves(
        dataset=dataset,
        positive=data.positive,
        negative=data.negative,
        algorithms=names,
        left_out=tuple(name for name in comparison.algorithms if name not in records),
        lambdas=costs,
        thresholds=thresholds,
        mean=fold_losses.mean(axis=1),
        sd=fold_losses.std(axis=1, ddof=1),
        best=tuple(
            BestRange(algorithm=names[best[run[0]]], low=float(costs[run[0]]), high=float(costs[run[-1]]))
            for run in runs
            if best[run[0]] >= 0
        ),
        method=method,
        level=comparison.level,
        fpr=GRID,
        tpr=tpr,
        marks=np.array([mean_marks(folds, thresholds) for folds in records.values()]),
        crossings=curve_crossings(names, tpr),
        warnings=(f"{checks.show(data.positive)} is taken as the positive class, as none was named",)
        if data.assumed
        else (),
    )


def _wrong_ways(record: FoldRecord, costs: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """False positives and false negatives among the test cases at every lambda, shape (lambdas, cases)."""
    positive = record.score >= loss_threshold(costs)[:, np.newaxis]
    return positive & ~record.positive, ~positive & record.positive


def _fold_losses(record: FoldRecord, costs: Floats) -> Floats:
    """Loss per case at every lambda; of counts, so that equal decisions have equal losses to the last bit."""
    false_pos, false_neg = (wrong.sum(axis=1) for wrong in _wrong_ways(record, costs))
    return np.asarray((costs * false_pos + false_neg) / len(record.positive))


def _best(
    comparison: AlgorithmComparison,
    data: DatasetRow,
    records: Sequence[tuple[FoldRecord, ...]],
    fold_losses: Floats,
    costs: Floats,
) -> tuple[NDArray[np.intp], str]:
    """Index of the significantly best algorithm at every lambda, -1 where there is none; and the test."""
    common_test = comparison.common_test
    if common_test:
        # Folds share their test set: the cases are the sample, their losses averaged over the models.
        case_losses = []
        for folds in records:
            ways = [_wrong_ways(record, costs) for record in folds]
            false_pos, false_neg = (np.sum([way[k] for way in ways], axis=0) for k in (0, 1))
            case_losses.append((costs[:, np.newaxis] * false_pos + false_neg) / len(folds))
        sample, method = np.array(case_losses), f"case-averaged-t ({ASSUMPTION})"
    else:
        sample, method = np.moveaxis(fold_losses, 1, 2), "corrected-t"
    leader = np.argmin(sample.mean(axis=2), axis=0)
    lead = np.take_along_axis(sample, leader[np.newaxis, :, np.newaxis], axis=0)[0]
    ahead = np.full(len(costs), len(sample) > 1)  # one alone is better than nobody
    for k, other in enumerate(sample):
        differences = fold_differences(lead, other).values
        if common_test:
            p = t_tests.paired_t(differences).p_value
        else:
            p = t_tests.paired_t(differences, test_over_train=data.test_over_train).p_value
        # Better than each other one at this level is best at this level: nothing is to be adjusted.
        ahead &= (leader == k) | (p < 1 - comparison.level)
    return np.where(ahead, leader, -1), method


# ---- Mean ROC curves over folds: where they run, and where two of them cross ------------------------------

# False positive rates at which the curves are averaged.
GRID = np.linspace(0, 1, 201)
SAME = 1e-12


def mean_curve(folds: Sequence[FoldRecord]) -> Floats:
    """Mean height over the folds at every rate of `GRID`."""
    heights = [roc_curve(record.positive, record.score).tpr_at(GRID) for record in folds]
    return np.asarray(np.mean(heights, axis=0))


def mean_marks(folds: Sequence[FoldRecord], thresholds: Floats) -> Floats:
    """Mean rates (fpr, tpr) over the folds at every threshold, shape (thresholds, 2)."""
    rates = []
    for record in folds:
        positive = record.score >= thresholds[:, np.newaxis]
        rates.append([positive[:, ~record.positive].mean(axis=1), positive[:, record.positive].mean(axis=1)])
    return np.asarray(np.mean(rates, axis=0).T)


def curve_crossings(names: Sequence[str], tpr: Floats) -> tuple[MeanCrossing, ...]:
    """Compare every two mean curves.

    Examples
    --------
    >>> apart = np.array([GRID, np.minimum(1, 2 * GRID), GRID**2])
    >>> [row.dominant for row in curve_crossings(["a", "b", "c"], apart)]
    ['b', 'a', 'b']
    >>> step = np.where(GRID < 0.3, GRID / 2, np.sqrt(GRID))
    >>> [round(fpr, 2) for fpr in curve_crossings(["a", "b"], np.array([GRID, step]))[0].fpr]
    [0.3]
    """
    rows = []
    for i, j in combinations(range(len(names)), 2):
        gap = tpr[i] - tpr[j]
        signs = np.sign(np.where(np.abs(gap) < SAME, 0.0, gap))
        apart = np.flatnonzero(signs)
        # Zeros of the gap, linear between the common rates.
        turns = [(k, m) for k, m in pairwise(apart) if signs[k] != signs[m]]
        at = tuple(float(GRID[k] + (GRID[m] - GRID[k]) * gap[k] / (gap[k] - gap[m])) for k, m in turns)
        dominant = None if turns or not len(apart) else names[i if signs[apart[0]] > 0 else j]
        rows.append(MeanCrossing(first=names[i], second=names[j], fpr=at, dominant=dominant))
    return tuple(rows)
