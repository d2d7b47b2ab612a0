"""The scores of each class, counted in bins for the histogram under an explorer's curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.average.averaged import AveragedRoc
from rocscope.core.curve import RocCurve
from rocscope.report.explorer_points import along

Floats = NDArray[np.float64]
BINS = 40
LARGEST = 1e300  # beyond, a difference may be more than a float holds


def curve_histogram(curve: RocCurve, bins: int = BINS) -> dict[str, Any] | None:
    """Count the finite scores of both classes in bins of equal width; None where all are one number.

    Examples
    --------
    >>> from rocscope.core.curve import roc_curve
    >>> curve_histogram(roc_curve([0, 0, 1, 1], [0.0, 0.4, 0.3, 1.0]), bins=2)
    {'edges': [0.0, 0.5, 1.0], 'counts': [[2, 0], [1, 1]], 'outside': 0, 'even': True}
    """
    scores = curve.thresholds[1:].astype(np.float64)
    finite = np.isfinite(scores)
    if not finite.any() or scores[finite].min() == scores[finite].max():
        return None
    edges = _edges(scores[finite], bins)
    place = np.searchsorted(edges, scores[finite], side="right").clip(1, len(edges) - 1) - 1
    cases = [np.diff(counted) for counted in (curve.fp, curve.tp)]
    counts = [_summed(place, of_class[finite], len(edges) - 1) for of_class in cases]
    outside = sum(of_class[~finite].sum().item() for of_class in cases)
    return {"edges": edges.tolist(), "counts": counts, "outside": outside, "even": True}


def _edges(scores: Floats, bins: int) -> Floats:
    """Edges of equal bins; scores that are few, as ratings are, have a bin each."""
    low, high = scores.min(), scores.max()
    if len(scores) <= bins // 2 and max(abs(low), abs(high)) < LARGEST:
        step = (high - low) / (len(scores) - 1)
        if np.ptp(np.diff(scores)) <= 1e-9 * (high - low):
            return np.linspace(low - step / 2, high + step / 2, len(scores) + 1)
    edges = np.linspace(0, 1, bins + 1)
    return np.asarray(low * (1 - edges) + high * edges)


def _summed(place: NDArray[np.int64], cases: NDArray[Any], bins: int) -> list[Any]:
    sums = np.zeros(bins, dtype=cases.dtype)
    np.add.at(sums, place, cases)
    return list(sums.tolist())


def average_histogram(roc: AveragedRoc, bins: int = BINS) -> dict[str, Any] | None:
    """Count the cases of both classes between the thresholds of an average; None where it has none.

    The scores themselves are not in the result: the bins are as wide as its thresholds are apart, or as
    nearly equal as many thresholds allow. Cases above the largest threshold are counted in the last bin,
    those below the smallest one are `outside`.

    Examples
    --------
    >>> from rocscope.average.roc import average_roc
    >>> roc = average_roc([0, 0, 1, 1], [0.1, 0.4, 0.3, 0.8], fold=[0, 1, 0, 1])
    >>> average_histogram(roc)
    {'edges': [0.1, 0.3, 0.4, 0.8], 'counts': [[1, 0, 1], [0, 1, 1]], 'outside': 0, 'even': False}
    """
    order, confusion = along(roc), roc.confusion
    if order is None or roc.thresholds is None or confusion.shape[1:] != (2, 2) or roc.kind != "threshold":
        return None
    thresholds = roc.thresholds.astype(np.float64)[order]
    finite = np.isfinite(thresholds) & (np.diff(thresholds, prepend=np.inf) < 0)
    if np.count_nonzero(finite) < 3:
        return None
    at = order[finite][_spread(thresholds[finite], bins)]
    positive = confusion[at, :, 1].T
    between = np.diff(positive, axis=1)
    between[:, 0] += positive[:, 0]
    outside = int((roc.class_sizes - positive[:, -1]).sum())
    edges = roc.thresholds[at][::-1].astype(np.float64).tolist()
    return {"edges": edges, "counts": between[:, ::-1].tolist(), "outside": outside, "even": False}


def _spread(thresholds: Floats, bins: int) -> NDArray[np.int64]:
    """Places of at most `bins` + 1 of descending thresholds, as evenly apart as they allow."""
    if len(thresholds) <= bins + 1:
        return np.arange(len(thresholds))
    share = np.linspace(0, 1, bins + 1)
    wanted = thresholds[-1] * (1 - share) + thresholds[0] * share
    ascending = np.unique(np.searchsorted(thresholds[::-1], wanted).clip(max=len(thresholds) - 1))
    return np.asarray(len(thresholds) - 1 - ascending[::-1])
