"""Sizes of the tests of `auc_by`: the table of docs/subgroups.md.

    python validation/subgroup_sizes.py [SIMULATIONS]

Three groups of normal scores with the same area, nominal 5 %: how often the test of homogeneity rejects, how
often a single difference to the rest does, and how often any of the three does after Holm's adjustment.
"""

import math
import sys

import numpy as np
from scipy import special

import rocscope as rs

SIZES = ((50, 50, 50), (20, 50, 200), (20, 20, 20), (10, 200, 200))  # of each class, in each group
AREAS = (0.5, 0.7, 0.9)


def simulate(area, sizes, simulations):
    rng = np.random.default_rng(round(100 * area) + sum(sizes))
    shift = math.sqrt(2) * float(special.ndtri(area))
    group = np.repeat(np.arange(len(sizes)), 2 * np.array(sizes))
    y = np.concatenate([np.repeat([0, 1], n) for n in sizes])
    p = np.empty((simulations, 1 + len(sizes)))
    adjusted = np.empty((simulations, len(sizes)))
    for k in range(simulations):
        result = rs.auc_by(y, rng.normal(size=y.size) + shift * y, by=group)
        p[k] = [result.tests[0].p_value, *(row.p_value for row in result.groups)]
        adjusted[k] = [row.p_adjusted for row in result.groups]
    rejected = (p < 0.05).mean(axis=0)
    return rejected[0], rejected[1:].mean(), (np.nan_to_num(adjusted, nan=1.0) < 0.05).any(axis=1).mean()


def main(simulations):
    print("| cases of each class | area | homogeneity | one difference to the rest | any difference, Holm |")
    print("|---|--:|--:|--:|--:|")
    for sizes in SIZES:
        for area in AREAS:
            shares = " | ".join(f"{100 * share:.1f}" for share in simulate(area, sizes, simulations))
            print(f"| {', '.join(map(str, sizes))} | {area} | {shares} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
