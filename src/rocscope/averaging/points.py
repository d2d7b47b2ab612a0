"""The operating points of an average: the default ones, or those that were given."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.averaging.class_weights import as_weight_rows, weighted_confusion
from rocscope.averaging.folds import FoldedScores
from rocscope.core import checks
from rocscope.core.measures import check_prevalence, count_decisions, evaluate
from rocscope.core.points import ClassWeights, DecisionRule, Threshold
from rocscope.errors import ResourceError, RocInputError

Kind: TypeAlias = Literal["threshold", "weights", "rule"]
# Counts of all confusion matrices together: 3.2 GB.
MOST_COUNTS = 400_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenPoints:
    """Operating points: thresholds, rows of class weights, or decision rules."""

    kind: Kind
    values: Any

    def __len__(self) -> int:
        return len(self.values)


def read_points(points: Any, data: FoldedScores) -> GivenPoints:
    """Read how many points to take, or the points themselves."""
    if isinstance(points, numbers.Integral):
        n = checks.check_integer(points, name="points", low=1)
        if data.is_scalar:
            return GivenPoints(kind="threshold", values=stacked_thresholds(data.scores, n))
        return GivenPoints(kind="weights", values=spread_weights(n, len(data.classes)))
    rules = _rules(points)
    if rules:
        return GivenPoints(kind="rule", values=rules)
    if data.is_scalar:
        return GivenPoints(kind="threshold", values=_thresholds(points))
    return GivenPoints(kind="weights", values=_weight_rows(points, len(data.classes)))


def _rules(points: Any) -> tuple[DecisionRule, ...]:
    """Decision rules, if there are any among the points; numbers beside them are refused."""
    if isinstance(points, np.ndarray) and points.dtype != object:
        return ()
    listed = list(points) if isinstance(points, Iterable) and not isinstance(points, str) else [points]
    decides = [callable(getattr(rule, "decide_codes", None)) for rule in listed]
    if any(decides) and not all(decides):
        raise RocInputError(
            f"must be all decision rules or none, got {checks.show(listed[decides.index(False)])}",
            argument="points",
        )
    return tuple(listed) if any(decides) else ()


def _thresholds(points: Any) -> NDArray[Any]:
    if np.ndim(points) != 1 or isinstance(points, str):
        raise RocInputError(
            "must be a number of thresholds, a list of them or a list of decision rules, "
            f"got {checks.show(points)}",
            argument="points",
        )
    return checks.as_scores(points, name="points")


def _weight_rows(points: Any, n_classes: int) -> NDArray[np.float64]:
    rows = checks.as_array(points, name="points")
    try:
        as_weight_rows(rows, n_classes)
    except RocInputError as error:
        raise RocInputError(str(error).replace("weights", "points", 1)) from None
    return rows.astype(np.float64)


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
    # Fewer distinct scores than points asked for: each is taken once.
    wanted = last - np.unique(np.round(np.linspace(0, last, n)).astype(np.int64))
    if last < rises.size:  # with ties the k-th distinct score comes later than at place k
        wanted = np.where(wanted > 0, np.flatnonzero(rises)[wanted - 1] + 1, 0) if last else wanted
    return np.asarray(ascending[wanted] + scores.dtype.type(0))  # -0.0 becomes 0.0


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


def count_points(data: FoldedScores, given: GivenPoints) -> NDArray[np.int64]:
    """Confusion matrix of every point in every fold, shape (points, folds, C, C).

    Where a point rejects cases the last axis has one column more, the rejected ones.
    """
    n_points, n_folds, n_classes = len(given.values), len(data.folds), len(data.classes)
    if (n := n_points * n_folds * n_classes**2) > MOST_COUNTS:
        raise ResourceError(
            f"every point has a confusion matrix in every fold, at most {MOST_COUNTS:,} counts, got {n:,} "
            f"for {n_points:,} points, {n_folds:,} folds and {n_classes:,} classes: take fewer of them"
        )
    if given.kind == "threshold":
        return data.threshold_counts(given.values)
    if given.kind == "weights":
        return _count_weights(data, given.values, None)
    rules = given.values
    if data.is_scalar and all(_is_plain_threshold(rule, data.classes) for rule in rules):
        return data.threshold_counts(np.array([rule.value for rule in rules], dtype=object))
    if not data.is_scalar and all(_is_weights(rule, data.classes) for rule in rules):
        reject = [rule.reject or 0.0 for rule in rules]
        return _count_weights(data, [rule.values for rule in rules], reject if any(reject) else None)
    return _count_rules(data, rules)


def _is_plain_threshold(rule: Any, classes: tuple[Any, ...]) -> bool:
    plain = type(rule) is Threshold and not rule.distance and rule.reject is None
    return plain and rule.value is not None and rule.classes == classes


def _is_weights(rule: Any, classes: tuple[Any, ...]) -> bool:
    return type(rule) is ClassWeights and rule.classes == classes


def _count_weights(data: FoldedScores, rows: Any, reject: Any) -> NDArray[np.int64]:
    return weighted_confusion(data.codes, data.scores, rows, data.fold, len(data.folds), reject=reject)


def _count_rules(data: FoldedScores, rules: tuple[DecisionRule, ...]) -> NDArray[np.int64]:
    """Let every rule decide on the outputs of one fold after another, as Algorithm 1 says."""
    rows = [np.flatnonzero(data.fold == k) for k in range(len(data.folds))]
    parts = [(data.codes[at].astype(np.int64), data.scores[at]) for at in rows]
    n_classes = len(data.classes)
    counts = np.empty((len(rules), len(parts), n_classes, n_classes + 1), np.int64)
    for k, rule in enumerate(rules):
        order = _order_of(rule, data.classes, k)
        for f, (codes, scores) in enumerate(parts):
            decided = _checked(rule.decide_codes(scores), codes.size, n_classes, k)
            counts[k, f] = count_decisions(codes, order[decided], n_classes)
    return counts if counts[..., -1].any() else counts[..., :-1].copy()


def _order_of(rule: DecisionRule, classes: tuple[Any, ...], k: int) -> NDArray[np.int64]:
    """Where the rule's classes stand among those of the data; its last place, -1, stays a rejection."""
    names = tuple(rule.classes)
    if len(names) != len(classes) or set(names) != set(classes):
        raise RocInputError(f"points[{k}] must decide between {list(classes)}, got {list(names)}")
    if isinstance(rule, Threshold) and not rule.distance and rule.positive != classes[-1]:
        wanted = f"a threshold on the score of class {classes[-1]!r}"
        raise RocInputError(f"points[{k}] must be {wanted}, got one of {rule.positive!r}")
    return np.array([*(classes.index(name) for name in names), -1])


def _checked(decided: Any, size: int, n_classes: int, k: int) -> NDArray[np.int64]:
    codes = np.asarray(decided)
    if codes.shape != (size,) or codes.dtype.kind not in "biu":
        raise RocInputError(
            f"decide_codes of points[{k}] must return one whole number per case ({size}), "
            f"got shape {codes.shape} of {codes.dtype}"
        )
    if codes.size and (codes.min() < -1 or codes.max() >= n_classes):
        raise RocInputError(
            f"decide_codes of points[{k}] must return codes from -1 to {n_classes - 1}, "
            f"got {int(codes.min())} to {int(codes.max())}"
        )
    return codes.astype(np.int64)


# -----------------------------------------------------------------------------------------------------------
# The measures of an average: which are wanted, their values in every fold, and their moments over folds

Floats: TypeAlias = NDArray[np.float64]
Measure: TypeAlias = Callable[[NDArray[Any]], Floats]
ROC_MEASURES = ("tpr", "fpr")


def read_measures(
    measures: Any, classes: tuple[Any, ...], *, prevalence: Any = None, cost: Any = None
) -> dict[str, Measure]:
    """Read names of measures and functions of confusion matrices, or a mapping of names to either."""
    if prevalence is not None:
        prevalence = check_shares(prevalence, len(classes))
    if measures is None:
        measures = ROC_MEASURES if len(classes) == 2 else [f"error({name})" for name in classes]
    return {
        name: _from_function(name, what) if callable(what) else _from_name(what, classes, prevalence, cost)
        for name, what in _named(measures).items()
    }


def _named(measures: Any) -> dict[str, Any]:
    """Measures by their names; a function that was given none has its own."""
    if isinstance(measures, Mapping):
        named = {str(name): what for name, what in measures.items()}
    else:
        several = isinstance(measures, Iterable) and not isinstance(measures, str)
        listed = list(measures) if several else [measures]
        names = [_own_name(what) for what in listed]
        checks.check_names(names, name="measures", at_least=0)
        named = dict(zip(names, listed, strict=True))
    if not named:
        raise RocInputError("must hold at least one name, got none", argument="measures")
    return named


def _own_name(what: Any) -> str:
    return str(getattr(what, "__name__", type(what).__name__) if callable(what) else what)


def check_shares(prevalence: Any, n_classes: int) -> Any:
    """Return the share of positives, or one share per class: of three classes one share is not enough."""
    shares = check_prevalence(prevalence, n_classes=n_classes)
    if n_classes > 2 and np.ndim(shares) == 0:
        raise RocInputError(
            f"must hold one share per class ({n_classes}), got {shares:g}", argument="prevalence"
        )
    return shares


def _from_name(what: Any, classes: tuple[Any, ...], prevalence: Any, cost: Any) -> Measure:
    def measure(confusion: NDArray[Any]) -> Floats:
        return evaluate(what, confusion, classes=classes, prevalence=prevalence, cost=cost)

    return measure


def _from_function(name: Any, function: Callable[..., Any]) -> Measure:
    def measure(confusion: NDArray[Any]) -> Floats:
        with np.errstate(all="ignore"):  # 0/0 in a fold is no error: it is marked undefined
            found = np.asarray(function(confusion), dtype=np.float64)
        if found.shape != confusion.shape[:-2]:
            raise RocInputError(
                f"measures[{name!r}] must return one value per confusion matrix, shape "
                f"{confusion.shape[:-2]}, got shape {found.shape}"
            )
        return found

    return measure


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
