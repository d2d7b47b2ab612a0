"""Operating-point averaging, Algorithm 1 of the paper."""

from __future__ import annotations

from typing import Any

from rocscope.average.averaged import AveragedRoc
from rocscope.average.folded import read_folded
from rocscope.average.given import count_points, read_points
from rocscope.average.wanted import check_shares, read_measures
from rocscope.core.measures import cost_matrix


def average_roc(
    y_true: Any,
    y_score: Any = None,
    *,
    fold: Any = None,
    points: Any = 30,
    measures: Any = None,
    classes: Any = None,
    prevalence: Any = None,
    cost: Any = None,
    pos_label: Any = None,
) -> AveragedRoc:
    """Average the decisions of all folds at identical operating points ([1]_ Algorithm 1).

    The soft outputs of all folds, each made by a model that did not see the case, are stacked and give one
    set of operating points. Every fold decides at each of them, so that every measure has a mean and a
    variance there.

    Parameters
    ----------
    y_true
        Labels. Two classes: {0, 1}, {-1, 1} and booleans need no `pos_label`. What `cross_scores` returns
        may stand here alone, as may a `BinaryScores` or a `ClassScores` that holds folds.
    y_score
        One score per case, larger for the positive class; or one output of at least 0 per case and class,
        shape (cases, classes), in the order of `classes`. Infinite single scores are extreme ranks, which
        `warnings` tells; outputs of several classes must be finite.
    fold
        Fold of each case, any labels, two folds or more. They should be the folds of a stratified
        cross-validation; a fold that lacks a class leaves the measures that need it undefined there.
    points
        The operating points, by decision rule `score >= threshold` ([1]_ eq. 1) or arg max w_c y_c
        ([1]_ eq. 2):

        - a number n. One score per case: n of the distinct stacked scores, evenly spaced in rank,
          descending, from the largest to the smallest: ``u[round(linspace(0, len(u) - 1, n))]``. Where
          there are fewer than n distinct scores each is taken once, so that there are fewer points and
          none twice. One output per class: equal weights and n - 1 others spread over all directions;
          better ones come from `search_weights`;
        - thresholds, or with one output per class an array of class weights, shape (points, classes);
        - decision rules: `Threshold`, `ClassWeights`, or anything with `classes` and
          `decide_codes(y_score)`, which is called for every fold.
    measures
        Names such as "tpr", "fpr", "precision", "error", "error(class)", "cost", "reject_rate"; functions
        that take confusion matrices of shape (..., true, decided) and return values of shape (...); or a
        mapping of names to either. By default "tpr" and "fpr" for two classes, the error of every class for
        more. ("tpr", "precision") give the precision-recall operating characteristic.
    classes
        Names of the classes in the order of the columns of `y_score`. Of two the second is positive.
    prevalence
        Share of positives, or of every class, where the classifier will be used, for precision, error and
        cost. Without it that of each fold.
    cost
        Costs for the measure "cost": a matrix, true by decided class, or for two classes (fp, fn).
    pos_label
        The label of the positive class.

    Returns
    -------
    AveragedRoc
        With `values[point, measure, fold]`, `mean`, `sd`, `sem`, `defined`; `select`, `point`,
        `compare_to`, `indifference_region`.

    References
    ----------
    .. [1] P. Paclik, C. Lai, J. Novovicova, R. P. W. Duin: Variance estimation for two-class and multi-class
       ROC analysis using operating point averaging, ICPR 2008.

    Examples
    --------
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> score = [0.1, 0.3, 0.2, 0.6, 0.5, 0.8, 0.4, 0.9]
    >>> roc = average_roc(y, score, fold=[0, 0, 1, 1, 0, 0, 1, 1], points=3)
    >>> roc.points.tolist()
    [0.9, 0.4, 0.1]
    >>> roc.mean.tolist(), roc.sem.tolist()
    ([[0.25, 0.0], [1.0, 0.25], [1.0, 1.0]], [[0.25, 0.0], [0.0, 0.25], [0.0, 0.0]])
    """
    data = read_folded(y_true, y_score, fold=fold, classes=classes, pos_label=pos_label)
    n_classes = len(data.classes)
    prevalence = None if prevalence is None else check_shares(prevalence, n_classes)
    cost = None if cost is None else cost_matrix(cost, n_classes=n_classes)
    wanted = read_measures(measures, data.classes, prevalence=prevalence, cost=cost)
    given = read_points(points, data)
    return AveragedRoc.from_counts(
        count_points(data, given),
        points=given.values,
        kind=given.kind,
        measures=wanted,
        folds=data.folds,
        classes=data.classes,
        test_over_train=data.test_over_train,
        prevalence=prevalence,
        cost=cost,
        warnings=data.warnings,
    )
