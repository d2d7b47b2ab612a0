"""The thresholds of every gap between neighbouring classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.errors import RocInputError
from rocscope.ordinal.data import ClassEstimates

Floats = NDArray[np.float64]
# One ascending array per gap, each value strictly between the two classes.
Gaps: TypeAlias = tuple[Floats, ...]
# Equidistant thresholds of a gap; more would only fill memory.
MOST = 1_000_000
ALLOWED = 'a number of thresholds per gap, "all", thresholds, or a mapping (class, next class) -> thresholds'


def read_thresholds(thresholds: Any, estimates: ClassEstimates) -> Gaps:
    """Return the thresholds of every gap.

    Parameters
    ----------
    thresholds
        A whole number n: c + (c' - c) * j / (n + 1), j = 1..n, in the gap from c to c'. "all": every
        distinct estimate inside the gap. Numbers, or a sequence of them per gap: each belongs to the gap
        it lies in. A mapping from (c, c'), labels or numbers, to the thresholds of that gap.
    estimates
        The classes, and the estimates for "all".

    Examples
    --------
    >>> from rocscope.ordinal.data import read_ordinal
    >>> whole = read_ordinal([1, 2, 4], [1.1, 1.9, 3.2]).whole
    >>> [gap.tolist() for gap in read_thresholds(3, whole)]
    [[1.25, 1.5, 1.75], [2.5, 3.0, 3.5]]
    >>> [gap.tolist() for gap in read_thresholds([1.5, 3], whole)]
    [[1.5], [3.0]]
    """
    if isinstance(thresholds, str):
        if thresholds != "all":
            raise RocInputError(f"thresholds must be {ALLOWED}, got {checks.show(thresholds)}")
        return _distinct_estimates(estimates)
    if isinstance(thresholds, Mapping):
        return _from_mapping(thresholds, estimates)
    if not isinstance(thresholds, (list, tuple)) and np.ndim(thresholds) == 0:
        return _equidistant(checks.check_integer(thresholds, name="thresholds", low=1), estimates.classes)
    return _by_gap(_flat(thresholds), estimates.classes)


def _equidistant(n: int, classes: Sequence[float]) -> Gaps:
    if n > MOST:
        raise RocInputError(f'thresholds must be at most {MOST:,} per gap, or "all", got {n:,}')
    steps = np.arange(1, n + 1)
    return tuple(_between(low, high, steps) for low, high in pairwise(classes))


def _between(low: float, high: float, steps: NDArray[np.int64]) -> Floats:
    n = steps.size
    with np.errstate(over="ignore"):  # classes too far apart are refused below
        gap: Floats = low + (high - low) * steps / (n + 1)
    if not (low < gap[0] and gap[-1] < high and (np.diff(gap) > 0).all()):
        near = "further apart" if np.isfinite(gap[-1]) else "nearer together"
        raise RocInputError(f"classes must lie {near} for {n} thresholds, got {low!r} and {high!r}")
    return gap


def _distinct_estimates(estimates: ClassEstimates) -> Gaps:
    def inside(part: Floats, low: float, high: float) -> Floats:
        return part[np.searchsorted(part, low, "right") : np.searchsorted(part, high, "left")]

    return tuple(
        np.unique(np.concatenate([inside(part, low, high) for part in estimates.parts]))
        for low, high in pairwise(estimates.classes)
    )


def _flat(thresholds: Any) -> Floats:
    """Numbers of a flat sequence, or of a sequence of sequences."""
    if len(getattr(thresholds, "shape", ())) == 2:
        thresholds = list(np.asarray(thresholds))
    nested = isinstance(thresholds, (list, tuple)) and any(np.ndim(part) for part in thresholds)
    parts = [part if np.ndim(part) else [part] for part in thresholds] if nested else [thresholds]
    flat = [checks.as_scores(part, name="thresholds") for part in parts if len(part)]
    if not flat:
        raise RocInputError("thresholds must hold at least one number, got none")
    return np.concatenate(flat).astype(np.float64)


def _from_mapping(thresholds: Mapping[Any, Any], estimates: ClassEstimates) -> Gaps:
    """Thresholds of each gap, which is named by the labels of its classes or by their numbers."""
    ends = list(pairwise(estimates.classes))
    named = dict(zip(ends, ends, strict=True)) | dict(zip(pairwise(estimates.labels), ends, strict=True))
    parts: dict[Any, Floats] = {}
    for key, values in thresholds.items():
        if key not in named:
            near = next(iter(pairwise(estimates.labels)))
            raise RocInputError(f"thresholds must be of neighbouring classes such as {near}, got {key!r}")
        parts[key] = _flat([values] if np.ndim(values) == 0 else values)
        low, high = named[key]
        outside = parts[key][~((low < parts[key]) & (parts[key] < high))]
        if outside.size:
            raise RocInputError(
                f"thresholds of the gap {key} must lie inside it, got {checks.show(outside[0])}"
            )
    return _by_gap(_flat(list(parts.values())), estimates.classes)


def _by_gap(values: Floats, classes: Sequence[float]) -> Gaps:
    ascending = np.sort(values)
    if (ascending[1:] == ascending[:-1]).any():
        twice = ascending[1:][ascending[1:] == ascending[:-1]][0]
        raise RocInputError(f"thresholds must be different, got {checks.show(twice)} twice")
    outside = (ascending <= classes[0]) | (ascending >= classes[-1]) | np.isin(ascending, classes)
    if outside.any():
        raise RocInputError(
            "thresholds must lie strictly between two neighbouring classes, "
            f"got {checks.show(ascending[outside][0])}"
        )
    return tuple(np.split(ascending, np.searchsorted(ascending, classes[1:-1])))
