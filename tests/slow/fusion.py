"""Linear combinations of classifiers, literally: the paper's integrals, its formulas, pairs of cases."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
from scipy import integrate, optimize, special

REACH = 12


def phi(t):
    return math.exp(-(t**2) / 2) / math.sqrt(2 * math.pi)


def latent_density(t, a, b, positive):
    """Eq. (8)."""
    return b * phi(b * t - a) if positive else phi(t)


def latent_cdf(t, a, b, positive):
    """Eq. (3)."""
    x = b * t - a if positive else t
    return (1 + math.erf(x / math.sqrt(2))) / 2


def integral_cdf(t, curves, weights, positive):
    """Eq. (6), for positive weights."""
    (a1, b1), (a2, b2) = curves
    w1, w2 = weights

    def inner(y):
        return latent_cdf((t - w1 * y) / w2, a2, b2, positive) * latent_density(y, a1, b1, positive)

    return integrate.quad(inner, *_ends(a1, b1, positive), epsabs=1e-12, epsrel=1e-12, limit=500)[0]


def integral_density(t, curves, weights, positive):
    """Eq. (7)."""
    (a1, b1), (a2, b2) = curves
    w1, w2 = weights

    def inner(y):
        outer = latent_density((t - w1 * y) / w2, a2, b2, positive) / w2
        return outer * latent_density(y, a1, b1, positive)

    return integrate.quad(inner, *_ends(a1, b1, positive), epsabs=1e-12, epsrel=1e-12, limit=500)[0]


def _ends(a, b, positive):
    centre, reach = (a / b, REACH / b) if positive else (0, REACH)
    return centre - reach, centre + reach


def printed_density(t, curves, weights, positive):
    """Eq. (9), with the square that its last numerator lacks in print."""
    (a1, b1), (a2, b2) = curves
    w1, w2 = weights
    if not positive:
        s = w1**2 + w2**2
        return math.exp(-(t**2) / (2 * w2**2) * (1 - w1**2 / s)) / math.sqrt(2 * math.pi * s)
    s = b2**2 * w1**2 + b1**2 * w2**2
    first = -(b2**2 * t**2 - 2 * a2 * b2 * w2 * t + w2**2 * (a1**2 + a2**2)) / (2 * w2**2)
    second = (b2**2 * w1 * t - a2 * b2 * w1 * w2 + a1 * b1 * w2**2) ** 2 / (2 * w2**2 * s)
    return b2 * b1 / math.sqrt(2 * math.pi * s) * math.exp(first + second)


def printed_rate(t, curves, weights, positive):
    """Eq. (11), with 1/2 for the printed 1/(2b)."""
    (a1, b1), (a2, b2) = curves
    w1, w2 = weights
    if not positive:
        return 1 - (math.erf(t / math.sqrt(2 * (w1**2 + w2**2))) + 1) / 2
    s = math.sqrt(b2**2 * w1**2 + b1**2 * w2**2)
    return 1 - (math.erf(math.sqrt(2) / 2 / s * (b1 * b2 * t - (w2 * a2 * b1 + w1 * a1 * b2))) + 1) / 2


def best_of_subsets(covariance, mean):
    """Largest w'm / sqrt(w'Sw) over w >= 0: the free solution of every subset that is not negative."""
    k, best = len(mean), (-math.inf, None)
    for size in range(1, k + 1):
        for chosen in combinations(range(k), size):
            part = np.ix_(chosen, chosen)
            weights = np.linalg.solve(covariance[part], mean[list(chosen)])
            if size == 1:
                weights = np.ones(1)
            if (weights >= 0).all():
                full = np.zeros(k)
                full[list(chosen)] = weights
                value = full @ mean / math.sqrt(full @ covariance @ full)
                best = max(best, (value, tuple(full / full.sum())))
    return best


def empirical_area(y, scores_a, scores_b, weights):
    """Share of the pairs that the weighted sum, in whole numbers, ranks rightly."""
    z = [Fraction(a) * weights[0] + Fraction(b) * weights[1] for a, b in zip(scores_a, scores_b, strict=True)]
    pos = [v for v, label in zip(z, y, strict=True) if label]
    neg = [v for v, label in zip(z, y, strict=True) if not label]
    right = sum(Fraction(1 if p > n else 0) + (Fraction(1, 2) if p == n else 0) for p in pos for n in neg)
    return right / (len(pos) * len(neg))


def independent_area(y, scores_a, scores_b, weights):
    """Share of right pairs where every first score of a class meets every second score of the class."""
    sums = []
    for label in (1, 0):
        first, second = (
            [Fraction(s) for s, of in zip(scores, y, strict=True) if of == label]
            for scores in (scores_a, scores_b)
        )
        sums.append([a * weights[0] + b * weights[1] for a in first for b in second])
    pos, neg = sums
    right = sum(Fraction(1 if p > n else 0) + (Fraction(1, 2) if p == n else 0) for p in pos for n in neg)
    return right / (len(pos) * len(neg))


def independent_rates(y, scores_a, scores_b, weights, threshold):
    """FPR and TPR at a threshold of the same sums."""
    rates = []
    for label in (0, 1):
        first, second = (
            [Fraction(s) for s, of in zip(scores, y, strict=True) if of == label]
            for scores in (scores_a, scores_b)
        )
        above = [a * weights[0] + b * weights[1] >= threshold for a in first for b in second]
        rates.append(sum(above) / len(above))
    return tuple(rates)


def contaminated_sum(t, curves, weights):
    """P(z >= t) among the positives of two independent contaminated scores: four normal distributions."""
    (alpha1, mu1), (alpha2, mu2) = curves
    w1, w2 = weights
    total = 0.0
    for share1, mean1 in ((alpha1, mu1), (1 - alpha1, 0.0)):
        for share2, mean2 in ((alpha2, mu2), (1 - alpha2, 0.0)):
            x = (w1 * mean1 + w2 * mean2 - t) / math.hypot(w1, w2)
            total += share1 * share2 * (1 + math.erf(x / math.sqrt(2))) / 2
    return total


def sum_rate(t, tpr, weights, rho):
    """P(z >= t) of positives whose deviates have a correlation: eq. (6) over the first deviate.

    `tpr` are two functions of FPR; a positive with the deviate x lies at the latent t with 1 - TPR = Phi(x).
    """

    def place(curve, x):
        return optimize.brentq(lambda s: curve(normal_cdf(-s)) - normal_cdf(-x), -30, 30, xtol=1e-12)

    def given(x):
        rest = (t - weights[0] * place(tpr[0], x)) / weights[1]
        below = 1 - tpr[1](normal_cdf(-rest))
        if below <= 0:
            return phi(x)
        if below >= 1:
            return 0.0
        deviate = special.ndtri(below)
        return phi(x) * normal_cdf((rho * x - deviate) / math.sqrt(1 - rho**2))

    return integrate.quad(given, -8, 8, epsabs=1e-9, epsrel=1e-9, limit=300)[0]


def normal_cdf(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def latent_value(above, n_neg, n_pos, a, b):
    """The t with n_neg FPR(t) + n_pos TPR(t) = above."""

    def excess(t):
        fpr, tpr = 1 - latent_cdf(t, a, b, False), 1 - latent_cdf(t, a, b, True)
        return n_neg * fpr + n_pos * tpr - above

    return optimize.brentq(excess, -60, 60, xtol=1e-13)


def least_cost(a, b, false_pos, false_neg):
    """Least of false_pos FPR(t) + false_neg (1 - TPR(t)), on a fine grid and then by Brent."""

    def cost(t):
        return false_pos * (1 - latent_cdf(t, a, b, False)) + false_neg * latent_cdf(t, a, b, True)

    grid = np.linspace(-12, 12, 4001)
    start = grid[np.argmin([cost(t) for t in grid])]
    found = optimize.minimize_scalar(cost, bounds=(start - 0.01, start + 0.01), method="bounded")
    return min(found.fun, cost(start), false_pos, false_neg)


def kendall(x, y):
    """Tau-b."""
    pairs = list(combinations(range(len(x)), 2))
    signs = [(np.sign(x[i] - x[j]), np.sign(y[i] - y[j])) for i, j in pairs]
    agree = sum(a * b for a, b in signs)
    untied = sum(a != 0 for a, _ in signs), sum(b != 0 for _, b in signs)
    return agree / math.sqrt(untied[0] * untied[1])
