"""Intervals of proportions by trying every value: where a test of the proportion turns from no to yes."""

import math
from statistics import NormalDist


def at_least(k, n, p):
    """P(X >= k) for n trials, term by term."""
    return math.fsum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))


def bisect(accepts, low, high):
    """The point between `low`, which is not accepted, and `high`, which is."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if accepts(middle) else (middle, high)
    return (low + high) / 2


def tail_of(level, alternative):
    return (1 - level) / 2 if alternative == "two-sided" else 1 - level


def exact(k, n, level=0.95, alternative="two-sided"):
    """Values of p that neither tail of the binomial rejects."""
    tail = tail_of(level, alternative)
    low = 0.0 if k == 0 or alternative == "less" else bisect(lambda p: at_least(k, n, p) > tail, 0, k / n)
    at_most = lambda p: 1 - at_least(k + 1, n, p)  # noqa: E731
    high = 1.0 if k == n or alternative == "greater" else bisect(lambda p: at_most(p) <= tail, k / n, 1)
    return low, high


def wilson(k, n, level=0.95, alternative="two-sided"):
    """Values of p that the score test, with the variance at p, does not reject."""
    z = NormalDist().inv_cdf(1 - tail_of(level, alternative))
    score = lambda p: (k / n - p) / math.sqrt(p * (1 - p) / n)  # noqa: E731
    low = 0.0 if k == 0 or alternative == "less" else bisect(lambda p: score(p) < z, 0, k / n)
    high = 1.0 if k == n or alternative == "greater" else bisect(lambda p: score(p) <= -z, k / n, 1)
    return low, high


def modified_wilson(k, n, level=0.95, alternative="two-sided"):
    """Wilson's, but for 1 or 2 (of more than 50 also 3) of a kind the Poisson rate with tail 1 - level."""
    low, high = wilson(k, n, level, alternative)
    tail = 2 * tail_of(level, alternative)
    few = 2 if n <= 50 else 3

    def rate(count):
        below = lambda mean: math.fsum(math.exp(-mean) * mean**i / math.factorial(i) for i in range(count))  # noqa: E731
        return bisect(lambda mean: 1 - below(mean) > tail, 0, 50) / n

    if alternative != "less" and 1 <= k <= few:
        low = min(rate(k), k / n)
    if alternative != "greater" and 1 <= n - k <= few:
        high = max(1 - rate(n - k), k / n)
    return low, high


BY_NAME = {"exact": exact, "wilson": wilson, "modified-wilson": modified_wilson}


def squared_and_added(terms, interval, level=0.95, alternative="two-sided", same_cases=False):
    """Interval of sum w k / n; terms are (w, k, n). Each term reaches as far as its own interval does."""
    low_of = {"two-sided": "two-sided"}.get(alternative, "greater")
    high_of = {"two-sided": "two-sided"}.get(alternative, "less")
    found = []
    for w, k, n in terms:
        p = k / n
        low, high = interval(k, n, level, low_of)[0], interval(k, n, level, high_of)[1]
        ends = sorted([w * low, w * high])
        found.append((w, p, w * p - ends[0], ends[1] - w * p))
    value = sum(w * p for w, p, _, _ in found)
    ends = []
    for side, sign in ((2, -1), (3, 1)):
        square = 0.0
        for i, one in enumerate(found):
            for j, two in enumerate(found):
                corr = 1.0 if i == j else same_cases * _correlation(one, two)
                square += corr * one[side] * two[side]
        ends.append(value + sign * math.sqrt(max(square, 0)))
    return tuple(ends)


def _correlation(one, two):
    """Of w p and w' p' for two different outcomes of the same cases."""
    (w, p, *_), (v, q, *_) = one, two
    if p in (0, 1) or q in (0, 1) or w * v == 0:
        return 0.0
    return -math.copysign(1, w * v) * math.sqrt(p * q / ((1 - p) * (1 - q)))
