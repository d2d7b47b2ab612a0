"""What makes one confusion matrix better than another: constraints, the objective, then the mean error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.measures import (
    ALIASES,
    check_prevalence,
    class_rates,
    cost_matrix,
    evaluate,
    mean_class_error,
)
from rocscope.core.points import Constraint
from rocscope.errors import RocInputError, UndefinedError

Floats: TypeAlias = NDArray[np.float64]
Matrices: TypeAlias = NDArray[np.int64]
Measure: TypeAlias = Callable[[NDArray[Any]], Floats]
Key: TypeAlias = tuple[float, float, float]

# Measures of which more is better; of all others less.
GAINS = (
    "tpr",
    "tnr",
    "precision",
    "npv",
    "accuracy",
    "balanced_accuracy",
    "f1",
    "youden",
    "lr_pos",
)
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

    def reached(self, outcome: NDArray[Any]) -> str:
        """Tell the best value that any outcome has."""
        values = self.measure(outcome)
        values = values[~np.isnan(values)]
        if not values.size:
            return f"{self.constraint.measure} is nowhere defined"
        best = values.max() if self.constraint.is_floor else values.min()
        return f"{self.constraint.measure} reaches {best:.4g}"


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
        found = [self.excess(outcome), self.loss(outcome), self.mean_error(outcome)]
        return np.array([np.where(np.isnan(values), np.inf, values) for values in found])

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
        """Refuse to answer where no outcome meets the constraints."""
        if not (self.excess(outcome) > 0).all():
            return
        told = ", ".join(bound.reached(outcome) for bound in self.bounds)
        asked = (bound.constraint for bound in self.bounds)
        wanted = " and ".join(f"{c.measure}{c.relation}{c.bound:g}" for c in asked)
        raise UndefinedError(f"no class weights were found with {wanted}; alone, {told}")

    def check_defined(self, confusion: Matrices) -> None:
        """Refuse to answer where the objective is undefined throughout."""
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
    parsed = [Constraint.parse(text) for text in _texts(constraints)]
    names = [c.measure for c in parsed] + ([objective] if isinstance(objective, str) else [])
    options = _options(names, len(classes), cost, prevalence)
    measure: Callable[[Any], Measure] = partial(_named, classes=tuple(classes), **options)
    if callable(objective):
        name = f"objective {getattr(objective, '__name__', 'function')}"
        loss: Measure = partial(_checked_values, objective, name)
    else:
        name, loss = f"objective {objective!r}", _loss_of(objective, tuple(classes), measure)
    return Goal(
        name=name,
        classes=tuple(classes),
        loss=loss,
        bounds=tuple(Bound(c, measure(c.measure)) for c in parsed),
        on_errors=_goal_on_errors(objective, tuple(classes), parsed),
    )


def _texts(constraints: Any) -> list[Any]:
    if isinstance(constraints, str):
        return [constraints]
    try:
        return list(constraints)
    except TypeError:
        wanted = "a list of texts such as 'error(a)<=0.1'"
        raise RocInputError(
            f"must be {wanted}, got {checks.show(constraints)}", argument="constraints"
        ) from None


def _goal_on_errors(objective: Any, classes: tuple[Any, ...], parsed: list[Constraint]) -> Goal | None:
    """Return the same goal as a function of the class errors, where they say all that it asks for.

    They are C numbers where a confusion matrix has C times C, and the usual goals need no more.
    """
    by_name: dict[Any, Measure] = {f"error({name})": partial(_column, k) for k, name in enumerate(classes)}
    by_name |= {"max-class-error": _row_max, "mean-class-error": _row_mean}
    names = [objective, *(c.measure for c in parsed)]
    if not all(isinstance(name, str) and name in by_name for name in names):
        return None
    return Goal(
        name=str(objective),
        classes=classes,
        loss=by_name[objective],
        bounds=tuple(Bound(c, by_name[c.measure]) for c in parsed),
        mean_error=_row_mean,
    )


def _column(k: int, errors: Floats) -> Floats:
    return errors[:, k]


def _row_max(errors: Floats) -> Floats:
    return np.asarray(errors.max(axis=1))


def _row_mean(errors: Floats) -> Floats:
    return np.asarray(errors.mean(axis=1))


def _options(names: list[str], n_classes: int, cost: Any, prevalence: Any) -> dict[str, Any]:
    """Check cost and prevalence, and refuse what nothing would use."""
    used = {ALIASES.get(name, name) for name in names}
    if cost is not None:
        cost = cost_matrix(cost, n_classes=n_classes)
        if "cost" not in used:
            raise RocInputError(
                "must be None unless the objective or a constraint is 'cost', got costs", argument="cost"
            )
    if prevalence is not None:
        prevalence = check_prevalence(prevalence, n_classes=n_classes)
        if n_classes > 2 and np.ndim(prevalence) == 0:
            raise RocInputError(
                f"must hold one share per class ({n_classes}), got {checks.show(prevalence)}",
                argument="prevalence",
            )
        if not used & set(USE_PREVALENCE):
            raise RocInputError(
                f"must be None unless a measure uses it ({', '.join(USE_PREVALENCE)}), "
                f"got {checks.show(prevalence)}",
                argument="prevalence",
            )
    return {"cost": cost, "prevalence": prevalence}


def _named(name: Any, *, classes: tuple[Any, ...], cost: Any, prevalence: Any) -> Measure:
    """Return the function of a named measure; an unknown name is refused at once."""
    if isinstance(name, str) and name.startswith("rate("):
        return partial(_rate, *_entry(name, classes))
    measure = partial(_evaluate, name=name, classes=classes, cost=cost, prevalence=prevalence)
    measure(np.ones((1, len(classes), len(classes)), np.int64))
    return measure


def _evaluate(confusion: Matrices, *, name: str, **options: Any) -> Floats:
    return evaluate(name, confusion, **options)


def _entry(name: str, classes: tuple[Any, ...]) -> tuple[int, int]:
    """Find the entry of the confusion matrix that "rate(a,b)" names; class names may hold commas."""
    pairs = [(i, j) for i in range(len(classes)) for j in range(len(classes))]
    found = [
        (i, j)
        for i, j in pairs
        if name in (f"rate({classes[i]},{classes[j]})", f"rate({classes[i]}, {classes[j]})")
    ]
    if len(found) != 1:
        names = list(map(str, classes))
        more = "" if not found else ", which names more than one entry"
        raise RocInputError(f"rate(true,decided) must name two of {names}, got {name!r}{more}")
    return found[0]


def _rate(true: int, decided: int, confusion: Matrices) -> Floats:
    return np.asarray(class_rates(confusion)[..., true, decided])


def _loss_of(objective: Any, classes: tuple[Any, ...], measure: Callable[[Any], Measure]) -> Measure:
    """Turn a measure into what is to be made small."""
    values = measure(objective)
    is_gain = ALIASES.get(objective, objective) in GAINS
    if objective.startswith("rate("):
        true, decided = _entry(objective, classes)
        is_gain = true == decided
    return (lambda confusion: -values(confusion)) if is_gain else values


def _checked_values(objective: Callable[[Matrices], Any], name: str, confusion: Matrices) -> Floats:
    with np.errstate(all="ignore"):  # 0/0 is no error: such weights come last
        values = np.asarray(objective(confusion), dtype=np.float64)
    if values.shape != confusion.shape[:1]:
        raise RocInputError(
            f"must return one number per confusion matrix, shape {confusion.shape[:1]}, "
            f"got shape {values.shape}",
            argument=name,
        )
    return values
