"""The upper convex hull of a rising curve, as plain Python that kernels.py compiles for long curves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def upper_hull(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.int64]:
    """Indices of the hull's vertices, by Andrew's monotone chain; points on an edge are left out.

    Examples
    --------
    >>> upper_hull(np.array([0.0, 0.0, 1.0, 1.0, 2.0]), np.array([0.0, 1.0, 1.0, 2.0, 2.0])).tolist()
    [0, 1, 3, 4]
    """
    kept = np.empty(x.size, np.int64)
    size = 0
    for k in range(x.size):
        while size >= 2:
            a = kept[size - 2]
            b = kept[size - 1]
            turn = (x[b] - x[a]) * (y[k] - y[a]) - (y[b] - y[a]) * (x[k] - x[a])
            if turn < 0:
                break
            size -= 1
        kept[size] = k
        size += 1
    return kept[:size]
