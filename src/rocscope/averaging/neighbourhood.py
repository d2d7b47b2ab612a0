"""Many classes at one operating point: what is decided there, and what moves with the weight of each class.

With ten classes a point has a hundred rates, and the space of class weights nine dimensions. It is read in
parts, as [1]_ decomposes it by perturbing the confusion matrix: the rates of one point with their standard
errors, their differences from those of another point, the errors of all classes along the weight of one
(one-class view), and how much each class loses to each other one (pairwise view). Classes that lose nothing
to one another can be tuned apart.

References
----------
.. [1] T. C. W. Landgrebe, R. P. W. Duin: Efficient multiclass ROC approximation by decomposition via
   confusion matrix perturbation analysis, IEEE TPAMI 30, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocscope.averaging import class_weights
from rocscope.averaging.points import moments, read_folds
from rocscope.core import checks, formatting, measures, significance
from rocscope.core.result import Result
from rocscope.core.scores import ClassScores
from rocscope.errors import RocInputError

if TYPE_CHECKING:
    from rocscope.averaging.roc import AveragedRoc

Floats = NDArray[np.float64]
REJECTED = "rejected"
ALL_CASES = "all cases"  # the one fold of scores without folds


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ConfusionRates(Result):
    """The share of every true class that is decided as each class, or how two points differ in it.

    Attributes
    ----------
    classes, decisions
        Names of the true classes and of the decisions; the last of these is "rejected" where a point rejects.
    name
        What the rates are those of.
    value, se
        Mean over folds of each rate, [true class, decision], or of its difference; and its standard error.
    low, high
        Its t interval over the folds.
    defined
        Where `se` is a number: at least two folds have cases of the class.
    is_difference
        Whether the rates of another point are subtracted.
    cases
        Cases of each true class.
    folds, level
        Number of folds, and the confidence level.
    """

    view: ClassVar[str] = "average.rates_picture"

    classes: tuple[Any, ...]
    decisions: tuple[Any, ...]
    name: str
    value: Floats
    se: Floats
    low: Floats
    high: Floats
    defined: NDArray[np.bool_]
    is_difference: bool
    cases: NDArray[np.int64]
    folds: int
    level: float

    def columns(self) -> dict[str, Any]:
        """One row per true class and decision."""
        width = len(self.decisions)
        return {
            "true": [name for name in self.classes for _ in range(width)],
            "decided": list(self.decisions) * len(self.classes),
            "value": self.value.ravel(),
            "se": self.se.ravel(),
            "low": self.low.ravel(),
            "high": self.high.ravel(),
        }

    def _summary(self) -> str:
        what = "Differences of decision rates" if self.is_difference else "Decision rates"
        lines = [f"{what}, {self.name}: mean (standard error) over {formatting.counted(self.folds, 'fold')}"]
        # The largest ones: of ten classes the hundred rates are mostly 0.
        off = self.value.copy()
        if not self.is_difference:
            off[np.arange(len(self.classes)), np.arange(len(self.classes))] = np.nan
        order = np.argsort(-np.nan_to_num(np.abs(off)), axis=None, kind="stable")[:LISTED]
        for row, column in zip(*np.unravel_index(order, off.shape), strict=True):
            value, se = off[row, column], self.se[row, column]
            if value == value and value != 0:
                error = f" ({se:.4f})" if se == se else ""
                sign = "+" if self.is_difference else ""
                lines.append(
                    f"  {self.classes[row]} decided {self.decisions[column]}: {value:{sign}.4f}{error}"
                )
        return "\n".join(lines if len(lines) > 1 else [*lines, "  none but on the diagonal"])


LISTED = 10


def confusion_rates(
    roc: AveragedRoc, index: int, *, minus: int | None = None, level: float = 0.95
) -> ConfusionRates:
    """Return the rate of every decision in every class at one point, or its difference from another point.

    Parameters
    ----------
    roc
        The averaged ROC; `AveragedRoc.confusion_rates` is this function.
    index
        The point.
    minus
        Another point, a pinned one, whose rates are subtracted fold by fold.
    level
        Confidence level of the intervals.

    Returns
    -------
    ConfusionRates
        Its picture is a heat map.

    Examples
    --------
    >>> from rocscope.averaging.roc import average_roc
    >>> y, fold = ["a", "b", "c"] * 4, [0] * 6 + [1] * 6
    >>> p = [[5, 4, 1], [1, 8, 1], [2, 4, 4], [4, 5, 1], [2, 7, 1], [1, 5, 4]] * 2
    >>> roc = average_roc(y, p, fold=fold, classes=["a", "b", "c"], points=[[1, 1, 1], [2, 1, 2]])
    >>> roc.confusion_rates(0).value.tolist()
    [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]
    >>> roc.confusion_rates(1, minus=0).value[2].tolist()
    [0.0, -1.0, 1.0]
    """
    index, level = roc.check_index(index), checks.check_level(level)
    rates = measures.class_rates(roc.counts[index])
    name = roc.point_name(index)
    if minus is not None:
        other = roc.check_index(minus, name="minus")
        rates, name = rates - measures.class_rates(roc.counts[other]), f"{name} minus {roc.point_name(other)}"
    return rates_of(
        rates,
        name=name,
        classes=roc.classes,
        cases=roc.class_sizes,
        level=level,
        is_difference=minus is not None,
    )


def rates_of(
    rates: Floats,
    *,
    name: str,
    classes: tuple[Any, ...],
    cases: NDArray[np.int64],
    level: float,
    is_difference: bool = False,
) -> ConfusionRates:
    """Average rates or their differences, [fold, true class, decision], over the folds."""
    mean, se, reach = mean_over_folds(np.moveaxis(rates, 0, -1), level)
    return ConfusionRates(
        classes=classes,
        decisions=(*classes, REJECTED)[: rates.shape[-1]],
        name=name,
        value=mean,
        se=se,
        low=mean - reach,
        high=mean + reach,
        defined=np.isfinite(se),
        is_difference=is_difference,
        cases=cases,
        folds=len(rates),
        level=level,
    )


def mean_over_folds(values: Floats, level: float) -> tuple[Floats, Floats, Floats]:
    """Mean over the last axis, its standard error, and half the width of its t interval."""
    mean, sd, n = moments(values)
    se = sd / np.sqrt(np.where(n > 1, n, np.nan))
    factors = {size: significance.quantile(level, df=size - 1) for size in np.unique(n).tolist() if size > 1}
    return mean, se, np.asarray(se * np.vectorize(lambda size: factors.get(size, np.nan), otypes=[float])(n))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WeightNeighbourhood(Result):
    """What is decided at class weights, and what changes where the weight of one class is multiplied.

    Attributes
    ----------
    classes, weights
        Names of the classes, and the class weights with sum 1.
    factors
        By what a weight is multiplied; 1 is in the middle.
    errors, errors_se
        Error of every class, [class whose weight is multiplied, factor, class that errs]: mean over folds and
        standard error. The one-class views.
    change, change_se, low, high
        Change of the error, [class that errs, class whose weight is multiplied by `factors`' step], with
        standard error and t interval of the folds' differences. The pairwise view: off the diagonal is what
        one class loses to another, on it what the class itself gains.
    defined
        Where `change_se` is a number.
    groups
        Classes that lose a share of at least `least` to one another, directly or by way of others. Weights of
        different groups can be tuned apart.
    least, level
        As given.
    rates
        The decisions at the weights themselves.
    """

    view: ClassVar[str] = "average.neighbourhood_picture"

    classes: tuple[Any, ...]
    weights: Floats
    factors: Floats
    errors: Floats
    errors_se: Floats
    change: Floats
    change_se: Floats
    low: Floats
    high: Floats
    defined: NDArray[np.bool_]
    groups: tuple[tuple[Any, ...], ...]
    least: float
    level: float
    rates: ConfusionRates = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON, with the rates."""
        return Result.to_dict(self) | {"rates": self.rates.to_dict()}

    @property
    def step(self) -> float:
        """By what a weight is multiplied once."""
        return float(self.factors[len(self.factors) // 2 + 1])

    def columns(self) -> dict[str, Any]:
        """One row per class whose weight is multiplied and class whose error changes."""
        n = len(self.classes)
        return {
            "weight of": [name for name in self.classes for _ in range(n)],
            "error of": list(self.classes) * n,
            "change": self.change.T.ravel(),
            "se": self.change_se.T.ravel(),
            "low": self.low.T.ravel(),
            "high": self.high.T.ravel(),
        }

    def _summary(self) -> str:
        middle = len(self.factors) // 2
        lines = [f"Error of each class, and what changes where its weight is multiplied by {self.step:g}"]
        for c, name in enumerate(self.classes):
            error, se = self.errors[c, middle, c], self.errors_se[c, middle, c]
            text = f"  {name}: error {error:.4f}" + (f" ({se:.4f})" if se == se else "")
            text = f"{text}, {self.change[c, c]:+.4f}" if error == error else f"  {name}: no cases"
            others = np.where(np.arange(len(self.classes)) == c, -np.inf, np.nan_to_num(self.change[:, c]))
            k = int(others.argmax())
            lines.append(
                text + (f"; most of all {self.classes[k]} loses {others[k]:+.4f}" if others[k] > 0 else "")
            )
        together = [f"({', '.join(map(str, group))})" for group in self.groups if len(group) > 1]
        alone = [str(group[0]) for group in self.groups if len(group) == 1]
        lines.append(
            f"Classes that lose {self.least:g} or more to one another: {' '.join(together) or 'none'}"
            + (f"; alone: {', '.join(alone)}" if alone else "")
        )
        return "\n".join(lines)


@checks.known_arguments
def weight_neighbourhood(
    y_true: Any,
    y_score: Any = None,
    weights: Any = None,
    *,
    fold: Any = None,
    classes: Any = None,
    factor: float = 2.0,
    steps: int = 3,
    least: float = 0.02,
    level: float = 0.95,
) -> WeightNeighbourhood:
    """Show the neighbourhood of class weights, one class at a time and pair by pair ([1]_).

    Parameters
    ----------
    y_true, y_score, classes
        As in `search_weights`.
    weights
        One weight per class, such as a row of `search_weights` or a `ClassWeights`; equal weights if None.
    fold
        Fold of each case, for standard errors and intervals; the data's own where they hold folds. Without
        folds there are none.
    factor, steps
        Each weight alone is multiplied by `factor` once, twice, ... `steps` times, and divided as often.
    least
        From this share on, losses of one class to another join the two in a group.
    level
        Confidence level of the intervals.

    Returns
    -------
    WeightNeighbourhood

    References
    ----------
    .. [1] T. C. W. Landgrebe, R. P. W. Duin: Efficient multiclass ROC approximation by decomposition via
       confusion matrix perturbation analysis, IEEE TPAMI 30, 2008.

    Examples
    --------
    >>> y, fold = ["a", "b", "c"] * 4, [0] * 6 + [1] * 6
    >>> p = [[5, 4, 1], [1, 8, 1], [2, 4, 4], [4, 5, 1], [2, 7, 1], [1, 5, 4]] * 2
    >>> print(weight_neighbourhood(y, p, fold=fold, classes=["a", "b", "c"]))
    Error of each class, and what changes where its weight is multiplied by 2
      a: error 0.5000 (0.0000), -0.5000
      b: error 0.0000 (0.0000), +0.0000; most of all a loses +0.5000
      c: error 1.0000 (0.0000), -1.0000
    Classes that lose 0.02 or more to one another: (a, b); alone: c
    """
    data = ClassScores.from_arrays(y_true, y_score, classes=classes)
    n_classes = len(data.classes)
    values = getattr(weights, "values", weights)
    row = checks.as_vector([1.0] * n_classes if values is None else values, name="weights")
    base = class_weights.as_weight_rows(row[np.newaxis], n_classes)[0]
    if n_classes < 2:
        raise RocInputError(f"must hold two classes or more, got {n_classes}", argument="classes")
    checks.check_number(factor, name="factor", low=1)
    steps = checks.check_integer(steps, name="steps", low=1)
    checks.check_number(least, name="least", low=0, high=1, closed=True)
    level = checks.check_level(level)
    labels = fold if fold is not None else getattr(y_true, "fold", None)
    fold_codes, folds = (None, (ALL_CASES,)) if labels is None else read_folds(labels)
    with np.errstate(over="ignore"):
        factors = np.power(float(factor), np.arange(-steps, steps + 1), dtype=np.float64)
        if not np.isfinite(factors[-1]):
            raise RocInputError(
                f"must leave weights finite after {formatting.counted(steps, 'step')}, got {factor}",
                argument="factor",
            )
    points = np.tile(base, (n_classes, len(factors), 1))
    for c in range(n_classes):
        points[c, :, c] *= factors
    counts = class_weights.weighted_confusion(
        data.codes, data.scores, points.reshape(-1, n_classes), fold_codes, len(folds)
    )
    errors = measures.class_errors(counts).reshape(n_classes, len(factors), len(folds), n_classes)
    errors = np.moveaxis(errors, 2, -1)  # [class of the weight, factor, class that errs, fold]
    mean, se, _ = mean_over_folds(errors, level)
    moved = np.swapaxes(errors[:, steps + 1] - errors[:, steps], 0, 1)
    change, change_se, reach = mean_over_folds(moved, level)
    return WeightNeighbourhood(
        classes=data.classes,
        weights=base / base.sum(),
        factors=factors,
        errors=mean,
        errors_se=se,
        change=change,
        change_se=change_se,
        low=change - reach,
        high=change + reach,
        defined=np.isfinite(change_se),
        groups=_groups(data.classes, np.nan_to_num(change) >= max(least, np.finfo(float).tiny)),
        least=least,
        level=level,
        rates=rates_of(
            measures.class_rates(counts[steps]),
            name="these weights",
            classes=data.classes,
            cases=counts[0].sum(axis=(0, 2)),
            level=level,
        ),
    )


def _groups(classes: tuple[Any, ...], joined: NDArray[np.bool_]) -> tuple[tuple[Any, ...], ...]:
    """Classes that are joined directly or by way of others, in the order of the classes."""
    group = list(range(len(classes)))
    for k, c in zip(*np.nonzero(joined | joined.T), strict=True):
        old, new = max(group[k], group[c]), min(group[k], group[c])
        group = [new if name == old else name for name in group]
    return tuple(
        tuple(name for name, own in zip(classes, group, strict=True) if own == first)
        for first in sorted(set(group))
    )
