"""The closed form of a combined area against simulated correlated normals and quadrature: for docs/fusion.md.

    python validation/fusion_monte_carlo.py [SETS [CASES]]

SETS random sets of two to five classifiers with random correlations in each class, CASES cases per class.
"""

import math
import sys

import numpy as np

from rocscope.binormal.combine import combine_binormals, combined_score
from rocscope.binormal.curve import Binormal
from rocscope.binormal.quadrature import combine_curves

SETS = int(sys.argv[1]) if len(sys.argv) > 1 else 100
CASES = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000


def correlation(rng, k):
    parts = rng.normal(size=(k, k + 1))
    cov = parts @ parts.T
    found = cov / np.sqrt(np.outer(np.diagonal(cov), np.diagonal(cov)))
    np.fill_diagonal(found, 1.0)
    return (found + found.T) / 2


def area(neg, pos):
    """Area and DeLong's standard error of scores without ties."""
    placed = np.searchsorted(np.sort(neg), pos) / len(neg)
    placed_neg = np.searchsorted(np.sort(pos), neg) / len(pos)
    return placed.mean(), math.sqrt(placed.var(ddof=1) / len(pos) + placed_neg.var(ddof=1) / len(neg))


def deviation(rng):
    """Simulated less predicted area, in standard errors."""
    k = int(rng.integers(2, 6))
    a, b, weights = rng.normal(1, 0.8, k), np.exp(rng.normal(0, 0.4, k)), rng.normal(size=k)
    corr = [correlation(rng, k) for _ in range(2)]
    neg, pos = (rng.multivariate_normal(np.zeros(k), c, size=CASES, method="cholesky") for c in corr)
    found, se = area(neg @ weights, ((pos + a) / b) @ weights)
    fits = [Binormal(a=x, b=y) for x, y in zip(a, b, strict=True)]
    return (found - combine_binormals(fits, weights, corr_neg=corr[0], corr_pos=corr[1]).auc) / se


def quadrature_error(rng):
    """Largest difference between closed form and quadrature: area, rates and densities."""
    a, b, weights = rng.normal(1, 0.8, 2), np.exp(rng.normal(0, 0.4, 2)), rng.normal(size=2)
    rho = rng.uniform(-0.97, 0.97, 2)
    fits = [Binormal(a=x, b=y) for x, y in zip(a, b, strict=True)]
    found = combine_curves(*fits, weights, rho=rho)
    score, t = combined_score(fits, weights, corr_neg=rho[0], corr_pos=rho[1]), found.thresholds
    rates = [found.fpr - score.fpr(t), found.tpr - score.tpr(t)]
    densities = [found.density_neg - score.density(t, of="neg"), found.density_pos - score.density(t)]
    return max(abs(found.auc - score.auc), *(np.abs(d).max() for d in (*rates, *densities)))


def main():
    rng = np.random.default_rng(1)
    found = np.array([deviation(rng) for _ in range(SETS)])
    print(f"{SETS} sets, {CASES:,} cases per class, deviations in standard errors:")
    worst, mean, sd = np.abs(found).max(), found.mean(), found.std(ddof=1)
    print(f"largest {worst:.2f}, mean {mean:+.2f}, standard deviation {sd:.2f}")
    worst = max(quadrature_error(rng) for _ in range(SETS))
    print(f"largest difference from the quadrature, {SETS} sets of two: {worst:.1e}")


if __name__ == "__main__":
    main()
