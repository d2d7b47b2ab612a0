"""The leave-pair-out bootstrap: every pair of cases judged by the replicates that left out both.

Scores of a case in a replicate that trained on it are NaN: no comparison with NaN holds, so such a pair
counts nothing, and one comparison of whole arrays serves all replicates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Comparisons from which loading numba pays off.
LARGE = 50_000_000
# Comparisons that are held at once, 8 bytes each; and pairs, of which the kernels keep four numbers.
BLOCK_CELLS = 2_000_000
BLOCK_PAIRS = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSums:
    """What the estimates and their influence function need of all pairs and replicates.

    Attributes
    ----------
    replicates
        AUC of every replicate on the cases it left out.
    value
        Leave-pair-out AUC: mean over pairs of A_ij, the share of replicates that rank pair ij rightly among
        those that left out both.
    pos_part, neg_part
        Of each case the sum of A_ij - AUC over its pairs, divided by the number of all pairs.
    gradient
        G_b: by how much the AUC grows with the weight of replicate b.
    dropped
        Pairs that no replicate left out together.
    """

    replicates: Floats
    value: float
    pos_part: Floats
    neg_part: Floats
    gradient: Floats
    dropped: int


def pair_sums(pos: Floats, neg: Floats) -> PairSums:
    """Compare all positives with all negatives in all replicates.

    Parameters
    ----------
    pos, neg
        Scores, (replicates, cases) of each class; NaN where the case trained the replicate. Every replicate
        leaves out a case of each class.

    Examples
    --------
    >>> nan = float("nan")
    >>> pos, neg = np.array([[3.0, nan], [nan, 1.0]]), np.array([[1.0, 2.0], [1.0, nan]])
    >>> sums = pair_sums(pos, neg)
    >>> sums.replicates.tolist(), round(sums.value, 4), sums.dropped
    ([1.0, 0.5], 0.8333, 1)
    """
    compiled = pos.size * neg.shape[1] >= LARGE
    totals = _Totals(n_boot=len(pos), n_pos=pos.shape[1], n_neg=neg.shape[1])
    step = BLOCK_PAIRS // neg.shape[1] if compiled else BLOCK_CELLS // neg.size
    for start in range(0, pos.shape[1], max(1, step)):
        rows = slice(start, start + max(1, step))
        totals.add(rows, (_compiled_pairs if compiled else _pairs)(pos[:, rows], neg))
    areas = _compiled_areas(pos, neg) if compiled else totals.areas(pos, neg)
    return totals.sums(areas)


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Of some positives with all negatives: A_ij, replicates that left out both, G_b times pairs, 2U_b."""

    share: Floats
    times: Floats
    gradient: Floats
    twice_u: Ints | int = 0


def _pairs(pos: Floats, neg: Floats) -> _Pairs:
    mine, others = (np.ascontiguousarray(scores.T) for scores in (pos, neg))
    pos_out, neg_out = ~np.isnan(pos), ~np.isnan(neg)
    twice = (mine[:, np.newaxis] > others).view(np.int8) + (mine[:, np.newaxis] >= others).view(np.int8)
    # `twice` is (positives, negatives, replicates); `times` are whole numbers, so the product is exact.
    times = pos_out.T.astype(np.float64) @ neg_out
    weight = np.divide(1.0, times, where=times > 0, out=np.zeros_like(times))
    share = twice.sum(axis=2, dtype=np.int64) * weight / 2
    seen = np.einsum("ij,ijb->b", weight, twice) / 2  # reads small integers; a product would copy them
    expected = (pos_out @ (share * weight) * neg_out).sum(axis=1)
    return _Pairs(share, times, seen - expected, twice.sum(axis=(0, 1), dtype=np.int64))


def _compiled_pairs(pos: Floats, neg: Floats) -> _Pairs:
    from rocscope.core.kernels.pairs_left_out import pair_shares, replicate_excess

    scores = np.hstack([neg, pos])
    trained = np.isnan(scores).astype(np.int32)
    share, times = pair_shares(trained, scores, neg.shape[1])
    return _Pairs(share, times, replicate_excess(trained, scores, neg.shape[1], share, times))


def _compiled_areas(pos: Floats, neg: Floats) -> Floats:
    from rocscope.core.kernels.trials import left_out_areas

    scores = np.hstack([neg, pos])
    return left_out_areas(np.isnan(scores).astype(np.int32), scores, neg.shape[1])


class _Totals:
    """Sums over the pairs seen so far."""

    def __init__(self, *, n_boot: int, n_pos: int, n_neg: int) -> None:
        self.twice_u = np.zeros(n_boot, np.int64)
        self.gradient = np.zeros(n_boot)
        self.pos_sum, self.neg_sum = np.zeros(n_pos), np.zeros(n_neg)
        self.pos_pairs, self.neg_pairs = np.zeros(n_pos), np.zeros(n_neg)

    def add(self, rows: slice, pairs: _Pairs) -> None:
        """Add some positives with all negatives."""
        kept = pairs.times > 0
        self.twice_u += pairs.twice_u
        self.gradient += pairs.gradient
        self.pos_sum[rows] = pairs.share.sum(axis=1)
        self.neg_sum += pairs.share.sum(axis=0)
        self.pos_pairs[rows] = kept.sum(axis=1)
        self.neg_pairs += kept.sum(axis=0)

    def areas(self, pos: Floats, neg: Floats) -> Floats:
        """AUC of every replicate."""
        left_out = (~np.isnan(pos)).sum(axis=1) * (~np.isnan(neg)).sum(axis=1)
        return np.asarray(self.twice_u / (2 * left_out))

    def sums(self, areas: Floats) -> PairSums:
        """Divide by the number of pairs."""
        n_pairs = self.pos_pairs.sum()
        value = self.pos_sum.sum() / n_pairs
        return PairSums(
            replicates=areas,
            value=float(np.clip(value, 0.0, 1.0)),  # shares are rounded before they are added
            pos_part=(self.pos_sum - value * self.pos_pairs) / n_pairs,
            neg_part=(self.neg_sum - value * self.neg_pairs) / n_pairs,
            gradient=self.gradient / n_pairs,
            dropped=self.pos_pairs.size * self.neg_pairs.size - int(n_pairs),
        )
