"""Measures of one confusion matrix of any number of classes, each with its standard error and interval.

The error of a class is a share of its cases, and shares of different classes are independent. Sums of them
have the intervals of `binomial`. The expected cost is a sum over outcomes: without a prevalence all cells
share the same cases; at a prevalence p_c the cost within class c, theta_c, is such a sum over one row, rows
are independent, and

    theta - low = sqrt(sum_c p_c^2 (theta_c - low_c)^2)

with the ends of each row's own interval, as for any independent quantities [1]_; the standard error is that
of a sum of multinomial rows. Cells of equal cost are one outcome: costs of 0 and 1 give the interval of the
error, and cells without a case do not widen it.

The largest class error has no standard error: at a maximum the delta method does not hold, since another
class may have the largest error in another sample.

References
----------
.. [1] Zou, Donner: Construction of confidence limits about effect measures: a general approach, Statistics
   in Medicine 27, 2008.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.measures import cost_matrix
from rocscope.core.result import Estimate
from rocscope.inference.proportions import IntervalKind

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]
AT_A_MAXIMUM = "the largest of several shares: another class may have it in another sample"


def class_estimates(
    confusion: Any, kind: IntervalKind, *, classes: Sequence[Any], prevalence: Any = None, cost: Any = None
) -> dict[str, Estimate]:
    """Every measure of a confusion matrix by its name in `core.measures`.

    Parameters
    ----------
    confusion
        Cases by true and decided class; rejected cases in a last column more.
    kind
        The interval of a share.
    classes
        Names of the classes.
    prevalence
        Share of every class where the classifier will be used; those of the cases by default.
    cost
        Cost of every decision, true by decided class; by default 1 for a wrong one.

    Examples
    --------
    >>> found = class_estimates([[8, 1, 1], [0, 19, 1], [2, 2, 26]], IntervalKind(), classes="abc")
    >>> print(found["error(a)"])
    error(a) 0.2000 (95% interval 0.0567-0.5098, wilson)
    >>> print(found["max-class-error"])  # doctest: +ELLIPSIS
    max-class-error 0.2000 (no interval: the largest of several shares: ...)
    """
    counted = _Counted(np.asarray(confusion), kind, tuple(classes), prevalence)
    return {
        **{f"error({name})": counted.class_error(c) for c, name in enumerate(classes)},
        "accuracy": counted.over_all("accuracy", counted.right),
        "error": counted.over_all("error", counted.wrong),
        "reject_rate": counted.over_all("reject_rate", counted.rejected),
        "balanced_accuracy": counted.mean("balanced_accuracy", counted.right),
        "mean-class-error": counted.mean("mean-class-error", counted.wrong),
        "max-class-error": counted.largest_error(),
        "cost": counted.cost(cost),
    }


@dataclass(frozen=True, slots=True)
class _Counted:
    """A confusion matrix, and how it is judged."""

    cells: Counts
    kind: IntervalKind
    classes: tuple[Any, ...]
    prevalence: Any

    @property
    def sizes(self) -> Counts:
        return np.asarray(self.cells.sum(axis=1))

    @property
    def right(self) -> Counts:
        return np.diagonal(self.cells)

    @property
    def rejected(self) -> Counts:
        return np.asarray(self.cells[:, len(self.cells) :].sum(axis=1))

    @property
    def wrong(self) -> Counts:
        return self.sizes - self.right - self.rejected

    def class_error(self, c: int) -> Estimate:
        name = f"error({self.classes[c]})"
        if not self.sizes[c]:
            return self.kind.undefined(name, _empty(self.classes[c]))
        return self.kind.proportion(name, int(self.wrong[c]), int(self.sizes[c]))

    def over_all(self, name: str, counts: Counts) -> Estimate:
        return self._lacking(name) or share_of_all(name, counts, self.sizes, self.kind, self.prevalence)

    def mean(self, name: str, counts: Counts) -> Estimate:
        return self._lacking(name, always=True) or mean_share(name, counts, self.sizes, self.kind)

    def largest_error(self) -> Estimate:
        name, method = "max-class-error", self.kind.interval
        if lacking := self._lacking(name, always=True):
            return lacking
        value = float((self.wrong / self.sizes).max())
        reason = {"status": "partial", "reason": AT_A_MAXIMUM}
        return self.kind.estimate(name, value, (None, None), se=None, method=method, **reason)

    def cost(self, cost: Any) -> Estimate:
        if lacking := self._lacking("cost", always=True):
            return lacking
        table = cost_matrix(cost, n_classes=len(self.cells))
        return expected_cost("cost", self.cells, table, self.kind, self.prevalence)

    def _lacking(self, name: str, *, always: bool = False) -> Estimate | None:
        """What is undefined, since a class without cases has no share; a share of all cases needs none."""
        empty = np.flatnonzero(self.sizes == 0)
        if not len(empty) or (self.prevalence is None and not always and self.cells.any()):
            return None
        return self.kind.undefined(name, _empty(self.classes[empty[0]]))


def _empty(name: Any) -> str:
    return f"class {name!s} has no cases"


def share_of_all(name: str, counts: Any, sizes: Any, kind: IntervalKind, prevalence: Any) -> Estimate:
    """Cases counted in each class as a share of all; at a prevalence the classes weigh as that says.

    Examples
    --------
    >>> print(share_of_all("error", [2, 1], [10, 20], IntervalKind(), prevalence=None))
    error 0.1000 (95% interval 0.0346-0.2562, wilson)
    """
    if prevalence is None:
        return kind.proportion(name, int(np.sum(counts)), int(np.sum(sizes)))
    return kind.weighted_sum(name, _shares(prevalence), counts, sizes, same_cases=False)


def mean_share(name: str, counts: Any, sizes: Any, kind: IntervalKind) -> Estimate:
    """Mean over the classes of the share that is counted in each.

    Examples
    --------
    >>> print(mean_share("mean-class-error", [2, 1], [10, 20], IntervalKind()))
    mean-class-error 0.1250 (95% interval 0.0505-0.3057, mover-wilson)
    """
    weights = np.full(len(sizes), 1 / len(sizes))
    return kind.weighted_sum(name, weights, counts, sizes, same_cases=False)


def expected_cost(name: str, cells: Any, table: Floats, kind: IntervalKind, prevalence: Any) -> Estimate:
    """Expected cost of a case; rejected cases cost nothing unless the table has a column for them.

    Examples
    --------
    >>> cells, table = [[8, 1, 1], [0, 19, 1], [2, 2, 26]], np.array([[0, 1, 1], [5, 0, 5], [1, 1, 0]])
    >>> print(expected_cost("cost", cells, table, IntervalKind(), prevalence=[0.2, 0.2, 0.6]))
    cost 0.1700 (95% interval 0.1005-0.3893, mover-wilson)
    """
    counts = np.asarray(cells)
    costs = np.zeros(counts.shape)
    width = min(table.shape[1], counts.shape[1])
    costs[:, :width] = table[:, :width]
    if prevalence is None:
        return _mean_cost(name, counts.ravel(), costs.ravel(), kind)
    rows = [_mean_cost(name, row, paid, kind) for row, paid in zip(counts, costs, strict=True)]
    return _weighed(name, rows, _shares(prevalence), kind)


def _shares(prevalence: Any) -> Floats:
    """One share per class; a single one is that of the second class of two."""
    return np.asarray((1 - prevalence, prevalence) if np.ndim(prevalence) == 0 else prevalence, np.float64)


def _mean_cost(name: str, counts: Counts, costs: Floats, kind: IntervalKind) -> Estimate:
    """Mean cost of cases, each with one of the outcomes."""
    distinct, place = np.unique(costs, return_inverse=True)
    cases = np.bincount(place, weights=counts).astype(np.int64)
    # Taken out, the least cost cannot widen the interval: a cost of all decisions alike only moves it.
    base = float(distinct[0])
    return kind.weighted_sum(name, distinct - base, cases, int(cases.sum()), same_cases=True, constant=base)


def _weighed(name: str, parts: Sequence[Estimate], weights: Floats, kind: IntervalKind) -> Estimate:
    """Weighted sum of independent estimates; of a one-sided interval the other end is that of the range."""
    value, se, low, high = (
        weights * np.array([getattr(part, field) for part in parts], np.float64)
        for field in ("value", "se", "low", "high")
    )
    total = float(value.sum())
    ends = (
        float(low.sum()) if kind.alternative == "less" else total - float(np.linalg.norm(value - low)),
        float(high.sum()) if kind.alternative == "greater" else total + float(np.linalg.norm(high - value)),
    )
    return kind.estimate(name, total, ends, se=float(np.linalg.norm(se)), method=f"mover-{kind.interval}")
