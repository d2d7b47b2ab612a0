"""Search for good class weights, as in [1]_, section 4.3.

References
----------
.. [1] Paclik, Lai, Novovicova, Duin: Variance estimation for two-class and multi-class ROC analysis using
   operating point averaging, ICPR 2008.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.averaging import class_weights, points
from rocscope.core import checks, measures, resampling
from rocscope.core.points import Constraint
from rocscope.core.scores import ClassScores
from rocscope.errors import RocInputError, UndefinedError

Floats = NDArray[np.float64]
# Standard deviation of the first step in each log weight; every further step is half as large.
FIRST_STEP = 0.5
SWEEP_CYCLES = 100
SEARCHED = "the class weights were searched on these same cases: their errors are optimistic"


@dataclass(frozen=True, slots=True)
class Pool:
    """Weight vectors with the confusion matrices they give."""

    weights: Floats
    confusion: NDArray[np.int64]

    @classmethod
    def of(cls, data: ClassScores, weights: Floats) -> Pool:
        """Count the decisions of every weight vector."""
        return cls(weights, class_weights.weighted_confusion(data.codes, data.scores, weights)[:, 0])

    def joined(self, other: Pool) -> Pool:
        """Both pools, this one first."""
        return Pool(
            np.concatenate([self.weights, other.weights]),
            np.concatenate([self.confusion, other.confusion]),
        )

    def best(self, goal: Goal, keep: int) -> Pool:
        """Return the best, best first; equal matrices are taken twice only where there are too few."""
        order = np.lexsort(goal.keys(self.confusion)[::-1])
        _, first = np.unique(self.confusion[order].reshape(len(order), -1), axis=0, return_index=True)
        repeated = np.ones(len(order), dtype=bool)
        repeated[first] = False
        rows = order[np.sort(np.argsort(repeated, kind="stable")[:keep])]
        return Pool(self.weights[rows], self.confusion[rows])


@checks.known_arguments
def search_weights(
    y_true: Any,
    y_score: Any = None,
    *,
    classes: Any = None,
    n_start: int = 1000,
    steps: int = 5,
    keep: int = 100,
    objective: Any = "max-class-error",
    constraints: Any = (),
    cost: Any = None,
    prevalence: Any = None,
    rng: resampling.Rng = None,
    refine: bool = False,
) -> Floats:
    """Search for class weights with a small objective, for decisions arg max w_c y_c ([1]_ section 4.3).

    Random weight vectors are tried and the best are kept. Then, step by step, the kept ones are moved at
    random by ever smaller amounts, and the best of old and new are kept.

    Parameters
    ----------
    y_true
        Label of each case; or all of the data, as a `ClassScores` or the result of `cross_scores`.
    y_score
        Outputs of at least 0, one column per class. Rows need not sum to one: densities are legal.
    classes
        The class of each column, in order. It may be left out where the labels are the numbers of the
        columns, 0 to C - 1, each at least once: the order of other labels is not guessed.
    n_start
        Weight vectors to begin with, and new ones per step: equal weights, and others drawn evenly from
        all with sum 1.
    steps
        How often the kept weights are moved. In the first step each log weight moves by a normal random
        number of standard deviation 0.5, in each later one by half as much as in the one before.
    keep
        How many weight vectors to keep at each step and to return.
    objective
        What to make small: "max-class-error", as in [1]_; the name of any other measure (of accuracies and
        other gains more is better); "error(a)", the error in class a; "rate(a,b)", the share of class a that
        is decided b; or a function that takes confusion matrices, shape (n, C, C), true by decided class,
        and returns n numbers.
    constraints
        Texts such as "error(a)<=0.1" or "rate(a,b)<=0.05". Weights that meet all of them are preferred to
        all others.
    cost, prevalence
        Costs (a matrix, true by decided class) for the measure "cost", and shares of the classes where the
        classifier will be used for the measures that depend on them.
    rng
        Source of chance.
    refine
        Whether to improve the kept weights by exact coordinate sweeps, see `sweep_weights`: slower, better,
        and of use with ten classes and more, where chance finds little.

    Returns
    -------
    array, shape (keep, C)
        Class weights with sum 1, best first; equal objectives are ordered by the mean of the class errors.
        Rows with the same confusion matrix come only where fewer than `keep` different ones were found.
        With constraints the first row meets them all; those that do not come last.

    Notes
    -----
    The objective of the best weights on the cases that chose them is too good; take fresh cases, or
    cross-validate the search as well.

    References
    ----------
    .. [1] Paclik, Lai, Novovicova, Duin: Variance estimation for two-class and multi-class ROC analysis
       using operating point averaging, ICPR 2008.

    Examples
    --------
    >>> y = ["a", "a", "b", "b", "c", "c"]
    >>> p = [[5, 4, 1], [4, 5, 1], [1, 8, 1], [2, 7, 1], [2, 4, 4], [1, 5, 4]]
    >>> weights = search_weights(y, p, classes=["a", "b", "c"], keep=10, rng=1)
    >>> weights.shape
    (10, 3)
    >>> from rocscope.core.points import ClassWeights
    >>> ClassWeights(weights[0], classes=["a", "b", "c"]).decide(p).tolist()
    ['a', 'a', 'b', 'b', 'c', 'c']
    """
    checks.check_integer(n_start, name="n_start", low=1)
    checks.check_integer(steps, name="steps", low=0)
    checks.check_integer(keep, name="keep", low=1)
    if keep > n_start:
        raise RocInputError(f"must be at most n_start ({n_start}), got {keep}", argument="keep")
    data = ClassScores.from_arrays(y_true, y_score, classes=classes)
    goal = read_goal(
        objective, classes=data.classes, constraints=constraints, cost=cost, prevalence=prevalence
    )
    generator, n_classes = resampling.as_generator(rng), len(data.classes)
    # Equal weights, and others evenly distributed over all with sum 1.
    start = generator.dirichlet(np.ones(n_classes), n_start)
    start[0] = 1 / n_classes
    pool = Pool.of(data, start)
    goal.check_defined(pool.confusion)
    pool = pool.best(goal, keep)
    for step in range(steps):
        near = pool.weights[np.arange(n_start) % len(pool.weights)]  # each is used equally often
        moved = near * np.exp(FIRST_STEP / 2**step * generator.standard_normal(near.shape))
        moved /= moved.sum(axis=1, keepdims=True)
        pool = pool.joined(Pool.of(data, moved)).best(goal, keep)
    if refine:
        swept = sweep_rows(data, pool.weights, goal, max_cycles=SWEEP_CYCLES)
        pool = pool.joined(Pool.of(data, swept)).best(goal, keep)
    goal.check_reached(pool.confusion)
    return pool.weights


# ---- Exact coordinate sweeps over class weights -----------------------------------------------------------
# Let all weights stand but that of class c. Case i is decided as class c as soon as
#     log w_c > t_i = log max_{j != c} (w_j y_ij) - log y_ic,
# so one sort of the t_i gives the confusion matrix of every weight that class c can have. The best of them is
# taken, then the next class is swept, until no class can be improved. There is no step size, and a sweep
# costs C N log N operations whatever the number of weights that could be tried; no objective needs a
# derivative.

Codes = NDArray[np.int64]

# Confusion-matrix entries held at a time: they stay in a cache.
CHUNK_CELLS = 2**17
# Logarithms of weights and scores reach 750 and are rounded there by 1e-13: what lies closer together is one
# break-point that was rounded in different ways, and no weight between is sure to decide as predicted.
NARROWEST = 1e-11
# How far beyond the last break-point a log weight is put where nothing bounds it.
BEYOND = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CoordinatePath:
    """The confusion matrices of all weights of one class, the other weights held.

    Attributes
    ----------
    swept
        The class whose weight varies.
    breaks
        Distinct log weights at which cases go over to it, ascending: G of them make G + 1 intervals.
    first
        Confusion matrix of the lowest interval.
    true, rival
        Class of each case that goes over, and the class decided before, in the order of going.
    ends
        How many cases have gone over at each break-point and before.
    """

    swept: int
    breaks: Floats
    first: Codes
    true: Codes
    rival: Codes
    ends: Codes

    def widths(self) -> Floats:
        """Length of each interval; the outer two are infinite."""
        return np.diff(self.breaks, prepend=-np.inf, append=np.inf)

    def inside(self, interval: int) -> float:
        """Return the middle of an interval, or a log weight beyond the last break-point."""
        if not self.breaks.size:
            return 0.0
        if interval == 0:
            return float(self.breaks[0]) - BEYOND
        if interval == len(self.breaks):
            return float(self.breaks[-1]) + BEYOND
        return float(self.breaks[interval - 1] + self.breaks[interval]) / 2

    def class_errors(self) -> Floats:
        """Share of wrong decisions in each class, shape (G + 1, C)."""
        sizes = self.first.sum(axis=1)
        wrong = np.tile((sizes - self.first.diagonal())[:, np.newaxis], len(self.breaks) + 1)
        for k, row in enumerate(wrong):
            turned = self.true == k if k == self.swept else (self.true == k) & (self.rival == k)
            row[1:] += (-1 if k == self.swept else 1) * np.cumsum(turned)[self.ends - 1]
        return measures.ratio(wrong, sizes[:, np.newaxis]).T

    def confusions(self) -> Iterator[NDArray[Any]]:
        """Yield the matrices of all intervals in order, as many at a time as memory should hold."""
        step = max(1, CHUNK_CELLS // self.first.size)
        matrix = self.first
        yield matrix[np.newaxis]
        for start in range(0, len(self.breaks), step):
            matrices = self._changes(start, start + step)
            # Intervals are the last axis in memory, so that sums over classes run along it.
            matrices[..., 0] += matrix
            np.cumsum(matrices, axis=-1, out=matrices)
            matrix = matrices[..., -1].copy()
            yield np.moveaxis(matrices, -1, 0)

    def _changes(self, start: int, stop: int) -> Codes:
        """How each entry changes at these break-points, shape (C, C, break-points)."""
        ends = self.ends[start:stop]
        before = int(self.ends[start - 1]) if start else 0
        group = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=before))
        cases = slice(before, int(ends[-1]))
        row, size = self.true[cases] * len(self.first), self.first.size * len(ends)
        change = np.bincount((row + self.swept) * len(ends) + group, minlength=size)
        change -= np.bincount((row + self.rival[cases]) * len(ends) + group, minlength=size)
        return change.reshape(*self.first.shape, -1)


def coordinate_path(codes: Codes, scores: Floats, weights: Floats, swept: int) -> CoordinatePath:
    """Return the path of one class, from weights whose largest is 1.

    Examples
    --------
    >>> codes, scores = np.array([0, 1, 1]), np.array([[0.8, 0.2], [0.4, 0.6], [0.2, 0.8]])
    >>> path = coordinate_path(codes, scores, np.ones(2), swept=1)
    >>> np.exp(path.breaks).round(4).tolist()
    [0.25, 0.6667, 4.0]
    """
    n_classes = scores.shape[1]
    weighted = scores * weights
    weighted[:, swept] = -1.0
    rival = weighted.argmax(axis=1)
    # Log weight from which each case is decided as the swept class: -inf for always, inf for never.
    highest, own = weighted.max(axis=1), scores[:, swept]
    with np.errstate(divide="ignore", invalid="ignore"):
        turns = np.log(highest) - np.log(own)
    # Where all products are 0, arg max takes the first class, whatever the weights.
    turns[(highest == 0) & (own == 0)] = -np.inf if swept == 0 else np.inf
    at_first = np.where(turns == -np.inf, swept, rival)
    first = np.bincount(codes * n_classes + at_first, minlength=n_classes**2)
    rows = np.flatnonzero(np.isfinite(turns))
    rows = rows[np.argsort(turns[rows])]
    breaks = turns[rows]
    ends = np.flatnonzero(np.diff(breaks, append=np.inf)) + 1
    return CoordinatePath(
        swept=swept,
        breaks=breaks[ends - 1],
        first=first.reshape(n_classes, n_classes),
        true=codes[rows],
        rival=rival[rows],
        ends=ends,
    )


def best_of_path(path: CoordinatePath, goal: Goal) -> tuple[float, Key]:
    """Return the log weight inside the best interval, and how good it is."""
    widths = path.widths()
    judge, outcomes = goal, path.confusions()
    if goal.on_errors is not None:
        judge, outcomes = goal.on_errors, iter([path.class_errors()])
    candidates: list[tuple[Key, float, int]] = []
    start = 0
    for outcome in outcomes:
        usable = np.flatnonzero(widths[start : start + len(outcome)] > NARROWEST)
        if usable.size:
            some = outcome if usable.size == len(outcome) else outcome[usable]
            row, key = judge.best(some, widths[start + usable])
            interval = start + int(usable[row])
            candidates.append((key, -float(widths[interval]), interval))
        start += len(outcome)
    key, _, interval = min(candidates)
    return path.inside(interval), key


def sweep_rows(data: ClassScores, rows: Floats, goal: Goal, *, max_cycles: int) -> Floats:
    """Sweep every row of weights, one after another; rows come back with sum 1."""
    swept = rows.copy()
    for k, row in enumerate(rows):
        key, unchanged = _key_of(data, row, goal), 0
        for turn in range(max_cycles * row.size):
            scaled, c = row / row.max(), turn % row.size
            log_weight, predicted = best_of_path(coordinate_path(data.codes, data.scores, scaled, c), goal)
            with np.errstate(divide="ignore"):
                logs = np.log(scaled)
            logs[c] = log_weight
            better = np.exp(logs - logs.max())
            better /= better.sum()
            # Judged by the decisions of the new weights as they are stored, so that rounding can do no harm.
            if predicted < key and (actual := _key_of(data, better, goal)) < key:
                row, key, unchanged = better, actual, 0
            else:
                unchanged += 1
            if unchanged == row.size:
                break
        scaled = row / row.sum()
        # A division can break a tie between two products.
        swept[k] = scaled if _key_of(data, scaled, goal) <= key else row
    return swept


def _key_of(data: ClassScores, row: Floats, goal: Goal) -> Key:
    confusion = class_weights.weighted_confusion(data.codes, data.scores, row[np.newaxis])[:, 0]
    excess, loss, error = goal.keys(confusion)[:, 0].tolist()
    return excess, loss, error


@checks.known_arguments
def sweep_weights(
    y_true: Any,
    y_score: Any = None,
    weights: Any = None,
    *,
    classes: Any = None,
    objective: Any = "max-class-error",
    constraints: Any = (),
    cost: Any = None,
    prevalence: Any = None,
    max_cycles: int = 100,
) -> Floats:
    """Improve class weights by exact coordinate sweeps: each class in turn gets its best weight.

    Parameters
    ----------
    y_true, y_score, classes
        Labels, outputs of at least 0 with one column per class, and the class of each column, as in
        `search_weights`.
    weights
        Where to begin: one row per start and one weight per class; equal weights if None.
    objective, constraints, cost, prevalence
        As in `search_weights`.
    max_cycles
        How often to go through all classes at most. It ends earlier as soon as no class can be improved.

    Returns
    -------
    array, shape (starts, C)
        The improved weights in the order of the starts, each row with sum 1. By the objective on these
        cases no row is worse than it began; where nothing could be improved it is the same.

    Notes
    -----
    A sweep finds the best weight of one class among all there are, but not always the best weights: where
    only a change of two weights together helps, it stays. Start from several points.

    Examples
    --------
    >>> y = ["a", "a", "b", "b", "c", "c"]
    >>> p = [[5, 4, 1], [4, 5, 1], [1, 8, 1], [2, 7, 1], [2, 4, 4], [1, 5, 4]]
    >>> from rocscope.core.points import ClassWeights
    >>> weights = sweep_weights(y, p, classes=["a", "b", "c"])
    >>> ClassWeights(weights[0], classes=["a", "b", "c"]).decide(p).tolist()
    ['a', 'a', 'b', 'b', 'c', 'c']
    """
    data = ClassScores.from_arrays(y_true, y_score, classes=classes)
    goal = read_goal(
        objective, classes=data.classes, constraints=constraints, cost=cost, prevalence=prevalence
    )
    rows = (
        np.ones((1, len(data.classes)))
        if weights is None
        else class_weights.as_weight_rows(weights, len(data.classes))
    )
    cycles = checks.check_integer(max_cycles, name="max_cycles", low=1)
    goal.check_defined(class_weights.weighted_confusion(data.codes, data.scores, rows)[:, 0])
    return sweep_rows(data, rows, goal, max_cycles=cycles)


# ---- The front: weights for every trade-off between the classes ------------------------------------------

# Each class has a point for every twentieth of its error, and so many weights are spread over all others.
PATH_LEVELS = 21
SPREAD = 1000


@checks.known_arguments
def front_weights(
    y_true: Any, y_score: Any = None, weights: Any = None, *, classes: Any = None, n: int = 200
) -> Floats:
    """Return class weights for every trade-off: none has larger errors in all classes than another.

    Where a search looks for one objective, these cover the space, so that bounds on errors that are set later
    can be met: along the weight of each class there are points for an error of at most 0, 0.05, ... 1 of it.

    Parameters
    ----------
    y_true, y_score, classes
        As in `search_weights`.
    weights
        The weights from which the weight of each class is raised and lowered, such as the best of
        `search_weights`; equal weights if None.
    n
        How many to return at most.

    Returns
    -------
    array, shape (at most n, C)
        Class weights with sum 1: those given, those along the weight of one class, then others spread over
        all directions. Of weights with the same errors there is one.

    Examples
    --------
    >>> y, p = ["a", "b", "b"], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]]
    >>> front = front_weights(y, p, classes=["a", "b"])
    >>> from rocscope.core.points import ClassWeights
    >>> [ClassWeights(row, classes=["a", "b"]).decide(p).tolist() for row in front]
    [['a', 'a', 'b'], ['b', 'b', 'b']]
    """
    data = ClassScores.from_arrays(y_true, y_score, classes=classes)
    n, n_classes = checks.check_integer(n, name="n", low=1), len(data.classes)
    row = checks.as_vector([1.0] * n_classes if weights is None else weights, name="weights")
    base = class_weights.as_weight_rows(row[np.newaxis], n_classes)[0]
    rows, levels = [base], np.linspace(0, 1, PATH_LEVELS)
    for c in range(n_classes):
        path = coordinate_path(data.codes, data.scores, base, c)
        usable = np.flatnonzero(path.widths() > NARROWEST)
        errors = path.class_errors()[usable, c]
        with np.errstate(divide="ignore"):
            logs = np.log(base)
        for interval in sorted(
            {int(usable[k]) for k in np.searchsorted(-errors, -levels) if k < len(usable)}
        ):
            logs[c] = path.inside(interval)
            rows.append(np.exp(logs - logs.max()))
    pool = Pool.of(data, np.concatenate([rows, points.spread_weights(SPREAD, n_classes)]))
    errors = measures.class_errors(pool.confusion)
    errors = errors[:, ~np.isnan(errors).any(axis=0)]  # a class without cases has none
    front = []
    for k, one in enumerate(
        errors
    ):  # beaten by one that is nowhere worse and somewhere better, or equal and earlier
        below = np.asarray((errors <= one).all(axis=1))
        equal = np.asarray((errors[below] == one).all(axis=1))
        if equal.all() and not equal[: np.count_nonzero(below[:k])].any():
            front.append(k)
    kept = pool.weights[front[:n]]
    return np.asarray(kept / kept.sum(axis=1, keepdims=True))


# ---- What makes one confusion matrix better: constraints, the objective, then the mean class error ---------

Matrices: TypeAlias = NDArray[np.int64]
Key: TypeAlias = tuple[float, float, float]

# Measures of which more is better; of all others less.
GAINS = (
    "tpr", "tnr", "precision", "npv", "accuracy", "balanced_accuracy", "f1", "youden", "lr_pos",
    "kappa", "mcc", "odds_ratio", "lift",
)  # fmt: skip
USE_PREVALENCE = (
    "precision", "npv", "accuracy", "error", "f1", "kappa", "mcc", "lift", "detection_prevalence", "cost",
    "reject_rate",
)  # fmt: skip
# A bound that is met with equality where it must not be is broken, by less than any amount.
SLIGHTLY = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True, slots=True)
class Bound:
    """A constraint with the function that measures what it bounds."""

    constraint: Constraint
    measure: points.Measure

    def excess(self, outcome: NDArray[Any]) -> Floats:
        """By how much each outcome breaks the bound: 0 where it is met, infinite where undefined."""
        values = self.measure(outcome)
        side = -1 if self.constraint.is_floor else 1
        with np.errstate(invalid="ignore"):  # inf - inf, which holds or is undefined
            gap = np.maximum(side * (values - self.constraint.bound), SLIGHTLY)
        return np.where(self.constraint.holds(values), 0.0, np.where(np.isnan(gap), np.inf, gap))


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """An order of outcomes: confusion matrices (n, C, C), or for `on_errors` class errors (n, C).

    Outcomes that meet all constraints come first, the others by how much they break them; then the least
    loss; equal losses are ordered by the mean of the class errors.
    """

    name: str
    classes: tuple[Any, ...]
    loss: points.Measure
    bounds: tuple[Bound, ...] = ()
    mean_error: points.Measure = measures.mean_class_error
    on_errors: Goal | None = None

    def excess(self, outcome: NDArray[Any]) -> Floats:
        """By how much each outcome breaks the constraints."""
        total = np.zeros(len(outcome))
        for bound in self.bounds:
            total += bound.excess(outcome)
        return total

    def keys(self, outcome: NDArray[Any]) -> Floats:
        """Excess, loss and mean class error of each outcome, shape (3, n); less is better, row by row."""
        criteria = [self.excess(outcome), self.loss(outcome), self.mean_error(outcome)]
        return np.array([np.where(np.isnan(values), np.inf, values) for values in criteria])

    def best(self, outcome: NDArray[Any], width: Floats) -> tuple[int, Key]:
        """Return the index and the key of the best outcome; of equal ones that of the largest width.

        Examples
        --------
        >>> goal = read_goal("error", classes=("a", "b"))
        >>> goal.best(np.array([[[3, 1], [1, 3]], [[4, 0], [1, 3]]]), np.ones(2))
        (1, (0.0, 0.125, 0.125))
        """
        rows = np.arange(len(outcome))
        key = []
        # Each criterion is worked out only for what the one before left over: mostly a few of very many.
        for criterion in (self.excess, self.loss, self.mean_error):
            values = criterion(outcome)
            values = np.where(np.isnan(values), np.inf, values)
            least = float(values.min())
            key.append(least)
            if (values > least).any():
                outcome, rows = outcome[values == least], rows[values == least]
        row = rows[np.argmax(width[rows])]
        return int(row), (key[0], key[1], key[2])

    def check_reached(self, outcome: NDArray[Any]) -> None:
        """Raise UndefinedError where no outcome meets the constraints."""
        if not (self.excess(outcome) > 0).all():
            return
        limits, reached = list[str](), list[str]()
        for bound in self.bounds:
            name, values = bound.constraint.measure, bound.measure(outcome)
            values = values[~np.isnan(values)]
            best = (values.max() if bound.constraint.is_floor else values.min()) if values.size else None
            reached.append(f"{name} is nowhere defined" if best is None else f"{name} reaches {best:.4g}")
            limits.append(f"{name}{bound.constraint.relation}{bound.constraint.bound:g}")
        raise UndefinedError(
            f"no class weights were found with {' and '.join(limits)}; alone, {', '.join(reached)}"
        )

    def check_defined(self, confusion: Matrices) -> None:
        """Raise UndefinedError where the objective is undefined throughout."""
        if not np.isnan(self.loss(confusion)).all():
            return
        empty = [self.classes[k] for k in np.flatnonzero(confusion[0].sum(axis=-1) == 0)]
        why = f": there are no cases of {checks.show(empty)}" if empty else ""
        raise UndefinedError(f"{self.name} is undefined for all weights{why}")


def read_goal(
    objective: Any,
    *,
    classes: Sequence[Any],
    constraints: Any = (),
    cost: Any = None,
    prevalence: Any = None,
) -> Goal:
    """Read an objective and constraints.

    Parameters
    ----------
    objective
        Name of a measure, "error(a)" or "rate(a,b)" (cases of class a that are decided b); or a function
        that takes confusion matrices of shape (n, C, C) and returns n numbers to be made small.
    classes
        Names of the classes.
    constraints
        Texts such as "error(a)<=0.1" or "rate(a,b)<=0.05".
    cost, prevalence
        For the measures that use them, as in `core.measures.evaluate`.

    Examples
    --------
    >>> goal = read_goal("accuracy", classes=["a", "b"], constraints=["rate(a,b) <= 0.3"])
    >>> goal.keys(np.array([[[3, 1], [1, 3]]])).round(4).tolist()
    [[0.0], [-0.75], [0.25]]
    """
    classes, n_classes = tuple(classes), len(classes)
    try:
        texts = [constraints] if isinstance(constraints, str) else list(constraints)
    except TypeError:
        raise RocInputError(
            f"must be a list of texts such as 'error(a)<=0.1', got {checks.show(constraints)}",
            argument="constraints",
        ) from None
    parsed = [Constraint.parse(text) for text in texts]
    used = {measures.ALIASES.get(c.measure, c.measure) for c in parsed}
    if isinstance(objective, str):
        used.add(measures.ALIASES.get(objective, objective))
    if cost is not None:
        cost = measures.cost_matrix(cost, n_classes=n_classes)
        if "cost" not in used:
            raise RocInputError(
                "must be left out unless the objective or a constraint is 'cost', got costs", argument="cost"
            )
    if prevalence is not None:
        prevalence = points.check_shares(prevalence, n_classes)
        if not used & set(USE_PREVALENCE):
            raise RocInputError(
                f"must be left out unless a measure uses it ({', '.join(USE_PREVALENCE)}), "
                f"got {checks.show(prevalence)}",
                argument="prevalence",
            )

    def measure(name: Any) -> points.Measure:
        values = partial(points.named_measure, name, classes=classes, cost=cost, prevalence=prevalence)
        values(np.ones((1, n_classes, n_classes), np.int64))  # refuses an unknown name at once
        return values

    label = f"objective {objective!r}"
    if callable(objective):
        label = f"objective {getattr(objective, '__name__', 'function')}"
        loss: points.Measure = partial(points.own_measure, objective, name=label)
    else:
        gain = measure(objective)
        is_gain = measures.ALIASES.get(objective, objective) in GAINS
        if objective.startswith("rate("):
            true, decided = points.rate_entry(objective, classes)
            is_gain = true == decided
        loss = (lambda confusion: -gain(confusion)) if is_gain else gain
    # The usual goals depend on the C class errors alone, where a confusion matrix has C times C numbers.
    on_errors, names = None, [objective, *(c.measure for c in parsed)]
    by_error: dict[Any, points.Measure] = {
        "max-class-error": lambda errors: np.asarray(errors.max(axis=1)),
        "mean-class-error": lambda errors: np.asarray(errors.mean(axis=1)),
    } | {f"error({name})": (lambda errors, k=k: errors[:, k]) for k, name in enumerate(classes)}
    if all(isinstance(name, str) and name in by_error for name in names):
        on_errors = Goal(
            name=str(objective),
            classes=classes,
            loss=by_error[objective],
            bounds=tuple(Bound(c, by_error[c.measure]) for c in parsed),
            mean_error=by_error["mean-class-error"],
        )
    return Goal(
        name=label,
        classes=classes,
        loss=loss,
        bounds=tuple(Bound(c, measure(c.measure)) for c in parsed),
        on_errors=on_errors,
    )
