"""A point chosen on one sample and judged on other cases, by listing the cases."""

from fractions import Fraction

from slow.curves import vertices
from slow.decisions import measures, select


def spread(scores, times):
    """Every score as often as it was drawn."""
    return [score for score, count in zip(scores, times, strict=True) for _ in range(int(count))]


def choose(pos, neg, loss, allowed=lambda _: True):
    """Threshold of the best vertex of a sample, None if none is allowed; `allowed` reads the measures."""
    found = vertices(pos, neg)
    points = [(fpr, tpr) for _, fpr, tpr in found]

    def feasible(point):
        fpr, tpr = point
        tp, fp = int(tpr * len(pos)), int(fpr * len(neg))
        return allowed(measures(((len(neg) - fp, fp), (len(pos) - tp, tp))))

    index = select(points, loss, feasible)
    return None if index is None else found[index][0]


def judge(pos, neg, threshold):
    """TPR and FPR of cases that are at or above the threshold; None without cases."""
    if threshold is None or not pos or not neg:
        return None
    rates = [Fraction(sum(score >= threshold for score in scores), len(scores)) for scores in (pos, neg)]
    return rates[0], rates[1]
