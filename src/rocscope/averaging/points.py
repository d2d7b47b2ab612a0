"""Operating points and measures of an average: how they are read, counted and averaged over the folds."""

import math
import numbers
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.averaging import class_weights, folds
from rocscope.core import checks
from rocscope.core.measures import check_prevalence, class_rates, count_decisions, evaluate
from rocscope.core.points import ClassWeights, DecisionRule, Threshold
from rocscope.errors import ResourceError, RocInputError

Floats: TypeAlias = NDArray[np.float64]
Kind: TypeAlias = Literal["threshold", "weights", "rule"]
Measure: TypeAlias = Callable[[NDArray[Any]], Floats]
ROC_MEASURES = ("tpr", "fpr")
# Counts of all confusion matrices together: 3.2 GB.
MOST_COUNTS = 400_000_000


def read_points(
    points: Any, data: folds.FoldedScores, also: Any = None, *, name: str = "points"
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
            return "rule", tuple(listed)
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


def count_points(data: folds.FoldedScores, kind: Kind, points: Any) -> NDArray[np.int64]:
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


def _count_rules(data: folds.FoldedScores, rules: tuple[DecisionRule, ...]) -> NDArray[np.int64]:
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
            counts[k, f] = count_decisions(codes, order[decided.astype(np.int64)], n_classes)
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
        return np.asarray(class_rates(confusion)[..., true, decided])
    return evaluate(name, confusion, classes=classes, prevalence=prevalence, cost=cost)


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
    shares = check_prevalence(prevalence, n_classes=n_classes)
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
