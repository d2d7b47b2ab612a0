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
