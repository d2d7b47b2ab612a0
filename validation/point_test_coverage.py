"""How often the intervals of differences between two operating points hold the truth, for the three methods.

    python validation/point_test_coverage.py [--replicates 2000] [--jobs 2]

Highleyman's two classes, ten stratified folds, thresholds on the log density of a Gaussian detector of class
1 that were fixed beforehand: the point of interest has a TPR near 0.9. The truth is the difference in FPR at
these thresholds, averaged over detectors that are trained on nine tenths of as many cases: what the folds
estimate. "width" is the mean width of the interval. The last column counts replicates in which no case, or
as many in every fold, lay between the points: their interval has no width.
"""

from __future__ import annotations

import argparse

import numpy as np
from paclik_counts import METHODS, SIZES, highleyman

from rocscope.averaging.roc import average_roc
from rocscope.core.execution import Task, run_tasks, values_of
from rocscope.training.cross_scores import cross_scores
from rocscope.training.detectors import GaussianDetector

# Log densities: the first is the point of interest, the others lie ever further away.
THRESHOLDS = (-4.2, -3.9, -3.5, -2.8)
MODELS = 2000
CHUNK = 100


def truth(n: int) -> np.ndarray:
    """Mean FPR at every threshold, of detectors trained on nine tenths of n cases."""
    rng = np.random.default_rng([n, 1])
    X, y = highleyman(50_000, rng)
    others = X[y == "class 2"]
    rates = []
    for _ in range(MODELS):
        trained, of_class = highleyman(round(0.9 * n), rng)
        detector = GaussianDetector(log=True).fit(trained[of_class == "class 1"])
        density = detector.score_samples(others[rng.integers(0, len(others), 2000)])
        rates.append([(density >= threshold).mean() for threshold in THRESHOLDS])
    return np.mean(rates, axis=0)


def covered(n: int, differences: list[float], chunk: int) -> np.ndarray:
    """Whether the interval holds the truth, and its width: [replicate, method, point, 2]."""
    found = np.empty((CHUNK, len(METHODS), len(differences), 2))
    for k, rows in enumerate(found):
        rng = np.random.default_rng([n, 2, chunk * CHUNK + k])
        X, y = highleyman(n, rng)
        scores = cross_scores(GaussianDetector(log=True), X, y, target="class 1", rng=rng)
        roc = average_roc(scores, points=THRESHOLDS, measures="fpr")
        for m, method in enumerate(METHODS):
            test = roc.compare_to(0, method=method)
            low, high = test.low[1:, 0], test.high[1:, 0]
            rows[m, :, 0] = (low <= differences) & (differences <= high)
            rows[m, :, 1] = high - low
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    print("| per class | true difference in FPR | " + " | ".join(METHODS) + " | without variation |")
    print("|--:|--:|" + "--:|" * len(METHODS) + "--:|")
    for n in SIZES:
        rates = truth(n)
        differences = rates[1:] - rates[0]
        chunks = range(-(-options.replicates // CHUNK))
        tasks = [Task(f"{n} {chunk}", covered, (n, differences, chunk)) for chunk in chunks]
        found = np.concatenate(values_of(run_tasks(tasks, n_jobs=options.jobs)))
        for p, difference in enumerate(differences):
            cells = [
                f"{found[:, m, p, 0].mean():.3f} (width {found[:, m, p, 1].mean():.3f})" for m in range(3)
            ]
            flat = int(np.count_nonzero(found[:, 0, p, 1] == 0))
            print(f"| {n} | {difference:.4f} | " + " | ".join(cells) + f" | {flat} |", flush=True)


if __name__ == "__main__":
    main()
