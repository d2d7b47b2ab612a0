"""What `ordinal_roc` returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.result import Estimate, Result, Row
from rocscope.ordinal.areas import Closure, Fixed
from rocscope.ordinal.curves import ClassCurves
from rocscope.ordinal.decision import OrdinalThresholds
from rocscope.ordinal.front import ClassFront
from rocscope.ordinal.resampling import OrdinalFolds

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverallAreas(Row):
    """Averages of MaxAUC and AvgAUC over the classes that are defined; None if none is.

    Attributes
    ----------
    max_macro, avg_macro
        Every class counts the same.
    max_weighted, avg_weighted
        Every class counts by its members.
    n_defined
        Classes behind the averages.
    """

    max_macro: float | None
    max_weighted: float | None
    avg_macro: float | None
    avg_weighted: float | None
    n_defined: int

    def _summary(self) -> str:
        if self.max_macro is None:
            return "Overall undefined: no class has curves"
        macro = f"macro MaxAUC {self.max_macro:.4f}, AvgAUC {self.avg_macro:.4f}"
        weighted = f"weighted MaxAUC {self.max_weighted:.4f}, AvgAUC {self.avg_weighted:.4f}"
        return f"Overall: {macro}; {weighted}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OrdinalRoc(Result):
    """Sets of ROC curves of ordered classes.

    Attributes
    ----------
    classes, labels
        The numbers of the classes, ascending, and what they are called.
    curves
        One `ClassCurves` per class: points of every pair of thresholds, curves, every area.
    max_auc, avg_auc
        MaxAUC and AvgAUC of every class; NaN where not `defined`.
    defined
        Which classes have curves; `curves[k].reason` says why one has none.
    overall
        Averages over the classes, plain and by the number of members.
    front
        The Pareto front of every class over all pairs of thresholds.
    thresholds
        The best thresholds of all classes together, for the objective.
    adjacent, adjacent_auc
        Area of every class against the one below it, NaN where one of them has fewer than two members,
        and their mean.
    vus
        Volume under the ROC surface: share of tuples with one case per class that are in order; None
        where a class has fewer than two members.
    kappa
        Quadratic weighted kappa at the chosen thresholds.
    estimates
        Every figure by name ("max_auc(3)", "avg_auc macro", "vus") with its interval, or the reason why
        it has none.
    folds
        Figures of every fold, with mean and standard deviation.
    fixed, closure, n_boot
        As asked for.
    warnings
        What a reader should know.
    """

    classes: tuple[float, ...]
    labels: tuple[Any, ...]
    curves: tuple[ClassCurves, ...]
    max_auc: Floats
    avg_auc: Floats
    defined: NDArray[np.bool_]
    overall: OverallAreas
    front: tuple[ClassFront, ...]
    thresholds: OrdinalThresholds
    adjacent: Floats
    adjacent_auc: float | None
    vus: float | None
    kappa: float | None
    estimates: Mapping[str, Estimate]
    folds: OrdinalFolds
    fixed: Fixed
    closure: Closure
    n_boot: int
    warnings: tuple[str, ...] = ()

    @property
    def vus_chance(self) -> float:
        """Volume without information, 1 / C!."""
        return 1 / factorial(len(self.classes))

    def columns(self) -> dict[str, Any]:
        """Return one row per class."""
        ends = {
            f"{name}_{end}": [self.estimates[f"{name}({label})"][end] for label in self.labels]
            for name in ("max_auc", "avg_auc")
            for end in ("low", "high")
        }
        of_class = {
            name: [getattr(one, name) for one in self.curves]
            for name in ("label", "value", "n_pos", "max_auc", "max_at", "avg_auc")
        }
        reasons = {name: [getattr(one, name) for one in self.curves] for name in ("status", "reason")}
        return of_class | ends | reasons

    def _summary(self) -> str:
        n = sum(one.n_pos for one in self.curves)
        head = f"{len(self.classes)} ordered classes, {n} cases ({self.closure} closure, {self.fixed} fixed)"
        lines = [head, *(f"  {self._class_line(one)}" for one in self.curves), f"  {self.overall}"]
        lines.append(f"  {self._rest()}")
        lines.append(f"  {self.thresholds}")
        return "\n".join(lines)

    def _class_line(self, one: ClassCurves) -> str:
        if one.max_auc is None:
            return str(one)
        areas = [
            f"{title} {self._with_interval(f'{name}({one.label})')}"
            for title, name in (("MaxAUC", "max_auc"), ("AvgAUC", "avg_auc"))
        ]
        curves = f"{len(one)} curve{'s' if len(one) > 1 else ''}"
        return f"Class {one.label}: {', '.join(areas)}, {one.n_pos} cases, {curves}"

    def _with_interval(self, name: str) -> str:
        found = self.estimates[name]
        if found.low is None or found.high is None:
            return "undefined" if found.value is None else f"{found.value:.4f}"
        return f"{found.value:.4f} ({found.low:.4f}-{found.high:.4f})"

    def _rest(self) -> str:
        area = f"AUC of neighbours {self._with_interval('adjacent_auc')}"
        return f"{area}, VUS {self._with_interval('vus')} (chance {self.vus_chance:.2g})"
