"""The choice of one operating point by its mean measures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.points import Constraint, select_point
from rocscope.errors import UndefinedError

if TYPE_CHECKING:
    from rocscope.average.averaged import AveragedRoc

Floats = NDArray[np.float64]
# What the best point of three classes or more has least of.
CLASS_RULES = ("max-class-error", "mean-class-error")
# Means that differ by less are equal: rates are rounded, and the mean of ten that add up to 9 may miss 0.9.
DECIMALS = 12


def select_index(
    roc: AveragedRoc, constraints: Sequence[str], *, rule: str | None, cost: Any, prevalence: Any
) -> int:
    """Return the index of the best point whose means meet every constraint; see `AveragedRoc.select`."""

    def mean_of(name: str) -> Floats:
        return np.round(roc.measure(name, prevalence=prevalence), DECIMALS)

    none = f"none of the {len(roc)} operating points shown"  # others might meet the constraints
    if len(roc.classes) == 2:
        n_neg, n_pos = roc.class_sizes.tolist()
        known = roc.prevalence if prevalence is None and cost is not None else prevalence
        sizes = (n_pos, n_neg)
        return select_point(
            mean_of, constraints, rule=rule, cost=cost, prevalence=known, class_sizes=sizes, none=none
        )
    checks.check_choice(rule or CLASS_RULES[0], CLASS_RULES, name="rule")
    # Of the means, not the mean of the folds' largest errors: that one rises with the noise of small folds.
    errors = np.stack([mean_of(f"error({name})") for name in roc.classes])
    worst, middle = (np.round(loss, DECIMALS) for loss in (errors.max(axis=0), errors.mean(axis=0)))
    losses = (middle, worst) if rule == "mean-class-error" else (worst, middle)
    if cost is not None:
        paid = roc.measure("cost", prevalence=prevalence, cost=cost)
        losses = (np.round(paid, DECIMALS), middle)
    return _least(losses, mean_of, [Constraint.parse(text) for text in constraints], none)


def _least(
    losses: tuple[Floats, Floats], mean_of: Callable[[str], Floats], bounds: list[Constraint], none: str
) -> int:
    """Index of the least first loss among the points within bounds; of several the least second one."""
    feasible = ~np.isnan(losses[0])
    for bound in bounds:
        feasible &= bound.holds(mean_of(bound.measure))
    if not feasible.any():
        wanted = " and ".join(f"{b.measure}{b.relation}{b.bound:g}" for b in bounds)
        raise UndefinedError(f"{none} has {wanted or 'an error in every class'}")
    kept = np.flatnonzero(feasible)
    return int(kept[np.lexsort((losses[1][kept], losses[0][kept]))[0]])
