"""Stratified bootstrap of areas and curves: positives and negatives are drawn apart.

Replicates come in chunks with seeds of their own, so the numbers depend on the seed and the data alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks, resampling
from rocscope.core.scores import MAX_ROWS, BinaryScores
from rocscope.core.table import ScoreTable
from rocscope.errors import ResourceError

Floats = NDArray[np.float64]
# Numbers that one chunk of resampled curves may hold: 32 MB of float64.
CHUNK_CELLS = 4_000_000
# Replicates of one seed where only areas are kept: a call of the kernel should outweigh its seed.
AREA_CHUNK = 500
AGREE = "all bootstrap replicates agree, so they give no interval"
FEW = "the bootstrap needs two cases in each class"


def draw_cases(
    sizes: Sequence[int], *, n_boot: int, rng: resampling.Rng
) -> Iterator[tuple[list[NDArray[np.int32]], resampling.Chunk]]:
    """Yield how often each case of each class was drawn, (replicates, cases) per class, chunk by chunk.

    Every class keeps its size.
    """
    from rocscope.core import kernels

    n_cases = sum(sizes)
    _check_drawn_cases(n_cases)
    for chunk in resampling.plan_chunks(
        n_boot, rng, size=max(1, min(resampling.CHUNK_SIZE, CHUNK_CELLS // n_cases))
    ):
        state = _state(chunk)
        yield [kernels.draw_counts(size, len(chunk.range), state) for size in sizes], chunk


def _check_drawn_cases(n_cases: int) -> None:
    if n_cases > MAX_ROWS:
        raise ResourceError(f"the bootstrap draws every case: at most {MAX_ROWS:,}, got {n_cases:,}")


def _state(chunk: resampling.Chunk) -> NDArray[np.uint64]:
    return chunk.seed.generate_state(4, np.uint64).astype(np.uint64)


def bootstrap_areas(table: ScoreTable, *, n_boot: int, rng: resampling.Rng) -> Floats:
    """Areas of stratified bootstrap replicates of one classifier."""
    from rocscope.core import kernels

    _check_drawn_cases(table.n_pos + table.n_neg)
    not_above = table.n_neg - np.cumsum(table.neg) + table.neg
    below, up_to = (
        np.repeat(counts, table.pos).astype(np.int32) for counts in (not_above - table.neg, not_above)
    )
    twice_u = [
        kernels.bootstrap_twice_u(below, up_to, table.n_neg, len(chunk.range), _state(chunk))
        for chunk in resampling.plan_chunks(n_boot, rng, size=AREA_CHUNK)
    ]
    return np.asarray(np.concatenate(twice_u) / (2 * table.n_pos * table.n_neg))


def paired_bootstrap_areas(data: BinaryScores, *, n_boot: int, rng: resampling.Rng) -> Floats:
    """Areas of stratified bootstrap replicates, (replicates, classifiers); a replicate draws cases once.

    Examples
    --------
    >>> data = BinaryScores.from_arrays([0, 0, 1, 1], {"a": [1, 2, 3, 4], "b": [1, 3, 2, 4]})
    >>> areas = paired_bootstrap_areas(data, n_boot=100, rng=1)
    >>> areas.shape, float(areas[:, 0].min())
    ((100, 2), 1.0)
    """
    # Negatives by ascending score, and for each positive how many lie below it and not above it.
    orders = []
    for column in range(len(data.columns)):
        pos, neg = data.by_class(column)
        ascending = np.sort(neg)
        places = [np.searchsorted(ascending, pos, side) for side in ("left", "right")]
        orders.append((np.argsort(neg, kind="stable"), *places))
    twice_u = []
    for (drawn_neg, drawn_pos), _ in draw_cases((data.n_neg, data.n_pos), n_boot=n_boot, rng=rng):
        of_curves = []
        for order, below, not_above in orders:
            beaten = _running(drawn_neg[:, order], np.int32)
            placements = beaten[:, below] + beaten[:, not_above]
            of_curves.append(np.einsum("ij,ij->i", placements, drawn_pos, dtype=np.int64))
        twice_u.append(np.stack(of_curves, axis=1))
    return np.asarray(np.concatenate(twice_u) / (2 * data.n_pos * data.n_neg))


def _running(drawn: NDArray[Any], dtype: Any = np.int64) -> NDArray[Any]:
    """Running sums over the cases of each replicate, from 0 on."""
    running = np.zeros((len(drawn), drawn.shape[1] + 1), dtype)
    np.cumsum(drawn, axis=1, out=running[:, 1:])
    return running


@dataclass(frozen=True, slots=True)
class CurveChunk:
    """Rates of a chunk of replicates, (replicates, vertices), from (0, 0) to (1, 1).

    The vertices are those of the original curve: replicates share its thresholds.
    """

    fpr: Floats
    tpr: Floats


def bootstrap_curves(data: BinaryScores, *, n_boot: int, rng: resampling.Rng) -> Iterator[list[CurveChunk]]:
    """Yield the resampled curves of each classifier, chunk by chunk; all see the same drawn cases."""
    if len(data.columns) == 1:  # ordered by score, the draws do not depend on the order of the rows
        rows = np.argsort(data.columns[0], kind="stable")
        data = replace(data, positive=data.positive[rows], columns=(data.columns[0][rows],))
    # Cases of each class by descending score, and how many of them lie at or above each vertex.
    orders = []
    for column in range(len(data.columns)):
        (pos, neg), table = data.by_class(column), data.table(column)
        orders.append(
            [
                (np.argsort(pos)[::-1], vertex_counts(table.pos)),
                (np.argsort(neg)[::-1], vertex_counts(table.neg)),
            ]
        )
    for (drawn_neg, drawn_pos), _ in draw_cases((data.n_neg, data.n_pos), n_boot=n_boot, rng=rng):
        yield [
            CurveChunk(
                fpr=_running(drawn_neg[:, neg])[:, neg_above] / data.n_neg,
                tpr=_running(drawn_pos[:, pos])[:, pos_above] / data.n_pos,
            )
            for (pos, pos_above), (neg, neg_above) in orders
        ]


def vertex_counts(counts: NDArray[Any]) -> NDArray[Any]:
    """Cases at or above each vertex of a curve, after (0, 0), from those at each score."""
    return np.concatenate([[0], np.cumsum(counts)])


def bootstrap_statistic(
    data: BinaryScores, statistic: Callable[..., Floats], *, n_boot: int, rng: resampling.Rng
) -> Floats:
    """Values of `statistic(CurveChunk, ...)`, one row per replicate."""
    return np.concatenate([statistic(*curves) for curves in bootstrap_curves(data, n_boot=n_boot, rng=rng)])


# ---- Stratified bootstrap samples of a count table: the cases drawn and the cases left out ----------------
# Cases are numbered by descending score, so that the numbers do not depend on the order of the rows.


@dataclass(frozen=True, slots=True)
class VertexCounts:
    """Cases that test positive at every vertex of the original curve, (replicates, vertices).

    `n_pos` and `n_neg` count all cases of each class, with one row per replicate.
    """

    tp: NDArray[np.int64]
    fp: NDArray[np.int64]
    n_pos: NDArray[np.int64]
    n_neg: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Replicates:
    """How often each case was drawn, one row per replicate.

    Examples
    --------
    >>> table = ScoreTable.from_counts([3, 2, 1], pos=[2, 1, 0], neg=[0, 1, 2])
    >>> sample = next(draw_replicates(table, n_boot=5, rng=7))
    >>> sample.drawn().tp[:, -1].tolist(), sample.left_out().tp.max() < 3
    ([3, 3, 3, 3, 3], np.True_)
    """

    pos: NDArray[np.int32]
    neg: NDArray[np.int32]
    table: ScoreTable
    chunk: resampling.Chunk

    def drawn(self) -> VertexCounts:
        """Cases of the samples, as often as they were drawn."""
        return self._counts(self.pos, self.neg)

    def left_out(self) -> VertexCounts:
        """Cases that were not drawn, once each."""
        return self._counts(self.pos == 0, self.neg == 0)

    def _counts(self, pos: NDArray[Any], neg: NDArray[Any]) -> VertexCounts:
        of_pos, of_neg = _running(pos), _running(neg)
        tp, fp = of_pos[:, vertex_counts(self.table.pos)], of_neg[:, vertex_counts(self.table.neg)]
        return VertexCounts(tp, fp, of_pos[:, -1:], of_neg[:, -1:])


def draw_replicates(table: ScoreTable, *, n_boot: int, rng: resampling.Rng) -> Iterator[Replicates]:
    """Yield the replicates chunk by chunk; both classes keep their sizes."""
    for (neg, pos), chunk in draw_cases((table.n_neg, table.n_pos), n_boot=n_boot, rng=rng):
        yield Replicates(pos, neg, table, chunk)


# ---- Intervals and p-values from replicates ---------------------------------------------------------------


def percentile_interval(
    replicates: Floats,
    *,
    level: float,
    alternative: checks.Alternative = "two-sided",
    bounds: Any = (-np.inf, np.inf),
    value: Any = None,
) -> tuple[Any, Any]:
    """Quantiles of the replicates over the first axis; one-sided intervals end at the bound.

    An interval is widened to hold the estimate, if there is a `value`: replicates of few or tied cases can
    lie on one side of it, and at low levels their median is not the estimate.
    """
    low, high = tail_shares(level, alternative)
    ends = np.quantile(replicates, [low, high], axis=0)
    if value is not None:
        ends = np.stack([np.minimum(ends[0], value), np.maximum(ends[1], value)])
    if alternative == "less":
        ends[0] = bounds[0]
    if alternative == "greater":
        ends[1] = bounds[1]
    return ends[0], ends[1]


def percentile_p(
    replicates: Floats, *, at: float = 0.0, alternative: checks.Alternative = "two-sided"
) -> float:
    """P-value that belongs to `percentile_interval`: intervals of the level 1 - p just reach `at`.

    It is no less than what so many replicates can show, 1 / (n + 1) on a side.

    Examples
    --------
    >>> replicates = np.linspace(-0.1, 0.9, 1001)
    >>> round(percentile_p(replicates), 6), round(percentile_p(replicates, alternative="greater"), 6)
    (0.2, 0.1)
    """
    low, high = _share_up_to(replicates, at), _share_up_to(-replicates, -at)
    if alternative == "two-sided":
        return min(1.0, 2 * min(low, high))
    return low if alternative == "greater" else high


def _share_up_to(replicates: Floats, at: float) -> float:
    """Largest share whose quantile is not above `at`, quantiles being linear between replicates."""
    ascending = np.sort(replicates)
    n = len(ascending)
    known = int(np.searchsorted(ascending, at, "right"))
    if known in (0, n):
        return 1.0 if known else 1 / (n + 1)
    below, above = ascending[known - 1 : known + 1]
    return max(1 / (n + 1), float(known - 1 + (at - below) / (above - below)) / (n - 1))


def tail_shares(level: float, alternative: checks.Alternative) -> tuple[float, float]:
    """Shares of the distribution below the lower and below the upper end."""
    outside = (1 - level) / 2 if alternative == "two-sided" else 1 - level
    return outside, 1 - outside


def bca_interval(
    replicates: Floats,
    value: float,
    influence: Sequence[tuple[Floats, Floats]],
    *,
    level: float,
    alternative: checks.Alternative = "two-sided",
    bounds: tuple[float, float] = (0.0, 1.0),
) -> tuple[float, float]:
    """Efron's bias-corrected and accelerated interval.

    `influence` holds, for each class, the deviations of the placements from their mean and how many
    cases have each. The acceleration is skewness / 6 of the linear part of the statistic, the two
    classes being drawn apart.
    """
    below = float((replicates < value).mean() + (replicates == value).mean() / 2)
    shift = special.ndtri(min(max(below, 0.5 / len(replicates)), 1 - 0.5 / len(replicates)))
    third = sum(float((n * d**3).sum()) / float(n.sum()) ** 3 for d, n in influence)
    second = sum(float((n * d**2).sum()) / float(n.sum()) ** 2 for d, n in influence)
    acceleration = third / (6 * second**1.5) if second > 0 else 0.0

    def end(share: float) -> float:
        z = shift + (special.ndtri(share) if share < 1 else -special.ndtri(low))  # 1 - 1e-17 rounds to 1
        bounded = acceleration * z < 1  # beyond, the correction reaches every replicate
        share = special.ndtr(shift + z / (1 - acceleration * z)) if bounded else float(z > 0)
        return float(np.quantile(replicates, share))

    low, high = tail_shares(level, alternative)
    return (
        bounds[0] if alternative == "less" else min(end(low), value),
        bounds[1] if alternative == "greater" else max(end(high), value),
    )
