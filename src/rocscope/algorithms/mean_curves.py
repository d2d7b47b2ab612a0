"""Mean ROC curves over folds: where they run, and where two of them cross."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np

from rocscope.algorithms.differences import Floats
from rocscope.algorithms.loss_result import MeanCrossing
from rocscope.algorithms.training import FoldRecord
from rocscope.core.curve import roc_curve

# False positive rates at which the curves are averaged.
GRID = np.linspace(0, 1, 201)
SAME = 1e-12


def mean_curve(folds: Sequence[FoldRecord]) -> Floats:
    """Mean height over the folds at every rate of `GRID`."""
    heights = [roc_curve(record.positive, record.score).tpr_at(GRID) for record in folds]
    return np.asarray(np.mean(heights, axis=0))


def mean_marks(folds: Sequence[FoldRecord], thresholds: Floats) -> Floats:
    """Mean rates (fpr, tpr) over the folds at every threshold, shape (thresholds, 2)."""
    rates = []
    for record in folds:
        called = record.score >= thresholds[:, np.newaxis]
        rates.append([called[:, ~record.positive].mean(axis=1), called[:, record.positive].mean(axis=1)])
    return np.asarray(np.mean(rates, axis=0).T)


def curve_crossings(names: Sequence[str], tpr: Floats) -> tuple[MeanCrossing, ...]:
    """Compare every two mean curves.

    Examples
    --------
    >>> apart = np.array([GRID, np.minimum(1, 2 * GRID), GRID**2])
    >>> [row.dominant for row in curve_crossings(["a", "b", "c"], apart)]
    ['b', 'a', 'b']
    >>> step = np.where(GRID < 0.3, GRID / 2, np.sqrt(GRID))
    >>> [round(fpr, 2) for fpr in curve_crossings(["a", "b"], np.array([GRID, step]))[0].fpr]
    [0.3]
    """
    pairs = combinations(range(len(names)), 2)
    return tuple(_crossing(names[i], names[j], tpr[i] - tpr[j]) for i, j in pairs)


def _crossing(first: str, second: str, gap: Floats) -> MeanCrossing:
    """Zeros of the gap between two mean curves, linear between the common rates."""
    signs = np.sign(np.where(np.abs(gap) < SAME, 0.0, gap))
    apart = np.flatnonzero(signs)
    turns = [(i, j) for i, j in pairwise(apart) if signs[i] != signs[j]]
    at = tuple(float(GRID[i] + (GRID[j] - GRID[i]) * gap[i] / (gap[i] - gap[j])) for i, j in turns)
    dominant = None if turns or not len(apart) else (first if signs[apart[0]] > 0 else second)
    return MeanCrossing(first=first, second=second, fpr=at, dominant=dominant)
