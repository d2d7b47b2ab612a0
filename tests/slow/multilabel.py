"""Averages over labels by their definitions, in fractions, entry by entry.

`y` and `scores` are lists of rows, one entry per label.
"""

from fractions import Fraction
from math import sqrt

from slow.pairs import kernel


def area(entries):
    """Area of entries (0 or 1, score); None with one class alone."""
    pos, neg = ([s for y, s in entries if y == side] for side in (1, 0))
    if not pos or not neg:
        return None
    return sum((kernel(p, n) for p in pos for n in neg), Fraction(0)) / (len(pos) * len(neg))


def column(y, scores, label):
    return [(row[label], values[label]) for row, values in zip(y, scores, strict=True)]


def average(y, scores, kind):
    """The average as it is defined; None where a part of it is undefined."""
    labels = range(len(y[0]))
    if kind == "micro":
        return area([entry for label in labels for entry in column(y, scores, label)])
    if kind == "samples":
        parts = [
            (area(list(zip(row, values, strict=True))), 1) for row, values in zip(y, scores, strict=True)
        ]
    else:
        weights = [sum(row[label] for row in y) if kind == "weighted" else 1 for label in labels]
        parts = [(area(column(y, scores, label)), weights[label]) for label in labels]
    if any(part is None for part, _ in parts):
        return None
    return sum(part * weight for part, weight in parts) / sum(weight for _, weight in parts)


def standard_error(y, scores, kind):
    """Root of the sum over cases of the square of how far each moves the average."""
    n, labels = len(y), range(len(y[0]))
    whole = sqrt(n / (n - 1))
    value = average(y, scores, kind)
    moves = []
    for case in range(n):
        if kind == "samples":
            of_case = area(list(zip(y[case], scores[case], strict=True)))
            moves.append(whole * float(of_case - value) / n)
        elif kind == "micro":
            entries = [entry for label in labels for entry in column(y, scores, label)]
            own = list(zip(y[case], scores[case], strict=True))
            with_side = [sum(side in row for row in y) for side in (0, 1)]
            moves.append(sum(_move(entry, entries, with_side[entry[0]]) for entry in own))
        else:
            n_pos = [sum(row[label] for row in y) for label in labels]
            weights = n_pos if kind == "weighted" else [1] * len(n_pos)
            move = 0.0
            for label in labels:
                entries, own = column(y, scores, label), (y[case][label], scores[case][label])
                size = n_pos[label] if own[0] else n - n_pos[label]
                move += weights[label] * _move(own, entries, size)
                if kind == "weighted" and own[0]:
                    move += whole * float(area(entries) - value)
            moves.append(move / sum(weights))
    return sqrt(sum(move**2 for move in moves))


def _move(own, entries, cases):
    """Deviation of the placement of an entry over the size of its class; `cases` have such an entry."""
    side, score = own
    others = [s for y, s in entries if y != side]
    size = sum(y == side for y, _ in entries)
    placement = sum(kernel(score, s) if side else kernel(s, score) for s in others) / Fraction(len(others))
    return float(placement - area(entries)) / size * sqrt(cases / (cases - 1))
