"""Power by counting everything, and the moments of areas by integrals and by listing all samples."""

import itertools
import math

import numpy as np
from scipy import integrate, special

from rocscope.core.t_tests import paired_t


def orthant_covariance(h, k, rho):
    """P(X <= h, Y <= k) - P(X <= h) P(Y <= k), from the distribution of Y given X."""

    def joint(x):
        density = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
        return density * special.ndtr((k - rho * x) / math.sqrt(1 - rho * rho))

    below, _ = integrate.quad(joint, -math.inf, h, epsabs=1e-13, epsrel=1e-12)
    return below - special.ndtr(h) * special.ndtr(k)


def exponential_moments(auc):
    """P(two positives beat one negative) and P(one positive beats two), scores exponential."""
    mean = auc / (1 - auc)  # of the positives; that of the negatives is 1
    two_positives, _ = integrate.quad(lambda y: math.exp(-y) * math.exp(-y / mean) ** 2, 0, math.inf)
    two_negatives, _ = integrate.quad(
        lambda x: math.exp(-x / mean) / mean * (1 - math.exp(-x)) ** 2, 0, math.inf
    )
    return two_positives, two_negatives


def area(pos, neg):
    return float(np.mean([(x > y) + (x == y) / 2 for x in pos for y in neg]))


def area_covariance(pos, neg, n_pos, n_neg):
    """Covariance of two empirical areas over all equally likely samples from lists of score pairs."""
    samples = itertools.product(itertools.product(pos, repeat=n_pos), itertools.product(neg, repeat=n_neg))
    areas = [[area([x[i] for x in xs], [y[i] for y in ys]) for i in (0, 1)] for xs, ys in samples]
    return float(np.cov(np.transpose(areas), ddof=0)[0, 1])


def pair_covariances(pos, neg):
    """Covariances of the results of two pairs that share both cases, the positive, the negative."""

    def result(x, y, i):
        return (x[i] > y[i]) + (x[i] == y[i]) / 2

    means = [np.mean([result(x, y, i) for x in pos for y in neg]) for i in (0, 1)]
    both = np.mean([result(x, y, 0) * result(x, y, 1) for x in pos for y in neg])
    positive = np.mean([result(x, y, 0) * result(x, z, 1) for x in pos for y in neg for z in neg])
    negative = np.mean([result(x, y, 0) * result(z, y, 1) for x in pos for z in pos for y in neg])
    return [float(moment - means[0] * means[1]) for moment in (both, positive, negative)]


def partial_moments(auc, fpr):
    """Variance of what a positive and what a negative adds to a partial area, by integrals over its score."""
    a = math.sqrt(2) * special.ndtri(auc)
    low, high = fpr

    def positive(x):  # the part of the range that lies right of its FPR
        return max(0.0, high - max(low, special.ndtr(-x)))

    def negative(y):  # what the curve rises from its FPR to the end of the range
        own = min(max(special.ndtr(-y), low), high)
        return special.ndtr(a + special.ndtri(high)) - special.ndtr(a + special.ndtri(own))

    def variance(add, mean):
        ends = [-special.ndtri(t) for t in fpr if 0 < t < 1]
        how = {"points": ends or None, "limit": 400, "epsabs": 1e-15, "epsrel": 1e-11}

        def moment(k):
            def part(x):
                return add(x) ** k * math.exp(-((x - mean) ** 2) / 2) / math.sqrt(2 * math.pi)

            return integrate.quad(part, -13.0, 13.0, **how)[0]

        return moment(2) - moment(1) ** 2

    return variance(positive, a), variance(negative, 0.0)


def partial_covariances(first, second, rho, fpr):
    """Covariance of what a case adds to two partial areas, over a fine grid of both scores."""
    x = np.linspace(-9, 9, 4001)
    weights = np.full(x.size, x[1] - x[0])
    parts = []
    for positive in (True, False):
        adds = []
        for auc in (first, second):
            a = math.sqrt(2) * special.ndtri(auc)
            own = np.clip(special.ndtr(-x - (a if positive else 0.0)), *fpr)  # FPR of a score x + its mean
            rise = special.ndtr(a + special.ndtri(fpr[1])) - special.ndtr(a + special.ndtri(own))
            adds.append(fpr[1] - own if positive else rise)
        density = np.exp(-(x[:, None] ** 2 + x**2 - 2 * rho * x[:, None] * x) / (2 * (1 - rho**2)))
        density /= 2 * math.pi * math.sqrt(1 - rho**2)
        alone = weights * np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
        product = (weights * adds[0]) @ density @ (weights * adds[1])
        parts.append(float(product - (alone @ adds[0]) * (alone @ adds[1])))
    return parts


def point_power(n, gap, level, alternative="two-sided"):
    """Probability that the paired t test on 0/1 differences rejects, over every number of ones."""
    ones = np.arange(n + 1)
    differences = (np.arange(n) < ones[:, np.newaxis]).astype(float)
    rejected = paired_t(differences, alternative=alternative).p_value < 1 - level
    return sum(math.comb(n, k) * gap**k * (1 - gap) ** (n - k) for k in ones[rejected].tolist())


def point_size(power, gap, level, alternative="two-sided", most=120):
    """The size from which on every size has the power."""
    short = [n for n in range(2, most) if point_power(n, gap, level, alternative) < power]
    return max(short, default=1) + 1
