"""Precision-recall curves in counts: between two thresholds false positives come in at a fixed rate."""

from fractions import Fraction
from itertools import pairwise

import numpy as np

from slow.curves import vertices

NODES, WEIGHTS = np.polynomial.legendre.leggauss(200)


def precision_at(pos, neg, recall, share):
    """Precision where the ROC polyline first reaches a TPR, in fractions."""
    recall, share = Fraction(recall), Fraction(share)
    for (_, f0, t0), (_, f1, t1) in pairwise(vertices(pos, neg)):
        if t0 < recall <= t1:
            fpr = f0 + (f1 - f0) * (recall - t0) / (t1 - t0)
            return share * recall / (share * recall + (1 - share) * fpr)
    raise AssertionError(recall)


def average_precision(pos, neg, share):
    """Sum over thresholds of the rise of recall times precision, in fractions."""
    share, total = Fraction(share), Fraction(0)
    for (_, _, t0), (_, f1, t1) in pairwise(vertices(pos, neg)):
        if t1 > t0:
            total += (t1 - t0) * share * t1 / (share * t1 + (1 - share) * f1)
    return total


def area(pos, neg, share):
    """Integral of precision over recall by Gauss's rule on each segment."""
    total = 0.0
    for (_, f0, t0), (_, f1, t1) in pairwise(vertices(pos, neg)):
        if t1 > t0:
            f0, f1, t0, t1 = (float(x) for x in (f0, f1, t0, t1))
            t = t0 + (t1 - t0) * (1 + NODES) / 2
            fpr = f0 + (f1 - f0) * (1 + NODES) / 2
            precision = share * t / (share * t + (1 - share) * fpr)
            total += (t1 - t0) / 2 * float(WEIGHTS @ precision)
    return total


def polyline_area(points, share):
    """Integral of precision over recall below a polyline of (FPR, TPR), by Gauss's rule on each piece."""
    return sum(_piece(*ends, share) for ends in pairwise(points))


def polyline_average(points, share, tied):
    """The same, with the precision at the end of pieces that are one score of several cases."""
    total = 0.0
    for ((f0, t0), (f1, t1)), step in zip(pairwise(points), tied, strict=True):
        end = share * t1 / (share * t1 + (1 - share) * f1) if t1 else 0.0
        total += (t1 - t0) * end if step else _piece((f0, t0), (f1, t1), share)
    return total


def _piece(start, end, share):
    (f0, t0), (f1, t1) = start, end
    t = t0 + (t1 - t0) * (1 + NODES) / 2
    fpr = f0 + (f1 - f0) * (1 + NODES) / 2
    return (t1 - t0) / 2 * float(WEIGHTS @ (share * t / (share * t + (1 - share) * fpr))) if t1 > t0 else 0.0


def fiducial_draws(pos, neg, share, n_draws, rng):
    """Average precisions and areas of true curves that fit the ranking, one threshold after the other."""
    cuts = sorted({*pos, *neg}, reverse=True)
    positives, negatives = ([sum(x >= cut for x in part) for cut in cuts[:-1]] for part in (pos, neg))
    tied = [pos.count(cut) + neg.count(cut) > 1 for cut in cuts]
    averages, areas = [], []
    for draw in range(n_draws):
        tprs, fprs = ([0.0, *np.sort(rng.random(len(part))).tolist(), 1.0] for part in (pos, neg))
        own = rng.beta(len(pos) + 0.5, len(neg) + 0.5) if share is None else share
        points = [(0.0, 0.0)]
        for k in range(len(cuts) - 1):
            rates = []
            for counts, known, best in ((negatives, fprs, 0.0), (positives, tprs, 1.0)):
                between = [i for i, count in enumerate(counts) if count == counts[k]]
                at = {0: best, 1: 1 - best}.get(draw % 4, (between.index(k) + 1) / (len(between) + 1))
                low, high = known[counts[k]], known[counts[k] + 1]
                rates.append(low + at * (high - low))
            points.append(tuple(rates))
        points.append((1.0, 1.0))
        areas.append(polyline_area(points, own))
        averages.append(polyline_average(points, own, tied))
    return averages, areas
