"""The leave-pair-out bootstrap of one training set, with the variance of its influence function."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.kernels.compiling import compiled, inlined

Floats = NDArray[np.float64]
Counts = NDArray[np.int32]


@compiled
def leave_pair_out(counts: Counts, scores: Floats, n_neg: int) -> tuple[Floats, int]:
    """Return the area over pairs left out together, its variance, the noise in that, and pairs dropped.

    Rows of `counts` and `scores` are replicates, columns cases, negatives first. A pair that no replicate
    leaves out is dropped. `noise` is what the finite number of replicates adds to the variance on average.
    """
    n_pos = counts.shape[1] - n_neg
    share, times = pair_shares(counts, scores, n_neg)
    kept = times > 0
    n_kept = kept.sum()
    if n_kept == 0:
        return np.full(3, np.nan), times.size
    value = share.sum() / n_kept
    excess = replicate_excess(counts, scores, n_neg, share, times) / n_kept
    of_pos, of_neg = np.zeros(n_pos), np.zeros(n_neg)
    for i in range(n_pos):
        for j in range(n_neg):
            if kept[i, j]:
                of_pos[i] += share[i, j] - value
                of_neg[j] += share[i, j] - value
    variance = 0.0
    for j in range(n_neg):
        influence = of_neg[j] / n_kept + drawn_excess(counts[:, j], excess)
        variance += influence * influence
    for i in range(n_pos):
        influence = of_pos[i] / n_kept + drawn_excess(counts[:, n_neg + i], excess)
        variance += influence * influence
    noise = (n_neg + n_pos - 2) * (excess * excess).sum()
    return np.array([value, variance, noise]), times.size - n_kept


@inlined
def twice_right(pos: Any, neg: Any) -> Any:
    """2 where the positive scores higher, 1 where they tie, else 0."""
    return 1.0 * (pos > neg) + 1.0 * (pos >= neg)


@compiled
def pair_shares(counts: Counts, scores: Floats, n_neg: int) -> tuple[Floats, Floats]:
    """Of the replicates leaving out a pair (positive, negative): the share ranking it right, their number."""
    n_pos = counts.shape[1] - n_neg
    wins, times = np.zeros((n_pos, n_neg)), np.zeros((n_pos, n_neg))
    left = np.empty(n_neg)
    for b in range(counts.shape[0]):
        for j in range(n_neg):
            left[j] = 0.5 * (counts[b, j] == 0)
        for i in range(n_pos):
            if counts[b, n_neg + i] == 0:
                value = scores[b, n_neg + i]
                for j in range(n_neg):
                    times[i, j] += 2.0 * left[j]
                    wins[i, j] += left[j] * twice_right(value, scores[b, j])
    for i in range(n_pos):
        for j in range(n_neg):
            if times[i, j] > 0:
                wins[i, j] /= times[i, j]
    return wins, times


@compiled
def replicate_excess(counts: Counts, scores: Floats, n_neg: int, share: Floats, times: Floats) -> Floats:
    """Per replicate: how much better than on average it ranks its left-out pairs, each over its `times`."""
    n_pos = counts.shape[1] - n_neg
    weight, expected = np.zeros((n_pos, n_neg)), np.zeros((n_pos, n_neg))
    for i in range(n_pos):
        for j in range(n_neg):
            if times[i, j] > 0:
                weight[i, j] = 1.0 / times[i, j]
                expected[i, j] = share[i, j] / times[i, j]
    excess = np.empty(counts.shape[0])
    left, total = np.empty(n_neg), np.empty(n_neg)
    for b in range(counts.shape[0]):
        for j in range(n_neg):
            left[j] = 1.0 * (counts[b, j] == 0)
            total[j] = 0.0
        for i in range(n_pos):
            if counts[b, n_neg + i] == 0:
                value = scores[b, n_neg + i]
                for j in range(n_neg):
                    right = 0.5 * twice_right(value, scores[b, j])
                    total[j] += left[j] * (right * weight[i, j] - expected[i, j])
        excess[b] = total.sum()
    return excess


@compiled
def drawn_excess(counts: Counts, excess: Floats) -> float:
    """Sum over the replicates of (draws of a case less their mean, 1) times the excess."""
    total = 0.0
    for b in range(excess.size):
        total += (counts[b] - 1) * excess[b]
    return total
