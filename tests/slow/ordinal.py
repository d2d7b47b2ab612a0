"""Ordinal classes by the formulas as they are printed: every case, every pair of thresholds, every tuple.

`o` holds the true class of each case as a number, `e` its estimate; areas and shares are fractions.
"""

import math
import statistics
from fractions import Fraction
from itertools import groupby, pairwise, product

import numpy as np


def equidistant(classes, n):
    return [[c + (d - c) * j / (n + 1) for j in range(1, n + 1)] for c, d in pairwise(classes)]


def distinct(classes, e):
    return [sorted({x for x in e if c < x < d}) for c, d in pairwise(classes)]


def thresholds_of(classes, gaps, i):
    """Lower and upper thresholds of a class; infinite beside the first and the last."""
    lower = gaps[i - 1] if i else [-math.inf]
    upper = gaps[i] if i < len(gaps) else [math.inf]
    return lower, upper


def true_positives(o, e, a, b):
    """TP(t_a, t_b) = |{e_j : (t_a <= e_j <= t_b) & (t_a <= o_j <= t_b)}|."""
    return sum(a <= x <= b and a <= c <= b for c, x in zip(o, e, strict=True))


def false_positives(o, e, a, b):
    """FP(t_a, t_b) = |{e_j : (t_a <= e_j <= t_b) & (o_j < t_a or t_b < o_j)}|."""
    return sum(a <= x <= b and (c < a or b < c) for c, x in zip(o, e, strict=True))


def points(o, e, classes, gaps, i):
    """Matrices of TP and FP over (lower, upper)."""
    lower, upper = thresholds_of(classes, gaps, i)
    tp = [[true_positives(o, e, a, b) for b in upper] for a in lower]
    fp = [[false_positives(o, e, a, b) for b in upper] for a in lower]
    return tp, fp


def closed(rates, closure):
    """A curve from (0, 0), through its points (FPR, TPR) in rising order, to its closing point."""
    rising = sorted(rates)
    if closure == "none":
        return [rising[0], *rising, rising[-1]]
    return [
        (Fraction(0), Fraction(0)),
        *rising,
        (Fraction(1), Fraction(1) if closure == "diagonal" else rising[-1][1]),
    ]


def trapezoid(curve):
    return sum((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in pairwise(curve))


def curves(o, e, classes, gaps, i, fixed, closure):
    """Curves of a class: one per fixed threshold; a single one for the first and the last class."""
    tp, fp = points(o, e, classes, gaps, i)
    n_pos = sum(c == classes[i] for c in o)
    n_neg = len(o) - n_pos
    rates = [
        [(Fraction(f, n_neg), Fraction(t, n_pos)) for f, t in zip(row_f, row_t, strict=True)]
        for row_f, row_t in zip(fp, tp, strict=True)
    ]
    if (fixed == "upper" or i == len(classes) - 1) and i > 0:
        rates = [list(column) for column in zip(*rates, strict=True)]
    return [closed(row, closure) for row in rates]


def max_and_avg(o, e, classes, gaps, i, fixed="lower", closure="diagonal"):
    areas = [trapezoid(curve) for curve in curves(o, e, classes, gaps, i, fixed, closure)]
    return max(areas), sum(areas) / len(areas)


def front(o, e, classes, gaps, i):
    """Points (FP, TP) that no other pair of thresholds betters."""
    tp, fp = points(o, e, classes, gaps, i)
    found = {(f, t) for row_f, row_t in zip(fp, tp, strict=True) for f, t in zip(row_f, row_t, strict=True)}
    return sorted(
        (f, t) for f, t in found if not any(g <= f and s >= t and (g, s) != (f, t) for g, s in found)
    )


def volume(o, e, classes):
    """Share of the tuples, one case per class, that rise; a run of k equal estimates counts 1 / k!."""
    parts = [[x for c, x in zip(o, e, strict=True) if c == value] for value in classes]
    right = sum((rising(chosen) for chosen in product(*parts)), Fraction(0))
    return right / math.prod(map(len, parts))


def rising(chosen):
    if any(x > y for x, y in pairwise(chosen)):
        return Fraction(0)
    return Fraction(1, math.prod(math.factorial(len(list(run))) for _, run in groupby(chosen)))


def confusion(o, e, classes, cuts):
    """Cases by true and by decided class: as many cuts as the estimate reaches lie below it."""
    table = [[0] * len(classes) for _ in classes]
    for c, x in zip(o, e, strict=True):
        table[list(classes).index(c)][sum(x >= t for t in cuts)] += 1
    return table


def mean_cost(table, cost):
    n = sum(map(sum, table))
    pairs = zip(table, cost, strict=True)
    return sum(k * Fraction(c) for row, costs in pairs for k, c in zip(row, costs, strict=True)) / n


def error(table):
    return 1 - Fraction(sum(table[i][i] for i in range(len(table))), sum(map(sum, table)))


def kappa(table):
    """1 - found / expected disagreement, quadratic in the places of the classes."""
    c, n = len(table), sum(map(sum, table))
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    places = [(i, j) for i in range(c) for j in range(c)]
    found = sum((i - j) ** 2 * Fraction(table[i][j], n) for i, j in places)
    expected = sum((i - j) ** 2 * Fraction(rows[i] * columns[j], n * n) for i, j in places)
    return 1 - found / expected


def best_cuts(o, e, classes, candidates, value):
    """Least value over every rising choice of one candidate per gap."""
    choices = [cuts for cuts in product(*candidates) if all(s <= t for s, t in pairwise(cuts))]
    return min(value(confusion(o, e, classes, cuts)) for cuts in choices)


def literal_point(o, e, a, b):
    """The paper's formulas as whole-array NumPy, without the idea of cumulative counts: for the benchmark."""
    inside = (a <= e) & (e <= b)
    own = (a <= o) & (o <= b)
    return int(np.count_nonzero(inside & own)), int(np.count_nonzero(inside & ((o < a) | (b < o))))


# ---- Twins of the compiled loops --------------------------------------------------------------------------


def code(labels):
    """Number of each label by when it first comes, the distinct labels, and how many cases have each."""
    found = list(dict.fromkeys(labels))
    return [found.index(label) for label in labels], found, [labels.count(label) for label in found]


def group(codes, n_classes, estimates):
    grouped = [[] for _ in range(n_classes)]
    for k, estimate in zip(codes, estimates, strict=True):
        grouped[k].append(estimate)
    return [x for part in grouped for x in part]


def count_below(lower, upper):
    return [sum(x < y for x in lower) for y in upper]


def chains(parts, x):
    """Share of the tuples, one case of each class, that rise and end below x; runs counted as in `volume`."""
    tuples = list(product(*parts))
    return sum((rising(chosen) for chosen in tuples if chosen[-1] < x), Fraction(0)) / len(tuples)


def best_by_false_positives(pos_below, neg_below, pos_upto, neg_upto, n_neg):
    most = [-1] * (n_neg + 1)
    for a, b in zip(pos_below, neg_below, strict=True):
        for c, d in zip(pos_upto, neg_upto, strict=True):
            most[d - b] = max(most[d - b], c - a)
    return most


def paired_tests(o, first, second, classes, gaps, drawn, **how):
    """Differences of MaxAUC and AvgAUC of every class with standard error, z and p; rows drawn for both."""
    tests = []
    for area in (0, 1):
        for i in range(len(classes)):
            observed = _difference(o, first, second, classes, gaps, i, area, how)
            replicates = [
                float(
                    _difference(
                        *([column[row] for row in rows] for column in (o, first, second)),
                        classes,
                        gaps,
                        i,
                        area,
                        how,
                    )
                )
                for rows in drawn
            ]
            se = statistics.stdev(replicates)
            z = float(observed) / se if se > 1e-14 else 0.0
            tests.append((float(observed), se, z, math.erfc(abs(z) / math.sqrt(2))))
    return tests


def _difference(o, first, second, classes, gaps, i, area, how):
    one, two = (max_and_avg(o, e, classes, gaps, i, **how)[area] for e in (first, second))
    return one - two


def holm(p_values):
    """The smallest p-value times their number, the next one times one less, each no less than the last."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted, least = [0.0] * len(order), 0.0
    for k, place in enumerate(order):
        least = adjusted[place] = max(least, min(1.0, p_values[place] * (len(order) - k)))
    return adjusted


def rank_scale(o, e):
    """Estimates by their place among all: a class's share of the places goes half-way to its neighbours."""
    classes = sorted(set(o))
    mapped = []
    for x in e:
        share = Fraction(2 * sum(z < x for z in e) + sum(z == x for z in e), 2 * len(e))
        begin = Fraction(0)
        for k, c in enumerate(classes):
            width = Fraction(o.count(c), len(o))
            below = Fraction(c - classes[k - 1] if k else classes[1] - classes[0]) / 2
            above = Fraction(classes[k + 1] - c if k + 1 < len(classes) else c - classes[k - 1]) / 2
            if share < begin + width or k + 1 == len(classes):
                middle = begin + width / 2
                reach = above if share >= middle else below
                mapped.append(Fraction(c) + (share - middle) / (width / 2) * reach)
                break
            begin += width
    return [float(x) for x in mapped]


def isotonic(e, o):
    """The distinct estimates and max over starts of min over ends of the mean class in between."""
    distinct = sorted(set(e))
    at = [[Fraction(c) for c, x in zip(o, e, strict=True) if x == value] for value in distinct]

    def mean(i, j):
        members = [c for part in at[i : j + 1] for c in part]
        return sum(members) / len(members)

    places = range(len(distinct))
    fitted = [max(min(mean(i, j) for j in places if j >= k) for i in places if i <= k) for k in places]
    return distinct, [float(x) for x in fitted]
