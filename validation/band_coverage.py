"""How often bands of ROC curves hold where scores are tied: the last table of docs/coverage.md.

    python validation/band_coverage.py [SIMULATIONS]

Normal scores with unit variance and an area of 0.9: as they are, rounded to six categories, and to two. The
curve of the population of rounded scores has a corner per category and runs straight between them. Nominal
95 %, 101 rates from 0 to 1; pointwise bands from 500 replicates.
"""

import math
import sys

import numpy as np
from scipy import special

import rocscope as rs

SHIFT = math.sqrt(2) * float(special.ndtri(0.9))
GRID = np.linspace(0, 1, 101)
POINTWISE = [10, 30]  # places of the FPR 0.1 and 0.3
CUTS = {
    "no ties": None,
    "six categories": SHIFT / 2 + np.array([-1.6, -0.8, 0.0, 0.8, 1.6]),
    "two categories": np.array([SHIFT / 2]),
}


def true_curve(cuts):
    if cuts is None:
        return special.ndtr(SHIFT + special.ndtri(GRID))
    corners = [np.concatenate([[0.0], special.ndtr(mean - cuts[::-1]), [1.0]]) for mean in (0.0, SHIFT)]
    return np.interp(GRID, *corners)


def simulate(cuts, n, simulations):
    rng = np.random.default_rng(n)
    y, truth = np.repeat([0, 1], n), true_curve(cuts)
    held, widths, crossed, pointwise = 0, 0.0, 0, np.zeros(len(POINTWISE))
    for _ in range(simulations):
        scores = rng.normal(size=2 * n) + SHIFT * y
        scores = scores if cuts is None else np.searchsorted(cuts, scores, "right")
        band = rs.roc_band(y, scores, simultaneous=True, method="dkw")
        held += bool(((band.low <= truth + 1e-12) & (truth - 1e-12 <= band.high)).all())
        crossed += bool(((band.low > band.mean) | (band.mean > band.high)).any())
        widths += float((band.high - band.low).mean())
        narrow = rs.roc_band(y, scores, x=GRID[POINTWISE], method="bootstrap", n_boot=500, rng=rng)
        with np.errstate(invalid="ignore"):
            pointwise += (narrow.low <= truth[POINTWISE]) & (truth[POINTWISE] <= narrow.high)
    shares = [f"{100 * value / simulations:.1f}" for value in (held, *pointwise)]
    return [shares[0], f"{widths / simulations:.3f}", str(crossed), *shares[1:]]


def main(simulations):
    rates = [f"TPR at FPR {GRID[k]:g}" for k in POINTWISE]
    heads = ["whole curve", "mean width", "own curve outside", *rates]
    print(f"| scores | cases | {' | '.join(heads)} |")
    print("|---|---|" + "--:|" * len(heads))
    for name, cuts in CUTS.items():
        for n in (50, 200, 1000):
            print(f"| {name} | {n} + {n} | {' | '.join(simulate(cuts, n, simulations))} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
