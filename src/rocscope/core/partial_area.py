"""Partial areas of rising polylines: over a range of FPR, of TPR or inside both, raw or standardized."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.errors import UndefinedError

Range = tuple[float, float]
Ranges = tuple[Range | None, Range | None]
WHOLE: Range = (0.0, 1.0)
DIAGONAL = np.array([0.0, 1.0])
# Areas that differ by less are the same, but for rounding.
SAME = 1e-12
BELOW_CHANCE = (
    "the area is below that of chance: McClish's scale is made for 0.5 to 1, and a value below it has no "
    "interpretation"
)


def read_ranges(fpr: Any, tpr: Any) -> Ranges:
    """Check the ranges of a partial area; None stands for no limit."""
    return (
        None if fpr is None else checks.check_range(fpr, name="fpr"),
        None if tpr is None else checks.check_range(tpr, name="tpr"),
    )


def area_name(ranges: Ranges, standardize: bool = False) -> str:
    """Name of the part of the curve.

    Examples
    --------
    >>> area_name(((0, 0.1), None))
    'partial AUC over FPR 0-0.1'
    """
    parts = [
        f"{axis} {r[0]:g}-{r[1]:g}" for axis, r in zip(("FPR", "TPR"), ranges, strict=True) if r is not None
    ]
    if not parts:
        return "AUC"
    return f"{'standardized ' if standardize else ''}partial AUC over {' and '.join(parts)}"


def partial_areas(fpr: NDArray[Any], tpr: NDArray[Any], ranges: Ranges, *, standardize: bool) -> Any:
    """Partial areas of one curve or of a stack of curves, raw or on McClish's scale."""
    area = np.clip(area_inside(fpr, tpr, *ranges), 0.0, whole_area(ranges))  # sums round
    return standardized(area, ranges) if standardize else area


def standardized(area: Any, ranges: Ranges) -> Any:
    """Partial areas on McClish's scale: 0.5 is that of chance, 1 that of a perfect curve.

    Examples
    --------
    >>> float(standardized(0.125, ((0.0, 0.5), None))), standardized(0.5, ((0.0, 0.5), None))
    (0.5, 1.0)
    """
    perfect, chance = whole_area(ranges), float(area_inside(DIAGONAL, DIAGONAL, *ranges))
    if perfect - chance < 1e-12 * perfect:
        raise UndefinedError(
            f"the area over fpr={ranges[0]}, tpr={ranges[1]} is the same for chance and for perfection"
        )
    return 0.5 * (1 + (area - chance) / (perfect - chance))


def whole_area(ranges: Ranges) -> float:
    """The area that the ranges leave to a curve."""
    return math.prod(high - low for low, high in (ranges[0] or WHOLE, ranges[1] or WHOLE))


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
    # Mean height of each rising piece, cut off below at low and above at high.
    low, high = between
    climb = right - left
    flat = np.zeros(np.shape(climb))
    under = np.clip(np.divide(low - left, climb, out=flat.copy(), where=climb > 0), 0.0, 1.0)
    over = np.clip(np.divide(right - high, climb, out=flat.copy(), where=climb > 0), 0.0, 1.0)
    middle = (np.clip(left, low, high) + np.clip(right, low, high)) / 2
    return (inside * np.asarray(under * low + over * high + (1 - under - over) * middle)).sum(axis=-1)
