"""The bivariate normal distribution by one-dimensional integrals, and the likelihood of a table of cells."""

import math
from itertools import pairwise

import numpy as np
from scipy import integrate, optimize, special


def density(x):
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def cdf(h, k, rho):
    """P(X <= h, Y <= k): Y given X = x is N(rho x, 1 - rho^2)."""
    if -math.inf in (h, k):
        return 0.0
    rest = math.sqrt(1 - rho * rho)
    top = min(h, 9.0)

    def slice_at(x):
        return density(x) * special.ndtr((k - rho * x) / rest)

    # The integrand turns where k = rho x, within a few of the conditional standard deviations.
    turns = [k / rho + d * rest for d in (-5, 0, 5)] if rho and math.isfinite(k) else []
    places = sorted(x for x in turns if -9 < x < top)
    ends = [-9.0, *places, top]
    pieces = pairwise(ends)
    return sum(
        integrate.quad(slice_at, low, high, epsabs=1e-13, epsrel=1e-13, limit=200)[0] for low, high in pieces
    )


def cell(x, y, rho):
    """Probability of a rectangle, x and y pairs of limits."""
    return cdf(x[1], y[1], rho) - cdf(x[0], y[1], rho) - cdf(x[1], y[0], rho) + cdf(x[0], y[0], rho)


def log_likelihood(rho, counts, x, y):
    edges = [[-math.inf, *cuts, math.inf] for cuts in (x, y)]
    total = 0.0
    for i, row in enumerate(counts):
        for j, count in enumerate(row):
            if count:
                mass = cell((edges[0][i], edges[0][i + 1]), (edges[1][j], edges[1][j + 1]), rho)
                total += count * math.log(mass)
    return total


def correlation(counts, x, y):
    """Maximum-likelihood correlation of a table, by a generic optimiser."""
    found = optimize.minimize_scalar(
        lambda rho: -log_likelihood(rho, counts, x, y),
        bounds=(-0.999, 0.999),
        method="bounded",
        options={"xatol": 1e-10},
    )
    return found.x


def draw(rng, n_neg, n_pos, first, second, rho_neg, rho_pos):
    """Labels and two score columns of the model itself."""
    parts = []
    for n, rho in ((n_neg, rho_neg), (n_pos, rho_pos)):
        x, other = rng.standard_normal((2, n))
        parts.append((x, rho * x + math.sqrt(1 - rho * rho) * other))
    y = np.repeat([0, 1], [n_neg, n_pos])
    scores = [
        np.concatenate([parts[0][k], (parts[1][k] + a) / b]) for k, (a, b) in enumerate((first, second))
    ]
    return y, *scores
