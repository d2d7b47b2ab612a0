"""How often the bootstrap intervals of a preview hold the truth: for docs/fusion.md.

    python validation/fusion_coverage.py [SIMULATIONS [REPLICATES]]

Two binormal classifiers with correlated scores (0.7 among negatives, 0.5 among positives), 60 cases in each
class, on the latent scale. The true area of a combination is the closed form with the true parameters, for
the correlated prediction and for the count alike; the independent prediction has its own limit, the closed
form without correlations.
"""

import sys

import numpy as np

from rocscope.binormal.combine import predicted_auc
from rocscope.binormal.curve import Binormal
from rocscope.binormal.fusion import preview_fusion

SIMULATIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 80
REPLICATES = int(sys.argv[2]) if len(sys.argv) > 2 else 100
FITS, RHO, CASES = [Binormal(a=1.0, b=1.0), Binormal(a=1.3, b=0.8)], (0.7, 0.5), 60
WEIGHTS = [[3, 1], [1, 1], [1, 3]]


def draw(rng):
    neg, pos = (rng.multivariate_normal([0, 0], [[1, r], [r, 1]], size=CASES) for r in RHO)
    pos = (pos + [fit.a for fit in FITS]) / [fit.b for fit in FITS]
    scores = np.concatenate([neg, pos])
    return np.repeat([0, 1], CASES), scores[:, 0], scores[:, 1]


def main():
    rng = np.random.default_rng(1)
    known = {"corr_neg": RHO[0], "corr_pos": RHO[1]}
    truth = np.stack([predicted_auc(FITS, WEIGHTS), *[predicted_auc(FITS, WEIGHTS, **known)] * 2], axis=1)
    held, values, errors = [], [], []
    for seed in range(SIMULATIONS):
        found = preview_fusion(*draw(rng), weights=WEIGHTS, n_boot=REPLICATES, rng=seed)
        if found.status == "ok":
            held.append((found.low <= truth) & (truth <= found.high))
            values.append(found.values())
            errors.append(found.se)
    print(f"{len(held)} of {SIMULATIONS} simulations with a fit, {REPLICATES} replicates, level 0.95")
    print("| weights | column | truth | mean | sd | mean se | coverage |\n|---|---|--:|--:|--:|--:|--:|")
    for k, weights in enumerate(WEIGHTS):
        for j, name in enumerate(("independent", "correlated", "counted")):
            column = np.array(values)[:, k, j]
            figures = [truth[k, j], column.mean(), column.std(ddof=1), np.mean(errors, axis=0)[k, j]]
            summary = " | ".join(f"{figure:.4f}" for figure in figures)
            print(f"| {weights[0]}:{weights[1]} | {name} | {summary} | {np.mean(held, axis=0)[k, j]:.3f} |")


if __name__ == "__main__":
    main()
