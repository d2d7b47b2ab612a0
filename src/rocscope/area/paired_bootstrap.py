"""Bootstrap areas of several curves on the same drawn cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.area.resampled import CHUNK_CELLS
from rocscope.core.resample import CHUNK_SIZE, Rng, plan_chunks
from rocscope.core.scores import BinaryScores


def paired_bootstrap_areas(data: BinaryScores, *, n_boot: int, rng: Rng) -> NDArray[np.float64]:
    """Areas of stratified bootstrap replicates, (replicates, classifiers); a replicate draws cases once.

    Examples
    --------
    >>> data = BinaryScores.from_arrays([0, 0, 1, 1], {"a": [1, 2, 3, 4], "b": [1, 3, 2, 4]})
    >>> areas = paired_bootstrap_areas(data, n_boot=100, rng=1)
    >>> areas.shape, float(areas[:, 0].min())
    ((100, 2), 1.0)
    """
    from rocscope.core import kernels

    orders = [_order(data, column) for column in range(len(data.columns))]
    size = max(1, min(CHUNK_SIZE, CHUNK_CELLS // data.positive.size))
    twice_u = []
    for chunk in plan_chunks(n_boot, rng, size=size):
        state = chunk.seed.generate_state(4, np.uint64).astype(np.uint64)
        drawn_neg = kernels.draw_counts(data.n_neg, len(chunk.range), state)
        drawn_pos = kernels.draw_counts(data.n_pos, len(chunk.range), state)
        twice_u.append(np.stack([order.twice_u(drawn_pos, drawn_neg) for order in orders], axis=1))
    return np.asarray(np.concatenate(twice_u) / (2 * data.n_pos * data.n_neg))


@dataclass(frozen=True, slots=True)
class _Order:
    """Negatives by ascending score, and for each positive how many lie below it and not above it."""

    neg: NDArray[np.intp]
    below: NDArray[np.intp]
    not_above: NDArray[np.intp]

    def twice_u(self, drawn_pos: NDArray[np.int32], drawn_neg: NDArray[np.int32]) -> NDArray[np.int64]:
        """2U of every replicate from the number of times each case was drawn."""
        beaten = np.zeros((len(drawn_neg), len(self.neg) + 1), np.int32)
        np.cumsum(drawn_neg[:, self.neg], axis=1, out=beaten[:, 1:])
        placements = beaten[:, self.below] + beaten[:, self.not_above]
        product: Any = np.einsum("ij,ij->i", placements, drawn_pos, dtype=np.int64)
        return np.asarray(product)


def _order(data: BinaryScores, column: int) -> _Order:
    pos, neg = data.by_class(column)
    ascending = np.sort(neg)
    return _Order(
        np.argsort(neg, kind="stable"),
        np.searchsorted(ascending, pos, "left"),
        np.searchsorted(ascending, pos, "right"),
    )
