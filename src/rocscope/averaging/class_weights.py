"""Class weights: decisions arg max w_c y_c of [1]_, eq. 2, counted for every weight vector, and reject.

References
----------
.. [1] Paclik, Lai, Novovicova, Duin: Variance estimation for two-class and multi-class ROC analysis using
   operating point averaging, ICPR 2008.
"""

from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.points import ClassWeights
from rocscope.core.scores import ClassScores
from rocscope.errors import RocInputError, UndefinedError

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
    n_points, n_segments = len(points), n_folds * n_classes
    thresholds = np.empty(0)
    if reject is not None:
        rates = checks.as_rates(reject, name="reject")
        if rates.ndim > 0 and rates.shape != (n_points,):
            raise RocInputError(
                f"must be one number or one per row of weights ({n_points}), got shape {rates.shape}",
                argument="reject",
            )
        thresholds = np.broadcast_to(rates, (n_points,)).copy()
    width = n_classes + (reject is not None)
    segments = codes.astype(np.int64, copy=False)
    if fold_codes is not None:
        segments = fold_codes.astype(np.int64, copy=False) * n_classes + segments
    if points.size * len(scores) >= LARGE and (reject is None or n_classes <= MOST_REJECTING):
        counts = _count_compiled(segments, scores, points, thresholds, n_segments)
    else:
        scores, base = np.ascontiguousarray(scores), segments * width
        counts = np.empty((n_points, n_segments * width), np.int64)
        for k, (row, point) in enumerate(zip(counts, points, strict=True)):
            decided = decide_codes(scores, point, None if reject is None else float(thresholds[k]))
            row[:] = np.bincount(base + decided, minlength=row.size)
    return counts.reshape(n_points, n_folds, n_classes, width)


def _count_compiled(
    segments: Codes, scores: Floats, weights: Floats, reject: Floats, n_segments: int
) -> Codes:
    """Count blocks of cases of one segment; each field of a word counts the decisions for one class."""
    from rocscope.core import kernels

    n_classes = scores.shape[1]
    width = n_classes + (reject.size > 0)
    fields = min(max(width, 2), MOST_FIELDS)
    bits = 64 // fields
    shifts = np.arange(fields) * bits
    # No field of so many bits overflows; whole vectors, as a rest is decided case by case.
    size = min(CACHED, ((1 << bits) - 1) // 16 * 16)
    classes = (0,) * n_classes
    # Small whole numbers are sorted in linear time.
    order = np.argsort(segments.astype(np.uint16 if n_segments < 2**16 else np.int64), kind="stable")
    columns = scores[order].T
    stops = np.cumsum(np.bincount(segments, minlength=n_segments)).tolist()
    counts = np.zeros((len(weights), n_segments, width), np.int64)
    for segment, (start, stop) in enumerate(pairwise([0, *stops])):
        for first in range(start, stop, size):
            block = np.ascontiguousarray(columns[:, first : min(first + size, stop)])
            if width <= MOST_FIELDS:
                words = kernels.count_few(block, weights, classes, bits, reject if reject.size else None)
            else:
                words = kernels.count_many(block, weights)
            parts = (words.reshape(len(weights), -1, 1) >> shifts) & ((1 << bits) - 1)
            counts[:, segment] += parts.reshape(len(weights), -1)[:, :width]
    return counts


def as_weight_rows(weights: Any, n_classes: int, *, name: str = "weights") -> Floats:
    """Check weight vectors, one per row, and scale each so that its largest weight is 1."""
    rows = checks.as_array(weights, name=name)
    if rows.ndim != 2 or rows.shape[1] != n_classes:
        raise RocInputError(
            f"must have one row per point and one column per class ({n_classes}), got shape {rows.shape}",
            argument=name,
        )
    if rows.dtype.kind not in "biuf":
        raise RocInputError(f"must hold numbers, got {rows.dtype}", argument=name)
    rows = rows.astype(np.float64, order="C")
    checks.refuse_rows(~np.isfinite(rows), name=name, required="finite weights", got="NaN or infinite values")
    checks.refuse_rows(rows < 0, name=name, required="weights of at least 0", got="negative values")
    empty = np.asarray(~rows.any(axis=1))
    checks.refuse_rows(empty, name=name, required="a weight greater than 0 in every row", got="only 0")
    return np.asarray(rows / rows.max(axis=1, keepdims=True))  # products are at most the score: no overflow


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


# ---- The reject option: which cases to leave undecided, so that few of the others are decided wrongly ------


@checks.known_arguments
def choose_reject(
    y_true: Any,
    y_score: Any = None,
    weights: Any = None,
    *,
    classes: Any = None,
    rate: float | None = None,
    error: float | None = None,
) -> ClassWeights:
    """Give class weights the reject threshold that leaves a share of the cases undecided, or keeps an error.

    Cases are left undecided in the order of their largest share w_c y_c / sum(w y), the least first.

    Parameters
    ----------
    y_true, y_score, classes
        As in `search_weights`.
    weights
        One weight per class; equal weights if None.
    rate
        Leave as many cases undecided as possible, but no larger share than this.
    error
        Leave as few cases undecided as possible, such that no larger share than this of all cases is
        decided wrongly. Just one of `rate` and `error` is needed.

    Returns
    -------
    ClassWeights
        With `reject` half-way between cases that are decided and cases that are not; 0 rejects none.

    Examples
    --------
    >>> y, p = ["a", "a", "b", "b"], [[0.9, 0.1], [0.4, 0.6], [0.3, 0.7], [0.2, 0.8]]
    >>> point = choose_reject(y, p, classes=["a", "b"], error=0)
    >>> round(point.reject, 4), point.decide(p).tolist()
    (0.6462, ['a', None, 'b', 'b'])
    """
    if (rate is None) == (error is None):
        raise RocInputError(f"rate or error must be given, and not both, got {rate} and {error}")
    data = ClassScores.from_arrays(y_true, y_score, classes=classes)
    row = checks.as_vector([1.0] * len(data.classes) if weights is None else weights, name="weights")
    scaled = as_weight_rows(row[np.newaxis], len(data.classes))
    weighted = data.scores * scaled
    wrong = weighted.argmax(axis=1) != data.codes
    thresholds, n_rejected, n_wrong = reject_candidates(inverse_shares(weighted), wrong)
    if rate is not None:
        most = checks.check_number(rate, name="rate", low=0, high=1, closed=True)
        best = int(np.flatnonzero(n_rejected / len(wrong) <= most)[-1])
    else:
        most = checks.check_number(error, name="error", low=0, high=1, closed=True)
        errors = n_wrong / len(wrong)
        within = np.flatnonzero(errors <= most)
        if not within.size:
            raise UndefinedError(f"no reject threshold has error<={most:g}; it reaches {errors.min():.4g}")
        best = int(within[0])
    return ClassWeights(tuple(row.tolist()), classes=data.classes, reject=float(thresholds[best]))


def reject_candidates(inverse: Floats, wrong: NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
    """All thresholds that differ in what they reject, ascending, with how many they reject and get wrong."""
    order = np.argsort(-inverse)
    values = inverse[order]
    ends = np.flatnonzero(np.diff(values, append=-np.inf)) + 1
    last = values[ends - 1]
    after = np.append(last[1:], 1.0)
    thresholds = 2 / (last + after)
    # Of neighbours that no float lies between, none is rejected without the other.
    splits = (thresholds * last > 1) & (thresholds * after <= 1)
    n_wrong = wrong.sum() - np.cumsum(wrong[order])[ends - 1]
    return (
        np.concatenate([[0.0], thresholds[splits]]),
        np.concatenate([[0], ends[splits]]),
        np.concatenate([[wrong.sum()], n_wrong[splits]]),
    )
