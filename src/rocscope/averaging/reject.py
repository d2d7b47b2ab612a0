"""The reject option: which cases to leave undecided, so that few of the others are decided wrongly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.averaging.class_weights import as_weight_rows, inverse_shares, read_class_scores
from rocscope.core import checks
from rocscope.core.points import ClassWeights
from rocscope.errors import RocInputError, UndefinedError

Floats = NDArray[np.float64]


def choose_reject(
    y_true: Any,
    y_score: Any = None,
    weights: Any = None,
    *,
    classes: Any = None,
    rate: float | None = None,
    error: float | None = None,
) -> ClassWeights:
    """Give class weights the reject threshold that leaves a wanted share undecided, or a wanted error.

    Cases are left undecided in the order of their largest share w_c y_c / sum(w y), the least first.

    Parameters
    ----------
    y_true, y_score, classes
        Labels, outputs of at least 0 with one column per class, and the class of each column, as in
        `search_weights`.
    weights
        One weight per class; equal weights if None.
    rate
        Leave as many cases undecided as possible, but no larger share than this.
    error
        Leave as few cases undecided as possible, such that no larger share than this of all cases is
        decided wrongly. Just one of `rate` and `error` must be given.

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
    data = read_class_scores(y_true, y_score, classes)
    row = checks.as_vector([1.0] * len(data.classes) if weights is None else weights, name="weights")
    scaled = as_weight_rows(row[np.newaxis], len(data.classes))
    weighted = data.scores * scaled
    wrong = weighted.argmax(axis=1) != data.codes
    thresholds, n_rejected, n_wrong = _candidates(inverse_shares(weighted), wrong)
    if rate is not None:
        share = checks.check_number(rate, name="rate", low=0, high=1, closed=True)
        chosen = int(np.flatnonzero(n_rejected / len(wrong) <= share)[-1])
    else:
        share = checks.check_number(error, name="error", low=0, high=1, closed=True)
        chosen = _first_within(n_wrong / len(wrong), share)
    return ClassWeights(tuple(row.tolist()), classes=data.classes, reject=float(thresholds[chosen]))


def _candidates(inverse: Floats, wrong: NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
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


def _first_within(errors: Floats, wanted: float) -> int:
    within = np.flatnonzero(errors <= wanted)
    if not within.size:
        raise UndefinedError(f"no reject threshold has error<={wanted:g}; it reaches {errors.min():.4g}")
    return int(within[0])
