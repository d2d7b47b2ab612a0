"""Areas of all rankings with a given number of errors: all written down, or counted in fractions."""

from bisect import bisect_left
from fractions import Fraction
from itertools import combinations
from math import comb, floor, fsum, sqrt
from statistics import NormalDist

SIZES = [(3, 4), (5, 3), (4, 6), (2, 7)]


def areas_by_errors(m, n):
    """Lists of the areas of every ranking with every threshold, one list per number of errors."""
    found = [[] for _ in range(m + n + 1)]
    for places in combinations(range(m + n), m):  # ranks of the positives, best first
        positive = [rank in places for rank in range(m + n)]
        right = sum(not later for i, p in enumerate(positive) if p for later in positive[i + 1 :])
        for called in range(m + n + 1):
            errors = positive[:called].count(False) + positive[called:].count(True)
            found[errors].append(Fraction(right, m * n))
    return found


def mean_and_variance(values):
    mean = sum(values) / len(values)
    return mean, sum((value - mean) ** 2 for value in values) / len(values)


def mixture(k, m, n):
    """The same moments by counting: x of the k errors are false positives."""
    parts = []
    for x in range(max(0, k - m), min(k, n) + 1):
        weight = comb(m - k + 2 * x, x) * comb(n + k - 2 * x, k - x)
        mean = 1 - (Fraction(k - x, m) + Fraction(x, n)) / 2
        above, below = (m - k + x) * x * (m - k + 2 * x + 1), (n - x) * (k - x) * (n + k - 2 * x + 1)
        parts.append((weight, mean, Fraction(above + below, 12 * m**2 * n**2)))
    total = sum(weight for weight, _, _ in parts)
    mean = sum(weight * part for weight, part, _ in parts) / total
    return mean, sum(w * (within + (part - mean) ** 2) for w, part, within in parts) / total


def long_mixture(k, m, n):
    """The same in doubles, from the heaviest x outwards: each weight is its neighbour's times a ratio.

    For long mixtures with one peak; good to 12 figures.
    """

    def ratio(x):  # of the weight of x + 1 to that of x
        a, b, j = m - k + 2 * x, n + k - 2 * x, k - x
        return (a + 2) * (a + 1) / ((x + 1) * (a - x + 1)) * (j * (b - j) / (b * (b - 1)))

    first, last = max(0, k - m), min(k, n)
    peak = bisect_left(range(first, last), True, key=lambda x: ratio(x) <= 1) + first
    weights = {peak: 1.0}
    for x in range(peak, last):
        weights[x + 1] = weights[x] * ratio(x)
        if weights[x + 1] < 1e-20:
            break
    for x in range(peak, first, -1):
        weights[x - 1] = weights[x] / ratio(x - 1)
        if weights[x - 1] < 1e-20:
            break
    total, slope = fsum(weights.values()), (1 / n - 1 / m) / 2
    centre = fsum(w * x for x, w in weights.items()) / total
    spread = fsum(w * (x - centre) ** 2 for x, w in weights.items()) / total
    within = fsum(
        w * ((m - k + x) * x * (m - k + 2 * x + 1) + (n - x) * (k - x) * (n + k - 2 * x + 1))
        for x, w in weights.items()
    )
    return 1 - k / (2 * m) - slope * centre, within / total / (12 * m**2 * n**2) + slope**2 * spread


def closed_mean(k, m, n):
    """Cortes and Mohri's closed form of the mean, right for k <= min(m, n)."""
    N = m + n
    share = Fraction(sum(comb(N, j) for j in range(k)), sum(comb(N + 1, j) for j in range(k + 1)))
    return 1 - Fraction(k, N) - Fraction((n - m) ** 2 * (N + 1), 4 * m * n) * (Fraction(k, N) - share)


def interval(k, m, n, level, alternative, share_of_area=None):
    """Cortes and Mohri's interval, each count of the range tried; normal from 100 cases on."""
    N, e1 = m + n, 1 - sqrt(level)
    sides = 2 if alternative == "two-sided" else 1
    e2 = e1 if share_of_area is None else share_of_area
    far = {e: sqrt(1 / e) if sides == 2 else sqrt(1 / e - 1) for e in (e1, e2)}
    spread = NormalDist().inv_cdf(1 - e1 / sides) if N >= 100 else far[e1]
    reach = floor(spread * sqrt(N) / 2)
    first = 0 if alternative == "greater" else max(0, k - reach)
    last = N if alternative == "less" else min(N, k + reach)
    moments = [mixture(j, m, n) for j in range(first, last + 1)]
    low = min(float(mean) - far[e2] * sqrt(variance) for mean, variance in moments)
    high = max(float(mean) + far[e2] * sqrt(variance) for mean, variance in moments)
    return (
        0.0 if alternative == "less" else max(0.0, low),
        1.0 if alternative == "greater" else min(1.0, high),
    )
