"""How a curve of ordered classes goes on from its last threshold to an FPR of 1; the paper does not say."""

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

# Straight to (1, 1), as chance would; at the height of its last point; or not at all.
Closure: TypeAlias = Literal["diagonal", "flat", "none"]
CLOSURES: tuple[Closure, ...] = ("diagonal", "flat", "none")


def end_height(n_pos: Any, last_tp: Any, closure: Closure) -> Any:
    """True positives at an FPR of 1."""
    return n_pos if closure == "diagonal" else last_tp


def closed_curve(
    fp: NDArray[np.int64], tp: NDArray[np.int64], n_neg: int, n_pos: int, closure: Closure
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Counts along a curve with the point before the first threshold and the one after the last.

    These are (0, 0) and the closing point; of a curve that is not closed its own first and last point again.

    Examples
    --------
    >>> fp, tp = np.array([1, 4]), np.array([3, 7])
    >>> [closed_curve(fp, tp, 20, 10, closure)[1].tolist() for closure in CLOSURES]
    [[0, 3, 7, 10], [0, 3, 7, 7], [3, 3, 7, 7]]
    """
    if closure == "none":
        return np.pad(fp, 1, mode="edge"), np.pad(tp, 1, mode="edge")
    end = end_height(n_pos, tp[-1], closure)
    return np.concatenate([[0], fp, [n_neg]]), np.concatenate([[0], tp, [end]])
