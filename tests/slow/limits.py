"""Probability that sorted uniform variables lie within limits, by Steck's determinant in exact fractions."""

from fractions import Fraction
from math import factorial


def steck(low, high):
    """n! det[(high_i - low_j)_+^(j - i + 1) / (j - i + 1)!], 0 below the first subdiagonal (Steck 1971)."""
    n = len(low)
    rows = [[entry(Fraction(high[i]) - Fraction(low[j]), j - i + 1) for j in range(n)] for i in range(n)]
    return factorial(n) * determinant(rows)


def entry(gap, power):
    return Fraction(0) if power < 0 or gap <= 0 else gap**power / factorial(power)


def determinant(rows):
    """By elimination."""
    rows, value = [row[:] for row in rows], Fraction(1)
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k] != 0), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            rows[k], rows[pivot], value = rows[pivot], rows[k], -value
        value *= rows[k][k]
        for row in rows[k + 1 :]:
            share = row[k] / rows[k][k]
            row[k:] = [a - share * b for a, b in zip(row[k:], rows[k][k:], strict=True)]
    return value
