"""Operating-point averaging of many scores, against a plain sort of the same scores and against NumPy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import Ratio, best_of
from rocscope.averaging.roc import average_roc

CASES, FOLDS, POINTS = 1_000_000, 10, 1_000
# The average, its checks included, must take no longer than so many sorts of the scores.
SORTS = 6


def folded(n: int, seed: int = 1) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Labels, half of them positive, continuous scores, and ten random folds."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.5).astype(np.int64)
    return y, rng.normal(size=n) + y, rng.integers(0, FOLDS, n)


def by_numpy(y: NDArray[Any], score: NDArray[Any], fold: NDArray[Any]) -> NDArray[Any]:
    """The same rates fold by fold and class by class: sort, then look up every threshold."""
    distinct = np.unique(score)
    cuts = distinct[np.round(np.linspace(0, len(distinct) - 1, POINTS)).astype(int)]
    rates = np.empty((2, FOLDS, POINTS))
    for c in (0, 1):
        for f in range(FOLDS):
            inside = np.sort(score[(y == c) & (fold == f)])
            rates[c, f] = 1 - np.searchsorted(inside, cuts) / inside.size
    return rates


def ratios() -> Iterator[Ratio]:
    """Yield the ratios against six sorts, and against NumPy alone."""
    y, score, fold = folded(CASES)
    thresholds = average_roc(y, score, fold=fold, points=POINTS).points
    sorting = best_of(lambda: np.sort(score), repeats=15)
    task = f"average, {POINTS:,} thresholds, {FOLDS} folds, n = {CASES:,}"
    found = best_of(lambda: average_roc(y, score, fold=fold, points=POINTS), repeats=15)
    yield Ratio(
        f"{task}, thresholds found", f"{SORTS} times np.sort of the scores", found, SORTS * sorting, 1
    )
    given = best_of(lambda: average_roc(y, score, fold=fold, points=thresholds), repeats=15)
    yield Ratio(
        f"{task}, thresholds given", f"{SORTS} times np.sort of the scores", given, SORTS * sorting, 1
    )
    yield Ratio(
        f"{task}, thresholds found", "NumPy", found, best_of(lambda: by_numpy(y, score, fold), repeats=5)
    )


if __name__ == "__main__":
    from benchmarks.timing import markdown

    print(markdown(list(ratios())))
