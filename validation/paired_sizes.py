"""How often tests of two areas of the same cases reject a true null, and their intervals hold the truth.

    python validation/paired_sizes.py [SIMULATIONS]

Normal scores, correlated inside the classes, or Student's t with 3 degrees of freedom made of them; the areas
are equal in the first rows of each size, and differ by 0.1 in the last ones. Nominal 5 % and 95 %.
"""

import sys

import numpy as np

import rocscope as rs
from rocscope.atlas.laws import draw_pair, score_law

SIZES = ((4, 4), (10, 10), (20, 20), (5, 50), (10, 90), (20, 180), (50, 50))
AREAS = (0.7, 0.9, 0.95)
METHODS = ("score", "delong")


def main(simulations):
    print(
        "| cases | law | area | correlation | difference | "
        + " | ".join(f"{m}: rejects | holds" for m in METHODS)
        + " |"
    )
    print("|---|---|--:|--:|--:|" + "--:|--:|" * len(METHODS))
    cells = [
        (size, law, area, r, d)
        for size in SIZES
        for law in ("normal", "heavy")
        for d in (0.0, 0.1)
        for area in AREAS
        for r in (0.0, 0.5, 0.8)
    ]
    for (m, n), law, area, r, difference in cells:
        rng = np.random.default_rng([m, n, round(100 * area), round(10 * r)])
        laws = score_law(law, area, False), score_law(law, round(area - difference, 6), False)
        rejected, held = dict.fromkeys(METHODS, 0), dict.fromkeys(METHODS, 0)
        for _ in range(simulations):
            y, a, b = draw_pair(*laws, r, m, n, rng)
            for method in METHODS:
                pair = rs.compare_auc(y, {"a": a, "b": b}, method=method).pairs[0]
                rejected[method] += pair.p_value is not None and pair.p_value < 0.05
                held[method] += pair.low is not None and pair.low <= difference <= pair.high
        shares = [100 * one[method] / simulations for method in METHODS for one in (rejected, held)]
        row = " | ".join(f"{share:.1f}" for share in shares)
        print(f"| {m} + {n} | {law} | {area} | {r} | {difference} | {row} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
