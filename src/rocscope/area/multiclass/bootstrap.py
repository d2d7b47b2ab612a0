"""Stratified bootstrap of multi-class areas: the cases are drawn class by class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.area.multiclass.placements import ClassSplit, Floats
from rocscope.area.resampled import CHUNK_CELLS
from rocscope.core.resample import CHUNK_SIZE, Rng, plan_chunks

Counts: TypeAlias = NDArray[np.int32]


def bootstrap_multiclass(split: ClassSplit, shares: Floats, *, n_boot: int, rng: Rng) -> Floats:
    """Replicates of sum_ij shares[i, j] A(i|j), every class keeping its size; the shares sum to 1."""
    from rocscope.core import kernels

    columns = [_Column.of(split, code, shares[code]) for code in range(len(split.sizes))]
    size = max(1, min(CHUNK_SIZE, CHUNK_CELLS // split.scores.shape[1]))
    replicates = []
    for chunk in plan_chunks(n_boot, rng, size=size):
        state = chunk.seed.generate_state(4, np.uint64).astype(np.uint64)
        drawn = np.vstack([kernels.draw_counts(n, len(chunk.range), state).T for n in split.sizes])
        # Every class keeps its size, so the pairs won are all pairs less those missed.
        replicates.append(1.0 - sum(column.missed(drawn) for column in columns))
    return np.clip(np.concatenate(replicates), 0.0, 1.0)  # rounding may pass the ends


@dataclass(frozen=True, slots=True)
class _Column:
    """One score column: the cases of its class in ascending order, and where all others fall among them."""

    order: NDArray[Any]
    below: NDArray[Any]
    not_above: NDArray[Any]
    weight: Floats

    @classmethod
    def of(cls, split: ClassSplit, code: int, shares: Floats) -> _Column:
        """Rank all cases among those of the class; each counts with the share of its own class."""
        members, sizes = split.members(code), np.array(split.sizes)
        own = split.scores[code, members]
        order = np.argsort(own, kind="stable")
        per_case = np.where(np.arange(sizes.size) == code, 0.0, shares / (2.0 * sizes[code] * sizes))
        return cls(
            order=order + members.start,
            below=np.searchsorted(own[order], split.scores[code], "left"),
            not_above=np.searchsorted(own[order], split.scores[code], "right"),
            weight=np.repeat(per_case, sizes),
        )

    def missed(self, drawn: Counts) -> Floats:
        """Weighted share of the pairs in which the drawn case of the class does not score higher.

        `drawn` has a row per case and a column per replicate: what belongs to a case lies together.
        """
        running = np.zeros((self.order.size + 1, drawn.shape[1]), np.int32)
        np.cumsum(drawn[self.order], axis=0, out=running[1:])
        not_higher = running[self.below] + running[self.not_above]
        return np.asarray(np.einsum("cr,cr,c->r", drawn, not_higher, self.weight))
