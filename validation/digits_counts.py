"""How many class weights are indistinguishable from the best ones: figure 3 of Paclik et al., often.

    ROCSCOPE_DATA=folder python validation/digits_counts.py [--seeds 50] [--jobs 2]

Digits 2, 3 and 5 of mfeat_mor, 100 cases of each drawn at random, PCA to three dimensions of the features as
they are or standardized, a quadratic classifier (with a trace of regularisation where they are standardized:
three features are counts, and in some folds a class does not vary in one direction), ten stratified folds,
the 100 weight vectors of the greedy search. The paper says neither how the features were scaled nor which
cases and which point were chosen; here the point is that with the smallest of the largest class errors.
A seed draws cases, folds and weights.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rocscope.averaging.roc import average_roc
from rocscope.averaging.search import search_weights
from rocscope.core.execution import Task, run_tasks, values_of
from rocscope.training.cross_scores import cross_scores

METHODS = ("paclik", "paired-t", "corrected")
STEPS: dict[str, tuple[Any, ...]] = {
    "raw": (PCA(3), QuadraticDiscriminantAnalysis()),
    "standardized": (StandardScaler(), PCA(3), QuadraticDiscriminantAnalysis(reg_param=1e-3)),
}


def digits() -> tuple[np.ndarray, np.ndarray]:
    """Six morphological features of 200 cases of each of the three digits."""
    path = Path(os.environ["ROCSCOPE_DATA"]) / "mfeat_mor" / "mfeat_mor_235.csv"
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    return table[:, :-1], table[:, -1].astype(int)


def counts(scale: str, seed: int) -> list[float]:
    """Other indistinguishable points by all three class errors for every method, and the largest error."""
    rng = np.random.default_rng(seed)
    X, y = digits()
    rows = np.concatenate([rng.choice(np.flatnonzero(y == d), 100, replace=False) for d in (2, 3, 5)])
    scores = cross_scores(make_pipeline(*STEPS[scale]), X[rows], y[rows], rng=rng)
    roc = average_roc(scores, points=search_weights(scores, rng=rng))
    index = roc.select()
    alike = [roc.compare_to(index, method=method).indistinguishable for method in METHODS]
    return [*(float(np.count_nonzero(found) - 1) for found in alike), float(roc.mean[index].max())]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    tasks = [Task(f"{name} {seed}", counts, (name, seed)) for name in STEPS for seed in range(options.seeds)]
    found = np.array(values_of(run_tasks(tasks, n_jobs=options.jobs))).reshape(len(STEPS), options.seeds, -1)
    print(f"Indistinguishable other points (of 99), mean (least to most) over {options.seeds} seeds.\n")
    print("| features | largest class error | " + " | ".join(METHODS) + " |")
    print("|---|--:|" + "--:|" * len(METHODS))
    for scale, rows in zip(STEPS, found, strict=True):
        cells = [f"{v.mean():.1f} ({v.min():.0f} to {v.max():.0f})" for v in rows.T[:-1]]
        print(f"| {scale} | {rows[:, -1].mean():.3f} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
