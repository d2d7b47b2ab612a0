"""Areas below the curves of one class, all at once and in integers.

Let A_k and B_k count the positives and negatives up to the k-th free threshold and a, b those beyond the
fixed one, so that TP_k = A_k - a and FP_k = B_k - b. The trapezoids between the points of a curve then have

    sum_k (FP_{k+1} - FP_k) (TP_{k+1} + TP_k) = sum_k (B_{k+1} - B_k) (A_{k+1} + A_k) - 2 a (B_n - B_1)

as twice their area. The sum on the right is the same for all curves of a class: m curves over n thresholds
take m + n steps instead of m n, and no matrix.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.ordinal.counts import Sides

Closure: TypeAlias = Literal["diagonal", "flat"]
Fixed: TypeAlias = Literal["lower", "upper"]
CLOSURES = ("diagonal", "flat")
FIXED = ("lower", "upper")
INT64_MAX = 2**63 - 1


def side_fixed(code: int, n_classes: int, fixed: Fixed) -> Fixed:
    """Which threshold stays fixed: the outer classes have only one that can move."""
    if code == 0:
        return "lower"
    return "upper" if code == n_classes - 1 else fixed


def twice_areas(sides: Sides, fixed: Fixed, closure: Closure) -> NDArray[Any]:
    """Twice the area below each curve, times n_pos n_neg; one number per fixed threshold."""
    if fixed == "lower":
        return _twice(sides, sides.pos_upto, sides.neg_upto, sides.pos_below, sides.neg_below, closure)
    # From the highest lower threshold down: TP = A - a = (-a) - (-A), the same form again.
    free = -sides.pos_below[..., ::-1], -sides.neg_below[..., ::-1]
    return _twice(sides, *free, -sides.pos_upto, -sides.neg_upto, closure)


def _twice(
    sides: Sides,
    free_pos: NDArray[Any],
    free_neg: NDArray[Any],
    fixed_pos: NDArray[Any],
    fixed_neg: NDArray[Any],
    closure: Closure,
) -> NDArray[Any]:
    first_tp, first_fp = free_pos[..., :1] - fixed_pos, free_neg[..., :1] - fixed_neg
    last_tp, last_fp = free_pos[..., -1:] - fixed_pos, free_neg[..., -1:] - fixed_neg
    heights = free_pos[..., 1:] + free_pos[..., :-1]
    common = (np.diff(free_neg, axis=-1) * heights).sum(axis=-1, keepdims=True)
    between = common - 2 * fixed_pos * (last_fp - first_fp)
    end = sides.n_pos + last_tp if closure == "diagonal" else 2 * last_tp
    return np.asarray(first_fp * first_tp + between + (sides.n_neg - last_fp) * end)


def share(twice: int, sides: Sides, curves: int = 1) -> float:
    """Area from a sum of twice areas over some curves, rounded once."""
    return int(twice) / (2 * sides.n_pos * sides.n_neg * curves)


def exact_sum(values: NDArray[np.int64]) -> int:
    """Sum of integers that may not fit 64 bits."""
    if values.size * int(values.max()) <= INT64_MAX:
        return int(values.sum())
    return sum(values.tolist())
