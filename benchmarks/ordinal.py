"""Sets of ROC curves of ordered classes, against a plain sort and against the paper's formulas."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import Ratio, best_of
from rocscope.ordinal.roc import ordinal_roc

N, N_CLASSES, THRESHOLDS = 1_000_000, 6, 100
# Pairs of thresholds per class on which the literal formulas are timed; the rest takes as long each.
TIMED_PAIRS = 25


def estimates(n: int, seed: int = 1) -> tuple[NDArray[Any], NDArray[Any]]:
    """True classes 1 to 6 and estimates that miss them by 0.6 or so."""
    rng = np.random.default_rng(seed)
    y = rng.integers(1, N_CLASSES + 1, n)
    return y, y + rng.normal(0, 0.6, n)


def sort_and_grid(y: NDArray[Any], e: NDArray[Any]) -> None:
    """What cannot be saved: one sort of the estimates, and for every class two matrices of counts."""
    ascending = np.sort(e)
    steps = np.arange(1, THRESHOLDS + 1) / (THRESHOLDS + 1)
    counts = [np.searchsorted(ascending, c + steps) for c in range(1, N_CLASSES)]
    for below, upto in pairwise(counts):
        for _ in ("TP", "FP"):
            _ = upto - below[:, None]


def literal(y: NDArray[Any], e: NDArray[Any], pairs: int) -> None:
    """The paper's formulas as printed, for some pairs of thresholds of every inner class."""
    steps = np.arange(1, THRESHOLDS + 1) / (THRESHOLDS + 1)
    for c in range(2, N_CLASSES):
        for a, b in zip(c - 1 + steps[:pairs], c + steps[:pairs], strict=True):
            inside, own = (a <= e) & (e <= b), (a <= y) & (y <= b)
            np.count_nonzero(inside & own)
            np.count_nonzero(inside & ((y < a) | (b < y)))


def ratios() -> Iterator[Ratio]:
    """Yield one ratio per task and peer."""
    y, e = estimates(N)
    task = f"ordinal_roc, {N_CLASSES} classes, {THRESHOLDS} x {THRESHOLDS} thresholds, n = {N:,}"
    ours = best_of(lambda: ordinal_roc(y, e, thresholds=THRESHOLDS), repeats=15)
    yield Ratio(task, "np.sort and the grid", ours, best_of(lambda: sort_and_grid(y, e), repeats=15), 0.25)
    timed = best_of(lambda: literal(y, e, TIMED_PAIRS), repeats=2)
    yield Ratio(task, "the paper's formulas", ours, timed * THRESHOLDS**2 / TIMED_PAIRS, 50)
    y, e = estimates(20_000)
    ours = best_of(lambda: ordinal_roc(y, e, thresholds="all"), repeats=5)
    few = best_of(lambda: ordinal_roc(y, e, thresholds=THRESHOLDS), repeats=5)
    yield Ratio("ordinal_roc, all distinct thresholds, n = 20,000", "100 thresholds per gap", ours, few)
