"""Tests between two learners by counting: every sign vector and every rank sum written out."""

from fractions import Fraction
from itertools import product


def sign_vectors(n):
    """All vectors of n signs."""
    return product((-1, 1), repeat=n)


def tail(values, observed, alternative):
    """Share of the equally likely values at least as extreme as the observed one."""
    if alternative == "two-sided":
        smaller = min(tail(values, observed, "less"), tail(values, observed, "greater"))
        return min(Fraction(1), 2 * smaller)
    reached = [value <= observed if alternative == "less" else value >= observed for value in values]
    return Fraction(sum(reached), len(values))


def mean_ranks(sizes):
    """Rank of each size, equal ones share the mean of theirs."""
    return [
        Fraction(sum(other < size for other in sizes) + sum(other <= size for other in sizes) + 1, 2)
        for size in sizes
    ]


def wilcoxon(differences, alternative):
    """Sum of the positive ranks of the differences other than zero, and its tail over all signs."""
    kept = [d for d in differences if d != 0]
    ranks = mean_ranks([abs(d) for d in kept])
    observed = sum(rank for rank, d in zip(ranks, kept, strict=True) if d > 0)
    sums = [
        sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign > 0)
        for signs in sign_vectors(len(kept))
    ]
    return observed, tail(sums, observed, alternative)


def permutation(differences, alternative):
    """Tail of the sum over all sign vectors; two-sided by the size of the sum."""
    sums = [
        sum(sign * d for sign, d in zip(signs, differences, strict=True))
        for signs in sign_vectors(len(differences))
    ]
    observed = sum(differences)
    if alternative == "two-sided":
        return Fraction(sum(abs(value) >= abs(observed) for value in sums), len(sums))
    if all(d == 0 for d in differences):
        return Fraction(1)
    return tail(sums, observed, alternative)


def sign(differences, alternative):
    """Number of positive differences among those other than zero, and its tail over all signs."""
    kept = [d for d in differences if d != 0]
    counts = [sum(s > 0 for s in signs) for signs in sign_vectors(len(kept))]
    observed = sum(d > 0 for d in kept)
    return observed, tail(counts, observed, alternative)
