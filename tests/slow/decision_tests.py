"""Tests on decisions and ranks the long way: case by case, in fractions, over all partitions."""

from fractions import Fraction
from itertools import product
from math import comb


def mcnemar_p(wrong_a, wrong_b):
    """Every outcome of the cases on which one alone is right, counted if it is no more likely."""
    first = sum(b and not a for a, b in zip(wrong_a, wrong_b, strict=True))
    n = sum(a != b for a, b in zip(wrong_a, wrong_b, strict=True))
    return float(sum(Fraction(comb(n, k), 2**n) for k in range(n + 1) if comb(n, k) <= comb(n, first)))


def mcnemar_statistic(wrong_a, wrong_b):
    first = sum(b and not a for a, b in zip(wrong_a, wrong_b, strict=True))
    second = sum(a and not b for a, b in zip(wrong_a, wrong_b, strict=True))
    if first == second:
        return 0.0
    return float(Fraction((abs(first - second) - 1) ** 2, first + second))


def cochran_statistic(wrong):
    """Variance of the classifiers' errors over the mean variance within the cases, times cases."""
    k, n = len(wrong), len(wrong[0])
    totals = [sum(map(int, row)) for row in wrong]
    middle = Fraction(sum(totals), k)
    between = sum((total - middle) ** 2 for total in totals)
    within = Fraction(0)
    for i in range(n):
        share = Fraction(sum(int(row[i]) for row in wrong), k)
        within += sum((int(row[i]) - share) ** 2 for row in wrong) / (k - 1)
    return float(between / within) if within else 0.0


def shaffer(p_values, n_groups):
    """Adjusted p-values of all pairs; which hypotheses can be true together is seen in all partitions."""
    counts = set()
    for groups in product(range(n_groups), repeat=n_groups):
        counts.add(sum(groups[i] == groups[j] for j in range(n_groups) for i in range(j)))
    order = sorted(range(len(p_values)), key=lambda k: p_values[k])
    adjusted, largest = [0.0] * len(p_values), 0.0
    for step, k in enumerate(order):
        left = len(p_values) - step
        factor = max(count for count in counts if count <= left)
        largest = max(largest, factor * p_values[k])
        adjusted[k] = min(1.0, largest)
    return adjusted


def quade_statistic(values):
    """Quade's F in fractions; None where all data sets rank alike. Values must be whole numbers."""
    n, k = len(values), len(values[0])
    ranges = [max(row) - min(row) for row in values]
    weights = [_rank(one, ranges) for one in ranges]
    scores = [
        [weight * (_rank(value, row) - Fraction(k + 1, 2)) for value in row]
        for weight, row in zip(weights, values, strict=True)
    ]
    total = sum(score**2 for row in scores for score in row)
    between = sum(sum(row[j] for row in scores) ** 2 for j in range(k)) / Fraction(n)
    if total == between:
        return None if total else 0.0
    return float((n - 1) * between / (total - between))


def _rank(value, among):
    """Mean rank, the smallest first."""
    below, equal = sum(other < value for other in among), sum(other == value for other in among)
    return below + Fraction(equal + 1, 2)
