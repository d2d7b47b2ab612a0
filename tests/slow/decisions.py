"""Measures of a two-class confusion matrix by hand, in fractions, and the choice of a point by trying all.

A matrix is ((tn, fp), (fn, tp)); None stands for 0/0, infinity for a positive number over 0.
"""

import math
from fractions import Fraction


def ratio(above, below):
    if below == 0:
        return None if above == 0 else math.inf
    return Fraction(above) / Fraction(below)


def measures(matrix, prevalence=None, cost=((0, 1), (1, 0))):
    """Every measure of two classes, by its textbook formula."""
    (tn, fp), (fn, tp) = matrix
    m, n = tp + fn, tn + fp
    share = Fraction(m, m + n) if prevalence is None else Fraction(prevalence)
    sens, spec = Fraction(tp, m), Fraction(tn, n)
    right = share * sens + (1 - share) * spec
    true_pos, false_pos = share * sens, (1 - share) * (1 - spec)
    true_neg, false_neg = (1 - share) * spec, share * (1 - sens)
    return {
        "tpr": sens,
        "fpr": 1 - spec,
        "tnr": spec,
        "fnr": 1 - sens,
        "precision": ratio(true_pos, true_pos + false_pos),
        "npv": ratio(true_neg, true_neg + false_neg),
        "accuracy": right,
        "error": 1 - right,
        "balanced_accuracy": (sens + spec) / 2,
        "youden": sens + spec - 1,
        "lr_pos": ratio(sens, 1 - spec),
        "lr_neg": ratio(1 - sens, spec),
        "f1": ratio(2 * true_pos, 2 * true_pos + false_pos + false_neg),
        "kappa": agreement(right, share, true_pos + false_pos),
        "mcc": correlation(true_pos, share, true_pos + false_pos),
        "odds_ratio": ratio(true_pos * true_neg, false_pos * false_neg),
        "lift": None if true_pos + false_pos == 0 else sens / (true_pos + false_pos),
        "detection_prevalence": true_pos + false_pos,
        "cost": sum(
            Fraction(cost[i][j]) * p
            for (i, j), p in {
                (0, 0): true_neg,
                (0, 1): false_pos,
                (1, 0): false_neg,
                (1, 1): true_pos,
            }.items()
        ),
        "reject_rate": Fraction(0),
        "max-class-error": max(1 - sens, 1 - spec),
        "mean-class-error": (2 - sens - spec) / 2,
    }


def agreement(right, share, positive):
    """Cohen's kappa: observed agreement beyond that of chance, over the most there could be."""
    chance = share * positive + (1 - share) * (1 - positive)
    return ratio(right - chance, 1 - chance)


def correlation(both, share, positive):
    """Pearson's correlation of two indicators, from the share of cases that have both."""
    variances = share * (1 - share) * positive * (1 - positive)
    return None if variances == 0 else float(both - share * positive) / math.sqrt(variances)


def best_points(points, loss, feasible=lambda _: True):
    """Indices of all points of least loss among the feasible ones, exactly."""
    allowed = [i for i, point in enumerate(points) if feasible(point)]
    if not allowed:
        return []
    least = min(loss(points[i]) for i in allowed)
    return [i for i in allowed if loss(points[i]) == least]


def select(points, loss, feasible=lambda _: True):
    """The best point; of several the one with the smaller FPR, then the larger TPR. Points: (FPR, TPR)."""
    best = best_points(points, loss, feasible)
    return min(best, key=lambda i: (points[i][0], -points[i][1])) if best else None


def youden_loss(weight=1):
    return lambda point: (1 - point[1]) + Fraction(weight) * point[0]


def corner_loss(weight=1):
    return lambda point: (1 - point[1]) ** 2 + Fraction(weight) * point[0] ** 2


def expected_cost(cost, prevalence):
    """Mean cost of a case; cost is a matrix, true by decided."""
    p = Fraction(prevalence)
    c = [[Fraction(x) for x in row] for row in cost]

    def loss(point):
        fpr, tpr = point
        return (1 - p) * (c[0][0] * (1 - fpr) + c[0][1] * fpr) + p * (c[1][0] * (1 - tpr) + c[1][1] * tpr)

    return loss
