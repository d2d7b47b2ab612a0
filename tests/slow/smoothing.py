"""Kernel-smoothed ROC curves the long way: pair by pair, and by numerical integration."""

from math import erf, exp, pi, sqrt

from scipy.integrate import quad
from scipy.optimize import brentq


def phi(z):
    return 0.5 * (1 + erf(z / sqrt(2)))


def above(t, scores, h):
    """Share of the kernels above a threshold."""
    return sum(phi((x - t) / h) for x in scores) / len(scores)


def density(t, scores, h):
    return sum(exp(-(((t - x) / h) ** 2) / 2) / (h * sqrt(2 * pi)) for x in scores) / len(scores)


def pair_area(pos, neg, h):
    return sum(phi((x - y) / h) for x in pos for y in neg) / (len(pos) * len(neg))


def area(pos, neg, h_pos, h_neg):
    """Integral of TPR over FPR, the threshold running."""
    far = 9 * max(h_pos, h_neg)
    ends, places = (min(*pos, *neg) - far, max(*pos, *neg) + far), sorted({*pos, *neg})
    return quad(lambda t: above(t, pos, h_pos) * density(t, neg, h_neg), *ends, points=places, limit=500)[0]


def tpr_at(fpr, pos, neg, h_pos, h_neg):
    ends = min(neg) - 40 * h_neg, max(neg) + 40 * h_neg
    return above(brentq(lambda t: above(t, neg, h_neg) - fpr, *ends, xtol=1e-14), pos, h_pos)


def jackknife_variance(pos, neg, h):
    """Delete one case at a time, class by class, at fixed bandwidths."""
    total = 0.0
    for side in (0, 1):
        cases = (pos, neg)[side]
        without = []
        for k in range(len(cases)):
            left = cases[:k] + cases[k + 1 :]
            without.append(pair_area(left, neg, h) if side == 0 else pair_area(pos, left, h))
        mean = sum(without) / len(cases)
        total += (len(cases) - 1) / len(cases) * sum((value - mean) ** 2 for value in without)
    return total


def best_bandwidth(mean, sd, other_mean, other_sd, n):
    """h^3 = int f g^2 / (sqrt(pi) n int (f' g)^2) of normal densities, integrated."""

    def normal(u, m, s):
        return exp(-(((u - m) / s) ** 2) / 2) / (s * sqrt(2 * pi))

    ends = min(mean, other_mean) - 12 * max(sd, other_sd), max(mean, other_mean) + 12 * max(sd, other_sd)
    how = {"points": [mean, other_mean, (mean + other_mean) / 2], "limit": 400, "epsabs": 1e-14}
    upper = quad(lambda u: normal(u, mean, sd) * normal(u, other_mean, other_sd) ** 2, *ends, **how)[0]
    slope = quad(
        lambda u: ((u - mean) / sd**2 * normal(u, mean, sd) * normal(u, other_mean, other_sd)) ** 2,
        *ends,
        **how,
    )[0]
    return (upper / (sqrt(pi) * n * slope)) ** (1 / 3)
