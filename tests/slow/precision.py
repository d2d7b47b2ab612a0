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
