"""Multi-class areas by their definitions, in fractions; and the data of tests/reference/multiclass.json.

`cases` maps each class to the score rows of its cases; a row holds one score per class, in class order.
"""

from fractions import Fraction
from itertools import combinations

from slow.pairs import kernel

TICKS = 1024


def group(y, scores, classes):
    """Score rows of each class."""
    return {name: [row for label, row in zip(y, scores, strict=True) if label == name] for name in classes}


def directed_area(cases, i, j):
    """A(i|j): share of the pairs in which the case of i has the larger score for i."""
    column = list(cases).index(i)
    right = sum(kernel(x[column], z[column]) for x in cases[i] for z in cases[j])
    return right / (len(cases[i]) * len(cases[j]))


def pair_area(cases, i, j):
    return (directed_area(cases, i, j) + directed_area(cases, j, i)) / 2


def rest_area(cases, i):
    """Share of the pairs of a case of i and a case of any other class that the score for i orders rightly."""
    column = list(cases).index(i)
    rest = [row for name, rows in cases.items() if name != i for row in rows]
    return sum(kernel(x[column], z[column]) for x in cases[i] for z in rest) / (len(cases[i]) * len(rest))


def parts(cases, scheme, average):
    """Area and weight of every pair or class."""
    n = {name: len(rows) for name, rows in cases.items()}
    if scheme == "ovo":
        found = [(pair_area(cases, i, j), n[i] + n[j]) for i, j in combinations(cases, 2)]
    else:
        found = [(rest_area(cases, i), n[i]) for i in cases]
    return [(area, Fraction(weight if average == "weighted" else 1)) for area, weight in found]


def average_area(cases, scheme, average):
    found = parts(cases, scheme, average)
    return sum(area * weight for area, weight in found) / sum(weight for _, weight in found)


def fixed_shares(cases, scheme, average):
    """How much of the average each A(i|j) is: a function of the class sizes."""
    n = {name: Fraction(len(rows)) for name, rows in cases.items()}
    total, pairs = sum(n.values()), len(n) * (len(n) - 1) // 2
    if scheme == "ovo" and average == "macro":
        return {(i, j): Fraction(1, 2 * pairs) for i in n for j in n if i != j}
    if scheme == "ovo":  # every class is in C - 1 pairs
        return {(i, j): (n[i] + n[j]) / (2 * total * (len(n) - 1)) for i in n for j in n if i != j}
    weight = {i: n[i] / total if average == "weighted" else Fraction(1, len(n)) for i in n}
    return {(i, j): weight[i] * n[j] / (total - n[i]) for i in n for j in n if i != j}


def shared_area(cases, shares):
    return sum(share * directed_area(cases, i, j) for (i, j), share in shares.items())


def jackknife_variance(cases, shares):
    """Delete one case at a time, class by class: sum over classes of (n - 1) / n sum of squared deviations.

    It equals DeLong's variance, because the statistic is linear in the distribution of each class.
    """
    total = Fraction(0)
    for name in {name for pair in shares for name in pair}:
        rows = cases[name]
        without = [shared_area(cases | {name: rows[:k] + rows[k + 1 :]}, shares) for k in range(len(rows))]
        mean = sum(without) / len(rows)
        total += Fraction(len(rows) - 1, len(rows)) * sum((value - mean) ** 2 for value in without)
    return total


def recipe(seed, sizes, shift, levels):
    """Labels 1, 2, ... in blocks, and scores that are multiples of 1/1024; the R script makes the same.

    Noise comes from x -> 16807 x mod 2^31 - 1. With `levels` a row is scaled to whole multiples of
    1/levels that sum to 1, the last class taking what is left; without, rows keep their own scale.
    """
    x, y, rows = seed, [], []
    for label, size in enumerate(sizes, start=1):
        for _ in range(size):
            raw = []
            for column in range(1, len(sizes) + 1):
                x = 16807 * x % (2**31 - 1)
                raw.append(x // 2**21 + 200 + shift * (column == label))
            y.append(label)
            rows.append(_scaled(raw, levels))
    return y, [[ticks / TICKS for ticks in row] for row in rows]


def _scaled(raw, levels):
    if not levels:
        return raw
    units = [levels * value // sum(raw) for value in raw[:-1]]
    return [TICKS // levels * unit for unit in [*units, levels - sum(units)]]


def checksum(scores):
    """Sum of position (from 1, row by row) times score in ticks."""
    flat = [int(score * TICKS) for row in scores for score in row]
    return sum(position * ticks for position, ticks in enumerate(flat, start=1))


# ---- One score of several classes -------------------------------------------------------------------------


def higher_class(cases, i, j, direction):
    """Of the classes i before j the one that should score higher; "auto" takes the larger median."""
    if direction == "auto":
        return i if _median(cases[i]) > _median(cases[j]) else j
    return j if direction == "higher" else i


def one_score_shares(cases, average, direction):
    """How much of the average each A(i|j) is; `cases` hold the same score in every column."""
    n = {name: len(rows) for name, rows in cases.items()}
    shares = {}
    for i, j in combinations(cases, 2):
        higher = higher_class(cases, i, j, direction)
        weight = n[i] + n[j] if average == "weighted" else 1
        shares[higher, j if higher == i else i] = Fraction(weight)
    total = sum(shares.values())
    return {pair: share / total for pair, share in shares.items()}


def _median(rows):
    ascending = sorted(Fraction(row[0]) for row in rows)
    return (ascending[(len(rows) - 1) // 2] + ascending[len(rows) // 2]) / 2
