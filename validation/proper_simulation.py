"""Bias and standard errors of `fit_proper_binormal` by simulation.

    python validation/proper_simulation.py [REPLICATES]

Prints a table of docs/binormal_pairs.md. Cases of a binormal pair are ranked by their likelihood ratio, so
that their ROC curve is the proper one with the parameters drawn from.
"""

import math
import sys
import time

import numpy as np

from rocscope.binormal.proper import ProperBinormal, fit_proper_binormal, to_pair

REPLICATES = int(sys.argv[1]) if len(sys.argv) > 1 else 300
PART = (0, 0.2)
SETTINGS = [(100, 1.2, -0.3), (100, 1.2, 0.3), (100, 1.5, 0.0), (300, 1.2, -0.3), (100, 0.5, -0.5)]


def draw(rng, n, a, b):
    x = np.concatenate([rng.normal(size=n), (a + rng.normal(size=n)) / b])
    return np.repeat([0, 1], n), (x**2 - (b * x - a) ** 2) / 2


def replicate(rng, n, truth):
    fit = fit_proper_binormal(*draw(rng, n, *to_pair(truth.d_a, truth.c)))
    area, part = fit.auc_estimate(), fit.partial_auc_estimate(fpr=PART)
    covered = [
        estimate.low is not None and estimate.low <= required <= estimate.high
        for estimate, required in ((area, truth.auc), (part, truth.partial_auc(fpr=PART)))
    ]
    errors = [math.nan if estimate.se is None else estimate.se for estimate in (area, part)]
    return [fit.status == "ok", area.value, part.value, *errors, *covered]


def main():
    print(f"{REPLICATES} simulations of each setting; the partial area is over FPR {PART[0]}-{PART[1]}.\n")
    print("| cases | d_a | c | inside | figure | truth | bias | spread | mean standard error | cover |")
    print("|---|--:|--:|--:|---|--:|--:|--:|--:|--:|")
    for seed, (n, d_a, c) in enumerate(SETTINGS):
        truth, rng = ProperBinormal(d_a=d_a, c=c), np.random.default_rng(seed)
        rows = np.array([replicate(rng, n, truth) for _ in range(REPLICATES)], dtype=float)
        first = f"{n} + {n} | {d_a} | {c} | {100 * rows[:, 0].mean():.0f} %"
        for k, (name, required) in enumerate((("AUC", truth.auc), ("partial", truth.partial_auc(fpr=PART)))):
            value, se, cover = rows[:, 1 + k], rows[:, 3 + k], 100 * rows[:, 5 + k].mean()
            figures = [required, value.mean() - required, value.std(ddof=1), np.nanmean(se)]
            summary = " | ".join(f"{figure:.4f}" for figure in figures)
            print(f"| {first if k == 0 else ' | | | '} | {name} | {summary} | {cover:.1f} % |")


if __name__ == "__main__":
    began = time.perf_counter()
    main()
    print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)
