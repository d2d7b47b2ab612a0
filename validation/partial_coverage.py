"""How often intervals of partial areas and pointwise bands hold: a table of docs/coverage.md.

    python validation/partial_coverage.py [SIMULATIONS]

Normal scores with unit variance and an area of 0.9; bootstrap intervals from 500 replicates, and those
without any draw; nominal 95 %.
"""

import math
import sys

import numpy as np
from scipy import integrate, special

import rocscope as rs

SHIFT = math.sqrt(2) * float(special.ndtri(0.9))
RATES = np.array([0.02, 0.05, 0.1, 0.3])
METHODS = (("bootstrap", "bootstrap"), ("delong", "wilson"))  # of areas, and of the TPR
RANGES = ((0.0, 0.1), (0.0, 0.2), (0.0, 0.5))


def true_tpr(fpr):
    return special.ndtr(SHIFT + special.ndtri(fpr))


def simulate(n, simulations):
    rng = np.random.default_rng(n)
    y = np.repeat([0, 1], n)
    areas = [integrate.quad(true_tpr, *limits)[0] for limits in RANGES]
    held = np.zeros((len(METHODS), len(RANGES) + len(RATES)))
    for _ in range(simulations):
        scores = rng.normal(size=2 * n) + SHIFT * y
        for k, (of_area, of_rate) in enumerate(METHODS):
            how = {"n_boot": 500, "rng": rng}
            parts = [rs.partial_auc(y, scores, fpr=limits, method=of_area, **how) for limits in RANGES]
            band = rs.roc_band(y, scores, x=RATES, method=of_rate, **how)
            with np.errstate(invalid="ignore"):
                inside = (band.low <= true_tpr(RATES)) & (true_tpr(RATES) <= band.high)
            held[k] += [*(p.low <= a <= p.high for p, a in zip(parts, areas, strict=True)), *inside]
    return 100 * held / simulations


def main(simulations):
    heads = [f"area over FPR {low:g}-{high:g}" for low, high in RANGES] + [f"TPR at FPR {x:g}" for x in RATES]
    print(f"| cases | method | {' | '.join(heads)} |")
    print("|---|---|" + "--:|" * len(heads))
    for n in (50, 200, 1000):
        for (of_area, of_rate), shares in zip(METHODS, simulate(n, simulations), strict=True):
            cells = " | ".join(f"{value:.1f}" for value in shares)
            method = of_area if of_area == of_rate else f"{of_area}, {of_rate}"
            print(f"| {n} + {n} | {method} | {cells} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
