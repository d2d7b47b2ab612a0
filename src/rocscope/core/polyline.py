"""Areas below rising or falling polylines and heights on them, for one curve or a stack of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Range = tuple[float, float]
WHOLE: Range = (0.0, 1.0)


def area_inside(
    fpr: NDArray[Any], tpr: NDArray[Any], fpr_range: Range | None, tpr_range: Range | None
) -> Any:
    """Area over a range of FPR (below the curve), of TPR (left of it, 1 - FPR), or inside both.

    The curves run along the last axis; one number per curve comes back.

    Examples
    --------
    >>> diagonal = np.array([0.0, 1.0])
    >>> float(area_inside(diagonal, diagonal, (0.0, 0.5), None))
    0.125
    """
    if tpr_range is None:
        return integral(fpr, tpr, fpr_range or WHOLE)
    if fpr_range is None:
        return integral(tpr, 1 - fpr, tpr_range)
    return integral(fpr, tpr, fpr_range, between=tpr_range) - tpr_range[0] * (fpr_range[1] - fpr_range[0])


def integral(x: NDArray[Any], y: NDArray[Any], limits: Range, *, between: Range | None = None) -> Any:
    """Integrate y over x from limits[0] to limits[1]; x does not fall and may jump.

    With `between`, y is cut off at these two heights, exactly where the polyline crosses them.
    """
    x0, y0, x1, y1 = x[..., :-1], y[..., :-1], x[..., 1:], y[..., 1:]
    width = x1 - x0
    slope = np.divide(y1 - y0, width, out=np.zeros(np.shape(width)), where=width > 0)
    start, stop = np.clip(x0, *limits), np.clip(x1, *limits)
    inside = stop - start
    left, right = y0 + slope * (start - x0), y0 + slope * (stop - x0)
    if between is None:
        return (inside * (left + right) / 2).sum(axis=-1)
    return (inside * _mean_cut(left, right, *between)).sum(axis=-1)


def _mean_cut(left: NDArray[Any], right: NDArray[Any], low: float, high: float) -> NDArray[Any]:
    """Mean height of rising pieces from left to right, cut off below at low and above at high."""
    climb = right - left
    flat = np.zeros(np.shape(climb))
    under = np.clip(np.divide(low - left, climb, out=flat.copy(), where=climb > 0), 0.0, 1.0)
    over = np.clip(np.divide(right - high, climb, out=flat.copy(), where=climb > 0), 0.0, 1.0)
    middle = (np.clip(left, low, high) + np.clip(right, low, high)) / 2
    return np.asarray(under * low + over * high + (1 - under - over) * middle)


def height_at(x: NDArray[Any], y: NDArray[Any], at: Any, *, end: str = "upper") -> NDArray[np.float64]:
    """Height of one rising polyline at given x; at a jump its upper or its lower end.

    Left and right of the polyline the height is that of its first and of its last vertex.

    Examples
    --------
    >>> height_at(np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.5, 1.0]), [0.0, 0.5, 1.0]).tolist()
    [0.5, 0.75, 1.0]
    >>> height_at(np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.5, 1.0]), [0.0, 0.5], end="lower").tolist()
    [0.0, 0.75]
    """
    at = np.clip(np.asarray(at, dtype=np.float64), x[0], x[-1])
    last = len(x) - 1
    if end == "lower":
        after = np.searchsorted(x, at, "left")
        before = np.maximum(after - 1, 0)
        width = x[after] - x[before]
        share = np.divide(x[after] - at, width, out=np.zeros(at.shape), where=width > 0)
        return np.asarray(y[after] - share * (y[after] - y[before]))
    before = np.minimum(np.searchsorted(x, at, "right") - 1, last)
    after = np.minimum(before + 1, last)
    width = x[after] - x[before]
    share = np.divide(at - x[before], width, out=np.zeros(at.shape), where=width > 0)
    return np.asarray(y[before] + share * (y[after] - y[before]))
