"""Confusion matrices of many class weights, against the same in NumPy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import Ratio, best_of
from rocscope.averaging.class_weights import weighted_confusion

N_POINTS = 10_000
# NumPy's time is that of fewer weight vectors, scaled up: each takes the same.
NUMPY_POINTS = 500


def data(n: int, n_classes: int, seed: int = 1) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """True classes, outputs that sum to 1, and random weight vectors."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_classes, n)
    scores = rng.random((n, n_classes))
    scores[np.arange(n), codes] += 0.5
    return (
        codes,
        scores / scores.sum(axis=1, keepdims=True),
        rng.dirichlet(np.ones(n_classes), N_POINTS),
    )


def with_numpy(codes: NDArray[Any], scores: NDArray[Any], weights: NDArray[Any]) -> NDArray[Any]:
    """One vectorised arg max and one count per weight vector."""
    n_classes = scores.shape[1]
    base = codes * n_classes
    size = n_classes * n_classes
    found = [np.bincount(base + (scores * row).argmax(axis=1), minlength=size) for row in weights]
    return np.array(found).reshape(-1, n_classes, n_classes)


def ratios() -> Iterator[Ratio]:
    """Yield the ratios of a few, of some and of many classes."""
    for n_classes, required in ((3, None), (5, 10), (10, None)):
        yield from _ratios_of(n_classes, required)


def _ratios_of(n_classes: int, required: float | None) -> Iterator[Ratio]:
    codes, scores, weights = data(100_000, n_classes)
    few = weights[:NUMPY_POINTS]
    theirs = N_POINTS / NUMPY_POINTS * best_of(lambda: with_numpy(codes, scores, few), repeats=3)
    task = f"{N_POINTS:,} weight vectors, n = 100,000, {n_classes} classes"
    ours = best_of(lambda: weighted_confusion(codes, scores, weights), repeats=3)
    yield Ratio(task, "NumPy argmax and bincount", ours, theirs, required)
    fold = np.arange(len(codes)) % 10
    folded = best_of(lambda: weighted_confusion(codes, scores, weights, fold, 10), repeats=3)
    yield Ratio(f"{task}, 10 folds", "NumPy, without folds", folded, theirs)


if __name__ == "__main__":
    from benchmarks.timing import markdown

    print(markdown(list(ratios())))
