"""Estimates of ordered classes: checked at the door, then one ascending array per class."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.labels import distinct_labels
from rocscope.core.scores import OrdinalScores
from rocscope.core.table import LARGE
from rocscope.errors import RocInputError

Floats = NDArray[np.float64]
# Whole labels within such a range are counted in a table instead of being sorted.
WHOLE_RANGE = 65_536
EXACT = checks.EXACT_FLOAT_INTEGERS


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassEstimates:
    """The estimates of each class, ascending.

    Attributes
    ----------
    classes
        The numbers that stand for the classes, ascending.
    labels
        What the classes are called: their numbers, unless a mapping named them.
    parts
        One ascending array of estimates per class; empty for a class without a member.
    """

    classes: tuple[float, ...]
    labels: tuple[Any, ...]
    parts: tuple[Floats, ...]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Members of each class."""
        return np.array([part.size for part in self.parts], dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class OrdinalSample:
    """All estimates, and those of each fold where folds are given."""

    whole: ClassEstimates
    rows: OrdinalScores | None

    def folds(self) -> Iterator[tuple[Any, ClassEstimates]]:
        """Names of the folds in order, with the estimates of each."""
        if self.rows is None or self.rows.fold is None:
            return
        for name in distinct_labels(self.rows.fold):
            inside = np.asarray(self.rows.fold == name)
            parts = _split(self.rows.values[inside], self.rows.estimates[inside], self.whole.classes)
            yield name, ClassEstimates(classes=self.whole.classes, labels=self.whole.labels, parts=parts)


def read_ordinal(y_true: Any, y_pred: Any, *, classes: Any = None, fold: Any = None) -> OrdinalSample:
    """Check classes, estimates and folds, and sort the estimates of each class.

    Examples
    --------
    >>> sample = read_ordinal([1, 2, 1, 2], [1.4, 1.8, 0.9, 2.2])
    >>> [part.tolist() for part in sample.whole.parts]
    [[0.9, 1.4], [1.8, 2.2]]
    """
    labels = checks.as_vector(y_true, name="y_true")
    whole = _WholeLabels.of(labels) if fold is None and not isinstance(classes, Mapping) else None
    if whole is not None:
        return OrdinalSample(whole=_two_classes(whole.split(y_pred, classes)), rows=None)
    rows = OrdinalScores.from_arrays(labels, y_pred, classes=classes, fold=fold)
    if rows.fold is not None:
        wrong = checks.missing(rows.fold)
        checks.refuse_rows(wrong, name="fold", wanted="a fold in every row", got="missing values")
    parts = _split(rows.values, rows.estimates, rows.classes)
    found = ClassEstimates(classes=rows.classes, labels=_names(rows.classes, classes), parts=parts)
    return OrdinalSample(whole=_two_classes(found), rows=rows)


@dataclass(frozen=True, slots=True)
class _WholeLabels:
    """Many labels that are whole numbers not far from each other, and how many cases have each."""

    labels: NDArray[Any]
    low: int
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, labels: NDArray[Any]) -> _WholeLabels | None:
        """Count the labels; None where they are few or no such numbers."""
        if labels.size < LARGE or labels.dtype not in (np.int64, np.float64):
            return None
        low, high = labels.min().item(), labels.max().item()
        if not (abs(low) < EXACT and abs(high) < EXACT and high - low < WHOLE_RANGE):
            return None
        from rocscope.core import kernels

        low = math.floor(low)
        all_whole, counts = kernels.count_labels(labels, low, math.ceil(high) - low + 1)
        return cls(labels, low, counts) if all_whole else None

    def split(self, y_pred: Any, classes: Any) -> ClassEstimates:
        """Sort the estimates of each class; each distinct label is checked once, at the same door."""
        from rocscope.core import kernels

        estimates = checks.as_scores(y_pred, name="y_pred").astype(np.float64, copy=False)
        checks.check_same_length(y_true=self.labels, y_pred=estimates)
        used = np.flatnonzero(self.counts)
        found = OrdinalScores.from_arrays(used + self.low, np.zeros(used.size), classes=classes).classes
        codes = np.zeros(self.counts.size, np.int64)
        codes[used] = np.searchsorted(found, used + self.low)
        sizes = np.zeros(len(found), np.int64)
        sizes[codes[used]] = self.counts[used]
        ends = np.cumsum(sizes)
        grouped = kernels.group_estimates(self.labels, self.low, codes, ends - sizes, estimates)
        parts = tuple(np.split(grouped, ends[:-1]))
        for part in parts:
            part.sort()
        if any(np.isinf(end) for part in parts if part.size for end in (part[0], part[-1])):
            wrong = np.isinf(estimates)
            checks.refuse_rows(wrong, name="y_pred", wanted="finite estimates", got="infinite values")
        return ClassEstimates(classes=found, labels=_names(found, None), parts=parts)


def _split(values: Floats, estimates: Floats, classes: tuple[float, ...]) -> tuple[Floats, ...]:
    return tuple(np.sort(estimates[values == value]) for value in classes)


def _names(values: tuple[float, ...], classes: Any) -> tuple[Any, ...]:
    """Names of the classes; whole numbers are shown as such."""
    if isinstance(classes, Mapping):
        names = {float(number): name for name, number in classes.items()}
        return tuple(names[value] for value in values)
    return tuple(int(value) if value.is_integer() else value for value in values)


def _two_classes(found: ClassEstimates) -> ClassEstimates:
    present = [label for label, part in zip(found.labels, found.parts, strict=True) if part.size]
    if len(present) < 2:
        raise RocInputError(f"y_true must hold two or more classes, got only {checks.show(present[0])}")
    return found
