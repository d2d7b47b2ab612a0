"""All trainings of one bootstrap, judged and put in order: by whom each case was judged, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocscope.bootstrap.plan import Replicates, Split
from rocscope.bootstrap.sample import Sample
from rocscope.bootstrap.training import Judged
from rocscope.core.table import ScoreTable

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """Replicates whose training went well, (replicates, cases), and what became of the others.

    Attributes
    ----------
    counts
        How often each case trained each replicate.
    scores
        NaN where a case trained; None if the estimator has no scores.
    called, called_at_cost
        Decisions, False where a case trained.
    failed
        Error of every replicate that failed.
    """

    counts: NDArray[np.int32]
    scores: Floats | None
    called: Flags
    called_at_cost: Flags
    failed: tuple[str, ...]

    @property
    def out(self) -> Flags:
        """Where a case was left out."""
        return np.asarray(self.counts == 0)

    def undefined_words(self, sample: Sample) -> str | None:
        """Why nothing can be said of left-out cases, if so."""
        if sample.smallest < 2:
            return (
                "a class of one member cannot both train and be left out; "
                f"the smallest class has {sample.smallest_words()}"
            )
        if len(self.counts) < 2:
            tried = len(self.counts) + len(self.failed)
            return f"training failed in {len(self.failed)} of {tried} replicates: {self.failed[0]}"
        return None


def gather(sample: Sample, drawn: Replicates, judged: Sequence[Judged]) -> Gathered:
    """Put what the replicates said of their left-out cases into arrays."""
    good = [k for k, each in enumerate(judged) if each.error is None]
    splits, said = [drawn.splits[k] for k in good], [judged[k] for k in good]
    shape = (len(good), sample.size)
    called, at_cost, scores = np.zeros(shape, bool), np.zeros(shape, bool), np.full(shape, np.nan)
    for b, (split, each) in enumerate(zip(splits, said, strict=True)):
        called[b, split.test], at_cost[b, split.test] = each.called, each.called_at_cost
        if each.scores is not None:
            scores[b, split.test] = each.scores
    soft = all(each.scores is not None for each in said)
    return Gathered(
        counts=Replicates(splits, 0).counts(sample.size),
        scores=scores if soft else None,
        called=called,
        called_at_cost=at_cost,
        failed=tuple(each.error for each in judged if each.error is not None),
    )


def in_rows(sample: Sample, splits: Sequence[Split], judged: Sequence[Judged]) -> Judged:
    """Put together what splits that test every case once said; the first failure where there is one."""
    errors = [each.error for each in judged if each.error is not None]
    if errors:
        return Judged(error=f"training failed in {len(errors)} of {len(judged)} splits: {errors[0]}")
    rows = np.concatenate([split.test for split in splits])

    def ordered(name: str) -> NDArray[np.float64] | None:
        parts = [getattr(each, name) for each in judged]
        if any(part is None for part in parts):
            return None
        return np.asarray(np.concatenate(parts)[np.argsort(rows)])

    called, at_cost = ordered("called"), ordered("called_at_cost")
    return Judged(
        scores=ordered("scores"),
        called=None if called is None else called.astype(bool),
        called_at_cost=None if at_cost is None else at_cost.astype(bool),
    )


def area(scores: Floats, positive: Flags) -> float:
    """AUC of scores, ties one half.

    Examples
    --------
    >>> area(np.array([0.1, 0.4, 0.35, 0.8]), np.array([False, False, True, True]))
    0.75
    """
    return ScoreTable.from_sorted(np.sort(scores[positive]), np.sort(scores[~positive])).auc
