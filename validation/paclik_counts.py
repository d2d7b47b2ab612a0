"""Operating points indistinguishable from the one at TPR >= 0.9, many times: figure 2 of Paclik et al.

    python validation/paclik_counts.py [--seeds 100] [--jobs 2]

Highleyman's two classes, a Gaussian detector of class 1, ten stratified folds, 30 thresholds. For each number
of cases per class and each method the mean over seeds of the number of other points that the test does
not distinguish: by the FPR alone, as in the paper, and by TPR and FPR (AND).
"""

from __future__ import annotations

import argparse
import math

import numpy as np

from rocscope.averaging.roc import average_roc
from rocscope.core.execution import Task, run_tasks, values_of
from rocscope.training.cross_scores import cross_scores
from rocscope.training.detectors import GaussianDetector

SIZES = (50, 100, 200)
METHODS = ("paclik", "paired-t", "corrected")
MEASURES = (("fpr",), ("tpr", "fpr"))


def highleyman(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two Gaussian classes, n cases of each."""
    first = rng.multivariate_normal([1, 1], [[1, 0], [0, 0.25]], size=n)
    second = rng.multivariate_normal([2, 0], [[0.01, 0], [0, 4]], size=n)
    return np.vstack([first, second]), np.repeat(["class 1", "class 2"], n)


def counts(n: int, seed: int) -> list[int]:
    """Other indistinguishable points, for every set of measures and every method."""
    rng = np.random.default_rng([n, seed])
    X, y = highleyman(n, rng)
    roc = average_roc(cross_scores(GaussianDetector(log=True), X, y, target="class 1", rng=rng))
    index = roc.select("tpr>=0.9")
    compared = [
        roc.compare_to(index, measures=names, method=method) for names in MEASURES for method in METHODS
    ]
    return [int(np.count_nonzero(found.indistinguishable)) - 1 for found in compared]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    cases = [(n, seed) for n in SIZES for seed in range(options.seeds)]
    tasks = [Task(f"{n} {seed}", counts, (n, seed)) for n, seed in cases]
    found = np.array(values_of(run_tasks(tasks, n_jobs=options.jobs))).reshape(len(SIZES), options.seeds, -1)
    mean, error = found.mean(axis=1), found.std(axis=1, ddof=1) / math.sqrt(options.seeds)
    print(f"Indistinguishable other points (of 29), mean over {options.seeds} seeds (Monte-Carlo error).\n")
    print("| measures | method | " + " | ".join(f"{n} per class" for n in SIZES) + " |")
    print("|---|---|" + "--:|" * len(SIZES))
    rows = [(" and ".join(names), method) for names in MEASURES for method in METHODS]
    for k, (names, method) in enumerate(rows):
        cells = [f"{mean[i, k]:.2f} ({error[i, k]:.2f})" for i in range(len(SIZES))]
        print(f"| {names} | {method} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
