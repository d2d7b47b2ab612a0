"""Interval of the threshold that keeps a rate of one class: integrated probabilities, counted places."""

from math import ceil, comb, floor, inf

from scipy import integrate


def at_least(rank, n, share):
    """Probability that the uniform variable of a rank, continued between whole ranks, lies below a share."""
    if rank == int(rank):
        return sum(comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(int(rank), n + 1))

    def density(u):
        return u ** (rank - 1) * (1 - u) ** (n - rank)

    parts = [integrate.quad(density, *ends, epsabs=0, limit=500)[0] for ends in ((0, share), (share, 1))]
    return parts[0] / sum(parts)


def rank_at(n, share, probability):
    """The rank from 1 to n of which `at_least` has a probability, by halving."""
    low, high = 1.0, float(n)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if at_least(middle, n, share) > probability else (low, middle)
    return (low + high) / 2


def interval(own, other, share, level, chosen, *, spares):
    """Low and high threshold: a share of `own` scores reaches the true one; a high one may spare ties."""
    n, error = len(own), 1 - level
    falling, scores = sorted(own, reverse=True), sorted({*own, *other}, reverse=True)
    no_high, no_low = (1 - share) ** n > error / 2, share**n > error / 2

    def end(probability, outwards):
        rank = rank_at(n, share, probability)
        before, after = falling[floor(rank) - 1], falling[min(floor(rank), n - 1)]
        first, last = scores.index(before), scores.index(after)
        return scores[outwards(first + (rank - floor(rank)) * (last - first))]

    high = inf if no_high else end(1 - (error if no_low else error / 2), floor)
    if spares and falling.count(high) > 1:
        high = min((score for score in scores if score > high), default=inf)
    low = -inf if no_low else end(error if no_high else error / 2, ceil)
    return min(low, chosen), max(high, chosen)
