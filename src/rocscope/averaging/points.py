"""Cases, folds, operating points and measures of an average: how they are read, counted and averaged."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.averaging import class_weights
from rocscope.core import checks, frames, measures
from rocscope.core.frames import Missing
from rocscope.core.points import ClassWeights, DecisionRule, Threshold
from rocscope.core.scores import (
    BinaryScores,
    ClassScores,
    check_alone,
    distinct_labels,
    has_repeated_rows,
    is_stacked,
)
from rocscope.core.table import INT64_MAX, LARGE, ScoreTable, as_table, check_higher
from rocscope.errors import ResourceError, RocInputError

# Whole numbers that spread over no more than this are fold codes after a subtraction.
FEW_CODES = 2**16
REPEATED = (
    "cases that were tested several times count as new ones in every fold: standard errors over folds are "
    'too small; compare points by compare_to(..., method="corrected")'
)


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


def read_folded(
    y_true: Any,
    y_score: Any,
    *,
    fold: Any,
    pos_label: Any,
    classes: Any = None,
    label: Any = None,
    score: Any = None,
    na: Missing = "error",
) -> FoldedScores:
    """Check labels, scores and folds, in arrays or in a frame; one column per class needs `classes`."""
    if isinstance(as_table(y_true), ScoreTable):
        kind = type(y_true).__name__
        raise RocInputError(f"must hold cases with their folds, got a {kind}", argument="y_true")
    stacked = is_stacked(y_true)
    if stacked or isinstance(y_true, ClassScores):
        check_alone(
            y_true, y_score=y_score, fold=fold, classes=classes, pos_label=pos_label, label=label, score=score
        )
    if stacked:
        data = read_folded(
            y_true.y_true, y_true.y_score, fold=y_true.fold, classes=y_true.classes, pos_label=None
        )
        repeated = (REPEATED,) if has_repeated_rows(y_true) else ()
        warnings = tuple(dict.fromkeys((*getattr(y_true, "warnings", ()), *data.warnings, *repeated)))
        ratio = float(getattr(y_true, "test_over_train", data.test_over_train))
        return replace(data, test_over_train=ratio, warnings=warnings)
    columns: dict[str, Any] = {"fold": fold, "classes": classes, "label": label, "score": score, "na": na}
    if isinstance(y_true, ClassScores):
        scores = y_true
    elif _has_one_score(y_true, y_score, score):
        return read_two_classes(y_true, y_score, pos_label=pos_label, **columns)
    else:
        scores = ClassScores.from_arrays(y_true, y_score, **columns)
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
        warnings=scores.warnings,
    )


def _has_one_score(y_true: Any, y_score: Any, score: Any) -> bool:
    """Whether a case has one score rather than one per class."""
    if isinstance(y_true, BinaryScores):
        return True
    if frames.as_frame(y_true) is not None:
        return score is None or isinstance(score, str)
    return checks.as_array(y_score, name="y_score").ndim != 2


def read_two_classes(
    y_true: Any, y_score: Any, *, pos_label: Any, classes: Any = None, **columns: Any
) -> FoldedScores:
    """Check labels of two classes, one score per case, and folds; `columns` are those of `read_folded`."""
    if is_stacked(y_true) or isinstance(y_true, ClassScores):
        data = read_folded(y_true, y_score, classes=classes, pos_label=pos_label, **columns)
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
    scores = BinaryScores.from_arrays(y_true, y_score, pos_label=pos_label, **columns)
    scores = scores.single().counted()
    check_higher(scores.direction, "averages over folds")
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


# ---- Operating points and measures ------------------------------------------------------------------------

Floats: TypeAlias = NDArray[np.float64]
Kind: TypeAlias = Literal["threshold", "weights", "rule"]
Measure: TypeAlias = Callable[[NDArray[Any]], Floats]
ROC_MEASURES = ("tpr", "fpr")
# Counts of all confusion matrices together: 3.2 GB.
MOST_COUNTS = 400_000_000


def read_points(
    points: Any, data: FoldedScores, also: Any = None, *, name: str = "points"
) -> tuple[Kind, Any]:
    """Read how many points to take, or the points: thresholds, rows of class weights or decision rules.

    Those of `also` that are not among them join them: thresholds in descending order, others at the end.
    """
    if also is not None:
        kind, first = read_points(points, data)
        other, more = read_points(also, data, name="also")
        if other != kind:
            raise RocInputError(f"must be points of the same kind ({kind}), got {other}", argument="also")
        if kind == "threshold":
            return kind, checks.as_scores(sorted({*first.tolist(), *more.tolist()}, reverse=True))
        if kind == "rule":
            return kind, (*first, *(rule for rule in more if rule not in first))
        return kind, np.concatenate([first, more[~(more[:, np.newaxis] == first).all(axis=2).any(axis=1)]])
    if isinstance(points, str) and points == "all" and data.is_scalar:
        return "threshold", stacked_thresholds(data.scores, data.scores.size)
    if hasattr(points, "decide_codes"):  # an operating point is a number as well
        points = [points]
    if isinstance(points, numbers.Integral):
        n = checks.check_integer(points, name=name, low=1)
        if data.is_scalar:
            return "threshold", stacked_thresholds(data.scores, n)
        return "weights", spread_weights(n, len(data.classes))
    if not isinstance(points, np.ndarray) or points.dtype == object:
        listed = _as_list(points)
        decides = [callable(getattr(rule, "decide_codes", None)) for rule in listed]
        if any(decides) and not all(decides):
            raise RocInputError(
                f"must be all decision rules or none, got {checks.show(listed[decides.index(False)])}",
                argument=name,
            )
        if any(decides):
            return "rule", tuple(getattr(rule, "decision", rule) for rule in listed)
    if not data.is_scalar:
        rows = checks.as_array(points, name=name)
        class_weights.as_weight_rows(rows, len(data.classes), name=name)
        return "weights", rows.astype(np.float64)
    if np.ndim(points) != 1 or isinstance(points, str):
        raise RocInputError(
            "must be a number of thresholds, 'all', a list of them or a list of decision rules, "
            f"got {checks.show(points)}",
            argument=name,
        )
    return "threshold", checks.as_scores(points, name=name)


def _as_list(values: Any) -> list[Any]:
    """Several values as a list; a text, a number or an array without dimensions is a list of one."""
    is_one = isinstance(values, str) or getattr(values, "ndim", 1) == 0
    return [values] if is_one or not isinstance(values, Iterable) else list(values)


def stacked_thresholds(scores: NDArray[Any], n: int) -> NDArray[Any]:
    """At most n of the distinct scores of all folds together, evenly spaced in rank, descending.

    Examples
    --------
    >>> stacked_thresholds(np.array([0.1, 0.4, 0.4, 0.8, 0.9]), 3)
    array([0.9, 0.4, 0.1])
    """
    ascending = np.sort(scores)
    rises = ascending[1:] != ascending[:-1]
    last = int(np.count_nonzero(rises))
    # Where there are fewer distinct scores than points each is taken once.
    rows = last - np.unique(np.round(np.linspace(0, last, n)).astype(np.int64))
    if 0 < last < rises.size:  # with ties the k-th distinct score comes later than at place k
        rows = np.where(rows > 0, np.flatnonzero(rises)[rows - 1] + 1, 0)
    return np.asarray(ascending[rows] + scores.dtype.type(0))  # -0.0 becomes 0.0


def spread_weights(n: int, n_classes: int) -> NDArray[np.float64]:
    """Equal weights, then n - 1 weight vectors spread evenly over the simplex, always the same ones.

    Examples
    --------
    >>> spread_weights(3, 2).round(3).tolist()
    [[0.5, 0.5], [0.339, 0.661], [0.912, 0.088]]
    """
    # A Kronecker sequence with the roots of x^(d+1) = x + 1, which leaves no two points close together;
    # logarithms of its coordinates are as evenly spread after they are scaled to add up to 1.
    root = 2.0
    for _ in range(100):
        root = (1 + root) ** (1 / (n_classes + 1))
    steps = root ** -np.arange(1.0, n_classes + 1)
    places = (0.5 + np.arange(1, n)[:, np.newaxis] * steps) % 1
    shares = -np.log(np.clip(places, 1e-12, 1 - 1e-12))
    rows = np.concatenate([np.ones((1, n_classes)), shares])
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))


def read_equation(place: str) -> tuple[str, float] | None:
    """Read a place such as "fpr=0.2"; None where the text is no equation.

    Examples
    --------
    >>> read_equation("fpr = 0.2"), read_equation("fpr<=0.2")
    (('fpr', 0.2), None)
    """
    parts = re.fullmatch(r"\s*([^<>=]+?)\s*=\s*([^<>=\s]+)\s*", place)
    if parts is None:
        return None
    try:
        value = float(parts[2])
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise RocInputError(f"must read like 'fpr=0.2', got {checks.show(place)}", argument="place")
    return parts[1], value


def count_points(data: FoldedScores, kind: Kind, points: Any) -> NDArray[np.int64]:
    """Confusion matrix of every point in every fold, shape (points, folds, C, C).

    Where a point rejects cases the last axis has one column more, the rejected ones.
    """
    n_points, n_folds, n_classes = len(points), len(data.folds), len(data.classes)
    if (n := n_points * n_folds * n_classes**2) > MOST_COUNTS:
        raise ResourceError(
            f"every point has a confusion matrix in every fold, at most {MOST_COUNTS:,} counts, got {n:,} "
            f"for {n_points:,} points, {n_folds:,} folds and {n_classes:,} classes: take fewer of them"
        )
    if kind == "threshold":
        return data.threshold_counts(points)
    reject = None
    if kind == "rule":
        same = all(rule.classes == data.classes for rule in points)
        if (
            same
            and data.is_scalar
            and all(
                type(rule) is Threshold
                and not rule.distance
                and rule.reject is None
                and rule.value is not None
                for rule in points
            )
        ):
            return data.threshold_counts(np.array([rule.value for rule in points], dtype=object))
        if not same or data.is_scalar or any(type(rule) is not ClassWeights for rule in points):
            return _count_rules(data, points)
        thresholds = [rule.reject or 0.0 for rule in points]
        reject = thresholds if any(thresholds) else None
        points = [rule.values for rule in points]
    return class_weights.weighted_confusion(
        data.codes, data.scores, points, data.fold, n_folds, reject=reject
    )


def _count_rules(data: FoldedScores, rules: tuple[DecisionRule, ...]) -> NDArray[np.int64]:
    """Let every rule decide on the outputs of one fold after another, as Algorithm 1 says."""
    classes, n_classes = data.classes, len(data.classes)
    rows = [np.flatnonzero(data.fold == k) for k in range(len(data.folds))]
    parts = [(data.codes[at].astype(np.int64), data.scores[at]) for at in rows]
    counts = np.empty((len(rules), len(parts), n_classes, n_classes + 1), np.int64)
    for k, rule in enumerate(rules):
        names, point = tuple(rule.classes), f"points[{k}]"
        if len(names) != n_classes or set(names) != set(classes):
            raise RocInputError(f"must decide between {list(classes)}, got {list(names)}", argument=point)
        if isinstance(rule, Threshold) and not rule.distance and rule.positive != classes[-1]:
            raise RocInputError(
                f"must be a threshold on the score of class {classes[-1]!r}, got one of {rule.positive!r}",
                argument=point,
            )
        # Where the rule's classes stand among those of the data; its last place, -1, stays a rejection.
        order = np.array([*(classes.index(name) for name in names), -1])
        for f, (codes, scores) in enumerate(parts):
            decided = np.asarray(rule.decide_codes(scores))
            if decided.shape != (codes.size,) or decided.dtype.kind not in "biu":
                raise RocInputError(
                    f"must return one whole number per case ({codes.size}), "
                    f"got shape {decided.shape} of {decided.dtype}",
                    argument=f"decide_codes of {point}",
                )
            if decided.size and (decided.min() < -1 or decided.max() >= n_classes):
                raise RocInputError(
                    f"must return codes from -1 to {n_classes - 1}, "
                    f"got {int(decided.min())} to {int(decided.max())}",
                    argument=f"decide_codes of {point}",
                )
            counts[k, f] = measures.count_decisions(codes, order[decided.astype(np.int64)], n_classes)
    return counts if counts[..., -1].any() else counts[..., :-1].copy()


def read_measures(
    measures: Any, classes: tuple[Any, ...], *, prevalence: Any = None, cost: Any = None
) -> dict[str, Measure]:
    """Read names of measures and functions of confusion matrices, or a mapping of names to either."""
    if prevalence is not None:
        prevalence = check_shares(prevalence, len(classes))
    if measures is None:
        measures = ROC_MEASURES if len(classes) == 2 else [f"error({name})" for name in classes]
    if isinstance(measures, Mapping):
        named = {str(name): what for name, what in measures.items()}
    else:
        listed = _as_list(measures)
        names = [
            str(getattr(what, "__name__", type(what).__name__) if callable(what) else what) for what in listed
        ]
        checks.check_names(names, name="measures", at_least=0)
        named = dict(zip(names, listed, strict=True))
    if not named:
        raise RocInputError("must hold at least one name, got none", argument="measures")

    def measure(name: str, what: Any, confusion: NDArray[Any]) -> Floats:
        if callable(what):
            return own_measure(what, confusion, name=f"measures[{name!r}]")
        return named_measure(what, confusion, classes=classes, prevalence=prevalence, cost=cost)

    return {name: partial(measure, name, what) for name, what in named.items()}


def named_measure(
    name: Any, confusion: NDArray[Any], *, classes: tuple[Any, ...], prevalence: Any, cost: Any
) -> Floats:
    """Values of a measure by its name; "rate(a,b)" is the share of class a that is decided b.

    Examples
    --------
    >>> confusion = np.array([[3, 1], [1, 3]])
    >>> named_measure("rate(a,b)", confusion, classes=("a", "b"), prevalence=None, cost=None).item()
    0.25
    """
    if isinstance(name, str) and name.startswith("rate("):
        true, decided = rate_entry(name, classes)
        return np.asarray(measures.class_rates(confusion)[..., true, decided])
    return measures.evaluate(name, confusion, classes=classes, prevalence=prevalence, cost=cost)


def rate_entry(name: str, classes: tuple[Any, ...]) -> tuple[int, int]:
    """Find the entry of the confusion matrix that "rate(a,b)" names; class names may hold commas."""
    entries = [
        (i, j)
        for i, true in enumerate(classes)
        for j, decided in enumerate(classes)
        if name in (f"rate({true},{decided})", f"rate({true}, {decided})")
    ]
    if len(entries) != 1:
        more = ", which names more than one entry" if entries else ""
        raise RocInputError(
            f"must name two of {list(map(str, classes))}, got {name!r}{more}", argument="rate(true,decided)"
        )
    return entries[0]


def own_measure(function: Callable[[NDArray[Any]], Any], confusion: NDArray[Any], *, name: str) -> Floats:
    """Values of a user's own function of confusion matrices, NaN where it divides 0 by 0."""
    with np.errstate(all="ignore"):
        values = np.asarray(function(confusion), dtype=np.float64)
    if values.shape != confusion.shape[:-2]:
        raise RocInputError(
            f"must return one number per confusion matrix, shape {confusion.shape[:-2]}, "
            f"got shape {values.shape}",
            argument=name,
        )
    return values


def check_shares(prevalence: Any, n_classes: int) -> Any:
    """Return the share of positives, or one share per class: of three classes one share is not enough."""
    shares = measures.check_prevalence(prevalence, n_classes=n_classes)
    if n_classes > 2 and np.ndim(shares) == 0:
        raise RocInputError(
            f"must hold one share per class ({n_classes}), got {shares:g}", argument="prevalence"
        )
    return shares


def moments(values: Floats) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Mean and standard deviation over the last axis without its NaN, and how many numbers there were.

    The mean of nothing is NaN, as is the deviation of fewer than two numbers or of infinite ones. Equal
    numbers have a deviation of exactly 0.

    Examples
    --------
    >>> mean, sd, n = moments(np.array([[0.1, 0.1, 0.1], [0.0, 1.0, np.nan]]))
    >>> mean.tolist(), sd.round(4).tolist(), n.tolist()
    ([0.1, 0.5], [0.0, 0.7071], [3, 2])
    """
    known = ~np.isnan(values)
    n = np.count_nonzero(known, axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        # Centred on their first number, equal numbers are all 0; centred on a rounded mean they are not.
        first = np.take_along_axis(values, np.argmax(known, axis=-1)[..., np.newaxis], axis=-1)
        centre = np.where(np.isfinite(first), first, 0.0)
        centred = np.where(known, values - centre, 0.0)
        shift = centred.sum(axis=-1, keepdims=True) / n[..., np.newaxis]
        squares = np.where(known, (centred - shift) ** 2, 0.0).sum(axis=-1)
        sd = np.sqrt(squares / np.where(n > 1, n - 1, np.nan))
        mean = np.where(n > 0, (centre + shift)[..., 0], np.nan)
    return mean, sd, n
