"""Checked scores with the fold of every case, and how many cases reach each threshold in each fold."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, measures
from rocscope.core.scores import BinaryScores, ClassScores, check_alone, distinct_labels, is_stacked
from rocscope.core.table import INT64_MAX, LARGE
from rocscope.errors import RocInputError

# Whole numbers that spread over no more than this are fold codes after a subtraction.
FEW_CODES = 2**16


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
        if self.scores.size >= LARGE:
            from rocscope.core import kernels

            scores, ends = kernels.split_cells(
                self.fold, self.codes, self.scores, len(self.folds), len(self.classes)
            )
        else:
            order = np.argsort(self.fold * len(self.classes) + self.codes, kind="stable")
            scores, ends = self.scores[order], np.cumsum(self.sizes())
        cells = [scores[start:end] for start, end in pairwise([0, *ends.tolist()])]
        for cell in cells:
            cell.sort()
        width = len(self.classes)
        return [cells[k : k + width] for k in range(0, len(cells), width)]

    def threshold_counts(self, thresholds: NDArray[Any]) -> NDArray[np.int64]:
        """Two-class confusion matrices of `score >= threshold`, shape (thresholds, folds, 2, 2)."""
        cells = self.sorted_cells()
        cuts, none_reaches = comparable_cuts(thresholds, self.scores.dtype)
        reached = np.array([[cell.size - np.searchsorted(cell, cuts) for cell in row] for row in cells])
        reached[..., none_reaches] = 0
        fp, tp = reached.transpose(1, 2, 0)
        n_neg, n_pos = np.array([[cell.size for cell in row] for row in cells]).T
        return measures.confusion_from_counts(tp, fp, n_pos, n_neg)


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
    if dtype.kind == "f":  # the least float64 of at least this number, which may be a long integer
        near = [(float(t), t) for t in thresholds.tolist()]
        cuts = np.array([cut if cut >= t else math.nextafter(cut, math.inf) for cut, t in near])
        return cuts, none_reaches
    cuts = np.zeros(thresholds.shape, np.int64)
    for k, threshold in enumerate(thresholds.tolist()):
        none_reaches[k] = threshold > INT64_MAX
        if not none_reaches[k]:
            cuts[k] = max(-(2**63), math.ceil(max(threshold, -(2.0**63))))
    return cuts, none_reaches


def read_folded(y_true: Any, y_score: Any, *, fold: Any, classes: Any, pos_label: Any) -> FoldedScores:
    """Check labels, scores and folds; scores with one column per class need `classes`."""
    stacked = is_stacked(y_true)
    if stacked or isinstance(y_true, ClassScores):
        check_alone(y_true, y_score=y_score, fold=fold, classes=classes, pos_label=pos_label)
    if stacked:
        data = read_folded(
            y_true.y_true, y_true.y_score, fold=y_true.fold, classes=y_true.classes, pos_label=None
        )
        warnings = tuple(dict.fromkeys((*getattr(y_true, "warnings", ()), *data.warnings)))
        ratio = float(getattr(y_true, "test_over_train", data.test_over_train))
        return replace(data, test_over_train=ratio, warnings=warnings)
    if isinstance(y_true, ClassScores):
        scores = y_true
    elif isinstance(y_true, BinaryScores) or checks.as_array(y_score, name="y_score").ndim != 2:
        return read_two_classes(y_true, y_score, fold=fold, classes=classes, pos_label=pos_label)
    else:
        scores = ClassScores.from_arrays(y_true, y_score, classes=classes, fold=fold)
    if (scores.codes == scores.codes[0]).all():
        only = scores.classes[int(scores.codes[0])]
        raise RocInputError(f"must hold two classes, got only {checks.show(only)}", argument="y_true")
    codes, folds = read_folds(scores.fold)
    if pos_label is not None and (len(scores.classes) != 2 or scores.classes[1] != pos_label):
        raise RocInputError(
            "must be the second of two classes where scores have one column per class, "
            f"got {checks.show(pos_label)} for {list(scores.classes)}",
            argument="pos_label",
            data_dependent=True,
        )
    return FoldedScores(
        codes=scores.codes,
        classes=scores.classes,
        scores=scores.scores,
        fold=codes,
        folds=folds,
        test_over_train=1 / (len(folds) - 1),
    )


def read_two_classes(
    y_true: Any, y_score: Any, *, fold: Any, pos_label: Any, classes: Any = None
) -> FoldedScores:
    """Check labels of two classes, one score per case, and folds."""
    if is_stacked(y_true) or isinstance(y_true, ClassScores):
        data = read_folded(y_true, y_score, fold=fold, classes=classes, pos_label=pos_label)
        if not data.is_scalar:
            several = f"got one for each of {list(data.classes)}"
            raise RocInputError(f"must hold one score per case of two classes, {several}", argument="y_true")
        return data
    if classes is not None:  # of two named classes the second is positive, unless `pos_label` says otherwise
        names = checks.check_names(classes, name="classes")
        if len(names) != 2:
            raise RocInputError(
                f"must name two classes where a case has one score, got {list(names)}", argument="classes"
            )
        if pos_label is not None and pos_label not in names:
            raise RocInputError(
                f"must be one of classes {list(names)}, got {checks.show(pos_label)}", argument="pos_label"
            )
        pos_label = names[1] if pos_label is None else pos_label
    scores = BinaryScores.from_arrays(y_true, y_score, pos_label=pos_label, fold=fold).single().counted()
    labels = (scores.neg_label, scores.pos_label)
    if classes is not None and set(labels) != set(classes):
        raise RocInputError(
            f"must hold the labels in classes {list(classes)}, got {list(labels)}", argument="y_true"
        )
    codes, folds = read_folds(scores.fold)
    return FoldedScores(
        codes=scores.positive.view(np.uint8),
        classes=labels,
        scores=scores.columns[0],
        fold=codes,
        folds=folds,
        test_over_train=1 / (len(folds) - 1),
        warnings=scores.warnings,
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
    checks.refuse_rows(
        checks.missing(values), name="fold", required="a fold in every row", got="missing folds"
    )
    low = int(values.min()) if values.dtype.kind in "iu" else 0
    if values.dtype.kind in "iu" and int(values.max()) - low < FEW_CODES:
        # Whole numbers are counted: sorting a million of them would take longer than all the rest.
        codes = values.astype(np.int64) - low if low or values.dtype != np.int64 else values
        present = np.bincount(codes) > 0
        if not present.all():
            codes = (np.cumsum(present) - 1)[codes]
        names = tuple((np.flatnonzero(present) + low).tolist())
    else:
        names = tuple(distinct_labels(values))
        code_of = {name: code for code, name in enumerate(names)}
        codes = np.fromiter((code_of[v] for v in values.tolist()), np.int64, values.size)
    if len(names) < 2:
        raise RocInputError(f"must name two folds or more, got only {checks.show(names[0])}", argument="fold")
    return codes, names


def fold_list(folds: tuple[Any, ...], which: NDArray[np.bool_]) -> str:
    """Names of some of the folds as text, the first five of them.

    Examples
    --------
    >>> fold_list(("a", "b", "c"), np.array([True, False, True]))
    'a, c'
    """
    names = [str(folds[k]) for k in np.flatnonzero(which)]
    return ", ".join(names[:5]) + (" and others" if len(names) > 5 else "")
