"""What makes one confusion matrix better than another: constraints, the objective, then the mean error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.averaging.points import Measure, check_shares
from rocscope.core import checks
from rocscope.core.measures import ALIASES, class_rates, cost_matrix, evaluate, mean_class_error
from rocscope.core.points import Constraint
from rocscope.errors import RocInputError, UndefinedError

Floats: TypeAlias = NDArray[np.float64]
Matrices: TypeAlias = NDArray[np.int64]
Key: TypeAlias = tuple[float, float, float]

# Measures of which more is better; of all others less.
GAINS = ("tpr", "tnr", "precision", "npv", "accuracy", "balanced_accuracy", "f1", "youden", "lr_pos")
USE_PREVALENCE = ("precision", "npv", "accuracy", "error", "f1", "cost", "reject_rate")
# A bound that is met with equality where it must not be is broken, by less than any amount.
SLIGHTLY = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True, slots=True)
class Bound:
    """A constraint with the function that measures what it bounds."""

    constraint: Constraint
    measure: Measure

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
    loss: Measure
    bounds: tuple[Bound, ...] = ()
    mean_error: Measure = mean_class_error
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
    used = {ALIASES.get(c.measure, c.measure) for c in parsed}
    if isinstance(objective, str):
        used.add(ALIASES.get(objective, objective))
    if cost is not None:
        cost = cost_matrix(cost, n_classes=n_classes)
        if "cost" not in used:
            raise RocInputError(
                "must be None unless the objective or a constraint is 'cost', got costs", argument="cost"
            )
    if prevalence is not None:
        prevalence = check_shares(prevalence, n_classes)
        if not used & set(USE_PREVALENCE):
            raise RocInputError(
                f"must be None unless a measure uses it ({', '.join(USE_PREVALENCE)}), "
                f"got {checks.show(prevalence)}",
                argument="prevalence",
            )

    def measure(name: Any) -> Measure:
        if isinstance(name, str) and name.startswith("rate("):
            true, decided = _entry(name, classes)
            return lambda confusion: np.asarray(class_rates(confusion)[..., true, decided])

        def values(confusion: Matrices) -> Floats:
            return evaluate(name, confusion, classes=classes, cost=cost, prevalence=prevalence)

        values(np.ones((1, n_classes, n_classes), np.int64))  # refuses an unknown name at once
        return values

    def own_loss(confusion: Matrices) -> Floats:
        with np.errstate(all="ignore"):  # 0/0 is no error: such weights come last
            values = np.asarray(objective(confusion), dtype=np.float64)
        if values.shape != confusion.shape[:1]:
            raise RocInputError(
                f"must return one number per confusion matrix, shape {confusion.shape[:1]}, "
                f"got shape {values.shape}",
                argument=label,
            )
        return values

    label = f"objective {objective!r}"
    loss: Measure = own_loss
    if callable(objective):
        label = f"objective {getattr(objective, '__name__', 'function')}"
    else:
        gain = measure(objective)
        is_gain = ALIASES.get(objective, objective) in GAINS
        if objective.startswith("rate("):
            true, decided = _entry(objective, classes)
            is_gain = true == decided
        loss = (lambda confusion: -gain(confusion)) if is_gain else gain
    # The usual goals depend on the C class errors alone, where a confusion matrix has C times C numbers.
    on_errors, names = None, [objective, *(c.measure for c in parsed)]
    by_error: dict[Any, Measure] = {
        "max-class-error": lambda errors: np.asarray(errors.max(axis=1)),
        "mean-class-error": lambda errors: np.asarray(errors.mean(axis=1)),
    } | {f"error({name})": partial(_column, k) for k, name in enumerate(classes)}
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


def _column(k: int, errors: Floats) -> Floats:
    return errors[:, k]


def _entry(name: str, classes: tuple[Any, ...]) -> tuple[int, int]:
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
