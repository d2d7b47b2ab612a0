"""The thresholds chosen for all classes together, and what they decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.result import Result, Status
from rocscope.errors import UndefinedError
from rocscope.ordinal.counts import Places
from rocscope.ordinal.data import ClassEstimates
from rocscope.ordinal.joint import Candidates, Cuts, Objective, best_cuts
from rocscope.ordinal.kappa import quadratic_kappa
from rocscope.ordinal.thresholds import Gaps


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OrdinalThresholds(Result):
    """One threshold between each two neighbouring classes, best for all classes together.

    An estimate at or above a threshold is decided for the class above it.

    Attributes
    ----------
    labels
        The classes, in order.
    values
        The thresholds, ascending; empty where undefined.
    objective, value
        What was made best, and its value: the share of wrong decisions ("error"), the mean cost of a case
        ("cost") or the quadratic weighted kappa ("kappa"). On the data that chose them, hence flattering.
    confusion
        Cases by true class (row) and decided class (column).
    error, kappa
        Share of wrong decisions and quadratic weighted kappa at the thresholds.
    status, reason
        "undefined", and why, where a gap holds no threshold.

    Examples
    --------
    >>> from rocscope.ordinal.roc import ordinal_roc
    >>> found = ordinal_roc([1, 1, 2, 2, 3, 3], [0.8, 1.2, 1.9, 2.2, 2.6, 3.1], objective="kappa")
    >>> print(found.thresholds)
    Thresholds 1.455, 2.455: error 0.0000, kappa 1.0000 (best kappa)
    >>> found.thresholds.decide([1.0, 2.3, 3.2]).tolist()
    [1, 2, 3]
    """

    labels: tuple[Any, ...]
    values: NDArray[np.float64]
    objective: Objective
    value: float | None
    confusion: NDArray[np.int64]
    error: float | None
    kappa: float | None
    status: Status = "ok"
    reason: str | None = None

    def decide(self, y_pred: Any) -> NDArray[Any]:
        """Return the class decided for each estimate."""
        if self.value is None:
            raise UndefinedError(f"there are no thresholds to decide by: {self.reason}")
        estimates = checks.as_scores(y_pred, name="y_pred")
        return np.asarray(np.array(self.labels)[np.searchsorted(self.values, estimates, "right")])

    def _summary(self) -> str:
        if self.value is None:
            return f"Thresholds undefined: {self.reason}"
        told = ", ".join(f"{value:.4g}" for value in self.values)
        return f"Thresholds {told}: error {self.error:.4f}, kappa {self.kappa:.4f} (best {self.objective})"

    def columns(self) -> dict[str, Any]:
        """Return one row per threshold."""
        n = len(self.values)
        return {"below": self.labels[:n], "above": self.labels[1 : n + 1], "threshold": self.values}


def choose_thresholds(
    estimates: ClassEstimates,
    gaps: Gaps,
    found: Places,
    *,
    objective: Objective,
    cost: NDArray[np.float64] | None,
    cuts: Cuts,
    every: bool,
) -> OrdinalThresholds:
    """Choose one cut per gap; `found` tells where the thresholds of the gaps fall."""
    empty = [gap for gap, values in enumerate(gaps) if not values.size]
    if empty and (cuts == "gaps" or len(empty) == len(gaps)):
        below, above = estimates.labels[empty[0] : empty[0] + 2]
        return _undefined(estimates, objective, f"no threshold lies between {below} and {above}")
    candidates = Candidates.of(estimates, gaps, found, cuts, every=every)
    chosen = best_cuts(candidates, objective, cost)
    confusion = candidates.confusion(chosen)
    total = int(confusion.sum())
    error = (total - int(np.trace(confusion))) / total
    kappa = float(quadratic_kappa(confusion))
    values = {"error": error, "kappa": kappa}
    if cost is not None:
        values["cost"] = float((confusion * cost).sum()) / total
    return OrdinalThresholds(
        labels=estimates.labels,
        values=np.array([cut[k] for cut, k in zip(candidates.cuts, chosen, strict=True)]),
        objective=objective,
        value=values[objective],
        confusion=confusion,
        error=error,
        kappa=kappa,
    )


def _undefined(estimates: ClassEstimates, objective: Objective, reason: str) -> OrdinalThresholds:
    n = len(estimates.labels)
    return OrdinalThresholds(
        labels=estimates.labels,
        values=np.empty(0),
        objective=objective,
        value=None,
        confusion=np.zeros((n, n), np.int64),
        error=None,
        kappa=None,
        status="undefined",
        reason=reason,
    )
