"""Sets of ROC curves of ordered classes, against a plain sort and against the paper's formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
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


def kinds() -> dict[str, tuple[NDArray[Any], NDArray[Any]]]:
    """Classes and estimates of several types."""
    y, e = estimates(N)
    return {
        "n": (y, e),
        "float32 estimates, n": (y, e.astype(np.float32)),
        "estimates rounded to 1e-4, n": (y, e.round(4)),
        "classes 0.5, 1, ..., n": (y / 2, e / 2),
    }


def every_point(y: NDArray[Any], e: NDArray[Any]) -> None:
    """The call, and for every class the matrices of all points."""
    for one in ordinal_roc(y, e, thresholds=THRESHOLDS).curves:
        _ = one.tp, one.fp


def in_turn(ours: Callable[[], Any], theirs: Callable[[], Any], rounds: int = 15) -> tuple[float, float]:
    """Best times of two calls that take turns, so that a busy minute of the machine meets both."""
    times = [(best_of(ours, repeats=2), best_of(theirs, repeats=2)) for _ in range(rounds)]
    return min(time for time, _ in times), min(time for _, time in times)


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
    task = f"ordinal_roc, {N_CLASSES} classes, {THRESHOLDS} x {THRESHOLDS} thresholds"
    for kind, data in kinds().items():
        ours, theirs = in_turn(partial(every_point, *data), partial(sort_and_grid, *data))
        yield Ratio(f"{task}, {kind} = {N:,}", "np.sort and the grid", ours, theirs, 0.25)
    data = estimates(N)
    ours = best_of(partial(every_point, *data), repeats=5)
    timed = best_of(partial(literal, *data, TIMED_PAIRS), repeats=2)
    yield Ratio(f"{task}, n = {N:,}", "the paper's formulas", ours, timed * THRESHOLDS**2 / TIMED_PAIRS, 50)
    y, e = estimates(20_000)
    ours = best_of(lambda: ordinal_roc(y, e, thresholds="all"), repeats=5)
    few = best_of(lambda: ordinal_roc(y, e, thresholds=THRESHOLDS), repeats=5)
    yield Ratio("ordinal_roc, all distinct thresholds, n = 20,000", "100 thresholds per gap", ours, few)
