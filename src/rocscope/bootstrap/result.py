"""What the bootstrap of one data set tells: estimates of the AUC, of the error rate and of the loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.result import Estimate, Result

AREAS = ("apparent", "leave_pair_out", "star", "point632", "point632plus", "kfold", "leave_one_out")
ERRORS = ("apparent", "left_out", "point632", "point632plus", "kfold", "leave_one_out")
COLUMNS = ("value", "se", "low", "high", "mc_error", "level", "method", "status", "reason")


@dataclass(frozen=True, slots=True, kw_only=True)
class BootstrapEstimate(Estimate):
    """An estimate and its Monte-Carlo error.

    Attributes
    ----------
    mc_error
        Standard deviation of the value over repeated bootstraps (or deals of folds) of the same data: what
        more replicates would take away. 0 where nothing is drawn, None where it is not known.
    """

    mc_error: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ErrorEstimates(Result):
    """The family of estimates for the error rate, or for the expected loss at given costs.

    Attributes
    ----------
    apparent, left_out, point632, point632plus
        Error on the training cases themselves; leave-one-out bootstrap Err(1); .632 and .632+.
    kfold, leave_one_out
        By cross-validation, for comparison.
    gamma
        Error of the same decisions where they know nothing of the class.
    overfitting
        R', from 0 (none) to 1 (no better than gamma).
    cost
        Costs, true by decided class, negatives first.
    prevalence
        Share of positives.
    decisions
        "predict", or "threshold" where the probability was compared with the best threshold for the costs.
    dropped
        Cases that no replicate left out.
    """

    apparent: BootstrapEstimate
    left_out: BootstrapEstimate
    point632: BootstrapEstimate
    point632plus: BootstrapEstimate
    kfold: BootstrapEstimate
    leave_one_out: BootstrapEstimate
    gamma: float | None
    overfitting: float | None
    cost: tuple[tuple[float, float], tuple[float, float]]
    prevalence: float
    decisions: str
    dropped: int

    def estimates(self) -> dict[str, BootstrapEstimate]:
        """The estimates by the names of their fields."""
        return {name: getattr(self, name) for name in ERRORS}

    def columns(self) -> dict[str, Any]:
        """Return one line per estimate."""
        return _columns(self.estimates())

    def _summary(self) -> str:
        return "\n".join(estimate.summary() for estimate in self.estimates().values())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BootstrapAuc(Result):
    """Estimates of the AUC that a classifier trained on these cases will have, and of its error.

    Attributes
    ----------
    apparent
        AUC on the training cases themselves: too good.
    leave_pair_out
        AUC(1,1): every pair of cases judged by the replicates that left out both.
    star
        AUC(*): mean over the replicates of the AUC on the cases each left out.
    point632, point632plus
        Apparent and AUC(*) put together, .632 and .632+.
    kfold, leave_one_out
        By cross-validation, for comparison: mean over repeats of the mean AUC of the folds; AUC of all scores
        of cases that were left out one at a time, which come from as many models.
    overfitting
        R' of .632+, from 0 to 1.
    rule
        The condition that R' follows, see `overfitting_auc`.
    error, loss
        The same family for the error rate of `predict`, and for the expected loss at the given costs and
        prevalence; without either the loss is the error rate.
    replicates
        AUC of every replicate.
    n_boot, redrawn, failed
        Replicates used; replicates drawn again because one side lacked a class; replicates whose training
        failed, which are left out.
    dropped_pairs
        Pairs that no replicate left out together.
    n_pos, n_neg, classes
        Sizes of the classes; names of the negative and the positive one.
    stratify
        Whether replicates were drawn class by class.
    response
        Method of the estimator that gave the scores; None if it has hard labels only.
    warnings
        What a reader should know although the estimates stand.
    """

    apparent: BootstrapEstimate
    leave_pair_out: BootstrapEstimate
    star: BootstrapEstimate
    point632: BootstrapEstimate
    point632plus: BootstrapEstimate
    kfold: BootstrapEstimate
    leave_one_out: BootstrapEstimate
    overfitting: float | None
    rule: str
    error: ErrorEstimates
    loss: ErrorEstimates
    replicates: NDArray[np.float64]
    n_boot: int
    redrawn: int
    failed: int
    dropped_pairs: int
    n_pos: int
    n_neg: int
    classes: tuple[Any, Any]
    stratify: bool
    response: str | None
    warnings: tuple[str, ...] = ()

    def estimates(self) -> dict[str, BootstrapEstimate]:
        """The estimates of the AUC by the names of their fields."""
        return {name: getattr(self, name) for name in AREAS}

    def columns(self) -> dict[str, Any]:
        """Return one line per estimate: the AUC's, then those of the error rate and of the loss."""
        named = {f"auc {name}": estimate for name, estimate in self.estimates().items()}
        for what, family in (("error", self.error), ("loss", self.loss)):
            named |= {f"{what} {name}": estimate for name, estimate in family.estimates().items()}
        return _columns(named)

    def _summary(self) -> str:
        drawn = "class by class" if self.stratify else "from all cases"
        head = (
            f"{self.n_pos} positives, {self.n_neg} negatives, {self.n_boot} replicates drawn {drawn}"
            f" ({self.redrawn} drawn again)"
        )
        return "\n".join([head, *(estimate.summary() for estimate in self.estimates().values())])


def _columns(estimates: dict[str, BootstrapEstimate]) -> dict[str, Any]:
    rows = list(estimates.values())
    return {"estimate": list(estimates)} | {name: [row[name] for row in rows] for name in COLUMNS}
