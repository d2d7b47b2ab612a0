"""Estimates of ordered classes: checked at the door, then one ascending array per class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, frames
from rocscope.core.resampling import Rng
from rocscope.core.scores import OrdinalScores, distinct_labels, exact_floats, is_ordinal, is_stacked
from rocscope.core.table import LARGE
from rocscope.errors import RocInputError
from rocscope.ordinal.scale import Scale, ScaleMap, rescale

Floats = NDArray[np.float64]
# Up to so many distinct labels, a byte holds the number of each.
MOST_LABELS = 256


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
    """All estimates, and those of each fold where there are folds.

    `scale_map` leads from the estimates as they came to those here; None where they stay.
    """

    whole: ClassEstimates
    rows: OrdinalScores | None = None
    scale_map: ScaleMap | None = None
    warnings: tuple[str, ...] = ()

    def folds(self) -> Iterator[tuple[Any, ClassEstimates]]:
        """Names of the folds in order, with the estimates of each."""
        if self.rows is None or self.rows.fold is None:
            return
        for name in distinct_labels(self.rows.fold):
            inside = np.asarray(self.rows.fold == name)
            parts = _split(self.rows.values[inside], self.rows.estimates[inside], self.whole.classes)
            yield name, ClassEstimates(classes=self.whole.classes, labels=self.whole.labels, parts=parts)


def read_ordinal(
    y_true: Any, y_pred: Any = None, *, scale: Scale = "raw", rng: Rng = None, **columns: Any
) -> OrdinalSample:
    """Check classes, estimates and folds, put the estimates on the scale, and sort those of each class.

    `columns` are the further arguments of `OrdinalScores.from_arrays`.

    Examples
    --------
    >>> sample = read_ordinal([1, 2, 1, 2], [1.4, 1.8, 0.9, 2.2])
    >>> [part.tolist() for part in sample.whole.parts]
    [[0.9, 1.4], [1.8, 2.2]]
    """
    if is_ordinal(y_true) or is_stacked(y_true):
        return _from_scores(OrdinalScores.from_arrays(y_true, y_pred, **columns), scale, rng)
    classes, na = columns.get("classes"), columns.get("na", "error")
    names = {name: columns.get(name) for name in ("label", "score", "fold")}
    y_true, y_pred, others = frames.read_columns(y_true, y_pred, **names)
    fold = others["fold"]
    shape: tuple[int, ...] = getattr(y_pred, "shape", ())
    if len(shape) == 2 and shape[1] > 1:
        raise RocInputError(
            f"must be one number per case, got shape {tuple(shape)}; of predict_proba pass the "
            "expected class, probabilities @ classes",
            argument="y_pred",
        )
    checks.check_same_index(y_true=y_true, y_pred=y_pred, fold=fold)
    labels = checks.as_vector(y_true, name="y_true")
    numeric = labels.dtype.kind in "biuf" and labels.dtype.itemsize <= 8
    if fold is None and numeric and labels.size >= LARGE and scale == "raw" and na == "error":
        estimates = _split_few_labels(labels, y_pred, classes)
        if estimates is not None:
            return OrdinalSample(whole=_two_classes(estimates))
    rows = OrdinalScores.from_arrays(labels, y_pred, classes=classes, fold=fold, na=na)
    return _from_scores(rows, scale, rng)


def _from_scores(rows: OrdinalScores, scale: Scale, rng: Rng) -> OrdinalSample:
    if rows.fold is not None:
        wrong = checks.missing(rows.fold)
        checks.refuse_rows(wrong, name="fold", required="a fold in every row", got="missing values")
        if len(names := distinct_labels(rows.fold)) < 2:
            raise RocInputError(
                f"must name at least 2 folds, got {checks.show(names[0])} alone", argument="fold"
            )
    parts = _split(rows.values, rows.estimates, rows.classes)
    whole = _two_classes(ClassEstimates(classes=rows.classes, labels=rows.labels, parts=parts))
    if scale == "raw":
        return OrdinalSample(whole=whole, rows=rows, warnings=rows.warnings)
    rows, scale_map = rescale(rows, scale, rng)
    parts = _split(rows.values, rows.estimates, rows.classes)
    return OrdinalSample(
        whole=replace(whole, parts=parts), rows=rows, scale_map=scale_map, warnings=rows.warnings
    )


def _split_few_labels(labels: NDArray[Any], y_pred: Any, classes: Any) -> ClassEstimates | None:
    """Sort the estimates of each class where many labels have few distinct ones, which are checked once.

    None where there are too many, or some are not finite.
    """
    from rocscope.core import kernels

    wide = {"f": np.float64, "u": np.uint64}.get(labels.dtype.kind, np.int64)
    bits = np.ascontiguousarray(labels, dtype=wide).view(np.int64)
    codes, keys, counts = kernels.code_labels(bits, MOST_LABELS)
    distinct = keys.view(wide)
    if not distinct.size or not np.isfinite(distinct).all():
        return None
    estimates = checks.as_vector(y_pred, name="y_pred")
    if estimates.dtype != np.float32 or np.isnan(estimates.max()):  # float32 is sorted in half the time
        estimates = exact_floats(estimates, name="y_pred")
    checks.check_same_length(y_true=codes, y_pred=estimates)
    rows = OrdinalScores.from_arrays(distinct, np.zeros(distinct.size), classes=classes)
    # Labels that are one number, such as 0.0 and -0.0, are one class and lie side by side.
    order = np.argsort(rows.values, kind="stable")
    ends = np.cumsum(counts[order])
    starts = np.empty_like(ends)
    starts[order] = ends - counts[order]
    grouped = kernels.group_estimates(codes, starts, estimates)
    last = np.searchsorted(rows.values[order], rows.classes[:-1], "right")
    parts = np.split(grouped, np.append(0, ends)[last])
    for part in parts:
        part.sort()
    if any(np.isinf(end) for part in parts if part.size for end in (part[0], part[-1])):
        wrong = np.isinf(estimates)
        checks.refuse_rows(wrong, name="y_pred", required="finite estimates", got="infinite values")
    widened = tuple(part.astype(np.float64, copy=False) for part in parts)
    return ClassEstimates(classes=rows.classes, labels=rows.labels, parts=widened)


def _split(values: Floats, estimates: Floats, classes: tuple[float, ...]) -> tuple[Floats, ...]:
    order = np.argsort(values, kind="stable")
    last = np.searchsorted(values[order], classes[:-1], "right")
    return tuple(np.sort(part) for part in np.split(estimates[order], last))


def _two_classes(estimates: ClassEstimates) -> ClassEstimates:
    present = [label for label, part in zip(estimates.labels, estimates.parts, strict=True) if part.size]
    if len(present) < 2:
        raise RocInputError(
            f"must hold two or more classes, got only {checks.show(present[0])}", argument="y_true"
        )
    return estimates


# ---- The thresholds of every gap between neighbouring classes ---------------------------------------------

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
    >>> from rocscope.ordinal.estimates import read_ordinal
    >>> whole = read_ordinal([1, 2, 4], [1.1, 1.9, 3.2]).whole
    >>> [gap.tolist() for gap in read_thresholds(3, whole)]
    [[1.25, 1.5, 1.75], [2.5, 3.0, 3.5]]
    >>> [gap.tolist() for gap in read_thresholds([1.5, 3], whole)]
    [[1.5], [3.0]]
    """
    gap_ends = list(pairwise(estimates.classes))
    if isinstance(thresholds, str):
        if thresholds != "all":
            raise RocInputError(f"must be {ALLOWED}, got {checks.show(thresholds)}", argument="thresholds")
        return tuple(
            np.unique(
                np.concatenate(
                    [p[np.searchsorted(p, low, "right") : np.searchsorted(p, high)] for p in estimates.parts]
                )
            )
            for low, high in gap_ends
        )
    if isinstance(thresholds, Mapping):  # a gap is named by the labels of its classes or by their numbers
        names = list(pairwise(estimates.labels))
        ends_of = dict(zip(gap_ends, gap_ends, strict=True)) | dict(zip(names, gap_ends, strict=True))
        parts: dict[Any, Floats] = {}
        for key, values in thresholds.items():
            if key not in ends_of:
                raise RocInputError(
                    f"must be of neighbouring classes such as {names[0]}, got {key!r}", argument="thresholds"
                )
            parts[key] = _flat([values] if np.ndim(values) == 0 else values)
            low, high = ends_of[key]
            outside = parts[key][~((low < parts[key]) & (parts[key] < high))]
            if outside.size:
                raise RocInputError(
                    f"of the gap {key} must lie inside it, got {checks.show(outside[0])}",
                    argument="thresholds",
                )
        return _by_gap(_flat(list(parts.values())), estimates.classes)
    if isinstance(thresholds, (list, tuple)) or np.ndim(thresholds) > 0:
        return _by_gap(_flat(thresholds), estimates.classes)
    n = checks.check_integer(thresholds, name="thresholds", low=1)
    if n > MOST:
        raise RocInputError(f'must be at most {MOST:,} per gap, or "all", got {n:,}', argument="thresholds")
    gaps = list[Floats]()
    for low, high in gap_ends:
        with np.errstate(over="ignore"):  # classes too far apart are refused below
            gap: Floats = low + (high - low) * np.arange(1, n + 1) / (n + 1)
        if not (low < gap[0] and gap[-1] < high and (np.diff(gap) > 0).all()):
            near = "further apart" if np.isfinite(gap[-1]) else "nearer together"
            raise RocInputError(
                f"must lie {near} for {n} thresholds, got {low!r} and {high!r}", argument="classes"
            )
        gaps.append(gap)
    return tuple(gaps)


def _flat(thresholds: Any) -> Floats:
    """Numbers of a flat sequence, or of a sequence of sequences."""
    if len(getattr(thresholds, "shape", ())) == 2:
        thresholds = list(np.asarray(thresholds))
    nested = isinstance(thresholds, (list, tuple)) and any(np.ndim(part) for part in thresholds)
    parts = [part if np.ndim(part) else [part] for part in thresholds] if nested else [thresholds]
    flat = [checks.as_scores(part, name="thresholds") for part in parts if len(part)]
    if not flat:
        raise RocInputError("must hold at least one number, got none", argument="thresholds")
    return np.concatenate(flat).astype(np.float64)


def _by_gap(values: Floats, classes: Sequence[float]) -> Gaps:
    ascending = np.sort(values)
    if (ascending[1:] == ascending[:-1]).any():
        twice = ascending[1:][ascending[1:] == ascending[:-1]][0]
        raise RocInputError(f"must be different, got {checks.show(twice)} twice", argument="thresholds")
    outside = (ascending <= classes[0]) | (ascending >= classes[-1]) | np.isin(ascending, classes)
    if outside.any():
        raise RocInputError(
            f"must lie strictly between two neighbouring classes, got {checks.show(ascending[outside][0])}",
            argument="thresholds",
        )
    return tuple(np.split(ascending, np.searchsorted(ascending, classes[1:-1])))
