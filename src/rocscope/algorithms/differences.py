"""Differences of two learners over the same folds, as numbers and as whole steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocscope.core import checks
from rocscope.core.paired import paired_t
from rocscope.errors import RocInputError

Floats = NDArray[np.float64]
Wholes = NDArray[np.int64]

# One step is 2^-42 of the larger values: above their rounding errors, below any difference of interest.
STEP_BITS = 42


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldDifferences:
    """First minus second, one row per pair of learners and one column per fold.

    Attributes
    ----------
    values
        The differences, NaN where either learner has none, and exactly zero where they are less than
        half a step.
    steps
        The same in whole steps. 3/30 - 2/30 and 5/30 - 4/30 differ in their last bits; as steps they
        are equal, so that ties and zeros are seen, and sums of them are exact.
    defined
        False for a row with an undefined fold; its steps are zero.
    """

    values: Floats
    steps: Wholes
    defined: NDArray[np.bool_]

    def means(self) -> Floats:
        """Mean difference of every row, to the last bit that of the t tests, whose intervals hold it."""
        with np.errstate(over="ignore"):  # of the interval, which is not used
            return paired_t(self.values).mean

    @property
    def n_folds(self) -> int:
        """Number of folds, repeats included."""
        return int(self.values.shape[-1])


def fold_differences(first: ArrayLike, second: ArrayLike) -> FoldDifferences:
    """Take the differences of two tables of fold values, shape (pairs, folds) each.

    Examples
    --------
    >>> found = fold_differences([[3 / 30, 0.5]], [[2 / 30, 0.5]])
    >>> found.steps[0, 1].item(), bool(found.defined[0])
    (0, True)
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    with np.errstate(invalid="ignore", over="ignore"):  # infinite values are undefined, and told so
        values = a - b
    defined = np.asarray(np.isfinite(values).all(axis=-1))
    largest = np.maximum(np.abs(a), np.abs(b)).max(axis=-1, keepdims=True)
    _, exponent = np.frexp(np.where(defined[:, np.newaxis], largest, 1.0))
    scaled = np.ldexp(np.where(defined[:, np.newaxis], values, 0.0), STEP_BITS - exponent)
    steps = np.rint(scaled).astype(np.int64)
    # What rounding left of no difference would have a variance, and a t statistic, of its own.
    values = np.where(
        defined[:, np.newaxis] & (steps == 0), 0.0, np.where(np.isfinite(values), values, np.nan)
    )
    return FoldDifferences(values=values, steps=steps, defined=defined)


def read_fold_values(values: ArrayLike, *, name: str) -> Floats:
    """Check the values of one learner: one per fold, or five repeats of two folds.

    Examples
    --------
    >>> read_fold_values([0.8, 0.9], name="a").shape
    (2,)
    """
    array = checks.as_array(values, name=name)
    if array.dtype.kind not in "biuf":
        raise RocInputError(f"{name} must hold numbers, got {checks.show(values)}")
    if array.ndim not in (1, 2) or (array.ndim == 2 and array.shape != (5, 2)):
        raise RocInputError(f"{name} must have one value per fold, or shape (5, 2), got shape {array.shape}")
    if array.size < 2:
        raise RocInputError(f"{name} must hold at least 2 folds, got {array.size}")
    return array.astype(np.float64)
