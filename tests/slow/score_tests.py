"""Areas compared by the score: formulas as they are printed, roots by halving."""

import math
from statistics import fmean

from slow import curve_tests, pairs


def model(area, m, n):
    """Newcombe's fifth variance: Hanley and McNeil's with both classes of the mean size."""
    size = (m + n) / 2
    rest = (size - 1) * ((1 - area) / (2 - area) + area / (1 + area))
    return area * (1 - area) / (m * n) * (1 + rest)


def factor(area, variance, m, n):
    """How the estimated variance counts beside that of the model."""
    if area in (0, 1) or variance is None:
        return 1.0
    ratio = variance / model(area, m, n)
    misranked = min(area, 1 - area) * min(m, n)
    return ratio if ratio >= 1 else (misranked * ratio + 2) / (misranked + 2)


def sample(y, scores):
    """Area, and its variance as a function of the true area."""
    pos, neg = pairs.split(y, scores)
    area, m, n = float(pairs.area(pos, neg)), len(pos), len(neg)
    variance = float(pairs.delong_variance(y, scores)) if min(m, n) > 1 else None
    times = factor(area, variance, m, n)
    return area, lambda true: times * model(true, m, n)


def halve(is_low, low, high):
    """Where a condition ends."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if is_low(middle) else (low, middle)
    return (low + high) / 2


def statistic(first, second, difference):
    """z at a true difference; the second area and the first minus the difference have one weighted mean."""
    (a, var_a), (b, var_b) = first, second
    least, most = max(0, -difference), min(1, 1 - difference)
    low, high = sorted(min(max(x, least), most) for x in (a - difference, b))

    def is_low(c):
        return (a - difference - c) * var_b(c) + (b - c) * var_a(c + difference) > 0

    c = halve(is_low, low, high)
    rest = a - b - difference
    return 0.0 if abs(rest) < 1e-14 else rest / math.sqrt(var_a(c + difference) + var_b(c))


def interval(first, second, critical):
    """All differences that are not rejected."""
    observed = first[0] - second[0]

    def kept(difference):
        return abs(statistic(first, second, difference)) <= critical

    low = halve(lambda d: not kept(d), -1 + 1e-9, observed) if observed > -1 else -1.0
    high = halve(kept, observed, 1 - 1e-9) if observed < 1 else 1.0
    return low, high


def heterogeneity(samples):
    """Q of areas that are equal."""
    areas = [area for area, _ in samples]

    def is_low(c):
        return sum((area - c) / variance(c) for area, variance in samples) > 0

    c = halve(is_low, min(areas), max(areas))
    return c, sum((area - c) ** 2 / variance(c) for area, variance in samples)


# ---- Areas of the same cases ------------------------------------------------------------------------------


def rank_correlation(first, second):
    """Pearson's correlation of the midranks; 0 where a score does not vary, 1 where neither does."""
    a, b = curve_tests.midranks(first), curve_tests.midranks(second)
    if len(set(a)) == 1 or len(set(b)) == 1:
        return float(a == b and len(a) > 1)
    centred = [[one - fmean(x) for one in x] for x in (a, b)]
    top = sum(x * y for x, y in zip(*centred, strict=True))
    return top / math.sqrt(math.prod(sum(one * one for one in x) for x in centred))


def paired_correlation(y, first, second):
    """DeLong's correlation and that of the ranks, by the misranked cases of the better curve."""
    both = [pairs.split(y, scores) for scores in (first, second)]
    (m, n), areas = map(len, both[0]), [float(pairs.area(*split)) for split in both]
    ranks = fmean(rank_correlation(both[0][k], both[1][k]) for k in (0, 1))
    q, area = ranks * (m + n) / (m + n + 2), fmean(areas)
    if 0 < area < 1:
        q = curve_tests.area_correlation(q, area, m, n)
    if min(m, n) == 1:
        return q
    var_a, var_b = (float(pairs.delong_variance(y, scores)) for scores in (first, second))
    if var_a == 0 or var_b == 0:
        return q
    of_delong = float(pairs.delong_covariance(y, first, second)) / math.sqrt(var_a * var_b)
    misranked = min(min(area, 1 - area) for area in areas) * min(m, n)
    return (misranked * of_delong + 2 * q) / (misranked + 2)


def paired_statistic(first, second, r, difference):
    """z at a true difference; the first area minus the difference and the second have one plain mean."""
    (a, var_a), (b, var_b) = first, second
    c = min(max((a - difference + b) / 2, max(0.0, -difference)), min(1.0, 1 - difference))
    va, vb = var_a(c + difference), var_b(c)
    rest, variance = a - b - difference, va + vb - 2 * r * math.sqrt(va * vb)
    return (
        0.0 if abs(rest) < 1e-14 else rest / math.sqrt(variance) if variance > 0 else math.copysign(99, rest)
    )


def paired_interval(first, second, r, critical):
    """From the lowest to the highest difference that is not rejected."""
    observed = first[0] - second[0]

    def kept(difference):
        return abs(paired_statistic(first, second, r, difference)) <= critical

    ends = []
    for outermost in (-1.0, 1.0):
        steps = [outermost + (observed - outermost) * k / 200 for k in range(201)]
        at = next((k for k, one in enumerate(steps) if kept(one)), 200)
        end = outermost if at == 0 else halve(lambda d: not kept(d), steps[at - 1], steps[at])
        ends.append(end)
    return tuple(ends)
