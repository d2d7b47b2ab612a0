"""Why there is no studentised bootstrap of the area: how often its interval has no end.

A replicate whose classes are separated has no variance, so its studentised deviation is infinite. Where more
than (1 - level) / 2 of the replicates are such, an end of the interval is infinite, too. Coverage is that of
the intervals that are cut off at 0 and 1.

    python validation/studentized_bootstrap.py [studies]
"""

import sys

import numpy as np
from scipy import special

LEVEL, N_BOOT = 0.95, 400


def areas_and_errors(pos, neg):
    """Areas and DeLong's standard errors of replicates, (replicates, cases)."""
    wins = (pos[:, :, None] > neg[:, None, :]) + 0.5 * (pos[:, :, None] == neg[:, None, :])
    of_pos, of_neg = wins.mean(axis=2), wins.mean(axis=1)
    m, n = pos.shape[1], neg.shape[1]
    variance = of_pos.var(axis=1, ddof=1) / m + of_neg.var(axis=1, ddof=1) / n
    return of_pos.mean(axis=1), np.sqrt(variance)


def study(rng, n, area):
    """Whether the interval holds the area, and whether one of its ends is infinite."""
    shift = np.sqrt(2) * special.ndtri(area)
    pos, neg = rng.normal(size=n) + shift, rng.normal(size=n)
    (value,), (error,) = areas_and_errors(pos[None], neg[None])
    if error == 0:
        return False, True
    drawn = (of_class[rng.integers(0, n, (N_BOOT, n))] for of_class in (pos, neg))
    areas, errors = areas_and_errors(*drawn)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.nan_to_num((areas - value) / errors, nan=0.0, posinf=np.inf, neginf=-np.inf)
    below, above = np.quantile(t, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], method="higher")
    low, high = max(value - above * error, 0.0), min(value - below * error, 1.0)
    return low <= area <= high, not np.isfinite([below, above]).all()


def main():
    n_studies = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    print(f"| cases | area | coverage, % of {n_studies} | an end is infinite, % |\n|---|--:|--:|--:|")
    rng = np.random.default_rng(20)
    for n, area in ((20, 0.8), (20, 0.9), (20, 0.97), (50, 0.9), (50, 0.97)):
        held, infinite = np.mean([study(rng, n, area) for _ in range(n_studies)], axis=0) * 100
        print(f"| {n} + {n} | {area} | {held:.1f} | {infinite:.1f} |")


if __name__ == "__main__":
    main()
