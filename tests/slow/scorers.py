"""Figures of scores, case by case: what a scorer returns."""

from itertools import pairwise


def area(positive, scores):
    """Share of the pairs in which the positive case has the larger score; ties are one half."""
    pairs = [(p, n) for p, is_pos in zip(scores, positive, strict=True) if is_pos
             for n, other in zip(scores, positive, strict=True) if not other]  # fmt: skip
    return sum((p > n) + (p == n) / 2 for p, n in pairs) / len(pairs)


def rates(positive, scores):
    """FPR and TPR at every threshold, from the one that no score reaches."""
    n_pos = sum(positive)
    points = [(0.0, 0.0)]
    for cut in sorted(set(scores), reverse=True):
        reached = [is_pos for s, is_pos in zip(scores, positive, strict=True) if s >= cut]
        points.append(((len(reached) - sum(reached)) / (len(scores) - n_pos), sum(reached) / n_pos))
    return points


def tpr_at_fpr(positive, scores, rate):
    """The highest TPR of all points of the curve at this FPR."""
    points, heights = rates(positive, scores), []
    for (f0, t0), (f1, t1) in pairwise(points):
        if f0 <= rate <= f1:
            heights += [t0, t1] if f0 == f1 else [t0 + (rate - f0) / (f1 - f0) * (t1 - t0)]
    return max(heights)


def fpr_at_tpr(positive, scores, rate):
    """The lowest FPR of all points of the curve at this TPR."""
    points, places = rates(positive, scores), []
    for (f0, t0), (f1, t1) in pairwise(points):
        if t0 <= rate <= t1:
            places += [f0, f1] if t0 == t1 else [f0 + (rate - t0) / (t1 - t0) * (f1 - f0)]
    return min(places)


def average_precision(positive, scores):
    """Precision at each threshold times the share of positives that are reached there first."""
    total, before = 0.0, 0
    for cut in sorted(set(scores), reverse=True):
        reached = [is_pos for s, is_pos in zip(scores, positive, strict=True) if s >= cut]
        total += (sum(reached) - before) / sum(positive) * sum(reached) / len(reached)
        before = sum(reached)
    return total


def net_benefit(positive, scores, probability):
    """True positives minus false positives at the odds of the probability, per case."""
    reached = [is_pos for s, is_pos in zip(scores, positive, strict=True) if s >= probability]
    false = len(reached) - sum(reached)
    return (sum(reached) - false * probability / (1 - probability)) / len(scores)
