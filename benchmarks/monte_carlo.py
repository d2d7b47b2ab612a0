"""Trainings of a Monte-Carlo study, against a loop over scikit-learn's discriminant analyses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

from benchmarks.timing import Ratio, best_of
from rocscope.bootstrap.monte_carlo import monte_carlo

SIZES = (20, 40, 100, 200)
TRIALS, N_BOOT = 1000, 100
# scikit-learn's time is that of fewer replicates, scaled up: each takes the same.
SKLEARN_BOOTS = 100
PEERS = {"qda": QuadraticDiscriminantAnalysis(), "lda": LinearDiscriminantAnalysis()}


def replicates(n: int, seed: int = 1) -> tuple[NDArray[Any], NDArray[Any], list[tuple[Any, Any]]]:
    """Cases of two classes, their labels, and per replicate the drawn rows and those left out."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], n)
    X = rng.normal(size=(2 * n, 5)) + 0.4 * y[:, np.newaxis]
    drawn = [np.concatenate([rng.integers(0, n, n), rng.integers(n, 2 * n, n)]) for _ in range(SKLEARN_BOOTS)]
    return X, y, [(rows, np.setdiff1d(np.arange(2 * n), rows)) for rows in drawn]


def with_sklearn(model: Any, X: NDArray[Any], y: NDArray[Any], drawn: list[tuple[Any, Any]]) -> None:
    """Train on each replicate and score the cases it leaves out; their area would come on top."""
    for rows, out in drawn:
        clone(model).fit(X[rows], y[rows]).decision_function(X[out])


def ratios() -> Iterator[Ratio]:
    """Yield the ratios of whole studies of the size of the paper's table 1, and of each training size."""
    for learner in ("qda", "lda"):
        theirs = {n: sklearn_seconds(learner, n) for n in SIZES}
        task = f"{len(SIZES) * TRIALS * N_BOOT:,} trainings of {learner.upper()} in 5 features, tested"
        peer = f"scikit-learn {learner.upper()}, fit and decision_function"
        for jobs, required in ((1, 50), (2, None)):
            ours = best_of(
                lambda k=jobs, name=learner: monte_carlo(name, n=SIZES, rng=1, n_jobs=k), repeats=2
            )
            summary = f"{task}, {jobs} process{'es' if jobs > 1 else ''}"
            yield Ratio(summary, peer, ours, sum(theirs.values()), required if learner == "qda" else None)
        for n in SIZES if learner == "qda" else ():
            ours = best_of(lambda size=n: monte_carlo("qda", n=size, trials=200, rng=1), repeats=2)
            yield Ratio(f"  of these, n = {n} per class", peer, ours * TRIALS / 200, theirs[n])


def sklearn_seconds(learner: str, n: int) -> float:
    """Seconds that all trainings of one size would take."""
    data = replicates(n)
    return TRIALS * N_BOOT / SKLEARN_BOOTS * best_of(lambda: with_sklearn(PEERS[learner], *data), repeats=3)


if __name__ == "__main__":
    from benchmarks.timing import markdown

    print(markdown(list(ratios())))
