"""Bins by hand: every order of the cases within every bin, with ties, and its area and standard error."""

from itertools import product
from math import floor, sqrt


def cells(labels, scores, step):
    """The cases by cell: {number of the cell: (positives, negatives)}."""
    found = {}
    for label, score in zip(labels, scores, strict=True):
        pos, neg = found.setdefault(floor(score / step), ([], []))
        (pos if label else neg).append(score)
    return found


def arrangements(counts, levels):
    """All ways to give the cases of bins, (positives, negatives) ascending, scores that stay in the bins.

    `levels` scores are possible within each bin; enough of them make every order and every tie.
    """
    places = [k + (j + 1) / (levels + 1) for k, _ in enumerate(counts) for j in range(levels)]
    choices = []
    for k, (p, n) in enumerate(counts):
        own = [place for place in places if floor(place) == k]
        choices += [own] * (p + n)
    labels = [label for p, n in counts for label in [1] * p + [0] * n]
    for scores in product(*choices):
        yield labels, list(scores)


def area_and_error(labels, scores):
    """The area, and DeLong's standard error from the placements themselves."""
    pos = [s for s, y in zip(scores, labels, strict=True) if y]
    neg = [s for s, y in zip(scores, labels, strict=True) if not y]
    above = [sum(pairs_value(p, n) for n in neg) / len(neg) for p in pos]
    below = [sum(pairs_value(p, n) for p in pos) / len(pos) for n in neg]
    return sum(above) / len(above), sqrt(spread(above) + spread(below))


def pairs_value(positive, negative):
    """One for a positive above a negative, one half for a tie."""
    return 1.0 if positive > negative else 0.5 if positive == negative else 0.0


def spread(values):
    """Variance of the mean."""
    middle = sum(values) / len(values)
    return sum((value - middle) ** 2 for value in values) / (len(values) - 1) / len(values)
