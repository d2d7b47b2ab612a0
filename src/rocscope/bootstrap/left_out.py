"""Trained replicates of one data set, and what they say of the cases that each left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.bootstrap.point632 import LossRule
from rocscope.core import execution, resampling
from rocscope.training.datasets import Dataset
from rocscope.training.fitting import Flags, Floats, FoldScores, fit_and_score
from rocscope.training.splits import Split

# Trainings of one task; part of the meaning of a seed.
CHUNK = 10


def train_splits(
    estimator: Any,
    data: Dataset,
    splits: Sequence[Split],
    rng: resampling.Rng,
    *,
    response: str | None,
    **running: Any,
) -> list[FoldScores]:
    """Train on each split, score and decide its test rows; a training that fails does not stop the others.

    Chunks of trainings share a stream, so the numbers are the same for any number of jobs; `running` goes to
    `run_tasks`.
    """
    tasks = [
        execution.Task(
            f"trainings {chunk.start} to {chunk.stop - 1}",
            _train_chunk,
            (estimator, data, splits[chunk.start : chunk.stop], chunk, response),
        )
        for chunk in resampling.plan_chunks(len(splits), rng, size=CHUNK)
    ]
    return [fold for part in execution.values_of(execution.run_tasks(tasks, **running)) for fold in part]


def _train_chunk(
    estimator: Any, data: Dataset, splits: Sequence[Split], chunk: resampling.Chunk, response: str | None
) -> list[FoldScores]:
    stream, folds = chunk.stream(), []
    for split in splits:
        try:
            folds.append(fit_and_score(estimator, data, split, stream, response, decide=True))
        except Exception as error:  # an estimator may fail in any way; the other trainings stand
            folds.append(FoldScores(failure=f"{type(error).__name__}: {' '.join(str(error).split())}"))
    return folds


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Replicates whose training went well, (replicates, cases), and the errors of the others.

    Attributes
    ----------
    counts
        How often each case trained each replicate.
    scores
        NaN where a case trained; None if the estimator has no scores.
    decided, decided_at_cost
        Cases classified as positive, by `predict` and at the costs of the loss; False where a case trained.
    failed
        Error of every replicate that failed.
    """

    counts: NDArray[np.int32]
    scores: Floats | None
    decided: Flags
    decided_at_cost: Flags
    failed: tuple[str, ...]

    def undefined_reason(self, data: Dataset) -> str | None:
        """Why nothing can be said of left-out cases, if so."""
        if data.smallest < 2:
            return (
                "a class of one member cannot both train and be left out; "
                f"the smallest class has {data.smallest_class}"
            )
        if len(self.counts) < 2:
            tried = len(self.counts) + len(self.failed)
            return f"training failed in {len(self.failed)} of {tried} replicates: {self.failed[0]}"
        return None


def gather_left_out(
    data: Dataset, splits: Sequence[Split], folds: Sequence[FoldScores], at_cost: Sequence[Flags | None]
) -> LeftOut:
    """Put the scores and decisions of the replicates on their left-out cases into arrays."""
    good = [k for k, fold in enumerate(folds) if fold.failure is None]
    shape = (len(good), data.size)
    decided, decided_at_cost = np.zeros(shape, bool), np.zeros(shape, bool)
    scores, counts = np.full(shape, np.nan), np.zeros(shape, np.int32)
    for b, k in enumerate(good):
        counts[b] = np.bincount(splits[k].train, minlength=data.size)
        rows = splits[k].test
        decided[b, rows], decided_at_cost[b, rows] = folds[k].positive, at_cost[k]
        if folds[k].scores is not None:
            scores[b, rows] = folds[k].scores
    return LeftOut(
        counts=counts,
        scores=scores if all(folds[k].scores is not None for k in good) else None,
        decided=decided,
        decided_at_cost=decided_at_cost,
        failed=tuple(fold.failure for fold in folds if fold.failure is not None),
    )


# ---- The leave-pair-out bootstrap: every pair of cases judged by the replicates that left out both --------
# Scores of a case in a replicate that trained on it are NaN: no comparison with NaN holds, so such a pair
# counts nothing, and one comparison of whole arrays serves all replicates.

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
    (n_boot, n_pos), n_neg = pos.shape, neg.shape[1]
    compiled = pos.size * n_neg >= LARGE
    step = max(1, BLOCK_PAIRS // n_neg if compiled else BLOCK_CELLS // neg.size)
    twice_u, gradient = np.zeros(n_boot, np.int64), np.zeros(n_boot)
    pos_sum, neg_sum, pos_pairs, neg_pairs = (np.zeros(n) for n in (n_pos, n_neg, n_pos, n_neg))
    for start in range(0, n_pos, step):
        rows = slice(start, start + step)
        share, times, excess, wins = (_compiled_pairs if compiled else _pairs)(pos[:, rows], neg)
        kept = times > 0
        twice_u += wins
        gradient += excess
        pos_sum[rows] = share.sum(axis=1)
        neg_sum += share.sum(axis=0)
        pos_pairs[rows] = kept.sum(axis=1)
        neg_pairs += kept.sum(axis=0)
    if compiled:
        from rocscope.core.kernels.trials import left_out_areas

        scores = np.hstack([neg, pos])
        areas = left_out_areas(np.isnan(scores).astype(np.int32), scores, n_neg)
    else:
        areas = twice_u / (2 * ((~np.isnan(pos)).sum(axis=1) * (~np.isnan(neg)).sum(axis=1)))
    n_pairs = pos_pairs.sum()
    value = pos_sum.sum() / n_pairs
    return PairSums(
        replicates=np.asarray(areas),
        value=float(np.clip(value, 0.0, 1.0)),  # shares are rounded before they are added
        pos_part=(pos_sum - value * pos_pairs) / n_pairs,
        neg_part=(neg_sum - value * neg_pairs) / n_pairs,
        gradient=gradient / n_pairs,
        dropped=n_pos * n_neg - int(n_pairs),
    )


def _pairs(pos: Floats, neg: Floats) -> tuple[Floats, Floats, Floats, Any]:
    """Of some positives with all negatives: A_ij, replicates that left out both, G_b times pairs, 2U_b."""
    mine, others = (np.ascontiguousarray(scores.T) for scores in (pos, neg))
    pos_out, neg_out = ~np.isnan(pos), ~np.isnan(neg)
    twice = (mine[:, np.newaxis] > others).view(np.int8) + (mine[:, np.newaxis] >= others).view(np.int8)
    # `twice` is (positives, negatives, replicates); `times` are whole numbers, so the product is exact.
    times = pos_out.T.astype(np.float64) @ neg_out
    weight = np.divide(1.0, times, where=times > 0, out=np.zeros_like(times))
    share = twice.sum(axis=2, dtype=np.int64) * weight / 2
    seen = np.einsum("ij,ijb->b", weight, twice) / 2  # reads small integers; a product would copy them
    expected = (pos_out @ (share * weight) * neg_out).sum(axis=1)
    return share, times, seen - expected, twice.sum(axis=(0, 1), dtype=np.int64)


def _compiled_pairs(pos: Floats, neg: Floats) -> tuple[Floats, Floats, Floats, Any]:
    """The same without 2U_b, compiled."""
    from rocscope.core.kernels.trials import pair_shares, replicate_excess

    scores = np.hstack([neg, pos])
    trained = np.isnan(scores).astype(np.int32)
    share, times = pair_shares(trained, scores, neg.shape[1])
    return share, times, replicate_excess(trained, scores, neg.shape[1], share, times), 0


# ---- The leave-one-out bootstrap of the error rate and of the expected loss ([1] eq. 14) ------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutLoss:
    """Leave-one-out bootstrap loss, its spread, and the cases that no replicate left out."""

    value: float
    spread: Spread
    dropped: int


def left_out_loss(
    rule: LossRule, positive: Flags, decided: Flags, counts: NDArray[np.int32], *, strata: int
) -> LeftOutLoss:
    """Mean over the cases of the mean loss over the replicates that left each out ([1] eq. 14)."""
    out, codes = counts == 0, positive.astype(np.intp)
    times = out.sum(axis=0)
    kept = times > 0
    losses = np.where(out, rule.case_losses(positive, decided), 0.0)
    mean = np.divide(losses.sum(axis=0), times, where=kept, out=np.zeros(len(times)))
    # Weight of each case: the share of its class over the number of its kept cases.
    sizes = np.array([(kept & ~positive).sum(), (kept & positive).sum()])
    weight = kept * np.array(rule.shares(positive))[codes] / sizes[codes]
    value = float((weight * mean).sum())
    per_time = np.divide(weight, times, where=kept, out=np.zeros(len(times)))
    gradient = ((losses - out * mean) * per_time).sum(axis=1)
    # The loss of a case is compared with the mean loss; where shares of classes are fixed, of its class.
    centres = np.full(len(mean), value)
    if strata == 2 or rule.prevalence is not None:
        for rows in (positive, ~positive):
            centres[rows] = weight[rows] @ mean[rows] / weight[rows].sum()
    spread_of_loss = spread(counts, weight * (mean - centres), gradient, strata=strata)
    return LeftOutLoss(value=value, spread=spread_of_loss, dropped=int((~kept).sum()))


# ---- Standard errors by the influence function: the gain of an estimate from more weight on one case ------
# A replicate with N_i copies of case i becomes likelier by the factor 1 + n_i eps (N_i - 1) as the weight of
# the case grows by eps, n_i being the number of cases it is drawn among. An estimate with gradient G_b in the
# weight of replicate b, and with a part p_i that belongs to case i, has the influence value
# n_i (p_i + sum_b (N_i^b - 1) G_b); the sum of their squares over n_i^2 is its variance. Finitely many
# replicates add noise to every value, which is known and taken off: N_i^b - 1 has the variance 1 - 1/n_i.

# Variances up to this are what rounding leaves of none.
ROUNDING = 1e-24


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Variance of an estimate over data sets, and over repeated bootstraps of the same one.

    `variance` may be negative, where the noise of the replicates hides what there is; `noise` is the variance
    that the replicates add to each of the influence values of the `n_cases`.
    """

    variance: float
    mc_variance: float
    noise: float
    n_cases: int

    @property
    def se(self) -> float | None:
        """Standard error; None where the variance is hidden, or there is none."""
        return float(np.sqrt(self.variance)) if self.variance > ROUNDING else None

    @property
    def doubt(self) -> float:
        """Monte-Carlo error of the standard error, as a share of it; 0 where there is none."""
        if self.variance <= ROUNDING:
            return 0.0
        # Variance of a sum of squares, each of a value with normal noise added.
        of_squares = 4 * self.noise * self.variance + 2 * self.n_cases * self.noise**2
        return float(np.sqrt(of_squares) / (2 * self.variance))

    @property
    def is_flat(self) -> bool:
        """Whether neither cases nor replicates differ."""
        return abs(self.variance) <= ROUNDING and self.mc_variance <= ROUNDING

    @property
    def mc_error(self) -> float:
        """Standard deviation over repeated bootstraps."""
        return float(np.sqrt(self.mc_variance))


def spread(counts: NDArray[np.int32], own: Floats, gradient: Floats, *, strata: int) -> Spread:
    """Variance from influence values, minus the noise of the replicates.

    Parameters
    ----------
    counts
        N_i^b, (replicates, cases).
    own
        p_i of each case.
    gradient
        G_b of each replicate; they add up to 0.
    strata
        Number of groups the cases were drawn in: 2 class by class, 1 all together.

    Examples
    --------
    >>> counts = np.array([[2, 0], [0, 2], [1, 1]], np.int32)
    >>> round(spread(counts, np.array([0.3, -0.3]), np.array([0.01, -0.01, 0.0]), strata=1).variance, 4)
    0.2046
    """
    values = own + gradient @ (counts - 1.0)
    squares, n_boot, n_cases = float(gradient @ gradient), len(gradient), len(own)
    return Spread(
        variance=float(values @ values) - (n_cases - strata) * squares,
        mc_variance=squares * n_boot / (n_boot - 1),
        noise=squares,
        n_cases=n_cases,
    )
