"""Checked scores with the fold of every case, and how many cases reach each threshold in each fold."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.measures import confusion_from_counts
from rocscope.core.scores import BinaryScores, ClassScores, distinct_labels
from rocscope.core.table import INT64_MAX, LARGE
from rocscope.errors import RocInputError

# Whole numbers that spread over no more than this are fold codes after a subtraction.
FEW_CODES = 2**16
# What the result of `cross_scores` holds; this room must not import it.
STACKED = ("y_true", "y_score", "fold", "classes")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoldedScores:
    """Labels, soft outputs and folds of all cases.

    Attributes
    ----------
    codes, classes
        Class of each case, an index into `classes`; of two classes the second is the positive one.
    scores
        One column of scores, or with shape (cases, classes) one per class.
    fold, folds
        Fold of each case, an index into `folds`.
    test_over_train
        Test cases over training cases of a fold: 1 / (k - 1) for k folds of one cross-validation.
    """

    codes: NDArray[Any]
    classes: tuple[Any, ...]
    scores: NDArray[Any]
    fold: NDArray[Any]
    folds: tuple[Any, ...]
    test_over_train: float
    warnings: tuple[str, ...] = ()

    @property
    def is_scalar(self) -> bool:
        """Whether a case has one score rather than one per class."""
        return self.scores.ndim == 1

    def sizes(self) -> NDArray[np.int64]:
        """Cases by fold and class."""
        n_folds, n_classes = len(self.folds), len(self.classes)
        cells = self.fold * n_classes + self.codes
        return np.bincount(cells, minlength=n_folds * n_classes).reshape(n_folds, n_classes)

    def sorted_cells(self) -> list[list[NDArray[Any]]]:
        """Ascending scores of every fold and class."""
        moved, ends = self._split()
        starts = np.concatenate([[0], ends[:-1]]).tolist()
        cells = [moved[start:end] for start, end in zip(starts, ends.tolist(), strict=True)]
        for cell in cells:
            cell.sort()
        width = len(self.classes)
        return [cells[k : k + width] for k in range(0, len(cells), width)]

    def _split(self) -> tuple[NDArray[Any], NDArray[np.int64]]:
        if self.scores.size >= LARGE:
            from rocscope.core import kernels

            return kernels.split_cells(self.fold, self.codes, self.scores, len(self.folds), len(self.classes))
        order = np.argsort(self.fold * len(self.classes) + self.codes, kind="stable")
        return self.scores[order], np.cumsum(self.sizes())

    def threshold_counts(self, thresholds: NDArray[Any]) -> NDArray[np.int64]:
        """Two-class confusion matrices of `score >= threshold`, shape (thresholds, folds, 2, 2)."""
        cells = self.sorted_cells()
        cuts, none_reaches = comparable_cuts(thresholds, self.scores.dtype)
        reached = np.array([[cell.size - np.searchsorted(cell, cuts) for cell in row] for row in cells])
        reached[..., none_reaches] = 0
        fp, tp = reached.transpose(1, 2, 0)
        n_neg, n_pos = np.array([[cell.size for cell in row] for row in cells]).T
        return confusion_from_counts(tp, fp, n_pos, n_neg)


def comparable_cuts(thresholds: NDArray[Any], dtype: Any) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Thresholds in the type of the scores, exactly: the least score of that type that reaches each.

    Returns them with a mark on those that no such score reaches.

    Examples
    --------
    >>> comparable_cuts(np.array([0.5, np.inf]), np.dtype(np.int64))[0].tolist()
    [1, 0]
    """
    none_reaches = np.zeros(thresholds.shape, dtype=bool)
    if thresholds.dtype == dtype:
        return thresholds, none_reaches
    if dtype.kind == "f":
        return np.array([_float_from(t) for t in thresholds.tolist()]), none_reaches
    cuts = np.zeros(thresholds.shape, np.int64)
    for k, threshold in enumerate(thresholds.tolist()):
        none_reaches[k] = threshold > INT64_MAX
        if not none_reaches[k]:
            cuts[k] = max(-(2**63), math.ceil(max(threshold, -(2.0**63))))
    return cuts, none_reaches


def _float_from(threshold: float) -> float:
    """Return the least float64 of at least this number, which may be a long integer."""
    near = float(threshold)
    return near if near >= threshold else math.nextafter(near, math.inf)


def read_folded(y_true: Any, y_score: Any, *, fold: Any, classes: Any, pos_label: Any) -> FoldedScores:
    """Check labels, scores and folds; scores with one column per class need `classes`."""
    if _is_stacked(y_true):
        _refuse_more("a result of cross_scores", y_score, fold, classes, pos_label)
        return _from_stacked(y_true)
    if isinstance(y_true, ClassScores):
        _refuse_more("a ClassScores", y_score, fold, classes, pos_label)
        return _from_classes(y_true)
    if isinstance(y_true, BinaryScores) or checks.as_array(y_score, name="y_score").ndim != 2:
        return read_two_classes(y_true, y_score, fold=fold, classes=classes, pos_label=pos_label)
    data = _from_classes(ClassScores.from_arrays(y_true, y_score, classes=classes, fold=fold))
    if pos_label is not None and (len(data.classes) != 2 or data.classes[1] != pos_label):
        raise RocInputError(
            "must be the second of two classes where scores have one column per class, "
            f"got {checks.show(pos_label)} for {list(data.classes)}",
            argument="pos_label",
        )
    return data


def _is_stacked(data: Any) -> bool:
    """Whether these are stacked scores of a cross-validation, which know their folds and rows."""
    return all(hasattr(data, name) for name in STACKED)


def _refuse_more(what: str, *others: Any) -> None:
    if any(other is not None for other in others):
        raise RocInputError(f"nothing but y_true must be given where it is {what}, which holds the rest")


def _from_stacked(scores: Any) -> FoldedScores:
    data = read_folded(
        scores.y_true, scores.y_score, fold=scores.fold, classes=scores.classes, pos_label=None
    )
    told = tuple(dict.fromkeys((*getattr(scores, "warnings", ()), *data.warnings)))
    ratio = getattr(scores, "test_over_train", data.test_over_train)
    return replace(data, test_over_train=float(ratio), warnings=told)


def read_two_classes(
    y_true: Any, y_score: Any, *, fold: Any, pos_label: Any, classes: Any = None
) -> FoldedScores:
    """Check labels of two classes, one score per case, and folds."""
    if _is_stacked(y_true) or isinstance(y_true, ClassScores):
        data = read_folded(y_true, y_score, fold=fold, classes=classes, pos_label=pos_label)
        if not data.is_scalar:
            several = f"got one for each of {list(data.classes)}"
            raise RocInputError(f"must hold one score per case of two classes, {several}", argument="y_true")
        return data
    positive = _positive_label(classes, pos_label)
    return _from_binary(BinaryScores.from_arrays(y_true, y_score, pos_label=positive, fold=fold), classes)


def _positive_label(classes: Any, pos_label: Any) -> Any:
    """Of two named classes the second is positive, unless `pos_label` says otherwise."""
    if classes is None:
        return pos_label
    names = checks.check_names(classes, name="classes")
    if len(names) != 2:
        raise RocInputError(
            f"must name two classes where a case has one score, got {list(names)}", argument="classes"
        )
    if pos_label is not None and pos_label not in names:
        raise RocInputError(
            f"must be one of classes {list(names)}, got {checks.show(pos_label)}", argument="pos_label"
        )
    return names[1] if pos_label is None else pos_label


def _from_binary(data: BinaryScores, classes: Any) -> FoldedScores:
    data = data.single().counted()
    names = (data.neg_label, data.pos_label)
    if classes is not None and set(names) != set(classes):
        raise RocInputError(
            f"must hold the labels in classes {list(classes)}, got {list(names)}", argument="y_true"
        )
    fold, folds = read_folds(data.fold)
    return FoldedScores(
        codes=data.positive.view(np.uint8),
        classes=names,
        scores=data.columns[0],
        fold=fold,
        folds=folds,
        test_over_train=1 / (len(folds) - 1),
        warnings=data.warnings,
    )


def _from_classes(data: ClassScores) -> FoldedScores:
    if (data.codes == data.codes[0]).all():
        only = data.classes[int(data.codes[0])]
        raise RocInputError(f"must hold two classes, got only {checks.show(only)}", argument="y_true")
    fold, folds = read_folds(data.fold)
    return FoldedScores(
        codes=data.codes,
        classes=data.classes,
        scores=data.scores,
        fold=fold,
        folds=folds,
        test_over_train=1 / (len(folds) - 1),
    )


def read_folds(fold: Any) -> tuple[NDArray[Any], tuple[Any, ...]]:
    """Return the code of each case's fold and the names of the folds, sorted where they can be.

    Examples
    --------
    >>> read_folds(np.array([3, 1, 3]))
    (array([1, 0, 1]), (1, 3))
    """
    if fold is None:
        raise RocInputError("must give the fold of every case, got None", argument="fold")
    values = checks.as_vector(fold, name="fold")
    checks.refuse_rows(checks.missing(values), name="fold", wanted="a fold in every row", got="missing folds")
    codes, names = _coded(values)
    if len(names) < 2:
        raise RocInputError(f"must name two folds or more, got only {checks.show(names[0])}", argument="fold")
    return codes, names


def _coded(values: NDArray[Any]) -> tuple[NDArray[Any], tuple[Any, ...]]:
    if values.dtype.kind in "iu":
        low, high = int(values.min()), int(values.max())
        if high - low < FEW_CODES:
            return _coded_integers(values, low)
    names = distinct_labels(values)
    codes = {name: code for code, name in enumerate(names)}
    return np.fromiter((codes[v] for v in values.tolist()), np.int64, values.size), tuple(names)


def _coded_integers(values: NDArray[Any], low: int) -> tuple[NDArray[np.int64], tuple[int, ...]]:
    """Code whole numbers by counting: sorting a million of them would take longer than all the rest."""
    steps = values.astype(np.int64) - low if low or values.dtype != np.int64 else values
    present = np.bincount(steps) > 0
    if not present.all():
        steps = (np.cumsum(present) - 1)[steps]
    return steps, tuple((np.flatnonzero(present) + low).tolist())
