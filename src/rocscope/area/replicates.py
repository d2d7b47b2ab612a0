"""Stratified bootstrap samples of a count table: the cases drawn and the cases left out.

Cases are numbered by descending score, so that the numbers do not depend on the order of the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocscope.area.resampled import CHUNK_CELLS
from rocscope.core.resample import CHUNK_SIZE, Chunk, Rng, plan_chunks
from rocscope.core.scores import MAX_ROWS
from rocscope.core.table import ScoreTable
from rocscope.errors import ResourceError

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CalledCases:
    """Cases called positive at every vertex of the original curve, (replicates, vertices).

    `n_pos` and `n_neg` count the cases of each class, called or not, with one row per replicate.
    """

    tp: Counts
    fp: Counts
    n_pos: Counts
    n_neg: Counts


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
    chunk: Chunk

    def drawn(self) -> CalledCases:
        """Cases of the samples, as often as they were drawn."""
        return self._called(self.pos, self.neg)

    def left_out(self) -> CalledCases:
        """Cases that were not drawn, once each."""
        return self._called(self.pos == 0, self.neg == 0)

    def _called(self, pos: NDArray[np.generic], neg: NDArray[np.generic]) -> CalledCases:
        tp, n_pos = _running(pos, self.table.pos)
        fp, n_neg = _running(neg, self.table.neg)
        return CalledCases(tp, fp, n_pos, n_neg)


def draw_replicates(table: ScoreTable, *, n_boot: int, rng: Rng) -> Iterator[Replicates]:
    """Yield the replicates chunk by chunk; both classes keep their sizes."""
    from rocscope.core import kernels

    n_pos, n_neg = table.n_pos, table.n_neg
    if n_pos + n_neg > MAX_ROWS:
        raise ResourceError(f"the bootstrap draws every case: at most {MAX_ROWS:,}, got {n_pos + n_neg:,}")
    size = max(1, min(CHUNK_SIZE, CHUNK_CELLS // (n_pos + n_neg)))
    for chunk in plan_chunks(n_boot, rng, size=size):
        state = chunk.seed.generate_state(4, np.uint64).astype(np.uint64)
        neg = kernels.draw_counts(n_neg, len(chunk.range), state)
        pos = kernels.draw_counts(n_pos, len(chunk.range), state)
        yield Replicates(pos, neg, table, chunk)


def _running(cases: NDArray[np.generic], counts: NDArray[np.int64]) -> tuple[Counts, Counts]:
    """Number of cases at or above each vertex, after (0, 0), and of all."""
    running = np.zeros((len(cases), cases.shape[1] + 1), np.int64)
    np.cumsum(cases, axis=1, out=running[:, 1:])
    above = np.concatenate([[0], np.cumsum(counts)])
    return running[:, above], running[:, -1:]
