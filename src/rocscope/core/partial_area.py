"""Partial areas of rising polylines: over a range of FPR, of TPR or inside both, raw or standardized."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.errors import UndefinedError

if TYPE_CHECKING:
    from rocscope.core.resampling import VertexCounts

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


def counted_areas(counts: VertexCounts, ranges: Ranges, *, standardize: bool) -> NDArray[np.float64]:
    """Partial areas of replicates, from their counts at the corners of the curve."""
    from rocscope.core import kernels

    (left, right), (bottom, top) = ranges[0] or WHOLE, ranges[1] or WHOLE
    if ranges[1] is None:
        area = kernels.areas_over_x(counts.fp, counts.tp, left, right)
    elif ranges[0] is None:
        area = (top - bottom) - kernels.areas_over_x(counts.tp, counts.fp, bottom, top)
    else:
        area = kernels.areas_inside(counts.fp, counts.tp, left, right, bottom, top)
    area = np.clip(area, 0.0, whole_area(ranges))
    return np.asarray(standardized(area, ranges) if standardize else area)


def partial_placements(
    pos: NDArray[Any], neg: NDArray[Any], limits: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    """Sum and squared deviations of the placements inside a part of the curve, positives and negatives.

    Examples
    --------
    >>> partial_placements(np.array([1, 1, 0]), np.array([0, 1, 1]), (0, 2, 0, 2))
    (3.5, 0.125, -0.5, 0.125)
    """
    across, up = segment_placements(pos, neg, limits)
    moments = list[float]()
    for times, placement in ((pos, across), (neg, -up)):
        total = float(times @ placement)
        moments += [total, float(times @ (placement - total / times.sum()) ** 2)]
    return moments[0], moments[1], moments[2], moments[3]


def segment_placements(
    pos: NDArray[Any], neg: NDArray[Any], limits: tuple[float, float, float, float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Negatives and positives that a case at each score makes the curve pass inside a part of it.

    `pos` and `neg` count the cases at each score, descending; limits are counts: left, right, bottom, top.
    One positive more at a score lifts the curve by 1 from there on, and halfway inside its own segment: its
    placement is how many negatives that part of the curve passes inside the limits. One negative more moves
    the curve to the right, and takes away the positives passed. A vertical step on a limit of the FPR, or a
    level one on a limit of the TPR, lies half inside. Over the whole curve these are DeLong's placements
    (those of the negatives less the number of positives).
    """
    counts = np.stack([neg, pos]).astype(np.float64)
    begin = np.cumsum(counts, axis=1) - counts
    start, stop, share = np.zeros(len(pos)), np.ones(len(pos)), np.ones(len(pos))
    for first, step, low, high in zip(begin, counts, limits[::2], limits[1::2], strict=True):
        moves = step > 0
        size = np.where(moves, step, 1.0)
        start = np.where(moves, np.maximum(start, (low - first) / size), start)
        stop = np.where(moves, np.minimum(stop, (high - first) / size), stop)
        stop = np.where(~moves & ((first < low) | (first > high)), 0.0, stop)
        cut = ((first == low) & (low > 0)) | ((first == high) & (high < step.sum()))
        share = np.where(~moves & cut, 0.5, share)
    inside = share * np.maximum(0.0, stop - start)
    passed = counts * inside
    later = np.cumsum(passed[:, ::-1], axis=1)[:, ::-1] - passed
    across, up = later + counts * inside * (stop + start) / 2
    return across, up


def placement_limits(ranges: Ranges, n_pos: int, n_neg: int) -> tuple[float, float, float, float]:
    """The ranges in counts of cases: left, right, bottom, top; whole where they are but for rounding."""
    counts = [rate * n for r, n in zip(ranges, (n_neg, n_pos), strict=True) for rate in r or WHOLE]
    near = [round(count) if math.isclose(count, round(count), rel_tol=1e-12) else count for count in counts]
    return float(near[0]), float(near[1]), float(near[2]), float(near[3])


def placed_area(moments: tuple[float, float, float, float], ranges: Ranges, n_pos: int, n_neg: int) -> float:
    """Area over a range of one rate, from the sums of the placements inside it."""
    over_fpr, _, over_tpr, _ = moments
    pairs = n_pos * n_neg
    area = over_fpr / pairs if ranges[1] is None else whole_area(ranges) + over_tpr / pairs
    return min(max(area, 0.0), whole_area(ranges))


def extreme_areas(ranges: Ranges, standardize: bool) -> tuple[float, float]:
    """Areas of the worst and of the best curve.

    Examples
    --------
    >>> extreme_areas(((0.0, 0.5), None), False)
    (0.0, 0.5)
    """
    fpr, tpr = np.array([[0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]), np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    worst, best = partial_areas(fpr, tpr, ranges, standardize=standardize).tolist()
    return worst, best


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
