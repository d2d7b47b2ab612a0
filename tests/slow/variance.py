"""Variances of the area by their definitions, in fractions: every pair and every sample is looked at."""

from fractions import Fraction
from itertools import permutations, product
from math import prod

from slow.pairs import area, kernel


def mean(values):
    values = list(values)
    return Fraction(sum(values)) / len(values)


def two_positives(pos, neg):
    """Q1: two different positives against one negative."""
    return mean(kernel(a, y) * kernel(b, y) for a, b in permutations(pos, 2) for y in neg)


def two_negatives(pos, neg):
    """Q2: one positive against two different negatives."""
    return mean(kernel(x, a) * kernel(x, b) for x in pos for a, b in permutations(neg, 2))


def score_variance(true, m, n):
    """Newcombe (2006), method 5: the variance of the area at a true area."""
    mean_size = (m + n) / 2
    bracket = 1 + (mean_size - 1) * ((1 - true) / (2 - true) + true / (1 + true))
    return true * (1 - true) / (m * n) * bracket


def score_factor(area, variance, m, n):
    """How much of the estimated variance counts: all where it is large, less with few misranked cases."""
    ratio = variance / score_variance(area, m, n)
    if ratio >= 1:
        return ratio
    misranked = min(m, n) * min(area, 1 - area)
    return (misranked * ratio + 2) / (misranked + 2)


def square(pos, neg):
    return mean(kernel(x, y) ** 2 for x in pos for y in neg)


def disjoint(pos, neg):
    """Mean product over two pairs that share no case: unbiased for the squared area."""
    couples = list(permutations(neg, 2))
    return mean(kernel(a, c) * kernel(b, d) for a, b in permutations(pos, 2) for c, d in couples)


def unbiased(pos, neg):
    """Every part of m n Var replaced by its unbiased estimate."""
    m, n, squared = len(pos), len(neg), disjoint(pos, neg)
    parts = square(pos, neg) + (m - 1) * two_positives(pos, neg) + (n - 1) * two_negatives(pos, neg)
    return (parts - (m + n - 1) * squared) / (m * n)


def plug_in(pos, neg):
    """The same with the squared estimate for the squared area: too small by (m - 1)(n - 1) / (m n)."""
    m, n, squared = len(pos), len(neg), area(pos, neg) ** 2
    parts = square(pos, neg) + (m - 1) * two_positives(pos, neg) + (n - 1) * two_negatives(pos, neg)
    return (parts - (m + n - 1) * squared) / (m * n)


def hanley_mcneil_ratings(pos, neg):
    """Hanley and McNeil's own Q1 and Q2 from counts per rating, lowest first.

    Tied triples count one third, as if ties were broken by further digits of the scores; divisors are
    those of sampling with replacement, and A (1 - A) is that of scores without ties.
    """
    m, n = sum(pos), sum(neg)
    grid = range(len(pos))
    a = table_area(pos, neg)
    q1 = sum(neg[r] * _third(sum(pos[r + 1 :]), pos[r]) for r in grid) / (n * m**2)
    q2 = sum(pos[r] * _third(sum(neg[:r]), neg[r]) for r in grid) / (m * n**2)
    return (a * (1 - a) + (m - 1) * (q1 - a**2) + (n - 1) * (q2 - a**2)) / (m * n)


def table_area(pos, neg):
    wins = sum(pos[r] * (sum(neg[:r]) + Fraction(neg[r], 2)) for r in range(len(pos)))
    return wins / (sum(pos) * sum(neg))


def _third(beyond, tied):
    return beyond**2 + beyond * tied + Fraction(tied**2, 3)


def unexplained(pos, neg):
    """Sum of squares of the comparisons that the effects of positives and of negatives leave over."""
    of_pos = [mean(kernel(x, y) for y in neg) for x in pos]
    of_neg = [mean(kernel(x, y) for x in pos) for y in neg]
    a = area(pos, neg)
    cells = product(zip(pos, of_pos, strict=True), zip(neg, of_neg, strict=True))
    return sum((kernel(x, y) - p - q + a) ** 2 for (x, p), (y, q) in cells)


def samples(law_pos, law_neg, m, n):
    """Every sample of m and n from two laws (value -> probability), with its probability."""
    for pos in product(law_pos, repeat=m):
        for neg in product(law_neg, repeat=n):
            yield prod(law_pos[x] for x in pos) * prod(law_neg[y] for y in neg), pos, neg


def true_variance(law_pos, law_neg, m, n):
    """Variance of the empirical area over all samples."""
    weighted = [(p, area(pos, neg)) for p, pos, neg in samples(law_pos, law_neg, m, n)]
    centre = sum(p * a for p, a in weighted)
    return sum(p * (a - centre) ** 2 for p, a in weighted)


def expectation(estimate, law_pos, law_neg, m, n):
    """Mean of an estimate over all samples."""
    return sum(p * estimate(pos, neg) for p, pos, neg in samples(law_pos, law_neg, m, n))


def max_variance(area, m, n):
    """Largest variance that any two distributions with this area can give (Birnbaum and Klose 1957).

    The empirical area is an average over all ways to form min(m, n) disjoint pairs; those of one way
    are independent and each has at most the variance A (1 - A). It is reached where all scores of the
    larger class lie between two values of the smaller.
    """
    return area * (1 - area) / min(m, n)
