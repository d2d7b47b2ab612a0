"""Confusion matrices of many class weights: arg max w_c y_c of [1]_, eq. 2, for every weight vector and fold.

References
----------
.. [1] Paclik, Lai, Novovicova, Duin: Variance estimation for two-class and multi-class ROC analysis using
   operating point averaging, ICPR 2008.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.scores import ClassScores
from rocscope.errors import RocInputError

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.int64]

# Weighted scores from which compiled code is worth its loading time.
LARGE = 2**24
# Beyond this NumPy adds numbers in another order, and a share at the reject threshold could fall otherwise.
MOST_REJECTING = 7
# Fields of a 64-bit word that can count to 255.
MOST_FIELDS = 8
# Cases of a block: their scores fit the nearest cache.
CACHED = 1008


def weighted_confusion(
    codes: Codes,
    scores: Floats,
    weights: Any,
    fold_codes: Codes | None = None,
    n_folds: int = 1,
    *,
    reject: Any = None,
) -> Codes:
    """Return the confusion matrix of every weight vector in every fold.

    Parameters
    ----------
    codes, scores
        True class of each case, 0 to C - 1, and its outputs, one column per class, as `ClassScores` holds
        them.
    weights
        One row of weights per operating point: at least 0, not all 0; only ratios within a row matter.
    fold_codes, n_folds
        Fold of each case, 0 to n_folds - 1; None for one fold of all cases.
    reject
        Leaves cases undecided whose largest share w_c y_c / sum(w y) is below this: one threshold, or one
        per operating point (0 rejects nothing).

    Returns
    -------
    array of int, shape (n_points, n_folds, C, C)
        Cases by true and decided class; with `reject` shape (n_points, n_folds, C, C + 1), the rejected
        cases in the last column. Decisions are those of `ClassWeights`: equal products go to the first class.

    Examples
    --------
    >>> codes, scores = np.array([0, 0, 1]), np.array([[0.7, 0.3], [0.4, 0.6], [0.2, 0.8]])
    >>> weighted_confusion(codes, scores, [[1, 1], [3, 1]])[:, 0].tolist()
    [[[1, 1], [0, 1]], [[2, 0], [0, 1]]]
    """
    n_classes = scores.shape[1]
    points = as_weight_rows(weights, n_classes)
    thresholds = _reject_thresholds(reject, len(points))
    segments = codes.astype(np.int64, copy=False)
    if fold_codes is not None:
        segments = fold_codes.astype(np.int64, copy=False) * n_classes + segments
    if points.size * len(scores) < LARGE or (reject is not None and n_classes > MOST_REJECTING):
        counts = _count_with_numpy(segments, scores, points, thresholds, n_folds * n_classes)
    else:
        counts = _count_compiled(segments, scores, points, thresholds, n_folds * n_classes)
    return counts.reshape(len(points), n_folds, n_classes, -1)


def read_class_scores(y_true: Any, y_score: Any, classes: Any) -> ClassScores:
    """Check labels and outputs; `y_true` may hold all (a `ClassScores`, or the result of `cross_scores`).

    Without `classes` the labels must be the numbers of the columns, 0 to C - 1, each at least once.

    Examples
    --------
    >>> read_class_scores([0, 1], [[0.7, 0.3], [0.4, 0.6]], None).classes
    (0, 1)
    """
    holds_all = isinstance(y_true, ClassScores) or (
        hasattr(y_true, "y_true") and hasattr(y_true, "y_score") and hasattr(y_true, "classes")
    )
    if holds_all and (y_score is not None or classes is not None):
        kind = type(y_true).__name__
        raise RocInputError(f"nothing but y_true must be given where it is a {kind}, which holds the rest")
    if isinstance(y_true, ClassScores):
        return y_true
    if holds_all:
        return ClassScores.from_arrays(y_true.y_true, y_true.y_score, classes=y_true.classes)
    if classes is None:
        classes = _column_numbers(y_true, y_score)
    return ClassScores.from_arrays(y_true, y_score, classes=classes)


def _column_numbers(y_true: Any, y_score: Any) -> tuple[int, ...] | None:
    labels = checks.as_vector(y_true, name="y_true")
    shape = checks.as_array(y_score, name="y_score").shape
    if len(shape) != 2 or labels.dtype.kind not in "iu":
        return None
    numbers = tuple(range(shape[1]))
    return numbers if np.array_equal(np.unique(labels), numbers) else None


def as_weight_rows(weights: Any, n_classes: int) -> Floats:
    """Check weight vectors, one per row, and scale each so that its largest weight is 1."""
    rows = checks.as_array(weights, name="weights")
    if rows.ndim != 2 or rows.shape[1] != n_classes:
        raise RocInputError(
            f"must have one row per point and one column per class ({n_classes}), got shape {rows.shape}",
            argument="weights",
        )
    if rows.dtype.kind not in "biuf":
        raise RocInputError(f"must hold numbers, got {rows.dtype}", argument="weights")
    rows = rows.astype(np.float64, order="C")
    checks.refuse_rows(
        ~np.isfinite(rows), name="weights", wanted="finite weights", got="NaN or infinite values"
    )
    checks.refuse_rows(rows < 0, name="weights", wanted="weights of at least 0", got="negative values")
    empty = np.asarray(~rows.any(axis=1))
    checks.refuse_rows(empty, name="weights", wanted="a weight greater than 0 in every row", got="only 0")
    return np.asarray(rows / rows.max(axis=1, keepdims=True))  # products are at most the score: no overflow


def _reject_thresholds(reject: Any, n_points: int) -> Floats:
    """One threshold per point; none at all where no point rejects."""
    if reject is None:
        return np.empty(0)
    thresholds = checks.as_rates(reject, name="reject")
    if thresholds.ndim > 0 and thresholds.shape != (n_points,):
        raise RocInputError(
            f"must be one number or one per row of weights ({n_points}), got shape {thresholds.shape}",
            argument="reject",
        )
    return np.broadcast_to(thresholds, (n_points,)).copy()


def decide_codes(scores: Floats, weights: Floats, reject: float | None = None) -> Codes:
    """Return the class with the largest weighted score, the first of equal ones; C for a rejected case.

    Examples
    --------
    >>> decide_codes(np.array([[0.5, 0.5], [0.9, 0.1]]), np.array([1.0, 1.0]), reject=0.6).tolist()
    [2, 0]
    """
    weighted = scores * weights
    decided: Codes = weighted.argmax(axis=1)
    if reject is not None:
        decided[reject * inverse_shares(weighted) > 1] = scores.shape[1]
    return decided


def inverse_shares(weighted: Floats) -> Floats:
    """One over the largest share of each row, sum / max: 1 where one class has all, C where all are equal.

    Examples
    --------
    >>> inverse_shares(np.array([[0.5, 0.5], [0.8, 0.2], [0.0, 0.0]])).tolist()
    [2.0, 1.25, 2.0]
    """
    largest = weighted.max(axis=1, keepdims=True)
    parts = np.divide(weighted, largest, out=np.ones_like(weighted), where=largest > 0)
    return np.asarray(parts.sum(axis=1))


def _count_with_numpy(
    segments: Codes, scores: Floats, weights: Floats, reject: Floats, n_segments: int
) -> Codes:
    scores = np.ascontiguousarray(scores)
    width = scores.shape[1] + (reject.size > 0)
    thresholds = reject.tolist() if reject.size else [None] * len(weights)
    counts = np.empty((len(weights), n_segments * width), np.int64)
    base = segments * width
    for row, point, threshold in zip(counts, weights, thresholds, strict=True):
        row[:] = np.bincount(base + decide_codes(scores, point, threshold), minlength=row.size)
    return counts


def _count_compiled(
    segments: Codes, scores: Floats, weights: Floats, reject: Floats, n_segments: int
) -> Codes:
    from rocscope.core import kernels

    n_classes = scores.shape[1]
    width = n_classes + (reject.size > 0)
    fields = min(max(width, 2), MOST_FIELDS)
    bits = 64 // fields
    classes = (0,) * n_classes
    counts = np.zeros((len(weights), n_segments, width), np.int64)
    for segment, block in _blocks(segments, scores, n_segments, size=_block_size(bits)):
        if reject.size:
            words = kernels.count_or_reject(block, weights, reject, classes, bits)
        elif n_classes <= MOST_FIELDS:
            words = kernels.count_few(block, weights, classes, bits)
        else:
            words = kernels.count_many(block, weights)
        counts[:, segment] += _unpacked(words.reshape(len(weights), -1), fields, bits)[:, :width]
    return counts


def _block_size(bits: int) -> int:
    """Cases that no field of so many bits runs over; whole vectors, as a rest is decided case by case."""
    return min(CACHED, ((1 << bits) - 1) // 16 * 16)


def _blocks(segments: Codes, scores: Floats, n_segments: int, *, size: int) -> Iterator[tuple[int, Floats]]:
    """Cut the cases of each segment into blocks, one row of scores per class."""
    # Small whole numbers are sorted in linear time.
    order = np.argsort(segments.astype(np.uint16 if n_segments < 2**16 else np.int64), kind="stable")
    columns = scores[order].T
    stops = np.cumsum(np.bincount(segments, minlength=n_segments)).tolist()
    for segment, (start, stop) in enumerate(pairwise([0, *stops])):
        for first in range(start, stop, size):
            yield segment, np.ascontiguousarray(columns[:, first : min(first + size, stop)])


def _unpacked(words: Codes, fields: int, bits: int) -> Codes:
    """Split words into their fields, the lowest bits first."""
    shifts = np.arange(fields) * bits
    parts = (words[..., np.newaxis] >> shifts) & ((1 << bits) - 1)
    return parts.reshape(len(words), -1)
