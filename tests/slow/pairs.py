"""Areas and their variances by their definitions: every pair of cases is looked at, sums are fractions.

Scores may be anything Python compares exactly: floats, integers of any length, fractions.
"""

from fractions import Fraction
from itertools import combinations

HALF = Fraction(1, 2)


def kernel(x, y):
    """1 if the positive's score is larger, 1/2 if the two are equal, else 0."""
    return Fraction(1) if x > y else HALF if x == y else Fraction(0)


def split(y, scores):
    """Scores of the positives and of the negatives as exact Python numbers."""
    values = scores.tolist() if hasattr(scores, "tolist") else list(scores)
    pos = [value for label, value in zip(y, values, strict=True) if label]
    return pos, [value for label, value in zip(y, values, strict=True) if not label]


def area(pos, neg):
    """Share of the pairs (positive, negative) that the scores order rightly."""
    return sum(kernel(x, y) for x in pos for y in neg) / (len(pos) * len(neg))


def weighted_area(y, scores, weights):
    """The same with each case counted as often as its weight says, which may be a fraction."""
    exact = [Fraction(w) for w in weights]
    cases = list(zip(y, scores, exact, strict=True))
    pos = [(s, w) for label, s, w in cases if label]
    neg = [(s, w) for label, s, w in cases if not label]
    right = sum(v * w * kernel(x, z) for x, v in pos for z, w in neg)
    return right / (sum(w for _, w in pos) * sum(w for _, w in neg))


def table_area(pos, neg):
    """Area from counts per score, best score first; counts may be of any length."""
    right, below = 0, sum(neg)
    for p, n in zip(pos, neg, strict=True):
        below -= n
        right += p * (2 * below + n)
    return Fraction(right, 2 * sum(pos) * sum(neg))


def placements(pos, neg):
    """Share of the negatives below each positive, and of the positives above each negative."""
    of_pos = [sum(kernel(x, y) for y in neg) / len(neg) for x in pos]
    return of_pos, [sum(kernel(x, y) for x in pos) / len(pos) for y in neg]


def covariance(a, b):
    """Sample covariance with n - 1."""
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    return sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True)) / (len(a) - 1)


def delong_covariance(y, first, second):
    """Covariance of the areas of two score columns: cov(V10) / m + cov(V01) / n."""
    pos_a, neg_a = placements(*split(y, first))
    pos_b, neg_b = placements(*split(y, second))
    return covariance(pos_a, pos_b) / len(pos_a) + covariance(neg_a, neg_b) / len(neg_a)


def delong_variance(y, scores):
    return delong_covariance(y, scores, scores)


def difference_variance(y, first, second):
    """Variance of the difference of two areas from the differences of the placements."""
    pos_a, neg_a = placements(*split(y, first))
    pos_b, neg_b = placements(*split(y, second))
    of_pos = [a - b for a, b in zip(pos_a, pos_b, strict=True)]
    of_neg = [a - b for a, b in zip(neg_a, neg_b, strict=True)]
    return covariance(of_pos, of_pos) / len(of_pos) + covariance(of_neg, of_neg) / len(of_neg)


def holm(p_values):
    """Holm's adjustment: the k-th smallest of n counts n - k + 1 fold, and none less than one before it."""
    tests = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    adjusted = [None] * len(p_values)
    for rank, (_, i) in enumerate(tests):
        steps = [(len(tests) - k) * p for k, (p, _) in enumerate(tests[: rank + 1])]
        adjusted[i] = min(1.0, max(steps))
    return adjusted


def chi_square(areas, covariances, contrasts):
    """(L A)' (L S L')^-1 (L A) in fractions, for contrasts that leave L S L' regular."""
    effect = [_dot(row, areas) for row in contrasts]
    spread = [[_dot(a, [_dot(line, b) for line in covariances]) for b in contrasts] for a in contrasts]
    return _dot(effect, _solve(spread, effect))


def _dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def _solve(matrix, right):
    """Gauss and Jordan, in fractions."""
    rows = [[Fraction(x) for x in row] + [Fraction(r)] for row, r in zip(matrix, right, strict=True)]
    for k in range(len(rows)):
        pivot = next(i for i in range(k, len(rows)) if rows[i][k] != 0)
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in set(range(len(rows))) - {k}:
            rows[i] = [x - rows[i][k] * z for x, z in zip(rows[i], rows[k], strict=True)]
    return [row[-1] for row in rows]


def all_pairs(items):
    return list(combinations(items, 2))
