"""Expected losses of algorithms: the result of `loss_curves`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocscope.algorithms.differences import Floats
from rocscope.core.result import Result, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class BestRange(Row):
    """A range of lambda in which one algorithm has a significantly smaller loss than every other."""

    algorithm: str
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanCrossing(Row):
    """Two mean ROC curves: where they cross, and which one lies above the other everywhere."""

    first: str
    second: str
    fpr: tuple[float, ...]
    dominant: str | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LossCurves(Result):
    """Expected loss of every algorithm as a function of lambda, the cost of a false positive.

    Attributes
    ----------
    positive, negative
        The classes: calling a negative case positive costs lambda, missing a positive one costs 1.
    algorithms
        Those whose soft outputs are probabilities; `left_out` names the others.
    lambdas, thresholds
        Costs, and the thresholds lambda / (1 + lambda) they ask for.
    mean, sd
        Mean and standard deviation over the folds of the loss per case, one row per algorithm.
    best
        Ranges of lambda where an algorithm is significantly the best, by `method` against each other one.
    fpr, tpr
        Mean ROC curve of every algorithm over the folds, at common false-positive rates.
    marks
        Mean (fpr, tpr) at each threshold, shape (algorithms, lambdas, 2).
    crossings
        A `MeanCrossing` for every pair.
    warnings
        That the positive class was not named, where it was not.
    """

    dataset: str
    positive: Any
    negative: Any
    algorithms: tuple[str, ...]
    left_out: tuple[str, ...]
    lambdas: Floats
    thresholds: Floats
    mean: Floats
    sd: Floats
    best: tuple[BestRange, ...]
    method: str
    level: float
    fpr: Floats
    tpr: Floats
    marks: Floats
    crossings: tuple[MeanCrossing, ...]
    warnings: tuple[str, ...] = ()

    def columns(self) -> dict[str, Any]:
        """Return one line per lambda: its threshold, and the loss of every algorithm."""
        losses = {f"loss[{name}]": row.tolist() for name, row in zip(self.algorithms, self.mean, strict=True)}
        return {"lambda": self.lambdas.tolist(), "threshold": self.thresholds.tolist()} | losses

    def _summary(self) -> str:
        span = f"lambda {self.lambdas[0]:g} to {self.lambdas[-1]:g}"
        lines = [f"expected loss on {self.dataset}, {span}, {self.positive} is positive"]
        lines += [f"{row.algorithm} is best from {row.low:.3g} to {row.high:.3g}" for row in self.best]
        return "\n".join(lines if self.best else [*lines, "none is significantly the best anywhere"])
