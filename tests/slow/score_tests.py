"""Areas of different cases compared by the score: formulas as they are printed, roots by halving."""

import math

from slow import pairs


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
