"""Cases sorted into the cells of a cross-validation: one cell per fold and class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.kernels.compiling import compiled


@compiled
def split_cells(
    fold: NDArray[Any], codes: NDArray[Any], scores: NDArray[Any], n_folds: int, n_classes: int
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Scores cell after cell, each in row order, and where each cell ends; cell = fold * classes + class."""
    n_cells = n_folds * n_classes
    ends = np.zeros(n_cells, np.int64)
    for row in range(scores.size):
        ends[fold[row] * n_classes + codes[row]] += 1
    place = np.zeros(n_cells, np.int64)
    total = 0
    for cell in range(n_cells):
        place[cell] = total
        total += ends[cell]
        ends[cell] = total
    moved = np.empty_like(scores)
    for row in range(scores.size):
        cell = fold[row] * n_classes + codes[row]
        moved[place[cell]] = scores[row]
        place[cell] += 1
    return moved, ends
