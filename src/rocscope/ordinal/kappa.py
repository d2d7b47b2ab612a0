"""Cohen's kappa with quadratic weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.measures import ratio


def quadratic_weights(n_classes: int) -> NDArray[np.int64]:
    """(i - j)^2 over true and decided class: places in the order count, not the numbers of the classes.

    Examples
    --------
    >>> quadratic_weights(3).tolist()
    [[0, 1, 4], [1, 0, 1], [4, 1, 0]]
    """
    place = np.arange(n_classes)
    return np.asarray((place[:, None] - place) ** 2)


def quadratic_kappa(confusion: NDArray[Any]) -> NDArray[np.float64]:
    """Kappa of confusion matrices (..., C, C); NaN where true and decided class are one and the same.

    Kappa is 1 - N D / E with D = sum_ij (i - j)^2 n_ij and E = sum_ij (i - j)^2 n_i. n_.j: one less the
    disagreement found over the one expected if the decision knew nothing of the case.

    Examples
    --------
    >>> quadratic_kappa(np.array([[4, 1, 0], [1, 3, 1], [0, 1, 4]])).round(6).tolist()
    0.8
    """
    observed, expected = disagreements(confusion)
    total = confusion.sum(axis=(-2, -1))
    return 1.0 - ratio(observed.astype(np.float64) * total, expected)


def disagreements(confusion: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """D and E of `quadratic_kappa`, whole numbers."""
    weights = quadratic_weights(confusion.shape[-1])
    true, decided = confusion.sum(axis=-1), confusion.sum(axis=-2)
    observed = (confusion * weights).sum(axis=(-2, -1))
    expected = (decided * (true @ weights)).sum(axis=-1)
    return np.asarray(observed), np.asarray(expected)
