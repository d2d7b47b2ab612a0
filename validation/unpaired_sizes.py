"""How often tests of two areas of different cases reject a true null, and their intervals hold the truth.

    python validation/unpaired_sizes.py [SIMULATIONS]

Normal scores, of equal variances or with 1.5 times the standard deviation for positives; the areas are equal
in the first columns of each row, and 0.97 and 0.8 in the last ones. Nominal 5 % and 95 %.
"""

import math
import sys

import numpy as np
from scipy import special

import rocscope as rs

SIZES = (
    ((10, 10), (10, 10)),
    ((20, 20), (20, 20)),
    ((50, 50), (50, 50)),
    ((200, 200), (20, 20)),
    ((200, 200), (10, 90)),
    ((1000, 1000), (50, 50)),
)
AREAS = ((0.5, 0.5), (0.7, 0.7), (0.9, 0.9), (0.97, 0.97), (0.97, 0.8))
METHODS = ("score", "delong")


def draw(rng, sizes, areas, deviation):
    y, scores = {}, {}
    for name, (m, n), area in zip("ab", sizes, areas, strict=True):
        shift = math.sqrt(1 + deviation**2) * float(special.ndtri(area))
        y[name] = np.repeat([1, 0], [m, n])
        scores[name] = np.concatenate([shift + deviation * rng.normal(size=m), rng.normal(size=n)])
    return y, scores


def main(simulations):
    print("| cases | deviation | areas | " + " | ".join(f"{m}: rejects | holds" for m in METHODS) + " |")
    print("|---|--:|---|" + "--:|--:|" * len(METHODS))
    for sizes in SIZES:
        for deviation in (1.0, 1.5):
            for areas in AREAS:
                rng = np.random.default_rng(round(1000 * sum(areas)) + sum(map(sum, sizes)))
                rejected, held = dict.fromkeys(METHODS, 0), dict.fromkeys(METHODS, 0)
                for _ in range(simulations):
                    data = draw(rng, sizes, areas, deviation)
                    for method in METHODS:
                        pair = rs.compare_auc(*data, paired=False, method=method).pairs[0]
                        rejected[method] += pair.p_value is not None and pair.p_value < 0.05
                        held[method] += pair.low is not None and pair.low <= areas[0] - areas[1] <= pair.high
                shares = [100 * one[m] / simulations for m in METHODS for one in (rejected, held)]
                cases = " and ".join(f"{m} + {n}" for m, n in sizes)
                row = " | ".join(f"{share:.1f}" for share in shares)
                print(f"| {cases} | {deviation} | {areas[0]}, {areas[1]} | {row} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
